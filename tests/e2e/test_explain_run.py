"""mockddb run --explain, and the code of docs/explain.md that asks for explanations of a program's requests."""

import json
import re
import sys

from boto import boto3, connect
from admin import must
from e2e import BINARY, ROOT, Report, Server, equal, NODE_FOLDER, has_node, run_program

FIXTURE = ("--fixtures", "ecommerce", "--table-prefix", "prod-")
JOBS, SETTINGS = "prod-EcomIndexerJobsTable", "prod-EcomIndexSettingsTable"
DOMAIN = {
    "TableName": SETTINGS,
    "FilterExpression": "shopify_domain = :d",
    "ExpressionAttributeValues": {":d": {"S": "e513a8-4.myshopify.com"}},
}
MISSING = {
    "TableName": JOBS,
    "KeyConditionExpression": "pk = :pk",
    "ExpressionAttributeValues": {":pk": {"S": "PLATFORM#shopify#SHOP#e513a8-4.myshopify.com"}},
}
RESERVED = {"TableName": JOBS, "FilterExpression": "status = :s", "ExpressionAttributeValues": {":s": {"S": "FAILED"}}}
ONE = {"TableName": SETTINGS, "Key": {"pk": {"S": "kl7a9h55"}, "sk": {"S": "INDEX#shopify-e513a8-4"}}}
PUT = {"TableName": JOBS, "Item": {"pk": {"S": "new"}, "sk": {"S": "1"}}}
CREATE = {**PUT, "ConditionExpression": "attribute_not_exists(pk)"}

PROGRAM = """
import json, os, sys, urllib.error, urllib.request
for operation, body, headers in json.load(sys.stdin):
    headers = {"X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0",
               "X-Amz-Date": "20240101T000000Z", "Authorization": "AWS4-HMAC-SHA256 Credential=a/20240101/us-east-1/"
               "dynamodb/aws4_request, SignedHeaders=host, Signature=0", **headers}
    try:
        answer = urllib.request.urlopen(urllib.request.Request(os.environ["AWS_ENDPOINT_URL"], body.encode(), headers))
    except urllib.error.HTTPError as error:
        answer = error
    answer.read()
    print(answer.status, answer.headers.get("x-mockddb-explain"))
"""
NOTHING = "nothing was refused, empty or expensive"


def explained(*calls, options=()):
    """The lines of the report about these calls of (operation, request, headers)."""
    calls = [(operation, request if isinstance(request, str) else json.dumps(request), *(headers or [{}]))
             for operation, request, *headers in calls]
    ended = run_program([BINARY, "run", "--explain", *FIXTURE, *options, "--", sys.executable, "-c", PROGRAM], json.dumps(calls))
    if ended.returncode:
        raise AssertionError(ended.stderr)
    lines = [line.removeprefix("mockddb: ").rstrip() for line in ended.stderr.splitlines() if line.startswith("mockddb: ")]
    start = next(i for i, line in enumerate(lines) if line == NOTHING or line.startswith("refused, empty or expensive, by"))
    return lines[start:], ended.stdout.splitlines()


# Calls, and each line of the report that they have, as regular expressions.
CASES = {
    "an empty read has its reason and a command": (
        [("Query", MISSING)] * 2,
        [r"  Query \S+ where pk = \?",
         r"    2 of 2 empty: no item of \S+ has pk .PLATFORM#\S+; .*",
         r"    try: aws dynamodb query .*",
         r"         gives 49 items, 4.5 units"],
    ),
    "a refused request has its reason": (
        [("Scan", RESERVED)],
        [r"  Scan \S+ filter status = \?",
         r"    1 of 1 refused \(ValidationException\): status is a reserved word: .*",
         r"    try: aws dynamodb scan .*",
         r"         gives \d+ items or more"],
    ),
    "a read that could cost less has its hint": (
        [("Scan", DOMAIN)] * 5,
        [r"  Scan \S+ filter shopify_domain = \?",
         r"    5 of 5 up to 20.5 read units: pattern 'settings-by-domain' answers this: .*",
         r"    try: aws dynamodb query .*",
         r"         gives 1 item, 0.5 units"],
    ),
    "what is expensive is listed, though no cheaper way is known": (
        [("Scan", {"TableName": JOBS}), ("Scan", {"TableName": SETTINGS})],
        [r"  Scan prod-EcomIndexerJobsTable", r"    1 of 1 up to \d+\S* read units"],
    ),
    "outcomes of one shape are under one name": (
        [("GetItem", ONE), ("GetItem", {**ONE, "Key": {**ONE["Key"], "sk": {"S": "nothing"}}}),
         ("GetItem", {**ONE, "Key": {"pk": {"N": "1"}, "sk": {"S": "x"}}}), ("GetItem", ONE)],
        [r"  GetItem \S+ where pk = \? AND sk = \?|  GetItem \S+",
         r"    1 of 4 empty: .*", r"(    try: .*|         gives .*)?", r"(         gives .*)?",
         r"    1 of 4 refused \(ValidationException\): .*", r"(    try: .*)?", r"(         gives .*)?"],
    ),
    "a condition that failed is no refusal": (
        [("PutItem", CREATE), ("PutItem", CREATE)],
        [r"  PutItem \S+ if attribute_not_exists\(pk\)", r"    1 of 2 failed \(ConditionalCheckFailedException\): .*",
         r"(    try: .*)?"],
    ),
    "a request that is not JSON": (
        [("Scan", "{")], [r"  a request without a known operation", r"    1 of 1 refused \(SerializationException\).*"],
    ),
    "an operation that does not exist": (
        [("Scam", "{}")], [r"  a request without a known operation", r"    1 of 1 refused \(UnknownOperationException\).*"],
    ),
    "a table that is not there": (
        [("Scan", {"TableName": "prod-EcomIndexerJobTable"})],
        [r"  Scan prod-EcomIndexerJobTable", r"    1 of 1 refused \(ResourceNotFoundException\): .*", r"(    try: .*)?",
         r"(         gives .*)?"],
    ),
}

# What looks wrong, and is not.
TRAPS = {
    "an item that is there": [("GetItem", ONE)],
    "a new item": [("PutItem", CREATE)],
    "no request": [],
    "no item request": [("ListTables", {}), ("DescribeTable", {"TableName": JOBS})],
    "a request that does not count": [("Scan", RESERVED, {"x-mockddb-aside": "true"})],
    "a request that does not count, and is explained": [
        ("Scan", RESERVED, {"x-mockddb-aside": "true", "x-mockddb-explain": "true"})],
    "an empty last page": [("Query", {
        "TableName": SETTINGS, "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": {":p": {"S": "kl7a9h55"}},
        "ExclusiveStartKey": {"pk": {"S": "kl7a9h55"}, "sk": {"S": "~"}}})],
    "a delete": [("PutItem", PUT), ("DeleteItem", {"TableName": JOBS, "Key": PUT["Item"]})],
    "a Query of some items": [("Query", {
        "TableName": SETTINGS, "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": {":p": {"S": "kl7a9h55"}}})],
}


def listed(report):
    for name, (calls, wanted) in CASES.items():
        with report.case(name):
            lines, _ = explained(*calls)
            text = "\n".join(lines[1:])
            assert re.fullmatch(r"\n?".join(wanted), text), text
    for name, calls in TRAPS.items():
        with report.case(f"nothing to say: {name}"):
            equal(explained(*calls)[0], [NOTHING])
    with report.case("answers are as ever, and those that ask have their own explanation, too"):
        lines, answers = explained(("Query", MISSING), ("Query", MISSING, {"x-mockddb-explain": "true"}), ("Scan", RESERVED))
        equal(answers, ["200 None", "200 1", "400 None"])
        assert "    2 of 2 empty" in "\n".join(lines), lines
    with report.case("requests are counted in other worlds"):
        lines, _ = explained(("Scan", RESERVED, {"x-mockddb-world": "a"}), ("Scan", RESERVED, {"x-mockddb-world": "b"}))
        assert "    2 of 2 refused" in "\n".join(lines), lines
    with report.case("requests of mockddb try are counted"):
        script = f"for i in 1 2; do {BINARY} try aws dynamodb scan --table-name {JOBS} --filter-expression 'status = :s' --expression-attribute-values '{{\":s\":{{\"S\":\"x\"}}}}'; done; true"
        ended = run_program([BINARY, "run", "--explain", *FIXTURE, "--", "sh", "-c", script])
        assert "mockddb:     2 of 2 refused (ValidationException): status is a reserved word: " in ended.stderr, ended.stderr
    with report.case("200 groups are kept, and the rest is counted"):
        calls = [("Scan", {"TableName": JOBS, "Limit": 1, "ProjectionExpression": f"a{i}"}) for i in range(230)]
        lines, _ = explained(*calls)
        equal(lines[-1], "  30 requests of other shapes were not looked at")


def bounded(report):
    """Of many requests of one shape three are explained; the journal and the metrics have each once."""
    with report.case("explaining is bounded for each shape"):
        calls = [("Query", {**MISSING, "ExpressionAttributeValues": {":pk": {"S": f"PLATFORM#x#SHOP#{i}"}}}) for i in range(300)]
        lines, _ = explained(*calls, options=("--fail-on", "max_read_units=150"))
        assert "    300 of 300 empty" in lines[2], lines


REFUSED = (
    (["run", "--explain", "--mask", "email", "--", "true"], "--explain shows values of items, also those that --mask hides: give one of them"),
    (["serve", "--explain"], "--explain is about a command: mockddb run --explain -- COMMAND"),
)


def refused(report):
    for words, why in REFUSED:
        with report.case(" ".join(words)):
            ended = run_program([BINARY, *words])
            equal((ended.returncode, ended.stderr), (2, f"mockddb: {why}\n"))


def snippet(language):
    page = (ROOT / "docs/explain.md").read_text()
    (code,) = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    return code


def documented(report):
    with Server("--fixtures", "guides") as server:
        if boto3:
            with report.case("docs/explain.md: boto3"):
                connect(server)
                values = {"boto3": boto3, "print": lambda text: values.setdefault("printed", text)}
                exec(snippet("python"), values)  # pylint: disable=exec-used
                equal(must(server, "GET", f"explanations/{values['printed']}")["id"], values["printed"])
        else:
            report.skip("docs/explain.md: boto3", "there is no boto3")
        if has_node():
            with report.case("docs/explain.md: JavaScript"):
                file = NODE_FOLDER / "explain_snippet.mjs"
                file.write_text(snippet("js"))
                ended = run_program(["node", str(file)], AWS_ENDPOINT_URL_DYNAMODB=server.url, AWS_ACCESS_KEY_ID="a",
                                    AWS_SECRET_ACCESS_KEY="b", AWS_REGION="us-east-1")
                equal(ended.returncode, 0)
                equal(must(server, "GET", f"explanations/{ended.stdout.strip()}")["id"], ended.stdout.strip())
        else:
            report.skip("docs/explain.md: JavaScript", "there is no Node.js 20 or no SDK")


if __name__ == "__main__":
    report = Report()
    listed(report)
    bounded(report)
    refused(report)
    documented(report)
    report.done()
