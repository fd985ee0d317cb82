import os

import boto3

# From boto3 1.28 on, boto3.resource("dynamodb") finds the server without this.
ENDPOINT = os.environ.get("AWS_ENDPOINT_URL_DYNAMODB")


def close(order):
    orders = boto3.resource("dynamodb", endpoint_url=ENDPOINT).Table("Orders")
    orders.update_item(
        Key={"id": order},
        UpdateExpression="SET #s = :closed",
        ConditionExpression="#s = :open",
        ExpressionAttributeNames={"#s": "status"},
        ExpressionAttributeValues={":open": "open", ":closed": "closed"},
    )


def total(prices):
    return sum(prices)
