"""Each generator of other values, at each position at which a value can be asked for: tests/explain/generators.json."""

import json
import re

import claims
from admin import must
from e2e import ROOT, Report, Server
from test_explain import check_proposal

GENERATORS = json.loads((ROOT / "tests/explain/generators.json").read_text())["generators"]
FILLERS = {"S": ["quartz", "velvet", "zephyr"], "N": ["5", "6", "7"], "B": ["AAEC", "AwQF", "BgcI"]}
S = lambda text: {"S": text}


def type_of(value):
    return next(iter(value))


def key_table(server, name, key, key_type, indexes=(), **parts):
    """A table of items by `key`, of this type, in one partition of it; or by a partition key alone."""
    keys = [("pk", "S"), (key, key_type)] if key != "pk" else [("pk", key_type)]
    names = dict(keys) | (parts if indexes else {})
    server.call("CreateTable", {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in names.items()],
        "KeySchema": [{"AttributeName": name, "KeyType": kind} for (name, _), kind in zip(keys, ("HASH", "RANGE"))],
    } | ({"GlobalSecondaryIndexes": [
        {"IndexName": index, "KeySchema": [{"AttributeName": part, "KeyType": "HASH"} for part in partition]
         + [{"AttributeName": part, "KeyType": "RANGE"} for part in sort],
         "Projection": {"ProjectionType": "ALL"}} for index, partition, sort in indexes]} if indexes else {}))


def items_with(values):
    """Items that have a value at each position."""
    for i, value in enumerate(values):
        kind, bare = next(iter(value.items()))
        yield {"pk": S("p"), "sk": S(f"row {i}"), "group": S("g"), "value": value, "map": {"M": {"inner": value}},
               "list": {"L": [value]}, "rows": {"L": [{"M": {"inner": value}}]},
               } | ({"set": {kind + "S": [bare]}} if kind in FILLERS else {})


def make_tables(server, stored):
    kind = type_of(stored)
    fillers = [{kind: text} for text in FILLERS.get(kind, ())]
    values = [stored, *fillers]
    if is_for_keys(stored):
        key_table(server, "Partitions", "pk", kind)
        server.put_items("Partitions", [{"pk": value} for value in values])
        key_table(server, "Sorts", "value", kind)
        server.put_items("Sorts", [{"pk": S("p"), "value": value} for value in values])
    key_table(server, "Rows", "sk", "S",
              [("byValue", ["value"], []), ("byParts", ["group", "value"], []), ("byGroup", ["group"], ["value"])]
              if is_for_keys(stored) else (), group="S", value=kind)
    server.put_items("Rows", list(items_with(values)))


def drop_tables(server):
    for name in server.call("ListTables", {})["TableNames"]:
        server.call("DeleteTable", {"TableName": name})


def expression(text, **values):
    names = {f"#{name}": name for name in re.findall(r"#(\w+)", text)}
    return ({"ExpressionAttributeNames": names} if names else {}) | {
        "ExpressionAttributeValues": {f":{name}": value for name, value in values.items()}}


def query(table, condition, index=None, **values):
    return "Query", {"TableName": table, "KeyConditionExpression": condition, **expression(condition, **values)} | (
        {"IndexName": index} if index else {})


def scan(condition, **values):
    return "Scan", {"TableName": "Rows", "FilterExpression": condition, **expression(condition, **values)}


def statement(table, where, value):
    return "ExecuteStatement", {"Statement": f'SELECT * FROM "{table}" WHERE {where}', "Parameters": [value]}


def update(condition, **values):
    return "UpdateItem", {"TableName": "Rows", "Key": {"pk": S("p"), "sk": S("row 0")}, "UpdateExpression": "SET seen = :t",
                          "ConditionExpression": condition, **expression(condition, t=S("x"), **values)}


def end_of(value):
    """The upper end of a range that begins with the value."""
    return S(value["S"] + "~") if "S" in value else {"N": str(int(value["N"]) + 5)}


def other(value):
    """A value of the same type that no item has."""
    return {"S": S("none of them"), "N": {"N": "-1"}, "B": {"B": "/w=="}, "M": {"M": {}}}[type_of(value)]


POSITIONS = {  # name: (of a key, the request)
    "a partition": (True, lambda v: query("Partitions", "pk = :v", v=v)),
    "an item's key": (True, lambda v: ("GetItem", {"TableName": "Partitions", "Key": {"pk": v}})),
    "an index's partition": (True, lambda v: query("Rows", "#value = :v", "byValue", v=v)),
    "a part of an index's partition": (True, lambda v: query("Rows", "#group = :g AND #value = :v", "byParts", g=S("g"), v=v)),
    "an index's sort key": (True, lambda v: query("Rows", "#group = :g AND #value = :v", "byGroup", g=S("g"), v=v)),
    "an item's sort key": (True, lambda v: ("GetItem", {"TableName": "Sorts", "Key": {"pk": S("p"), "value": v}})),
    "a key of a batch": (True, lambda v: ("BatchGetItem", {"RequestItems": {"Partitions": {"Keys": [{"pk": v}]}}})),
    "a statement's partition": (True, lambda v: statement("Partitions", "pk = ?", v)),
    "a statement's sort key": (True, lambda v: statement("Sorts", 'pk = \'p\' AND "value" = ?', v)),
    "the key of a failed condition": (True, lambda v: ("UpdateItem", {
        "TableName": "Sorts", "Key": {"pk": S("p"), "value": v}, "UpdateExpression": "SET seen = :t",
        "ConditionExpression": "attribute_exists(pk)", "ExpressionAttributeValues": {":t": S("x")}})),
    "a deleted item's key": (True, lambda v: ("DeleteItem", {"TableName": "Sorts", "Key": {"pk": S("p"), "value": v}})),
    "a key of a transaction": (True, lambda v: ("TransactGetItems", {
        "TransactItems": [{"Get": {"TableName": "Partitions", "Key": {"pk": v}}}]})),
    "a key of IN in a statement": (True, lambda v: ("ExecuteStatement", {
        "Statement": 'SELECT * FROM "Partitions" WHERE pk IN [?, ?]', "Parameters": [v, other(v)]})),
    "an older key condition": (True, lambda v: ("Query", {"TableName": "Partitions", "KeyConditions": {"pk": {
        "ComparisonOperator": "EQ", "AttributeValueList": [v]}}})),
    "a sort key": (True, lambda v: query("Sorts", "pk = :p AND #value = :v", p=S("p"), v=v)),
    "a sort key's beginning": (True, lambda v: query("Sorts", "pk = :p AND begins_with(#value, :v)", p=S("p"), v=v)),
    "a sort key's range": (True, lambda v: query("Sorts", "pk = :p AND #value BETWEEN :v AND :w", p=S("p"), v=v, w=end_of(v))),
    "a filter": (False, lambda v: scan("#value = :v", v=v)),
    "a filter's beginning": (False, lambda v: scan("begins_with(#value, :v)", v=v)),
    "a filter's range": (False, lambda v: scan("#value BETWEEN :v AND :w", v=v, w=end_of(v))),
    "one of IN": (False, lambda v: scan("#value IN (:o, :v)", v=v, o=other(v))),
    "a choice of OR": (False, lambda v: scan("#value = :o OR #value = :v", v=v, o=other(v))),
    "beside another condition": (False, lambda v: scan("#group = :g AND #value = :v", v=v, g=S("g"))),
    "a Query's filter": (False, lambda v: ("Query", {
        "TableName": "Rows", "KeyConditionExpression": "pk = :p", "FilterExpression": "#value = :v",
        **expression("#value", p=S("p"), v=v)})),
    "a nested path": (False, lambda v: scan("#map.#inner = :v", v=v)),
    "a path through a list": (False, lambda v: scan("#rows[0].#inner = :v", v=v)),
    "a part of a text": (False, lambda v: scan("contains(#value, :v)", v=v)),
    "an older filter": (False, lambda v: ("Scan", {"TableName": "Rows", "ScanFilter": {"value": {
        "ComparisonOperator": "EQ", "AttributeValueList": [v]}}})),
    "a list's element": (False, lambda v: scan("#list[0] = :v", v=v)),
    "a member of a set": (False, lambda v: scan("contains(#set, :v)", v=v)),
    "a member of a list": (False, lambda v: scan("contains(#list, :v)", v=v)),
    "a statement": (False, lambda v: statement("Rows", '"value" = ?', v)),
    "a statement's IN": (False, lambda v: ("ExecuteStatement", {
        "Statement": 'SELECT * FROM "Rows" WHERE "value" IN [?, ?]', "Parameters": [v, other(v)]})),
    "a condition of a transaction": (False, lambda v: ("TransactWriteItems", {"TransactItems": [{"ConditionCheck": {
        "TableName": "Rows", "Key": {"pk": S("p"), "sk": S("row 0")}, "ConditionExpression": "#value = :v",
        **expression("#value", v=v)}}]})),
    "an older expectation": (False, lambda v: ("PutItem", {
        "TableName": "Rows", "Item": {"pk": S("p"), "sk": S("row 0"), "group": S("g")},
        "Expected": {"value": {"ComparisonOperator": "EQ", "AttributeValueList": [v]}}})),
    "a statement's nested path": (False, lambda v: statement("Rows", '"map"."inner" = ?', v)),
    "a failed condition": (False, lambda v: update("#value = :v", v=v)),
    "a failed condition's nested path": (False, lambda v: update("#map.#inner = :v", v=v)),
}
WITHOUT_PROPOSAL = ("a condition of a transaction", "an older expectation", "a failed condition", "a failed condition's nested path",
                    "the key of a failed condition", "a deleted item's key")


def is_for_keys(value):
    return type_of(value) in FILLERS


def positions_of(row, given):
    kind, stored = type_of(row["asked"]), type_of(given)
    for name, (is_key, request) in POSITIONS.items():
        if is_key and not is_for_keys(given):
            continue
        if ("beginning" in name or "part of a text" in name) and (kind != "S" or stored != "S" or not row.get("begins", True)):
            continue
        if " IN" in name and is_key and kind != stored:
            continue  # the other value is of the wrong type as well
        if "range" in name and not row.get("range"):
            continue
        if name == "a part of a text" and row["asked"]["S"] in given["S"]:
            continue
        if "set" in name and (kind == "M" or stored not in FILLERS):
            continue
        yield name, request


def explain(server, request, asked):
    operation, body = request(asked)
    tried = must(server, "POST", "try", {"operation": operation, "request": body})
    claims.check(server, operation, body, tried)
    return tried["explanation"]


def pattern_of(row):
    """What is in the reason where the generator found the stored value."""
    return row["why"] if "why" in row else r"there is |\d+ begins? with |has 1 item|and .* was asked for|would fit"


def check_hit(server, row, name, request):
    explanation = explain(server, request, row["asked"])
    reason = explanation.get("reason", "")
    wanted = pattern_of(row) if name != "a part of an index's partition" or "why" in row else r', value is "[^"]*"$'
    assert re.search(wanted, reason), f"{wanted!r} is not in {reason!r}"
    if name not in WITHOUT_PROPOSAL:
        assert explanation.get("gives", "").startswith("gives 1 item"), f"no proposal gives an item: {explanation['text']!r}"
        check_proposal(server, explanation)


def check_trap(server, row, name, request):
    explanation = explain(server, request, row["asked"])
    wrong = row.get("why", "was asked for|would fit")
    assert not re.search(f"{wrong}|asked: ", explanation["text"]) and "try" not in explanation, explanation["text"]


def main(report):
    with Server() as server:
        for row in GENERATORS:
            for kind, stored, check in (("hit", row["stored"], check_hit), ("trap", row["trap"], check_trap)):
                if kind == "hit" and not row.get("hit", True):
                    continue
                make_tables(server, stored)
                claims.forget(server)
                for name, request in positions_of(row, stored):
                    with report.case(f"{row['name']}, {kind}: {name}"):
                        check(server, row, name, request)
                drop_tables(server)


if __name__ == "__main__":
    report = Report()
    main(report)
    report.done()
