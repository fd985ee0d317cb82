"""Data in and out by commands: every form that is read, what is reported of wrong ones, and that
docs/transfer-commands.md is true."""

import gzip
import json
import os
import pathlib
import shlex
import signal
import subprocess
import time
import urllib.error
import urllib.request

from e2e import (
    BINARY,
    ROOT,
    Report,
    Running,
    Server,
    clean_environment,
    equal,
    run_program,
    temporary_folder,
    wait_until,
)

KEY = ("--create", "--key", "pk:S,sk:N")
SCHEMA = {
    "TableName": "Tab",
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"},
    ],
    "KeySchema": [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ],
    "BillingMode": "PAY_PER_REQUEST",
}
A = {"pk": {"S": "a"}, "sk": {"N": "1"}}
KEY_OF_B = {"pk": {"S": "b"}, "sk": {"N": "2.5"}}
B = KEY_OF_B | {"tags": {"SS": ["x", "y"]}, "Items": {"L": []}}


def run(*arguments, stdin=None, folder=ROOT):
    return run_program([BINARY, *map(str, arguments)], stdin, folder)


def items_of(server, table):
    found = server.call("Scan", {"TableName": table})["Items"]
    return sorted(found, key=lambda item: [item.get(key, {}).get("S", "") for key in ("pk", "sk")])


def lines(*items):
    return "".join(json.dumps(item) + "\n" for item in items)


# A file's text, and what is in the table then.
FORMS = {
    "items by line": (lines(A, B), [A, B]),
    "items in Item": (lines({"Item": A}, {"Item": B}), [A, B]),
    "an item with an attribute Item": (lines(A | {"Item": {"S": "x"}}), [A | {"Item": {"S": "x"}}]),
    "an empty list": ("[]\n", []),
    "a list": (json.dumps([A, B], indent=2), [A, B]),
    "items in Item and by themselves": (lines({"Item": A}, B), [A, B]),
    "a list of answers": (json.dumps([{"Items": [A]}, {"Items": [B], "Count": 1}]), [A, B]),
    "answers of Scan": (
        json.dumps({"Count": 2, "Items": [A, B], "LastEvaluatedKey": {"pk": {"S": "zz"}}}, indent=4)
        + json.dumps({"ConsumedCapacity": {"TableName": "T"}, "Items": [], "Count": 0}),
        [A, B],
    ),
    "the answer of GetItem": (json.dumps({"Item": B, "ConsumedCapacity": {"TableName": "T"}}), [B]),
    "plain JSON": (
        '{"pk": "a", "sk": 1.50, "list": ["x", null, {"y": true}]}\n{"pk": "b", "sk": 2}\n',
        [
            {
                "pk": {"S": "a"},
                "sk": {"N": "1.5"},
                "list": {"L": [{"S": "x"}, {"NULL": True}, {"M": {"y": {"BOOL": True}}}]},
            },
            {"pk": {"S": "b"}, "sk": {"N": "2"}},
        ],
    ),
    "a list of plain JSON": ('[\n {"pk": "a", "sk": 1}\n]', [A]),
    "CSV": (
        'pk,sk,age,ok,code,note\na,1,30,true,007,\n"b,c",2.5,,false,8,""\n',
        [
            A | {"age": {"N": "30"}, "ok": {"BOOL": True}, "code": {"S": "007"}},
            {
                "pk": {"S": "b,c"},
                "sk": {"N": "2.5"},
                "ok": {"BOOL": False},
                "code": {"S": "8"},
                "note": {"S": ""},
            },
        ],
    ),
    "Ion": ('$ion_1_0 {Item:{pk:"a",sk:1.,t:$dynamodb_SS::["x"]}}\n', [A | {"t": {"SS": ["x"]}}]),
    "Ion, a list over many lines": (
        '$ion_1_0\n[\n  {\n    Item:{\n      pk:"a",\n      sk:1.\n    }\n  },\n  {\n    Item:{ pk:"b", sk:2. }\n  }\n]\n',
        [A, {"pk": {"S": "b"}, "sk": {"N": "2"}}],
    ),
    "changes": (
        lines(
            {"Metadata": {"WriteTimestampMicros": {"N": "1"}}, "Keys": B, "OldImage": B, "NewImage": B},
            {"Keys": A, "Metadata": {"WriteTimestampMicros": {"N": "2"}}, "NewImage": {"x": {"N": "1"}}},
            {"Metadata": {"WriteTimestampMicros": {"N": "3"}}, "Keys": KEY_OF_B, "OldImage": B},
        ),
        [A | {"x": {"N": "1"}}],
    ),
    "changes in Ion": (
        '$ion_1_0 {Record:{Metadata:{WriteTimestampMicros:1.},Keys:{pk:"a",sk:1.},NewImage:{pk:"a",sk:1.}}}\n'
        '$ion_1_0 {Record:{Keys:{pk:"b",sk:1.},Metadata:{WriteTimestampMicros:2.},OldImage:{pk:"b",sk:1.}}}\n',
        [A],
    ),
    "CSV with a mark before it, as Windows has it": ('\ufeffpk,sk\r\n"a",1\r\n', [A]),
    "JSON with a mark before it": ("\ufeff" + lines(A), [A]),
    "CSV with semicolons": ('"pk";sk\n"a";1\n', [A]),
    "CSV with tabs": ("pk\tsk\na\t1\n", [A]),
    "nothing": ("", None),
}

# What is wrong with a text, and what is reported.
WRONG = {
    "an item without its key": (
        lines(A, {"pk": {"S": "x"}}),
        "Tab.json:2: ValidationException: One or more parameter values were invalid: Missing the "
        "key sk in the item\n",
        1,
    ),
    "JSON that ends too early": (
        lines(A) + '{"pk": {"S": "b"},\n',
        "Tab.json:2:1: a name in quotes is missing\n",
        1,
    ),
    "something between objects": (
        lines(A) + "  nonsense\n" + lines(B),
        "Tab.json:2:3: a JSON object begins with {\n",
        2,
    ),
    "an item that is not closed": (
        lines(A) + '{"pk": {"S": "c"}\n' + lines(B),
        "Tab.json:2:1: a } is missing\n",
        2,
    ),
    "an item that is not closed, first": (
        '{"pk": {"S": "c"}\n' + lines(A, B),
        "Tab.json:1:1: a } is missing\n",
        2,
    ),
    "a comma too many": (
        lines(A) + '{"pk": {"S": "c"},}\n' + lines(B),
        "Tab.json:2:1: a name in quotes is missing in column 19\n",
        2,
    ),
    "a value without a type": (
        lines(A, B | {"x": "plain"}),
        "Tab.json:2:1: x has no type: DynamoDB's JSON writes {\"S\": \"a\"}, {\"N\": \"1\"} and the like\n",
        1,
    ),
    "a value without a type, first": (
        lines(A | {"x": "plain"}),
        "Tab.json:1:43: x has no type: DynamoDB's JSON writes {\"S\": \"a\"}, {\"N\": \"1\"} and the like\n",
        0,
    ),
    "an item over many lines": (
        json.dumps(A, indent=1)[:-3] + "\n}\n" + lines(B),
        "Tab.json:1:1: a } is missing\n"
        "mockddb: Tab.json: what stands behind line 1 was not read\n",
        0,
    ),
    "a line of changes": (
        lines({"Metadata": {}, "Keys": A, "NewImage": A}) + '{"Metadata": {}\n' + lines({"Metadata": {}, "Keys": B, "NewImage": B}),
        "Tab.json:2:1: a } is missing\n",
        2,
    ),
    "a line of Ion": (
        '$ion_1_0 {Item:{pk:"a",sk:1.}}\n$ion_1_0 {Item:{pk:"b"\n$ion_1_0 {Item:{pk:"c",sk:1.}}\n',
        "Tab.json:2:10: a } is missing\n",
        2,
    ),
    "a list of lists": (
        "[[1]]\n",
        "Tab.json:1:2: a JSON object begins with {\n"
        "mockddb: Tab.json: what stands behind line 1 was not read\n",
        0,
    ),
    "a list that does not end": (
        json.dumps([A, B])[:-1],
        f"Tab.json:1:{len(json.dumps([A, B]))}: the text ends within a list\n"
        "mockddb: Tab.json: what stands behind line 1 was not read\n",
        2,
    ),
    "an answer that does not end": (
        json.dumps({"Items": [A], "Count": 1})[:-3],
        f'Tab.json:1:{json.dumps({"Items": [A], "Count": 1}).index("Count")}: the text ends within this record\n'
        "mockddb: Tab.json: what stands behind line 1 was not read\n",
        1,
    ),
    "a CSV row that is too short": (
        "pk,sk\na,1\nb\n",
        "Tab.json:3:1: the row has fewer fields than the header\n",
        1,
    ),
    "CSV without the key": (
        "pk,age\na,1\n",
        "mockddb: Tab.json: this is no JSON or Ion, and as CSV it has no column sk in its header, the "
        "key of table Tab\n",
        0,
    ),
    "another text": (
        "<html>\n",
        "mockddb: Tab.json: this is no JSON or Ion, and as CSV it has no column pk in its header, the "
        "key of table Tab\n",
        0,
    ),
    "two columns of one name": (
        "pk,sk,pk\na,1,b\n",
        "Tab.json:1:7: two columns have one name\n"
        "mockddb: Tab.json: what stands behind line 1 was not read\n",
        0,
    ),
    "a value that Ion has and tables do not": (
        '$ion_1_0 {Item:{pk:"a",sk:1.}}\n$ion_1_0 {Item:{pk:"b",sk:2024-01-01T}}\n',
        "Tab.json:2:27: a timestamp is no value here\n",
        1,
    ),
    "a change without its key": (
        lines({"Metadata": {}, "Keys": A, "NewImage": A}, {"Metadata": {}, "NewImage": B}),
        "Tab.json:2:1: a change has the key of its item, in Keys\n",
        1,
    ),
    "a change to no item": (
        lines({"Metadata": {}, "Keys": A, "NewImage": A}, {"Metadata": {}, "Keys": A, "NewImage": "x"}),
        "Tab.json:2:1: NewImage is no item\n",
        1,
    ),
    "a manifest": (
        lines({"itemCount": 1, "dataFileS3Key": "x/data/y.json.gz"}),
        "mockddb: Tab.json: this is a manifest of an export: it is the export's folder that can be imported\n",
        0,
    ),
}


def forms(report):
    with temporary_folder() as name, Server() as server:
        folder = pathlib.Path(name)
        at = ("import", "--endpoint", server.url)
        for form, (text, expected) in FORMS.items():
            for ending, pack in ((".json", bytes), (".json.gz", gzip.compress)):
                with report.case(f"import of {form}: {ending}"):
                    (folder / f"Tab{ending}").write_bytes(pack(text.encode()))
                    ended = run(*at, *KEY, f"Tab{ending}", folder=folder)
                    equal(ended.returncode, 0)
                    put = len(expected or []) + (form == "changes")
                    equal(ended.stdout.split(" in ")[0], f"{put} items into {server.url}")
                    equal(ended.stdout.endswith(", 1 deleted, 1 table made\n"), "changes" in form)
                    if expected is not None:
                        equal(items_of(server, "Tab"), expected)
                        server.call("DeleteTable", {"TableName": "Tab"})
        for form, (text, told, kept) in WRONG.items():
            with report.case(f"import of what is wrong: {form}"):
                (folder / "Tab.json").write_text(text)
                ended = run(*at, *KEY, "--errors", "refused", "Tab.json", folder=folder)
                equal((ended.returncode, ended.stderr), (1, told))
                if "Tab" in server.call("ListTables", {})["TableNames"]:
                    equal(len(items_of(server, "Tab")), kept)
                    server.call("DeleteTable", {"TableName": "Tab"})
        for name, data, told in (
            ("binary Ion", b"\xe0\x01\x00\xea\x81", "this is binary Ion, of which only the text form is read"),
            ("a packed text that is cut off", gzip.compress(lines(A).encode())[:-9], "it ends too early"),
            ("no packed text", b"\x1f\x8bnonsense", "this is not in gzip form, or damaged"),
        ):
            with report.case(f"import of what is wrong: {name}"):
                (folder / "Tab.json").write_bytes(data)
                ended = run(*at, *KEY, "Tab.json", folder=folder)
                equal((ended.returncode, ended.stderr), (1, f"mockddb: Tab.json: {told}\n"))
        with report.case("import: a folder with nothing in it"):
            (folder / "empty").mkdir()
            ended = run(*at, *KEY, "empty", folder=folder)
            equal(ended.stderr, "mockddb: empty: there is nothing in it that can be imported\n")
        with report.case("import: through a pipe, with options behind its path"):
            os.mkfifo(folder / "pipe")
            writer = Running(["sh", "-c", f"cat > '{folder}/pipe'"], stdin=subprocess.PIPE)
            writer.stdin.write(lines(A).encode())
            writer.stdin.close()
            ended = run("import", "pipe", *at[1:], *KEY, "--table", "Tab", folder=folder)
            equal((ended.returncode, ended.stderr, writer.wait()), (0, "", 0))
            equal(items_of(server, "Tab"), [A])
            server.call("DeleteTable", {"TableName": "Tab"})
        with report.case("import: a type of a column that is not there is reported"):
            (folder / "Tab.json").write_text("pk,sk\na,1\n")
            ended = run(*at, *KEY, "--types", "old=N", "Tab.json", folder=folder)
            equal((ended.returncode, ended.stderr), (0, "Tab.json: there is no column old, as --types has it\n"))
            server.call("DeleteTable", {"TableName": "Tab"})
        with report.case("import: what is refused is kept"):
            (folder / "Tab.json").write_text(lines(A, {"pk": {"S": "x"}}, B))
            run(*at, *KEY, "--errors", "refused", "Tab.json", folder=folder)
            equal((folder / "refused").read_text(), lines({"pk": {"S": "x"}}))
            equal(items_of(server, "Tab"), [A, B])
            server.call("DeleteTable", {"TableName": "Tab"})
        with report.case("import: no table and no schema"):
            ended = run(*at, "Tab.json", folder=folder)
            equal(ended.returncode, 1)
            assert "there is no table Tab, and no schema of it" in ended.stderr, ended.stderr


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
            (("--only", "Nope", "--only", "Tab"), "Nope in what was read, but Tab"),
            (("--map", "Tabb=Copy"), "Tabb in what was read, but Tab"),
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
            equal((ended.returncode, ended.stderr), (1, f"mockddb: there is no table Nope in what was read, but {told}\n"))
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
            assert "names data/y.json.gz, which is not there" in ended.stderr, ended.stderr
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
            told = "rules.json: no attribute was met by rule 2 (emial), rule 3 (Maskde: secret)\n"
            equal((ended.returncode, ended.stderr), (0, told))
        with report.case("import: a file of a fixture's tables that describes none"):
            for part, text in (("tables", '{"hello": "x"}'), ("items", lines(A))):
                (folder / "fixture" / part).mkdir(parents=True)
                (folder / "fixture" / part / f"Tab.{'json' if part == 'tables' else 'jsonl'}").write_text(text)
            ended = run(*at, *KEY, "fixture", folder=folder)
            equal((ended.returncode, ended.stderr), (1, "mockddb: fixture/tables/Tab.json: it describes no table\n"))


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
            equal((ended.returncode, ended.stderr), (0, "typed.json: its values say their types, not --types\n"))
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


def attribute(name, kind):
    return {"AttributeName": name, "AttributeType": kind}


MODEL = {
    "ModelName": "A model",
    "ModelMetadata": {"AWSService": "Amazon DynamoDB", "Version": "3.0"},
    "DataModel": [
        {
            "TableName": "Modelled",
            "KeyAttributes": {"PartitionKey": attribute("pk", "S"), "SortKey": attribute("sk", "N")},
            "NonKeyAttributes": [attribute("s", "S"), attribute("age", "N")],
            "TableFacets": [
                {
                    "FacetName": "F",
                    "KeyAttributeAlias": {"PartitionKeyAlias": "P", "SortKeyAlias": "S"},
                    "TableData": [A],
                    "NonKeyAttributes": ["s"],
                }
            ],
            "GlobalSecondaryIndexes": [
                {
                    "IndexName": "by-s",
                    "KeyAttributes": {"PartitionKey": attribute("s", "S")},
                    "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["age"]},
                }
            ],
            "TableData": [B, {"pk": {"S": "no"}}],
            "DataAccess": {"MySql": {}},
            "BillingMode": "PROVISIONED",
        },
        {
            "TableName": "Faceted",
            "KeyAttributes": {"PartitionKey": attribute("pk", "S")},
            "TableFacets": [{"FacetName": "F", "TableData": [A]}],
            "TableData": [],
        },
    ],
}


def models(report):
    with temporary_folder() as name, Server() as server:
        folder = pathlib.Path(name)
        with report.case("import: a model's tables, indexes and sample data"):
            (folder / "model.json").write_text(json.dumps(MODEL, indent=2))
            line = json.dumps(MODEL, indent=2).split('"no"')[0].count("\n") - 1
            ended = run("import", "--endpoint", server.url, "--table-prefix", "m-", "model.json", folder=folder)
            equal(
                (ended.returncode, ended.stderr),
                (
                    1,
                    f"model.json:{line}: ValidationException: One or more parameter values were "
                    "invalid: Missing the key sk in the item\n",
                ),
            )
            equal((items_of(server, "m-Modelled"), items_of(server, "m-Faceted")), ([B], [A]))
            index = server.call("DescribeTable", {"TableName": "m-Modelled"})["Table"][
                "GlobalSecondaryIndexes"
            ][0]
            equal(index["KeySchema"], [{"AttributeName": "s", "KeyType": "HASH"}])
            equal(
                index["Projection"], {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["age"]}
            )
        with report.case("import: sample data that was typed by hand, and what was guessed is said once"):
            plain = B | {"address": {"M": {"street": "x", "no": 1}}}
            typed = A | {"s": {"L": ["x", {"N": 2}]}}
            model = MODEL | {"DataModel": [{**MODEL["DataModel"][1], "TableName": "Typed", "TableData": [plain, typed]}]}
            (folder / "typed.json").write_text(json.dumps(model, indent=2))
            ended = run("import", "--endpoint", server.url, "typed.json", folder=folder)
            equal(ended.returncode, 0)
            said = [line for line in (ended.stdout + ended.stderr).splitlines() if "have no type" in line]
            equal([line.split(": ", 1)[1][:40] for line in said], ["values in 2 items have no type of Dynamo"])
            assert "the first in address" in said[0], said
            equal(
                items_of(server, "Typed"),
                [
                    A | {"s": {"L": [{"S": "x"}, {"N": "2"}]}},
                    B | {"address": {"M": {"street": {"S": "x"}, "no": {"N": "1"}}}},
                ],
            )
        for wrong, told in (
            (MODEL | {"ModelMetadata": {"AWSService": "Amazon Keyspaces"}}, "a model of Amazon Keyspaces"),
            (MODEL | {"DataModel": [{"TableName": "T"}]}, "table T has no partition key"),
        ):
            with report.case(f"import: {told}"):
                (folder / "model.json").write_text(json.dumps(wrong))
                ended = run("import", "--endpoint", server.url, "model.json", folder=folder)
                equal(ended.returncode, 1)
                assert told in ended.stderr, ended.stderr


def post(server, query, body):
    request = urllib.request.Request(f"{server.url}/_mockddb/import?{query}", body, method="POST")
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)


def verb(report):
    with Server() as server:
        with report.case("POST import: a packed file makes its table"):
            body = gzip.compress(lines(A, {"pk": {"S": "x"}}, B).encode())
            status, answer = post(server, "name=Tab.json.gz&key=pk:S,sk:N", body)
            equal((status, answer["items"], answer["refused"], answer["tables_made"]), (200, 2, 1, 1))
            equal(answer["refusals"][0]["line"], 2)
            equal(items_of(server, "Tab"), [A, B])
        with report.case("POST import: CSV, and what was inferred"):
            status, answer = post(server, "table=Tab", b"pk,sk,age\nc,1,30\n")
            equal((status, answer["items"], answer["refusals"]), (200, 1, []))
            assert "age=N" in answer["notes"][0], answer
        with report.case("POST import: a line that is no record"):
            wrong = lines({"pk": {"S": "l"}, "sk": {"N": "1"}}) + '{"pk": {"S": "m"}\n' + lines({"pk": {"S": "n"}, "sk": {"N": "1"}})
            status, answer = post(server, "table=Tab", wrong.encode())
            equal((status, answer["items"], answer.get("problem")), (200, 2, None))
            equal(answer["refusals"], [{"line": 2, "column": 1, "message": "a } is missing"}])
        with report.case("POST import: many items, in many turns"):
            items = [{"pk": {"S": f"p{i}"}, "sk": {"N": "1"}, "x": {"S": "x" * 300}} for i in range(3000)]
            status, answer = post(server, "table=Tab", lines(*items).encode())
            equal((status, answer["items"]), (200, 3000))
        for name, body, attributes in (
            ("New.json", lines(A).encode(), [("pk", "S"), ("sk", "N")]),
            ("New.json.gz", gzip.compress(lines({"pk": {"N": "x"}}, A).encode()), [("pk", "S"), ("sk", "N")]),
            ("New.csv", b"code,age,tall\n007,1,true\n", [("code", "S"), ("age", "N")]),
            ("New.jsonl", b'{"id": 1, "name": "a", "list": []}\n', [("id", "N"), ("name", "S")]),
            ("New.json", b'{"pk": {"S": "', []),
        ):
            with report.case(f"POST import: what the key of a table could be that is missing: {body[:20]}"):
                status, answer = post(server, f"name={name}", body)
                equal((status, answer["missing_table"]), (404, "New"))
                equal([(one["name"], one["type"]) for one in answer["attributes"]], attributes)
                assert "there is no table New" in answer["message"], answer
        for query, body, told in (
            ("", lines(A).encode(), "which table is it of?"),
            ("table=Tab&key=pk", b"", "--key pk"),
            ("table=Tab&types=x", b"", "types is not"),
            ("x=1", b"", "unknown filter x"),
        ):
            with report.case(f"POST import: {told}"):
                status, answer = post(server, query, body)
                equal(status, 400)
                assert told in json.dumps(answer), answer


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
            total = f"{len(items) + len(ROUND)} items of 2 tables into {folder / 't.db'}, "
            earlier = ended.stdout.removeprefix(total).removesuffix(" of them earlier\n")
            assert 0 < int(earlier) < len(items) + len(ROUND), ended.stdout
            equal((folder / "t.db.pull.json").exists(), False)
        with report.case("push: to another server"):
            ended = run("push", "--endpoint", other.url, "--db", folder / "t.db", "--table-prefix", "p-")
            equal((ended.returncode, ended.stderr), (0, ""))
            for table in ("Small", "Tab"):
                equal(everything(other, f"p-{table}"), everything(server, table))
                equal(shape(other, f"p-{table}"), shape(server, table))
        with report.case("pull: into a fixture, and push of it"):
            ended = run("pull", "--endpoint", server.url, "--table", "Small", folder / "fixture")
            equal((ended.returncode, ended.stdout), (0, f"{len(ROUND)} items of Small\n"))
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
            assert "is of another copy that did not end" in ended.stderr, ended.stderr


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
        assert "--yes says that it is meant" in ended.stderr, ended.stderr


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
    forms(report)
    sources(report)
    exports(report)
    models(report)
    verb(report)
    copies(report)
    interrupted(report)
    refusals(report)
    documented(report)
    report.done()
