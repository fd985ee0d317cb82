"""A read-only server leaves its file as it is, byte by byte, whatever is read and whatever was
about to change; and a file system that takes no writes is named as the reason."""

import pathlib
import shutil
import subprocess
import tempfile
import time

from e2e import BINARY, Report, Server, equal

TRANSITION_MS = 1500
KEY = {"pk": {"S": "one"}}
STRING_KEY = [{"AttributeName": "pk", "AttributeType": "S"}]
KEY_SCHEMA = [{"AttributeName": "pk", "KeyType": "HASH"}]
STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
SELECT = "SELECT * FROM Kept WHERE pk = 'one'"


def create(server, name, **more):
    body = {"TableName": name, "AttributeDefinitions": STRING_KEY, "KeySchema": KEY_SCHEMA}
    server.call("CreateTable", {**body, "BillingMode": "PAY_PER_REQUEST", **more})


def fill(path):
    """Tables with an item, and others that are about to change when the server ends."""
    slow = ("--transition-ms", str(TRANSITION_MS), "--ttl-sweep-ms", "0")
    with Server("--db", path, "--ttl-sweep-ms", "0") as server:
        create(server, "Kept", StreamSpecification=STREAM)
        create(server, "Going")
        server.call(
            "UpdateTimeToLive",
            {
                "TableName": "Kept",
                "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"},
            },
        )
        server.put_items("Kept", [{**KEY, "ttl": {"N": str(int(time.time()) - 1000)}}])
        server.put_items("Going", [KEY])
    with Server("--db", path, *slow) as server:
        create(server, "Coming")
        server.call("DeleteTable", {"TableName": "Going"})
    time.sleep(TRANSITION_MS / 1000 + 0.1)


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def read_everything(server):
    key = {"TableName": "Kept", "Key": KEY}
    stream = server.call("ListStreams", {"TableName": "Kept"})["Streams"][0]["StreamArn"]
    shards = server.call("DescribeStream", {"StreamArn": stream})["StreamDescription"]["Shards"]
    place = {"StreamArn": stream, "ShardId": shards[0]["ShardId"]}
    for kind in ("TRIM_HORIZON", "LATEST"):
        iterator = server.call("GetShardIterator", {**place, "ShardIteratorType": kind})
        server.call("GetRecords", iterator)
    for operation, body in (
        ("GetItem", key),
        ("Scan", {"TableName": "Kept"}),
        ("BatchGetItem", {"RequestItems": {"Kept": {"Keys": [KEY]}}}),
        ("TransactGetItems", {"TransactItems": [{"Get": key}]}),
        ("ExecuteStatement", {"Statement": SELECT}),
        ("ExecuteTransaction", {"TransactStatements": [{"Statement": SELECT}]}),
        ("DescribeTimeToLive", {"TableName": "Kept"}),
        ("DescribeLimits", {}),
    ):
        server.call(operation, body)


def states(server):
    names = server.call("ListTables", {})["TableNames"]
    return {
        name: server.call("DescribeTable", {"TableName": name})["Table"]["TableStatus"]
        for name in names
    }


def same_bytes(report, folder):
    path = str(folder / "kept.db")
    fill(path)
    before = contents(folder)
    with Server("--db", path, "--read-only", "--ttl-sweep-ms", "50") as server:
        with report.case("read-only: a table that was made is there, one that was deleted goes on"):
            for _ in range(2):
                equal(states(server), {"Coming": "ACTIVE", "Going": "DELETING", "Kept": "ACTIVE"})
        with report.case("read-only: reads of every kind work"):
            read_everything(server)
            time.sleep(0.5)  # what a server does between requests
            equal(server.call("Scan", {"TableName": "Kept"})["Count"], 1)
    with report.case("read-only: the file is as it was"):
        equal(contents(folder).keys(), before.keys())
        equal(contents(folder) == before, True)
    with report.case("without it the deletion comes to its end"):
        with Server("--db", path) as server:
            equal(states(server), {"Coming": "ACTIVE", "Kept": "ACTIVE"})


def on_read_only_file_system(script, arguments):
    """Runs the server in a mount namespace where /mnt takes no writes."""
    return subprocess.run(
        ["unshare", "-rm", "sh", "-c", script, "sh", BINARY, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def named_reason(report, folder):
    mount = f'mount --bind "{folder}" /mnt && mount -o remount,ro,bind /mnt || exit 77; exec "$@"'
    for name, file, more in (
        ("a file", "kept.db", []),
        ("a file, also with --read-only", "kept.db", ["--read-only"]),
        ("a file that is not there", "new.db", []),
    ):
        name = f"refused: {name} on a file system that takes no writes"
        arguments = ["--port", "0", "--db", f"/mnt/{file}", *more]
        ended = on_read_only_file_system(mount, arguments) if shutil.which("unshare") else None
        if not ended or ended.returncode == 77 or "unshare:" in ended.stderr:
            report.skip(name, "there are no mounts of one's own here")
            continue
        with report.case(name):
            reason = f"mockddb: /mnt/{file} cannot be written: Read-only file system\n"
            equal((ended.returncode != 0, ended.stderr), (True, reason))


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        same_bytes(report, pathlib.Path(name))
        named_reason(report, pathlib.Path(name))
    report.done()


main()
