#!/usr/bin/env python3
"""Settings of tables that are copied: pull, push, export --schema and ddb-capture carry them, or say at the end what a copy
lacks."""

import json
import pathlib
import tempfile

from e2e import BINARY, PROGRAMS, Report, Server, equal, run_program

KEY = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
CARRIED = {
    "SSESpecification": {"Enabled": True, "SSEType": "KMS"},
    "WarmThroughput": {"ReadUnitsPerSecond": 15000, "WriteUnitsPerSecond": 5000},
    "DeletionProtectionEnabled": True,
    "TableClass": "STANDARD_INFREQUENT_ACCESS",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    "OnDemandThroughput": {"MaxReadRequestUnits": 100, "MaxWriteRequestUnits": 50},
}
TABLE = {
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": KEY["KeySchema"],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
}
INDEX = {"IndexName": "all", **KEY, "WarmThroughput": {"ReadUnitsPerSecond": 13000, "WriteUnitsPerSecond": 4000}}
TAGS = [{"Key": "Owner", "Value": "me + you \u00fc"}, {"Key": "Team", "Value": "a"}]
NAMED = "the KMS key, a resource policy, point-in-time recovery, contributor insights, Kinesis destinations"


def make_tables(server):
    server.call("CreateTable", TABLE | CARRIED | {"TableName": "Full", "Tags": TAGS, "GlobalSecondaryIndexes": [INDEX]})
    server.call("CreateTable", TABLE | {"TableName": "Plain"})
    server.call("CreateTable", TABLE | {
        "TableName": "Bought", "BillingMode": "PROVISIONED",
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
    })
    arn = server.call("DescribeTable", {"TableName": "Full"})["Table"]["TableArn"]
    server.call("UpdateTimeToLive", {"TableName": "Full", "TimeToLiveSpecification": {"AttributeName": "ttl", "Enabled": True}})
    policy = {"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": {"AWS": arn.split(":")[4]}, "Action": "dynamodb:GetItem", "Resource": arn}
    ]}
    server.call("PutResourcePolicy", {"ResourceArn": arn, "Policy": json.dumps(policy)})
    server.call("UpdateContinuousBackups", {
        "TableName": "Full", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
    })
    server.call("UpdateContributorInsights", {
        "TableName": "Full", "IndexName": "all", "ContributorInsightsAction": "ENABLE",
    })
    stream = arn.replace("dynamodb", "kinesis").replace("table/Full", "stream/s")
    server.call("EnableKinesisStreamingDestination", {"TableName": "Full", "StreamArn": stream})


def settings(server, table="Full"):
    """What is to be the same in a copy."""
    described = server.call("DescribeTable", {"TableName": table})["Table"]
    arn = described["TableArn"]
    warm = [described["WarmThroughput"]] + [index["WarmThroughput"] for index in described.get("GlobalSecondaryIndexes", [])]
    return {
        "sse": described.get("SSEDescription", {}).get("SSEType"),
        "warm": [{name: part[name] for name in ("ReadUnitsPerSecond", "WriteUnitsPerSecond")} for part in warm],
        "protected": described.get("DeletionProtectionEnabled"),
        "class": described.get("TableClassSummary", {}).get("TableClass"),
        "stream": described.get("StreamSpecification"),
        "most": described.get("OnDemandThroughput"),
        "tags": server.call("ListTagsOfResource", {"ResourceArn": arn})["Tags"],
        "ttl": server.call("DescribeTimeToLive", {"TableName": table})["TimeToLiveDescription"].get("AttributeName"),
    }


def succeeded(ended):
    if ended.returncode:
        raise AssertionError(ended)
    return ended.stderr


def said(stderr):
    return [line for line in stderr.splitlines() if " are not c" in line]


BOUGHT = "of Bought these are not copied: auto scaling (another service, which is not asked)"


def copies(report, server, base):
    expected = settings(server)
    with report.case("pull into a file"):
        stderr = succeeded(run_program([BINARY, "pull", "--endpoint", server.url, "--db", base / "t.db"]))
        equal(said(stderr), [BOUGHT, f"of Full these are not copied: {NAMED}"])
        with Server("--db", base / "t.db") as copy:
            equal(settings(copy), expected)
            equal(settings(copy, "Plain"), settings(server, "Plain"))
    with report.case("push of a file"), Server() as copy:
        stderr = succeeded(run_program([BINARY, "push", "--endpoint", copy.url, "--db", base / "t.db"]))
        equal((settings(copy), said(stderr)), (expected, [BOUGHT, "of Full these are not copied: the KMS key"]))
    with report.case("pull of a fixture, which a server loads"):
        stderr = succeeded(run_program([BINARY, "pull", "--endpoint", server.url, base / "fixture"]))
        equal(said(stderr), [BOUGHT, f"of Full these are not copied: {NAMED}"])
        with Server("--fixtures", base / "fixture") as copy:
            equal(settings(copy), expected)
    with report.case("export --schema, imported"), Server() as copy:
        words = ("--table", "Full", "--schema", base / "schema.json", base / "Full.json")
        stderr = succeeded(run_program([BINARY, "export", "--endpoint", server.url, *words]))
        equal(said(stderr), [f"of Full these are not copied: {NAMED}"])
        succeeded(run_program([BINARY, "import", "--endpoint", copy.url, base / "schema.json", base / "Full.json"]))
        equal(settings(copy), expected)
    with report.case("an export without a schema asks for none of it"):
        stderr = succeeded(run_program([BINARY, "export", "--endpoint", server.url, "--table", "Full", "-"]))
        equal(said(stderr), [])
    with report.case("ddb-capture carries what the description has, and names the rest"):
        words = ("--endpoint", server.url, "--into", base / "captured", "--table", "Full")
        stderr = succeeded(run_program([PROGRAMS / "ddb-capture", *words]))
        asked = "tags, a resource policy, point-in-time recovery, contributor insights and Kinesis destinations (not asked for)"
        equal(said(stderr), [f"ddb-capture: of Full these are not captured: the KMS key, {asked}"])
        with Server("--fixtures", base / "captured") as copy:
            equal(settings(copy), expected | {"tags": []})


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as folder, Server() as server:
        make_tables(server)
        copies(report, server, pathlib.Path(folder))
    report.done()


main()
