"""The journal and assertions: docs/journal.md is true, what is read in lines, exit statuses."""

import json
import re
import subprocess

from admin import ask, documented_commands, must, run_documented
from boto import boto3, connect
from e2e import BINARY, PATIENCE, Like, Report, Running, Server, equal

FIXTURE = ("--fixtures", "guides")
GET = {"TableName": "Users", "Key": {"userId": {"S": "u101"}}}


def lines(server, query="", **headers):
    named = [word for name, value in headers.items() for word in ("-H", f"{name.replace('_', '-')}: {value}")]
    done = subprocess.run(
        ["curl", "-sf", *named, f"{server.url}/_mockddb/journal{query}"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def documented(report):
    with Server(*FIXTURE) as server:
        for line in documented_commands("journal.md"):
            server.call("Scan", {"TableName": "Users"})
            with report.case(line):
                answer = run_documented(server, line)
                if "message" in answer:
                    raise AssertionError(answer["message"])


REFUSED = (
    ("limit=x", "limit is not a whole number from 0 on"),
    ("limit=1.5", "limit is not a whole number from 0 on"),
    ("operation=scan", "operation: scan does not exist"),
    ("error=Throttled", "error: Throttled does not exist"),
    ("table=", "table is empty"),
    ("min_units=0x10", "min_units is not a number from 0 on"),
    ("min_units=-1", "min_units is not a number from 0 on"),
    ("after=", "after is not a whole number from 0 on"),
    ("since=now", "since is not a time such as 2026-01-01T00:00:00Z, or milliseconds since 1970"),
    ("follow=maybe", "follow is neither true nor false"),
    ("user=me", "unknown filter user"),
)


def reading(report):
    with Server(*FIXTURE) as server:
        with report.case("what fixtures did is not in it"):
            equal(lines(server), [])
        for query, problem in REFUSED:
            with report.case(f"refused: {query}"):
                equal(ask(server, "GET", f"journal?{query}"), (400, {"message": problem}))
        server.call("GetItem", GET)
        with report.case("an entry has what a request did"):
            (entry,) = lines(server)
            equal(
                (entry["operation"], entry["table"], entry["key"], entry["read_units"]),
                ("GetItem", "Users", {"userId": {"S": "u101"}}, 0.5),
            )
        with report.case("limit takes the newest, after the later ones"):
            for _ in range(4):
                server.call("ListTables", {})
            equal([e["id"] for e in lines(server, "?limit=2")], [4, 5])
            equal([e["id"] for e in lines(server, "?after=3")], [4, 5])
            equal([e["operation"] for e in lines(server, "?table=Users")], ["GetItem"])
        with report.case("worlds have journals of their own, and a reset empties them"):
            server.post("ListTables", b"{}", None)
            ask(server, "POST", "worlds/alpha")
            equal(lines(server, x_mockddb_world="alpha"), [])
            must(server, "POST", "reset")
            equal(lines(server), [])
        with report.case("a throttled call has the rule that it met"):
            rule = {"table": "Users", "times": 1, "error": "ThrottlingException"}
            must(server, "POST", "faults", {"rules": [rule]})
            server.post("GetItem", json.dumps(GET).encode())
            (entry,) = lines(server, "?error=ThrottlingException&table=Users")
            equal((entry["fault"], entry["status"]), (1, 400))
            equal("delayed_ms" in entry, False)
        with report.case("an answer that a rule held back says by how much"):
            rule = {"operation": "ListTables", "times": 1, "delay": "20ms"}
            must(server, "POST", "faults", {"rules": [rule]})
            server.call("ListTables", {})
            entry = lines(server, "?operation=ListTables")[-1]
            equal((entry["delayed_ms"], "fault" in entry), (20, True))
        with report.case("an entry names its client, with the first word of its User-Agent"):
            server.post("GetItem", GET, {"User-Agent": "aws-cli/2.15.0 md/awscrt#0.19.19"})
            equal(lines(server)[-1]["client"], "aws-cli/2.15.0")


def followed(report):
    with Server(*FIXTURE, "--journal", "500") as server:
        with report.case("whoever follows reads each request when it comes"):
            follower = Running(
                ["curl", "-sN", f"{server.url}/_mockddb/journal?follow=true"],
                stdout=subprocess.PIPE,
                text=True,
            )
            for i in range(3):
                server.call("GetItem", GET)
                equal(json.loads(follower.stdout.readline())["id"], i + 1)
            follower.kill()
            follower.wait()
        with report.case("a reader that does not read learns what it lost"):
            follower = Running(
                ["curl", "-sN", f"{server.url}/_mockddb/journal?follow=true&after=3"],
                stdout=subprocess.PIPE,
                text=True,
            )
            long = {"TableName": "Users", "Key": {"userId": {"S": "x" * 2000}}}
            for _ in range(3000):
                server.call("GetItem", long)
            seen = 3
            while seen < 3003:
                line = json.loads(follower.stdout.readline())
                seen = line["id"] if "id" in line else seen + line["dropped"]
            equal(seen, 3003)
            follower.kill()
            follower.wait()
        with report.case("what was gone before is reported first"):
            equal(lines(server)[0], {"dropped": 2503})
        with report.case("where requests were dropped, nothing holds"):
            status, answer = ask(server, "POST", "assert", {"assert": [{"no": "Scan"}]})
            equal((status, answer["holds"], answer["dropped"]), (409, False, 2503))


def hidden(report):
    token = "session-token-of-nobody"
    with Server(*FIXTURE, "--mask", "email") as server:
        with report.case("what must not be seen is not there"):
            headers = {
                "Content-Type": "application/x-amz-json-1.0",
                "X-Amz-Target": "DynamoDB_20120810.GetItem",
                "X-Amz-Security-Token": token,
                "Authorization": "AWS4-HMAC-SHA256 Credential=hidden-key, Signature=hidden-sign",
            }
            server.post("GetItem", json.dumps(GET).encode(), headers)
            item = {"userId": {"S": "m"}, "email": {"S": "hidden@example.com"}}
            server.call("PutItem", {"TableName": "Users", "Item": item})
            server.post("PutItem", json.dumps({"TableName": "Users", "Item": {"email": item["email"]}}).encode())
            statement = "SELECT * FROM Users WHERE email = 'hidden@example.com'"
            server.call("ExecuteStatement", {"Statement": statement})
            text = json.dumps(lines(server))
            assert "hidden" not in text and token not in text, text
            equal(len(lines(server)), 4)
        with report.case("a refused signature is told without the header that its message repeats"):
            must(server, "DELETE", "journal")
            dated = {"Content-Type": headers["Content-Type"], "X-Amz-Target": headers["X-Amz-Target"], "X-Amz-Date": "20260101T000000Z"}
            for parts in ("Credential=hidden, Signature=hidden", "Signature=hidden", "Credential=hidden"):
                server.post("GetItem", json.dumps(GET).encode(), dated | {"Authorization": f"AWS4-HMAC-SHA256 {parts}"})
            told = [entry["message"] for entry in lines(server)]
            equal(told[0], "Authorization header requires 'SignedHeaders' parameter. Authorization=***")
            assert all(one.endswith("Authorization=***") and "hidden" not in one for one in told), told


def asserted(report):
    with Server(*FIXTURE) as server:
        with report.case("assertions that hold answer 200, others 409"):
            server.call("Scan", {"TableName": "Users"})
            equal(ask(server, "POST", "assert", {"assert": [{"no": "Query"}]})[0], 200)
            status, answer = ask(server, "POST", "assert", {"assert": [{"no": "Scan"}, {"no": "Query"}]})
            equal((status, [row["holds"] for row in answer["report"]]), (409, [False, True]))
        with report.case("a batch that is left is missed, until it is sent again"):
            must(server, "DELETE", "journal")
            rule = {"operation": "BatchGetItem", "times": 1, "unprocessed": 1}
            must(server, "POST", "faults", {"rules": [rule]})
            keys = [{"userId": {"S": "u101"}}, {"userId": {"S": "u102"}}]
            body = {"RequestItems": {"Users": {"Keys": keys}}}
            wanted = {"assert": [{"no_unretried": True}]}
            server.call("BatchGetItem", body)
            equal(ask(server, "POST", "assert", wanted)[0], 409)
            server.call("BatchGetItem", body)
            equal(ask(server, "POST", "assert", wanted)[0], 200)
        with report.case("a throttled call that comes again at once is too soon"):
            must(server, "DELETE", "journal")
            rule = {"operation": "GetItem", "times": 1, "error": "RequestLimitExceeded"}
            must(server, "POST", "faults", {"rules": [rule]})
            server.post("GetItem", json.dumps(GET).encode())
            server.call("GetItem", GET)
            equal(ask(server, "POST", "assert", {"assert": [{"min_retry_ms": 60000}]})[0], 409)
            equal(ask(server, "POST", "assert", {"assert": [{"min_retry_ms": 0}]})[0], 200)
        if not boto3:
            return
        with report.case("boto3 waits before it sends a throttled call again"):
            must(server, "DELETE", "journal")
            must(server, "DELETE", "faults")
            rule = {"operation": "PutItem", "times": 2, "error": "ProvisionedThroughputExceededException"}
            must(server, "POST", "faults", {"rules": [rule]})
            connect(server)
            boto3.resource("dynamodb").Table("Users").put_item(Item={"userId": "retried"})
            equal(len(lines(server, "?operation=PutItem")), 3)
            equal(ask(server, "POST", "assert", {"assert": [{"min_retry_ms": 1}]})[0], 200)


def at_exit(report):
    for rules, status in (("no=Query,max_read_units=50", 0), ("no=Scan,no_unretried", 3)):
        with report.case(f"--fail-on {rules}: the exit status is {status}"):
            server = Server(*FIXTURE, "--fail-on", rules, "--journal", "0")
            server.call("Scan", {"TableName": "Users"})
            server.process.terminate()
            equal(server.process.wait(PATIENCE), status)
            told = server.read_stderr().splitlines()
            equal(len(told), 2)
            request = r"Scan Users \(in world default at 2[0-9T:.-]+Z by Python-urllib/\d\S+\)"
            equal(told[0], Like(f"broken  no=Scan: it was sent in 1 request, the first is {request}" if status else "holds   no=Query"))
    for options, status, said in (
        ([], 3, "mockddb: --fail-on: no request came, so nothing was checked; --allow-none allows that\n"),
        (["--allow-none"], 0, "holds   no=Scan\n"),
    ):
        with report.case(f"--fail-on without a request, {options}: the exit status is {status}"):
            server = Server("--fail-on", "no=Scan", *options)
            must(server, "POST", "reset")  # verbs are no requests
            server.process.terminate()
            equal((server.process.wait(PATIENCE), server.read_stderr()), (status, said))
    with report.case("--fail-on: other worlds' requests are named with their world"):
        server = Server("--fail-on", "no=Scan,no_validation_errors")
        equal(server.post("Scan", {"TableName": "Nowhere"}, {"x-mockddb-world": "w1"})[0], 400)
        equal(server.post("GetItem", {"TableName": "x"}, {"x-mockddb-world": "w2"})[0], 400)
        server.process.terminate()
        equal(server.process.wait(PATIENCE), 3)
        first, second = server.read_stderr().splitlines()
        assert "is Scan Nowhere (in world w1 at " in first and "is GetItem x (in world w2 at " in second, (first, second)
    with report.case("--fail-on: the first request is named by its shape, without values, and by its client"):
        server = Server("--fail-on", "no=Query,no=Scan", "--mask", "level")
        query = {"TableName": "Log", "KeyConditionExpression": "#p = :p", "FilterExpression": "level = :l",
                 "ExpressionAttributeNames": {"#p": "part"}, "ExpressionAttributeValues": {":p": {"S": "a"}, ":l": {"S": "secret"}}}
        server.post("Query", query, {"User-Agent": "Boto3/1.34.0 md/Botocore#1.34.0"})
        long = "FilterExpression", " AND ".join(f"é{number} = :v" for number in range(100))
        server.post("Scan", {"TableName": "Log", long[0]: long[1]}, {"User-Agent": "x" * 5000})
        server.process.terminate()
        equal(server.process.wait(PATIENCE), 3)
        first, second = server.read_stderr().splitlines()
        assert re.search(r"the first is Query Log where part = \? filter level = \? \(in world default at \S+ by Boto3/1.34.0\)$", first), first
        assert second.count("x") < 100 and "secret" not in first and len(second) < 500, second
    with report.case("--fail-on that is wrong is refused"):
        done = subprocess.run([BINARY, "--fail-on", "no=Scam"], capture_output=True, text=True, timeout=PATIENCE)
        equal((done.returncode, "there is no operation Scam" in done.stderr), (2, True))


def without(report):
    with Server("--journal", "0") as server, report.case("nothing holds of a journal that is not kept"):
        server.call("ListTables", {})
        equal(ask(server, "POST", "assert", {"assert": [{"no": "ListTables"}]})[0], 409)


if __name__ == "__main__":
    report = Report()
    documented(report)
    reading(report)
    followed(report)
    hidden(report)
    asserted(report)
    at_exit(report)
    without(report)
    report.done()
