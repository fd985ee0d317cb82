"""A store in PostgreSQL: its commands, what is refused, that nothing acknowledged is lost when the database, the
connection or the server ends at any moment, and that keys have the order of a store in memory."""

import base64
import json
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.request

import pg_proxy
import postgres
from e2e import BINARY, PATIENCE, ROOT, Report, Server, equal, run_program, temporary_folder, wait_until
from invariants import INVARIANTS, check_invariants

TABLE = {
    "TableName": "Ordered",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "B"} for name in ("pk", "sk", "g", "h")],
    "BillingMode": "PAY_PER_REQUEST",
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "Gsi",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}, {"AttributeName": "h", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}
COUNTERS = {
    "TableName": "Counters",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "g")],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "Gsi",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}


def store(*words, **environment):
    return run_program([BINARY, "store", *words], **environment)


def refusal(ended):
    """The one line of a program that was not started."""
    equal((ended.returncode in (1, 2), ended.stdout, ended.stderr.count("\n")), (True, "", 1))
    return ended.stderr.strip().removeprefix("mockddb: ")


def serve(*words, **environment):
    return run_program([BINARY, "--port", "0", *words], **environment)


# --- commands ---------------------------------------------------------------------------------------


def test_commands(report, cluster):
    url = cluster.url("commands")
    with report.case("init makes the schema, says what it made, and changes nothing the second time"):
        ended = store("init", url)
        tables = "catalog, entry, lease, meta, process, shard, space, tally"
        equal((ended.returncode, ended.stderr), (0, ""))
        equal(ended.stdout, f"made schema commands, format 2, with the tables {tables}\n")
        ended = store("init", url)
        equal((ended.returncode, ended.stdout), (0, "schema commands of format 2 is there already; nothing was changed\n"))
    with report.case("the commands of docs/scale-out.md"):
        page = (ROOT / "docs/scale-out.md").read_text(encoding="utf-8").replace("postgresql://db1/app?schema=team_a", cluster.url("team_a"))
        typed = [shlex.split(line) for line in page.split("```")[1].strip().splitlines()]
        equal([words[:3] for words in typed][1:2], [["mockddb", "--store", cluster.url("team_a")]])
        for words in typed[:1] + typed[2:]:
            equal(store(*words[2:4]).returncode, 0)
        with Server(*typed[1][1:3]) as server:
            equal(server.call("ListTables", {}), {"TableNames": []})
    with report.case("status, and views that SQL can read, of tables with long names too"):
        long = "N" * 100
        with Server("--store", url) as server:
            server.call("CreateTable", COUNTERS)
            server.call("CreateTable", {**COUNTERS, "TableName": long})
            server.call("PutItem", {"TableName": "Counters", "Item": {"pk": {"S": "é"}, "n": {"N": "1"}}})
            assert f"process {server.process.pid}, does the jobs, until 2" in store("status", url).stdout
        said = store("status", url).stdout
        assert "schema: commands, format 2\ntables: 2\n" in said and said.endswith("process: none\n"), said
        ended = store("views", url)
        equal((ended.returncode, ended.stderr), (0, ""))
        views = [line.removeprefix("view ") for line in ended.stdout.splitlines()]
        equal((views[0], len(views[1])), ("table_Counters", 63))
        equal(cluster.sql("SELECT item->'pk'->>'S', item->'n'->>'N' FROM \"table_Counters\"", "commands"), ["é|1"])
        equal(cluster.sql(f'SELECT count(*) FROM "{views[1]}"', "commands"), ["0"])
    for name, change, says in (
        ("newer", "UPDATE meta SET value = 3 WHERE name = 'format'", "is of format 3, and this mockddb knows formats up to 2"),
        ("older", "UPDATE meta SET value = 1 WHERE name = 'format'", "mockddb store upgrade URL ends the server that uses it"),
        ("torn", "DELETE FROM meta", "was not made whole"),
        ("foreign", "DROP TABLE catalog; CREATE TABLE other (a int)", "is not mockddb's, it has entry, lease, meta, other"),
    ):
        with report.case(f"a schema that is {name}: one sentence, and nothing is changed"):
            schema = f"a_{name}"
            postgres.make_schema(cluster, schema)
            cluster.sql(change, schema)
            before = cluster.sql("SELECT * FROM meta ORDER BY name", schema)
            for ended in (store("init", cluster.url(schema)), store("status", cluster.url(schema)), serve("--store", cluster.url(schema))):
                assert says in refusal(ended) and schema in ended.stderr, ended.stderr
                equal(ended.returncode, 1)
            equal(cluster.sql("SELECT * FROM meta ORDER BY name", schema), before)
    with report.case("a schema of format 1 is changed by store upgrade, and by nothing else; its items stay"):
        postgres.make_schema(cluster, "first")
        item = {"pk": {"S": "a"}, "g": {"S": "b"}}
        with Server("--store", cluster.url("first")) as server:
            server.call("CreateTable", COUNTERS)
            server.call("PutItem", {"TableName": "Counters", "Item": item})
        cluster.sql(
            "ALTER TABLE space DROP since; ALTER TABLE process DROP seen; DROP TABLE shard, lease; UPDATE meta SET value = 1 WHERE name = 'format';"
            "UPDATE meta SET name = 'number' WHERE name = 'control';"
            "DELETE FROM entry WHERE space = 18; DELETE FROM tally WHERE space = 18",  # the stream, whose numbers began at 1
            "first",
        )
        equal(serve("--store", cluster.url("first")).returncode, 1)
        assert "store upgrade URL" in refusal(store("init", cluster.url("first")))
        equal(store("upgrade", cluster.url("first")).stdout, "schema first was of format 1, and is of format 2 now\n")
        equal(store("upgrade", cluster.url("first")).stdout, "schema first is of format 2 already; nothing was changed\n")
        with Server("--store", cluster.url("first")) as server:
            equal(server.call("GetItem", {"TableName": "Counters", "Key": {"pk": {"S": "a"}}}), {"Item": item})
            server.call("PutItem", {"TableName": "Counters", "Item": {**item, "pk": {"S": "c"}}})
            server.call("CreateTable", {**COUNTERS, "TableName": "Next"})
            equal(server.call("ListTables", {})["TableNames"], ["Counters", "Next"])
        check_invariants(cluster, "first")
    with report.case("a schema that is not there"):
        assert "mockddb store init URL makes it" in refusal(serve("--store", cluster.url("absent")))
    for words in ((), ("init",), ("init", "a", "b"), ("break", url)):
        with report.case(f"store {' '.join(words)}: a usage error"):
            equal(store(*words).returncode, 2)


def test_rights(report, cluster):
    postgres.make_schema(cluster, "rights")
    cluster.sql("CREATE ROLE guarded LOGIN PASSWORD 'secret'; CREATE ROLE weak LOGIN")
    cluster.sql("GRANT USAGE ON SCHEMA rights TO guarded, weak; GRANT SELECT ON ALL TABLES IN SCHEMA rights TO weak")
    cluster.sql("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA rights TO guarded")
    url = cluster.url("rights", "guarded")
    with report.case("no password, a wrong one: one sentence that says where it is taken from"):
        for environment in ({}, {"PGPASSWORD": "wrong-one"}):
            said = refusal(serve("--store", url, **environment))
            assert "PGPASSWORD" in said and "PGPASSFILE" in said and "wrong-one" not in said, said
    with report.case("a password in the URL is refused, and shown nowhere"):
        for bad in ("postgresql://u:hidden@h/d", "postgresql://u:hid/den@h/d", "postgresql://h/d?password=hidden"):
            said = refusal(serve("--store", bad))
            assert "hid" not in said and "PGPASSFILE" in said, said
    with report.case("a role that may not write, or not create: which right it lacks"):
        assert "INSERT, UPDATE" in refusal(serve("--store", cluster.url("rights", "weak")))
        assert "CREATE" in refusal(store("init", cluster.url("other", "weak")))
    with report.case("a role without CREATE serves; its password comes from the environment or a file"):
        with temporary_folder() as folder:
            file = pathlib.Path(folder) / "passwords"
            file.write_text(f"{cluster.folder}:*:*:guarded:secret\n")
            file.chmod(0o600)
            for name, value in (("PGPASSWORD", "secret"), ("PGPASSFILE", str(file))):
                os.environ[name] = value
                try:
                    with Server("--store", url) as server:
                        line = pathlib.Path(f"/proc/{server.process.pid}/cmdline").read_bytes()
                        equal((server.call("ListTables", {}), b"secret" in line), ({"TableNames": []}, False))
                        equal("secret" in server.read_stderr(), False)
                finally:
                    del os.environ[name]


def test_library(report, cluster):
    with temporary_folder() as folder:
        file = pathlib.Path(folder) / "libpq.so.5"
        file.write_text("not a library")
        with report.case("no libpq: the package that has it"):
            assert "libpq5" in refusal(serve("--store", cluster.url("any"), LD_LIBRARY_PATH=folder))
        if shutil.which("cc"):
            with report.case("a libpq that is too old"):
                file.unlink()
                subprocess.run(["cc", "-shared", "-o", file, "-x", "c", os.devnull], check=True, timeout=PATIENCE)
                assert "PostgreSQL 14 or later" in refusal(serve("--store", cluster.url("any"), LD_LIBRARY_PATH=folder))
        with report.case("without --store no libpq is loaded"):
            for words in ((), ("--db", f"{folder}/a.db")):
                with Server(*words) as server:
                    equal("libpq" in pathlib.Path(f"/proc/{server.process.pid}/maps").read_text(), False)


# --- what is refused --------------------------------------------------------------------------------


def verb(server, method, path, body=None, world=None):
    headers = {"x-mockddb-world": world} if world else {}
    request = urllib.request.Request(f"{server.url}/_mockddb/{path}", body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_refused(report, cluster):
    url = postgres.make_schema(cluster, "refused")
    for words in (
        ("--db", "x.db"),
        ("-dbPath", "/tmp"),
        ("-inMemory",),
        ("--data-dir", "x"),
        ("--clock", "2026-01-01T00:00:00Z"),
        ("--worlds", "by-access-key"),
        ("--world-template", "empty"),
        ("--world-idle-s", "5"),
        ("--max-worlds", "5"),
        ("--worlds-memory", "5"),
        ("--item-collection-limit", "1MB"),
    ):
        with report.case(f"{words[0]} does not go with --store"):
            ended = serve("--store", url, *words)
            equal(ended.returncode, 2)
            assert words[0] in refusal(ended), ended.stderr
    with Server("--store", url) as server:
        for method, path in (
            ("POST", "reset"),
            ("POST", "snapshots/a"),
            ("POST", "snapshots/a/restore"),
            ("GET", "snapshots/a/file"),
            ("POST", "worlds/a"),
            ("POST", "clock"),
        ):
            with report.case(f"{method} {path} is refused by name"):
                status, text = verb(server, method, path)
                assert status == 403 and "--store" in text and path.split("/")[0] in text, text
        with report.case("another world is refused, an index of vectors as well"):
            status, _, body = server.post("ListTables", {}, {"x-mockddb-world": "other"})
            assert status == 400 and b"--store" in body, body
            index = {
                "IndexName": "Vectors",
                "VectorAttribute": {"AttributeName": "v"},
                "Projection": {"ProjectionType": "ALL"},
                "Dimensions": 3,
                "DistanceFunction": "COSINE",
            }
            status, _, body = server.post("CreateTable", {**COUNTERS, "VectorIndexes": [index]})
            assert status == 400 and b"Vector indexes are not kept in a database (--store)" in body, body
        with report.case("journal, faults and throttling work as with other stores"):
            for method, path in (("GET", "journal"), ("GET", "faults"), ("GET", "throttle"), ("GET", "check")):
                equal(verb(server, method, path)[0], 200)


# --- failures ---------------------------------------------------------------------------------------


class Writer(threading.Thread):
    """Puts items of its own and counts one up, until it is told to stop. Knows what was acknowledged."""

    def __init__(self, server, name):
        super().__init__(daemon=True)
        self.server, self.name_of_it = server, name
        self.puts, self.adds, self.unknown = [], 0, 0
        self.running = True

    def send(self, operation, body):
        try:
            status, _, _ = self.server.post(operation, body)
        except (OSError, urllib.error.URLError):
            return False
        if status != 200:
            equal(status, 500)
        return status == 200

    def run(self):
        number = 0
        while self.running:
            number += 1
            key = {"S": f"{self.name_of_it} {number}"}
            if self.send("PutItem", {"TableName": "Counters", "Item": {"pk": key, "g": {"S": self.name_of_it}}}):
                self.puts.append(key["S"])
            add = {
                "TableName": "Counters",
                "Key": {"pk": {"S": self.name_of_it}},
                "UpdateExpression": "ADD n :one SET g = :g",
                "ExpressionAttributeValues": {":one": {"N": "1"}, ":g": {"S": str(number % 3)}},
            }
            if self.send("UpdateItem", add):
                self.adds += 1
            else:
                self.unknown += 1

    def finish(self):
        self.running = False
        self.join(PATIENCE)


def test_invariants(report, cluster):
    """Each of them sees what it is about."""
    url = postgres.make_schema(cluster, "broken")
    with Server("--store", url) as server:
        server.call("CreateTable", COUNTERS)
        for number in range(3):
            item = {"pk": {"S": f"a {number}"}, "g": {"S": "a"}}
            server.call("PutItem", {"TableName": "Counters", "Item": item})
    check_invariants(cluster, "broken")
    for (name, text), change in zip(
        INVARIANTS.items(),
        (
            "UPDATE entry SET body = '{}' WHERE space = 17 AND key = (SELECT key FROM entry WHERE space = 17 ORDER BY key LIMIT 1)",
            "DELETE FROM entry WHERE space = 16 AND key = (SELECT key FROM entry WHERE space = 16 ORDER BY key DESC LIMIT 1)",
            "UPDATE tally SET bytes = bytes + 1 WHERE space = 17",
            "UPDATE entry SET space = 99 WHERE space = 16 AND key = (SELECT key FROM entry WHERE space = 16 ORDER BY key LIMIT 1)",
            "UPDATE entry SET version = 7 WHERE space = 17",
            "UPDATE entry SET key = set_byte(key, 5, 77) WHERE space = 18 AND key = (SELECT key FROM entry WHERE space = 18 ORDER BY key LIMIT 1)",
            "DELETE FROM shard",
        ),
        strict=True,
    ):
        with report.case(f"the check can fail: {name}"):
            cluster.sql(change, "broken")
            assert cluster.sql(text, "broken") != ["0"], change


def check_writers(server, writers):
    for writer in writers:
        have = set()
        start = {}
        while start is not None:
            page = server.call("Scan", {"TableName": "Counters", **start})
            have |= {item["pk"]["S"] for item in page["Items"]}
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]} if "LastEvaluatedKey" in page else None
        lost = set(writer.puts) - have
        equal(lost, set())
        key = {"TableName": "Counters", "Key": {"pk": {"S": writer.name_of_it}}, "ConsistentRead": True}
        count = int(server.call("GetItem", key).get("Item", {}).get("n", {"N": "0"})["N"])
        assert writer.adds <= count <= writer.adds + writer.unknown, (writer.adds, count, writer.unknown)


def test_ends(report, cluster):
    """The database ends in each of its ways, again and again, under the same server."""
    url = postgres.make_schema(cluster, "ends")
    server = Server("--store", url)
    server.call("CreateTable", COUNTERS)
    writers = [Writer(server, f"writer {n}") for n in range(3)]
    for writer in writers:
        writer.start()
    for name, end in (
        ("kill -9", cluster.kill),
        ("pg_ctl stop -m immediate", lambda: cluster.stop("immediate")),
        ("pg_ctl stop -m fast", cluster.stop),
        ("pg_terminate_backend", None),
    ):
        with report.case(f"{name}: nothing acknowledged is lost, and nothing is half there"):
            before = sum(len(writer.puts) for writer in writers)
            wait_until(lambda: sum(len(writer.puts) for writer in writers) > before + 30)
            if end:
                end()
                cluster.start()
            else:
                cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mockddb'")
            after = sum(len(writer.puts) for writer in writers)
            wait_until(lambda: sum(len(writer.puts) for writer in writers) > after + 10)
    for writer in writers:
        writer.finish()
    with report.case("after all of them: items, counts and indexes agree, and a new server has the same"):
        check_writers(server, writers)
        server.stop()
        check_invariants(cluster, "ends")
        with Server("--store", url) as again:
            check_writers(again, writers)
            equal(json.loads(verb(again, "GET", "check")[1]).get("findings", []), [])


def test_down(report, cluster):
    url = postgres.make_schema(cluster, "down")
    with Server("--store", url) as server:
        server.call("CreateTable", COUNTERS)
        equal(verb(server, "GET", "health")[0], 200)
        cluster.stop()
        get = {"TableName": "Counters", "Key": {"pk": {"S": "a"}}}
        with report.case("a database that is down: InternalServerError, after 2 s once and then at once"):
            status, _, body = server.post("GetItem", get)
            equal((status, b"InternalServerError" in body), (500, True))
            begin = time.monotonic()
            for _ in range(10):
                equal(server.post("PutItem", {"TableName": "Counters", "Item": {"pk": {"S": "a"}}})[0], 500)
            assert time.monotonic() - begin < 60, "each call waits"
        with report.case("health says so"):
            equal(verb(server, "GET", "health")[0], 503)
        cluster.start()
        with report.case("when it is there again the server goes on by itself"):
            wait_until(lambda: server.post("GetItem", get)[0] == 200)
            equal((verb(server, "GET", "health")[0], server.call("GetItem", get)), (200, {}))
        with report.case("the log says both, without a line for each call"):
            text = server.read_stderr()
            equal((text.count("does not answer"), text.count("answers again")), (1, 1))


def test_cuts(report, cluster):
    """A connection that ends before or after a unit reached the database: it is done once, or not and refused."""
    postgres.make_schema(cluster, "cuts")
    with temporary_folder() as folder, pg_proxy.Proxy(cluster, folder) as cutter:
        with Server("--store", cluster.url("cuts", folder=folder)) as server:
            server.call("CreateTable", COUNTERS)
            for when in ("before", "after"):
                with report.case(f"the connection ends {when} the database has the whole unit: it is done exactly once"):
                    done = 0
                    cuts = cutter.cuts
                    for _ in range(20):
                        cutter.cut_unit = when
                        update = {
                            "TableName": "Counters",
                            "Key": {"pk": {"S": when}},
                            "UpdateExpression": "ADD n :one",
                            "ExpressionAttributeValues": {":one": {"N": "1"}},
                        }
                        server.call("UpdateItem", update)
                        done += 1
                    item = server.call("GetItem", {"TableName": "Counters", "Key": {"pk": {"S": when}}})["Item"]
                    equal((item["n"]["N"], cutter.cuts - cuts >= 20), (str(done), True))
            with report.case("a change by another program between a unit's read and its write is not written over"):
                item = json.dumps({"pk": {"S": "both"}, "n": {"N": "100"}}, separators=(",", ":"))
                change = f"UPDATE entry SET version = version + 1, body = '{item}' WHERE body LIKE '{{\"pk\":{{\"S\":\"both%'"
                server.call("PutItem", {"TableName": "Counters", "Item": {"pk": {"S": "both"}, "n": {"N": "1"}}})
                cutter.meanwhile = lambda: cluster.sql(change, "cuts")
                update = {
                    "TableName": "Counters",
                    "Key": {"pk": {"S": "both"}},
                    "UpdateExpression": "ADD n :one",
                    "ExpressionAttributeValues": {":one": {"N": "1"}},
                    "ReturnValues": "ALL_NEW",
                }
                equal(server.call("UpdateItem", update)["Attributes"]["n"], {"N": "101"})
                equal(cutter.meanwhile, None)
            with report.case("a table that is made while the connection ends is there once"):
                for when in ("before", "after"):
                    cutter.cut_unit = when
                    server.call("CreateTable", {**COUNTERS, "TableName": f"Made-{when}"})
                    status, _, body = server.post("CreateTable", {**COUNTERS, "TableName": f"Made-{when}"})
                    equal((status, b"ResourceInUse" in body), (400, True))
            for when, outcome in (("before", "made now"), ("after", "was made")):
                with report.case(f"the connection ends {when} a unit, and none is made for 2 s: refused, and then the table {outcome}"):
                    table = {**COUNTERS, "TableName": f"Unknown-{when}"}
                    cutter.cut_unit, cutter.is_closed = when, True
                    equal(server.post("CreateTable", table)[0], 500)
                    equal(server.post("ListTables", {})[0] in (200, 500), True)
                    cutter.is_closed = False
                    wait_until(lambda: verb(server, "GET", "health")[0] == 200)
                    status, _, body = server.post("CreateTable", table)
                    equal((status, b"ResourceInUse" in body), (200, False) if when == "before" else (400, True))
                    server.call("PutItem", {"TableName": table["TableName"], "Item": {"pk": {"S": "a"}, "g": {"S": "a"}}})
                    equal(server.call("Scan", {"TableName": table["TableName"], "IndexName": "Gsi"})["Count"], 1)
    check_invariants(cluster, "cuts")


def test_large(report, cluster):
    """What one request may bring at most, and chunks of items that are larger than their entries say."""
    url = postgres.make_schema(cluster, "large")
    with Server("--store", url) as server:
        index = {**COUNTERS["GlobalSecondaryIndexes"][0], "Projection": {"ProjectionType": "KEYS_ONLY"}}
        server.call("CreateTable", {**COUNTERS, "GlobalSecondaryIndexes": [index]})
        with report.case("a batch of 9 MB, a transaction of nearly 4 MB, and their items by a small index"):
            items = [{"pk": {"S": f"a{n}"}, "g": {"S": "a"}, "x": {"S": "x" * 370_000}} for n in range(25)]
            server.put_items("Counters", items)
            puts = [{"Put": {"TableName": "Counters", "Item": {**item, "pk": {"S": f"b{n}"}}}} for n, item in enumerate(items[:10])]
            server.call("TransactWriteItems", {"TransactItems": puts})
            keys = list(pages(server, "Scan", {"TableName": "Counters", "IndexName": "Gsi"}, 100))
            equal(len(keys), 35)
            equal(len(list(pages(server, "Scan", {"TableName": "Counters"}, 100))), 35)
            gets = [{"Get": {"TableName": "Counters", "Key": {"pk": {"S": f"b{n}"}}}} for n in range(10)]
            answer = server.call("TransactGetItems", {"TransactItems": gets})["Responses"]
            equal([len(one["Item"]["x"]["S"]) for one in answer], [370_000] * 10)
        with report.case("a table with 3000 items goes, and leaves nothing behind"):
            server.call("CreateTable", {**COUNTERS, "TableName": "Going"})
            server.put_items("Going", [{"pk": {"S": str(n)}, "g": {"S": "a"}} for n in range(3000)])
            server.call("DeleteTable", {"TableName": "Going"})
            wait_until(lambda: cluster.sql("SELECT count(*) FROM space WHERE doomed IS NOT NULL", "large") == ["0"])
            known = "SELECT count(*) FROM entry WHERE space >= 16 AND space NOT IN (SELECT number FROM space)"
            equal(cluster.sql(known, "large"), ["0"])
    with report.case("fixtures are the same after a restart"):
        url = postgres.make_schema(cluster, "filled")
        counts = []
        for _ in range(2):
            with Server("--store", url, "--fixtures", "ecommerce") as server:
                names = server.call("ListTables", {})["TableNames"]
                counts.append([(name, server.call("Scan", {"TableName": name, "Select": "COUNT"})["Count"]) for name in names])
        equal(counts[0], counts[1])
        assert sum(count for _, count in counts[0]) > 50, counts
    check_invariants(cluster, "filled")


def test_processes(report, cluster):
    url = postgres.make_schema(cluster, "held")
    late = {"TableName": "Counters", "Item": {"pk": {"S": "late"}}}
    with Server("--store", url) as server, Server("--store", url) as second:
        with report.case("a table that one server makes or deletes is there or gone at once in another"):
            for number in range(10):
                name = f"Turn{number}"
                server.call("CreateTable", {**COUNTERS, "TableName": name})
                equal(second.call("DescribeTable", {"TableName": name})["Table"]["TableStatus"], "ACTIVE")
                assert name in second.call("ListTables", {})["TableNames"]
                second.call("DeleteTable", {"TableName": name})
                equal(server.post("GetItem", {"TableName": name, "Key": {"pk": {"S": "a"}}})[0], 400)
        server.call("CreateTable", COUNTERS)
        with report.case("two servers that make one table: one of them does"):
            statuses = []
            makers = [
                threading.Thread(target=lambda one=one: statuses.append(one.post("CreateTable", {**COUNTERS, "TableName": "Once"})[0]))
                for one in (server, second)
            ]
            for maker in makers:
                maker.start()
            for maker in makers:
                maker.join()
            equal(sorted(statuses), [200, 400])
        with report.case("status names both servers, and which of them does the jobs"):
            lines = [line for line in store("status", url).stdout.splitlines() if line.startswith("process: ")]
            equal((len(lines), sum("does the jobs" in line for line in lines)), (2, 1))
        with report.case("an index that is added while two servers write has each item once"):
            writers = [Writer(one, f"indexed {number}") for number, one in enumerate((server, second))]
            for writer in writers:
                writer.start()
            wait_until(lambda: all(len(one.puts) > 50 for one in writers))
            index = {"IndexName": "Late", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
            second.call(
                "UpdateTable",
                {
                    "TableName": "Counters",
                    "AttributeDefinitions": COUNTERS["AttributeDefinitions"],
                    "GlobalSecondaryIndexUpdates": [{"Create": index}],
                },
            )
            wait_until(
                lambda: all(
                    ix["IndexStatus"] == "ACTIVE"
                    for ix in server.call("DescribeTable", {"TableName": "Counters"})["Table"]["GlobalSecondaryIndexes"]
                )
            )
            more = [len(one.puts) + 20 for one in writers]
            wait_until(lambda: all(len(one.puts) > most for one, most in zip(writers, more, strict=True)))
            for writer in writers:
                writer.finish()
            check_writers(second, writers)
        with report.case("a server whose row another one has ended keeps nothing by it, takes a new one, and says so"):
            cluster.sql("UPDATE process SET epoch = epoch + 1", "held")
            equal(server.post("PutItem", late)[0], 200)
            equal(second.call("GetItem", {"TableName": "Counters", "Key": {"pk": {"S": "late"}}}), {"Item": late["Item"]})
            assert "stopped for too long, and begins anew" in server.read_stderr(), server.read_stderr()
    check_invariants(cluster, "held")
    with report.case("jobs of a server elsewhere that does not renew its row are done by another one after 5 s"):
        with Server("--store", url) as server:
            row = "(SELECT (extract(epoch FROM now()) * 1000)::int8 + 5000)"
            wait_until(lambda: "does the jobs" in store("status", url).stdout)
            server.stop()
            cluster.sql(f"UPDATE process SET host = 'elsewhere, process 1', until = {row}, epoch = 77 WHERE slot = 0", "held")
            cluster.sql(f"UPDATE lease SET slot = 0, epoch = 77, until = {row}", "held")
        with Server("--store", url):
            begin = time.monotonic()
            wait_until(lambda: "does the jobs" in "".join(one for one in store("status", url).stdout.splitlines() if "elsewhere" not in one))
            assert time.monotonic() - begin > 3, time.monotonic() - begin
    with report.case("after kill -9 a server of the same machine starts at once, and has all that was acknowledged"):
        for _ in range(3):
            server = Server("--store", url)
            writer = Writer(server, f"killed {server.process.pid}")
            writer.start()
            wait_until(lambda one=writer: len(one.puts) > 20)
            server.kill()
            writer.finish()
            with Server("--store", url) as again:
                check_writers(again, [writer])
        check_invariants(cluster, "held")


def test_trips(report, cluster):
    postgres.make_schema(cluster, "trips")
    item = {"pk": {"S": "a"}, "g": {"S": "b"}}
    key = {"TableName": "Counters", "Key": {"pk": {"S": "a"}}}
    update = {**key, "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": "1"}}}
    keys = [{"pk": {"S": str(number)}} for number in range(100)]
    query = {
        "TableName": "Counters",
        "IndexName": "Gsi",
        "KeyConditionExpression": "g = :g",
        "ExpressionAttributeValues": {":g": {"S": "b"}},
    }
    with temporary_folder() as folder, pg_proxy.Proxy(cluster, folder) as counter:
        with Server("--store", cluster.url("trips", folder=folder)) as server:
            server.call("CreateTable", COUNTERS)
            for operation, body, trips in (
                ("PutItem", {"TableName": "Counters", "Item": item}, 2),
                ("UpdateItem", update, 2),
                ("GetItem", key, 1),
                ("Query", query, 1),
                ("Scan", {"TableName": "Counters", "Limit": 99}, 1),
                ("BatchGetItem", {"RequestItems": {"Counters": {"Keys": keys}}}, 1),
                ("TransactGetItems", {"TransactItems": [{"Get": {"TableName": "Counters", "Key": one}} for one in keys]}, 1),
                ("BatchWriteItem", {"RequestItems": {"Counters": [{"PutRequest": {"Item": one}} for one in keys[:25]]}}, 2),
                ("TransactWriteItems", {"TransactItems": [{"Update": {**update, "Key": one}} for one in keys]}, 2),
                ("DescribeTable", {"TableName": "Counters"}, 1),
                ("ListTables", {}, 1),
            ):
                with report.case(f"trips to the database: {operation} {trips}"):
                    counts = []
                    for number in range(7):  # jobs look for work each second
                        if "Item" in body:
                            body["Item"]["n"] = {"N": str(number)}
                        if operation == "TransactWriteItems":
                            body["ClientRequestToken"] = f"token {number}"
                        before = counter.trips
                        server.call(operation, body)
                        counts.append(counter.trips - before)
                    equal(min(counts), trips)


# --- keys -------------------------------------------------------------------------------------------


def random_key(rng, most):
    """Of any length, with zeros, and often like another one."""
    size = rng.choice((1, 2, rng.randint(1, 40), rng.randint(1, most), most))
    alphabet = rng.choice((b"\0", b"\0\xff", b"\0\1\2\xfe\xff", bytes(range(256))))
    return bytes(rng.choice(alphabet) for _ in range(size))


def pages(server, operation, request, limit):
    start = {}
    while start is not None:
        page = server.call(operation, {**request, "Limit": limit, **start})
        yield from page["Items"]
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]} if "LastEvaluatedKey" in page else None


def test_order(report, cluster):
    rng = random.Random(26)
    url = postgres.make_schema(cluster, "ordered")
    parts = [random_key(rng, 2048) for _ in range(12)] + [b"\0" * 2048, b"p" * 2048]
    items = {}
    for _ in range(700):
        key = (rng.choice(parts), random_key(rng, 1024))
        items[key] = {
            name: {"B": base64.b64encode(value).decode()}
            for name, value in zip(("pk", "sk", "g", "h"), (*key, rng.choice(parts), random_key(rng, 1024)))
        }
    query = {
        "TableName": "Ordered",
        "KeyConditionExpression": "pk = :p",
    }
    index = {"TableName": "Ordered", "IndexName": "Gsi", "KeyConditionExpression": "g = :p"}
    with Server() as memory, Server("--store", url) as database:
        for server in (memory, database):
            server.call("CreateTable", TABLE)
            server.put_items("Ordered", list(items.values()))
        both = (memory, database)
        with report.case("a Scan, whole and in segments: the order of a store in memory"):
            equal(*(list(pages(one, "Scan", {"TableName": "Ordered"}, 37)) == list(pages(memory, "Scan", {"TableName": "Ordered"}, 1000)) for one in both))
            for segment in range(3):
                request = {"TableName": "Ordered", "Segment": segment, "TotalSegments": 3}
                one, other = (list(pages(server, "Scan", request, 50)) for server in both)
                equal(one == other, True)
        for part in parts:
            value = {":p": {"B": base64.b64encode(part).decode()}}
            with report.case(f"a partition key of {len(part)} bytes: each way, in pages of any size"):
                for forward in (True, False):
                    for limit in (1, 7, 400):
                        request = {**query, "ExpressionAttributeValues": value, "ScanIndexForward": forward}
                        one, other = (list(pages(server, "Query", request, limit)) for server in both)
                        equal((limit, forward, one == other), (limit, forward, True))
                        request |= index
                        one, other = (list(pages(server, "Query", request, limit)) for server in both)
                        equal([item["h"] for item in other] == [item["h"] for item in one], True)
                        equal(sorted(map(str, other)) == sorted(map(str, one)), True)
            with report.case(f"a partition key of {len(part)} bytes: parts of it"):
                for _ in range(6):
                    bound = {":b": {"B": base64.b64encode(random_key(rng, 600)).decode()}}
                    for word in ("sk < :b", "sk >= :b", "begins_with(sk, :b)"):
                        request = {
                            **query,
                            "KeyConditionExpression": f"pk = :p AND {word}",
                            "ExpressionAttributeValues": value | bound,
                        }
                        one, other = (list(pages(server, "Query", request, 40)) for server in both)
                        equal((word, one == other), (word, True))
        with report.case("all of it is deleted by its keys"):
            for pk, sk in items:
                key = {name: {"B": base64.b64encode(part).decode()} for name, part in (("pk", pk), ("sk", sk))}
                database.call("DeleteItem", {"TableName": "Ordered", "Key": key})
            equal(database.call("Scan", {"TableName": "Ordered", "IndexName": "Gsi"})["Count"], 0)
    check_invariants(cluster, "ordered")


def main():
    report = Report()
    if not postgres.binaries():
        report.lack("a store in PostgreSQL", "there is no PostgreSQL server (scripts/setup installs it)")
        report.done()
    with postgres.Cluster() as cluster:
        test_commands(report, cluster)
        test_rights(report, cluster)
        test_library(report, cluster)
        test_refused(report, cluster)
        test_processes(report, cluster)
        test_invariants(report, cluster)
        test_cuts(report, cluster)
        test_large(report, cluster)
        test_trips(report, cluster)
        test_order(report, cluster)
        test_down(report, cluster)
        test_ends(report, cluster)
    report.done()


if __name__ == "__main__":
    main()
