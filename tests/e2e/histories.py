"""Clients of several servers that note what they asked for and what they learned, in the order of one clock: gets, puts
and swaps of registers, and transactions that append to lists. serializable.py and tests/linearizable judge it."""

import http.client
import itertools
import json
import random
import threading
import time

from e2e import HEADERS, PATIENCE
from serializable import DONE, FAILED, UNKNOWN, Transaction

REGISTERS, LISTS = "Registers", "Lists"
KEYS = 3  # of a round


def table(name):
    return {
        "TableName": name,
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "BillingMode": "PAY_PER_REQUEST",
    }


class Client(threading.Thread):
    """Sends requests one after another, each to one of the ports, until it is stopped."""

    numbers = itertools.count(1)  # no value is written twice

    def __init__(self, ports, keys, number, seed):
        super().__init__(daemon=True)
        self.ports, self.keys, self.number = ports, keys, number
        self.random = random.Random(f"{seed} {number}")
        self.running = True
        self.failure = None
        self.history = []

    def post(self, operation, request):
        """(status, answer), or (0, None) without an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.random.choice(self.ports), timeout=PATIENCE)
        try:
            headers = HEADERS | {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
            connection.request("POST", "/", json.dumps(request), headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException):
            time.sleep(0.02)
            return 0, None
        finally:
            connection.close()

    def run(self):
        try:
            while self.running:
                self.ask()
        except Exception as error:  # pylint: disable=broad-except # raised by finish()
            self.failure = error

    def finish(self):
        self.running = False
        self.join(PATIENCE)
        if self.failure:
            raise self.failure

    def ask(self):
        raise NotImplementedError


def is_unknown(status, answer, *refusals):
    """Whether a call may have been done or not. What is neither that nor expected is an error."""
    if status in (0, 500):
        return True
    if status == 200 or (status == 400 and answer["__type"].rpartition("#")[2] in refusals):
        return False
    raise AssertionError(f"{status}: {answer}")


class RegisterClient(Client):
    """Its history has what tests/linearizable reads."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.seen = {key: "" for key in self.keys}

    def ask(self):
        key, kind = self.random.choice(self.keys), self.random.choice(("get", "get", "put", "swap", "swap"))
        note = {"key": key, "client": self.number, "kind": kind, "outcome": DONE}
        place = {"TableName": REGISTERS}
        if kind != "get":
            note["value"] = str(next(self.numbers))
            item = {"pk": {"S": key}, "v": {"S": note["value"]}}
        note["call"] = time.monotonic_ns()
        if kind == "get":
            answer = self.post("GetItem", {**place, "Key": {"pk": {"S": key}}, "ConsistentRead": True})
        elif kind == "put":
            answer = self.post("PutItem", {**place, "Item": item})
        else:
            note["expected"] = self.seen[key]
            answer = self.post("UpdateItem", self.swap(key, note))
        note["return"] = time.monotonic_ns()
        self.take(note, *answer)
        self.history.append(note)

    @staticmethod
    def swap(key, note):
        values = {":new": {"S": note["value"]}, ":old": {"S": note["expected"]}}
        return {
            "TableName": REGISTERS,
            "Key": {"pk": {"S": key}},
            "UpdateExpression": "SET v = :new",
            "ConditionExpression": "v = :old" if note["expected"] else "attribute_not_exists(v)",
            "ExpressionAttributeValues": values if note["expected"] else {":new": values[":new"]},
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }

    def take(self, note, status, answer):
        key = note["key"]
        if is_unknown(status, answer, "ConditionalCheckFailedException"):
            note["outcome"] = UNKNOWN
        elif status == 400:
            note["outcome"] = "refused"
            note["seen"] = self.seen[key] = answer["Item"]["v"]["S"] if "Item" in answer else ""
        elif note["kind"] == "get":
            note["seen"] = self.seen[key] = answer["Item"]["v"]["S"] if "Item" in answer else ""
        else:
            self.seen[key] = note["value"]


class ListClient(Client):
    """Its history has a Transaction for each call."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.lengths = {key: 0 for key in self.keys}

    def ask(self):
        self.random.choice((self.read, self.read, self.append, self.append, self.append_one, self.append_if))()

    def send(self, operation, request, appends, reads=None):
        """The answer of a call that was done, else None."""
        call = time.monotonic_ns()
        status, answer = self.post(operation, request)
        one = Transaction(call, time.monotonic_ns(), DONE, appends, reads)
        self.history.append(one)
        if is_unknown(status, answer, "TransactionCanceledException", "TransactionConflictException"):
            one.outcome = UNKNOWN
        elif status == 400:
            one.outcome = FAILED
        return answer if status == 200 else None

    def some_keys(self):
        return self.random.sample(self.keys, self.random.randint(2, len(self.keys)))

    def update(self, key, value):
        return {
            "TableName": LISTS,
            "Key": {"pk": {"S": key}},
            "UpdateExpression": "SET l = list_append(if_not_exists(l, :none), :one)",
            "ExpressionAttributeValues": {":none": {"L": []}, ":one": {"L": [{"N": str(value)}]}},
        }

    def list_of(self, key, item):
        values = [int(value["N"]) for value in (item or {}).get("l", {"L": []})["L"]]
        self.lengths[key] = len(values)
        return values

    def read(self):
        keys = self.some_keys()
        gets = [{"Get": {"TableName": LISTS, "Key": {"pk": {"S": key}}}} for key in keys]
        if answer := self.send("TransactGetItems", {"TransactItems": gets}, {}):
            found = zip(keys, answer["Responses"])
            self.history[-1].reads = {key: self.list_of(key, one.get("Item")) for key, one in found}

    def append(self):
        appends = {key: next(self.numbers) for key in self.some_keys()}
        updates = [{"Update": self.update(key, value)} for key, value in appends.items()]
        self.send("TransactWriteItems", {"TransactItems": updates}, appends)

    def append_one(self):
        key, value = self.random.choice(self.keys), next(self.numbers)
        request = self.update(key, value) | {"ReturnValues": "ALL_NEW"}
        if answer := self.send("UpdateItem", request, {key: value}):
            self.history[-1].reads = {key: self.list_of(key, answer["Attributes"])[:-1]}

    def append_if(self):
        """An append to a list on the condition that another one has the length that was seen last."""
        other, key = self.random.sample(self.keys, 2)
        value, length = next(self.numbers), self.lengths[other]
        check = {
            "TableName": LISTS,
            "Key": {"pk": {"S": other}},
            "ConditionExpression": "size(l) = :length" if length else "attribute_not_exists(l)",
        }
        if length:
            check["ExpressionAttributeValues"] = {":length": {"N": str(length)}}
        actions = [{"ConditionCheck": check}, {"Update": self.update(key, value)}]
        self.send("TransactWriteItems", {"TransactItems": actions}, {key: value}, {other: length})
