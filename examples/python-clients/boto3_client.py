"""boto3: a table with an index, pages, a condition, a transaction, a batch with unprocessed items, a stream."""

import os

import boto3
from boto3.dynamodb.conditions import Key
from botocore.exceptions import ClientError

ENDPOINT = os.environ.get("AWS_ENDPOINT_URL_DYNAMODB")  # boto3 1.28 and later read it themselves

dynamodb = boto3.resource("dynamodb", endpoint_url=ENDPOINT)
streams = boto3.client("dynamodbstreams", endpoint_url=ENDPOINT)

orders = dynamodb.create_table(
    TableName="Orders",
    BillingMode="PAY_PER_REQUEST",
    AttributeDefinitions=[
        {"AttributeName": "customer", "AttributeType": "S"},
        {"AttributeName": "number", "AttributeType": "N"},
        {"AttributeName": "status", "AttributeType": "S"},
    ],
    KeySchema=[
        {"AttributeName": "customer", "KeyType": "HASH"},
        {"AttributeName": "number", "KeyType": "RANGE"},
    ],
    GlobalSecondaryIndexes=[
        {
            "IndexName": "byStatus",
            "KeySchema": [
                {"AttributeName": "status", "KeyType": "HASH"},
                {"AttributeName": "number", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
)
orders.wait_until_exists()

with orders.batch_writer() as batch:  # sends again what a batch leaves unprocessed
    for number in range(30):
        batch.put_item(Item={"customer": "c1", "number": number, "status": "open"})

pages = dynamodb.meta.client.get_paginator("query").paginate(
    TableName="Orders",
    IndexName="byStatus",
    KeyConditionExpression=Key("status").eq("open"),
    PaginationConfig={"PageSize": 7},
)
sizes = [page["Count"] for page in pages]
assert (sum(sizes), len(sizes)) == (30, 5), sizes

try:
    orders.put_item(
        Item={"customer": "c1", "number": 1}, ConditionExpression="attribute_not_exists(customer)"
    )
    raise SystemExit("the condition holds")
except ClientError as error:
    assert error.response["Error"]["Code"] == "ConditionalCheckFailedException", error


def close(number):
    return {
        "Update": {
            "TableName": "Orders",
            "Key": {"customer": "c1", "number": number},
            "UpdateExpression": "SET #s = :closed",
            "ConditionExpression": "#s = :open",
            "ExpressionAttributeNames": {"#s": "status"},
            "ExpressionAttributeValues": {":open": "open", ":closed": "closed"},
        }
    }


dynamodb.meta.client.transact_write_items(TransactItems=[close(1), close(2)])
try:
    dynamodb.meta.client.transact_write_items(TransactItems=[close(3), close(2)])
    raise SystemExit("the transaction is not cancelled")
except ClientError as error:
    assert "[None, ConditionalCheckFailed]" in str(error), error

stream = streams.list_streams(TableName="Orders")["Streams"][0]["StreamArn"]
shard = streams.describe_stream(StreamArn=stream)["StreamDescription"]["Shards"][0]["ShardId"]
iterator = streams.get_shard_iterator(
    StreamArn=stream, ShardId=shard, ShardIteratorType="TRIM_HORIZON"
)["ShardIterator"]
records = streams.get_records(ShardIterator=iterator)["Records"]
assert [record["eventName"] for record in records] == ["INSERT"] * 30 + ["MODIFY"] * 2, records
print("boto3", boto3.__version__)
