"""What tests of hostile clients share: requests as bytes, and cases after which everything is as it
was for everybody else."""

import contextlib
import json
import os
import re
import socket
import struct
import time

from e2e import HEADERS, PATIENCE, SLOWNESS, STREAM_OPERATIONS, equal

# Sanitizers hold freed memory back; here they should not, so that growth can be seen.
os.environ.setdefault(
    "ASAN_OPTIONS",
    "quarantine_size_mb=1:thread_local_quarantine_size_kb=64:allocator_release_to_os_interval_ms=200",
)

MB = 1024 * 1024
MAX_BODY = 16 * MB
# Of the processor, with sanitizers.
ANSWER_SECONDS = 60 * SLOWNESS  # for the most expensive request
OTHERS_SECONDS = 10 * SLOWNESS  # for a cheap request while others misbehave
TABLE = {
    "TableName": "Hostile",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}
KEY = {"pk": {"S": "a"}}


def head(operation="ListTables", leave_out=(), **more):
    """The head of a request without its last line; more headers as Content_Length=2."""
    prefix = "DynamoDBStreams" if operation in STREAM_OPERATIONS else "DynamoDB"
    target = f"{prefix}_20120810.{operation}"
    headers = {"Host": "127.0.0.1", **HEADERS, "X-Amz-Target": target}
    lines = [f"{k}: {v}" for k, v in headers.items() if k not in leave_out]
    lines += [f"{k.replace('_', '-')}: {v}" for k, v in more.items()]
    return ("POST / HTTP/1.1\r\n" + "\r\n".join(lines) + "\r\n").encode()


def request(operation, body):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return head(operation, Content_Length=len(body)) + b"\r\n" + body


def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), PATIENCE)


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
    """Resident memory in MB; 0 under valgrind, where it is not the program's own."""
    if SLOWNESS > 1:
        return 0
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024


def peak_memory(server):
    """The most that it ever was."""
    if SLOWNESS > 1:
        return 0
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) / 1024


def descriptors(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def others_work(server):
    """A simple request is answered; returns how long the server has worked meanwhile."""
    before = server.processor_seconds()
    equal(server.post("ListTables", {})[0], 200)
    seconds = server.processor_seconds() - before
    assert seconds < OTHERS_SECONDS, f"a simple request was answered after {seconds:.1f} s of work"
    return seconds


def settled(server, measure, most):
    """Waits until what is measured is down to `most`."""
    end = time.monotonic() + PATIENCE
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
