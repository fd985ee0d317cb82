"""What ddb-stream-lambda does when a function fails, and when it cannot do its own work."""

import json
import pathlib
import signal
import time

from e2e import Like, Report, Server, equal, temporary_folder, wait_until
from stream_lambda import Follower, Function, put_all, run, run_once, stream_table, summary

UUID = Like("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MOMENT = Like(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")

# Fails where the batch has a key that begins with "bad".
FAILING = """
def handler(event, context):
    keys = [r["dynamodb"]["Keys"]["pk"]["S"] for r in event["Records"]]
    log(keys)
    if any(key.startswith("bad") for key in keys):
        raise ValueError("bad")
"""

# Says which records are bad.
REPORTING = """
def handler(event, context):
    records = [(r["dynamodb"]["Keys"]["pk"]["S"], r["dynamodb"]["SequenceNumber"])
               for r in event["Records"]]
    log([key for key, _ in records])
    return {"batchItemFailures": [{"itemIdentifier": number} for key, number in records
                                  if key.startswith("bad")][::-1]}
"""

ONCE_BAD = """
import os, pathlib
def handler(event, context):
    mark = pathlib.Path(__file__).parent / "mark"
    keys = [r["dynamodb"]["Keys"]["pk"]["S"] for r in event["Records"]]
    log(keys)
    if not mark.exists():
        mark.touch()
        raise ValueError("bad")
"""


def failures_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_retries(report, server):
    stream_table(server, "Retries")
    keys = ["a", "b", "bad1", "c"]
    put_all(server, "Retries", keys)
    cases = [
        # name, function, options, calls, (delivered, calls, filtered, given up)
        ("a failed batch is repeated", ONCE_BAD, (), [keys, keys], (4, 2, 0, 0)),
        ("… so often", FAILING, ("--max-retries", 2), [keys] * 3, (0, 3, 0, 4)),
        ("… or not at all", FAILING, ("--max-retries", 0), [keys], (0, 1, 0, 4)),
        (
            "bisecting isolates the bad record",
            FAILING,
            ("--max-retries", 1, "--bisect-on-error"),
            [keys, ["a", "b"], ["bad1", "c"], ["bad1"], ["bad1"], ["c"]],
            (3, 6, 0, 1),
        ),
        (
            "a reported failure repeats the rest",
            REPORTING,
            ("--max-retries", 1, "--report-batch-item-failures"),
            [keys, ["bad1", "c"]],
            (2, 2, 0, 2),
        ),
        (
            "a reported failure, bisecting",
            REPORTING,
            ("--max-retries", 0, "--report-batch-item-failures", "--bisect-on-error"),
            [keys, ["bad1", "c"], ["bad1"], ["c"]],
            (3, 4, 0, 1),
        ),
        (
            "answers mean nothing unless they were asked for",
            REPORTING,
            ("--max-retries", 0),
            [keys],
            (4, 1, 0, 0),
        ),
    ]
    for name, code, options, calls, totals in cases:
        with Function(code) as function, report.case(name):
            status, _, stderr = run_once(server, "Retries", "--command", function.command, *options)
            equal(function.logged, calls)
            equal((status, summary(stderr)), (1 if totals[3] else 0, totals))


def test_answers(report, server):
    stream_table(server, "Answers")
    put_all(server, "Answers", "abc")
    cases = [
        ("nothing", "cat >/dev/null", None),
        ("null", "cat >/dev/null; echo null", None),
        ("an empty list", """echo '{"batchItemFailures": []}'""", None),
        (
            "an unknown identifier",
            """echo '{"batchItemFailures": [{"itemIdentifier": "123"}]}'""",
            "itemIdentifier 123 is not a record of the batch",
        ),
        (
            "an empty identifier",
            """echo '{"batchItemFailures": [{"itemIdentifier": ""}]}'""",
            "an element of batchItemFailures has no itemIdentifier",
        ),
        ("no JSON", "echo done", "its answer is not JSON"),
        ("a failure after an answer", "echo '{}'; exit 7", "exit status 7"),
        ("a signal", "kill -9 $$", "it was ended by signal 9"),
        ("more than 6 MB", "head -c 7000000 /dev/zero", "its answer is longer than 6 MB"),
    ]
    for name, command, problem in cases:
        with report.case(f"an answer of {name}"):
            arguments = ("--report-batch-item-failures", "--max-retries", 0)
            status, _, stderr = run_once(server, "Answers", "--command", command, *arguments)
            equal(status, 1 if problem else 0)
            if problem:
                assert f": 3 of 3 record(s) failed: {problem}\n" in stderr, stderr
    with report.case("a function that takes too long is killed with all it started"):
        status, _, stderr = run_once(
            server, "Answers", "--command", "sleep 5000 | cat", "--timeout", 1, "--max-retries", 0
        )
        equal(status, 1)
        assert "it took longer than 1 s" in stderr, stderr


def test_failure_file(report, server, folder):
    stream_table(server, "Failures")
    put_all(server, "Failures", ["a", "bad1", "bad2", "c"])
    arn = server.call("DescribeTable", {"TableName": "Failures"})["Table"]["LatestStreamArn"]
    shard = server.call("DescribeStream", {"StreamArn": arn})["StreamDescription"]["Shards"][0]
    path = folder / "failures.jsonl"

    def failure(condition, calls, size, status=200):
        context = {
            "statusCode": status,
            "executedVersion": "$LATEST",
            "functionError": "Unhandled",
        }
        return {
            "requestContext": {
                "requestId": UUID,
                "functionArn": "arn:aws:lambda:us-east-1:123456789012:function:function",
                "condition": condition,
                "approximateInvokeCount": calls,
            },
            **({"responseContext": context} if calls else {}),
            "version": "1.0",
            "timestamp": Like(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"),
            "DDBStreamBatchInfo": {
                "shardId": shard["ShardId"],
                "startSequenceNumber": Like(r"\d{21,40}"),
                "endSequenceNumber": Like(r"\d{21,40}"),
                "approximateArrivalOfFirstRecord": MOMENT,
                "approximateArrivalOfLastRecord": MOMENT,
                "batchSize": size,
                "streamArn": arn,
            },
        }

    with Function(FAILING) as function, report.case("a line for each batch that is given up"):
        status, _, _ = run_once(
            server,
            *("Failures", "--command", function.command, "--bisect-on-error"),
            *("--max-retries", 1, "--on-failure", path),
        )
        equal(status, 1)
        lines = failures_of(path)
        exhausted = "RetryAttemptsExhausted"
        equal(lines, [failure(exhausted, 4, 1), failure(exhausted, 4, 1)])
        numbers = [line["DDBStreamBatchInfo"]["startSequenceNumber"] for line in lines]
        equal(numbers, sorted(set(numbers)))
    with Function(FAILING) as function, report.case("records that are too old are given up"):
        time.sleep(2.1)
        status, _, stderr = run_once(
            server,
            *("Failures", "--command", function.command),
            *("--max-age", 1, "--on-failure", path),
        )
        equal((status, summary(stderr), function.logged), (1, (0, 0, 0, 4), []))
        equal(failures_of(path)[2:], [failure("RecordAgeExceeded", 0, 4)])
    with report.case("the numbers lead back to the records"):
        info = failures_of(path)[0]["DDBStreamBatchInfo"]
        iterator = server.call(
            "GetShardIterator",
            {
                "StreamArn": info["streamArn"],
                "ShardId": info["shardId"],
                "ShardIteratorType": "AT_SEQUENCE_NUMBER",
                "SequenceNumber": info["startSequenceNumber"],
            },
        )["ShardIterator"]
        records = server.call("GetRecords", {"ShardIterator": iterator, "Limit": 1})["Records"]
        equal(records[0]["dynamodb"]["Keys"], {"pk": {"S": "bad1"}})


def test_blocking(report, server):
    stream_table(server, "Blocking")
    put_all(server, "Blocking", ["a", "bad1", "c"])
    with Function(FAILING) as function, report.case("a failing batch blocks those behind it"):
        with Follower(
            server, "--table", "Blocking", "--command", function.command, "--batch-size", 1
        ) as follower:
            for _ in range(3):
                follower.read_until("1 of 1 record(s) failed: exit status 1")
                follower.stderr.clear()
            equal(follower.stop()[0], 0)
        equal(function.logged[:3], [["a"], ["bad1"], ["bad1"]])
        assert ["c"] not in function.logged, function.logged


SLOW = """
import os, time
def handler(event, context):
    log("begin")
    while not os.path.exists(os.path.join(os.path.dirname(__file__), "end")):
        time.sleep(0.02)
    log("end")
"""


def test_signals(report, server):
    stream_table(server, "Signals")
    put_all(server, "Signals", "ab")
    with Function(SLOW) as function, report.case("SIGTERM waits for the function"):
        with Follower(
            server, "--table", "Signals", "--command", function.command, "--batch-size", 1
        ) as follower:
            wait_until(lambda: function.logged == ["begin"])
            follower.process.terminate()
            (function.path / "end").touch()
            status, stderr = follower.wait()
        equal((status, summary(stderr), function.logged), (0, (1, 1, 0, 0), ["begin", "end"]))
    with Function(SLOW) as function:
        with report.case("a second SIGTERM does not"):
            with Follower(server, "--table", "Signals", "--command", function.command) as follower:
                wait_until(lambda: function.logged == ["begin"])
                follower.process.terminate()
                # Two of one kind that arrive together would be one; a third would meet no handler.
                follower.process.send_signal(signal.SIGINT)
                equal(follower.wait()[0], 0)


def test_mistakes(report, server):
    stream_table(server, "Mistakes")
    plain = {"TableName": "Plain", "BillingMode": "PAY_PER_REQUEST"}
    plain["AttributeDefinitions"] = [{"AttributeName": "pk", "AttributeType": "S"}]
    plain["KeySchema"] = [{"AttributeName": "pk", "KeyType": "HASH"}]
    server.call("CreateTable", plain)
    table = ("--table", "Mistakes")
    unknown = (
        "arn:aws:dynamodb:us-east-1:123456789012:table/Mistakes/stream/2020-01-01T00:00:00.000"
    )
    cases = [
        ((), "which stream? --table or --stream-arn; --help shows how"),
        (table, "which function? --command or --invoke; --help shows how"),
        ((*table, "--stream-arn", unknown), "--table and --stream-arn cannot both be given"),
        (
            (*table, "--command", "a", "--invoke", "http://b"),
            "--command and --invoke cannot both be given",
        ),
        ((*table, "--comand", "a"), "unknown option --comand; --help lists all"),
        ((*table, "--command"), "option --command needs a value: C"),
        ((*table, "--command", ""), 'option --command: "" is empty'),
        ((*table, "--command", "a", "b"), "unexpected word b; --help lists all options"),
        (
            (*table, "--command", "a", "--batch-size", "0"),
            'option --batch-size: "0" is not a number of records from 1 to 10000',
        ),
        (
            (*table, "--command", "a", "--max-retries=many"),
            'option --max-retries: "many" is not a number of calls from -1 to 10000',
        ),
        (
            (*table, "--command", "a", "--starting-position", "AT_TIMESTAMP"),
            'option --starting-position: "AT_TIMESTAMP" is not one of TRIM_HORIZON, LATEST',
        ),
        (
            (*table, "--command", "a", "--filter", '{"eventName":"INSERT"}'),
            'option --filter: "{"eventName":"INSERT"}" is not a filter: '
            "a string where a list of values or an object belongs",
        ),
        (
            (*table, "--command", "a", *["--filter", "{}"] * 11),
            'option --filter: "{}" is one too many: there can be no more than 10 filters',
        ),
        (
            (*table, "--invoke", "https://127.0.0.1/"),
            "--invoke: https://127.0.0.1/ is not of the form http://HOST:PORT/PATH",
        ),
        (
            (*table, "--command", "a", "--on-failure", "/dev/null/file"),
            "/dev/null/file: Not a directory",
        ),
        (("--table", "Plain", "--command", "a"), "table Plain has no stream, or does not exist"),
        (("--table", "Nowhere", "--command", "a"), "table Nowhere has no stream, or does not exist"),
        (
            ("--stream-arn", unknown, "--command", "a"),
            "DescribeStream: ResourceNotFoundException: Requested resource not found: Stream: "
            f"{unknown} not found",
        ),
        (
            (*table, "--command", "a", "--endpoint", "http://127.0.0.1:1"),
            "option --endpoint is given more than once: the last one counts\n"
            "ddb-stream-lambda: 127.0.0.1:1: cannot connect",
        ),
    ]
    for arguments, message in cases:
        with report.case(f"it cannot begin: {message}"):
            status, stdout, stderr = run(server, *arguments)
            equal((status, stdout, stderr), (2, "", f"ddb-stream-lambda: {message}\n"))
    with report.case("--help and --version"):
        status, stdout, _ = run(server, "--help")
        equal((status, stdout.startswith("usage: ddb-stream-lambda ")), (0, True))
        status, stdout, _ = run(server, "--version")
        equal((status, stdout), (0, Like(r"ddb-stream-lambda \d+\.\d+\.\d+\n")))


def test_lost_server(report):
    server = Server()
    stream_table(server, "Lost")
    with report.case("a stream that is gone ends it"):
        with Follower(server, "--table", "Lost", "--command", "true") as follower:
            server.kill()
            follower.read_until("; trying again")
            with Server("--port", str(server.port)):  # in memory: it knows nothing of the stream
                status, stderr = follower.wait()
        equal(status, 1)
        assert "ResourceNotFoundException" in stderr, stderr


def main():
    report = Report()
    with temporary_folder() as folder, Server() as server:
        for test in (test_retries, test_answers, test_blocking, test_signals, test_mistakes):
            test(report, server)
        test_failure_file(report, server, pathlib.Path(folder))
        test_lost_server(report)
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
