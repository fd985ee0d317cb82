"""The libraries export the functions that mockddb.h declares, and nothing else.

  symbols.py HEADER LIBRARY...     libmockddb.so and libmockddb.a

Prints TAP.
"""

import pathlib
import re
import subprocess
import sys

# What AddressSanitizer adds to each file.
OF_SANITIZERS = re.compile(r"^(__odr_asan|__asan|_sub_I_|_sub_D_)")


def exported(library):
    """The names of all symbols that other programs can refer to."""
    flags = ["-D"] if library.endswith(".so") else []
    done = subprocess.run(
        ["nm", *flags, "--defined-only", "--extern-only", "--format=posix", library],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = (line.split()[0].partition("@")[0] for line in done.stdout.splitlines() if " " in line)
    return {name for name in names if not OF_SANITIZERS.match(name) and name != "MOCKDDB_1"}


def main():
    header = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    wanted = set(re.findall(r"^MOCKDDB_API [^;]*?(mockddb_\w+)\(", header, re.M))
    failed = not wanted
    print(f"1..{len(sys.argv) - 2}")
    for number, library in enumerate(sys.argv[2:], 1):
        found = exported(library)
        good = found == wanted
        failed = failed or not good
        print(f"{'ok' if good else 'not ok'} {number} - {pathlib.Path(library).name} exports {len(wanted)} functions")
        for name in sorted(found ^ wanted):
            print(f"# {name} is {'not declared' if name in found else 'not exported'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
