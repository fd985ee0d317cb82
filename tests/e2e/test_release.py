"""scripts/release in a clean clone: what it refuses, the short form twice from one commit, and what packages/check finds."""

import pathlib
import shutil
import subprocess
import sys

from chroots import packing
from e2e import PATIENCE, ROOT, Report, equal, run_program, temporary_folder
from toolchains import run

DOWNLOADS = ("zig", "sources/*.tar.*")  # of build/static; each is checked by its hash
PACKAGES = ("papers", "npm", "python", "image")


def clone(folder):
    """A clone with what the repository's own build folder has downloaded."""
    subprocess.run(["git", "clone", "-q", ROOT, folder], check=True)
    for pattern in DOWNLOADS:
        for path in (ROOT / "build/static").glob(pattern):
            to = folder / path.relative_to(ROOT)
            to.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cp", "-al", path, to], check=True)
    return folder


def refused(report, folder, what, words, line):
    with report.case(f"refused: {what}"):
        ended = run_program([folder / "scripts/release", *words], folder=folder)
        equal((ended.returncode, ended.stdout, ended.stderr), (1, "", f"release: {line}\n"))


def refusals(report, folder):
    version = packing.version()
    give = f"give the version of CMakeLists.txt: scripts/release {version}"
    for what, words in (("no version", []), ("another version", ["9.9.9"]), ("an unknown option", ["--shorter"])):
        refused(report, folder, what, words, give)
    changes = folder / "CHANGELOG.md"
    text = changes.read_text(encoding="utf-8")
    changes.write_text(text.replace(f"## [{version}]", "## [another]"), encoding="utf-8")
    refused(report, folder, "a version without its section", [version], f"CHANGELOG.md has no section [{version}]")
    changes.write_text(f"{text}\n## [{version}]\n", encoding="utf-8")
    refused(report, folder, "a tree with changes", [version], "the working tree has changes; a release is made from a commit")
    refused(report, folder, "a tree with changes, twice", ["--twice", "--short"],
            "the working tree has changes; a release is made from a commit")
    changes.write_text(text, encoding="utf-8")


def checked(folder):
    words = [folder / "packages/check", folder / "build/programs", folder / "build/dist", *PACKAGES]
    ended = run([sys.executable, "-B", *words], folder)
    return ended.returncode, ended.stderr


def checks(report, folder):
    """What packages/check must find."""
    out = folder / "build/dist"
    (out / "SHA256SUMS").unlink()
    with report.case("check: what was made is right"):
        equal(checked(folder), (0, ""))
    with report.case("check: a file that no package has made"):
        (out / "more.tgz").write_bytes(b"")
        equal(checked(folder), (1, "check: nothing checks more.tgz\n"))
        (out / "more.tgz").unlink()
    name = f"mockddb-linux-x64-{packing.version()}.tgz"
    with report.case("check: a package with another program"):
        kept = shutil.copy(out / name, folder / "kept.tgz")
        place = folder / "build/other/linux-x64"
        place.mkdir(parents=True)
        (place / "mockddb").write_bytes((folder / "build/programs/linux-x64/mockddb").read_bytes() + b"\0")
        equal(run([folder / "packages/npm/pack", place.parent, folder / "build/packed"], folder).returncode, 0)
        shutil.copy(folder / "build/packed" / name, out / name)
        status, said = checked(folder)
        assert status == 1 and "another program" in said, said
        shutil.copy(kept, out / name)
    with report.case("check: a package that is not there"):
        (out / name).unlink()
        status, said = checked(folder)
        assert status == 1 and name in said.splitlines()[-1], said


def main():
    report = Report()
    with temporary_folder() as name:
        folder = clone(pathlib.Path(name, "clone"))
        refusals(report, folder)
        ended = run([folder / "scripts/release", "--twice", "--short"], folder, timeout=10 * PATIENCE)
        if ended.returncode == 3:
            report.skip("the short form, twice", "something cannot be downloaded")
            report.done()
        with report.case("the short form, twice: the same bytes in two folders"):
            equal(ended.returncode, 0)
            equal(ended.stdout.splitlines()[-1], "build/dist: the same bytes in another folder")
        if ended.returncode:
            print(*(f"# {line}" for line in ended.stderr.splitlines()[-20:]), sep="\n")
        else:
            checks(report, folder)
    report.done()


main()
