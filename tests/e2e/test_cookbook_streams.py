"""The cookbook's transactions and streams, as typed."""

from cookbook import drop, item, run_sections, table
from e2e import Commands, Like, Refusal, Report, Server, Shell, equal

CANCELLED = "Transaction cancelled, please refer cancellation reasons for specific reasons "
ARN = r"arn:aws:dynamodb:us-east-1:\d{12}:table/Orders/stream/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}"

WRITE = r"""
aws dynamodb transact-write-items \
--transact-items '[
{
"Put": {
"TableName": "Orders",
"Item": {"orderId":{"S":"ord-1"},"status":{"S":"placed"}},
"ConditionExpression": "attribute_not_exists(orderId)"
}
},
{
"Update": {
"TableName": "Inventory",
"Key": {"itemId":{"S":"sku-1"}},
"UpdateExpression": "ADD stock :dec",
"ConditionExpression": "stock >= :min",
"ExpressionAttributeValues": {":dec":{"N":"-1"},":min":{"N":"1"}}
}
}
]'
"""


def cancelled(reasons):
    return Refusal("TransactWriteItems", "TransactionCanceledException", CANCELLED + reasons)


def stock(server):
    key = {"TableName": "Inventory", "Key": item(itemId="sku-1")}
    return server.call("GetItem", key)["Item"]["stock"]["N"]


def transactions(command, server):
    for name, key in (("Users", "userId"), ("Accounts", "accountId"), ("Inventory", "itemId")):
        table(server, name, key)
    server.put_items("Users", [item(userId="u1", name="Alice")])
    get = r"""
aws dynamodb transact-get-items \
--transact-items '[
{"Get": {"TableName":"Users","Key":{"userId":{"S":"u1"}}}},
{"Get": {"TableName":"Accounts","Key":{"accountId":{"S":"a1"}}}}
]'
"""
    alice = {"Item": item(userId="u1", name="Alice")}
    command("read from two tables, one item missing", get, {"Responses": [alice, {}]})
    server.put_items("Accounts", [item(accountId="a1", balance=7)])
    account = {"Item": item(accountId="a1", balance=7)}
    command("read from two tables", get, {"Responses": [alice, account]})

    server.put_items("Inventory", [item(itemId="sku-1", stock=1)])
    table(server, "Orders", "customerId", "orderId")
    command(
        "write to the cookbook's own table of orders, which has another key",
        WRITE,
        cancelled("[ValidationError, None]"),
    )
    drop(server, "Orders")
    table(server, "Orders", "orderId")
    command("write to two tables", WRITE, "")
    with command.report.case("both writes are done"):
        equal(
            server.call("Scan", {"TableName": "Orders"})["Items"],
            [item(orderId="ord-1", status="placed")],
        )
        equal(stock(server), "0")
    command(
        "write again: the order exists and stock is out",
        WRITE,
        cancelled("[ConditionalCheckFailed, ConditionalCheckFailed]"),
    )
    command(
        "write another order: stock is out, so nothing is written",
        WRITE.replace("ord-1", "ord-2"),
        cancelled("[None, ConditionalCheckFailed]"),
    )
    with command.report.case("nothing of it is there"):
        equal(server.call("Scan", {"TableName": "Orders", "Select": "COUNT"})["Count"], 1)
        equal(stock(server), "0")
    drop(server, "Users", "Accounts", "Inventory", "Orders")


READ_RECORDS = r"""
STREAM_ARN=$(aws dynamodb describe-table \
--table-name Orders \
--query "Table.LatestStreamArn" --output text)
SHARD_ID=$(aws dynamodbstreams describe-stream \
--stream-arn $STREAM_ARN \
--query "StreamDescription.Shards[0].ShardId" --output text)
ITERATOR=$(aws dynamodbstreams get-shard-iterator \
--stream-arn $STREAM_ARN \
--shard-id $SHARD_ID \
--shard-iterator-type TRIM_HORIZON \
--query "ShardIterator" --output text)
aws dynamodbstreams get-records --shard-iterator $ITERATOR
"""


def streams(command, server):
    case, shell = command.report.case, command.shell
    table(server, "Orders", "orderId")
    with case("enable a stream"):
        answer = shell.run(
            r"""
aws dynamodb update-table \
--table-name Orders \
--stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES
"""
        ).json["TableDescription"]
        equal(
            answer["StreamSpecification"],
            {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        )
        equal(answer["LatestStreamArn"], Like(ARN))
    arn = server.call("DescribeTable", {"TableName": "Orders"})["Table"].get("LatestStreamArn")
    command(
        "the stream's ARN",
        r"""
aws dynamodb describe-table \
--table-name Orders \
--query "Table.LatestStreamArn" --output text
""",
        f"{arn}\n",
    )
    listed = {
        "Streams": [
            {"StreamArn": arn, "TableName": "Orders", "StreamLabel": str(arn).split("/stream/")[-1]}
        ]
    }
    command("list all streams", "aws dynamodbstreams list-streams", listed)
    command(
        "list a table's streams", "aws dynamodbstreams list-streams --table-name Orders", listed
    )
    strange = "arn:aws:dynamodb:us-east-1:123456789012:table/Orders/stream/2024-01-01T00:00:00.000"
    command(
        "describe a stream that is not there",
        f"aws dynamodbstreams describe-stream --stream-arn {strange}",
        Refusal(
            "DescribeStream",
            "ResourceNotFoundException",
            f"Requested resource not found: Stream: {strange} not found",
        ),
    )
    records(command, server, arn)
    with case("disable the stream"):
        answer = shell.run(
            r"""
aws dynamodb update-table \
--table-name Orders \
--stream-specification StreamEnabled=false
"""
        ).json["TableDescription"]
        equal(answer["TableName"], "Orders")
        after = server.call("DescribeTable", {"TableName": "Orders"})["Table"]
        equal(("StreamSpecification" in after, after["LatestStreamArn"]), (False, arn))
    with case("a stream that was disabled can still be read"):
        equal(len(shell.run(READ_RECORDS).json["Records"]), 3)


def records(command, server, arn):
    """One item comes, changes and goes; a write that changes nothing leaves no record."""
    case, shell = command.report.case, command.shell
    placed, shipped = (item(orderId="ord-1", status=s) for s in ("placed", "shipped"))
    server.put_items("Orders", [placed])
    server.put_items("Orders", [placed])
    server.put_items("Orders", [shipped])
    server.call("DeleteItem", {"TableName": "Orders", "Key": item(orderId="ord-1")})
    with case("describe the stream"):
        answer = shell.run(f"aws dynamodbstreams describe-stream --stream-arn {arn}").json
        described = answer["StreamDescription"]
        equal((described["StreamArn"], described["StreamStatus"]), (arn, "ENABLED"))
        equal(described["KeySchema"], [{"AttributeName": "orderId", "KeyType": "HASH"}])
        equal(len(described["Shards"]), 1)
    with case("read stream records"):
        answer = shell.run(READ_RECORDS).json
        assert "NextShardIterator" in answer
        seen = [
            (r["eventName"], r["dynamodb"].get("OldImage"), r["dynamodb"].get("NewImage"))
            for r in answer["Records"]
        ]
        expected = [
            ("INSERT", None, placed),
            ("MODIFY", placed, shipped),
            ("REMOVE", shipped, None),
        ]
        equal(seen, expected)
        numbers = [int(r["dynamodb"]["SequenceNumber"]) for r in answer["Records"]]
        equal(numbers, sorted(set(numbers)))
        for record in answer["Records"]:
            equal(record["dynamodb"]["Keys"], item(orderId="ord-1"))
            equal((record["eventSource"], record["awsRegion"]), ("aws:dynamodb", "us-east-1"))


def main():
    report = Report()
    with Server() as server, Shell(server) as shell:
        if not shell.cli:
            report.skip("the cookbook's transactions and streams", "there is no AWS CLI")
            report.done()
        command = Commands(report, shell)
        run_sections(report, command, server, (transactions, streams))
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
