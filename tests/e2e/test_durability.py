"""Kills the server under load, again and again: what it acknowledged must be there afterwards."""

import http.client
import json
import os
import pathlib
import random
import sys
import tempfile
import threading
import time

from e2e import HEADERS, Report, Server, equal

ROUNDS = int(os.environ.get("MOCKDDB_KILLS", "20"))
WRITERS = 4
TABLE = {
    "TableName": "Ledger",
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"},
        {"AttributeName": "owner", "AttributeType": "S"},
    ],
    "KeySchema": [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by-owner",
            "KeySchema": [
                {"AttributeName": "owner", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "BillingMode": "PAY_PER_REQUEST",
}


class Writer(threading.Thread):
    """Writes until the connection breaks; `state` maps a key to the items it may now have: one when
    its last write was acknowledged, two while a write is under way."""

    def __init__(self, name, port, start, state):
        super().__init__()
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.partition = name
        self.number = start
        self.state = state
        self.random = random.Random(f"{name}-{start}")

    def item(self, number, value):
        return {
            "pk": {"S": self.partition},
            "sk": {"N": str(number)},
            "owner": {"S": f"{self.partition}-{value % 3}"},
            "value": {"N": str(value)},
        }

    def send(self, operation, request):
        headers = HEADERS | {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        self.connection.request("POST", "/", json.dumps(request), headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise AssertionError(body.decode())

    def change(self, operation, request, changes):
        """Sends a write that brings each key from what it is to what `changes` says."""
        for number, after in changes.items():
            self.state[number] = self.state.get(number, [None]) + [after]
        self.send(operation, request)
        for number, after in changes.items():
            self.state[number] = [after]

    def put(self):
        self.number += 1
        item = self.item(self.number, self.number)
        self.change("PutItem", {"TableName": "Ledger", "Item": item}, {self.number: item})

    def batch(self):
        items = [self.item(self.number + n, self.number + n) for n in range(1, 11)]
        self.number += 10
        puts = [{"PutRequest": {"Item": item}} for item in items]
        self.change(
            "BatchWriteItem",
            {"RequestItems": {"Ledger": puts}},
            {int(item["sk"]["N"]): item for item in items},
        )

    def update(self):
        number = self.random.randint(1, self.number)
        value = self.random.randrange(1000)
        after = self.item(number, value)
        self.change(
            "UpdateItem",
            {
                "TableName": "Ledger",
                "Key": {"pk": after["pk"], "sk": after["sk"]},
                "UpdateExpression": "SET #o = :o, #v = :v",
                "ExpressionAttributeNames": {"#o": "owner", "#v": "value"},
                "ExpressionAttributeValues": {":o": after["owner"], ":v": after["value"]},
            },
            {number: after},
        )

    def delete(self):
        number = self.random.randint(1, self.number)
        key = {"pk": {"S": self.partition}, "sk": {"N": str(number)}}
        self.change("DeleteItem", {"TableName": "Ledger", "Key": key}, {number: None})

    def run(self):
        try:
            while True:
                self.put()
                self.random.choice((self.put, self.batch, self.update, self.delete))()
        except (OSError, http.client.HTTPException):
            pass  # the server is gone


def everything(server, request):
    """All pages of a Scan or Query."""
    operation = "Query" if "KeyConditionExpression" in request else "Scan"
    items = []
    while True:
        answer = server.call(operation, request)
        items += answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return items
        request = request | {"ExclusiveStartKey": answer["LastEvaluatedKey"]}


def text(item):
    return json.dumps(item, sort_keys=True)


def check(server, states):
    """Every acknowledged write is there, nothing else is, and index and table agree."""
    found = {}
    for item in everything(server, {"TableName": "Ledger"}):
        found[item["pk"]["S"], int(item["sk"]["N"])] = item
    for partition, state in states.items():
        for number, allowed in state.items():
            item = found.pop((partition, number), None)
            if item not in allowed:
                raise AssertionError(f"{partition} {number} is {item}, not one of {allowed}")
            state[number] = [item]
    equal(found, {})
    table = everything(server, {"TableName": "Ledger"})
    index = everything(server, {"TableName": "Ledger", "IndexName": "by-owner"})
    equal(sorted(map(text, index)), sorted(map(text, table)))


def one_round(number, path, states, wait):
    server = Server("--db", path)
    try:
        check(server, states)
        writers = [
            Writer(name, server.port, max(state, default=0), state)
            for name, state in states.items()
        ]
        for writer in writers:
            writer.start()
        time.sleep(wait)
        server.kill()
        for writer in writers:
            writer.join(30)
            assert not writer.is_alive(), "a writer hangs"
            writer.connection.close()
        assert sum(len(state) for state in states.values()) > number, "nothing was written"
    finally:
        server.kill()


def main():
    report = Report()
    chance = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "ledger.db")
        with Server("--db", path) as server:
            server.call("CreateTable", TABLE)
        states = {f"writer-{n}": {} for n in range(WRITERS)}
        for number in range(ROUNDS):
            with report.case(f"killed under load, round {number + 1}"):
                one_round(number, path, states, chance.uniform(0.05, 0.6))
        with report.case("after the last one everything acknowledged is there"):
            with Server("--db", path) as server:
                check(server, states)
        writes = sum(len(state) for state in states.values())
        print(f"# {writes} keys written over {ROUNDS} kills")
    report.done()


main()
