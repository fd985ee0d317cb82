"""Changes that Terraform and CloudFormation make to tables that are there already: billing with auto
scaling, indexes one after the other while states last, everything at once at creation, tables that
begin as a restore. After each what is read must be what was asked for."""

import json
import time

from e2e import Report, Server, equal, wait_until

ACCOUNT = "arn:aws:dynamodb:us-east-1:123456789012:table/"
UNITS = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
READ = "dynamodb:table:ReadCapacityUnits"
INDEX_READ = "dynamodb:index:ReadCapacityUnits"


def keys(name):
    return [{"AttributeName": name, "KeyType": "HASH"}]


def attributes(*names):
    return [{"AttributeName": name, "AttributeType": "S"} for name in names]


def index(name, key, **more):
    return {
        "IndexName": name,
        "KeySchema": keys(key),
        "Projection": {"ProjectionType": "ALL"},
        **more,
    }


class Tool:
    def __init__(self, server):
        self.server = server

    def call(self, operation, table, **body):
        return self.server.call(operation, {"TableName": table, **body})

    def refused(self, operation, table, **body):
        status, _, answer = self.server.post(operation, {"TableName": table, **body})
        assert status == 400, answer
        return json.loads(answer)["__type"].split("#")[1]

    def scaling(self, operation, resource="table/T01", dimension=READ, **body):
        place = {
            "ServiceNamespace": "dynamodb",
            "ResourceId": resource,
            "ScalableDimension": dimension,
        }
        return self.scale(operation, **place, **body)

    def scale(self, operation, **body):
        target = {"X-Amz-Target": f"AnyScaleFrontendService.{operation}"}
        status, _, answer = self.server.post(operation, body, target)
        assert status == 200, answer
        return json.loads(answer)

    def table(self, name):
        return self.call("DescribeTable", name)["Table"]

    def is_settled(self, name):
        table = self.table(name)
        parts = [table, *table.get("GlobalSecondaryIndexes", [])]
        return all(one.get("TableStatus", one.get("IndexStatus")) == "ACTIVE" for one in parts)

    def settle(self, name):
        wait_until(lambda: self.is_settled(name))
        return self.table(name)

    def tags(self, name):
        found = self.server.call("ListTagsOfResource", {"ResourceArn": ACCOUNT + name})["Tags"]
        return {tag["Key"]: tag["Value"] for tag in found}


def billing(report, tool):
    tool.call(
        "CreateTable",
        "T01",
        AttributeDefinitions=attributes("pk", "a"),
        KeySchema=keys("pk"),
        ProvisionedThroughput=UNITS,
        GlobalSecondaryIndexes=[index("byA", "a", ProvisionedThroughput=UNITS)],
    )
    tool.settle("T01")
    on_index = {"resource": "table/T01/index/byA", "dimension": INDEX_READ}
    limits = {"MinCapacity": 5, "MaxCapacity": 50}
    tags = {"team": "orders", "cost": "1"}
    tool.scaling("RegisterScalableTarget", **limits)
    tool.scaling("RegisterScalableTarget", **on_index, **limits, Tags=tags)
    with report.case("tags of a target: set as it is registered, later by themselves"):
        arn = tool.scaling("RegisterScalableTarget", **on_index)["ScalableTargetARN"]
        at = {"ResourceARN": arn}
        equal(tool.scale("ListTagsForResource", **at)["Tags"], {"team": "orders", "cost": "1"})
        equal(tool.scale("TagResource", **at, Tags={"team": "returns", "stage": "test"}), {})
        equal(tool.scale("UntagResource", **at, TagKeys=["cost"]), {})
        tool.scaling("RegisterScalableTarget", **on_index, MaxCapacity=30)
        found = tool.scale("ListTagsForResource", **at)["Tags"]
        equal(found, {"team": "returns", "stage": "test"})
    with report.case("on demand, once auto scaling is taken off"):
        tool.scaling("DeregisterScalableTarget")
        tool.scaling("DeregisterScalableTarget", **on_index)
        tool.call("UpdateTable", "T01", BillingMode="PAY_PER_REQUEST")
        table = tool.settle("T01")
        equal(table["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        equal(table["ProvisionedThroughput"]["ReadCapacityUnits"], 0)
        one = table["GlobalSecondaryIndexes"][0]
        equal(one["ProvisionedThroughput"]["ReadCapacityUnits"], 0)
    with report.case("provisioned again wants the units of each index in the same call"):
        equal(
            tool.refused(
                "UpdateTable", "T01", BillingMode="PROVISIONED", ProvisionedThroughput=UNITS
            ),
            "ValidationException",
        )
        tool.call(
            "UpdateTable",
            "T01",
            BillingMode="PROVISIONED",
            ProvisionedThroughput=UNITS,
            GlobalSecondaryIndexUpdates=[
                {"Update": {"IndexName": "byA", "ProvisionedThroughput": UNITS}}
            ],
        )
        table = tool.settle("T01")
        equal(table["BillingModeSummary"]["BillingMode"], "PROVISIONED")
        one = table["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]
        equal((one["ReadCapacityUnits"], one["WriteCapacityUnits"]), (5, 5))
    with report.case("auto scaling comes back, and goes with the index"):
        tool.scaling("RegisterScalableTarget", **on_index, **limits)
        tool.call(
            "UpdateTable", "T01", GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "byA"}}]
        )
        tool.settle("T01")
        tool.scaling("DeregisterScalableTarget", **on_index)
        assert "GlobalSecondaryIndexes" not in tool.table("T01")


def indexes(report, tool):
    """States last a while here; a tool waits for each, and tries again where it is refused."""
    tool.call(
        "CreateTable",
        "T02",
        AttributeDefinitions=attributes("pk", "a"),
        KeySchema=keys("pk"),
        BillingMode="PAY_PER_REQUEST",
        GlobalSecondaryIndexes=[index("byA", "a")],
    )
    tool.settle("T02")

    def change(action, *names):
        more = {"AttributeDefinitions": attributes(*names)} if names else {}
        return tool.call("UpdateTable", "T02", GlobalSecondaryIndexUpdates=[action], **more)

    with report.case("one after the other, and no two at once"):
        change({"Create": index("byB", "b")}, "pk", "a", "b")
        again = {
            "AttributeDefinitions": attributes("pk", "a", "b", "c"),
            "GlobalSecondaryIndexUpdates": [{"Create": index("byC", "c")}],
        }
        equal(tool.refused("UpdateTable", "T02", **again), "LimitExceededException")
        tool.settle("T02")
        change({"Create": index("byC", "c")}, "pk", "a", "b", "c")
        found = [one["IndexName"] for one in tool.settle("T02")["GlobalSecondaryIndexes"]]
        equal(sorted(found), ["byA", "byB", "byC"])
    with report.case("an index that is replaced by one of the same name with another key"):
        change({"Delete": {"IndexName": "byA"}})
        tool.settle("T02")
        change({"Create": index("byA", "d")}, "pk", "b", "c", "d")
        table = tool.settle("T02")
        found = {one["IndexName"]: one["KeySchema"] for one in table["GlobalSecondaryIndexes"]}
        equal(found["byA"], keys("d"))
        names = [one["AttributeName"] for one in table["AttributeDefinitions"]]
        equal(sorted(names), ["b", "c", "d", "pk"])
    with report.case("another setting waits until the index is there"):
        change({"Create": index("byE", "e")}, "pk", "b", "c", "d", "e")
        equal(
            tool.refused("UpdateTable", "T02", TableClass="STANDARD_INFREQUENT_ACCESS"),
            "ResourceInUseException",
        )
        tool.settle("T02")
        tool.call("UpdateTable", "T02", TableClass="STANDARD_INFREQUENT_ACCESS")
        equal(
            tool.settle("T02")["TableClassSummary"]["TableClass"], "STANDARD_INFREQUENT_ACCESS"
        )


def policy(table):
    statement = {
        "Effect": "Allow",
        "Principal": {"AWS": "111122223333"},
        "Action": "dynamodb:GetItem",
        "Resource": ACCOUNT + table,
    }
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]}, separators=(",", ":"))


def creation(report, tool):
    with report.case("all settings at creation are there at the first read"):
        tool.call(
            "CreateTable",
            "T03",
            AttributeDefinitions=attributes("pk", "a"),
            KeySchema=keys("pk"),
            BillingMode="PAY_PER_REQUEST",
            GlobalSecondaryIndexes=[
                index("byA", "a", OnDemandThroughput={"MaxReadRequestUnits": 7})
            ],
            OnDemandThroughput={"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": 20},
            WarmThroughput={"ReadUnitsPerSecond": 13000, "WriteUnitsPerSecond": 5000},
            TableClass="STANDARD_INFREQUENT_ACCESS",
            DeletionProtectionEnabled=True,
            SSESpecification={"Enabled": True, "SSEType": "KMS"},
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
            Tags=[{"Key": "team", "Value": "orders"}],
            ResourcePolicy=policy("T03"),
        )
        found = tool.server.call("GetResourcePolicy", {"ResourceArn": ACCOUNT + "T03"})
        equal(found["Policy"], policy("T03"))
        table = tool.settle("T03")
        equal(tool.tags("T03"), {"team": "orders"})  # not to be had while it is CREATING
        equal(
            table["OnDemandThroughput"], {"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": 20}
        )
        equal(table["WarmThroughput"]["ReadUnitsPerSecond"], 13000)
        equal(table["TableClassSummary"]["TableClass"], "STANDARD_INFREQUENT_ACCESS")
        equal(table["DeletionProtectionEnabled"], True)
        equal(table["SSEDescription"]["Status"], "ENABLED")
        equal(table["StreamSpecification"]["StreamViewType"], "NEW_IMAGE")
        equal(
            table["GlobalSecondaryIndexes"][0]["OnDemandThroughput"]["MaxReadRequestUnits"], 7
        )
    with report.case("a faulty policy at creation makes no table"):
        equal(
            tool.refused(
                "CreateTable",
                "T04",
                AttributeDefinitions=attributes("pk"),
                KeySchema=keys("pk"),
                BillingMode="PAY_PER_REQUEST",
                ResourcePolicy=policy("T03"),
            ),
            "ValidationException",
        )
        equal(tool.refused("DescribeTable", "T04"), "ResourceNotFoundException")
    with report.case("tags of a table that is protected; it goes once it is not"):
        tagged = {"ResourceArn": ACCOUNT + "T03", "Tags": [{"Key": "stage", "Value": "test"}]}
        tool.server.call("TagResource", tagged)
        equal(tool.tags("T03"), {"team": "orders", "stage": "test"})
        equal(tool.refused("DeleteTable", "T03"), "ValidationException")
        tool.call("UpdateTable", "T03", DeletionProtectionEnabled=False)
        tool.settle("T03")
        tool.call("DeleteTable", "T03")
        wait_until(lambda: tool.server.post("DescribeTable", {"TableName": "T03"})[0] == 400)
        found = tool.server.post("GetResourcePolicy", {"ResourceArn": ACCOUNT + "T03"})
        equal(json.loads(found[2])["__type"].split("#")[1], "ResourceNotFoundException")


def restores(report, tool):
    """restore_source_name with restore_to_latest_time; what a restore leaves out is set then."""
    tool.call(
        "CreateTable",
        "T05",
        AttributeDefinitions=attributes("pk"),
        KeySchema=keys("pk"),
        BillingMode="PAY_PER_REQUEST",
        Tags=[{"Key": "team", "Value": "orders"}],
    )
    tool.settle("T05")
    recovery = {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}}
    tool.call("UpdateContinuousBackups", "T05", **recovery)
    tool.call("PutItem", "T05", Item={"pk": {"S": "a"}})
    with report.case("a table that begins as a restore has no tags until they are given"):
        answer = tool.server.call(
            "RestoreTableToPointInTime",
            {
                "SourceTableName": "T05",
                "TargetTableName": "T06",
                "UseLatestRestorableTime": True,
            },
        )
        equal(answer["TableDescription"]["RestoreSummary"]["RestoreInProgress"], True)
        tool.settle("T06")
        equal(tool.tags("T06"), {})
        tool.server.call(
            "TagResource",
            {"ResourceArn": ACCOUNT + "T06", "Tags": [{"Key": "team", "Value": "orders"}]},
        )
        tool.call("UpdateContinuousBackups", "T06", **recovery)
        tool.call(
            "UpdateTimeToLive",
            "T06",
            TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"},
        )
        equal(tool.tags("T06"), {"team": "orders"})
        found = tool.call("DescribeContinuousBackups", "T06")["ContinuousBackupsDescription"]
        equal(found["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"], "ENABLED")
        assert "RestoreSummary" not in tool.table("T06")
    with report.case("a deleted table with recovery leaves a system backup behind"):
        tool.call("DeleteTable", "T06")
        time.sleep(0.2)
        found = tool.server.call("ListBackups", {"BackupType": "SYSTEM", "TableName": "T06"})
        equal([one["BackupName"] for one in found["BackupSummaries"]], ["T06$DeletedTableBackup"])


def main():
    report = Report()
    for options in ((), ("--transition-ms", "150")):
        with Server(*options) as server:
            tool = Tool(server)
            for test in (billing, creation, restores):
                test(report, tool)
            if options:
                indexes(report, tool)
    report.done()


main()
