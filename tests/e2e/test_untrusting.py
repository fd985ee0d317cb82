#!/usr/bin/env python3
"""Programs and commands in the hands of somebody who does not trust them: nothing is lost without a word, nothing of
the user's is written over, and what is wrong is said."""

import contextlib
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import threading
import time

from e2e import (
    BINARY,
    PATIENCE,
    PROGRAMS,
    ROOT,
    Report,
    Running,
    Server,
    equal,
    temporary_folder,
)

ECOMMERCE = ("--fixtures", "ecommerce", "--table-prefix", "prod-")
SETTINGS = "EcomIndexSettingsTable"
KEY = {"pk": {"S": "kl7a9h55"}, "sk": {"S": "INDEX#shopify-e513a8-4"}}
CLIENTS = ("ddb-capture", "ddb-json", "ddb-patterns", "ddb-stream-lambda")


def run(*words, **more):
    return subprocess.run(
        [str(word) for word in words],
        **{"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "timeout": PATIENCE, **more},
        check=False,
    )


def client(name, *words, **more):
    return run(PROGRAMS / name, *words, **more)


def mockddb(*words, **more):
    return run(BINARY, *words, **more)


def says(ended, status, part):
    if (ended.returncode, len(ended.stderr.splitlines())) != (status, 1) or part not in ended.stderr:
        raise AssertionError(f"not {status} and one line with {part}, but {ended.returncode}: {ended.stderr}")


class Scripted(http.server.ThreadingHTTPServer):
    """An endpoint that answers as it is told to, and notes what it was sent."""

    def __init__(self, answer, headers):
        self.sent = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                operation = self.headers.get("X-Amz-Target", ".VERB").split(".")[1]
                self.server.sent.append((operation, body))
                self.reply(answer(operation, json.loads(body)))

            def do_GET(self):
                self.reply(answer("GET", {}))

            def reply(self, value):
                if value is None:  # the connection breaks
                    self.close_connection = True
                    return
                status, value = value if isinstance(value, tuple) else (200, value)
                came = json.dumps(value, ensure_ascii=False).encode()
                self.send_response(status)
                for name, text in headers.items():
                    self.send_header(name, text)
                self.send_header("Content-Length", str(len(came)))
                self.end_headers()
                self.wfile.write(came)

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


@contextlib.contextmanager
def scripted(answer, **headers):
    """Headers with _ for -."""
    server = Scripted(answer, {name.replace("_", "-"): value for name, value in headers.items()})
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


TABLE = {
    "TableName": "T",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "ItemCount": 1,
    "TableSizeBytes": 10,
}


def described(operation, _request):
    return {"DescribeTable": {"Table": TABLE}, "DescribeTimeToLive": {}}.get(operation, {"Items": []})


def descriptors(report):
    with report.case("answers of the clients that cannot be written are failures"):
        for name in CLIENTS:
            with open("/dev/full", "w", encoding="utf-8") as full:
                ended = client(name, "--help", stdout=full, capture_output=False, stderr=subprocess.PIPE)
            says(ended, 1, "cannot be written")
    with report.case("what is said where standard error is closed goes to no connection"), temporary_folder() as folder:
        with scripted(described) as endpoint:
            words = f"{PROGRAMS}/ddb-capture --endpoint {endpoint.url} --into {folder}/f --all T --sure T 0<&- 1>&- 2>&-"
            equal(run("sh", "-c", words).returncode, 0)
            equal([operation for operation, _ in endpoint.sent], ["DescribeTable", "DescribeTimeToLive", "Scan"])


def capture(server, *words, **more):
    return client("ddb-capture", "--endpoint", server.url, "--table-prefix", "prod-", "--rate", "100000", *words, **more)


def broken(report, base):
    """A request that may have taken effect is sent again only where that changes nothing."""
    (base / "Tab.jsonl").write_text('{"pk": "a"}\n', encoding="utf-8")
    missing = (400, {"__type": "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException", "message": "no"})
    active = {"Table": {**TABLE, "TableName": "Tab", "TableStatus": "ACTIVE"}}
    for breaks, times in (("CreateTable", 1), ("BatchWriteItem", 2)):
        made = []

        def answer(operation, _request, breaks=breaks, made=made):
            made.append(operation)
            if operation == breaks and made.count(operation) == 1:
                return None
            if operation == "DescribeTable":
                return active if "CreateTable" in made else missing
            return {"CreateTable": {"TableDescription": active["Table"]}}.get(operation, {"UnprocessedItems": {}})

        with report.case(f"{breaks} whose connection breaks"), scripted(answer) as endpoint:
            words = ("import", base / "Tab.jsonl", "--create", "--table", "Tab", "--key", "pk:S")
            ended = mockddb(*words, "--endpoint", endpoint.url)
            equal((ended.returncode, made.count(breaks)), (int(times == 1), times))
    for breaks, status, times in (("DescribeTable", 1, 1), ("Scan", 0, 2)):
        asked = []

        def answer(operation, request, breaks=breaks, asked=asked):
            asked.append(operation)
            return None if operation == breaks and asked.count(operation) == 1 else described(operation, request)

        with report.case(f"ddb-capture: {breaks} whose connection breaks"), scripted(answer) as endpoint:
            words = ("--endpoint", endpoint.url, "--into", base / breaks, "--all", "T", "--sure", "T")
            equal((client("ddb-capture", *words).returncode, asked.count(breaks)), (status, times))


def captured_folders(report, server, base):
    for name, text in (("items/EcomIndexSettingsTable.jsonl", "mine\n"), ("fixture.json", "{}\n")):
        with report.case(f"a capture leaves a folder alone that has {name.split('/', maxsplit=1)[0]}"):
            folder = base / name.replace("/", "-")
            (folder / name).parent.mkdir(parents=True)
            (folder / name).write_text(text)
            says(capture(server, "--into", folder, "--key", f"{SETTINGS}={json.dumps(KEY)}"), 1, "is a fixture already")
            equal([path.name for path in folder.iterdir()], [name.split("/", maxsplit=1)[0]])
            equal((folder / name).read_text(), text)


def captured_words(report, server, base):
    whole = ("--into", base / "none", "--all", SETTINGS, "--sure", SETTINGS)
    query = json.dumps({"TableName": SETTINGS, "KeyConditionExpression": "pk = pk", "ConsistentRead": True})
    rules = base / "rules.json"
    rules.write_text('{"rules": [')
    wrong = (
        (("--into", "", "--table", SETTINGS), 'option --into: "" is empty'),
        ((*whole, "--mask", ""), 'option --mask: "" is empty'),
        ((*whole, "--region", ""), 'option --region: "" is empty'),
        ((*whole, "--table-prefix", "a/b"), 'option --table-prefix: "a/b" has'),
        ((*whole, "--rate", "1e-300"), "--rate"),
        ((*whole, "--mask", rules), "rules.json:1"),
        (("--estimate", "--table", SETTINGS), "needs --all TABLE"),
        (("--into", base / "none", "--query", query), "ConsistentRead"),
    )
    for words, part in wrong:
        with report.case(f"a capture refuses {part}"):
            says(capture(server, *words), 2, part)
            assert not (base / "none").exists()
    with report.case("keys of Windows are read, and what is none is named with its line"):
        keys = base / "keys.jsonl"
        keys.write_bytes(b"\xef\xbb\xbf" + json.dumps(KEY).encode() + b"\r\n  \r\n")
        equal(capture(server, "--into", base / "keys", "--keys", f"{SETTINGS}={keys}").returncode, 0)
        equal(len((base / f"keys/items/{SETTINGS}.jsonl").read_text().splitlines()), 1)
        keys.write_text(json.dumps(KEY) + "\n\nx" + "y" * 100000)
        ended = capture(server, "--into", base / "none", "--keys", f"{SETTINGS}={keys}")
        says(ended, 2, "keys.jsonl:3: ")
        assert len(ended.stderr) < 1000


def captured_keys(report, base):
    keys = base / "many.jsonl"
    keys.write_text("".join(json.dumps({"pk": {"S": str(n)}}) + "\n" for n in range(6)))
    with report.case("keys are asked for as the rate allows"):
        with scripted(lambda operation, request: described(operation, request) | {"Responses": {"T": []}}) as endpoint:
            words = ("--endpoint", endpoint.url, "--rate", "1", "--into", base / "slow", "--keys", f"T={keys}")
            equal(client("ddb-capture", *words).returncode, 0)
            sizes = [len(json.loads(body)["RequestItems"]["T"]["Keys"]) for what, body in endpoint.sent if what == "BatchGetItem"]
            equal(sizes, [2, 2, 2])
    with report.case("keys that stay unprocessed are asked for later and later"):
        times = []

        def busy(operation, request):
            if operation != "BatchGetItem":
                return described(operation, request)
            times.append(time.monotonic())
            return {"UnprocessedKeys": request["RequestItems"] if len(times) < 5 else {}}

        with scripted(busy) as endpoint:
            words = ("--endpoint", endpoint.url, "--into", base / "busy", "--keys", f"T={keys}")
            equal(client("ddb-capture", *words).returncode, 0)
            waits = [later - earlier for earlier, later in zip(times, times[1:])]
            assert waits[3] >= 0.3, waits  # the first is 0.05 s, each is twice the one before
    with report.case("keys that an interrupted run left unprocessed are asked for by the next one, and each is kept once"):
        asked = []

        def breaks_off(operation, request):
            if operation != "BatchGetItem":
                return described(operation, request)
            wanted = request["RequestItems"]["T"]["Keys"]
            asked.append([key["pk"]["S"] for key in wanted])
            if len(asked) == 2:
                return 400, {"__type": "x#AccessDeniedException", "message": "no"}
            left = {"T": {"Keys": wanted[2:]}} if len(asked) == 1 else {}
            return {"Responses": {"T": wanted[:2] if left else wanted}, "UnprocessedKeys": left}

        with scripted(breaks_off) as endpoint:
            words = ("--endpoint", endpoint.url, "--into", base / "broken-off", "--keys", f"T={keys}")
            says(client("ddb-capture", *words), 1, "AccessDeniedException")
            equal(client("ddb-capture", *words).returncode, 0)
            equal(asked, [["0", "1", "2", "3", "4", "5"], ["2", "3", "4", "5"], ["2", "3", "4", "5"]])
            lines = (base / "broken-off/items/T.jsonl").read_text().splitlines()
            equal([json.loads(line)["pk"]["S"] for line in lines], ["0", "1", "2", "3", "4", "5"])
    with report.case("keys without items are counted over all runs of a capture"):
        left = [1]

        def ends_once(operation, request):
            if operation == "BatchGetItem" and len(request["RequestItems"]["T"]["Keys"]) == 1 and left:
                left.pop()
                return {"Responses": {"T": [{"pk": 1}]}}
            return described(operation, request) | {"Responses": {"T": []}}

        with scripted(ends_once) as endpoint:
            more = base / "more.jsonl"
            more.write_text(keys.read_text() * 16 + '{"pk": {"S": "a"}}\n' * 5)
            words = ("--endpoint", endpoint.url, "--rate", "50", "--into", base / "twice", "--keys", f"T={more}")
            says(client("ddb-capture", *words), 1, "something else")
            assert "101 of the keys have no item" in client("ddb-capture", *words).stderr


def recorded(report, server, base):
    source = ROOT / "fixtures/ecommerce/patterns.json"
    words = ("--endpoint", server.url, "--table-prefix", "prod-")
    with report.case("what is recorded goes where a link leads, with the rights of before, and over nothing else"):
        path, link, beside = base / "p.json", base / "link.json", base / "p.json.new"
        shutil.copy(source, path)
        path.chmod(0o640)
        link.symlink_to(path)
        beside.write_text("mine")
        (base / "link.json.new").write_text("mine, too")
        equal(client("ddb-patterns", *words, "--record", link).returncode, 0)
        assert link.is_symlink() and path.read_text() != source.read_text()
        equal((path.stat().st_mode & 0o777, beside.read_text()), (0o640, "mine"))
        equal((base / "link.json.new").read_text(), "mine, too")
    with report.case("patterns that are watched end where nobody reads what is said"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            ended = client("ddb-patterns", *words, "--watch", source, stdout=full, capture_output=False, stderr=subprocess.PIPE)
        says(ended, 2, "could not be written")
    for given, part in ((("--region", ""), 'option --region: "" is empty'), (("--table-prefix", "a/b"), 'option --table-prefix: "a/b" has')):
        with report.case(f"patterns refuse {part}"):
            says(client("ddb-patterns", *words, *given, source), 2, part)


def wrong_words(report, base):
    text = base / "text"
    text.write_text("mine")
    wrong = (
        (2, "--fixtures asks no server", ("try", "--fixtures", "ecommerce", "--endpoint", "http://127.0.0.1:1", "aws")),
        (2, "--fixtures asks no server", ("try", "--fixtures", "ecommerce", "--world", "w", "aws")),
        (2, "--table-prefix is about fixtures", ("try", "--table-prefix", "p-", "aws")),
        (2, "cannot both be given", ("ctl", "--json", "--lines", "clock")),
        (2, "is not a world's name", ("ctl", "--world", "a\rb", "reset")),
        (2, "is not a world's name", ("try", "--world", ".a", "aws")),
        (2, "is not a world's name", ("export", "--world", "a b", "--table", "Tab", "-")),
        (2, "is not a world's name", ("push", "--world", "\u00e4", "--db", "t.db")),
        (2, "GET takes no JSON", ("ctl", "GET", "clock", "{}")),
        (2, "give --regions by-request", ("--replica-lag-ms", "5")),
        (2, "give --throttle provisioned", ("--throttle-burst", "empty")),
        (2, "--journal 0 keeps none", ("--mask", "email", "--journal", "0")),
        (2, "an empty table name", ("--throttle", "provisioned,")),
        (2, "an empty table name", ("--throttle", "provisioned,a,,b")),
        (2, "is not a name", ("--allow-host", "a.example,b.example")),
        (1, "Not a directory", ("--port", "0", "--kinesis-out", text)),
        (1, "Not a directory", ("--port", "0", "--kinesis-out", f"{text}/below")),
        (1, "does not begin with http", ("--port", "0", "--kinesis-out", "ftp://x")),
    )
    for status, part, words in wrong:
        with report.case(f"mockddb refuses {' '.join(map(str, words[:4]))}: {part}"):
            says(mockddb(*words), status, part)


def pastes(report, server):
    command = b"aws dynamodb list-tables --max-items 1"
    with report.case("a paste of Windows is read; one in UTF-16 is named as that"):
        words = [BINARY, "try", "--endpoint", server.url, "-"]
        done = subprocess.run(
            words, input=b"\xef\xbb\xbf" + command + b"\r\n", capture_output=True, timeout=PATIENCE, check=False
        )
        equal((done.returncode, "TableNames" in json.loads(done.stdout)), (0, True))
        done = subprocess.run(
            words, input=command.decode().encode("utf-16"), capture_output=True, timeout=PATIENCE, check=False
        )
        equal((done.returncode, b"UTF-16" in done.stderr), (2, True))


    with report.case("a paste is read whole before its first command is run"):
        make = "aws dynamodb create-table --table-name Pasted --attribute-definitions AttributeName=pk,AttributeType=S"
        make += " --key-schema AttributeName=pk,KeyType=HASH --billing-mode PAY_PER_REQUEST\n"
        for status, last in ((2, "SELECT * FROM Pasted"), (252, "aws dynamodb scan"), (2, "ls")):
            ended = mockddb("try", "--endpoint", server.url, "-", stdin=None, input=f"{make}{last}\n")
            equal((ended.returncode, "command 2 of the paste: " in ended.stderr), (status, True))
            ended = mockddb("try", "--endpoint", server.url, "aws dynamodb describe-table --table-name Pasted")
            assert "ResourceNotFoundException" in ended.stderr, ended
    with report.case("pages of a read are summed up in one line"):
        scan = "aws dynamodb scan --table-name prod-EcomIndexerJobsTable --select COUNT"
        ended = mockddb("try", "--endpoint", server.url, f"{scan} --page-size 300")
        equal((ended.returncode, ended.stderr.count("Scan ")), (0, 1))
        count = json.loads(ended.stdout)["Count"]
        assert ended.stderr.endswith(f" pages: {count} items read, {count} returned\n"), ended.stderr
        assert "pages: " not in mockddb("try", "--endpoint", server.url, scan).stderr


def commands_run(report):
    with report.case("a command that is run finds the server whatever its environment says"):
        environment = os.environ | {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true", "AWS_ENDPOINT_URL": "http://nowhere"}
        ended = mockddb("run", "--", "sh", "-c", "echo $AWS_IGNORE_CONFIGURED_ENDPOINT_URLS $AWS_ENDPOINT_URL", env=environment)
        assert ended.stdout.startswith("false http://127.0.0.1:"), ended
    with report.case("what --fail-on found is said of a command that failed, too"):
        ended = mockddb("run", "--fail-on", "no=Scan", "--allow-none", "--", "sh", "-c", "exit 5")
        equal((ended.returncode, "holds   no=Scan" in ended.stderr), (5, True))
    with report.case("a server whose standard output is full says where it listens all the same"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            with Running([BINARY, "--port", "0"], stdout=full, stderr=subprocess.PIPE, text=True) as server:
                assert "listening on http://127.0.0.1:" in server.stderr.readline()
                server.terminate()
                equal(server.wait(PATIENCE), 0)


def other_servers(report, server, base):
    with scripted(lambda *_: {"Table": "x"}) as endpoint:
        with report.case("a capture of what describes no table is none"):
            says(client("ddb-capture", "--endpoint", endpoint.url, "--into", base / "no-table", "--table", "T"), 1, "DescribeTable")
            assert not (base / "no-table").exists()
    with scripted(lambda *_: {}) as endpoint:
        with report.case("healthcheck takes no other server for one of ours"):
            says(mockddb("healthcheck", "--endpoint", endpoint.url), 1, "is not mockddb: another server answers")
    equal(mockddb("healthcheck", "--endpoint", server.url).returncode, 0)
    for status in (200, 404):
        with scripted(lambda *_, status=status: (status, {"message": "x"})) as endpoint:
            for words in (("clock",), ("clock", "real=true"), ("journal", "--follow")):
                with report.case(f"ctl {' '.join(words)} takes no other server's {status} for an answer"):
                    ended = mockddb("ctl", "--endpoint", endpoint.url, *words)
                    says(ended, 1, f"{endpoint.url} is not mockddb: another server answers {status}")
                    equal(ended.stdout, "")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SESSION_TOKEN"):
        with report.case(f"a line end in {name}: nothing is sent without it"):
            keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", name: "a\nb"}
            says(mockddb("ctl", "--endpoint", server.url, "clock", env={**os.environ, **keys}), 1, "has a line end")
    at = server.url.removeprefix("http://")
    for url in (f"http://a:secret@{at}", f"http://{at}?x=1", f"http://{at}#x", "http://127.0.0.1:0"):
        with report.case(f"refused: the endpoint {url.replace(at, 'HOST:PORT')}"):
            ended = mockddb("ctl", "--endpoint", url, "health")
            says(ended, 1, "no endpoint")
            assert "secret" not in ended.stderr


HOSTILE = "\x1b]0;mine\x07\x1b[2J\r\x9b31m\x7f"


SHOWN = "\\u001b]0;mine\\u0007\\u001b[2J\\u000d\\u009b31m\\u007f"


def has_controls(text):
    return any((c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f" for c in text)


def hostile_texts(report, base):
    """What an endpoint says cannot move or colour a terminal."""
    patterns = base / "hostile-patterns.json"
    step = {"operation": "Scan", "request": {"TableName": "T"}}
    patterns.write_text(json.dumps({"patterns": [{"name": "p", "question": "q", "steps": [step]}]}))
    items = base / "hostile.jsonl"
    items.write_text('{"pk": {"S": "a"}}\n')

    def answer(operation, _):
        error = {"message": HOSTILE}
        return 400, error if operation in ("GET", "VERB") else {"__type": "a#ValidationException", **error}

    with scripted(answer, x_amzn_RequestId="A") as endpoint:
        at = ("--endpoint", endpoint.url)
        for program, *words in (
            ("mockddb", "ctl", *at, "clock"),
            ("mockddb", "try", *at, "aws dynamodb list-tables"),
            ("mockddb", "export", *at, "--table", "T", "-"),
            ("mockddb", "import", *at, "--table", "T", items),
            ("mockddb", "pull", *at, "--db", base / "hostile.db", "--table", "T"),
            ("ddb-stream-lambda", *at, "--table", "T", "--command", "true"),
            ("ddb-capture", *at, "--into", base / "hostile", "--table", "T"),
        ):
            with report.case(f"{program} {words[0]}: what the endpoint says is shown without control characters"):
                ended = client(program, *words)
                equal((bool(ended.returncode), SHOWN in ended.stderr, has_controls(ended.stderr)), (True, True, False))
        with report.case("ddb-patterns: what the endpoint says is shown without control characters"):
            seen = on_a_terminal(PROGRAMS / "ddb-patterns", *at, patterns)
            equal((SHOWN in seen, has_controls(seen)), (True, False))


def on_a_terminal(*words):
    """What a program that runs on one writes there."""
    ours, theirs = os.openpty()
    with Running([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs) as running:
        os.close(theirs)
        seen = b""
        with contextlib.suppress(OSError):  # its end has gone
            while chunk := os.read(ours, 4096):
                seen += chunk
        running.wait(PATIENCE)
    os.close(ours)
    return seen.decode().replace("\r\n", "\n")


def hostile_data(report, base):
    """Output is as it is in files and pipes, and harmless on a terminal."""
    items = base / "tab" / "items" / "Tab.jsonl"
    items.parent.mkdir(parents=True)
    items.write_text(json.dumps({"pk": {"S": HOSTILE}}, ensure_ascii=False) + "\n")
    (base / "tab" / "tables").mkdir()
    (base / "tab" / "tables" / "Tab.json").write_text(json.dumps({
        "TableName": "Tab", "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    }))
    scan = ("aws", "dynamodb", "scan", "--table-name", "Tab")
    for words in (
        (PROGRAMS / "ddb-json", items),
        (BINARY, "try", "--fixtures", base / "tab", *scan),
        (BINARY, "try", "--fixtures", base / "tab", *scan, "--output", "text"),
        (BINARY, "try", "--fixtures", base / "tab", *scan, "--output", "table"),
    ):
        with report.case(f"{' '.join(map(str, words[1:2] + words[4:]))}: data, on a terminal and in a pipe"):
            equal("\x9b31m\x7f" in run(*words).stdout, True)
            seen = on_a_terminal(*words)
            equal((has_controls(seen), "\\u009b31m\\u007f" in seen), (False, True))


def consents(report):
    """Somebody is asked before try writes elsewhere than on this machine."""
    keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
    put = """aws dynamodb put-item --table-name Tab --item '{"pk": {"S": "a"}}'"""
    with Server("--host", "0.0.0.0") as server:
        at = ("--endpoint", f"http://0.0.0.0:{server.port}")
        for line in (put, "aws dynamodb delete-table --table-name Tab", "DELETE FROM Tab WHERE pk = 'a'"):
            with report.case(f"try asks before it writes elsewhere: {line[:30]}"):
                ended = mockddb("try", *at, line, env={**os.environ, **keys})
                equal((ended.returncode, "--yes allows the write" in ended.stderr), (255, True))
                ended = mockddb("try", *at, "--yes", line, env={**os.environ, **keys})
                equal((ended.returncode, "ResourceNotFoundException" in ended.stderr), (254, True))
        for line in ("aws dynamodb list-tables", "SELECT * FROM Tab"):
            with report.case(f"try reads elsewhere without asking: {line}"):
                assert "--yes" not in mockddb("try", *at, line, env={**os.environ, **keys}).stderr
    with report.case("refused: --yes where nobody is asked"):
        says(mockddb("try", "--fixtures", "ecommerce", "--yes", "aws dynamodb list-tables"), 2, "--yes is about a server")


def main():
    report = Report()
    with temporary_folder() as folder, Server(*ECOMMERCE) as server:
        base = pathlib.Path(folder)
        descriptors(report)
        broken(report, base)
        captured_folders(report, server, base)
        captured_words(report, server, base)
        captured_keys(report, base)
        recorded(report, server, base)
        wrong_words(report, base)
        other_servers(report, server, base)
        hostile_texts(report, base)
        hostile_data(report, base)
        consents(report)
        pastes(report, server)
        commands_run(report)
    report.done()


main()
