"""Writers that change items in every way and remember what must become of them, readers that follow
a stream over restarts, and the comparison of the two."""

import http.client
import json
import random
import threading
import time

from e2e import HEADERS

TABLE = "Soak"
STREAMS = ("DescribeStream", "GetRecords", "GetShardIterator")
PARTITIONS = 3  # of a writer
ITEMS = 5  # of a partition
UNKNOWN = object()  # what an item is after a write without an answer
PATIENCE_SECONDS = 60


class Lost(Exception):
    """The server went away before it answered: the request was done, or it was not."""


class Refused(Exception):
    """The service answered with an error."""


class Client:
    """One connection after another to a server that is killed and started again on its port."""

    def __init__(self, port):
        self.port = port
        self.connection = None

    def send(self, operation, request):
        service = "DynamoDBStreams" if operation in STREAMS else "DynamoDB"
        headers = HEADERS | {"X-Amz-Target": f"{service}_20120810.{operation}"}
        try:
            if not self.connection:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            self.connection.request("POST", "/", json.dumps(request), headers)
            answer = self.connection.getresponse()
            status, body = answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Lost from error
        if status != 200:
            raise Refused(f"{operation} {json.dumps(request)}: {body.decode()}")
        return json.loads(body) if body else None

    def insist(self, operation, request):
        """Sends a request that may be repeated until there is an answer."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return self.send(operation, request)
            except Lost:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Worker(threading.Thread):
    """A thread whose failure is kept for the end."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.client = Client(port)
        self.stopping = threading.Event()
        self.failure = None

    def run(self):
        try:
            self.work()
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error
        self.client.close()

    def finish(self):
        self.stopping.set()
        self.join(PATIENCE_SECONDS)
        if self.is_alive():
            raise AssertionError(f"{self} hangs")
        if self.failure:
            raise AssertionError(f"{self}: {self.failure!r}") from self.failure


# --- writing -------------------------------------------------------------------------------------


class Step:
    """A write of one item: what it leaves (None: no item), and whether it was acknowledged."""

    def __init__(self, after):
        self.after = after
        self.acknowledged = False


class Writer(Worker):
    """The only one who writes its keys. `steps` has all that it did to each, `state` what each is
    as far as it knows."""

    def __init__(self, port, name, has_partiql):
        super().__init__(port)
        self.label = name
        self.random = random.Random(name)
        self.keys = [(f"{name}-{p}", s) for p in range(PARTITIONS) for s in range(ITEMS)]
        self.steps = {key: [] for key in self.keys}
        self.state = {key: None for key in self.keys}
        self.last_value = 0
        self.counts = {}
        self.ways = [
            *(self.put, self.put_the_same, self.update, self.delete, self.batch, self.expire),
            *(self.transact, self.transact_twice, self.refused, self.cancelled),
        ]
        if has_partiql:
            self.ways += [self.statement, self.statements, self.transaction_of_statements]

    def __str__(self):
        return f"writer {self.label}"

    def work(self):
        while not self.stopping.is_set():
            way = self.random.choice(self.ways)
            try:
                if way() is not False:
                    self.counts[way.__name__] = self.counts.get(way.__name__, 0) + 1
            except Lost:
                self.look_again()

    def look_again(self):
        """Finds out what became of the write that was not answered. Only whether an item was put
        that has expired since cannot be known."""
        for key in self.keys:
            if self.state[key] is not UNKNOWN:
                continue
            request = {"TableName": TABLE, "Key": self.key_of(key), "ConsistentRead": True}
            item = self.client.insist("GetItem", request).get("Item")
            step = self.steps[key][-1]
            if step.after == item:
                step.acknowledged = True
            elif item is not None or "ttl" not in step.after:
                self.steps[key].pop()
            self.state[key] = item

    # Items: {"pk", "sk", "v"}, and "ttl" where they are to expire; no value occurs twice.

    @staticmethod
    def key_of(key):
        return {"pk": {"S": key[0]}, "sk": {"N": str(key[1])}}

    def value(self):
        self.last_value += 1
        return {"N": str(self.last_value)}

    def item(self, key, **more):
        return {**self.key_of(key), "v": self.value(), **more}

    def pick(self, count, suits=lambda item: True):
        """Some keys whose items suit, or an empty list."""
        keys = [key for key in self.keys if suits(self.state[key])]
        return self.random.sample(keys, count) if len(keys) >= count else []

    def change(self, operation, request, afters):
        steps = {key: Step(after) for key, after in afters.items()}
        for key, step in steps.items():
            self.steps[key].append(step)
            self.state[key] = UNKNOWN
        self.client.send(operation, request)
        for key, step in steps.items():
            step.acknowledged = True
            self.state[key] = step.after

    def put(self):
        (key,) = self.pick(1)
        item = self.item(key)
        self.change("PutItem", {"TableName": TABLE, "Item": item}, {key: item})

    def put_the_same(self):
        for key in self.pick(1, is_lasting):
            item = self.state[key]
            self.change("PutItem", {"TableName": TABLE, "Item": item}, {key: item})
            return True
        return False

    def expire(self):
        (key,) = self.pick(1)
        item = self.item(key, ttl={"N": str(int(time.time()) - 100)})
        self.change("PutItem", {"TableName": TABLE, "Item": item}, {key: item})

    def update_of(self, key):
        """(the members of an update, what it leaves)"""
        value = self.value()
        request = {
            "TableName": TABLE,
            "Key": self.key_of(key),
            "UpdateExpression": "SET v = :v",
            "ExpressionAttributeValues": {":v": value},
        }
        return request, {**self.key_of(key), "v": value}

    def update(self):
        """Also of items that are not there."""
        for key in self.pick(1, is_known):
            request, after = self.update_of(key)
            self.change("UpdateItem", request, {key: after})
            return True
        return False

    def delete(self):
        (key,) = self.pick(1)
        request = {"TableName": TABLE, "Key": self.key_of(key)}
        self.change("DeleteItem", request, {key: None})

    def batch(self):
        keys = self.pick(5)
        puts = {key: self.item(key) for key in keys[:3]}
        writes = [{"PutRequest": {"Item": item}} for item in puts.values()]
        writes += [{"DeleteRequest": {"Key": self.key_of(key)}} for key in keys[3:]]
        self.random.shuffle(writes)
        self.change(
            "BatchWriteItem",
            {"RequestItems": {TABLE: writes}},
            {**puts, **{key: None for key in keys[3:]}},
        )

    def actions(self, updated):
        """A transaction: (actions, what they leave)."""
        keys = [key for key in self.pick(4) if key != updated][:3]
        item = self.item(keys[0])
        update, after = self.update_of(updated)
        check = {
            "TableName": TABLE,
            "Key": self.key_of(keys[2]),
            "ConditionExpression": "attribute_not_exists(nothing)",
        }
        actions = [
            {"Put": {"TableName": TABLE, "Item": item}},
            {"Update": update},
            {"Delete": {"TableName": TABLE, "Key": self.key_of(keys[1])}},
            {"ConditionCheck": check},
        ]
        return actions, {keys[0]: item, updated: after, keys[1]: None}

    def transact(self, sends=1):
        for updated in self.pick(1, is_known):
            actions, afters = self.actions(updated)
            request = {"TransactItems": actions}
            if sends > 1:
                request["ClientRequestToken"] = f"{self.label}-{self.last_value}"
            self.change("TransactWriteItems", request, afters)
            for _ in range(sends - 1):
                self.client.send("TransactWriteItems", request)
            return True
        return False

    def transact_twice(self):
        """The second time the token is known, and nothing happens."""
        return self.transact(2)

    def refused(self):
        (key,) = self.pick(1)
        request = {"TableName": TABLE, "Item": self.item(key), "ConditionExpression": "v = sk"}
        self.must_fail("PutItem", request, "ConditionalCheckFailedException")

    def cancelled(self):
        for updated in self.pick(1, is_known):
            actions, _ = self.actions(updated)
            actions[3]["ConditionCheck"]["ConditionExpression"] = "attribute_exists(nothing)"
            request = {"TransactItems": actions}
            self.must_fail("TransactWriteItems", request, "TransactionCanceledException")
            return True
        return False

    def must_fail(self, operation, request, error):
        try:
            self.client.send(operation, request)
        except Refused as refused:
            if error not in str(refused):
                raise
        else:
            raise AssertionError(f"{operation} did not fail")

    # PartiQL

    def statement_of(self, key):
        """A statement that suits what the item is: (statement, what it leaves)."""
        value = self.value()
        place = f"WHERE pk = '{key[0]}' AND sk = {key[1]}"
        if self.state[key] is None:
            members = f"{{'pk': '{key[0]}', 'sk': {key[1]}, 'v': {value['N']}}}"
            statement, after = f"INSERT INTO {TABLE} VALUE {members}", value
        elif self.random.random() < 0.5:
            statement, after = f"UPDATE {TABLE} SET v = {value['N']} {place}", value
        else:
            statement, after = f"DELETE FROM {TABLE} {place}", None
        return {"Statement": statement}, after and {**self.key_of(key), "v": after}

    def statement(self):
        for key in self.pick(1, is_known):
            request, after = self.statement_of(key)
            self.change("ExecuteStatement", request, {key: after})
            return True
        return False

    def several(self, operation, member):
        keys = self.pick(3, is_known)
        made = {key: self.statement_of(key) for key in keys}
        if not made:
            return False
        statements = [statement for statement, _ in made.values()]
        afters = {key: after for key, (_, after) in made.items()}
        self.change(operation, {member: statements}, afters)
        return True

    def statements(self):
        return self.several("BatchExecuteStatement", "Statements")

    def transaction_of_statements(self):
        return self.several("ExecuteTransaction", "TransactStatements")


def is_lasting(item):
    return item is not None and item is not UNKNOWN and "ttl" not in item


def is_known(item):
    """Neither uncertain nor about to expire."""
    return item is None or is_lasting(item)


# --- reading -------------------------------------------------------------------------------------


class Reader(Worker):
    """Follows one shard from its beginning. After the server was away it goes on with its iterator,
    or with a new one behind the last record."""

    def __init__(self, port, arn, shard, renews):
        super().__init__(port)
        self.position = {"StreamArn": arn, "ShardId": shard}
        self.renews = renews
        self.records = []
        self.random = random.Random(shard)

    def __str__(self):
        return f"reader of {self.position['ShardId']}"

    def iterator(self):
        start = {"ShardIteratorType": "TRIM_HORIZON"}
        if self.records:
            number = self.records[-1]["dynamodb"]["SequenceNumber"]
            start = {"ShardIteratorType": "AFTER_SEQUENCE_NUMBER", "SequenceNumber": number}
        return self.client.insist("GetShardIterator", self.position | start)["ShardIterator"]

    def work(self):
        iterator = self.iterator()
        while True:
            stopping = self.stopping.is_set()
            limit = self.random.choice((1, 7, 100, 1000))
            try:
                answer = self.client.send("GetRecords", {"ShardIterator": iterator, "Limit": limit})
            except Lost:
                if self.renews:
                    iterator = self.iterator()
                time.sleep(0.02)
                continue
            self.records += answer["Records"]
            iterator = answer["NextShardIterator"]
            if not answer["Records"]:
                if stopping:
                    break
                time.sleep(0.02)


# --- comparing -----------------------------------------------------------------------------------


class Mismatch(AssertionError):
    """The records of an item are not what was done to it."""


def follow(key, steps, records):
    """Goes through an item's records beside what was done to it; the item at the end, or None."""
    item, next_step = None, 0
    for record in records:
        change = record["dynamodb"]
        before, after = change.get("OldImage"), change.get("NewImage")
        name = "INSERT" if before is None else "REMOVE" if after is None else "MODIFY"
        if before != item or record["eventName"] != name or before == after:
            raise Mismatch(f"{key}: {record} does not follow {item}")
        item, expired = after, "userIdentity" in record
        if expired and (after is not None or "ttl" not in before):
            raise Mismatch(f"{key}: {record} is no expiry")
        while not expired:
            if next_step == len(steps):
                raise Mismatch(f"{key}: nobody asked for {record}")
            step = steps[next_step]
            next_step += 1
            if step.after == after:
                break
            if step.acknowledged and step.after != before:
                raise Mismatch(f"{key}: {step.after} is missing before {record}")
    for step in steps[next_step:]:
        if step.acknowledged and step.after != item:
            raise Mismatch(f"{key}: {step.after} is missing at the end, after {item}")
    return item


def records_of_items(shards):
    """Records by item, from those of each shard; an item is in one shard only, numbers grow, and
    no event occurs twice."""
    items, places, events = {}, {}, set()
    for shard, records in shards.items():
        last = 0
        for record in records:
            number = int(record["dynamodb"]["SequenceNumber"])
            if number <= last:
                raise Mismatch(f"{number} comes after {last}")
            last = number
            keys = record["dynamodb"]["Keys"]
            key = keys["pk"]["S"], int(keys["sk"]["N"])
            if places.setdefault(key, shard) != shard:
                raise Mismatch(f"{key} is in two shards")
            items.setdefault(key, []).append(record)
            events.add(record["eventID"])
    if len(events) != sum(map(len, shards.values())):
        raise Mismatch("an event occurs twice")
    return items
