"""Exports and imports as people call them from boto3: an exported table comes back as it was, in each
format that leaves; what is refused, and what cannot be reached."""

import gzip
import json
import os
import pathlib
import random
import time

import boto
import exported
from e2e import Report, Server, equal, temporary_folder, wait_until

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Items"
KEYS = {
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "n", "AttributeType": "N"},
    ],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by-n",
            "KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}


def value(chance, depth=0):
    """A random value of a random type."""
    kinds = ["S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS"] + (["L", "M"] if depth < 3 else [])
    kind = chance.choice(kinds)
    text = "".join(chance.choice("aé😀\"\\\n\t'{}:$,\x01 x") for _ in range(chance.randrange(8)))
    number = f"{chance.choice(['', '-'])}{chance.randrange(10**12)}E{chance.randrange(-99, 99)}"
    if kind == "S":
        return {"S": text}
    if kind == "N":
        return {"N": number}
    if kind == "B":
        return {"B": text.encode()}
    if kind == "BOOL":
        return {"BOOL": chance.random() < 0.5}
    if kind == "NULL":
        return {"NULL": True}
    if kind == "SS":
        return {"SS": [text + "1", text + "2"]}
    if kind == "NS":
        return {"NS": [number, "7"]}
    if kind == "BS":
        return {"BS": [text.encode() + b"1"]}
    if kind == "L":
        return {"L": [value(chance, depth + 1) for _ in range(chance.randrange(3))]}
    return {"M": {text + str(i): value(chance, depth + 1) for i in range(chance.randrange(3))}}


def fill(client):
    chance = random.Random(7)
    client.create_table(TableName="Items", **KEYS)
    client.update_continuous_backups(
        TableName="Items", PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
    )
    for i in range(300):
        item = {f"v{k}": value(chance) for k in range(chance.randrange(6))}
        item |= {"pk": {"S": str(i)}, "n": {"N": str(i % 9)}, "a b'": value(chance)}
        client.put_item(TableName="Items", Item=item)


def all_of(client, table, **more):
    found = {}
    for page in client.get_paginator("scan").paginate(TableName=table, **more):
        found |= {item["pk"]["S"]: item for item in page["Items"]}
    return found


def export(client, **more):
    told = client.export_table_to_point_in_time(TableArn=ARN, S3Bucket="bucket", **more)
    arn = told["ExportDescription"]["ExportArn"]

    def described():
        return client.describe_export(ExportArn=arn)["ExportDescription"]

    wait_until(lambda: described()["ExportStatus"] != "IN_PROGRESS")
    return described()


def import_table(client, name, prefix, **more):
    told = client.import_table(
        S3BucketSource={"S3Bucket": "bucket", "S3KeyPrefix": prefix},
        TableCreationParameters={"TableName": name, **KEYS},
        **more,
    )
    arn = told["ImportTableDescription"]["ImportArn"]

    def described():
        return client.describe_import(ImportArn=arn)["ImportTableDescription"]

    wait_until(lambda: described()["ImportStatus"] != "IN_PROGRESS")
    return described()


def return_trip(report, client, bucket, kind):
    with report.case(f"{kind}: a table comes back as it left"):
        told = export(client, ExportFormat=kind, S3Prefix=f"to/{kind}")
        equal((told["ExportStatus"], told["ItemCount"]), ("COMPLETED", 300))
        summary, _ = exported.lines(bucket, told["ExportManifest"])
        data = summary["manifestFilesS3Key"].rpartition("/")[0] + "/data/"
        name = f"From-{kind}"
        told = import_table(client, name, data, InputFormat=kind, InputCompressionType="GZIP")
        equal((told["ImportStatus"], told["ImportedItemCount"]), ("COMPLETED", 300))
        equal(all_of(client, name), all_of(client, "Items"))
        equal(all_of(client, name, IndexName="by-n"), all_of(client, "Items"))


def outside(report, client, bucket, folder):
    with report.case("no link leads out of the buckets"):
        (folder / "secret.json").write_text('{"Item":{"pk":{"S":"secret"}}}')
        (bucket / "link").mkdir()
        (bucket / "link" / "secret.json").symlink_to(folder / "secret.json")
        (bucket / "away").symlink_to(folder)
        for prefix in ("link/", "away/", "../", "/"):
            name = f"None-{len(client.list_tables()['TableNames'])}"
            told = import_table(client, name, prefix, InputFormat="DYNAMODB_JSON")
            equal((told["ImportStatus"], told["ProcessedItemCount"]), ("COMPLETED", 0))
        for prefix in ("away", "../x", "a/../../x"):
            told = export(client, S3Prefix=prefix)
            equal((told["ExportStatus"], told["FailureCode"]), ("FAILED", "S3AccessDenied"))


def others_go_on(report, client, server, bucket):
    """A large import, and requests beside it."""
    with report.case("other requests are answered while an import is under way"):
        (bucket / "large").mkdir()
        with open(bucket / "large" / "items", "w", encoding="utf-8") as out:
            for i in range(20000):
                item = {"pk": {"S": str(i)}, "v": {"S": "x" * 500}}
                out.write(json.dumps({"Item": item}) + "\n")
        client.import_table(
            S3BucketSource={"S3Bucket": "bucket", "S3KeyPrefix": "large/"},
            TableCreationParameters={"TableName": "Large", **KEYS},
            InputFormat="DYNAMODB_JSON",
        )
        seen = 0
        while client.list_imports()["ImportSummaryList"][0]["ImportStatus"] == "IN_PROGRESS":
            server.call("GetItem", {"TableName": "Items", "Key": {"pk": {"S": "1"}}})
            seen += 1
        equal(server.call("DescribeTable", {"TableName": "Large"})["Table"]["ItemCount"], 20000)
        print(f"# {seen} requests meanwhile")


def strange_buckets(report, client, server, bucket):
    """What lies in a bucket's folder is nobody's promise."""
    with report.case("what is no ordinary file of a name in UTF-8 is no object"):
        strange = bucket / "strange"
        strange.mkdir()
        os.mkfifo(strange / "pipe")
        (strange / "link").symlink_to("/etc/passwd")
        (strange / "folder").symlink_to("/")
        (strange / "new\nline").write_text('{"Item":{"pk":{"S":"a"}}}')
        with open(os.fsencode(strange) + b"/\xff\xfe", "w", encoding="utf-8") as out:
            out.write('{"Item":{"pk":{"S":"b"}}}')
        told = import_table(client, "Strange", "strange/", InputFormat="DYNAMODB_JSON")
        equal((told["ImportStatus"], told["ImportedItemCount"]), ("COMPLETED", 1))
        told = import_table(client, "Above", "../", InputFormat="DYNAMODB_JSON")
        equal((told["ImportStatus"], told["ImportedItemCount"]), ("COMPLETED", 0))
    for name, write in (
        ("empty-lines", lambda f: (f / "a.gz").write_bytes(gzip.compress(b"\n" * (16 << 20)))),
        ("empty-parts", lambda f: (f / "a.gz").write_bytes(gzip.compress(b"") * 30000)),
        ("empty-objects", lambda f: [(f / f"{i}.gz").write_bytes(gzip.compress(b"")) for i in range(2000)]),
        ("long-lines", lambda f: (f / "a.gz").write_bytes(gzip.compress((b"{" * (1 << 20) + b"\n") * 4))),
    ):
        with report.case(f"others are answered while nothing comes of an import: {name}"):
            (bucket / name).mkdir()
            write(bucket / name)
            asked = {
                "ClientToken": name,
                "S3BucketSource": {"S3Bucket": "bucket", "S3KeyPrefix": f"{name}/"},
                "InputFormat": "DYNAMODB_JSON",
                "InputCompressionType": "GZIP",
                "TableCreationParameters": {"TableName": name, **KEYS},
            }
            told = server.call("ImportTable", asked)["ImportTableDescription"]
            seen = 0
            while told["ImportStatus"] == "IN_PROGRESS":
                told = server.call("DescribeImport", {"ImportArn": told["ImportArn"]})["ImportTableDescription"]
                seen += 1
            print(f"# {seen} requests meanwhile")
            equal(told["ImportedItemCount"], 0)
            assert seen >= 10 or name == "long-lines", seen
        with report.case(f"others are answered while nothing comes of a bulk put: {name}"):
            place = {"S3Bucket": "bucket", "S3KeyPrefix": f"{name}/"}
            asked = {
                "TableName": "Items",
                "InputS3Configuration": {
                    **place,
                    "InputFormat": "DYNAMODB_JSON",
                    "InputCompressionType": "GZIP",
                },
                "OutputS3Configuration": {"S3Bucket": "bucket", "OutputType": ["ERROR"]},
            }
            told = server.call("StartBulkPutItems", asked)["BulkOperationDescription"]
            arn, seen = {"BulkOperationArn": told["BulkOperationArn"]}, 0
            while told["BulkOperationStatus"] == "IN_PROGRESS":
                told = server.call("DescribeBulkOperation", arn)["BulkOperationDescription"]
                seen += 1
            equal(told["ProcessedItemCount"] - told["FailedItemCount"], 0)
            assert seen >= 10 or name == "long-lines", seen


def bulk_put(report, server, bucket):
    """boto3 may be older than these operations."""
    with report.case("a bulk put, its conditions and its reports"):
        records = [
            {"Item": {"pk": {"S": "1"}}, "ConditionExpression": "attribute_not_exists(pk)"},
            {"Item": {"pk": {"S": "put"}}, "ConditionExpression": "attribute_not_exists(pk)"},
            {"Item": {"pk": {"N": "1"}}},
        ]
        (bucket / "bulk").mkdir()
        (bucket / "bulk" / "a.json").write_text("\n".join(map(json.dumps, records)))
        asked = {
            "TableName": "Items",
            "InputS3Configuration": {
                "S3Bucket": "bucket",
                "S3KeyPrefix": "bulk/",
                "InputFormat": "DYNAMODB_JSON",
            },
            "OutputS3Configuration": {
                "S3Bucket": "bucket",
                "S3KeyPrefix": "reports",
                "OutputType": ["ERROR", "CONDITION_CHECK_FAILURE"],
            },
        }
        told = server.call("StartBulkPutItems", asked)["BulkOperationDescription"]
        arn = {"BulkOperationArn": told["BulkOperationArn"]}

        def described():
            return server.call("DescribeBulkOperation", arn)["BulkOperationDescription"]

        wait_until(lambda: described()["BulkOperationStatus"] != "IN_PROGRESS")
        told = described()
        counts = ("BulkOperationStatus", "ProcessedItemCount", "FailedItemCount")
        equal([told[name] for name in counts], ["COMPLETED_WITH_ERRORS", 3, 1])
        place = bucket / "reports" / "AWSDynamoDB" / arn["BulkOperationArn"].rpartition("/")[2]
        files = json.loads((place / "manifest.json").read_text())["files"]
        lines = {
            file["outputType"]: json.loads((bucket / file["s3Key"]).read_text()) for file in files
        }
        error = lines["ERROR"]
        equal((error["S3Key"], error["Line"]), ("bulk/a.json", 3))
        equal(error["Item"], {"pk": {"N": "1"}})
        refused = lines["CONDITION_CHECK_FAILURE"]
        equal(refused["Item"], {"pk": {"S": "1"}})
        equal(refused["ExistingItem"]["pk"], {"S": "1"})


def named_when_needed(report):
    with report.case("without --s3-root a temporary folder is named"), Server() as server:
        server.call("CreateTable", {"TableName": "Items", **KEYS})
        recovery = {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}}
        server.call("UpdateContinuousBackups", {"TableName": "Items", **recovery})
        asked = {"TableArn": ARN, "S3Bucket": "bucket"}
        arn = server.call("ExportTableToPointInTime", asked)["ExportDescription"]["ExportArn"]
        time.sleep(0.1)
        wait_until(
            lambda: server.call("DescribeExport", {"ExportArn": arn})["ExportDescription"].get(
                "FailureCode"
            )
            == "S3NoSuchBucket"
        )


def main():
    report = Report()
    if not boto.boto3:
        report.skip("exports and imports from boto3", "boto3 is not installed")
        report.done()
        return
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        bucket = folder / "s3" / "bucket"
        bucket.mkdir(parents=True)
        with Server("--s3-root", str(folder / "s3")) as server:
            boto.connect(server)
            client = boto.boto3.client("dynamodb")
            fill(client)
            for kind in ("DYNAMODB_JSON", "ION"):
                return_trip(report, client, bucket, kind)
            outside(report, client, bucket, folder)
            bulk_put(report, server, bucket)
            others_go_on(report, client, server, bucket)
            strange_buckets(report, client, server, bucket)
    named_when_needed(report)
    report.done()


main()
