"""Instructions that a request costs inside dispatch, counted by callgrind: the same on a busy machine.

  instructions.py [--update] PROGRAM     PROGRAM: bench_dispatch of the release build

Compares with instructions.json beside this file and fails where a workload costs more than 5 %
above its figure; --update writes the figures anew. Prints TAP.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

FIGURES = pathlib.Path(__file__).with_name("instructions.json")
ROOM = 0.05
# Enough repetitions to drown what only the first request pays, few enough to be quick.
TIMES = {"scan-page": 3, "query-filter-1000": 3, "batch-get-100": 10, "batch-write-25": 10}
TIMES_DEFAULT = 50


def why_not(program):
    """Why nothing can be counted here, or None."""
    if not shutil.which("valgrind"):
        return "valgrind is not installed"
    if not os.access(program, os.X_OK):
        return f"{program} is not built"
    return None


def count(program, workload):
    times = TIMES.get(workload, TIMES_DEFAULT)
    done = subprocess.run(
        [
            "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
            "--toggle-collect=measured", program, workload, str(times),
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        sys.exit(f"{workload}: {done.stderr[-2000:]}")
    return int(found.group(1)) // times


def compare(figures):
    """Prints a line for each workload; returns how many cost too much."""
    wanted = json.loads(FIGURES.read_text(encoding="utf-8"))
    failed = 0
    print(f"1..{len(figures)}")
    for number, (name, figure) in enumerate(figures.items(), 1):
        good = figure <= wanted.get(name, 0) * (1 + ROOM)
        failed += not good
        print(
            f"{'ok' if good else 'not ok'} {number} - {name}: {figure} instructions,"
            f" {wanted.get(name)} wanted"
        )
    return failed


def main():
    program = sys.argv[-1]
    problem = why_not(program)
    if problem:
        print(f"1..1\nok 1 - instructions of a request # SKIP {problem}")
        return 0
    names = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    figures = {name: count(program, name) for name in names}
    if "--update" in sys.argv:
        FIGURES.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
        return 0
    return 1 if compare(figures) else 0


if __name__ == "__main__":
    sys.exit(main())
