"""Kills the server while exports, imports and bulk puts are under way: after the restart each goes
on to its end, and what it made is exact; nothing of it is seen before it is whole.

    test_transfer_crashes.py [SEED]      $MOCKDDB_KILLS: how often, 8 by default
"""

import gzip
import json
import os
import random
import sys
import time

import exported
import nearest
import stores
from crashes import RECOVERY, all_of, check_vectors, killed, table
from e2e import SLOWNESS, Report, Server, equal, wait_until

ROUNDS = int(os.environ.get("MOCKDDB_KILLS", "8"))
ITEMS = 4000
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Items"


class Trial:
    """One file or schema and one folder of buckets, the servers that use them one after another, and what
    each task has to come to."""

    def __init__(self, place, seed):
        self.place = place
        self.root = place.folder / "s3"
        self.bucket = self.root / "bucket"
        self.bucket.mkdir(parents=True)
        self.random = random.Random(seed)
        self.items = {}
        self.exports = {}  # ARN → items
        self.imports = {}  # ARN → table
        self.puts = []
        self.rounds = 0
        self.half_way = 0
        self.server = None
        self.input = self.make_input()
        self.open()
        self.server.call("CreateTable", table("Items"))
        self.server.call("CreateTable", table("Bulk"))
        self.server.call("UpdateContinuousBackups", RECOVERY)
        self.put(range(ITEMS))

    def open(self):
        self.server = Server(*self.place.options, "--s3-root", str(self.root))

    def item(self, number):
        text = "x" * 99
        return {
            "pk": {"S": str(number)},
            "a": {"S": f"a{number % 7}"},
            "v": {"S": text[self.random.randrange(99) :]},
            "e": nearest.vector(number),
        }

    def make_input(self):
        """Three objects in gzip form; of a key that comes twice the later one counts."""
        found = {}
        for part in range(3):
            items = [self.item(n) for n in range(part * 1500, part * 1500 + 2000)]
            found |= {item["pk"]["S"]: item for item in items}
            text = "".join(json.dumps({"Item": item}) + "\n" for item in items)
            path = self.bucket / "in" / f"{part}.json.gz"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(gzip.compress(text.encode()))
        return found

    def put(self, numbers):
        items = [self.item(n) for n in numbers]
        self.server.put_items("Items", items)
        self.items |= {item["pk"]["S"]: item for item in items}

    def change(self):
        self.put(self.random.sample(range(2 * ITEMS), 50))
        for pk in self.random.sample(sorted(self.items), 10):
            self.server.call("DeleteItem", {"TableName": "Items", "Key": {"pk": {"S": pk}}})
            del self.items[pk]

    def start_export(self):
        answer = self.server.call(
            "ExportTableToPointInTime", {"TableArn": ARN, "S3Bucket": "bucket"}
        )
        self.exports[answer["ExportDescription"]["ExportArn"]] = dict(self.items)

    def start_import(self):
        name = f"Import-{self.rounds}"
        answer = self.server.call(
            "ImportTable",
            {
                "ClientToken": name,
                "S3BucketSource": {"S3Bucket": "bucket", "S3KeyPrefix": "in/"},
                "InputFormat": "DYNAMODB_JSON",
                "InputCompressionType": "GZIP",
                "TableCreationParameters": table(name),
            },
        )
        self.imports[answer["ImportTableDescription"]["ImportArn"]] = name

    def start_bulk_put(self):
        answer = self.server.call(
            "StartBulkPutItems",
            {
                "TableName": "Bulk",
                "InputS3Configuration": {
                    "S3Bucket": "bucket",
                    "S3KeyPrefix": "in/",
                    "InputFormat": "DYNAMODB_JSON",
                    "InputCompressionType": "GZIP",
                },
                "OutputS3Configuration": {"S3Bucket": "bucket", "OutputType": ["ERROR"]},
            },
        )
        self.puts.append(answer["BulkOperationDescription"]["BulkOperationArn"])

    def export(self, arn):
        return self.server.call("DescribeExport", {"ExportArn": arn})["ExportDescription"]

    def imported(self, arn):
        return self.server.call("DescribeImport", {"ImportArn": arn})["ImportTableDescription"]

    def bulk_put(self, arn):
        answer = self.server.call("DescribeBulkOperation", {"BulkOperationArn": arn})
        return answer["BulkOperationDescription"]

    def statuses(self):
        return (
            [self.export(arn)["ExportStatus"] for arn in self.exports]
            + [self.imported(arn)["ImportStatus"] for arn in self.imports]
            + [self.bulk_put(arn)["BulkOperationStatus"] for arn in self.puts]
        )

    def check_hidden(self):
        """A table that is being filled is not there; an export has no summary before its end."""
        for name in self.imports.values():
            status, _, answer = self.server.post("Scan", {"TableName": name, "Select": "COUNT"})
            if status == 200:
                equal(json.loads(answer)["Count"], len(self.input))
        for arn in self.exports:
            summary = self.bucket / "AWSDynamoDB" / arn.rpartition("/")[2] / "manifest-summary.json"
            if summary.exists():
                exported.lines(self.bucket, str(summary.relative_to(self.bucket)))

    def check(self):
        for arn, items in self.exports.items():
            equal(exported.items(self.bucket, self.export(arn)["ExportManifest"]), items)
        for arn, name in self.imports.items():
            told = self.imported(arn)
            equal((told["ProcessedItemCount"], told["ErrorCount"]), (6000, 0))
            equal(all_of(self.server, TableName=name), self.input)
            equal(all_of(self.server, TableName=name, IndexName="by-a"), self.input)
            check_vectors(self.server, name, self.input)
            self.server.call("DeleteTable", {"TableName": name})
        for arn in self.puts:
            equal(self.bulk_put(arn)["ProcessedItemCount"], 6000)
            equal(all_of(self.server, TableName="Bulk", IndexName="by-a"), self.input)
            check_vectors(self.server, "Bulk", self.input)
        equal(all_of(self.server, TableName="Items"), self.items)
        equal(list((self.root / ".unfinished").glob("*-data")), [])
        self.exports, self.imports, self.puts = {}, {}, []

    def round(self):
        steps = (self.start_export, self.start_import, self.start_bulk_put)
        for step in self.random.sample(steps, self.random.randint(1, 3)):
            step()
        self.change()
        time.sleep(self.random.uniform(0, 0.3) * SLOWNESS)
        self.half_way += self.statuses().count("IN_PROGRESS")
        self.server.kill()
        self.rounds += 1
        self.open()
        self.check_hidden()
        self.change()
        wait_until(lambda: set(self.statuses()) <= {"COMPLETED"})
        self.check()


def main():
    report = Report()
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with stores.place(report) as place:
        trial = Trial(place, seed)
        killed(report, trial, ROUNDS, "in exports and imports", seed)
        with report.case("the server ends cleanly"):
            trial.server.stop()
        print(f"# {trial.half_way} tasks caught half-way")
    report.done()


main()
