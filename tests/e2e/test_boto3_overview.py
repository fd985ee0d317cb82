"""The boto3 code of a general DynamoDB overview, in the order in which its reader would type it."""

# pylint: disable=import-outside-toplevel

import concurrent.futures

import boto
from e2e import Report, Server, equal


def overview(report):
    case = report.case
    import boto3
    from boto3.dynamodb.conditions import Attr, Key
    from botocore.config import Config
    from botocore.exceptions import ClientError

    dynamodb = boto3.resource("dynamodb")

    with case("create a table and wait until it exists"):
        table = dynamodb.create_table(
            TableName="Users",
            KeySchema=[
                {"AttributeName": "PK", "KeyType": "HASH"},
                {"AttributeName": "SK", "KeyType": "RANGE"},
            ],
            AttributeDefinitions=[
                {"AttributeName": "PK", "AttributeType": "S"},
                {"AttributeName": "SK", "AttributeType": "S"},
            ],
            BillingMode="PAY_PER_REQUEST",
        )
        table.wait_until_exists()
        table.reload()
        equal((table.table_status, table.item_count), ("ACTIVE", 0))

    table = dynamodb.Table("Users")
    john = {
        "PK": "USER#123",
        "SK": "PROFILE",
        "name": "John Doe",
        "email": "john@example.com",
        "created_at": "2024-01-15T10:30:00Z",
    }
    with case("put item"):
        equal(boto.payload(table.put_item(Item=john)), {})
    with case("get item"):
        response = table.get_item(Key={"PK": "USER#123", "SK": "PROFILE"})
        equal(response.get("Item"), john)
    with case("update item"):
        table.update_item(
            Key={"PK": "USER#123", "SK": "PROFILE"},
            UpdateExpression="SET #name = :name, updated_at = :updated",
            ExpressionAttributeNames={"#name": "name"},
            ExpressionAttributeValues={
                ":name": "John Smith",
                ":updated": "2024-01-16T10:30:00Z",
            },
        )
        smith = john | {"name": "John Smith", "updated_at": "2024-01-16T10:30:00Z"}
        equal(table.get_item(Key={"PK": "USER#123", "SK": "PROFILE"})["Item"], smith)

    active = {"PK": "USER#123", "SK": "ORDER#1", "status": "active"}
    closed = {"PK": "USER#123", "SK": "ORDER#2", "status": "closed"}
    table.put_item(Item=active)
    table.put_item(Item=closed)
    everything = [active, closed, smith]
    with case("query by partition key"):
        response = table.query(KeyConditionExpression=Key("PK").eq("USER#123"))
        equal(boto.payload(response), {"Items": everything, "Count": 3, "ScannedCount": 3})
    with case("query with sort key condition"):
        response = table.query(
            KeyConditionExpression=Key("PK").eq("USER#123") & Key("SK").begins_with("ORDER#")
        )
        equal(response["Items"], [active, closed])
    with case("query with filter"):
        response = table.query(
            KeyConditionExpression=Key("PK").eq("USER#123"),
            FilterExpression=Attr("status").eq("active"),
        )
        equal(boto.payload(response), {"Items": [active], "Count": 1, "ScannedCount": 3})
    with case("query with projection"):
        response = table.query(
            KeyConditionExpression=Key("PK").eq("USER#123"),
            ProjectionExpression="PK, SK, #name, email",
            ExpressionAttributeNames={"#name": "name"},
        )
        names = ("PK", "SK", "name", "email")
        equal(
            response["Items"], [{n: item[n] for n in names if n in item} for item in everything]
        )
    with case("a paginator of the resource's client, with a value typed by hand: it is a map"):
        paginator = dynamodb.meta.client.get_paginator("query")
        try:
            for page in paginator.paginate(
                TableName="Users",
                KeyConditionExpression="PK = :pk",
                ExpressionAttributeValues={":pk": {"S": "USER#123"}},
            ):
                raise AssertionError(f"an answer: {page}")
        except ClientError as error:
            equal(
                error.response["Error"],
                {
                    "Code": "ValidationException",
                    "Message": "One or more parameter values were invalid: "
                    "Condition parameter type does not match schema type",
                },
            )
    with case("the same paginator with a plain value, page by page"):
        items = []
        for page in paginator.paginate(
            TableName="Users",
            KeyConditionExpression="PK = :pk",
            ExpressionAttributeValues={":pk": "USER#123"},
            PaginationConfig={"PageSize": 1},
        ):
            items += page["Items"]
        equal(items, everything)

    with case("delete item"):
        table.delete_item(Key={"PK": "USER#123", "SK": "PROFILE"})
        equal(boto.payload(table.get_item(Key={"PK": "USER#123", "SK": "PROFILE"})), {})

    with case("batch write of 100 items"):
        with table.batch_writer() as batch:
            for i in range(100):
                batch.put_item(Item={"PK": f"USER#{i}", "SK": "PROFILE", "name": f"User {i}"})
        equal(table.scan(Select="COUNT")["Count"], 102)
    with case("batch get"):
        response = dynamodb.batch_get_item(
            RequestItems={
                "Users": {
                    "Keys": [
                        {"PK": "USER#1", "SK": "PROFILE"},
                        {"PK": "USER#2", "SK": "PROFILE"},
                    ]
                }
            }
        )
        found = sorted(response["Responses"]["Users"], key=lambda item: item["PK"])
        equal(
            found, [{"PK": f"USER#{i}", "SK": "PROFILE", "name": f"User {i}"} for i in (1, 2)]
        )
        equal(response["UnprocessedKeys"], {})

    with case("put only if the item does not exist"):
        put = {"PK": "USER#123", "SK": "PROFILE", "name": "John"}
        table.put_item(Item=put, ConditionExpression="attribute_not_exists(PK)")
        try:
            table.put_item(Item=put, ConditionExpression="attribute_not_exists(PK)")
            raise AssertionError("the second put succeeded")
        except ClientError as e:
            equal(
                e.response["Error"],
                {
                    "Code": "ConditionalCheckFailedException",
                    "Message": "The conditional request failed",
                },
            )
    with case("optimistic locking with version"):
        table.put_item(Item=put | {"version": 5})
        lock = {
            "Key": {"PK": "USER#123", "SK": "PROFILE"},
            "UpdateExpression": "SET #name = :name, version = version + :inc",
            "ConditionExpression": "version = :current_version",
            "ExpressionAttributeNames": {"#name": "name"},
            "ExpressionAttributeValues": {
                ":name": "New Name",
                ":inc": 1,
                ":current_version": 5,
            },
        }
        table.update_item(**lock)
        item = table.get_item(Key={"PK": "USER#123", "SK": "PROFILE"})["Item"]
        equal((item["name"], int(item["version"])), ("New Name", 6))
        try:
            table.update_item(**lock)
            raise AssertionError("the second update succeeded")
        except dynamodb.meta.client.exceptions.ConditionalCheckFailedException:
            pass

    with case("a client with adaptive retries"):
        config = Config(retries={"max_attempts": 10, "mode": "adaptive"})
        patient = boto3.resource("dynamodb", config=config)
        equal(patient.Table("Users").table_status, "ACTIVE")

    with case("parallel scan"):

        def scan_segment(segment, total_segments):
            return table.scan(Segment=segment, TotalSegments=total_segments)

        with concurrent.futures.ThreadPoolExecutor() as executor:
            results = list(executor.map(lambda s: scan_segment(s, 4), range(4)))
        keys = [(item["PK"], item["SK"]) for result in results for item in result["Items"]]
        equal((len(keys), len(set(keys))), (103, 103))
        assert sum(1 for result in results if result["Items"]) > 1, "all items in one segment"

    with case("delete a table and wait until it is gone"):
        table.delete()
        table.wait_until_not_exists()
        equal(list(dynamodb.tables.all()), [])


def main():
    report = Report()
    if not boto.boto3:
        report.skip("the overview's boto3 code", "there is no boto3")
        report.done()
    with Server() as server:
        boto.connect(server)
        overview(report)
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
