"""Regions: with --regions by-request each has tables of its own, within one world and one file."""

import json
import urllib.request

from admin import must
from e2e import HEADERS, PATIENCE, Report, Server, equal, temporary_folder

APART = ("--regions", "by-request")
TABLE = {
    "TableName": "Baskets",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
}
BY_STATE = {
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "s")],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "byState",
            "KeySchema": [{"AttributeName": "s", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}
SIGNED = HEADERS["Authorization"]


class Region:
    """Requests that are signed for a region, in a world."""

    def __init__(self, server, name, world=None):
        self.server = server
        self.name = name
        self.headers = {"Authorization": SIGNED.replace("us-east-1", name)}
        if world:
            self.headers["x-mockddb-world"] = world

    def post(self, operation, body):
        status, _, answer = self.server.post(operation, body, self.headers)
        return status, json.loads(answer)

    def call(self, operation, body):
        status, answer = self.post(operation, body)
        if status != 200:
            raise RuntimeError(f"{operation} in {self.name} answered {status}: {answer}")
        return answer

    def put(self, key):
        self.call("PutItem", {"TableName": "Baskets", "Item": {"pk": {"S": key}}})

    def keys(self):
        items = self.call("Scan", {"TableName": "Baskets"})["Items"]
        return sorted(item["pk"]["S"] for item in items)

    def tables(self):
        return self.call("ListTables", {})["TableNames"]


def presigned_keys(server):
    """What Scan finds with a signature for eu-central-1 in the query."""
    query = (
        "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=0&X-Amz-SignedHeaders=host"
        "&X-Amz-Credential=a%2F20240101%2Feu-central-1%2Fdynamodb%2Faws4_request"
        "&X-Amz-Date=20240101T000000Z"
    )
    request = urllib.request.Request(
        f"{server.url}/?{query}",
        json.dumps({"TableName": "Baskets"}).encode(),
        {"Content-Type": HEADERS["Content-Type"], "X-Amz-Target": "DynamoDB_20120810.Scan"},
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return [item["pk"]["S"] for item in json.load(answer)["Items"]]


def fill(server, world=None):
    """A table of one name in two regions, with an item each."""
    here, there = Region(server, "us-east-1", world), Region(server, "eu-central-1", world)
    for region, key in ((here, "here"), (there, "there")):
        region.call("CreateTable", TABLE)
        region.put(key)
    return here, there


def apart(report):
    with Server(*APART) as server:
        with report.case("a table of one name in two regions"):
            here, there = fill(server)
            equal((here.keys(), there.keys()), (["here"], ["there"]))
            described = there.call("DescribeTable", {"TableName": "Baskets"})["Table"]
            equal(described["TableArn"].split(":")[3], "eu-central-1")
            equal(Region(server, "ap-south-1").tables(), [])
        with report.case("an ARN of another region"):
            status, answer = here.post("Scan", {"TableName": described["TableArn"]})
            equal(status, 400)
            assert answer["message"].endswith(f"Invalid AWS region in '{described['TableArn']}'")
        with report.case("a signature in the query means the default region"):
            equal(presigned_keys(server), ["here"])
        with report.case("what is no region"):
            status, answer = Region(server, "Mars!").post("ListTables", {})
            equal((status, answer["__type"].split("#")[1]), (400, "InvalidSignatureException"))
            equal(
                answer["message"],
                "Credential should be scoped to a valid region, not 'Mars!'. ",
            )
        with report.case("bytes of a header that are no UTF-8 are characters of ISO 8859-1"):
            status, answer = Region(server, "m\xe4rz").post("ListTables", {})
            assert answer["message"].endswith("not 'm\xe4rz'. "), answer
            status, answer = Region(server, "here", "w\xe5").post("ListTables", {})
            assert answer["message"].startswith("w\xe5 is not a world's name"), answer


def worlds(report):
    with Server(*APART) as server:
        here, there = fill(server, "one")
        named = {"x_mockddb_world": "one"}
        with report.case("a snapshot has all regions"):
            must(server, "POST", "snapshots/kept", {}, **named)
            here.put("later")
            there.call("DeleteTable", {"TableName": "Baskets"})
            must(server, "POST", "snapshots/kept/restore", {}, **named)
            equal((here.keys(), there.keys()), (["here"], ["there"]))
        with report.case("a fork has all regions"):
            must(server, "POST", "worlds/two", {"from": "one"})
            there.put("more")
            equal(Region(server, "eu-central-1", "two").keys(), ["there"])
        with report.case("a reset is one of all regions"):
            must(server, "POST", "reset", {}, **named)
            equal((here.tables(), there.tables()), ([], []))
        with report.case("worlds do not share regions"):
            equal(Region(server, "eu-central-1").tables(), [])


def metrics(report):
    with Server(*APART) as server:
        fill(server)
        Region(server, "eu-central-1").keys()
        with urllib.request.urlopen(f"{server.url}/_mockddb/metrics", timeout=PATIENCE) as answer:
            lines = answer.read().decode().splitlines()
        with report.case("metrics for Prometheus say the region"):
            name = "mockddb_consumed_read_capacity_units_total"
            reads = [line for line in lines if line.startswith(name)]
            labels = 'world="default",region="eu-central-1",table="Baskets"'
            equal(reads, [f"{name}{{{labels}}} 0.5"])
            assert any('region="us-east-1"' in line for line in lines)
        with report.case("the keys of another region's index that take the load"):
            there = Region(server, "eu-central-1")
            there.call("CreateTable", dict(TABLE, TableName="Orders", **BY_STATE))
            there.call(
                "Query",
                {
                    "TableName": "Orders",
                    "IndexName": "byState",
                    "KeyConditionExpression": "s = :s",
                    "ExpressionAttributeValues": {":s": {"S": "open"}},
                },
            )
            there.call("DeleteTable", {"TableName": "Orders"})
            (one,) = must(server, "GET", "metrics/partitions?table=Orders")["partitions"]
            equal((one["index"], one["key"], one["reads"]), ("byState", {"s": {"S": "open"}}, 1))


def files(report):
    with temporary_folder() as folder:
        for name, options in (
            ("--db", ("--db", f"{folder}/one.db")),
            ("--data-dir", ("--data-dir", f"{folder}/worlds")),
        ):
            with report.case(f"regions last with {name}"):
                with Server(*APART, *options) as server:
                    fill(server)
                    server.kill()
                    server.process.returncode = 0
                with Server(*APART, *options) as server:
                    equal(Region(server, "us-east-1").keys(), ["here"])
                    equal(Region(server, "eu-central-1").keys(), ["there"])
        with report.case("a server that does not tell them apart keeps them"):
            with Server("--db", f"{folder}/one.db") as server:
                equal(Region(server, "eu-central-1").keys(), ["here"])
            with Server(*APART, "--db", f"{folder}/one.db") as server:
                equal(Region(server, "eu-central-1").keys(), ["there"])
        with report.case("fixtures are the default region's"):
            with Server(*APART, "--fixtures", "ecommerce", "--region", "eu-west-3") as server:
                equal(Region(server, "us-east-1").tables(), [])
                assert Region(server, "eu-west-3").tables()


def together(report):
    with Server() as server:
        with report.case("without it all regions see the same tables"):
            here, there = Region(server, "us-east-1"), Region(server, "eu-central-1")
            here.call("CreateTable", TABLE)
            there.put("a")
            equal(here.keys(), ["a"])


def main():
    report = Report()
    apart(report)
    worlds(report)
    metrics(report)
    files(report)
    together(report)
    report.done()


main()
