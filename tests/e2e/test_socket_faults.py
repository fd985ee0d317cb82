"""Connections whose reads and writes fail, and a system that gives no more of them: whoever is not
met is served as ever, nothing stays behind, and what was begun is done as a whole or not at all.

Calls fail through tests/preload/socket_faults.c, in memory that server and test share."""

import errno
import http.client
import json
import mmap
import os
import pathlib
import shutil
import socket
import ssl
import struct
import time

from certificates import make_certificate, options
from crashes import table
from e2e import (
    BINARY,
    HEADERS,
    PATIENCE,
    STREAM_OPERATIONS,
    Report,
    Server,
    equal,
    temporary_folder,
    wait_until,
)

FOLDER = pathlib.Path(os.environ.get("MOCKDDB_PRELOADS", pathlib.Path(BINARY).parent))
PRELOAD = FOLDER / "mockddb_socket_faults.so"
WRITE, READ, ACCEPT = 1, 2, 3
HITS = 24  # where the count of failed calls is
BROKEN = (errno.EPIPE, errno.ECONNRESET, errno.ENOBUFS, errno.ETIMEDOUT, errno.EIO)
PASSING = (errno.EAGAIN, errno.EINTR)

TABLE = table("Items") | {
    "VectorIndexes": [
        {
            "IndexName": "by-v",
            "VectorAttribute": {"AttributeName": "v"},
            "Projection": {"ProjectionType": "ALL"},
            "Dimensions": 2,
            "DistanceFunction": "COSINE",
        }
    ],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
}
ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/Items"
KINESIS = "arn:aws:kinesis:us-east-1:000000000000:stream/orders"
POLICY = json.dumps(
    {
        "Statement": {
            "Effect": "Allow",
            "Principal": {"AWS": "111122223333"},
            "Action": "dynamodb:GetItem",
            "Resource": ARN,
        }
    }
)
VECTOR = [{"N": "1"}, {"N": "0.5"}]
ITEM = {"pk": {"S": "new"}, "a": {"S": "x"}, "v": {"L": VECTOR}}
KEY = {"pk": {"S": "new"}}
ONE = {"TableName": "Items", "Key": KEY}
SELECT = "SELECT * FROM Items WHERE pk = 'new'"
INSERT = "INSERT INTO Items VALUE {'pk': '%s'}"
LONG = "x" * 350_000


def keys(name):
    """The parameters of a table that is made by an import."""
    return {
        "TableName": name,
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    }


def operations(tested):
    """A request of each operation, in an order in which they succeed."""
    stream = tested.call("ListStreams", {})["Streams"][0]["StreamArn"]
    shard = tested.call("DescribeStream", {"StreamArn": stream})["StreamDescription"]["Shards"][0]
    place = {"StreamArn": stream, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
    ttl = {"AttributeName": "ttl", "Enabled": True}
    put = {"Put": {"TableName": "Items", "Item": ITEM}}
    backed_up = {"TableName": "Items", "BackupName": "backup"}
    backup, spare = (
        tested.call("CreateBackup", backed_up)["BackupDetails"]["BackupArn"] for _ in range(2)
    )
    recovery = {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}}
    tested.call("UpdateContinuousBackups", {"TableName": "Items", **recovery})
    export = {"TableArn": ARN, "S3Bucket": "bucket"}
    exported = tested.call("ExportTableToPointInTime", export)
    taken = {"S3BucketSource": {"S3Bucket": "bucket"}, "InputFormat": "ION", "ClientToken": "t"}
    imported = tested.call("ImportTable", taken | {"TableCreationParameters": keys("Imported")})
    bulk_put = {
        "TableName": "Items",
        "InputS3Configuration": {"S3Bucket": "bucket", "InputFormat": "ION"},
        "OutputS3Configuration": {"S3Bucket": "bucket", "OutputType": ["ERROR"]},
    }
    put = tested.call("StartBulkPutItems", bulk_put)["BulkOperationDescription"]
    started = {"BulkOperationArn": put["BulkOperationArn"]}
    return {
        "PutItem": {"TableName": "Items", "Item": ITEM},
        "UpdateItem": {**ONE, "UpdateExpression": "SET a = a"},
        "GetItem": ONE,
        "Query": {
            "TableName": "Items",
            "IndexName": "by-a",
            "KeyConditionExpression": "a = :a",
            "ExpressionAttributeValues": {":a": {"S": "x"}},
        },
        "Scan": {"TableName": "Items"},
        "SearchVectors": {
            "TableName": "Items",
            "IndexName": "by-v",
            "SearchVector": VECTOR,
            "TopK": 2,
        },
        "BatchGetItem": {"RequestItems": {"Items": {"Keys": [KEY]}}},
        "BatchWriteItem": {"RequestItems": {"Items": [{"PutRequest": {"Item": ITEM}}]}},
        "TransactGetItems": {"TransactItems": [{"Get": ONE}]},
        "TransactWriteItems": {"TransactItems": [put]},
        "ExecuteStatement": {"Statement": SELECT},
        "BatchExecuteStatement": {"Statements": [{"Statement": SELECT}]},
        "ExecuteTransaction": {"TransactStatements": [{"Statement": SELECT}]},
        "DeleteItem": ONE,
        "DescribeTable": {"TableName": "Items"},
        "UpdateTable": {"TableName": "Items", "DeletionProtectionEnabled": False},
        "ListTables": {},
        "TagResource": {"ResourceArn": ARN, "Tags": [{"Key": "k", "Value": "v"}]},
        "ListTagsOfResource": {"ResourceArn": ARN},
        "UntagResource": {"ResourceArn": ARN, "TagKeys": ["k"]},
        "PutResourcePolicy": {"ResourceArn": ARN, "Policy": POLICY},
        "GetResourcePolicy": {"ResourceArn": ARN},
        "DeleteResourcePolicy": {"ResourceArn": ARN},
        "UpdateContributorInsights": {"TableName": "Items", "ContributorInsightsAction": "ENABLE"},
        "DescribeContributorInsights": {"TableName": "Items"},
        "ListContributorInsights": {},
        "EnableKinesisStreamingDestination": {"TableName": "Items", "StreamArn": KINESIS},
        "UpdateKinesisStreamingDestination": {
            "TableName": "Items",
            "StreamArn": KINESIS,
            "UpdateKinesisStreamingConfiguration": {
                "ApproximateCreationDateTimePrecision": "MICROSECOND"
            },
        },
        "DescribeKinesisStreamingDestination": {"TableName": "Items"},
        "DisableKinesisStreamingDestination": {"TableName": "Items", "StreamArn": KINESIS},
        "UpdateTimeToLive": {"TableName": "Items", "TimeToLiveSpecification": ttl},
        "DescribeTimeToLive": {"TableName": "Items"},
        "CreateBackup": backed_up,
        "DescribeBackup": {"BackupArn": backup},
        "ListBackups": {},
        "UpdateContinuousBackups": {"TableName": "Items", **recovery},
        "DescribeContinuousBackups": {"TableName": "Items"},
        "RestoreTableFromBackup": {"TargetTableName": "Back", "BackupArn": backup},
        "RestoreTableToPointInTime": {
            "SourceTableName": "Items",
            "TargetTableName": "Again",
            "UseLatestRestorableTime": True,
        },
        "DeleteBackup": {"BackupArn": spare},
        "ExportTableToPointInTime": export,
        "DescribeExport": {"ExportArn": exported["ExportDescription"]["ExportArn"]},
        "ListExports": {},
        "ImportTable": taken | {"ClientToken": "new", "TableCreationParameters": keys("New")},
        "DescribeImport": {"ImportArn": imported["ImportTableDescription"]["ImportArn"]},
        "ListImports": {},
        "StartBulkPutItems": bulk_put,
        "DescribeBulkOperation": started,
        "ListBulkOperations": {},
        "CancelBulkOperation": started,
        "ListGlobalTables": {},
        "DescribeLimits": {},
        "DescribeEndpoints": {},
        "ListStreams": {},
        "DescribeStream": {"StreamArn": stream},
        "GetShardIterator": place,
        "GetRecords": {"ShardIterator": tested.call("GetShardIterator", place)["ShardIterator"]},
        "CreateTable": {**TABLE, "TableName": "Other"},
        "DeleteTable": {"TableName": "Other"},
    }


# A second time they are refused.
ONCE = (
    *("CreateTable", "DeleteTable", "UpdateTimeToLive", "DeleteBackup"),
    *("RestoreTableFromBackup", "RestoreTableToPointInTime"),
)


class Faults:
    """What the server's connections are to meet."""

    def __init__(self, path):
        path.write_bytes(bytes(mmap.PAGESIZE))
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def arm(self, call, nth=1, error=0, most=1, lasting=False):
        self.memory[:28] = struct.pack("=7i", call, 0, error, most, lasting, -1, 0)
        self.memory[4:8] = struct.pack("=i", nth)

    def hits(self):
        """How many calls failed."""
        return struct.unpack("=i", self.memory[HITS : HITS + 4])[0]

    def lift(self):
        """Nothing fails any more; how many calls did."""
        self.memory[4:8] = bytes(4)
        return self.hits()


class Connection:
    """One client; over TLS where the server has a certificate."""

    def __init__(self, server, trusted=None):
        if trusted:
            context = ssl.create_default_context(cafile=trusted)
            kind = {"context": context}
            self.http = http.client.HTTPSConnection("localhost", server.port, timeout=PATIENCE, **kind)
        else:
            self.http = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.close()

    def send(self, operation, body):
        """(status, answer), or None where the connection broke."""
        prefix = "DynamoDBStreams" if operation in STREAM_OPERATIONS else "DynamoDB"
        headers = {**HEADERS, "X-Amz-Target": f"{prefix}_20120810.{operation}"}
        try:
            self.http.request("POST", "/", json.dumps(body), headers)
            answer = self.http.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException):
            return None


class Tested:
    """A server whose connections fail, and somebody else's connection to it."""

    def __init__(self, folder, name, *arguments, trusted=None):
        path = folder / f"{name}.faults"
        self.faults = Faults(path)
        os.environ["MOCKDDB_SOCKET_FAULTS"] = str(path)
        os.environ["LD_PRELOAD"] = str(PRELOAD)
        os.environ["ASAN_OPTIONS"] = "verify_asan_link_order=0"
        try:
            buckets = folder / f"{name}.buckets"
            buckets.mkdir()
            self.server = Server("--s3-root", str(buckets), *arguments)
        finally:
            for variable in ("MOCKDDB_SOCKET_FAULTS", "LD_PRELOAD", "ASAN_OPTIONS"):
                del os.environ[variable]
        self.trusted = trusted
        self.other = self.connect()
        self.call("CreateTable", TABLE)
        for number in range(4):
            item = {"pk": {"S": str(number)}, "text": {"S": LONG}}
            self.call("PutItem", {"TableName": "Items", "Item": item})
        self.before = self.descriptors()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.other.http.close()
        self.server.stop()  # and what sanitizers have to say

    def connect(self):
        return Connection(self.server, self.trusted)

    def call(self, operation, body):
        answer = self.other.send(operation, body)
        equal(answer and answer[0], 200)
        return answer[1]

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.server.process.pid}/fd"))

    def seconds(self):
        """Of processor time so far."""
        with open(f"/proc/{self.server.process.pid}/stat", encoding="ascii") as stat:
            return sum(map(int, stat.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf(
                "SC_CLK_TCK"
            )

    def nothing_stays(self):
        equal(self.call("DescribeEndpoints", {})["Endpoints"][0]["CachePeriodInMinutes"], 1440)
        wait_until(lambda: self.descriptors() <= self.before)

    def is_whole(self):
        """Table and index agree."""
        keys = {"TableName": "Items", "ProjectionExpression": "pk, a"}
        table = self.call("Scan", keys)
        index = self.call("Scan", keys | {"IndexName": "by-a"})
        equal([item for item in table["Items"] if "a" in item], index["Items"])


def break_each(tested, call, operation, body, fresh=False, **fault):
    """Breaks the first, second … of the calls that a request takes, until none is left to break;
    on a fresh connection those of its beginning, too."""
    for nth in range(1, 100):
        with tested.connect() as connection:
            if not fresh:
                equal(connection.send("ListTables", {})[0], 200)
            tested.faults.arm(call, nth, **fault)
            answer = connection.send(operation, body)
            if tested.faults.hits():
                tested.call("ListTables", {})
            if not tested.faults.lift():
                equal(answer and answer[0], 200)
                return
            if answer:
                equal(answer[0], 200)
            elif fault["error"] in (0, *PASSING):
                raise AssertionError(f"{operation} is not answered")
    raise AssertionError("the calls have no end")


def requests_that_break(report, tested, name):
    long = {"TableName": "Items", "Limit": 1}
    put = {"TableName": "Items", "Item": {"pk": {"S": "0"}, "text": {"S": LONG}}}
    lengthy = {WRITE: ("Scan", long), READ: ("PutItem", put)}
    for call, what in ((WRITE, "writes"), (READ, "reads")):
        for error in BROKEN + PASSING:
            for operation, body in (("GetItem", ONE), ("Scan", long)):
                with report.case(f"{name}: {what} fail with {errno.errorcode[error]}: {operation}"):
                    break_each(tested, call, operation, body, error=error)
                    if error in BROKEN:
                        break_each(tested, call, operation, body, error=error, lasting=True)
                    tested.nothing_stays()
        with report.case(f"{name}: {what} fail from the beginning of a connection on"):
            for lasting in (False, True):
                fault = {"error": errno.ECONNRESET, "lasting": lasting}
                break_each(tested, call, "GetItem", ONE, fresh=True, **fault)
            tested.nothing_stays()
        for most, operation, body in ((1, "GetItem", ONE), (7000, *lengthy[call])):
            with report.case(f"{name}: {what} of {most} bytes at a time: {operation}"):
                with tested.connect() as connection:
                    tested.faults.arm(call, most=most, lasting=True)
                    answer = connection.send(operation, body)
                    assert tested.faults.lift() > 3
                equal(answer and answer[0], 200)
                tested.nothing_stays()


def operations_that_are_not_answered(report, tested, name):
    for operation, body in operations(tested).items():
        with report.case(f"{name}: the answer to {operation} is lost"):
            for _ in range(1 if operation in ONCE else 2):
                with tested.connect() as connection:
                    equal(connection.send("ListTables", {})[0], 200)
                    tested.faults.arm(WRITE, error=errno.ECONNRESET, lasting=True)
                    equal(connection.send(operation, body), None)
                    assert tested.faults.lift()
            tested.nothing_stays()
            tested.is_whole()
    with report.case(f"{name}: what was not answered was done"):
        ttl = tested.call("DescribeTimeToLive", {"TableName": "Items"})
        equal(ttl["TimeToLiveDescription"]["TimeToLiveStatus"], "ENABLED")
        equal(tested.call("ListTables", {})["TableNames"], ["Again", "Back", "Items"])


def no_more_connections(report, tested, name):
    for error in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.ECONNABORTED):
        with report.case(f"{name}: accepting fails with {errno.errorcode[error]}"):
            once = error == errno.ECONNABORTED  # of one connection, which is gone
            tested.faults.arm(ACCEPT, error=error, lasting=not once)
            address = ("127.0.0.1", tested.server.port)
            with socket.create_connection(address, PATIENCE), tested.connect() as next_one:
                before, begun = tested.seconds(), time.monotonic()
                while time.monotonic() < begun + 1:
                    tested.call("ListTables", {})
                    time.sleep(0.05)
                used = tested.seconds() - before
                hits, took = tested.faults.lift(), time.monotonic() - begun
                assert once or 2 <= hits <= 40 * took, f"tried {hits} times in {took:.1f} s"
                assert used < 0.5 * took, f"{used:.2f} s of processor time in {took:.1f} s while nothing was to do"
                equal(next_one.send("ListTables", {})[0], 200)
            tested.nothing_stays()


def check(report, folder, name, *arguments, trusted=None):
    with Tested(folder, name, *arguments, trusted=trusted) as tested:
        requests_that_break(report, tested, name)
        operations_that_are_not_answered(report, tested, name)
        no_more_connections(report, tested, name)
        with report.case(f"{name}: nothing was logged"):
            equal(tested.server.read_stderr(), "")


def main():
    report = Report()
    if not PRELOAD.exists():
        report.skip("connections that fail", f"there is no {PRELOAD}")
        report.done()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        check(report, folder, "memory")
        check(report, folder, "file", "--db", str(folder / "items.db"))
        if shutil.which("openssl"):
            pair = make_certificate(folder, "own", "rsa:2048")
            check(report, folder, "TLS", *options(pair), trusted=str(pair[0]))
    report.done()


main()
