"""Files that `mockddb import` and `POST import` read: every form, what is reported of wrong ones, and models."""

import gzip
import json
import os
import pathlib
import subprocess
import urllib.error
import urllib.request

from e2e import Report, Running, Server, equal, temporary_folder
from transfer_kit import A, B, KEY, KEY_OF_B, items_of, lines, run

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
        "Tab.json:2:3: a JSON object must begin with {\n",
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
        "mockddb: Tab.json: everything after line 1 was not read\n",
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
        "Tab.json:1:2: a JSON object must begin with {\n"
        "mockddb: Tab.json: everything after line 1 was not read\n",
        0,
    ),
    "a list that does not end": (
        json.dumps([A, B])[:-1],
        f"Tab.json:1:{len(json.dumps([A, B]))}: the text ends within a list\n"
        "mockddb: Tab.json: everything after line 1 was not read\n",
        2,
    ),
    "an answer that does not end": (
        json.dumps({"Items": [A], "Count": 1})[:-3],
        f'Tab.json:1:{json.dumps({"Items": [A], "Count": 1}).index("Count")}: the text ends within this record\n'
        "mockddb: Tab.json: everything after line 1 was not read\n",
        1,
    ),
    "a CSV row that is too short": (
        "pk,sk\na,1\nb\n",
        "Tab.json:3:1: the row has fewer fields than the header\n",
        1,
    ),
    "CSV without the key": (
        "pk,age\na,1\n",
        "mockddb: Tab.json: this is not JSON or Ion, and as CSV it has no column sk in its header, the "
        "key of table Tab\n",
        0,
    ),
    "another text": (
        "<html>\n",
        "mockddb: Tab.json: this is not JSON or Ion, and as CSV it has no column pk in its header, the "
        "key of table Tab\n",
        0,
    ),
    "two columns of one name": (
        "pk,sk,pk\na,1,b\n",
        "Tab.json:1:7: two columns have the same name\n"
        "mockddb: Tab.json: everything after line 1 was not read\n",
        0,
    ),
    "a value that Ion has and tables do not": (
        '$ion_1_0 {Item:{pk:"a",sk:1.}}\n$ion_1_0 {Item:{pk:"b",sk:2024-01-01T}}\n',
        "Tab.json:2:27: a timestamp is not a DynamoDB value\n",
        1,
    ),
    "a change without its key": (
        lines({"Metadata": {}, "Keys": A, "NewImage": A}, {"Metadata": {}, "NewImage": B}),
        "Tab.json:2:1: a change has the key of its item, in Keys\n",
        1,
    ),
    "a change to no item": (
        lines({"Metadata": {}, "Keys": A, "NewImage": A}, {"Metadata": {}, "Keys": A, "NewImage": "x"}),
        "Tab.json:2:1: NewImage is not an item\n",
        1,
    ),
    "what stands beside an item": (
        lines({"Item": A, "ConditionExpression": "attribute_exists(pk)"}, {"TableName": "Tab", "Item": B}, {"Item": B}),
        "Tab.json:1:1: a record may only have Item, but this one has ConditionExpression\n"
        "Tab.json:2:1: a record may only have Item, but this one has TableName\n",
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
            equal(ended.stderr, "mockddb: empty: it contains nothing that can be imported\n")
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
            equal((ended.returncode, ended.stderr), (0, "Tab.json: there is no column old, which --types names\n"))
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
                    "invalid: Missing the key sk in the item\n"
                    "model.json: Modelled, provisioned in the model, was made on demand: UpdateTable gives a table "
                    "its units\n",
                ),
            )
            equal((items_of(server, "m-Modelled"), items_of(server, "m-Faceted")), ([B], [A]))
            again = run("import", "--endpoint", server.url, "--table-prefix", "m-", "model.json", folder=folder)
            equal("provisioned" in again.stderr, False)  # its tables were there
            index = server.call("DescribeTable", {"TableName": "m-Modelled"})["Table"][
                "GlobalSecondaryIndexes"
            ][0]
            equal(index["KeySchema"], [{"AttributeName": "s", "KeyType": "HASH"}])
            equal(
                index["Projection"], {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["age"]}
            )
        with report.case("import: provisioned tables of a model are named once"):
            tables = [MODEL["DataModel"][1] | {"TableName": f"Units{i}", "BillingMode": "PROVISIONED"} for i in range(3)]
            (folder / "units.json").write_text(json.dumps(MODEL | {"DataModel": tables}))
            ended = run("import", "--endpoint", server.url, "units.json", folder=folder)
            equal(ended.returncode, 0)
            assert "units.json: Units0 and 2 others, provisioned in the model, were made on demand" in ended.stderr, ended.stderr
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
            (
                MODEL | {"DataModel": [MODEL["DataModel"][0] | {"GlobalSecondaryIndexes": [MODEL["DataModel"][0]["GlobalSecondaryIndexes"][0] | {"IndexName": "g"}]}]},
                "model.json: line 1, column 606: table Modelled: an index is called g: its name has 3 to 255 letters",
            ),
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
        with report.case("POST import: a look writes nothing"):
            kept = items_of(server, "Tab")
            pairs = (("pk", "S"), ("sk", "N"))
            keys = [{"name": name, "type": kind} for name, kind in pairs]
            many = lines(A, {"pk": 1}, B).encode()
            status, answer = post(server, "name=Tab.json.gz&look=true", gzip.compress(many))
            equal((status, answer["items"], answer["refused"], answer["tables_made"]), (200, 2, 1, 0))
            equal((answer["tables"], answer["attributes"][:2]), ([{"name": "Tab", "created": False, "key": ["pk", "sk"]}], keys))
            status, answer = post(server, "name=New.json&look=true", many)
            equal((status, answer["items"], answer["tables"]), (200, 2, [{"name": "New", "created": True, "key": []}]))
            status, answer = post(server, "name=x.csv&look=true", b"pk,sk\na,1\n")
            equal((status, answer["items"], answer["tables"]), (200, 1, [{"name": "x", "created": True, "key": []}]))
            model = json.dumps(MODEL).encode()
            status, answer = post(server, "name=model.json&look=true", model)
            equal((status, answer["items"] > 0), (200, True))
            assert answer["tables"] and all(one["created"] for one in answer["tables"]), answer
            equal((items_of(server, "Tab"), server.call("ListTables", {})["TableNames"]), (kept, ["Tab"]))
            made = post(server, "name=model.json", model)[1]
            equal((made["items"] + made["refused"], made["tables"]), (answer["items"], answer["tables"]))
            equal(post(server, "table=Tab&look=yes", b"")[0], 400)
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
            ("", lines(A).encode(), "which table is it for?"),
            ("table=Tab&key=pk", b"", "--key pk"),
            ("table=Tab&types=x", b"", "types is not"),
            ("x=1", b"", "unknown filter x"),
        ):
            with report.case(f"POST import: {told}"):
                status, answer = post(server, query, body)
                equal(status, 400)
                assert told in json.dumps(answer), answer


if __name__ == "__main__":
    os.environ.setdefault("LANG", "C.UTF-8")
    report = Report()
    forms(report)
    models(report)
    verb(report)
    report.done()
