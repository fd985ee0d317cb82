"""The requests that are measured.

A workload has many bodies that are sent in turn, or one with "%N" in it: a number of twelve digits
that no other request has. `good` says whether an answer is what it should be: a server that does
not know an operation must not look fast.
"""

import dataclasses
import random
from collections.abc import Callable

from tables import (
    BATCH, BENCH, GROUP, INDEX, ITEMS, PAGE_ITEMS, PAGE_PARTITIONS, PAGES, PARTITION, WRITES,
    index_key, item, key, page_key,
)  # fmt: skip

BODIES = 4096
BATCH_BODIES = 64
BATCH_KEYS = 100
COUNTERS = 1000
PAGE_LIMIT, KEPT = 100, 10
MANY = (1, 8, 64)
SCAN_BYTES = 900_000  # a page is 1 MB of items; the rest of the answer is their wire form


@dataclasses.dataclass(frozen=True)
class Workload:
    name: str
    operation: str
    bodies: list
    good: Callable


def some_numbers(count, below, seed=7):
    chosen = random.Random(seed)
    return [chosen.randrange(below) for _ in range(count)]


def get_item(items=ITEMS):
    bodies = [{"TableName": BENCH, "Key": key(n)} for n in some_numbers(BODIES, items)]
    return Workload("GetItem 1 KB", "GetItem", bodies, lambda a: "pk" in a["Item"])


def new_item():
    return item(0) | {"pk": {"S": "new-%N"}, "gpk": {"S": "owner-%N"}}


def put_item():
    bodies = [{"TableName": WRITES, "Item": new_item()}]
    return Workload("PutItem 1 KB, new, one GSI", "PutItem", bodies, lambda a: a == {})


def count_up(number):
    return {
        "TableName": BENCH,
        "Key": key(number),
        "UpdateExpression": "SET #n = #n + :i",
        "ExpressionAttributeNames": {"#n": "count"},
        "ExpressionAttributeValues": {":i": {"N": "1"}},
    }


def update_item():
    bodies = [count_up(n) for n in some_numbers(BODIES, COUNTERS)]
    return Workload("UpdateItem, counter, one GSI", "UpdateItem", bodies, lambda a: a == {})


def query_group(keys, names, more):
    hash_name, range_name = names
    return more | {
        "TableName": BENCH,
        "KeyConditionExpression": f"{hash_name} = :p AND begins_with({range_name}, :s)",
        "ExpressionAttributeValues": {
            ":p": keys[hash_name],
            ":s": {"S": keys[range_name]["S"].split("#")[0]},
        },
    }


def has_items(count):
    return lambda a: len(a["Items"]) == count


def query_table(items=ITEMS):
    bodies = [query_group(key(n), ("pk", "sk"), {}) for n in some_numbers(BODIES, items)]
    return Workload(f"Query {GROUP} x 1 KB, table", "Query", bodies, has_items(GROUP))


def query_index(items=ITEMS):
    on_index = {"IndexName": INDEX}
    bodies = [
        query_group(index_key(n), ("gpk", "gsk"), on_index) for n in some_numbers(BODIES, items)
    ]
    # An index has fewer items to a group until the table has its first block of partitions.
    fewer = min(GROUP, items // PARTITION)
    return Workload(f"Query {GROUP} x 1 KB, GSI", "Query", bodies, has_items(fewer))


def query_partition(partition, values, more):
    return more | {
        "TableName": PAGES,
        "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": values | {":p": page_key(partition, 0)["pk"]},
    }


def query_page():
    newest = {"Limit": PAGE_LIMIT, "ScanIndexForward": False}
    bodies = [query_partition(p, {}, newest) for p in range(PAGE_PARTITIONS)]
    name = f"Query page of {PAGE_LIMIT} x 400 B, newest first"
    return Workload(name, "Query", bodies, has_items(PAGE_LIMIT))


def query_filter():
    keeps = {
        "FilterExpression": "#n < :n AND #s = :s",
        "ExpressionAttributeNames": {"#n": "n", "#s": "state"},
    }
    values = {":n": {"N": str(KEPT)}, ":s": {"S": "OPEN"}}
    bodies = [query_partition(p, values, keeps) for p in range(PAGE_PARTITIONS)]
    name = f"Query, filter keeps {KEPT} of {PAGE_ITEMS}"
    return Workload(
        name, "Query", bodies, lambda a: (a["Count"], a["ScannedCount"]) == (KEPT, PAGE_ITEMS)
    )


def scan_page():
    return Workload(
        "Scan page of 1 MB", "Scan", [{"TableName": BENCH}],
        lambda a: len(a["Items"]) * 1000 > SCAN_BYTES and "LastEvaluatedKey" in a,
    )  # fmt: skip


def batch_get():
    chosen = random.Random(7)
    bodies = [
        {
            "RequestItems": {
                BENCH: {"Keys": [key(n) for n in chosen.sample(range(ITEMS), BATCH_KEYS)]}
            }
        }
        for _ in range(BATCH_BODIES)
    ]
    return Workload(
        f"BatchGetItem {BATCH_KEYS}", "BatchGetItem", bodies,
        lambda a: len(a["Responses"][BENCH]) == BATCH_KEYS,
    )  # fmt: skip


def batch_write():
    puts = [{"PutRequest": {"Item": new_item()}} for _ in range(BATCH)]
    bodies = [{"RequestItems": {WRITES: puts}}]
    return Workload(
        f"BatchWriteItem {BATCH}, one GSI", "BatchWriteItem", bodies,
        lambda a: a == {"UnprocessedItems": {}},
    )  # fmt: skip


def transact_write():
    put = {"Put": {"TableName": WRITES, "Item": new_item()}}
    check = {"TableName": BENCH, "Key": key(1), "ConditionExpression": "attribute_exists(pk)"}
    bodies = [{"TransactItems": [put, put, {"Update": count_up(0)}, {"ConditionCheck": check}]}]
    return Workload("TransactWriteItems 4", "TransactWriteItems", bodies, lambda a: a == {})


WRITING = (put_item, update_item, batch_write, transact_write)
ALL = (
    get_item, put_item, update_item, query_table, query_index, query_page, query_filter,
    scan_page, batch_get, batch_write, transact_write,
)  # fmt: skip
