"""The commands mockddb and ddb-…: the program itself, with the same name and arguments."""

import os
import pathlib
import subprocess
import sys

from .program import Error, find_program


def main() -> int:
    name = pathlib.Path(sys.argv[0]).stem  # what the program does follows from it
    if name == "__main__":
        name = "mockddb"
    try:
        program = find_program()
        if os.name != "nt":
            os.execv(program, [name, *sys.argv[1:]])
        return subprocess.call([name, *sys.argv[1:]], executable=program)
    except (Error, OSError) as problem:
        print(f"{name}: {problem}", file=sys.stderr)
        return 127


if __name__ == "__main__":
    sys.exit(main())
