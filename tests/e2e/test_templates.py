"""Templates and other files of infrastructure: tests/data/templates has a folder for each case.

A case is a file `template.*`, sometimes `options.txt` with options of import, a word a line, and `expected.json`: the
lines that import prints, and what Describe calls say of the tables, without what every table has. With --write the
files `expected.json` are written anew, for a reader to judge.
"""

import json
import pathlib
import re
import shlex
import sys

from e2e import ROOT, Report, Server, equal, temporary_folder
from transfer_kit import run

CASES = pathlib.Path(__file__).resolve().parents[1] / "data/templates"
# Members of descriptions that tell nothing about the template.
DULL = {
    "CreationDateTime", "IndexArn", "IndexSizeBytes", "IndexStatus", "ItemCount", "LatestStreamArn", "LatestStreamLabel",
    "LastUpdateToPayPerRequestDateTime", "NumberOfDecreasesToday", "ReplicaStatus", "Status", "TableArn", "TableId",
    "TableName", "TableSizeBytes", "TableStatus", "TableThroughputModeSummary", "WarmThroughput",
    "GlobalTableVersion", "DisassociationProtectionEnabled", "GlobalTableSettingsReplicationMode",
}  # fmt: skip
UNITS = {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0}


def told(described):
    """A description without dull members, and without what has the default."""
    if isinstance(described, list):
        return [told(each) for each in described]
    if not isinstance(described, dict):
        return described
    kept = {name: told(value) for name, value in described.items() if name not in DULL or name == "WarmThroughput"}
    warm = kept.pop("WarmThroughput", None)
    if warm and warm != {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 4000} and "ReadCapacityUnits" not in str(kept):
        kept["WarmThroughput"] = warm
    return {name: value for name, value in kept.items() if value not in ({}, UNITS, False)}


class World:
    """The world of a case, and what its tables have."""

    def __init__(self, server, name):
        self.server = server
        self.name = name

    def call(self, operation, body):
        status, _, answer = self.server.post(operation, body, {"x-mockddb-world": self.name})
        answer = json.loads(answer)
        assert status == 200, f"{operation}: {answer}"
        return answer

    def insights(self, table, index=None):
        target = {"TableName": table} | ({"IndexName": index} if index else {})
        found = self.call("DescribeContributorInsights", target)
        if found["ContributorInsightsStatus"] == "DISABLED":
            return {}
        mode = found.get("ContributorInsightsMode", "")
        return {f"ContributorInsights{' of ' + index if index else ''}": mode or "ENABLED"}

    def table(self, name):
        target = {"TableName": name}
        described = self.call("DescribeTable", target)["Table"]
        arn = {"ResourceArn": described["TableArn"]}
        found = told(described)
        if (ttl := self.call("DescribeTimeToLive", target)["TimeToLiveDescription"]).get("AttributeName"):
            found["TimeToLive"] = ttl["AttributeName"]
        backups = self.call("DescribeContinuousBackups", target)["ContinuousBackupsDescription"]
        recovery = backups["PointInTimeRecoveryDescription"]
        if recovery["PointInTimeRecoveryStatus"] == "ENABLED":
            found["PointInTimeRecovery"] = recovery["RecoveryPeriodInDays"]
        if tags := self.call("ListTagsOfResource", arn)["Tags"]:
            found["Tags"] = {tag["Key"]: tag["Value"] for tag in tags}
        for stream in self.call("DescribeKinesisStreamingDestination", target)["KinesisDataStreamDestinations"]:
            found["Kinesis"] = [stream["StreamArn"], stream.get("ApproximateCreationDateTimePrecision")]
        status, _, policy = self.server.post("GetResourcePolicy", arn, {"x-mockddb-world": self.name})
        if status == 200:
            found["ResourcePolicy"] = json.loads(json.loads(policy)["Policy"])
        found |= self.insights(name)
        for index in described.get("GlobalSecondaryIndexes", []):
            found |= self.insights(name, index["IndexName"])
        return found

    def tables(self):
        return {name: self.table(name) for name in self.call("ListTables", {})["TableNames"]}


def outcome_of(server, case):
    (template,) = case.glob("template.*")
    options = case / "options.txt"
    words = options.read_text().split() if options.exists() else []
    answer = run("import", "--endpoint", server.url, "--world", case.name, *words, template.name, folder=case)
    lines = answer.stderr.splitlines()
    return {"status": answer.returncode, "lines": lines, "tables": World(server, case.name).tables()}


def run_cases(report, writes, wanted):
    with Server() as server:
        for case in sorted(CASES.iterdir()):
            if wanted and case.name not in wanted:
                continue
            with report.case(case.name.replace("-", " ")):
                outcome = outcome_of(server, case)
                expected = case / "expected.json"
                if writes:
                    expected.write_text(json.dumps(outcome, indent=2) + "\n")
                for part, value in json.loads(expected.read_text()).items():
                    assert outcome[part] == value, f"{part}: {json.dumps(outcome[part], indent=1)}"


def as_fixtures(report):
    """A file as a fixture of the server, again and again."""
    template = str(CASES / "conditions/template.yaml")
    model = str(CASES / "nosql-workbench/template.json")
    left_out = str(CASES / "left-out/template.yaml")
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        db = ("--db", str(folder / "t.db"))
        with report.case("the server has the tables of templates and models, in each world"):
            with Server("--fixtures", template, "--fixtures", model, "--table-prefix", "p-", "--param", "Stage=dev") as server:
                equal(server.call("ListTables", {})["TableNames"], ["p-cache", "p-orders"])
                equal(World(server, "other").call("Scan", {"TableName": "p-orders"})["Count"], 1)
        with report.case("what is left out is said once, not in each world"):
            with Server("--fixtures", left_out) as server:
                equal(list(World(server, "other").tables()), ["table"])
                equal(server.read_stderr().count("Tags is left out"), 1)
        with report.case("tables that exist are left alone, with their items"):
            with Server("--fixtures", model, *db) as server:
                server.call("DeleteItem", {"TableName": "orders", "Key": {"pk": {"S": "a"}, "sk": {"N": "1"}}})
            with Server("--fixtures", model, *db) as server:
                equal(server.call("Scan", {"TableName": "orders"})["Count"], 0)
        with report.case("a table that a template refuses is not kept without its settings"):
            bad = CASES / "bad-refused/template.yaml"
            ended = run("serve", "--port", "0", "--fixtures", bad, "--db", folder / "bad.db")
            equal(ended.returncode, 1)
            with Server("--db", str(folder / "bad.db")) as server:
                equal(server.call("ListTables", {})["TableNames"], [])
        (folder / "items.jsonl").write_text('{"id": {"S": "a"}}\n{"id": {"S": "b"}}\n')
        for name in ("KeySchema", "KeySchem"):
            (folder / f"{name}.json").write_text(f'{{\n  "TableName": "Table",\n  "{name}": [],,\n}}\n')
        for words, why in (
            ((template, "--fixtures", template), f"table cache is in {template}, too"),
            ((folder / "items.jsonl",), "no tables are described here: expected is a template of CloudFormation"),
            ((folder / "KeySchema.json",), "KeySchema.json: line 3, column 19: this is not a JSON object"),
            ((folder / "KeySchem.json",), "KeySchem.json: line 3, column 18: this is not JSON"),
            ((folder / "none.yaml",), "and it is not a file"),
            ((template, "--param", "Stag=x"), "--param Stag: no template has a parameter of that name"),
            ((template, "--param", "Stage"), "is not NAME=VALUE"),
        ):
            with report.case(f"refused: {why[:40]}"):
                ended = run("serve", "--port", "0", "--fixtures", *words)
                assert ended.returncode in (1, 2) and why in ended.stderr, ended
                equal(len(ended.stderr.splitlines()), 1)
        for words in (("run", "--param", "Stage"), ("try", "--param", "Stage=x", "aws dynamodb list-tables")):
            with report.case(f"refused: {' '.join(words)}"):
                equal(run(*words).returncode, 2)


def documented(report):
    text = (ROOT / "docs/templates.md").read_text()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        (folder / "template.yaml").write_text(re.search("```yaml\n(.*?)```", text, re.DOTALL)[1])
        for line in text.splitlines():
            if line.startswith("mockddb "):
                with report.case(line):
                    ended = run(*shlex.split(line)[1:], folder=folder)
                    equal(ended.returncode, 0)
        with report.case("the names in docs/templates.md"):
            with Server("--db", str(folder / "tables.db")) as server:
                equal(server.call("ListTables", {})["TableNames"], ["my-dev-users", "users"])


def main():
    report = Report()
    wanted = [word for word in sys.argv[1:] if not word.startswith("--")]
    run_cases(report, "--write" in sys.argv, wanted)
    if not wanted:
        as_fixtures(report)
        documented(report)
    report.done()


main()
