"""What boto3 and the JavaScript SDK make of faults: which exceptions, how often they ask again, and
which calls each selector of a rule means."""

import json

from admin import must
from boto import boto3, connect
from e2e import Report, Server, equal, has_node

KEY = {"userId": {"S": "u101"}}
PUT = {"TableName": "Users", "Item": {"userId": {"S": "new"}}}


def rules(server, *those):
    must(server, "DELETE", "faults")
    must(server, "POST", "faults", {"rules": list(those)})


def hits(server):
    return [rule["hits"] for rule in must(server, "GET", "faults")["rules"]]


def client_of(server, attempts=1, access_key="a"):
    from botocore.config import Config

    connect(server)
    return boto3.client(
        "dynamodb",
        aws_access_key_id=access_key,
        aws_secret_access_key="b",
        config=Config(retries={"mode": "standard", "total_max_attempts": attempts}),
    )


# --- exceptions -------------------------------------------------------------------------------------

# error, HTTP status, whether boto3 has a class of that name, attempts out of 3
ERRORS = (
    ("ProvisionedThroughputExceededException", 400, True, 3),
    ("RequestLimitExceeded", 400, True, 3),
    ("ThrottlingException", 400, False, 3),
    ("InternalServerError", 500, True, 3),
    ("ServiceUnavailable", 503, False, 3),
    ("TransactionConflictException", 400, True, 1),
    ("TransactionCanceledException", 400, True, 1),
    ("ConditionalCheckFailedException", 400, True, 1),
    ("ItemCollectionSizeLimitExceededException", 400, True, 1),
)


def exceptions(report, server):
    client = client_of(server, attempts=3)
    for error, status, modelled, attempts in ERRORS:
        with report.case(f"boto3: {error}"):
            rules(server, {"operation": "PutItem", "error": error})
            wanted = getattr(client.exceptions, error) if modelled else client.exceptions.ClientError
            try:
                client.put_item(**PUT)
            except wanted as problem:
                answer = problem.response
            equal(answer["Error"]["Code"], error)
            equal(answer["ResponseMetadata"]["HTTPStatusCode"], status)
            equal(hits(server), [attempts])
    with report.case("boto3: the reasons of a cancelled transaction"):
        reasons = ["None", "ConditionalCheckFailed"]
        error = "TransactionCanceledException"
        rules(server, {"operation": "TransactWriteItems", "error": error, "reasons": reasons})
        try:
            client.transact_write_items(TransactItems=[{"Put": PUT}, {"Put": PUT}])
        except client.exceptions.TransactionCanceledException as problem:
            told = problem.response["CancellationReasons"]
        equal([reason["Code"] for reason in told], reasons)
        equal(told[1]["Message"], "The conditional request failed")
    with report.case("boto3: members of a batch of statements that were left"):
        rules(server, {"operation": "BatchExecuteStatement", "unprocessed": 1})
        read = "SELECT * FROM Users WHERE userId = '%s'"
        statements = [{"Statement": read % "u101"}, {"Statement": read % "u1"}]
        first, second = client.batch_execute_statement(Statements=statements)["Responses"]
        equal(first["Item"]["userId"], KEY["userId"])
        equal(second["Error"]["Code"], "ProvisionedThroughputExceeded")
    with report.case("boto3: a clock that is skewed"):
        rules(server, {"skew": "20m"})
        try:
            client.get_item(TableName="Users", Key=KEY)
        except client.exceptions.ClientError as problem:
            answer = problem.response
        equal(answer["Error"]["Code"], "InvalidSignatureException")
        assert answer["Error"]["Message"].startswith("Signature expired: "), answer


# --- which calls ------------------------------------------------------------------------------------


def get(client, user="u101"):
    client.get_item(TableName="Users", Key={"userId": {"S": user}})


def query(client, job="J1", **more):
    client.query(
        TableName="EcomIndexerJobsTable",
        KeyConditionExpression="job_id = :j",
        ExpressionAttributeValues={":j": {"S": job}},
        **more,
    )


def by_index(client, job="J1"):
    query(client, job, IndexName="GSI_JobLookup_v2")


# selector, calls that it hits, calls that it does not hit
SELECTORS = (
    ({"operation": "GetItem"}, [get], [lambda c: c.list_tables()]),
    ({"operation": ["Scan", "GetItem"]}, [get], [lambda c: c.put_item(**PUT)]),
    ({"table": "Users"}, [get, lambda c: c.put_item(**PUT)], [by_index]),
    ({"index": "GSI_JobLookup_v2"}, [by_index], [get]),
    ({"key": KEY}, [get], [lambda c: get(c, "u1")]),
    ({"key": {"job_id": {"S": "J1"}}}, [by_index], [lambda c: by_index(c, "J2")]),
    ({"key_prefix": {"userId": {"S": "u1"}}}, [get], [lambda c: get(c, "u2")]),
    ({"nth": 2}, [], [get]),
    ({"nth": 2, "operation": "GetItem", "times": 1}, [], [get]),
)


def is_hit(client, call):
    try:
        call(client)
    except client.exceptions.ClientError as problem:
        equal(problem.response["Error"]["Code"], "ServiceUnavailable")
        return True
    return False


def selectors(report, server):
    client = client_of(server)
    fault = {"error": "ServiceUnavailable"}
    for selector, hit, spared in SELECTORS:
        with report.case(f"selector {json.dumps(selector)}"):
            rules(server, selector | fault)
            equal([is_hit(client, call) for call in spared], [False] * len(spared))
            equal([is_hit(client, call) for call in hit], [True] * len(hit))
    with report.case("an access key"):
        rules(server, {"access_key": "bob"} | fault)
        equal([is_hit(client_of(server, access_key=key), get) for key in ("amy", "bob")], [False, True])
    with report.case("the nth call, and so many"):
        rules(server, {"nth": 2, "times": 2} | fault)
        equal([is_hit(client, get) for _ in range(5)], [False, True, True, False, False])
    with report.case("chances follow from the seed"):
        seen = []
        for seed in (1, 1, 2):
            rules(server, {"probability": 0.5, "seed": seed} | fault)
            seen.append([is_hit(client, get) for _ in range(30)])
        equal(seen[0], seen[1])
        assert seen[0] != seen[2] and 5 < sum(seen[0]) < 25, seen
    with report.case("a time window is of the world's clock"):
        must(server, "POST", "clock", {"freeze": "2026-01-01T00:00:00Z"})
        window = {"from": "2026-01-01T00:00:10Z", "until": "2026-01-01T00:00:20Z"}
        rules(server, window | fault)
        seen = []
        for _ in range(3):
            seen.append(is_hit(client, get))
            must(server, "POST", "clock", {"advance": "10s"})
        equal(seen, [False, True, False])
        must(server, "POST", "clock", {"resume": True})


# --- reads that are behind --------------------------------------------------------------------------


def behind(report, server):
    client = client_of(server)
    must(server, "POST", "clock", {"freeze": "2026-01-01T00:00:00Z"})
    with report.case("a stale read, and a consistent one"):
        rules(server, {"operation": "GetItem", "stale": True})
        for name in ("first", "second"):
            client.put_item(TableName="Users", Item=KEY | {"name": {"S": name}})
        seen = [
            client.get_item(TableName="Users", Key=KEY, ConsistentRead=way)["Item"]["name"]["S"]
            for way in (False, True)
        ]
        equal(seen, ["first", "second"])
    with report.case("an index lags behind its table, until the clock is moved on"):
        rules(server, {"operation": "Query", "index_lag": "2s"})
        job = {"pk": {"S": "p"}, "sk": {"S": "s"}, "job_id": {"S": "young"}, "created_at": {"S": "c"}}
        client.put_item(TableName="EcomIndexerJobsTable", Item=job)
        ask = {
            "TableName": "EcomIndexerJobsTable",
            "IndexName": "GSI_JobLookup_v2",
            "KeyConditionExpression": "job_id = :j",
            "ExpressionAttributeValues": {":j": job["job_id"]},
        }
        equal(client.query(**ask)["Count"], 0)
        must(server, "POST", "clock", {"advance": "2s"})
        equal(client.query(**ask)["Count"], 1)


def javascript(report, server):
    if not has_node():
        report.skip("the JavaScript SDK", "there is no Node.js 20 or no SDK")
        return
    report.relay_script("faults.mjs", server)


def main():
    report = Report()
    with Server("--fixtures", "guides", "--fixtures", "ecommerce") as server:
        if boto3:
            exceptions(report, server)
            selectors(report, server)
            behind(report, server)
        else:
            report.skip("boto3", "boto3 is not installed")
        javascript(report, server)
    report.done()


if __name__ == "__main__":
    main()
