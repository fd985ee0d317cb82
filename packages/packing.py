"""What the pack scripts of several packages share: the version, the platforms, files of the same bytes each time."""

import os
import pathlib
import re
import subprocess
import sys
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PLATFORMS = ("linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "windows-x64")


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(mockddb VERSION (\S+)", text, re.MULTILINE)[1]


def moment():
    """SOURCE_DATE_EPOCH, or the commit's time."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or subprocess.check_output(["git", "log", "-1", "--format=%ct"], cwd=ROOT, text=True))


def arguments():
    """The folders of a pack script's command line."""
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} BINARY-FOLDER OUT-FOLDER")
    return pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def programs(folder):
    """(platform, path) of each program in the folder; a platform without one is left out, with one line."""
    found = []
    for platform in PLATFORMS:
        path = folder / platform / ("mockddb.exe" if platform.startswith("windows") else "mockddb")
        if path.is_file():
            found.append((platform, path))
        else:
            print(f"{platform} is left out: there is no {path}", file=sys.stderr)
    if not found:
        sys.exit(f"no program in {folder}")
    return found


# Debian's name of each Linux platform, and the machine's number in ELF files.
LINUX = {"linux-x64": ("amd64", 62), "linux-arm64": ("arm64", 183)}


def linux_program(path, platform, any_program=False):
    """The bytes of a program of the platform that needs no shared library; with any_program, also of one that does."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01" or int.from_bytes(data[18:20], "little") != LINUX[platform][1]:
        sys.exit(f"{path} is not a program for {platform}")
    start, size, count = (int.from_bytes(data[at:to], "little") for at, to in ((32, 40), (54, 56), (56, 58)))
    if not any_program and any(data[start + i * size] == 3 for i in range(count)):  # it names a dynamic linker
        sys.exit(f"{path} needs shared libraries; scripts/static makes one that does not")
    return data


def sources(folder, *without):
    """(name, content) of each file of a folder of the repository, without those that begin so."""
    names = subprocess.check_output(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "."], cwd=folder, text=True
    )
    for name in sorted(names.split()):
        if not name.startswith(without):
            yield name, (folder / name).read_bytes()


def write_zip(path, files):
    """Writes (name, content) in the order of names, all with the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files):
            entry = zipfile.ZipInfo(name, time.gmtime(moment())[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, content)
