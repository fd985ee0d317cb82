"""Where the mockddb program is, and the error of this package."""

import os
import pathlib
import sysconfig


class Error(Exception):
    """A server that does not start or does not end well, or a verb that it refuses: one line."""


def find_program() -> str:
    """The path of the program: MOCKDDB_BINARY, else the one of this package."""
    named = os.environ.get("MOCKDDB_BINARY")
    if named:
        if not os.path.isfile(named):
            raise Error(f"MOCKDDB_BINARY: there is no file {named}")
        return os.path.abspath(named)  # a server may be started in another folder
    own = pathlib.Path(__file__).parent / "bin/mockddb"
    if not own.is_file():
        raise Error(
            f"this installation has no mockddb program for {sysconfig.get_platform()}: install the wheel for this "
            "platform, or give the path of a program in MOCKDDB_BINARY"
        )
    return str(own)


def first_line(messages: str) -> str:
    """The first line that a program wrote, without the program's name."""
    return _line(messages, 0)


def last_line(messages: str) -> str:
    return _line(messages, -1)


def _line(messages: str, which: int) -> str:
    line = (messages.strip().splitlines() or ["it wrote no message"])[which]
    return line[len("mockddb: ") :] if line.startswith("mockddb: ") else line
