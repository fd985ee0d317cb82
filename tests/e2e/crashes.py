"""What tests share that kill a server while tables are on their way: the table, and all of it."""

import nearest
import stores

RECOVERY = {
    "TableName": "Items",
    "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
}


def table(name):
    """CreateTable's input: items by pk, by a in the index by-a, and by their vectors."""
    vectors = [nearest.definition("near-a", "COSINE", "a", "KEYS_ONLY")]
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
        **({} if stores.IN_DATABASE else {"VectorIndexes": vectors}),
    }


def check_vectors(server, name, items):
    """Searches find what the items, by key, make of it."""
    table = server.call("DescribeTable", {"TableName": name})["Table"]
    for index in table.get("VectorIndexes", []):
        nearest.check_index(server.call, table, index, list(items.values()), queries=(1,))


def all_of(server, **request):
    """The items of a table or an index by key."""
    found, start = {}, {}
    while start is not None:
        answer = server.call("Scan", {**request, **start})
        found |= {item["pk"]["S"]: item for item in answer["Items"]}
        key = answer.get("LastEvaluatedKey")
        start = {"ExclusiveStartKey": key} if key else None
    return found


def killed(report, trial, rounds, where, seed):
    """A case for each round of the trial, up to the first that fails."""
    for number in range(rounds):
        with report.case(f"killed {where}, round {number + 1}, seed {seed}"):
            trial.round()
            trial.place.check()
        if report.failed:
            break
