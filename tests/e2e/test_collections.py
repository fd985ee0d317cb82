"""GET /_mockddb/collections: the parts of keys and the kinds of items, compared with what Scan and Query return."""

import base64
import collections
import threading
import urllib.parse

from admin import ask, must
from e2e import Report, Server, equal, temporary_folder

PAIR = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]


def s(text):
    return {"S": text}


def table(name, pk="S", sk="S", indexes=()):
    kinds = {"pk": pk, "sk": sk, **{key: "S" for _, *keys in indexes for key in keys}}
    made = {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": PAIR,
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": kind} for key, kind in sorted(kinds.items())],
    }
    if indexes:
        made["GlobalSecondaryIndexes"] = [
            {"IndexName": index, "Projection": {"ProjectionType": "KEYS_ONLY"},
             "KeySchema": [{"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, ("HASH", "RANGE"))]}
            for index, *keys in indexes]
    return made


def collect(server, **filters):
    return must(server, "GET", f"collections?{urllib.parse.urlencode(filters)}")


def parts(answer):
    return {one["part"]: (one["keys"], one["whole"], one["items"]) for one in answer["parts"]}


def everything(server, name, **more):
    items, start = [], {}
    while start is not None:
        answer = server.call("Scan", {"TableName": name, **more, **start})
        items += answer["Items"]
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]} if "LastEvaluatedKey" in answer else None
    return items


def by_part(items, prefix, key="pk"):
    """What collections should say of keys in this attribute: by the part behind the prefix."""
    base = prefix[:prefix.rfind("#") + 1]
    keys, whole, counts = collections.defaultdict(set), collections.defaultdict(set), collections.Counter()
    for item in items:
        text = item[key]["S"]
        if text.startswith(prefix):
            part, mark, _ = text[len(base):].partition("#")
            keys[part].add(text)
            counts[part] += 1
            if not mark:
                whole[part].add(text)
    return {part: (len(keys[part]), len(whole[part]), counts[part]) for part in keys}


def fixtures(report):
    with Server("--fixtures", "ecommerce") as server:
        for name in server.call("ListTables", {})["TableNames"]:
            items = everything(server, name)
            keys = [item["pk"]["S"] for item in items]
            words = {key.rpartition("#")[0] + "#" for key in keys if "#" in key}
            for prefix in ("", *sorted(words), *(key[:len(key) - 2] for key in sorted(set(keys))[:3])):
                with report.case(f"{name}: parts behind '{prefix}' are those of a Scan"):
                    answer = collect(server, table=name, prefix=prefix, limit=1000)
                    wanted = by_part(items, prefix) if any("#" in key for key in keys) else {
                        key: (1, 1, keys.count(key)) for key in keys if key.startswith(prefix)}
                    equal(parts(answer), wanted)
                    equal((answer["complete"], answer["share"], answer["entries"], answer["partitions"]),
                          (True, 1.0, len(items), len(set(keys))))
                    assert prefix or answer["read"] == len(items), answer
            with report.case(f"{name}: kinds have all items and their attributes"):
                answer = collect(server, table=name)
                equal(sum(kind["items"] for kind in answer["kinds"]) + answer["other_kinds"], len(items))
                equal(sum(kind["bytes"] for kind in answer["kinds"]), answer["bytes"])
                names = {attribute["name"] for kind in answer["kinds"] for attribute in kind["attributes"]}
                assert names <= {name for item in items for name in item}, names
                for kind in answer["kinds"]:
                    assert kind["read"] and {"pk", "sk"} <= {one["name"] for one in kind["attributes"]}, kind
                    assert kind["key"] in [{"pk": item["pk"], "sk": item["sk"]} for item in items]
        with report.case("kinds by the forms of keys, named by an attribute"):
            kinds = collect(server, table="ShopifyEntitiesTable")["kinds"]
            equal([(one["partition"], one["sort"], one["names"][0]["value"]) for one in kinds],
                  [("SHOP#…", "USER#…", "SESSION"), ("SHOP#…", "SETTINGS", "SETTINGS"), ("SHOP#…", "API_KEY", "API_KEY")])
        for index in server.call("DescribeTable", {"TableName": "EcomIndexerJobsTable"})["Table"]["GlobalSecondaryIndexes"]:
            with report.case(f"the index {index['IndexName']}"):
                items = everything(server, "EcomIndexerJobsTable", IndexName=index["IndexName"])
                answer = collect(server, table="EcomIndexerJobsTable", index=index["IndexName"])
                equal((answer["read"], answer["attribute"]), (len(items), index["KeySchema"][0]["AttributeName"]))
                equal(sum(one["items"] for one in answer["parts"]) + answer["other_parts"]["items"], len(items))
        with report.case("sort keys of one partition, in their order"):
            items = everything(server, "EcomIndexSettingsTable")
            one = [item for item in items if item["pk"] == s("kl7a9h55")]
            answer = collect(server, table="EcomIndexSettingsTable", partition="kl7a9h55", prefix="INDEX#")
            equal({part: (keys, whole) for part, (keys, whole, _) in parts(answer).items()},
                  {part: (keys, whole) for part, (keys, whole, _) in by_part(one, "INDEX#", "sk").items()})
            equal([part["part"] for part in answer["parts"]], sorted(part["part"] for part in answer["parts"]))
            equal(answer["read"], len([item for item in one if item["sk"]["S"].startswith("INDEX#")]))


def forms(report, *options):
    with Server(*options) as server:
        server.call("CreateTable", table("Numbers", "N", "N"))
        server.put_items("Numbers", [{"pk": {"N": str(n % 3)}, "sk": {"N": str(n)}} for n in range(9)])
        with report.case("numbers have no parts"):
            answer = collect(server, table="Numbers")
            equal((answer["separator"], answer["type"], parts(answer)), ("", "N", {str(n): (1, 1, 3) for n in range(3)}))
            answer = collect(server, table="Numbers", partition="1.0")
            equal(parts(answer), {str(n): (1, 1, 1) for n in (1, 4, 7)})
        server.call("CreateTable", table("Binaries", "B", "B"))
        raw = base64.b64encode(b"\0#\0\xff").decode()
        server.put_items("Binaries", [{"pk": {"B": raw}, "sk": {"B": base64.b64encode(bytes([n, 0, 35])).decode()}} for n in range(4)])
        with report.case("binaries are base64"):
            equal(parts(collect(server, table="Binaries")), {raw: (1, 1, 4)})
            equal(collect(server, table="Binaries", partition=raw)["read"], 4)
        server.call("CreateTable", table("Odd"))
        odd = ["", "#", "##", "A#", "A", "A#\0#b", "A#\0", "A\u202e#x", "constructor#__proto__", "é#ü", "A#" + "x" * 1000]
        server.put_items("Odd", [{"pk": s("P#1"), "sk": s(text or "-")} for text in odd] + [{"pk": s(text or "#-"), "sk": s("1")} for text in odd])
        items = everything(server, "Odd")
        with report.case("keys with empty parts, NUL and other characters"):
            equal(parts(collect(server, table="Odd", separator="#")), by_part(items, ""))
            for prefix in ("A#", "A#\0", "A#\0#", "#", "constructor#", "é#"):
                equal(parts(collect(server, table="Odd", prefix=prefix)), by_part(items, prefix))
                one = [item for item in items if item["pk"] == s("P#1")]
                equal(parts(collect(server, table="Odd", partition="P#1", prefix=prefix)),
                      {part: (count, whole, count) for part, (count, whole, _) in by_part(one, prefix, "sk").items()})
        server.call("CreateTable", table("Times"))
        server.put_items("Times", [{"pk": s(f"user/{n}"), "sk": s(f"2026-01-0{n}T10:00:00Z")} for n in range(1, 9)])
        with report.case("another separator; a moment's colons are none"):
            equal((collect(server, table="Times")["separator"], parts(collect(server, table="Times"))), ("/", {"user": (8, 0, 8)}))
            equal(collect(server, table="Times", partition="user/1")["separator"], "")
            equal([(one["partition"], one["sort"]) for one in collect(server, table="Times")["kinds"]], [("user/…", "…")])
        with report.case("an empty table"):
            server.call("CreateTable", table("Empty"))
            answer = collect(server, table="Empty")
            equal((answer["parts"], answer["kinds"], answer["complete"], answer["share"]), ([], [], True, 1.0))
        with report.case("further parts are counted together"):
            answer = collect(server, table="Odd", separator="#", limit=2)
            equal(sum(one["items"] for one in answer["parts"]) + answer["other_parts"]["items"], len(items))
            equal(len(answer["parts"]), 2)


def large(report, *options):
    with Server(*options) as server:
        server.call("CreateTable", table("Large", indexes=(("ByDay", "day"),)))
        server.put_items("Large", [{"pk": s(f"SMALL#{n}"), "sk": s("1"), "day": s("D#1")} for n in range(1500)]
                         + [{"pk": s("BIG#1"), "sk": s(f"ORDER#{n:04}")} for n in range(1500)] + [{"pk": s("BIG#1"), "sk": s("Z#1")}])
        with report.case("of a table with more keys than may be read, each partition's first items"):
            answer = collect(server, table="Large", keys=1600)
            counted = parts(answer)
            equal((counted["BIG"], counted["SMALL"][0]), ((1, 0, 1600 // 200), 1500))
            equal((answer["complete"], answer["share"], answer["read"], answer["entries"]), (False, 1.0, 1508, 3001))
            equal([(one["part"], one["cut"]) for one in answer["parts"]], [("SMALL", False), ("BIG", True)])
        with report.case("a sample says which share it has, and counts only what it read"):
            answer = collect(server, table="Large", keys=200)
            assert 0 < answer["share"] < 0.5 and not answer["complete"] and answer["read"] == 200, answer
            equal(sum(one["items"] for one in answer["parts"]), 200)
            assert 0.5 < answer["partitions"] / answer["share"] / 1501 < 2, answer
        with report.case("a partition with many items of one part: the parts behind it are found"):
            answer = collect(server, table="Large", partition="BIG#1", keys=1000)
            equal(parts(answer), {"ORDER": (100, 0, 100), "Z": (1, 0, 1)})
            equal([one["cut"] for one in answer["parts"]], [True, False])
            equal(collect(server, table="Large", partition="BIG#1", keys=20000)["complete"], True)
        with report.case("all items of an index"):
            equal(parts(collect(server, table="Large", index="ByDay")), {"D": (1, 0, 1500)})
        with report.case("a table that is dropped meanwhile"):
            answers = []
            thread = threading.Thread(target=lambda: answers.extend(ask(server, "GET", "collections?table=Large")[0] for _ in range(5)))
            thread.start()
            server.call("DeleteTable", {"TableName": "Large"})
            thread.join()
            assert set(answers) <= {200, 404}, answers
        for query, status, why in (
            ("", 400, "table is needed"),
            ("table=None", 404, "table None does not exist"),
            ("table=One&index=x", 404, "table One has no such index"),
            ("table=One&keys=0", 400, "keys is not a whole number from 1 to 1000000"),
            ("table=One&limit=1001", 400, "limit is not a whole number from 1 to 1000"),
            ("table=One&prefix=%FF", 400, "prefix is not a text of at most 2048 bytes"),
            ("table=One&separator=ab", 400, "separator is not one printable character of ASCII"),
            ("table=One&partition=a", 400, "partition is not a number"),
            ("table=One&prefix=a", 400, "prefix is only for keys that are strings"),
            ("table=One&kind=x", 400, "unknown filter kind"),
        ):
            if query.startswith("table=One&index"):
                server.call("CreateTable", table("One", "N"))
            with report.case(f"refused: {query}"):
                equal(ask(server, "GET", f"collections?{query}"), (status, {"message": why}))


if __name__ == "__main__":
    report = Report()
    fixtures(report)
    forms(report)
    large(report)
    with temporary_folder() as folder:
        forms(report, "--db", f"{folder}/forms.db")
        large(report, "--db", f"{folder}/large.db")
    report.done()
