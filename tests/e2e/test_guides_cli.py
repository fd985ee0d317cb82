"""The CLI commands of two general DynamoDB guides."""

import json

from cookbook import drop, item, one_page, page, table
from e2e import Commands, Report, Server, Shell, equal

CREATE_LOCALLY = r"""
aws dynamodb create-table \
--endpoint-url http://localhost:8000 \
--table-name MyTable \
--attribute-definitions \
AttributeName=PK,AttributeType=S \
AttributeName=SK,AttributeType=S \
AttributeName=GSI1PK,AttributeType=S \
AttributeName=GSI1SK,AttributeType=S \
--key-schema \
AttributeName=PK,KeyType=HASH \
AttributeName=SK,KeyType=RANGE \
--global-secondary-indexes \
'IndexName=GSI1,KeySchema=[{AttributeName=GSI1PK,KeyType=HASH},{AttributeName=GSI1SK,KeyType=RANGE}],Projection={ProjectionType=ALL}' \
--billing-mode PAY_PER_REQUEST
"""


def overview(command, server):
    command(
        "overview: create a table",
        r"""
aws dynamodb create-table \
--table-name Users \
--attribute-definitions \
AttributeName=PK,AttributeType=S \
AttributeName=SK,AttributeType=S \
--key-schema \
AttributeName=PK,KeyType=HASH \
AttributeName=SK,KeyType=RANGE \
--billing-mode PAY_PER_REQUEST \
--query TableDescription.TableName --output text
""",
        "Users\n",
    )
    drop(server, "Users")


def quick_reference(command, server):
    port = server.url.rsplit(":", 1)[1]
    profile = item(PK="USER#1", SK="PROFILE")
    command(
        "skill: create the table at a local endpoint (here on another port than 8000)",
        CREATE_LOCALLY.replace("8000", port).rstrip()
        + " --query 'TableDescription.GlobalSecondaryIndexes[].IndexName'",
        ["GSI1"],
    )
    with command.report.case("skill: describe and delete a table"):
        shown = command.shell.run("aws dynamodb describe-table --table-name MyTable").json
        equal(shown["Table"]["TableStatus"], "ACTIVE")
        gone = command.shell.run("aws dynamodb delete-table --table-name MyTable").json
        equal(gone["TableDescription"]["TableStatus"], "DELETING")
    with command.report.case("skill: create a table from a file"):
        (command.shell.home / "table.json").write_text(
            json.dumps(
                {
                    "TableName": "MyTable",
                    "AttributeDefinitions": [
                        {"AttributeName": "PK", "AttributeType": "S"},
                        {"AttributeName": "SK", "AttributeType": "S"},
                    ],
                    "KeySchema": [
                        {"AttributeName": "PK", "KeyType": "HASH"},
                        {"AttributeName": "SK", "KeyType": "RANGE"},
                    ],
                    "BillingMode": "PAY_PER_REQUEST",
                }
            )
        )
        made = command.shell.run(
            "aws dynamodb create-table --cli-input-json file://table.json"
        ).json
        equal(made["TableDescription"]["TableName"], "MyTable")
    command(
        "skill: put an item",
        """aws dynamodb put-item --table-name MyTable """
        """--item '{"PK":{"S":"USER#1"},"SK":{"S":"PROFILE"}}'""",
        "",
    )
    get = (
        """aws dynamodb get-item --table-name MyTable """
        """--key '{"PK":{"S":"USER#1"},"SK":{"S":"PROFILE"}}'"""
    )
    command("skill: get it", get, {"Item": profile})
    query = r"""
aws dynamodb query --table-name MyTable \
--key-condition-expression "PK = :pk" \
--expression-attribute-values '{":pk":{"S":"USER#1"}}'
"""
    command("skill: query it", query, page([profile]))
    command(
        "skill: scan, at most ten items",
        "aws dynamodb scan --table-name MyTable --limit 10",
        one_page([profile]),
    )
    command(
        "skill: delete the item",
        """aws dynamodb delete-item --table-name MyTable """
        """--key '{"PK":{"S":"USER#1"},"SK":{"S":"PROFILE"}}'""",
        "",
    )
    command("skill: it is gone", get, "")
    command("skill: the query finds nothing", query, page([]))
    drop(server, "MyTable")


def any_credentials(command, server):
    table(server, "Shared", "pk")
    for name, settings in (
        ("other keys", "AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=y"),
        ("another region", "AWS_DEFAULT_REGION=eu-central-1"),
        ("a session token", "AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=y AWS_SESSION_TOKEN=z"),
    ):
        command(
            f"the same tables with {name}",
            f"{settings} aws dynamodb list-tables",
            {"TableNames": ["Shared"]},
        )


def main():
    report = Report()
    with Server() as server, Shell(server) as shell:
        if not shell.cli:
            report.skip("the guides' CLI commands", "there is no AWS CLI")
            report.done()
        command = Commands(report, shell)
        overview(command, server)
        quick_reference(command, server)
        any_credentials(command, server)
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
