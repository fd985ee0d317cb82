"""Worlds: isolation, first use, reset, snapshots, forks and limits, as clients see them."""

import collections
import contextlib
import hashlib
import http.client
import itertools
import json
import os
import pathlib
import random
import resource
import shutil
import sqlite3
import struct
import threading
import time

from admin import ROOT, ask, must
from e2e import HEADERS, PATIENCE, Report, Server, equal, temporary_folder, wait_until
from hostile import memory, peak_memory

TABLE = {
    "TableName": "Baskets",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
}
WORKERS = 16
KILLS = int(os.environ.get("MOCKDDB_KILLS", "6"))  # rounds of each kind at least
SLACK_MB = 4  # that the same work may need more when it is done again


class World:
    """Operations and verbs in a world of the server; None: without naming one."""

    def __init__(self, server, name=None):
        self.server = server
        self.name = name

    def post(self, operation, body):
        headers = {"x-mockddb-world": self.name} if self.name else {}
        status, _, answer = self.server.post(operation, body, headers)
        return status, json.loads(answer)

    def call(self, operation, body):
        status, answer = self.post(operation, body)
        if status != 200:
            raise RuntimeError(f"{operation} in {self.name} answered {status}: {answer}")
        return answer

    def verb(self, method, path, body=None):
        named = {"x_mockddb_world": self.name} if self.name else {}
        return must(self.server, method, path, body, **named)

    def tables(self):
        return self.call("ListTables", {})["TableNames"]

    def put(self, *keys):
        for key in keys:
            self.call("PutItem", {"TableName": "Baskets", "Item": {"pk": {"S": key}}})

    def keys(self):
        items = self.call("Scan", {"TableName": "Baskets"})["Items"]
        return sorted(item["pk"]["S"] for item in items)

    def iterator(self, kind):
        stream = self.call("DescribeTable", {"TableName": "Baskets"})["Table"]["LatestStreamArn"]
        shard = self.call("DescribeStream", {"StreamArn": stream})["StreamDescription"]["Shards"][0]
        where = {"StreamArn": stream, "ShardId": shard["ShardId"]}
        start = {**where, "ShardIteratorType": kind}
        return self.call("GetShardIterator", start)["ShardIterator"]

    def records(self):
        iterator = self.iterator("TRIM_HORIZON")
        records = self.call("GetRecords", {"ShardIterator": iterator})["Records"]
        return [record["dynamodb"]["Keys"]["pk"]["S"] for record in records]


def names(server):
    return [world["name"] for world in must(server, "GET", "worlds")["worlds"]]


def isolation(report):
    with Server() as server:
        default, a, b = World(server), World(server, "a"), World(server, "b")
        with report.case("a world is made when it is named first"):
            equal(a.tables(), [])
            equal(names(server), ["a", "default"])
        with report.case("worlds have tables, items and streams of their own"):
            for world, keys in ((a, ["1", "2"]), (b, ["3"])):
                world.call("CreateTable", TABLE)
                world.put(*keys)
            equal((a.keys(), b.keys(), default.tables()), (["1", "2"], ["3"], []))
            equal((a.records(), b.records()), (["1", "2"], ["3"]))
        with report.case("worlds have clocks of their own"):
            a.verb("POST", "clock", {"freeze": "2026-01-01T00:00:00Z"})
            equal(a.verb("GET", "clock")["now"], "2026-01-01T00:00:00.000Z")
            equal(b.verb("GET", "clock")["frozen"], False)
            equal(default.verb("GET", "clock")["frozen"], False)
        with report.case("a world has a row in the list"):
            row = must(server, "GET", "worlds/a")
            equal((row["tables"], row["items"], row["clock"]["frozen"]), (1, 2, True))
            assert row["bytes"] > 0 and row["memory"] > row["bytes"], row
        with report.case("a verb that changes something makes the world, others do not"):
            World(server, "c").verb("POST", "clock", {"freeze": True})
            equal(ask(server, "GET", "clock", x_mockddb_world="d")[0], 404)
            equal(names(server), ["a", "b", "c", "default"])
        with report.case("a world that is dropped is gone; by its name there comes a new one"):
            equal([row.get("from"), must(server, "POST", "worlds/of-a", {"from": "a"})["from"]], [None, "a"])
            equal(must(server, "GET", "worlds/of-a")["from"], "a")
            must(server, "POST", "reset", x_mockddb_world="of-a")
            equal(must(server, "GET", "worlds/of-a").get("from"), None)
            must(server, "DELETE", "worlds/of-a")
            equal(must(server, "DELETE", "worlds/a"), {"dropped": "a"})
            equal(names(server), ["b", "c", "default"])
            equal(a.tables(), [])
            equal(a.verb("GET", "clock")["frozen"], False)
        with report.case("a request that says that its world exists makes none"):
            there = {"x-mockddb-world": "gone", "x-mockddb-world-exists": "true"}
            status, _, answer = server.post("ListTables", {}, there)
            equal((status, json.loads(answer)["message"]), (400, "world gone does not exist"))
            equal(ask(server, "POST", "clock", {"freeze": True}, x_mockddb_world="gone", x_mockddb_world_exists="true"),
                  (404, {"message": "world gone does not exist"}))
            equal(server.post("ListTables", {}, there | {"x-mockddb-world-exists": "yes"})[0], 400)
            equal(names(server), ["a", "b", "c", "default"])
            equal(server.post("ListTables", {}, there | {"x-mockddb-world": "b"})[0], 200)
        with report.case("the first world stays"):
            equal(ask(server, "DELETE", "worlds/default")[0], 400)
        with report.case("a request for what is not a world's name is refused"):
            status, answer = World(server, "../a").post("ListTables", {})
            equal((status, answer["__type"].split("#")[1]), (400, "ValidationException"))
            equal(ask(server, "POST", "worlds/.a")[0], 400)


def state(report, *options):
    """Reset, snapshots and forks, in whatever way the first world is kept."""
    with Server("--fixtures", "ecommerce", *options) as server:
        fixture = World(server).tables()
        for name in (None, "a"):
            world = World(server, name)
            where = f"{' '.join(options[:1])} world {name or 'default'}:".strip()
            with report.case(f"{where} it begins with the fixtures"):
                equal(len(world.tables()), 3)
            with report.case(f"{where} a reset brings back what it began with"):
                world.call("CreateTable", TABLE)
                world.call("DeleteTable", {"TableName": fixture[0]})
                world.verb("POST", "clock", {"freeze": "2026-01-01T00:00:00Z"})
                world.verb("POST", "reset")
                equal(world.tables(), fixture)
                equal(world.verb("GET", "clock")["frozen"], False)
            with report.case(f"{where} a snapshot is kept and restored, more than once"):
                world.call("CreateTable", TABLE)
                world.put("kept")
                world.verb("POST", "clock", {"freeze": "2026-01-01T00:00:00Z"})
                equal(world.verb("POST", "snapshots/s")["tables"], 4)
                for _ in range(2):
                    world.put("later")
                    world.verb("POST", "clock", {"resume": True})
                    world.verb("POST", "snapshots/s/restore")
                    equal(world.keys(), ["kept"])
                    equal(world.verb("GET", "clock")["now"], "2026-01-01T00:00:00.000Z")
                equal(world.records(), ["kept"])
            with report.case(f"{where} who reads a stream sees what is written after a restore"):
                world.put("a", "b", "c")
                iterator = world.iterator("LATEST")
                world.verb("POST", "snapshots/s/restore")
                world.put("d", "e")
                records = world.call("GetRecords", {"ShardIterator": iterator})["Records"]
                equal([r["dynamodb"]["Keys"]["pk"]["S"] for r in records], ["d", "e"])
                world.verb("POST", "snapshots/s/restore")
            with report.case(f"{where} snapshots outlive a reset, and are replaced by name"):
                world.verb("POST", "reset")
                equal([s["tables"] for s in world.verb("GET", "snapshots")["snapshots"]], [4])
                world.verb("POST", "snapshots/s")
                equal(world.verb("GET", "snapshots/s")["tables"], 3)
            with report.case(f"{where} a world can be forked, and goes its own way"):
                fork = World(server, f"fork-of-{name}")
                must(server, "POST", f"worlds/{fork.name}", {"from": name or "default"})
                fork.call("CreateTable", TABLE)
                equal((len(fork.tables()), len(world.tables())), (4, 3))
            with report.case(f"{where} a world can begin with a snapshot"):
                body = {"from": name or "default", "snapshot": "s"}
                must(server, "POST", f"worlds/begun-with-{name}", body)
                equal(len(World(server, f"begun-with-{name}").tables()), 3)
            with report.case(f"{where} a snapshot that is dropped is gone"):
                world.verb("DELETE", "snapshots/s")
                equal(world.verb("GET", "snapshots")["snapshots"], [])
                named = {"x_mockddb_world": name} if name else {}
                for method, path in (("GET", "s"), ("DELETE", "s"), ("POST", "s/restore")):
                    equal(ask(server, method, f"snapshots/{path}", **named)[0], 404)


def in_folder(report):
    """Worlds and snapshots in files: what was acknowledged is there after kill -9."""
    with temporary_folder() as folder:
        options = ("--data-dir", f"{folder}/data", "--world-idle-s", "1")
        server = Server(*options)
        for name in (None, "A.b"):
            world = World(server, name)
            world.call("CreateTable", TABLE)
            world.put("kept")
            world.verb("POST", "clock", {"freeze": "2026-01-01T00:00:00Z"})
            world.verb("POST", "snapshots/S_1")
            world.put("later")
        must(server, "POST", "worlds/forked", {"from": "A.b"})
        must(server, "POST", "worlds/gone")
        must(server, "DELETE", "worlds/gone")
        server.kill()
        with report.case("files: names are encoded"):
            found = os.listdir(f"{folder}/data")
            equal({n for n in found if not n.endswith(("-wal", "-shm"))}, FILES)
        with Server(*options) as server:
            with report.case("files: worlds that nobody has named yet are in the list"):
                rows = must(server, "GET", "worlds")["worlds"]
                closed = sorted(row["name"] for row in rows if row.get("closed"))
                equal(closed, ["A.b", "forked"])
            for name in (None, "A.b"):
                world = World(server, name)
                with report.case(f"files: world {name or 'default'} is there after kill -9"):
                    equal(world.keys(), ["kept", "later"])
                with report.case(f"files: a snapshot of {name or 'default'} is there, too"):
                    world.verb("POST", "snapshots/S_1/restore")
                    equal(world.keys(), ["kept"])
                    equal(world.verb("GET", "clock")["now"], "2026-01-01T00:00:00.000Z")
            with report.case("files: a world that nobody uses is closed, not dropped"):
                wait_until(lambda: len(names(server)) == len(closed_names(server)) + 1)
                equal(closed_names(server), ["A.b", "forked"])
                equal(World(server, "A.b").keys(), ["kept"])
                equal(World(server, "forked").keys(), ["kept", "later"])
            with report.case("files: a world that is dropped leaves none"):
                must(server, "DELETE", "worlds/A.b")
                must(server, "DELETE", "worlds/forked")
                left = [name for name in os.listdir(f"{folder}/data") if "default" not in name]
                equal(left, [])
        shared = ("--data-dir", f"{folder}/data", "--db")
        with report.case("files: a world that another server has open is not dropped"):
            with Server(*shared, f"{folder}/one.db") as one, Server(*shared, f"{folder}/two.db") as two:
                must(one, "POST", "worlds/held")
                status, answer = ask(two, "DELETE", "worlds/held")
                equal((status, answer), (500, {"message": "world held is in use by another process or handle"}))
                equal(must(one, "GET", "worlds/held")["name"], "held")
                must(one, "DELETE", "worlds/held")
        with report.case("files: what was dropped is not there after a start"):
            with Server(*options) as server:
                equal(names(server), ["default"])
                equal(World(server).keys(), ["kept"])
        with Server(*options, "--read-only") as server:
            with report.case("files: read-only, no world is made"):
                equal(World(server, "new").post("ListTables", {})[0], 400)


FILES = {
    "snapshot._41_2eb._53_5f1.mockddb",
    "snapshot.default._53_5f1.mockddb",
    "world._41_2eb.db",
    "world.default.db",
    "world.forked.db",
}


def closed_names(server):
    rows = must(server, "GET", "worlds")["worlds"]
    return sorted(row["name"] for row in rows if row.get("closed"))


def raw(server, method, path, body=None, world=None):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    headers = {"x-mockddb-world": world} if world else {}
    connection.request(method, f"/_mockddb/{path}", body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read()


def snapshot_files(report):
    with Server() as server:
        world = World(server)
        world.call("CreateTable", TABLE)
        world.put("1", "2")
        world.verb("POST", "clock", {"freeze": "2026-01-01T00:00:00Z"})
        world.verb("POST", "snapshots/s")
        with report.case("a snapshot is read as a file"):
            status, file = raw(server, "GET", "snapshots/s/file")
            equal((status, file[:15], file[-16:]), (200, b"SQLite format 3", b"mockddb-snapshot"))
            equal(raw(server, "GET", "snapshots/none/file")[0], 404)
    options = {"in memory": (), "in files": ("--data-dir",)}
    for where, given in options.items():
        with temporary_folder() as folder:
            with Server(*given, *([folder] if given else [])) as server:
                world = World(server)
                with report.case(f"{where}: a file is loaded as a snapshot and restored"):
                    status, answer = raw(server, "PUT", "snapshots/t/file", file)
                    equal((status, json.loads(answer)["items"]), (200, 2))
                    world.verb("POST", "snapshots/t/restore")
                    equal(world.keys(), ["1", "2"])
                    equal(world.records(), ["1", "2"])
                    equal(world.verb("GET", "clock")["now"], "2026-01-01T00:00:00.000Z")
                with report.case(f"{where}: a file comes back as it went"):
                    status, again = raw(server, "GET", "snapshots/t/file")
                    equal((status, len(again)), (200, len(file)))
                hostile(report, server, where, file)
                with report.case(f"{where}: no file is left of what was refused"):
                    equal([n for n in os.listdir(folder) if n.startswith("mockddb.")], [])


def hostile(report, server, where, file):
    """Files that are no snapshots, or not any more."""
    tail = 88
    flipped = bytearray(file)
    flipped[5000] ^= 1
    newer = bytearray(file)
    newer[-tail + 36] = 2
    text = b"SELECT 1" * 1000
    rows = {
        "nothing": b"",
        "a text": b"hello",
        "a file without its end": file[:-1],
        "a file of the store alone": file[:-tail],
        "a bit that flipped": bytes(flipped),
        "a newer form": bytes(newer),
        "no database": sealed(text, file),
        "half a database": sealed(file[: len(file) // 2], file),
        "a database that is not ours": sealed(other_database(), file),
        "a database with another table": sealed(with_table(file[:-tail]), file),
        "a body that is no item": sealed(with_body(file[:-tail]), file),
    }
    for what, sent in rows.items():
        with report.case(f"{where}, refused: {what}"):
            status, answer = raw(server, "PUT", "snapshots/bad/file", sent)
            equal((status, list(json.loads(answer))), (400, ["message"]))
            equal(ask(server, "GET", "snapshots/bad")[0], 404)
            equal(World(server).keys(), ["1", "2"])


def crafted(report):
    """A row that is joined with each entry takes no more memory than the file has, and a bit."""
    blob_mb = 24
    with Server() as server, report.case("a file with one long row takes little memory"):
        world = World(server)
        world.call("CreateTable", TABLE)
        world.put(*[str(i) for i in range(200)])
        world.verb("POST", "snapshots/s")
        file = raw(server, "GET", "snapshots/s/file")[1]
        script = f"INSERT INTO sharing(space, below) VALUES(16, zeroblob({blob_mb << 20}))"
        sent = sealed(changed_database(file[:-88], script), file)
        before = peak_memory(server)
        status, answer = raw(server, "PUT", "snapshots/bad/file", sent)
        equal((status, json.loads(answer)), (400, {"message": "this snapshot is damaged"}))
        took = peak_memory(server) - before
        assert took < 4 * blob_mb, took  # the sanitizers' share included


def sealed(store, like):
    """A file whose end is right for that store."""
    tail = bytearray(like[-88:])
    tail[:8] = struct.pack("<Q", len(store))
    tail[40:72] = hashlib.sha256(store + bytes(tail[:40])).digest()
    return store + bytes(tail)


def changed_database(store, script):
    with temporary_folder() as folder:
        path = pathlib.Path(folder) / "changed.db"
        path.write_bytes(store)
        with contextlib.closing(sqlite3.connect(path)) as file:
            file.executescript(script)
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return path.read_bytes()


def other_database():
    return changed_database(b"", "CREATE TABLE a(b); INSERT INTO a VALUES(1);")


def with_table(store):
    return changed_database(store, "CREATE TABLE other(a)")


def with_body(store):
    return changed_database(store, "UPDATE item SET body = x'7b7d7d'")


def rounds_of_kills(seen):
    """Rounds, KILLS at least, until the server was killed too early as well as too late."""
    end = time.monotonic() + PATIENCE
    for number in itertools.count():
        if number >= KILLS and len(seen) == 2:
            return
        assert time.monotonic() < end, f"it was always killed too early, or too late: {seen}"
        yield number


def killed_resets(report):
    """A file is as before a reset or as after it, whenever the server is killed."""
    with temporary_folder() as folder, report.case("killed while it is reset"):
        chance, seen, took = random.Random(1), collections.Counter(), []
        for _ in rounds_of_kills(seen):
            server = Server("--db", f"{folder}/first.db", "--fixtures", "guides")
            world = World(server)
            if "Baskets" not in world.tables():
                world.call("CreateTable", TABLE)
                world.put(*[str(i) for i in range(30)])
            start = time.monotonic()
            resetting = threading.Thread(target=reset_to_death, args=(server,))
            resetting.start()
            resetting.join(chance.uniform(0, 1.5 * took[0]) if took else None)
            took.append(time.monotonic() - start)
            server.kill()
            resetting.join()
            with Server("--db", f"{folder}/first.db", "--fixtures", "guides") as again:
                there = "Baskets" in World(again).tables()
                seen[there] += 1
                if there:
                    equal(len(World(again).keys()), 30)
                equal(len(World(again).tables()) - there, len(fixture_tables("guides")))


def file_that_stays(report):
    """A snapshot whose file cannot be removed is not dropped: it would be back at the next start."""
    with temporary_folder() as folder, Server("--data-dir", f"{folder}/data") as server:
        must(server, "POST", "snapshots/s")
        path = next(pathlib.Path(folder, "data").glob("snapshot.*"))
        path.unlink()
        path.mkdir()
        with report.case("files: a snapshot is dropped with its file or not at all"):
            status, answer = ask(server, "DELETE", "snapshots/s")
            equal(status, 500)
            assert "snapshot s" in answer["message"], answer
            equal(ask(server, "GET", "snapshots/s")[0], 200)
            path.rmdir()
            equal(ask(server, "DELETE", "snapshots/s")[0], 200)


@contextlib.contextmanager
def full_disk(server):
    """No file of the server can grow, as on a disk that is full."""
    pid, (_, hard) = server.process.pid, resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, hard))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))


def snapshots_on_a_full_disk(report):
    """What is to be replaced stays until the new one is whole: in memory and in its file."""
    with temporary_folder() as folder:
        options = ("--data-dir", f"{folder}/data")
        server = Server(*options)
        try:
            world = World(server, "own")
            world.call("CreateTable", TABLE)
            world.put("1")
            world.verb("POST", "snapshots/one")
            world.put("2")
            world.verb("POST", "snapshots/two")
            other = raw(server, "GET", "snapshots/two/file", world="own")[1]
            files = kept_files(folder)
            world.put("3")
            requests = {
                "a snapshot over another": ("POST", "snapshots/one"),
                "a new snapshot": ("POST", "snapshots/new"),
                "a file over a snapshot": ("PUT", "snapshots/one/file", other),
                "a restore": ("POST", "snapshots/one/restore"),
                "a reset": ("POST", "reset"),
                "a fork": ("POST", "worlds/forked", b'{"from":"own"}'),
            }
            for what, request in requests.items():
                with report.case(f"a full disk: {what} is refused, and nothing is lost"):
                    with full_disk(server):
                        status, answer = raw(server, *request, world="own")
                        equal(status, 500)
                        assert json.loads(answer)["message"], answer
                    equal(world.keys(), ["1", "2", "3"])
                    rows = world.verb("GET", "snapshots")["snapshots"]
                    equal([(row["name"], row["items"]) for row in rows], [("one", 1), ("two", 2)])
                    equal(kept_files(folder), files)
                    equal(names(server), ["default", "own"])
            with report.case("a full disk: a snapshot is dropped, which makes room"):
                with full_disk(server):
                    world.verb("DELETE", "snapshots/two")
                equal(sorted(kept_files(folder)), sorted(files)[:-1])
        finally:
            server.kill()
        with Server(*options) as server, report.case("a full disk: what was kept survives a kill"):
            world = World(server, "own")
            equal(world.keys(), ["1", "2", "3"])
            world.verb("POST", "snapshots/one/restore")
            equal(world.keys(), ["1"])


def kept_files(folder):
    """The snapshots' files and their bytes; and nothing that was half written is beside them."""
    data = pathlib.Path(folder, "data")
    equal([path.name for path in data.iterdir() if ".new" in path.name], [])
    return {path.name: path.read_bytes() for path in data.glob("snapshot.*")}


def killed_restores(report):
    """A world's file is as before the restore of a snapshot or as after it, likewise."""
    with temporary_folder() as folder, report.case("killed while a snapshot is restored"):
        options = ("--data-dir", f"{folder}/data")
        chance, seen, took = random.Random(2), collections.Counter(), []
        with Server(*options) as server:
            world = World(server, "own")
            world.call("CreateTable", TABLE)
            world.put(*[f"kept-{i}" for i in range(40)])
            world.verb("POST", "snapshots/forty")
        for number in rounds_of_kills(seen):
            server = Server(*options)
            world = World(server, "own")
            world.put(f"later-{number}")
            before = len(world.keys())
            start = time.monotonic()
            restoring = threading.Thread(target=restore_to_death, args=(server,))
            restoring.start()
            restoring.join(chance.uniform(0, 1.5 * took[0]) if took else None)
            took.append(time.monotonic() - start)
            server.kill()
            restoring.join()
            with Server(*options) as again:
                there = len(World(again, "own").keys())
                assert there in (40, before), (there, before)
                seen[there == 40] += 1


def restore_to_death(server):
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        ask(server, "POST", "snapshots/forty/restore", x_mockddb_world="own")


def reset_to_death(server):
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        ask(server, "POST", "reset")


def fixture_tables(name):
    return list((ROOT / "fixtures" / name / "tables").glob("*.json"))


def templates(report):
    with Server("--fixtures", "ecommerce", "--world-template", "empty") as server:
        with report.case("--world-template empty: the first world alone has the fixtures"):
            equal((len(World(server).tables()), World(server, "a").tables()), (3, []))
            World(server).verb("POST", "reset")
            equal(len(World(server).tables()), 3)
    with Server("--world-template", "seeded") as server:
        with report.case("--world-template NAME: no world before there is such a snapshot"):
            equal(World(server, "a").post("ListTables", {})[0], 400)
            equal(ask(server, "POST", "worlds/a")[0], 404)
            assert "there is no snapshot seeded of the first world yet" in server.read_stderr()
        with report.case("--world-template NAME: worlds begin with that snapshot"):
            World(server).call("CreateTable", TABLE)
            World(server).put("1")
            World(server).verb("POST", "snapshots/seeded")
            World(server).put("2")
            equal(World(server, "a").keys(), ["1"])
            World(server, "a").put("3")
            World(server, "a").verb("POST", "reset")
            equal(World(server, "a").keys(), ["1"])


def jobs_left(world):
    table = world.call("DescribeTable", {"TableName": "EcomIndexerJobsTable"})["Table"]
    return table["ItemCount"]


def moments(report):
    with Server("--fixtures", "ecommerce") as server:
        with report.case("a fixture that names a moment does not expire, and the log says so"):
            world = World(server)
            everything = jobs_left(world)
            must(server, "POST", "clock", {"freeze": "2027-06-01T00:00:00Z"})
            must(server, "POST", "clock", {"advance": "1d"})
            equal(jobs_left(world), everything)
            assert "--clock fixture" in server.read_stderr(), server.read_stderr()
    with Server("--fixtures", "ecommerce", "--clock", "fixture,frozen") as server:
        for name in (None, "a"):
            world = World(server, name)
            with report.case(f"--clock fixture: world {name or 'default'} begins at its moment"):
                world.tables()
                now = world.verb("GET", "clock")
                equal((now["now"], now["frozen"]), ("2026-09-30T23:40:00.000Z", True))
                equal(jobs_left(world), everything)
            with report.case(f"--clock fixture: world {name or 'default'} expires from then on"):
                world.verb("POST", "clock", {"advance": "31d"})
                equal(jobs_left(world), 0)
                world.verb("POST", "reset")
                equal(jobs_left(world), everything)
                equal(world.verb("GET", "clock")["now"], "2026-09-30T23:40:00.000Z")
    with Server("--clock", "2026-01-01T00:00:00Z") as server:
        with report.case("--clock MOMENT: clocks run from there"):
            now = World(server).verb("GET", "clock")
            equal((now["now"][:16], now["rate"]), ("2026-01-01T00:00", 1))
    for given in (["--clock", "fixture"], ["--clock", "soon"], ["--clock", "2026-01-01,thawed"]):
        with report.case(f"{' '.join(given)} is refused"):
            try:
                Server(*given)
            except RuntimeError as problem:
                assert "--clock" in str(problem), problem
            else:
                raise AssertionError("the server started")


def by_access_key(report):
    def tables(server, key, **headers):
        scope = f"Credential={key}/20240101/us-east-1/dynamodb/aws4_request"
        sent = f"AWS4-HMAC-SHA256 {scope}, SignedHeaders=host, Signature=0"
        status, _, answer = server.post("ListTables", {}, {"Authorization": sent, **headers})
        equal(status, 200)
        return json.loads(answer)["TableNames"]

    with Server("--worlds", "by-access-key") as server:
        with report.case("by access key: each key has a world of its own"):
            tables(server, "worker1")
            World(server, "worker1").call("CreateTable", TABLE)
            equal((tables(server, "worker1"), tables(server, "worker2")), (["Baskets"], []))
        with report.case("by access key: the header goes first"):
            equal(tables(server, "worker2", **{"x-mockddb-world": "worker1"}), ["Baskets"])
        with report.case("by access key: what is no name is hashed into one"):
            tables(server, "a+b")
            tables(server, "a+c")
            hashed = [name for name in names(server) if name.startswith("key-")]
            equal((len(hashed), [len(name) for name in hashed]), (2, [44, 44]))
        with report.case("by access key: a request that is not signed makes no world"):
            before = names(server)
            equal(server.post("ListTables", {}, {"Authorization": ""})[0], 400)
            equal(names(server), before)


def limits(report):
    with Server("--max-worlds", "3") as server:
        with report.case("more worlds than --max-worlds are refused"):
            World(server, "a").tables()
            World(server, "b").tables()
            status, answer = World(server, "c").post("ListTables", {})
            equal((status, answer["__type"].split("#")[1]), (400, "LimitExceededException"))
            equal(ask(server, "POST", "worlds/c")[0], 409)
        with report.case("one that was dropped makes room"):
            must(server, "DELETE", "worlds/a")
            equal(World(server, "c").tables(), [])
        with report.case("a world has up to 100 snapshots"):
            for i in range(100):
                must(server, "POST", f"snapshots/s{i}")
            must(server, "POST", "snapshots/s7")
            equal(ask(server, "POST", "snapshots/another")[0], 409)
    with Server("--worlds-memory", "1", "--fixtures", "ecommerce") as server:
        with report.case("past --worlds-memory there are no new worlds and snapshots"):
            equal(World(server, "a").post("ListTables", {})[0], 400)
            equal(ask(server, "POST", "snapshots/s")[0], 409)
            equal(ask(server, "POST", "worlds/a")[0], 409)
            equal(len(World(server).tables()), 3)
    with Server("--read-only", "--fixtures", "ecommerce") as server:
        with report.case("read-only: worlds can be read, and are not made, dropped or reset"):
            equal(len(World(server, "a").tables()), 3)
            equal(ask(server, "GET", "worlds")[0], 200)
            for method, path in (
                ("POST", "worlds/b"),
                ("DELETE", "worlds/a"),
                ("POST", "reset"),
                ("POST", "snapshots/s"),
            ):
                equal(ask(server, method, path)[0], 403)
    with Server("--world-idle-s", "1") as server:
        with report.case("a world that nobody uses is dropped"):
            World(server, "a").tables()
            equal(names(server), ["a", "default"])
            wait_until(lambda: names(server) == ["default"])


def use(server, name):
    world = World(server, name)
    world.call("CreateTable", TABLE)
    world.put(name, "x")
    equal(world.keys(), sorted([name, "x"]))
    must(server, "DELETE", f"worlds/{name}")


def round_of_worlds(server):
    """200 worlds, by 16 workers at once."""
    left = [f"w{i}" for i in range(200)]
    failures = []

    def work():
        while left:
            with contextlib.suppress(IndexError):
                try:
                    use(server, left.pop())
                except Exception as failure:  # pylint: disable=broad-except # reported by the case
                    failures.append(failure)

    workers = [threading.Thread(target=work) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    equal(failures, [])
    equal(names(server), ["default"])


def many(report):
    os.environ["ASAN_OPTIONS"] = "quarantine_size_mb=1"  # what is freed is not kept
    with Server() as server:
        with report.case("200 worlds, used by 16 workers at once and dropped, twice"):
            round_of_worlds(server)
            before = memory(server)
            round_of_worlds(server)
            assert memory(server) <= before + SLACK_MB, (before, memory(server))


ELSEWHERE = (
    ("--region", "eu-west-1"),
    ("--account", "111111111111"),
    ("--region", "eu-west-1", "--account", "111111111111", "--regions", "by-request"),
)


def elsewhere(report):
    """A file's streams are those of the region and account that it is opened for."""
    off = {"TableName": "Baskets", "StreamSpecification": {"StreamEnabled": False}}
    on = {"TableName": "Baskets", "StreamSpecification": TABLE["StreamSpecification"]}
    with temporary_folder() as folder:
        with Server("--db", f"{folder}/first.db") as server:
            world = World(server)
            world.call("CreateTable", TABLE)
            world.put("1")
            world.call("UpdateTable", off)
            world.call("UpdateTable", on)
            world.put("2")
        for number, options in enumerate(ELSEWHERE):
            path = f"{folder}/{number}.db"
            shutil.copy(f"{folder}/first.db", path)
            region = options[1] if options[0] == "--region" else "us-east-1"
            signed = HEADERS["Authorization"].replace("us-east-1", region)
            with Server("--db", path, *options) as server, report.case(f"streams, {options}"):

                def call(operation, body):
                    status, _, answer = server.post(operation, body, {"Authorization": signed})
                    equal(status, 200)
                    return json.loads(answer)

                latest = call("DescribeTable", {"TableName": "Baskets"})["Table"]["LatestStreamArn"]
                listed = [s["StreamArn"] for s in call("ListStreams", {})["Streams"]]
                equal((len(listed), listed[1]), (2, latest))
                after = call("ListStreams", {"ExclusiveStartStreamArn": listed[0]})["Streams"]
                equal([s["StreamArn"] for s in after], [latest])
                call("UpdateTable", off)
                for arn in listed:
                    stream = call("DescribeStream", {"StreamArn": arn})["StreamDescription"]
                    equal((stream["StreamArn"], stream["StreamStatus"]), (arn, "DISABLED"))


if __name__ == "__main__":
    report = Report()
    isolation(report)
    state(report)
    with temporary_folder() as folder:
        state(report, "--db", f"{folder}/first.db")
        state(report, "--data-dir", f"{folder}/data")
    killed_resets(report)
    file_that_stays(report)
    snapshots_on_a_full_disk(report)
    killed_restores(report)
    in_folder(report)
    snapshot_files(report)
    crafted(report)
    elsewhere(report)
    templates(report)
    moments(report)
    by_access_key(report)
    limits(report)
    many(report)
    report.done()
