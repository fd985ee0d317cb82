"""--require-signature, as boto3 and the AWS CLI meet it."""

import datetime
import gzip
import json
import pathlib
import subprocess
import unittest.mock
import urllib.error
import urllib.request

try:
    import boto3
    import botocore.auth
    import botocore.awsrequest
    import botocore.credentials
    import botocore.exceptions
except ImportError:
    boto3 = None

from e2e import (
    BINARY,
    PATIENCE,
    ROOT,
    Refusal,
    Report,
    Server,
    Shell,
    equal,
    run_program,
    temporary_folder,
)

FIXTURES = ("--fixtures", "ecommerce")
KEYS = """# test keys
AKIAFIRST  first/Secret+1
ASIASECOND second-secret token/of==the-session
"""
SECRETS = ("first/Secret+1", "second-secret", "token/of==the-session")
FIRST = ("AKIAFIRST", "first/Secret+1", None)
SECOND = ("ASIASECOND", "second-secret", "token/of==the-session")
INVALID = "InvalidSignatureException"
UNKNOWN = "UnrecognizedClientException"
MISMATCH = (
    "The request signature we calculated does not match the signature you provided. Check your AWS "
    "Secret Access Key and signing method. Consult the service documentation for details."
)
NOT_OURS = "The security token included in the request is invalid."
CALLERS = (
    ("the right key", FIRST, None, None),
    ("the right key and token", SECOND, None, None),
    ("a wrong secret", ("AKIAFIRST", "first/Secret+2", None), INVALID, MISMATCH),
    ("an unknown key", ("AKIATHIRD", "first/Secret+1", None), UNKNOWN, NOT_OURS),
    ("a key without its token", SECOND[:2] + (None,), UNKNOWN, NOT_OURS),
    ("a wrong token", SECOND[:2] + ("token",), UNKNOWN, NOT_OURS),
    ("a token too many", FIRST[:2] + ("token",), UNKNOWN, NOT_OURS),
)


def client(server, keys, service="dynamodb", region="us-east-1"):
    return boto3.client(
        service,
        endpoint_url=server.url,
        region_name=region,
        aws_access_key_id=keys[0],
        aws_secret_access_key=keys[1],
        aws_session_token=keys[2],
    )


def refusal(call):
    """The error that boto3 raises: (code, message)."""
    try:
        call()
    except botocore.exceptions.ClientError as error:
        return error.response["Error"]["Code"], error.response["Error"]["Message"]
    return None, None


def shifted(minutes):
    """The clock that boto3 signs by, so many minutes off."""

    class Shifted(datetime.datetime):
        @classmethod
        def utcnow(cls):
            return super().utcnow() + datetime.timedelta(minutes=minutes)

        @classmethod
        def now(cls, tz=None):
            return super().now(tz) + datetime.timedelta(minutes=minutes)

    return unittest.mock.patch("datetime.datetime", Shifted)


def with_boto3(report, server):
    for name, keys, code, message in CALLERS:
        with report.case(f"boto3: {name}"):
            equal(refusal(client(server, keys).list_tables), (code, message))
    with report.case("boto3: a table, an item, a page, its stream"):
        dynamodb = client(server, SECOND, region="eu-west-1")
        dynamodb.create_table(
            TableName="Signed",
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            BillingMode="PAY_PER_REQUEST",
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
        )
        item = {"pk": {"S": "Ü \x00 ~"}, "b": {"B": bytes(range(256))}}
        dynamodb.put_item(TableName="Signed", Item=item)
        equal(dynamodb.scan(TableName="Signed")["Items"], [item])
        streams = client(server, FIRST, "dynamodbstreams")
        equal(len(streams.list_streams(TableName="Signed")["Streams"]), 1)
    for minutes, words in ((-20, "Signature expired: "), (20, "Signature not yet current: ")):
        with report.case(f"boto3: a clock that is {minutes} minutes off"), shifted(minutes):
            code, message = refusal(client(server, FIRST).list_tables)
            equal((code, message.startswith(words)), (INVALID, True))
    for minutes in (-14, 14):
        with report.case(f"boto3: a clock that is {minutes} minutes off"), shifted(minutes):
            equal(refusal(client(server, FIRST).list_tables), (None, None))


def presigned(server, keys, expires):
    """A call by a URL that botocore signed; it leaves the body out, as for other protocols."""
    target = {"X-Amz-Target": "DynamoDB_20120810.ListTables"}
    request = botocore.awsrequest.AWSRequest("POST", server.url + "/", target, b"")
    credentials = botocore.credentials.Credentials(*keys)
    botocore.auth.SigV4QueryAuth(credentials, "dynamodb", "us-east-1", expires).add_auth(request)
    prepared = request.prepare()
    sent = urllib.request.Request(prepared.url, b"", dict(prepared.headers), method="POST")
    sent.add_header("Content-Type", "application/x-amz-json-1.0")
    try:
        with urllib.request.urlopen(sent, timeout=PATIENCE) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def signed(server, keys, body, **headers):
    """ListTables with a body of any bytes."""
    headers = {
        "Content-Type": "application/x-amz-json-1.0",
        "X-Amz-Target": "DynamoDB_20120810.ListTables",
        **headers,
    }
    request = botocore.awsrequest.AWSRequest("POST", server.url + "/", headers, body)
    credentials = botocore.credentials.Credentials(*keys)
    botocore.auth.SigV4Auth(credentials, "dynamodb", "us-east-1").add_auth(request)
    status, _, answer = server.post("ListTables", body, dict(request.headers))
    return status, json.loads(answer)


def posted(server, on_the_way, body=b"{}", **headers):
    """ListTables with these headers, to which `on_the_way` are added after it was signed."""
    headers = {"X-Amz-Target": "DynamoDB_20120810.ListTables", **headers}
    request = botocore.awsrequest.AWSRequest("POST", server.url + "/", headers, body)
    credentials = botocore.credentials.Credentials(*FIRST)
    botocore.auth.SigV4Auth(credentials, "dynamodb", "us-east-1").add_auth(request)
    return server.post("ListTables", body, dict(request.headers) | on_the_way)


def added(server, on_the_way, **headers):
    status, _, answer = posted(server, on_the_way, **headers)
    return status, json.loads(answer)


def with_headers_added(report, server):
    for name in ("x-mockddb-world", "x-mockddb-explain", "x-mockddb-aside", "Content-Encoding"):
        value = "gzip" if name == "Content-Encoding" else "true"
        with report.case(f"{name} that somebody on the way has added"):
            status, answer = added(server, {name: value})
            expected = f"'{name}' must be a 'SignedHeader' in the AWS Authorization."
            equal((status, answer["message"].lower()), (400, expected.lower()))
    with report.case("no world was made for it"):
        command = [BINARY, "ctl", "--endpoint", server.url, "worlds"]
        listed = run_program(command, AWS_ACCESS_KEY_ID=FIRST[0], AWS_SECRET_ACCESS_KEY=FIRST[1])
        equal([row["name"] for row in json.loads(listed.stdout)["worlds"]], ["default"])
    with report.case("headers of ours that are signed"):
        status, answer = added(server, {}, **{"x-mockddb-world": "signed", "x-mockddb-explain": "true"})
        equal((status, "TableNames" in answer), (200, True))
    with report.case("a target in place of the signed one"):
        status, answer = added(server, {"X-Amz-Target": "DynamoDB_20120810.DescribeLimits"})
        equal((status, answer["message"]), (400, MISMATCH))
    with report.case("a type in place of the signed one is no other protocol"):
        status, answer = added(server, {"Content-Type": "application/x-amz-json-1.0"})
        equal((status, "TableNames" in answer), (200, True))
        body = b'{"a": "&Action=GetCallerIdentity&Version=2011-06-15&"}'
        status, _, answer = posted(server, {"Content-Type": "application/x-www-form-urlencoded"}, body)
        equal((status, b"SignedHeader" in answer, b"<Account>" in answer), (400, True, False))
    with report.case("our own commands sign the world that they name"):
        keys = {"AWS_ACCESS_KEY_ID": FIRST[0], "AWS_SECRET_ACCESS_KEY": FIRST[1]}
        command = [BINARY, "ctl", "--endpoint", server.url, "--world", "signed", "clock"]
        equal(run_program(command, **keys).returncode, 0)
        command = [BINARY, "try", "--endpoint", server.url, "--world", "signed", "aws dynamodb list-tables"]
        equal(run_program(command, **keys).returncode, 0)


def with_packed_bodies(report, server):
    with report.case("a packed body, signed as it was sent"):
        packed = gzip.compress(b"{}")
        status, answer = signed(server, FIRST, packed, **{"Content-Encoding": "gzip"})
        equal((status, "TableNames" in answer), (200, True))
    with report.case("a packed body that is signed with another secret is not looked at"):
        wrong = ("AKIAFIRST", "first/Secret+2", None)
        status, answer = signed(server, wrong, packed[:-1], **{"Content-Encoding": "gzip"})
        equal((status, answer["message"]), (400, MISMATCH))


def uploaded(server, signed_body, body):
    """POST import of `body`, with the signature of another."""
    path = "/_mockddb/import?table=Uploaded&key=pk%3AS&name=a"
    headers = {"Content-Type": "application/octet-stream"}
    request = botocore.awsrequest.AWSRequest("POST", server.url + path, headers, signed_body)
    credentials = botocore.credentials.Credentials(*FIRST)
    botocore.auth.SigV4Auth(credentials, "dynamodb", "us-east-1").add_auth(request)
    sent = urllib.request.Request(server.url + path, body, dict(request.headers), method="POST")
    try:
        with urllib.request.urlopen(sent, timeout=PATIENCE) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def with_uploads(report, server):
    """Files come in parts, and so does their sum."""
    lines = b"".join(b'{"pk":"%d","v":"%s"}\n' % (i, b"x" * 1000) for i in range(2000))
    with report.case("a file that is uploaded"):
        status, answer = uploaded(server, lines, lines)
        equal((status, answer["items"]), (200, 2000))
    with report.case("a file in place of the signed one"):
        status, answer = uploaded(server, lines, lines[:-2] + b"]\n")
        equal((status, answer["message"]), (403, "this verb needs a valid signature"))
    with report.case("an empty file"):
        status, answer = uploaded(server, b"", b"")
        equal((status, "signature" in json.dumps(answer)), (200, False))


def with_urls(report, server):
    coral = "com.amazon.coral.service#"
    passed = {"__type": coral + "SerializationException"}  # the answer to an empty body
    for name, keys, code, message in CALLERS:
        with report.case(f"a presigned URL: {name}"):
            expected = {"__type": coral + code, "message": message} if code else passed
            equal(presigned(server, keys, 60), (400, expected))
    with report.case("a presigned URL that has expired"), shifted(-2):
        status, answer = presigned(server, FIRST, 60)
        equal((status, answer["__type"]), (400, coral + INVALID))
        assert answer["message"].endswith(" - 1 min.)"), answer["message"]
    with report.case("a presigned URL that has not"), shifted(-60):
        equal(presigned(server, FIRST, 3700), (400, passed))


def with_cli(report, server):
    with Shell(server) as shell:
        if not shell.cli:
            report.skip("the AWS CLI", "there is none")
            return
        for name, keys, code, message in CALLERS:
            with report.case(f"the AWS CLI: {name}"):
                shell.environment.update(AWS_ACCESS_KEY_ID=keys[0], AWS_SECRET_ACCESS_KEY=keys[1])
                shell.environment.pop("AWS_SESSION_TOKEN", None)
                if keys[2]:
                    shell.environment["AWS_SESSION_TOKEN"] = keys[2]
                answer = shell.run("aws dynamodb list-tables")
                if code:
                    Refusal("ListTables", code, message).check(answer)
                else:
                    equal(list(answer.json), ["TableNames"])


def with_ddb_patterns(report, server):
    """The bundled clients sign, too."""
    program = pathlib.Path(BINARY).with_name("ddb-patterns")
    for name, keys, code, message in CALLERS[:4]:
        with report.case(f"ddb-patterns: {name}"):
            environment = {"AWS_ACCESS_KEY_ID": keys[0], "AWS_SECRET_ACCESS_KEY": keys[1]}
            if keys[2]:
                environment["AWS_SESSION_TOKEN"] = keys[2]
            ended = subprocess.run(
                [program, "--endpoint", server.url, ROOT / "fixtures/ecommerce/patterns.json"],
                env=environment,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
            equal(ended.returncode, 1 if code else 0)
            assert not code or message in ended.stdout, ended.stdout


def broken_files(report, folder):
    for name, text in (
        ("none", None),
        ("empty", ""),
        ("half", "AKIAFIRST\n"),
        ("twice", "A b\nA c\n"),
    ):
        with report.case(f"a keys file that is {name}"):
            path = folder / name
            if text is not None:
                path.write_text(text)
            command = [BINARY, "--port", "0", "--require-signature", path]
            ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
            lines = ended.stderr.splitlines()
            equal((ended.returncode, ended.stdout, len(lines)), (1, "", 1))
            assert str(path) in lines[0], lines[0]


def main():
    report = Report()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        broken_files(report, folder)
        (folder / "keys").write_text(KEYS)
        with Server("--require-signature", str(folder / "keys"), *FIXTURES) as server:
            if boto3:
                with_boto3(report, server)
                with_packed_bodies(report, server)
                with_headers_added(report, server)
                with_uploads(report, server)
                with_urls(report, server)
            else:
                report.skip("boto3", "there is none")
            with_cli(report, server)
            with_ddb_patterns(report, server)
            with report.case("without a signature, in every form"):
                status, _, answer = server.post("ListTables", {}, {"Authorization": "a"})
                equal((status, b"MissingAuthenticationTokenException" in answer), (400, True))
                status, _, answer = server.post("ListTables", {})
                equal((status, INVALID.encode() in answer), (400, True))
            with report.case("nothing secret is printed"):
                told = server.read_stderr()
                assert not any(secret in told for secret in SECRETS), told
    report.done()


main()
