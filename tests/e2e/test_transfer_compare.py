"""Items that push, pull and import have moved are read back: the digests are equal in memory, in files, in PostgreSQL and in
fixtures, and an item that a target has changed or lost is found."""

import contextlib
import http.client
import http.server
import json
import pathlib
import re
import threading
import time
import urllib.request

import postgres
from e2e import BINARY, PATIENCE, Like, Report, Server, equal, run_program, temporary_folder
from transfer_kit import EQUAL, KEY, SCHEMA, lines, run

COUNT = 300  # of 8 KB: three pages, and more than one BatchGetItem
# One item, written in two ways.
ODD = (
    '{"pk":{"S":"odd"},"sk":{"N":"1"},"n":{"N":"10"},"set":{"NS":["2","1"]},"m":{"M":{"a":{"S":"\\u00e9"},"b":{"L":[{"M":{}}]}}}}\n'
    '{"m":{"M":{"b":{"L":[{"M":{}}]},"a":{"S":"é"}}},"set":{"NS":["1.0","20e-1"]},"sk":{"N":"1.0"},"n":{"N":"1e1"},"pk":{"S":"odd"}}\n'
).splitlines(keepends=True)


def plain(count):
    return lines(*({"pk": {"S": f"key-{n % 7}"}, "sk": {"N": str(n)}, "b": {"B": "AAEC"}, "text": {"S": "x" * 8000}} for n in range(count)))


class Proxy:
    """Passes requests on to a server. `change` gets the operation and the body, and returns the body to send."""

    def __init__(self, server, change):
        proxy = self
        self.operations = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):  # pylint: disable=invalid-name # the library's name
                body = self.rfile.read(int(self.headers["Content-Length"]))
                operation = self.headers.get("X-Amz-Target", "").rpartition(".")[2]
                proxy.operations.append(operation)
                headers = {name: value for name, value in self.headers.items() if name.lower() not in ("content-length", "host")}
                to = http.client.HTTPConnection("127.0.0.1", server.port)
                with contextlib.closing(to):
                    to.request("POST", self.path, change(operation, body), headers)
                    answer = to.getresponse()
                    text = answer.read()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):  # quiet
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def digest_of(stdout):
    return re.search(r"digest ([0-9a-f]{32})\n", stdout)[1]


@contextlib.contextmanager
def targets(report, folder):
    """A server for each kind of store, by its name, and the URL of another schema if PostgreSQL is there."""
    fresh = None
    with contextlib.ExitStack() as stack:
        servers = {"memory": stack.enter_context(Server()), "a file": stack.enter_context(Server("--db", str(folder / "served.db")))}
        if postgres.binaries():
            cluster = stack.enter_context(postgres.Cluster())
            fresh = cluster.url("fresh")
            for url in (cluster.url("moved"), fresh):
                equal(run_program([BINARY, "store", "init", url]).returncode, 0)
            servers["PostgreSQL"] = stack.enter_context(Server("--store", cluster.url("moved")))
        else:
            report.lack("copies to and from PostgreSQL", "there is no PostgreSQL server (scripts/setup installs it)")
        yield servers, fresh


def directions(report):
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        first, second = folder / "first.db", folder / "second.db"
        (folder / "schema.json").write_text(json.dumps(SCHEMA))
        for db, odd in ((first, ODD[0]), (second, ODD[1])):
            (folder / "Tab.jsonl").write_text(odd + plain(COUNT))
            equal(run("import", "--db", db, folder / "schema.json", folder / "Tab.jsonl").returncode, 0)
        line = EQUAL.format("Tab", COUNT + 1)
        digests = set()
        with targets(report, folder) as (servers, fresh):
            for kind, server in servers.items():
                at = ("--endpoint", server.url)
                with report.case(f"push of a file into {kind}, and of another file with equal items: one digest"):
                    for db in (first, second):
                        ended = run("push", *at, "--db", db)
                        equal((ended.returncode, ended.stderr), (0, ""))
                        equal(ended.stdout, Like(f"{line}{COUNT + 1} items of 1 table into {server.url}\n"))
                        digests.add(digest_of(ended.stdout))
                with report.case(f"pull from {kind} into a file and into a fixture, and push of the fixture: the same"):
                    pulled = folder / f"pulled-{server.port}"
                    for words in (("pull", "--db", f"{pulled}.db"), ("pull", pulled), ("push", pulled), ("import", "--compare", pulled)):
                        ended = run(*words, *at)
                        equal((ended.returncode, ended.stderr, ended.stdout.count(f"{COUNT + 1} items read back and equal")), (0, "", 1))
                        digests.add(digest_of(ended.stdout))
            for kind, server in servers.items():
                with report.case(f"a snapshot's file is pushed to {kind}: the same, and the file stays as it was"):
                    base = f"{servers['memory'].url}/_mockddb/snapshots/taken"
                    taken = folder / "taken.mockddb"
                    urllib.request.urlopen(urllib.request.Request(base, method="POST"), timeout=PATIENCE).close()
                    with urllib.request.urlopen(f"{base}/file", timeout=PATIENCE) as answer:
                        taken.write_bytes(answer.read())
                    before = taken.read_bytes()
                    ended = run("push", "--endpoint", server.url, "--db", taken)
                    equal((ended.returncode, ended.stderr, taken.read_bytes() == before), (0, "", True))
                    digests.add(digest_of(ended.stdout))
            with report.case("a server that begins with the fixture: the same"):
                where = ("--store", fresh) if fresh else ("--db", str(folder / "fresh.db"))
                with Server(*where, "--fixtures", str(folder / f"pulled-{servers['memory'].port}")) as server:
                    ended = run("pull", "--endpoint", server.url, "--db", folder / "from-fixture.db")
                    equal((ended.returncode, ended.stderr), (0, ""))
                    digests.add(digest_of(ended.stdout))
            with report.case("all digests are equal"):
                equal(len(digests), 1)
            for kind, server in servers.items():
                with report.case(f"{kind}: a table with other items: only what was sent is compared"):
                    item = {"pk": {"S": "other"}, "sk": {"N": "1"}}
                    server.call("PutItem", {"TableName": "Tab", "Item": item})
                    ended = run("push", "--endpoint", server.url, "--db", first)
                    equal((ended.returncode, digest_of(ended.stdout) in digests), (0, True))
                    ended = run("pull", "--endpoint", server.url, "--db", folder / f"more-{server.port}.db")
                    equal((ended.returncode, digest_of(ended.stdout) in digests), (0, False))


def corrupted(report):
    """Each row: what the target does to a BatchWriteItem, and what is said."""
    as_sent = "the item with the key {} is not in {} as it was sent"
    key = '{"pk":{"S":"a"},"sk":{"N":"1"}}'
    rows = (
        ("a value is changed", lambda body: body.replace(b'"good"', b'"goof"'), as_sent),
        ("a number is changed in its last digit", lambda body: body.replace(b"34567890123456789012345678901234567891", b"34567890123456789012345678901234567892"), as_sent),
        ("a nested attribute is lost", lambda body: body.replace(b'"in":{"BOOL":true}', b""), as_sent),
        ("an item is lost", lambda body: body.replace(b'{"S":"a"}', b'{"S":"z"}'), "the item with the key {} was sent and is not in {}"),
    )
    item = '{"pk":{"S":"a"},"sk":{"N":"1"},"s":{"S":"good"},"n":{"N":"34567890123456789012345678901234567891"},"m":{"M":{"in":{"BOOL":true}}}}\n'
    with temporary_folder() as name, Server() as server:
        folder = pathlib.Path(name)
        (folder / "Tab.jsonl").write_text(item + lines({"pk": {"S": "b"}, "sk": {"N": "2"}}))
        (folder / "schema.json").write_text(json.dumps(SCHEMA))
        files = (folder / "schema.json", folder / "Tab.jsonl")
        equal(run("import", "--db", folder / "t.db", *files).returncode, 0)
        for about, change, said in rows:
            with Proxy(server, lambda operation, body, change=change: change(body) if operation == "BatchWriteItem" else body) as proxy:
                words = ("--endpoint", proxy.url)
                expected = f"Tab: {said.format(key, proxy.url)}"
                with report.case(f"push of a file of tables: {about}"):
                    for _ in range(2):  # the progress does not pass the page
                        ended = run("push", *words, "--db", folder / "t.db")
                        equal((ended.returncode, ended.stderr), (1, f"mockddb: {expected}\n"))
                    (folder / "t.db.push.json").unlink(missing_ok=True)
                for command in (("push",), ("import", "--compare")):
                    with report.case(f"{' '.join(command)} of files: {about}"):
                        ended = run(*command, *words, *files)
                        equal((ended.returncode, ended.stderr), (1, f"mockddb: {files[1]}: {expected}\n"))
                with report.case(f"--no-compare: {about}, and nothing is read"):
                    proxy.operations.clear()
                    ended = run("push", *words, "--no-compare", "--db", folder / "t.db")
                    equal((ended.returncode, ended.stderr, ended.stdout), (0, "", f"2 items of 1 table into {proxy.url}\n"))
                    equal("BatchGetItem" in proxy.operations, False)
                server.call("DeleteTable", {"TableName": "Tab"})
        with report.case("a target that does not let items be read says so"):
            with Proxy(server, lambda operation, body: b"{}" if operation == "BatchGetItem" else body) as proxy:
                ended = run("push", "--endpoint", proxy.url, "--db", folder / "t.db")
                said = "mockddb: Tab: its items were not read back to compare them: BatchGetItem: ValidationException: .*\n"
                equal((ended.returncode, ended.stderr), (1, Like(said)))


def changed_on_their_way(report):
    with temporary_folder() as name, Server() as server:
        folder = pathlib.Path(name)
        at = ("import", "--compare", "--endpoint", server.url)
        with report.case("masked items are compared with what was sent"):
            (folder / "rules.json").write_text('{"salt": "a secret text that is long", "rules": [{"attribute": "s", "do": "drop"}]}')
            text = lines(*({"pk": {"S": "a"}, "sk": {"N": str(n)}, "s": {"S": "secret"}} for n in range(40)))
            ended = run(*at, "--mask", folder / "rules.json", "--table", "Masked", *KEY, "-", stdin=text)
            equal((ended.returncode, ended.stderr), (0, ""))
            equal(ended.stdout.splitlines()[-1] + "\n", Like(EQUAL.format(server.url, 40)))
        with report.case("CSV with types, items with one key, the last of which counts"):
            rows = "".join(f"{n % 5},{n},{n}\n" for n in range(100))
            ended = run(*at, "--table", "Csv", "--create", "--key", "pk:S", "--types", "n=N", "-", stdin="pk,n,s\n" + rows)
            equal((ended.returncode, ended.stdout.splitlines()[-1] + "\n"), (0, Like(EQUAL.format(server.url, 100))))
            equal(server.call("Scan", {"TableName": "Csv", "Select": "COUNT"})["Count"], 5)
        with report.case("items that the table deletes since their time to live is over are not missing"):
            server.call("CreateTable", SCHEMA | {"TableName": "Ttl"})
            server.call("UpdateTimeToLive", {"TableName": "Ttl", "TimeToLiveSpecification": {"AttributeName": "due", "Enabled": True}})
            over = {"pk": {"S": "over"}, "sk": {"N": "1"}}
            text = lines(over | {"due": {"N": str(int(time.time()) - 60)}}, {"pk": {"S": "kept"}, "sk": {"N": "1"}})

            def delete_first(operation, body):
                if operation == "BatchGetItem":
                    server.call("DeleteItem", {"TableName": "Ttl", "Key": over})
                return body

            with Proxy(server, delete_first) as proxy:
                ended = run("import", "--compare", "--endpoint", proxy.url, "--table", "Ttl", "-", stdin=text)
                equal((ended.returncode, ended.stdout.splitlines()[-1] + "\n"), (0, Like(EQUAL.format(proxy.url, 1))))
        with report.case("an item that is refused is not compared"):
            ended = run(*at, "--table", "Masked", "-", stdin=lines({"pk": {"S": "a"}, "sk": {"S": "1"}}, {"pk": {"S": "c"}, "sk": {"N": "1"}}))
            equal((ended.returncode, ended.stdout.splitlines()[-1] + "\n"), (1, Like(EQUAL.format(server.url, 1))))


def main():
    report = Report()
    directions(report)
    corrupted(report)
    changed_on_their_way(report)
    report.done()


if __name__ == "__main__":
    main()
