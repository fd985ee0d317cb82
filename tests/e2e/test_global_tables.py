"""Global tables as clients see them: the calls of infrastructure tools, replicas in their regions,
and what lasts of writes that are on their way."""

import json

import stores
from admin import must
from e2e import HEADERS, Report, Server, equal, wait_until

APART = ("--regions", "by-request")
HOME, AWAY, FAR = "us-east-1", "eu-central-1", "ap-southeast-2"
TABLE = {
    "TableName": "Orders",
    "BillingMode": "PAY_PER_REQUEST",
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
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
}


class Region:
    """Requests that are signed for a region, in a world."""

    def __init__(self, server, name, world=None):
        self.server = server
        self.name = name
        self.headers = {"Authorization": HEADERS["Authorization"].replace(HOME, name)}
        if world:
            self.headers["x-mockddb-world"] = world

    def post(self, operation, body):
        status, _, answer = self.server.post(operation, body, self.headers)
        return status, json.loads(answer) if answer else None

    def call(self, operation, body):
        status, answer = self.post(operation, body)
        if status != 200:
            raise RuntimeError(f"{operation} in {self.name} answered {status}: {answer}")
        return answer

    def describe(self):
        return self.call("DescribeTable", {"TableName": "Orders"})["Table"]

    def put(self, key):
        item = {"pk": {"S": key}, "at": {"S": "noon"}}
        self.call("PutItem", {"TableName": "Orders", "Item": item})

    def keys(self):
        items = self.call("Scan", {"TableName": "Orders"})["Items"]
        return sorted(item["pk"]["S"] for item in items)

    def count_by_time(self):
        query = {
            "TableName": "Orders",
            "IndexName": "by-time",
            "KeyConditionExpression": "#at = :at",
            "ExpressionAttributeNames": {"#at": "at"},
            "ExpressionAttributeValues": {":at": {"S": "noon"}},
        }
        return self.call("Query", query)["Count"]

    def is_gone(self):
        status, answer = self.post("DescribeTable", {"TableName": "Orders"})
        return status == 400 and "ResourceNotFoundException" in answer["__type"]

    def replicas(self, action, region, **settings):
        change = {"RegionName": region, **settings}
        self.call("UpdateTable", {"TableName": "Orders", "ReplicaUpdates": [{action: change}]})
        wait_until(lambda: self.is_settled(region, action == "Delete"))

    def is_settled(self, region, gone):
        table = self.describe()
        states = {r["RegionName"]: r["ReplicaStatus"] for r in table.get("Replicas", [])}
        return table["TableStatus"] == "ACTIVE" and states.get(region) == (None if gone else "ACTIVE")


def make(server, world=None):
    """A table with a replica, of which one item is old."""
    home, away = Region(server, HOME, world), Region(server, AWAY, world)
    home.call("CreateTable", TABLE)
    home.put("old")
    home.replicas("Create", AWAY)
    wait_until(lambda: away.describe()["TableStatus"] == "ACTIVE")
    return home, away


# --- infrastructure tools ------------------------------------------------------------------------


def read_state(server):
    """What a plan is compared with: the calls of Terraform's aws_dynamodb_table, replica by replica."""
    home = Region(server, HOME)
    table = home.describe()
    state = {
        "table": table,
        "backups": home.call("DescribeContinuousBackups", {"TableName": "Orders"}),
        "ttl": home.call("DescribeTimeToLive", {"TableName": "Orders"}),
        "tags": home.call("ListTagsOfResource", {"ResourceArn": table["TableArn"]}),
    }
    for replica in table.get("Replicas", []):
        region = Region(server, replica["RegionName"])
        arn = table["TableArn"].replace(HOME, replica["RegionName"])
        there = region.describe()
        state[replica["RegionName"]] = {
            "class": there.get("TableClassSummary"),
            "protected": there["DeletionProtectionEnabled"],
            "backups": region.call("DescribeContinuousBackups", {"TableName": "Orders"}),
            "tags": region.call("ListTagsOfResource", {"ResourceArn": arn}),
        }
    for volatile in ("ItemCount", "TableSizeBytes"):
        table.pop(volatile)
    return state


def infrastructure(report, name, options):
    with Server("--transition-ms", "100", *options) as server:
        home = Region(server, HOME)
        with report.case(f"{name}: a table with replicas is made"):
            home.call("CreateTable", TABLE)
            wait_until(lambda: home.describe()["TableStatus"] == "ACTIVE")
            home.replicas("Create", AWAY)
            home.replicas("Create", FAR)
            for region in (AWAY, FAR):
                wait_until(lambda at=Region(server, region): at.describe()["TableStatus"] == "ACTIVE")
        with report.case(f"{name}: a plan after it is empty"):
            state = read_state(server)
            replicas = {r["RegionName"]: r["ReplicaStatus"] for r in state["table"]["Replicas"]}
            equal(replicas, {AWAY: "ACTIVE", FAR: "ACTIVE"})
            equal(read_state(server), state)
        with report.case(f"{name}: a replica is taken off"):
            home.replicas("Delete", FAR)
            equal(list(read_state(server)), ["table", "backups", "ttl", "tags", AWAY])
        with report.case(f"{name}: the last replica, then the table"):
            home.replicas("Delete", AWAY)
            for member in ("Replicas", "GlobalTableVersion"):
                assert member not in home.describe(), member
            home.call("DeleteTable", {"TableName": "Orders"})
            wait_until(home.is_gone)


# --- replicas ---------------------------------------------------------------------------------------


def replication(report, place):
    with Server(*APART, *place.new("replication")) as server:
        with report.case("a new replica has what its source has, indexes too"):
            home, away = make(server)
            equal((away.keys(), away.count_by_time()), (["old"], 1))
            arns = [table["LatestStreamArn"] for table in (home.describe(), away.describe())]
            equal([arn.split(":")[3] for arn in arns], [HOME, AWAY])
        with report.case("writes come to the other side, and through its indexes"):
            home.put("here")
            away.put("there")
            both = ["here", "old", "there"]
            wait_until(lambda: home.keys() == both and away.keys() == both)
            equal((home.count_by_time(), away.count_by_time()), (3, 3))
        with report.case("a large table is copied between requests, with what is written meanwhile"):
            for start in range(0, 2000, 25):
                puts = [
                    {"PutRequest": {"Item": {"pk": {"S": f"{n}"}, "text": {"S": "x" * 400}}}}
                    for n in range(start, start + 25)
                ]
                home.call("BatchWriteItem", {"RequestItems": {"Orders": puts}})
            home.call(
                "UpdateTable",
                {"TableName": "Orders", "ReplicaUpdates": [{"Create": {"RegionName": FAR}}]},
            )
            home.put("meanwhile")
            far = Region(server, FAR)
            wait_until(lambda: home.is_settled(FAR, False))
            equal(far.describe()["TableStatus"], "ACTIVE")
            wait_until(lambda: far.call("Scan", {"TableName": "Orders", "Select": "COUNT"})["Count"] == 2004)


def lag(report):
    with Server(*APART, "--replica-lag-ms", "60000", "--clock", "2026-01-01T00:00:00Z,frozen") as server:
        with report.case("the lag is one of the world's clock"):
            home, away = make(server)
            home.put("late")
            equal(away.keys(), ["old"])
            must(server, "POST", "clock", {"advance": "59s"})
            equal(away.keys(), ["old"])
            must(server, "POST", "clock", {"advance": "1s"})
            equal(away.keys(), ["late", "old"])
        with report.case("a snapshot has what is on its way"):
            home.put("later")
            must(server, "POST", "snapshots/kept", {})
            must(server, "POST", "clock", {"advance": "1h"})
            must(server, "POST", "snapshots/kept/restore", {})
            equal(away.keys(), ["late", "old"])
            must(server, "POST", "clock", {"advance": "61s"})
            equal(away.keys(), ["late", "later", "old"])


def crash(report, place):
    options = (*APART, *place.options, "--replica-lag-ms", "1500")
    with report.case("what was on its way when the server was killed arrives"):
        server = Server(*options)
        home, away = make(server)
        home.put("late")
        server.kill()
        with Server(*options) as again:
            away = Region(again, AWAY)
            equal(away.keys(), ["old"])
            wait_until(lambda: away.keys() == ["late", "old"])
            Region(again, HOME).replicas("Delete", AWAY)
            assert away.is_gone()


def main():
    report = Report()
    with stores.place(report) as place:
        infrastructure(report, "one region", place.new("one"))
        infrastructure(report, "regions apart", (*APART, *place.new("apart")))
        replication(report, place)
        if not stores.IN_DATABASE:  # it has the real time, and no snapshots
            lag(report)
        crash(report, place)
        place.check()
    report.done()


main()
