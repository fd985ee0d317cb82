"""What tests share that kill a server while tables are on their way: the table, and all of it."""

RECOVERY = {
    "TableName": "Items",
    "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
}


def table(name):
    """CreateTable's input: items by pk, and by a in the index by-a."""
    return {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "a", "AttributeType": "S"},
        ],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "by-a",
                "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    }


def all_of(server, **request):
    """The items of a table or an index by key."""
    found, start = {}, {}
    while start is not None:
        answer = server.call("Scan", {**request, **start})
        found |= {item["pk"]["S"]: item for item in answer["Items"]}
        key = answer.get("LastEvaluatedKey")
        start = {"ExclusiveStartKey": key} if key else None
    return found
