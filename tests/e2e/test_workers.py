"""--workers: several processes that serve one address, on one PostgreSQL schema. What one of them does the others see at
once; a process that ends is started again, and nothing acknowledged is lost; all end with the one that started them."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import postgres
from e2e import BINARY, PATIENCE, ROOT, Report, Running, Server, equal, temporary_folder, wait_until
from invariants import check_invariants

WORKERS = 3
TABLE = {
    "TableName": "Counters",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
}
COUNT = {
    "TableName": "Counters",
    "Key": {"pk": {"S": "count"}},
    "UpdateExpression": "ADD n :one",
    "ExpressionAttributeValues": {":one": {"N": "1"}},
}


def children_of(pid):
    return [int(one) for one in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def processes(server):
    """The processes that a server has started, the one of the jobs first."""
    return children_of(server.process.pid)


def is_there(pid):
    return pathlib.Path(f"/proc/{pid}/exe").exists()


def count_up(server, wanted, done):
    """Counts an item up until so many were acknowledged. `done` gets a line for each attempt."""
    while done.count("done") < wanted:
        try:
            status = server.post("UpdateItem", COUNT)[0]
            done.append("done" if status == 200 else "unknown")
        except (OSError, urllib.error.URLError):  # the worker has ended
            done.append("unknown")


def refusal_of(request):
    """(HTTP status, the answer's text)"""
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def counted(server):
    return int(server.call("GetItem", {"TableName": "Counters", "Key": COUNT["Key"], "ConsistentRead": True})["Item"]["n"]["N"])


def test_one_address(report, server):
    with report.case("each request may be another process's: tables and items are there at once"):
        for number in range(20):
            name = f"Turn{number}"
            server.call("CreateTable", {**TABLE, "TableName": name})
            server.call("PutItem", {"TableName": name, "Item": {"pk": {"S": "a"}}})
            equal(server.call("GetItem", {"TableName": name, "Key": {"pk": {"S": "a"}}}), {"Item": {"pk": {"S": "a"}}})
            equal(server.call("DescribeTable", {"TableName": name})["Table"]["ItemCount"], 1)
            server.call("DeleteTable", {"TableName": name})
    with report.case("the fixtures are loaded once"):
        equal(len(server.call("ListTables", {})["TableNames"]), 3)
    for method, path in (("GET", "journal"), ("GET", "faults"), ("POST", "assert"), ("GET", "throttle")):
        with report.case(f"{method} {path} would be about one process, and is refused by name"):
            status, text = refusal_of(urllib.request.Request(f"{server.url}/_mockddb/{path}", method=method))
            assert status == 403 and "--workers" in text and path in text, text


def connections_of(pid, port):
    """How many connections of clients a process has accepted."""
    there = set()
    for line in pathlib.Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        local, state, inode = (line.split()[n] for n in (1, 3, 9))
        if state == "01" and int(local.split(":")[1], 16) == port:
            there.add(f"socket:[{inode}]")
    found = 0
    for one in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            found += os.readlink(one) in there
    return found


def test_connections(report, server):
    port = urllib.parse.urlsplit(server.url).port
    with report.case("connections that stay open are spread over the processes"), contextlib.ExitStack() as stack:
        wait_until(lambda: not any(connections_of(one, port) for one in processes(server)))
        for number in range(1, 4 * WORKERS + 1):
            stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            wait_until(lambda n=number: sum(connections_of(one, port) for one in processes(server)) == n)
        each = [connections_of(one, port) for one in processes(server)]
        assert each[0] == 0 and max(each) <= 5, each


def rollbacks(cluster):
    """Transactions that were undone; processes report theirs when they renew their rows."""
    time.sleep(2.5)
    return int(cluster.sql("SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()")[0])


def test_hot_item(report, cluster, server):
    """Processes that count one item up meet once, and then wait for each other."""
    server.call("CreateTable", {**TABLE, "TableName": "Hot"})
    counts, each = {**COUNT, "TableName": "Hot"}, 150
    before = rollbacks(cluster)

    def count_item():
        for _ in range(each):
            server.call("UpdateItem", counts)

    threads = [threading.Thread(target=count_item) for _ in range(2 * WORKERS)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    with report.case("writes of one item by several processes are all counted, and few are done twice"):
        item = server.call("GetItem", {"TableName": "Hot", "Key": COUNT["Key"], "ConsistentRead": True})["Item"]
        equal(int(item["n"]["N"]), each * len(threads))
        undone = rollbacks(cluster) - before
        assert undone < each * len(threads) / 2, f"{undone} transactions were undone"


def test_verbs(report, server):
    """A verb reads with the tables that its process knows: one that changes meanwhile is no reason to fail."""
    stop = threading.Event()

    def make_tables():
        while not stop.is_set():
            server.call("CreateTable", {**TABLE, "TableName": "Passing"})
            server.call("DeleteTable", {"TableName": "Passing"})

    maker = threading.Thread(target=make_tables)
    maker.start()
    try:
        for path in ("check", "worlds"):
            with report.case(f"GET {path} answers while other processes make and delete tables"):
                for _ in range(40):
                    equal(refusal_of(urllib.request.Request(f"{server.url}/_mockddb/{path}"))[0], 200)
    finally:
        stop.set()
        maker.join(PATIENCE)


def units_read(server, table):
    """What ConsumedReadCapacityUnits has for a table: for Prometheus, and by CloudWatch's operations."""
    with urllib.request.urlopen(f"{server.url}/_mockddb/metrics", timeout=PATIENCE) as answer:
        lines = answer.read().decode().splitlines()
    (told,) = [line.split()[-1] for line in lines if line.startswith("mockddb_consumed_read") and f'"{table}"' in line] or ["0"]
    now = int(time.time())
    status, _, answer = server.post(
        "",
        {
            "Namespace": "AWS/DynamoDB",
            "MetricName": "ConsumedReadCapacityUnits",
            "Dimensions": [{"Name": "TableName", "Value": table}],
            "StartTime": now - 3600,
            "EndTime": now + 60,
            "Period": 86400,
            "Statistics": ["Sum"],
        },
        {"X-Amz-Target": "GraniteServiceVersion20100801.GetMetricStatistics", "Content-Type": "application/json"},
    )
    equal(status, 200)
    return float(told), sum(point["Sum"] for point in json.loads(answer)["Datapoints"])


def test_metrics(report, server):
    server.call("CreateTable", {**TABLE, "TableName": "Read"})
    with report.case("metrics are the sum of all processes, whichever answers"):
        for _ in range(40):
            server.call("GetItem", {"TableName": "Read", "Key": COUNT["Key"], "ConsistentRead": True})
        # A process that has not stored its counts yet is the only one that knows of them.
        wait_until(lambda: all(units_read(server, "Read") == (40, 40) for _ in range(20)))
    with report.case("a process that is killed takes none of them away"):
        gone = processes(server)[1]
        time.sleep(3)  # it has stored its counts by then, once a second
        os.kill(gone, signal.SIGKILL)
        wait_until(lambda: gone not in processes(server) and len(processes(server)) == WORKERS + 1)
        for _ in range(20):
            equal(units_read(server, "Read"), (40, 40))
    server.call("DeleteTable", {"TableName": "Read"})


def test_ends(report, server):
    server.call("CreateTable", TABLE)
    began = processes(server)
    equal(len(began), WORKERS + 1)
    done = [[] for _ in range(4)]
    clients = [threading.Thread(target=count_up, args=(server, 60, one)) for one in done]
    for client in clients:
        client.start()
    for number in (1, 0, 2):  # a worker, the process of the jobs, a worker
        with report.case(f"process {number} of {len(began)} is killed: it is started again, and all goes on"):
            total = sum(one.count("done") for one in done)
            wait_until(lambda least=total + 5: sum(one.count("done") for one in done) >= least or not any(one.is_alive() for one in clients))
            os.kill(began[number], signal.SIGKILL)
            wait_until(lambda gone=began[number]: gone not in processes(server) and len(processes(server)) == WORKERS + 1)
            assert f"(process {began[number]}) was ended by signal 9, and is started again" in server.read_stderr()
    for client in clients:
        client.join(PATIENCE)
    with report.case("no acknowledged write is lost, and none is done twice"):
        acknowledged, unknown = (sum(one.count(word) for one in done) for word in ("done", "unknown"))
        count = counted(server)
        assert acknowledged <= count <= acknowledged + unknown, (acknowledged, count, unknown)
    with report.case("the stream has a record for each, in the item's order"):
        stream = server.call("DescribeTable", {"TableName": "Counters"})["Table"]["LatestStreamArn"]
        shard = server.call("DescribeStream", {"StreamArn": stream})["StreamDescription"]["Shards"][0]["ShardId"]
        place = server.call(
            "GetShardIterator", {"StreamArn": stream, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"}
        )
        records = server.call("GetRecords", {"ShardIterator": place["ShardIterator"]})["Records"]
        equal([int(one["dynamodb"]["NewImage"]["n"]["N"]) for one in records], list(range(1, count + 1)))


def test_kinesis(report, cluster, folder):
    stream = "arn:aws:kinesis:us-east-1:123456789012:stream/all"
    words = ("--store", postgres.make_schema(cluster, "kinesis"), "--workers", str(WORKERS), "--kinesis-out", folder)
    with Server(*words) as server:
        server.call("CreateTable", TABLE)
        server.call("EnableKinesisStreamingDestination", {"TableName": "Counters", "StreamArn": stream})
        keys = [str(number) for number in range(50)]
        for key in keys:
            server.call("PutItem", {"TableName": "Counters", "Item": {"pk": {"S": key}}})
        with report.case("each write's record for Kinesis is sent by the process of the jobs, whichever process took the write"):
            found = []

            def are_there():
                lines = [line for path in pathlib.Path(folder).rglob("*.jsonl") for line in path.read_text(encoding="utf-8").splitlines()]
                found[:] = sorted(json.loads(line)["dynamodb"]["Keys"]["pk"]["S"] for line in lines)
                return len(found) >= len(keys)

            wait_until(are_there)
            equal(found, sorted(keys))


def test_refused(report, cluster):
    url = postgres.make_schema(cluster, "refused")
    for words, says in (
        (("--workers", "2"), "a server without --store"),
        (("--store", url, "--workers", "2", "--fail-on", "errors>0"), "--fail-on"),
        (("--store", url, "--workers", "2", "--throttle", "provisioned"), "--throttle"),
        (("--store", url, "--workers", "0"), "from 1 to 256"),
    ):
        with report.case(f"{' '.join(words[-2:])}: refused by name"):
            ended = subprocess.run([BINARY, *words], capture_output=True, text=True, timeout=PATIENCE, check=False)
            equal((ended.returncode, ended.stdout), (2, ""))
            assert says in ended.stderr and ended.stderr.count("\n") == 1, ended.stderr
    with report.case("a database that is not there: one sentence, and no process is left"):
        ended = subprocess.run(
            [BINARY, "--store", cluster.url("absent"), "--workers", "2", "--port", "0"],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        equal((ended.returncode, ended.stdout, ended.stderr.count("\n")), (1, "", 1))


def main():
    report = Report()
    if not postgres.binaries():
        report.lack("several workers", "there is no PostgreSQL server (scripts/setup installs it)")
        report.done()
    with postgres.Cluster() as cluster:
        test_refused(report, cluster)
        url = postgres.make_schema(cluster, "workers")
        words = ("--store", url, "--workers", str(WORKERS), "--fixtures", str(ROOT / "fixtures/ecommerce"))
        with Server(*words) as server:
            test_one_address(report, server)
            test_connections(report, server)
            test_hot_item(report, cluster, server)
            test_verbs(report, server)
            test_metrics(report, server)
            test_ends(report, server)
            left = processes(server)
        with report.case("SIGTERM ends all of them, and they give their rows up"):
            equal([one for one in left if is_there(one)], [])
            names = cluster.sql("SELECT host FROM process WHERE until <> 0", "workers")  # of those that were killed
            equal([one for one in left if any(name.endswith(f"process {one}") for name in names)], [])
        check_invariants(cluster, "workers")
        with temporary_folder() as folder:
            test_kinesis(report, cluster, folder)
        with report.case("Ctrl-C in a terminal, which all of its processes get, ends them without a word"):
            server = Running(
                [BINARY, "--port", "0", *words[:4]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
            )
            assert server.stdout.readline().startswith("mockddb listening on ")
            groups = [os.getpgid(one) for one in children_of(server.pid)]
            equal((len(groups), server.pid in groups), (WORKERS + 1, False))  # else they would end before it knows why
            os.killpg(server.pid, signal.SIGINT)
            equal((server.wait(PATIENCE), server.stderr.read()), (0, ""))
        with report.case("they end with the process that started them, also when that is killed"):
            server = Server(*words[:4])
            left = processes(server)
            server.kill()
            wait_until(lambda: not any(is_there(one) for one in left))
    report.done()


if __name__ == "__main__":
    main()
