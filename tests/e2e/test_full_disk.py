"""A disk that is really full, under a server's file: deletes find room that was kept for them, the answer
says why nothing else is written, and nothing acknowledged is lost. The test runs itself again where it may
mount a small file system of its own."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from admin import must
from e2e import Report, Server, equal, wait_until

INSIDE = "MOCKDDB_FULL_DISK"  # names the folder of the small file system
DISK_MB = 24
NO_MOUNT = 77
MOUNT = f'mount -t tmpfs -o size={DISK_MB}m none "$0" || exit {NO_MOUNT}; exec "$@"'
FULL = "Internal server error: the disk is full; until it has room, items can be deleted, but not written"
LOGGED = ("the disk is full: items can be deleted, but not written, until it has room", "the disk has room again")
NAMES = ("Kept", "Other")


def table(name):
    return {
        "TableName": name,
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    }


def key(number):
    return {"pk": {"S": str(number)}}


def put(server, name, number, size=100_000, **more):
    item = {**key(number), "text": {"S": "x" * size}, **more}
    status, _, answer = server.post("PutItem", {"TableName": name, "Item": item})
    return status, json.loads(answer)


def fill(server, name, **more):
    """Writes until the disk is full; how many items were acknowledged."""
    for number in range(1000):
        status, answer = put(server, name, number, **more)
        if status != 200:
            equal((status, answer["message"]), (500, FULL))
            return number
    raise AssertionError("the disk is never full")


def count(server, name):
    request, found = {"TableName": name, "Select": "COUNT"}, 0
    while True:
        answer = server.call("Scan", request)
        found += answer["Count"]
        if "LastEvaluatedKey" not in answer:
            return found
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def deletes(name, numbers):
    """Each way to delete an item, in turn."""
    for number in numbers:
        one = {"TableName": name, "Key": key(number)}
        yield (
            ("DeleteItem", one),
            ("BatchWriteItem", {"RequestItems": {name: [{"DeleteRequest": {"Key": key(number)}}]}}),
            ("TransactWriteItems", {"TransactItems": [{"Delete": one}]}),
            ("ExecuteStatement", {"Statement": f"DELETE FROM {name} WHERE pk = '{number}'"}),
        )[number % 4]


def full(report, folder):
    path = str(folder / "kept.db")
    server = Server("--db", path)
    for name in NAMES:
        server.call("CreateTable", table(name))
    equal(put(server, "Other", "small", 10)[0], 200)
    kept = fill(server, "Kept")
    with report.case("a full disk: every write of an item is refused, and says why; reads work"):
        for operation, body in (
            ("PutItem", {"TableName": "Kept", "Item": key("new")}),
            ("BatchWriteItem", {"RequestItems": {"Kept": [{"PutRequest": {"Item": key("new")}}]}}),
            ("TransactWriteItems", {"TransactItems": [{"Put": {"TableName": "Kept", "Item": key("new")}}]}),
            ("ExecuteStatement", {"Statement": "INSERT INTO Kept VALUE {'pk': 'new'}"}),
            (
                "UpdateItem",
                {
                    "TableName": "Kept",
                    "Key": key(1),
                    "UpdateExpression": "SET a = :a",
                    "ExpressionAttributeValues": {":a": {"S": "a"}},
                },
            ),
        ):
            status, _, answer = server.post(operation, body)
            equal((operation, status, json.loads(answer)["message"]), (operation, 500, FULL))
        equal(count(server, "Kept"), kept)
    with report.case("a full disk: items are deleted, in each way"):
        for operation, body in deletes("Kept", range(kept)):
            server.call(operation, body)
        equal(count(server, "Kept"), 0)
    with report.case("a full disk: what deletes make room for is written, and deleted again, for rounds"):
        for _ in range(3):
            again = fill(server, "Kept")
            assert again > kept // 2, (again, kept)
            for operation, body in deletes("Kept", range(again)):
                server.call(operation, body)
    again = fill(server, "Kept")
    server.kill()
    with report.case("a full disk: after a kill every acknowledged item is there, and can be deleted"):
        server = Server("--db", path)
        equal((count(server, "Kept"), count(server, "Other")), (again, 1))
        for operation, body in deletes("Kept", range(again)):
            server.call(operation, body)
        equal(count(server, "Kept"), 0)
        server.stop()
    with report.case("a full disk: the log says when it is full and when it has room again"):
        lines = server.read_stderr().splitlines()
        equal(lines[:2], [f"mockddb: {line}" for line in LOGGED])
        equal(set(lines), set(lines[:2]))


def tables(report, folder):
    with Server("--db", str(folder / "kept.db")) as server:
        server.call("CreateTable", table("Kept"))
        fill(server, "Kept")
        with report.case("a full disk: a table is deleted, and its room is used"):
            server.call("DeleteTable", {"TableName": "Kept"})
            wait_until(lambda: server.call("ListTables", {})["TableNames"] == [])
            server.call("CreateTable", table("Other"))
            wait_until(lambda: put(server, "Other", "new")[0] == 200)


def expiry(report, folder):
    with Server("--db", str(folder / "kept.db"), "--ttl-sweep-ms", "50") as server:
        server.call("CreateTable", table("Kept"))
        ttl = {"Enabled": True, "AttributeName": "ttl"}
        server.call("UpdateTimeToLive", {"TableName": "Kept", "TimeToLiveSpecification": ttl})
        fill(server, "Kept", ttl={"N": str(int(time.time()) + 3600)})
        with report.case("a full disk: items expire"):
            must(server, "POST", "clock", {"advance": "2h"})
            wait_until(lambda: count(server, "Kept") == 0)
            equal(put(server, "Kept", "new")[0], 200)


def inside(folder):
    report = Report()
    for test in (full, tables, expiry):
        test(report, folder)
        for file in folder.iterdir():
            file.unlink()
    report.done()


def outside():
    with tempfile.TemporaryDirectory() as name:
        command = ["unshare", "-rm", "sh", "-c", MOUNT, name, sys.executable, __file__]
        environment = {**os.environ, INSIDE: name}
        status = NO_MOUNT
        if shutil.which("unshare"):
            ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            status = ended.returncode if "unshare:" not in ended.stderr else NO_MOUNT
        if status == NO_MOUNT:
            report = Report()
            report.skip("a full disk", "there are no mounts of one's own here")
            report.done()
        print(ended.stdout, end="")
        print(ended.stderr, end="", file=sys.stderr)
        sys.exit(status)


def main():
    if INSIDE in os.environ:
        inside(pathlib.Path(os.environ[INSIDE]))
    outside()


main()
