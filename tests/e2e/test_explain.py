"""Explanations: the suite of tests/explain/cases, the header, the verbs, docs/explain.md."""

import json
import re
import shlex
import sys

import claims
from admin import ROOT, ask, must, run_documented
from e2e import HEADERS as SIGNED
from e2e import Report, Server, equal

CASES = ROOT / "tests/explain/cases"


def first_word(explanation):
    """What the first line of the text is: "why", "hint", or neither."""
    return re.match(r"(why|hint)?", explanation["text"])[0]


def request_of(command):
    """The operation and the request of a proposed command."""
    words = shlex.split(command)
    operation = "".join(word.capitalize() for word in words[2].split("-"))
    request = {}
    for word in words[3:]:
        if word.startswith("--"):
            is_no = word.startswith("--no-")
            member = "".join(part.capitalize() for part in word[5 if is_no else 2 :].split("-"))
            request[member] = not is_no
        elif request[member] is not True:
            raise AssertionError(f"{word!r} belongs to no option of {command}")
        else:
            is_json = word[0] in "{[" or member in ("Limit", "TopK")
            request[member] = json.loads(word) if is_json else word
    return operation, request


def count_items(answer):
    """How many items a read's answer has, of whatever operation."""
    if "Count" in answer:
        return answer["Count"]
    responses = answer.get("Responses", [])
    if isinstance(responses, dict):
        return sum(map(len, responses.values()))
    return sum("Item" in one for one in (answer, *responses)) + len(answer.get("Items", answer.get("SearchResults", ())))


def check_accepted(server, proposal):
    """A write that is proposed is accepted, in a copy of the world."""
    must(server, "POST", "worlds/tried", {"from": "default"})
    operation, request = request_of(proposal["try"])
    status, _, answer = server.post(operation, request, {"x-mockddb-world": "tried"})
    must(server, "DELETE", "worlds/tried")
    assert status == 200, answer


def check_proposal(server, proposal):
    """A read that is proposed gives what the explanation says that it gives, and it gives something."""
    if proposal.get("gives") == "is accepted":
        check_accepted(server, proposal)
        return
    given = re.match(r"gives (\d+) items?(?:, ([\d.]+) units?| (or more))?$", proposal.get("gives", ""))
    if not given:
        equal(proposal.get("gives"), None)
        return
    operation, request = request_of(proposal["try"])
    answer = server.call(operation, request | {"ReturnConsumedCapacity": "TOTAL"} if given[2] else request)
    assert count_items(answer) == int(given[1]) or (given[3] and count_items(answer) > int(given[1])), given[0]
    assert int(given[1]), "the proposal gives nothing"
    if given[2]:
        used = answer["ConsumedCapacity"]
        equal(sum(one["CapacityUnits"] for one in (used if isinstance(used, list) else [used])), float(given[2]))


CAUSE = 100  # characters of a first line up to its correction


def check_cause(case, reason):
    """The cause comes first and is short, whatever the names and values of the request."""
    cause = re.split(r"[:;] ", re.sub(r"^(action|statement|key|write) \d+[^:]*: ", "", reason))[0]
    own = set(re.findall(r"[^\s\"(),]+", json.dumps(case))) | {"prod-EcomIndexSettingsTable", "prod-EcomIndexerJobsTable"}
    words = [word for word in re.sub(r'"(?:[^"\\]|\\.)*"', "", cause).split() if word not in own]
    assert len(" ".join(words)) <= CAUSE, f"the cause is long: {cause!r}"
    assert not re.match(r"(none of (the )?(first )?)?\d+ (of|keys?|items?|writes?|entries)\b", reason), f"a count comes first: {reason!r}"


def check(server, case, explanation):
    """Raises when the explanation is not the one that the case expects, or proposes what is not so."""
    for proposal in (explanation, *explanation["hints"]):
        check_proposal(server, proposal)
    reason = explanation.get("reason")
    wanted = case.get("reason")
    if reason:
        check_cause(case, reason)
    if wanted and not (reason and re.search(wanted, reason)):
        raise AssertionError(f"the reason is {reason!r}, not {wanted!r}")
    if not wanted and reason:
        raise AssertionError(f"there is a reason: {reason!r}")
    for word in case.get("never", ()):
        assert not re.search(word, explanation["text"]), f"{word!r} is in {explanation['text']!r}"
    notes = [hint["name"] for hint in explanation["hints"] if hint["weight"] == "note"]
    if case.get("silent"):
        equal(notes, [])
    elif "note" in case:
        assert case["note"] in notes, f"{case['note']} is not among {notes}"
    names = [hint["name"] for hint in explanation["hints"] if hint["weight"] == "hint"]
    equal(names, [case["hint"]] if "hint" in case else [])
    equal(first_word(explanation), "why" if wanted else "hint" if "hint" in case else "")
    if "caret" in case:
        check_marks(explanation["lines"], case["caret"])
    for pattern in (case.get("tries"),):
        if pattern and not re.search(pattern, explanation["text"], re.S):
            raise AssertionError(f"{pattern!r} is not in {explanation['text']!r}")


def check_marks(lines, wanted):
    """A line of ^ is below a line, and below these characters of it, where the case names them."""
    at = next(i for i, line in enumerate(lines) if re.fullmatch(r" *\^+", line))
    marked = lines[at - 1].ljust(len(lines[at]))[lines[at].index("^"):len(lines[at])]
    assert wanted is True or marked == wanted, f"{marked!r} is marked, not {wanted!r}"


def run(server, case):
    body = {key: case[key] for key in ("operation", "request", "statement") if key in case}
    tried = must(server, "POST", "try", body)
    claims.check(server, case.get("operation", "ExecuteStatement"), case.get("request", {"Statement": case.get("statement")}), tried)
    assert not case.get("silent") or tried["status"] == 200, tried["response"]
    return tried["explanation"]


def suite(report, only):
    for path in sorted(CASES.glob("*.json")):
        document = json.loads(path.read_text())
        fixtures = ["ecommerce", *(str(ROOT / name) for name in document.get("fixtures", []))]
        options = [word for name in fixtures for word in ("--fixtures", name)]
        with Server(*options, "--table-prefix", "prod-") as server:
            for case in document["cases"]:
                name = f"{path.stem}: {case['name']}"
                if only and not re.search(only, name):
                    continue
                case["silent"] = document.get("silent", False)
                with report.case(name):
                    explanation = run(server, case)
                    if only:
                        print(explanation["text"], file=sys.stderr)
                    check(server, case, explanation)


def forms(report):
    scan = {"TableName": "prod-ShopifyEntitiesTable", "Limit": 3}
    with Server("--fixtures", "ecommerce", "--table-prefix", "prod-") as server:
        with report.case("a request that asks is answered as ever, and explained"):
            plain = server.post("Scan", scan)
            status, headers, body = server.post("Scan", scan, {"x-mockddb-explain": "true"})
            equal((status, body), (plain[0], plain[2]))
            assert "x-mockddb-explain" not in plain[1]
            kept = must(server, "GET", f"explanations/{headers['x-mockddb-explain']}")
            equal(kept["id"], headers["x-mockddb-explain"])
            facts = kept["explanation"]["facts"]
            equal((facts["read"], facts["returned"], facts["more"]), (3, 3, True))
        with report.case("try answers as the service does"):
            tried = must(server, "POST", "try", {"operation": "Scan", "request": scan})
            equal((tried["status"], tried["response"]), (200, json.loads(plain[2])))
        with report.case("the newest 256 are kept"):
            for _ in range(256):
                server.post("ListTables", {}, {"x-mockddb-explain": "true"})
            equal(ask(server, "GET", "explanations/1")[0], 404)
            equal(ask(server, "GET", "explanations/257")[0], 200)
        for body in ({}, {"operation": "Query"}, {"operation": "Nothing", "request": {}}):
            with report.case(f"refused: try of {body}"):
                equal(ask(server, "POST", "try", body)[0], 400)
        for number in ("0", "999999", "x", "99999999999999999999999"):
            with report.case(f"there is no explanation {number}"):
                equal(ask(server, "GET", f"explanations/{number}")[0], 404)
    with Server("--no-admin") as server:
        with report.case("without verbs nothing is explained"):
            answer = server.post("ListTables", {}, {"x-mockddb-explain": "true"})
            assert "x-mockddb-explain" not in answer[1]
    with Server("--read-only", "--fixtures", "ecommerce") as server:
        with report.case("a read-only server refuses writes that are tried"):
            item = {"pk": {"S": "a"}, "sk": {"S": "b"}}
            write = {"TableName": "ShopifyEntitiesTable", "Item": item}
            equal(must(server, "POST", "try", {"operation": "PutItem", "request": write})["status"], 400)


def expired(report):
    """The clock goes past an item's time to live; what has not been swept yet is still returned."""
    kept = ("--fixtures", "ecommerce", "--ttl-sweep-ms", "0")
    with Server(*kept, "--clock", "fixture") as server:
        key = {"pk": {"S": "PLATFORM#ecom#SHOP#x"}, "sk": {"S": "JOB#1"}}
        item = {**key, "ttl": {"N": "1700000000"}}
        server.call("PutItem", {"TableName": "EcomIndexerJobsTable", "Item": item})
        with report.case("an expired item that is still there is noted"):
            get = {"TableName": "EcomIndexerJobsTable", "Key": key}
            tried = must(server, "POST", "try", {"operation": "GetItem", "request": get})
            hints = tried["explanation"]["hints"]
            equal([hint["name"] for hint in hints], ["expired-items"])
    with Server(*kept) as server:
        with report.case("nothing is noted where a fixture's items stay"):
            scan = {"TableName": "EcomIndexerJobsTable", "Limit": 1}
            tried = must(server, "POST", "try", {"operation": "Scan", "request": scan})
            equal(tried["explanation"]["hints"], [])


def keyed(names, kind):
    return [{"AttributeName": name, "KeyType": kind} for name in names]


def keys(report):
    """Keys of many attributes, and of many parts."""
    hashes, ranges = ("h1", "h2", "h3", "h4"), ("r1", "r2", "r3", "r4")
    names = (*hashes, *ranges, "pk", "sk")
    table = {
        "TableName": "Wide",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in names],
        "KeySchema": [*keyed(["pk"], "HASH"), *keyed(["sk"], "RANGE")],
        "GlobalSecondaryIndexes": [
            {"IndexName": "wide", "KeySchema": keyed(hashes, "HASH") + keyed(ranges, "RANGE"),
             "Projection": {"ProjectionType": "ALL"}},
            {"IndexName": "one", "KeySchema": keyed(["h1"], "HASH"),
             "Projection": {"ProjectionType": "ALL"}},
        ],
    }
    with Server() as server:
        server.call("CreateTable", table)
        with report.case("a start key of ten attributes and one too many"):
            request = {
                "TableName": "Wide", "IndexName": "wide",
                "KeyConditionExpression": " AND ".join(f"{name} = :v" for name in hashes),
                "ExpressionAttributeValues": {":v": {"S": "a"}},
                "ExclusiveStartKey": {name: {"S": "a"} for name in (*names, "x")},
            }
            tried = must(server, "POST", "try", {"operation": "Query", "request": request})
            equal(tried["explanation"]["reason"],
                  "ExclusiveStartKey of Wide.wide consists of h1, h2, h3, h4, r1, r2, r3, r4, pk "
                  "and sk: x does not belong to it; pass on LastEvaluatedKey as it came")
        with report.case("a text of a hundred thousand parts takes no time"):
            item = {"pk": {"S": "a"}, "sk": {"S": "b"}, "note": {"S": "#" * 300000}}
            server.call("PutItem", {"TableName": "Wide", "Item": item})
            server.call("PutItem", {"TableName": "Wide", "Item": {
                "pk": {"S": "a"}, "sk": {"S": "c"}, "h1": {"S": "#" * 2000 + "a"}}})
            for asked in ("zebra", "#" * 2000 + "b"):
                request = {"TableName": "Wide", "IndexName": "one",
                           "KeyConditionExpression": "h1 = :v",
                           "ExpressionAttributeValues": {":v": {"S": asked}}}
                before = server.processor_seconds()
                must(server, "POST", "try", {"operation": "Query", "request": request})
                assert server.processor_seconds() - before < 8, "it takes long"

        with report.case("a token that another request had"):
            write = lambda sk: {"ClientRequestToken": "t-1", "TransactItems": [{"Put": {
                "TableName": "Wide", "Item": {"pk": {"S": "t"}, "sk": {"S": sk}}}}]}
            server.call("TransactWriteItems", write("1"))
            for sk, reason in ("1", None), ("2", "ClientRequestToken t-1 was used for another "
                                                 "request: give each request a token of its own"):
                tried = must(server, "POST", "try",
                             {"operation": "TransactWriteItems", "request": write(sk)})
                equal(tried["explanation"].get("reason"), reason)

def regions(report):
    with Server("--regions", "by-request", "--fixtures", "guides") as server:
        with report.case("a table of another region is named"):
            elsewhere = {"x-mockddb-explain": "true", "Authorization": SIGNED["Authorization"].replace("us-east-1", "eu-west-1")}
            status, headers, _ = server.post("Scan", {"TableName": "Users"}, elsewhere)
            kept = must(server, "GET", f"explanations/{headers['x-mockddb-explain']}")["explanation"]
            equal((status, kept["reason"].split(":")[0]), (400, "there is no table Users in eu-west-1; it is in us-east-1"))


def states(report):
    """Tables and indexes that are being made, and tables without units."""
    defined = [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "kind")]
    table = {"TableName": "Slow", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": defined[:1], "KeySchema": keyed(["pk"], "HASH")}
    index = {"IndexName": "by-kind", "KeySchema": keyed(["kind"], "HASH"), "Projection": {"ProjectionType": "ALL"}}
    update = {"TableName": "Slow", "AttributeDefinitions": defined, "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "by-kind", **index}}]}
    get = {"TableName": "Slow", "Key": {"pk": {"S": "a"}}}

    def reason(server, operation, request):
        return must(server, "POST", "try", {"operation": operation, "request": request})["explanation"].get("reason")

    with Server("--transition-ms", "1000") as server:
        must(server, "POST", "clock", {"freeze": True})
        server.call("CreateTable", table)
        with report.case("a table that is being created"):
            equal(reason(server, "GetItem", get), "Slow is being created, and has no items meanwhile: wait until DescribeTable says ACTIVE")
            equal(reason(server, "UpdateTable", update), "Slow is being created: wait until DescribeTable says that it is done")
            equal(reason(server, "CreateTable", table), "Slow is being created: wait until DescribeTable says that it is done")
        must(server, "POST", "clock", {"advance": "10s"})
        server.call("UpdateTable", update)
        with report.case("an index that is being filled"):
            query = {"TableName": "Slow", "IndexName": "by-kind", "KeyConditionExpression": "kind = :k", "ExpressionAttributeValues": {":k": {"S": "a"}}}
            equal(reason(server, "Query", query), "by-kind is still being filled: wait until DescribeTable says ACTIVE, or read the table")
        must(server, "POST", "clock", {"advance": "10s"})
        must(server, "POST", "faults", {"rules": [{"operation": "GetItem", "error": "ProvisionedThroughputExceededException"}]})
        with report.case("an error of a fault rule"):
            equal(reason(server, "GetItem", get), "fault rule 1 gives this answer: the operation did not run")
        must(server, "DELETE", "faults")
        server.call("DeleteTable", {"TableName": "Slow"})
        with report.case("a table that is being deleted"):
            equal(reason(server, "CreateTable", table), "Slow is being deleted: wait until DescribeTable says that it is done")


EXAMPLE = re.compile(r"```sh\n(curl [^\n]*)\n```\n\n```text\n(.*?)```", re.S)


def documented(report):
    examples = EXAMPLE.findall((ROOT / "docs/explain.md").read_text())
    assert examples
    with Server("--fixtures", "ecommerce", "--table-prefix", "prod-") as server:
        for command, text in examples:
            with report.case(f"docs/explain.md: {text.splitlines()[0]}"):
                equal(run_documented(server, command)["explanation"]["text"], text)


def left(report):
    """Batches of which a part is left: how much, and why."""
    def hints(server, operation, request):
        return must(server, "POST", "try", {"operation": operation, "request": request})["explanation"]["hints"]

    def writes(table, count, text="x"):
        return {"RequestItems": {table: [{"PutRequest": {"Item": {"id": {"S": str(i)}, "text": {"S": text}}}} for i in range(count)]}}

    made = {"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}
    units = {"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}
    with Server("--throttle", "provisioned,Slow") as server:
        server.call("CreateTable", {"TableName": "Fast", "BillingMode": "PAY_PER_REQUEST", **made})
        server.call("CreateTable", {"TableName": "Slow", **made, **units})
        with report.case("a fault rule leaves writes"):
            must(server, "POST", "faults", {"rules": [{"operation": "BatchWriteItem", "times": 1, "unprocessed": 2}]})
            (hint,) = hints(server, "BatchWriteItem", writes("Fast", 5))
            equal((hint["name"], hint["weight"]), ("unprocessed", "hint"))
            equal(hint["text"], "2 writes were not done: fault rule 1 leaves them; send UnprocessedItems again, each time later")
        with report.case("which writes are left"):
            must(server, "POST", "faults", {"rules": [{"operation": "BatchWriteItem", "times": 1, "unprocessed": 2}]})
            mixed = {"RequestItems": {"Fast": [{"PutRequest": {"Item": {"id": {"S": "new"}}}}, *({"DeleteRequest": {"Key": {"id": {"S": key}}}} for key in "xyz")]}}
            told = must(server, "POST", "try", {"operation": "BatchWriteItem", "request": mixed})["explanation"]
            equal([one["did"] for one in told["entries"]], ["made", "did not exist", "unprocessed", "unprocessed"])
            assert 'the delete: Fast id "x" (1 of 4)' in told["text"], told["text"]
            must(server, "DELETE", "faults")
        with report.case("a fault rule leaves keys"):
            must(server, "POST", "faults", {"rules": [{"operation": "BatchGetItem", "times": 1, "unprocessed": 1}]})
            both = {"RequestItems": {"Fast": {"Keys": [{"id": {"S": "0"}}, {"id": {"S": "1"}}]}}}
            (hint,) = hints(server, "BatchGetItem", both)
            equal(hint["text"], "1 key was not read: fault rule 1 leaves them; send UnprocessedKeys again, each time later")
        with report.case("nothing is left: nothing is said"):
            equal(hints(server, "BatchWriteItem", writes("Fast", 5)), [])
            equal(hints(server, "BatchGetItem", both), [])
        with report.case("a table has no units for all of them"):
            batch = writes("Slow", 23, "x" * 2800)  # 69 units; it has 300 at first
            text = next(said[0]["text"] for said in (hints(server, "BatchWriteItem", batch) for _ in range(20)) if said)
            assert re.fullmatch(r"\d+ writes? (was|were) not done: the table has no write units left; send UnprocessedItems again, .*", text), text
        with report.case("a request without units"):
            for operation, request in (("BatchWriteItem", batch), ("ExecuteStatement", {"Statement": "INSERT INTO Slow VALUE {'id': 'z'}"}),
                                       ("BatchExecuteStatement", {"Statements": [{"Statement": "INSERT INTO Slow VALUE {'id': 'z'}"}]})):
                while not (told := must(server, "POST", "try", {"operation": operation, "request": request})["explanation"].get("reason")):
                    pass
                assert re.match(r"(statement 1: )?no units are left for this second: send it again after a pause", told), told
        with report.case("the answer is full at 16 MB"):
            for i in range(50):
                server.call("PutItem", {"TableName": "Fast", "Item": {"id": {"S": f"big{i}"}, "text": {"S": "x" * 390000}}})
            many = {"RequestItems": {"Fast": {"Keys": [{"id": {"S": f"big{i}"}} for i in range(50)]}}}
            text = hints(server, "BatchGetItem", many)[0]["text"]
            assert re.fullmatch(r"\d+ keys were not read: the answer is full at 16 MB; .*", text), text


def long_reads(report):
    """A corrected read of many items is tried until it gives some; one that has to look for them, to its end."""
    made = {"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}
    with Server() as server:
        server.call("CreateTable", {"TableName": "Many", "BillingMode": "PAY_PER_REQUEST", **made})
        server.put_items("Many", [{"id": {"S": f"{i:05}"}, "status": {"S": "DONE" if i != 3999 else "OPEN"}} for i in range(4000)])
        for name, value, given in (("many fit", "DONE", r"gives \d+ items or more"), ("one fits", "OPEN", r"gives 1 item, \d")):
            with report.case(f"a correction of a long read: {name}"):
                request = {"TableName": "Many", "FilterExpression": "status = :s", "ExpressionAttributeValues": {":s": {"S": value}}}
                told = must(server, "POST", "try", {"operation": "Scan", "request": request})["explanation"]
                assert re.match(given, told["gives"]), told["gives"]
                check_proposal(server, told)


def deeds(report):
    """What each entry of a batch or transaction did."""
    table, key = "prod-EcomIndexSettingsTable", lambda sk: {"pk": {"S": "deeds"}, "sk": {"S": sk}}

    def told(server, operation, request):
        return must(server, "POST", "try", {"operation": operation, "request": request})["explanation"].get("entries")

    def did(entries):
        return [[one["number"], one["action"], one["key"]["sk"]["S"], one["did"]] for one in entries]

    with Server("--fixtures", "ecommerce", "--table-prefix", "prod-") as server:
        for sk in "ab":
            server.call("PutItem", {"TableName": table, "Item": key(sk)})
        with report.case("each write of a batch says what it did"):
            entries = told(server, "BatchWriteItem", {"RequestItems": {table: [
                {"PutRequest": {"Item": key("a")}}, {"PutRequest": {"Item": key("new")}},
                {"DeleteRequest": {"Key": key("b")}}, {"DeleteRequest": {"Key": key("c")}}]}})
            equal(did(entries), [[1, "PutRequest", "a", "replaced"], [2, "PutRequest", "new", "made"],
                                 [3, "DeleteRequest", "b", "deleted"], [4, "DeleteRequest", "c", "did not exist"]])
            equal({one["table"] for one in entries}, {table})
        update = {"UpdateExpression": "SET v = :v", "ExpressionAttributeValues": {":v": {"S": "x"}}}
        exists = {"ConditionExpression": "attribute_exists(pk)"}
        actions = [{"Update": {"TableName": table, "Key": key("a"), **update}}, {"Update": {"TableName": table, "Key": key("d"), **update}},
                   {"ConditionCheck": {"TableName": table, "Key": key("new"), **exists}}]
        with report.case("each action of a transaction says what it did"):
            equal(did(told(server, "TransactWriteItems", {"TransactItems": actions})),
                  [[1, "Update", "a", "updated"], [2, "Update", "d", "made"], [3, "ConditionCheck", "new", "checked"]])
        with report.case("each action of a cancelled transaction says why it did nothing"):
            actions.append({"Delete": {"TableName": table, "Key": key("none"), **exists}})
            equal([one[3] for one in did(told(server, "TransactWriteItems", {"TransactItems": actions}))],
                  ["not done", "not done", "not done", "ConditionalCheckFailedException"])
        with report.case("nothing of the kind of a read, of one write, and of a batch that was refused"):
            for operation, request in (("Scan", {"TableName": table, "Limit": 1}), ("DeleteItem", {"TableName": table, "Key": key("a")}),
                                       ("BatchWriteItem", {"RequestItems": {table: [{"DeleteRequest": {"Key": key("a")}}] * 2}})):
                equal(told(server, operation, request), None)


if __name__ == "__main__":
    report = Report()
    only = sys.argv[1] if len(sys.argv) > 1 else None
    suite(report, only)
    if not only:
        forms(report)
        expired(report)
        regions(report)
        states(report)
        keys(report)
        left(report)
        deeds(report)
        long_reads(report)
        documented(report)
    report.done()
