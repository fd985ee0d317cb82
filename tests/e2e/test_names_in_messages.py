"""What goes wrong with the server's files is reported to clients by the name that the user gave, and
without the place where the server keeps them."""

import contextlib
import hashlib
import http.client
import json
import pathlib
import shutil
import struct

from admin import ask, must
from e2e import BINARY, PATIENCE, Report, Server, equal, temporary_folder, wait_until

TABLE = {
    "TableName": "Kept",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
}
EXPORT = {"S3Bucket": "none", "ExportFormat": "DYNAMODB_JSON"}


def raw(server, method, path, body=None):
    """A verb's status, and its answer as bytes."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request(method, f"/_mockddb/{path}", body)
        answer = connection.getresponse()
        return answer.status, answer.read()


def first_use(server, world):
    """A request to a world that no request has named yet; its status, and its answer as bytes."""
    status, _, answer = server.post("ListTables", {}, {"x-mockddb-world": world})
    return status, answer


def check(got, wanted, folder):
    """A refusal whose message has the name that is wanted, and not the place of any file."""
    status, answer = got
    text = answer.decode()
    message = json.loads(text)["message"]
    assert status in (400, 500), (status, text)
    assert wanted in message, message
    for place in (folder, "mockddb.", ".store", ".new", ".part", "/"):
        assert place not in message, message


def broken(store, like):
    """A snapshot's file with that store, and an end that is right for it."""
    tail = bytearray(like[-88:])
    tail[:8] = struct.pack("<Q", len(store))
    tail[40:72] = hashlib.sha256(store + bytes(tail[:40])).digest()
    return store + bytes(tail)


def refused_files(report, server, folder):
    """Files that cannot be read or removed."""
    data = pathlib.Path(folder, "data")
    server.call("CreateTable", TABLE)
    must(server, "POST", "snapshots/s")
    file = raw(server, "GET", "snapshots/s/file")[1]
    for what, store in (
        ("no database", b"SELECT 1" * 1000),
        ("half a database", file[: len(file) // 2]),
    ):
        with report.case(f"a snapshot's file with {what}"):
            sent = broken(store, file)
            check(raw(server, "PUT", "snapshots/c/file", sent), "this snapshot", folder)
    (data / "world.text.db").write_bytes(b"SELECT 1" * 1000)
    (data / "world.inside.db").mkdir()
    for world, reason in (
        ("text", "world text is not a mockddb file"),
        ("inside", "world inside cannot be opened"),
    ):
        with report.case(f"a world whose file is no database: {world}"):
            check(first_use(server, world), reason, folder)
            check(raw(server, "GET", f"worlds/{world}"), reason, folder)
    with report.case("the server's log has the path"):
        wanted = f"{data}/world.text.db: world text is not a mockddb file"
        assert wanted in server.read_stderr(), server.read_stderr()
    with report.case("a snapshot whose file cannot be removed"):
        path = next(data.glob("snapshot.*"))
        path.unlink()
        path.mkdir()
        check(raw(server, "DELETE", "snapshots/s"), "snapshot s", folder)
        path.rmdir()


def missing_folder(report, server, folder):
    """Each verb and request that writes a file, without the folder for it."""
    shutil.rmtree(pathlib.Path(folder, "data"))
    for method, path, wanted in (
        ("POST", "snapshots/y", "snapshot y"),
        ("GET", "snapshots/s/file", "snapshot s"),
        ("POST", "worlds/new", "world new"),
        ("POST", "reset", "world default"),
        ("POST", "snapshots/s/restore", "world default"),
        ("PUT", "snapshots/t/file", "there is no room for the file"),
    ):
        with report.case(f"without the folder: {method} {path}"):
            check(raw(server, method, path, b"a file" if method == "PUT" else None), wanted, folder)
    with report.case("without the folder: a world is used first"):
        check(first_use(server, "used"), "world used", folder)
    with report.case("without the folder: a world is forked"):
        check(raw(server, "POST", "worlds/fork", b'{"from":"default"}'), "world fork", folder)


def exports(report, server, folder):
    with report.case("an export that finds no folder of buckets"):
        arn = server.call("DescribeTable", {"TableName": "Kept"})["Table"]["TableArn"]
        recovery = {"PointInTimeRecoveryEnabled": True}
        body = {"TableName": "Kept", "PointInTimeRecoverySpecification": recovery}
        server.call("UpdateContinuousBackups", body)
        begun = server.call("ExportTableToPointInTime", {"TableArn": arn, **EXPORT})
        named = {"ExportArn": begun["ExportDescription"]["ExportArn"]}

        def described():
            return server.call("DescribeExport", named)["ExportDescription"]

        wait_until(lambda: described()["ExportStatus"] == "FAILED")
        equal(described()["FailureCode"], "S3AccessDenied")
        assert folder not in json.dumps(described()), described()


def typed_path(report, folder):
    """A path of the command line is the name that the user gave."""
    path = pathlib.Path(folder, "typed")
    path.mkdir()
    with Server("--db", "typed/kept.db", folder=folder) as server:
        shutil.rmtree(path)
        with report.case("--db FILE: a reset without its folder names FILE as it was typed"):
            status, answer = ask(server, "POST", "reset")
            equal((status, answer["message"].split(" ")[0]), (500, "typed/kept.db.new"))


def broken_template(report, folder):
    """A fixture that was found by its name, and has been changed since the server's start."""
    tables = pathlib.Path(folder, "share/mockddb/fixtures/named/tables")
    tables.mkdir(parents=True)
    (tables / "Kept.json").write_text(json.dumps(TABLE))
    program = pathlib.Path(folder, "bin/mockddb")
    program.parent.mkdir()
    shutil.copy(BINARY, program)
    with Server("--fixtures", "named", binary=program, folder=folder) as server:
        (tables / "Kept.json").write_text("{")
        with report.case("a fixture that can be read no more has its name in the answer"):
            for got in (first_use(server, "used"), raw(server, "POST", "worlds/new")):
                answer = got[1].decode()
                assert got[0] == 500 and "named/tables/Kept.json: line 1" in answer, answer
                assert folder not in answer and "share/" not in answer, answer


def main():
    report = Report()
    with temporary_folder() as folder:
        data = ("--data-dir", f"{folder}/data")
        with Server(*data) as server:
            refused_files(report, server, folder)
        server = Server(*data)
        try:
            must(server, "POST", "snapshots/s")
            missing_folder(report, server, folder)
            exports(report, server, folder)
        finally:
            server.kill()
        typed_path(report, folder)
        broken_template(report, folder)
    report.done()


main()
