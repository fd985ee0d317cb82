"""Data in and out by commands: where items come from and go to, copies, refusals, and that
docs/transfer-commands.md is true."""

import gzip
import json
import os
import pathlib
import shlex
import signal
import subprocess
import time

from e2e import (
    BINARY,
    ROOT,
    Like,
    Report,
    Running,
    Server,
    clean_environment,
    equal,
    run_program,
    temporary_folder,
    wait_until,
)
from transfer_kit import A, B, EQUAL, KEY, SCHEMA, items_of, lines, run

def sources(report):
    with temporary_folder() as name, Server() as server:
        folder = pathlib.Path(name)
        at = ("import", "--endpoint", server.url)
        with report.case("import: a description makes the table, whatever comes first"):
            (folder / "Tab.jsonl").write_text(lines(A))
            described = {"Table": SCHEMA | {"TableStatus": "ACTIVE", "ItemCount": 7}}
            (folder / "zz.json").write_text(json.dumps(described, indent=4))
            ended = run(*at, "--table-prefix", "p-", "Tab.jsonl", "zz.json", folder=folder)
            equal((ended.returncode, ended.stderr), (0, ""))
            assert ended.stdout.endswith(", 1 table made\n"), ended.stdout
            equal(items_of(server, "p-Tab"), [A])
        with report.case("import: tables are renamed and left out"):
            ended = run(*at, "--map", "Tab=Other", "--only", "Tab", folder, ROOT / "fixtures/ecommerce")
            equal((ended.returncode, items_of(server, "Other")), (0, [A]))
            equal(server.call("ListTables", {})["TableNames"], ["Other", "p-Tab"])
        for words, told in (
            (("--only", "Nope", "--only", "Tab"), "Nope in the items read, but Tab"),
            (("--map", "Tabb=Copy"), "Tabb in the items read, but Tab"),
        ):
            with report.case(f"import: {' '.join(words)}: there is no such table"):
                ended = run(*at, *words, "Tab.jsonl", "zz.json", folder=folder)
                equal((ended.returncode, ended.stderr), (1, f"mockddb: there is no table {told}\n"))
                equal(items_of(server, "Tab"), [A])
                server.call("DeleteTable", {"TableName": "Tab"})
        with report.case("import: a table of which there are no items"):
            (folder / "Empty.jsonl").write_text("")
            ended = run(*at, "--only", "Empty", "Empty.jsonl", folder=folder)
            equal((ended.returncode, ended.stderr), (0, ""))
            (folder / "Empty.jsonl").unlink()
        with report.case("push of files: there is no such table"):
            ended = run("push", *at[1:], "--table", "Nope", ROOT / "fixtures/ecommerce")
            told = "EcomIndexSettingsTable, EcomIndexerJobsTable and ShopifyEntitiesTable"
            equal((ended.returncode, ended.stderr), (1, f"mockddb: there is no table Nope in the items read, but {told}\n"))
        with report.case("import: an export's folder, by its manifest"):
            export = folder / "AWSDynamoDB/01-a"
            (export / "data").mkdir(parents=True)
            manifest = {"tableArn": "arn:aws:dynamodb:us-east-1:1:table/Exported", "itemCount": 2}
            manifest |= {"manifestFilesS3Key": "AWSDynamoDB/01-a/manifest-files.json"}
            (export / "manifest-summary.json").write_text(json.dumps(manifest))
            counts = {"x": 2, "y": 0}
            listed = lines(
                *(
                    {"itemCount": count, "dataFileS3Key": f"AWSDynamoDB/01-a/data/{part}.json.gz"}
                    for part, count in counts.items()
                )
            )
            (export / "manifest-files.json").write_text(listed)
            packed = gzip.compress(lines({"Item": A}).encode()) + gzip.compress(lines({"Item": B}).encode())
            (export / "data/x.json.gz").write_bytes(packed)
            ended = run(*at, *KEY, folder / "AWSDynamoDB")
            equal(ended.returncode, 1)
            assert "names data/y.json.gz, which does not exist" in ended.stderr, ended.stderr
            (export / "data/y.json.gz").write_bytes(gzip.compress(b""))
            ended = run(*at, *KEY, folder / "AWSDynamoDB")
            equal((ended.returncode, items_of(server, "Exported")), (0, [A, B]))
        with report.case("import: a fixture into a file of tables"):
            ended = run("import", "--db", folder / "t.db", "ecommerce")
            equal(ended.returncode, 0)
            with Server("--db", str(folder / "t.db"), "--ttl-sweep-ms", "0") as other, Server("--fixtures", "ecommerce") as fixture:
                for table in fixture.call("ListTables", {})["TableNames"]:
                    equal(items_of(other, table), items_of(fixture, table))
        with report.case("import: values are masked"):
            (folder / "rules.json").write_text(
                json.dumps({"salt": "s", "rules": [{"attribute": "secret", "do": "mask"}]})
            )
            text = lines(A | {"secret": {"S": "x"}})
            ended = run(*at, *KEY, "--table", "Masked", "--mask", folder / "rules.json", "-", stdin=text)
            equal((ended.returncode, ended.stderr), (0, ""))
            equal(items_of(server, "Masked"), [A | {"secret": {"S": "***"}}])
        with report.case("import: rules that were about nothing are named"):
            rules = [{"attribute": name, "do": "mask"} for name in ("secret", "emial")]
            rules += [{"table": "Maskde", "attribute": "secret", "do": "mask"}]
            (folder / "rules.json").write_text(json.dumps({"salt": "s", "rules": rules}))
            ended = run(*at, *KEY, "--table", "Masked", "--mask", "rules.json", "-", stdin=text, folder=folder)
            told = "rules.json: no attribute matches rule 2 (emial), rule 3 (Maskde: secret)\n"
            equal((ended.returncode, ended.stderr), (0, told))
        with report.case("import: a file of a fixture's tables that describes none"):
            for part, text in (("tables", '{"hello": "x"}'), ("items", lines(A))):
                (folder / "fixture" / part).mkdir(parents=True)
                (folder / "fixture" / part / f"Tab.{'json' if part == 'tables' else 'jsonl'}").write_text(text)
            ended = run(*at, *KEY, "fixture", folder=folder)
            equal((ended.returncode, ended.stderr), (1, "mockddb: fixture/tables/Tab.json: it does not describe a table\n"))


ROUND = [
    {"pk": {"S": "all"}, "sk": {"N": "12345678901234567890123456789012345678"}, "s": {"S": 'é "q",\n'}},
    {"pk": {"S": "b"}, "sk": {"N": "-0.5"}, "b": {"B": "AP8="}, "empty": {"S": ""}, "n": {"N": "7"}},
    {"pk": {"S": "c"}, "sk": {"N": "1"}, "t": {"BOOL": True}, "z": {"NULL": True}, "s": {"S": "12"}},
    {
        "pk": {"S": "d"},
        "sk": {"N": "2"},
        "l": {"L": [{"S": "x"}, {"M": {"y": {"NS": ["1", "2"]}}}]},
        "m": {"M": {"Item": {"S": "i"}}},
        "ss": {"SS": ["a", "b"]},
        "bs": {"BS": ["AA=="]},
    },
]
INDEXED = SCHEMA | {
    "AttributeDefinitions": SCHEMA["AttributeDefinitions"]
    + [{"AttributeName": "s", "AttributeType": "S"}],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by-s",
            "KeySchema": [{"AttributeName": "s", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}


def shape(server, table):
    members = ("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes", "ItemCount")
    described = server.call("DescribeTable", {"TableName": table})["Table"]
    for index in described["GlobalSecondaryIndexes"]:
        index.pop("IndexArn")
    return {name: described[name] for name in members}


def exports(report):
    """What leaves in a format comes back as an equal table."""
    with temporary_folder() as name, Server() as server:
        folder = pathlib.Path(name)
        at = ("--endpoint", server.url)
        server.call("CreateTable", INDEXED)
        # what plain JSON cannot say is in maps and lists
        plain = [{n: v for n, v in item.items() if n not in ("l", "m")} for item in ROUND]
        for table, items in (("Tab", ROUND), ("Plain", plain)):
            if table == "Plain":
                server.call("CreateTable", INDEXED | {"TableName": table})
            server.put_items(table, items)
        for form, table, path in (
            ("dynamodb-json", "Tab", "t.json"),
            ("dynamodb-json", "Tab", "t.json.zst"),
            ("ion", "Tab", "t.ion.gz"),
            ("csv", "Tab", "t.csv"),
            ("jsonl", "Plain", "t.jsonl"),
            ("fixture", "Tab", "fixture"),
        ):
            with report.case(f"export and import: {path}"):
                words = (*at, "--table", table, "--format", form, "--schema", "schema.json")
                ended = run("export", *words, path, folder=folder)
                equal(ended.returncode, 0)
                types = ()
                if form in ("csv", "jsonl"):
                    types = ended.stderr.splitlines()[0].split(": ", 1)[1].split()
                again = ("--map", f"{table}=Again")
                if form != "fixture":
                    ended = run("import", *at, *again, "schema.json", folder=folder)
                    equal((ended.returncode, ended.stderr), (0, ""))
                    again = ("--table", "Again", *types)
                ended = run("import", *at, *again, path, folder=folder)
                equal((ended.returncode, ended.stderr), (0, ""))
                equal(items_of(server, "Again"), items_of(server, table))
                equal(shape(server, "Again"), shape(server, table))
                server.call("DeleteTable", {"TableName": "Again"})
        with report.case("export: to standard output"):
            ended = run("export", *at, "--table", "Tab", "-")
            equal((ended.returncode, len(ended.stdout.splitlines())), (0, len(ROUND)))
        with report.case("export: plain JSON says what it cannot say"):
            ended = run("export", *at, "--table", "Tab", "--format", "jsonl", "-")
            told = ended.stderr.splitlines()
            equal(sorted(told[0].split(" --types ")[1].split(",")), ["b=B", "bs=BS", "ss=SS"])
            equal(told[1], "sets and binaries in lists, in maps, and where an attribute has other types too, come back as lists and strings")
            ended = run("export", *at, "--table", "Plain", "--format", "jsonl", "-")
            equal(len(ended.stderr.splitlines()), 2)
        with report.case("import: types are given to plain JSON, not to what has them"):
            (folder / "typed.jsonl").write_text('{"pk": 7, "sk": "1", "n": "5", "x": [1]}\n{"pk": "b", "sk": 1, "n": true}\n')
            ended = run("import", *at, "--table", "Plain", "--types", "n=N,x=NS", "typed.jsonl", folder=folder)
            equal((ended.returncode, ended.stderr), (1, "typed.jsonl:2:27: this is not of type N\n"))
            found = [item for item in items_of(server, "Plain") if item["pk"]["S"] == "7"]
            equal(found, [{"pk": {"S": "7"}, "sk": {"N": "1"}, "n": {"N": "5"}, "x": {"NS": ["1"]}}])
            server.call("DeleteItem", {"TableName": "Plain", "Key": {name: found[0][name] for name in ("pk", "sk")}})
            (folder / "typed.json").write_text(lines(A))
            ended = run("import", *at, "--table", "Plain", "--types", "n=N", "typed.json", folder=folder)
            equal((ended.returncode, ended.stderr), (0, "typed.json: its values contain their types, so --types is ignored\n"))
        with report.case("export: CSV has one type a column"):
            server.put_items("Plain", [{"pk": {"S": "x"}, "sk": {"N": "1"}, "t": {"S": "no"}}])
            ended = run("export", *at, "--table", "Plain", "--format", "csv", "p.csv", folder=folder)
            equal(ended.returncode, 1)
            assert "CSV has one type a column" in ended.stderr, ended.stderr
            equal((folder / "p.csv").exists(), False)
        with report.case("export: there is no such table"):
            ended = run("export", *at, "--table", "none", "n.json", folder=folder)
            equal(ended.returncode, 1)
            equal(list(folder.glob("n.json*")), [])


def copies(report):
    """push and pull: a server's tables to a file, a fixture and another server."""
    with temporary_folder() as name, Server() as server, Server() as other:
        folder = pathlib.Path(name)
        items = [{"pk": {"S": f"p{i}"}, "sk": {"N": "1"}, "x": {"S": "x" * 4000}} for i in range(1500)]
        server.call("CreateTable", INDEXED)
        server.put_items("Tab", items)
        server.call("CreateTable", INDEXED | {"TableName": "Small"})
        server.put_items("Small", ROUND)

        def everything(at, table):
            found, start = [], {}
            while start is not None:
                answer = at.call("Scan", {"TableName": table} | start)
                found += answer["Items"]
                last = answer.get("LastEvaluatedKey")
                start = {"ExclusiveStartKey": last} if last else None
            return sorted(found, key=lambda item: item["pk"]["S"])

        with report.case("pull: killed, and run again, it goes on"):
            words = [BINARY, "pull", "--endpoint", server.url, "--db", str(folder / "t.db")]
            with Running(
                [*words, "--rate", "300"],
                env=clean_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            ) as running:
                wait_until(lambda: (folder / "t.db.pull.json").exists())
                running.send_signal(signal.SIGKILL)
                running.wait()
            ended = run(*words[1:])
            equal((ended.returncode, ended.stderr), (0, ""))
            compared, total = ended.stdout.splitlines()[-2:]
            earlier = total.removeprefix(f"{len(items) + len(ROUND)} items of 2 tables into {folder / 't.db'}, ")
            assert 0 < int(earlier.removesuffix(" of them earlier")) < len(items) + len(ROUND), ended.stdout
            equal(compared, Like(EQUAL.format("Tab", len(items)).rstrip()))
            equal((folder / "t.db.pull.json").exists(), False)
        with report.case("pull: resumed from a state of an older version, which counted no items, it claims no total"):
            words = ("pull", "--endpoint", server.url, "--db", folder / "old.db")
            plan = f"{server.url} > {folder / 'old.db'}  Small Tab"
            state = {"plan": plan, "table": 1, "items": 0}
            run("import", "--db", folder / "old.db", *KEY, "--table", "Small", "-", stdin=lines(*ROUND))
            (folder / "old.db.pull.json").write_text(json.dumps(state))
            ended = run(*words)
            more = "and more that an older version had copied and did not count\n"
            equal((ended.returncode, ended.stdout), (0, Like(f"{EQUAL.format('Tab', len(items))}{len(items)} items into {folder / 'old.db'}, {more}")))
            equal((folder / "old.db.pull.json").exists(), False)
        with report.case("pull: interrupted again, it claims none either"):
            (folder / "old.db.pull.json").write_text(json.dumps(state))
            with Running(
                [BINARY, *map(str, words), "--rate", "200"], env=clean_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            ) as running:
                wait_until(lambda: json.loads((folder / "old.db.pull.json").read_text())["items"] > 0)
                running.send_signal(signal.SIGINT)
                told = running.stdout.read().decode()
                running.wait()
            assert told.endswith(more), told
            equal("put" in json.loads((folder / "old.db.pull.json").read_text()), False)
            ended = run(*words)
            assert ended.returncode == 0 and ended.stdout.endswith(more), ended.stdout
        with report.case("pull: a state in which nothing was copied yet has a total"):
            (folder / "old.db.pull.json").write_text(json.dumps(state | {"table": 0}))
            compared = EQUAL.format("Small", len(ROUND)) + EQUAL.format("Tab", len(items))
            equal(run(*words).stdout, Like(f"{compared}{len(items) + len(ROUND)} items of 2 tables into {folder / 'old.db'}\n"))
        with report.case("push: to another server"):
            ended = run("push", "--endpoint", other.url, "--db", folder / "t.db", "--table-prefix", "p-")
            equal((ended.returncode, ended.stderr), (0, ""))
            for table in ("Small", "Tab"):
                equal(everything(other, f"p-{table}"), everything(server, table))
                equal(shape(other, f"p-{table}"), shape(server, table))
        with report.case("pull: into a fixture, and push of it"):
            ended = run("pull", "--endpoint", server.url, "--table", "Small", folder / "fixture")
            equal((ended.returncode, ended.stdout), (0, Like(f"{len(ROUND)} items of Small\n{EQUAL.format('Small', len(ROUND))}")))
            ended = run("push", "--endpoint", other.url, "--rate", "1000", folder / "fixture")
            equal((ended.returncode, ended.stderr), (0, ""))
            equal(everything(other, "Small"), everything(server, "Small"))
        for words, place, told in (
            (("export", "--db", folder / "t.db", "x"), folder / "t.db", ", but Small and Tab"),
            (("push", "--endpoint", other.url, "--db", folder / "t.db"), folder / "t.db", ", but Small and Tab"),
            (("pull", "--endpoint", server.url, "--table", "Tab", "--db", folder / "n.db"), server.url, ", but Small and Tab"),
            (("pull", "--endpoint", server.url, folder / "n"), server.url, ", but Small and Tab"),
        ):
            with report.case(f"{words[0]}: there is no such table: {words[-1]}"):
                ended = run(*words, "--table", "Nope")
                equal((ended.returncode, ended.stdout), (1, ""))
                equal(ended.stderr, f"mockddb: there is no table Nope in {place}{told}\n")
                equal(sorted(path.name for path in folder.iterdir() if path.name[0] == "n"), [])
        with report.case("export: there is no table at all"):
            run("import", "--db", folder / "none.db", "--create", "--key", "pk:S", "--table", "Tab", "-", stdin="")
            ended = run("export", "--db", folder / "none.db", "--table", "Nope", "x")
            equal(ended.returncode, 1)
            equal(ended.stderr, f"mockddb: there is no table Nope in {folder / 'none.db'}, nor any other\n")
            (folder / "none.db").unlink()
        with report.case("pull: the rate is kept"):
            began = time.monotonic()
            run("pull", "--endpoint", server.url, "--table", "Tab", "--rate", "750", folder / "slow")
            assert time.monotonic() - began >= 1
        with report.case("pull: the state is of another copy"):
            (folder / "u.db.pull.json").write_text('{"plan": "x"}')
            ended = run("pull", "--endpoint", server.url, "--db", folder / "u.db")
            equal(ended.returncode, 1)
            assert "belongs to another unfinished copy" in ended.stderr, ended.stderr


def interrupted(report):
    count = 6000
    items = [{"pk": {"S": f"p{i % 2000}"}, "sk": {"N": "1"}, "i": {"N": str(i)}} for i in range(count)]
    with temporary_folder() as name, Server() as server:
        folder = pathlib.Path(name)
        (folder / "Tab.json").write_text(lines(*items))
        at = [BINARY, "import", "--endpoint", server.url, *KEY, str(folder / "Tab.json")]
        with report.case("import: killed, and run again"):
            with Running(
                at, env=clean_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
            ) as running:
                time.sleep(0.3)
                running.send_signal(signal.SIGKILL)
                running.wait()
            equal(run(*at[1:]).returncode, 0)
            found, start = {}, {}
            while start is not None:
                answer = server.call("Scan", {"TableName": "Tab"} | start)
                found |= {item["pk"]["S"]: int(item["i"]["N"]) for item in answer["Items"]}
                last = answer.get("LastEvaluatedKey")
                start = {"ExclusiveStartKey": last} if last else None
            equal(found, {f"p{i % 2000}": i for i in range(count - 2000, count)})


def refusals(report):
    for words, status in (
        (("import",), 2),
        (("export", "x"), 2),
        (("push",), 2),
        (("push", "--db", "t.db", "x"), 2),
        (("push", "--db", "/no/such/t.db"), 1),
        (("pull",), 2),
        (("pull", "--rate", "0", "x"), 2),
        (("export", "--table", "Tab", "--format", "xml", "x"), 2),
        (("export", "--table", "Tab", "--db", "/no/such/t.db", "x"), 1),
        (("import", "--create", "x"), 2),
        (("import", "--types", "a=Q", "x"), 2),
        (("import", "--map", "a", "x"), 2),
        (("import", "--table", "Tab", "--only", "Tab", "x"), 2),
        (("import", "--table", "Tab", "--map", "a=b", "x"), 2),
        (("import", "--db", "/no/such/t.db", "x"), 1),
        (("import", "--endpoint", "http://127.0.0.1:1", "ecommerce"), 1),
    ):
        with report.case(f"refused: {' '.join(words)}"):
            ended = run(*words)
            equal(ended.returncode, status)
            assert ended.stderr.startswith("mockddb: "), ended.stderr
    with report.case("import: elsewhere, nobody can be asked"):
        environment = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
        words = [BINARY, "import", "--endpoint", "https://dynamodb.example.invalid", "ecommerce"]
        ended = run_program(words, None, ROOT, **environment)
        equal(ended.returncode, 1)
        assert "--yes allows the write" in ended.stderr, ended.stderr


def documented(report):
    text = (ROOT / "docs/transfer-commands.md").read_text().replace("\\\n", " ")
    with temporary_folder() as name, Server() as server:
        folder = pathlib.Path(name)
        song = {"artist": {"S": "No One You Know"}, "song": {"S": "Call Me Today"}}
        schema = json.dumps(SCHEMA).replace('"pk"', '"artist"').replace('"sk"', '"song"')
        (folder / "described.json").write_text(schema.replace('"N"', '"S"').replace('"Tab"', '"Songs"'))
        (folder / "scan.json").write_text(json.dumps({"Items": [song], "Count": 1}))
        (folder / "Songs.jsonl").write_text(lines(song))
        (folder / "people.csv").write_text("id,age\na,30\n")
        for line in text.splitlines():
            if line.startswith("mockddb "):
                with report.case(line):
                    line = line.replace("http://127.0.0.1:8000", server.url)
                    ended = run(*shlex.split(line)[1:], folder=folder)
                    if ended.returncode != 0:
                        raise AssertionError(f"{ended.returncode}: {ended.stderr}")


if __name__ == "__main__":
    os.environ.setdefault("LANG", "C.UTF-8")
    report = Report()
    sources(report)
    exports(report)
    copies(report)
    interrupted(report)
    refusals(report)
    documented(report)
    report.done()
