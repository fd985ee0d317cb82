"""What the tests of the preset `coverage` reached, from gcov's counters.

    coverage.py BUILD_FOLDER [--least PERCENT]

Prints a line for each folder of mockddb/, the files below PERCENT of their lines, and the total; the
lines that nothing reached go to BUILD_FOLDER/unreached.txt. Exit status 1 if the total is below
PERCENT.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SERVER = ROOT / "mockddb"


class File:
    """Counts of one source file; a header's come from every program that includes it."""

    def __init__(self):
        self.lines = collections.Counter()
        self.branches = {}

    def add(self, report):
        for line in report["lines"]:
            number = line["line_number"]
            self.lines[number] += line["count"]
            counts = [branch["count"] for branch in line["branches"]]
            known = self.branches.get(number, [])
            if len(known) == len(counts):
                counts = [a + b for a, b in zip(known, counts)]
            self.branches[number] = max(known, counts, key=len)

    def unreached(self):
        return sorted(number for number, count in self.lines.items() if not count)


class Tally:
    """Lines and branches, and how many of them were reached."""

    def __init__(self):
        self.lines = self.lines_reached = self.branches = self.branches_taken = 0

    def add(self, file):
        self.lines += len(file.lines)
        self.lines_reached += len(file.lines) - len(file.unreached())
        for counts in file.branches.values():
            self.branches += len(counts)
            self.branches_taken += sum(count > 0 for count in counts)

    def percent(self):
        return 100 * self.lines_reached / self.lines if self.lines else 100.0

    def __str__(self):
        branches = 100 * self.branches_taken / self.branches if self.branches else 100.0
        missing = self.lines - self.lines_reached
        return f"{self.lines:6} lines {self.percent():6.2f} % {missing:5} missing  branches {branches:5.1f} %"


def run_gcov(counters):
    """Yields gcov's report of each source file; a run takes many files of counters."""
    command = ["gcov", "--json-format", "--stdout", "--branch-probabilities", *counters]
    completed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line)["files"] for line in completed.stdout.splitlines() if line]


def read_counters(build):
    files = collections.defaultdict(File)
    counters = sorted(map(str, build.rglob("*.gcda")))
    if not counters:
        sys.exit(f"coverage: no counters in {build}: nothing ran")
    chunks = [counters[start : start + 20] for start in range(0, len(counters), 20)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for reports in pool.map(run_gcov, chunks):
            for report in (report for reports_of_one in reports for report in reports_of_one):
                path = pathlib.Path(report["file"])
                if path.is_relative_to(SERVER):
                    files[path.relative_to(SERVER)].add(report)
    return files


def write_unreached(files, target):
    with open(target, "w", encoding="utf-8") as out:
        for path, file in sorted(files.items()):
            text = (SERVER / path).read_text(encoding="utf-8").splitlines()
            for number in file.unreached():
                out.write(f"mockddb/{path}:{number}: {text[number - 1].strip()}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--least", type=float, default=95.0)
    options = parser.parse_args()

    files = read_counters(options.build)
    folders, total, low = collections.defaultdict(Tally), Tally(), []
    for path, file in sorted(files.items()):
        for tally in (folders[path.parent], total):
            tally.add(file)
        own = Tally()
        own.add(file)
        if own.percent() < options.least:
            low.append(f"  {str(path):32} {own}")
    for folder, tally in sorted(folders.items()):
        print(f"{'mockddb' / folder!s:32} {tally}")
    print(f"{'all':32} {total}")
    if low:
        print(f"files below {options.least:g} %:", *low, sep="\n")
    write_unreached(files, options.build / "unreached.txt")
    if total.percent() < options.least:
        print(f"coverage: below {options.least:g} % of lines", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
