#!/usr/bin/env python3
"""Which server each program asks: its option, a pasted --endpoint-url, the variables of the SDKs, the default; and that
what writes follows a variable to this machine only."""

import json
import pathlib
import tempfile

from e2e import BINARY, PROGRAMS, Report, Server, equal, run_program

TABLE = {
    "TableName": "Tab",
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
}
ITEM = {"pk": {"S": "a"}}
STREAMS = "AWS_ENDPOINT_URL_DYNAMODB_STREAMS"
NOWHERE = "http://127.0.0.1:1"  # nothing listens there
KEYS = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
PATTERN = {
    "title": "T",
    "patterns": [{"name": "p", "question": "Is it there?", "steps": [{"operation": "Scan", "request": {"TableName": "Tab"}}]}],
}


def programs(base):
    """Name, words, whether it writes."""
    items, patterns, db = base / "Tab.json", base / "p.json", base / "t.db"
    items.write_text(json.dumps(ITEM) + "\n")
    patterns.write_text(json.dumps(PATTERN))
    equal(run_program([BINARY, "import", "--db", db, "--create", "--key", "pk:S", items]).returncode, 0)
    scan = "aws dynamodb scan --table-name Tab"
    put = f"aws dynamodb put-item --table-name Tab --item '{json.dumps(ITEM)}'"
    return (
        ("try", (BINARY, "try", scan), False),
        ("try, writing", (BINARY, "try", put), True),
        ("try of a statement", (BINARY, "try", "SELECT * FROM Tab"), False),
        ("try of a statement, writing", (BINARY, "try", "DELETE FROM Tab WHERE pk = 'x'"), True),
        ("ctl", (BINARY, "ctl", "clock"), False),
        ("ctl assert", (BINARY, "ctl", "assert", "no=DeleteTable"), False),
        ("ctl, writing", (BINARY, "ctl", "faults", "clear"), True),
        ("ctl POST", (BINARY, "ctl", "POST", "snapshots/s"), True),
        ("import", (BINARY, "import", items), True),
        ("export", (BINARY, "export", "--table", "Tab", "-"), False),
        ("pull", (BINARY, "pull", "--db", base / "pulled.db"), False),
        ("push", (BINARY, "push", "--db", db), True),
        ("push of files", (BINARY, "push", items), True),
        ("healthcheck", (BINARY, "healthcheck"), False),
        ("ddb-patterns", (PROGRAMS / "ddb-patterns", patterns), False),
        ("ddb-patterns --allow-writes", (PROGRAMS / "ddb-patterns", "--allow-writes", patterns), True),
        ("ddb-capture", (PROGRAMS / "ddb-capture", "--into", base / "captured", "--table", "Tab"), False),
        ("ddb-stream-lambda", (PROGRAMS / "ddb-stream-lambda", "--table", "Tab", "--command", "cat", "--once"), False),
    )


def journal(server):
    answer = run_program([BINARY, "ctl", "--json", "--endpoint", f"http://127.0.0.1:{server.port}", "journal"])
    equal(answer.returncode, 0)
    return answer.stdout.splitlines()


def follow_variables(report, server, base):
    for name, words, _ in programs(base):
        with report.case(f"{name} asks the server that a variable names, and says so"):
            variable = STREAMS if name == "ddb-stream-lambda" else "AWS_ENDPOINT_URL_DYNAMODB"
            ended = run_program(words, AWS_ENDPOINT_URL=NOWHERE, **{variable: server.url})
            equal(ended.returncode, 0)
            if name != "healthcheck":
                assert f"asking {server.url}, which {variable} names\n" in ended.stderr, ended.stderr
    with report.case("what the option names is asked, and needs no word about it"):
        ended = run_program([BINARY, "ctl", "--endpoint", server.url, "clock"], AWS_ENDPOINT_URL=NOWHERE)
        equal((ended.returncode, ended.stderr), (0, ""))
    with report.case("within `mockddb run` the commands find its server"):
        script = f"{BINARY} ctl clock && {BINARY} try aws dynamodb list-tables && {BINARY} import {base}/Tab.json --create --key pk:S"
        ended = run_program([BINARY, "run", "--", "sh", "-c", script])
        equal(ended.returncode, 0)
        assert "1 table made" in ended.stderr + ended.stdout, ended


def never_write_elsewhere(report, base):
    with Server("--host", "0.0.0.0") as server:
        elsewhere = f"http://0.0.0.0:{server.port}"
        server.call("CreateTable", TABLE)
        for name, words, writes in programs(base):
            if not writes:
                continue
            with report.case(f"{name} follows no variable to another machine"):
                before = len(journal(server))
                for more in ([], ["--yes"] if words[1] in ("try", "import", "push") else []):
                    ended = run_program([*words[:2], *more, *words[2:]], AWS_ENDPOINT_URL=elsewhere, **KEYS)
                    assert ended.returncode, ended
                    assert "is not this machine: to write there, give --endpoint\n" in ended.stderr, ended.stderr
                equal(len(journal(server)), before)
        with report.case("verbs that were refused did nothing"):
            ended = run_program([BINARY, "ctl", "--json", "--endpoint", f"http://127.0.0.1:{server.port}", "snapshots"])
            equal(json.loads(ended.stdout)["snapshots"], [])
        with report.case("with --endpoint it is written to"):
            put = f"aws dynamodb put-item --table-name Tab --item '{json.dumps(ITEM)}'"
            ended = run_program([BINARY, "try", "--endpoint", elsewhere, "--yes", put], AWS_ENDPOINT_URL=NOWHERE, **KEYS)
            equal((ended.returncode, len(server.call("Scan", {"TableName": "Tab"})["Items"])), (0, 1))
        with report.case("reads follow a variable anywhere"):
            ended = run_program([BINARY, "export", "--table", "Tab", "-"], AWS_ENDPOINT_URL=elsewhere, **KEYS)
            equal((ended.returncode, json.loads(ended.stdout)), (0, {"Item": ITEM}))


def pasted_urls(report, server):
    scan = "aws dynamodb scan --table-name Tab --select COUNT"
    with report.case("try asks the server of a pasted --endpoint-url, before the variables"):
        ended = run_program([BINARY, "try", f"{scan} --endpoint-url {server.url}"], AWS_ENDPOINT_URL=NOWHERE)
        equal((ended.returncode, f"asking {server.url}, which --endpoint-url names" in ended.stderr), (0, True))
    with report.case("a pasted --endpoint-url of another machine is not asked, which is said"):
        ended = run_program([BINARY, "try", f"{scan} --endpoint-url https://example.com"], AWS_ENDPOINT_URL=server.url)
        said = f"asking {server.url}: --endpoint-url https://example.com is not this machine"
        equal((ended.returncode, said in ended.stderr), (0, True))
    with Server() as other, report.case("each command of a paste has the server that it names"):
        other.call("CreateTable", TABLE | {"TableName": "Other"})
        paste = "".join(f"aws dynamodb list-tables --endpoint-url {s.url}\n" for s in (server, other, other))
        ended = run_program([BINARY, "try", "-"], stdin=paste)
        equal((ended.returncode, ended.stdout.count("Tab"), ended.stdout.count('"Other"')), (0, 1 + 3, 2))
        equal(ended.stderr.count("mockddb: asking"), 2)
    for name, words in (("--endpoint", ["--endpoint", server.url]), ("--fixtures", ["--fixtures", "guides"])):
        with report.case(f"a pasted --endpoint-url beside {name} is not asked, which is said once"):
            paste = "aws dynamodb list-tables --endpoint-url https://example.com\n" * 3
            ended = run_program([BINARY, "try", *words, "-"], stdin=paste)
            asked = server.url if name == "--endpoint" else "the fixtures"
            equal((ended.returncode, ended.stderr.count(f"mockddb: asking {asked}, not --endpoint-url https://example.com\n")), (0, 1))
    with report.case("a pasted --endpoint-url that --endpoint names, too: nothing is said"):
        ended = run_program([BINARY, "try", "--endpoint", server.url, f"{scan} --endpoint-url {server.url}"])
        equal((ended.returncode, "asking" in ended.stderr), (0, False))
    with report.case("what is no URL is named"):
        ended = run_program([BINARY, "try", f"{scan} --endpoint-url localhost:8000"])
        equal((ended.returncode, "localhost:8000 is no endpoint" in ended.stderr), (255, True))


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as folder, Server() as server:
        base = pathlib.Path(folder)
        server.call("CreateTable", TABLE)
        follow_variables(report, server, base)
        never_write_elsewhere(report, base)
        pasted_urls(report, server)
    report.done()


main()
