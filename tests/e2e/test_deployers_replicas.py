"""Tables with replicas as tools deploy them: the `replica` blocks of Terraform's
aws_dynamodb_table, its aws_dynamodb_table_replica, and CDK's TableV2 in the order of
CloudFormation's handler. After each change what is read is what was wanted, in every region; at the
end nothing is left. With regions apart, and with one world for all, where every region has the
home's table."""

import boto
from e2e import Report, Server, equal, wait_until

NAME = "orders"
HOME, AWAY, FAR = "us-east-1", "eu-west-1", "ap-southeast-2"
KINESIS = f"arn:aws:kinesis:{HOME}:123456789012:stream/orders"
TABLE = {
    "TableName": NAME,
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "at", "AttributeType": "S"},
    ],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by-time",
            "KeySchema": [{"AttributeName": "at", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    "Tags": [{"Key": "team", "Value": "orders"}],
}


class Tool:
    """A client for each region, as providers have them."""

    def __init__(self, server, apart):
        boto.connect(server)
        self.apart = apart
        self.clients = {
            region: boto.boto3.client("dynamodb", region_name=region)
            for region in (HOME, AWAY, FAR)
        }
        self.home = self.clients[HOME]

    def describe(self, region=HOME):
        return self.clients[region].describe_table(TableName=NAME)["Table"]

    def statuses(self):
        """{region: status of the replica}, without the home's own entry."""
        replicas = self.describe().get("Replicas", [])
        found = {one["RegionName"]: one["ReplicaStatus"] for one in replicas}
        return {region: status for region, status in found.items() if region != HOME}

    def change(self, action, region, **settings):
        update = {action: {"RegionName": region, **settings}}
        self.home.update_table(TableName=NAME, ReplicaUpdates=[update])
        gone = action == "Delete"
        wait_until(lambda: self.statuses().get(region) == (None if gone else "ACTIVE"))
        wait_until(lambda: self.describe()["TableStatus"] == "ACTIVE")

    def set_recovery(self, region, enabled):
        recovery = {"PointInTimeRecoveryEnabled": enabled}
        self.clients[region].update_continuous_backups(
            TableName=NAME, PointInTimeRecoverySpecification=recovery
        )

    def tag(self, region, **tags):
        """Propagates tags: a replica's are its own."""
        self.clients[region].tag_resource(
            ResourceArn=self.describe(region)["TableArn"],
            Tags=[{"Key": key, "Value": value} for key, value in tags.items()],
        )

    def read(self, region):
        """What a plan compares of the table in a region."""
        client = self.clients[region]
        table = self.describe(region)
        told = client.describe_continuous_backups(TableName=NAME)["ContinuousBackupsDescription"]
        tags = client.list_tags_of_resource(ResourceArn=table["TableArn"])["Tags"]
        ttl = client.describe_time_to_live(TableName=NAME)["TimeToLiveDescription"]
        return {
            "arn": table["TableArn"],
            "billing": table["BillingModeSummary"]["BillingMode"],
            "class": table.get("TableClassSummary", {}).get("TableClass", "STANDARD"),
            "indexes": [one["IndexName"] for one in table["GlobalSecondaryIndexes"]],
            "recovery": told["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"],
            "stream": table["StreamSpecification"]["StreamViewType"],
            "tags": {tag["Key"]: tag["Value"] for tag in tags},
            "ttl": ttl.get("AttributeName"),
        }

    def wanted(self, region, **more):
        home = region if self.apart else HOME
        return {
            "arn": f"arn:aws:dynamodb:{home}:123456789012:table/{NAME}",
            "billing": "PAY_PER_REQUEST",
            "class": "STANDARD",
            "indexes": ["by-time"],
            "recovery": "DISABLED",
            "stream": "NEW_AND_OLD_IMAGES",
            "tags": {"team": "orders"},
            "ttl": None,
            **more,
        }

    def plan(self, region, **more):
        equal(self.read(region), self.wanted(region, **more))

    def destroy(self):
        for region in self.statuses():
            self.change("Delete", region)
        self.home.delete_table(TableName=NAME)
        for client in self.clients.values():
            client.get_waiter("table_not_exists").wait(TableName=NAME)
            equal(client.list_tables()["TableNames"], [])


def blocks(report, tool, kind):
    """`replica` blocks: one update for each, then what each region has of its own."""
    with report.case(f"{kind}: replica blocks: create; plans are empty"):
        tool.home.create_table(**TABLE)
        tool.home.get_waiter("table_exists").wait(TableName=NAME)
        for region in (AWAY, FAR):
            tool.change("Create", region)
            tool.tag(region, team="orders")
        tool.set_recovery(AWAY, True)
        equal(tool.statuses(), {AWAY: "ACTIVE", FAR: "ACTIVE"})
        tool.plan(AWAY, recovery="ENABLED")
    with report.case(f"{kind}: replica blocks: one less; plans are empty"):
        tool.change("Delete", FAR)
        tool.set_recovery(AWAY, False)
        equal(tool.statuses(), {AWAY: "ACTIVE"})
        for region in (HOME, AWAY):
            tool.plan(region)
    with report.case(f"{kind}: replica blocks: destroy; nothing is left"):
        tool.destroy()


def resource(report, tool, kind):
    """aws_dynamodb_table_replica: made in the table's region, read in its own."""
    with report.case(f"{kind}: a replica as a resource: create; a plan is empty"):
        tool.home.create_table(**TABLE)
        tool.change("Create", AWAY, TableClassOverride="STANDARD_INFREQUENT_ACCESS")
        tool.tag(AWAY, team="orders")
        (replica,) = [one for one in tool.describe()["Replicas"] if one["RegionName"] == AWAY]
        summary = replica["ReplicaTableClassSummary"]
        equal(summary["TableClass"], "STANDARD_INFREQUENT_ACCESS")
    with report.case(f"{kind}: a replica as a resource: update; a plan is empty"):
        tool.change("Update", AWAY, TableClassOverride="STANDARD")
        tool.plan(AWAY)
    with report.case(f"{kind}: a replica as a resource: destroy; nothing is left"):
        tool.destroy()


def stack(report, tool, kind):
    """TableV2: the table with all that is about it, then its replicas, then what they have."""
    ttl = {"Enabled": True, "AttributeName": "expires"}
    with report.case(f"{kind}: CDK: create; nothing drifts"):
        tool.home.create_table(**TABLE)
        tool.home.get_waiter("table_exists").wait(TableName=NAME)
        tool.home.update_time_to_live(TableName=NAME, TimeToLiveSpecification=ttl)
        tool.set_recovery(HOME, True)
        tool.home.enable_kinesis_streaming_destination(TableName=NAME, StreamArn=KINESIS)
        for index in ({}, {"IndexName": "by-time"}):
            tool.home.update_contributor_insights(
                TableName=NAME, ContributorInsightsAction="ENABLE", **index
            )
        for region in (AWAY, FAR):
            tool.change("Create", region)
            tool.set_recovery(region, True)
            tool.tag(region, team="orders")
        for region in (HOME, AWAY, FAR):
            tool.plan(region, recovery="ENABLED", ttl="expires")
    with report.case(f"{kind}: CDK: destroy; nothing is left"):
        tool.destroy()


def main():
    report = Report()
    if not boto.boto3:
        report.skip("replicas", "boto3 is not installed")
        report.done()
    for kind, options in (("one world", ()), ("regions apart", ("--regions", "by-request"))):
        with Server(*options) as server:
            tool = Tool(server, bool(options))
            for life in (blocks, resource, stack):
                life(report, tool, kind)
    report.done()


main()
