"""The program's commands that ask a running server, and that docs/commands.md is true."""

import json
import pathlib
import shlex
import socket
import subprocess
import sys
import threading
import time

from e2e import (
    BINARY,
    PATIENCE,
    ROOT,
    Report,
    Running,
    Server,
    clean_environment,
    equal,
    outcome,
    run_program,
    temporary_folder,
)

FIXTURE = ("--fixtures", "ecommerce", "--table-prefix", "prod-")
KEYS = {"AWS_ACCESS_KEY_ID": "known", "AWS_SECRET_ACCESS_KEY": "secret"}


def run(*arguments, stdin=None, **environment):
    return run_program([BINARY, *arguments], stdin, **environment)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def ctl(report):
    with Server() as server:
        at = ("ctl", "--endpoint", server.url)
        with report.case("ctl: what is shown is what came"):
            frozen = run(*at, "clock", "freeze=2026-01-01T00:00:00Z")
            equal(outcome(frozen)[::2], (0, ""))
            equal(json.loads(frozen.stdout)["now"], "2026-01-01T00:00:00.000Z")
        with report.case("ctl: a line for each value"):
            equal(
                outcome(run(*at, "--lines", "clock")),
                (
                    0,
                    "expiry.after_ms: 1000\nnow: 2026-01-01T00:00:00.000Z\nnow_ms: 1767225600000\nfrozen: true\nrate: 0\n",
                    "",
                ),
            )
        with report.case("ctl: what the server refuses"):
            equal(outcome(run(*at, "clock", "x=1")), (1, "", "mockddb: unknown member x\n"))
        with report.case("ctl: a world that is not there"):
            answer = run("ctl", "--endpoint", server.url, "--world", "none", "GET", "clock")
            equal(outcome(answer), (1, "", "mockddb: world none does not exist\n"))
        with report.case("ctl: no verb"):
            equal(run(*at).returncode, 2)
    with report.case("ctl: nobody is there"):
        ended = run("ctl", "--endpoint", f"http://127.0.0.1:{free_port()}", "clock")
        equal((ended.returncode, ended.stdout), (1, ""))
    with temporary_folder() as folder:
        keys = pathlib.Path(folder) / "keys"
        keys.write_text("known secret\n")
        with Server("--require-signature", keys) as server:
            at = ("ctl", "--endpoint", server.url, "clock")
            with report.case("ctl: signs with the environment's keys"):
                equal(run(*at, **KEYS).returncode, 0)
                equal(run(*at, "rate=2", **KEYS).returncode, 0)
            with report.case("ctl: other keys are refused"):
                equal(run(*at, **KEYS | {"AWS_ACCESS_KEY_ID": "other"}).returncode, 1)


def follow(report):
    with Server() as server:
        with report.case("ctl: the journal is followed"), Running(
            [BINARY, "ctl", "--endpoint", server.url, "journal", "--follow", "operation=ListTables"],
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        ) as following:
            try:
                for _ in range(2):
                    server.call("ListTables", {})
                    equal(json.loads(following.stdout.readline())["operation"], "ListTables")
            finally:
                following.kill()
        with report.case("ctl: what is wrong with a journal to be followed"):
            ended = run("ctl", "--endpoint", server.url, "journal", "--follow", "x=1")
            equal(outcome(ended), (1, "", "mockddb: unknown filter x\n"))


def healthcheck(report):
    port = free_port()
    with report.case("healthcheck: waits for a server that starts late"):
        late = []
        starting = threading.Timer(0.5, lambda: late.append(start_at(port)))
        starting.start()
        ended = run("healthcheck", "--endpoint", f"http://127.0.0.1:{port}", "--wait", str(PATIENCE))
        starting.join()
        late[0].stop()
        equal(ended.returncode, 0)
    with report.case("healthcheck: gives up"):
        began = time.monotonic()
        ended = run("healthcheck", "--endpoint", f"http://127.0.0.1:{port}", "--wait", "0.3")
        equal(ended.returncode, 1)
        assert time.monotonic() - began >= 0.3


def run_command(report):
    make = """
import json, os, urllib.request
headers = {"X-Amz-Target": "DynamoDB_20120810.ListTables",
           "Content-Type": "application/x-amz-json-1.0", "X-Amz-Date": "20240101T000000Z",
           "Authorization": "AWS4-HMAC-SHA256 Credential=a/20240101/us-east-1/dynamodb/aws4_request, "
           "SignedHeaders=host, Signature=0"}
request = urllib.request.Request(os.environ["AWS_ENDPOINT_URL"], b"{}", headers)
print(len(json.load(urllib.request.urlopen(request))["TableNames"]), os.environ["AWS_ENDPOINT_URL"] == os.environ["MOCKDDB_URL"])
print(os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_REGION"])
"""
    with report.case("run: the command finds the server, and the report counts"):
        ended = run("run", *FIXTURE, "--", sys.executable, "-c", make, AWS_REGION="eu-west-1")
        equal((ended.returncode, ended.stdout), (0, "3 True\nlocal eu-west-1\n"))
        lines = ended.stderr.splitlines()  # before them the log, after them the patterns
        first = lines.index("mockddb: 1 request, 0 read units, 0 write units, 0 errors")
        equal(lines[first + 1].split(), ["mockddb:", "ListTables", "1"])
    with report.case("run: the command's status is run's"):
        equal(run("run", "--", "sh", "-c", "exit 3").returncode, 3)
        equal(run("run", "--", "sh", "-c", "kill -9 $$").returncode, 128 + 9)
    with report.case("run: a command that is not there"):
        equal(run("run", "--", "no-such-command").returncode, 127)
    with report.case("run: no command"):
        equal(run("run").returncode, 2)
    with report.case("run: a signal goes on to the command"):
        script = "trap 'exit 9' TERM; echo ready; while :; do sleep 0.1; done"
        with Running(
            [BINARY, "run", "--", "sh", "-c", script],
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as running:
            running.stdout.readline()
            running.terminate()
            equal(running.wait(PATIENCE), 9)


def start_at(port):
    return Server("--port", str(port))


def documented_commands():
    """The lines of docs/commands.md that begin with mockddb, with what continues them."""
    text = (ROOT / "docs/commands.md").read_text().replace("\\\n", " ")
    return [line for line in text.splitlines() if line.startswith("mockddb ")]


def documented(report):
    with Server(*FIXTURE) as server:
        for line in documented_commands():
            with report.case(line):
                words = shlex.split(line)[1:]
                if words[0] in ("check", "ctl", "try", "healthcheck") and "--fixtures" not in words:
                    words[1:1] = ["--endpoint", server.url]
                ended = run(*words)
                if ended.returncode != 0:
                    raise AssertionError(f"{ended.returncode}: {ended.stderr}")


if __name__ == "__main__":
    report = Report()
    ctl(report)
    follow(report)
    healthcheck(report)
    run_command(report)
    documented(report)
    report.done()
