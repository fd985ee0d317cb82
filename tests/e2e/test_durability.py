"""Kills the server again and again, at any moment, while clients change items and tables: what it
acknowledged is there afterwards, and nothing else but what was under way.

    test_durability.py [SEED]      $MOCKDDB_KILLS: how often, 20 by default
"""

import collections
import contextlib
import json
import os
import pathlib
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time

import nearest
import soak
import stores
from e2e import BINARY, ROOT, SLOWNESS, Report, Running, Server, equal, wait_until
from nearest import Mismatch
from soak import TABLE, Mortal, Reader, all_items, check_indexes
from soak_settings import Settler
from soak_tables import Builder, Indexer

ROUNDS = int(os.environ.get("MOCKDDB_KILLS", "20"))
WRITERS = 3
BUILDERS = 2
QUIET_ITEMS = 2500  # items that nobody changes: the index that comes and goes is filled in slices
QUIET_OWNERS = 30  # each of so many of them that one search finds them all
OPEN_SECONDS = 2 * SLOWNESS  # of the processor, from exec to the first answer: far more than it takes
MANY = 60  # so often is each of several ways chosen that none is left out by chance


def check_opening(server):
    seconds = server.processor_seconds()
    assert seconds < OPEN_SECONDS, f"it took {seconds:.1f} s"


def start_and_kill(options, seconds):
    process = Running(
        [BINARY, "--port", "0", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(seconds)
    process.kill()
    process.wait()


class Trial:
    """One file or schema, the servers that open it one after another, and their clients."""

    def __init__(self, place, seed):
        self.place = place
        self.random = random.Random(f"trial {seed}")
        self.seconds = []  # that each server took from exec to its first answer
        self.server = self.sync = None
        self.open()
        self.server.call("CreateTable", soak.SCHEMA)
        self.quiet = {
            ("quiet", n): {
                **{"pk": {"S": "quiet"}, "sk": {"N": str(n)}, "v": {"N": str(-n)}},
                **{"e": nearest.vector(n), "o": {"S": f"quiet {n % QUIET_OWNERS}"}},
            }
            for n in range(QUIET_ITEMS)
        }
        self.server.put_items(TABLE, list(self.quiet.values()))
        self.server.call("UpdateTable", {"TableName": TABLE, "StreamSpecification": soak.STREAM})
        self.server.call("UpdateTimeToLive", soak.EXPIRY)
        port = self.server.port
        self.writers = [Mortal(port, f"w{n}", seed) for n in range(WRITERS)]
        self.builders = [
            Builder(port, [f"Table-{n}-{m}" for m in range(2)], f"builder {n} {seed}")
            for n in range(BUILDERS)
        ]
        self.settler = Settler(port, f"settler {seed}")
        self.changers = [*self.builders, Indexer(port, TABLE, f"indexer {seed}"), self.settler]
        arn, shards = soak.shards_of(self.server.call)
        self.readers = {shard: Reader(port, arn, shard, n % 2) for n, shard in enumerate(shards)}
        self.compared = {shard: 0 for shard in shards}  # records of each

    def open(self, transition_ms=0, sync="normal"):
        self.sync = sync
        start = time.monotonic()
        self.server = Server(
            *(*self.place.options, "--stream-shards", "2", "--ttl-sweep-ms", "100"),
            *("--transition-ms", str(transition_ms), "--sync", sync),
        )
        self.server.call("ListTables", {})
        self.seconds.append(time.monotonic() - start)
        check_opening(self.server)

    def workers(self):
        return [*self.writers, *self.changers, *self.readers.values()]

    def kill(self):
        """Now and then while it ends, its database with it, and once more while the file or schema is opened."""
        if self.random.random() < 0.2:
            self.server.process.terminate()
            time.sleep(self.random.uniform(0, 0.01))
        self.server.kill()
        if self.sync != "off" and self.random.random() < 0.2:  # it may lose writes that were not waited for
            self.place.end_database()
        if self.random.random() < 0.2:
            start_and_kill(self.place.options, self.random.uniform(0, 2 * statistics.median(self.seconds)))

    def round(self):
        for worker in self.workers():
            worker.client.port = self.server.port
            worker.start()
        time.sleep(self.random.uniform(0.05, 0.4) * SLOWNESS)
        self.kill()
        for worker in (*self.writers, *self.changers):
            worker.finish()
        self.open(self.random.choice((0, 60, 200)), self.random.choice(("off", "normal", "full")))
        for worker in self.workers():
            worker.client.port = self.server.port
        for reader in self.readers.values():
            reader.finish()
        self.check()

    def check(self):
        for changer in self.changers:
            changer.check()
        records = soak.records_of_items(
            {shard: r.records[self.compared[shard] :] for shard, r in self.readers.items()}
        )
        self.compared = {shard: len(reader.records) for shard, reader in self.readers.items()}
        for writer in self.writers:
            writer.check(records)
        if records:
            raise Mismatch(f"nobody asked for {records}")
        self.check_items()
        self.place.check()

    def check_items(self):
        """Items are what the records say; only what expires may have gone since."""
        send = self.writers[0].client.send
        there = all_items(send)
        table = send("DescribeTable", {"TableName": TABLE})["Table"]
        check_indexes(send, table, list(there.values()))
        expected = dict(self.quiet)
        for writer in self.writers:
            expected |= writer.state
        for key, item in expected.items():
            found = there.pop(key, None)
            if found != item and (found or "ttl" not in item):
                raise Mismatch(f"{key} is {found}, not {item}")
        equal(there, {})

    def counts(self, kind):
        """How often what was done by workers of a kind."""
        total = collections.Counter()
        for worker in (*self.writers, *self.changers):
            if isinstance(worker, kind):
                total.update(worker.counts)
        return total

    def wait_for_expiry(self):
        """Until nothing is left that is to expire; then indexes and counts are compared exactly."""
        send = self.server.call
        wait_until(lambda: not any("ttl" in item for item in all_items(send).values()))
        self.check_items()

    def check_stream(self):
        """Who reads everything once more reads what was read after each round."""
        final = soak.read_all(self.server)
        for shard, reader in self.readers.items():
            if final[shard][: len(reader.records)] != reader.records:
                raise Mismatch(f"{shard} has changed")
        soak.records_of_items(final)


DANGLING = (  # see "Store" in docs/architecture.md
    "SELECT count(*) FROM entry WHERE id NOT IN (SELECT id FROM item)",
    "SELECT count(*) FROM item WHERE id NOT IN (SELECT id FROM entry)",
)


def check_file(path):
    """The file is sound, no entry is without an item and no item without an entry."""
    with contextlib.closing(sqlite3.connect(path)) as file:
        equal(file.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        equal([file.execute(query).fetchone()[0] for query in DANGLING], [0, 0])


def killed_upgrades(report, folder):
    """A file of an older format, killed while it is brought up to date, is old or new, never half."""
    path, chance = pathlib.Path(folder) / "old.db", random.Random(1)

    def renew(old):
        for left in path.parent.glob("old.db*"):
            left.unlink()
        shutil.copy(old, path)

    def content(server):
        names = server.call("ListTables", {})["TableNames"]
        return {name: server.call("Scan", {"TableName": name})["Items"] for name in names}

    for old in sorted((ROOT / "tests/data").glob("format-*.db")):
        with report.case(f"killed while {old.stem} is brought up to date"):
            renew(old)
            start = time.monotonic()
            with Server("--db", path) as server:
                seconds = time.monotonic() - start
                expected = content(server)
            assert any(expected.values()), "no items"
            for _ in range(10):
                renew(old)
                start_and_kill(("--db", path), chance.uniform(0, seconds))
                with Server("--db", path) as server:
                    equal(content(server), expected)


def size_when_compact(path):
    with Server("--db", path):
        time.sleep(0.5)  # for the work in the background
    with Server("--db", path, "--compact"):
        return os.path.getsize(path)


def long_log(report, folder):
    """A log of 100 MB that was not yet moved into the file, and a deletion that was only begun."""
    path, seconds = str(pathlib.Path(folder) / "log.db"), []

    def open_again():
        start = time.monotonic()
        server = Server("--db", path)
        found = server.call("ListTables", {})["TableNames"]
        seconds.append(time.monotonic() - start)
        check_opening(server)
        return server, found

    server, _ = open_again()
    with report.case("a file whose log is long opens at once"):
        server.call("CreateTable", soak.SCHEMA)
        text = {"S": "x" * 390_000}
        items = [{"pk": {"S": "p"}, "sk": {"N": str(n)}, "text": text} for n in range(260)]
        server.put_items(TABLE, items)
        server.kill()
        server, _ = open_again()
        equal(len(all_items(server.call)), len(items))
    with report.case("a file in which much is being deleted opens at once"):
        server.call("DeleteTable", {"TableName": TABLE})
        server.kill()
        server, found = open_again()
        server.stop()
        equal(found, [])
        wait_until(lambda: size_when_compact(path) < 1_000_000)
    print(f"# a log of 100 MB: {seconds[1]:.3f} s; while it is deleted: {seconds[2]:.3f} s")


def rounds(report, trial, seed):
    """Up to the first that fails: what comes after it says nothing."""
    for number in range(ROUNDS):
        with report.case(f"killed under load, round {number + 1}, seed {seed}"):
            trial.round()
        if report.failed:
            return
    with report.case("who reads the stream once more reads what was read all along"):
        trial.check_stream()
    with report.case("all that was to expire does, and every item and index entry is right"):
        trial.wait_for_expiry()
    with report.case("the file is sound"):
        trial.server.stop()
        if trial.place.path:
            check_file(trial.place.path)
        trial.place.check()
    with report.case("every way of changing something was gone"):
        for worker in (trial.writers[0], trial.builders[0], trial.settler):
            counts = trial.counts(type(worker))
            missing = {way.__name__ for way in worker.ways} - counts.keys()
            assert not missing or sum(counts.values()) < MANY * len(worker.ways), missing
            print(f"# {json.dumps(counts)}")


def main():
    report = Report()
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with stores.place(report) as place:
        trial = Trial(place, seed)
        rounds(report, trial, seed)
        trial.server.kill()
        records = sum(trial.compared.values())
        caught = sum(changer.caught for changer in trial.changers)
        middle, worst = statistics.median(trial.seconds), max(trial.seconds)
        print(f"# {ROUNDS} kills, {records} records, {caught} changes of tables caught half-way")
        print(f"# from exec to the first answer: median {middle:.3f} s, worst {worst:.3f} s")
        if place.path:
            long_log(report, place.folder)
            killed_upgrades(report, place.folder)
    report.done()


main()
