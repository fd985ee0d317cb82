"""`mockddb try` prints all that the server answered, and what it prints comes in again by `import` and `--fixtures`."""

import datetime
import json
import pathlib
import shlex

from e2e import BINARY, Report, Server, equal, run_program, temporary_folder, wait_until

KEYS = {
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}
INDEXED = {
    **KEYS,
    "TableName": "Indexed",
    "AttributeDefinitions": KEYS["AttributeDefinitions"]
    + [{"AttributeName": "g", "AttributeType": "S"}],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "byG",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
            "OnDemandThroughput": {"MaxReadRequestUnits": 7},
        }
    ],
    "VectorIndexes": [
        {
            "IndexName": "near",
            "VectorAttribute": {"AttributeName": "v"},
            "Projection": {"ProjectionType": "ALL"},
            "Dimensions": 3,
            "DistanceFunction": "COSINE",
        }
    ],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    "SSESpecification": {"Enabled": True},
    "WarmThroughput": {"ReadUnitsPerSecond": 13000, "WriteUnitsPerSecond": 5000},
    "DeletionProtectionEnabled": True,
}
REPLICATED = {**KEYS, "TableName": "Replicated"}
ITEM = '{"pk":{"S":"a"},"g":{"S":"b"},"v":{"L":[{"N":"1"},{"N":"0"},{"N":"0"}]}}'

# Commands, and the requests that they are.
READS = (
    ("describe-table --table-name Indexed", "DescribeTable", {"TableName": "Indexed"}),
    ("describe-table --table-name Replicated", "DescribeTable", {"TableName": "Replicated"}),
    (
        "describe-table-replica-auto-scaling --table-name Replicated",
        "DescribeTableReplicaAutoScaling",
        {"TableName": "Replicated"},
    ),
    (
        "describe-continuous-backups --table-name Indexed",
        "DescribeContinuousBackups",
        {"TableName": "Indexed"},
    ),
    ("list-backups", "ListBackups", {}),
    (
        "search-vectors --table-name Indexed --index-name near --top-k 1 --search-vector "
        "N=1 N=0 N=0 --return-consumed-capacity INDEXES",
        "SearchVectors",
        {
            "TableName": "Indexed",
            "IndexName": "near",
            "TopK": 1,
            "SearchVector": [{"N": "1"}, {"N": "0"}, {"N": "0"}],
            "ReturnConsumedCapacity": "INDEXES",
        },
    ),
    (
        "get-item --table-name Indexed --key pk={S=a} --return-consumed-capacity INDEXES",
        "GetItem",
        {"TableName": "Indexed", "Key": {"pk": {"S": "a"}}, "ReturnConsumedCapacity": "INDEXES"},
    ),
)


def plain(value):
    """Moments as seconds, as the service sends them."""
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [plain(element) for element in value]
    if isinstance(value, str) and value[10:11] == "T" and value.endswith("+00:00"):
        return datetime.datetime.fromisoformat(value).timestamp()
    return value


def attempt(words, *options):
    ended = run_program([BINARY, "try", *options, "aws", "dynamodb", *words], TZ="UTC")
    equal(ended.returncode, 0)
    return ended.stdout


def make_tables(server):
    server.call("CreateTable", INDEXED)
    server.call("CreateTable", REPLICATED)
    server.call(
        "UpdateTable",
        {"TableName": "Replicated", "ReplicaUpdates": [{"Create": {"RegionName": "us-west-2"}}]},
    )
    for table in ("Indexed", "Replicated"):
        wait_until(
            lambda name=table: server.call("DescribeTable", {"TableName": name})["Table"][
                "TableStatus"
            ]
            == "ACTIVE"
        )


def whole_answers(report, server):
    with report.case("a write's consumed capacity has vector indexes"):
        words = ["put-item", "--table-name", "Indexed", "--item", ITEM]
        words += ["--return-consumed-capacity", "INDEXES"]
        printed = json.loads(attempt(words, "--endpoint", server.url))
        equal(list(printed["ConsumedCapacity"]["VectorIndexes"]), ["near"])
    server.call("CreateBackup", {"TableName": "Indexed", "BackupName": "kept"})
    for line, operation, request in READS:
        with report.case(f"nothing is lost: {line}"):
            printed = attempt(shlex.split(line), "--endpoint", server.url)
            equal(plain(json.loads(printed)), server.call(operation, request))
    with report.case("nothing is lost: describe-backup"):
        arn = server.call("ListBackups", {})["BackupSummaries"][0]["BackupArn"]
        printed = attempt(["describe-backup", "--backup-arn", arn], "--endpoint", server.url)
        equal(plain(json.loads(printed)), server.call("DescribeBackup", {"BackupArn": arn}))


def come_in_again(report, server):
    with temporary_folder() as folder:
        tables = pathlib.Path(folder) / "tables"
        tables.mkdir()
        for name in ("Indexed", "Replicated"):
            words = ["describe-table", "--table-name", name]
            (tables / f"{name}.json").write_text(attempt(words, "--endpoint", server.url))
        for name, members in (("Indexed", INDEXED), ("Replicated", REPLICATED)):
            with report.case(f"what is printed of {name} is a fixture"):
                words = ["describe-table", "--table-name", name]
                again = json.loads(attempt(words, "--fixtures", folder))["Table"]
                equal(len(again.get("VectorIndexes", [])), len(members.get("VectorIndexes", [])))
                equal("Replicas" in again, False)
            with report.case(f"what is printed of {name} is imported"):
                words = [BINARY, "import", tables / f"{name}.json", "--db", f"{folder}/{name}.db"]
                ended = run_program(words)
                equal((ended.returncode, "1 table made" in ended.stdout + ended.stderr), (0, True))


def main():
    report = Report()
    with Server() as server:
        make_tables(server)
        whole_answers(report, server)
        come_in_again(report, server)
    report.done()


main()
