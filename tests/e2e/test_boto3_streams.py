"""Streams and transactions by boto3: a consumer as people write it, the SDK's error classes, and
what lasts when the server is started again."""

# pylint: disable=import-outside-toplevel

import datetime
import pathlib
import time

import boto
from e2e import Like, Report, Server, equal, temporary_folder, wait_until

SHARDS = 3


def create_table(client, name="Orders"):
    return client.create_table(
        TableName=name,
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    )["TableDescription"]["LatestStreamArn"]


def all_shards(streams, arn, **options):
    """Page after page."""
    shards = []
    while True:
        answer = streams.describe_stream(StreamArn=arn, **options)["StreamDescription"]
        shards += answer["Shards"]
        if "LastEvaluatedShardId" not in answer:
            return shards
        options["ExclusiveStartShardId"] = answer["LastEvaluatedShardId"]


def all_records(streams, arn, **options):
    """What there is now, shard after shard."""
    records = []
    for shard in all_shards(streams, arn):
        iterator = streams.get_shard_iterator(
            StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
        )["ShardIterator"]
        while iterator:
            answer = streams.get_records(ShardIterator=iterator, **options)
            if not answer["Records"]:
                break
            records += answer["Records"]
            iterator = answer.get("NextShardIterator")
    return records


def seen(records):
    return sorted(
        (
            record["dynamodb"]["Keys"]["id"]["S"],
            int(record["dynamodb"]["SequenceNumber"]),
            record["eventName"],
        )
        for record in records
    )


def test_consumer(report, client, streams):
    arn = create_table(client)
    ids = [f"o{i:02}" for i in range(30)]
    for key in ids:
        client.put_item(TableName="Orders", Item={"id": {"S": key}, "n": {"N": "1"}})
    for key in ids:
        client.update_item(
            TableName="Orders",
            Key={"id": {"S": key}},
            UpdateExpression="ADD n :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
        )
    with report.case("the stream is listed and described, in pages"):
        equal([s["StreamArn"] for s in streams.list_streams(TableName="Orders")["Streams"]], [arn])
        shards = all_shards(streams, arn)
        equal(len(shards), SHARDS)
        equal(all_shards(streams, arn, Limit=1), shards)
        described = streams.describe_stream(StreamArn=arn)["StreamDescription"]
        assert isinstance(described["CreationRequestDateTime"], datetime.datetime)
        equal(described["StreamStatus"], "ENABLED")
    with report.case("a consumer sees each item's changes once and in order"):
        for limit in (1, 7, 1000):
            records = all_records(streams, arn, Limit=limit)
            equal(
                [(key, name) for key, _, name in seen(records)],
                [(key, name) for key in ids for name in ("INSERT", "MODIFY")],
            )
    with report.case("records have the SDK's types"):
        record = all_records(streams, arn)[0]
        assert isinstance(record["dynamodb"]["ApproximateCreationDateTime"], datetime.datetime)
        equal(record["eventID"], Like("[0-9a-f]{32}"))
        equal(record["dynamodb"]["NewImage"]["n"], {"N": "1"})
    with report.case("a consumer goes on behind the record it had last"):
        shard = shards[0]["ShardId"]
        start = streams.get_shard_iterator(
            StreamArn=arn, ShardId=shard, ShardIteratorType="TRIM_HORIZON"
        )["ShardIterator"]
        whole = streams.get_records(ShardIterator=start)["Records"]
        for kind, offset in (("AT_SEQUENCE_NUMBER", 3), ("AFTER_SEQUENCE_NUMBER", 4)):
            iterator = streams.get_shard_iterator(
                StreamArn=arn,
                ShardId=shard,
                ShardIteratorType=kind,
                SequenceNumber=whole[3]["dynamodb"]["SequenceNumber"],
            )["ShardIterator"]
            equal(streams.get_records(ShardIterator=iterator)["Records"], whole[offset:])


def test_errors(report, streams):
    unknown = "arn:aws:dynamodb:us-east-1:123456789012:table/Orders/stream/2020-01-01T00:00:00.000"
    known = streams.list_streams(TableName="Orders")["Streams"][0]["StreamArn"]
    missing = streams.exceptions.ResourceNotFoundException
    cases = [
        ("an unknown stream", missing, lambda: streams.describe_stream(StreamArn=unknown)),
        (
            "an unknown shard",
            missing,
            lambda: streams.get_shard_iterator(
                StreamArn=known, ShardId="shardId-" + "0" * 29, ShardIteratorType="LATEST"
            ),
        ),
        (
            "text that is no iterator",
            streams.exceptions.ClientError,
            lambda: streams.get_records(ShardIterator="garbage"),
        ),
    ]
    for name, error, action in cases:
        with report.case(f"{name} is an exception of the SDK"):
            try:
                action()
            except error as caught:
                equal(caught.response["ResponseMetadata"]["HTTPStatusCode"], 400)
            else:
                raise AssertionError("no exception")


def test_expiry(report, client, streams):
    arn = create_table(client, "Sessions")
    client.update_time_to_live(
        TableName="Sessions",
        TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"},
    )
    past = str(int(time.time()) - 1)
    client.put_item(TableName="Sessions", Item={"id": {"S": "s"}, "ttl": {"N": past}})
    with report.case("an item that expired a second ago goes"):
        key = {"TableName": "Sessions", "Key": {"id": {"S": "s"}}}
        wait_until(lambda: "Item" not in client.get_item(**key))
    with report.case("who deleted an expired item"):
        wait_until(lambda: len(all_records(streams, arn)) == 2)
        identities = [record.get("userIdentity") for record in all_records(streams, arn)]
        equal(identities, [None, {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"}])


def test_closed(report, client, streams):
    arn = create_table(client, "Gone")
    client.put_item(TableName="Gone", Item={"id": {"S": "a"}})
    client.delete_table(TableName="Gone")
    with report.case("the stream of a table that is gone is read to its end"):
        equal(seen(all_records(streams, arn))[0][::2], ("a", "INSERT"))
        description = streams.describe_stream(StreamArn=arn)["StreamDescription"]
        equal(description["StreamStatus"], "DISABLED")
        for shard in description["Shards"]:
            assert "EndingSequenceNumber" in shard["SequenceNumberRange"], shard


def test_restart(report, folder):
    options = ("--db", str(folder / "test.db"), "--stream-shards", str(SHARDS))
    write = {
        "TransactItems": [
            {
                "Update": {
                    "TableName": "Orders",
                    "Key": {"id": {"S": "a"}},
                    "UpdateExpression": "ADD n :one",
                    "ExpressionAttributeValues": {":one": {"N": "1"}},
                }
            }
        ],
        "ClientRequestToken": "the-one",
        "ReturnConsumedCapacity": "TOTAL",
    }
    server = Server(*options)
    client, streams = connect(server)
    arn = create_table(client)
    with report.case("a transaction"):
        answer = client.transact_write_items(**write)
        equal(answer["ConsumedCapacity"][0]["WriteCapacityUnits"], 2)
    before = all_records(streams, arn)
    shards = all_shards(streams, arn)
    server.kill()
    with Server(*options) as server:
        client, streams = connect(server)
        with report.case("after kill -9 the stream is what it was"):
            equal(streams.list_streams()["Streams"][0]["StreamArn"], arn)
            equal(all_shards(streams, arn), shards)
            equal(all_records(streams, arn), before)
        with report.case("and the transaction's token is known"):
            answer = client.transact_write_items(**write)
            equal(answer["ConsumedCapacity"][0]["ReadCapacityUnits"], 2)
            equal(all_records(streams, arn), before)
        with report.case("and numbers go on where they were"):
            client.put_item(TableName="Orders", Item={"id": {"S": "a"}})
            numbers = [int(r["dynamodb"]["SequenceNumber"]) for r in all_records(streams, arn)]
            equal((len(numbers), numbers), (2, sorted(numbers)))


def connect(server):
    boto.connect(server)
    return boto.boto3.client("dynamodb"), boto.boto3.client("dynamodbstreams")


def main():
    report = Report()
    if not boto.boto3:
        report.skip("streams by boto3", "there is no boto3")
        report.done()
    with Server("--stream-shards", str(SHARDS), "--ttl-sweep-ms", "100") as server:
        client, streams = connect(server)
        test_consumer(report, client, streams)
        test_errors(report, streams)
        test_expiry(report, client, streams)
        test_closed(report, client, streams)
        with report.case("the server ends cleanly"):
            server.stop()
    with temporary_folder() as folder:
        test_restart(report, pathlib.Path(folder))
    report.done()


main()
