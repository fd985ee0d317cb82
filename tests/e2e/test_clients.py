"""ddb-json and ddb-patterns as programs: command line, exit status, what they send and print.

The endpoint is a scripted one, so that these tests hold whatever the server under test does.
"""

import json
import pathlib
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree

from e2e import NO_HOME, PATIENCE, PROGRAMS, ROOT, Report, equal
from scripted import Scripted, lower, signature_holds

ENVIRONMENT = {"HOME": NO_HOME, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
CONSUMED = {"TableName": "prod-T", "CapacityUnits": 0.5, "Table": {"CapacityUnits": 0.5}}


def run(program, *arguments, text="", environment=None):
    completed = subprocess.run(
        [PROGRAMS / program, *map(str, arguments)],
        env={**ENVIRONMENT, **(environment or {})},
        input=text,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return completed.returncode, completed.stdout, completed.stderr


def pattern_file(folder, *steps, **members):
    """Writes a file with one pattern of these steps and returns its path."""
    pattern = {"name": "p", "question": "Is it there?", "steps": list(steps)}
    path = folder / "patterns.json"
    path.write_text(json.dumps({"title": "Test", "patterns": [pattern], **members}))
    return path


def step(operation="Query", request=None, **members):
    return {"operation": operation, "request": request or {"TableName": "T"}, **members}


def item(key, **attributes):
    return {"pk": {"S": key}, **attributes}


def page(*items, key=None, read=None):
    answer = {"Items": list(items), "Count": len(items), "ScannedCount": read or len(items)}
    if key:
        answer["LastEvaluatedKey"] = key
    return {**answer, "ConsumedCapacity": CONSUMED}


# --- ddb-json ------------------------------------------------------------------------------------


def test_json(report):
    cases = [
        (
            "an answer, pretty-printed",
            json.dumps({"Items": [item("a")]}, indent=4),
            '{"pk": "a"}\n',
        ),
        (
            "lines of items",
            '{"n":{"N":"1.0"}}\n{"Item":{"n":{"N":"2"}}}\n',
            '{"n": 1.0}\n{"n": 2}\n',
        ),
        (
            "documents without a newline between",
            '{"a":{"S":"}"}}{"a":{"S":"\\""}}',
            '{"a": "}"}\n{"a": "\\""}\n',
        ),
        ("a missing item with --query Item", "null\n", ""),
        ("nothing at all", "", ""),
    ]
    for name, text, expected in cases:
        with report.case(f"ddb-json: {name}"):
            equal(run("ddb-json", text=text), (0, expected, ""))
    with report.case("ddb-json: says where it fails, after what came before"):
        equal(
            run("ddb-json", text='{"a":{"S":"x"}}\n\n{"a":1}\n'),
            (
                1,
                '{"a": "x"}\n',
                "ddb-json: standard input:3: neither items nor an answer with items\n",
            ),
        )
    with report.case("ddb-json: an unfinished document is an error"):
        status, output, error = run("ddb-json", text='{"a":{"S":"x"}')
        equal((status, output), (1, ""))
        assert "not JSON" in error, error
    with report.case("ddb-json: reads files, every line of a fixture"):
        path = ROOT / "fixtures/ecommerce/items/EcomIndexerJobsTable.jsonl"
        status, output, error = run("ddb-json", path)
        equal((status, error), (0, ""))
        equal(len(output.splitlines()), len(path.read_text().splitlines()))
        equal(json.loads(output.splitlines()[0])["shop_id"], "kl7a9h55-shopify-e513a8-4")
    with report.case("ddb-json: a missing file and an unknown option"):
        equal(run("ddb-json", "/nonexistent")[0], 1)
        equal(run("ddb-json", "--nonsense")[0], 2)
    with report.case("ddb-json: output that cannot be written is an error, and said"):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [PROGRAMS / "ddb-json"],
                input=b'{"a":{"S":"x"}}',
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )
        equal((done.returncode, done.stderr), (1, b"ddb-json: the output could not be written\n"))


# --- what ddb-patterns sends -----------------------------------------------------------------------


def test_sending(report, folder):
    with report.case("ddb-patterns: follows steps, puts the prefix, asks for capacity"):
        path = pattern_file(
            folder,
            step(name="find", request={"TableName": "T", "IndexName": "I"}),
            step(
                "GetItem", {"TableName": "T", "Key": {"pk": {"$from": "find", "at": "/Items/0/pk"}}}
            ),
        )
        answers = [page(item("a")), {"Item": item("a"), "ConsumedCapacity": CONSUMED}]
        with Scripted(*answers) as endpoint:
            status, output, error = run(
                "ddb-patterns", "--endpoint", endpoint.url, "--table-prefix", "prod-", path
            )
        equal((status, error), (0, ""))
        equal(endpoint.operations, ["Query", "GetItem"])
        equal(
            endpoint.bodies,
            [
                {"TableName": "prod-T", "IndexName": "I", "ReturnConsumedCapacity": "INDEXES"},
                {
                    "TableName": "prod-T",
                    "Key": {"pk": {"S": "a"}},
                    "ReturnConsumedCapacity": "INDEXES",
                },
            ],
        )
        assert "1 patterns hold, 0 fail; 2 items read, 1 units" in output, output

    with report.case("ddb-patterns: reads all pages and joins them"):
        path = pattern_file(
            folder,
            step(
                "Scan", pages="all", expect={"count": 3, "more": False}, cost={"read": 3, "rcu": 1}
            ),
        )
        with Scripted(page(item("a"), item("b"), key=item("b")), page(item("c"))) as endpoint:
            equal(run("ddb-patterns", "--endpoint", endpoint.url, path)[0], 0)
        equal(endpoint.bodies[1]["ExclusiveStartKey"], item("b"))

    with report.case("ddb-patterns: stops at max_items and cuts off the rest"):
        path = pattern_file(
            folder, step(max_items=3, expect={"count": 3, "more": True}, cost={"read": 4})
        )
        pages = [page(item(a), item(b), key=item(b)) for a, b in ("ab", "cd", "ef")]
        with Scripted(*pages) as endpoint:
            equal(run("ddb-patterns", "--endpoint", endpoint.url, path)[0], 0)
        equal(len(endpoint.requests), 2)

    with report.case("ddb-patterns: picks by number or text, and hands the picked item on"):
        path = pattern_file(
            folder,
            step(name="s", pick={"highest": "n"}, expect={"picked": {"pk": {"S": "b"}}}),
            step("GetItem", {"TableName": "T", "Key": {"$from": "s", "at": "/Picked"}}),
        )
        items = [item("a", n={"N": "9"}), item("b", n={"N": "10"}), item("c")]
        with Scripted(page(*items), {"Item": item("b")}) as endpoint:
            equal(run("ddb-patterns", "--endpoint", endpoint.url, path)[0], 0)
        equal(endpoint.bodies[1]["Key"], items[1])

    with report.case("ddb-patterns: --set replaces a value of the file"):
        path = pattern_file(
            folder, step(request={"TableName": "T", "A": "{id}"}), values={"id": "1"}
        )
        with Scripted(page(item("a"))) as endpoint:
            equal(run("ddb-patterns", "--endpoint", endpoint.url, "--set", "id=2", path)[0], 0)
        equal(endpoint.bodies[0]["A"], "2")

    with report.case("ddb-patterns: refuses writes, sends them when asked to"):
        path = pattern_file(folder, step("PutItem", expect={"count": 0}))
        with Scripted({}) as endpoint:
            status, output, _ = run("ddb-patterns", "--endpoint", endpoint.url, path)
            equal((status, endpoint.requests), (1, []))
            assert "refused without --allow-writes" in output, output
            equal(run("ddb-patterns", "--endpoint", endpoint.url, "--allow-writes", path)[0], 0)
            equal(endpoint.operations, ["PutItem"])


def test_signing(report, folder):
    path = pattern_file(folder, step(request={"TableName": "Ü"}))
    keys = {
        "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "secret/example",
        "AWS_SESSION_TOKEN": "token==",
    }
    with report.case("ddb-patterns: signs with the variables' keys and region"):
        with Scripted(page(item("a"))) as endpoint:
            equal(
                run(
                    "ddb-patterns",
                    "--endpoint",
                    endpoint.url,
                    "--region",
                    "eu-west-1",
                    path,
                    environment=keys,
                )[0],
                0,
            )
        headers = lower(endpoint.requests[0][0])
        assert "/eu-west-1/dynamodb/aws4_request" in headers["authorization"], headers
        equal(headers["x-amz-security-token"], "token==")
        equal(headers["host"], f"127.0.0.1:{endpoint.port}")
        equal(headers["content-type"], "application/x-amz-json-1.0")
        assert signature_holds(endpoint.requests[0], "secret/example"), "another signature"

    with report.case("ddb-patterns: signs with a profile's keys"):
        (folder / ".aws").mkdir()
        (folder / ".aws/credentials").write_text(
            "[controller]\naws_access_key_id=AKIDP\naws_secret_access_key=p\n"
        )
        (folder / ".aws/config").write_text("[profile controller]\nregion = us-west-2\n")
        with Scripted(page(item("a"))) as endpoint:
            equal(
                run(
                    "ddb-patterns",
                    "--endpoint",
                    endpoint.url,
                    "--profile",
                    "controller",
                    path,
                    environment={"HOME": str(folder)},
                )[0],
                0,
            )
        assert "Credential=AKIDP/" in lower(endpoint.requests[0][0])["authorization"]
        assert "/us-west-2/" in lower(endpoint.requests[0][0])["authorization"]
        assert signature_holds(endpoint.requests[0], "p"), "another signature"

    with report.case("ddb-patterns: sends no made-up keys to another machine"):
        status, _, error = run("ddb-patterns", "--endpoint", "http://192.0.2.1:8000", path)
        equal(status, 2)
        assert "no credentials" in error, error


def test_tls(report, folder):
    if not shutil.which("openssl"):
        report.skip("ddb-patterns: https", "openssl is not installed")
        return
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-keyout",
        key,
        "-out",
        certificate,
    ]
    subprocess.run(
        command + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
        check=True,
        capture_output=True,
    )
    path = pattern_file(folder, step(), step())
    answers = [page(item("a")), page(item("b"))]
    with Scripted(*answers, certificate=(certificate, key)) as endpoint:
        url = f"https://localhost:{endpoint.port}"
        with report.case("ddb-patterns: https with a certificate that it trusts"):
            status, output, error = run(
                "ddb-patterns",
                "--endpoint",
                url,
                path,
                environment={"SSL_CERT_FILE": str(certificate)},
            )
            equal((status, error), (0, ""))
        with report.case("ddb-patterns: https with a certificate that it does not trust"):
            status, output, error = run("ddb-patterns", "--endpoint", url, path)
            equal((status, output), (2, ""))
            assert "certificate" in error, error
        with report.case("ddb-patterns: https with a certificate of another host"):
            status, output, error = run(
                "ddb-patterns",
                "--endpoint",
                endpoint.url,
                path,
                environment={"SSL_CERT_FILE": str(certificate)},
            )
            equal((status, output), (2, ""))


# --- what ddb-patterns says ------------------------------------------------------------------------


def test_failures(report, folder):
    rows = [
        ("nothing found", step(), page(), "step step1: nothing was found"),
        (
            "another index",
            step(cost={"index": "I"}),
            page(item("a")),
            "step step1: index used is table, expected I",
        ),
        (
            "an error of the service",
            step(),
            (
                400,
                {
                    "__type": "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
                    "message": "Gone",
                },
                {},
            ),
            "step step1: ResourceNotFoundException: Gone: T",
        ),
    ]
    for name, tested, answer, expected in rows:
        with report.case(f"ddb-patterns: {name} fails its pattern"):
            with Scripted(answer) as endpoint:
                status, output, error = run(
                    "ddb-patterns", "--endpoint", endpoint.url, pattern_file(folder, tested)
                )
            equal((status, error), (1, ""))
            assert f"FAIL  p      " in output and f"      {expected}\n" in output, output

    with report.case("ddb-patterns: an expected error holds"):
        path = pattern_file(folder, step(expect={"error": "ValidationException", "message": "Bad"}))
        with Scripted(
            (400, {"__type": "com.amazon.coral.validate#ValidationException", "message": "Bad"}, {})
        ) as endpoint:
            equal(run("ddb-patterns", "--endpoint", endpoint.url, path)[0], 0)

    path = pattern_file(folder, step())
    with report.case("ddb-patterns: an answer that its checksum belies"):
        with Scripted((200, page(item("a")), {"x-amz-crc32": "1"})) as endpoint:
            status, _, error = run("ddb-patterns", "--endpoint", endpoint.url, path)
        equal((status, "checksum" in error), (2, True))
    with report.case("ddb-patterns: an answer that is no JSON"):
        with Scripted((200, b"<html>", {})) as endpoint:
            status, _, error = run("ddb-patterns", "--endpoint", endpoint.url, path)
        equal((status, "not JSON" in error), (2, True))
    with report.case("ddb-patterns: nobody listens"):
        with Scripted() as endpoint:
            pass
        equal(
            run("ddb-patterns", "--endpoint", endpoint.url, path),
            (2, "", f"ddb-patterns: 127.0.0.1:{endpoint.port}: cannot connect\n"),
        )


def test_command_line(report, folder):
    path = pattern_file(folder, step())
    rows = [
        ([], "no pattern file; --help shows how"),
        (["--nonsense", path], "unknown option --nonsense; --help lists all"),
        (["-xy", path], "unknown option -xy; --help lists all"),
        (["--endpoint"], "option --endpoint needs a value: URL"),
        (
            ["--format", "yaml", path],
            'option --format: "yaml" is not one of table, tap, junit, json, markdown',
        ),
        (
            ["--endpoint", "localhost:1", path],
            'option --endpoint: "localhost:1" does not begin with http:// or https://',
        ),
        (["--only", "q", path], "there is no pattern q"),
        (["--set", "id=1", path], "there is no value id to set"),
        (["--set", "id", path], 'option --set: "id" is not NAME=VALUE'),
        (["/nonexistent/p.json"], "/nonexistent/p.json: No such file or directory"),
    ]
    for arguments, message in rows:
        with report.case(f"ddb-patterns: {message}"):
            equal(run("ddb-patterns", *arguments), (2, "", f"ddb-patterns: {message}\n"))
    with report.case("ddb-patterns: --help and --version"):
        for option in ("--help", "--version"):
            status, output, error = run("ddb-patterns", option)
            equal((status, error), (0, ""))
            assert "ddb-patterns" in output, output


def test_formats(report, folder):
    path = folder / "two.json"
    path.write_text(
        json.dumps(
            {
                "title": "Jobs & more",
                "cli": ["--profile", "controller"],
                "sections": [
                    {"name": "s", "title": "Jobs", "table": "T", "indexes": {"I": "finds a | b"}}
                ],
                "patterns": [
                    {
                        "name": "good",
                        "section": "s",
                        "question": "Which?",
                        "steps": [step(title="Look it up")],
                    },
                    {"name": "bad", "question": "None < 1?", "steps": [step(expect={"count": 1})]},
                ],
            }
        )
    )
    table = {
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "I",
                "KeySchema": [
                    {"AttributeName": "a", "KeyType": "HASH"},
                    {"AttributeName": "b", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
    }

    def output_of(form, described={"Table": table}):
        with Scripted(page(item("a")), page(), described) as endpoint:
            status, output, error = run(
                "ddb-patterns",
                "--endpoint",
                endpoint.url,
                "--table-prefix",
                "prod-",
                "--format",
                form,
                path,
            )
        equal((status, error), (1, ""))
        return output

    failure = "step step1: number of items is 0, expected 1"
    with report.case("ddb-patterns: TAP"):
        equal(output_of("tap"), f"TAP version 13\n1..2\nok 1 - good\nnot ok 2 - bad\n# {failure}\n")
    with report.case("ddb-patterns: JUnit"):
        suite = xml.etree.ElementTree.fromstring(output_of("junit")).find("testsuite")
        equal(
            (suite.get("name"), suite.get("tests"), suite.get("failures")),
            ("Jobs & more", "2", "1"),
        )
        equal([case.get("name") for case in suite], ["good", "bad"])
        equal(suite.find("testcase/failure").get("message"), failure)
    with report.case("ddb-patterns: JSON"):
        answer = json.loads(output_of("json"))
        equal((answer["patterns"], answer["failed"]), (2, 1))
        equal(answer["results"][0]["steps"][0]["index"], "table")
        equal(answer["results"][1]["failures"], [failure])
    with report.case("ddb-patterns: Markdown"):
        text = output_of("markdown")
        for part in (
            "# Jobs & more\n",
            "## 1. Jobs: `prod-T`\n",
            "| I | a | b | KEYS_ONLY | finds a \\| b |\n",
            "**Which?** (`good`: 1 item read, 0.5 read units, index: table)\n",
            "# Look it up\naws dynamodb query \\\n    --table-name prod-T \\\n    --profile controller\n",
            f"**fails**: {failure}",
        ):
            assert part in text, f"{part!r} is not in\n{text}"
    for name, error, expected in (
        ("is not there", "ResourceNotFoundException", "## 1. Jobs: `prod-T`\n\nThis table does not exist.\n"),
        ("may not be seen", "AccessDeniedException", "## 1. Jobs: `prod-T`\n\nAccessDeniedException: why\n"),
    ):
        with report.case(f"ddb-patterns: Markdown of a table that {name}"):
            text = output_of("markdown", (400, {"__type": f"com.amazonaws#{error}", "message": "why"}, {}))
            assert expected in text, text


# --- names ---------------------------------------------------------------------------------------


def says(*command):
    completed = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    return completed.stdout.split(" ")[0], completed.returncode


def test_names(report, folder):
    """The clients are mockddb under other names; a name that is nearly one of theirs is not."""
    program = (PROGRAMS / "mockddb").resolve()
    for name in ("ddb-capture", "ddb-json", "ddb-patterns", "ddb-stream-lambda"):
        (folder / name).symlink_to(program)
        with report.case(f"{name}: a link, a link elsewhere and a first word"):
            equal((PROGRAMS / name).resolve(), program)
            for command in ([PROGRAMS / name], [folder / name], [program, name]):
                equal(says(*command, "--version"), (name, 0))
    with report.case("other names and words are mockddb's"):
        for name in ("ddb-js", "ddb-json2", "a-ddb-json"):
            (folder / name).symlink_to(program)
            equal(says(folder / name, "--version"), ("mockddb", 0))
        for word in ("ddb-js", "x/ddb-json", "json"):
            equal(says(program, word)[1], 2)


def main():
    report = Report()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="mockddb-clients-"))
    try:
        test_json(report)
        test_sending(report, folder)
        test_signing(report, folder)
        test_tls(report, folder)
        test_failures(report, folder)
        test_command_line(report, folder)
        test_formats(report, folder)
        test_names(report, folder)
    finally:
        shutil.rmtree(folder)
    report.done()


main()
