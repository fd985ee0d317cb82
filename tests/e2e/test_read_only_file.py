"""A read-only server leaves its file as it is, byte by byte, whatever is read and whatever was
about to change; and a file system that takes no writes is named as the reason."""

import json
import os
import pathlib
import shutil
import subprocess
import time

from e2e import BINARY, PATIENCE, ROOT, Report, Server, equal, temporary_folder

TRANSITION_MS = 3_600_000  # the changes of tables are not over before the servers end
LATER = ("--clock", "2999-01-01T00:00:00Z")  # when they are due
KEY = {"pk": {"S": "one"}}
STRING_KEY = [{"AttributeName": "pk", "AttributeType": "S"}]
KEY_SCHEMA = [{"AttributeName": "pk", "KeyType": "HASH"}]
STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
SELECT = "SELECT * FROM Kept WHERE pk = 'one'"
SELECT_COMING = "SELECT * FROM Coming WHERE pk = 'one'"


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


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def read_everything(server):
    key = {"TableName": "Kept", "Key": KEY}
    stream = server.call("ListStreams", {"TableName": "Kept"})["Streams"][0]["StreamArn"]
    shards = server.call("DescribeStream", {"StreamArn": stream})["StreamDescription"]["Shards"]
    place = {"StreamArn": stream, "ShardId": shards[0]["ShardId"]}
    for kind in ("TRIM_HORIZON", "LATEST"):
        iterator = server.call("GetShardIterator", {**place, "ShardIteratorType": kind})
        records = server.call("GetRecords", iterator)["Records"]
        equal(len(records), 1 if kind == "TRIM_HORIZON" else 0)
    for operation, body in (
        ("GetItem", key),
        ("Scan", {"TableName": "Kept"}),
        ("BatchGetItem", {"RequestItems": {"Kept": {"Keys": [KEY]}}}),
        ("TransactGetItems", {"TransactItems": [{"Get": key}]}),
        ("ExecuteStatement", {"Statement": SELECT}),
        ("ExecuteTransaction", {"TransactStatements": [{"Statement": SELECT}]}),
        ("ExecuteStatement", {"Statement": SELECT_COMING}),
        ("BatchExecuteStatement", {"Statements": [{"Statement": SELECT_COMING}]}),
        ("ExecuteTransaction", {"TransactStatements": [{"Statement": SELECT_COMING}]}),
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
    with Server("--db", path, "--read-only", "--ttl-sweep-ms", "50", *LATER) as server:
        with report.case("read-only: a table that was made is there, one that was deleted is not"):
            for _ in range(2):
                equal(states(server), {"Coming": "ACTIVE", "Kept": "ACTIVE"})
        with report.case("read-only: reads of every kind work"):
            read_everything(server)
            time.sleep(0.5)  # what a server does between requests
            equal(server.call("Scan", {"TableName": "Kept"})["Count"], 1)
    with Server("--db", path, "--read-only", "--clock", "2099-01-01T00:00:00Z") as server:
        with report.case("read-only: records and streams of long ago stay"):
            read_everything(server)
    with report.case("read-only: the file is as it was"):
        equal(contents(folder).keys(), before.keys())
        equal(contents(folder) == before, True)
    with report.case("without it both transitions end in the file"):
        with Server("--db", path, *LATER) as server:
            equal(states(server), {"Coming": "ACTIVE", "Kept": "ACTIVE"})


def without_rights(folder):
    """The server as a user who may read what lies in the folder, and write nothing of it."""
    folder.chmod(0o755)
    if os.geteuid() != 0:
        return BINARY
    program, starter = folder / "mockddb", folder / "start"
    shutil.copy(BINARY, program)
    starter.write_text(f'#!/bin/sh\nexec setpriv --reuid=65534 --clear-groups {program} "$@"\n')
    for file in (program, starter):
        file.chmod(0o755)
    return str(starter)


def protect(kept):
    for file in kept.iterdir():
        file.chmod(0o444)
    kept.chmod(0o555)


def refused(starter, *arguments):
    """The one line with which a server ends that does not start."""
    try:
        Server(*arguments, binary=starter).kill()
    except RuntimeError as error:
        return str(error).removeprefix("the server did not start: ").strip()
    raise AssertionError("the server started")


def not_writable(report, folder):
    """Files of a folder that takes no writes: after a clean end, and with what a crash left."""
    kept, starter = folder / "kept", without_rights(folder)
    path = str(kept / "a?b#c%20.db")
    kept.mkdir()
    server = Server("--db", path)
    create(server, "Kept")
    server.put_items("Kept", [{"pk": {"S": str(n)}} for n in range(25)])
    server.kill()
    protect(kept)
    for left in ("the log of a crash", "a clean end"):
        before = contents(kept)
        equal(len(before), 2 if left == "the log of a crash" else 1)
        with report.case(f"read-only, nothing can be written: {left}: served, with every item"):
            with Server("--db", path, "--read-only", binary=starter) as server:
                equal(server.call("Scan", {"TableName": "Kept"})["Count"], 25)
                status, _, answer = server.post("PutItem", {"TableName": "Kept", "Item": KEY})
                equal(status, 400)
                assert json.loads(answer)["__type"].endswith("#AccessDeniedException"), answer
                with Server("--db", path, "--read-only", binary=starter) as other:
                    equal(other.call("Scan", {"TableName": "Kept"})["Count"], 25)
                if starter != BINARY:  # who may write the file is held off meanwhile
                    line = f"mockddb: {path} is in use by another process or handle"
                    equal(refused(BINARY, "--db", path), line)
        with report.case(f"read-only, nothing can be written: {left}: the folder is as it was"):
            equal(contents(kept), before)
        kept.chmod(0o755)
        for file in kept.iterdir():
            file.chmod(0o644)
        Server("--db", path).stop()
        protect(kept)
    denied = f"mockddb: {path} cannot be written: Permission denied"
    for name, arguments, line in (
        ("without --read-only", (), denied),
        ("with --compact", ("--read-only", "--compact"), denied),
        (
            "with fixtures, which are written into the file",
            ("--read-only", "--fixtures", "guides"),
            f"mockddb: --fixtures are loaded into the file of --db, and {path} cannot be written",
        ),
    ):
        with report.case(f"refused: a file that cannot be written, {name}"):
            equal(refused(starter, "--db", path, *arguments), line)
    if starter != BINARY:  # root may read it
        pathlib.Path(path).chmod(0)
        for name, arguments in (("without", ()), ("with", ("--read-only",))):
            with report.case(f"refused: a file that cannot be read either, {name} --read-only"):
                line = f"mockddb: {path} cannot be opened: Permission denied"
                equal(refused(starter, "--db", path, *arguments), line)
        pathlib.Path(path).chmod(0o444)
    with report.case("read-only: a file that another process writes is refused"):
        kept.chmod(0o755)
        with Server("--db", path):
            line = f"mockddb: {path} is in use by another process or handle"
            equal(refused(starter, "--db", path, "--read-only"), line)


def replaced(report, folder):
    """A crash came between a reset or restore and the new file's taking of the name: the new file counts."""
    kept, starter = folder / "kept", without_rights(folder)
    kept.mkdir()
    path = str(kept / "kept.db")
    for file, count in ((path, 3), (f"{path}.next", 5)):
        with Server("--db", file) as server:
            create(server, "Kept")
            server.put_items("Kept", [{"pk": {"S": str(n)}} for n in range(count)])
    protect(kept)
    before = contents(kept)
    with report.case("read-only, nothing can be written: a file that was about to take the name is served"):
        with Server("--db", path, "--read-only", binary=starter) as server:
            equal(server.call("Scan", {"TableName": "Kept"})["Count"], 5)
        equal(contents(kept), before)


def older(report, folder):
    """A file of an older format is left as it is; it cannot be read without being brought up to date."""
    kept, starter = folder / "kept", without_rights(folder)
    kept.mkdir()
    path = str(kept / "old.db")
    shutil.copy(ROOT / "tests/data/format-3.db", path)
    protect(kept)
    before = contents(kept)
    with report.case("read-only, nothing can be written: a file of an older format is refused"):
        line = refused(starter, "--db", path, "--read-only")
        assert "was written by an older mockddb, and cannot be written" in line, line
        equal(contents(kept), before)


def on_read_only_file_system(script, arguments):
    """Runs the server in a mount namespace where /mnt takes no writes."""
    return subprocess.run(
        ["unshare", "-rm", "sh", "-c", script, "sh", BINARY, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def named_reason(report, folder):
    mount = f'mount --bind "{folder}" /mnt && mount -o remount,ro,bind /mnt || exit 77; exec "$@"'
    for name, file, more in (
        ("a file", "kept.db", []),
        ("a file that is not there", "new.db", []),
        ("a file that is not there, with --read-only", "new.db", ["--read-only"]),
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
    with temporary_folder() as name:
        same_bytes(report, pathlib.Path(name))
        named_reason(report, pathlib.Path(name))
    for test in (not_writable, replaced, older):
        with temporary_folder() as name:
            test(report, pathlib.Path(name))
    report.done()


main()
