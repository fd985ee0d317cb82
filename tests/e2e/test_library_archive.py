"""libmockddb as it is released, for glibc and musl: scripts/static builds it, packages/library, npm and python pack it, and
packages/check unpacks and installs them and runs programs of users. Without MOCKDDB_RELEASE_TESTS=1, of what is built."""

import os
import pathlib
import shutil
import subprocess
import sys

import library_file
from chroots import packing
from e2e import PATIENCE, ROOT, Report, equal, temporary_folder
from toolchains import pack, run, succeeds

BUILT = ROOT / "build/static"
PLATFORMS = ("linux-x64-gnu", "linux-x64-musl")
PACKAGES = ("library", "npm", "python")


def folders(folder):
    """The programs and libraries to pack."""
    for name in ("linux-x64", *PLATFORMS):
        (folder / name).symlink_to(BUILT / name)
    return folder


def checked(programs, out):
    ended = run([sys.executable, "-B", ROOT / "packages/check", programs, out, *PACKAGES], ROOT)
    return ended.returncode, ended.stdout, ended.stderr


def archives(report, folder):
    programs, out = folder / "programs", folder / "out"
    programs.mkdir()
    folders(programs)
    for package in PACKAGES:
        succeeds(pack(package, programs, out))
    with report.case("the same libraries give the same archives"):
        succeeds(pack("library", programs, folder / "again"))
        for path in (folder / "again").iterdir():
            equal(packing.sha256(path), packing.sha256(out / path.name))
    status, lines, problem = checked(programs, out)
    with report.case("packages/check finds nothing wrong"):
        equal((status, problem), (0, ""))
    for line in lines.splitlines():
        report.line("ok", line)
    with report.case("each library has an archive, a package of npm and a wheel, whose embedded() answers here"):
        for name in PLATFORMS:
            assert f"libmockddb-{packing.version()}-{name}.tar.gz: has what was built for {name}" in lines, lines
        equal(lines.count("so does embedded()"), 2)
    with report.case("packages/check finds an archive with another library"):
        other = folder / "other"
        other.mkdir()
        folders(other)
        (other / PLATFORMS[0]).unlink()
        shutil.copytree(BUILT / PLATFORMS[0], other / PLATFORMS[0], ignore=shutil.ignore_patterns("*[!ao]"))
        shutil.copy(BUILT / PLATFORMS[1] / "libmockddb.so", other / PLATFORMS[0])
        status, _, problem = checked(other, out)
        assert status == 1 and "another program" in problem, problem


def faults(report, folder):
    """What library_file must find."""
    source = folder / "more.c"
    source.write_text("int mockddb_abi(void) { return 1; }\nint sqlite3_open(void) { return 1; }\n")
    made = folder / "libmore.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-Wl,-soname,libmore.so.1", source, "-o", made], check=True)
    for name, check in (("other names", lambda: library_file.check_names(made)), ("another name of its own", lambda: library_file.check_file(made, PLATFORMS[0]))):
        with report.case(f"a library with {name} is found"):
            try:
                check()
            except AssertionError:
                continue
            raise AssertionError("it was not")


def main():
    report = Report()
    if os.environ.get("MOCKDDB_RELEASE_TESTS") == "1":
        with report.case(f"scripts/static {' '.join(PLATFORMS)}"):
            subprocess.run([ROOT / "scripts/static", "linux-x64", *PLATFORMS], check=True, timeout=100 * PATIENCE)
    missing = [name for name in ("linux-x64", *PLATFORMS) if not (BUILT / name / "SHA256SUMS").exists()]
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        if missing:
            report.skip("the released libraries", f"not built: scripts/static {' '.join(missing)}")
        else:
            archives(report, folder)
        faults(report, folder)
    report.done()


main()
