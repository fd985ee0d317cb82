"""What runs out: the disk, whoever reads the log, memory. Nothing acknowledged is lost, nobody waits
for a reader that is not there, and the end, where there is one, is one line and a status."""

import contextlib
import fcntl
import http.client
import json
import os
import pathlib
import resource
import socket
import subprocess

from e2e import (
    BINARY,
    HEADERS,
    PATIENCE,
    PLAIN_BINARY,
    ROOT,
    Report,
    Server,
    equal,
    temporary_folder,
    wait_until,
)

FILE_BYTES = 2 * 1024 * 1024
MEMORY_KB = 300 * 1024  # of a program without sanitizers, which want terabytes of addresses
BODY = 15 * 1024 * 1024
TABLE = {
    "TableName": "Kept",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}
FAILED = "com.amazonaws.dynamodb.v20120810#InternalServerError"


def wrapped(folder, before, binary=BINARY):
    """The program, after that line of shell."""
    path = folder / "wrapped"
    path.write_text(f'#!/bin/sh\n{before}\nexec {binary} "$@"\n')
    path.chmod(0o755)
    return str(path)


def put(server, number, size=100_000):
    item = {"pk": {"S": str(number)}, "text": {"S": "x" * size}}
    return server.post("PutItem", {"TableName": "Kept", "Item": item})


def has_all(server, numbers):
    for number in numbers:
        answer = server.call("GetItem", {"TableName": "Kept", "Key": {"pk": {"S": str(number)}}})
        equal(answer["Item"]["pk"], {"S": str(number)})


def fill(server):
    """Writes until the file is full; the numbers of the items that were acknowledged."""
    server.call("CreateTable", TABLE)
    for number in range(1000):
        status, _, answer = put(server, number)
        if status != 200:
            equal((status, json.loads(answer)["__type"]), (500, FAILED))
            return list(range(number))
    raise AssertionError("the file is never full")


def full_disk(report, folder):
    path = str(folder / "full.db")
    binary = wrapped(folder, f"ulimit -S -f {FILE_BYTES // 512}")
    with report.case("a full disk: writes fail in the service's words, reads work"):
        with Server("--db", path, binary=binary) as server:
            kept = fill(server)
            for _ in range(3):
                equal(put(server, "one more")[0], 500)
            has_all(server, kept)
            equal(server.call("Scan", {"TableName": "Kept", "Select": "COUNT"})["Count"] > 0, True)
            lines = server.read_stderr().splitlines()
            assert lines and all(line.startswith("mockddb: ") for line in lines), lines
            infinite = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, infinite)
            equal(put(server, "one more")[0], 200)
    with report.case("a full disk: after room was made everything acknowledged is there"):
        with Server("--db", path) as server:
            has_all(server, [*kept, "one more"])
    with report.case("a full disk: a server that is killed with it loses nothing"):
        path = str(folder / "killed.db")
        server = Server("--db", path, binary=binary)
        kept = fill(server)
        server.kill()
        with Server("--db", path) as server:
            has_all(server, kept)
    with report.case("a full disk: fixtures that find no room end the start"):
        path = str(folder / "fixtures.db")
        ended = subprocess.run(
            [wrapped(folder, "ulimit -S -f 200"), "--port", "0", "--db", path, "--fixtures", "ecommerce"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        equal((ended.returncode, ended.stdout), (1, ""))
        equal(ended.stderr.splitlines()[-1], "mockddb: the fixtures could not be saved")


def log_without_reader(report, folder):
    fifo = str(folder / "fifo")
    os.mkfifo(fifo)
    held = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    fcntl.fcntl(held, getattr(fcntl, "F_SETPIPE_SZ", 1031), 4096)
    limit = f"ulimit -S -f {FILE_BYTES // 512}"
    for name, errors in (
        ("a pipe that nobody empties", f"2>{fifo}"),
        ("a full device", "2>/dev/full"),
        ("a pipe without a reader", "2>&1 1>&3"),
        ("closed", "2>&-"),
        ("closed, and so is standard input", "2>&- <&-"),
    ):
        with report.case(f"standard error is {name}"):
            path = str(folder / "log.db")
            before = f"{limit}\nexec {errors}"
            if "&3" in errors:  # standard error is a pipe whose other end was closed
                before = f"{limit}\nexec 3>&1\nmkfifo {folder}/gone\n(: <{folder}/gone) &\n"
                before += f"exec 2>{folder}/gone\nwait"
            with Server("--db", path, binary=wrapped(folder, before)) as server:
                kept = fill(server)
                for _ in range(120):
                    equal(put(server, "more")[0], 500)
                has_all(server, kept)
            with Server("--db", path) as server:
                has_all(server, kept)
            os.unlink(path)
    os.close(held)


def health(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        connection.request("GET", "/_mockddb/health")
        return connection.getresponse().status
    finally:
        connection.close()


def is_closed(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def idle_connections(report, folder):
    limit = 64
    binary = wrapped(folder, f"ulimit -n {limit}")
    with Server(binary=binary) as server, contextlib.ExitStack() as stack:
        server.call("CreateTable", TABLE)
        opened = []
        with report.case("more idle connections than descriptors: health always answers"):
            for number in range(3 * limit):
                address = ("127.0.0.1", server.port)
                opened.append(stack.enter_context(socket.create_connection(address, timeout=PATIENCE)))
                if number % 16 == 0:
                    equal(health(server), 200)
            equal(health(server), 200)
            equal(put(server, 1)[0], 200)
        with report.case("those that were idle for the longest are closed, and no others"):
            wait_until(lambda: all(is_closed(one) for one in opened[: len(opened) - limit]))
            kept = [number for number, one in enumerate(opened) if not is_closed(one)]
            assert len(kept) >= limit // 2, kept
            equal(kept, list(range(kept[0], len(opened))))
        with report.case("one line says so"):
            lines = server.read_stderr().splitlines()
            equal((len(lines), "descriptors" in lines[0]), (1, True))
        with report.case("one that is used now and then stays"):
            used = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
            for _ in range(2 * limit):
                used.request("GET", "/_mockddb/health")
                equal(used.getresponse().read()[:1], b"{")
                address = ("127.0.0.1", server.port)
                stack.enter_context(socket.create_connection(address, timeout=PATIENCE))
            used.close()
    with Server(binary=binary) as server, contextlib.ExitStack() as stack:
        with report.case("a request that waits for its answer is not closed for idle ones"):
            rule = {"rules": [{"operation": "ListTables", "delay": 2000}]}
            rule = json.dumps(rule).encode()
            busy = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
            busy.request("POST", "/_mockddb/faults", rule)
            answer = busy.getresponse()
            equal((answer.status, answer.read() != b""), (200, True))
            busy.request("POST", "/", b"{}", HEADERS)
            for _ in range(3 * limit):
                address = ("127.0.0.1", server.port)
                stack.enter_context(socket.create_connection(address, timeout=PATIENCE))
            equal(health(server), 200)
            equal(busy.getresponse().status, 200)
            busy.close()


def leave(server, more):
    """Lets the program have so many bytes more than it has."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
    size = next(line for line in status.splitlines() if line.startswith("VmSize:"))
    limit = int(size.split()[1]) * 1024 + more
    resource.prlimit(server.process.pid, resource.RLIMIT_AS, (limit, limit))


def check_end(server):
    equal(server.process.wait(PATIENCE), 1)
    equal(server.read_stderr(), "mockddb: out of memory\n")


def memory(report, folder):
    if not PLAIN_BINARY.exists():
        report.skip("memory", f"there is no {PLAIN_BINARY}")
        return
    binary = wrapped(folder, f"ulimit -v {MEMORY_KB}", PLAIN_BINARY)
    path = str(folder / "memory.db")
    with report.case("memory: a request that there is none for ends the program in one line"):
        server = Server("--db", path, binary=PLAIN_BINARY)
        server.call("CreateTable", TABLE)
        for number in range(50):
            equal(put(server, number)[0], 200)
        leave(server, BODY // 2)
        with contextlib.suppress(OSError, http.client.HTTPException):
            raise AssertionError(f"answered {put(server, 'large', BODY)}")
        check_end(server)
    with report.case("memory: everything acknowledged is there"), Server("--db", path) as server:
        has_all(server, range(50))
    with report.case("memory: a database in memory that has no more room"):
        server = Server(binary=binary)
        server.call("CreateTable", TABLE)
        status, kept = 200, []
        try:
            while status == 200 and len(kept) < 5000:
                status, *answer = put(server, len(kept), 300_000)
                kept += [len(kept)] if status == 200 else []
            equal((status, "memory" in str(answer)), (400, True))
            has_all(server, kept[:20])
        except (OSError, http.client.HTTPException):  # something else than an item found none
            check_end(server)
    with report.case("memory: a file of which more is in use than there is room for"):
        path = str(folder / "large.db")
        server = Server("--db", path, binary=binary)
        server.call("CreateTable", TABLE)
        kept = []
        with contextlib.suppress(OSError, http.client.HTTPException):
            for number in range(5000):
                equal(put(server, number, 390_000)[0], 200)
                kept.append(number)
            raise AssertionError("memory never ends")
        check_end(server)
        with Server("--db", path) as server:
            has_all(server, kept)


def main():
    report = Report()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        full_disk(report, folder)
        log_without_reader(report, folder)
        idle_connections(report, folder)
        memory(report, folder)
    report.done()


main()
