"""mockddb check and GET /_mockddb/check: what is found in data and in the journal, what is not, and how much is looked at."""

import json
import threading
import time

from admin import ask, must
from e2e import BINARY, Report, Server, equal, run_program

NOW = int(time.time())


def table(name, sort=True, indexes=(), **more):
    keys = ["pk", "sk"] if sort else ["pk"]
    names = sorted({*keys, *(key for _, *parts in indexes for key in parts)})
    made = {
        "TableName": name,
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": "S"} for key in names],
        "KeySchema": [{"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, ("HASH", "RANGE"))],
        "BillingMode": "PAY_PER_REQUEST",
        **more,
    }
    if indexes:
        made["GlobalSecondaryIndexes"] = [
            {"IndexName": index, "Projection": {"ProjectionType": "KEYS_ONLY"},
             "KeySchema": [{"AttributeName": key, "KeyType": kind} for key, kind in zip(parts, ("HASH", "RANGE"))]}
            for index, *parts in indexes]
    return made


def item(pk, sk="1", **more):
    return {"pk": {"S": pk}, "sk": {"S": sk}, **more}


def n(number):
    return {"N": str(number)}


def s(text):
    return {"S": text}


def make(server, description, items, ttl=None):
    server.call("CreateTable", description)
    if ttl:
        server.call("UpdateTimeToLive", {
            "TableName": description["TableName"], "TimeToLiveSpecification": {"AttributeName": ttl, "Enabled": True}})
    server.put_items(description["TableName"], items)


def check(server, query=""):
    return must(server, "GET", f"check{query}")


def found(answer):
    return sorted((one["kind"], one["table"], one.get("index", ""), one.get("attribute", ""), one.get("items", 0))
                  for one in answer["findings"])


def many(count, pk, **more):
    return [item(pk(number), f"{number:05}", **more) for number in range(count)]


SOON = n(NOW + 86400)

# Items of a table T (whose time to live is `due`), and what is found: kind, attribute, items, words of the text.
ITEMS = {
    "milliseconds": ([item("a", due=n((NOW + 9) * 1000)), item("b", due=SOON)], ("ttl-milliseconds", "due", 1, "looks like milliseconds in 1 item")),
    "microseconds": ([item("a", due=n((NOW + 9) * 10**6)), item("b", due=SOON)], ("ttl-milliseconds", "due", 1, "looks like microseconds")),
    "text": ([item("a", due=s(str(NOW))), item("b", due=s("2031-01-01")), item("c", due=SOON)], ("ttl-type", "due", 2, "is not a number in 2 items")),
    "a duration": ([item("a", due=n(3600)), item("b", due=SOON)], ("ttl-past", "due", 1, "is more than five years in the past in 1 item")),
    "long ago": ([item("a", due=n(NOW - 6 * 365 * 86400)), item("b", due=SOON)], ("ttl-past", "due", 1, "is more than five years")),
    "mixed types": ([item("a", year=n(1)), item("b", year=n(2)), item("c", year=s("3"))], ("mixed-types", "year", 3, "year is S in 1 item, N in 2 items")),
    "mixed types within a kind": (
        [item("U#1", age=n(1)), item("U#2", age=s("2")), item("O#1", age={"BOOL": True})],
        ("mixed-types", "age", 2, "age is S in 1 item, N in 1 item, whose keys begin with U#")),
    "a set and a text": ([item("a", tags={"SS": ["x"]}), item("b", tags=s("x"))], ("mixed-types", "tags", 2, "tags is S in 1 item, SS in 1 item")),
    "names by case": (
        [item("a", userId=s("1")), item("b", userId=s("1")), item("c", userid=s("1"))],
        ("names-by-case", "userId", 3, "userId (2 items) and userid (1 item) differ only by case")),
    "names by case, in several kinds": (
        [item("A#1", userId=s("1")), item("B#1", userId=s("1")), item("C#1", USERID=s("1"))],
        ("names-by-case", "USERID", 3, "USERID (1 item) and userId (2 items) differ only by case")),
    "a large item": (
        [item("a", blob={"B": "A" * 4 * 125000}), item("b")], ("large-items", "", 1, "1 item of 360 KB or more, the largest has 366 KB")),
    "a large partition": (
        many(600, lambda _: "big") + many(500, str), ("large-partition", "", 600, "600 of 1100 items are in one of 501 partitions")),
    "all in one partition": (many(1000, lambda _: "big"), ("large-partition", "", 1000, "1000 of 1000 items are in one of 1 partitions")),
}

# Items that look wrong, and are not.
FINE = {
    "no items": [],
    "moments to come, and items without one": [item("a", due=SOON), item("b"), item("c", due=n(NOW + 10**9))],
    "0 and NULL, for items that stay": [item("a", due=n(0)), item("b", due={"NULL": True}), item("c", due=SOON)],
    "long numbers that are no time to live": [item("a", ean=n(4006381333931), article=n(1200450000), due=SOON), item("b", ean=n(3600))],
    "over for some days": [item("a", due=n(NOW - 3600 * 24 * 3))],
    "NULL for no value": [item("a", x={"NULL": True}), item("b", x=s("1")), item("c")],
    "a type for each kind": [item("U#1", value=n(1)), item("U#2", value=n(2)), item("O#1", value=s("x"))],
    "a type for each kind, by the sort key": [item("1", "META#1", value=n(1)), item("1", "ROW#1", value=s("x"))],
    "numbers of several forms": [item("a", x=n(1)), item("b", x=n("1.5")), item("c", x=n("-1e20"))],
    "names that differ by more than case": [item("a", user_id=s("1"), userIds=s("2")), item("b", userId=s("1"))],
    "lists of several types": [item("a", x={"L": [s("a"), n(1)]}), item("b", x={"L": []})],
    "a few items in one partition": many(900, lambda _: "big"),
    "half of them in one partition": many(500, lambda _: "big") + many(500, str),
    "many partitions": many(1500, lambda number: str(number % 300)),
    "names in maps": [item("a", x={"M": {"userId": s("1")}}), item("b", x={"M": {"userid": n(1)}})],
    "an item of 300 KB": [item("a", blob={"B": "A" * 4 * 100000})],
    "keys with bytes 0": [item("a\0b", "\0"), item("a\0", "b\0"), item("a", "\0\0")],
}


def items(report):
    for name, (content, wanted) in ITEMS.items():
        with report.case(name), Server() as server:
            make(server, table("Tab"), [], "due")
            for one in content:
                if "blob" in one:
                    server.call("PutItem", {"TableName": "Tab", "Item": one})
            server.put_items("Tab", [one for one in content if "blob" not in one])
            must(server, "DELETE", "journal")
            (one,) = check(server)["findings"]
            equal((one["kind"], one["table"], one.get("attribute", ""), one["items"]), (wanted[0], "Tab", wanted[1], wanted[2]))
            assert wanted[3] in one["text"], one
            if wanted[0].startswith("large"):
                equal(one["key"]["pk"], s("a" if wanted[0] == "large-items" else "big"))
    with Server() as server:
        for number, (name, content) in enumerate(FINE.items()):
            with report.case(f"nothing: {name}"):
                make(server, table(f"Tab{number}"), content, "due")
                must(server, "DELETE", "journal")
                equal(check(server, f"?table=Tab{number}")["findings"], [])


def indexes(report):
    described = table("Tab", indexes=(("by-status", "status"), ("by-owner", "owner", "sk")))
    content = [item(str(i), status=s("OPEN" if i % 10 else "DONE"), owner=s(str(i))) for i in range(1200)]
    with Server() as server:
        make(server, described, content)
        with report.case("a partition of an index that takes most of its entries"):
            (one,) = check(server)["findings"]
            equal((one["kind"], one["index"], one["items"], one["key"]), ("large-partition", "by-status", 1080, {"status": s("OPEN")}))
        for _ in range(19):
            server.call("Query", {"TableName": "Tab", "IndexName": "by-owner", "KeyConditionExpression": "#o = :o",
                                  "ExpressionAttributeNames": {"#o": "owner"}, "ExpressionAttributeValues": {":o": s("1")}})
        with report.case("an index that is not read, after few reads: nothing"):
            equal([one["kind"] for one in check(server)["findings"]], ["large-partition"])
        server.call("GetItem", {"TableName": "Tab", "Key": item("1")})
        with report.case("an index that none of 20 reads used"):
            one = next(one for one in check(server)["findings"] if one["kind"] == "unread-index")
            equal((one["index"], one["text"]), ("by-status", "none of the 20 reads of Tab in the journal is of this index"))
        with report.case("an index that is read"):
            server.call("Scan", {"TableName": "Tab", "IndexName": "by-status", "Limit": 1})
            equal([one["kind"] for one in check(server)["findings"]], ["large-partition"])
    with Server("--mask", "status") as server:
        make(server, described, content)
        with report.case("the values of masked attributes are not shown"):
            equal(check(server)["findings"][0]["key"], {"status": "***"})
    with Server() as server:
        make(server, table("orders", sort=False), [])
        make(server, table("Orders", sort=False, indexes=(("byOwner", "a"), ("byowner", "b"))), [])
        make(server, table("orders-2", sort=False), [])
        with report.case("names of tables and indexes that differ only by case"):
            equal(found(check(server)), [("names-by-case", "Orders", "byOwner", "", 0), ("names-by-case", "orders", "", "", 0)])


def load(report):
    def read(server, pk, times):
        for _ in range(times):
            server.call("GetItem", {"TableName": "Tab", "Key": item(pk)})

    with Server() as server:
        make(server, table("Tab"), [item("a"), item("b")])
        must(server, "DELETE", "journal")
        with report.case("a partition that takes most of the load of few requests: nothing"):
            read(server, "a", 90)
            equal(check(server)["findings"], [])
        with report.case("half of the load: nothing"):
            read(server, "b", 90)
            equal(check(server)["findings"], [])
        with report.case("a partition that takes most of the load"):
            read(server, "a", 20)
            (one,) = check(server)["findings"]
            equal((one["kind"], one["key"]), ("hot-partition", {"pk": s("a")}))
            equal(one["text"], "one partition took 55 of the 100 units in the journal, and 110 of the 200 requests")
        with report.case("a check is no request"):
            equal(check(server)["requests"], 200)
    with Server("--journal", "0") as server:
        make(server, table("Tab"), [item("a")])
        with report.case("without a journal"):
            equal(check(server), {"findings": [], "more": 0, "requests": 0, "dropped": 0,
                                  "tables": [{"table": "Tab", "items": 1, "keys_read": 1, "items_read": 1}]})


def bounds(report):
    with Server() as server:
        make(server, table("Tab"), many(2000, str, x=s("1")) + [item("odd", x=n(1))])
        with report.case("a sample says how much it saw"):
            answer = check(server, "?items=100")
            (looked,) = answer["tables"]
            equal((looked["items"], looked["keys_read"], 90 <= looked["items_read"] <= 100), (2001, 2001, True))
        with report.case("as many as there are"):
            (looked,) = check(server, "?items=2001")["tables"]
            equal(looked["items_read"], 2001)
            equal(found(check(server)), [("mixed-types", "Tab", "", "x", 2001)])
        with report.case("other requests are answered meanwhile"):
            answered, done = [0], threading.Event()

            def ask_on():
                while not done.is_set():
                    server.call("GetItem", {"TableName": "Tab", "Key": item("odd")})
                    answered[0] += 1

            most = 0
            for _ in range(10):
                answered[0] = 0
                done.clear()
                thread = threading.Thread(target=ask_on)
                thread.start()
                check(server)
                most = max(most, answered[0])
                done.set()
                thread.join()
            assert most > 2, most
        with report.case("a table that is dropped meanwhile"):
            thread = threading.Thread(target=lambda: [check(server) for _ in range(5)])
            thread.start()
            server.call("DeleteTable", {"TableName": "Tab"})
            thread.join()
            equal(check(server)["findings"], [])
        for query, status, why in (
            ("?table=None", 404, "table None does not exist"),
            ("?items=0", 400, "items is not a whole number from 1 to 1000000"),
            ("?items=x", 400, "items is not a whole number from 1 to 1000000"),
            ("?kind=x", 400, "unknown filter kind"),
        ):
            with report.case(f"refused: {query}"):
                equal(ask(server, "GET", f"check{query}"), (status, {"message": why}))


def command(report):
    def run(*words):
        ended = run_program([BINARY, "check", *words])
        return ended.returncode, ended.stdout, ended.stderr

    with Server() as server:
        at = ("--endpoint", server.url)
        make(server, table("Tab"), many(30, str))
        with report.case("check: nothing is found"):
            equal(run(*at), (0, "", "mockddb: 0 findings; looked at 1 table and 3 requests\n"))
        with report.case("check: a sample says so"):
            equal(run(*at, "--items", "10")[2].splitlines()[1], "mockddb: of Tab at 10 of 30 items, and 30 keys")
        make(server, table("Uab"), [item("a", x=s("1")), item("b", x=n(1))])
        with report.case("check: something is found"):
            status, out, _ = run(*at)
            equal((status, out), (1, "Uab: x is S in 1 item, N in 1 item\n"))
        with report.case("check: one table"):
            equal((run(*at, "--table", "Tab")[0], run(*at, "--table", "Uab")[0]), (0, 1))
        with report.case("check --json"):
            status, out, error = run(*at, "--json")
            equal((status, json.loads(out)["findings"][0]["kind"], error), (1, "mixed-types", ""))
        with report.case("ctl check"):
            ended = run_program([BINARY, "ctl", *at, "check", "table=Uab"])
            equal(json.loads(ended.stdout)["findings"][0]["kind"], "mixed-types")
        for words, why in (
            (("--table", "None"), "table None does not exist"),
            (("--table", "a b"), "no table can be called a b"),
            (("--items", "0"), "option --items"),
            (("--world", "none"), "world none does not exist"),
            (("more",), "unexpected word more"),
        ):
            with report.case(f"check {' '.join(words)}: a mistake exits with 2"):
                status, _, error = run(*at, *words)
                equal((status, why in error), (2, True))
    with report.case("check: no server exits with 2"):
        equal(run("--endpoint", "http://127.0.0.1:1")[0], 2)


def fixtures(report):
    with Server("--fixtures", "ecommerce", "--table-prefix", "prod-") as server:
        with report.case("the numbers of findings are those of the items"):
            for one in check(server)["findings"]:
                if one["kind"] != "mixed-types":
                    continue
                got, start = [], {}
                while start is not None:
                    answer = server.call("Scan", {"TableName": one["table"], **start})
                    got += answer["Items"]
                    start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]} if "LastEvaluatedKey" in answer else None
                types = {next(iter(each[one["attribute"]])) for each in got if one["attribute"] in each}
                assert len(types - {"NULL"}) > 1, (one, types)


if __name__ == "__main__":
    report = Report()
    items(report)
    indexes(report)
    load(report)
    bounds(report)
    command(report)
    fixtures(report)
    report.done()
