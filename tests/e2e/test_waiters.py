"""The waiters and paginators of boto3 and of the JavaScript SDK: each comes to its end."""

import pathlib

import boto
from e2e import Report, Server, equal, has_node, temporary_folder

PLAIN = {
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Orders"
KINESIS = "arn:aws:kinesis:us-east-1:123456789012:stream/orders"


def insights(client):
    client.update_contributor_insights(TableName="Orders", ContributorInsightsAction="ENABLE")
    return {"TableName": "Orders"}


def kinesis(client):
    client.enable_kinesis_streaming_destination(TableName="Orders", StreamArn=KINESIS)
    return {"TableName": "Orders"}


def export(client):
    client.update_continuous_backups(
        TableName="Orders", PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
    )
    told = client.export_table_to_point_in_time(TableArn=ARN, S3Bucket="output")
    return {"ExportArn": told["ExportDescription"]["ExportArn"]}


def import_table(client):
    told = client.import_table(
        S3BucketSource={"S3Bucket": "input"},
        InputFormat="DYNAMODB_JSON",
        TableCreationParameters={"TableName": "Imported", **PLAIN},
    )
    return {"ImportArn": told["ImportTableDescription"]["ImportArn"]}


def create(client):
    client.create_table(TableName="More", **PLAIN)
    return {"TableName": "More"}


def delete(client):
    client.delete_table(TableName="More")
    return {"TableName": "More"}


# What is to be waited for, and what sets it going: an older boto3 knows less of them.
WAITERS = {
    "table_exists": create,
    "table_not_exists": delete,
    "contributor_insights_enabled": insights,
    "kinesis_streaming_destination_active": kinesis,
    "export_completed": export,
    "import_completed": import_table,
}


def waiters(report, client):
    for name, start in WAITERS.items():
        if name not in client.waiter_names:
            report.skip(f"waiter {name}", "this boto3 has none")
            continue
        with report.case(f"waiter {name}"):
            place = start(client)
            client.get_waiter(name).wait(**place, WaiterConfig={"Delay": 1, "MaxAttempts": 600})
    with report.case("waiters: those are all that boto3 has"):
        equal(sorted(set(client.waiter_names) - set(WAITERS)), [])


def fill(client):
    for i in range(30):
        client.put_item(TableName="Orders", Item={"pk": {"S": f"order#{i}"}})
    for i in range(5):
        client.create_backup(TableName="Orders", BackupName=f"backup{i}")
        client.create_table(TableName=f"Table{i}", **PLAIN)
    tags = [{"Key": f"key{i}", "Value": "v"} for i in range(40)]
    client.tag_resource(ResourceArn=ARN, Tags=tags)


def pages(report, client, name, member, count, **asked):
    with report.case(f"paginator {name}"):
        found = client.get_paginator(name).paginate(**asked).build_full_result()
        equal(len(found[member]), count)


def paginators(report, client):
    """Pages of two."""
    fill(client)
    two = {"PaginationConfig": {"PageSize": 2}}
    tables = len(client.list_tables()["TableNames"])
    query = {
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": {"S": "order#7"}},
    }
    pages(report, client, "list_tables", "TableNames", tables, **two)
    pages(report, client, "list_backups", "BackupSummaries", 5, **two)
    pages(report, client, "list_tags_of_resource", "Tags", 40, ResourceArn=ARN)
    pages(report, client, "scan", "Items", 30, TableName="Orders", **two)
    pages(report, client, "query", "Items", 1, TableName="Orders", **query, **two)


def with_boto3(report, server):
    if not boto.boto3:
        report.skip("waiters and paginators", "boto3 is not installed")
        return
    boto.connect(server)
    client = boto.boto3.client("dynamodb")
    client.create_table(TableName="Orders", **PLAIN)
    waiters(report, client)
    paginators(report, client)


def with_javascript(report, server):
    if not has_node():
        report.skip("waiters and paginators in JavaScript", "there is no Node.js 20 or no SDK")
        return
    report.relay_script("waiters.mjs", server)


def main():
    report = Report()
    for run in (with_boto3, with_javascript):
        with temporary_folder() as folder, Server("--s3-root", folder) as server:
            for bucket in ("input", "output"):
                (pathlib.Path(folder) / bucket).mkdir()
            item = '{"Item":{"pk":{"S":"a"}}}\n'
            (pathlib.Path(folder) / "input" / "items.json").write_text(item)
            run(report, server)
            with report.case("the server ends cleanly"):
                server.stop()
    report.done()


main()
