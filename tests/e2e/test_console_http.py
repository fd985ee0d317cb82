"""The console's files over HTTP: who gets them, with which headers; requests that count nowhere; and the verb that reads commands."""

import gzip
import http.client
import pathlib
import re
import zlib

from admin import ROOT, ask, must
from e2e import PATIENCE, Report, Server, equal, temporary_folder, wait_until

CONSOLE = ROOT / "console"
EXAMPLE = ROOT / "fixtures/ecommerce"
LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
MARKUP = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function")


def get(server, path, headers=None):
    """Returns (status, headers, body)."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        connection.request("GET", path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def named():
    """Returns the files of the page: [(name, path)]."""
    own = [path for path in CONSOLE.rglob("*") if path.suffix in (".html", ".css", ".js", ".svg")]
    example = [*EXAMPLE.glob("tables/*.json"), *EXAMPLE.glob("items/*.jsonl")]
    return sorted(
        [(path.relative_to(CONSOLE).as_posix(), path) for path in own]
        + [(f"example/{path.relative_to(EXAMPLE).as_posix()}", path) for path in example]
    )


def files(report, server):
    for name, path in named():
        with report.case(f"console/{name} is in the program as it is"):
            status, headers, body = get(server, f"/_mockddb/console/{name}")
            equal((status, zlib.crc32(body)), (200, zlib.crc32(path.read_bytes())))
            equal(headers["X-Content-Type-Options"], "nosniff")
    with report.case("the page is packed for who asks for it"):
        status, headers, body = get(server, "/_mockddb/", {"Accept-Encoding": "gzip, br"})
        equal((status, headers["Content-Encoding"]), (200, "gzip"))
        equal(gzip.decompress(body), (CONSOLE / "index.html").read_bytes())
    with report.case("a file that a browser has is not sent again"):
        for path in ("/_mockddb/", "/_mockddb/console/main.js"):
            tag = get(server, path)[1]["ETag"]
            equal(get(server, path, {"Accept-Encoding": "gzip"})[1]["ETag"], tag)
            for known in (tag, tag.removeprefix("W/"), f'"a", {tag}', "*"):
                status, headers, body = get(server, path, {"If-None-Match": known})
                equal((known, status, headers["ETag"], body), (known, 304, tag, b""))
                equal(headers["Content-Length"], None)
                equal("script-src 'self'" in headers["Content-Security-Policy"], True)
            for other in ('"a"', "", tag[:-2] + '"', 'W/"' + "0" * 32 + '"'):
                status, _, body = get(server, path, {"If-None-Match": other})
                equal((other, status, len(body) > 0), (other, 200, True))
    with report.case("two files have two tags"):
        tags = [get(server, f"/_mockddb/console/{name}")[1]["ETag"] for name in ("main.js", "index.html")]
        equal(len(set(tags)), 2)
    with report.case("all of it packed takes less than 350 KB"):
        packed = 0
        for name, _ in named():
            packed += len(get(server, f"/_mockddb/console/{name}", {"Accept-Encoding": "gzip"})[2])
        equal(packed < 350_000, True)
    with report.case("no script but the console's own can run"):
        policy = get(server, "/_mockddb/")[1]["Content-Security-Policy"]
        equal("default-src 'none'" in policy and "script-src 'self';" in policy, True)
        equal("unsafe" in policy, False)
    with report.case("nothing in the sources makes markup of a text"):
        for path in CONSOLE.rglob("*.js"):
            text = path.read_text(encoding="utf-8")
            equal((path.name, MARKUP.findall(text)), (path.name, []))
    with report.case("/_mockddb leads to the page"):
        status, headers, _ = get(server, "/_mockddb")
        equal((status, headers["Location"]), (308, "/_mockddb/"))
    with report.case("a file that is not there, and a path that leads out"):
        equal(get(server, "/_mockddb/console/none.js")[0], 404)
        equal(get(server, "/_mockddb/console/../main.c")[0], 404)
    with report.case("not for pages of other sites"):
        equal(get(server, "/_mockddb/", {"Sec-Fetch-Site": "cross-site"})[0], 403)
        equal(get(server, "/_mockddb/console/main.js", LINK)[0], 403)
        equal(get(server, "/_mockddb/clock", LINK)[0], 403)
        equal(get(server, "/_mockddb/health", LINK)[0], 403)
    with report.case("a link of another site opens the page"):
        equal(get(server, "/_mockddb/", LINK)[0], 200)
        equal(get(server, "/_mockddb", LINK)[0], 308)
        equal(get(server, "/_mockddb/", LINK | {"Sec-Fetch-Dest": "iframe"})[0], 403)
        equal(get(server, "/_mockddb/", LINK | {"Origin": "http://a.example"})[0], 403)
        equal(get(server, "/_mockddb/", LINK | {"Host": "a.example"})[0], 403)


def operation(server, name, **headers):
    """One ListTables with these headers; returns its status."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    sent = {
        "Content-Type": "application/x-amz-json-1.0",
        "X-Amz-Target": f"DynamoDB_20120810.{name}",
        "X-Amz-Date": "20260101T000000Z",
        "Authorization": "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, "
        "SignedHeaders=host, Signature=0",
    } | {key.replace("_", "-"): value for key, value in headers.items()}
    try:
        connection.request("POST", "/", "{}", sent)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def journalled(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        connection.request("GET", "/_mockddb/journal")
        return len(connection.getresponse().read().splitlines())
    finally:
        connection.close()


def aside(report):
    with Server() as server:
        with report.case("who looks on is in no journal"):
            equal(operation(server, "ListTables", x_mockddb_aside="true"), 200)
            equal(journalled(server), 0)
            equal(operation(server, "ListTables", x_mockddb_aside="false"), 200)
            equal(journalled(server), 1)
        with report.case("who looks on meets no fault, and uses none up"):
            rule = {"operation": "ListTables", "times": 1, "error": "ServiceUnavailable"}
            must(server, "POST", "faults", {"rules": [rule]})
            equal(operation(server, "ListTables", x_mockddb_aside="true"), 200)
            equal(operation(server, "ListTables"), 503)
    with report.case("without verbs nobody looks on"):
        server = Server("--no-admin", "--fail-on", "no=ListTables")
        equal(operation(server, "ListTables", x_mockddb_aside="true"), 200)
        server.process.terminate()
        equal(server.process.wait(PATIENCE), 3)


JOBS = "EcomIndexerJobsTable"
READ = {"TableName": JOBS, "IndexName": "GSI_JobLookup_v2", "KeyConditionExpression": "job_id = :j",
        "ExpressionAttributeValues": {":j": {"S": "none"}}}  # the pattern job-by-id, whose index has 1 read unit
MEASURED = {  # ways of a request aside that is explained
    "the headers": lambda server: by_headers(server),
    "the verb try": lambda server: must(server, "POST", "try", {"operation": "Query", "request": READ, "aside": True}),
}


def by_headers(server):
    status, headers, _ = server.post("Query", READ, {"x-mockddb-aside": "true", "x-mockddb-explain": "true"})
    answer = must(server, "GET", f"explanations/{headers['x-mockddb-explain']}")
    return {"status": status, "explanation": answer["explanation"]}


def counts(server):
    """Whatever a request leaves."""
    figures = re.findall(r"^mockddb_(?:requests|consumed)\S* .*", get(server, "/_mockddb/metrics")[2].decode(), re.MULTILINE)
    used = [one["name"] for one in must(server, "GET", "patterns")["patterns"] if one["used"] or one["steps"][0]["requests"]]
    return journalled(server), figures, used, must(server, "GET", "faults")["rules"][0]["hits"]


def measured(report):
    """A request that is aside is explained, and counts nowhere."""
    with Server("--fixtures", "ecommerce", "--throttle", "provisioned", "--throttle-burst", "empty") as server:
        small = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
        indexes = [{"Update": {"IndexName": name, "ProvisionedThroughput": small}} for name in ("GSI_JobLookup_v2", "GSI_JobsByStatus_v2")]
        server.call("UpdateTable", {"TableName": JOBS, "BillingMode": "PROVISIONED", "ProvisionedThroughput": small,
                                    "GlobalSecondaryIndexUpdates": indexes})
        must(server, "POST", "faults", {"rules": [{"operation": "Query", "times": 1, "error": "ServiceUnavailable"}]})
        before = counts(server)
        for name, run in MEASURED.items():
            with report.case(f"aside and explained, by {name}"):
                for _ in range(10):  # more than the index's units
                    answer = run(server)
                    equal((answer["status"], answer["explanation"]["facts"]["read"]), (200, 0))
                    assert "none" in answer["explanation"]["reason"], answer
                equal(counts(server), before)
        with report.case("runs of patterns count nowhere"):
            assert must(server, "POST", "patterns/run", {})["report"]["patterns"] > 10
            equal(counts(server), before)
        with report.case("try without an explanation"):
            answer = must(server, "POST", "try", {"operation": "Query", "request": READ, "aside": True, "explain": False})
            equal((sorted(answer), counts(server)), (["response", "status"], before))
        with report.case("a request that is not aside counts"):
            equal([server.post("Query", READ)[0] for _ in range(2)], [503, 200])
            equal([now == then for now, then in zip(counts(server), before)], [False, False, False, False])
            wait_until(lambda: server.post("Query", READ)[0] == 400)  # throttled


def left_out(report):
    with temporary_folder() as folder:
        keys = pathlib.Path(folder, "keys")
        keys.write_text("AKIA secret\n", encoding="utf-8")
        for options in (["--no-console"], ["--no-admin"], ["--require-signature", str(keys)]):
            with report.case(f"no page with {options[0]}"), Server(*options) as server:
                equal(get(server, "/_mockddb/")[0] in (403, 404), True)
                equal(get(server, "/_mockddb/console/main.js")[0] in (403, 404), True)
                equal(get(server, "/_mockddb/health")[0], 200)


COMMANDS_REFUSED = (
    ("nothing", ""),
    ("two commands", "aws dynamodb list-tables\naws dynamodb list-tables"),
    ("another program", "rm -rf /"),
    ("a file", "aws dynamodb put-item --table-name t --item file:///etc/passwd"),
    ("a file behind a =", "aws dynamodb put-item --table-name t --item=file:///etc/passwd"),
    ("a binary file", "aws dynamodb put-item --table-name t --item fileb:///etc/passwd"),
    ("a file in shorthand", "aws dynamodb put-item --table-name tab --item a={S@=file:///etc/passwd}"),
    ("a file of options", "aws dynamodb query --cli-input-json file:///etc/passwd"),
    ("a command without what it needs", "aws dynamodb get-item --table-name t"),
    ("a waiter", "aws dynamodb wait table-exists --table-name t"),
)


def commands(report, server):
    with report.case("a command as the request that it sends"):
        command = "aws dynamodb get-item --table-name t \\\n --key '{\"pk\": {\"S\": \"a\"}}'"
        request = {"TableName": "t", "Key": {"pk": {"S": "a"}}}
        answer = must(server, "POST", "command", {"command": f"{command} --profile p"})
        equal(answer, {"operation": "GetItem", "request": request})
    with report.case("a page's size is no page of the CLI's"):
        command = "aws dynamodb scan --table-name t --limit 3"
        answer = must(server, "POST", "command", {"command": command})
        equal(answer, {"operation": "Scan", "request": {"TableName": "t", "Limit": 3}})
    for name, command in COMMANDS_REFUSED:
        with report.case(f"refused: {name}"):
            status, answer = ask(server, "POST", "command", {"command": command})
            equal((status, list(answer), "root:" in answer["message"]), (400, ["message"], False))


def main():
    report = Report()
    with Server() as server:
        files(report, server)
        commands(report, server)
        with report.case("the server ends cleanly"):
            server.stop()
    aside(report)
    measured(report)
    left_out(report)
    report.done()


main()
