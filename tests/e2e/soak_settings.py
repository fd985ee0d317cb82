"""One who changes what is kept beside a table's items, and remembers what must become of it."""

import json
import time

from soak import Refused
from soak_tables import Changer, throughput
from e2e import PATIENCE

TABLE = "Settings"
STREAM = "arn:aws:kinesis:us-east-1:123456789012:stream/settings"
DESTINATION = {"TableName": TABLE, "StreamArn": STREAM}
SCALED = {
    "ServiceNamespace": "dynamodb",
    "ResourceId": f"table/{TABLE}",
    "ScalableDimension": "dynamodb:table:ReadCapacityUnits",
}
NOTHING = {
    "policy": None,
    "insights": None,
    "destination": None,
    "target": None,
    "scaling": None,
    "recovery": False,
}


class Settler(Changer):
    """Works on a table of its own, which stays."""

    def __init__(self, port, label):
        super().__init__(port, [TABLE], label)
        self.client.send(
            "CreateTable",
            {
                "TableName": TABLE,
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                "ProvisionedThroughput": throughput(5),
            },
        )
        self.client.close()
        self.shapes[TABLE] = NOTHING
        self.ways = [
            *(self.put_policy, self.delete_policy, self.turn_insights, self.turn_destination),
            *(self.set_precision, self.register, self.deregister, self.put_scaling),
            *(self.delete_scaling, self.turn_recovery),
        ]

    def becomes(self, operation, request, **changes):
        return self.change(operation, TABLE, self.shapes[TABLE] | changes, request)

    @property
    def arn(self):
        return self.describe(TABLE)["TableArn"]

    # --- ways ------------------------------------------------------------------------------------

    def put_policy(self, *_):
        statement = {
            "Effect": "Allow",
            "Principal": {"AWS": "111122223333"},
            "Action": "dynamodb:GetItem",
            "Resource": self.arn,
            "Sid": f"s{self.random.randrange(10**6)}",
        }
        document = {"Version": "2012-10-17", "Statement": statement}
        policy = json.dumps(document, separators=(",", ":"))  # as it is kept
        request = {"ResourceArn": self.arn, "Policy": policy}
        return self.becomes("PutResourcePolicy", request, policy=policy)

    def delete_policy(self, *_):
        return self.becomes("DeleteResourcePolicy", {"ResourceArn": self.arn}, policy=None)

    def turn_insights(self, *_):
        request = {"TableName": TABLE, "ContributorInsightsAction": "DISABLE"}
        if self.shapes[TABLE]["insights"]:
            return self.becomes("UpdateContributorInsights", request, insights=None)
        mode = self.random.choice(("ACCESSED_AND_THROTTLED_KEYS", "THROTTLED_KEYS"))
        request |= {"ContributorInsightsAction": "ENABLE", "ContributorInsightsMode": mode}
        return self.becomes("UpdateContributorInsights", request, insights=mode)

    def turn_destination(self, *_):
        if self.shapes[TABLE]["destination"]:
            operation, precision, more = "DisableKinesisStreamingDestination", None, {}
        else:
            operation, precision = "EnableKinesisStreamingDestination", self.pick_precision()
            more = {"EnableKinesisStreamingConfiguration": self.configuration(precision)}
        return self.becomes(operation, DESTINATION | more, destination=precision)

    def set_precision(self, _, shape):
        precision = self.pick_precision()
        if shape["destination"] in (None, precision):
            return False
        more = {"UpdateKinesisStreamingConfiguration": self.configuration(precision)}
        operation = "UpdateKinesisStreamingDestination"
        return self.becomes(operation, DESTINATION | more, destination=precision)

    def pick_precision(self):
        return self.random.choice(("MILLISECOND", "MICROSECOND"))

    @staticmethod
    def configuration(precision):
        return {"ApproximateCreationDateTimePrecision": precision}

    def register(self, *_):
        most = self.random.randrange(10, 1000)
        request = SCALED | {"MinCapacity": 1, "MaxCapacity": most}
        return self.becomes("RegisterScalableTarget", request, target=most)

    def deregister(self, _, shape):
        """Its policies go as well."""
        if not shape["target"]:
            return False
        return self.becomes("DeregisterScalableTarget", SCALED, target=None, scaling=None)

    def put_scaling(self, _, shape):
        if not shape["target"]:
            return False
        value = float(self.random.randrange(20, 90))
        metric = {"PredefinedMetricType": "DynamoDBReadCapacityUtilization"}
        request = SCALED | {
            "PolicyName": "p",
            "PolicyType": "TargetTrackingScaling",
            "TargetTrackingScalingPolicyConfiguration": {
                "TargetValue": value,
                "PredefinedMetricSpecification": metric,
            },
        }
        return self.becomes("PutScalingPolicy", request, scaling=value)

    def delete_scaling(self, _, shape):
        if not shape["scaling"]:
            return False
        return self.becomes("DeleteScalingPolicy", SCALED | {"PolicyName": "p"}, scaling=None)

    def turn_recovery(self, _, shape):
        on = not shape["recovery"]
        specification = {"PointInTimeRecoveryEnabled": on}
        request = {"TableName": TABLE, "PointInTimeRecoverySpecification": specification}
        return self.becomes("UpdateContinuousBackups", request, recovery=on)

    # --- what is there ---------------------------------------------------------------------------

    def policy(self):
        try:
            return self.client.send("GetResourcePolicy", {"ResourceArn": self.arn})["Policy"]
        except Refused as refused:
            if "PolicyNotFoundException" not in str(refused):
                raise
        return None

    def insights(self):
        return self.client.send("DescribeContributorInsights", {"TableName": TABLE})

    def destinations(self):
        answer = self.client.send("DescribeKinesisStreamingDestination", {"TableName": TABLE})
        return answer["KinesisDataStreamDestinations"]

    def listed(self, operation, member):
        request = {"ServiceNamespace": "dynamodb", "ResourceId": SCALED["ResourceId"]}
        return self.client.send(operation, request)[member]

    def settle(self, name):
        """Also until insights and destination are on or off."""
        table = super().settle(name)
        end = time.monotonic() + PATIENCE
        while {"ENABLING", "DISABLING", "UPDATING"} & {
            self.insights()["ContributorInsightsStatus"],
            *(destination["DestinationStatus"] for destination in self.destinations()),
        }:
            self.is_waiting = True
            if time.monotonic() > end:
                raise AssertionError(f"{self.insights()}, {self.destinations()} do not end")
            time.sleep(0.005)
        self.is_waiting = False
        return table

    def shape_of(self, _):
        backups = self.client.send("DescribeContinuousBackups", {"TableName": TABLE})
        recovery = backups["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        insights = self.insights()
        targets = self.listed("DescribeScalableTargets", "ScalableTargets")
        policies = self.listed("DescribeScalingPolicies", "ScalingPolicies")
        streams = [d for d in self.destinations() if d["DestinationStatus"] == "ACTIVE"]
        values = [p["TargetTrackingScalingPolicyConfiguration"]["TargetValue"] for p in policies]
        assert max(len(targets), len(policies), len(streams)) <= 1, (targets, policies, streams)
        return {
            "policy": self.policy(),
            "insights": insights.get("ContributorInsightsMode")
            if insights["ContributorInsightsStatus"] == "ENABLED"
            else None,
            "destination": streams[0]["ApproximateCreationDateTimePrecision"] if streams else None,
            "target": targets[0]["MaxCapacity"] if targets else None,
            "scaling": values[0] if values else None,
            "recovery": recovery["PointInTimeRecoveryStatus"] == "ENABLED",
        }
