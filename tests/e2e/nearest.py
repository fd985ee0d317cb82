"""What searches of vector indexes have to find: every item, scored by the published formulas. Sums
are exact where the vectors' numbers are small integers, as those of the tests are."""

import math
import struct

TOP = 100  # as many as a search may ask for
DIMENSIONS = 3


class Mismatch(AssertionError):
    """What is found is not what the items make of it."""


def definition(name, distance, owner=None, projection="ALL"):
    """An index on the attribute e, of all items or by owner."""
    index = {
        "IndexName": name,
        "VectorAttribute": {"AttributeName": "e"},
        "Projection": {"ProjectionType": projection},
        "Dimensions": DIMENSIONS,
        "DistanceFunction": distance,
    }
    if owner:
        schema = [{"AttributeName": owner, "SearchSchemaElementType": "HASH"}]
        index["SearchSchema"] = schema
    return index


def vector(number):
    """Another one for each number below fifty thousand."""
    parts = number * 31 % 229 - 114, number // 229 * 107 % 229 - 114, number * 7 % 211 - 105
    return {"L": [{"N": str(part)} for part in parts]}


def floats(value):
    return [float(element["N"]) for element in value["L"]]


def narrow(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def norm(numbers):
    return math.sqrt(sum(n * n for n in numbers))


def score(distance, query, stored):
    product = sum(q * s for q, s in zip(query, stored))
    if distance == "DOT_PRODUCT":
        return narrow(product)
    if distance == "EUCLIDEAN":
        return narrow(norm([q - s for q, s in zip(query, stored)]))
    lengths = norm(query) * norm(stored)
    return narrow(min(max(1 - product / lengths, 0), 2)) if lengths else 1.0


def hash_of(index):
    """The attribute by which an index is divided, or None."""
    for part in index.get("SearchSchema", ()):
        if part["SearchSchemaElementType"] == "HASH":
            return part["AttributeName"]
    return None


def entries_of(index, items):
    needed = {index["VectorAttribute"]["AttributeName"], hash_of(index) or "e"}
    return [item for item in items if needed <= item.keys()]


def view(index, keys, item):
    """What a search shows of an item."""
    if index["Projection"]["ProjectionType"] == "ALL":
        return {name: value for name, value in item.items() if name != "e"}
    return {name: item[name] for name in {*keys, hash_of(index)} - {None}}


def number_size(text):
    digits = text.lstrip("-").rstrip("0")
    return 1 + (len(digits) + 1) // 2 + text.startswith("-")


def entry_size(index, keys, item):
    size = len("e") + 4 * DIMENSIONS
    for name, value in view(index, keys, item).items():
        size += len(name) + (number_size(value["N"]) if "N" in value else len(value["S"]))
    return size


def search(send, table, index, query, owner=None):
    """[(score, item)], as the server answers."""
    request = {
        "TableName": table["TableName"],
        "IndexName": index["IndexName"],
        "SearchVector": query["L"],
        "TopK": TOP,
    }
    if owner is not None:
        request["SearchConditionExpression"] = f"{hash_of(index)} = :o"
        request["ExpressionAttributeValues"] = {":o": {"S": owner}}
    found = send("SearchVectors", request)["SearchResults"]
    return [(one["Score"], one["Item"]) for one in found]


def check_search(send, table, index, query, items, expiring=(), owner=None):
    """One search of a described table's index. `expiring` are items that may have gone."""
    keys = [key["AttributeName"] for key in table["KeySchema"]]

    def identity(item):
        return tuple(str(item[name]) for name in keys)

    found = search(send, table, index, query, owner)
    seen = {identity(item) for _, item in found}
    known = [*items, *(item for item in expiring if identity(item) in seen)]
    wanted = sorted(
        (
            (score(index["DistanceFunction"], floats(query), floats(item["e"])), item)
            for item in entries_of(index, known)
            if owner is None or item[hash_of(index)]["S"] == owner
        ),
        key=lambda one: one[0],
        reverse=index["DistanceFunction"] == "DOT_PRODUCT",
    )
    scores = {identity(item): (value, view(index, keys, item)) for value, item in wanted}
    place = f"{index['IndexName']} of {table['TableName']}, {owner}, near {query}"
    if [value for value, _ in found] != [value for value, _ in wanted[:TOP]]:
        raise Mismatch(f"{place}: {found!s:.600} instead of {wanted[:TOP]!s:.600}")
    for value, item in found:
        if scores.get(identity(item)) != (value, item):
            raise Mismatch(f"{place}: {item}, {value} is not {scores.get(identity(item))}")
    if len(seen) != len(found):
        raise Mismatch(f"{place}: an item twice in {found!s:.600}")


def check_index(send, table, index, items, expiring=(), queries=(1, 115)):
    """All of an index: searches, and the counts of DescribeTable, where nothing may have gone."""
    keys = [key["AttributeName"] for key in table["KeySchema"]]
    by = hash_of(index)
    owners = {item[by]["S"] for item in (*items, *expiring) if by in item} if by else (None,)
    for number in queries:
        for owner in sorted(owners, key=str):
            check_search(send, table, index, vector(number), items, expiring, owner)
    if expiring:
        return
    entries = entries_of(index, items)
    counted = send("DescribeTable", {"TableName": table["TableName"]})["Table"]["VectorIndexes"]
    (counted,) = (one for one in counted if one["IndexName"] == index["IndexName"])
    wanted = len(entries), sum(entry_size(index, keys, item) for item in entries)
    if (counted["ItemCount"], counted["IndexSizeBytes"]) != wanted:
        raise Mismatch(f"{counted} of {table['TableName']} should have {wanted} items and bytes")
