"""Throughput of mockddb beside the bare HTTP server, see scripts/bench.

The figure is the ratio. Both servers stand on one core and wrk on another; samples alternate
between the two, and the medians are compared, so that a noisy machine hits both alike. A sample in
which the server waited for its core is taken again.
"""

import argparse
import itertools
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tests/bench/load.lua"
TICKS = os.sysconf("SC_CLK_TCK")
ITEMS = 10_000
GROUP = 10  # items of one Query
MAX_WAIT = 0.05  # of a sample's time
TRIES = 5
TABLE = "Bench"


def pinned(core, command):
    """A command bound to one core, where there are enough."""
    if shutil.which("taskset") and (os.cpu_count() or 1) > 1:
        return ["taskset", "-c", str(core), *command]
    return list(command)


class Process:
    """A server that prints its address on its first line."""

    def __init__(self, *command):
        self.process = subprocess.Popen(
            pinned(0, command), cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        self.url = self.process.stdout.readline().split()[-1]

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def wait_seconds(self):
        """Time that it could have run, but something else had the core."""
        with open(f"/proc/{self.process.pid}/schedstat", encoding="ascii") as stat:
            return int(stat.read().split()[1]) / 1e9

    def stop(self):
        self.process.terminate()
        self.process.wait()


def call(url, operation, body):
    request = urllib.request.Request(
        url,
        json.dumps(body).encode(),
        {
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "X-Amz-Date": "20240101T000000Z",
            "Authorization": "AWS4-HMAC-SHA256 Credential=a/20240101/us-east-1/dynamodb/"
            "aws4_request, SignedHeaders=host;x-amz-date, Signature=0",
        },
    )
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def key(number):
    """Items come in partitions of 100 and in groups of ten that share the start of the sort key."""
    text = f"{number:012}"
    return {"pk": {"S": f"partition-{text[:-2]}"}, "sk": {"S": f"group-{text[-2]}#{text}"}}


def item(number):
    """About 1 KB on the wire."""
    return key(number) | {
        "gpk": {"S": f"owner-{number % 97:02}"},
        "gsk": {"S": f"{number:012}"},
        "count": {"N": str(number)},
        "active": {"BOOL": number % 2 == 0},
        "tags": {"SS": ["alpha", "beta", "gamma"]},
        "payload": {"S": "x" * 850},
    }


def fill(url):
    definitions = [{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "sk", "gpk", "gsk")]

    def schema(hash_key, range_key):
        return [
            {"AttributeName": hash_key, "KeyType": "HASH"},
            {"AttributeName": range_key, "KeyType": "RANGE"},
        ]

    call(
        url,
        "CreateTable",
        {
            "TableName": TABLE,
            "AttributeDefinitions": definitions,
            "KeySchema": schema("pk", "sk"),
            "GlobalSecondaryIndexes": [
                {
                    "IndexName": "owner",
                    "KeySchema": schema("gpk", "gsk"),
                    "Projection": {"ProjectionType": "ALL"},
                }
            ],
            "BillingMode": "PAY_PER_REQUEST",
        },
    )
    for first in range(0, ITEMS, 25):
        puts = [{"PutRequest": {"Item": item(n)}} for n in range(first, first + 25)]
        call(url, "BatchWriteItem", {"RequestItems": {TABLE: puts}})


def workloads():
    """Name, operation, request. "%N" in a request becomes a new number each time."""
    some = key(ITEMS // 2 + 37)
    group = some["sk"]["S"].split("#")[0]
    new = item(0) | {"pk": {"S": "new-%N"}}
    return [
        ("GetItem 1 KB", "GetItem", {"TableName": TABLE, "Key": some}),
        ("PutItem 1 KB, new, one GSI", "PutItem", {"TableName": TABLE, "Item": new}),
        (
            f"Query {GROUP} x 1 KB",
            "Query",
            {
                "TableName": TABLE,
                "KeyConditionExpression": "pk = :pk AND begins_with(sk, :group)",
                "ExpressionAttributeValues": {":pk": some["pk"], ":group": {"S": group}},
            },
        ),
        ("Scan page of 1 MB", "Scan", {"TableName": TABLE}),
    ]


def sample(server, path, operation, body, options, first):
    """One run of wrk; returns its figures and the server's processor time per request."""
    cpu, wait = server.cpu_seconds(), server.wait_seconds()
    command = [
        "wrk", "--threads", "1", "--connections", str(options.connections),
        "--duration", f"{options.seconds}s", "--timeout", "20s", "--script", str(SCRIPT),
        server.url + path, "--", f"DynamoDB_20120810.{operation}", body, str(first),
    ]  # fmt: skip
    out = subprocess.run(pinned(1, command), capture_output=True, text=True, check=True).stdout
    figures = json.loads(out.splitlines()[-1])
    if figures["errors"] or not figures["requests"]:
        sys.exit(f"bench: {operation} on {server.url}{path}: {figures}\n{out}")
    figures["rate"] = figures["requests"] / figures["seconds"]
    figures["cpu"] = (server.cpu_seconds() - cpu) / figures["requests"] * 1e6
    figures["wait"] = (server.wait_seconds() - wait) / figures["seconds"]
    return figures


def quiet_sample(server, path, operation, body, options, numbers):
    """The first sample without much waiting, or the quietest of some."""
    samples = []
    for _ in range(TRIES):
        samples.append(sample(server, path, operation, body, options, next(numbers)))
        if samples[-1]["wait"] <= MAX_WAIT:
            return samples[-1]
    return min(samples, key=lambda s: s["wait"])


def median(samples):
    return {name: statistics.median(s[name] for s in samples) for name in samples[0]}


def measure(ours, bare, workload, options, folder):
    name, operation, request = workload
    body = pathlib.Path(folder) / "body.json"
    body.write_text(json.dumps(request), encoding="utf-8")
    single = json.loads(json.dumps(request).replace("%N", "000000000000"))
    size = len(call(ours.url, operation, single))
    runs = {"mockddb": [], "bare": []}
    numbers = itertools.count(0, 10_000_000)  # no run writes what another one wrote
    for _ in range(options.runs):
        runs["mockddb"].append(quiet_sample(ours, "/", operation, body, options, numbers))
        runs["bare"].append(quiet_sample(bare, f"/{size}", operation, body, options, numbers))
    result = {server: median(samples) for server, samples in runs.items()}
    return result | {
        "workload": name,
        "reply_bytes": size,
        "rate_ratio": result["mockddb"]["rate"] / result["bare"]["rate"],
        "cpu_ratio": result["mockddb"]["cpu"] / result["bare"]["cpu"],
    }


COLUMNS = (
    ("workload", lambda r: r["workload"]),
    ("reply, bytes", lambda r: f"{r['reply_bytes']}"),
    ("requests/s", lambda r: f"{r['mockddb']['rate']:.0f}"),
    ("bare", lambda r: f"{r['bare']['rate']:.0f}"),
    ("of bare", lambda r: f"{100 * r['rate_ratio']:.0f} %"),
    ("p50, us", lambda r: f"{r['mockddb']['p50']:.0f}"),
    ("p99, us", lambda r: f"{r['mockddb']['p99']:.0f}"),
    ("CPU us/request", lambda r: f"{r['mockddb']['cpu']:.1f}"),
    ("bare", lambda r: f"{r['bare']['cpu']:.1f}"),
    ("times bare", lambda r: f"{r['cpu_ratio']:.2f}"),
    ("waited", lambda r: f"{100 * max(r['mockddb']['wait'], r['bare']['wait']):.0f} %"),
)


def markdown(results):
    yield "| " + " | ".join(title for title, _ in COLUMNS) + " |"
    yield "|---" + "|---:" * (len(COLUMNS) - 1) + "|"
    for result in results:
        yield "| " + " | ".join(show(result) for _, show in COLUMNS) + " |"


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=5, help="samples of each server (5)")
    parser.add_argument("--seconds", type=int, default=1, help="length of a sample (1)")
    parser.add_argument("--connections", type=int, default=8, help="kept open by wrk (8)")
    parser.add_argument("--only", default="", help="workloads whose name has this in it")
    parser.add_argument("--json", metavar="FILE", help="write the figures there as well")
    parser.add_argument("--server-options", default="", help="passed to mockddb")
    return parser.parse_args()


def main():
    options = arguments()
    bin_folder = ROOT / "build/release/bin"
    ours = Process(bin_folder / "mockddb", "--port", "0", *options.server_options.split())
    bare = Process(bin_folder / "bench_bare")
    try:
        fill(ours.url)
        with tempfile.TemporaryDirectory() as folder:
            results = [
                measure(ours, bare, workload, options, folder)
                for workload in workloads()
                if options.only.lower() in workload[0].lower()
            ]
    finally:
        ours.stop()
        bare.stop()
    print(
        f"{options.connections} connections, medians of {options.runs} alternating runs"
        f" of {options.seconds} s, {ITEMS} items:\n"
    )
    print("\n".join(markdown(results)))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=2), encoding="utf-8")


main()
