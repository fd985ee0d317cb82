"""The calls of Terraform's aws_dynamodb_table and its sister resources, and of CloudFormation's
handlers: create, read, update and destroy one table with all that there is about it. After each
change what is read must be what was wanted, or every plan would show a difference. Replicas are in
test_deployers_replicas.py."""

import json

import boto
from e2e import Report, Server, equal

NAME = "orders"
TABLE_ARN = f"arn:aws:dynamodb:us-east-1:123456789012:table/{NAME}"
KINESIS = "arn:aws:kinesis:us-east-1:123456789012:stream/orders"
DIMENSIONS = [f"dynamodb:table:{kind}CapacityUnits" for kind in ("Read", "Write")]


def index(name, read=5):
    return {
        "IndexName": name,
        "KeySchema": [{"AttributeName": name, "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
        "ProvisionedThroughput": {"ReadCapacityUnits": read, "WriteCapacityUnits": 5},
    }


def policy(action):
    statement = {
        "Effect": "Allow",
        "Principal": {"AWS": "111122223333"},
        "Action": action,
        "Resource": TABLE_ARN,
    }
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]}, separators=(",", ":"))


# What the configuration says, in a tool's own words.
WANTED = {
    "hash": "pk",
    "range": "sk",
    "units": (5, 5),
    "indexes": {"group1": 5, "group2": 5},
    "stream": "NEW_AND_OLD_IMAGES",
    "protected": False,
    "class": "STANDARD",
    "ttl": "expires",
    "recovery": True,
    "tags": {"team": "orders", "stage": "test"},
    "insights": True,
    "policy": policy("dynamodb:GetItem"),
    "kinesis": KINESIS,
    "scaling": {dimension: (5, 50, 70.0) for dimension in DIMENSIONS},
}
CHANGED = {
    **WANTED,
    "units": (10, 5),
    "indexes": {"group1": 7, "group3": 5},
    "stream": "KEYS_ONLY",
    "protected": True,
    "ttl": None,
    "recovery": False,
    "tags": {"team": "returns"},
    "insights": False,
    "policy": policy("dynamodb:Query"),
    "kinesis": None,
    "scaling": {DIMENSIONS[0]: (10, 100, 50.0)},
}


class Tool:
    """What a provider does with its clients."""

    def __init__(self, server):
        boto.connect(server)
        self.server = server
        self.scaling = boto.boto3.client("application-autoscaling")
        self.tagging = boto.boto3.client("resourcegroupstaggingapi")
        self.db = boto.boto3.client("dynamodb")

    def call(self, operation, **body):
        """For what an older boto3 does not know."""
        return self.server.call(operation, {"TableName": NAME, **body})

    def attributes(self, wanted):
        names = [wanted["hash"], wanted["range"], *wanted["indexes"]]
        return [{"AttributeName": name, "AttributeType": "S"} for name in names]

    def create(self, wanted):
        read, write = wanted["units"]
        self.db.create_table(
            TableName=NAME,
            AttributeDefinitions=self.attributes(wanted),
            KeySchema=[
                {"AttributeName": wanted["hash"], "KeyType": "HASH"},
                {"AttributeName": wanted["range"], "KeyType": "RANGE"},
            ],
            BillingMode="PROVISIONED",
            ProvisionedThroughput={"ReadCapacityUnits": read, "WriteCapacityUnits": write},
            GlobalSecondaryIndexes=[index(name) for name in wanted["indexes"]],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": wanted["stream"]},
            Tags=[{"Key": key, "Value": value} for key, value in wanted["tags"].items()],
        )
        self.db.get_waiter("table_exists").wait(TableName=NAME)
        self.set_ttl(wanted["ttl"], True)
        self.set_recovery(wanted["recovery"])
        self.set_insights(wanted["insights"])
        self.call("PutResourcePolicy", ResourceArn=TABLE_ARN, Policy=wanted["policy"])
        self.call("EnableKinesisStreamingDestination", StreamArn=wanted["kinesis"])
        self.set_scaling(wanted["scaling"])

    def set_ttl(self, attribute, enabled):
        self.db.update_time_to_live(
            TableName=NAME,
            TimeToLiveSpecification={"Enabled": enabled, "AttributeName": attribute},
        )

    def set_recovery(self, enabled):
        self.db.update_continuous_backups(
            TableName=NAME,
            PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": enabled},
        )

    def set_insights(self, enabled):
        action = "ENABLE" if enabled else "DISABLE"
        self.call("UpdateContributorInsights", ContributorInsightsAction=action)

    def set_scaling(self, wanted):
        for dimension, (least, most, target) in wanted.items():
            place = self.place(dimension)
            self.scaling.register_scalable_target(**place, MinCapacity=least, MaxCapacity=most)
            kind = "Read" if "Read" in dimension else "Write"
            metric = {"PredefinedMetricType": f"DynamoDB{kind}CapacityUtilization"}
            self.scaling.put_scaling_policy(
                **place,
                PolicyName=f"{kind}Policy",
                PolicyType="TargetTrackingScaling",
                TargetTrackingScalingPolicyConfiguration={
                    "TargetValue": target,
                    "PredefinedMetricSpecification": metric,
                },
            )

    @staticmethod
    def place(dimension):
        return {
            "ServiceNamespace": "dynamodb",
            "ResourceId": f"table/{NAME}",
            "ScalableDimension": dimension,
        }

    def read_scaling(self):
        found = {}
        space = {"ServiceNamespace": "dynamodb"}
        policies = {
            policy["ScalableDimension"]: policy
            for page in self.scaling.get_paginator("describe_scaling_policies").paginate(**space)
            for policy in page["ScalingPolicies"]
        }
        targets = self.scaling.describe_scalable_targets(ResourceIds=[f"table/{NAME}"], **space)
        for target in targets["ScalableTargets"]:
            dimension = target["ScalableDimension"]
            tracking = policies[dimension]["TargetTrackingScalingPolicyConfiguration"]
            found[dimension] = (
                target["MinCapacity"],
                target["MaxCapacity"],
                tracking["TargetValue"],
            )
        return found

    def read(self):
        """The state, in the words of the configuration."""
        table = self.db.describe_table(TableName=NAME)["Table"]
        keys = {key["KeyType"]: key["AttributeName"] for key in table["KeySchema"]}
        units = table["ProvisionedThroughput"]
        backups = self.db.describe_continuous_backups(TableName=NAME)["ContinuousBackupsDescription"]
        recovery = backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"]
        ttl = self.db.describe_time_to_live(TableName=NAME)["TimeToLiveDescription"]
        tags = self.db.list_tags_of_resource(ResourceArn=TABLE_ARN)["Tags"]
        insights = self.call("DescribeContributorInsights")
        kinesis = self.call("DescribeKinesisStreamingDestination")
        active = [
            destination["StreamArn"]
            for destination in kinesis["KinesisDataStreamDestinations"]
            if destination["DestinationStatus"] == "ACTIVE"
        ]
        assert "BillingModeSummary" not in table and "SSEDescription" not in table
        return {
            "hash": keys["HASH"],
            "range": keys["RANGE"],
            "units": (units["ReadCapacityUnits"], units["WriteCapacityUnits"]),
            "indexes": {
                one["IndexName"]: one["ProvisionedThroughput"]["ReadCapacityUnits"]
                for one in table["GlobalSecondaryIndexes"]
            },
            "stream": table["StreamSpecification"]["StreamViewType"],
            "protected": self.call("DescribeTable")["Table"]["DeletionProtectionEnabled"],
            "class": table.get("TableClassSummary", {}).get("TableClass", "STANDARD"),
            "ttl": ttl.get("AttributeName"),
            "recovery": recovery == "ENABLED",
            "tags": {tag["Key"]: tag["Value"] for tag in tags},
            "insights": insights["ContributorInsightsStatus"] == "ENABLED",
            "policy": self.call("GetResourcePolicy", ResourceArn=TABLE_ARN)["Policy"],
            "kinesis": active[0] if active else None,
            "scaling": self.read_scaling(),
        }

    def update(self, was, wanted):
        """One call for each concern, as providers do."""
        read, write = wanted["units"]
        self.db.update_table(
            TableName=NAME,
            ProvisionedThroughput={"ReadCapacityUnits": read, "WriteCapacityUnits": write},
        )
        self.update_indexes(was["indexes"], wanted)
        self.db.update_table(TableName=NAME, StreamSpecification={"StreamEnabled": False})
        self.db.update_table(
            TableName=NAME,
            StreamSpecification={"StreamEnabled": True, "StreamViewType": wanted["stream"]},
        )
        self.call("UpdateTable", DeletionProtectionEnabled=wanted["protected"])
        self.set_ttl(was["ttl"], False)
        self.set_recovery(wanted["recovery"])
        gone = [key for key in was["tags"] if key not in wanted["tags"]]
        self.db.untag_resource(ResourceArn=TABLE_ARN, TagKeys=gone)
        changed = [{"Key": key, "Value": value} for key, value in wanted["tags"].items()]
        self.db.tag_resource(ResourceArn=TABLE_ARN, Tags=changed)
        self.set_insights(wanted["insights"])
        self.call("PutResourcePolicy", ResourceArn=TABLE_ARN, Policy=wanted["policy"])
        self.call("DisableKinesisStreamingDestination", StreamArn=was["kinesis"])
        for dimension in was["scaling"]:
            if dimension not in wanted["scaling"]:
                self.scaling.deregister_scalable_target(**self.place(dimension))
        self.set_scaling(wanted["scaling"])

    def update_indexes(self, was, wanted):
        for name in was:
            if name not in wanted["indexes"]:
                self.update_index(wanted, {"Delete": {"IndexName": name}})
        for name, read in wanted["indexes"].items():
            if name not in was:
                self.update_index(wanted, {"Create": index(name, read)})
            elif was[name] != read:
                units = index(name, read)["ProvisionedThroughput"]
                update = {"IndexName": name, "ProvisionedThroughput": units}
                self.update_index(wanted, {"Update": update})

    def update_index(self, wanted, change):
        self.db.update_table(
            TableName=NAME,
            AttributeDefinitions=self.attributes(wanted),
            GlobalSecondaryIndexUpdates=[change],
        )
        self.db.get_waiter("table_exists").wait(TableName=NAME)

    def destroy(self, was):
        for dimension in was["scaling"]:
            place = self.place(dimension)
            kind = "Read" if "Read" in dimension else "Write"
            self.scaling.delete_scaling_policy(**place, PolicyName=f"{kind}Policy")
            self.scaling.deregister_scalable_target(**place)
        self.call("DeleteResourcePolicy", ResourceArn=TABLE_ARN)
        self.call("UpdateTable", DeletionProtectionEnabled=False)
        self.db.delete_table(TableName=NAME)
        self.db.get_waiter("table_not_exists").wait(TableName=NAME)


def plan(tool, wanted):
    equal(tool.read(), wanted)


def life(report, tool):
    with report.case("create; a plan is empty"):
        tool.create(WANTED)
        plan(tool, WANTED)
    with report.case("update; a plan is empty"):
        tool.update(WANTED, CHANGED)
        plan(tool, CHANGED)
    with report.case("destroy; nothing is left"):
        tool.destroy(CHANGED)
        equal(tool.read_scaling(), {})
        equal(tool.tagging.get_resources()["ResourceTagMappingList"], [])


def neighbours(report, tool):
    with report.case("the tagging API"):
        tool.create(WANTED)
        filters = [{"Key": "team", "Values": ["orders"]}]
        found = tool.tagging.get_resources(
            TagFilters=filters, ResourceTypeFilters=["dynamodb:table"]
        )
        equal([one["ResourceARN"] for one in found["ResourceTagMappingList"]], [TABLE_ARN])
        failed = tool.tagging.tag_resources(
            ResourceARNList=[TABLE_ARN, TABLE_ARN + "x"], Tags={"cost": "1"}
        )
        equal(list(failed["FailedResourcesMap"]), [TABLE_ARN + "x"])
        equal(tool.read()["tags"], {**WANTED["tags"], "cost": "1"})
        tool.tagging.untag_resources(ResourceARNList=[TABLE_ARN], TagKeys=["cost"])
        plan(tool, WANTED)
    with report.case("KMS and STS"):
        kms = boto.boto3.client("kms")
        key = kms.describe_key(KeyId="alias/aws/dynamodb")["KeyMetadata"]
        equal((key["Enabled"], key["KeyManager"], key["KeyState"]), (True, "AWS", "Enabled"))
        identity = boto.boto3.client("sts").get_caller_identity()
        equal(identity["Arn"], "arn:aws:iam::123456789012:root")
    with report.case("scaling: what is not there"):
        try:
            tool.scaling.deregister_scalable_target(
                ServiceNamespace="dynamodb",
                ResourceId="table/none",
                ScalableDimension=DIMENSIONS[0],
            )
            raise AssertionError("there is no such target")
        except tool.scaling.exceptions.ObjectNotFoundException as error:
            equal(
                error.response["Error"]["Message"],
                "No scalable target found for service namespace: dynamodb, resource ID: "
                f"table/none, scalable dimension: {DIMENSIONS[0]}",
            )


def main():
    report = Report()
    if not boto.boto3:
        report.skip("deployers", "boto3 is not installed")
        report.done()
    with Server() as server:
        tool = Tool(server)
        life(report, tool)
        neighbours(report, tool)
    report.done()


main()
