"""What the end-to-end tests share: a server under test, the AWS CLI pointed at it, and TAP output.

A test file is a program: it starts the servers it wants, reports one TAP line per case through
Report, and ends with report.done(). CTest names the server's binary in $MOCKDDB.

No test depends on the machine's speed. It waits until something is so (wait_until), measures processor
time (Server.processor_seconds), or measures until a measurement is good enough (at_best); PATIENCE is
a net for what never happens. What a test program started ends with it, in whatever way it ends.
"""

import atexit
import contextlib
import functools
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.request

from aws_worker import Worker

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Built without sanitizers, which take memory of their own.
PLAIN_BINARY = ROOT / "build/release/bin/mockddb"
BINARY = os.environ.get("MOCKDDB", str(ROOT / "build/debug/bin/mockddb"))
PROGRAMS = pathlib.Path(BINARY).absolute().parent  # the clients stand beside the server; a link is not followed
READY = re.compile(r"mockddb listening on (https?://\S+)")
HEADERS = {  # of a request as SDKs send it
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Target": "DynamoDB_20120810.ListTables",
    "X-Amz-Date": "20240101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=a/20240101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=0",
}
SLOWNESS = float(os.environ.get("MOCKDDB_SLOWNESS", "1"))  # of the programs, as under valgrind
NO_HOME = "/dev/null/home"  # a folder that no program, not even root's, can make
PATIENCE = 900 * SLOWNESS  # seconds: ten times what the slowest takes on a busy machine
MARK = "MOCKDDB_TEST_PROGRAM"  # in the environment of all that a test program starts


def end_marked(mark):
    """Kills each process with that mark in its environment. Looks until several scans have found none: a process may
    begin behind a scan, and has no environment while it changes its program."""
    wanted = f"{MARK}={mark}".encode()
    in_vain = 0
    while in_vain < 5:
        in_vain += 1
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    os.kill(int(folder.name), signal.SIGKILL)
                    in_vain = 0
        time.sleep(0.1)


def watch_over_children():
    """Starts a process that waits for the end of this one, also by SIGKILL, and then kills all that this one
    started and that still runs, children of children as well."""
    os.environ[MARK] = f"{os.getpid()}-{time.time_ns()}"
    end, held = os.pipe()  # no program that is started inherits it
    if os.fork():
        os.close(end)
        return
    os.setsid()
    os.close(held)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(null, descriptor)
    os.read(end, 1)
    end_marked(os.environ[MARK])
    os._exit(0)


if os.path.isdir("/proc/self"):
    watch_over_children()


class Running(subprocess.Popen):
    """A program; as a context manager, one that is killed where a case fails."""

    def __exit__(self, kind, *_):
        if kind:
            self.kill()
        super().__exit__(kind, *_)


def changed(**changes):
    """HEADERS with changes: X_Amz_Target=None leaves one out."""
    headers = dict(HEADERS)
    for name, value in changes.items():
        headers.pop(name.replace("_", "-"), None)
        if value is not None:
            headers[name.replace("_", "-")] = value
    return headers


def is_running(pid):
    """Whether the process is there, and is no zombie."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class Server:
    """A mockddb of our own on a free port; a context manager that also checks its clean end."""

    running = set()  # that this program started, and that are not known to have ended

    def __init__(self, *arguments, binary=BINARY, folder=ROOT):
        self.stderr = tempfile.TemporaryFile(mode="w+")
        port = () if {"--port", "-port"} & set(arguments) else ("--port", "0")
        self.process = Running(
            [binary, *port, *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
            text=True,
        )
        Server.running.add(self)
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        match = READY.match(self.process.stdout.readline()) if ready else None
        if not match:
            self.kill()
            raise RuntimeError(f"the server did not start: {self.read_stderr()}")
        self.url = match[1]
        self.port = int(self.url.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def read_stderr(self):
        self.stderr.seek(0)
        return self.stderr.read()

    def stop(self):
        """Ends the server as an operator does; whatever a sanitizer found is raised here."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            status = "none, it had to be killed"
        Server.running.discard(self)
        if status != 0:
            raise RuntimeError(f"the server's exit status is {status}: {self.read_stderr()}")

    def kill(self):
        self.process.kill()
        self.process.wait()
        Server.running.discard(self)

    def processor_seconds(self):
        """What the server has worked, which other programs' work does not change much."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def post(self, operation, body, headers=None):
        """Sends one request as it stands; returns (HTTP status, headers, body bytes)."""
        prefix = "DynamoDBStreams" if operation in STREAM_OPERATIONS else "DynamoDB"
        request = urllib.request.Request(
            self.url + "/",
            body if isinstance(body, bytes) else json.dumps(body).encode(),
            {**HEADERS, "X-Amz-Target": f"{prefix}_20120810.{operation}", **(headers or {})},
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def call(self, operation, body):
        """Sends one request that has to succeed, and returns its answer."""
        status, _, answer = self.post(operation, body)
        if status != 200:
            raise RuntimeError(f"{operation} answered {status}: {answer.decode()}")
        return json.loads(answer) if answer else None

    def put_items(self, table, items):
        for start in range(0, len(items), 25):
            writes = [{"PutRequest": {"Item": item}} for item in items[start : start + 25]]
            answer = self.call("BatchWriteItem", {"RequestItems": {table: writes}})
            if answer["UnprocessedItems"]:
                raise RuntimeError("unprocessed items")


STREAM_OPERATIONS = ("ListStreams", "DescribeStream", "GetShardIterator", "GetRecords")


NODE_FOLDER = pathlib.Path(os.environ.get("MOCKDDB_NODE", ROOT / "build/node"))
NODE_VERSION = 20  # the oldest that the SDK takes


def has_node():
    """Whether there is a Node.js that is new enough, and the SDK that scripts/setup installs."""
    if not shutil.which("node") or not (NODE_FOLDER / "node_modules/@aws-sdk").is_dir():
        return False
    version = subprocess.check_output(["node", "--version"], text=True, timeout=PATIENCE)
    return int(re.match(r"v(\d+)", version)[1]) >= NODE_VERSION


def node_script(name, *imports):
    """A script of this folder and those it imports, beside the node_modules in which its imports are looked up."""
    for file in ("tap.mjs", *imports, name):  # other tests may read the one while it is written
        aside = NODE_FOLDER / f"{file}.{os.getpid()}"
        shutil.copy(ROOT / "tests/e2e" / file, aside)
        aside.replace(NODE_FOLDER / file)
    return NODE_FOLDER / name


def clean_environment(**more):
    """The environment without what it says about AWS."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return kept | {"HOME": NO_HOME} | more


def run_program(words, stdin=None, folder=ROOT, **environment):
    """Runs a program to its end in a clean environment."""
    return subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=clean_environment(**environment),
        input=stdin,
        stdin=None if stdin is not None else subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def outcome(ended):
    """What a program that ran came to."""
    return ended.returncode, ended.stdout, ended.stderr


class Answer:
    """What a shell script came to."""

    def __init__(self, completed):
        self.status = completed.returncode
        self.stdout = completed.stdout
        self.stderr = completed.stderr

    @property
    def json(self):
        if self.status != 0:
            raise AssertionError(f"exit status {self.status}: {self.stderr.strip()}")
        return json.loads(self.stdout)


@functools.lru_cache(maxsize=None)
def aws_worker(cli):
    """What runs the AWS CLI's commands for all shells of a test program, and ends with it."""
    worker = Worker(cli)
    atexit.register(worker.stop)
    return worker


class Shell:
    """A user's shell with the AWS CLI set up: the profiles `default` and `controller` lead to the
    server. CLIs before 2.13 and 1.29 know no `endpoint_url` in their configuration; they are
    wrapped in a script that adds the option, as docs/serving.md advises. A worker runs its commands,
    or each is a new process of the CLI."""

    def __init__(self, server, worker=True):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="mockddb-e2e-"))
        self.cli = "/usr/bin/aws" if os.access("/usr/bin/aws", os.X_OK) else shutil.which("aws")
        self.environment = {
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "PATH": f"{self.home}/bin:/usr/bin:/bin:/usr/local/bin",
            "TZ": "UTC",
            "AWS_EC2_METADATA_DISABLED": "true",
            "MOCKDDB_URL": server.url,
            MARK: os.environ.get(MARK, ""),
        }
        (self.home / ".aws").mkdir()
        (self.home / "bin").mkdir()
        endpoint = f"endpoint_url = {server.url}\n" if self.knows_endpoint_url() else ""
        (self.home / ".aws/config").write_text(
            f"[default]\nregion = us-east-1\n{endpoint}"
            f"[profile controller]\nregion = us-east-1\n{endpoint}"
        )
        (self.home / ".aws/credentials").write_text(
            "[default]\naws_access_key_id = a\naws_secret_access_key = b\n"
            "[controller]\naws_access_key_id = c\naws_secret_access_key = d\n"
        )
        more = () if endpoint else ("--endpoint-url", server.url)
        if self.cli and worker and aws_worker(self.cli).usable:
            aws_worker(self.cli).install(self.home / "bin/aws", *more)
        elif self.cli and more:
            wrapper = self.home / "bin/aws"
            wrapper.write_text(f'#!/bin/sh\nexec {self.cli} "$@" {" ".join(more)}\n')
            wrapper.chmod(0o755)
        elif self.cli:
            (self.home / "bin/aws").symlink_to(self.cli)

    def knows_endpoint_url(self):
        if not self.cli:
            return False
        text = subprocess.run([self.cli, "--version"], capture_output=True, text=True, check=False)
        version = re.match(r"aws-cli/(\d+)\.(\d+)", text.stdout + text.stderr)
        major, minor = int(version[1]), int(version[2])
        return (major, minor) >= ((2, 13) if major == 2 else (1, 29))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.home, ignore_errors=True)

    def run(self, script):
        return Answer(
            subprocess.run(
                ["bash", "-c", script],
                cwd=self.home,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
        )


class Report:
    """TAP on standard output; `with report.case(name):` is one case."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def line(self, outcome, name):
        self.count += 1
        print(f"{outcome} {self.count} - {name}", flush=True)

    def skip(self, name, reason):
        self.line("ok", f"{name} # SKIP {reason}")

    def lack(self, name, reason):
        """Skips what CI must not pass over."""
        if os.environ.get("CI"):
            self.fail(name, f"{reason}, and CI passes over nothing")
        else:
            self.skip(name, reason)

    @contextlib.contextmanager
    def case(self, name):
        try:
            yield
        except AssertionError as error:
            self.fail(name, str(error))
        except Exception:  # pylint: disable=broad-except # one broken case must not hide the others
            self.fail(name, traceback.format_exc())
        else:
            self.line("ok", name)

    def fail(self, name, why):
        self.failed += 1
        self.line("not ok", name)
        for text in why.splitlines():
            print(f"#   {text}")

    def relay(self, name, command, environment=None, net=PATIENCE, may_hang=False):
        """Runs a program that prints TAP itself and counts its cases; that it ends well is one. Returns False if it may
        hang, and did."""
        with subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            timer = threading.Timer(net, process.kill)
            timer.start()
            for line in process.stdout:  # as it comes, so that the log of a test that is ended says where it was
                print(line, end="", flush=True)
                self.count += line.startswith(("ok ", "not ok "))
            status = process.wait()
            timer.cancel()
        if status == -signal.SIGKILL and may_hang:
            return False
        with self.case(name):
            equal(status, 0)
        return True

    def relay_script(self, script, server, name="the script comes to its end", **environment):
        """The same for a script of this folder, which uses the SDK for JavaScript."""
        keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_REGION": "us-east-1"}
        place = {"AWS_ENDPOINT_URL_DYNAMODB": server.url}
        self.relay(name, ["node", node_script(script)], os.environ | keys | place | environment)

    def done(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed or not self.count else 0)


def equal(actual, expected):
    """Asserts equality; expected may hold unittest.mock.ANY and Like where values vary."""
    if expected != actual:
        raise AssertionError(f"expected {pretty(expected)}\nactual   {pretty(actual)}")


def pretty(value):
    return json.dumps(value, indent=1, default=repr, ensure_ascii=False)


class Like:
    """Equal to every string that matches a regular expression as a whole."""

    def __init__(self, pattern):
        self.pattern = re.compile(pattern, re.DOTALL)

    def __eq__(self, other):
        return isinstance(other, str) and self.pattern.fullmatch(other) is not None

    def __repr__(self):
        return f"Like({self.pattern.pattern!r})"


class Refusal:
    """The service's own error, as the CLI reports it."""

    def __init__(self, operation, error, message):
        self.text = f"An error occurred ({error}) when calling the {operation} operation: {message}"

    def check(self, answer):
        equal((answer.stderr.strip(), answer.stdout), (self.text, ""))
        assert answer.status in (254, 255), f"exit status {answer.status}"


class Misuse:
    """The CLI itself refuses the command; nothing was sent."""

    def __init__(self, pattern):
        self.text = Like(rf".*{pattern}.*")

    def check(self, answer):
        equal((answer.stderr.strip(), answer.stdout), (self.text, ""))
        assert answer.status in (2, 252, 255), f"exit status {answer.status}"


# Members of a table description that only newer CLIs know.
NEWER_MEMBERS = ("DeletionProtectionEnabled", "WarmThroughput")


class Commands:
    """Runs commands and compares what they print: `command(name, script, expected)`, where expected
    is the answer's JSON, the exact text of standard output, a Refusal or a Misuse."""

    def __init__(self, report, shell):
        self.report = report
        self.shell = shell

    def __call__(self, name, script, expected):
        with self.report.case(name):
            answer = self.shell.run(script)
            if isinstance(expected, (Refusal, Misuse)):
                expected.check(answer)
            elif isinstance(expected, str):
                equal((answer.status, answer.stdout, answer.stderr), (0, expected, ""))
            else:
                equal(drop_members(answer.json, NEWER_MEMBERS), expected)


def drop_members(value, names):
    if isinstance(value, dict):
        return {k: drop_members(v, names) for k, v in value.items() if k not in names}
    if isinstance(value, list):
        return [drop_members(v, names) for v in value]
    return value


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.02)


def at_best(seconds, measure):
    """Asserts that a measurement is below so many seconds; one that is not may be the machine's fault, and
    is made again."""
    end = time.monotonic() + PATIENCE
    best = measure()
    while best >= seconds * SLOWNESS and time.monotonic() < end:
        best = min(best, measure())
    assert best < seconds * SLOWNESS, f"{best:.3f} s at best"


@contextlib.contextmanager
def temporary_folder():
    """A folder that goes after the servers that were started meanwhile, which may write to it."""
    before = set(Server.running)
    with tempfile.TemporaryDirectory(prefix="mockddb-test-") as name:
        try:
            yield name
        finally:
            for server in Server.running - before:
                server.kill()


def fixture_items(fixture, table):
    path = ROOT / "fixtures" / fixture / "items" / f"{table}.jsonl"
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def fixture_table(fixture, table):
    with open(ROOT / "fixtures" / fixture / "tables" / f"{table}.json", encoding="utf-8") as text:
        return json.load(text)
