"""What the pack scripts of several packages share: the version, the platforms, files of the same bytes each time."""

import gzip
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PLATFORMS = ("linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64")
LIBRARY_FILES = ("libmockddb.so", "mockddb.node")  # what packages have of libmockddb
LIBCS = ("gnu", "musl")  # the C libraries of Linux, each of which needs a libmockddb of its own


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(mockddb VERSION (\S+)", text, re.MULTILINE)[1]


def moment():
    """SOURCE_DATE_EPOCH, or the commit's time."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or subprocess.check_output(["git", "log", "-1", "--format=%ct"], cwd=ROOT, text=True))


def release_url():
    """Where the released files will be, unless MOCKDDB_RELEASE_URL says another place."""
    return os.environ.get(
        "MOCKDDB_RELEASE_URL", f"https://github.com/mockddb/mockddb/releases/download/v{version()}"
    )


def arguments():
    """The folders of a pack script's command line."""
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} BINARY-FOLDER OUT-FOLDER")
    return pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def programs(folder):
    """(platform, path) of each program in the folder; a platform without one is left out, with one line."""
    found = []
    for platform in PLATFORMS:
        path = folder / platform / "mockddb"
        if path.is_file():
            found.append((platform, path))
        else:
            print(f"{platform} is left out: there is no {path}", file=sys.stderr)
    if not found:
        sys.exit(f"no program in {folder}")
    return found


def library(folder):
    """{name: content} of libmockddb and of its addon for Node.js, which are in a folder; none if they are not."""
    found = {name: folder / name for name in LIBRARY_FILES}
    return {name: path.read_bytes() for name, path in found.items() if path.is_file()}


def libraries(program):
    """{C library: as of library()} of the folders that scripts/static has made beside the one of a program."""
    folder = program.parent
    found = {libc: library(folder.with_name(f"{folder.name}-{libc}")) for libc in LIBCS}
    return {libc: files for libc, files in found.items() if files}


def library_folders(folder):
    """The folders with libmockddb; at least one."""
    found = sorted(path.parent for path in folder.glob("*-*-*/libmockddb.so"))
    if not found:
        sys.exit(f"no libmockddb in {folder}")
    return found


# Debian's name of each Linux platform, and the machine's number in ELF files.
LINUX = {"linux-x64": ("amd64", 62), "linux-arm64": ("arm64", 183)}


def needs_libraries(data):
    """Whether a program for Linux names a dynamic linker."""
    start, size, count = (int.from_bytes(data[at:to], "little") for at, to in ((32, 40), (54, 56), (56, 58)))
    return any(data[start + i * size] == 3 for i in range(count))


def linux_program(path, platform, any_program=False):
    """The bytes of a program of the platform that needs no shared library; with any_program, also of one that does."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01" or int.from_bytes(data[18:20], "little") != LINUX[platform][1]:
        sys.exit(f"{path} is not a program for {platform}")
    if not any_program and needs_libraries(data):
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


def manual(folder):
    """{path below share/: content} of the manual page and the completions, written by a program of this machine."""
    systems = {"Linux": "linux", "Darwin": "darwin"}
    processors = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}
    here = os.uname()
    program = folder / f"{systems.get(here.sysname)}-{processors.get(here.machine)}" / "mockddb"
    if not program.is_file():
        sys.exit(f"the manual page is written by a program that runs here: there is no {program}")

    def text(*words):
        ended = subprocess.run([program, *words], capture_output=True, check=False)
        if ended.returncode:
            sys.exit(f"{program} is of another version: {' '.join(words)} is refused")
        return ended.stdout

    found = {}
    for name in ("mockddb", *clients()):
        words = ["--help"] if name == "mockddb" else [name, "--help"]
        found |= {
            f"man/man1/{name}.1": text(*words, "man"),
            f"bash-completion/completions/{name}": text(*words, "completion", "bash"),
            f"fish/vendor_completions.d/{name}.fish": text(*words, "completion", "fish"),
            f"zsh/site-functions/_{name}": text(*words, "completion", "zsh"),
        }
    return found


def licenses(*parts):
    """The licences of mockddb and of these parts, or of all that a static program consists of, each below a heading, as
    mockddb --licenses prints them."""
    texts = sorted((ROOT / "packages/licenses").glob("*.txt"))
    paths = [ROOT / "LICENSE", *(path for path in texts if not parts or path.stem in parts)]
    names = {"LICENSE": "mockddb"}
    return b"\n".join(
        f"==== {names.get(path.stem, path.stem)} ====\n\n".encode() + path.read_bytes() for path in paths
    )


def clients():
    """The other names of the program, under which it is a client."""
    return sorted(path.stem.replace("_", "-") for path in ROOT.glob("clients/*/ddb_*.c"))


def write_tarball(path, files):
    """Writes {name: content, or the text of a link} in the order of names, all with the same time; programs are in a
    folder bin."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.mtime = moment()
            entry.mode = 0o755 if "bin/" in name else 0o644
            if isinstance(content, str):
                entry.type, entry.linkname = tarfile.SYMTYPE, content
                archive.addfile(entry)
            else:
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(buffer.getvalue(), 9, mtime=0))


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def tarballs(binaries, out):
    """{platform: path} of the archives of packages/tarball; those that are not in `out` are made."""
    found = {}
    for platform, program in programs(binaries):
        path = out / f"mockddb-{version()}-{platform}.tar.gz"
        if not path.is_file():
            files = {f"share/{name}": content for name, content in manual(binaries).items()}
            files |= {f"share/mockddb/fixtures/{name}": content for name, content in sources(ROOT / "fixtures")}
            files |= {f"bin/{name}": "mockddb" for name in clients()}
            files["bin/mockddb"] = program.read_bytes()
            files["LICENSE"] = (ROOT / "LICENSE").read_bytes()
            files["share/doc/mockddb/copyright"] = licenses()
            write_tarball(path, {f"mockddb/{name}": content for name, content in files.items()})
        found[platform] = path
    return found


def write_zip(path, files):
    """Writes (name, content) in the order of names, all with the same time; programs are in a folder bin."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files):
            entry = zipfile.ZipInfo(name, time.gmtime(moment())[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "bin/" in name else 0o100644) << 16
            archive.writestr(entry, content)
