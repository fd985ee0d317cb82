"""Tables change state at once or over time, as the server was asked to; the waiters of boto3 and the
AWS CLI come to their end both ways. Expired items go, and the stream says who deleted them."""

import time

import boto
from admin import must
from e2e import Report, Server, Shell, equal, wait_until

STRING_KEY = [{"AttributeName": "pk", "AttributeType": "S"}]
GSI = {
    "IndexName": "byColour",
    "KeySchema": [{"AttributeName": "colour", "KeyType": "HASH"}],
    "Projection": {"ProjectionType": "ALL"},
}
ITEMS = 1200  # more than one slice of a backfill


def create(client, **more):
    return client.create_table(
        TableName="Things",
        AttributeDefinitions=STRING_KEY,
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        BillingMode="PAY_PER_REQUEST",
        **more,
    )["TableDescription"]


def wait(client, waiter):
    client.get_waiter(waiter).wait(TableName="Things", WaiterConfig={"Delay": 1, "MaxAttempts": 600})


def state(client):
    table = client.describe_table(TableName="Things")["Table"]
    index = table["GlobalSecondaryIndexes"][0]
    return table["TableStatus"], index["IndexStatus"], index.get("Backfilling")


def states(client):
    """The states a new index goes through, as DescribeTable shows them."""
    seen = []

    def ready():
        now = state(client)
        if now not in seen:
            seen.append(now)
        return now[1] == "ACTIVE"

    wait_until(ready)
    return seen


def life(report, server, expected_states, takes_time):
    case = report.case
    client = boto.boto3.client("dynamodb")

    with case("boto3 waits until a table exists"):
        equal(create(client)["TableStatus"], "CREATING")
        wait(client, "table_exists")
        equal(client.describe_table(TableName="Things")["Table"]["TableStatus"], "ACTIVE")
    with case("an index is added to a table with items"):
        things = [{"pk": {"S": str(i)}, "colour": {"S": "red"}} for i in range(ITEMS)]
        server.put_items("Things", things)
        must(server, "POST", "clock", {"freeze": True})
        client.update_table(
            TableName="Things",
            AttributeDefinitions=[{"AttributeName": "colour", "AttributeType": "S"}],
            GlobalSecondaryIndexUpdates=[{"Create": GSI}],
        )
        if takes_time:
            equal(state(client), expected_states[0])
        must(server, "POST", "clock", {"resume": True})
        seen = states(client)
        equal(seen, [one for one in expected_states if one in seen])  # one that is short may not be seen
        pages = client.get_paginator("query").paginate(
            TableName="Things",
            IndexName="byColour",
            KeyConditionExpression="colour = :c",
            ExpressionAttributeValues={":c": {"S": "red"}},
        )
        equal(sum(page["Count"] for page in pages), ITEMS)
    with case("boto3 waits until a table is gone"):
        answer = client.delete_table(TableName="Things")
        equal(answer["TableDescription"]["TableStatus"], "DELETING")
        wait(client, "table_not_exists")
        equal(client.list_tables()["TableNames"], [])


def command_line(report, server):
    with Shell(server) as shell:
        if not shell.cli:
            report.skip("the CLI's waiters", "there is no AWS CLI")
            return
        with report.case("the CLI waits for a table to come and go"):
            server.call(
                "CreateTable",
                {
                    "TableName": "Things",
                    "AttributeDefinitions": STRING_KEY,
                    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                    "BillingMode": "PAY_PER_REQUEST",
                },
            )
            answer = shell.run(
                "aws dynamodb wait table-exists --table-name Things && "
                "aws dynamodb delete-table --table-name Things && "
                "aws dynamodb wait table-not-exists --table-name Things && "
                "aws dynamodb list-tables --output text"
            )
            equal((answer.status, answer.stderr), (0, ""))
            assert "DELETING" in answer.stdout, answer.stdout


def keys_of(items):
    return {item["pk"]["S"] for item in items}


def expiry(report):
    with report.case("expired items go"), Server() as server:
        boto.connect(server)
        client, streams = boto.boto3.client("dynamodb"), boto.boto3.client("dynamodbstreams")
        stream = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
        arn = create(client, StreamSpecification=stream)["LatestStreamArn"]
        client.update_time_to_live(
            TableName="Things",
            TimeToLiveSpecification={"Enabled": True, "AttributeName": "until"},
        )
        for key, until in (("new", time.time() + 3600), ("old", time.time() - 10)):
            thing = {"pk": {"S": key}, "until": {"N": str(int(until))}}
            client.put_item(TableName="Things", Item=thing)
        wait_until(lambda: "old" not in keys_of(client.scan(TableName="Things")["Items"]))
        shard = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]
        iterator = streams.get_shard_iterator(
            StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
        )["ShardIterator"]
        record = streams.get_records(ShardIterator=iterator)["Records"][-1]
        equal(record["eventName"], "REMOVE")
        equal(
            record["userIdentity"],
            {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"},
        )


def main():
    report = Report()
    if not boto.boto3:
        report.skip("states of tables", "there is no boto3")
        report.done()
    filling = [("ACTIVE", "CREATING", True), ("ACTIVE", "ACTIVE", None)]
    allocating = [("UPDATING", "CREATING", False), *filling]
    for arguments, expected in (
        ((), filling),
        (("--transition-ms", "1200"), allocating),
        (("-delayTransientStatuses",), allocating),
    ):
        with Server(*arguments) as server:
            boto.connect(server)
            life(report, server, expected, bool(arguments))
            if arguments != ("-delayTransientStatuses",):
                command_line(report, server)
    expiry(report)
    report.done()


main()
