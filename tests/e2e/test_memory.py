"""Memory after many requests of every kind is where it was after few: the data stay what they are,
good requests and bad ones come in pipelines, on connections that come and go.

    test_memory.py [REQUESTS]      default 30000; 1000000 take two minutes with the release build
"""

import collections
import itertools
import json
import pathlib
import random
import re
import socket
import sys

from e2e import PATIENCE, PLAIN_BINARY, Report, Server, equal, temporary_folder, wait_until
from hostile import memory, request

REQUESTS = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
EARLY = 10_000  # requests after which memory should have reached what it needs
MOST_GROWTH_MB = 6  # a huge page or two may come
BATCH = 40  # requests in a pipeline
BATCHES = 25  # on one connection
KEYS = 50
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)\r\n")


def table(name, **more):
    return {
        "TableName": name,
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "n", "AttributeType": "N"},
        ],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "byN",
                "KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        "VectorIndexes": [
            {
                "IndexName": "byV",
                "VectorAttribute": {"AttributeName": "v"},
                "Projection": {"ProjectionType": "ALL"},
                "Dimensions": 3,
                "DistanceFunction": "COSINE",
            }
        ],
        **more,
    }


def vector(value):
    return [{"N": str(n % 7 - 3)} for n in (value, value * 3, value * 5)]


def item(number, value):
    """As large as any other under its key."""
    text = {"S": "x" * (100 + 20 * (number % 30))}
    return {
        "pk": {"S": f"k{number}"},
        "n": {"N": str(100 + value % 900)},
        "text": text,
        "v": {"L": vector(value)},
    }


def of_items(name, number):
    """Requests about one item, as (operation, body)."""
    t, key, gone = {"TableName": name}, {"pk": {"S": f"k{number}"}}, {"pk": {"S": "none"}}
    where = f"WHERE pk = 'k{number}'"
    value = {":v": {"N": str(100 + number)}}
    put = t | {"Item": item(number, number * 7)}
    update = t | {
        "Key": key,
        "UpdateExpression": "SET n = :v",
        "ExpressionAttributeValues": value,
    }
    set_n = f"UPDATE {name} SET n = {100 + number * 3} {where}"
    check = t | {"Key": key, "ConditionExpression": "attribute_not_exists(a)"}
    return (
        ("PutItem", put),
        ("PutItem", put | {"ConditionExpression": "attribute_not_exists(pk)"}),
        ("GetItem", t | {"Key": key}),
        ("GetItem", t | {"Key": key, "ProjectionExpression": "n, text.a[3]"}),
        ("UpdateItem", update | {"ReturnValues": "ALL_OLD"}),
        ("DeleteItem", t | {"Key": key, "ReturnValues": "ALL_OLD"}),
        ("PutItem", put | {"ReturnConsumedCapacity": "INDEXES"}),
        ("BatchGetItem", {"RequestItems": {name: {"Keys": [key, gone]}}}),
        ("BatchWriteItem", {"RequestItems": {name: [{"PutRequest": {"Item": put["Item"]}}]}}),
        ("TransactGetItems", {"TransactItems": [{"Get": t | {"Key": key}}]}),
        ("TransactWriteItems", {"TransactItems": [{"Put": put}]}),
        (
            "TransactWriteItems",
            {"TransactItems": [{"ConditionCheck": check}], "ClientRequestToken": f"t{number}"},
        ),
        (
            "TransactWriteItems",
            {"TransactItems": [{"Update": update}, {"Delete": t | {"Key": gone}}]},
        ),
        ("ExecuteStatement", {"Statement": f"SELECT * FROM {name} {where}"}),
        ("ExecuteStatement", {"Statement": set_n}),
        ("BatchExecuteStatement", {"Statements": [{"Statement": set_n}]}),
        ("ExecuteTransaction", {"TransactStatements": [{"Statement": set_n}]}),
        ("ExecuteStatement", {"Statement": f"INSERT INTO {name} VALUE {{'pk': 'k{number}'}}"}),
        (
            "Query",
            t
            | {
                "IndexName": "byN",
                "KeyConditionExpression": "n = :v",
                "ExpressionAttributeValues": value,
            },
        ),
        ("SearchVectors", t | {"IndexName": "byV", "SearchVector": vector(number), "TopK": 3}),
        ("Scan", t | {"Limit": 5, "ExclusiveStartKey": key}),
        ("Scan", t | {"FilterExpression": "n > :v", "ExpressionAttributeValues": value}),
    )


def recovery(enabled):
    return {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": enabled}}


def of_tables(arn, stream, shard, iterator):
    """Requests about tables: the table Coming is made, changed and deleted again and again."""
    coming = {"TableName": "Coming"}
    tags = [{"Key": "k", "Value": "v"}]
    reader = {"AWS": "111122223333"}
    allow = {"Effect": "Allow", "Principal": reader, "Action": "dynamodb:GetItem", "Resource": arn}
    policy = json.dumps({"Statement": allow})
    late = {
        "IndexName": "late",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "KEYS_ONLY"},
    }
    definitions = table("Coming")["AttributeDefinitions"]
    at = {"StreamArn": stream, "ShardId": shard}
    kinesis = {"StreamArn": "arn:aws:kinesis:us-east-1:123456789012:stream/orders"}
    microseconds = {
        "UpdateKinesisStreamingConfiguration": {
            "ApproximateCreationDateTimePrecision": "MICROSECOND"
        }
    }
    return (
        ("CreateTable", table("Coming")),
        ("DescribeTable", coming),
        ("BatchWriteItem", {"RequestItems": {"Coming": [{"PutRequest": {"Item": item(1, 1)}}]}}),
        (
            "UpdateTable",
            coming
            | {
                "AttributeDefinitions": definitions,
                "GlobalSecondaryIndexUpdates": [{"Create": late}],
            },
        ),
        ("ListTables", {"Limit": 1}),
        (
            "UpdateTimeToLive",
            coming | {"TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"}},
        ),
        ("DescribeTimeToLive", coming),
        ("UpdateContinuousBackups", coming | recovery(True)),
        ("DescribeContinuousBackups", coming),
        ("UpdateContributorInsights", coming | {"ContributorInsightsAction": "ENABLE"}),
        ("DescribeContributorInsights", coming),
        ("ListContributorInsights", {}),
        ("ListGlobalTables", {}),
        ("UpdateContributorInsights", coming | {"ContributorInsightsAction": "DISABLE"}),
        ("EnableKinesisStreamingDestination", coming | kinesis),
        ("UpdateKinesisStreamingDestination", coming | kinesis | microseconds),
        ("DescribeKinesisStreamingDestination", coming),
        ("DisableKinesisStreamingDestination", coming | kinesis),
        (
            "RestoreTableToPointInTime",
            {
                "SourceTableName": "Coming",
                "TargetTableName": "Back",
                "UseLatestRestorableTime": True,
            },
        ),
        ("UpdateContinuousBackups", coming | recovery(False)),
        ("DeleteTable", {"TableName": "Back"}),
        ("UpdateTable", coming | {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "x"}}]}),
        ("DeleteTable", coming),
        ("TagResource", {"ResourceArn": arn, "Tags": tags}),
        ("ListTagsOfResource", {"ResourceArn": arn}),
        ("UntagResource", {"ResourceArn": arn, "TagKeys": ["k"]}),
        ("PutResourcePolicy", {"ResourceArn": arn, "Policy": policy}),
        ("GetResourcePolicy", {"ResourceArn": arn}),
        ("DeleteResourcePolicy", {"ResourceArn": arn}),
        ("DescribeLimits", {}),
        ("DescribeEndpoints", {}),
        ("ListStreams", {}),
        ("DescribeStream", {"StreamArn": stream}),
        ("GetShardIterator", at | {"ShardIteratorType": "TRIM_HORIZON"}),
        ("GetRecords", {"ShardIterator": iterator}),
        ("GetRecords", {"ShardIterator": iterator, "Limit": 3}),
    )


BROKEN = (
    ("Nothing", b"{}"),
    ("PutItem", b'{"TableName": "Kept", "Item": {"pk": {"S": "a"'),
    ("PutItem", b'{"TableName": "Kept", "Item": {"pk": {"N": "1"}}}'),
    ("PutItem", b'{"TableName": "Kept", "Item": {"pk": {"S": "\xff"}}}'),
    ("PutItem", b'{"TableName": "Kept", "Item": ' + b'{"L":[' * 3000),
    ("PutItem", b'{"TableName": "Kept", "Item": {"pk": {"S": "' + b"y" * 450_000 + b'"}}}'),
    ("Scan", b'{"TableName": "Kept", "FilterExpression": "' + b"(" * 3000 + b'"}'),
    ("Scan", b'{"TableName": "Missing"}'),
    ("ExecuteStatement", b'{"Statement": "SELECT * FROM Kept WHERE ' + b"(" * 300 + b'"}'),
    ("GetRecords", b'{"ShardIterator": "nonsense"}'),
)


def encoded(operation, body):
    return operation, request(operation, body)


def all_requests(server):
    """Every kind of request as (operation, bytes); what changes tables stays in its order."""
    description = server.call("DescribeTable", {"TableName": "Read"})["Table"]
    stream = description["LatestStreamArn"]
    shards = server.call("DescribeStream", {"StreamArn": stream})["StreamDescription"]["Shards"]
    at = {"StreamArn": stream, "ShardId": shards[0]["ShardId"]}
    start = server.call("GetShardIterator", at | {"ShardIteratorType": "TRIM_HORIZON"})
    of_all = of_tables(
        description["TableArn"], stream, shards[0]["ShardId"], start["ShardIterator"]
    )
    few = [encoded(*wanted) for wanted in (*of_all, *BROKEN)]
    mixed = [encoded(*wanted) for n in range(KEYS) for wanted in of_items("Kept", n)]
    random.Random(1).shuffle(mixed)
    return [one for pair in zip(mixed, itertools.cycle(few)) for one in pair]


class Pipeline:
    """A connection on which replies are counted."""

    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        self.received = bytearray()

    def answers(self, requests):
        """Sends them all at once; the status of each reply."""
        self.socket.sendall(b"".join(data for _, data in requests))
        return [self.answer() for _ in requests]

    def answer(self):
        while (end := self.received.find(b"\r\n\r\n")) < 0:
            self.receive()
        status = int(self.received[9:12])
        end += 4 + int(LENGTH.search(self.received, 0, end + 2)[1])
        while len(self.received) < end:
            self.receive()
        del self.received[:end]
        return status

    def receive(self):
        part = self.socket.recv(262144)
        if not part:
            raise AssertionError("the connection was closed")
        self.received += part

    def close(self):
        self.socket.close()


def back_up(server, counts):
    """A backup that comes and goes, and a table from it: their names are not known before."""
    created = server.call("CreateBackup", {"TableName": "Read", "BackupName": "read"})
    backup = {"BackupArn": created["BackupDetails"]["BackupArn"]}
    for operation, body in (
        ("ListBackups", {"BackupType": "ALL"}),
        ("DescribeBackup", backup),
        ("RestoreTableFromBackup", backup | {"TargetTableName": "From"}),
    ):
        server.call(operation, body)
        counts.update([(operation, 200)])
    wait_until(lambda: server.post("DeleteTable", {"TableName": "From"})[0] == 200)
    wait_until(lambda: server.post("DeleteBackup", backup)[0] == 200)


def export(server, counts):
    """Exports, imports and bulk puts whose bucket is not there: their names are not known before."""
    table = server.call("DescribeTable", {"TableName": "Read"})["Table"]["TableArn"]
    server.call("UpdateContinuousBackups", {"TableName": "Read"} | recovery(True))
    asked = {"TableArn": table, "S3Bucket": "bucket"}
    arn = server.call("ExportTableToPointInTime", asked)["ExportDescription"]["ExportArn"]
    keys = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
    keys |= {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "TableName": "Imported"}
    asked = {"S3BucketSource": {"S3Bucket": "bucket"}, "InputFormat": "ION", "ClientToken": "t"}
    asked |= {"TableCreationParameters": keys | {"BillingMode": "PAY_PER_REQUEST"}}
    imported = server.call("ImportTable", asked)["ImportTableDescription"]["ImportArn"]
    asked = {
        "TableName": "Read",
        "InputS3Configuration": {"S3Bucket": "bucket", "InputFormat": "ION"},
        "OutputS3Configuration": {"S3Bucket": "bucket", "OutputType": ["ERROR"]},
    }
    put = server.call("StartBulkPutItems", asked)["BulkOperationDescription"]
    put = {"BulkOperationArn": put["BulkOperationArn"]}
    for operation, body in (
        ("DescribeExport", {"ExportArn": arn}),
        ("ListExports", {}),
        ("DescribeImport", {"ImportArn": imported}),
        ("ListImports", {}),
        ("DescribeBulkOperation", put),
        ("CancelBulkOperation", put),
        ("ListBulkOperations", {}),
    ):
        server.call(operation, body)
        counts.update([(operation, 200)])
    counts.update(
        (name, 200) for name in ("ExportTableToPointInTime", "ImportTable", "StartBulkPutItems")
    )
    server.call("UpdateContinuousBackups", {"TableName": "Read"} | recovery(False))


def send_many(server, requests, count, counts):
    """Goes on in an endless iterator of requests."""
    sent = 0
    while sent < count:
        pipeline = Pipeline(server)
        for _ in range(BATCHES):
            batch = list(itertools.islice(requests, min(BATCH, count - sent)))
            counts.update(zip((name for name, _ in batch), pipeline.answers(batch)))
            sent += len(batch)
        pipeline.close()
        back_up(server, counts)
        export(server, counts)


def measure(report, kind, *options):
    with report.case(f"{kind}: memory stays after {REQUESTS} requests"), Server(*options) as server:
        server.call("CreateTable", table("Kept"))
        stream = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
        server.call("CreateTable", table("Read", StreamSpecification=stream))
        for name in ("Kept", "Read"):
            server.put_items(name, [item(n, n) for n in range(KEYS)])
        requests, counts = itertools.cycle(all_requests(server)), collections.Counter()
        seen = []
        for count in (EARLY, (REQUESTS - EARLY) // 2, (REQUESTS - EARLY) // 2):
            send_many(server, requests, count, counts)
            seen.append(memory(server))
        failed = sum(count for (_, status), count in counts.items() if status == 400)
        print(f"# {kind}: {', '.join(f'{mb:.1f}' for mb in seen)} MB; {failed} answers were errors")
        equal({status for _, status in counts}, {200, 400})
        done = {name for name, status in counts if status == 200}
        equal({name for name, _ in counts} - done, {"Nothing"})
        assert seen[2] - seen[0] < MOST_GROWTH_MB, f"{seen[2] - seen[0]:.1f} MB more"


BY_TURNS = 12  # items of 4 KB: their table's pages lie between the other's, three by three
BATCHES_BY_TURNS = 400
LEAST_BACK_MB = 12  # of 19


def check_deleted_table(report):
    """What one of two tables had goes back, though the other's pages lie between its own."""
    names = ("One", "Other")
    with Server(binary=PLAIN_BINARY) as server:
        for name in names:
            server.call(
                "CreateTable",
                {
                    "TableName": name,
                    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                    "BillingMode": "PAY_PER_REQUEST",
                },
            )
        for batch in range(BATCHES_BY_TURNS):
            items = [
                {"pk": {"S": f"{batch}.{n}"}, "text": {"S": "x" * 4000}} for n in range(BY_TURNS)
            ]
            for name in names:
                server.put_items(name, items)
        full = memory(server)
        with report.case("memory of a table that was written by turns with another one goes back"):
            server.call("DeleteTable", {"TableName": "One"})
            wait_until(lambda: memory(server) <= max(full - LEAST_BACK_MB, 0))
            equal(
                server.call("DescribeTable", {"TableName": "Other"})["Table"]["ItemCount"],
                BATCHES_BY_TURNS * BY_TURNS,
            )


def main():
    report = Report()
    check_deleted_table(report)
    measure(report, "in memory")
    with temporary_folder() as folder:
        measure(report, "in a file", "--db", str(pathlib.Path(folder) / "memory.db"))
    report.done()


main()
