"""--kinesis-out: the records of tables with a Kinesis destination, as the service's form has them."""

import json
import pathlib
import subprocess
import time

from admin import must
from e2e import BINARY, PATIENCE, Report, Server, equal, temporary_folder, wait_until

ARN = "arn:aws:kinesis:us-east-1:123456789012:stream/orders"
TABLE = {
    "TableName": "T01",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}
DESTINATION = {"TableName": "T01", "StreamArn": ARN}
MICROSECONDS = {"ApproximateCreationDateTimePrecision": "MICROSECOND"}


def enable(server, **more):
    server.call("CreateTable", TABLE)
    server.call("EnableKinesisStreamingDestination", {**DESTINATION, **more})


def put(server, key, **attributes):
    item = {"pk": {"S": key}, **attributes}
    server.call("PutItem", {"TableName": "T01", "Item": item})
    return item


def whole_lines(path):
    """Of a file that may be missing, and whose last line may be half written."""
    return path.read_text().rpartition("\n")[0].splitlines() if path.is_file() else []


def read(path, count):
    """The records, once there are so many."""
    wait_until(lambda: len(whole_lines(path)) >= count)
    return [json.loads(line) for line in whole_lines(path)]


def forms(report, folder):
    with Server("--kinesis-out", str(folder), "--ttl-sweep-ms", "50") as server:
        enable(server, EnableKinesisStreamingConfiguration=MICROSECONDS)
        started = time.time()
        one = put(server, "a")
        two = put(server, "a", n={"N": "1"})
        put(server, "a", n={"N": "1"})  # the same again: no record
        server.call("DeleteItem", {"TableName": "T01", "Key": one})
        ttl = {"Enabled": True, "AttributeName": "ttl"}
        server.call("UpdateTimeToLive", {"TableName": "T01", "TimeToLiveSpecification": ttl})
        put(server, "b", ttl={"N": str(int(started) - 10)})
        records = read(folder / "orders.jsonl", 5)
        with report.case("one record for each change, in their order"):
            names = [record["eventName"] for record in records]
            equal(names, ["INSERT", "MODIFY", "REMOVE", "INSERT", "REMOVE"])
        with report.case("what is in a record"):
            record = records[1]
            assert len(record.pop("eventID")) == 36
            at = record["dynamodb"].pop("ApproximateCreationDateTime")
            assert started * 1e6 - 1e6 < at < time.time() * 1e6 + 1e6, at
            equal(
                record,
                {
                    "awsRegion": "us-east-1",
                    "eventName": "MODIFY",
                    "userIdentity": None,
                    "recordFormat": "application/json",
                    "tableName": "T01",
                    "dynamodb": {
                        "Keys": one,
                        "NewImage": two,
                        "OldImage": one,
                        "SizeBytes": 12,
                        "ApproximateCreationDateTimePrecision": "MICROSECOND",
                    },
                    "eventSource": "aws:dynamodb",
                },
            )
        with report.case("what the service deletes says so"):
            equal(
                records[4]["userIdentity"],
                {"principalId": "dynamodb.amazonaws.com", "type": "Service"},
            )
            assert "NewImage" not in records[4]["dynamodb"]
        with report.case("no records once it is off"):
            server.call("DisableKinesisStreamingDestination", DESTINATION)
            put(server, "c")
            time.sleep(0.2)
            equal(len(read(folder / "orders.jsonl", 5)), 5)


def worlds(report, folder):
    with Server("--kinesis-out", str(folder)) as server:
        with report.case("another world's records are in its own folder"):
            for operation, body in (
                ("CreateTable", TABLE),
                ("EnableKinesisStreamingDestination", DESTINATION),
                ("PutItem", {"TableName": "T01", "Item": {"pk": {"S": "a"}}}),
            ):
                equal(server.post(operation, body, headers={"x-mockddb-world": "w1"})[0], 200)
            equal(read(folder / "w1" / "orders.jsonl", 1)[0]["eventName"], "INSERT")
            assert not (folder / "orders.jsonl").exists()
    with report.case("a folder has one server, until that ends in whatever way"):
        server = Server("--kinesis-out", str(folder))
        try:
            command = [str(BINARY), "--port", "0", "--kinesis-out", str(folder)]
            ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
            expected = f"mockddb: --kinesis-out: another server writes into the folder {folder}\n"
            equal((ended.returncode, ended.stdout, ended.stderr), (1, "", expected))
            with Server("--kinesis-out", str(folder / "other")):
                pass
        finally:
            server.kill()
        with Server("--kinesis-out", str(folder)):
            pass
    missing = folder / "not" / "there"
    with Server("--kinesis-out", str(missing)) as server:
        with report.case("a folder that is missing is made at the start"):
            assert missing.is_dir()
        with report.case("a world that comes first makes the folders it needs, also ones that were removed"):
            missing.rmdir()
            missing.parent.rmdir()
            for world in ("w1", "w2"):
                for operation, body in (
                    ("CreateTable", TABLE),
                    ("EnableKinesisStreamingDestination", DESTINATION),
                    ("PutItem", {"TableName": "T01", "Item": {"pk": {"S": world}}}),
                ):
                    equal(server.post(operation, body, headers={"x-mockddb-world": world})[0], 200)
                keys = read(missing / world / "orders.jsonl", 1)[0]["dynamodb"]["Keys"]
                equal(keys, {"pk": {"S": world}})
            equal(server.read_stderr().count("Kinesis"), 0)


def keys_in(path):
    return [json.loads(line)["dynamodb"]["Keys"]["pk"]["S"] for line in whole_lines(path)]


def resets(report, folder):
    """Lines of an earlier server, of another world, and files that are nobody's."""
    own, other = folder / "orders.jsonl", folder / "w1" / "orders.jsonl"
    left, foreign = folder / "left.jsonl", folder / "foreign.jsonl"
    with Server("--kinesis-out", str(folder)) as server:
        enable(server)
        put(server, "earlier")
        read(own, 1)
    left.write_bytes(own.read_bytes())
    foreign.write_text("not ours\n")
    with Server("--kinesis-out", str(folder)) as server:
        enable(server)
        put(server, "first")
        with report.case("a server that starts appends to what is there"):
            read(own, 2)
            equal(keys_in(own), ["earlier", "first"])
        for operation, body in (
            ("CreateTable", TABLE),
            ("EnableKinesisStreamingDestination", DESTINATION),
            ("PutItem", {"TableName": "T01", "Item": {"pk": {"S": "theirs"}}}),
        ):
            equal(server.post(operation, body, headers={"x-mockddb-world": "w1"})[0], 200)
        read(other, 1)
        with report.case("after a reset the world's files begin anew, and no others"):
            must(server, "POST", "reset")
            equal(keys_in(own), [])
            equal((keys_in(other), keys_in(left), foreign.read_text()), (["theirs"], ["earlier"], "not ours\n"))
            enable(server)
            put(server, "second")
            read(own, 1)
            put(server, "third")
            read(own, 2)
            equal(keys_in(own), ["second", "third"])
        with report.case("a file of an earlier server begins anew when it is written after a reset"):
            server.call("CreateTable", TABLE | {"TableName": "T02"})
            server.call("EnableKinesisStreamingDestination", {"TableName": "T02", "StreamArn": ARN.replace("orders", "left")})
            equal(keys_in(left), ["earlier"])
            server.call("PutItem", {"TableName": "T02", "Item": {"pk": {"S": "new"}}})
            wait_until(lambda: keys_in(left) == ["new"])
        with report.case("records that a reset overtakes are not written behind it"):
            for i in range(50):
                put(server, f"k{i}")
            must(server, "POST", "reset")
            enable(server)
            put(server, "last")
            wait_until(lambda: "last" in keys_in(own))
            equal(keys_in(own), ["last"])
        with report.case("a snapshot that is restored begins them anew, too"):
            must(server, "POST", "snapshots/s1")
            put(server, "undone")
            read(own, 2)
            must(server, "POST", "snapshots/s1/restore")
            equal(keys_in(own), [])
            put(server, "again")
            read(own, 1)
            equal((keys_in(own), keys_in(other)), (["again"], ["theirs"]))
        with report.case("a file that was removed is made again"):
            own.unlink()
            must(server, "POST", "reset")
            enable(server)
            put(server, "back")
            read(own, 1)
            equal(keys_in(own), ["back"])


def remade(report, folder):
    """A world that is dropped, and another one with its name."""
    path = folder / "w1" / "orders.jsonl"

    def put_in(server, key):
        for operation, body in (
            ("CreateTable", TABLE),
            ("EnableKinesisStreamingDestination", DESTINATION),
            ("PutItem", {"TableName": "T01", "Item": {"pk": {"S": key}}}),
        ):
            equal(server.post(operation, body, headers={"x-mockddb-world": "w1"})[0], 200)

    data = folder / "data"
    for options in ((), ("--data-dir", str(data))):
        with Server("--kinesis-out", str(folder), *options) as server:
            put_in(server, "old")
            wait_until(lambda: keys_in(path) == ["old"])
            with report.case(f"records of a dropped world stay until one of its name has its own {options[:1]}"):
                must(server, "DELETE", "worlds/w1")
                equal(keys_in(path), ["old"])
                must(server, "POST", "worlds/w1")
                equal(keys_in(path), ["old"])
                put_in(server, "new")
                wait_until(lambda: keys_in(path) == ["new"])
            with report.case(f"so it is with a world that its first request makes {options[:1]}"):
                must(server, "DELETE", "worlds/w1")
                put_in(server, "newest")
                wait_until(lambda: keys_in(path) == ["newest"])
    with Server("--kinesis-out", str(folder), "--data-dir", str(data)) as server:
        with report.case("a world that is opened from its file continues its records"):
            body = {"TableName": "T01", "Item": {"pk": {"S": "later"}}}
            equal(server.post("PutItem", body, headers={"x-mockddb-world": "w1"})[0], 200)
            wait_until(lambda: keys_in(path) == ["newest", "later"])


def starts(report, folder):
    """The file cannot be written to at first; the server is killed, and starts again."""
    path, out = str(folder / "kept.db"), folder / "out"
    (out / "orders.jsonl").mkdir(parents=True)
    server = Server("--db", path, "--kinesis-out", str(out))
    enable(server)
    for n in range(10):
        put(server, f"k{n}")
    server.kill()
    with report.case("the log says once that they cannot be written"):
        equal(server.read_stderr().count("records for Kinesis cannot be written to "), 1)
    (out / "orders.jsonl").rmdir()
    with Server("--db", path, "--kinesis-out", str(out)):
        with report.case("records that could not be written wait in the file"):
            records = read(out / "orders.jsonl", 10)
            keys = [record["dynamodb"]["Keys"]["pk"]["S"] for record in records]
            equal(keys, [f"k{n}" for n in range(10)])


def bound(report, folder):
    """More than can wait is written while the file cannot be."""
    out, puts = folder / "out", 60
    (out / "orders.jsonl").mkdir(parents=True)
    server = Server("--kinesis-out", str(out))
    enable(server)
    for n in range(puts):
        put(server, f"k{n:02}", text={"S": "x" * 380_000})
    (out / "orders.jsonl").rmdir()
    put(server, "last")

    def keys():
        lines = whole_lines(out / "orders.jsonl")
        return [json.loads(line)["dynamodb"]["Keys"]["pk"]["S"] for line in lines]

    wait_until(lambda: "last" in keys())
    came = keys()
    server.stop()
    log = server.read_stderr()
    with report.case("the newest 16 MB wait, and come in their order"):
        equal(came, [f"k{n:02}" for n in range(puts - len(came) + 1, puts)] + ["last"])
        assert 40 <= len(came) <= 46, len(came)
    with report.case("the log says when dropping begins, and how many were dropped"):
        equal(log.count("are dropped from now on, the oldest first: more than 16 MB wait"), 1)
        equal(log.count(f"again; {puts + 1 - len(came)} were dropped"), 1)
        equal(log.count("records for Kinesis"), 3)


def ends(report, folder):
    """The server ends while records wait."""
    path = folder / "orders.jsonl"
    path.mkdir()
    for options, text in (
        ((), f"records for Kinesis: 5 are lost, as they could not be written to {path}"),
        (
            ("--db", str(folder / "kept.db")),
            f"records for Kinesis: 0 were dropped, and 5 were not written to {path} yet",
        ),
    ):
        server = Server("--kinesis-out", str(folder), *options)
        enable(server)
        for n in range(5):
            put(server, f"k{n}")
        server.stop()
        with report.case(f"the log says what was not written: {' '.join(options[:1]) or 'in memory'}"):
            equal(server.read_stderr().count(text), 1)


def main():
    report = Report()
    for test in (forms, worlds, resets, remade, starts, bound, ends):
        with temporary_folder() as name:
            test(report, pathlib.Path(name))
    report.done()


main()
