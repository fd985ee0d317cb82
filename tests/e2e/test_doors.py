"""Who gets in: own pages are not for other sites, and a read-only server takes no writes."""

import contextlib
import errno
import http.client
import json
import pathlib
import socket
import ssl
import subprocess
import time

from e2e import (
    BINARY,
    PATIENCE,
    Refusal,
    Report,
    Server,
    Shell,
    equal,
    temporary_folder,
    wait_until,
)


def ask(server, method, path, headers):
    """One request with these headers and no others; returns (status, headers, body)."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def own_pages(report):
    with Server() as server:
        here = f"127.0.0.1:{server.port}"
        cases = (
            ("the address that it listens on", {"Host": here}, 200),
            ("localhost", {"Host": f"localhost:{server.port}"}, 200),
            ("its own page", {"Host": here, "Origin": f"http://{here}"}, 200),
            ("a bookmark", {"Host": here, "Sec-Fetch-Site": "none"}, 200),
            ("no Host", {}, 403),
            ("a name that leads here", {"Host": f"attacker.example:{server.port}"}, 403),
            ("another port", {"Host": "127.0.0.1:1"}, 403),
            ("another site's page", {"Host": here, "Origin": "http://attacker.example"}, 403),
            ("another site's image", {"Host": here, "Sec-Fetch-Site": "cross-site"}, 403),
            ("another port's page", {"Host": here, "Sec-Fetch-Site": "same-site"}, 403),
        )
        for name, headers, expected in cases:
            with report.case(f"own pages: {name}"):
                status, answered, body = ask(server, "GET", "/_mockddb/health", headers)
                equal((status, answered["Access-Control-Allow-Origin"]), (expected, None))
                answered = sorted(json.loads(body))
                equal(answered, ["status", "version"] if status == 200 else ["message"])
        with report.case("own pages: no preflight for other sites"):
            headers = {"Host": here, "Origin": "http://attacker.example"}
            status, answered, _ = ask(server, "OPTIONS", "/_mockddb/health", headers)
            equal((status, answered["Access-Control-Allow-Origin"]), (403, None))
        with report.case("only loopback is listened on, and there one address of each kind"):
            equal(server.url, f"http://127.0.0.1:{server.port}")
            with socket.socket() as other:  # all of 127.0.0.0/8 leads to this machine
                equal(other.connect_ex(("127.0.0.2", server.port)), errno.ECONNREFUSED)
    with Server("--allow-host", "db.example", "--allow-host", "other.example") as server:
        for host, expected in (("db.example", 200), ("Other.example:1", 200), ("db", 403)):
            with report.case(f"own pages, with further names: {host}"):
                equal(ask(server, "GET", "/_mockddb/health", {"Host": host})[0], expected)
    with Server("--host", "0.0.0.0") as server:
        hosts = ("10.9.8.7:9000", "localhost", "mockddb:8000", "db.example")
        for host, expected in zip(hosts, (200, 200, 200, 403)):
            with report.case(f"own pages, on all addresses: {host}"):
                equal(ask(server, "GET", "/_mockddb/health", {"Host": host})[0], expected)
    for host in ("127.0.0.1", "0.0.0.0"):
        with report.case(f"healthcheck of a server on {host}"), Server("--host", host) as server:
            endpoint = f"http://127.0.0.1:{server.port}"
            command = [BINARY, "healthcheck", "--endpoint", endpoint]
            equal(subprocess.run(command, check=False, timeout=PATIENCE).returncode, 0)


def asks(server, origin, operation="ListTables", body=b"{}", **headers):
    """Sends an operation from a page of that origin; returns (status, Access-Control-Allow-Origin)."""
    more = {} if origin is None else {"Origin": origin}
    status, answered, _ = server.post(operation, body, {**more, **headers})
    return status, answered["Access-Control-Allow-Origin"]


ATTACKERS = (
    "http://attacker.example", "https://attacker.example:8000", "null", "http://127.0.0.1.attacker.example",
    "http://localhost.attacker.example:8000", "file://", "chrome-extension://abc", "http://192.0.2.1",
)


def origins(report):
    with Server("--allow-host", "db.example") as server:
        server.call("CreateTable", {name: TABLE[name] for name in list(TABLE)[:4]})
        for origin in ATTACKERS:
            with report.case(f"a page of {origin} reads and drops no table"):
                for host in (f"127.0.0.1:{server.port}", "attacker.example", "db.example"):
                    equal(asks(server, origin, Host=host), (403, None))
                    drop = {"TableName": "Kept"}
                    equal(asks(server, origin, "DeleteTable", drop, Host=host), (403, None))
                preflight = {"Origin": origin, "Access-Control-Request-Method": "POST"}
                equal(ask(server, "OPTIONS", "/", preflight)[0], 403)
                equal(server.call("ListTables", {}), {"TableNames": ["Kept"]})
        for origin in (None, "http://localhost:3000", "http://127.0.0.1", "https://[::1]:1", "http://db.example:3000"):
            with report.case(f"a request of {origin} comes in"):
                equal(asks(server, origin), (200, "*" if origin else None))
        with report.case("without Origin no Host is looked at"):
            equal(asks(server, None, Host="attacker.example")[0], 200)
    for options, origin, expected in (
        (("--cors", "http://a.example,http://b.example:1"), "http://b.example:1", (200, "http://b.example:1")),
        (("--cors", "http://a.example"), "http://b.example", (403, None)),
        (("--cors", "http://a.example"), "http://localhost:1", (200, "http://localhost:1")),
        (("--cors", "null"), "null", (200, "null")),
        (("--cors", "*"), "http://a.example", (200, "*")),
        (("-cors", "http://a.example"), "http://a.example", (200, "http://a.example")),
        (("-cors", "http://a.example", "-inMemory"), "http://b.example", (403, None)),
        (("--host", "0.0.0.0"), "http://192.0.2.1", (403, None)),
    ):
        with report.case(f"{' '.join(options)}: a page of {origin}"), Server(*options) as server:
            equal(asks(server, origin), expected)
            equal(server.read_stderr(), "")
    for options in (("-inMemory",), ("-sharedDb", "-inMemory"), ("-Xmx1g", "-jar", "DynamoDBLocal.jar", "-inMemory")):
        with report.case(f"{' '.join(options)}: every page comes in, and one line says so"):
            with Server(*options) as server:
                equal(asks(server, "http://a.example"), (200, "*"))
                equal(asks(server, "null"), (200, "*"))
                lines = server.read_stderr().splitlines()
                equal([line for line in lines if "every origin" in line], lines[:1])
                here = {"Host": f"127.0.0.1:{server.port}", "Origin": "http://a.example"}
                equal(ask(server, "GET", "/_mockddb/clock", here)[0], 403)


def answers(address, port):
    """Whether health is answered there."""
    connection = http.client.HTTPConnection(address, port, timeout=PATIENCE)
    try:
        connection.request("GET", "/_mockddb/health")
        return connection.getresponse().status == 200
    except ConnectionRefusedError:
        return False
    finally:
        connection.close()


@contextlib.contextmanager
def owner(address, port=0):
    """Somebody else who listens there."""
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind((address, port))
        other.listen()
        yield other.getsockname()[1]


def has_ipv6():
    try:
        with owner("::1"):
            return True
    except OSError:
        return False


def loopback(report):
    if not has_ipv6():
        with report.case("without IPv6 one line says so"), Server() as server:
            equal(answers("127.0.0.1", server.port), True)
            lines = server.read_stderr().splitlines()
            equal([line for line in lines if "::1" in line and "only 127.0.0.1 is served" in line], lines)
        report.skip("both loopback addresses", "there is no IPv6")
        return
    with report.case("both loopback addresses, on one port, in silence"), Server() as server:
        equal((answers("127.0.0.1", server.port), answers("::1", server.port)), (True, True))
        equal((server.url, server.read_stderr()), (f"http://127.0.0.1:{server.port}", ""))
    with report.case("a free port is free at both"):
        servers = [Server() for _ in range(8)]
        try:
            equal([answers("::1", server.port) for server in servers], [True] * 8)
            equal([server.read_stderr() for server in servers], [""] * 8)
        finally:
            for server in servers:
                server.stop()
    with report.case("::1 has another owner: IPv4 serves, and one line says so"), owner("::1") as port:
        with Server("--port", str(port)) as server:
            equal((server.port, answers("127.0.0.1", port)), (port, True))
            expected = f"mockddb: port {port} of ::1 is in use; only 127.0.0.1 is served"
            equal(server.read_stderr().splitlines(), [expected])
    with report.case("127.0.0.1 has another owner: nothing is served"), owner("127.0.0.1") as port:
        ended = subprocess.run([BINARY, "--port", str(port)], capture_output=True, text=True, check=False, timeout=PATIENCE)
        equal((ended.returncode, ended.stdout), (1, ""))
        equal(ended.stderr, f"mockddb: port {port} of 127.0.0.1 is in use\n")
        equal(answers("::1", port), False)
    for host, here, there in (("127.0.0.1", "127.0.0.1", "::1"), ("::1", "::1", "127.0.0.1")):
        with report.case(f"--host {host} is that alone"), Server("--host", host) as server:
            equal((answers(here, server.port), answers(there, server.port)), (True, False))
            equal(server.read_stderr(), "")
    with report.case("what came in by IPv6 ends with the server"), Server() as server:
        with socket.create_connection(("::1", server.port), timeout=PATIENCE) as connection:
            server.stop()
            equal(connection.recv(1), b"")


def wrong_protocol(report):
    with Server() as server:
        with report.case("TLS on the plain port: the handshake fails at once, and one line says why"):
            for _ in range(3):
                context = ssl.create_default_context()
                with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
                    try:
                        context.wrap_socket(connection, server_hostname="localhost")
                        raise AssertionError("a handshake")
                    except ssl.SSLError:
                        pass
            lines = server.read_stderr().splitlines()
            equal((len(lines), "speaks TLS" in lines[0]), (1, True))
            equal(answers("127.0.0.1", server.port), True)


REPLICA = {"RegionName": "eu-west-1"}
TABLE = {
    "TableName": "Kept",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
    "VectorIndexes": [
        {
            "IndexName": "vectors",
            "VectorAttribute": {"AttributeName": "v"},
            "Projection": {"ProjectionType": "ALL"},
            "Dimensions": 1,
            "DistanceFunction": "COSINE",
        }
    ],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
}
KEY = {"pk": {"S": "a"}}
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Kept"
KINESIS = "arn:aws:kinesis:us-east-1:123456789012:stream/orders"
BACKUP = f"{ARN}/backup/01700000000000-00000000"
TTL = {"TableName": "Kept", "TimeToLiveSpecification": {"AttributeName": "t", "Enabled": True}}
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
SELECT = "SELECT * FROM Kept WHERE pk = 'a'"
INSERT = "INSERT INTO Kept VALUE {'pk': 'b'}"


def denial(action):
    return (
        f"User: arn:aws:iam::123456789012:root is not authorized to perform: dynamodb:{action} "
        "with an explicit deny: the server was started with --read-only"
    )


def check_denied(server, operation, body, action=None):
    status, _, answer = server.post(operation, body)
    expected = {
        "__type": "com.amazon.coral.service#AccessDeniedException",
        "Message": denial(action or operation),
    }
    equal((status, json.loads(answer)), (400, expected))


RECOVERY = {
    "TableName": "Kept",
    "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
}


IMPORT = {
    "ClientToken": "token",
    "S3BucketSource": {"S3Bucket": "bucket"},
    "InputFormat": "ION",
    "TableCreationParameters": {**TABLE, "TableName": "Imported"},
}
BULK_PUT = {
    "TableName": "Kept",
    "InputS3Configuration": {"S3Bucket": "bucket", "InputFormat": "ION"},
    "OutputS3Configuration": {"S3Bucket": "bucket", "OutputType": ["ERROR"]},
}


def writes(report, server):
    for operation, body in {
        "CreateTable": {**TABLE, "TableName": "Other"},
        "UpdateTable": {"TableName": "Kept", "DeletionProtectionEnabled": True},
        "DeleteTable": {"TableName": "Kept"},
        "UpdateTimeToLive": TTL,
        "TagResource": {"ResourceArn": ARN, "Tags": [{"Key": "a", "Value": "b"}]},
        "UntagResource": {"ResourceArn": ARN, "TagKeys": ["a"]},
        "PutResourcePolicy": {"ResourceArn": ARN, "Policy": POLICY},
        "DeleteResourcePolicy": {"ResourceArn": ARN},
        "UpdateContributorInsights": {"TableName": "Kept", "ContributorInsightsAction": "ENABLE"},
        "EnableKinesisStreamingDestination": {"TableName": "Kept", "StreamArn": KINESIS},
        "DisableKinesisStreamingDestination": {"TableName": "Kept", "StreamArn": KINESIS},
        "UpdateKinesisStreamingDestination": {"TableName": "Kept", "StreamArn": KINESIS},
        "CreateGlobalTable": {"GlobalTableName": "Kept", "ReplicationGroup": [REPLICA]},
        "UpdateGlobalTable": {"GlobalTableName": "Kept", "ReplicaUpdates": [{"Create": REPLICA}]},
        "UpdateGlobalTableSettings": {"GlobalTableName": "Kept"},
        "UpdateTableReplicaAutoScaling": {"TableName": "Kept"},
        "CreateBackup": {"TableName": "Kept", "BackupName": "backup"},
        "DeleteBackup": {"BackupArn": BACKUP},
        "RestoreTableFromBackup": {"TargetTableName": "Back", "BackupArn": BACKUP},
        "UpdateContinuousBackups": RECOVERY,
        "RestoreTableToPointInTime": {
            "SourceTableName": "Kept",
            "TargetTableName": "Back",
            "UseLatestRestorableTime": True,
        },
        "ExportTableToPointInTime": {"TableArn": ARN, "S3Bucket": "bucket"},
        "ImportTable": IMPORT,
        "StartBulkPutItems": BULK_PUT,
        "CancelBulkOperation": {"BulkOperationArn": f"{ARN}/bulk-operation/x"},
        "PutItem": {"TableName": "Kept", "Item": KEY},
        "UpdateItem": {"TableName": "Kept", "Key": KEY},
        "DeleteItem": {"TableName": "Kept", "Key": KEY},
        "BatchWriteItem": {"RequestItems": {"Kept": [{"DeleteRequest": {"Key": KEY}}]}},
        "TransactWriteItems": {"TransactItems": [{"Delete": {"TableName": "Kept", "Key": KEY}}]},
    }.items():
        with report.case(f"read-only: {operation} is denied"):
            check_denied(server, operation, body)
    for action, statement in {
        "PartiQLInsert": INSERT,
        "PartiQLUpdate": "UPDATE Kept SET n = 1 WHERE pk = 'a'",
        "PartiQLDelete": "DELETE FROM Kept WHERE pk = 'a'",
    }.items():
        with report.case(f"read-only: {action} is denied"):
            check_denied(server, "ExecuteStatement", {"Statement": statement}, action)
            body = {"TransactStatements": [{"Statement": statement}]}
            check_denied(server, "ExecuteTransaction", body, action)
            answer = server.call(
                "BatchExecuteStatement", {"Statements": [{"Statement": statement}]}
            )
            error = {"Code": "AccessDenied", "Message": denial(action)}
            equal(answer["Responses"], [{"Error": error, "TableName": "Kept"}])
    with report.case("read-only: a malformed write is reported as such first"):
        status, _, answer = server.post("PutItem", {"TableName": "Kept"})
        equal((status, b"ValidationException" in answer), (400, True))
    with report.case("read-only: what the AWS CLI says"), Shell(server) as shell:
        if shell.cli:
            answer = shell.run("aws dynamodb delete-table --table-name Kept")
            Refusal("DeleteTable", "AccessDeniedException", denial("DeleteTable")).check(answer)


def reads(report, server):
    item = server.call("GetItem", {"TableName": "Kept", "Key": KEY})["Item"]
    key = {"TableName": "Kept", "Key": KEY}
    condition = {
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": KEY["pk"]},
    }
    search = {
        "TableName": "Kept",
        "IndexName": "vectors",
        "SearchVector": [{"N": "1"}],
        "TopK": 1,
    }
    stream = server.call("ListStreams", {})["Streams"][0]["StreamArn"]
    shard = server.call("DescribeStream", {"StreamArn": stream})["StreamDescription"]["Shards"][0]
    place = {"StreamArn": stream, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
    iterator = server.call("GetShardIterator", place)["ShardIterator"]
    backup = server.call("ListBackups", {})["BackupSummaries"][0]
    export = server.call("ListExports", {})["ExportSummaries"][0]
    imported = server.call("ListImports", {})["ImportSummaryList"][0]
    put = server.call("ListBulkOperations", {})["BulkOperationsSummaryList"][0]
    for operation, body, expected in (
        ("ListTables", {}, {"TableNames": ["Kept"]}),
        ("Scan", {"TableName": "Kept", "Select": "COUNT"}, {"Count": 1, "ScannedCount": 1}),
        ("Query", {"TableName": "Kept", **condition}, None),
        ("SearchVectors", search, {"SearchResults": []}),
        ("BatchGetItem", {"RequestItems": {"Kept": {"Keys": [KEY]}}}, None),
        ("TransactGetItems", {"TransactItems": [{"Get": key}]}, {"Responses": [{"Item": item}]}),
        ("DescribeTable", {"TableName": "Kept"}, None),
        ("DescribeTimeToLive", {"TableName": "Kept"}, None),
        ("DescribeLimits", {}, None),
        ("DescribeEndpoints", {}, None),
        ("ListTagsOfResource", {"ResourceArn": ARN}, {"Tags": []}),
        ("GetResourcePolicy", {"ResourceArn": ARN}, None),
        ("DescribeContributorInsights", {"TableName": "Kept"}, None),
        ("ListContributorInsights", {}, {"ContributorInsightsSummaries": []}),
        ("DescribeKinesisStreamingDestination", {"TableName": "Kept"}, None),
        ("ListGlobalTables", {}, {"GlobalTables": []}),
        ("ListBackups", {}, {"BackupSummaries": [backup]}),
        ("DescribeContinuousBackups", {"TableName": "Kept"}, None),
        ("DescribeBackup", {"BackupArn": backup["BackupArn"]}, None),
        ("ListImports", {}, None),
        ("DescribeImport", {"ImportArn": imported["ImportArn"]}, None),
        ("ListBulkOperations", {}, None),
        ("DescribeBulkOperation", {"BulkOperationArn": put["BulkOperationArn"]}, None),
        ("ListExports", {}, {"ExportSummaries": [export]}),
        ("DescribeExport", {"ExportArn": export["ExportArn"]}, None),
        ("ExecuteStatement", {"Statement": SELECT}, {"Items": [item]}),
        ("BatchExecuteStatement", {"Statements": [{"Statement": SELECT}]}, None),
        ("ExecuteTransaction", {"TransactStatements": [{"Statement": SELECT}]}, None),
        ("ListStreams", {}, None),
        ("DescribeStream", {"StreamArn": stream}, None),
        ("GetShardIterator", place, None),
        ("GetRecords", {"ShardIterator": iterator}, None),
    ):
        with report.case(f"read-only: {operation} works"):
            answer = server.call(operation, body)
            equal(answer, expected or answer)
    for operation, body, error in (
        ("DescribeGlobalTable", {"GlobalTableName": "Kept"}, "GlobalTableNotFoundException"),
        ("DescribeGlobalTableSettings", {"GlobalTableName": "Kept"}, "GlobalTableNotFoundException"),
        ("DescribeTableReplicaAutoScaling", {"TableName": "Kept"}, "ResourceNotFoundException"),
    ):
        with report.case(f"read-only: {operation} looks"):
            status, _, answer = server.post(operation, body)
            equal((status, json.loads(answer)["__type"].split("#")[1]), (400, error))


def read_only(report, folder):
    path = str(folder / "kept.db")
    with Server("--db", path, "--ttl-sweep-ms", "0") as server:
        server.call("CreateTable", TABLE)
        server.call("UpdateTimeToLive", TTL)
        server.call("PutResourcePolicy", {"ResourceArn": ARN, "Policy": POLICY})
        server.call("CreateBackup", {"TableName": "Kept", "BackupName": "kept"})
        server.call("UpdateContinuousBackups", RECOVERY)
        server.call("ExportTableToPointInTime", {"TableArn": ARN, "S3Bucket": "bucket"})
        server.call("ImportTable", IMPORT)
        server.call("StartBulkPutItems", BULK_PUT)
        server.put_items("Kept", [{**KEY, "t": {"N": str(int(time.time()) - 1000)}}])
    with Server("--db", path, "--read-only", "--ttl-sweep-ms", "50") as server:
        writes(report, server)
        reads(report, server)
        with report.case("read-only: items do not expire"):
            time.sleep(0.5)
            equal(server.call("Scan", {"TableName": "Kept"})["Count"], 1)
    with Server("--db", path, "--ttl-sweep-ms", "50") as server:
        with report.case("without it they do"):
            wait_until(lambda: server.call("Scan", {"TableName": "Kept"})["Count"] == 0)
    with report.case("read-only: fixtures are loaded"):
        with Server("--read-only", "--fixtures", "ecommerce") as server:
            equal(len(server.call("ListTables", {})["TableNames"]), 3)
            name = server.call("ListTables", {})["TableNames"][0]
            check_denied(server, "DeleteTable", {"TableName": name})


def main():
    report = Report()
    own_pages(report)
    origins(report)
    loopback(report)
    wrong_protocol(report)
    with temporary_folder() as name:
        read_only(report, pathlib.Path(name))
    report.done()


main()
