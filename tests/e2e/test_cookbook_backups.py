"""The cookbook's backups and point-in-time recovery, as typed, on the day that it speaks of; and
the same with boto3."""

import calendar
import json

import admin
import boto
from cookbook import item, run_sections, table
from e2e import Commands, Like, Refusal, Report, Server, Shell, equal, wait_until

TABLE_ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Orders"
BACKUP_ARN = rf"{TABLE_ARN}/backup/\d{{14}}-[0-9a-f]{{8}}"
PRINTED_ARN = "arn:aws:dynamodb:us-east-1:123:table/Orders/backup/01234567890"


def noon(hour=12, minute=0):
    """Seconds at a time of 15 June 2024."""
    return calendar.timegm((2024, 6, 15, hour, minute, 0))


def set_clock(server, seconds):
    admin.must(server, "POST", "clock", {"set": seconds * 1000})


def orders(server, name="Orders"):
    answer = server.call("Scan", {"TableName": name})
    return sorted(json.dumps(found, sort_keys=True) for found in answer["Items"])


def texts(*items):
    return sorted(json.dumps(found, sort_keys=True) for found in items)


def is_active(server, name):
    description = server.call("DescribeTable", {"TableName": name})["Table"]
    return description["TableStatus"] == "ACTIVE" and "RestoreSummary" not in description


def backups(command, server):
    shell, case = command.shell, command.report.case
    table(server, "Orders", "orderId")
    server.put_items("Orders", [item(orderId="ord-1", total=5)])
    with case("create an on-demand backup"):
        answer = shell.run(
            "aws dynamodb create-backup --table-name Orders --backup-name orders-backup-2024"
        ).json
        details = answer["BackupDetails"]
        arn = details["BackupArn"]
        equal(arn, Like(BACKUP_ARN))
        equal(
            (details["BackupName"], details["BackupStatus"], details["BackupType"]),
            ("orders-backup-2024", "CREATING", "USER"),
        )
    summary = {
        "TableName": "Orders",
        "TableId": server.call("DescribeTable", {"TableName": "Orders"})["Table"]["TableId"],
        "TableArn": TABLE_ARN,
        "BackupArn": arn,
        "BackupName": "orders-backup-2024",
        "BackupCreationDateTime": Like(".*"),
        "BackupStatus": "AVAILABLE",
        "BackupType": "USER",
        "BackupSizeBytes": 19,
    }
    for what, script in (
        ("list backups for a table", "aws dynamodb list-backups --table-name Orders"),
        ("list all backups", "aws dynamodb list-backups"),
    ):
        command(what, script, {"BackupSummaries": [summary]})
    invalid = "Invalid Backup ARN"
    command(
        "describe a backup, by the ARN that is printed there",
        f"aws dynamodb describe-backup --backup-arn {PRINTED_ARN}",
        Refusal("DescribeBackup", "ValidationException", invalid),
    )
    with case("describe a backup"):
        answer = shell.run(f"aws dynamodb describe-backup --backup-arn {arn}").json
        described = answer["BackupDescription"]
        equal(described["BackupDetails"]["BackupStatus"], "AVAILABLE")
        equal(described["SourceTableDetails"]["ItemCount"], 1)
    server.put_items("Orders", [item(orderId="ord-2")])
    restore = "aws dynamodb restore-table-from-backup --target-table-name Orders-Restored"
    command(
        "restore to a new table, by the ARN that is printed there",
        f"{restore} --backup-arn {PRINTED_ARN}",
        Refusal("RestoreTableFromBackup", "ValidationException", invalid),
    )
    with case("restore to a new table from backup"):
        answer = shell.run(f"{restore} --backup-arn {arn}").json["TableDescription"]
        equal(answer["TableStatus"], "CREATING")
        equal(answer["RestoreSummary"]["SourceBackupArn"], arn)
        shell.run("aws dynamodb wait table-exists --table-name Orders-Restored")
        wait_until(lambda: is_active(server, "Orders-Restored"))
        equal(orders(server, "Orders-Restored"), texts(item(orderId="ord-1", total=5)))
    with case("delete a backup"):
        answer = shell.run(f"aws dynamodb delete-backup --backup-arn {arn}").json
        equal(answer["BackupDescription"]["BackupDetails"]["BackupStatus"], "DELETED")
    command("no backup is left", "aws dynamodb list-backups", {"BackupSummaries": []})


ENABLE = r"""
aws dynamodb update-continuous-backups \
--table-name Orders \
--point-in-time-recovery-specification PointInTimeRecoveryEnabled=true
"""
RESTORE = r"""
aws dynamodb restore-table-to-point-in-time \
--source-table-name Orders \
--target-table-name Orders-PITR-Restore \
--restore-date-time 2024-06-15T12:00:00Z
"""
RESTORE_LATEST = r"""
aws dynamodb restore-table-to-point-in-time \
--source-table-name Orders \
--target-table-name Orders-Latest-Restore \
--use-latest-restorable-time
"""


def recovery(command, server):
    shell, case = command.shell, command.report.case
    set_clock(server, noon(11))
    with case("enable PITR"):
        answer = shell.run(ENABLE).json["ContinuousBackupsDescription"]
        equal(answer["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"], "ENABLED")
    before = orders(server)
    set_clock(server, noon(12, 1))
    server.put_items("Orders", [item(orderId="ord-3")])
    after = orders(server)
    set_clock(server, noon(13))
    server.put_items("Orders", [item(orderId="ord-4")])
    with case("check PITR status and restore window"):
        answer = shell.run("aws dynamodb describe-continuous-backups --table-name Orders").json
        described = answer["ContinuousBackupsDescription"]
        equal(described["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"], "ENABLED")
    for what, script, name, expected in (
        ("restore to a specific point in time", RESTORE, "Orders-PITR-Restore", before),
        ("restore to latest restorable time", RESTORE_LATEST, "Orders-Latest-Restore", after),
    ):
        with case(what):
            answer = shell.run(script).json["TableDescription"]
            equal(answer["RestoreSummary"]["SourceTableArn"], TABLE_ARN)
            wait_until(lambda name=name: is_active(server, name))
            equal(orders(server, name), expected)


def with_boto3(report, server):
    """The same calls from Python, whose times are those of datetime."""
    if not boto.boto3:
        report.skip("backups with boto3", "there is no boto3")
        return
    boto.connect(server)
    client = boto.boto3.client("dynamodb")
    with report.case("boto3: backups are listed page by page"):
        for number in range(5):
            client.create_backup(TableName="Orders", BackupName=f"page-{number}")
        pages = client.get_paginator("list_backups").paginate(PaginationConfig={"PageSize": 2})
        names = [[b["BackupName"] for b in page["BackupSummaries"]] for page in pages]
        equal([len(page) for page in names], [2, 2, 1])
        equal(sorted(sum(names, [])), [f"page-{number}" for number in range(5)])
    with report.case("boto3: the first moment of the window can be restored"):
        answer = client.describe_continuous_backups(TableName="Orders")
        window = answer["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        client.restore_table_to_point_in_time(
            SourceTableName="Orders",
            TargetTableName="First",
            RestoreDateTime=window["EarliestRestorableDateTime"],
        )
        client.get_waiter("table_exists").wait(TableName="First")
    with report.case("boto3: a backup that is not there has an exception of its own"):
        arn = f"{TABLE_ARN}/backup/01700000000000-00000000"
        try:
            client.describe_backup(BackupArn=arn)
            raise AssertionError("it was found")
        except client.exceptions.BackupNotFoundException as error:
            equal(error.response["Error"]["Message"], f"Backup not found: {arn}")


def main():
    report = Report()
    with Server() as server, Shell(server) as shell:
        if shell.cli:
            command = Commands(report, shell)
            run_sections(report, command, server, (backups, recovery))
            with_boto3(report, server)
        else:
            report.skip("the cookbook's backups", "there is no AWS CLI")
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
