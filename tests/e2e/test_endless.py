#!/usr/bin/env python3
"""Programs against servers that are broken, or mean harm: answers without an end take a bounded memory and are an error,
and so is a page token that a server had answered with before."""

import contextlib
import http.server
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading
import time

from e2e import BINARY, PROGRAMS, SLOWNESS, Report, Server, clean_environment, equal, run_program
from stream_lambda import put_all, stream_table

HEAD = b"HTTP/1.1 200 OK\r\nx-amzn-RequestId: a\r\nContent-Type: application/json\r\n"
PART = b"x" * 65536
MOST_MB = 500  # that a program may have: 64 MB as they came, copied, and what a sanitizer puts between

# What a server sends first, and then again and again.
ENDLESS = {
    "a first line": (b"HTTP/1.1 200 ", PART),
    "a header": (HEAD + b"x-a: ", PART),
    "headers": (HEAD, b"x-a: " + b"y" * 1000 + b"\r\n"),
    "a body of ten gigabytes": (HEAD + b"Content-Length: 10000000000\r\n\r\n", PART),
    "a body up to the connection's end": (HEAD + b"Connection: close\r\n\r\n", PART),
    "chunks": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + PART + b"\r\n"),
    "one chunk": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n1000000000\r\n", PART),
    "the length of a chunk": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"0" * 65536),
    "what follows a chunk's length": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n1;", PART),
    "trailers": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"x-a: " + b"y" * 1000 + b"\r\n"),
}
# These have an end for whoever takes the answer as it comes.
STREAMED = ("a body of ten gigabytes", "a body up to the connection's end", "chunks")


@contextlib.contextmanager
def endless(first, again, most=1 << 30, every=0):
    """A server that sends `again` until nobody listens, or `most` bytes, all `every` seconds; its URL."""
    listener = socket.create_server(("127.0.0.1", 0))

    def talk(connection):
        with connection, contextlib.suppress(OSError):
            connection.recv(65536)
            connection.sendall(first)
            for _ in range(most // len(again)):
                connection.sendall(again)
                time.sleep(every)

    def serve():
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=talk, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def run_measured(*words):
    """Exit status, standard error, and the most memory in MB."""
    with tempfile.TemporaryFile("w+") as stderr:
        with subprocess.Popen(
            [str(word) for word in words],
            env=clean_environment(ASAN_OPTIONS=f"{os.environ.get('ASAN_OPTIONS', '')}:quarantine_size_mb=8"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        ) as process:
            net = threading.Timer(120 * SLOWNESS, process.kill)
            net.start()
            _, status, usage = os.wait4(process.pid, 0)
            net.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        stderr.seek(0)
        return process.returncode, stderr.read(), usage.ru_maxrss // 1024


def too_long(report, base):
    said = ("more than 64 MB", "more than 64 KB")
    programs = (
        (1, BINARY, "ctl", "clock"),
        (255, BINARY, "try", "aws dynamodb list-tables"),
        (1, BINARY, "export", "--table", "Tab", "-"),
        (1, PROGRAMS / "ddb-capture", "--into", base / "c", "--table", "Tab"),
    )
    for name, (first, again) in ENDLESS.items():
        with report.case(f"an answer without an end: {name}"), endless(first, again) as url:
            for status, *words in programs if name == "chunks" else programs[:1]:
                at = 2 if words[0] == BINARY else 1
                ended = run_measured(*words[:at], "--endpoint", url, *words[at:])
                equal(ended[0], status)
                assert any(part in ended[1] for part in said) and ended[2] < MOST_MB, ended
    for name, (first, again) in ENDLESS.items():
        if name in STREAMED:
            continue
        with report.case(f"an answer that is given on as it comes, with an endless part: {name}"), endless(first, again) as url:
            ended = run_measured(BINARY, "ctl", "--endpoint", url, "journal", "--follow")
            assert ended[0] == 1 and any(part in ended[1] for part in said) and ended[2] < MOST_MB, ended
    first, again = ENDLESS["chunks"]
    for words in (("journal", "--follow"), ("GET", "snapshots/s/file")):
        with report.case(f"ctl {' '.join(words)} takes more than 64 MB, a bit at a time"), endless(first, again, 200 << 20) as url:
            status, stderr, most = run_measured(BINARY, "ctl", "--endpoint", url, *words)
            assert status == 1 and "more than" not in stderr and most < 200, (status, stderr, most)


def endless_functions(report):
    """ddb-stream-lambda --invoke: the function's endpoint is somebody else's."""
    with Server() as server:
        stream_table(server, "Endless")
        put_all(server, "Endless", "a")
        words = (PROGRAMS / "ddb-stream-lambda", "--endpoint", server.url, "--table", "Endless", "--once", "--max-retries", 0)
        for name, (first, again) in ENDLESS.items():
            with report.case(f"a function's answer without an end: {name}"), endless(first, again) as url:
                status, stderr, most = run_measured(*words, "--invoke", f"{url}/f")
                equal(status, 1)
                assert "1 of 1 record(s) failed: " in stderr, stderr
                assert ("more than 64 MB" in stderr or "more than 64 KB" in stderr) and most < MOST_MB, (stderr, most)
        for name, first in (("a body", HEAD + b"Content-Length: 1000000\r\n\r\n"), ("a header", HEAD + b"x-a: ")):
            with report.case(f"a function's answer, a letter at a time: {name}"), endless(first, b"x", every=0.2) as url:
                status, stderr, _ = run_measured(*words, "--timeout", 2, "--invoke", f"{url}/f")
                equal(status, 1)
                assert "1 of 1 record(s) failed: " in stderr and "no answer in time" in stderr, stderr


# --- pages ----------------------------------------------------------------------------------------

TABLE = {
    "TableName": "Tab",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "TableStatus": "ACTIVE",
    "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
}
SHARD = {"ShardId": "shard-1", "SequenceNumberRange": {"StartingSequenceNumber": "1"}}
RECORD = {"eventID": "1", "eventName": "INSERT", "dynamodb": {"SequenceNumber": "1", "Keys": {"pk": {"S": "a"}}}}


def answers(repeats, tokens):
    """What a server answers to an operation for the nth time; the one that repeats has a token of `tokens` each time."""

    def answer(operation, n):
        token = tokens[n % len(tokens)]
        more = {
            "Scan": {"Items": [{"pk": {"S": token}}], "LastEvaluatedKey": {"pk": {"S": token}}},
            "Query": {"Items": [{"pk": {"S": token}}], "LastEvaluatedKey": {"pk": {"S": token}}},
            "ListTables": {"TableNames": [token], "LastEvaluatedTableName": token},
            "ListTagsOfResource": {"Tags": [], "NextToken": token},
            "ListStreams": {"Streams": [{"StreamArn": token, "StreamLabel": token}], "LastEvaluatedStreamArn": token},
            "DescribeStream": {"StreamDescription": {"Shards": [SHARD], "LastEvaluatedShardId": token}},
            "GetRecords": {"Records": [RECORD], "NextShardIterator": "i"},
        }
        once = {
            "DescribeTable": {"Table": TABLE},
            "DescribeTimeToLive": {},
            "ListTables": {"TableNames": ["Tab"]},
            "Scan": {"Items": []},
            "DescribeStream": {"StreamDescription": {"Shards": [SHARD]}},
            "GetShardIterator": {"ShardIterator": "i"},
        }
        return more[operation] if operation == repeats else once.get(operation, {})

    return answer


class Answering(http.server.ThreadingHTTPServer):
    """`answer(operation, n)` is the answer to the nth request of an operation."""

    def __init__(self, answer):
        self.sent = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):  # pylint: disable=invalid-name # the library's name
                self.rfile.read(int(self.headers["Content-Length"]))
                operation = self.headers.get("X-Amz-Target", ".VERB").split(".")[1]
                self.server.sent.append(operation)
                body = json.dumps(answer(operation, self.server.sent.count(operation))).encode()
                self.send_response(404 if operation == "VERB" else 200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


@contextlib.contextmanager
def answering(answer):
    server = Answering(answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def repeated_tokens(report, base):
    patterns = base / "p.json"
    step = {"operation": "Scan", "request": {"TableName": "Tab"}, "pages": "all"}
    patterns.write_text(json.dumps({"title": "T", "patterns": [{"name": "p", "question": "Is it?", "steps": [step]}]}))
    stream = (PROGRAMS / "ddb-stream-lambda", "--command", "cat", "--once")
    query = json.dumps({"TableName": "Tab", "KeyConditionExpression": "pk = :p"})
    cases = (
        (1, "Scan", (BINARY, "export", "--table", "Tab", base / "out.json")),
        (1, "Scan", (BINARY, "export", "--table", "Tab", "--format", "csv", base / "out.csv")),
        (1, "Scan", (BINARY, "pull", "--table", "Tab", "--db", base / "pulled.db")),
        (1, "Scan", (BINARY, "pull", base / "pulled")),
        (1, "ListTables", (BINARY, "pull", base / "pulled")),
        (255, "Scan", (BINARY, "try", "aws dynamodb scan --table-name Tab")),
        (255, "ListTables", (BINARY, "try", "aws dynamodb list-tables")),
        (255, "ListTagsOfResource", (BINARY, "try", "aws dynamodb list-tags-of-resource --resource-arn arn")),
        (1, "Scan", (PROGRAMS / "ddb-capture", "--into", base / "scan", "--all", "Tab", "--sure", "Tab", "--rate", "1000")),
        (1, "Query", (PROGRAMS / "ddb-capture", "--into", base / "query", "--query", query)),
        (2, "Scan", (PROGRAMS / "ddb-patterns", patterns)),
        (2, "ListStreams", (*stream, "--table", "Tab")),
        (2, "DescribeStream", (*stream, "--stream-arn", "arn")),
        (1, "GetRecords", (*stream, "--stream-arn", "arn")),
    )
    for tokens in (("a",), ("b", "c", "d")):
        for folder in ("scan", "query"):
            shutil.rmtree(base / folder, ignore_errors=True)
        for path in base.glob("pulled.db*"):
            path.unlink()
        for status, operation, words in cases:
            what = f"{pathlib.Path(words[0]).name} {words[1]}"
            with report.case(f"{what}: a token of {operation} that comes again, {len(tokens)} in turn"):
                if operation == "GetRecords" and len(tokens) > 1:
                    continue
                with answering(answers(operation, tokens)) as endpoint:
                    at = 2 if words[0] == BINARY else 1
                    ended = run_program([*words[:at], "--endpoint", endpoint.url, *words[at:]])
                    equal(ended.returncode, status)
                    said = ("before", "repeats a LastEvaluatedKey", "received twice")
                    assert any(text in ended.stderr for text in said), ended.stderr
                    assert endpoint.sent.count(operation) <= 8 * len(tokens) + 4, endpoint.sent


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        repeated_tokens(report, base)
        too_long(report, base)
        endless_functions(report)
    report.done()


main()
