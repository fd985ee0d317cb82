"""The Python package for tests: packed, and installed into an empty folder; and packages of the registry."""

import fcntl
import os
import pathlib
import shutil
import subprocess
import sys

from e2e import BINARY, PATIENCE, PLAIN_BINARY, ROOT, run_program

PACK = ROOT / "packages/python/pack"


def has_pip():
    return run_program([sys.executable, "-m", "pip", "--version"]).returncode == 0


def lay_out(folder):
    """This machine's program, as `pack` takes it."""
    program = PLAIN_BINARY if PLAIN_BINARY.is_file() else pathlib.Path(BINARY)
    (folder / "linux-x64").mkdir(parents=True)
    os.link(program, folder / "linux-x64/mockddb")
    return folder


def pack(programs, out):
    ended = run_program([PACK, programs, out])
    if ended.returncode:
        raise AssertionError(ended.stderr)
    return ended


def install(wheels, site, *more):
    """Installs the wheel as a user does, without a registry."""
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--find-links", wheels]
    ended = run_program([*words, "--target", site, *more, "mockddb"])
    if ended.returncode:
        raise AssertionError(ended.stdout + ended.stderr)


def from_registry(name, *requirements):
    """The folder with packages of the registry, installed once; None where that is not possible."""
    folder = ROOT / "build/python-clients" / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_name(f"{name}.lock"), "w") as lock:  # tests run side by side
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _installed(folder, requirements)


def _installed(folder, requirements):
    wanted = "\n".join(requirements)
    done = folder / "installed"
    if done.is_file() and done.read_text() == wanted:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--retries", "1", "--target", folder, *requirements]
    try:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return None
    if ended.returncode:
        return None
    done.write_text(wanted)
    return folder
