"""The command mockddb: the program itself, with the same arguments."""

import os
import subprocess
import sys

from .program import Error, find_program


def main() -> int:
    try:
        program = find_program()
        if os.name != "nt":
            os.execv(program, ["mockddb", *sys.argv[1:]])
        return subprocess.call([program, *sys.argv[1:]])
    except (Error, OSError) as problem:
        print(f"mockddb: {problem}", file=sys.stderr)
        return 127


if __name__ == "__main__":
    sys.exit(main())
