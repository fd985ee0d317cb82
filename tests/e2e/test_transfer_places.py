"""What the commands for items write to: no file that is read is written over, a file is there once
it is whole, a device or a pipe stays one, and half a file is never left."""

import json
import os
import pathlib
import resource
import shlex
import socket
import stat
import subprocess
import time

import admin
from e2e import (
    BINARY,
    PATIENCE,
    ROOT,
    Report,
    Running,
    Server,
    at_best,
    clean_environment,
    equal,
    run_program,
    temporary_folder,
)

ITEM = {"pk": {"S": "a"}}
LINE = json.dumps({"Item": ITEM}, separators=(",", ":")) + "\n"
CREATE = ("--table", "Tab", "--create", "--key", "pk:S")


def run(folder, *arguments, stdin=None):
    return run_program([BINARY, *map(str, arguments)], stdin, folder)


def made(folder):
    """A folder with a file of tables, its items, and rules."""
    (folder / "items.json").write_text(LINE + '{"pk":{"N":"1"}}\n')
    (folder / "rules.json").write_text('{"salt": "a secret text that is long", "rules": [{"attribute": "x", "do": "drop"}]}')
    equal(run(folder, "import", "--db", "t.db", *CREATE, "items.json").returncode, 1)
    return folder


def texts(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def written_over(report):
    import_to = ("import", "--db", "t.db", "--table", "Tab")
    export_from = ("export", "--db", "t.db", "--table", "Tab")
    with temporary_folder() as name:
        folder = made(pathlib.Path(name))
        (folder / "link.json").symlink_to("items.json")
        os.link(folder / "t.db", folder / "t2.db")
        before = texts(folder)
        used = "mockddb: --errors {}: that file is used, and would be overwritten\n"
        exported = "mockddb: t.db is the file that is exported: it would be overwritten\n"
        both = "mockddb: n.json: the items and the schema need separate files\n"
        for words, told in (
            ((*import_to, "--errors", "items.json", "items.json"), used.format("items.json")),
            ((*import_to, "--errors", "link.json", "rules.json", "items.json"), used.format("link.json")),
            ((*import_to, "--errors", "./items.json", "."), used.format("./items.json")),
            ((*import_to, "--errors", "t2.db", "items.json"), used.format("t2.db")),
            ((*import_to, "--errors", "rules.json", "--mask", "rules.json", "items.json"), used.format("rules.json")),
            ((*export_from, "t.db"), exported),
            ((*export_from, "t2.db"), exported),
            ((*export_from, "--schema", "t.db", "n.json"), exported),
            ((*export_from, "--schema", "n.json", "n.json"), both),
        ):
            with report.case(f"nothing is written over: {' '.join(words)}"):
                ended = run(folder, *words)
                equal((ended.returncode, ended.stderr), (1, told))
                equal(texts(folder), before)
        with report.case("nothing is written over: standard input"):
            with open(folder / "items.json") as stdin:
                ended = subprocess.run(
                    [BINARY, *import_to, "--errors", "items.json", "-"],
                    cwd=folder, env=clean_environment(), stdin=stdin, capture_output=True, text=True, check=False,
                )
            equal((ended.returncode, ended.stderr), (1, used.format("items.json")))
            equal(texts(folder), before)


def places(report):
    with temporary_folder() as name, Server() as server:
        folder = made(pathlib.Path(name))
        export = ("export", "--db", "t.db", "--table", "Tab")
        with report.case("export: a pipe stays a pipe"):
            os.mkfifo(folder / "pipe")
            with Running(["cat", folder / "pipe"], stdout=subprocess.PIPE, text=True) as reader:
                equal(run(folder, *export, "pipe").returncode, 0)
                equal(reader.communicate(timeout=PATIENCE)[0], LINE)
            assert stat.S_ISFIFO((folder / "pipe").stat().st_mode)
        with report.case("export: where a device takes no more"):
            ended = run(folder, *export, "/dev/full")
            equal((ended.returncode, ended.stderr), (1, "mockddb: /dev/full: No space left on device\n"))
            assert stat.S_ISCHR(os.stat("/dev/full").st_mode)
        with report.case("export: a link stays a link"):
            (folder / "real").mkdir()
            (folder / "real/file.json").write_text("old")
            (folder / "link.json").symlink_to("real/file.json")
            equal(run(folder, *export, "link.json").returncode, 0)
            equal((folder / "link.json").is_symlink(), True)
            equal([path.name for path in (folder / "real").iterdir()], ["file.json"])
            equal((folder / "real/file.json").read_text(), LINE)
        with report.case("export: into a folder"):
            before = sorted(folder.iterdir())
            ended = run(folder, *export, "real")
            equal((ended.returncode, ended.stderr), (1, "mockddb: real: Is a directory\n"))
            equal(sorted(folder.iterdir()), before)
        for words in (
            (*export, "--format", "fixture", "-"),
            ("pull", "--endpoint", server.url, "-"),
        ):
            with report.case(f"a fixture is no stream: {words[0]}"):
                server.call("CreateTable", {
                    "TableName": f"For-{words[0]}", "BillingMode": "PAY_PER_REQUEST",
                    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                })
                ended = run(folder, *words)
                told = "mockddb: a fixture is a folder, so it cannot be written to standard output\n"
                equal((ended.returncode, ended.stderr), (1, told))
                equal((folder / "-").exists(), False)


SCHEMA = {
    "TableName": "Tab",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("c", "g", "pk")],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by-g",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
            "OnDemandThroughput": {"MaxReadRequestUnits": 7},
        }
    ],
    "VectorIndexes": [
        {
            "IndexName": "near",
            "VectorAttribute": {"AttributeName": "e"},
            "Projection": {"ProjectionType": "KEYS_ONLY"},
            "Dimensions": 2,
            "DistanceFunction": "COSINE",
            "SearchSchema": [{"AttributeName": "c", "SearchSchemaElementType": "INLINE_FILTER"}],
        }
    ],
    "OnDemandThroughput": {"MaxReadRequestUnits": 9, "MaxWriteRequestUnits": 8},
    "TableClass": "STANDARD_INFREQUENT_ACCESS",
}


def described(server, table):
    """What was asked for, and how many items are where."""
    found = server.call("DescribeTable", {"TableName": table})["Table"]
    found |= {key: found[f"{key}Summary"][key] for key in ("TableClass", "BillingMode")}
    indexes = {
        kind: [{key: ix[key] for key in SCHEMA[kind][0]} | {"ItemCount": ix["ItemCount"]} for ix in found[kind]]
        for kind in ("GlobalSecondaryIndexes", "VectorIndexes")
    }
    return {key: found[key] for key in (*SCHEMA, "ItemCount") if key != "TableName"} | indexes


def schemas(report):
    """A table is made again with all that it was asked for."""
    items = [
        {"pk": {"S": f"p{i}"}, "g": {"S": "g"}, "c": {"S": "c"}, "e": {"L": [{"N": "1"}, {"N": str(i)}]}}
        for i in range(30)
    ]
    with temporary_folder() as name, Server() as server, Server() as other:
        folder = pathlib.Path(name)
        server.call("CreateTable", SCHEMA)
        server.put_items("Tab", items)
        wanted = described(server, "Tab")
        here, there = ("--endpoint", server.url), ("--endpoint", other.url)
        for way, commands in {
            "a file of tables": (("pull", *here, "--db", "t.db"), ("push", *there, "--db", "t.db")),
            "a fixture": (("pull", *here, "fixture"), ("push", *there, "fixture")),
            "a file and its schema": (
                ("export", *here, "--table", "Tab", "--schema", "schema.json", "Tab.jsonl"),
                ("import", *there, "schema.json", "Tab.jsonl"),
            ),
        }.items():
            with report.case(f"all of a table goes by way of {way}"):
                for words in commands:
                    ended = run(folder, *words)
                    equal((ended.returncode, ended.stderr if words[0] != "export" else ""), (0, ""))
                equal(described(other, "Tab"), wanted)
                other.call("DeleteTable", {"TableName": "Tab"})
        for words in (
            ("pull", *here, "--db", "slow.db"),
            ("pull", *here, "slow"),
            ("push", *there, "--table-prefix", "a-", "--db", "t.db"),
            ("push", *there, "--table-prefix", "b-", "fixture"),
        ):
            with report.case(f"20 items a second at most: {' '.join(words[:1] + words[3:])}"):
                began = time.monotonic()
                equal(run(folder, *words, "--rate", "20").returncode, 0)
                assert time.monotonic() - began >= 1


def broken(report):
    """A connection that breaks is not the end."""
    items = [{"pk": {"S": f"p{i}"}} for i in range(600)]
    with temporary_folder() as name, Server() as server:
        folder = made(pathlib.Path(name))
        here = ("--endpoint", server.url)
        (folder / "many.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
        for operation, drop, words in (
            ("BatchWriteItem", "before", ("import", *here, *CREATE, "many.jsonl")),
            ("BatchWriteItem", "after", ("import", *here, *CREATE, "many.jsonl")),
            ("Scan", "before", ("export", *here, "--table", "Tab", "out.jsonl")),
            ("Scan", "before", ("pull", *here, "--db", "pulled.db")),
            ("BatchWriteItem", "before", ("push", *here, "--table-prefix", "p-", "--db", "pulled.db")),
        ):
            with report.case(f"{words[0]}: {operation} is not answered, {drop} it is done"):
                rule = {"operation": operation, "drop": drop, "nth": 1, "times": 2}
                admin.must(server, "POST", "faults", {"rules": [rule]})
                ended = run(folder, *words)
                hits = admin.must(server, "GET", "faults")["rules"][0]["hits"]
                admin.must(server, "DELETE", "faults")
                equal((ended.returncode, hits), (0, 2))
        for table in ("Tab", "p-Tab"):
            equal(server.call("DescribeTable", {"TableName": table})["Table"]["ItemCount"], len(items))
        with report.case("push: a server that is not there is not waited for"):

            def seconds_of_push():
                began = time.monotonic()
                ended = run(folder, "push", "--endpoint", "http://127.0.0.1:1", "--db", "pulled.db")
                equal(ended.returncode, 1)
                return time.monotonic() - began

            at_best(2, seconds_of_push)


def ordered(report):
    """Of items with one key the last one stays, however their keys are spelled."""
    spellings = {
        "N": ('{{"N":"{}"}}', '{{"N":"{}.0"}}'),
        "S": ('{{"S":"a{}"}}', '{{"S" : "\\u0061{}"}}'),
    }
    with temporary_folder() as name, Server() as server:
        folder = pathlib.Path(name)
        for kind, keys in spellings.items():
            with report.case(f"import: keys of type {kind} that are spelled in two ways"):
                lines = [
                    f'{{"pk":{keys[turn].format(i)},"turn":{{"N":"{turn}"}}}}\n' for i in range(500) for turn in (0, 1)
                ]
                (folder / "two.jsonl").write_text("".join(lines))
                words = ("--table", f"Two{kind}", "--create", "--key", f"pk:{kind}", "two.jsonl")
                equal(run(folder, "import", "--endpoint", server.url, *words).returncode, 0)
                found = server.call("Scan", {"TableName": f"Two{kind}"})["Items"]
                equal((len(found), {item["turn"]["N"] for item in found}), (500, {"1"}))


def full(report):
    """Where a file cannot grow, nothing is said to be in it that is not."""
    def little():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    with temporary_folder() as name:
        folder = pathlib.Path(name)
        item = {"d": {"S": "x" * 1000}}
        (folder / "many.jsonl").write_text("".join(json.dumps(item | {"pk": {"S": f"p{i}"}}) + "\n" for i in range(40000)))
        with report.case("import: into a file that cannot grow"):
            ended = subprocess.run(
                [BINARY, "import", "--db", "t.db", *CREATE, "many.jsonl"],
                cwd=folder, env=clean_environment(), preexec_fn=little, restore_signals=False,
                capture_output=True, text=True, check=False,
            )
            equal(ended.returncode, 1)
            counted = int(ended.stdout.split()[0])
            there = run(folder, "export", "--db", "t.db", "--table", "Tab", "-").stdout
            equal((counted, "1 table made" in ended.stdout), (len(there.splitlines()), True))


def ask(folder, answer, *words):
    """Runs a command on a terminal at which somebody answers."""
    keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
    ours, theirs = os.openpty()
    with Running(
        [str(word) for word in (BINARY, *words)],
        cwd=folder, env=clean_environment(**keys), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:
        os.write(ours, answer.encode())
        _, told = running.communicate(timeout=PATIENCE)
    os.close(ours)
    os.close(theirs)
    return running.returncode, told


def asked(report):
    with temporary_folder() as name, Server("--host", "0.0.0.0") as server:
        folder = made(pathlib.Path(name))
        push = ("push", "--endpoint", f"http://0.0.0.0:{server.port}", "--db", "t.db")
        for answer, meant in (("n\n", False), ("\n", False), ("yesterday\n", False), ("y\n", True), ("YES\n", True)):
            with report.case(f"push: somebody answers {answer.strip()!r}"):
                status, told = ask(folder, answer, *push)
                equal(f"Write to http://0.0.0.0:{server.port}? [y/N] " in told, True)
                equal((status, "nothing was written" in told), (0, False) if meant else (1, True))


def elsewhere(report):
    """Whoever only looks like this machine is not."""
    with temporary_folder() as name:
        folder = made(pathlib.Path(name))
        keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
        for host in ("127.0.0.1.example.invalid", "127.example.invalid", "localhost.example.invalid"):
            with report.case(f"push: {host} is asked about"):
                words = (BINARY, "push", "--endpoint", f"http://{host}:8000", "--db", folder / "t.db")
                ended = run_program(words, None, folder, **keys)
                equal(ended.returncode, 1)
                assert "--yes allows the write" in ended.stderr, ended.stderr
        with report.case("pull: a host that nobody knows"):
            words = (BINARY, "pull", "--endpoint", "http://nobody.invalid:8000", "x")
            ended = run_program(words, None, folder, **keys)
            equal((ended.returncode, ended.stdout), (1, ""))
            assert ended.stderr.startswith("mockddb: nobody.invalid:8000: "), ended.stderr
            assert "connection was closed" not in ended.stderr, ended.stderr


def sixth_version(report):
    """The address that a server prints is one that our own commands take."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        report.skip("IPv6: export from http://[::1]:PORT", "this machine has none")
        return
    with report.case("IPv6: export from http://[::1]:PORT"), Server("--host", "::1", "--fixtures", "ecommerce") as server:
        assert server.url.startswith("http://[::1]:"), server.url
        ended = run(ROOT, "export", "--endpoint", server.url, "--table", "EcomIndexSettingsTable", "-")
        equal(ended.returncode, 0)


def either(report):
    """A server or a file, not both."""
    told = "mockddb: --db FILE asks no server: --endpoint and --world do not go with it\n"
    for words in (
        ("import", "--db", "t.db", "--endpoint", "http://127.0.0.1:8000", "x"),
        ("import", "--db", "t.db", "--world", "w", "x"),
        ("export", "--db", "t.db", "--endpoint", "http://127.0.0.1:8000", "--table", "Tab", "x"),
    ):
        with report.case(f"refused: {' '.join(words)}"):
            ended = run(ROOT, *words)
            equal((ended.returncode, ended.stderr), (2, told))


def strange_names(report):
    """The types that an export prints are those that an import takes, as a shell reads them."""
    item = {name: {"SS": ["x", "y"]} for name in ("a,b", "c=d", "e\\f", "First Name", "it's $5", "g\\,h=i")}
    item |= {"pk": {"S": "007"}, "n": {"N": "1"}}
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        (folder / "item.json").write_text(json.dumps(item))
        equal(run(folder, "import", "--db", "t.db", *CREATE, "item.json").returncode, 0)
        for form in ("csv", "jsonl"):
            with report.case(f"strange names: {form}"):
                told = run(folder, "export", "--db", "t.db", "--table", "Tab", "--format", form, f"out.{form}").stderr
                types = shlex.split(told.splitlines()[0].split(": ", 1)[1])
                again = ("--table", f"Tab-{form}", "--create", "--key", "pk:S", *types, f"out.{form}")
                ended = run(folder, "import", "--db", "t.db", *again)
                equal((ended.returncode, ended.stderr), (0, ""))
                found = run(folder, "export", "--db", "t.db", "--table", f"Tab-{form}", "-").stdout
                equal(json.loads(found)["Item"], item)


# A text with a record that is refused, how that is corrected, and what the file of errors has first.
CORRECTED = {
    "CSV": ('pk;n\n1;x\n2;"y"\n3\n', {"3\n": "3;z\n"}, "pk;n\n3\n"),
    "a header of CSV": ("pk,n,n\n1,2,3\n", {"n,n": "n,m"}, "pk,n,n\n"),
    "Ion": ('$ion_1_0 {Item:{pk:"a",t:2020T}}\n{Item:{pk:1}}\n', {"2020T": "true", "pk:1": 'pk:"b"'}, "$ion_1_0\n"),
    "JSON lines": ('{"pk":"a"}\n{"pk":{"x":1}}\n', {'{"x":1}': '"b"'}, '{"pk":{"x":1}}\n'),
    "a bad line": ('{"pk":"a"}\n{"pk":"b",}\nnot\n{"pk":"c"}\n', {",}": "}", "not\n": ""}, '{"pk":"b",}\nnot\n'),
    "a brace that is missing": ('{"pk":{"S":"a"}\n{"pk":{"S":"b"}}\n', {'"a"}': '"a"}}'}, '{"pk":{"S":"a"}\n'),
    "typed JSON": ('{"Item":{"pk":{"N":"1"}}}\n', {'"N"': '"S"'}, '{"Item":'),
}


def corrected(report):
    """The file of errors is imported once what was wrong in it is right."""
    for kind, (text, corrections, first) in CORRECTED.items():
        with report.case(f"errors are corrected and imported: {kind}"), temporary_folder() as name:
            folder = pathlib.Path(name)
            (folder / "in").write_text(text)
            ended = run(folder, "import", "--db", "t.db", *CREATE, "--errors", "errors", "in")
            equal(ended.returncode, 1)
            errors = (folder / "errors").read_text()
            equal((errors[: len(first)], errors.count(first)), (first, 1))
            for wrong, right in corrections.items():
                errors = errors.replace(wrong, right)
            (folder / "errors").write_text(errors)
            ended = run(folder, "import", "--db", "t.db", "--table", "Tab", "errors")
            equal(ended.returncode, 0)


def unreadable(report):
    with temporary_folder() as name:
        folder = made(pathlib.Path(name))
        with report.case("import: a prefix stands in front of --table, too"):
            ended = run(folder, "import", "--db", "t.db", *CREATE, "--table-prefix", "p-", "-", stdin=LINE)
            equal((ended.returncode, ended.stderr), (0, ""))
            equal(run(folder, "export", "--db", "t.db", "--table", "p-Tab", "-").stdout, LINE)
        for mark, order in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
            with report.case(f"import: {order}"):
                (folder / "wide.json").write_bytes(mark + LINE.encode(order))
                ended = run(folder, "import", "--db", "t.db", "--table", "Tab", "wide.json")
                told = "mockddb: wide.json: this is UTF-16, as Windows PowerShell writes it: save it as UTF-8\n"
                equal((ended.returncode, ended.stderr), (1, told))
        with report.case("import: no table is made for what is none"):
            (folder / "README.md").write_text("# This is a text\n")
            ended = run(folder, "import", "--db", "t.db", "--create", "--key", "pk:S", "README.md")
            equal((ended.returncode, "made" in ended.stdout), (1, False))
            assert "as CSV it has no column pk in its header" in ended.stderr, ended.stderr
            assert "there is no table" in run(folder, "export", "--db", "t.db", "--table", "README.md", "-").stderr
        with report.case("import: a line of more than 16 MB"):
            with open(folder / "long.jsonl", "w") as out:
                out.write('{"pk": "b"}\n{"pk": "c", "x": "' + "x" * (17 << 20) + '"}\n{"pk": "d"}\n')
            ended = run(folder, "import", "--db", "t.db", "--table", "Tab", "long.jsonl")
            (told,) = ended.stderr.splitlines()
            equal(told.startswith("long.jsonl:2:1: it has more than "), True)
            equal(ended.returncode, 1)
            found = run(folder, "export", "--db", "t.db", "--table", "Tab", "--format", "jsonl", "-").stdout
            equal(sorted(json.loads(line)["pk"] for line in found.splitlines())[-2:], ["b", "d"])


if __name__ == "__main__":
    report = Report()
    written_over(report)
    places(report)
    schemas(report)
    broken(report)
    ordered(report)
    full(report)
    asked(report)
    elsewhere(report)
    sixth_version(report)
    either(report)
    strange_names(report)
    corrected(report)
    unreadable(report)
    report.done()
