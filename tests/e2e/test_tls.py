"""HTTPS with --tls-cert and --tls-key: boto3, the AWS CLI, Python's ssl, our own clients."""

import contextlib
import http.client
import json
import pathlib
import shutil
import socket
import ssl
import subprocess
import time

from certificates import make_certificate, openssl, options
from e2e import (
    BINARY,
    HEADERS,
    PATIENCE,
    ROOT,
    Report,
    Server,
    Shell,
    at_best,
    equal,
    temporary_folder,
    wait_until,
)

try:
    import boto3
    import botocore.config
    import botocore.exceptions
except ImportError:
    boto3 = None

TABLE = {
    "TableName": "Secure",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}


def with_boto3(report, server, pair):
    def client(verify):
        return boto3.client(
            "dynamodb",
            endpoint_url=server.url,
            region_name="us-east-1",
            aws_access_key_id="a",
            aws_secret_access_key="b",
            verify=verify,
            config=botocore.config.Config(retries={"max_attempts": 0}),
        )

    with report.case("boto3 that trusts the certificate"):
        dynamodb = client(str(pair[0]))
        dynamodb.create_table(**TABLE)
        for number in range(4):
            item = {"pk": {"S": str(number)}, "text": {"S": str(number) * 300_000}}
            dynamodb.put_item(TableName="Secure", Item=item)
            equal(dynamodb.get_item(TableName="Secure", Key={"pk": item["pk"]})["Item"], item)
        pages = dynamodb.get_paginator("scan").paginate(TableName="Secure")
        equal(sum(len(page["Items"]) for page in pages), 4)
    with report.case("boto3 that does not"):
        try:
            client(None).list_tables()
            raise AssertionError("it was trusted")
        except botocore.exceptions.SSLError:
            pass


def with_cli(report, server, pair):
    with Shell(server) as shell:
        if not shell.cli:
            report.skip("the AWS CLI", "there is none")
            return
        shell.environment["AWS_CA_BUNDLE"] = str(pair[0])
        with report.case("the AWS CLI"):
            equal(list(shell.run("aws dynamodb list-tables").json), ["TableNames"])


def with_clients(report, pair):
    program = pathlib.Path(BINARY).with_name("ddb-patterns")
    with Server("--fixtures", "ecommerce", *options(pair)) as server:
        for name, trusted, status in (("trusts", pair[0], 0), ("does not trust", "/dev/null", 2)):
            with report.case(f"ddb-patterns that {name} the certificate"):
                patterns = ROOT / "fixtures/ecommerce/patterns.json"
                command = [program, "--endpoint", server.url, patterns]
                environment = {"SSL_CERT_FILE": str(trusted), "SSL_CERT_DIR": "/nowhere"}
                ended = subprocess.run(
                    command, env=environment, capture_output=True, text=True, check=False
                )
                equal(ended.returncode, status)
        with report.case("healthcheck"):
            command = [BINARY, "healthcheck", "--endpoint", server.url]
            equal(subprocess.run(command, check=False, timeout=PATIENCE).returncode, 0)


def context(pair, version=None):
    made = ssl.create_default_context(cafile=pair[0])
    if version:
        made.minimum_version = made.maximum_version = version
    return made


@contextlib.contextmanager
def secured(server, with_context):
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as plain:
        with with_context.wrap_socket(plain, server_hostname="localhost") as connection:
            yield connection


def listed(connection):
    connection.request("POST", "/", b"{}", HEADERS)
    answer = connection.getresponse()
    return answer.status, list(json.loads(answer.read()))


def connections(report, server, pair):
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        with report.case(f"{version.name}, a connection that is kept"):
            connection = http.client.HTTPSConnection(
                "localhost", server.port, context=context(pair, version), timeout=PATIENCE
            )
            for _ in range(20):
                equal(listed(connection), (200, ["TableNames"]))
            connection.close()
    with report.case("older versions are refused"):
        with secured_fails(server, context(pair, ssl.TLSVersion.TLSv1_1)):
            pass
    with report.case("a body of 16 MB"):
        connection = http.client.HTTPSConnection(
            "localhost", server.port, context=context(pair), timeout=PATIENCE
        )
        connection.request("POST", "/", b"{}".ljust(16 * 1024 * 1024), HEADERS)
        equal(connection.getresponse().status, 200)
        connection.close()
    with report.case("connections that end in every state, and plain HTTP"):
        for sent in (b"", b"\x16\x03\x01", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 5000):
            for _ in range(20):
                with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as plain:
                    plain.sendall(sent)
        for _ in range(20):
            with secured(server, context(pair)) as connection:
                connection.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Len")
        for _ in range(20):
            with secured(server, context(pair)) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        equal(server_says(server, pair), b"healthy")
    with report.case("what waits for nothing else is closed"):
        wait_until(lambda: open_sockets(server) < 30)


@contextlib.contextmanager
def secured_fails(server, with_context):
    try:
        with secured(server, with_context):
            pass
    except (ssl.SSLError, OSError):
        yield
    else:
        raise AssertionError("the connection was made")


def server_says(server, pair):
    with secured(server, context(pair)) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        text = b""
        while part := connection.recv(65536):
            text += part
        return text.partition(b"\r\n\r\n")[2][:7]


def open_sockets(server):
    return len(list(pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir()))


def seconds_to_end(pair):
    with Server(*options(pair)) as server, contextlib.ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), PATIENCE))
            stack.enter_context(secured(server, context(pair)))
        start = time.monotonic()
        server.stop()
        return time.monotonic() - start


def plain_client(report, pair):
    with Server(*options(pair)) as server:
        with report.case("plain HTTP on the port: the connection ends, and one line says why"):
            for _ in range(3):
                with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
                    connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    with contextlib.suppress(ConnectionError):
                        while connection.recv(4096):
                            pass
            lines = server.read_stderr().splitlines()
            equal((len(lines), "speaks plain HTTP" in lines[0]), (1, True))
            with secured(server, context(pair)) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                equal(connection.recv(4096).split()[1], b"200")


def ending(report, pair):
    with report.case("SIGTERM with connections in every state ends it within a second"):
        at_best(1, lambda: seconds_to_end(pair))


def refused(report, name, arguments, *words):
    with report.case(f"refused: {name}"):
        command = [BINARY, "--port", "0", *map(str, arguments)]
        ended = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        lines = ended.stderr.splitlines()
        equal((ended.returncode > 0, ended.stdout, len(lines)), (True, "", 1))
        for word in words:
            assert str(word) in lines[0], lines[0]


def broken_files(report, folder, pair, other):
    none, locked = folder / "none", folder / "locked.key"
    openssl("rsa", "-aes256", "-passout", "pass:secret", "-in", pair[1], "-out", locked)
    refused(report, "no key", options(pair)[:2], "--tls-key")
    refused(report, "no certificate", options(pair)[2:], "--tls-cert")
    refused(report, "a certificate that is not there", options((none, pair[1])), none, "No such")
    refused(report, "a key that is not there", options((pair[0], none)), none, "No such file")
    refused(report, "a key for a certificate", options((pair[1], pair[1])), pair[1], "certificate")
    refused(report, "a certificate for a key", options((pair[0], pair[0])), pair[0], "key")
    refused(report, "another certificate's key", options((pair[0], other[1])), other[1], "mismatch")
    refused(report, "a key with a passphrase", options((pair[0], locked)), locked)


def main():
    report = Report()
    if not shutil.which("openssl"):
        report.skip("TLS", "no openssl to make certificates with")
        report.done()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        pair = make_certificate(folder, "rsa", "rsa:2048")
        other = make_certificate(folder, "other", "rsa:2048")
        broken_files(report, folder, pair, other)
        with Server(*options(pair)) as server:
            with report.case("the line at start says https"):
                equal(server.url.partition(":")[0], "https")
            if boto3:
                with_boto3(report, server, pair)
            else:
                report.skip("boto3", "there is none")
            with_cli(report, server, pair)
            connections(report, server, pair)
        with_clients(report, pair)
        plain_client(report, pair)
        ending(report, pair)
    report.done()


main()
