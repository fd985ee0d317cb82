"""Conditions, updates, sizes, and reads of indexes at random, against the same rules in Python.

`test_semantics.py 7 10` draws other requests, and ten times as many.
"""

import base64
import json
import operator
import re
import sys
from random import Random

from e2e import Report, Server, equal
from semantics import BYTES, Condition, Expression, Update
from semantics import draw_item, item_weight, normal

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 1
TIMES = int(sys.argv[2]) if len(sys.argv) > 2 else 1

NUMBERS = (
    "0 1 -5 15 123 1.5 100 100.5 123456 3.14159 -42 0.0000001 1E125 -1E125 1E-130 10e124 0.00123 "
    "-0.5 1000000.0001 10.10 1200 1010 10100 12345678901234567890123456789012345678"
).split()
TEXTS = ("a", "b", "Z", "é", "\U0001f600", "\uffff", "\ue000", "\0", "~", "ab")


def create(server, name, keys, **indexes):
    """Keys as {"pk": "S"}; the first two are the table's."""
    server.call(
        "CreateTable",
        {
            "TableName": name,
            "AttributeDefinitions": [
                {"AttributeName": key, "AttributeType": kind} for key, kind in keys.items()
            ],
            "KeySchema": schema(*list(keys)[:2]),
            "BillingMode": "PAY_PER_REQUEST",
            **indexes,
        },
    )


def schema(*names):
    return [
        {"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"))
    ]


def conditions(report, server, random):
    create(server, "Conditions", {"pk": "S"})
    statements = []
    with report.case("conditions of filters and writes"):
        for _ in range(40 * TIMES):
            item = draw_item(random)
            server.call("PutItem", {"TableName": "Conditions", "Item": item})
            for _ in range(8):
                condition = Condition(random, item)
                text, fits = condition.draw()
                request = {
                    "TableName": "Conditions",
                    "FilterExpression": text,
                    **condition.members(),
                }
                answer = server.call("Scan", request)
                equal((answer["Count"], request, item), (int(fits), request, item))
                write(server, text, condition, fits)
            statements.append((item, text, condition, fits))
    with report.case("the same as PartiQL, with parameters and written out"):
        for item, text, condition, fits in statements:
            server.call("PutItem", {"TableName": "Conditions", "Item": item})
            for request in (parametrized(text, condition), written_out(text, condition)):
                if request:
                    answer = server.call("ExecuteStatement", request)
                    equal((len(answer["Items"]), request, item), (int(fits), request, item))


def write(server, text, condition, fits):
    """A write that changes nothing, on the same condition."""
    request = {
        "TableName": "Conditions",
        "Key": {"pk": {"S": "x"}},
        "UpdateExpression": "REMOVE zz",
        "ConditionExpression": text,
        **condition.members(),
    }
    status, _, answer = server.post("UpdateItem", request)
    equal((status, answer if status != 200 and fits else None), (200 if fits else 400, None))


def statement(text, value_of):
    text = re.sub(r":v\d+", lambda match: value_of(match[0]), text)
    return 'SELECT * FROM "Conditions" WHERE ' + re.sub(r"#([abc])", r'"\1"', text)


def parametrized(text, condition):
    values = [condition.values[name] for name in re.findall(r":v\d+", text)]
    request = {"Statement": statement(text, lambda name: "?")}
    return {**request, "Parameters": values} if values else request


def written_out(text, condition):
    """None where a value has binaries, which cannot be written."""
    if re.search(r'"BS?":', json.dumps(condition.values)):
        return None
    return {"Statement": statement(text, lambda name: literal(condition.values[name]))}


def literal(value):
    ((kind, content),) = value.items()
    if kind == "S":
        return "'" + content.replace("'", "''") + "'"
    if kind in ("BOOL", "NULL"):
        return str(content).lower() if kind == "BOOL" else "null"
    if kind == "M":
        members = (f"'{name}': {literal(member)}" for name, member in content.items())
        return "{" + ", ".join(members) + "}"
    if kind == "L":
        return "[" + ", ".join(map(literal, content)) + "]"
    if kind in ("SS", "NS"):
        return "<<" + ", ".join(literal({kind[0]: member}) for member in content) + ">>"
    return content


def updates(report, server, random):
    create(server, "Updates", {"pk": "S"})
    with report.case("updates of items, lists and sets in all sections"):
        done = 0
        while done < 300 * TIMES:
            item = draw_item(random)
            update = Update(random, item)
            server.call("PutItem", {"TableName": "Updates", "Item": item})
            request = {
                "TableName": "Updates",
                "Key": {"pk": {"S": "x"}},
                "UpdateExpression": update.text(),
                "ReturnValues": "ALL_NEW",
                **update.members(),
            }
            status, _, answer = server.post("UpdateItem", request)
            answer = json.loads(answer)
            if update.refusals:
                assert answer.get("message") in update.refusals, (answer, request, item)
                continue
            equal((status, request, item), (200, request, item))
            equal(normal({"M": answer["Attributes"]}), normal({"M": update.apply()}))
            done += 1


def sizes(report, server, random):
    create(server, "Sizes", {"pk": "S"})
    with report.case("capacity at the bounds of units"):
        for _ in range(20 * TIMES):
            item = draw_item(random)
            item["é"] = {"NS": random.sample(NUMBERS[:12], 3)}
            item["n"] = {"N": random.choice(NUMBERS)}
            for units, beyond in ((1, 0), (1, 1), (4, 0), (4, 1)):
                padding = units * 1024 + beyond - item_weight(item) - len("p")
                if padding >= 0:
                    padded = {**item, "p": {"S": "p" * padding}}
                    equal((charges(server, padded), padded), (bounds(units, beyond), padded))


def bounds(units, beyond):
    """What a write costs, and a read."""
    return units + beyond, 2 if units + beyond > 4 else 1


def charges(server, item):
    wanted = {"TableName": "Sizes", "ReturnConsumedCapacity": "TOTAL"}
    server.call("DeleteItem", {"TableName": "Sizes", "Key": {"pk": item["pk"]}})
    put = server.call("PutItem", {**wanted, "Item": item})
    got = server.call("GetItem", {**wanted, "Key": {"pk": item["pk"]}, "ConsistentRead": True})
    return tuple(answer["ConsumedCapacity"]["CapacityUnits"] for answer in (put, got))


def draw_key(random, kind):
    if kind == "N":
        return {"N": random.choice((random.choice(NUMBERS), str(random.randint(-9, 9))))}
    if kind == "S":
        return {"S": "".join(random.choice(TEXTS) for _ in range(random.randint(1, 3)))}
    content = bytes(random.choice((0, 1, 127, 128, 255)) for _ in range(random.randint(1, 3)))
    return {"B": base64.b64encode(content).decode()}


class Rows:
    """A table with both kinds of indexes, and what is in it."""

    KEYS = {None: ("pk", "sk"), "Global": ("gpk", "gsk"), "Local": ("pk", "gsk")}
    SAME = {"N": {"N": "5"}, "S": {"S": "same"}, "B": {"B": BYTES[2]}}  # of many items in an index

    def __init__(self, server, random, kind, index_kind):
        self.server, self.random = server, random
        self.kinds = {"sk": kind, "gsk": index_kind}
        self.name = f"Rows{kind}{index_kind}"
        keys = {"pk": "S", "sk": kind, "gpk": "S", "gsk": index_kind}
        create(server, self.name, keys, **self.indexes())
        self.items = {}
        for _ in range(40):
            self.put()

    def indexes(self):
        def one(name, projection):
            keys = schema(*self.KEYS[name])
            return [
                {"IndexName": name, "KeySchema": keys, "Projection": {"ProjectionType": projection}}
            ]

        return {
            "GlobalSecondaryIndexes": one("Global", "ALL"),
            "LocalSecondaryIndexes": one("Local", "KEYS_ONLY"),
        }

    def put(self):
        random = self.random
        item = {"pk": {"S": random.choice("pq")}, "sk": draw_key(random, self.kinds["sk"])}
        if random.random() < 0.8:
            item["gpk"] = {"S": random.choice("gh")}
        if random.random() < 0.8:
            kind = self.kinds["gsk"]
            item["gsk"] = random.choice((self.SAME[kind], draw_key(random, kind)))
        self.server.call("PutItem", {"TableName": self.name, "Item": item})
        self.items[self.identity(item)] = item

    @staticmethod
    def identity(item):
        return normal(item["pk"]), normal(item["sk"])

    def members(self, index):
        items = self.items.values()
        return [item for item in items if all(key in item for key in self.KEYS[index])]

    def pages(self, operation, request):
        """All items, in the order they come."""
        items, start = [], {}
        while True:
            answer = self.server.call(operation, {"TableName": self.name, **request, **start})
            assert len(answer["Items"]) <= request["Limit"], (answer, request)
            items += answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return items
            start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}

    def query(self):
        random = self.random
        index = random.choice(list(self.KEYS))
        partition, sort = self.KEYS[index]
        wanted = {"S": random.choice("pq" if partition == "pk" else "gh")}
        expression = Expression(random, {})
        text = f"{partition} = {expression.value(wanted)}"
        found = [item for item in self.members(index) if item[partition] == wanted]
        sign = random.choice(("", "=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"))
        if sign and (sign, self.kinds[sort]) != ("begins_with", "N"):
            condition, fits = self.sort_condition(sign, sort, expression, found)
            text += f" AND {condition}"
            found = [item for item in found if fits(normal(item[sort])[1])]
        request = {
            "KeyConditionExpression": text,
            "ScanIndexForward": random.random() < 0.5,
            "Limit": random.choice((1, 2, 5, 100)),
            **({"IndexName": index} if index else {}),
            **expression.members(),
        }
        items = self.pages("Query", request)
        equal((self.sorted(items), request), (self.sorted(found), request))
        keys = [normal(item[sort])[1] for item in items]
        equal((keys, request), (sorted(keys, reverse=not request["ScanIndexForward"]), request))

    def sort_condition(self, sign, sort, expression, found):
        kind = self.kinds[sort]
        there = [item[sort] for item in found]
        one, other = (self.random.choice([*there, draw_key(self.random, kind)]) for _ in "12")
        if sign == "begins_with":
            start = normal(one)[1]
            text = f"begins_with({sort}, {expression.value(one)})"
            return text, lambda key: key.startswith(start)
        if sign == "BETWEEN":
            low, high = sorted((one, other), key=normal)
            text = f"{sort} BETWEEN {expression.value(low)} AND {expression.value(high)}"
            return text, lambda key: normal(low)[1] <= key <= normal(high)[1]
        compare = {"=": operator.eq, **Condition.COMPARISONS}[sign]
        return f"{sort} {sign} {expression.value(one)}", lambda key: compare(key, normal(one)[1])

    def scan(self, segments):
        for index in self.KEYS:
            items = []
            for segment in range(segments):
                request = {
                    "Segment": segment,
                    "TotalSegments": segments,
                    "Limit": self.random.choice((1, 3, 50)),
                    **({"IndexName": index} if index else {}),
                }
                items += self.pages("Scan", request)
            equal((self.sorted(items), index), (self.sorted(self.members(index)), index))

    def sorted(self, items):
        """What they are, in an order of its own."""
        return sorted(map(self.identity, items))


def reads(report, server, random):
    with report.case("queries and scans of tables and indexes, page by page"):
        for kind in "NSB":
            for index_kind in "NSB":
                rows = Rows(server, random, kind, index_kind)
                for _ in range(10 * TIMES):
                    rows.query()
                for segments in (1, 2, 7):
                    rows.scan(segments)


def main():
    report = Report()
    with Server() as server:
        for part in (conditions, updates, sizes, reads):
            part(report, server, Random(SEED))
    report.done()


main()
