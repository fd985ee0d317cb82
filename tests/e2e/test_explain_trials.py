"""Corrected writes are tried by explanations, and nothing of it is left: two worlds get the same refused requests, one of
them with explanations; everything that can be seen of both is compared, then and after further writes. Each of these
differs if what keeps trials apart is taken out: the undo of their unit (items, index, sizes, records, tokens), the numbers
that are given back (later records), and the dispatcher of their own, which has no observers (journal, metrics, patterns,
partitions), no fault rules and no throttle (units)."""

import json
import tempfile
import urllib.request

from admin import must
from e2e import Report, Server, equal

KEYS = [{"AttributeName": "id", "KeyType": "HASH"}]
TABLE = {
    "TableName": "Orders", "KeySchema": KEYS, "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("id", "owner")],
    "GlobalSecondaryIndexes": [{"IndexName": "by-owner", "Projection": {"ProjectionType": "ALL"},
                                "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}]}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
}
SLOW = {"TableName": "Slow", "KeySchema": KEYS, "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}
PLACED = {name: {"ExpressionAttributeNames": {f"#{name}": name}, "ExpressionAttributeValues": {":s": {"S": "x"}}} for name in ("status", "owner")}
PATTERNS = {"title": "Orders", "patterns": [{"name": "close", "question": "How is an order closed?", "steps": [
    {"name": "q", "operation": "UpdateItem", "request": {"TableName": "Orders", "Key": {"id": {"S": "a"}},
                                                          "UpdateExpression": "SET #status = :s", **PLACED["status"]}}]},
    {"name": "of-owner", "question": "Which orders has an owner?", "steps": [
        {"name": "q", "operation": "Query", "request": {"TableName": "Orders", "IndexName": "by-owner", "KeyConditionExpression": "#owner = :s",
                                                         **PLACED["owner"]}}]}]}
ONE, NEW = {"id": {"S": "a"}}, {"id": {"S": "new"}, "owner": {"S": "x"}}
VALUES = {"ExpressionAttributeValues": {":s": {"S": "OPEN"}}}
UPDATE = {"UpdateExpression": "SET status = :s, owner = :s", **VALUES}
STATUS = r'status is a reserved word: write #status, and {"#status": "status"} in ExpressionAttributeNames'


def left_over(table, key, unused=":w"):
    values = {":s": {"S": "OPEN"}, unused: {"S": "x"}}
    return {"TableName": table, "Key": key, "UpdateExpression": "SET phase = :s", "ExpressionAttributeValues": values}


def put(item, **more):
    return {"TableName": "Orders", "Item": item, **more}


OWNED = {"TableName": "Orders", "IndexName": "by-owner", "KeyConditionExpression": "#owner = :o",
         "ExpressionAttributeNames": {"#owner": "owner"}, "ExpressionAttributeValues": {":o": {"S": "anna"}}}
NO_OWNER = 'no item of Orders.by-owner has owner "anna"; "Anna" has 1 item: case counts, texts compare byte by byte'

# Requests that are refused or find nothing, with the reason, what follows it, and what is said of the proposal (None: no proposal).
CORRECTED = (
    ("UpdateItem", {"TableName": "Orders", "Key": ONE, "UpdateExpression": "SET status = :s", **VALUES}, STATUS, [], "is accepted"),
    ("Query", OWNED, NO_OWNER, [], "gives 1 item, 0.5 units"),
    ("UpdateItem", {"TableName": "Orders", "Key": ONE, **UPDATE}, STATUS, [], "is accepted"),
    ("UpdateItem", {"TableName": "Orders", "Key": {"id": {"S": "fresh"}}, **UPDATE}, STATUS, [], "is accepted"),
    ("UpdateItem", {"TableName": "Slow", "Key": ONE, **UPDATE}, STATUS, [], "is accepted"),
    ("UpdateItem", {"TableName": "Orders", "Key": {"id": {"N": "7"}}, **UPDATE},
     STATUS, ["and then: id is declared S, the request sends N"], "is accepted"),
    ("UpdateItem", {"TableName": "Orders", "Key": {"id": {"N": "7"}}, "ReturnValues": "NEW", **UPDATE},
     "UpdateItem does not return NEW: ReturnValues takes NONE, ALL_OLD, ALL_NEW, UPDATED_OLD and UPDATED_NEW",
     [f"and then: {STATUS}", "and then: id is declared S, the request sends N"], "is accepted"),
    ("UpdateItem", {"TableName": "Order", "Key": ONE, **UPDATE}, STATUS, ["and then: there is no table Order; there is Orders"],
     "is accepted"),
    ("UpdateItem", {**left_over("Orders", ONE), "ConditionExpression": "attribute_not_exists(id)"},
     ":w of ExpressionAttributeValues is in no expression: take it out",
     ['and then: the item with id "a" is there, and attribute_not_exists(id) does not hold: id is "a"'], None),
    ("PutItem", put(NEW, ReturnValues="ALL_NEW"), "PutItem does not return ALL_NEW: ReturnValues takes NONE and ALL_OLD", [],
     "is accepted"),
    ("PutItem", put({"id": {"N": "9"}, "count": {"N": "9"}}), "id is declared S, the request sends N", [], None),
    ("PutItem", put({"id": {"S": "b"}, "owner": {"N": "1"}}), "owner is declared S, the request sends N", [], "is accepted"),
    ("DeleteItem", {"TableName": "Orders", "Key": ONE, "ReturnValues": "ALL_NEW"},
     "DeleteItem does not return ALL_NEW: ReturnValues takes NONE and ALL_OLD", [], "is accepted"),
    ("TransactWriteItems", {"TransactItems": [{"Put": put(NEW)}, {"Update": left_over("Orders", ONE)}]},
     "action 2: :w of ExpressionAttributeValues is in no expression: take it out", [], "is accepted"),
    ("TransactWriteItems", {"ClientRequestToken": "t1", "TransactItems": [
        {"Update": {"TableName": "Orders", "Key": ONE, **UPDATE}}, {"Update": left_over("Orders", {"id": {"S": "b"}})}]},
     f"action 1: {STATUS}", ["and then: action 2: :w of ExpressionAttributeValues is in no expression: take it out"],
     "is accepted"),
    ("ExecuteStatement", {"Statement": "UPDATE Ordrs SET state = 'x' WHERE id = 'a'"},
     "there is no table Ordrs; there is Orders", [], "is accepted"),
    ("ExecuteStatement", {"Statement": "INSERT INTO Orders VALUE {'id': 'it's'}"},
     "the apostrophe ended the text: write 'it''s', or ? and Parameters", [], "is accepted"),
)


class World:
    def __init__(self, server, name):
        self.server, self.name = server, name
        self.headers = {"x-mockddb-world": name}
        must(server, "POST", f"worlds/{name}", {})

    def post(self, operation, request, **headers):
        status, _, body = self.server.post(operation, request, {**self.headers, **headers})
        return status, json.loads(body)

    def call(self, operation, request, **headers):
        status, answer = self.post(operation, request, **headers)
        assert status == 200, answer
        return answer

    def look(self, operation, request):
        """A request that leaves nothing itself."""
        return self.call(operation, request, **{"x-mockddb-aside": "true"})

    def verb(self, method, path, body=None):
        return must(self.server, method, path, body, x_mockddb_world=self.name)

    def begin(self):
        self.call("CreateTable", TABLE)
        self.call("CreateTable", SLOW)
        self.call("UpdateTimeToLive", {"TableName": "Orders", "TimeToLiveSpecification": {"AttributeName": "due", "Enabled": True}})
        self.call("UpdateContinuousBackups", {"TableName": "Orders", "PointInTimeRecoverySpecification": {
            "PointInTimeRecoveryEnabled": True}})
        self.verb("POST", "faults", {"rules": [{"operation": "UpdateItem", "table": "Orders", "nth": 900, "delay": "1ms"}]})
        self.call("PutItem", put({**ONE, "status": {"S": "NEW"}}))
        self.call("PutItem", put({"id": {"S": "z"}, "owner": {"S": "Anna"}}))

    def records(self):
        (stream,) = self.look("ListStreams", {"TableName": "Orders"})["Streams"]
        (shard,) = self.look("DescribeStream", {"StreamArn": stream["StreamArn"]})["StreamDescription"]["Shards"]
        place = {"StreamArn": stream["StreamArn"], "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
        records = self.look("GetRecords", self.look("GetShardIterator", place))["Records"]
        return [[record["eventName"], record["dynamodb"]["SequenceNumber"], record["dynamodb"]["Keys"]] for record in records]

    def journal(self):
        with urllib.request.urlopen(urllib.request.Request(f"{self.server.url}/_mockddb/journal?limit=1000", headers=self.headers)) as answer:
            return [json.loads(line) for line in answer]

    def metrics(self):
        with urllib.request.urlopen(f"{self.server.url}/_mockddb/metrics") as answer:
            lines = answer.read().decode().splitlines()
        return [line for line in lines if f'world="{self.name}"' in line and "_milliseconds_sum" not in line]

    def shown(self):
        """Everything that is the same in worlds to which the same was done."""
        tables = {name: self.look("DescribeTable", {"TableName": name})["Table"] for name in ("Orders", "Slow")}
        return {
            "items": [self.look("Scan", {"TableName": name})["Items"] for name in ("Orders", "Slow")],
            "index": self.look("Scan", {"TableName": "Orders", "IndexName": "by-owner"})["Items"],
            "tables": {name: [t["ItemCount"], t["TableSizeBytes"]] for name, t in tables.items()},
            "records": self.records(),
            "faults": self.verb("GET", "faults"),
            "patterns": self.verb("GET", "patterns"),
            "metrics": self.metrics(),
            "partitions": self.verb("GET", "metrics/partitions?table=Orders"),
            "journal": [{k: v for k, v in entry.items() if k not in ("took_us", "client")} for entry in self.journal()],
        }

    def units_left(self):
        """How many writes the table has units for."""
        count = 0
        while self.post("PutItem", {"TableName": "Slow", "Item": {"id": {"S": str(count)}}})[0] == 200:
            count += 1
        return count


def compare(report, where, server):
    plain, explained = World(server, "one"), World(server, "two")
    for world in (plain, explained):
        world.begin()
    for operation, request, reason, further, given in CORRECTED:
        with report.case(f"{where} {operation}: {reason[:60]}"):
            first = plain.post(operation, request)
            second = explained.post(operation, request, **{"x-mockddb-explain": "true"})
            equal(second, first)
            equal(first[0], 200 if operation == "Query" else 400)
            before, _ = explained.shown(), plain.shown()
            told = explained.verb("POST", "try", {"operation": operation, "request": request})["explanation"]
            plain.post(operation, request)
            equal([told.get("reason"), [line.strip() for line in told["text"].split("\n") if "and then" in line], told.get("gives")],
                  [reason, further, given])
            equal(before["items"], explained.shown()["items"])
            plain.shown()
    one, two = plain.shown(), json.loads(json.dumps(explained.shown()).replace('two', 'one'))
    for name, part in one.items():
        with report.case(f"{where} nothing of the trials is left: {name}"):
            equal(two[name], part)
    with report.case(f"{where} the token of a transaction is free"):
        for world in (plain, explained):
            world.call("TransactWriteItems", {"ClientRequestToken": "t1", "TransactItems": [{"Put": put({"id": {"S": "token"}})}]})
    with report.case(f"{where} no pattern is used by a trial alone"):
        equal({one["name"]: one["used"] for one in explained.verb("GET", "patterns")["patterns"]}, {"close": 0, "of-owner": 2})
    with report.case(f"{where} later records have the same numbers"):
        for world in (plain, explained):
            world.call("PutItem", put({"id": {"S": "later"}, "owner": {"S": "y"}}))
        equal(explained.records(), plain.records())
    with report.case(f"{where} the units are there"):
        equal(explained.units_left(), plain.units_left())
    with report.case(f"{where} what is compared differs after a write, and only then"):
        before, again = plain.shown(), plain.shown()
        equal(again, before)
        plain.call("UpdateItem", {"TableName": "Orders", "Key": {"id": {"S": "one more"}}, "UpdateExpression": "SET #status = :s, #o = :s",
                                  "ExpressionAttributeNames": {"#status": "status", "#o": "owner"}, **VALUES})
        after = plain.shown()
        equal([name for name in before if before[name] == after[name]], [])


if __name__ == "__main__":
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/patterns.json", "w", encoding="utf-8") as file:
            json.dump(PATTERNS, file)
        options = ("--patterns", f"{folder}/patterns.json", "--throttle", "provisioned,Slow", "--clock", "2026-01-01T00:00:00Z,frozen")
        for where, more in (("in memory:", ()), ("in a file:", ("--data-dir", f"{folder}/data"))):
            with Server(*options, *more) as server:
                compare(report, where, server)
    report.done()
