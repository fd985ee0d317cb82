"""No call of the server's main thread lasts as long as a file is large, whatever is done with a large world: all other
requests would wait for it. The calls are noted through tests/preload/long_calls.c."""

import http.client
import json
import os
import pathlib

from e2e import BINARY, PATIENCE, Report, Server, temporary_folder, wait_until

FOLDER = pathlib.Path(os.environ.get("MOCKDDB_PRELOADS", pathlib.Path(BINARY).parent))
PRELOAD = FOLDER / "mockddb_long_calls.so"
ITEMS = 60
PAD = 300_000  # bytes of an item: 18 MB in all, and calls from 8 MB on are noted
TABLE = {
    "TableName": "Large",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
}


class Noted:
    """A server whose long calls are noted."""

    def __init__(self, folder, *options):
        self.path = folder / "long_calls"
        os.environ["MOCKDDB_LONG_CALLS"] = str(self.path)
        os.environ["LD_PRELOAD"] = str(PRELOAD)
        os.environ["ASAN_OPTIONS"] = "verify_asan_link_order=0"
        os.environ["TMPDIR"] = str(folder)
        try:
            self.server = Server(*options)
        finally:
            for variable in ("MOCKDDB_LONG_CALLS", "LD_PRELOAD", "ASAN_OPTIONS", "TMPDIR"):
                del os.environ[variable]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.stop()

    def calls(self):
        """Those since the last time."""
        calls = self.path.read_text() if self.path.exists() else ""
        self.path.unlink(missing_ok=True)
        return calls

    def call(self, operation, body, world):
        status, _, answer = self.server.post(operation, body, {"X-Mockddb-World": world})
        assert status == 200, answer
        return json.loads(answer)

    def verb(self, method, path, world=None, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        connection.request(method, f"/_mockddb/{path}", body, {"X-Mockddb-World": world} if world else {})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        assert answer.status == 200, (answer.status, text[:300])
        return text

    def make(self, world):
        self.call("CreateTable", TABLE, world)
        for i in range(ITEMS):
            item = {"pk": {"S": str(i)}, "v": {"S": str(i) + "x" * PAD}}
            self.call("PutItem", {"TableName": "Large", "Item": item}, world)

    def holds(self, world):
        count = self.call("DescribeTable", {"TableName": "Large"}, world)["Table"]["ItemCount"]
        assert count == ITEMS, count


def check(report, noted, name, *verb):
    with report.case(name):
        noted.calls()
        noted.verb(*verb)
        calls = noted.calls()
        assert not calls, calls


def worlds(report, noted, where):
    noted.make("w")
    taking = ("POST", "snapshots/s", "w")
    check(report, noted, f"a snapshot, {where}", *taking)
    check(report, noted, f"a snapshot in the place of another, {where}", *taking)
    check(report, noted, f"a restore, {where}", "POST", "snapshots/s/restore", "w")
    check(report, noted, f"a fork, {where}", "POST", "worlds/f", None, '{"from":"w"}')
    check(report, noted, f"a world from a snapshot, {where}",
          "POST", "worlds/g", None, '{"from":"w","snapshot":"s"}')
    check(report, noted, f"the file of a snapshot, {where}", "GET", "snapshots/s/file", "w")
    loading = ("PUT", "snapshots/t/file", "w", noted.verb("GET", "snapshots/s/file", "w"))
    check(report, noted, f"a snapshot from a file, {where}", *loading)
    check(report, noted, f"a snapshot from a file, in the place of another, {where}", *loading)
    lines = b"".join(b'{"pk":"%d","v":"%s"}\n' % (i, b"x" * 100_000) for i in range(100))
    check(report, noted, f"an import, {where}", "POST", "import?table=Lines&key=pk:S&name=a", "g", lines)
    check(report, noted, f"a snapshot is dropped, {where}", "DELETE", "snapshots/t", "w")
    check(report, noted, f"a world is reset, {where}", "POST", "reset", "g")
    check(report, noted, f"a world is dropped, {where}", "DELETE", "worlds/f")
    noted.holds("w")


def closing(report, folder):
    """A world that is closed since it was idle, and opened again."""
    with Noted(folder, "--data-dir", str(folder / "idle"), "--world-idle-s", "1") as noted:
        with report.case("a world that is idle is closed"):
            noted.make("w")
            noted.verb("POST", "snapshots/s", "w")
            noted.calls()
            wait_until(lambda: b'"name":"w","closed":true' in noted.verb("GET", "worlds"))
            calls = noted.calls()
            assert not calls, calls
        check(report, noted, "a closed world is opened with its snapshots", "GET", "snapshots", "w")
        noted.holds("w")


def main():
    report = Report()
    if not PRELOAD.exists():
        report.skip("long calls", f"{PRELOAD} is missing")
        report.done()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        for inner in ("data", "idle"):
            (folder / inner).mkdir()
        with Noted(folder, "--data-dir", str(folder / "data")) as noted:
            worlds(report, noted, "in files")
        with Noted(folder) as noted:
            worlds(report, noted, "in memory")
        closing(report, folder)
    report.done()


main()
