"""What tests of packages share: programs in a root folder of their own, in a network of their own, with port 8000."""

import contextlib
import ctypes
import fcntl
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import sys
import urllib.error
import urllib.request

from e2e import PATIENCE, PLAIN_BINARY, ROOT, changed, run_program

sys.path.insert(0, str(ROOT / "packages"))
import packing  # pylint: disable=wrong-import-position,unused-import

CLONE_NEWNS, CLONE_NEWNET = 0x20000, 0x40000000
MS_REC, MS_PRIVATE = 0x4000, 0x40000
SIOCSIFFLAGS, IFF_UP = 0x8914, 1


def commit_of(program):
    return re.search("^commit (.*)$", run_program([program, "--version"]).stdout, re.MULTILINE)[1]


def find_programs(folder):
    """The folder of programs to pack, and whether they are static: those of scripts/static, unless the release build is
    of another commit, else one in `folder` with the release build. (None, False): there is no program that runs here."""
    static = ROOT / "build/static"
    if os.uname().machine != "x86_64":
        return None, False
    if not PLAIN_BINARY.is_file():
        return (static, True) if (static / "linux-x64/mockddb").is_file() else (None, False)
    if (static / "linux-x64/mockddb").is_file() and commit_of(static / "linux-x64/mockddb") == commit_of(PLAIN_BINARY):
        return static, True
    (folder / "programs/linux-x64").mkdir(parents=True)
    shutil.copy(PLAIN_BINARY, folder / "programs/linux-x64/mockddb")
    return folder / "programs", False


def add_arm64(binaries, folder):
    """Returns a folder with these programs and one for linux-arm64, an empty ELF file where there is none, and with a
    busybox for each."""
    made = folder / "with-arm64"
    for platform, (_, machine) in packing.LINUX.items():
        (made / platform).mkdir(parents=True)
        empty = b"\x7fELF\x02\x01" + bytes(12) + machine.to_bytes(2, "little") + bytes(44)
        for name, source in (("mockddb", binaries / platform / "mockddb"), ("busybox", pathlib.Path("/bin/busybox"))):
            is_there = source.is_file() and (name == "mockddb" or platform == "linux-x64")
            (made / platform / name).write_bytes(source.read_bytes() if is_there else empty)
            (made / platform / name).chmod(0o755)
    return made


def copy_libraries(root):
    """What a program needs that is not static."""
    for library in re.findall(r"(/\S+)", run_program(["ldd", root / "usr/bin/mockddb"]).stdout):
        to = root / library.lstrip("/")
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, to)


def enter_network():
    """Gives this process a network and mounts of its own. Returns why that is not possible, or None."""
    if os.getuid():
        return "only root may change the root folder"
    library = ctypes.CDLL(None, use_errno=True)
    if library.unshare(CLONE_NEWNET | CLONE_NEWNS):
        return f"no network of its own: {os.strerror(ctypes.get_errno())}"
    if library.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None):
        return f"no mounts of its own: {os.strerror(ctypes.get_errno())}"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))
    return None


@contextlib.contextmanager
def proc_in(root):
    """Mounts /proc in a root folder; it must go before the folder is removed."""
    place = root / "proc"
    place.mkdir(exist_ok=True)
    ended = run_program(["mount", "-t", "proc", "proc", place])
    assert ended.returncode == 0, ended.stderr
    try:
        yield
    finally:
        run_program(["umount", place])


def call(operation, body, host="127.0.0.1:8000"):
    headers = changed(X_Amz_Target=f"DynamoDB_20120810.{operation}") | {"Host": host}
    request = urllib.request.Request("http://127.0.0.1:8000/", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.loads(answer.read())


def status_of(path, host="127.0.0.1:8000"):
    request = urllib.request.Request(f"http://127.0.0.1:8000{path}", headers={"Host": host})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
