"""Cost of requests, of starting and of memory, see scripts/bench.

Ratios are the figures. The servers stand on one core and the client on another; samples alternate
between the servers and medians are compared, so that a noisy machine hits all alike. A sample in
which the server waited for its core is taken again; what waited all the same is marked in the table.
"""

import argparse
import json
import pathlib
import signal
import sys

import database
import parts
import report
import servers
from client import Failed
from load import Load


def numbers(text):
    return tuple(int(word) for word in text.split(","))


def names(text):
    chosen = tuple(parts.PARTS) if text == "all" else tuple(text.split(","))
    unknown = set(chosen) - set(parts.PARTS)
    if unknown:
        raise argparse.ArgumentTypeError(f"no part is called {', '.join(unknown)}")
    return chosen


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__.split("\n", 1)[0])
    add = parser.add_argument
    known = ", ".join(parts.PARTS)
    add("--parts", type=names, default=parts.DEFAULT_PARTS, help=f"some of {known}, or all")
    add("--connections", type=numbers, default=(1, 8, 64), help="kept open by wrk (1,8,64)")
    add("--runs", type=int, default=5, help="samples of each server (5)")
    add("--seconds", type=int, default=1, help="length of a sample (1)")
    add("--processes", type=numbers, default=database.PROCESSES, help="of a store in PostgreSQL (1,4,16)")
    add("--items", type=int, default=database.LARGE, help="of the large table in PostgreSQL (1000000)")
    add("--only", default="", help="workloads whose name has this in it")
    add(
        "--against", type=servers.peer, action="append", default=[], dest="peers",
        metavar="[NAME=]URL", help="a server of this machine to measure as well",
    )  # fmt: skip
    add("--json", metavar="FILE", help="write the figures there")
    add("--write", action="store_true", help="write the figures into docs/performance.md, .json")
    return parser.parse_args()


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the servers end as well
    options = arguments()
    load = Load(options.runs, options.seconds)
    about = report.machine() | {"runs": options.runs, "seconds": options.seconds}
    results = {"machine": about}
    for part in options.parts:
        results[part] = parts.PARTS[part](options, load)
    print(report.machine_line(about) + "\n")
    print(report.markdown(results))
    if options.json:
        text = json.dumps(report.rounded(results), indent=1)
        pathlib.Path(options.json).write_text(text + "\n", encoding="utf-8")
    if options.write:
        report.write(results)


try:
    main()
except Failed as problem:
    sys.exit(f"bench: {problem}")
