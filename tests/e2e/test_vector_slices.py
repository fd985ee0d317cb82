"""Searches that are too long for one turn: others go on meanwhile, and what is found is the same.

What a condition looks at counts as what is read: with a thousand values to compare with, some
thousand small vectors take as long as 500 MB of large ones.
"""

import http.client
import json
import threading

from admin import must
from e2e import HEADERS, PATIENCE, Report, Server, equal

ROWS = 7000
TRIES = 10
VALUES = " OR ".join([f"kind IN ({','.join([':k'] * 100)})"] * 13)

TABLE = {
    "TableName": "Points",
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "kind", "AttributeType": "S"},
    ],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
    "VectorIndexes": [
        {
            "IndexName": "near",
            "VectorAttribute": {"AttributeName": "at"},
            "SearchSchema": [{"AttributeName": "kind", "SearchSchemaElementType": "INLINE_FILTER"}],
            "Projection": {"ProjectionType": "ALL"},
            "Dimensions": 1,
            "DistanceFunction": "EUCLIDEAN",
        }
    ],
}


def item(n):
    kind = "rare" if n % 10 == 0 else "plain"
    return {"pk": {"S": f"{n:05}"}, "kind": {"S": kind}, "at": {"L": [{"N": str(n)}]}}


def search(top):
    return {
        "TableName": "Points",
        "IndexName": "near",
        "SearchVector": [{"N": "0"}],
        "TopK": top,
        "ProjectionExpression": "pk",
        "SearchConditionExpression": VALUES,
        "ExpressionAttributeValues": {":k": {"S": "rare"}},
    }


def keys(answer):
    return [result["Item"]["pk"]["S"] for result in answer["SearchResults"]]


class Connection:
    """One that stays open, to send without waiting."""

    def __init__(self, server):
        self.http = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)

    def send(self, operation, body):
        target = {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        self.http.request("POST", "/", json.dumps(body), HEADERS | target)

    def answer(self):
        with self.http.getresponse() as reply:
            body = reply.read()
        equal(reply.status, 200)
        return json.loads(body)


def answers_meanwhile(server):
    """How many small requests, one after another, were answered before a search was."""
    one, other = Connection(server), Connection(server)
    count, done = 0, threading.Event()
    found = []

    def wait():
        found.extend(keys(one.answer()))
        done.set()

    waiting = threading.Thread(target=wait)
    one.send("SearchVectors", search(3))
    waiting.start()
    while not done.is_set():
        other.send("GetItem", {"TableName": "Points", "Key": {"pk": {"S": "00001"}}})
        equal(other.answer()["Item"], item(1))
        count += not done.is_set()
    waiting.join()
    equal(found, ["00000", "00010", "00020"])
    return count


def check_many_at_once(server):
    """Different ones, and the same one twice, with writes of what none of them may find."""
    answers = {}

    def run(number, top):
        answers[number] = keys(server.call("SearchVectors", search(top)))

    tops = [1, 5, 5, 20, 100]
    threads = [threading.Thread(target=run, args=each) for each in enumerate(tops)]
    for thread in threads:
        thread.start()
    for n in range(ROWS, ROWS + 20):
        server.call("PutItem", {"TableName": "Points", "Item": item(n)})
    for thread in threads:
        thread.join()
    for number, top in enumerate(tops):
        equal(answers[number], [f"{n:05}" for n in range(0, 10 * top, 10)])


def check_next_sees_writes(server):
    under_way = Connection(server)
    under_way.send("SearchVectors", search(2))
    server.call("DeleteItem", {"TableName": "Points", "Key": {"pk": {"S": "00000"}}})
    moved = item(10) | {"at": {"L": [{"N": "-15"}]}}
    server.call("PutItem", {"TableName": "Points", "Item": moved})
    equal(len(keys(under_way.answer())) <= 2, True)
    equal(keys(server.call("SearchVectors", search(2))), ["00010", "00020"])


def check_gone_client(server):
    Connection(server).send("SearchVectors", search(7))
    equal(len(keys(server.call("SearchVectors", search(7)))), 7)


def main():
    report = Report()
    with Server("--search-conditions", "extended") as server:
        server.call("CreateTable", TABLE)
        server.put_items("Points", [item(n) for n in range(ROWS)])
        with report.case("other requests are answered while a search goes on"):
            equal(max(answers_meanwhile(server) for _ in range(TRIES)) >= 2, True)
        with report.case("many searches at once, and writes"):
            check_many_at_once(server)
        with report.case("the next search sees what was written meanwhile"):
            check_next_sees_writes(server)
        with report.case("a search whose client is gone is in nobody's way"):
            check_gone_client(server)
        with report.case("a long search that is to be explained is answered whole, and explained"):
            status, headers, body = server.post("SearchVectors", search(4), {"x-mockddb-explain": "true"})
            equal((status, len(keys(json.loads(body)))), (200, 4))
            assert must(server, "GET", f"explanations/{headers['x-mockddb-explain']}")["explanation"]["text"]
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
