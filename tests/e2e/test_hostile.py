"""Clients that mean harm or are broken: each gets an error or is cut off, within bounds of time and
memory, and others do not notice."""

import contextlib
import http.client
import json
import random
import re
import resource
import socket
import time

from e2e import PATIENCE, SLOWNESS, Report, Server, equal
from hostile import (
    KEY,
    MAX_BODY,
    MB,
    TABLE,
    connect,
    head,
    hostile,
    memory,
    others_work,
    request,
    reset,
    send,
    settled,
    statuses,
)

CONNECTIONS = 2000


# --- bytes that are no request, or half of one ----------------------------------------------------


def memory_beside_others(server):
    """A health check that never stops coming must not keep what others needed."""
    others_work(server)
    return memory(server)


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


def all_together(report, server):
    """Bounds over all connections."""
    with hostile(report, server, "a hundred readers that never read hold what is allowed in all"):
        before = memory(server)
        one = {"Hostile": {"Keys": [{"pk": {"S": f"{n}"}} for n in range(100)]}}
        ask = request("BatchGetItem", {"RequestItems": one})
        connections = []
        for _ in range(100):
            connection = connect(server)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(ask * 50 + request("Scan", {"TableName": "Hostile"}) * 20)
            connections.append(connection)
            others_work(server)
        grown = memory(server) - before
        for connection in connections:
            reset(connection)
        assert grown < 400, f"{grown:.0f} MB more"
    with hostile(report, server, "a hundred bodies of 16 MB that stop before their end"):
        before = memory(server)
        connections = []
        for _ in range(100):
            connection = connect(server)
            with contextlib.suppress(ConnectionError):
                connection.sendall(head(Content_Length=MAX_BODY) + b"\r\n" + b" " * (MAX_BODY - 1))
            connections.append(connection)
        others_work(server)
        grown = memory(server) - before
        for connection in connections:
            connection.close()
        assert grown < 400, f"{grown:.0f} MB more"
    with hostile(report, server, "after a burst memory goes back to the system"):
        before = memory(server)
        numbers = b"[" + b"1," * (2 * MB) + b"1]"
        for _ in range(3):
            send(server, request("PutItem", b'{"TableName":"Hostile","Item":{"pk":%s}}' % numbers))
            send(server, request("Scan", {"TableName": "Hostile"}) * 8)
        settled(server, memory_beside_others, before + 32)
    with hostile(report, server, "forty chunk sizes without end, a byte at a time"):
        connections = [connect(server) for _ in range(40)]
        for connection in connections:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.sendall(head(Transfer_Encoding="chunked") + b"\r\n" + b"0" * 4000)
        longest = 0
        for _ in range(50):
            for connection in connections:
                with contextlib.suppress(ConnectionError):
                    connection.sendall(b"0")
            longest = max(longest, others_work(server))
        for connection in connections:
            with contextlib.suppress(ConnectionError):
                connection.sendall(b"0" * 100)
            connection.settimeout(PATIENCE)
            assert connection.recv(12) in (b"HTTP/1.1 400", b""), "it is not refused"
            connection.close()
        assert longest < SLOWNESS, f"the server worked {longest:.3f} s before another was answered"


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
        ("two lengths in one", b"Content-Length: 2 2\r\n\r\n{}" + inner),
        ("two lengths, two spellings", b"content-length: 2\r\n" + two + b"\r\n{}" + inner),
        ("a length of nothing", b"Content-Length: \r\n\r\n" + inner),
        ("a length in hexadecimal", b"Content-Length: 0x2\r\n\r\n{}" + inner),
        ("a length of -0", b"Content-Length: -0\r\n\r\n" + inner),
        ("a length with a parameter", b"Content-Length: 2;\r\n\r\n{}" + inner),
        ("a length of 2^64 + 2", b"Content-Length: 18446744073709551618\r\n\r\n{}" + inner),
        ("a length on the next line", b"Content-Length:\r\n 2\r\n\r\n{}" + inner),
        ("a length on two lines", b"Content-Length: 2\r\n 0\r\n\r\n{}" + inner),
        ("a length behind a tab of another kind", b"Content-Length:\x0b2\r\n\r\n{}" + inner),
        ("chunks, then nothing", b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + inner),
        ("another coding", b"Transfer-Encoding: identity\r\n\r\n" + inner),
        ("another coding and a length", b"Transfer-Encoding: identity\r\n" + two + b"\r\n" + inner),
        ("no coding and a length", b"Transfer-Encoding:\r\n" + two + b"\r\n" + inner),
        ("chunks in quotes", b'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n' + inner),
        (
            "chunks behind a tab of another kind",
            b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n" + inner,
        ),
        ("chunks on the next line", b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + inner),
        ("chunks behind a bare CR", b"X: y\r" + chunked + two + b"\r\n" + inner),
        ("two hosts", b"Host: other\r\nContent-Length: 2\r\n\r\n{}" + inner),
    )
    for name, data in cases:
        with hostile(report, server, f"lengths: {name}"):
            given = statuses(send(server, head() + data))
            assert len(given) <= 1 and all(status >= 400 for status in given), f"answered {given}"
    for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH"):
        for name, data in (
            ("length", two + b"\r\n" + inner),
            ("chunks", chunked + b"\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(inner), inner)),
        ):
            with hostile(report, server, f"lengths: {method} with a body by {name}"):
                first = f"{method} / HTTP/1.1\r\nHost: 127.0.0.1\r\n".encode()
                equal(len(statuses(send(server, first + data))), 1)
    with hostile(report, server, "lengths: one in the trailer counts for nothing"):
        trailer = f"2\r\n{{}}\r\n0\r\nContent-Length: {len(inner)}\r\n\r\n".encode()
        given = statuses(send(server, head() + chunked + b"\r\n" + trailer))
        assert given in ([200], [400]), f"answered {given}"


def claims(report, server):
    for name, more in (("", {}), (", asking first", {"Expect": "100-continue"})):
        with hostile(report, server, f"a body that will be too large is refused at once{name}"):
            with connect(server) as connection:
                connection.sendall(head(Content_Length=MAX_BODY + MB, **more) + b"\r\n")
                assert connection.recv(12) == b"HTTP/1.1 413", "it is not"
    with hostile(report, server, "200 bodies that are promised and do not come take no memory"):
        before = memory(server)
        connections = [connect(server) for _ in range(200)]
        for connection in connections:
            connection.sendall(head(Content_Length=MAX_BODY) + b"\r\n{")
        others_work(server)
        grown = memory(server) - before
        for connection in connections:
            connection.close()
        assert grown < 30, f"{grown:.0f} MB more"


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
    lenient = (
        ("a size with a sign", b"+2\r\n{}\r\n0\r\n\r\n"),
        ("a size with 0x", b"0x2\r\n{}\r\n0\r\n\r\n"),
        ("a size between blanks", b" 2 \r\n{}\r\n0\r\n\r\n"),
        ("a last size of -0", b"2\r\n{}\r\n-0\r\n\r\n"),
        ("a size with an extension", b"2;a=b\r\n{}\r\n0\r\n\r\n"),
        ("no line end after the data", b"2\r\n{}0\r\n\r\n"),
        ("line ends of one byte", b"2\n{}\n0\n\n"),
        ("a coding in the trailer", b"2\r\n{}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ("nothing wrong", good),
    )
    for name, data in lenient:
        with hostile(report, server, f"chunks: what follows them is no request: {name}"):
            equal(len(statuses(send(server, start + data + request("ListTables", {})))), 1)
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


def main():
    report = Report()
    with Server() as server:
        server.call("CreateTable", TABLE)
        server.put_items(
            "Hostile", [{"pk": {"S": f"{n}"}, "text": {"S": "x" * 1500}} for n in range(700)]
        )
        broken_off(report, server)
        slow(report, server)
        many_connections(report, server)
        heads(report, server)
        lengths(report, server)
        claims(report, server)
        chunks(report, server)
        all_together(report, server)
        pipelines(report, server)
    report.done()


main()
