"""Writes through every path with several clients while consumers read, and kills the server again
and again: every acknowledged change is delivered once, in order per item, none missing.

    test_stream_soak.py [SECONDS]      default 10
"""

import json
import sys
import time

import stores
from e2e import PATIENCE, SLOWNESS, Report, Server, equal, wait_until
from soak import (
    EXPIRY,
    SCHEMA,
    STREAM,
    TABLE,
    Reader,
    Writer,
    all_items,
    check_indexes,
    follow,
    read_all,
    records_of_items,
    shards_of,
)
from stream_lambda import Follower, Function

WRITERS = 5
SHARDS = 4
KILL_EVERY_SECONDS = 1.5
OPTIONS = ("--stream-shards", str(SHARDS), "--ttl-sweep-ms", "100")

# The third consumer: a function that keeps which events it was given.
FUNCTION = """
def handler(event, context):
    log([[r["eventID"], r["dynamodb"]["SequenceNumber"]] for r in event["Records"]])
"""


class Soak:
    """A server that is killed and started again, its writers and its readers."""

    def __init__(self, place):
        self.options = (*OPTIONS, *place.options)
        self.place = place
        self.server = Server(*self.options)
        self.kills = 0

    def prepare(self):
        self.server.call("CreateTable", SCHEMA | {"StreamSpecification": STREAM})
        self.server.call("UpdateTimeToLive", EXPIRY)
        port = self.server.port
        arn, shards = shards_of(self.server.call)
        self.writers = [Writer(port, f"w{n}") for n in range(WRITERS)]
        self.readers = [
            {shard: Reader(port, arn, shard, renews) for shard in shards}
            for renews in (False, True)
        ]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()  # it has ended long ago where nothing failed

    def workers(self):
        return self.writers + [reader for group in self.readers for reader in group.values()]

    def restart(self):
        self.server.kill()
        self.place.check()
        self.server = Server("--port", str(self.server.port), *self.options)
        self.kills += 1

    def ways_left(self):
        """Ways of writing that nobody has gone yet."""
        gone = {name for writer in self.writers for name in list(writer.counts)}
        return [way for way in self.writers[0].ways if way.__name__ not in gone]

    def run(self, seconds):
        begin = time.monotonic()
        for worker in self.workers():
            worker.start()
        while time.monotonic() < begin + seconds or (
            self.ways_left() and time.monotonic() < begin + seconds + PATIENCE
        ):
            time.sleep(KILL_EVERY_SECONDS * SLOWNESS)
            self.restart()
        for writer in self.writers:
            writer.finish()
        self.wait_for_expiry()
        for group in self.readers:
            for reader in group.values():
                reader.finish()

    def wait_for_expiry(self):
        """Until nothing is left that is to expire."""
        wait_until(lambda: not any("ttl" in item for item in all_items(self.server.call).values()))


def compare(report, soak):
    final, items, there = read_all(soak.server), {}, {}
    with report.case("one who reads at the end, and those who read all the time, see the same"):
        for group in soak.readers:
            for shard, reader in group.items():
                equal(
                    [record["eventID"] for record in reader.records],
                    [record["eventID"] for record in final[shard]],
                )
                assert reader.records == final[shard], f"{shard} has changed"
    with report.case("numbers grow, no event occurs twice, an item is in one shard"):
        items = records_of_items(final)
    with report.case("every acknowledged change has one record, in order, and nothing else has"):
        there = all_items(soak.server.call)
        for writer in soak.writers:
            for key, steps in writer.steps.items():
                item = follow(key, steps, items.get(key, []))
                if item != there.get(key):
                    raise AssertionError(f"{key}: records end with {item}, not {there.get(key)}")
    with report.case("indexes are what the table is"):
        table = soak.server.call("DescribeTable", {"TableName": TABLE})["Table"]
        check_indexes(soak.server.call, table, list(there.values()))
    with report.case("every way of writing was gone, and items expired"):
        equal(soak.ways_left(), [])
        expired = [r for records in final.values() for r in records if "userIdentity" in r]
        assert expired, "nothing expired"
    return final


def compare_function(report, function, final):
    with report.case("the function was given each record once, shard by shard in order"):
        seen = [tuple(record) for batch in function.logged for record in batch]
        expected = [
            [(r["eventID"], r["dynamodb"]["SequenceNumber"]) for r in records]
            for records in final.values()
        ]
        for shard in expected:
            members = set(shard)
            equal([record for record in seen if record in members], shard)
        equal(len(seen), sum(map(len, expected)))


def main():
    report = Report()
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    with stores.place(report) as place, Soak(place) as soak:
        soak.prepare()
        with Function(FUNCTION) as function, Follower(
            soak.server,
            *("--table", TABLE, "--command", function.command),
            *("--batch-size", 1000, "--batch-window", 1),
        ) as follower:
            with report.case("writers and readers get through"):
                soak.run(seconds)
            total = sum(len(r.records) for r in soak.readers[0].values())
            with report.case("ddb-stream-lambda gets through"):
                wait_until(lambda: sum(map(len, function.logged)) >= total)
                equal(follower.stop()[0], 0)
            final = compare(report, soak)
            compare_function(report, function, final)
        with report.case("the server ends cleanly"):
            soak.server.stop()
        print(f"# {total} records in {seconds:g} s, {soak.kills} kills; writes of each kind:")
        counts = {}
        for writer in soak.writers:
            for way, count in writer.counts.items():
                counts[way] = counts.get(way, 0) + count
        print(f"# {json.dumps(counts)}")
    report.done()


main()
