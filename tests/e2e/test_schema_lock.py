"""mockddb pull --schema-only and --check: lock files of tables."""

import json
import pathlib

from e2e import BINARY, Report, Server, equal, run_program, temporary_folder
from transfer_kit import A, SCHEMA, run

LOCK = "mockddb.lock.json"
WHOLE = SCHEMA | {
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "inverse",
            "KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "b"]},
        }
    ],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    "DeletionProtectionEnabled": True,
    "TableClass": "STANDARD_INFREQUENT_ACCESS",
    "SSESpecification": {"Enabled": True},
    "Tags": [{"Key": "team", "Value": "shop"}],
}
READS = ("Describe", "List", "Get")


def journal_of(server):
    listed = run("ctl", "--json", "--endpoint", server.url, "journal")
    return [json.loads(line) for line in listed.stdout.splitlines()]


def prepare(server):
    server.call("CreateTable", WHOLE)
    server.call("UpdateTimeToLive", {"TableName": "Tab", "TimeToLiveSpecification": {"AttributeName": "ttl", "Enabled": True}})
    server.call("CreateTable", SCHEMA | {"TableName": "Other"})
    server.call("PutItem", {"TableName": "Tab", "Item": A | {"secret": {"S": "not-in-the-lock"}}})


def pulled(report, server, folder):
    at = ("pull", "--endpoint", server.url)
    lock = folder / LOCK
    with report.case("a table by its ARN, and then one by its name"):
        journal = len(journal_of(server))
        arn = server.call("DescribeTable", {"TableName": "Tab"})["Table"]["TableArn"]
        ended = run(*at, "--schema-only", arn, folder=folder)
        equal((ended.returncode, ended.stdout), (0, f"1 table in {LOCK}\n"))
        equal(run(*at, "--schema-only", "Other", folder=folder).stdout, f"2 tables in {LOCK}\n")
        tables = json.loads(lock.read_text())["tables"]
        equal([table["TableName"] for table in tables], ["Other", "Tab"])
        equal(tables[1]["TimeToLiveSpecification"], {"AttributeName": "ttl", "Enabled": True})
    with report.case("only reads were called, and no item is in the file"):
        called = {entry["operation"] for entry in journal_of(server)[journal:]}
        assert called and all(name.startswith(READS) for name in called), called
        assert "not-in-the-lock" not in lock.read_text()
    with report.case("the server makes the tables of the lock"):
        with Server("--fixtures", str(lock)) as copy:
            for name in ("Tab", "Other"):
                made, real = (each.call("DescribeTable", {"TableName": name})["Table"] for each in (copy, server))
                for member in WHOLE.keys() - {"Tags", "BillingMode", "SSESpecification", "TableClass"}:
                    if member != "GlobalSecondaryIndexes":
                        equal(made.get(member), real.get(member))
            equal(run("pull", "--endpoint", copy.url, "--check", folder=folder).stdout, "")
    with report.case("lock and tables are equal"):
        ended = run(*at, "--check", folder=folder)
        equal((ended.returncode, ended.stdout), (0, ""))
    with report.case("another lock file"):
        ended = run(*at, "--schema-only", "Tab", "--lock", "deep.json", folder=folder)
        equal((ended.returncode, ended.stdout), (0, "1 table in deep.json\n"))


def changed(report, server, folder):
    at = ("pull", "--endpoint", server.url)
    index = {
        "IndexName": "third",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }
    server.call("UpdateTable", {
        "TableName": "Tab",
        "AttributeDefinitions": SCHEMA["AttributeDefinitions"],
        "GlobalSecondaryIndexUpdates": [{"Create": index}],
    })  # fmt: skip
    server.call("UpdateTable", {"TableName": "Tab", "DeletionProtectionEnabled": False})
    server.call("UpdateTable", {"TableName": "Tab", "TableClass": "STANDARD"})
    server.call("UpdateTimeToLive", {"TableName": "Tab", "TimeToLiveSpecification": {"AttributeName": "ttl", "Enabled": False}})
    server.call("DeleteTable", {"TableName": "Other"})
    with report.case("differences are a line each"):
        ended = run(*at, "--check", folder=folder)
        equal(ended.returncode, 1)
        lines = ended.stdout.splitlines()
        wanted = (
            "Other: the table does not exist",
            "Tab: GlobalSecondaryIndexes.third is not in the lock, ",
            "Tab: DeletionProtectionEnabled is true in the lock, and not in the table",
            'Tab: TableClass is "STANDARD_INFREQUENT_ACCESS" in the lock, ',
            "Tab: TimeToLiveSpecification is ",
            f"{LOCK}: 5 differences",
        )
        for line in wanted:
            assert any(each.startswith(line) for each in lines), (line, lines)
        equal(len(lines), len(wanted))
    with report.case("one table of the lock"):
        ended = run(*at, "--check", "Other", folder=folder)
        equal((ended.returncode, ended.stdout), (1, f"Other: the table does not exist\n{LOCK}: 1 difference\n"))
    with report.case("a refresh fails for a table that is gone, and leaves the lock as it is"):
        before = (folder / LOCK).read_text()
        ended = run(*at, "--schema-only", folder=folder)
        equal(ended.returncode, 1)
        assert "there is no table Other" in ended.stderr, ended.stderr
        equal((folder / LOCK).read_text(), before)
    with report.case("a refresh"):
        equal(run(*at, "--schema-only", "--lock", "deep.json", folder=folder).returncode, 0)
        equal(run(*at, "--check", "--lock", "deep.json", folder=folder).returncode, 0)


def asked(report, server, folder):
    """Which server is asked where --endpoint does not say it. Nothing is sent to the service: there are no keys."""
    arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/Tab"
    home = folder / "home/.aws"
    home.mkdir(parents=True)
    keys = "aws_access_key_id = a\naws_secret_access_key = b\n"
    (home / "config").write_text(f"[profile here]\n{keys}region = us-east-1\nendpoint_url = {server.url}\n[profile there]\nregion = cn-north-1\n")

    def pull(*words, **more):
        return run_program([BINARY, "pull", "--lock", "asked.json", *words], folder=folder, HOME=str(home.parent), **more)

    with report.case("a profile's server"):
        ended = pull("--profile", "here", "--schema-only", "Tab")
        equal((ended.returncode, ended.stdout), (0, "1 table in asked.json\n"))
        assert ended.stderr.startswith(f"mockddb: asking {server.url}\n"), ended.stderr
        equal(pull("--profile", "here", "--check").returncode, 0)
    with report.case("a variable's server, also for an ARN"):
        ended = pull("--schema-only", arn, AWS_ENDPOINT_URL_DYNAMODB=server.url, AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="b")
        assert f"asking {server.url}, which AWS_ENDPOINT_URL_DYNAMODB names" in ended.stderr and "the table of that name here is" in ended.stderr, ended.stderr
    for words, region in (((arn,), "eu-west-1.amazonaws.com"), (("--region", "us-west-2", arn), "us-west-2.amazonaws.com")):
        with report.case(f"the service: {' '.join(words)}"):
            ended = pull("--schema-only", *words)
            equal((ended.returncode, ended.stderr.splitlines()[0]), (1, f"mockddb: asking https://dynamodb.{region}"))
            assert "no credentials" in ended.stderr.splitlines()[1], ended.stderr
    with report.case("a profile without keys of its own"):
        ended = pull("--profile", "there", "--schema-only", "Tab")
        assert ended.returncode == 1 and "profile there has no access key" in ended.stderr, ended.stderr


def refused(report, server, folder):
    (folder / "other.json").write_text('{"tables": []}')
    for words, status, why in (
        (("--schema-only", "--lock", "none.json"), 1, "none.json: No such file"),
        (("--check", "--lock", "other.json"), 1, "other.json is not a lock file"),
        (("--check", "Unknown"), 1, "has no table Unknown"),
        (("--schema-only", "Unknown"), 1, "there is no table Unknown"),
        (("--schema-only", "arn:aws:dynamodb:eu-west-1:123456789012:table/Tab"), 1, "the table of that name here is arn:"),
        (("--schema-only", "--check"), 2, "do not go together"),
        (("--schema-only", "--db", "x.db", "Tab"), 2, "--schema-only"),
        (("--lock", "x.json", "folder"), 2, "--lock"),
    ):
        with report.case(f"refused: {' '.join(words)}"):
            ended = run("pull", "--endpoint", server.url, *words, folder=folder)
            equal(ended.returncode, status)
            assert why in ended.stderr and len(ended.stderr.splitlines()) == 1, ended.stderr


def main():
    report = Report()
    with temporary_folder() as name, Server() as server:
        prepare(server)
        for part in (pulled, asked, changed, refused):
            part(report, server, pathlib.Path(name))
    report.done()


main()
