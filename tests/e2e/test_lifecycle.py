"""How the program ends: at once, whatever its connections are at, and with all it acknowledged."""

import contextlib
import json
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

from e2e import (
    BINARY,
    HEADERS,
    PATIENCE,
    ROOT,
    SLOWNESS,
    Report,
    Running,
    Server,
    equal,
    is_running,
    temporary_folder,
    wait_until,
)

TABLE = {
    "TableName": "Kept",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}
END_SECONDS = 100 * SLOWNESS  # less than the two minutes after which idle connections are closed
SCANS = 16  # whose answers, of 1 MB each, no system takes from the server at once


def connect(server, buffer=None):
    """A connection; with a receive buffer of that size, so that a long answer gets stuck."""
    connection = socket.socket()
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.settimeout(PATIENCE)
    connection.connect(("127.0.0.1", server.port))
    return connection


def request(operation, body, length=None):
    """The bytes of a request; `length` claims another one than the body has."""
    headers = {**HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{operation}", "Host": "localhost"}
    body = json.dumps(body).encode()
    headers["Content-Length"] = str(length or len(body))
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return b"POST / HTTP/1.1\r\n" + lines.encode() + b"\r\n" + body


def end(server, sent=signal.SIGTERM):
    """Ends the server and returns how long that took."""
    start = time.monotonic()
    server.process.send_signal(sent)
    equal(server.process.wait(PATIENCE), 0)
    return time.monotonic() - start


def check_end(server, sent=signal.SIGTERM):
    seconds = end(server, sent)
    assert seconds < END_SECONDS, f"{seconds:.2f} s"
    equal(server.read_stderr(), "")


IDLE, USED, HALF_HEAD, HALF_BODY, SLOW_READER = "idle", "used", "half a head", "half a body", "slow"


def open_connection(server, kind):
    connection = connect(server, 4096 if kind == SLOW_READER else None)
    if kind == USED:
        connection.sendall(request("ListTables", {}))
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 OK")
    elif kind == HALF_HEAD:
        connection.sendall(request("ListTables", {})[:60])
    elif kind == HALF_BODY:
        connection.sendall(request("PutItem", {"TableName": "Kept"}, 1000))
    elif kind == SLOW_READER:
        connection.sendall(request("Scan", {"TableName": "Kept"}) * SCANS)
        assert connection.recv(1) == b"H"
    return connection


def fill(server):
    """So much that an answer fits no socket's buffer."""
    server.call("CreateTable", TABLE)
    for number in range(16):
        item = {"pk": {"S": str(number)}, "text": {"S": "x" * 390_000}}
        server.call("PutItem", {"TableName": "Kept", "Item": item})


def open_connections(report, folder):
    kinds = (IDLE, USED, HALF_HEAD, HALF_BODY, SLOW_READER)
    for name, options in (("in memory", ()), ("with a file", ("--db", str(folder / "open.db")))):
        for sent in (signal.SIGTERM, signal.SIGINT):
            with report.case(f"{sent.name} {name}, connections in every state"):
                with Server(*options) as server, contextlib.ExitStack() as stack:
                    if server.call("ListTables", {}) == {"TableNames": []}:
                        fill(server)
                    for kind in kinds * 8:
                        stack.enter_context(open_connection(server, kind))
                    check_end(server, sent)
    with report.case("what was written is there"):
        with Server(*options) as server:
            count = {"TableName": "Kept", "Select": "COUNT"}
            first = server.call("Scan", count)
            second = server.call("Scan", {**count, "ExclusiveStartKey": first["LastEvaluatedKey"]})
            assert first["Count"] and second["Count"]


def write_until_it_ends(server, name, acknowledged):
    """Puts one item after the other; notes those that were acknowledged."""
    with contextlib.suppress(OSError), connect(server) as connection:
        for number in range(1_000_000):
            key = f"{name}-{number}"
            item = {"TableName": "Kept", "Item": {"pk": {"S": key}}}
            connection.sendall(request("PutItem", item))
            answer = connection.recv(65536)
            if not answer.startswith(b"HTTP/1.1 200 OK"):
                return
            acknowledged.append(key)


def writers(report, folder):
    path = folder / "writers.db"
    acknowledged = []
    with Server("--db", str(path)) as server:
        server.call("CreateTable", TABLE)
        threads = [
            threading.Thread(target=write_until_it_ends, args=(server, name, acknowledged))
            for name in range(8)
        ]
        for thread in threads:
            thread.start()
        while len(acknowledged) < 200:
            time.sleep(0.01)
        with report.case("SIGTERM with writers"):
            check_end(server)
        for thread in threads:
            thread.join()
    with report.case("all that was acknowledged is kept"), Server("--db", str(path)) as server:
        items = server.call("Scan", {"TableName": "Kept"})["Items"]
        missing = set(acknowledged) - {item["pk"]["S"] for item in items}
        equal(sorted(missing), [])
    with report.case("the file is one file again"):
        equal(sorted(found.name for found in folder.glob("writers.db*")), ["writers.db"])


def start_on(port, *options):
    return Server("--port", str(port), *options)


def ports(report):
    with report.case("the port is free at once, though connections were open"):
        with Server() as server, contextlib.ExitStack() as stack:
            port = server.port
            for kind in (IDLE, USED, HALF_HEAD) * 10:
                stack.enter_context(open_connection(server, kind))
            check_end(server)
            for _ in range(3):
                with start_on(port) as again:
                    equal(again.port, port)
                    stack.enter_context(open_connection(again, USED))
                    check_end(again)
    with report.case("the port is free at once after kill -9"):
        with contextlib.ExitStack() as stack:
            server = Server()
            stack.enter_context(open_connection(server, USED))
            server.kill()
            with start_on(server.port) as again:
                equal(again.call("ListTables", {}), {"TableNames": []})
    with report.case("of two servers on one port the second ends, the first goes on"):
        with Server() as server:
            command = [BINARY, "--port", str(server.port)]
            ended = subprocess.run(
                command, capture_output=True, text=True, timeout=PATIENCE, check=False
            )
            equal((ended.returncode, ended.stdout), (1, ""))
            equal(ended.stderr, f"mockddb: port {server.port} of 127.0.0.1 is in use\n")
            equal(server.call("ListTables", {}), {"TableNames": []})


def write_fixture(folder, table, **changes):
    (folder / "tables").mkdir(parents=True)
    schema = {**TABLE, "TableName": table, **changes}
    (folder / "tables" / f"{table}.json").write_text(json.dumps(schema))


def fixtures(report, folder):
    first, second, third = (folder / name for name in ("first", "second", "third"))
    write_fixture(first, "Kept")
    write_fixture(second, "Kept")
    write_fixture(third, "Other")

    def run(*names, more=()):
        options = [option for name in names for option in ("--fixtures", name)]
        return subprocess.run(
            [BINARY, "--port", "0", *options, *more],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    for names in ((first, second), (first, third, first)):
        with report.case(f"one table in two fixtures: {len(names)} fixtures"):
            ended = run(*names)
            path = names[-1] / "tables/Kept.json"
            expected = f"mockddb: {path}: table Kept is in {first}, too\n"
            equal((ended.returncode, ended.stdout, ended.stderr), (1, "", expected))
    with report.case("two fixtures, and a start with both on the same file"):
        options = ("--db", folder / "two.db", "--fixtures", first, "--fixtures", third)
        for _ in range(2):
            with Server(*map(str, options)) as server:
                equal(server.call("ListTables", {}), {"TableNames": ["Kept", "Other"]})
    with report.case("a fixture that is broken behind 16 MB of items leaves no table in a file"):
        file = ("--db", str(folder / "broken.db"))
        lines = [json.dumps({"pk": {"S": str(n)}, "text": {"S": "x" * 390_000}}) for n in range(45)]
        write_fixture(folder / "broken", "Other", DeletionProtectionEnabled=True)
        (folder / "broken/items").mkdir()
        (folder / "broken/items/Other.jsonl").write_text("\n".join([*lines, "{"]))
        ended = run(folder / "broken", more=file)
        equal(ended.returncode, 1)
        assert "items/Other.jsonl: line 46, column 1: " in ended.stderr, ended.stderr
        with Server(*file) as server:
            equal(server.call("ListTables", {}), {"TableNames": []})


PARENT = """
import os, signal, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
print(child.pid, child.stdout.readline().split()[-1], flush=True)
sys.stdin.readline()
os.kill(os.getpid(), signal.SIGKILL)
"""


def parents(report, folder):
    """--until-eof: the end of standard input is the server's end."""
    command = [str(BINARY), "--port", "0", "--until-eof"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with report.case("standard input is read, and its end ends the server"), Running(command, **pipes) as server:
        url = server.stdout.readline().split()[-1]
        server.stdin.write("x" * 200_000)  # more than a pipe holds
        server.stdin.flush()
        equal(urllib.request.urlopen(f"{url}/_mockddb/health", timeout=PATIENCE).status, 200)
        server.stdin.close()
        equal((server.wait(PATIENCE), server.stderr.read()), (0, ""))
    with report.case("a parent that is killed leaves no server, and what was acknowledged stays"):
        file = ("--db", str(folder / "parent.db"))
        with Running([sys.executable, "-c", PARENT, *command, *file], **pipes) as parent:
            pid, url = parent.stdout.readline().split()
            sent = urllib.request.Request(
                url, json.dumps(TABLE).encode(), {**HEADERS, "X-Amz-Target": "DynamoDB_20120810.CreateTable"}
            )
            equal(urllib.request.urlopen(sent, timeout=PATIENCE).status, 200)
            parent.stdin.write("\n")
            parent.stdin.flush()
            equal(parent.wait(PATIENCE), -signal.SIGKILL)
            wait_until(lambda: not is_running(pid))
        with Server(*file) as server:
            equal(server.call("ListTables", {}), {"TableNames": ["Kept"]})
    refused = {
        (*command,): "mockddb: --until-eof: standard input is not a pipe, a socket or a terminal\n",
        (str(BINARY), "run", "--until-eof", "--", "true"): (
            "mockddb: --until-eof is an option of serve: run ends with its command\n"
        ),
    }
    for arguments, expected in refused.items():
        with report.case(f"--until-eof: {expected}"):
            ended = subprocess.run(
                arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
            )
            equal((ended.returncode, ended.stdout, ended.stderr), (2, "", expected))


def main():
    report = Report()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        open_connections(report, folder)
        writers(report, folder)
        ports(report)
        fixtures(report, folder)
        parents(report, folder)
    report.done()


main()
