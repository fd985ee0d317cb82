"""Which access patterns requests are: the journal, coverage, drafts, assertions, the log, run."""

import json
import pathlib
import shutil
import subprocess
import tempfile

from admin import ask, must
from e2e import BINARY, PATIENCE, ROOT, Report, Server, equal, temporary_folder

ECOMMERCE = ("--fixtures", "ecommerce", "--table-prefix", "prod-")
JOBS = "prod-EcomIndexerJobsTable"
SETTINGS = "prod-EcomIndexSettingsTable"
LOOKUP = {
    "TableName": JOBS,
    "IndexName": "GSI_JobLookup_v2",
    "KeyConditionExpression": "#j = :j",
    "ExpressionAttributeNames": {"#j": "job_id"},
    "ExpressionAttributeValues": {":j": {"S": "3f2b8c54-9d1e-4a77-b0c6-5e8f1a2d7c90"}},
}
SCAN = {
    "TableName": SETTINGS,
    "FilterExpression": "shopify_domain = :d",
    "ExpressionAttributeValues": {":d": {"S": "e513a8-4.myshopify.com"}},
}
HINT = "pattern 'settings-by-domain' answers this: Query GSI_ShopifyDomain by shopify_domain"


def by_status(status):
    return {
        "TableName": JOBS,
        "IndexName": "GSI_JobsByStatus_v2",
        "KeyConditionExpression": "shop_id = :s AND begins_with(status_created_at, :p)",
        "ExpressionAttributeValues": {":s": {"S": "nobody"}, ":p": {"S": status + "#"}},
    }


UNKNOWN = (
    ("Query", {**LOOKUP, "ProjectionExpression": "pk"}),
    ("Scan", {"TableName": JOBS, "Limit": 5}),
    ("BatchGetItem", {"RequestItems": {SETTINGS: {"Keys": [{"pk": {"S": "kl7a9h55"}, "sk": {"S": "x"}}]}}}),
    ("ExecuteStatement", {"Statement": f'SELECT * FROM "{SETTINGS}" WHERE pk = ?', "Parameters": [{"S": "kl7a9h55"}]}),
    ("UpdateItem", {
        "TableName": JOBS,
        "Key": {"pk": {"S": "a"}, "sk": {"S": "b"}},
        "UpdateExpression": "SET x = :x",
        "ExpressionAttributeValues": {":x": {"N": "1"}},
    }),
)
FAILS = {"TableName": JOBS, "Key": {"pk": {"S": "a"}, "sk": {"S": "b"}}, "ConditionExpression": "attribute_exists(y)"}


def journal(server):
    status, _, lines = http(server, "/_mockddb/journal")
    equal(status, 200)
    return [json.loads(line) for line in lines.splitlines()]


def http(server, path):
    done = subprocess.run(
        ["curl", "-s", "-w", "%{http_code}", server.url + path],
        capture_output=True, text=True, timeout=PATIENCE, check=True,
    )
    return int(done.stdout[-3:]), None, done.stdout[:-3]


def used(answer):
    return {one["name"]: one["used"] for one in answer["patterns"] if one["used"]}


def traffic(report, server):
    with report.case("nothing was asked yet: what fixtures did is not counted"):
        answer = must(server, "GET", "patterns")
        equal((answer["requests"], answer["unmatched"], used(answer)), (0, [], {}))
    found = server.call("Query", LOOKUP)["Items"][0]
    with report.case("a pattern of two steps is used when both were sent"):
        equal(used(must(server, "GET", "patterns")), {})
        server.call("GetItem", {"TableName": JOBS, "Key": {key: found[key] for key in ("pk", "sk")}})
        equal(used(must(server, "GET", "patterns")), {"job-by-id": 1})
    with report.case("values tell patterns of one shape apart"):
        server.call("Query", by_status("PENDING"))
        server.call("Query", by_status("PENDING"))
        server.call("Query", by_status("IN_PROGRESS"))
        answer = used(must(server, "GET", "patterns"))
        equal((answer["jobs-pending"], answer["jobs-in-progress"]), (2, 1))
    for _ in range(2):
        server.call("Scan", SCAN)
    with report.case("a Scan that a pattern answers gets the hint in the journal, once in the log"):
        entries = journal(server)
        equal([entry.get("pattern") for entry in entries][:3], ["job-by-id", "job-by-id", "jobs-pending"])
        equal([entry.get("hint") for entry in entries[-2:]], [HINT, HINT])
        equal(server.read_stderr().count(HINT), 1)
    with report.case("…, in the report, and in the explanation"):
        (one,) = must(server, "GET", "patterns")["unmatched"]
        equal((one["requests"], one["hint"]), (2, HINT))
        hints = must(server, "POST", "try", {"operation": "Scan", "request": SCAN})["explanation"]["hints"]
        assert hints[0]["name"] == "access-pattern" and HINT in hints[0]["text"], hints
    with report.case("worlds are apart, and counted together"):
        must(server, "POST", "worlds/w")
        equal(must(server, "GET", "patterns", x_mockddb_world="w")["requests"], 0)
        server.post("Query", LOOKUP, {"x-mockddb-world": "w"})
        equal(must(server, "GET", "patterns", x_mockddb_world="w")["requests"], 1)
        here, all_worlds = (must(server, "GET", path)["requests"] for path in ("patterns", "patterns?worlds=all"))
        equal(all_worlds, here + 1)
    with report.case("what patterns/run asks is nobody's traffic"):
        before = must(server, "GET", "patterns")
        must(server, "POST", "patterns/run", {})
        equal(must(server, "GET", "patterns"), before)
    with report.case("a refused request uses no pattern"):
        before = used(must(server, "GET", "patterns"))
        half, wrong = {"pk": found["pk"]}, {"pk": found["pk"], "sk": {"N": "1"}}
        for key in (half, wrong):
            equal(server.post("GetItem", {"TableName": JOBS, "Key": key})[0], 400)
        equal(server.post("Query", {**LOOKUP, "ReturnConsumedCapacity": "all"})[0], 400)
        equal(used(must(server, "GET", "patterns")), before)
        equal([entry.get("pattern") for entry in journal(server)[-3:]], [None, None, None])
    with report.case("ListTables is no request for items"):
        before = must(server, "GET", "patterns")
        server.call("ListTables", {})
        equal(must(server, "GET", "patterns"), before)


ASSERTIONS = (
    ({"pattern": "jobs-pending"}, None),
    ({"pattern": ["job-by-id", "jobs-pending"]}, None),
    ({"pattern": ["jobs-pending", "shop-settings"]}, "shop-settings was not used"),
    ({"only_catalogue_indexes": True}, None),
)


def assertions(report, server):
    for assertion, why in ASSERTIONS:
        with report.case(f"assert {json.dumps(assertion)}"):
            status, answer = ask(server, "POST", "assert", {"assert": [assertion]})
            equal((status, answer["report"][0].get("why")), (409 if why else 200, why))
    with report.case("refused: a pattern that there is not"):
        equal(
            ask(server, "POST", "assert", {"assert": [{"pattern": "nope"}]}),
            (400, {"message": "pattern: there is no pattern nope"}),
        )
    with report.case("an index that no pattern uses is read"):
        index = server.call("DescribeTable", {"TableName": JOBS})["Table"]["GlobalSecondaryIndexes"]
        names = {one["IndexName"] for one in index} - {"GSI_JobLookup_v2", "GSI_JobsByStatus_v2"}
        for name in names:
            server.call("Scan", {"TableName": JOBS, "IndexName": name, "Limit": 1})
        status, answer = ask(server, "POST", "assert", {"assert": [{"only_catalogue_indexes": True}]})
        equal(status, 409 if names else 200)


def drafts(report):
    with Server(*ECOMMERCE, "--mask", "secret") as server:
        for operation, request in UNKNOWN:
            server.call(operation, request)
        server.post("Query", {"TableName": JOBS})
        status, _, _ = server.post("DeleteItem", FAILS)
        equal(status, 400)
        unmatched = must(server, "GET", "patterns")["unmatched"]
        with report.case("each request that matches no pattern has a draft, but for one that was refused"):
            equal(len(unmatched), len(UNKNOWN) + 2)
            equal(["draft" in one for one in unmatched], [True] * len(UNKNOWN) + [False, True])
            equal([one["error"] for one in unmatched[-2:]], ["ValidationException", "ConditionalCheckFailedException"])
            equal(unmatched[-1]["draft"]["steps"][0]["expect"], {"error": "ConditionalCheckFailedException"})
        with report.case("drafts hold as they stand"):
            file = {"patterns": [one["draft"] for one in unmatched if "draft" in one]}
            answer = must(server, "POST", "patterns/run", {"file": file, "allow_writes": True})
            assert answer["holds"], json.dumps(answer, indent=1)
        with report.case("with drafts for patterns, all requests are one"):
            with tempfile.NamedTemporaryFile("w", suffix=".json") as text:
                json.dump(file, text)
                text.flush()
                with Server("--fixtures", "ecommerce", "--table-prefix", "prod-", "--patterns", text.name) as second:
                    for operation, request in UNKNOWN:
                        second.call(operation, request)
                    second.post("DeleteItem", FAILS)
                    answer = must(second, "GET", "patterns")
                    equal((answer["matched"], answer["unmatched"]), (len(UNKNOWN) + 1, []))
        with report.case("values of masked attributes are in no draft"):
            server.call("PutItem", {"TableName": JOBS, "Item": {"pk": {"S": "a"}, "sk": {"S": "b"}, "secret": {"S": "hush"}}})
            server.call("Scan", {
                "TableName": JOBS, "FilterExpression": "secret = :s",
                "ExpressionAttributeValues": {":s": {"S": "hush"}},
            })
            server.call("ExecuteStatement", {"Statement": f"SELECT * FROM \"{JOBS}\" WHERE secret = 'hush'"})
            server.call("ExecuteStatement", {
                "Statement": f'SELECT * FROM "{JOBS}" WHERE secret <> ?', "Parameters": [{"S": "hush"}]})
            assert "hush" not in json.dumps(must(server, "GET", "patterns"))
        with report.case("a hundred shapes are kept, the rest is counted"):
            for number in range(120):
                server.call("Scan", {"TableName": JOBS, "Limit": 1, "ProjectionExpression": f"a{number}"})
            answer = must(server, "GET", "patterns")
            equal(len(answer["unmatched"]), 100)
            assert answer["more"] > 20, answer["more"]
        with report.case("an empty journal counts anew"):
            must(server, "DELETE", "journal")
            equal(must(server, "GET", "patterns")["requests"], 0)


def documented(report):
    """The line of docs/patterns.md that makes a file of the drafts."""
    page = (ROOT / "docs/patterns.md").read_text()
    (line,) = (line for line in page.splitlines() if line.startswith("mockddb ctl"))
    if not shutil.which("jq"):
        report.skip(line, "there is no jq")
        return
    with Server(*ECOMMERCE) as server, temporary_folder() as folder:
        server.call("Scan", SCAN)
        server.post("Query", {"TableName": JOBS})  # it has no draft
        with report.case(line):
            command = line.replace("mockddb ctl", f"{pathlib.Path(BINARY).absolute()} ctl --endpoint {server.url}")
            subprocess.run(command, shell=True, cwd=folder, timeout=PATIENCE, check=True)
            file = json.loads((pathlib.Path(folder) / "drafts.json").read_text())
            assert must(server, "POST", "patterns/run", {"file": file})["holds"]


def without(report):
    with Server() as server:
        with report.case("a server without patterns says so"):
            equal(
                ask(server, "GET", "patterns"),
                (404, {"message": "the server has no access patterns; --patterns FILE gives it some"}),
            )
            equal(ask(server, "POST", "assert", {"assert": [{"pattern": "x"}]})[0], 400)
    with report.case("--fail-on: a pattern that there is not ends the start"):
        done = run("serve", "--port", "0", "--fail-on", "pattern=nope", *ECOMMERCE)
        equal((done.returncode, "there is no pattern nope" in done.stderr), (2, True))


def run(*words):
    return subprocess.run([BINARY, *words], capture_output=True, text=True, timeout=PATIENCE, check=False)


CALLS = """
curl -s $AWS_ENDPOINT_URL -H 'X-Amz-Target: DynamoDB_20120810.Scan' -H 'X-Amz-Date: 20240101T000000Z' \
  -H 'Content-Type: application/x-amz-json-1.0' -H "x-mockddb-world: $1" -H "Authorization: AWS4-HMAC-SHA256 \
Credential=a/20240101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0" -d "$2" >/dev/null
"""


def reports(report):
    body = json.dumps(SCAN)
    script = f"call() {{ {CALLS}\n}}; call one '{body}'; call two '{body}'"
    done = run("run", *ECOMMERCE, "--", "sh", "-c", script)
    with report.case("run counts all worlds"):
        assert "mockddb: 2 requests, 41 read units" in done.stderr, done.stderr
    with report.case("run says which patterns were used, and which requests are none"):
        assert "0 of 21 access patterns used, 0 of 2 requests are one" in done.stderr, done.stderr
        assert HINT in done.stderr.split("access patterns used")[1], done.stderr
    with report.case("run --fail-on pattern"):
        done = run("run", "--fail-on", "pattern=settings-by-domain", "--allow-none", *ECOMMERCE, "--", "true")
        equal((done.returncode, "settings-by-domain was not used" in done.stderr), (3, True))


def refused(report):
    """A GetItem with half a key is refused, and uses no pattern that asks for the partition."""
    half = {"TableName": SETTINGS, "Key": {"pk": {"S": "kl7a9h55"}}}
    whole = {"TableName": SETTINGS, "Key": {"pk": {"S": "kl7a9h55"}, "sk": {"S": "INDEX#products"}}}
    name = next(one["name"] for one in used_by(whole))
    for request, status in ((half, 3), (whole, 0)):
        with report.case(f"--fail-on pattern={name} after {sorted(request['Key'])}: the exit status is {status}"):
            server = Server(*ECOMMERCE, "--fail-on", f"pattern={name}")
            equal(server.post("GetItem", request)[0], 400 if status else 200)
            equal(any(one["used"] for one in must(server, "GET", "patterns")["patterns"]), not status)
            server.process.terminate()
            equal(server.process.wait(PATIENCE), status)


def used_by(request):
    """The patterns that a GetItem uses."""
    with Server(*ECOMMERCE) as server:
        server.call("GetItem", request)
        return [one for one in must(server, "GET", "patterns")["patterns"] if one["used"]]


def main():
    report = Report()
    with Server(*ECOMMERCE) as server:
        traffic(report, server)
        assertions(report, server)
    drafts(report)
    documented(report)
    without(report)
    reports(report)
    refused(report)
    report.done()


main()
