"""What the server answers is what the newest service model says: every operation, asked for the
least that it does and for much of what it tells, gives members that are in the model, of their
types, and all that the model requires.

A word is held to its enumeration, and a text to its form, by the golden cases.
"""

import json
import numbers
import pathlib
import subprocess

from e2e import (
    PATIENCE,
    STREAM_OPERATIONS,
    Report,
    Server,
    equal,
    has_node,
    node_script,
    temporary_folder,
    wait_until,
)

ACCOUNT = "us-east-1:123456789012"
TABLE_ARN = f"arn:aws:dynamodb:{ACCOUNT}:table/Full"
KINESIS = f"arn:aws:kinesis:{ACCOUNT}:stream/changes"
KEY = {"pk": {"S": "a"}, "sk": {"S": "b"}}
UNITS = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
MOST = {"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": 10}
WARM = {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 4000}
ALL = {"ProjectionType": "ALL"}
POLICY = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Principal": {"AWS": "111122223333"},
                "Action": "dynamodb:GetItem",
                "Resource": TABLE_ARN,
            }
        ],
    }
)


def attributes(**types):
    return [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()]


def keys(*names):
    kinds = ("HASH", "RANGE")
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, kinds)]


PLAIN = {
    "AttributeDefinitions": attributes(pk="S"),
    "KeySchema": keys("pk"),
    "BillingMode": "PAY_PER_REQUEST",
}
FULL = {
    "TableName": "Full",
    "AttributeDefinitions": attributes(pk="S", sk="S", other="S"),
    "KeySchema": keys("pk", "sk"),
    "BillingMode": "PAY_PER_REQUEST",
    "OnDemandThroughput": MOST,
    "WarmThroughput": WARM,
    "TableClass": "STANDARD_INFREQUENT_ACCESS",
    "LocalSecondaryIndexes": [
        {"IndexName": "lsi", "KeySchema": keys("pk", "other"), "Projection": ALL}
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "gsi",
            "KeySchema": keys("other", "pk"),
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["n"]},
            "OnDemandThroughput": MOST,
            "WarmThroughput": WARM,
        }
    ],
    "VectorIndexes": [
        {
            "IndexName": "vec",
            "VectorAttribute": {"AttributeName": "emb"},
            "Projection": ALL,
            "Dimensions": 3,
            "DistanceFunction": "COSINE",
        }
    ],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    "SSESpecification": {"Enabled": True, "SSEType": "KMS"},
    "Tags": [{"Key": "team", "Value": "orders"}],
    "ResourcePolicy": POLICY,
}
UNMODELLED = ("TableThroughputModeSummary", "VectorSearchUnits")  # captures of the service have them
WITHOUT_BODY = ("DeleteResourcePolicy",)  # likewise
COUNTED = {"ReturnConsumedCapacity": "INDEXES"}
MEASURED = {**COUNTED, "ReturnItemCollectionMetrics": "SIZE"}
VECTOR = [{"N": "1"}, {"N": "0"}, {"N": "0"}]
EVERY_TYPE = {
    "other": {"S": "o"},
    "n": {"N": "1"},
    "b": {"B": "AAEC"},
    "ss": {"SS": ["a"]},
    "ns": {"NS": ["1"]},
    "bs": {"BS": ["AA=="]},
    "m": {"M": {"x": {"NULL": True}}},
    "l": {"L": [{"BOOL": False}]},
    "emb": {"L": VECTOR},
}


class Model:
    """What there may be in answers."""

    def __init__(self):
        text = subprocess.check_output(["node", node_script("model.mjs")], timeout=PATIENCE)
        read = json.loads(text)
        self.structures = read["structures"]
        self.answers = {
            operation: answer
            for operations in read["answers"].values()
            for operation, answer in operations.items()
        }

    def faults(self, operation, answer):
        kind = self.answers[operation]
        if kind is None or operation in WITHOUT_BODY:
            return [] if answer is None else [f"an answer: {answer}"]
        return self.faults_of(kind, answer, operation)

    def faults_of(self, kind, value, path):
        if isinstance(kind, str):
            return [] if is_simple(kind, value) else [f"{path}: {value!r} is no {kind}"]
        if "structure" in kind:
            return self.faults_of_structure(self.structures[kind["structure"]], value, path)
        if not isinstance(value, list if "list" in kind else dict):
            return [f"{path}: {value!r} is no {kind}"]
        values = enumerate(value) if "list" in kind else value.items()
        of = kind.get("list") or kind.get("map")
        return [fault for at, one in values for fault in self.faults_of(of, one, f"{path}.{at}")]

    def faults_of_structure(self, structure, value, path):
        if not isinstance(value, dict):
            return [f"{path}: {value!r} is no structure"]
        found = [f"{path}.{name}: missing" for name in structure["required"] if name not in value]
        if structure["union"] and len(value) != 1:
            found.append(f"{path}: not one of a union: {value!r}")
        for name, member in value.items():
            if name in structure["members"]:
                found += self.faults_of(structure["members"][name], member, f"{path}.{name}")
            elif name not in UNMODELLED:
                found.append(f"{path}.{name}: not in the model")
        return found


def is_simple(kind, value):
    if kind == "boolean":
        return isinstance(value, bool)
    if kind in ("number", "timestamp"):
        return isinstance(value, numbers.Real) and not isinstance(value, bool)
    return isinstance(value, str)


class Walk:
    """Requests whose answers are held to the model."""

    def __init__(self, server, model, report):
        self.server = server
        self.model = model
        self.report = report
        self.walked = set()

    def call(self, operation, body):
        answer = self.server.call(operation, body)
        self.walked.add(operation)
        equal(self.model.faults(operation, answer), [])
        return answer

    def __call__(self, operation, **body):
        """A case of its own; {} where there is no answer to go on with."""
        answer = {}
        with self.report.case(f"{operation}: {', '.join(body) or 'nothing asked for'}"):
            answer = self.call(operation, body) or {}
        return answer

    def until(self, operation, path, wanted, **body):
        """Asks until the answer has that value at that path; returns the answer."""
        answer = None

        def reached():
            nonlocal answer
            answer = value = self.call(operation, body)
            for step in path:
                value = value[step]
            return value == wanted

        with self.report.case(f"{operation}: until {path[-1]} is {wanted}"):
            wait_until(reached)
        return answer or {}


def tables(walk):
    walk("CreateTable", TableName="Plain", **PLAIN)
    units = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": UNITS}
    walk("CreateTable", TableName="Units", **(PLAIN | units))
    walk("CreateTable", **FULL)
    for name in ("Plain", "Units", "Full"):
        walk("DescribeTable", TableName=name)
        walk("DescribeTimeToLive", TableName=name)
    ttl = {"Enabled": True, "AttributeName": "ttl"}
    walk("UpdateTimeToLive", TableName="Full", TimeToLiveSpecification=ttl)
    walk("DescribeTimeToLive", TableName="Full")
    walk("UpdateTable", TableName="Units", ProvisionedThroughput={**UNITS, "ReadCapacityUnits": 7})
    walk("UpdateTable", TableName="Units", BillingMode="PAY_PER_REQUEST")
    walk("UpdateTable", TableName="Units", TableClass="STANDARD_INFREQUENT_ACCESS")
    walk("UpdateTable", TableName="Units", SSESpecification={"Enabled": True})
    walk("DescribeTable", TableName="Units")
    walk("ListTables")
    walk("ListTables", Limit=1)
    walk("TagResource", ResourceArn=TABLE_ARN, Tags=[{"Key": "a", "Value": ""}])
    walk("ListTagsOfResource", ResourceArn=TABLE_ARN)
    walk("UntagResource", ResourceArn=TABLE_ARN, TagKeys=["a"])
    walk("DescribeLimits")
    walk("DescribeEndpoints")


def items(walk):
    at = {"TableName": "Full", "Key": KEY}
    names = {"ExpressionAttributeNames": {"#n": "n"}}
    walk("PutItem", TableName="Full", Item={**KEY, **EVERY_TYPE}, **MEASURED)
    walk("PutItem", TableName="Plain", Item={"pk": {"S": "a"}})
    walk("GetItem", **at, **COUNTED)
    walk("GetItem", TableName="Plain", Key={"pk": {"S": "none"}})
    add = {"UpdateExpression": "ADD #n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}
    walk("UpdateItem", **at, **names, **add, ReturnValues="ALL_NEW", **MEASURED)
    query = {
        "TableName": "Full",
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": {"S": "a"}},
    }
    walk("Query", **query, Limit=1, **COUNTED)
    walk("Query", **query, IndexName="lsi", Select="COUNT", **COUNTED)
    walk("Scan", TableName="Full", Limit=1, **COUNTED)
    walk("Scan", TableName="Full", IndexName="gsi", **COUNTED)
    walk("BatchGetItem", RequestItems={"Full": {"Keys": [KEY]}}, **COUNTED)
    put = {"PutRequest": {"Item": {**KEY, "sk": {"S": "c"}}}}
    walk("BatchWriteItem", RequestItems={"Full": [put]}, **MEASURED)
    walk("TransactGetItems", TransactItems=[{"Get": at}], **COUNTED)
    walk("TransactWriteItems", TransactItems=[{"Update": {**at, **names, **add}}], **MEASURED)
    one = {"S": "a"}
    walk("ExecuteStatement", Statement='SELECT * FROM "Full"', Limit=1, **COUNTED)
    select = {"Statement": 'SELECT * FROM "Plain" WHERE pk = ?', "Parameters": [one]}
    insert = {"Statement": "INSERT INTO \"Plain\" VALUE {'pk': ?}", "Parameters": [one]}
    walk("BatchExecuteStatement", Statements=[select], **COUNTED)
    returned = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    walk("BatchExecuteStatement", Statements=[{**insert, **returned}])
    walk("ExecuteTransaction", TransactStatements=[select], **COUNTED)
    search = {"TableName": "Full", "IndexName": "vec", "TopK": 1, "SearchVector": VECTOR}
    walk("SearchVectors", **search, **COUNTED)
    walk("DeleteItem", **at, ReturnValues="ALL_OLD", **MEASURED)


def streams(walk):
    arn = walk("ListStreams", TableName="Full")["Streams"][0]["StreamArn"]
    told = walk("DescribeStream", StreamArn=arn)["StreamDescription"]
    place = {"StreamArn": arn, "ShardId": told["Shards"][0]["ShardId"]}
    iterator = walk("GetShardIterator", **place, ShardIteratorType="TRIM_HORIZON")
    walk("GetRecords", ShardIterator=iterator["ShardIterator"])


def around(walk):
    """Policies, insights, Kinesis."""
    resource = {"ResourceArn": TABLE_ARN}
    walk("GetResourcePolicy", **resource)
    walk("PutResourcePolicy", **resource, Policy=POLICY)
    walk("DeleteResourcePolicy", **resource)
    table = {"TableName": "Full"}
    for action, index in (("ENABLE", {}), ("ENABLE", {"IndexName": "gsi"}), ("DISABLE", {})):
        change = {"ContributorInsightsAction": action}
        walk("UpdateContributorInsights", **table, **index, **change)
        walk("DescribeContributorInsights", **table, **index)
    walk("ListContributorInsights")
    destination = {**table, "StreamArn": KINESIS}
    precision = {"ApproximateCreationDateTimePrecision": "MILLISECOND"}
    other = {"ApproximateCreationDateTimePrecision": "MICROSECOND"}
    active = ["KinesisDataStreamDestinations", 0, "DestinationStatus"]
    configuration = {"EnableKinesisStreamingConfiguration": precision}
    walk("DescribeKinesisStreamingDestination", **table)
    walk("EnableKinesisStreamingDestination", **destination, **configuration)
    walk.until("DescribeKinesisStreamingDestination", active, "ACTIVE", **table)
    changes = {"UpdateKinesisStreamingConfiguration": other}
    walk("UpdateKinesisStreamingDestination", **destination, **changes)
    walk.until("DescribeKinesisStreamingDestination", active, "ACTIVE", **table)
    walk("DisableKinesisStreamingDestination", **destination)
    walk.until("DescribeKinesisStreamingDestination", active, "DISABLED", **table)


def backups(walk):
    table = {"TableName": "Full"}
    walk("DescribeContinuousBackups", **table)
    recovery = {"PointInTimeRecoveryEnabled": True, "RecoveryPeriodInDays": 7}
    walk("UpdateContinuousBackups", **table, PointInTimeRecoverySpecification=recovery)
    walk("DescribeContinuousBackups", **table)
    backup = walk("CreateBackup", **table, BackupName="one")["BackupDetails"]["BackupArn"]
    status = ["BackupDescription", "BackupDetails", "BackupStatus"]
    walk.until("DescribeBackup", status, "AVAILABLE", BackupArn=backup)
    walk("ListBackups")
    walk("RestoreTableFromBackup", TargetTableName="Again", BackupArn=backup)
    latest = {"SourceTableName": "Full", "UseLatestRestorableTime": True}
    walk("RestoreTableToPointInTime", TargetTableName="Then", **latest)
    for name in ("Again", "Then"):
        walk.until("DescribeTable", ["Table", "TableStatus"], "ACTIVE", TableName=name)
    walk("DeleteBackup", BackupArn=backup)


def transfer(walk, buckets):
    wanted = {"TableArn": TABLE_ARN, "S3Bucket": "bucket", "S3Prefix": "out"}
    export = walk("ExportTableToPointInTime", **wanted)["ExportDescription"]["ExportArn"]
    status = ["ExportDescription", "ExportStatus"]
    walk.until("DescribeExport", status, "COMPLETED", ExportArn=export)
    walk("ListExports")
    (buckets / "bucket" / "in").mkdir()
    (buckets / "bucket" / "in" / "a.json").write_text('{"Item":{"pk":{"S":"z"}}}\n')
    source = {"S3Bucket": "bucket", "S3KeyPrefix": "in/"}
    started = walk(
        "ImportTable",
        ClientToken="token",
        S3BucketSource=source,
        InputFormat="DYNAMODB_JSON",
        TableCreationParameters={"TableName": "Imported", **PLAIN},
    )
    arn = started["ImportTableDescription"]["ImportArn"]
    status = ["ImportTableDescription", "ImportStatus"]
    walk.until("DescribeImport", status, "COMPLETED", ImportArn=arn)
    walk("ListImports")
    put = {
        "TableName": "Plain",
        "InputS3Configuration": {**source, "InputFormat": "DYNAMODB_JSON"},
        "OutputS3Configuration": {
            "S3Bucket": "bucket",
            "S3KeyPrefix": "reports",
            "OutputType": ["ERROR"],
        },
    }
    started = walk("StartBulkPutItems", **put, ClientToken="a")["BulkOperationDescription"]
    arn = started["BulkOperationArn"]
    status = ["BulkOperationDescription", "BulkOperationStatus"]
    walk.until("DescribeBulkOperation", status, "COMPLETED", BulkOperationArn=arn)
    walk("ListBulkOperations")
    started = walk("StartBulkPutItems", **put, ClientToken="b")["BulkOperationDescription"]
    walk("CancelBulkOperation", BulkOperationArn=started["BulkOperationArn"])


def replicas(walk):
    status = ["Table", "Replicas", 0, "ReplicaStatus"]
    for name in ("Full", "Scaled"):
        create = {"Create": {"RegionName": "eu-west-1"}}
        if name == "Scaled":
            walk("CreateTable", TableName=name, **PLAIN)
        walk("UpdateTable", TableName=name, ReplicaUpdates=[create])
        walk.until("DescribeTable", status, "ACTIVE", TableName=name)
        walk("DescribeTableReplicaAutoScaling", TableName=name)
    table = {"TableName": "Scaled"}
    walk("UpdateTable", **table, BillingMode="PROVISIONED", ProvisionedThroughput=UNITS)
    tracking = {"TargetTrackingScalingPolicyConfiguration": {"TargetValue": 50.0}}
    scaling = {"MinimumUnits": 5, "MaximumUnits": 50, "ScalingPolicyUpdate": tracking}
    change = {"ProvisionedWriteCapacityAutoScalingUpdate": scaling}
    walk("UpdateTableReplicaAutoScaling", **table, **change)
    walk("DescribeTableReplicaAutoScaling", **table)
    walk("ListGlobalTables")


def ends(walk):
    for name in ("Plain", "Units"):
        walk("DeleteTable", TableName=name)


CLOSED = (
    "CreateGlobalTable",
    "DescribeGlobalTable",
    "DescribeGlobalTableSettings",
    "UpdateGlobalTable",
    "UpdateGlobalTableSettings",
)


def all_walked(report, model, walk):
    with report.case("that were all operations; the version of 2017 answers errors only"):
        equal(sorted(set(model.answers) - walk.walked), sorted(CLOSED))
        equal((len(model.answers), len(STREAM_OPERATIONS)), (62 + 4, 4))


def main():
    report = Report()
    if not has_node():
        report.skip("answers of the service model", "there is no Node.js 20 or no SDK")
        report.done()
    model = Model()
    with temporary_folder() as folder, Server("--s3-root", folder) as server:
        (pathlib.Path(folder) / "bucket").mkdir()
        walk = Walk(server, model, report)
        tables(walk)
        items(walk)
        streams(walk)
        around(walk)
        backups(walk)
        transfer(walk, pathlib.Path(folder))
        replicas(walk)
        ends(walk)
        all_walked(report, model, walk)
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
