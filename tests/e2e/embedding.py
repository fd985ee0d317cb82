"""libmockddb for the tests of packages that load it: import this before all others, since a library with
AddressSanitizer must be in a process whose first library is the sanitizer's."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("MOCKDDB_PRELOADS", ROOT / "build/debug/bin"))
LIBRARY = PROGRAMS.parent / "lib/libmockddb.so"
ADDON = LIBRARY.with_name("mockddb.node")


def _sanitizer():
    """The path of the sanitizer's library, "" without one."""
    if not LIBRARY.is_file() or b"libasan.so" not in LIBRARY.read_bytes():
        return ""
    return subprocess.check_output(["gcc", "-print-file-name=libasan.so"], text=True).strip()


# What a program needs in its environment that loads the library. Leaks are looked for in the library's own tests:
# Python and Node.js do not free all that they have at their end.
def environment():
    preload = _sanitizer()
    given = {"MOCKDDB_LIBRARY": str(LIBRARY)}
    if preload:
        given |= {"LD_PRELOAD": preload, "ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:detect_leaks=0"}
    return given


def enter():
    """Starts this test program again with that environment."""
    given = environment()
    if LIBRARY.is_file() and os.environ.get("MOCKDDB_LIBRARY") != str(LIBRARY):
        os.execve(sys.executable, [sys.executable, "-B", *sys.argv], os.environ | given)
