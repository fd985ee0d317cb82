"""Kills the server while writes are on their way between regions and to Kinesis streams: what one
region acknowledged is in all of them afterwards, once and in order, in their streams as well, and
whoever wrote an item last has won.

    test_replica_crashes.py [SEED]      $MOCKDDB_KILLS: how often, 6 by default
"""

import itertools
import json
import math
import os
import random
import sys
import time

import nearest
import soak
import stores
from crashes import killed
from e2e import PATIENCE, SLOWNESS, Report, Server, equal, wait_until
from soak import TABLE, Client, Lost, Mismatch, Mortal, Reader, Refused, Worker, follow
from soak_tables import Changer

ROUNDS = int(os.environ.get("MOCKDDB_KILLS", "6"))
HOME, AWAY, FAR = "us-east-1", "eu-west-1", "ap-southeast-2"
STRONG = {"us-east-1", "us-east-2", "us-west-2"}
RIVAL_KEYS = 4
QUIET_ITEMS = 800  # items that nobody changes: a new replica is filled in slices
STRONG_TABLE = {
    "TableName": "Strong",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": soak.SCHEMA["AttributeDefinitions"][:2],
    "KeySchema": soak.SCHEMA["KeySchema"],
}


QUIET = {
    ("quiet", n): {
        **{"pk": {"S": "quiet"}, "sk": {"N": str(n)}, "v": {"N": str(-n)}},
        **{"e": nearest.vector(n), "o": {"S": f"quiet {n % 10}"}},
    }
    for n in range(QUIET_ITEMS)
}


class Rival(Worker):
    """Writes items that others write as well. `writes` has for each what was put (None: it was
    deleted), when that was sent, and when it was acknowledged, if it was."""

    labels = itertools.count(1)

    def __init__(self, port, region, table, seed):
        super().__init__(port, region)
        self.table = table
        self.label = next(self.labels)
        self.random = random.Random(f"rival {self.label} {seed}")
        self.numbers = itertools.count(self.label * 1_000_000)  # others have others
        self.writes = {}

    def __str__(self):
        return f"rival {self.label}"

    def work(self):
        while not self.stopping.is_set():
            try:
                self.write(self.random.randrange(RIVAL_KEYS))
            except Lost:
                break

    def write(self, sort):
        key = {"pk": {"S": "rival"}, "sk": {"N": str(sort)}}
        item = {**key, "v": {"N": str(next(self.numbers))}}
        write = {"after": item, "sent": time.monotonic(), "done": math.inf}
        way = self.random.randrange(3)
        if way == 0:
            write["after"] = None
        writes = self.writes.setdefault(("rival", sort), [])
        writes.append(write)
        if way == 0:
            request = {"TableName": self.table, "Key": key, "ReturnValues": "ALL_OLD"}
            if "Attributes" not in self.client.send("DeleteItem", request):
                writes.remove(write)  # there was nothing, so nobody else hears of it
        elif way == 1:
            self.client.send("PutItem", {"TableName": self.table, "Item": item})
        else:
            update = {"Key": key, "UpdateExpression": "SET v = :v"}
            values = {"ExpressionAttributeValues": {":v": item["v"]}}
            self.client.send("UpdateItem", {"TableName": self.table, **update, **values})
        write["done"] = time.monotonic()


class Contest:
    """All rivals of a table, and what their items were when all regions agreed last."""

    def __init__(self, rivals):
        self.rivals = rivals
        self.before = {}

    def check(self, found):
        """Each item is what somebody wrote last, or may have."""
        for key in {("rival", sort) for sort in range(RIVAL_KEYS)}:
            writes = [{"after": self.before.get(key), "sent": -math.inf, "done": -math.inf}]
            for rival in self.rivals:
                writes += rival.writes.pop(key, [])
            overtaken = max(write["sent"] for write in writes if write["done"] < math.inf)
            last = [write["after"] for write in writes if write["done"] >= overtaken]
            if found.get(key) not in last:
                raise Mismatch(f"{key} is {found.get(key)}, not one of {last}")
        self.before = found


class Replicator(Changer):
    """Makes the table's replica in a third region, and deletes it; its shape is whether there is
    one."""

    def __init__(self, port, label):
        super().__init__(port, [TABLE], label)
        self.shapes[TABLE] = False
        self.ways = [self.turn]

    def turn(self, name, is_there):
        update = {"Delete" if is_there else "Create": {"RegionName": FAR}}
        return self.update(name, not is_there, ReplicaUpdates=[update])

    @staticmethod
    def states_of(table):
        replicas = {replica["ReplicaStatus"] for replica in table["Replicas"]}
        return Changer.states_of(table) | replicas

    def shape_of(self, table):
        return FAR in [replica["RegionName"] for replica in table["Replicas"]]


class Trial:
    """One file or schema, the servers that open it one after another, and the clients of each region."""

    def __init__(self, place, seed):
        self.place, self.kinesis = place, place.folder / "kinesis"
        self.random = random.Random(f"trial {seed}")
        self.regions = {}
        self.server = None
        self.on_the_way = 0  # writes that were nowhere else when the server was killed
        self.doubled = 0  # records for Kinesis
        self.open(0)
        self.make_tables()
        port = self.server.port
        self.writers = {HOME: [], AWAY: []}
        for n, region in enumerate((HOME, AWAY, HOME)):
            self.writers[region].append(Mortal(port, f"w{n}", seed, region))
        self.weak = Contest([Rival(port, region, TABLE, seed) for region in (HOME, AWAY)])
        self.strong = Contest([Rival(port, region, "Strong", seed) for region in sorted(STRONG)])
        self.replicator = Replicator(port, f"replicator {seed}")
        self.readers = {region: self.readers_of(region) for region in (HOME, AWAY)}
        self.compared = {region: dict.fromkeys(self.readers[region], 0) for region in self.readers}

    def open(self, lag_ms, transition_ms=0):
        self.server = Server(
            *(*self.place.options, "--regions", "by-request", "--replica-lag-ms", str(lag_ms)),
            *("--kinesis-out", str(self.kinesis), "--stream-shards", "2"),
            *("--ttl-sweep-ms", "100", "--transition-ms", str(transition_ms)),
        )
        for region in {HOME, AWAY, FAR} | STRONG:
            self.regions[region] = Client(self.server.port, region)

    def make_tables(self):
        home = self.regions[HOME].send
        home("CreateTable", soak.SCHEMA)
        self.server.put_items(TABLE, list(QUIET.values()))
        home("UpdateTable", {"TableName": TABLE, "StreamSpecification": soak.STREAM})
        home("UpdateTimeToLive", soak.EXPIRY)
        home("UpdateTable", {"TableName": TABLE, "ReplicaUpdates": creations({AWAY})})
        home("CreateTable", STRONG_TABLE)
        strong = {"ReplicaUpdates": creations(STRONG - {HOME}), "MultiRegionConsistency": "STRONG"}
        home("UpdateTable", {"TableName": "Strong", **strong})
        for name, regions in ((TABLE, (HOME, AWAY)), ("Strong", STRONG)):
            for region in regions:
                wait_until(lambda at=region, of=name: self.is_active(at, of))
        for region in (HOME, AWAY):
            arn = f"arn:aws:kinesis:{region}:123456789012:stream/{region}"
            destination = {"TableName": TABLE, "StreamArn": arn}
            self.regions[region].send("EnableKinesisStreamingDestination", destination)

    def is_active(self, region, name):
        try:
            table = self.regions[region].send("DescribeTable", {"TableName": name})["Table"]
        except Refused:
            return False
        return table["TableStatus"] == "ACTIVE"

    def readers_of(self, region):
        arn, shards = soak.shards_of(self.regions[region].send)
        port = self.server.port
        return {shard: Reader(port, arn, shard, n % 2, region) for n, shard in enumerate(shards)}

    def workers(self):
        return [
            *itertools.chain(*self.writers.values()),
            *self.weak.rivals,
            *self.strong.rivals,
            self.replicator,
        ]

    def all_readers(self):
        return [reader for readers in self.readers.values() for reader in readers.values()]

    def round(self):
        lag_ms = self.random.choice((0, 40, 400))
        for worker in (*self.workers(), *self.all_readers()):
            worker.client.port = self.server.port
            worker.start()
        time.sleep(self.random.uniform(0.1, 0.5) * SLOWNESS)
        self.server.kill()
        for worker in self.workers():
            worker.finish()
        self.open(lag_ms, self.random.choice((0, 60, 200)))
        for worker in (*self.workers(), *self.all_readers()):
            worker.client.port = self.server.port
        self.check()

    # --- what is there ---------------------------------------------------------------------------

    def items(self, region, name=TABLE):
        found = soak.everything(self.regions[region].send, {"TableName": name})
        return {(item["pk"]["S"], int(item["sk"]["N"])): item for item in found}

    def check(self):
        self.check_strong()
        self.on_the_way += self.items(HOME) != self.items(AWAY)
        self.replicator.check()
        items = self.agreed()
        for reader in self.all_readers():
            reader.finish()
        records = {region: self.new_records(region) for region in self.readers}
        for region, writers in self.writers.items():
            other = AWAY if region == HOME else HOME
            for writer in writers:
                self.check_writer(writer, records[region], records[other])
        self.weak.check({key: item for key, item in items.items() if key[0] == "rival"})
        for region in self.readers:
            check_chains(records[region])
            self.check_kinesis(region)
        self.check_items(items)

    def check_strong(self):
        """At once the same everywhere."""
        found = [self.items(region, "Strong") for region in sorted(STRONG)]
        equal(found[1:], found[:1] * 2)
        self.strong.check(found[0])

    def replicas(self):
        """The regions that have the table."""
        return (HOME, AWAY, FAR) if self.replicator.shapes[TABLE] else (HOME, AWAY)

    def agreed(self):
        """The items, once they are the same in all regions and nothing is left that expires."""
        end = time.monotonic() + PATIENCE
        while True:
            items, *others = (self.items(region) for region in self.replicas())
            apart = {key for other in others for key in differing(items, other)}
            if not apart and not any("ttl" in item for item in items.values()):
                return items
            if time.monotonic() > end:
                raise Mismatch(f"regions differ in {apart}, or items do not expire")
            time.sleep(0.02)

    def new_records(self, region):
        """By item, those since the last round."""
        compared = self.compared[region]
        readers = self.readers[region]
        records = {shard: reader.records[compared[shard] :] for shard, reader in readers.items()}
        self.compared[region] = {shard: len(reader.records) for shard, reader in readers.items()}
        return soak.records_of_items(records)

    @staticmethod
    def check_writer(writer, records, arrived):
        """What it did is in its region's stream, and so it arrived in the other's."""
        steps, before = dict(writer.steps), dict(writer.before)
        writer.check(records)
        for key in writer.keys:
            item = follow(key, steps[key], arrived.pop(key, []), before[key], arrived=True)
            if item != writer.state[key]:
                raise Mismatch(f"{key} arrived as {item}, not {writer.state[key]}")

    def check_items(self, items):
        expected = QUIET | {key: item for key, item in items.items() if key[0] == "rival"}
        for writer in itertools.chain(*self.writers.values()):
            expected |= {key: item for key, item in writer.state.items() if item}
        equal([(key, items.get(key)) for key in differing(items, expected)], [])
        for region in self.replicas():
            send = self.regions[region].send
            table = send("DescribeTable", {"TableName": TABLE})["Table"]
            soak.check_indexes(send, table, list(items.values()))

    # --- Kinesis ---------------------------------------------------------------------------------

    def events(self, region):
        """Each once: a crash may leave some of them twice."""
        path = self.kinesis / f"{region}.jsonl"
        lines = path.read_text().split("\n") if path.exists() else [""]
        equal(lines.pop(), "")
        events = {}
        for record in map(json.loads, lines):
            equal(events.setdefault(record["eventID"], record), record)
        self.doubled += len(lines) - len(events)
        return list(events.values())

    def check_kinesis(self, region):
        """What the table's stream has, change by change of each item."""
        records = [r for reader in self.readers[region].values() for r in reader.records]
        try:
            wait_until(lambda: self.kinesis_lines(region) >= len(records))
            wait_until(lambda: len(self.events(region)) >= len(records))
        except AssertionError as error:
            raise Mismatch(f"{region}: not {len(records)} records for Kinesis") from error
        expected, found = changes_of(records), changes_of(self.events(region))
        for key in expected.keys() | found.keys():
            equal(found.get(key), expected.get(key))

    def kinesis_lines(self, region):
        path = self.kinesis / f"{region}.jsonl"
        return path.read_bytes().count(b"\n") if path.exists() else 0


def differing(one, other):
    return [key for key in one.keys() | other.keys() if one.get(key) != other.get(key)]


def creations(regions):
    return [{"Create": {"RegionName": region}} for region in sorted(regions)]


def changes_of(records):
    changes = {}
    for record in records:
        change = record["dynamodb"]
        key = change["Keys"]["pk"]["S"], change["Keys"]["sk"]["N"]
        step = record["eventName"], change.get("OldImage"), change.get("NewImage")
        changes.setdefault(key, []).append(step)
    return changes


def check_chains(records):
    """Of items that several write: each change follows the one before."""
    for key in [key for key in records if key[0] == "rival"]:
        images = [record["dynamodb"] for record in records.pop(key)]
        for before, after in zip(images, images[1:]):
            if before.get("NewImage") != after.get("OldImage"):
                raise Mismatch(f"{key}: {after} does not follow {before}")
    if records:
        raise Mismatch(f"nobody asked for {records}")


def main():
    report = Report()
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with stores.place(report) as place:
        trial = Trial(place, seed)
        killed(report, trial, ROUNDS, "among regions", seed)
        with report.case("the server ends cleanly"):
            trial.server.stop()
        records = sum(len(reader.records) for reader in trial.all_readers())
        print(f"# {records} records; {trial.on_the_way} times writes were on their way,")
        print(f"# {trial.replicator.caught} times a replica; {trial.doubled} records came twice")
    report.done()


main()
