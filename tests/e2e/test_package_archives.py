"""The archives of the released files, and the Homebrew formula and the Nix flake that name them."""

import json
import pathlib
import shutil
import sys
import tarfile

from chroots import find_programs, packing
from e2e import ROOT, Report, equal, run_program, temporary_folder

PLATFORMS = ("linux-x64", "darwin-arm64")  # those of the test: the second has the first one's program


def pack(name, *words, **environment):
    words = [sys.executable, "-B", ROOT / f"packages/{name}/pack", *words]
    ended = run_program(words, SOURCE_DATE_EPOCH="1700000000", **environment)
    equal((ended.returncode, ended.stdout), (0, ""))


def archives(report, binaries, folder):
    with report.case("the same archives in two folders; a platform without a program is left out"):
        for out in ("one", "two"):
            pack("tarball", binaries, folder / out)
        names = {f"mockddb-{packing.version()}-{platform}.tar.gz" for platform in PLATFORMS}
        for out in ("one", "two"):
            equal({path.name for path in (folder / out).iterdir()}, names)
        for name in names:
            equal((folder / "one" / name).read_bytes() == (folder / "two" / name).read_bytes(), True)
    with report.case("unpacked anywhere, the program runs and finds its fixtures"):
        with tarfile.open(folder / f"one/mockddb-{packing.version()}-linux-x64.tar.gz") as archive:
            for entry in archive:
                equal((entry.uid, entry.mtime, entry.name.split("/")[0]), (0, 1700000000, "mockddb"))
            archive.extractall(folder)
        statement = "aws dynamodb list-tables --output text"
        program = folder / "mockddb/bin/mockddb"
        ended = run_program([program, "try", "--fixtures", "ecommerce", statement], folder=folder)
        equal(ended.returncode, 0)
        assert "ShopifyEntitiesTable" in ended.stdout, ended.stdout
        ended = run_program([program.with_name("ddb-patterns"), "--version"])
        equal((ended.returncode, ended.stdout.split()[0]), (0, "ddb-patterns"))
        assert (folder / "mockddb/share/man/man1/mockddb.1").read_text().startswith(".TH MOCKDDB 1")


def formula(report, binaries, folder):
    with report.case("the formula and the flake are made beside the archives, which stay"):
        before = {path: path.stat().st_mtime_ns for path in (folder / "one").iterdir()}
        for name in ("homebrew", "nix"):
            pack(name, binaries, folder / "one", MOCKDDB_RELEASE_URL="https://files.example/v1")
        equal({path: path.stat().st_mtime_ns for path in before}, before)
    if not shutil.which("ruby"):
        report.skip("the formula", "ruby is not installed")
        return
    for platform in PLATFORMS:
        with report.case(f"the formula installs the archive of {platform}"):
            prefix = folder / f"prefix-{platform}"
            words = [ROOT / "tests/e2e/formula.rb", prefix, *platform.split("-"), folder / "one/mockddb.rb"]
            ended = run_program(["ruby", "-w", *words], folder=folder / "mockddb")
            equal((ended.returncode, ended.stderr), (0, ""))
            version, url, total, check = ended.stdout.splitlines()
            name = f"mockddb-{packing.version()}-{platform}.tar.gz"
            equal((version, url), (packing.version(), f"https://files.example/v1/{name}"))
            equal(total, packing.sha256(folder / "one" / name))
            ended = run_program(["sh", "-c", check], folder=folder)
            equal((ended.returncode, "ShopifyEntitiesTable" in ended.stdout), (0, True))
            for path in ("man/man1/ddb-json.1", "zsh/site-functions/_mockddb"):
                assert (prefix / "share" / path).is_file(), path


def flake(report, folder):
    if not shutil.which("nix-instantiate"):
        report.skip("the flake", "nix is not installed")
        return
    with report.case("the flake names the archive and its sum for each platform"):
        words = ["nix-instantiate", "--eval", "--strict", "--json", "--store", f"{folder}/store"]
        path = ["--arg", "path", folder / "one/nix/flake.nix", ROOT / "tests/e2e/flake.nix"]
        ended = run_program([*words, *path], HOME=str(folder), NIX_STATE_DIR=f"{folder}/state")
        assert ended.returncode == 0, ended.stderr
        found = json.loads(ended.stdout)
        equal(sorted(found), ["aarch64-darwin", "x86_64-linux"])
        for system, platform in (("x86_64-linux", "linux-x64"), ("aarch64-darwin", "darwin-arm64")):
            name = f"mockddb-{packing.version()}-{platform}.tar.gz"
            total = packing.sha256(folder / "one" / name)
            equal(found[system]["src"], {"url": f"https://files.example/v1/{name}", "sha256": total})
            equal((found[system]["version"], found[system]["meta"]["mainProgram"]), (packing.version(), "mockddb"))


def main():
    report = Report()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        found, _ = find_programs(folder)
        if not found:
            report.skip("the archives", "there is no release build for x86-64")
            report.done()
        binaries = folder / "binaries"
        for platform in PLATFORMS:
            (binaries / platform).mkdir(parents=True)
            shutil.copy(found / "linux-x64/mockddb", binaries / platform / "mockddb")
        archives(report, binaries, folder)
        formula(report, binaries, folder)
        flake(report, folder)
    report.done()


if __name__ == "__main__":
    main()
