"""README.md's section "Get it": each line for npm, pip, apt and an archive as it is printed there, with the static program's
released files and nothing else: a home without files, only that tool on the PATH or a new root folder, and a network without
a way out. From there to the first answer it takes less than a minute. The deb goes as it came."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from chroots import call, enter_network, find_programs, proc_in
from e2e import MARK, PATIENCE, ROOT, SLOWNESS, Report, Running, equal, run_program, temporary_folder

PACKAGES = ("npm", "python", "debian", "tarball")
SUITES = ("bookworm", "trixie")  # Debian 12 and 13
MOST_SECONDS = 60 * SLOWNESS
SYSTEM_PATH = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def line_of(tool):
    """README.md's line for it."""
    return re.search(rf"^\| {tool} \| `([^`]*)`", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)[1]


def pack(released):
    binaries, is_static = find_programs(released)
    if not is_static:
        return "there is no static program of this commit: scripts/static"
    for name in PACKAGES:
        ended = run_program([sys.executable, "-B", ROOT / "packages" / name / "pack", binaries, released])
        assert ended.returncode == 0, ended.stderr
    return None


def links(folder, *names):
    """A folder for the PATH that has only these programs."""
    folder.mkdir()
    for name in names:
        (folder / name).symlink_to(pathlib.Path(shutil.which(name)).resolve())
    return str(folder)


def first_answer(report, tool, released, folder, path, *chroot):
    """Runs README.md's line in a folder with the released files that it names, until its server answers; then ends both."""
    line = line_of(tool)
    for file in released.iterdir():
        if file.name in line or (file.suffix == ".whl" and "--find-links ." in line):
            shutil.copy(file, folder)
    (folder / "empty").mkdir()
    home = "/empty" if chroot else str(folder / "empty")
    with report.case(f"{' '.join([tool, *(pathlib.Path(root).name for root in chroot[1:])])}: {line}"):
        began = time.monotonic()
        with Running(
            [*chroot, "/bin/sh", "-c", line], cwd=folder, env={"PATH": path, "HOME": home, MARK: os.environ[MARK]}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        ) as process:  # fmt: skip
            tables = None
            while tables is None and process.poll() is None and time.monotonic() < began + PATIENCE:
                with contextlib.suppress(OSError):
                    tables = call("ListTables", {})
                time.sleep(0.01)
            seconds = time.monotonic() - began
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            printed = process.communicate(timeout=PATIENCE)[0]
        print(f"# {tool}: the first answer after {seconds:.1f} seconds")
        assert tables == {"TableNames": []}, printed
        assert seconds < MOST_SECONDS, printed


def new_root(folder, suite):
    """Fetches a new root folder of Debian; returns it, and why that is not possible or None."""
    root = folder / suite
    sources = run_program(["apt-get", "indextargets", "--format", "$(REPO_URI)"]).stdout.split()
    mirror = [one for one in sources if one.rstrip("/").endswith("/debian")][:1]
    ended = run_program(["debootstrap", "--variant=minbase", suite, root, *mirror], **os.environ)
    if ended.returncode:
        return root, f"debootstrap failed: {(ended.stdout + ended.stderr).splitlines()[-1:]}"
    sudo = root / "usr/local/bin/sudo"  # which a new root does not have
    sudo.write_text('#!/bin/sh\nexec "$@"\n')
    sudo.chmod(0o755)
    return root, None


def apt(report, released, root):
    def inside(*words):
        ended = run_program(["chroot", root, "env", "-i", f"PATH={SYSTEM_PATH}", *words])
        assert ended.returncode == 0, f"{words}: {ended.stdout}{ended.stderr}"
        return ended.stdout

    with proc_in(root):
        first_answer(report, "apt", released, root, SYSTEM_PATH, shutil.which("chroot"), root)
        with report.case(f"apt {root.name}: the files are the package's, and go with it"):
            equal(inside("dpkg", "-V", "mockddb"), "")
            tables = inside("mockddb", "try", "--fixtures", "ecommerce", "aws dynamodb list-tables --output text")
            assert "ShopifyEntitiesTable" in tables, tables
            inside("apt-get", "purge", "--yes", "mockddb")
            left = run_program(["find", root / "usr", root / "etc", "-xdev", "-name", "*mockddb*"])
            equal(left.stdout, "")


def empty_root(folder):
    """A root folder with a shell and tar, both in busybox, and nothing else."""
    root = folder / "busybox"
    (root / "bin").mkdir(parents=True)
    shutil.copy("/bin/busybox", root / "bin/busybox")
    for name in ("sh", "tar"):
        (root / "bin" / name).symlink_to("busybox")
    return root


def main():
    report = Report()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        released, npm, pip = (folder / one for one in ("released", "npm", "pip"))
        released.mkdir()
        why = pack(released)
        roots = [] if why or not shutil.which("debootstrap") else [new_root(folder, suite) for suite in SUITES]
        why = why or enter_network()
        if why:
            report.skip("the lines of README.md", why)
            report.done()
        if shutil.which("npm") and shutil.which("npx"):
            npm.mkdir()
            first_answer(report, "npm", released, npm, links(folder / "bin", "node", "npm", "npx", "sh"))
        else:
            report.skip("npm", "it is not installed")
        if run_program([sys.executable, "-m", "venv", folder / "venv"]).returncode == 0:
            pip.mkdir()
            first_answer(report, "pip", released, pip, f"{folder}/venv/bin")
        else:
            report.skip("pip", "python3-venv is not installed")
        if not roots:
            report.skip("apt", "debootstrap is not installed")
        for root, problem in roots:
            if problem:
                report.skip(f"apt {root.name}", problem)
            else:
                apt(report, released, root)
        if pathlib.Path("/bin/busybox").is_file():
            root = empty_root(folder)
            first_answer(report, "an archive", released, root, "/bin", shutil.which("chroot"), root)
        else:
            report.skip("an archive", "busybox is not installed")
    report.done()


main()
