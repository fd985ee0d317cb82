"""aioboto3: a table with an index, pages, a condition, a transaction, a batch with unprocessed items, a stream."""

import asyncio
import importlib.metadata

import aioboto3
from boto3.dynamodb.conditions import Key
from botocore.exceptions import ClientError

TABLE = {
    "TableName": "Orders",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": "customer", "AttributeType": "S"},
        {"AttributeName": "number", "AttributeType": "N"},
        {"AttributeName": "status", "AttributeType": "S"},
    ],
    "KeySchema": [
        {"AttributeName": "customer", "KeyType": "HASH"},
        {"AttributeName": "number", "KeyType": "RANGE"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "byStatus",
            "KeySchema": [{"AttributeName": "status", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
}


def close(number):
    return {
        "Update": {
            "TableName": "Orders",
            "Key": {"customer": {"S": "c1"}, "number": {"N": str(number)}},
            "UpdateExpression": "SET #s = :closed",
            "ConditionExpression": "#s = :open",
            "ExpressionAttributeNames": {"#s": "status"},
            "ExpressionAttributeValues": {":open": {"S": "open"}, ":closed": {"S": "closed"}},
        }
    }


async def main():
    session = aioboto3.Session()
    async with session.resource("dynamodb") as dynamodb, session.client("dynamodb") as client:
        orders = await dynamodb.create_table(**TABLE)
        await orders.wait_until_exists()

        async with orders.batch_writer() as batch:  # sends again what a batch leaves unprocessed
            for number in range(30):
                await batch.put_item(Item={"customer": "c1", "number": number, "status": "open"})

        sizes, more = [], {}
        while more is not None:
            page = await orders.query(
                IndexName="byStatus", KeyConditionExpression=Key("status").eq("open"), Limit=7, **more
            )
            sizes.append(page["Count"])
            last = page.get("LastEvaluatedKey")
            more = {"ExclusiveStartKey": last} if last else None
        assert (sum(sizes), len(sizes)) == (30, 5), sizes

        try:
            await orders.put_item(
                Item={"customer": "c1", "number": 1},
                ConditionExpression="attribute_not_exists(customer)",
            )
            raise SystemExit("the condition holds")
        except ClientError as error:
            assert error.response["Error"]["Code"] == "ConditionalCheckFailedException", error

        await client.transact_write_items(TransactItems=[close(1), close(2)])
        try:
            await client.transact_write_items(TransactItems=[close(3), close(2)])
            raise SystemExit("the transaction is not cancelled")
        except client.exceptions.TransactionCanceledException as error:
            codes = [reason["Code"] for reason in error.response["CancellationReasons"]]
            assert codes == ["None", "ConditionalCheckFailed"], codes

    async with session.client("dynamodbstreams") as streams:
        stream = (await streams.list_streams(TableName="Orders"))["Streams"][0]["StreamArn"]
        description = (await streams.describe_stream(StreamArn=stream))["StreamDescription"]
        iterator = await streams.get_shard_iterator(
            StreamArn=stream,
            ShardId=description["Shards"][0]["ShardId"],
            ShardIteratorType="TRIM_HORIZON",
        )
        records = (await streams.get_records(ShardIterator=iterator["ShardIterator"]))["Records"]
        assert [record["eventName"] for record in records] == ["INSERT"] * 30 + ["MODIFY"] * 2, records
    print("aioboto3", importlib.metadata.version("aioboto3"))


asyncio.run(main())
