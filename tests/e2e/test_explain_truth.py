"""Explanations of large tables are checked against the items, and explaining leaves no trace."""

import json
import pathlib
import re
import urllib.request

import claims
from admin import must
from e2e import PATIENCE, PLAIN_BINARY, ROOT, Report, Server, equal, temporary_folder, wait_until

ROWS = 9000  # more than an explanation may look at
S, N = (lambda text: {"S": text}), (lambda number: {"N": str(number)})


def write_fixture(folder, name, keys, rows):
    """A table of text and number keys with these rows."""
    for part in ("tables", "items"):
        (folder / part).mkdir(exist_ok=True)
    table = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": key, "KeyType": kind} for (key, _), kind in zip(keys, ("HASH", "RANGE"))],
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": type_} for key, type_ in keys],
    }
    (folder / f"tables/{name}.json").write_text(json.dumps(table))
    (folder / f"items/{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def uuid_like(number):
    return f"{number * 7919:06x}q"


def write_fixtures(folder):
    ids = range(ROWS)
    write_fixture(folder, "Levels", [("id", "S")], ({"id": S(f"r{i:05}"), "level": S("WARN"), "n": N(i)} for i in ids))
    write_fixture(folder, "Seq", [("device", "S"), ("seq", "N")], ({"device": S("d1"), "seq": N(i)} for i in ids))
    write_fixture(folder, "Log", [("device", "S"), ("at", "S")],
                  ({"device": S("d1"), "at": S(f"{'EVENT' if i < 8000 else 'ALARM'}#{i:05}")} for i in ids))
    write_fixture(folder, "Paths", [("device", "S"), ("at", "S")],
                  ({"device": S("d1"), "at": S(f"RUN#{i:04}#item{'4321x' if i == 200 else uuid_like(i)}")} for i in range(400)))
    write_fixture(folder, "Many", [("pk", "S")], ({"pk": S(f"USER#{i:05}")} for i in ids))


def query(table, condition, values, **more):
    names = {f"#{name}": name for name in re.findall(r"#(\w+)", condition + more.get("FilterExpression", ""))}
    request = {"TableName": table, "KeyConditionExpression": condition, **more}
    if not condition:
        del request["KeyConditionExpression"]
    if names:
        request["ExpressionAttributeNames"] = names
    return request | {"ExpressionAttributeValues": {f":{name}": value for name, value in values.items()}}


# name, operation, request, the reason, and what may be said in no line
LARGE = (
    ("a value in another case, in every row", "Scan",
     query("Levels", "", {"l": S("warn")}, FilterExpression="#level = :l"),
     'no item read fits level = "warn"; there is "WARN": case counts, texts compare byte by byte', r"\b0 items"),
    ("a name that no row has", "Scan", query("Levels", "", {"l": S("x")}, FilterExpression="colour = :l"),
     "no item has colour among the first 1000 read", "no item has colour(?! among)"),
    ("a value of another type", "Scan", query("Levels", "", {"n": S("5")}, FilterExpression="n = :n"),
     "no item read fits n = \"5\"; n is N in the first 1000 items, the value asked for is S", None),
    ("a number above all", "Scan", query("Levels", "", {"n": N(90000)}, FilterExpression="n > :n"),
     re.compile(r"no item read fits n > 90000; among them n goes from \d+ to \d+"), None),
    ("a range behind a long partition's end", "Query", query("Seq", "device = :d AND seq > :s", {"d": S("d1"), "s": N(900000)}),
     'no seq is after 900000 under device "d1"; the last is 8999', r"\b0 items"),
    ("a range before its beginning", "Query", query("Seq", "device = :d AND seq < :s", {"d": S("d1"), "s": N(-5)}),
     'no seq is before -5 under device "d1"; the first is 0', None),
    ("a range between numbers behind its end", "Query",
     query("Seq", "device = :d AND seq BETWEEN :s AND :t", {"d": S("d1"), "s": N(10000), "t": N(11000)}),
     'no seq is between 10000 and 11000 under device "d1"; they go from 0 to 8999', None),
    ("a number that is none of them", "Query", query("Seq", "device = :d AND seq = :s", {"d": S("d1"), "s": N("4.5")}),
     'no seq is 4.5 under device "d1"; they go from 0 to 8999', None),
    ("a text behind a long partition's end", "Query", query("Log", "device = :d AND #at > :s", {"d": S("d1"), "s": S("EVENT#90000")}),
     'no at is after "EVENT#90000" under device "d1"; the last is "EVENT#07999"', "00[0-9]{3}\""),
    ("a text before its beginning", "Query", query("Log", "device = :d AND #at < :s", {"d": S("d1"), "s": S("ALARM#00001")}),
     'no at is before "ALARM#00001" under device "d1"; the first is "ALARM#08000"', None),
    ("another case, far from the beginning", "Query",
     query("Log", "device = :d AND begins_with(#at, :s)", {"d": S("d1"), "s": S("event#0789")}),
     'no at begins with "event#0789" under device "d1"; 10 begin with "EVENT#0789": case counts, texts compare byte by byte', None),
    ("many in another case", "Query", query("Log", "device = :d AND begins_with(#at, :s)", {"d": S("d1"), "s": S("event#07")}),
     'no at begins with "event#07" under device "d1"; 50 or more begin with "EVENT#07": case counts, texts compare byte by byte', None),
    ("a key's last part without the one before it, far from the beginning", "Query",
     query("Paths", "device = :d AND #at = :s", {"d": S("d1"), "s": S("RUN#item4321x")}),
     'no at is "RUN#item4321x" under device "d1"; there is "RUN#0200#item4321x"', None),
    ("keys with one beginning, from first to last", "Query",
     query("Log", "device = :d AND #at = :s", {"d": S("d1"), "s": S("EVENT#X")}),
     'no at is "EVENT#X" under device "d1"; those with "EVENT#" go from "EVENT#00000" to "EVENT#07999"', None),
    ("beginnings that are not all known", "Query",
     query("Log", "device = :d AND begins_with(#at, :s)", {"d": S("d1"), "s": S("zebra")}),
     'no at begins with "zebra" under device "d1"; they begin with "ALARM#", "EVENT#", …', None),
    ("partitions that are not all known", "GetItem", {"TableName": "Many", "Key": {"pk": S("zebra")}},
     re.compile(r'no item of Many has pk "zebra"; they begin with "USER#", …, such as "USER#\d{5}"'), None),
)


def large(report):
    """Whatever the table's size: it takes no longer, and nothing that was not looked at is counted."""
    with temporary_folder() as folder:
        write_fixtures(pathlib.Path(folder))
        with Server("--fixtures", folder) as server:
            for name, operation, request, reason, never in LARGE:
                with report.case(f"{ROWS} rows: {name}"):
                    tried = must(server, "POST", "try", {"operation": operation, "request": request})
                    claims.check(server, operation, request, tried)
                    explanation = tried["explanation"]
                    if isinstance(reason, str):
                        equal(explanation["reason"], reason)
                    else:
                        assert reason.fullmatch(explanation["reason"]), explanation["reason"]
                    assert not never or not re.search(never, explanation["text"]), explanation["text"]


def enough(report):
    """In the time of the release build; test_explain_cost.py measures it."""
    if not PLAIN_BINARY.exists():
        report.skip("a proposal of many items", "there is no release build")
        return
    with temporary_folder() as folder:
        write_fixtures(pathlib.Path(folder))
        with Server("--fixtures", folder, binary=str(PLAIN_BINARY)) as server, report.case("the time is enough for a proposal of many items"):
            request = query("Log", "device = :d AND begins_with(#at, :s)", {"d": S("d1"), "s": S("event#078")})
            text = must(server, "POST", "try", {"operation": "Query", "request": request})["explanation"]["text"]
            assert "gives 100 items" in text, text


def all_active(server):
    indexes = server.call("DescribeTable", {"TableName": "Albums"})["Table"]["GlobalSecondaryIndexes"]
    return all(index["IndexStatus"] == "ACTIVE" for index in indexes)


def index_of_another_type(report):
    """An index that is added later passes over items whose attribute has another type."""
    with Server() as server:
        server.call("CreateTable", {
            "TableName": "Albums", "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        })
        server.put_items("Albums", [{"id": S(f"a{i}"), "year": N(1990 + i), "name": S("x")} for i in range(5)])
        for attribute, type_, said in (
            ("year", "S", "by-year is empty: year is a number in the items, the index takes strings"),
            ("name", "N", "by-name is empty: name is a string in the items, the index takes numbers"),
            ("colour", "S", "by-colour is empty: no item of Albums has colour (S)"),
        ):
            server.call("UpdateTable", {
                "TableName": "Albums",
                "AttributeDefinitions": [{"AttributeName": attribute, "AttributeType": type_}],
                "GlobalSecondaryIndexUpdates": [{"Create": {
                    "IndexName": f"by-{attribute}", "KeySchema": [{"AttributeName": attribute, "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "ALL"}}}],
            })
            wait_until(lambda: all_active(server))
            with report.case(f"an index on {attribute} ({type_}) without entries"):
                request = query("Albums", "#k = :v", {"v": {type_: "7"}}, IndexName=f"by-{attribute}")
                request["ExpressionAttributeNames"] = {"#k": attribute}
                tried = must(server, "POST", "try", {"operation": "Query", "request": request})
                equal(tried["explanation"]["reason"], said)


def half_filled_index(report):
    """Items that an index passes over, beside others that it has."""
    items = [
        {"id": S("a1"), "grade": S("a"), "score": N(5)}, {"id": S("b1"), "grade": S("b")}, {"id": S("b2"), "grade": S("b"), "note": S("x")},
        {"id": S("c1"), "grade": S("c"), "score": S("7")}, {"id": S("y1"), "year": N(1990)}, {"id": S("y2"), "year": S("1991")},
        {"id": S("o1"), "score": N(9), "note": S("A")},
    ]
    indexes = {"by-grade": [("grade", "S"), ("score", "N")], "by-year": [("year", "S")]}
    with Server() as server:
        server.call("CreateTable", {
            "TableName": "Albums", "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        })
        server.put_items("Albums", items)
        for name, keys in indexes.items():
            server.call("UpdateTable", {
                "TableName": "Albums",
                "AttributeDefinitions": [{"AttributeName": key, "AttributeType": type_} for key, type_ in keys],
                "GlobalSecondaryIndexUpdates": [{"Create": {
                    "IndexName": name, "Projection": {"ProjectionType": "ALL"},
                    "KeySchema": [{"AttributeName": key, "KeyType": kind} for (key, _), kind in zip(keys, ("HASH", "RANGE"))]}}],
            })
            wait_until(lambda: all_active(server))
        for name, request, said, tries in (
            ("without the sort attribute", query("Albums", "grade = :g", {"g": S("b")}, IndexName="by-grade"),
             'items of Albums with grade "b" have no score, so by-grade does not have them', True),
            ("with a sort attribute of another type", query("Albums", "grade = :g", {"g": S("c")}, IndexName="by-grade"),
             'score is a string in items of Albums with grade "c", and by-grade takes numbers', True),
            ("with a sort attribute of another type, which is asked for",
             query("Albums", "grade = :g AND score = :s", {"g": S("c"), "s": N(7)}, IndexName="by-grade"),
             'score is a string in items of Albums with grade "c", and by-grade takes numbers', True),
            ("with a partition attribute of another type", query("Albums", "#year = :y", {"y": S("1990")}, IndexName="by-year"),
             "year is a number in items of Albums, and by-year takes strings", True),
            ("a grade that no item has", query("Albums", "grade = :g", {"g": S("z")}, IndexName="by-grade"),
             'no item of Albums.by-grade has grade "z"; grade is "a"', False),
            ("a score that no item has", query("Albums", "grade = :g AND score = :s", {"g": S("a"), "s": N(8)}, IndexName="by-grade"),
             'no score is 8 under grade "a"; the only one is 5', False),
            ("a score of an item without a grade", query("Albums", "grade = :g AND score = :s", {"g": S("a"), "s": N(6)}, IndexName="by-grade"),
             'no score is 6 under grade "a"; the only one is 5', False),
            ("a year that no item has", query("Albums", "#year = :y", {"y": S("1992")}, IndexName="by-year"),
             'no item of Albums.by-year has year "1992"; year is "1991"', False),
        ):
            with report.case(f"an index that lacks items: {name}"):
                explanation = must(server, "POST", "try", {"operation": "Query", "request": request})["explanation"]
                equal((explanation["reason"], "try" in explanation), (said, tries))


def sizes(report):
    """Items that are too large."""
    with Server("--fixtures", str(ROOT / "tests/explain/truth")) as server:
        for name, operation, request, reason in (
            ("a put of 440 KB", "PutItem",
             {"Item": {"id": S("big"), "a": S("x" * 300000), "b": S("y" * 150000), "c": N(1)}},
             "an item has 400 KB at most, this one has 440 KB: a has 293 KB, b 147 KB"),
            ("an update to more than 400 KB", "UpdateItem",
             {"Key": {"id": S("p001")}, "UpdateExpression": "SET text_of = :v", "ExpressionAttributeValues": {":v": S("x" * 410000)}},
             "an item has 400 KB at most: the stored one has 1 KB, and :v has 401 KB"),
        ):
            with report.case(name):
                tried = must(server, "POST", "try", {"operation": operation, "request": {"TableName": "Products", **request}})
                equal((tried["status"], tried["explanation"].get("reason")), (400, reason))


def get_text(server, path):
    with urllib.request.urlopen(f"{server.url}/_mockddb/{path}", timeout=PATIENCE) as answer:
        return answer.read().decode()


def seen(server):
    """What requests leave behind: in the journal, patterns, metrics and fault rules."""
    metrics = get_text(server, "metrics")
    units = re.search(r'^mockddb_consumed_read_capacity_units_total{world="default",table="Things"} (.*)$', metrics, re.M)
    return {
        "journal": len(get_text(server, "journal").splitlines()),
        "patterns": must(server, "GET", "patterns")["requests"],
        "faults": [rule["seen"] for rule in must(server, "GET", "faults")["rules"]],
        "queries": sum(map(int, re.findall(r'latency_milliseconds_count{.*operation="Query"} (\d+)$', metrics, re.M))),
        "units": float(units[1]) if units else 0,
    }


def no_trace(report):
    """A proposal is tried; only the request itself is seen."""
    empty = {"operation": "Query", "request": query("Things", "pk = :p", {"p": S("SHELF")})}
    with Server("--fixtures", str(ROOT / "tests/explain/truth"), "--throttle", "provisioned") as server:
        must(server, "POST", "faults", {"rules": [{"operation": "Query", "nth": 100, "error": "ThrottlingException"}]})
        with report.case("a proposal is tried, and only the request leaves a trace"):
            must(server, "POST", "try", empty)  # metrics have a line from the first request on
            before = seen(server)
            tried = must(server, "POST", "try", empty)
            assert "gives 4 items" in tried["explanation"]["text"], tried
            after = seen(server)
            one = {"journal": 1, "patterns": 1, "queries": 1, "units": 0.5}
            equal(after, {**{name: before[name] + more for name, more in one.items()}, "faults": [before["faults"][0] + 1]})


if __name__ == "__main__":
    report = Report()
    large(report)
    enough(report)
    index_of_another_type(report)
    half_filled_index(report)
    sizes(report)
    no_trace(report)
    report.done()
