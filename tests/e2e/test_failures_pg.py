"""What fails around a store in PostgreSQL, a row each: nothing acknowledged is lost, nothing is half there, no call
hangs past its time. $MOCKDDB_PROCESSES: how many servers one schema has.

What `mockddb store` and the start refuse (password, rights, a foreign or newer schema) is in test_store_pg.py, kills of
servers and databases at any moment in test_histories.py and in the tests of `postgresql/`.
"""

import contextlib
import itertools
import json
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time

import hosts
import pg_proxy
import postgres
from e2e import PATIENCE, Report, Server, equal, temporary_folder, wait_until
from fleet import CLOCKS, PROCESSES, Fleet, clock_ahead
from invariants import check_invariants

TABLE = {
    "TableName": "Counters",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "g")],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by-g",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}
DISK_MB, MORE_DISK_MB = 16, 64
PLACES = itertools.count()  # in the index


def add(server, key):
    """Counts the item with that key up, and moves it in its index. (HTTP status, the count or the answer)"""
    request = {
        "TableName": "Counters",
        "Key": {"pk": {"S": key}},
        "UpdateExpression": "ADD n :one SET g = :g",
        "ExpressionAttributeValues": {":one": {"N": "1"}, ":g": {"S": str(next(PLACES) % 5)}},
        "ReturnValues": "ALL_NEW",
    }
    status, _, answer = server.post("UpdateItem", request)
    answer = json.loads(answer)
    return status, int(answer["Attributes"]["n"]["N"]) if status == 200 else answer


def change_if(server, key, old, new):
    """(HTTP status, the answer) of a change of v from one value to another."""
    request = {
        "TableName": "Counters",
        "Key": {"pk": {"S": key}},
        "UpdateExpression": "SET v = :new",
        "ConditionExpression": "v = :old",
        "ExpressionAttributeValues": {":old": {"S": old}, ":new": {"S": new}},
    }
    status, _, answer = server.post("UpdateItem", request)
    return status, json.loads(answer)


def put(server, key, **more):
    return server.post("PutItem", {"TableName": "Counters", "Item": {"pk": {"S": key}, **more}})[0]


def get(server, key):
    return server.call("GetItem", {"TableName": "Counters", "Key": {"pk": {"S": key}}, "ConsistentRead": True}).get("Item")


def records(server):
    """Of the table's stream, by shard."""
    (stream,) = server.call("ListStreams", {"TableName": "Counters"})["Streams"]
    arn = {"StreamArn": stream["StreamArn"]}
    found = []
    for shard in server.call("DescribeStream", arn)["StreamDescription"]["Shards"]:
        start = {**arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
        iterator, part = server.call("GetShardIterator", start)["ShardIterator"], []
        while page := server.call("GetRecords", {"ShardIterator": iterator}):
            if not page["Records"]:
                break
            part += page["Records"]
            iterator = page["NextShardIterator"]
        found.append(part)
    return found


def check_counts(server, key, count):
    """Each change was done once: the item, its records and its entry in the index say so."""
    item = get(server, key)
    equal(item["n"]["N"], str(count))
    images = [one["dynamodb"]["NewImage"]["n"]["N"] for part in records(server) for one in part if one["dynamodb"]["Keys"]["pk"]["S"] == key]
    equal(images, [str(n + 1) for n in range(count)])
    entries = server.call("Scan", {"TableName": "Counters", "IndexName": "by-g"})["Items"]
    equal([one for one in entries if one["pk"]["S"] == key], [item])


# --- each message -----------------------------------------------------------------------------------


def test_messages(report, cluster, folder):
    """The connection ends before and after each message of a change, in both directions: where it is open already, and
    where it is opened for the change."""
    schema = "messages"
    postgres.make_schema(cluster, schema)
    with Fleet(cluster, schema, folder, 1) as fleet:
        server, proxy = fleet.servers[0], fleet.proxies[0]
        server.call("CreateTable", TABLE)
        for state, begin in (("an open connection", lambda: None), ("a new connection", proxy.close_all)):
            for direction in (pg_proxy.FORWARD, pg_proxy.BACK):
                key, done = f"{state} {direction}", 0

                def change(key=key, begin=begin):
                    begin()
                    return add(server, key)

                def messages(change=change, direction=direction):
                    before = proxy.messages[direction]
                    equal(change()[0], 200)
                    return proxy.messages[direction] - before

                counted = [messages() for _ in range(3)]  # the server renews its right to write now and then
                done += len(counted)
                with report.case(f"{state} ends before and after each of {max(counted)} messages {direction}: each change is done once"):
                    cuts = proxy.cuts
                    for number in range(1, max(counted) + 1):
                        for when in ("before", "after"):
                            add(server, f"warm {key}")
                            proxy.cut = pg_proxy.Cut(direction, number, when)
                            done += 1
                            equal((number, when, *change()), (number, when, 200, done))
                    assert proxy.cuts - cuts >= 2 * min(counted) - 2, "the connection was not cut"
                    proxy.cut = None
                    check_counts(server, key, done)
    check_invariants(cluster, schema)


# --- processes --------------------------------------------------------------------------------------


@contextlib.contextmanager
def two_servers(fleet, stop, wake):
    """Stops the first server and starts a second one: when one schema may have several, that one is there already."""
    if PROCESSES > 1:
        stop()
        yield fleet.servers[1]
        wake()
        return
    stop()
    with Server("--store", fleet.cluster.url(fleet.schema)) as other:
        yield other
        wake()


def test_stopped(report, cluster, folder):
    """A server is stopped for longer than a lease, and woken after another one has changed what it was to change."""
    schema = "stopped"
    postgres.make_schema(cluster, schema)
    with Fleet(cluster, schema, folder, min(PROCESSES, 2)) as fleet:
        first = fleet.servers[0]
        first.call("CreateTable", TABLE)
        equal(put(first, "a", v={"S": "old"}), 200)
        late = []
        with report.case("a server that was stopped for longer than a lease changes nothing that others have changed"):
            with two_servers(fleet, lambda: first.process.send_signal(signal.SIGSTOP), lambda: None) as other:
                caller = threading.Thread(target=lambda: late.append(change_if(first, "a", "old", "late")))
                caller.start()
                time.sleep(6)  # longer than a lease
                equal(change_if(other, "a", "old", "new"), (200, {}))
                first.process.send_signal(signal.SIGCONT)
                caller.join(PATIENCE)
                status, answer = late[0]
                equal(status in (400, 500) and (status == 500 or "ConditionalCheckFailed" in answer["__type"]), True)
                equal(get(other, "a")["v"], {"S": "new"})
                if PROCESSES == 1:
                    equal(put(first, "b"), 500)
                    equal(get(other, "b"), None)
                else:
                    wait_until(lambda: put(first, "b") == 200)
                    equal(get(other, "b"), {"pk": {"S": "b"}})
    check_invariants(cluster, schema)


def test_late_unit(report, cluster, folder):
    """A unit is on its way for longer than a lease."""
    schema = "late"
    postgres.make_schema(cluster, schema)
    with Fleet(cluster, schema, folder, min(PROCESSES, 2)) as fleet:
        first, answers = fleet.servers[0], []
        first.call("CreateTable", TABLE)
        equal(put(first, "a", v={"S": "old"}), 200)

        def meanwhile():
            fleet.proxies[0].is_closed = True
            with two_servers(fleet, lambda: None, lambda: None) as other:
                time.sleep(0.5)
                answers.append(change_if(other, "a", "old", "new"))
                fleet.proxies[0].is_closed = False

        with report.case("a unit that reaches the database after another server's changes nothing"):
            begin = time.monotonic()
            fleet.proxies[0].meanwhile = meanwhile
            status, _ = change_if(first, "a", "old", "late")
            wait_until(lambda: answers)
            equal((status in (400, 500), answers), (True, [(200, {})]))
            assert time.monotonic() - begin < 60, "the call hung"
        with report.case("and the item is what the other server made of it"):
            equal(cluster.sql("SELECT convert_from(body, 'UTF8')::jsonb->'v'->>'S' FROM entry WHERE space = 16", schema), ["new"])
    check_invariants(cluster, schema)


def test_settling(report, cluster, folder):
    """Many clients look at a table while it is made, gets an index, loses it and goes: each look may settle it."""
    schema = "settling"
    postgres.make_schema(cluster, schema)
    with Fleet(cluster, schema, folder, options=("--transition-ms", "30"), clocks=(0,)) as fleet:
        running, failures = [True], []

        def look(server):
            while running:
                status, _, answer = server.post("DescribeTable", {"TableName": "Counters"})
                if status != 200 and b"ResourceNotFound" not in answer:
                    failures.append(answer)
                time.sleep(0.005)

        def is_settled(server):
            table = server.call("DescribeTable", {"TableName": "Counters"})["Table"]
            states = {one["IndexStatus"] for one in table.get("GlobalSecondaryIndexes", [])} | {table["TableStatus"]}
            return states == {"ACTIVE"}

        def update(index, change):
            server = random.choice(fleet.servers)
            server.call("UpdateTable", {**{n: TABLE[n] for n in ("TableName", "AttributeDefinitions")}, "GlobalSecondaryIndexUpdates": [{change: index}]})
            wait_until(lambda: all(map(is_settled, fleet.servers)))

        lookers = [threading.Thread(target=look, args=(server,)) for server in fleet.servers * 2]
        for one in lookers:
            one.start()
        with report.case("a table that many clients settle at once is made, changed and deleted once"):
            (index,) = TABLE["GlobalSecondaryIndexes"]
            for _ in range(2):
                random.choice(fleet.servers).call("CreateTable", {name: value for name, value in TABLE.items() if name != "GlobalSecondaryIndexes"} | {"AttributeDefinitions": TABLE["AttributeDefinitions"][:1]})
                wait_until(lambda: all(map(is_settled, fleet.servers)))
                equal({put(fleet.servers[0], str(n), g={"S": "g"}) for n in range(20)}, {200})
                update(index, "Create")
                equal({one.call("Scan", {"TableName": "Counters", "IndexName": "by-g"})["Count"] for one in fleet.servers}, {20})
                update({"IndexName": "by-g"}, "Delete")
                random.choice(fleet.servers).call("DeleteTable", {"TableName": "Counters"})
                wait_until(lambda: all(one.post("DescribeTable", {"TableName": "Counters"})[0] == 400 for one in fleet.servers))
        running.clear()
        for one in lookers:
            one.join(PATIENCE)
        with report.case("and no look has failed"):
            equal(failures, [])
            check_invariants(cluster, schema, is_served=True)


def test_clocks(report, cluster, folder):
    """Servers whose clocks are apart, one after another or beside each other."""
    schema = "clocks"
    postgres.make_schema(cluster, schema)
    done = 0
    with report.case(f"clocks that are {', '.join(map(str, CLOCKS))} s ahead: changes follow each other"):
        with contextlib.ExitStack() as stack:
            servers = []
            for turn in range(8):
                if PROCESSES == 1:
                    stack.close()
                if PROCESSES == 1 or len(servers) < len(CLOCKS):
                    with clock_ahead(CLOCKS[turn % len(CLOCKS)]):
                        servers.append(stack.enter_context(Server("--store", cluster.url(schema))))
                server = servers[-1] if PROCESSES == 1 else servers[turn % len(servers)]
                if not turn:
                    server.call("CreateTable", TABLE)
                for _ in range(5):
                    done += 1
                    equal(add(server, "a"), (200, done))
            check_counts(server, "a", done)
            for part in records(server):
                numbers = [int(one["dynamodb"]["SequenceNumber"]) for one in part]
                equal(numbers, sorted(numbers))
    check_invariants(cluster, schema)


# --- the machine ------------------------------------------------------------------------------------


@contextlib.contextmanager
def small_disk(cluster):
    """A folder with little room, for a tablespace; None where none can be mounted."""
    folder = cluster.folder / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "none", folder], capture_output=True, check=False)
    try:
        if not mounted.returncode and cluster.user:
            subprocess.run(["chown", cluster.user, folder], check=True)
        yield None if mounted.returncode else folder
    finally:
        if not mounted.returncode:
            subprocess.run(["umount", "-l", folder], check=False)


def test_full_disk(report, cluster, _):
    schema = "full"
    url = postgres.make_schema(cluster, schema)
    with small_disk(cluster) as disk:
        if not disk:
            report.skip("a full disk in the database", "no file system can be mounted here")
            return
        cluster.sql(f"CREATE TABLESPACE small LOCATION '{disk}'")
        cluster.sql("ALTER TABLE entry SET TABLESPACE small; ALTER INDEX entry_pkey SET TABLESPACE small", schema)
        with Server("--store", url) as server:
            server.call("CreateTable", TABLE)
            kept = []
            with report.case("a full disk in the database: InternalServerError, and its SQLSTATE in the log"):
                for number in range(1000):
                    status = put(server, str(number), g={"S": "g"}, text={"S": random.randbytes(30_000).hex()})
                    if status != 200:
                        break
                    kept.append(str(number))
                equal(status, 500)
                assert "SQLSTATE 53100" in server.read_stderr(), server.read_stderr()
            with report.case("what was acknowledged is there, and nothing of what was refused"):
                equal(len(kept) > 20, True)
                equal([key for key in kept if not get(server, key)], [])
                equal(get(server, str(len(kept))), None)
            with report.case("with more room the server goes on"):
                subprocess.run(["mount", "-o", f"remount,size={MORE_DISK_MB}m", disk], check=True)
                equal(put(server, "more", text={"S": random.randbytes(30_000).hex()}), 200)
                check_invariants(cluster, schema)
        cluster.sql("ALTER TABLE entry SET TABLESPACE pg_default; ALTER INDEX entry_pkey SET TABLESPACE pg_default", schema)
        cluster.sql("DROP TABLESPACE small")


def test_hosts(report, cluster, _):
    """The database and two servers on hosts of their own; the link of one is cut."""
    lack = hosts.lack()
    if lack:
        report.skip("several hosts", lack)
        return
    schema = "hosts"
    postgres.make_schema(cluster, schema)
    with hosts.Network(3) as network:
        database, one, other = network.hosts
        cluster.stop()
        try:
            with database.within():
                cluster.start(address=database.address)
            url = f"postgresql://postgres@{database.address}/postgres?schema={schema}"
            cut_link(report, cluster, url, one, other, schema)
        finally:
            with contextlib.suppress(RuntimeError):
                cluster.stop("immediate")
            cluster.start()
    check_invariants(cluster, schema)


def cut_link(report, cluster, url, one, other, schema):
    with one.within():
        first = Server("--store", url)
        first.call("CreateTable", TABLE)
        equal(add(first, "a"), (200, 1))
    with report.case("the link to the database is cut: each call ends in its time, with InternalServerError"):
        one.cut()
        with one.within():
            for _ in range(3):
                begin = time.monotonic()
                equal(add(first, "a")[0], 500)
                assert time.monotonic() - begin < 30, "the call hung"
    with report.case("a server on another host takes over, and has all that was acknowledged"), other.within():
        with Server("--store", url) as second:
            equal(get(second, "a")["n"] in ({"N": "1"}, {"N": "2"}), True)
            count = int(get(second, "a")["n"]["N"])
            equal(add(second, "a"), (200, count + 1))
            one.cut(False)
            with one.within():
                if PROCESSES == 1:
                    time.sleep(1)
                    equal(add(first, "a")[0], 500)
                else:
                    wait_until(lambda: first.post("ListTables", {})[0] == 200)
                    equal(add(first, "a"), (200, count + 2))
            with other.within():
                check_counts(second, "a", count + 1 + (PROCESSES > 1))
    with one.within():
        first.stop()


def test_failover(report, *_):
    """The database ends for good, and its replica takes its place: the URL has both."""
    schema = "failover"
    with postgres.Cluster() as primary, postgres.Cluster(primary=primary) as replica:
        postgres.make_schema(primary, schema)
        url = primary.url(schema, folder=f"{primary.folder},{replica.folder}")
        with Server("--store", url) as server:
            server.call("CreateTable", TABLE)
            done, unknown, running = [], [], [True]

            def count():
                while running:
                    status, answer = add(server, "a")
                    (done if status == 200 else unknown).append(answer)

            counter = threading.Thread(target=count)
            counter.start()
            with report.case("the database ends for good and its replica is promoted: what was acknowledged is there, and the server goes on"):
                wait_until(lambda: len(done) > 30)
                primary.kill()
                replica.promote()
                before = len(done)
                wait_until(lambda: len(done) > before + 10)
                running.clear()
                counter.join(PATIENCE)
                total = int(get(server, "a")["n"]["N"])
                assert len(done) <= total <= len(done) + len(unknown), (len(done), total, len(unknown))
                equal(done, sorted(set(done)))
                check_counts(server, "a", total)
        check_invariants(replica, schema)


ROWS = (test_messages, test_stopped, test_late_unit, test_settling, test_clocks, test_full_disk, test_hosts, test_failover)


def main():
    report = Report()
    if not postgres.binaries():
        report.lack("failures around PostgreSQL", "there is no PostgreSQL server (scripts/setup installs it)")
        report.done()
    names = sys.argv[1:]
    with postgres.Cluster() as cluster, temporary_folder() as folder:
        for row in ROWS:
            if not names or row.__name__ in names:
                begin = time.monotonic()
                with report.case(f"{row.__name__} gets through, and the invariants hold"):
                    row(report, cluster, pathlib.Path(folder))
                print(f"# {row.__name__}: {time.monotonic() - begin:.1f} s")
    report.done()


if __name__ == "__main__":
    main()
