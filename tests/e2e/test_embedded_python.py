"""mockddb.embedded() of the Python package: the same requests of boto3 have equal results over loopback and in this
process; two worlds, clock, faults, journal; threads, fork, use after the end; no socket, no output of its own."""

import embedding

embedding.enter()

# pylint: disable=wrong-import-position
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

from e2e import BINARY, PATIENCE, ROOT, Report, equal, temporary_folder
from pip_package import has_pip, install, lay_out, pack

sys.path.insert(0, str(ROOT / "packages/python/src"))
os.environ["MOCKDDB_BINARY"] = str(BINARY)
for variable in [name for name in os.environ if name.startswith("AWS_")]:
    del os.environ[variable]

import mockddb

try:
    import boto3
    from boto3.dynamodb.conditions import Key
    from botocore.config import Config
    from botocore.exceptions import ClientError, ConnectionClosedError, ReadTimeoutError
except ImportError:
    boto3 = None

ORDERS = {
    "TableName": "Orders",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("id", "line")],
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}, {"AttributeName": "line", "KeyType": "RANGE"}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
}
NOW = "2026-01-01T00:00:00Z"
FIXTURE = ROOT / "examples/javascript/fixture"
VARYING = {"eventID", "RequestId", "HTTPHeaders", "TableId", "took_us", "ShardIterator", "NextShardIterator"}


def item(line, **more):
    return {"id": {"S": "o1"}, "line": {"S": line}, **more}


def of_error(call):
    try:
        return call()
    except ClientError as problem:
        return [type(problem).__name__, str(problem), problem.response]


def attempts(call):
    return call()["ResponseMetadata"]["RetryAttempts"]


def with_fault(world, call, **rule):
    world.faults.add(operation="GetItem", times=1, **rule)
    try:
        return attempts(call)
    except ClientError as problem:
        return str(problem)
    finally:
        world.faults.clear()


def get(client, line="1"):
    return client.get_item(TableName="Orders", Key=item(line))


def records(world):
    streams = world.client("dynamodbstreams")
    arn = streams.list_streams(TableName="Orders")["Streams"][0]["StreamArn"]
    shards = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
    shard = {"StreamArn": arn, "ShardId": shards[0]["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
    return streams.get_records(ShardIterator=streams.get_shard_iterator(**shard)["ShardIterator"])


def expired(world, client):
    client.update_time_to_live(TableName="Orders", TimeToLiveSpecification={"Enabled": True, "AttributeName": "until"})
    client.put_item(TableName="Orders", Item=item("ttl", until={"N": str(int(world.clock.now().timestamp()) + 60)}))
    world.clock.advance("72h")
    return [world.clock.state(), get(client, "ttl")]


def transaction(client):
    check = {"ConditionCheck": {"TableName": "Orders", "Key": item("9"), "ConditionExpression": "attribute_exists(id)"}}
    return client.transact_write_items(TransactItems=[{"Put": {"TableName": "Orders", "Item": item("8")}}, check])


def pages(client):
    pages_of = client.get_paginator("query").paginate(
        TableName="Orders",
        KeyConditionExpression="id = :i",
        ExpressionAttributeValues={":i": {"S": "o1"}},
        PaginationConfig={"PageSize": 2},
    )
    return [[page["Count"], page.get("LastEvaluatedKey")] for page in pages_of]


# (name, what is done), one after the other in a world.
STEPS = [
    ("create_table", lambda w, c: c.create_table(**ORDERS)),
    ("a waiter", lambda w, c: c.get_waiter("table_exists").wait(TableName="Orders")),
    ("describe_table", lambda w, c: c.describe_table(TableName="Orders")),
    ("put_item", lambda w, c: [c.put_item(TableName="Orders", Item=item(str(n))) for n in range(5)]),
    ("binary values and names beyond ASCII", lambda w, c: c.put_item(TableName="Orders", Item=item("é", b={"B": b"\0\xff"}))),
    ("get_item", lambda w, c: [get(c), get(c, "é"), get(c, "missing")]),
    ("a condition that fails", lambda w, c: of_error(
        lambda: c.put_item(TableName="Orders", Item=item("1"), ConditionExpression="attribute_not_exists(id)"))),
    ("an invalid request", lambda w, c: of_error(lambda: c.scan(TableName="Orders", Limit=0))),
    ("a table that does not exist", lambda w, c: of_error(lambda: c.scan(TableName="Nothing"))),
    ("a cancelled transaction, with its reasons", lambda w, c: of_error(lambda: transaction(c))),
    ("pages", lambda w, c: pages(c)),
    ("a resource", lambda w, c: w.resource().Table("Orders").query(KeyConditionExpression=Key("id").eq("o1"))),
    ("streams", lambda w, c: records(w)),
    ("an error that is retried", lambda w, c: with_fault(w, lambda: get(c), error="InternalServerError")),
    ("a dropped reply that is retried", lambda w, c: with_fault(w, lambda: get(c), drop="before")),
    ("a reply that is cut, and retried", lambda w, c: with_fault(w, lambda: get(c), cut=5)),
    ("a wrong CRC", lambda w, c: with_fault(w, lambda: get(c), wrong_crc=True)),
    ("a skewed clock", lambda w, c: with_fault(w, lambda: get(c), skew="20m")),
    ("a time to live and the clock", lambda w, c: expired(w, c)),
    ("a snapshot", lambda w, c: [w.snapshot("s"), c.delete_item(TableName="Orders", Key=item("1")), w.restore("s"), get(c)]),
    ("a fork", lambda w, c: [w.fork("fork").client().scan(TableName="Orders")["Count"], w.world("fork").drop()
        if hasattr(w, "world") else None]),
    ("the journal", lambda w, c: [[line[name] for name in ("operation", "status", "client", "world")] for line in w.journal]),
    ("an assertion", lambda w, c: w.assert_(no="DeleteTable")),
    ("a verb that is refused", lambda w, c: str(_refused(lambda: w.restore("nothing")))),
    ("load of a fixture", lambda w, c: [w.clock.freeze(NOW), w.load(FIXTURE), c.list_tables(), c.scan(TableName="Customers")["Count"]]),
    ("a reset", lambda w, c: [w.reset(), c.list_tables()]),
]  # fmt: skip


def _refused(call, kind=mockddb.Error):
    try:
        return f"not refused: {call()!r}"
    except kind as problem:
        return problem


def plain(value):
    """A result without what varies from request to request."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items() if name not in VARYING}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value


def run_steps(world):
    client = world.client()
    world.clock.freeze(NOW)
    results = {}
    for name, step in STEPS:
        try:
            results[name] = plain(step(world, client))
        except Exception as problem:  # pylint: disable=broad-except # it is compared, too
            results[name] = f"{type(problem).__name__}: {problem}"
    return results


def same_results(report):
    with mockddb.start() as server, mockddb.embedded() as db:
        expected, actual = run_steps(server), run_steps(db)
    for name, _ in STEPS:
        with report.case(f"equal over loopback and embedded: {name}"):
            assert not re.match(r"(AttributeError|TypeError|NameError|Error)\b", str(expected[name])), expected[name]
            equal(actual[name], expected[name])


def object_model(report):
    with mockddb.embedded(tables=[ORDERS]) as db:
        with report.case("two worlds have their own tables, clocks and journals"):
            one, two = db.world("one"), db.world("two")
            one.client().put_item(TableName="Orders", Item=item("1"))
            one.clock.freeze(NOW)
            equal([get(world.client()).get("Item") for world in (one, two, db)], [item("1"), None, None])
            equal([world.clock.state()["frozen"] for world in (one, two)], [True, False])
            equal([len(world.journal) for world in (one, two, db)], [2, 1, 1])
        with report.case("an assertion that the journal breaks"):
            one.client().scan(TableName="Orders")
            problem = str(_refused(lambda: one.assert_(no_scan=True), AssertionError))
            assert problem.startswith("no=Scan: it was sent in 1 request"), problem
        with report.case("attach(): a client, a resource and a session that the code under test has made"):
            session = boto3.Session(region_name="eu-west-1")
            one.attach(session)
            theirs = session.client("dynamodb")
            equal(get(theirs)["Item"], item("1"))
            other = boto3.client("dynamodb", region_name="eu-west-1", endpoint_url="http://127.0.0.1:1")
            two.attach(other)
            equal(get(other).get("Item"), None)
            resource = boto3.resource("dynamodb", region_name="eu-west-1")
            one.attach(resource)
            equal(resource.Table("Orders").scan()["Count"], 1)
            one.attach()
            equal(get(boto3.client("dynamodb", region_name="eu-west-1"))["Item"], item("1"))
            two.attach()
            equal(get(boto3.client("dynamodb", region_name="eu-west-1")).get("Item"), None)
            two.attach(theirs)
            theirs.put_item(TableName="Orders", Item=item("only in two"))
            equal([get(world.client(), "only in two").get("Item") is None for world in (one, two)], [True, False])
            equal(session.client("dynamodbstreams").list_streams()["Streams"][0]["TableName"], "Orders")
        with report.case("a delay is as long as over loopback, and ends at the client's timeout"):
            one.faults.add(operation="GetItem", delay="80ms")
            begin = time.monotonic()
            get(one.client())
            assert time.monotonic() - begin >= 0.08
            hasty = one.client(config=Config(read_timeout=0.01, retries={"max_attempts": 0}))
            assert isinstance(_refused(lambda: get(hasty), ReadTimeoutError), ReadTimeoutError)
            one.faults.clear()
        with report.case("a reply that never comes is botocore's error"):
            one.faults.add(operation="GetItem", drop="after")
            once = one.client(config=Config(retries={"max_attempts": 0}))
            assert isinstance(_refused(lambda: get(once), ConnectionClosedError), ConnectionClosedError)
            one.faults.clear()
        with report.case("a service that has no JSON protocol, and environment, name start()"):
            for call in (lambda: db.client("sts").get_caller_identity(), lambda: db.environment):
                assert "mockddb.start()" in str(_refused(call)), _refused(call)
        with report.case("threads use one server at the same time"):
            errors = []

            def work(number):
                try:
                    client = boto3.Session().client("dynamodb", region_name="us-east-1")
                    db.world(f"t{number % 4}").attach(client)
                    for line in range(20):
                        client.put_item(TableName="Orders", Item=item(f"{number}-{line}"))
                        assert get(client, f"{number}-{line}")["Item"]
                except Exception as problem:  # pylint: disable=broad-except # shown below
                    errors.append(repr(problem))

            threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            equal(errors, [])
            equal([db.world(f"t{n}").client().scan(TableName="Orders")["Count"] for n in range(4)], [40] * 4)
        with report.case("a forked process gets an error, and ends well"):
            client = db.client()
            read, write = os.pipe()
            child = os.fork()
            if not child:
                os.write(write, str(_refused(lambda: get(client))).encode())
                db.stop()
                os._exit(0)
            os.close(write)
            text = os.read(read, 1000).decode()
            os.close(read)
            equal(os.waitpid(child, 0)[1], 0)
            assert text.startswith("the embedded server is the parent process's"), text
            equal(get(client)["ResponseMetadata"]["HTTPStatusCode"], 200)
    with report.case("after the end, each use is an error; ending twice is none"):
        db.stop()
        for call in (db.reset, lambda: get(client), lambda: db.world("one").clock.now()):
            equal(str(_refused(call)), "the embedded server is closed")


def refusals(report):
    for what, options, line in (
        ("a library that does not exist", {"library": "/nowhere/lib.so"}, "library: there is no file /nowhere/lib.so"),
        ("a file that is no library", {"library": __file__}, f"{__file__} is not libmockddb: "),
        ("another library", {"library": _libc()}, f"{_libc()} is not libmockddb: "),
        ("a fixture that does not exist", {"fixtures": ["nowhere"]}, "the embedded server did not start: there is no fixture nowhere"),
        ("an option of sockets", {"args": ["--port", "1"]}, "the embedded server did not start: --port is not an option that the library has"),
        ("an unknown option", {"args": ["--no-such"]}, "the embedded server did not start: --no-such"),
        ("a table without a name", {"tables": [{}]}, "tables: None is no name of a table"),
    ):
        with report.case(f"one line for {what}"):
            problem = str(_refused(lambda options=options: mockddb.embedded(**options)))
            assert problem.startswith(line) and "\n" not in problem, problem
    with report.case("MOCKDDB_LIBRARY with a wrong path, and an installation without the library"):
        kept = os.environ.pop("MOCKDDB_LIBRARY")
        try:
            assert "this installation has no libmockddb for linux-" in str(_refused(mockddb.embedded))
            os.environ["MOCKDDB_LIBRARY"] = "/nowhere"
            equal(str(_refused(mockddb.embedded)), "MOCKDDB_LIBRARY: there is no file /nowhere")
        finally:
            os.environ["MOCKDDB_LIBRARY"] = kept
    with report.case("the log function gets lines, its errors are raised, and it cannot use its server"), temporary_folder() as folder:
        template = pathlib.Path(folder, "wordy.json")
        properties = {**ORDERS, "Tags": [{"Key": "a", "Value": {"Fn::ImportValue": "x"}}]}
        template.write_text(json.dumps({"Resources": {"T": {"Type": "AWS::DynamoDB::Table", "Properties": properties}}}))
        lines = []
        with mockddb.embedded(fixtures=[template], log=lines.append) as db:
            equal(db.client().list_tables()["TableNames"], ["Orders"])
        assert any("Tags is left out" in line for line in lines), lines


def files(report):
    with report.case("a file of tables lasts, and belongs to one server at a time"), temporary_folder() as folder:
        words = ["--db", os.path.join(folder, "tables.db")]
        with mockddb.embedded(tables=[ORDERS], args=words) as db:
            db.client().put_item(TableName="Orders", Item=item("1"))
            assert "is in use" in str(_refused(lambda: mockddb.embedded(args=words))), _refused(lambda: mockddb.embedded(args=words))
        with mockddb.embedded(args=words) as db:
            equal(get(db.client())["Item"], item("1"))


def _libc():
    return next(line.split()[-1] for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if "/libc.so" in line)


QUIET = """
import mockddb, os, sys
def sockets(): return [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{fd}")]
db = mockddb.embedded(fixtures=[sys.argv[1]], args=["--clock", "2026-01-01T00:00:00Z"])
db.client().scan(TableName="Customers")
db.faults.add(operation="Scan", times=1, error="InternalServerError")
db.client().scan(TableName="Customers")
db.client("dynamodbstreams").list_streams()
found = [name for name in sockets() if name.startswith("socket:")]
sys.exit(f"{found}" if found else 0)
"""
EXIT = "import mockddb, threading\ndb = mockddb.embedded()\ndb.client().list_tables()\nthreading.Thread(target=lambda: [db.client().list_tables() for _ in range(9**9)], daemon=True).start()\n"


INSTALLED = """
import mockddb
with mockddb.embedded(fixtures=["ecommerce"]) as db:
    print(len(db.client().list_tables()["TableNames"]))
"""


def run_python(*words, path=ROOT / "packages/python/src", **environment):
    return subprocess.run(
        [sys.executable, "-B", *map(str, words)], env=os.environ | {"PYTHONPATH": str(path)} | environment, capture_output=True, text=True,
        timeout=PATIENCE, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


def processes(report):
    with report.case("no socket is opened, and nothing is printed"):
        ended = run_python("-c", QUIET, FIXTURE)
        equal((ended.returncode, ended.stdout, ended.stderr), (0, "", ""))
    with report.case("a process ends without stop(), also while another thread asks"):
        ended = run_python("-c", EXIT)
        equal((ended.returncode, ended.stdout), (0, ""))
        assert "Sanitizer" not in ended.stderr, ended.stderr
    with report.case("examples/embedded/orders.py"):
        ended = run_python(ROOT / "examples/embedded/orders.py")
        equal((ended.returncode, ended.stdout), (0, "o1 is paid, after 2 tries\no1 has expired\n"))
    if not has_pip():
        report.skip("a wheel with the library", "there is no pip")
        return
    with report.case("a wheel with the library: its tag, a fixture by its name"), temporary_folder() as name:
        folder = pathlib.Path(name)
        programs = lay_out(folder / "programs")
        shutil.copy(embedding.LIBRARY, programs / "linux-x64/libmockddb.so")
        pack(programs, folder / "wheels")
        assert [path.name.rpartition("-")[2] for path in (folder / "wheels").iterdir()] == ["linux_x86_64.whl"]
        install(folder / "wheels", folder / "site")
        ended = run_python("-c", INSTALLED, path=folder / "site", MOCKDDB_LIBRARY="")
        tables = len(list((ROOT / "fixtures/ecommerce/tables").glob("*.json")))
        equal((ended.returncode, ended.stdout, ended.stderr), (0, f"{tables}\n", ""))


def main():
    report = Report()
    if not boto3:
        report.skip("embedded()", "boto3 is not installed")
        report.done()
    if not embedding.LIBRARY.is_file():
        report.lack("embedded()", f"there is no {embedding.LIBRARY}")
        report.done()
    for part in (same_results, object_model, refusals, files, processes):
        part(report)
    report.done()


main()
