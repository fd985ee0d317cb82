"""What the commands for items write to: no file that is read is written over, a file is there once
it is whole, a device or a pipe stays one, and half a file is never left."""

import json
import os
import pathlib
import stat
import subprocess
import tempfile

from e2e import BINARY, ROOT, Report, Server, clean_environment, equal, run_program

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
    with tempfile.TemporaryDirectory() as name:
        folder = made(pathlib.Path(name))
        (folder / "link.json").symlink_to("items.json")
        os.link(folder / "t.db", folder / "t2.db")
        before = texts(folder)
        used = "mockddb: --errors {}: that file is used, and would be written over\n"
        exported = "mockddb: t.db is what is exported: it would be written over\n"
        both = "mockddb: n.json: the items and what makes the table need a file each\n"
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
    with tempfile.TemporaryDirectory() as name, Server() as server:
        folder = made(pathlib.Path(name))
        export = ("export", "--db", "t.db", "--table", "Tab")
        with report.case("export: a pipe stays a pipe"):
            os.mkfifo(folder / "pipe")
            with subprocess.Popen(["cat", folder / "pipe"], stdout=subprocess.PIPE, text=True) as reader:
                equal(run(folder, *export, "pipe").returncode, 0)
                equal(reader.communicate(timeout=20)[0], LINE)
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
                told = "mockddb: a fixture is a folder, which standard output is not\n"
                equal((ended.returncode, ended.stderr), (1, told))
                equal((folder / "-").exists(), False)


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


def unreadable(report):
    with tempfile.TemporaryDirectory() as name:
        folder = made(pathlib.Path(name))
        for mark, order in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
            with report.case(f"import: {order}"):
                (folder / "wide.json").write_bytes(mark + LINE.encode(order))
                ended = run(folder, "import", "--db", "t.db", "--table", "Tab", "wide.json")
                told = "mockddb: wide.json: this is UTF-16, as Windows PowerShell writes it: save it as UTF-8\n"
                equal((ended.returncode, ended.stderr), (1, told))
        with report.case("import: a line of more than 16 MB"):
            with open(folder / "long.jsonl", "w") as out:
                out.write('{"pk": "b"}\n{"pk": "c", "x": "' + "x" * (17 << 20) + '"}\n{"pk": "d"}\n')
            ended = run(folder, "import", "--db", "t.db", "--table", "Tab", "long.jsonl")
            equal(ended.stderr, "long.jsonl:2:1: it has more than 16 MB\n"
                  "mockddb: long.jsonl: what stands behind line 2 was not read\n")
            equal(ended.returncode, 1)


if __name__ == "__main__":
    report = Report()
    written_over(report)
    places(report)
    either(report)
    unreadable(report)
    report.done()
