"""docs/migration/: command lines of its pages, and the commands of LocalStack's guide to DynamoDB with the options of its page."""

import json
import re
import shlex
import urllib.request

from e2e import BINARY, PATIENCE, ROOT, Commands, Like, Refusal, Report, Server, Shell, equal, run_program, temporary_folder, wait_until

REPLICA = "aws dynamodb update-table --table-name global01 --region ap-south-1 --query TableDescription.TableName --replica-updates"
TABLE = {
    "TableName": "Kept",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
}


def page(name):
    return (ROOT / "docs/migration" / f"{name}.md").read_text(encoding="utf-8")


def status_of(server):
    return server.call("DescribeTable", {"TableName": "Kept"})["Table"]["TableStatus"]


def lines(report):
    """Each line that takes the place of another's, on a free port."""
    found = re.findall(r"^mockddb --port \d+ *(.*?) *# was: (\S+)", page("dynalite") + page("moto"), re.MULTILINE)
    equal([other for _, other in found], ["dynalite", "moto_server"])
    for options, other in found:
        with report.case(f"in place of {other}: mockddb {options}"), Server(*options.split()) as server:
            server.call("CreateTable", TABLE)
            if "--transition-ms" not in options:
                equal(status_of(server), "ACTIVE")
            wait_until(lambda server=server: status_of(server) == "ACTIVE")
            server.call("PutItem", {"TableName": "Kept", "Item": {"pk": {"S": "a"}}})
            equal(server.call("Scan", {"TableName": "Kept"})["Count"], 1)
            urllib.request.urlopen(f"{server.url}/_mockddb/reset", b"", timeout=PATIENCE).close()
            equal(server.call("ListTables", {}), {"TableNames": []})
    with report.case("mockddb pull copies the tables of a server that runs"), temporary_folder() as folder, Server() as server:
        server.call("CreateTable", TABLE)
        words = re.search(r"`mockddb (pull .*?)`", page("dynalite"))[1].replace("http://127.0.0.1:4567", server.url).replace("FILE", "copy.db")
        equal(run_program([BINARY, *words.split()], folder=folder, AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="b").returncode, 0)
        with Server("--db", f"{folder}/copy.db") as copy:
            equal(copy.call("ListTables", {}), {"TableNames": ["Kept"]})


def localstack(report):
    options = re.search(r"^command: --port 4566 (.*)", page("localstack"), re.MULTILINE)[1]
    with Server(*shlex.split(options)) as server, Shell(server) as shell:
        command = Commands(report, shell)
        command(
            "create-table",
            "aws dynamodb create-table --table-name global01 --key-schema AttributeName=id,KeyType=HASH --attribute-definitions "
            "AttributeName=id,AttributeType=S --billing-mode PAY_PER_REQUEST --region ap-south-1 --query TableDescription.TableArn "
            "&& aws dynamodb wait table-exists --table-name global01 --region ap-south-1",
            '"arn:aws:dynamodb:ap-south-1:000000000000:table/global01"\n',
        )
        command(
            "update-table with two replicas",
            f"""{REPLICA} '[{{"Create": {{"RegionName": "eu-central-1"}}}}, {{"Create": {{"RegionName": "us-west-1"}}}}]'""",
            Refusal(
                "UpdateTable",
                "ValidationException",
                "Update table operation with more than one create or delete replica actions not allowed",
            ),
        )
        for region in ("eu-central-1", "us-west-1"):
            command(
                f"update-table with one replica, in {region}",
                f"""{REPLICA} '[{{"Create": {{"RegionName": "{region}"}}}}]' """
                f"&& aws dynamodb wait table-exists --table-name global01 --region {region}",
                '"global01"\n',
            )
        command("list-tables", "aws dynamodb list-tables --region eu-central-1", {"TableNames": ["global01"]})
        command("put-item", """aws dynamodb put-item --table-name global01 --item '{"id":{"S":"foo"}}' --region eu-central-1""", "")
        command(
            "what is put in one region is in another",
            """until [ "$(aws dynamodb scan --table-name global01 --region ap-south-1 --query Count)" = 1 ]; do sleep 0.1; done""",
            "",
        )
        command(
            "replicas take batches",
            """aws dynamodb batch-get-item --request-items '{"global01": {"Keys": [{"id": {"S": "foo"}}]}}' --region us-west-1 """
            "--query Responses",
            {"global01": [{"id": {"S": "foo"}}]},
        )
        command(
            "replicas have streams",
            "aws dynamodbstreams list-streams --table-name global01 --region us-west-1 --query 'Streams[0].StreamArn'",
            Like(r"arn:aws:dynamodb:us-west-1:000000000000:table/global01/stream/.*"),
        )
        with report.case("the fault rule of the page"):
            rule = re.search(r"\[fault rule\]\(../faults.md\): `(.*?)`", page("localstack"))[1]
            body = json.dumps({"rules": [json.loads(rule)]}).encode()
            with urllib.request.urlopen(f"{server.url}/_mockddb/faults", body, timeout=PATIENCE) as answer:
                equal(json.load(answer)["rules"][0]["rule"], json.loads(rule))


def main():
    report = Report()
    lines(report)
    localstack(report)
    report.done()


main()
