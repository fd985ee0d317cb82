"""A table, writers that change its items in every way and remember what must become of them, readers
that follow its stream over restarts, and the comparison of all these. Who changes the tables
themselves is in soak_tables.py."""

import http.client
import json
import random
import threading
import time

import nearest
import stores
from e2e import HEADERS, PATIENCE
from nearest import Mismatch

TABLE = "Soak"
SCHEMA = {
    "TableName": TABLE,
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"},
        {"AttributeName": "v", "AttributeType": "N"},
        {"AttributeName": "ttl", "AttributeType": "N"},
        {"AttributeName": "o", "AttributeType": "S"},
    ],
    "KeySchema": [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ],
    "LocalSecondaryIndexes": [
        {
            "IndexName": "local-v",
            "KeySchema": [
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "v", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        },
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by-sk",
            "KeySchema": [
                {"AttributeName": "sk", "KeyType": "HASH"},
                {"AttributeName": "v", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        },
        {
            "IndexName": "by-ttl",  # few items are in it, and none for long
            "KeySchema": [{"AttributeName": "ttl", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["v"]},
        },
    ],
    "VectorIndexes": [
        nearest.definition("near", "COSINE"),
        nearest.definition("near-o", "EUCLIDEAN", "o", "KEYS_ONLY"),
    ],
}
if stores.IN_DATABASE:  # it has no indexes of vectors, of which one uses `o`
    del SCHEMA["VectorIndexes"]
    SCHEMA["AttributeDefinitions"].pop()
EXPIRY = {
    "TableName": TABLE,
    "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"},
}
STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
SERVICES = {
    **dict.fromkeys(
        ("DescribeStream", "GetRecords", "GetShardIterator"), "DynamoDBStreams_20120810"
    ),
    **dict.fromkeys(
        (
            *("RegisterScalableTarget", "DeregisterScalableTarget", "DescribeScalableTargets"),
            *("PutScalingPolicy", "DeleteScalingPolicy", "DescribeScalingPolicies"),
        ),
        "AnyScaleFrontendService",
    ),
}  # all others are operations of DynamoDB itself
PARTITIONS = 3  # of a writer
ITEMS = 5  # of a partition
UNKNOWN = object()  # what an item is after a write without an answer


class Lost(Exception):
    """The server went away before it answered: the request was done, or it was not."""


class Refused(Exception):
    """The service answered with an error."""


class Client:
    """One connection after another to a server that is killed and started again on its port."""

    def __init__(self, port, region="us-east-1"):
        self.port = port
        self.authorization = HEADERS["Authorization"].replace("us-east-1", region)
        self.connection = None

    def send(self, operation, request):
        service = SERVICES.get(operation, "DynamoDB_20120810")
        headers = HEADERS | {
            "Authorization": self.authorization,
            "X-Amz-Target": f"{service}.{operation}",
        }
        try:
            if not self.connection:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
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
        end = time.monotonic() + PATIENCE
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


class Worker:
    """Works in a thread from start() to finish(), more than once if need be. A failure is kept until
    finish()."""

    def __init__(self, port, region="us-east-1"):
        self.client = Client(port, region)
        self.stopping = threading.Event()
        self.thread = None
        self.failure = None

    def start(self):
        self.stopping.clear()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            self.work()
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error
        self.client.close()

    def finish(self):
        self.stopping.set()
        self.thread.join(PATIENCE)
        if self.thread.is_alive():
            raise AssertionError(f"{self} hangs")
        if self.failure:
            raise AssertionError(f"{self}: {self.failure!r}") from self.failure


# --- writing -------------------------------------------------------------------------------------


class Step:
    """A write of one item: what it leaves (None: no item), whether it was acknowledged, and whether
    follow() has met its record; `shows`: if it was done, there is one for sure."""

    def __init__(self, before, after):
        self.after = after
        self.acknowledged = False
        self.recorded = False
        self.shows = before != after if after else is_lasting(before)


class Writer(Worker):
    """The only one who writes its keys. `steps` has all that it did to each, `state` what each is
    as far as it knows, `transaction` the steps of the last one that is all or nothing."""

    def __init__(self, port, name, seed=1, region="us-east-1"):
        super().__init__(port, region)
        self.label = name
        self.random = random.Random(f"{name} {seed}")
        self.keys = [(f"{name}-{p}", s) for p in range(PARTITIONS) for s in range(ITEMS)]
        self.steps = {key: [] for key in self.keys}
        self.state = {key: None for key in self.keys}
        self.last_value = ITEMS  # none is a sort key, so that a condition can fail
        self.transaction = []
        self.counts = {}
        self.ways = [
            *(self.put, self.put_the_same, self.update, self.delete, self.batch, self.expire),
            *(self.transact, self.transact_twice, self.refused, self.cancelled),
            *(self.statement, self.statements, self.transaction_of_statements),
            *((self.search,) if "VectorIndexes" in SCHEMA else ()),
        ]

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

    # Items: {"pk", "sk", "v"}, mostly "e", a vector, and "o", its owner; "ttl" where they are to
    # expire. No value of v occurs twice.

    @staticmethod
    def key_of(key):
        return {"pk": {"S": key[0]}, "sk": {"N": str(key[1])}}

    def values(self):
        self.last_value += 1
        values = {"v": {"N": str(self.last_value)}}
        if self.random.random() < 0.8:
            values |= {"e": nearest.vector(self.last_value), "o": {"S": self.label}}
        return values

    def item(self, key, **more):
        return {**self.key_of(key), **self.values(), **more}

    def pick(self, count, suits=lambda item: True):
        """Some keys whose items suit, or an empty list."""
        keys = [key for key in self.keys if suits(self.state[key])]
        return self.random.sample(keys, count) if len(keys) >= count else []

    def change(self, operation, request, afters):
        steps = {key: Step(self.state[key], after) for key, after in afters.items()}
        if operation in ("TransactWriteItems", "ExecuteTransaction"):
            self.transaction = list(steps.values())
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
        values = self.values()
        parts = ", ".join(f"{name} = :{name}" for name in values)
        request = {
            "TableName": TABLE,
            "Key": self.key_of(key),
            "UpdateExpression": f"SET {parts}" + ("" if "e" in values else " REMOVE e, o"),
            "ExpressionAttributeValues": {f":{name}": value for name, value in values.items()},
        }
        return request, {**self.key_of(key), **values}

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
        item = self.item(key)
        place = f"WHERE pk = '{key[0]}' AND sk = {key[1]}"
        if self.state[key] is None:
            members = ", ".join(f"'{name}': {literal(value)}" for name, value in item.items())
            statement = f"INSERT INTO {TABLE} VALUE {{{members}}}"
        elif self.random.random() < 0.5:
            changed = {name: value for name, value in item.items() if name not in ("pk", "sk")}
            parts = [f"SET {name} = {literal(value)}" for name, value in changed.items()]
            parts += [] if "e" in item else ["REMOVE e", "REMOVE o"]
            statement = f"UPDATE {TABLE} {' '.join(parts)} {place}"
        else:
            statement, item = f"DELETE FROM {TABLE} {place}", None
        return {"Statement": statement}, item

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

    def search(self):
        """Nobody else changes what it owns, so it knows what it has to find."""
        index, query = SCHEMA["VectorIndexes"][1], nearest.vector(self.last_value)
        lasting = [item for item in self.state.values() if is_lasting(item)]
        leaving = [item for item in self.state.values() if not is_known(item)]
        nearest.check_search(self.client.send, SCHEMA, index, query, lasting, leaving, self.label)


def literal(value):
    """A value as PartiQL has it."""
    if "L" in value:
        return f"[{', '.join(map(literal, value['L']))}]"
    return value["N"] if "N" in value else f"'{value['S']}'"


def is_lasting(item):
    return item is not None and item is not UNKNOWN and "ttl" not in item


def is_known(item):
    """Neither uncertain nor about to expire."""
    return item is None or is_lasting(item)


# --- reading -------------------------------------------------------------------------------------


class Reader(Worker):
    """Follows one shard from its beginning. After the server was away it goes on with its iterator,
    or with a new one behind the last record."""

    def __init__(self, port, arn, shard, renews, region="us-east-1"):
        super().__init__(port, region)
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


def shards_of(send):
    arn = send("DescribeTable", {"TableName": TABLE})["Table"]["LatestStreamArn"]
    shards = send("DescribeStream", {"StreamArn": arn})["StreamDescription"]["Shards"]
    return arn, [shard["ShardId"] for shard in shards]


def read_all(server):
    """The stream as somebody sees it who comes at the end: the records of each shard."""
    arn, shards = shards_of(server.call)
    readers = {shard: Reader(server.port, arn, shard, False) for shard in shards}
    for reader in readers.values():
        reader.start()
        reader.finish()
    return {shard: reader.records for shard, reader in readers.items()}


def everything(send, request):
    """All pages of a Scan."""
    items = []
    while True:
        answer = send("Scan", request)
        items += answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return items
        request = request | {"ExclusiveStartKey": answer["LastEvaluatedKey"]}


def all_items(send):
    items = everything(send, {"TableName": TABLE})
    return {(item["pk"]["S"], int(item["sk"]["N"])): item for item in items}


# --- comparing -----------------------------------------------------------------------------------


def follow(key, steps, records, item=None, arrived=False):
    """Goes through an item's records beside what was done to it, from what it was; the item at the
    end, or None. Where they `arrived` from another region, an item that had expired there before it
    was deleted may still be here: then there was nothing to delete."""

    def is_missing(step, before):
        had_expired = arrived and step.after is None and before and "ttl" in before
        return step.acknowledged and step.after != before and not had_expired

    next_step = 0
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
                step.recorded = True
                break
            if is_missing(step, before):
                raise Mismatch(f"{key}: {step.after} is missing before {record}")
    for step in steps[next_step:]:
        if is_missing(step, item):
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


def names_in(key_schema):
    return {key["AttributeName"] for key in key_schema}


def check_indexes(send, table, items):
    """Every index of a described table has its part of the items and nothing else. What expires may
    be gone since the items were read; as long as there is such an item, nothing is counted."""
    table_keys = names_in(table["KeySchema"])

    def identity(item):
        return json.dumps({name: item[name] for name in table_keys}, sort_keys=True)

    leaving = [item for item in items if "ttl" in item]
    expiring = {identity(item) for item in leaving}
    indexes = table.get("GlobalSecondaryIndexes", []) + table.get("LocalSecondaryIndexes", [])
    for index in indexes:
        keys, projection = names_in(index["KeySchema"]), index["Projection"]
        visible = table_keys | keys | set(projection.get("NonKeyAttributes", ()))
        every = projection["ProjectionType"] == "ALL"
        expected = {
            identity(item): {k: v for k, v in item.items() if every or k in visible}
            for item in items
            if keys <= item.keys()
        }
        request = {"TableName": table["TableName"], "IndexName": index["IndexName"]}
        entries = everything(send, request)
        found = {identity(entry): entry for entry in entries}
        expected = {k: v for k, v in expected.items() if k not in expiring or k in found}
        if len(found) != len(entries) or found != expected:
            differing = [
                f"{key}: {found.get(key)}, not {expected.get(key)}"
                for key in found.keys() | expected.keys()
                if found.get(key) != expected.get(key)
            ]
            raise Mismatch(f"{request}: {len(entries)} entries; " + "; ".join(differing[:5]))
    lasting = [item for item in items if "ttl" not in item]
    for index in table.get("VectorIndexes", []):
        nearest.check_index(send, table, index, lasting, leaving)
    counted = send("DescribeTable", {"TableName": table["TableName"]})["Table"]
    if not expiring and counted["ItemCount"] != len(items):
        raise Mismatch(f"ItemCount is {counted['ItemCount']}, not {len(items)}")


# --- dying ---------------------------------------------------------------------------------------


class Mortal(Writer):
    """A writer that ends with the server, and learns from the stream what became of its last writes."""

    def __init__(self, port, name, seed, region="us-east-1"):
        super().__init__(port, name, seed, region)
        self.before = dict(self.state)

    def look_again(self):
        self.stopping.set()

    def check(self, records):
        """Every acknowledged write has its record, a transaction has all of its records or none."""
        for key, steps in self.steps.items():
            self.state[key] = follow(key, steps, records.pop(key, []), self.before[key])
        shown = {step.recorded for step in self.transaction if step.shows}
        if len(shown) > 1:
            done = [(step.recorded, step.after) for step in self.transaction]
            raise Mismatch(f"a transaction was done in part: {done}")
        self.before = dict(self.state)
        self.steps = {key: [] for key in self.keys}
        self.transaction = []
