"""GET /_mockddb/differences: compared with what two worlds' Scans differ in."""

import collections
import json
import random
import threading

from admin import ask, must
from e2e import PATIENCE, Report, Server, equal, temporary_folder

WORDS = ("added", "removed", "changed")


def s(text):
    return {"S": text}


def table(name, sort=True, kind="S", **more):
    keys = ["pk", "sk"][: 2 if sort else 1]
    return {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": kind} for key in keys],
        "KeySchema": [{"AttributeName": key, "KeyType": role} for key, role in zip(keys, ("HASH", "RANGE"))], **more}


def call(server, world, operation, body):
    status, _, answer = server.post(operation, body, {"X-Mockddb-World": world})
    assert status == 200, answer
    return json.loads(answer)


def everything(server, world, name, keys):
    items, start = {}, {}
    while start is not None:
        answer = call(server, world, "Scan", {"TableName": name, **start})
        for item in answer["Items"]:
            items[json.dumps([item[key] for key in keys])] = item
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]} if "LastEvaluatedKey" in answer else None
    return items


def wanted(one, other, keys):
    """What the verb should say of the items of a table in two worlds."""
    listed, by_partition, by_attribute = {}, collections.defaultdict(collections.Counter), collections.Counter()
    for at in {*one, *other}:
        a, b = one.get(at), other.get(at)
        names = sorted(name for name in {*(a or {}), *(b or {})} if a and b and a.get(name) != b.get(name))
        if a and b and not names:
            continue
        what = "removed" if not b else "added" if not a else "changed"
        key = {key: (a or b)[key] for key in keys}
        listed[json.dumps(key)] = (what, names)
        by_partition[json.dumps({"pk": key["pk"]})][what] += 1
        by_attribute.update(names)
    return listed, {at: dict(counts) for at, counts in by_partition.items()}, dict(by_attribute)


def said(answer):
    listed = {json.dumps(one["key"]): (one["what"], sorted(one["attributes"])) for one in answer["differences"]}
    groups = {json.dumps(one["key"]): {word: one[word] for word in WORDS if one[word]} for one in answer["collections"]}
    return listed, groups, {one["name"]: one["items"] for one in answer["attributes"]}


def compare(server, name, keys, **more):
    answer = must(server, "GET", f"differences?from=default&to=fork&limit=2000&table={name}")
    [one] = answer["tables"]
    first, second = (everything(server, world, name, keys) for world in ("default", "fork"))
    equal(said(one), wanted(first, second, keys))
    equal((one["in"], one["same_keys"], one["items_from"], one["items_to"], answer["complete"]), ("both", True, len(first), len(second), True))


def changes(report, *options):
    draw = random.Random(7)
    with Server(*options) as server:
        server.call("CreateTable", table("Pair"))
        server.call("CreateTable", table("Single", sort=False))
        server.put_items("Pair", [{"pk": s(f"P#{n % 9}"), "sk": s(f"{n:04}"), "n": {"N": str(n)}, "constructor": s("x")} for n in range(600)])
        server.put_items("Single", [{"pk": s(f"{n}"), "set": {"SS": ["a", "b"]}} for n in range(60)])
        must(server, "POST", "worlds/fork", {"from": "default"})
        with report.case("a fork is equal"):
            answer = must(server, "GET", "differences?from=default&to=fork")
            equal([answer[word] for word in WORDS] + [answer["complete"], answer["read"]], [0, 0, 0, True, 1320])
        for turn in range(120):
            world, number = draw.choice(("default", "fork")), draw.randrange(700)
            key = {"pk": s(f"P#{number % 9}"), "sk": s(f"{number:04}")}
            if turn % 3 == 0:
                call(server, world, "DeleteItem", {"TableName": "Pair", "Key": key})
            else:
                call(server, world, "PutItem", {"TableName": "Pair", "Item": {**key, "n": {"N": str(draw.randrange(3))}, draw.choice(("__proto__", "constructor", "ü")): s("y")}})
        with report.case("items that were added, removed and changed, by collection and attribute"):
            compare(server, "Pair", ("pk", "sk"))
        with report.case("sets in any order and numbers in any form are the same"):
            call(server, "fork", "PutItem", {"TableName": "Single", "Item": {"set": {"SS": ["b", "a"]}, "pk": s("1")}})
            call(server, "fork", "PutItem", {"TableName": "Single", "Item": {"pk": s("2"), "set": {"SS": ["b", "c"]}}})
            [one] = must(server, "GET", "differences?from=default&to=fork&table=Single")["tables"]
            equal(said(one), ({'{"pk": {"S": "2"}}': ("changed", ["set"])}, {}, {"set": 1}))
        with report.case("the other way round"):
            there, back = (must(server, "GET", f"differences?from={a}&to={b}") for a, b in (("default", "fork"), ("fork", "default")))
            equal([there[word] for word in ("added", "removed", "changed")], [back[word] for word in ("removed", "added", "changed")])
        with report.case("a world beside itself"):
            equal([must(server, "GET", "differences?from=fork&to=fork")[word] for word in WORDS], [0, 0, 0])
        with report.case("fewer are listed than counted"):
            answer = must(server, "GET", "differences?from=default&to=fork&limit=5")
            equal(sum(len(one["differences"]) for one in answer["tables"]), 5)
            assert sum(answer[word] for word in WORDS) > 50, answer
        with report.case("tables of one world, and tables with other keys"):
            call(server, "default", "CreateTable", table("OnlyHere"))
            call(server, "fork", "CreateTable", table("OnlyThere"))
            call(server, "default", "CreateTable", table("Keys"))
            call(server, "fork", "CreateTable", table("Keys", kind="N"))
            answer = must(server, "GET", "differences?from=default&to=fork")
            equal({one["table"]: (one["in"], one["same_keys"]) for one in answer["tables"]},
                  {"Keys": ("both", False), "OnlyHere": ("from", True), "OnlyThere": ("to", True), "Pair": ("both", True), "Single": ("both", True)})
            equal([one["table"] for one in must(server, "GET", "differences?from=default&to=fork&table=OnlyThere")["tables"]], ["OnlyThere"])
        for query, status, why in (
            ("to=fork", 400, "from is needed: the name of a world"),
            ("from=default&to=none", 404, "world none does not exist"),
            ("from=default&to=fork&table=None", 404, "table None does not exist"),
            ("from=default&to=fork&limit=2001", 400, "limit is not a whole number from 1 to 2000"),
            ("from=default&to=fork&kind=x", 400, "unknown filter kind"),
        ):
            with report.case(f"refused: {query}"):
                equal(ask(server, "GET", f"differences?{query}"), (status, {"message": why}))
        with report.case("no world is made by asking"):
            equal([one["name"] for one in must(server, "GET", "worlds")["worlds"]], ["default", "fork"])


def writes_meanwhile(report, *options):
    """What is known of files before their items are compared does not hold when one of them changes."""
    with Server(*options) as server:
        server.call("CreateTable", table("Pair"))
        server.put_items("Pair", [{"pk": s(f"P#{n % 90}"), "sk": s(f"{n:05}"), "text": s("x" * 300)} for n in range(8000)])
        must(server, "POST", "worlds/fork", {"from": "default"})
        changed = {"pk": s("P#7"), "sk": s("00097")}
        call(server, "fork", "PutItem", {"TableName": "Pair", "Item": {**changed, "text": s("y" * 300)}})
        stop = threading.Event()

        def write():
            turn = 0
            while not stop.is_set():
                turn += 1
                item = {"pk": s("P#1"), "sk": s("00001"), "turn": {"N": str(turn)}}
                call(server, ("default", "fork")[turn % 2], "PutItem", {"TableName": "Pair", "Item": item})

        writer = threading.Thread(target=write)
        writer.start()
        try:
            with report.case("differences while both worlds are written"):
                for _ in range(8):
                    [one] = must(server, "GET", "differences?from=default&to=fork")["tables"]
                    keys = [item["key"] for item in one["differences"]]
                    assert changed in keys and len(keys) <= 2, keys
        finally:
            stop.set()
            writer.join(PATIENCE)
        with report.case("and afterwards"):
            compare(server, "Pair", ("pk", "sk"))


if __name__ == "__main__":
    report = Report()
    changes(report)
    with temporary_folder() as folder:
        changes(report, "--data-dir", f"{folder}/worlds")
        writes_meanwhile(report, "--data-dir", f"{folder}/written")
    report.done()
