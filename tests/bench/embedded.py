#!/usr/bin/env python3
"""A GetItem through boto3 and the SDK for JavaScript: to a server over loopback, and to an embedded one. Rounds of both
take turns; medians of wall time and of this process's processor time, in microseconds, and of the rounds' ratios.

usage: MOCKDDB_LIBRARY=build/release/lib/libmockddb.so MOCKDDB_BINARY=build/release/bin/mockddb tests/bench/embedded.py [ROUNDS]"""

import json
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packages/python/src"))
sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import boto3
import mockddb

REQUESTS = 200  # in a round
ORDERS = {
    "TableName": "Orders",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
}


def measured(client):
    began = time.perf_counter(), time.process_time()
    for _ in range(REQUESTS):
        client.get_item(TableName="Orders", Key={"id": {"S": "o1"}})
    return [(now - then) / REQUESTS * 1e6 for now, then in zip((time.perf_counter(), time.process_time()), began)]


def python_rounds(rounds):
    with mockddb.start(tables=[ORDERS]) as server, mockddb.embedded(tables=[ORDERS]) as db:
        clients = [server.client(), db.client()]
        for client in clients:
            client.put_item(TableName="Orders", Item={"id": {"S": "o1"}, "total": {"N": "42"}})
            measured(client)
        return [[measured(client) for client in clients] for _ in range(rounds)]


def javascript_rounds(rounds):
    command = ["node", "--no-warnings", ROOT / "build/node/bench_embedded.mjs", ROOT / "packages/npm", str(rounds)]
    script = ROOT / "build/node/bench_embedded.mjs"
    script.write_bytes((ROOT / "tests/bench/embedded.mjs").read_bytes())  # beside the SDK
    return json.loads(subprocess.check_output(list(map(str, command)), text=True))


def show(name, rounds):
    for what, number in (("wall time", 0), ("this process's processor time", 1)):
        loopback, embedded = (statistics.median(one[way][number] for one in rounds) for way in (0, 1))
        ratio = statistics.median(one[0][number] / one[1][number] for one in rounds)
        print(f"{name}, {what}: loopback {loopback:.0f}, embedded {embedded:.0f} us, {ratio:.1f} times as fast")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    show(f"boto3 {boto3.__version__}", python_rounds(rounds))
    show("SDK for JavaScript", javascript_rounds(rounds))


main()
