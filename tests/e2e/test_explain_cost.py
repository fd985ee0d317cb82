"""What explaining takes of the processor, in a table of 300 000 items and one of large items: 20 ms at most, whatever is asked, and
1 ms where the cause is found at once. The release build is measured, whose limits these are."""

import json
import pathlib
import re

from admin import must
from e2e import PLAIN_BINARY, Report, Server, at_best, temporary_folder
from test_explain_truth import N, S, query, write_fixture

ROWS, USERS = 300000, 30000
TIMES = 10  # requests of a measurement
MOST, AT_ONCE = 0.020, 0.001  # seconds
KINDS = ("INFO", "WARN", "ERROR")


def uuid_of(number):
    digits = f"{number * 2654435761 % 2**64:016x}{number * 40503 % 2**64:016x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def write_rows(folder, name, rows):
    (folder / f"items/{name}.jsonl").write_text("".join(rows))


def write_fixtures(folder):
    write_fixture(folder, "Events", [("device", "S"), ("at", "S")], ())
    write_rows(folder, "Events", (
        f'{{"device":{{"S":"device#{i // 100000}"}},"at":{{"S":"EVENT#{i:06}"}},"kind":{{"S":"{KINDS[i % 3]}"}},"n":{{"N":"{i}"}},'
        f'"created":{{"S":"2026-03-{i % 28 + 1:02}T10:00:00Z"}},"state":{{"S":"{"DONE" if i % 1000 else "OPEN"}"}},"tags":{{"SS":["a","b"]}}}}\n'
        for i in range(ROWS)))
    write_fixture(folder, "Users", [("id", "S")], ())
    write_rows(folder, "Users", (
        f'{{"id":{{"S":"{uuid_of(i)}"}},"Email":{{"S":"user{i}@example.com"}},"age":{{"N":"{i % 90}"}}}}\n' for i in range(USERS)))
    write_fixture(folder, "Blobs", [("pk", "S"), ("sk", "N")], (
        {"pk": S("Big"), "sk": N(i), "kind": S("Photo"), "data": S(chr(97 + i % 26) * 395000)} for i in range(100)))
    table = json.loads((folder / "tables/Events.json").read_text())
    table["AttributeDefinitions"].append({"AttributeName": "owner", "AttributeType": "S"})
    table["GlobalSecondaryIndexes"] = [{"IndexName": "by-owner", "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]
    (folder / "tables/Events.json").write_text(json.dumps(table))


def events(condition="device = :d", device="device#1", **more):
    values = {"d": S(device)} if ":d" in condition else {}
    return query("Events", condition, values | more.pop("values", {}), **more)


def scan(table, where, names=None, **values):
    return {"TableName": table, "FilterExpression": where, "ExpressionAttributeValues": {f":{name}": value for name, value in values.items()}} | (
        {"ExpressionAttributeNames": names} if names else {})


def update(table, key, text, **more):
    return {"TableName": table, "Key": key, "UpdateExpression": text, **more}


EVENT = {"device": S("device#1"), "at": S("EVENT#150000")}
V = {"ExpressionAttributeValues": {":v": S("x")}}

# What is found at once: operation, request, the reason.
QUICK = (
    ("GetItem", {"TableName": "events", "Key": EVENT}, "there is no table events; there is Events"),
    ("GetItem", {"TableName": "Events", "Key": {"device": S("device#1")}}, "at is missing"),
    ("GetItem", {"TableName": "Events", "Key": {"device": S("Device#1"), "at": S("EVENT#150000")}}, "case counts"),
    ("GetItem", {"TableName": "Events", "Key": {"device": S("device#1 "), "at": S("EVENT#150000")}}, "ends with white space"),
    ("GetItem", {"TableName": "Events", "Key": {"device": S("EVENT#150000"), "at": S("device#1")}}, "are swapped"),
    ("GetItem", {"TableName": "Users", "Key": {"id": S(uuid_of(7).upper())}}, "case counts"),
    ("GetItem", {"TableName": "Users", "Key": {"id": S(uuid_of(7).replace("-", ""))}}, "UUIDs are stored with hyphens"),
    ("Query", events("device = :d", "DEVICE#1"), "case counts"),
    ("Query", events("device = :d AND at = :s", values={"s": S("event#150000")}), "at is a reserved word|case counts"),
    ("Query", events("device = :d AND #at > :s", values={"s": S("EVENT#9")}), "the last is"),
    ("Query", events("device = :d AND begins_with(#at, :s)", values={"s": S("event#15")}), "case counts"),
    ("Query", events("device > :d"), "which can only be compared by ="),
    ("Query", events("kind = :v", values={"v": S("WARN")}), "kind is no key of|a Query of Events needs device"),
    ("Query", events("device = :d", IndexName="by-ownr"), "by-owner"),
    ("UpdateItem", update("Events", EVENT, "SET device = :v", **V), "device is part of the key"),
    ("UpdateItem", update("Events", EVENT, "SET n = :v, n = :v", **V), "n is set twice"),
    ("UpdateItem", update("Events", EVENT, "SET a.b = :v", **V), "a is not in the item"),
    ("UpdateItem", update("Events", EVENT, "SET a = :w", **V), ":w is in UpdateExpression"),
    ("PutItem", {"TableName": "Events", "Item": {**EVENT, "at": N(1)}}, "at is declared S"),
    ("ExecuteStatement", {"Statement": "SELECT * FROM Evnts WHERE device = 'device#1'"}, "there is no table Evnts"),
)

# What has to be looked for: operation, request, what is said, if it is to be found in that time.
SLOW = (
    ("ExecuteStatement", {"Statement": "SELECT * FROM Events WHERE device = 'it's'"}, "the apostrophe ended the text"),
    ("GetItem", {"TableName": "Events", "Key": {"device": S("device#1"), "at": N(5)}}, "at is declared S"),
    ("Query", events("#o = :v", values={"v": S("x")}, IndexName="by-owner") | {"ExpressionAttributeNames": {"#o": "owner"}}, "by-owner is empty"),
    ("Scan", scan("Events", "kind = :l", l=S("warn")), "case counts"),
    ("Scan", scan("Events", "status = :l", l=S("OPEN")), "status is a reserved word"),
    ("Scan", scan("Events", "colour = :l", l=S("x")), "this page ended at 1 MB"),
    ("Scan", scan("Events", "n = :l", l=S("5")), "the value asked for is S"),
    ("Scan", scan("Events", "n > :l", l=N(10**7)), "this page ended at 1 MB"),
    ("Scan", scan("Events", "tags = :l", l=S("a")), "contains"),
    ("Scan", scan("Events", "#s = :l AND #l = :m", {"#s": "state", "#l": "kind"}, l=S("OPEN"), m=S("nothing")), None),
    ("Scan", scan("Events", "#s = :l", {"#s": "state"}, l=S("OPEN")), "index-would-halve"),
    ("Scan", scan("Events", "device = :l", l=S("device#2")), "a Query of Events by device|statement|the first"),
    ("Scan", scan("Events", "contains(created, :l)", l=S("2025")), None),
    ("Scan", scan("Events", "contains(created, :l)", l=S("2026-03-05 10")), None),
    ("Scan", scan("Events", "kind = :l OR #s = :m OR created = :n", {"#s": "state"}, l=S("none"), m=S("nothing"), n=S("never")), None),
    ("Scan", scan("Users", "contains(Email, :l)", l=S("usar77@exmaple")), None),
    ("Scan", scan("Blobs", "contains(#d, :l)", {"#d": "data"}, l=S("nothing of it")), None),
    ("Query", events("device = :d AND #at = :s", values={"s": N(5)}), "at is declared S"),
    ("Scan", scan("Events", "created = :l", l=S("05.03.2026")), None),
    ("Scan", {"TableName": "Events", "ProjectionExpression": "n"}, None),
    ("Scan", {"TableName": "Events", "Limit": 100}, None),
    ("Scan", {"TableName": "Events", "Select": "COUNT"}, None),
    ("Scan", scan("Users", "Email = :l", l=S("nobody@example.org")), None),
    ("Scan", scan("Users", "email = :l", l=S("user7@example.com")), "they have Email"),
    ("Query", events(FilterExpression="n = :v", values={"v": S("5")}), "the value asked for is S"),
    ("Query", events(FilterExpression="kind = :v", values={"v": S("warn")}), "case counts"),
    ("Query", events(FilterExpression="kind = :v", values={"v": S("WARN")}), "index-would-halve"),
    ("Query", events("device = :d AND #at = :s", values={"s": S("nothing of the kind")}), "no at is"),
    ("Query", events("device = :d", "nothing of the kind"), "no item of Events has device"),
    ("Query", events("device = :d AND #at < :s", values={"s": S("EVENT#000500")}), "no at is before"),
    ("GetItem", {"TableName": "Users", "Key": {"id": S(uuid_of(USERS + 5))}}, "no item of Users has id"),
    ("GetItem", {"TableName": "Users", "Key": {"id": S("nobody")}}, "no item of Users has id"),
    ("GetItem", {"TableName": "Events", "Key": {"device": S("device#1"), "at": S("EVENT#990000")}}, "no at is"),
    ("BatchGetItem", {"RequestItems": {"Users": {"Keys": [{"id": S(f"none {i}")} for i in range(50)]}}}, "no item of Users has id"),
    ("UpdateItem", update("Users", {"id": S(uuid_of(3))}, "SET age = :v", ConditionExpression="Email = :v", **V), "Email is"),
    ("ExecuteStatement", {"Statement": "SELECT * FROM Events WHERE kind = 'warn'"}, "case counts"),
    ("ExecuteStatement", {"Statement": "SELECT * FROM Users WHERE age = 200"}, "this page ended at 1 MB"),
    ("Scan", scan("Blobs", "kind = :l", l=S("photo")), "case counts"),
    ("Scan", scan("Blobs", "#d = :l", {"#d": "data"}, l=S("x")), "this page ended at 1 MB"),
    ("Scan", scan("Blobs", "colour = :l", l=S("x")), None),
    ("Scan", {"TableName": "Blobs", "ProjectionExpression": "sk"}, None),
    ("Query", query("Blobs", "pk = :p", {"p": S("Big"), "k": S("photo")}, FilterExpression="kind = :k"), "case counts"),
    ("Query", query("Blobs", "pk = :p", {"p": S("big")}), "case counts"),
    ("Query", query("Blobs", "pk = :p AND sk > :s", {"p": S("Big"), "s": N(1000)}), "the last is 99"),
    ("Query", query("Blobs", "pk = :p AND sk = :s", {"p": S("Big"), "s": N("4.5")}), "no sk is"),
    ("GetItem", {"TableName": "Blobs", "Key": {"pk": S("Big"), "sk": N(500)}}, "no sk is"),
    ("GetItem", {"TableName": "Blobs", "Key": {"pk": S("Big"), "sk": N(5)}, "ProjectionExpression": "colour"}, None),
    ("UpdateItem", update("Blobs", {"pk": S("Big"), "sk": N(5)}, "SET more = :v", ExpressionAttributeValues={":v": S("x" * 20000)}), "an item has 400 KB at most"),
    ("UpdateItem", update("Blobs", {"pk": S("Big"), "sk": N(5)}, "SET a.b = :v", **V), "a is not in the item"),
    ("UpdateItem", update("Blobs", {"pk": S("Big"), "sk": N(5)}, "SET kind = :v", ConditionExpression="kind = :v", **V), "kind is"),
)


def text_of(server, operation, request):
    """The explanation of a request that asks for one, which costs no more than it."""
    number = server.post(operation, request, {"x-mockddb-explain": "true"})[1]["x-mockddb-explain"]
    return must(server, "GET", f"explanations/{number}")["explanation"]["text"]


def work(server):
    """Seconds of the processor that the server has worked, to the nanosecond."""
    return int(pathlib.Path(f"/proc/{server.process.pid}/schedstat").read_text().split()[0]) / 1e9


def cost(report, server, kind, rows, most):
    for operation, request, said in rows:
        def measure():
            start = work(server)
            for _ in range(TIMES):
                server.post(operation, request)
            plain = work(server)
            for _ in range(TIMES):
                server.post(operation, request, {"x-mockddb-explain": "true"})
            return (work(server) - plain - (plain - start)) / TIMES

        with report.case(f"{kind}: {operation} {json.dumps(request)[:110]}"):
            at_best(most, measure)
            text = text_of(server, operation, request)
            assert not said or re.search(said, text), text


if __name__ == "__main__":
    report = Report()
    if PLAIN_BINARY.exists():
        with temporary_folder() as folder:
            write_fixtures(pathlib.Path(folder))
            with Server("--fixtures", folder, binary=str(PLAIN_BINARY)) as server:
                cost(report, server, "found at once", QUICK, AT_ONCE)
                cost(report, server, "looked for", SLOW, MOST)
    else:
        report.skip("what an explanation takes", "there is no release build")
    report.done()
