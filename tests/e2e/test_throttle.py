"""Tables that give no more units than they have: docs/throttling.md is true, the SDKs' own retries
end in success, what was refused is in the metrics, and worlds begin as the options say."""

import datetime

import boto
from admin import ask, documented_commands, must, run_documented
from e2e import Report, Server, equal, has_node

EMPTY = ("--throttle", "provisioned", "--throttle-burst", "empty")


def table(name, units):
    return {
        "TableName": name,
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "ProvisionedThroughput": {"ReadCapacityUnits": units, "WriteCapacityUnits": units},
    }


def documented(report):
    with Server("--fixtures", "guides") as server:
        for line in documented_commands("throttling.md"):
            with report.case(line):
                answer = run_documented(server, line)
                if "message" in answer:
                    raise AssertionError(answer["message"])


def verbs(report):
    off = {"mode": "off", "burst": "full", "tables": []}
    with Server("--throttle", "provisioned,A,B") as server:
        with report.case("what the option says holds at the start, and after a reset"):
            begun = {"mode": "provisioned", "burst": "full", "tables": ["A", "B"]}
            equal(must(server, "GET", "throttle"), begun)
            equal(must(server, "DELETE", "throttle"), off)
            must(server, "POST", "reset")
            equal(must(server, "GET", "throttle"), begun)
        with report.case("a new world begins so too"):
            must(server, "POST", "worlds/other")
            equal(must(server, "GET", "throttle", x_mockddb_world="other"), begun)
        for body in ({"mode": "on"}, {"burst": "half"}, {"tables": "T"}, {"tables": [1]}, {"x": 1},
                     {"tables": []}, {"tables": ["arn:aws:dynamodb:us-east-1:1:table/A"]}):
            with report.case(f"refused: {body}"):
                equal(ask(server, "POST", "throttle", body)[0], 400)
                equal(must(server, "GET", "throttle"), begun)
    for value in ("on", "provisionedX", ""):
        with report.case(f"refused: --throttle {value!r}"):
            try:
                with Server("--throttle", value):
                    raise AssertionError("it started")
            except RuntimeError:
                pass


def set_back(report):
    with Server(*EMPTY) as server, report.case("what is saved up counts from where a clock was set"):
        must(server, "POST", "clock", {"freeze": "2026-01-01T00:00:00Z"})
        server.call("CreateTable", table("Few", 5))
        must(server, "POST", "clock", {"advance": "10s"})
        puts = [
            server.post("PutItem", {"TableName": "Few", "Item": {"pk": {"S": str(i)}}})[0]
            for i in range(60)
        ]
        equal((puts.count(200), puts[:50].count(200)), (50, 50))


def client_of(server, service, mode):
    from botocore.config import Config

    boto.connect(server)
    retries = {"mode": mode, "total_max_attempts": 30}
    return boto.boto3.client(service, config=Config(retries=retries))


def total(server, metric, operation):
    """Sum of a metric of the table, and of an operation on it."""
    now = datetime.datetime.now(datetime.timezone.utc)
    hour = datetime.timedelta(hours=1)
    of = {"TableName": "Few"} | ({"Operation": operation} if operation else {})
    answer = client_of(server, "cloudwatch", "standard").get_metric_statistics(
        Namespace="AWS/DynamoDB",
        MetricName=metric,
        Dimensions=[{"Name": name, "Value": value} for name, value in of.items()],
        StartTime=now - hour,
        EndTime=now + hour,
        Period=7200,
        Statistics=["Sum"],
    )
    return sum(point["Sum"] for point in answer["Datapoints"])


def retries(report, server):
    """The first two items are of three seconds' units, so that the second waits however slow the server is."""
    retried, consumed = 0, 0
    client_of(server, "dynamodb", "standard").create_table(**table("Few", 10))
    for mode in ("standard", "adaptive"):
        with report.case(f"boto3: retries in {mode} mode end in success"):
            client = client_of(server, "dynamodb", mode)
            for i in range(15):
                item = {"pk": {"S": f"{mode}{i}"}, "data": {"S": "x" * (30000 if i < 2 else 10)}}
                answer = client.put_item(TableName="Few", Item=item, ReturnConsumedCapacity="TOTAL")
                retried += answer["ResponseMetadata"]["RetryAttempts"]
                consumed += answer["ConsumedCapacity"]["CapacityUnits"]
            equal(retried > 0, True)
    with report.case("boto3: and in the metrics that belong to them"):
        equal(total(server, "ThrottledRequests", "PutItem"), retried)
        equal(total(server, "WriteThrottleEvents", None), retried)
        equal(total(server, "ConsumedWriteCapacityUnits", None), consumed)
    with report.case("boto3: a batch writer sends again what was left"):
        writer = boto.boto3.resource("dynamodb").Table("Few").batch_writer()
        with writer as batch:
            for i in range(40):
                batch.put_item(Item={"pk": f"batch{i}"})
        scan = client_of(server, "dynamodb", "standard").scan(TableName="Few", Select="COUNT")
        equal(scan["Count"], 70)


def javascript(report, server):
    if not has_node():
        report.skip("the JavaScript SDK", "there is no Node.js 20 or no SDK")
        return
    report.relay_script("throttle.mjs", server)


def main():
    report = Report()
    documented(report)
    verbs(report)
    set_back(report)
    with Server(*EMPTY) as server:
        if boto.boto3:
            retries(report, server)
        else:
            report.skip("boto3", "boto3 is not installed")
    with Server(*EMPTY) as server:
        server.call("CreateTable", table("Few", 10))
        javascript(report, server)
    report.done()


if __name__ == "__main__":
    main()
