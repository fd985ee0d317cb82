#!/usr/bin/env python3
"""Ctrl-C of commands that copy: what is said is what is there, the same command resumes, and totals are totals."""

import contextlib
import http.server
import json
import pathlib
import re
import signal
import subprocess
import tempfile
import threading

from e2e import BINARY, PATIENCE, Like, Report, Server, clean_environment, equal, run_program, wait_until

COUNT = 3000
COMPARED = f"Tab: {COUNT} items read back and equal, digest [0-9a-f]{{32}}\n"
TABLE = {
    "TableName": "Tab",
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
}


def items(count):
    return [{"pk": {"S": f"key-{n}"}, "text": {"S": "x" * 200}} for n in range(count)]


@contextlib.contextmanager
def started(*words, stdin=subprocess.DEVNULL):
    """A command that runs; it ends with the block."""
    with subprocess.Popen(
        [BINARY, *map(str, words)],
        env=clean_environment(),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def interrupted(process):
    """Standard output and error of a command that Ctrl-C stops."""
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    equal(process.returncode, 128 + signal.SIGINT)
    return stdout, stderr


def count_in(server):
    return server.call("Scan", {"TableName": "Tab", "Select": "COUNT"})["Count"]


def count_in_file(path):
    ended = run_program([BINARY, "export", "--db", path, "--table", "Tab", "-"])
    return len(ended.stdout.splitlines())


def copied(stdout):
    return int(re.search(r"^(\d+) items ", stdout, re.MULTILINE)[1])


def imports(report, base):
    text = "".join(json.dumps(item) + "\n" for item in items(COUNT))
    again = "these items are there; the same command writes them once more, and the rest\n"
    with Server() as server, report.case("import into a server"):
        server.call("CreateTable", TABLE)
        with started("import", "--endpoint", server.url, "--table", "Tab", "-", stdin=subprocess.PIPE) as process:
            process.stdin.write(text)
            process.stdin.flush()
            wait_until(lambda: count_in(server) > 100)
            # It waits for more on its standard input, or sends what it has: both end at once.
            stdout, stderr = interrupted(process)
        said, there = copied(stdout), count_in(server)
        assert 0 < said <= there < COUNT + 1, (said, there)
        equal(stderr, f"mockddb: interrupted: {again}")
        ended = run_program([BINARY, "import", "--endpoint", server.url, "--table", "Tab", "-"], text)
        equal((ended.returncode, copied(ended.stdout), count_in(server)), (0, COUNT, COUNT))
    with report.case("import into a file: what is said is kept"):
        path = base / "import.db"
        with started("import", "--db", path, "--table", "Tab", "--create", "--key", "pk:S", "-", stdin=subprocess.PIPE) as process:
            process.stdin.write(text)
            process.stdin.flush()  # more than a pipe holds, so it reads when this is done
            stdout, stderr = interrupted(process)
        said = copied(stdout)
        equal((said, stderr), (count_in_file(path) if said else 0, f"mockddb: interrupted: {again}"))
    with report.case("SIGTERM does the same"):
        with started("import", "--db", base / "term.db", "--table", "Tab", "--create", "--key", "pk:S", "-", stdin=subprocess.PIPE) as process:
            process.stdin.write(text)  # more than a pipe holds, so it reads when this is done
            process.stdin.flush()
            process.terminate()
            process.communicate(timeout=PATIENCE)
            equal(process.returncode, 128 + signal.SIGTERM)


def pulls(report, server, base):
    db = base / "pulled.db"
    with report.case("pull into a file resumes, and its total is of both runs"):
        words = ("pull", "--endpoint", server.url, "--db", db, "--rate")
        with started(*words, "200") as process:
            wait_until(pathlib.Path(f"{db}.pull.json").exists)
            stdout, stderr = interrupted(process)
        first = copied(stdout)
        assert 0 < first < COUNT, stdout
        equal(stderr, "mockddb: interrupted: these items are there; the same command resumes with the rest\n")
        equal(count_in_file(db), first)
        ended = run_program([BINARY, *words, "100000"])
        equal((ended.returncode, ended.stdout), (0, Like(f"{COMPARED}{COUNT} items of 1 table into {db}, {first} of them earlier\n")))
        equal(count_in_file(db), COUNT)
    with report.case("push of a file resumes, and its total is of both runs"), Server() as other:
        words = ("push", "--endpoint", other.url, "--db", db, "--rate")
        with started(*words, "200") as process:
            wait_until(pathlib.Path(f"{db}.push.json").exists)
            stdout, _ = interrupted(process)
        first = copied(stdout)
        assert 0 < first < COUNT, stdout
        ended = run_program([BINARY, *words, "100000"])
        equal((ended.returncode, copied(ended.stdout), count_in(other)), (0, COUNT, COUNT))
        assert re.search(r", \d+ of them earlier\n$", ended.stdout), ended.stdout
    with report.case("pull of a fixture begins the table again that was not whole"):
        folder = base / "fixture"
        with started("pull", "--endpoint", server.url, "--rate", "200", folder) as process:
            part = folder / "items/Tab.jsonl.part"
            wait_until(lambda: part.exists() and part.stat().st_size)
            stdout, stderr = interrupted(process)
        assert 0 < copied(stdout) < COUNT and "begins it again" in stderr, (stdout, stderr)
        equal([path.name for path in (folder / "items").iterdir()], [])
        for said in (f"{COUNT} items of Tab\n{COMPARED}", "Tab is there already\n"):
            ended = run_program([BINARY, "pull", "--endpoint", server.url, folder])
            equal((ended.returncode, ended.stdout), (0, Like(said)))


class Hanging(http.server.ThreadingHTTPServer):
    """Describes a table, and answers no Scan before it is closed."""

    def __init__(self):
        self.asked, self.closing = threading.Event(), threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):  # pylint: disable=invalid-name # the library's name
                self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers["X-Amz-Target"].endswith(".Scan"):
                    self.server.asked.set()
                    self.server.closing.wait()
                body = json.dumps({"Table": TABLE}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(body)

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


def exports(report, base):
    server = Hanging()
    try:
        with report.case("export while it waits for an answer"):
            out = base / "out.json"
            out.write_text("mine")
            with started("export", "--endpoint", server.url, "--table", "Tab", out) as process:
                server.asked.wait(PATIENCE)
                stdout, stderr = interrupted(process)
            equal((stdout, out.read_text()), ("", "mine"))
            equal(stderr, "mockddb: interrupted: 0 items were read, and no file was written; the same command begins anew\n")
            equal([path.name for path in base.iterdir() if "part" in path.name], [])
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as folder, Server() as server:
        base = pathlib.Path(folder)
        server.call("CreateTable", TABLE)
        server.put_items("Tab", items(COUNT))
        imports(report, base)
        pulls(report, server, base)
        exports(report, base)
    report.done()


main()
