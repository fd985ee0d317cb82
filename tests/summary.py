"""Sum up a CTest log: what failed, the slowest programs, a line of counts per kind of test, and the total.

  summary.py LOG [NOTE]      the note is a line before the total

A test program may speak libcheck, TAP or a plain "N passed, N failed, N skipped"; one that says
nothing of the kind counts as one test. The last line printed is the total, in the plain form.
"""

import re
import sys

RECORD = re.compile(
    r"^\d+/\d+ Testing: (?P<name>.*?)\n.*?^-{10,}\n(?P<output>.*?)^<end of output>\n"
    r"(?P<verdict>.*?)^-{10,}\n(?P<result>.*?)\n",
    re.DOTALL | re.MULTILINE,
)
CHECK = re.compile(r"^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)", re.MULTILINE)
PLAIN = re.compile(r"^(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.MULTILINE)
TAP = re.compile(r"^(not ok|ok)\b(.*)$", re.MULTILINE)
SECONDS = re.compile(r"^Test time = +([\d.]+) sec$", re.MULTILINE)
AGAIN = re.compile(r"^# (begun again: .*)$", re.MULTILINE)
SLOWEST = 10  # programs that are listed
PASSING_LINES = re.compile(r"^(ok\b(?!.*# SKIP).*|.*:P:.*|TAP version.*|\d+\.\.\d+)$")


def count(output, succeeded):
    """Returns (passed, failed, skipped) of one test program."""
    passed = failed = skipped = 0
    for checks, failures, errors in CHECK.findall(output):
        passed += int(checks) - int(failures) - int(errors)
        failed += int(failures) + int(errors)
    for plain in PLAIN.findall(output):
        passed, failed, skipped = (
            a + int(b or 0) for a, b in zip((passed, failed, skipped), plain)
        )
    for outcome, rest in TAP.findall(output):
        if outcome == "not ok":
            failed += 1
        elif re.search(r"# SKIP", rest, re.IGNORECASE):
            skipped += 1
        else:
            passed += 1
    if succeeded and passed + failed + skipped == 0:
        passed = 1
    if not succeeded and failed == 0:
        failed = 1
    return passed, failed, skipped


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
        records = list(RECORD.finditer(log.read()))
    kinds = {}
    for record in records:
        succeeded = record["result"] in ("Test Passed.", "Test Pass Reason:")
        counts = count(record["output"], succeeded)
        kind = kinds.setdefault(record["name"].split("/")[0], [0, 0, 0])
        for i, n in enumerate(counts):
            kind[i] += n
        shown = [line for line in record["output"].splitlines() if not PASSING_LINES.match(line)]
        if not succeeded or counts[1]:
            print(f"--- {record['name']}: {record['result']}")
            print("\n".join(shown))
        elif counts[2]:
            print("\n".join(line for line in shown if "# SKIP" in line))
        if succeeded:  # what succeeded only when it was tried again is seen, too
            for line in AGAIN.findall(record["output"]):
                print(f"{record['name']}: {line}")
    slowest = sorted(((float(SECONDS.search(r["verdict"])[1]), r["name"]) for r in records), reverse=True)[:SLOWEST]
    print("slowest: " + ", ".join(f"{name} {seconds:.0f} s" for seconds, name in slowest))
    for kind, (passed, failed, skipped) in sorted(kinds.items()):
        print(f"{kind:8} {passed:5} passed {failed:5} failed {skipped:5} skipped")
    for note in sys.argv[2:]:
        print(note)
    passed, failed, skipped = (sum(column) for column in zip((0, 0, 0), *kinds.values()))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not records else 0


sys.exit(main())
