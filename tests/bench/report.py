"""The results as Markdown, and docs/performance.md with its figures replaced."""

import json
import os
import platform
import re
import sys

from servers import PROGRAM, ROOT
from targets import targets
from transfer import WHILE
from waits import LOG_MS

DOCUMENT = ROOT / "docs/performance.md"
FIGURES = ROOT / "tests/bench/performance.json"
PAGE_CONNECTIONS = 8
NOT_IN_PAGE = ("try", "loading")  # parts of which others say as much
PAGE_SERVERS = ("mockddb", "bare", "dynalite", "dynoxide")  # those that a reader can start
BEGIN, END = "<!-- figures: scripts/bench --write -->", "<!-- end of figures -->"


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    return {
        "processor": model.group(1) if model else platform.machine(),
        "cores": os.cpu_count(),
        "kernel": platform.release().split("-")[0],
        "program": os.path.relpath(PROGRAM, ROOT),
    }


def table(titles, rows):
    yield "| " + " | ".join(titles) + " |"
    yield "|---" + "|---:" * (len(titles) - 1) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def ratio(one, other, name):
    return f"{one[name] / other[name]:.2f}" if one and other and other[name] else "-"


def waited(servers):
    """The worst of the medians of ours and the bare one: how disturbed the row is."""
    share = max(figures["wait"] for figures in servers.values() if figures)
    return f"{100 * share:.0f} %"


# --- requests --------------------------------------------------------------------------------


def request_row(result, peers):
    servers = result["servers"]
    ours, floor = servers["mockddb"], servers["bare"]
    row = [result["workload"], str(result["connections"])]
    row += [number(ours["rate"]), number(ours["p50"]), number(ours["p99"])]
    row += [number(ours["cpu"]), number(ours["user"])]
    row += [ratio(ours, floor, "rate"), number(floor["cpu"])]
    for peer in peers:
        theirs = servers.get(peer)
        row += [ratio(ours, theirs, "rate"), ratio(theirs, ours, "cpu")]
        row += [ratio(theirs, ours, "user")]
    return row + [waited({name: servers[name] for name in ("mockddb", "bare")})]


def requests(results):
    named = {name for result in results for name in result["servers"]}
    peers = sorted(named - {"mockddb", "bare"})
    titles = ["workload", "conn.", "requests/s", "p50 us", "p99 us", "CPU us", "user us"]
    titles += ["rate / bare", "bare's CPU us"]
    for peer in peers:
        titles += [f"rate / {peer}", f"{peer}'s CPU / ours", "user / ours"]
    yield "### Requests\n"
    yield from table(titles + ["waited"], [request_row(r, peers) for r in results])


def file_mode(results):
    titles = ["workload", "conn.", "memory, requests/s", "file, requests/s", "file / memory"]
    yield "### A file beside memory\n"
    yield from table(
        titles + ["CPU us", "file, CPU us", "waited"],
        [
            [
                result["workload"],
                str(result["connections"]),
                number(servers["mockddb"]["rate"]),
                number(servers["file"]["rate"]),
                ratio(servers["file"], servers["mockddb"], "rate"),
                number(servers["mockddb"]["cpu"]),
                number(servers["file"]["cpu"]),
                waited(servers),
            ]
            for result in results
            for servers in [result["servers"]]
        ],
    )


def option_costs(results):
    titles = ["with", "workload", "conn.", "requests/s without", "with", "with / without"]
    yield "### What options cost\n"
    yield from table(
        titles + ["CPU us without", "with", "waited"],
        [
            [
                result["option"],
                result["workload"],
                str(result["connections"]),
                number(servers["mockddb"]["rate"]),
                number(servers["with"]["rate"]),
                ratio(servers["with"], servers["mockddb"], "rate"),
                number(servers["mockddb"]["cpu"]),
                number(servers["with"]["cpu"]),
                waited(servers),
            ]
            for result in results
            for servers in [result["servers"]]
        ],
    )


# --- processes -------------------------------------------------------------------------------


def startup(results):
    yield "### Start-up: exec to first answer\n"
    yield from table(
        ["server", "median ms", "best ms", "resident MB"],
        [
            [name, number(r["ms"]), number(r["best_ms"]), number(r["resident_mb"])]
            for name, r in results.items()
        ],
    )


def trying(results):
    yield "### `mockddb try` of a cheat-sheet query against a running server: exec to exit\n"
    yield from table(
        ["median ms", "best ms"], [[number(results["ms"]), number(results["best_ms"])]]
    )


def loading(results):
    yield "### 100 000 items of 1 KB and one index, by BatchWriteItem on one connection\n"
    yield from table(
        ["server", "seconds", "its CPU seconds", "MB before", "MB after", "waited"],
        [
            [
                name,
                number(r["seconds"]),
                number(r["server_seconds"]),
                number(r["idle_mb"]),
                number(r["loaded_mb"]),
                f"{100 * r['waited']:.0f} %",
            ]
            for name, r in results.items()
        ],
    )


def vectors(results):
    yield "### SearchVectors: 10 000 of 768 dimensions, COSINE, TopK 10: CPU of a request\n"
    yield from table(
        ["first search, ms", "later ones, ms", "MB of packed vectors"],
        [[number(results["first_ms"]), number(results["ms"]), number(results["mb"])]],
    )


def transfer(results):
    yield "### 100 000 items of 1 KB and one index, from and to files\n"
    yield from table(
        ["what", "items/s", "items in a CPU second", "MB after", "waited"],
        [
            [
                what,
                number(r["rate"]),
                number(r["cpu_rate"]),
                number(r["mb"]),
                f"{100 * r['waited']:.0f} %",
            ]
            for what, r in results.items()
            if "rate" in r
        ],
    )
    yield "### What a GetItem waits meanwhile, and the memory of the server\n"
    yield from table(
        ["while", "p50 ms", "p99 ms", "worst ms", f"over {LOG_MS} ms", "longest ms", "seconds"]
        + ["MB before", "at most", "after", "waited"],
        [
            [
                what.removeprefix(WHILE),
                *(f"{r[figure]:.2f}" for figure in ("p50_ms", "p99_ms", "worst_ms")),
                f"{r['longer']:.0f}",
                number(r["longest_ms"]),
                number(r["seconds"]),
                *(number(r[figure]) for figure in ("before_mb", "peak_mb", "after_mb")),
                f"{100 * r['waited']:.0f} %",
            ]
            for what, r in results.items()
            if what.startswith(WHILE)
        ],
    )


def growth(results):
    sizes = list(results[0]["sizes"])
    yield "### Growth: CPU us a request, one connection\n"
    rows = []
    for result in results:
        found = result["sizes"]
        first = next(iter(found.values()))
        last = found[sizes[-1]]
        row = [number(found[s]["cpu"]) if s in found else "-" for s in sizes]
        rows.append([result["workload"], *row, ratio(last, first, "cpu"), waited(found)])
    titles = ["workload", *(f"{int(s):,} items" for s in sizes), "last / first", "waited"]
    yield from table(titles, rows)


def suites(results):
    yield "### 200 tests in 25 files, eight workers: seconds of a run, and processor seconds of all its processes\n"
    ways = ("without", "with mockddb", "a server for each file")
    yield from table(
        ["runner", "without resets, on a server that runs", "with our plug-in or preset", "a server for each file"],
        [
            [runner, *(f"{r[way]['seconds']:.2f} ({r[way]['cpu']:.2f})" for way in ways)]
            for runner, r in results.items()
            if runner != "resets"
        ],
    )
    yield "### A reset between tests\n"
    figures = [f"{results['resets'][figure]:.2f}" for figure in ("ms", "p99_ms", "cpu_ms")]
    yield from table(["median ms", "p99 ms", "processor ms, client and server"], [figures])


def in_database(results):
    yield "### A store in PostgreSQL\n"
    titles = ["row", "workload", "what", "requests/s", "of the first", "p50 us", "p99 us", "database CPU us"]
    rows = []
    for result in results:
        found = result["found"]
        first = next(iter(found.values()))
        for name, figures in found.items():
            row = [result["row"], result["workload"], name, number(figures["rate"]), ratio(figures, first, "rate")]
            rows.append(row + [number(figures[figure]) for figure in ("p50", "p99", "database_cpu")])
    yield from table(titles, rows)


SECTIONS = {
    "requests": requests,
    "file": file_mode,
    "options": option_costs,
    "startup": startup,
    "try": trying,
    "loading": loading,
    "transfer": transfer,
    "vectors": vectors,
    "growth": growth,
    "suites": suites,
    "postgresql": in_database,
}


def reached(results):
    rows = targets(results)
    if rows:
        yield "### Targets\n"
        yield from table(["target", "reach", "stretch", "measured", "verdict"], rows)


def markdown(results):
    lines = []
    for part, section in SECTIONS.items():
        if results.get(part):
            lines += section(results[part])
    lines += reached(results)
    return "\n".join(lines)


def in_page(results):
    """What docs/performance.md shows: not each number of connections, not the targets, and of waits the longer ones, in a file."""
    shown = [
        r | {"servers": {name: figures for name, figures in r["servers"].items() if name in PAGE_SERVERS}}
        for r in results.get("requests", [])
        if r["connections"] == PAGE_CONNECTIONS
    ]
    moved = results.get("transfer", {})
    moved = {name: r for name, r in moved.items() if not (name.startswith(WHILE) and name.endswith("in memory"))}
    parts = results | {"requests": shown, "transfer": moved}
    shown = [part for part in SECTIONS if parts.get(part) and part not in NOT_IN_PAGE]
    return "\n".join(line for part in shown for line in SECTIONS[part](parts[part]))


def merged(known, results):
    """Rows that were measured take the place of what was known of them."""
    rows = {(r["workload"], r["connections"]): r for r in known + results}
    order = {workload: i for i, workload in enumerate(dict.fromkeys(w for w, _ in rows))}
    return sorted(rows.values(), key=lambda r: (order[r["workload"]], r["connections"]))


def write(results):
    """Replaces what was measured in performance.json, and the tables of docs/performance.md."""
    known = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    for part in ("requests", "file"):
        if part in results:
            results[part] = merged(known.get(part, []), results[part])
    known = rounded(known | results)
    FIGURES.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    DOCUMENT.write_text(with_figures(DOCUMENT.read_text(encoding="utf-8"), known), encoding="utf-8")


def with_figures(document, known):
    before, rest = document.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    return f"{before}{BEGIN}\n\n{machine_line(known['machine'])}\n\n{in_page(known)}\n{END}{after}"


def machine_line(about):
    return (
        f"{about['processor']}, {about['cores']} cores, Linux {about['kernel']}; medians of"
        f" {about['runs']} alternating samples of {about['seconds']} s; the program is `{about['program']}`."
    )


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return value


def check():
    """Ends with 1 if the page has other figures than performance.json."""
    document, known = DOCUMENT.read_text(encoding="utf-8"), json.loads(FIGURES.read_text(encoding="utf-8"))
    if document != with_figures(document, known):
        sys.exit("docs/performance.md differs from tests/bench/performance.json: scripts/bench --write makes both")


if __name__ == "__main__":
    check()
