"""Clients that mean harm or are broken: each gets an error or is cut off, within bounds of time and
memory, and others do not notice."""

import contextlib
import http.client
import json
import os
import random
import re
import resource
import socket
import struct
import time

from e2e import Report, Server, equal

# Sanitizers hold freed memory back; here they should not, so that growth can be seen.
os.environ.setdefault("ASAN_OPTIONS", "quarantine_size_mb=1:thread_local_quarantine_size_kb=64:allocator_release_to_os_interval_ms=200")

MB = 1024 * 1024
MAX_BODY = 16 * MB
ANSWER_SECONDS = 60  # for the most expensive request, on a busy machine and with sanitizers
OTHERS_SECONDS = 10  # for a cheap request while others misbehave
CONNECTIONS = 2000
HEADERS = {
    "Host": "127.0.0.1",
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Target": "DynamoDB_20120810.ListTables",
    "X-Amz-Date": "20240101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=a/20240101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=0",
}
TABLE = {
    "TableName": "Hostile",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}
KEY = {"pk": {"S": "a"}}


def head(operation="ListTables", leave_out=(), **more):
    """The head of a request without its last line; more headers as Content_Length=2."""
    headers = dict(HEADERS, **{"X-Amz-Target": f"DynamoDB_20120810.{operation}"})
    lines = [f"{k}: {v}" for k, v in headers.items() if k not in leave_out]
    lines += [f"{k.replace('_', '-')}: {v}" for k, v in more.items()]
    return ("POST / HTTP/1.1\r\n" + "\r\n".join(lines) + "\r\n").encode()


def request(operation, body):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return head(operation, Content_Length=len(body)) + b"\r\n" + body


def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), ANSWER_SECONDS)


def send(server, data):
    """Sends the bytes as they stand; all that comes back until the server closes, or b"" where it
    does so the hard way. Sending may end early: who is refused may be cut off."""
    with connect(server) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(data)
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
        received = b""
        with contextlib.suppress(ConnectionError):
            while part := connection.recv(65536):
                received += part
        return received


def statuses(answer):
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d+) ", answer)]


def reset(connection):
    """Closes with RST instead of FIN."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def memory(server):
    """Resident memory in MB."""
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024


def descriptors(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def others_work(server):
    start = time.monotonic()
    equal(server.post("ListTables", {})[0], 200)
    seconds = time.monotonic() - start
    assert seconds < OTHERS_SECONDS, f"a simple request took {seconds:.1f} s"


def settled(server, measure, most, seconds=20):
    """Waits until what is measured is down to `most`."""
    end = time.monotonic() + seconds
    while measure(server) > most:
        assert time.monotonic() < end, f"{measure(server)} is more than {most}"
        time.sleep(0.1)


@contextlib.contextmanager
def hostile(report, server, name):
    """A case after which everything is as it was for everybody else."""
    before = descriptors(server)
    with report.case(name):
        yield
        others_work(server)
        settled(server, descriptors, before)
        assert server.process.poll() is None, "the server is gone"


# --- bytes that are no request, or half of one ----------------------------------------------------


def broken_off(report, server):
    whole = request("PutItem", {"TableName": "Hostile", "Item": KEY})
    with hostile(report, server, "requests that end early, cleanly and with a reset"):
        for cut in range(1, len(whole), 7):
            for hard in (False, True):
                connection = connect(server)
                connection.sendall(whole[:cut])
                if hard:
                    reset(connection)
                else:
                    connection.close()
    with hostile(report, server, "resets while the answer is being made"):
        scan = request("Scan", {"TableName": "Hostile"})
        for _ in range(50):
            connection = connect(server)
            connection.sendall(scan)
            reset(connection)
    with hostile(report, server, "a reset after 100-continue was asked for"):
        # While the server is busy with Scans, the body and the reset come in at once.
        chance = random.Random(1)
        for _ in range(20):
            busy = [connect(server) for _ in range(6)]
            broken = connect(server)
            for connection in busy[:3]:
                connection.sendall(scan)
            time.sleep(0.005)
            broken.sendall(head(Content_Length=2, Expect="100-continue") + b"\r\n")
            for connection in busy[3:]:
                connection.sendall(scan)
            time.sleep(chance.uniform(0, 0.1))
            broken.sendall(b"{}")
            reset(broken)
            for connection in busy:
                connection.recv(1)
                reset(connection)
    with hostile(report, server, "a client that sends everything and then only listens"):
        equal(statuses(send(server, request("Scan", {"TableName": "Hostile"}))), [200])


def slow(report, server):
    with hostile(report, server, "a hundred slow senders"):
        whole = request("ListTables", {})
        connections = [connect(server) for _ in range(100)]
        for start in range(0, len(whole), 40):
            for connection in connections:
                connection.sendall(whole[start : start + 40])
            if start % 200 == 0:
                others_work(server)
        for connection in connections:
            assert connection.recv(12).startswith(b"HTTP/1.1 200"), "no answer"
            connection.close()
    with hostile(report, server, "readers that never read, and go on sending"):
        before = memory(server)
        connections = [connect(server) for _ in range(8)]
        data = request("Scan", {"TableName": "Hostile"}) * 2000
        end = time.monotonic() + 3
        for connection in connections:
            connection.setblocking(False)
        while time.monotonic() < end:
            for connection in connections:
                with contextlib.suppress(BlockingIOError):
                    connection.send(data)
            time.sleep(0.001)
        others_work(server)
        grown = memory(server) - before
        for connection in connections:
            reset(connection)
        assert grown < 150, f"{grown:.0f} MB more"
    with hostile(report, server, "an answer that is read slowly is still whole"):
        with connect(server) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32768)
            connection.sendall(request("Scan", {"TableName": "Hostile"}))
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            body = b""
            while part := answer.read(20000):
                body += part
                time.sleep(0.001)
            assert len(json.loads(body)["Items"]) > 500, "items are missing"


def many_connections(report, server):
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 100
    if most < CONNECTIONS:
        report.skip(f"{CONNECTIONS} idle connections", f"the system allows {most}")
        return
    with hostile(report, server, f"{CONNECTIONS} idle connections"):
        before = memory(server)
        idle = [connect(server) for _ in range(CONNECTIONS)]
        others_work(server)
        idle[0].sendall(request("ListTables", {}))
        assert idle[0].recv(12).startswith(b"HTTP/1.1 200"), "no answer"
        used = memory(server) - before
        assert used < 100, f"{CONNECTIONS} connections take {used:.0f} MB"
        for connection in idle:
            connection.close()


# --- heads ----------------------------------------------------------------------------------------


def heads(report, server):
    cases = (
        ("no HTTP at all", b"\x16\x03\x01\x02\x00hello\r\n\r\n"),
        ("only line feeds", b"\n" * 1000),
        ("an unknown method", b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("an unknown version", b"POST / HTTP/9.9\r\nHost: x\r\n\r\n"),
        ("a version that is none", b"POST / HTTP/one\r\nHost: x\r\n\r\n"),
        ("no version", b"POST /\r\n\r\n"),
        ("a first line of 1 MB", b"POST /" + b"a" * MB + b" HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("a header of 1 MB", head(X_Long="a" * MB) + b"\r\n{}"),
        ("a header line without end", head() + b"X-Endless: " + b"a" * 40 * MB),
        ("100 000 headers", head() + b"a:\r\n" * 100000 + b"\r\n"),
        ("a header without a colon", head() + b"colonless\r\n\r\n"),
        ("a folded line first", b"POST / HTTP/1.1\r\n folded\r\n\r\n"),
        ("100 000 folded lines", head() + b" a\r\n" * 100000 + b"\r\n"),
        ("NUL in a header", head() + b"X-A\0B: c\r\nContent-Length: 2\r\n\r\n{}"),
        ("an expectation that nobody meets", head(Content_Length=2, Expect="tea") + b"\r\n{}"),
        ("a length that is negative", head(Content_Length="-1") + b"\r\n{}"),
        ("a length that is no number", head(Content_Length="two") + b"\r\n{}"),
        ("a length beyond all bounds", head(Content_Length="9" * 40) + b"\r\n{}"),
        ("a length of 2^63", head(Content_Length=2**63) + b"\r\n{}"),
    )
    for name, data in cases:
        with hostile(report, server, f"head: {name}"):
            answer = send(server, data)
            given = statuses(answer)
            assert not given or given[0] >= 400, f"answered {answer[:200]}"
            assert len(given) < 2 or all(status >= 400 for status in given), f"answered {given}"


def lengths(report, server):
    """Where one reader sees a request and another sees two, neither may be answered."""
    inner = request("ListTables", {})
    two = f"Content-Length: {len(inner)}\r\n".encode()
    chunked = b"Transfer-Encoding: chunked\r\n"
    cases = (
        ("two lengths", b"Content-Length: 2\r\n" + two + b"\r\n{}" + inner),
        ("the same length twice", b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}" + inner),
        ("length and chunks", two + chunked + b"\r\n0\r\n\r\n" + inner),
        ("chunks and length", chunked + two + b"\r\n0\r\n\r\n" + inner),
        ("a coding besides chunks", b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + inner),
        ("chunks by another name", b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + inner),
        ("chunks twice", chunked + chunked + b"\r\n0\r\n\r\n" + inner),
        ("a blank before the colon", b"Content-Length : 2\r\n\r\n{}" + inner),
        ("a blank before chunks' colon", b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + inner),
        ("a length with a sign", b"Content-Length: +2\r\n\r\n{}" + inner),
        ("a list of lengths", b"Content-Length: 2, 2\r\n\r\n{}" + inner),
        ("two hosts", b"Host: other\r\nContent-Length: 2\r\n\r\n{}" + inner),
    )
    for name, data in cases:
        with hostile(report, server, f"lengths: {name}"):
            given = statuses(send(server, head() + data))
            assert len(given) <= 1 and all(status >= 400 for status in given), f"answered {given}"
    with hostile(report, server, "lengths: one in the trailer counts for nothing"):
        trailer = f"2\r\n{{}}\r\n0\r\nContent-Length: {len(inner)}\r\n\r\n".encode()
        given = statuses(send(server, head() + chunked + b"\r\n" + trailer))
        assert given in ([200], [400]), f"answered {given}"


def chunks(report, server):
    start = head(Transfer_Encoding="chunked") + b"\r\n"
    good = b"2\r\n{}\r\n0\r\n\r\n"
    with hostile(report, server, "chunks of one byte"):
        body = b'{"Limit": 1}' + b" " * 5000
        data = b"".join(b"1\r\n" + bytes([byte]) + b"\r\n" for byte in body)
        equal(statuses(send(server, start + data + b"0\r\n\r\n")), [200])
    cases = (
        ("a size that is no number", b"zz\r\n{}\r\n0\r\n\r\n"),
        ("a negative size", b"-2\r\n{}\r\n0\r\n\r\n"),
        ("a size beyond all bounds", b"f" * 40 + b"\r\n{}\r\n0\r\n\r\n"),
        ("a size of 2^63 - 1", b"7fffffffffffffff\r\n{}\r\n0\r\n\r\n"),
        ("more than fits", b"1100000\r\n" + b" " * 100 + b"\r\n"),
        ("a size line without end", b"0" * 24 * MB),
        ("chunks without end", (b"10000\r\n" + b" " * 65536 + b"\r\n") * 400),
        ("a trailer of 1 MB", b"0\r\nX: " + b"a" * MB + b"\r\n\r\n"),
        ("a chunk that ends early", b"100\r\n{}\r\n0\r\n\r\n"),
    )
    for name, data in cases:
        with hostile(report, server, f"chunks: {name}"):
            before = memory(server)
            given = statuses(send(server, start + data))
            assert not given or given[0] >= 400, f"answered {given}"
            assert memory(server) < before + 150, f"{memory(server)} MB after {before}"
    with hostile(report, server, "chunks, then a good request on another connection"):
        equal(statuses(send(server, start + good)), [200])


def pipelines(report, server):
    with hostile(report, server, "1000 requests at once are answered in order"):
        names = [f"Name{n:04}" for n in range(1000)]
        data = b"".join(request("DescribeTable", {"TableName": name}) for name in names)
        answer = send(server, data)
        equal(re.findall(rb"Table: (Name\d+) not found", answer), [n.encode() for n in names])
    with hostile(report, server, "a bad request among good ones ends the connection"):
        good = request("ListTables", {})
        answer = send(server, good + good + b"nonsense\r\n\r\n" + good)
        equal(statuses(answer)[:2], [200, 200])
        assert len(statuses(answer)) <= 3, f"answered {statuses(answer)}"


# --- bodies ---------------------------------------------------------------------------------------


def item(value):
    """A PutItem whose attribute `x` is the text `value`."""
    return b'{"TableName": "Hostile", "Item": {"pk": {"S": "a"}, "x": ' + value + b"}}"


def repeated(before, unit, after, size=MAX_BODY):
    """A body of nearly `size` bytes."""
    count = (size - len(before) - len(after)) // len(unit)
    return before + unit * count + after


def many(count, text):
    return b",".join(text % n for n in range(count))


NULLS = b'{"L": [' + b",".join([b'{"NULL": true}'] * 300000) + b"]}"
BODIES = (
    # name, operation, body, the error's name and a part of its text (None: it has none)
    ("16 MB of brackets", "PutItem", b"[" * MAX_BODY, "SerializationException", None),
    ("40 000 braces", "PutItem", b'{"a":' * 40000, "SerializationException", None),
    (
        "2 000 000 numbers",
        "PutItem",
        repeated(b'{"TableName": "Hostile", "Item": [', b"0,", b"0]}", 4 * MB),
        "SerializationException",
        "Unrecognized collection type",
    ),
    (
        "a number of 16 MB",
        "PutItem",
        repeated(b'{"TableName": "Hostile", "Item": ', b"9", b"}"),
        "SerializationException",
        "Unexpected field type",
    ),
    (
        "huge exponents",
        "PutItem",
        item(b'{"N": "1E%s"}' % (b"9" * 100000)),
        "ValidationException",
        "cannot be converted to a numeric value",
    ),
    (
        "16 MB of digits",
        "PutItem",
        repeated(b'{"TableName": "Hostile", "Item": {"pk": {"N": "', b"9", b'"}}}'),
        "ValidationException",
        "Number overflow",
    ),
    (
        "5000 nested lists",
        "PutItem",
        item(b'{"L": [' * 5000 + b"]}" * 5000),
        "SerializationException",
        None,
    ),
    (
        "400 nested lists",
        "PutItem",
        item(b'{"L": [' * 400 + b"]}" * 400),
        "ValidationException",
        "Nesting Levels have exceeded supported limits",
    ),
    ("invalid UTF-8", "PutItem", item(b'{"S": "\xff\xfe"}'), "SerializationException", None),
    ("an overlong NUL", "PutItem", item(b'{"S": "\xc0\x80"}'), "SerializationException", None),
    ("a raw NUL", "PutItem", item(b'{"S": "a\0b"}'), "SerializationException", None),
    ("16 MB of blanks", "PutItem", b" " * MAX_BODY, "SerializationException", None),
    (
        "500 000 values",
        "PutItem",
        repeated(item(b'{"L": [')[:-2], b'{"NULL":true},', b'{"NULL":true}]}}}', 7 * MB),
        "ValidationException",
        "Item size has exceeded the maximum allowed size",
    ),
    (
        "300 000 attributes",
        "PutItem",
        b'{"TableName": "Hostile", "Item": {%s}}' % many(300000, b'"%x":{"S":""}'),
        "ValidationException",
        "Item size has exceeded the maximum allowed size",
    ),
    (
        "one member 700 000 times",
        "PutItem",
        repeated(b'{"TableName": "Hostile"', b',"a":0', b"}", 4 * MB),
        "ValidationException",
        "Value null at 'item'",
    ),
    (
        "a set whose last member of 200 000 stands there twice",
        "PutItem",
        item(b'{"NS": [%s, "199999"]}' % many(200000, b'"%d"')),
        "ValidationException",
        "Input collection contains duplicates",
    ),
    (
        "a set of 200 000 texts with two alike",
        "PutItem",
        item(b'{"SS": [%s, "30d3f"]}' % many(200000, b'"%x"')),
        "ValidationException",
        "contains duplicates",
    ),
    (
        "40 000 brackets in a filter",
        "Scan",
        {"TableName": "Hostile", "FilterExpression": "(" * 40000},
        "ValidationException",
        "Expression size has exceeded the maximum allowed size",
    ),
    (
        "2000 brackets in a filter",
        "Scan",
        {"TableName": "Hostile", "FilterExpression": "(" * 2000 + "a = :a" + ")" * 2000},
        "ValidationException",
        "redundant parentheses",
    ),
    (
        "1000 times NOT",
        "Scan",
        {
            "TableName": "Hostile",
            "FilterExpression": "NOT " * 1000 + "a = :a",
            "ExpressionAttributeValues": {":a": {"NULL": True}},
        },
        "ValidationException",
        "too many operators",
    ),
    (
        "a list appended to itself 60 times",
        "UpdateItem",
        b'{"TableName": "Hostile", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET '
        + many(60, b"a%d = list_append(:l, :l)")
        + b'", "ExpressionAttributeValues": {":l": '
        + NULLS
        + b"}}",
        "ValidationException",
        "Item size to update has exceeded the maximum allowed size",
    ),
    (
        "300 000 placeholders",
        "GetItem",
        b'{"TableName": "Hostile", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "#a", '
        b'"ExpressionAttributeNames": {%s, "#a": "a"}}' % many(300000, b'"#x%x":"a"'),
        "ValidationException",
        "unused in expressions",
    ),
    (
        "400 000 keys",
        "BatchGetItem",
        b'{"RequestItems": {"Hostile": {"Keys": [%s]}}}' % many(400000, b'{"pk":{"S":"%d"}}'),
        "ValidationException",
        "failed to satisfy constraint",
    ),
    (
        "100 000 writes",
        "BatchWriteItem",
        b'{"RequestItems": {"Hostile": [%s]}}'
        % many(100000, b'{"PutRequest":{"Item":{"pk":{"S":"%d"}}}}'),
        "ValidationException",
        "failed to satisfy constraint",
    ),
    (
        "200 000 definitions",
        "CreateTable",
        json.dumps(TABLE | {"AttributeDefinitions": []})
        .replace("[]", "[%s]", 1)
        .encode()
        % many(200000, b'{"AttributeName":"a%d","AttributeType":"S"}'),
        "ValidationException",
        "Too many entries",
    ),
    (
        "300 000 tags",
        "TagResource",
        b'{"ResourceArn": "arn:aws:dynamodb:us-east-1:123456789012:table/Hostile", "Tags": [%s]}'
        % many(300000, b'{"Key":"%d","Value":"v"}'),
        "ValidationException",
        "Too many entries",
    ),
)


def bodies(report, server):
    for name, operation, body, error, text in BODIES:
        with hostile(report, server, f"body: {name}"):
            start = time.monotonic()
            status, _, answer = server.post(operation, body)
            seconds = time.monotonic() - start
            said = json.loads(answer)
            equal((status, said["__type"].split("#")[1]), (400, error))
            message = said.get("message", said.get("Message"))
            if text is None:
                equal(message, None)
            else:
                assert text in message, f"answered {message[:300]}"
            assert seconds < ANSWER_SECONDS, f"it took {seconds:.1f} s"


def texts_with_nul(report, server):
    with hostile(report, server, "NUL in strings, names and keys is kept"):
        stored = {"pk": {"S": "a\0b"}, "n\0": {"S": "\0"}, "m": {"M": {"\0": {"SS": ["\0", "a"]}}}}
        server.call("PutItem", {"TableName": "Hostile", "Item": stored})
        answer = server.call("GetItem", {"TableName": "Hostile", "Key": {"pk": {"S": "a\0b"}}})
        equal(answer, {"Item": stored})
        missing = server.call("GetItem", {"TableName": "Hostile", "Key": {"pk": {"S": "a"}}})
        equal(missing, {})
    with hostile(report, server, "NUL where names of tables and operations go"):
        for operation, body, error in (
            ("GetItem", {"TableName": "Hostile\0", "Key": KEY}, "ValidationException"),
            ("Scan", {"TableName": "Hostile", "IndexName": "a\0b"}, "ValidationException"),
            ("ListTables", {"ExclusiveStartTableName": "a\0b"}, "ValidationException"),
        ):
            status, _, answer = server.post(operation, body)
            equal((status, json.loads(answer)["__type"].split("#")[1]), (400, error))


# --- memory ---------------------------------------------------------------------------------------


def mixed_requests(server, count, chance):
    """Good requests and bad ones, on connections that live for a while."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=ANSWER_SECONDS)
    for n in range(count):
        key = {"pk": {"S": f"k{chance.randrange(200)}"}}
        operation, body = chance.choice(
            (
                ("PutItem", {"TableName": "Hostile", "Item": key | {"n": {"N": str(n)}}}),
                ("GetItem", {"TableName": "Hostile", "Key": key}),
                ("DeleteItem", {"TableName": "Hostile", "Key": key}),
                ("Scan", {"TableName": "Hostile", "Limit": 20}),
                (
                    "UpdateItem",
                    {
                        "TableName": "Hostile",
                        "Key": key,
                        "UpdateExpression": "ADD c :c",
                        "ExpressionAttributeValues": {":c": {"N": "1"}},
                    },
                ),
                ("Scan", {"TableName": "Hostile", "FilterExpression": "((a = :b"}),
                ("PutItem", {"TableName": "Hostile", "Item": {"pk": {"N": "1"}}}),
                ("Nothing", {}),
            )
        )
        headers = HEADERS | {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        text = json.dumps(body)
        if chance.randrange(20) == 0:
            text = text[: chance.randrange(len(text))]
        connection.request("POST", "/", text, headers)
        connection.getresponse().read()
        if chance.randrange(100) == 0:
            connection.close()
    connection.close()


def memory_stays(report, server):
    with hostile(report, server, "memory after many mixed requests is where it was"):
        chance = random.Random(1)
        mixed_requests(server, 2000, chance)
        before = memory(server)
        mixed_requests(server, 12000, chance)
        grown = memory(server) - before
        assert grown < 8, f"{grown:.1f} MB more"


def main():
    report = Report()
    with Server() as server:
        server.call("CreateTable", TABLE)
        memory_stays(report, server)
        server.put_items(
            "Hostile", [{"pk": {"S": f"{n}"}, "text": {"S": "x" * 1500}} for n in range(700)]
        )
        broken_off(report, server)
        slow(report, server)
        many_connections(report, server)
        heads(report, server)
        lengths(report, server)
        chunks(report, server)
        pipelines(report, server)
        texts_with_nul(report, server)
        before = memory(server)
        bodies(report, server)
        with report.case("what large bodies needed was given back"):
            time.sleep(0.5)
            settled(server, memory, before + 500)
    report.done()


main()
