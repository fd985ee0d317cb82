"""The Python package for tests: packed, and installed into an empty folder; and packages of the registry."""

import os
import pathlib
import sys

from e2e import BINARY, PLAIN_BINARY, ROOT, run_program
from toolchains import installed

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
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--retries", "1", "--target", folder, *requirements]
    return installed(folder, requirements, command)
