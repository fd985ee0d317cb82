"""A guide's Lambda handler under ddb-stream-lambda, and how events, batches, filters and shards
are handed to a function."""

import base64
import json
import pathlib
import shutil
import time

from e2e import Like, Report, Server, equal, temporary_folder, wait_until
from stream_lambda import (
    Endpoint,
    Follower,
    Function,
    put,
    put_all,
    run,
    run_once,
    stream_table,
    summary,
    wait_for_log,
    wrapper,
)

KEYS = """
def handler(event, context):
    log([r["dynamodb"]["Keys"]["pk"]["S"] for r in event["Records"]])
"""

# From "def handler" on: the guide to single-table design, as it has it.
GUIDE = """
def notify_new_appointment(appt_id):
    log(["new", appt_id])

def handle_status_change(appt_id, old_status, new_status):
    log(["changed", appt_id, old_status, new_status])

def handler(event, context):
    for record in event["Records"]:
        event_name = record["eventName"]  # INSERT, MODIFY, REMOVE
        if event_name == "INSERT":
            new_item = record["dynamodb"]["NewImage"]
            item_type = new_item.get("type", {}).get("S")
            if item_type == "APPOINTMENT":
                appt_id = new_item["id"]["S"]
                notify_new_appointment(appt_id)
        elif event_name == "MODIFY":
            old = record["dynamodb"]["OldImage"]
            new = record["dynamodb"]["NewImage"]
            old_status = old.get("status", {}).get("S")
            new_status = new.get("status", {}).get("S")
            if old_status != new_status:
                handle_status_change(new["id"]["S"], old_status, new_status)
"""


def appointment(number, status="scheduled", **more):
    return {
        "PK": {"S": "CLINIC#CLN-001"},
        "SK": {"S": f"APPT#2026-04-16#APT-{number}"},
        "GSI1PK": {"S": "PATIENT#PAT-456"},
        "GSI1SK": {"S": f"APPT#2026-04-16#APT-{number}"},
        "type": {"S": "APPOINTMENT"},
        "id": {"S": f"APT-{number}"},
        "status": {"S": status},
        **more,
    }


def guide_table(server):
    """The guide's Terraform, as a request."""
    names = ("PK", "SK", "GSI1PK", "GSI1SK")

    def keys(*attributes):
        return [
            {"AttributeName": n, "KeyType": kind} for n, kind in zip(attributes, ("HASH", "RANGE"))
        ]

    server.call(
        "CreateTable",
        {
            "TableName": "learnixo-dev",
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in names],
            "KeySchema": keys("PK", "SK"),
            "GlobalSecondaryIndexes": [
                {
                    "IndexName": "GSI1",
                    "KeySchema": keys("GSI1PK", "GSI1SK"),
                    "Projection": {"ProjectionType": "ALL"},
                }
            ],
            "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        },
    )


def test_guide(report, server):
    guide_table(server)
    server.put_items("learnixo-dev", [appointment(1)])
    mapping = ("--starting-position", "LATEST", "--batch-size", 100, "--bisect-on-error")
    with Function(GUIDE) as function, Follower(
        server, "--table", "learnixo-dev", "--command", function.command, *mapping
    ) as follower:
        with report.case("the guide's handler gets new appointments and changed states"):
            clinic = {"PK": {"S": "CLINIC#CLN-001"}, "SK": {"S": "META"}, "type": {"S": "CLINIC"}}
            server.put_items("learnixo-dev", [clinic, appointment(2)])
            server.put_items("learnixo-dev", [appointment(2, note={"S": "first visit"})])
            server.call(
                "UpdateItem",
                {
                    "TableName": "learnixo-dev",
                    "Key": {name: appointment(1)[name] for name in ("PK", "SK")},
                    "UpdateExpression": "SET #status = :status",
                    "ExpressionAttributeNames": {"#status": "status"},
                    "ExpressionAttributeValues": {":status": {"S": "confirmed"}},
                },
            )
            server.call(
                "DeleteItem",
                {
                    "TableName": "learnixo-dev",
                    "Key": {name: appointment(2)[name] for name in ("PK", "SK")},
                },
            )
            wait_for_log(function, 2)
            equal(
                function.logged, [["new", "APT-2"], ["changed", "APT-1", "scheduled", "confirmed"]]
            )
        with report.case("SIGTERM ends it cleanly"):
            status, stderr = follower.stop()
            equal((status, summary(stderr)[3]), (0, 0))


# --- events --------------------------------------------------------------------------------------


def test_events(report, server):
    stream_table(server, "Events")
    binary = base64.b64encode(b"\x00\xff").decode()
    server.call(
        "PutItem",
        {"TableName": "Events", "Item": {"pk": {"S": "a"}, "b": {"B": binary}, "n": {"N": "1.50"}}},
    )
    arn = server.call("DescribeTable", {"TableName": "Events"})["Table"]["LatestStreamArn"]
    image = {"pk": {"S": "a"}, "b": {"B": binary}, "n": {"N": "1.5"}}
    with report.case("an event has the records as Lambda gets them"):
        status, stdout, _ = run_once(server, "Events", "--command", "cat")
        equal(status, 0)
        (record,) = json.loads(stdout)["Records"]
        assert isinstance(record["dynamodb"].pop("ApproximateCreationDateTime"), (int, float))
        expected = {
            "eventID": Like("[0-9a-f]{32}"),
            "eventName": "INSERT",
            "eventVersion": "1.1",
            "eventSource": "aws:dynamodb",
            "awsRegion": "us-east-1",
            "dynamodb": {
                "Keys": {"pk": {"S": "a"}},
                "NewImage": image,
                "SequenceNumber": Like(r"\d{21,40}"),
                "SizeBytes": 13,
                "StreamViewType": "NEW_AND_OLD_IMAGES",
            },
            "eventSourceARN": arn,
        }
        equal(record, expected)
    with report.case("a stream by its ARN"):
        status, stdout, _ = run(server, "--stream-arn", arn, "--once", "--command", "cat")
        equal((status, len(json.loads(stdout)["Records"])), (0, 1))


def test_expiry(report):
    with Server("--ttl-sweep-ms", "100") as server:
        stream_table(server, "Sessions")
        server.call(
            "UpdateTimeToLive",
            {
                "TableName": "Sessions",
                "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"},
            },
        )
        code = """
def handler(event, context):
    for record in event["Records"]:
        log([record["eventName"], record.get("userIdentity")])
"""
        expired = str(int(time.time()) - 60)
        service = {"principalId": "dynamodb.amazonaws.com", "type": "Service"}
        pattern = json.dumps({"userIdentity": {"type": ["Service"]}})
        with Function(code) as function, report.case("expired items carry who deleted them"):
            with Follower(
                server, "--table", "Sessions", "--command", function.command, "--filter", pattern
            ) as follower:
                server.call(
                    "PutItem",
                    {"TableName": "Sessions", "Item": {"pk": {"S": "s"}, "ttl": {"N": expired}}},
                )
                wait_for_log(function, 1)
                status, stderr = follower.stop()
                equal((status, summary(stderr)), (0, (1, 1, 1, 0)))
            equal(function.logged, [["REMOVE", service]])


# --- a handler in JavaScript ---------------------------------------------------------------------


def test_javascript(report, server):
    name = "a handler in JavaScript, which reports a failure"
    if not shutil.which("node"):
        report.skip(name, "there is no node")
        return
    stream_table(server, "JavaScript")
    put_all(server, "JavaScript", "abc")
    with temporary_folder() as folder, report.case(name):
        path = pathlib.Path(folder)
        (path / "wrapper.mjs").write_text(wrapper("wrapper.mjs"))
        (path / "function.mjs").write_text(
            "export const handler = async (event) => ({batchItemFailures:"
            " [{itemIdentifier: event.Records[2].dynamodb.SequenceNumber}]});"
        )
        status, _, stderr = run_once(
            server,
            *("JavaScript", "--command", f"node {path}/wrapper.mjs"),
            *("--report-batch-item-failures", "--max-retries", 0),
        )
        equal((status, summary(stderr)), (1, (2, 1, 0, 1)))
        status, stdout, _ = run_once(server, "JavaScript", "--command", f"node {path}/wrapper.mjs")
        equal((status, stdout.startswith('{"batchItemFailures"'), stdout[-1:], stdout.count("\n")), (0, True, "\n", 1))


# --- batches -------------------------------------------------------------------------------------


def test_batches(report, server):
    stream_table(server, "Batches")
    put_all(server, "Batches", "abcde")
    with Function(KEYS) as function, report.case("no batch is larger than asked for"):
        status, stdout, stderr = run_once(
            server, "Batches", "--command", function.command, "--batch-size", 2
        )
        equal((status, summary(stderr)), (0, (5, 3, 0, 0)))
        equal(stdout, 3 * "null\n")  # what the wrapper writes ends with its line
        equal(function.logged, [["a", "b"], ["c", "d"], ["e"]])
    with Function(KEYS) as function, report.case("a window collects what comes in the meantime"):
        with Follower(
            server,
            *("--table", "Batches", "--command", function.command),
            *("--starting-position", "LATEST", "--batch-window", 3, "--batch-size", 4),
        ) as follower:
            put(server, "Batches", "x1")
            put(server, "Batches", "x2")
            wait_for_log(function, 1)
            put_all(server, "Batches", ["y1", "y2", "y3", "y4"])
            wait_for_log(function, 2)
            equal(function.logged, [["x1", "x2"], ["y1", "y2", "y3", "y4"]])
            equal(follower.stop()[0], 0)
    with report.case("an empty stream calls nobody"):
        stream_table(server, "Empty")
        status, _, stderr = run_once(server, "Empty", "--command", "false")
        equal((status, summary(stderr)), (0, (0, 0, 0, 0)))
    with report.case("it can end when nothing comes any more"):
        arguments = ("--table", "Batches", "--command", "true", "--idle-exit", 1)
        status, _, stderr = run(server, *arguments)
        equal((status, summary(stderr)[0]), (0, 11))


def test_filters(report, server):
    stream_table(server, "Filters")
    for key, kind in (("1", "order"), ("2", "user"), ("3", "order"), ("4", "invoice")):
        put(server, "Filters", key, kind=kind)
    server.call("DeleteItem", {"TableName": "Filters", "Key": {"pk": {"S": "1"}}})

    def pattern(*values):
        new_image = {"kind": {"S": list(values)}}
        return json.dumps({"eventName": ["INSERT"], "dynamodb": {"NewImage": new_image}})

    cases = [
        ("one value", [pattern("order")], ["1", "3"]),
        ("two filters, of which one has to match", [pattern("user"), pattern("invoice")], "24"),
        ("an operator", [pattern({"prefix": "in"})], "4"),
        (
            "a field that is not there",
            ['{"dynamodb":{"NewImage":{"pk":{"S":[{"exists":false}]}}}}'],
            "1",
        ),
    ]
    for name, patterns, keys in cases:
        with Function(KEYS) as function, report.case(f"filter: {name}"):
            arguments = [word for p in patterns for word in ("--filter", p)]
            status, _, stderr = run_once(
                server, "Filters", "--command", function.command, *arguments
            )
            equal(status, 0)
            equal(sum(function.logged, []), list(keys))
            equal(summary(stderr)[:3:2], (len(keys), 5 - len(keys)))
    with report.case("filter: what matches nothing calls nobody"):
        status, _, stderr = run_once(
            server, "Filters", "--command", "false", "--filter", pattern("nothing")
        )
        equal((status, summary(stderr)), (0, (0, 0, 5, 0)))


# --- functions behind HTTP -----------------------------------------------------------------------


INVOKE_PATH = "/2015-03-31/functions/function/invocations"


class Emulator(Endpoint):
    """A runtime interface emulator: answers in turn, as (status, headers, text)."""

    def __init__(self, *answers, port=0):
        super().__init__(self.answer, port)
        self.answers = list(answers)
        self.calls = []
        self.invoke_url = self.url + INVOKE_PATH

    def answer(self, path, _, event):
        self.calls.append((path, event))
        return self.answers.pop(0)


FINE = (200, {}, "null")
ANSWERS = [
    ("an answer", FINE, None),
    ("an empty answer", (200, {}, ""), None),
    (
        "an error object",
        (200, {}, '{"errorMessage": "\'id\'", "errorType": "KeyError", "stackTrace": []}'),
        "KeyError: 'id'",
    ),
    (
        "an error by header",
        (200, {"X-Amz-Function-Error": "Unhandled"}, "{}"),
        "X-Amz-Function-Error: Unhandled",
    ),
    (
        "a function that ran out of time",
        (200, {}, "Task timed out after 3.00 seconds"),
        "its answer is not JSON: Task timed out after 3.00 seconds",
    ),
    ("an emulator whose runtime is gone", (502, {}, ""), "it answered HTTP 502"),
]


def test_invoke(report, server):
    stream_table(server, "Invoke")
    put_all(server, "Invoke", "ab")
    for name, answer, problem in ANSWERS:
        with report.case(f"invoke: {name}"), Emulator(answer) as emulator:
            status, _, stderr = run_once(
                server, "Invoke", "--invoke", emulator.invoke_url, "--max-retries", 0
            )
            equal((status, len(emulator.calls)), (1 if problem else 0, 1))
            path, event = emulator.calls[0]
            equal(path, INVOKE_PATH)
            equal([r["dynamodb"]["Keys"]["pk"]["S"] for r in event["Records"]], ["a", "b"])
            if problem:
                assert f"2 of 2 record(s) failed: {problem}\n" in stderr, stderr
    with report.case("invoke: what a URL asks for goes along"), Emulator(FINE) as emulator:
        run_once(server, "Invoke", "--invoke", emulator.invoke_url + "?Qualifier=1")
        equal([path for path, _ in emulator.calls], [INVOKE_PATH + "?Qualifier=1"])
    with report.case("invoke: a failed call is repeated"):
        with Emulator(ANSWERS[2][1], FINE) as emulator:
            status, _, stderr = run_once(server, "Invoke", "--invoke", emulator.invoke_url)
            equal((status, len(emulator.calls), summary(stderr)), (0, 2, (2, 2, 0, 0)))
    with report.case("invoke: being throttled or not there is no failure of the batch"):
        with Emulator((429, {}, "{}"), (503, {}, ""), FINE) as emulator:
            arguments = ("--invoke", emulator.invoke_url, "--max-retries", 0, "--bisect-on-error")
            with Follower(server, "--table", "Invoke", *arguments) as follower:
                wait_until(lambda: len(emulator.calls) == 3)
                equal(len(emulator.calls[2][1]["Records"]), 2)
                equal(follower.stop()[0], 0)


def test_emulator_comes_later(report, server):
    with Emulator() as gone:
        port, url = gone.port, gone.invoke_url
    with report.case("invoke: an emulator may be started later"):
        with Follower(server, "--table", "Invoke", "--invoke", url) as follower:
            follower.read_until("cannot connect; trying again")
            with Emulator(FINE, port=port) as emulator:
                wait_until(lambda: emulator.calls)
                equal(follower.stop()[0], 0)


# --- shards --------------------------------------------------------------------------------------

# Returns when three calls are under way.
TOGETHER = """
import pathlib, time
def handler(event, context):
    log([r["dynamodb"]["Keys"]["pk"]["S"] for r in event["Records"]])
    begun = pathlib.Path(__file__).parent / "log"
    while len(begun.read_text().splitlines()) < 3:
        time.sleep(0.02)
"""


def test_shards(report):
    with Server("--stream-shards", "3") as server:
        stream_table(server, "Shards")
        keys = [f"k{i}" for i in range(30)]
        put_all(server, "Shards", keys)
        put_all(server, "Shards", keys)
        with Function(TOGETHER) as function, report.case("shards are handed over side by side"):
            status, _, stderr = run_once(server, "Shards", "--command", function.command)
            equal((status, summary(stderr)), (0, (30, 3, 0, 0)))
            equal(sorted(sum(function.logged, [])), sorted(keys))


IN_ORDER = """
def handler(event, context):
    for record in event["Records"]:
        log([record["dynamodb"]["Keys"]["pk"]["S"], record["dynamodb"]["NewImage"]["n"]["S"]])
"""


def test_restart(report):
    with temporary_folder() as folder:
        options = ("--db", str(pathlib.Path(folder) / "test.db"), "--stream-shards", "2")
        server = Server(*options)
        stream_table(server, "Restart")
        with Function(IN_ORDER) as function, report.case("a server that restarts loses nothing"):
            with Follower(server, "--table", "Restart", "--command", function.command) as follower:
                for number in range(3):
                    for key in "abcd":
                        put(server, "Restart", key, n=str(number))
                    server.kill()
                    server = Server("--port", str(server.port), *options)
                wait_for_log(function, 12)
                equal(follower.stop()[0], 0)
            for key in "abcd":
                equal([n for k, n in function.logged if k == key], ["0", "1", "2"])
        server.stop()


def test_closed(report, server):
    stream_table(server, "Closed")
    put_all(server, "Closed", "abc")
    with Function(KEYS) as function, report.case("it ends with its stream"):
        with Follower(server, "--table", "Closed", "--command", function.command) as follower:
            server.call("DeleteTable", {"TableName": "Closed"})
            status, stderr = follower.wait()
        equal(status, 0)
        assert "the stream is closed and read to its end" in stderr, stderr
        equal(sum(function.logged, []), list("abc"))


def main():
    report = Report()
    with Server() as server:
        for test in (
            test_guide,
            test_events,
            test_javascript,
            test_batches,
            test_filters,
            test_invoke,
            test_emulator_comes_later,
            test_closed,
        ):
            test(report, server)
        for test in (test_expiry, test_shards, test_restart):
            test(report)
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
