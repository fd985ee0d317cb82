"""Notes of explanations: what a read costs and what would halve it, what the journal says, and data that is probably wrong."""

import json
import re
import time

from admin import ask, must
from e2e import Report, Server, equal, wait_until
from test_explain import keyed

NOW = int(time.time())
S, N = (lambda text: {"S": text}), (lambda number: {"N": str(number)})


def narrow(report):
    """What a projection would take in an index that holds no more: compared with such an index."""
    def note(server, request):
        hints = must(server, "POST", "try", {"operation": "Query", "request": request})["explanation"]["hints"]
        return next((hint["text"] for hint in hints if hint["name"] == "projection-saves-no-unit"), "")

    with Server() as server:
        server.call("CreateTable", {
            "TableName": "Wide", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "day")],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            "LocalSecondaryIndexes": [{
                "IndexName": "narrow", "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["title", "state"]},
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "day", "KeyType": "RANGE"}]}],
        })
        server.put_items("Wide", [
            {"pk": {"S": pk}, "sk": {"S": f"{i:04}"}, "day": {"S": f"2026-01-{i % 28 + 1:02}"}, "title": {"S": "t" * (i % 40)},
             "state": {"S": "OPEN" if i % 3 else "DONE"}, "text": {"S": "x" * size}}
            for pk, size in (("large", 900), ("small", 10)) for i in range(100)])
        query = {"TableName": "Wide", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "large"}, ":o": {"S": "OPEN"}},
                 "FilterExpression": "#s = :o", "ProjectionExpression": "title, #d", "ExpressionAttributeNames": {"#s": "state", "#d": "day"}}
        with report.case("what an index would take is what it takes"):
            said = re.search(r"would take ([\d.]+) instead of ([\d.]+) units", note(server, query))
            used = [server.call("Query", {**query, **more, "ReturnConsumedCapacity": "TOTAL"})["ConsumedCapacity"]["CapacityUnits"]
                    for more in ({"IndexName": "narrow"}, {})]
            equal([float(number) for number in said.groups()], used)
        for name, more in (
            ("items that are small as they are", {"ExpressionAttributeValues": {":p": {"S": "small"}, ":o": {"S": "OPEN"}}}),
            ("a page of many", {"Limit": 50}),
            ("a strongly consistent read", {"ConsistentRead": True}),
            ("all of it is asked for", {"ProjectionExpression": "title, #d, #t", "ExpressionAttributeNames": {"#s": "state", "#d": "day", "#t": "text"}}),
        ):
            with report.case(f"no index is better: {name}"):
                assert "would take" not in note(server, {**query, **more})


def halving_key(report):
    """What an index with a condition of the filter in its key would take: compared with that index, which is made."""
    def names(*keys):
        return [{"AttributeName": key, "AttributeType": "N" if key == "score" else "S"} for key in keys]

    def table(server, name, items, keys=("pk", "sk"), indexes=()):
        server.call("CreateTable", {
            "TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": [*keyed(keys[:1], "HASH"), *keyed(keys[1:], "RANGE")],
            "AttributeDefinitions": names(*dict.fromkeys((*keys, *(key for _, parts, _ in indexes for key in parts)))),
            **({"GlobalSecondaryIndexes": [{"IndexName": index, "KeySchema": [*keyed(parts[:1], "HASH"), *keyed(parts[1:], "RANGE")],
                                            "Projection": {"ProjectionType": kind}} for index, parts, kind in indexes]} if indexes else {})})
        server.put_items(name, items)

    def add_index(server, name, parts):
        server.call("UpdateTable", {"TableName": name, "AttributeDefinitions": names(*dict.fromkeys(("pk", "sk", *parts))), "GlobalSecondaryIndexUpdates": [
            {"Create": {"IndexName": "made", "KeySchema": [*keyed(parts[:1], "HASH"), *keyed(parts[1:], "RANGE")], "Projection": {"ProjectionType": "ALL"}}}]})
        wait_until(lambda: all(ix["IndexStatus"] == "ACTIVE" for ix in server.call("DescribeTable", {"TableName": name})["Table"]["GlobalSecondaryIndexes"]))

    def request(name, key=None, where=None, index=None, **more):
        placed = {f"#{word}": word for word in re.findall(r"#(\w+)", f"{key} {where}")}
        parts = {"TableName": name, "IndexName": index, "KeyConditionExpression": key, "FilterExpression": where, "ExpressionAttributeNames": placed,
                 "ExpressionAttributeValues": {value: VALUES[value] for value in re.findall(r":\w+", f"{key} {where}")}}
        return "Query" if key else "Scan", {member: value for member, value in parts.items() if value} | more

    def note(server, operation, body):
        hints = must(server, "POST", "try", {"operation": operation, "request": body})["explanation"]["hints"]
        return next((hint["text"] for hint in hints if hint["name"] == "index-would-halve"), "")

    def units(server, operation, body):
        answer = server.call(operation, {**body, "ReturnConsumedCapacity": "TOTAL"})
        return answer["ConsumedCapacity"]["CapacityUnits"], answer["ScannedCount"], answer["Items"]

    def same(one, two):
        equal(sorted(json.dumps(item, sort_keys=True) for item in one), sorted(json.dumps(item, sort_keys=True) for item in two))

    VALUES = {":p": {"S": "p0"}, ":open": {"S": "OPEN"}, ":o": {"S": "ORDER#"}, ":n": {"N": "395"}, ":half": {"N": "200"}, ":e": {"S": "eu"}, ":us": {"S": "us"},
              ":k": {"S": "ORDER#0010"}, ":low": {"N": "0"}, ":tag": {"S": "t1"}}
    rows = [{"pk": {"S": f"p{i % 2}"}, "sk": {"S": f"{'ORDER' if i % 4 < 3 else 'NOTE'}#{i:04}"}, "state": {"S": "DONE" if i % 20 else "OPEN"},
             "score": {"N": str(i)}, "zone": {"S": "eu" if i % 10 else "us"}, "tag": {"S": "t1"} if i % 50 else {"N": "1"}, "text": {"S": "x" * 500}}
            for i in range(400)]
    said = re.compile(r"(.*) would take ([\d.]+) instead of ([\d.]+) units( for the first \d+ items)?: (\d+) of (\d+) items have .*; writes of items with (\w+) .*")
    # name, request, the index that is made, the request that reads it
    for name, asked, parts, better in (
        ("a filter of a partition", dict(key="pk = :p", where="#state = :open"), ("pk", "state"), dict(key="pk = :p AND #state = :open")),
        ("a filter of a part of a partition", dict(key="pk = :p AND begins_with(sk, :o)", where="#state = :open"), ("pk", "state"),
         dict(key="pk = :p AND #state = :open", where="begins_with(sk, :o)")),
        ("a filter by a range", dict(key="pk = :p", where="score > :n"), ("pk", "score"), dict(key="pk = :p AND score > :n")),
        ("the better one of two", dict(key="pk = :p", where="score > :n AND #zone = :e"), ("pk", "score"), dict(key="pk = :p AND score > :n", where="#zone = :e")),
        ("a filter of a Scan", dict(where="#state = :open"), ("state",), dict(key="#state = :open")),
        ("a filter of a Scan, beside a range", dict(where="#state = :open AND score >= :low"), ("state",), dict(key="#state = :open", where="score >= :low")),
        ("a filter beside one that is no comparison", dict(key="pk = :p", where="#state = :open AND (#zone = :us OR attribute_not_exists(#zone))"), ("pk", "state"),
         dict(key="pk = :p AND #state = :open", where="#zone = :us OR attribute_not_exists(#zone)")),
    ):
        with Server() as server, report.case(f"a key that would halve it: {name}"):
            table(server, "Tab", rows)
            operation, body = request("Tab", **asked)
            text = note(server, operation, body)
            told = said.fullmatch(text)
            assert told, text
            equal((told[1], told[7]), (f"an index with {' and '.join(parts)} as its key", parts[-1]))
            add_index(server, "Tab", parts)
            before, _, items = units(server, operation, body)
            after, read, found = units(server, *request("Tab", index="made", **better))
            equal((float(told[2]), float(told[3]), int(told[5])), (after, before, read))
            same(items, found)
            equal(note(server, operation, body), "")  # there is one now
    with Server() as server:
        table(server, "Tab", rows)
        for name, asked in (
            ("half of the items have it", dict(key="pk = :p", where="score >= :low AND #zone = :e")),
            ("no equality of a Scan", dict(where="score > :n")),
            ("a part that may be another's", dict(key="pk = :p", where="#state = :open OR #zone = :e")),
            ("one page is asked for", dict(key="pk = :p", where="#state = :open", Limit=150)),
            ("a strongly consistent read, which no global index does", dict(key="pk = :p", where="#state = :open", ConsistentRead=True)),
            ("a segment", dict(where="#state = :open", Segment=0, TotalSegments=2)),
            ("a part of a partition, of which all of it has more", dict(key="pk = :p AND sk <= :k", where="#zone = :e")),
            ("items with a value of another type, which the index would refuse", dict(where="tag = :tag")),
        ):
            with report.case(f"no key would halve it: {name}"):
                equal(note(server, *request("Tab", **asked)), "")
        with report.case("no key would halve it: it takes a unit"):
            table(server, "Small", [{**row, "text": {"S": "x"}} for row in rows[:60]])
            equal(note(server, *request("Small", key="pk = :p", where="#state = :open")), "")
        with report.case("a key that would halve what a SELECT takes"):
            statement = "SELECT * FROM \"Tab\" WHERE \"state\" = 'OPEN'"
            hints = must(server, "POST", "try", {"statement": statement})["explanation"]["hints"]
            told = said.fullmatch(next(hint["text"] for hint in hints if hint["name"] == "index-would-halve"))
            equal((told[1], told[5], told[6]), ("an index with state as its key", "20", "400"))
        for size, why in ((0, "an empty text"), (1025, "a longer text than an index takes")):
            with report.case(f"no key would halve it: {why}"):
                server.call("PutItem", {"TableName": "Tab", "Item": {"pk": {"S": "p0"}, "sk": {"S": "other"}, "state": {"S": "x" * size}}})
                equal(note(server, *request("Tab", key="pk = :p", where="#state = :open")), "")
        with report.case("an index with the key and few attributes: what it would take with all"):
            table(server, "Few", rows, indexes=(("by-state", ("pk", "state"), "KEYS_ONLY"),))
            body = request("Few", key="pk = :p", where="#state = :open")
            text = note(server, *body)
            assert said.fullmatch(text)[1] == "by-state, if it had all attributes,", text
        with report.case("an index that begins with the key: nothing"):
            table(server, "More", rows, indexes=(("by-state", ("state", "score"), "KEYS_ONLY"),))
            equal(note(server, *request("More", where="#state = :open")), "")
    with Server() as server, report.case("of a long table, what was looked at"):
        long = [{"pk": {"S": f"{i}"}, "sk": {"S": "x"}, "state": {"S": "DONE" if i % 20 else "OPEN"}, "text": {"S": "x" * 60}} for i in range(9000)]
        table(server, "Long", long)
        told = said.fullmatch(note(server, *request("Long", where="#state = :open")))
        looked, fit = int(told[6]), int(told[5])
        equal(told[4], f" for the first {looked} items")
        _, _, first = units(server, "Scan", {"TableName": "Long", "Limit": looked})
        _, _, fitting = units(server, "Scan", {**request("Long", where="#state = :open")[1], "Limit": looked})
        equal((len(first), len(fitting), looked < 9000), (looked, fit, True))
        equal(float(told[3]), server.call("Scan", {"TableName": "Long", "Limit": looked, "ReturnConsumedCapacity": "TOTAL"})["ConsumedCapacity"]["CapacityUnits"])


def past(report):
    """What a read costs a day, and what the journal says about it."""
    def notes(server, operation, request, **more):
        hints = must(server, "POST", "try", {"operation": operation, "request": request, **more})["explanation"]["hints"]
        return {hint["name"]: hint["text"] for hint in hints if hint["weight"] == "note"}

    def table(name):
        keys = [{"AttributeName": "id", "KeyType": "HASH"}]
        return {"TableName": name, "KeySchema": keys, "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": one, "AttributeType": "S"} for one in ("id", "owner")],
                "GlobalSecondaryIndexes": [{"IndexName": "by-owner", "Projection": {"ProjectionType": "ALL"},
                                            "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}]}]}

    query = {"TableName": "Orders", "IndexName": "by-owner", "KeyConditionExpression": "#o = :o",
             "ExpressionAttributeNames": {"#o": "owner"}, "ExpressionAttributeValues": {":o": {"S": "a"}}}
    consistent = {"TableName": "Orders", "ConsistentRead": True}
    scan = {"TableName": "Orders"}
    with Server("--clock", "2026-01-01T00:00:00Z,frozen") as server:
        server.call("CreateTable", table("Orders"))
        server.put_items("Orders", [{"id": {"S": str(i)}, "owner": {"S": "a"}, "text": {"S": "x" * 900}} for i in range(500)])
        with report.case("what a read costs a day, if the number of calls is given"):
            units = server.call("Scan", {**scan, "ReturnConsumedCapacity": "TOTAL"})["ConsumedCapacity"]["CapacityUnits"]
            equal(notes(server, "Scan", scan, calls_a_day=200000)["cost-a-day"],
                  f"200000 calls a day take {units * 200000:.0f} read units, on demand {units * 200000 * 0.125 / 1e6:.2f} USD (0.125 USD a million)")
            equal("cost-a-day" in notes(server, "Scan", scan), False)
        for wrong in (0, -1, "many", 1e13):
            with report.case(f"refused: calls_a_day {wrong}"):
                equal(ask(server, "POST", "try", {"operation": "Scan", "request": scan, "calls_a_day": wrong}),
                      (400, {"message": "calls_a_day is not a number above 0"}))
        with report.case("a strongly consistent read after writes: nothing of the journal"):
            for _ in range(20):
                server.call("Scan", scan)
            equal("consistent-in-vain" in notes(server, "Scan", consistent), False)
        must(server, "DELETE", "journal")
        with report.case("a strongly consistent read, after few requests"):
            equal("consistent-in-vain" in notes(server, "Scan", consistent), False)
        with report.case("a strongly consistent read of a table to which nothing is written"):
            for _ in range(20):
                server.call("Scan", scan)
            text = notes(server, "Scan", consistent)["consistent-in-vain"]
            assert text.startswith("no request of the 22 to Orders in the journal is a write"), text
            equal("consistent-in-vain" in notes(server, "Scan", scan), False)
        with report.case("an index that few requests read"):
            equal("index-of-one-query" in notes(server, "Query", query), False)
        with report.case("an index that this query alone reads"):
            for owner in range(20):
                server.call("Query", {**query, "ExpressionAttributeValues": {":o": {"S": str(owner)}}})
            assert notes(server, "Query", query)["index-of-one-query"].startswith("all 22 reads of by-owner in the journal are this query")
        with report.case("an index that another query reads, too"):
            server.call("Scan", {"TableName": "Orders", "IndexName": "by-owner", "Limit": 1})
            equal("index-of-one-query" in notes(server, "Query", query), False)
        with report.case("the journal's rate, of a read that costs a dollar a day"):
            must(server, "DELETE", "journal")
            for _ in range(10):
                must(server, "POST", "clock", {"advance": "10s"})
                for _ in range(20):
                    server.call("Scan", scan)
            equal("cost-a-day" in notes(server, "Query", query), False)
            text = notes(server, "Scan", scan)["cost-a-day"]
            told = re.fullmatch(r"(\d+) calls a day \(the journal's rate: 201 in 90 s\) take (\d+) read units, on demand ([\d.]+) USD .*", text)
            equal(int(told[1]), 192000)  # 200 after the first, in 90 s
            equal((int(told[2]), float(told[3])), (int(192000 * units), round(192000 * units * 0.125 / 1e6, 2)))
    with Server("--clock", "2026-01-01T00:00:00Z,frozen") as server:
        server.call("CreateTable", table("Orders"))
        server.put_items("Orders", [{"id": {"S": f"{owner}{i}"}, "owner": {"S": owner}, "text": {"S": "x" * 900}} for owner in "abcdef" for i in range(30)])
        must(server, "DELETE", "journal")

        def ask_for(owners):
            for owner in owners:
                server.call("Query", {**query, "ExpressionAttributeValues": {":o": {"S": owner}}})

        with report.case("a partition with most of the load, after few requests"):
            ask_for("abcdef" + "a" * 60)
            equal("hot-partition" in notes(server, "Query", query), False)
        with report.case("a partition with most of the load"):
            ask_for("bcdef" + "a" * 60)
            text = notes(server, "Query", query)["hot-partition"]
            told = re.match(r'the partition {"owner":{"S":"a"}} takes (\d+) % of the units of the newest 100 requests to Orders\.by-owner: ', text)
            load = must(server, "GET", "metrics/partitions?table=Orders")["partitions"]
            assert load[0]["key"] == {"owner": {"S": "a"}} and 85 < int(told[1]) < 100, (text, load[:2])
        with report.case("another partition than that"):
            b = {**query, "ExpressionAttributeValues": {":o": {"S": "b"}}}
            equal("hot-partition" in notes(server, "Query", b), False)
        def get(name):
            return {"TableName": "Orders", "Key": {"id": {"S": name}}}

        with report.case("an item with most of the load of small reads"):
            for name in ["b0", "c0", "d0", "e0", "f0"] * 8 + ["a0"] * 60:
                server.call("GetItem", get(name))
            text = notes(server, "GetItem", get("a0"))["hot-partition"]
            assert text.startswith('the partition {"id":{"S":"a0"}} takes 61 % of the units of the newest 100 requests to Orders: '), text
            equal("hot-partition" in notes(server, "GetItem", get("b0")), False)
        with report.case("a load that is spread"):
            ask_for("abcdef" * 20)
            equal("hot-partition" in notes(server, "Query", query), False)
    with Server("--journal", "10") as server:
        server.call("CreateTable", table("Orders"))
        for _ in range(40):
            server.call("Query", query)
        with report.case("a journal that has dropped requests says nothing of all of them"):
            equal(notes(server, "Query", query), {})


def data(report):
    """What a put item has otherwise than those beside it, its time to live, and its size."""
    def table(server, name, items, keys=("pk", "sk"), ttl="due"):
        server.call("CreateTable", {"TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": [*keyed(keys[:1], "HASH"), *keyed(keys[1:], "RANGE")],
                                    "AttributeDefinitions": [{"AttributeName": key, "AttributeType": "S"} for key in keys]})
        server.call("UpdateTimeToLive", {"TableName": name, "TimeToLiveSpecification": {"AttributeName": ttl, "Enabled": True}})
        server.put_items(name, items)

    def put(server, name, **more):
        item = {"pk": S("p"), "sk": S("new"), **more}
        told = must(server, "POST", "try", {"operation": "PutItem", "request": {"TableName": name, "Item": item}})["explanation"]
        server.call("DeleteItem", {"TableName": name, "Key": {"pk": item["pk"], "sk": item["sk"]}})
        return told.get("reason"), {hint["name"]: hint["text"] for hint in told["hints"]}

    rows = [{"pk": S("p"), "sk": S(f"{i}"), "score": N(i), "userId": S(f"u{i}"), "mixed": N(1) if i % 2 else S("1"), "due": N(NOW + 10**6)} for i in range(8)]
    kinds = [{"pk": S("p"), "sk": S(f"ORDER#{i}"), "value": N(i)} for i in range(8)] + [{"pk": S("p"), "sk": S(f"NOTE#{i}"), "value": S("x")} for i in range(8)]
    with Server("--ttl-sweep-ms", "0") as server:
        table(server, "Tab", rows)
        table(server, "Kinds", kinds)
        table(server, "Few", rows[:4])
        for name, into, attributes, note, text in (
            ("another type", "Tab", dict(score=S("5")), "mixed-types", "score is S here, and N in the items beside it"),
            ("another type, of its kind", "Kinds", dict(sk=S("ORDER#x"), value=S("5")), "mixed-types", "value is S here, and N in the items beside it"),
            ("another case", "Tab", dict(userid=S("5")), "names-by-case", "userid is called userId in the items beside it: the case of names counts"),
            ("a large item", "Tab", dict(blob=S("x" * 375000)), "large-item", "the item has 366 KB of 400 KB at most"),
            ("a time to live that is over", "Tab", dict(due=N(NOW - 86400)), "expired-items", "due is over: the service may delete the item at any time"),
            ("a time to live that is long over", "Tab", dict(due=N(NOW - 6 * 366 * 86400)), "expired-items",
             "due is over: the service does not delete what is over for more than five years"),
        ):
            with report.case(f"a put of {name}"):
                equal(put(server, into, **attributes), (None, {note: text}))
        for name, due, why in (
            ("milliseconds", N(NOW * 1000), "due looks like milliseconds (13 digits): "),
            ("microseconds", N(NOW * 10**6), "due looks like microseconds (16 digits): "),
            ("text", S("2030-01-01"), "due is S: the time to live is a number of seconds, so this item stays"),
            ("a duration", N(3600), "due is 3600, a moment before 2001: a time to live is when an item ends, such as "),
        ):
            with report.case(f"a put with a time to live: {name}"):
                reason, notes = put(server, "Tab", due=due)
                assert reason.startswith(why), reason
                equal([note for note in notes if note == "expired-items"], [])
        for name, into, attributes in (
            ("the same types and names", "Tab", dict(score=N(5), userId=S("u"), mixed=S("x"), due=N(NOW + 86400))),
            ("one of several types", "Tab", dict(mixed=N(1))),
            ("another type than few have", "Few", dict(score=S("5"), USERID=S("x"))),
            ("NULL", "Tab", dict(score={"NULL": True})),
            ("a type of its own kind", "Kinds", dict(sk=S("NOTE#x"), value=S("5"))),
            ("a kind of its own", "Kinds", dict(sk=S("TASK#x"), value={"BOOL": True})),
            ("another name", "Tab", dict(user_id=S("5"))),
            ("0 for an item that stays", "Tab", dict(due=N(0))),
            ("a bar code and an article beside the time to live", "Tab", dict(ean=N(4006381333931), article=N(1200450000), due=N(NOW + 86400))),
            ("an item of 350 KB", "Tab", dict(blob=S("x" * 350000))),
        ):
            with report.case(f"nothing is said of a put of {name}"):
                equal(put(server, into, **attributes), (None, {}))


if __name__ == "__main__":
    report = Report()
    narrow(report)
    halving_key(report)
    past(report)
    data(report)
    report.done()
