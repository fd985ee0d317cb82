"""Worlds that are copied while exports and bulk puts are under way: each goes on with its own, none is
in another's way, and what is in the bucket in the end is whole."""

import base64
import gzip
import hashlib
import json
import pathlib
import time

import admin
from e2e import SLOWNESS, Report, Server, equal, temporary_folder, wait_until

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Tab"
ITEMS = 4000
FAULTS = 4000
COPIES = 4
WORLDS = ("default", *(f"w{n}" for n in range(COPIES)))


def call(server, world, operation, body):
    status, _, answer = server.post(operation, body, {"x-mockddb-world": world})
    equal(status, 200)
    return json.loads(answer)


def fill(server):
    server.call(
        "CreateTable",
        {
            "TableName": "Tab",
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        },
    )
    recovery = {"PointInTimeRecoveryEnabled": True}
    server.call("UpdateContinuousBackups", {"TableName": "Tab", "PointInTimeRecoverySpecification": recovery})
    server.put_items("Tab", [{"pk": {"S": f"p{i}"}, "d": {"S": "x" * 300}} for i in range(ITEMS)])


def copied(server):
    """Copies of the first world at several moments, each also as a snapshot."""
    for world in WORLDS[1:]:
        admin.must(server, "POST", f"worlds/{world}", {"from": "default"})
        admin.must(server, "POST", f"snapshots/{world}", {})
        time.sleep(0.01 * SLOWNESS)


def everywhere(report, server, kind, ended):
    """In every world, and from every snapshot on, what was under way ends well."""
    for world in WORLDS:
        with report.case(f"{kind}: in {world}"):
            ended(world)
    for world in WORLDS[1:]:
        with report.case(f"{kind}: from the snapshot {world} on"):
            admin.must(server, "POST", f"snapshots/{world}/restore", {})
            ended("default")


def check_export(bucket, described):
    equal((described["ExportStatus"], described.get("FailureMessage")), ("COMPLETED", None))
    summary = json.loads((bucket / described["ExportManifest"]).read_text())
    equal(summary["itemCount"], ITEMS)
    for line in (bucket / summary["manifestFilesS3Key"]).read_text().splitlines():
        listed = json.loads(line)
        data = (bucket / listed["dataFileS3Key"]).read_bytes()
        equal(base64.b64encode(hashlib.md5(data).digest()).decode(), listed["md5Checksum"])
        equal(len(gzip.decompress(data).splitlines()), listed["itemCount"])


def exports(report, server, bucket):
    asked = {"TableArn": ARN, "S3Bucket": "bucket"}
    arn = {"ExportArn": server.call("ExportTableToPointInTime", asked)["ExportDescription"]["ExportArn"]}
    copied(server)

    def described(world):
        return call(server, world, "DescribeExport", arn)["ExportDescription"]

    def ended(world):
        wait_until(lambda: described(world)["ExportStatus"] != "IN_PROGRESS")
        check_export(bucket, described(world))

    everywhere(report, server, "export", ended)


def check_bulk(bucket, arn, described):
    equal((described["BulkOperationStatus"], described.get("FailureMessage")), ("COMPLETED_WITH_ERRORS", None))
    place = bucket / "AWSDynamoDB" / arn["BulkOperationArn"].rpartition("/")[2]
    (file,) = json.loads((place / "manifest.json").read_text())["files"]
    lines = [json.loads(line)["Line"] for line in (bucket / file["s3Key"]).read_text().splitlines()]
    equal(lines == list(range(1, FAULTS + 1)), True)


def bulk_puts(report, server, bucket):
    (bucket / "in.json").write_text('{"Item":{"pk":{"N":"1"}}}\n' * FAULTS)
    asked = {
        "TableName": "Tab",
        "InputS3Configuration": {"S3Bucket": "bucket", "S3KeyPrefix": "in.json", "InputFormat": "DYNAMODB_JSON"},
        "OutputS3Configuration": {"S3Bucket": "bucket", "OutputType": ["ERROR"]},
    }
    arn = server.call("StartBulkPutItems", asked)["BulkOperationDescription"]["BulkOperationArn"]
    arn = {"BulkOperationArn": arn}
    for world in WORLDS[1:]:
        admin.must(server, "DELETE", f"worlds/{world}")
    copied(server)

    def described(world):
        return call(server, world, "DescribeBulkOperation", arn)["BulkOperationDescription"]

    def ended(world):
        wait_until(lambda: described(world)["BulkOperationStatus"] != "IN_PROGRESS")
        check_bulk(bucket, arn, described(world))

    everywhere(report, server, "bulk put", ended)


def given_up(report, server, unfinished):
    """Worlds that go while an export is under way."""
    admin.must(server, "POST", "worlds/gone", {"from": "default"})
    for world, verb in (("gone", ("DELETE", "worlds/gone")), ("default", ("POST", "reset"))):
        with report.case(f"export: its world goes: {verb[0]} {verb[1]}"):
            while not any(unfinished.iterdir()):
                call(server, world, "ExportTableToPointInTime", {"TableArn": ARN, "S3Bucket": "bucket"})
            admin.must(server, *verb)
            equal([path.name for path in unfinished.iterdir()], [])


def main():
    report = Report()
    with temporary_folder() as name:
        root = pathlib.Path(name)
        (root / "bucket").mkdir()
        with Server("--s3-root", name) as server:
            fill(server)
            exports(report, server, root / "bucket")
            bulk_puts(report, server, root / "bucket")
            given_up(report, server, root / ".unfinished")
        with report.case("nothing unfinished is left"):
            equal([path.name for path in (root / ".unfinished").iterdir()], [])
    report.done()


main()
