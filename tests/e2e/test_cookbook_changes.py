"""The cookbook's commands that change tables: throughput, billing, time to live, indexes."""

from cookbook import QUERY_INDEX, item, key_schema, one_page, page, run_sections, table
from e2e import Commands, Misuse, Refusal, Report, Server, Shell, equal

INVALID = "One or more parameter values were invalid: "


def describe(server, name):
    return server.call("DescribeTable", {"TableName": name})["Table"]


def units(description):
    throughput = description["ProvisionedThroughput"]
    return throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]


def capacity(command, server):
    case = command.report.case
    table(server, "Events", "eventId", provisioned=True)
    update = r"""
aws dynamodb update-table \
--table-name Events \
--provisioned-throughput ReadCapacityUnits=20,WriteCapacityUnits=10
"""
    with case("update provisioned capacity"):
        answer = command.shell.run(update).json["TableDescription"]
        equal((answer["TableStatus"], units(answer)), ("UPDATING", (5, 5)))
        after = describe(server, "Events")
        equal((after["TableStatus"], units(after)), ("ACTIVE", (20, 10)))
        assert "LastIncreaseDateTime" in after["ProvisionedThroughput"]
    command(
        "update it to what it is",
        update,
        Refusal(
            "UpdateTable",
            "ValidationException",
            "The provisioned throughput for the table will not change. The requested value equals "
            "the current value. Current ReadCapacityUnits provisioned for the table: 20. Requested "
            "ReadCapacityUnits: 20. Current WriteCapacityUnits provisioned for the table: 10. "
            "Requested WriteCapacityUnits: 10. Refer to the Amazon DynamoDB Developer Guide for "
            "current limits and how to request higher limits.",
        ),
    )
    with case("switch to on-demand billing"):
        answer = command.shell.run(
            r"""
aws dynamodb update-table \
--table-name Events \
--billing-mode PAY_PER_REQUEST
"""
        ).json["TableDescription"]
        equal(answer["TableStatus"], "UPDATING")
        after = describe(server, "Events")
        equal((after["TableStatus"], units(after)), ("ACTIVE", (0, 0)))
        equal(after["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")


def time_to_live(command, server):
    enable = r"""
aws dynamodb update-time-to-live \
--table-name Sessions \
--time-to-live-specification Enabled=true,AttributeName=ttl
"""
    command(
        "enable time to live on a table that is not there",
        enable,
        Refusal(
            "UpdateTimeToLive",
            "ResourceNotFoundException",
            "Requested resource not found: Table: Sessions not found",
        ),
    )
    table(server, "Sessions", "sessionId")
    command(
        "enable time to live",
        enable,
        {"TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"}},
    )
    command(
        "time to live is enabled",
        "aws dynamodb describe-time-to-live --table-name Sessions",
        {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"}},
    )
    command(
        "enable it twice",
        enable,
        Refusal("UpdateTimeToLive", "ValidationException", "TimeToLive is already enabled"),
    )


ADD_INDEX = r"""
aws dynamodb update-table \
--table-name Orders \
--attribute-definitions \
AttributeName=status,AttributeType=S \
AttributeName=createdAt,AttributeType=S \
--global-secondary-index-updates '[
{
"Create": {
"IndexName": "status-createdAt-index",
"KeySchema": [
{"AttributeName":"status","KeyType":"HASH"},
{"AttributeName":"createdAt","KeyType":"RANGE"}
],
"Projection": {"ProjectionType":"INCLUDE","NonKeyAttributes":["orderId","total"]},
"ProvisionedThroughput": {"ReadCapacityUnits":5,"WriteCapacityUnits":5}
}
}
]'
"""
ORDERS = [
    item(customerId="c1", orderId="o1", status="shipped", createdAt="2024-02-20", total=3, n=1),
    item(customerId="c2", orderId="o2", status="shipped", createdAt="2024-03-01", total=4, n=2),
    item(customerId="c2", orderId="o3", status="pending", createdAt="2024-03-02", total=5, n=3),
    item(customerId="c3", orderId="o4", total=6, n=4),
]


def add_index(command, server):
    case = command.report.case
    table(server, "Orders", "customerId", "orderId")
    command(
        "add an index with throughput to a table that is billed per request",
        ADD_INDEX,
        Refusal(
            "UpdateTable",
            "ValidationException",
            INVALID
            + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: "
            "status-createdAt-index when BillingMode is PAY_PER_REQUEST",
        ),
    )
    server.call("DeleteTable", {"TableName": "Orders"})
    table(server, "Orders", "customerId", "orderId", provisioned=True)
    server.put_items("Orders", ORDERS)
    with case("add an index to a table with items"):
        answer = command.shell.run(ADD_INDEX).json["TableDescription"]
        equal(answer["TableStatus"], "UPDATING")
        (index,) = answer["GlobalSecondaryIndexes"]
        equal((index["IndexStatus"], index["Backfilling"]), ("CREATING", False))
        equal(index["KeySchema"], key_schema("status", "createdAt"))
    with case("the index becomes active, and existing items are in it"):
        command.shell.run("aws dynamodb wait table-exists --table-name Orders")
        (index,) = describe(server, "Orders")["GlobalSecondaryIndexes"]
        equal((index["IndexStatus"], index["ItemCount"], "Backfilling" in index),
              ("ACTIVE", 3, False))
    command("query it, with a flag that takes no value", QUERY_INDEX, Misuse("Unknown options"))
    projected = [
        {name: value for name, value in order.items() if name != "n"} for order in ORDERS
    ]
    command(
        "query it, newest first: what it projects",
        QUERY_INDEX.replace("--scan-index-forward false", "--no-scan-index-forward"),
        page([projected[1], projected[0]]),
    )
    with case("delete an index"):
        answer = command.shell.run(
            r"""
aws dynamodb update-table \
--table-name Orders \
--global-secondary-index-updates '[{"Delete":{"IndexName":"status-createdAt-index"}}]'
"""
        ).json["TableDescription"]
        equal(answer["GlobalSecondaryIndexes"][0]["IndexStatus"], "DELETING")
        after = describe(server, "Orders")
        equal("GlobalSecondaryIndexes" in after, False)
        names = sorted(d["AttributeName"] for d in after["AttributeDefinitions"])
        equal(names, ["customerId", "orderId"])
    command(
        "query an index that is gone",
        QUERY_INDEX.replace("--scan-index-forward false", "--no-scan-index-forward"),
        Refusal(
            "Query",
            "ValidationException",
            "The table does not have the specified index: status-createdAt-index",
        ),
    )


def email_index(command, server):
    """From the overview: an index on a table of users, by a command on one line."""
    table(server, "Users", "PK", "SK")
    server.put_items(
        "Users",
        [
            item(PK="USER#123", SK="PROFILE", email="john@example.com"),
            item(PK="USER#123", SK="ORDER#1"),
        ],
    )
    with command.report.case("overview: add an index of e-mail addresses"):
        answer = command.shell.run(
            """aws dynamodb update-table --table-name Users \
--attribute-definitions AttributeName=email,AttributeType=S \
--global-secondary-index-updates '[ { "Create": { "IndexName": "email-index", \
"KeySchema": [{"AttributeName": "email", "KeyType": "HASH"}], \
"Projection": {"ProjectionType": "ALL"} } } ]'"""
        ).json
        equal(answer["TableDescription"]["GlobalSecondaryIndexes"][0]["IndexName"], "email-index")
    command(
        "overview: scan the new index",
        "aws dynamodb scan --table-name Users --index-name email-index --limit 10",
        one_page([item(PK="USER#123", SK="PROFILE", email="john@example.com")]),
    )


def main():
    report = Report()
    with Server() as server, Shell(server) as shell:
        if not shell.cli:
            report.skip("the cookbook's table changes", "there is no AWS CLI")
            report.done()
        command = Commands(report, shell)
        run_sections(report, command, server, (capacity, time_to_live, add_index, email_index))
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
