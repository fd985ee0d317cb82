"""The program's command line: what starts it, what is refused, and in which words."""

import contextlib
import json
import pathlib
import re
import shlex
import shutil
import sqlite3
import subprocess
import urllib.error
import urllib.request
import zlib

from e2e import BINARY, PATIENCE, READY, ROOT, Report, Running, Server, equal, run_program, temporary_folder

TABLE = {
    "TableName": "Kept",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}


def run(*arguments):
    return subprocess.run(
        [BINARY, *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def refused(report, name, arguments, *words):
    """It does not start: nothing on standard output, one line that has these words, status not 0.
    If it did, it would be on a free port; a port among the arguments counts instead."""
    with report.case(f"refused: {name}"):
        serves = arguments[0] != "healthcheck"
        free = ["--port", "0"] if serves and "--port" not in arguments else []
        ended = run(*free, *arguments)
        equal((ended.stdout, ended.returncode > 0), ("", True))
        lines = ended.stderr.strip().splitlines()
        assert len(lines) == 1, f"{len(lines)} lines: {ended.stderr}"
        for word in words:
            assert str(word) in lines[0], f"no {word} in {lines[0]}"


def tls_files(path):
    return ["--tls-cert", path, "--tls-key", path]


def broken_fixture(folder, kind, path):
    """A fixture whose file of that kind leads to `path`."""
    (folder / "tables").mkdir(parents=True)
    (folder / "items").mkdir()
    (folder / "tables/Kept.json").write_text(json.dumps(TABLE))
    file = folder / kind / ("Kept.json" if kind == "tables" else "Kept.jsonl")
    file.unlink(missing_ok=True)
    file.symlink_to(path)
    return folder


def options(report, folder):
    with report.case("--help lists the options and ends well"):
        ended = run("--help")
        equal((ended.returncode, ended.stderr), (0, ""))
        for option in ("--port", "--host", "--db", "--fixtures", "--table-prefix", "--region"):
            assert option in ended.stdout, f"no {option}"
    with report.case("--help behind a command is about that command"):
        ended = run("healthcheck", "--help")
        equal((ended.returncode, ended.stderr), (0, ""))
        assert ended.stdout.startswith("usage: mockddb healthcheck [options]"), ended.stdout
        assert "--wait S" in ended.stdout and "--port" not in ended.stdout, ended.stdout
    subjects = ("doors", "files", "data", "service", "faults", "worlds", "journal", "agents", "local")
    commands = ("serve", "run", "try", "ctl", "import", "export", "push", "pull", "healthcheck", "check-model", "mcp")
    with report.case("--help is a page that names all subjects and commands"):
        page = run("--help").stdout
        equal((run("help").stdout, run("-h").stdout), (page, page))
        assert len(page.splitlines()) <= 62, page
        for word in (*subjects, *commands):
            assert f"\n  {word}" in page, f"no {word} in {page}"
    listed = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", page))
    explained = set()
    for word in (*subjects, *commands):
        with report.case(f"help {word}: examples that can be typed as they are"):
            ended = run("help", word)
            equal((ended.returncode, ended.stderr, run("--help", word).stdout), (0, "", ended.stdout))
            explained |= set(re.findall(r"^  (--?[a-zA-Z][\w-]*)", ended.stdout, re.MULTILINE))
            examples = re.findall(r"^  mockddb (.*)$", ended.stdout, re.MULTILINE)
            assert examples, ended.stdout
            for example in examples:
                given = shlex.split(example)
                named = 0 if given[0].startswith("-") else 1
                read = run(*given[:named], "--help", *given[named:])
                equal((example, read.returncode, read.stderr), (example, 0, ""))
    with report.case("each option that --help names is explained under a subject or command"):
        equal(sorted(listed - explained), [])
    with report.case("help all has all of it"):
        everything = run("help", "all").stdout
        equal([name for name in explained if name not in everything], [])
    with report.case("refused: help about nothing"):
        ended = run("help", "nothing")
        equal((ended.returncode, ended.stdout, len(ended.stderr.splitlines())), (2, "", 1))
    with report.case("--version: version, commit and libraries"):
        lines = run("--version").stdout.splitlines()
        assert re.fullmatch(r"mockddb \d+\.\d+\.\d+", lines[0]), lines
        assert re.fullmatch(r"commit ([0-9a-f]{40}( with changes)?|unknown)", lines[1]), lines
        parts = [part.split(" ") for part in lines[2].removeprefix("libraries ").split(", ")]
        equal([name for name, _ in parts], ["libevent", "SQLite", "OpenSSL", "libyaml", "libdeflate", "zlib", "zstd"])
        assert all(re.match(r"\d+\.\d+", version) for _, version in parts), lines
        equal(len(lines), 3)
    with report.case("--licenses: a text of each part, with every command"):
        text = run("--licenses").stdout
        found = re.findall("^==== (.*) ====$", text, re.MULTILINE)
        equal(found[:8], ["mockddb", "libdeflate", "libevent", "libyaml", "openssl", "sqlite", "zlib", "zstd"])
        for words in ("The mockddb authors", "Niels Provos", "Apache License", "Jean-loup Gailly"):
            assert words in text, words
        equal(run("check", "--licenses").stdout, text)
    refused(report, "an unknown option", ["--prot", "1"], "--prot")
    refused(report, "an option without its value", ["--port"], "--port")
    refused(report, "a port that is no number", ["--port", "80a"], "80a")
    refused(report, "a port out of range", ["--port", "65536"], "65536")
    refused(report, "a size that is none", ["--item-collection-limit", "10XB"], "10XB")
    refused(report, "a size that is too large", ["--item-collection-limit", "9999999999"], "size")
    refused(report, "a throttle that is none", ["--throttle", "always"], "always")
    refused(report, "a stray word", ["stray"], "stray")
    refused(report, "an unknown flag in the old style", ["-prot", "1"], "-prot")
    refused(report, "a fixture that is not there", ["--fixtures", "no-such"], "no-such")
    refused(
        report, "a folder that is not there", ["--db", folder / "no/such.db"], folder / "no/such.db"
    )
    refused(report, "an address of another machine", ["--host", "192.0.2.1"], "192.0.2.1")
    refused(report, "a host that is no name", ["--host", "no such host"], "no such host")
    for endpoint in ("nonsense", "http://", "127.0.0.1:1", "http://127.0.0.1:1"):
        arguments = ["healthcheck", "--endpoint", endpoint]
        refused(report, f"the health of {endpoint}", arguments, endpoint)
    broken = "/proc/self/mem"  # whoever reads its beginning gets an I/O error
    refused(
        report,
        "keys that cannot be read",
        ["--require-signature", broken],
        broken,
        "error",
    )
    refused(report, "a certificate that cannot be read", tls_files(broken), broken)
    refused(
        report, "a database that cannot be read", ["--db", broken], broken, "error"
    )
    refused(
        report,
        "a database on a full device",
        ["--db", "/dev/full"],
        "/dev/full",
        "full",
    )
    refused(report, "a folder as database", ["--db", "/"], "/")
    for kind in ("tables", "items"):
        fixture = broken_fixture(folder / kind, kind, broken)
        refused(
            report,
            f"a file of {kind} that cannot be read",
            ["--fixtures", fixture],
            "error",
        )
    with report.case("refused: help that cannot be printed"), open("/dev/full", "w") as full:
        ended = subprocess.run(
            [BINARY, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
        equal(ended.returncode, 1)
        equal(ended.stderr, "mockddb: standard output cannot be written\n")
    with Server() as server:
        refused(report, "a port in use", ["--port", str(server.port)], server.port)


def own_file(report, folder):
    folder.mkdir()
    with report.case("flags of DynamoDB Local alone: a file in the working folder, and one line says so"):
        for expected in ([], ["Kept"]):
            with Server("-port", "0", "-sharedDb", folder=folder) as server:
                equal(server.call("ListTables", {}), {"TableNames": expected})
                lines = [line for line in server.read_stderr().splitlines() if "mockddb.db" in line]
                equal(len(lines), 1)
                if not expected:
                    server.call("CreateTable", TABLE)
        equal((folder / "mockddb.db").is_file(), True)
    for more in (["-inMemory"], ["--journal", "10"]):
        with report.case(f"no file with {more[0]}"):
            inside = folder / more[0]
            inside.mkdir()
            with Server("-port", "0", "-sharedDb", *more, folder=inside) as server:
                server.call("CreateTable", TABLE)
            equal(list(inside.iterdir()), [])


def state(folder):
    return {file.name: (zlib.crc32(file.read_bytes()), file.stat().st_mtime_ns) for file in folder.iterdir()}


def file_of_local(path, journal="DELETE"):
    """A file as DynamoDB Local leaves one, as far as can be told from outside."""
    made = path.parent / "made"
    made.mkdir()
    with contextlib.closing(sqlite3.connect(made / path.name)) as database:
        database.execute(f"PRAGMA journal_mode = {journal}")
        database.execute("CREATE TABLE dm (TableName TEXT)")
        database.execute("INSERT INTO dm VALUES ('Music')")
        database.commit()
        for file in made.iterdir():  # as they are when it is killed: with its log, if it has one
            shutil.copy(file, path.parent)
    shutil.rmtree(made)
    return state(path.parent)


def files_of_local(report, folder):
    for name in ("shared-local-instance.db", "local_us-east-1.db", "AKIA1_eu-west-3.db"):
        with report.case(f"a file of DynamoDB Local is named as such, and left as it is: {name}"):
            inside = folder / name
            inside.mkdir(parents=True)
            for journal in ("DELETE", "WAL"):
                (inside / name).unlink(missing_ok=True)
                before = file_of_local(inside / name, journal)
                for words in (["--db", inside / name], ["--db", inside / name, "--read-only"]):
                    ended = run("--port", "0", *words)
                    lines = ended.stderr.splitlines()
                    equal((ended.returncode, ended.stdout, len(lines)), (1, "", 1))
                    for word in (inside / name, "DynamoDB Local", "mockddb pull"):
                        assert str(word) in lines[0], lines
                equal(state(inside), before)
    with report.case("beside it a file of our own is kept, and a line says that its tables are not served"):
        inside = folder / "shared-local-instance.db"
        before = (inside / "shared-local-instance.db").read_bytes()
        for words, place in ((["-sharedDb"], inside), (["-dbPath", str(inside)], ROOT)):
            with Server("-port", "0", *words, folder=place) as server:
                equal(server.call("ListTables", {}), {"TableNames": []})
                lines = server.read_stderr().splitlines()
                lines = [line for line in lines if "shared-local-instance.db" in line]
                equal((len(lines), "mockddb pull" in lines[0]), (1, True))
        equal((inside / "shared-local-instance.db").read_bytes(), before)
    with report.case("a file of our own may have such a name"):
        path = folder / "own_us-east-1.db"
        for _ in range(2):
            with Server("--db", str(path)) as server:
                equal(server.call("ListTables", {}), {"TableNames": []})
    with report.case("it is known as ours after a kill, and nobody else opens it meanwhile"):
        path = folder / "killed_us-east-1.db"
        server = Server("-sharedDb", "--db", str(path))
        try:
            server.call("CreateTable", TABLE)
            ended = run("--port", "0", "--db", path)
            equal((ended.returncode, "in use" in ended.stderr), (1, True))
            equal([line for line in server.read_stderr().splitlines() if path.name in line], [])
        finally:
            server.kill()
        with Server("--db", str(path)) as server:
            equal(server.call("ListTables", {}), {"TableNames": ["Kept"]})


def said(report):
    with report.case("an option that is given twice: the last counts, and one line says so"):
        with Server("--region", "eu-west-1", "--region", "eu-west-2") as server:
            server.call("CreateTable", TABLE)
            arn = server.call("DescribeTable", {"TableName": "Kept"})["Table"]["TableArn"]
            equal(arn.split(":")[3], "eu-west-2")
            expected = "mockddb: option --region is given more than once: the last one counts"
            equal(server.read_stderr().splitlines(), [expected])
    with report.case("a variable that looks like an option is named, others are not"):
        variables = {"MOCKDDB_DATA_DIR": "a", "MOCKDDB_URL": "b", "MOCKDDB_WORLD": "c"}
        ended = run_program([BINARY, "run", "--", "true"], **variables)
        lines = [line for line in ended.stderr.splitlines() if "variable" in line]
        equal(lines, ["mockddb: the environment variable MOCKDDB_DATA_DIR is not read: give --data-dir"])
        equal(ended.returncode, 0)


def local_flags(report, folder):
    with report.case("flags of DynamoDB Local, in memory"):
        with Server("-inMemory", "-sharedDb", "-disableTelemetry", "-port", "0") as server:
            equal(server.call("ListTables", {}), {"TableNames": []})
    with report.case("a java command line, and the answer that who started it waits for"):
        line = "-Djava.library.path=./DynamoDBLocal_lib -Xmx256m -jar DynamoDBLocal.jar -inMemory"
        with Server(*line.split(), "-port", "0") as server:
            try:
                status = urllib.request.urlopen(server.url).status
            except urllib.error.HTTPError as error:
                status, text = error.code, error.read()
            equal(status, 400)
            assert b"MissingAuthenticationToken" in text, text
            equal(server.call("ListTables", {}), {"TableNames": []})
    with report.case("the lines that who started it reads its output for"):
        command = [BINARY, "-jar", "DynamoDBLocal.jar", "-inMemory", "-cors", "*", "-port", "0"]
        with Running(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                ready = READY.match(server.stdout.readline())
                said = [server.stdout.readline() for _ in range(7)]
            finally:
                server.terminate()
        equal(
            said,
            [
                "Initializing DynamoDB Local with the following configuration:\n",
                f"Port:\t{ready[1].rsplit(':', 1)[1]}\n",
                "InMemory:\ttrue\n",
                "DbPath:\tnull\n",
                "SharedDb:\ttrue\n",
                "shouldDelayTransientStatuses:\tfalse\n",
                "CorsParams:\t*\n",
            ],
        )
    with report.case("flags of DynamoDB Local, in a folder"):
        for expected in ([], ["Kept"]):
            with Server("-dbPath", str(folder), "-sharedDb") as server:
                equal(server.call("ListTables", {}), {"TableNames": expected})
                if not expected:
                    server.call("CreateTable", TABLE)
    own_file(report, folder / "kept")
    files_of_local(report, folder / "local")
    refused(report, "in memory and in a folder", ["-inMemory", "-dbPath", folder], "-dbPath")


def files(report, folder):
    path = folder / "kept.db"
    with report.case("tables and items are there after a restart"):
        with Server("--db", str(path)) as server:
            server.call("CreateTable", TABLE)
            server.put_items("Kept", [{"pk": {"S": "a"}, "n": {"N": "1"}}])
            before = server.call("DescribeTable", {"TableName": "Kept"})
        with Server("--db", str(path)) as server:
            after = server.call("DescribeTable", {"TableName": "Kept"})
            equal(after["Table"]["TableId"], before["Table"]["TableId"])
            equal(after["Table"]["CreationDateTime"], before["Table"]["CreationDateTime"])
            found = server.call("GetItem", {"TableName": "Kept", "Key": {"pk": {"S": "a"}}})
            equal(found, {"Item": {"pk": {"S": "a"}, "n": {"N": "1"}}})
    with Server("--db", str(path)):
        refused(report, "a file in use", ["--db", path], path)

    text = folder / "notes.txt"
    text.write_text("these are notes, and long enough to look at " * 50)
    refused(report, "a file that is no database", ["--db", text], text)
    foreign = folder / "foreign.db"
    with sqlite3.connect(foreign) as database:
        database.execute("CREATE TABLE other (a)")
    database.close()
    refused(report, "a database that is not ours", ["--db", foreign], foreign)
    newer = folder / "newer.db"
    newer.write_bytes(path.read_bytes())
    with sqlite3.connect(newer) as database:
        database.execute("PRAGMA user_version = 9999")
    database.close()
    refused(report, "a file of a later version", ["--db", newer], newer)
    damaged = folder / "damaged.db"
    content = path.read_bytes()
    damaged.write_bytes(content[: len(content) // 2])
    refused(report, "a damaged file", ["--db", damaged], damaged)
    refused(report, "a folder in place of a file", ["--db", folder], folder)
    with report.case("a refused file is left as it was"):
        assert text.read_text().startswith("these are notes")


def installed(report, folder):
    """Looked up from elsewhere, a fixture's name leads to the install folder."""
    build = pathlib.Path(BINARY).parents[1]
    with report.case("an installed server finds its fixtures"):
        command = ["cmake", "--install", build, "--prefix", folder / "installed"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        program = folder / "installed/bin/mockddb"
        with Server("--fixtures", "ecommerce", binary=program, folder=folder) as server:
            equal(len(server.call("ListTables", {})["TableNames"]), 3)


def main():
    report = Report()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        options(report, folder)
        local_flags(report, folder)
        said(report)
        files(report, folder)
        installed(report, folder)
    report.done()


main()
