"""What the tests of ddb-stream-lambda share: the program under way, tables with a stream, and
functions that keep a log of what they were called with."""

import json
import pathlib
import re
import select
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from e2e import PATIENCE, PROGRAMS, ROOT, Running, wait_until

PROGRAM = PROGRAMS / "ddb-stream-lambda"


class Endpoint:
    """An HTTP server on this machine: `answer(path, headers, value)` gets the JSON of a request and
    returns (status, headers, text)."""

    def __init__(self, answer, port=0):
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):  # pylint: disable=invalid-name # the library's name
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, headers, text = answer(self.path, self.headers, json.loads(body))
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):  # quiet
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.port = self.server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def wrapper(name):
    """A file of the examples, which makes a handler a command."""
    return (ROOT / "examples/stream-lambda" / name).read_text(encoding="utf-8")


class Function:
    """A folder with a Python function in it. It may call log(value); `logged` is what it did."""

    def __init__(self, code):
        self.folder = tempfile.TemporaryDirectory(prefix="mockddb-lambda-")
        self.path = pathlib.Path(self.folder.name)
        self.log = self.path / "log"
        preamble = f"""
import json
def log(value):
    with open({str(self.log)!r}, "a") as out:
        out.write(json.dumps(value) + "\\n")
"""
        (self.path / "function.py").write_text(preamble + textwrap.dedent(code))
        (self.path / "wrapper.py").write_text(wrapper("wrapper.py"))
        self.command = f"{sys.executable} -B {self.path}/wrapper.py"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    @property
    def logged(self):
        if not self.log.exists():
            return []
        return [json.loads(line) for line in self.log.read_text().splitlines()]


class Follower:
    """ddb-stream-lambda in the background."""

    def __init__(self, server, *arguments):
        self.stderr = []
        self.process = Running(
            [PROGRAM, "--endpoint", server.url, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self.read_until("following arn:")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def read_until(self, text):
        """Waits for a line of its own with that text."""
        while not any(text in line for line in self.stderr):
            ready, _, _ = select.select([self.process.stderr], [], [], PATIENCE)
            line = self.process.stderr.readline().decode() if ready else ""
            if not line:
                raise AssertionError(f"no line with {text!r} in {self.stderr}")
            self.stderr.append(line)

    def stop(self):
        """Asks it to end; its exit status and all it said."""
        self.process.send_signal(signal.SIGTERM)
        return self.wait()

    def wait(self):
        _, rest = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, "".join(self.stderr) + rest.decode()


def run(server, *arguments):
    """Runs it to its end: (exit status, standard output, standard error)."""
    completed = subprocess.run(
        [PROGRAM, "--endpoint", server.url, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return completed.returncode, completed.stdout, completed.stderr


def run_once(server, table, *arguments):
    return run(server, "--table", table, "--once", *arguments)


def stream_table(server, name, view="NEW_AND_OLD_IMAGES", sort=False):
    """A table with a stream; its keys are pk and, where asked for, a number sk."""
    keys = [("pk", "S", "HASH"), ("sk", "N", "RANGE")][: 2 if sort else 1]
    server.call(
        "CreateTable",
        {
            "TableName": name,
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [
                {"AttributeName": name, "AttributeType": kind} for name, kind, _ in keys
            ],
            "KeySchema": [{"AttributeName": name, "KeyType": role} for name, _, role in keys],
            "StreamSpecification": {"StreamEnabled": True, "StreamViewType": view},
        },
    )


def put(server, table, key, **attributes):
    item = {"pk": {"S": key}, **{name: {"S": value} for name, value in attributes.items()}}
    server.call("PutItem", {"TableName": table, "Item": item})


def put_all(server, table, keys):
    for key in keys:
        put(server, table, key)


def wait_for_log(function, count):
    wait_until(lambda: len(function.logged) >= count)


def summary(stderr):
    """(delivered, calls, filtered out, given up) of its last line."""
    match = re.search(
        r"(\d+) record\(s\) in (\d+) call\(s\); (\d+) filtered out, (\d+) given up\n$", stderr
    )
    if not match:
        raise AssertionError(f"no totals in {stderr!r}")
    return tuple(map(int, match.groups()))
