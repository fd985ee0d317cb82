"""Connections over real sockets: headers, packing, sizes and forms of requests, and what a connection
outlives. What is answered to which request is test_http_wire.py's."""

import gzip
import http.client
import json
import re
import socket
import time
import zlib

from e2e import HEADERS, PATIENCE, SLOWNESS, Report, Server, at_best, changed, equal

MAX_BODY = 16 * 1024 * 1024
TABLE = {
    "TableName": "Pages",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}


class Connection:
    def __init__(self, server):
        self.http = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.close()

    def send(self, method="POST", path="/", body=b"{}", headers=None, **changes):
        """Sends the usual headers with changes, or just `headers`."""
        self.http.request(method, path, body, changed(**changes) if headers is None else headers)
        answer = self.http.getresponse()
        return answer, answer.read()


def check_crc(answer, body):
    equal(answer.headers["x-amz-crc32"], str(zlib.crc32(body)))


def headers_of_answers(report, server):
    with report.case("an answer has the service's headers"), Connection(server) as connection:
        answer, body = connection.send()
        equal((answer.status, json.loads(body)), (200, {"TableNames": ["Pages"]}))
        check_crc(answer, body)
        equal(answer.headers["Server"], "Server")
        equal(answer.headers["Content-Type"], "application/x-amz-json-1.0")
        equal(answer.headers["Content-Length"], str(len(body)))
        assert re.fullmatch(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", answer.headers["Date"])
        assert re.fullmatch(r"[0-9A-Z]{52}", answer.headers["x-amzn-RequestId"])
    with report.case("request ids differ, on one connection"), Connection(server) as connection:
        ids, ports = set(), set()
        for _ in range(50):
            answer, _ = connection.send()
            ids.add(answer.headers["x-amzn-RequestId"])
            ports.add(connection.http.sock.getsockname())
        equal((len(ids), len(ports)), (50, 1))
    scan = {"X_Amz_Target": "DynamoDB_20120810.Scan", "body": b'{"TableName": "Pages"}'}
    with report.case("gzip when asked, the CRC is of the bytes sent"):
        with Connection(server) as connection:
            _, plain = connection.send(**scan)
            answer, packed = connection.send(**scan, Accept_Encoding="gzip, deflate")
            equal(answer.headers["Content-Encoding"], "gzip")
            check_crc(answer, packed)
            assert gzip.decompress(packed) == plain and len(packed) < len(plain)
    with report.case("no gzip when it is refused"), Connection(server) as connection:
        answer, _ = connection.send(**scan, Accept_Encoding="gzip;q=0")
        equal(answer.headers["Content-Encoding"], None)


def connections(report, server):
    with report.case("our own health check is JSON"), Connection(server) as connection:
        answer, body = connection.send("GET", "/_mockddb/health", None, headers={})
        equal((answer.status, answer.headers["Content-Type"]), (200, "application/json"))
        assert isinstance(json.loads(body), dict)
    refused = (
        ("a body that is not JSON", {"body": b"{"}, 400),
        ("a body that is a list", {"body": b"[]"}, 400),
        ("no authorization", {"Authorization": None}, 400),
        ("another content type", {"Content_Type": "text/plain"}, 404),
        ("another method", {"method": "PUT"}, 404),
    )
    for name, request, status in refused:
        with report.case(f"a connection outlives {name}"), Connection(server) as connection:
            answer, body = connection.send(**request)
            equal(answer.status, status)
            check_crc(answer, body)
            equal(connection.send()[0].status, 200)


def sizes(report, server):
    with report.case("a body of exactly 16 MB is read"), Connection(server) as connection:
        answer, _ = connection.send(body=b"{}".ljust(MAX_BODY))
        equal(answer.status, 200)
    with report.case("a body of one byte more is too large"), Connection(server) as connection:
        try:
            answer, body = connection.send(body=b"{}".ljust(MAX_BODY + 1))
            equal((answer.status, body), (413, b""))
        except (BrokenPipeError, ConnectionResetError):
            pass  # it may close before we have sent it all
    with report.case("the server is still there"), Connection(server) as connection:
        equal(connection.send()[0].status, 200)
    with report.case("45 KB on a fresh connection, without a pause"):

        def once():
            start = time.monotonic()
            with Connection(server) as connection:
                answer, body = connection.send(
                    X_Amz_Target="DynamoDB_20120810.Scan",
                    body=b'{"TableName": "Pages", "Limit": 45}',
                )
                assert answer.status == 200 and len(body) > 45_000
            return time.monotonic() - start

        at_best(0.03, once)  # a pause for the client's acknowledgement is 40 ms


def raw(server, data):
    """Sends bytes as they stand and returns all that comes back until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), 10) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while part := connection.recv(65536):
            received += part
        return received


def statuses(answer):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+)", answer)]


def changes(line):
    """Headers that differ from answer to answer."""
    return line.startswith((b"Date:", b"x-amzn-RequestId:"))


def forms_of_requests(report, server):
    head = "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items())
    plain = f"POST / HTTP/1.1\r\nHost: x\r\n{head}Content-Length: 2\r\n\r\n{{}}".encode()
    chunked = (
        f"POST / HTTP/1.1\r\nHost: x\r\n{head}Transfer-Encoding: chunked\r\n\r\n"
        "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"
    ).encode()
    with report.case("a chunked request"):
        answer = raw(server, chunked.replace(b"Host: x\r\n", b"Host: x\r\nConnection: close\r\n"))
        assert answer.startswith(b"HTTP/1.1 200") and b"TableNames" in answer
    with report.case("chunks with extensions and trailers"):
        answer = raw(
            server, chunked.replace(b"1\r\n{", b"1;a=b\r\n{").replace(b"0\r\n", b"0;c\r\nX: y\r\n")
        )
        assert answer.startswith(b"HTTP/1.1 200") and b"TableNames" in answer
    for path, status in (("/", 200), ("/anything", 404), ("/_mockddb/health", 403)):
        with report.case(f"HEAD of {path}: GET's answer without its body, and the next one in step"):
            get = f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
            answer = raw(server, get + get.replace(b"GET", b"HEAD") + plain)
            equal(statuses(answer), [status, status, 200])
            expected, headers, rest = answer.split(b"HTTP/1.1 ")[1:]
            equal(
                [line for line in headers.split(b"\r\n") if not changes(line)],
                [line for line in expected.split(b"\r\n\r\n")[0].split(b"\r\n") if not changes(line)]
                + [b"", b""],
            )
            assert rest.endswith(b"}")
    with report.case("HEAD with a body, and the next answer in step"):
        answer = raw(server, plain.replace(b"POST", b"HEAD") + plain)
        equal(statuses(answer), [200, 200])
    with report.case("what HTTP/1.0 is promised is what happens"):
        old = plain.replace(b"HTTP/1.1", b"HTTP/1.0")
        answer = raw(server, old + plain)
        equal((statuses(answer), b"Connection: close" in answer), ([200], True))
        answer = raw(server, old.replace(b"Host: x", b"Host: x\r\nConnection: keep-alive") + plain)
        equal((statuses(answer), b"Connection: close" in answer), ([200, 200], False))
    with report.case("a client that wants it closed is told so"):
        answer = raw(server, plain.replace(b"Host: x", b"Host: x\r\nConnection: close") + plain)
        equal((statuses(answer), b"Connection: close" in answer), ([200], True))
    with report.case("three requests at once, three answers in order"):
        last = plain.replace(b"ListTables", b"Nothing").replace(
            b"Host: x\r\n", b"Host: x\r\nConnection: close\r\n"
        )
        answer = raw(server, plain + plain + last)
        equal(re.findall(rb"HTTP/1.1 (\d+)", answer), [b"200", b"200", b"400"])
    with report.case("HTTP/1.0 is answered and closed"):
        answer = raw(server, plain.replace(b"HTTP/1.1", b"HTTP/1.0"))
        assert b" 200 " in answer.split(b"\r\n", 1)[0] and b"TableNames" in answer
    with report.case("what is no HTTP is refused, and the server lives"):
        answer = raw(server, b"\x16\x03\x01\x02\x00 hello\r\n\r\n")
        assert answer == b"" or b" 400 " in answer.split(b"\r\n", 1)[0]
        with Connection(server) as connection:
            equal(connection.send()[0].status, 200)


def main():
    report = Report()
    with Server() as server:
        server.call("CreateTable", TABLE)
        server.put_items(
            "Pages", [{"pk": {"S": f"{n:04}"}, "text": {"S": "x" * 1000}} for n in range(100)]
        )
        headers_of_answers(report, server)
        connections(report, server)
        sizes(report, server)
        forms_of_requests(report, server)
        with report.case("it ends at once with connections open"):
            with Connection(server) as idle, Connection(server) as half:
                idle.send()
                half.http.connect()
                half.http.sock.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n")
                start = time.monotonic()
                server.stop()  # idle ones are closed after two minutes
                assert time.monotonic() - start < 100 * SLOWNESS, "it waited for them"
    report.done()


main()
