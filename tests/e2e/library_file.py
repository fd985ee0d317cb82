"""What packages/check and tests look at in a released libmockddb: what it needs, which versions of symbols, which names it
exports; and a program of a user that is compiled against it and run."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ZIG = ROOT / "build/static/zig/ziglang/zig"
EXAMPLE = ROOT / "examples/library/orders.c"
HEADER = ROOT / "mockddb/library/mockddb.h"
SAYS = '{"Item":{"id":{"S":"17"},"total":{"N":"42"}}}'  # the example's last line ends with it
OLDEST_GLIBC = (2, 17)
NEEDS = {  # the C library, in the parts that it had before 2.34
    "gnu": re.compile(r"lib(c|m|dl|pthread|rt)\.so\.\d|ld-linux-.*"),
    "musl": re.compile(r"libc\.so"),
}
MOST_BYTES = 5_700_000
LOADERS = {"linux-x64-musl": "/lib/ld-musl-x86_64.so.1", "linux-arm64-musl": "/lib/ld-musl-aarch64.so.1"}
TARGETS = {"linux-x64-musl": "x86_64-linux-musl", "linux-arm64-musl": "aarch64-linux-musl"}


def output(*words, **environment):
    """What a program prints; its failure is an error with all that it printed."""
    ended = subprocess.run(
        [str(word) for word in words], env=os.environ | environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if ended.returncode:
        raise AssertionError(f"{' '.join(map(str, words))}: {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def dynamic(path, name):
    """The values of an entry of the dynamic section, as readelf prints them."""
    return re.findall(rf"\({name}\).*\[(.*)\]", output("readelf", "-dW", path))


def newest_glibc(path):
    """The newest version of glibc of which a file asks symbols; (0,) without glibc."""
    versions = re.findall(r"@GLIBC_([\d.]+)", output("nm", "-D", "--undefined-only", path))
    return max((tuple(map(int, version.split("."))) for version in versions), default=(0,))


def check_file(path, platform):
    """The shared library of linux-x64-gnu or another platform."""
    libc = platform.rpartition("-")[2]
    needed = dynamic(path, "NEEDED")
    assert needed and all(NEEDS[libc].fullmatch(name) for name in needed), needed
    assert dynamic(path, "SONAME") == ["libmockddb.so.1"], dynamic(path, "SONAME")
    assert not dynamic(path, "RUNPATH") and not dynamic(path, "RPATH")
    assert newest_glibc(path) <= OLDEST_GLIBC, newest_glibc(path)
    assert path.stat().st_size < MOST_BYTES, path.stat().st_size


def check_names(*libraries):
    """They export what the header declares."""
    output(sys.executable, "-B", ROOT / "tests/library/symbols.py", HEADER, *libraries)


def compile_here(root, out, static):
    """As a user of this system does it: pkg-config says what is needed."""
    flags = ["pkg-config", "--cflags", "--libs", *(["--static"] if static else []), "libmockddb"]
    words = output(*flags, PKG_CONFIG_PATH=str(root / "lib/pkgconfig")).split()
    if static:
        words = [str(root / "lib/libmockddb.a") if word == "-lmockddb" else word for word in words]
    output("cc", EXAMPLE, *words, f"-Wl,-rpath,{root / 'lib'}", "-o", out)


def run_example(root, folder, platform):
    """Compiles and runs the example, with the shared library and with the archive, in the unpacked folder; returns what
    could not be done."""
    left, cases = [], []
    for static in (False, True):
        program = folder / ("archive" if static else "shared")
        if platform == f"linux-{'x64' if os.uname().machine == 'x86_64' else 'arm64'}-gnu":
            compile_here(root, program, static)
            cases.append([program])
        elif platform not in TARGETS or not ZIG.is_file():
            left.append(f"{program.name}: there is nothing here that compiles for it")
        else:
            kind = ["-static", root / "lib/libmockddb.a"] if static else ["-dynamic", root / "lib/libmockddb.so"]
            cache = str(ROOT / "build/static/cache")
            plain = ["-O2", "-fno-sanitize=undefined"]  # without the runtime of sanitizers, which wants a newer musl
            words = [*plain, "-target", TARGETS[platform], EXAMPLE, "-I", root / "include", *kind, "-o", program]
            output(ZIG, "cc", *words, ZIG_GLOBAL_CACHE_DIR=cache, ZIG_LOCAL_CACHE_DIR=cache)
            loader = [LOADERS[platform], "--library-path", root / "lib"]
            emulator = [shutil.which("qemu-aarch64-static")] if "arm64" in platform else []
            if not static and not os.path.exists(loader[0]):
                left.append(f"{program.name}: there is no {loader[0]}")
            elif None in emulator:
                left.append(f"{program.name}: there is no qemu-aarch64-static")
            else:
                cases.append([*emulator, *([] if static else loader), program])
    for words in cases:
        printed = output(*words)
        assert printed.rstrip().endswith(SAYS), printed
    return left
