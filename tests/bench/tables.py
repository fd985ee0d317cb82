"""The tables of the benchmark and what is in them.

Bench   items of about 1 KB, a hundred to a partition, ten to a start of the sort key; the same in
        the index `owner`, whose partitions take one item from each of a hundred of the table's
Pages   partitions of 1000 items of about 400 B
Writes  as Bench, empty: what new items are written to
"""

import json

BENCH, PAGES, WRITES = "Bench", "Pages", "Writes"
INDEX = "owner"
ITEMS = 10_000
PARTITION, GROUP = 100, 10
PAGE_PARTITIONS, PAGE_ITEMS = 10, 1000
BATCH = 25
TEXT = "The quick brown fox jumps over the lazy dog while seven wizards pack my box with jugs. "


def key(number):
    partition, place = divmod(number, PARTITION)
    return {
        "pk": {"S": f"partition-{partition:010}"},
        "sk": {"S": f"group-{place // GROUP}#{number:012}"},
    }


def index_key(number):
    """A hundred partitions of the table make a block of a hundred partitions of the index."""
    block, rest = divmod(number, PARTITION * PARTITION)
    partition, place = divmod(rest, PARTITION)
    return {
        "gpk": {"S": f"owner-{block:06}-{place:02}"},
        "gsk": {"S": f"group-{partition // GROUP}#{number:012}"},
    }


def item(number):
    return (
        key(number)
        | index_key(number)
        | {
            "name": {"S": "Example Customer"},
            "count": {"N": str(number)},
            "active": {"BOOL": number % 2 == 0},
            "tags": {"SS": ["alpha", "beta", "gamma"]},
            "scores": {"L": [{"N": "1"}, {"N": "22"}, {"N": "333"}]},
            "address": {"M": {"street": {"S": "123 Main Street"}, "zip": {"S": "12345"}}},
            "text": {"S": (TEXT * 8)[:650]},
        }
    )


def page_key(partition, number):
    return {"pk": {"S": f"page-{partition:04}"}, "sk": {"S": f"event#{number:010}"}}


def page_item(partition, number):
    return page_key(partition, number) | {
        "n": {"N": str(number)},
        "state": {"S": "OPEN"},
        "kind": {"S": "audit"},
        "done": {"BOOL": False},
        "text": {"S": (TEXT * 4)[:270]},
    }


def schema(hash_key, range_key):
    return [
        {"AttributeName": hash_key, "KeyType": "HASH"},
        {"AttributeName": range_key, "KeyType": "RANGE"},
    ]


def definition(table):
    names, more = ["pk", "sk"], {}
    if table != PAGES:
        names += ["gpk", "gsk"]
        more["GlobalSecondaryIndexes"] = [
            {
                "IndexName": INDEX,
                "KeySchema": schema("gpk", "gsk"),
                "Projection": {"ProjectionType": "ALL"},
            }
        ]
    return more | {
        "TableName": table,
        "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in names],
        "KeySchema": schema("pk", "sk"),
        "BillingMode": "PAY_PER_REQUEST",
    }


def batches(table, items):
    """The bodies of BatchWriteItem requests that put the items."""
    puts = []
    for one in items:
        puts.append({"PutRequest": {"Item": one}})
        if len(puts) == BATCH:
            yield json.dumps({"RequestItems": {table: puts}}).encode()
            puts = []
    if puts:
        yield json.dumps({"RequestItems": {table: puts}}).encode()


def create(client, table):
    client.call("CreateTable", definition(table))
    client.wait_until_active(table)


def make_recoverable(client, table):
    """Turns point-in-time recovery on."""
    on = {"PointInTimeRecoveryEnabled": True}
    client.call(
        "UpdateContinuousBackups",
        {"TableName": table, "PointInTimeRecoverySpecification": on},
    )


def fill_bench(client, count=ITEMS):
    create(client, BENCH)
    for body in batches(BENCH, (item(n) for n in range(count))):
        client.send("BatchWriteItem", body)


def fill(client):
    fill_bench(client)
    create(client, WRITES)
    create(client, PAGES)
    pages = (page_item(p, n) for p in range(PAGE_PARTITIONS) for n in range(PAGE_ITEMS))
    for body in batches(PAGES, pages):
        client.send("BatchWriteItem", body)
