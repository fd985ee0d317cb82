"""A server whose requests all wait for the disk sleeps: others are served at once, and what waited gets its
answer when the disk is done. The disk is slow through tests/preload/slow_disk.c."""

import http.client
import json
import os
import pathlib
import select
import time
import urllib.request

from e2e import BINARY, HEADERS, PATIENCE, Report, Server, equal, temporary_folder, wait_until
from mcp_kit import ALL, Mcp, call_of, text_of

FOLDER = pathlib.Path(os.environ.get("MOCKDDB_PRELOADS", pathlib.Path(BINARY).parent))
PRELOAD = FOLDER / "mockddb_slow_disk.so"
WATCHED = 3  # seconds, in which a server that does not sleep works for a second or more also on a busy machine
MOST = 0.3  # seconds of them that it may work
TABLE = {
    "TableName": "Items",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
}


class Disk:
    """A FIFO, which holds up each sync that begins while it is there."""

    def __init__(self, folder, server):
        self.path = folder / "disk"
        self.server = server
        self.threads = self.count()

    def count(self):
        return len(os.listdir(f"/proc/{self.server.process.pid}/task"))

    def __enter__(self):
        os.mkfifo(self.path)
        return self

    def is_asked(self):
        return self.count() > self.threads

    def release(self):
        """Those who wait on, and nobody else."""
        end = os.open(self.path, os.O_RDWR)
        self.path.unlink()
        wait_until(lambda: not self.is_asked())
        os.close(end)

    def __exit__(self, *_):
        if self.path.exists():
            self.release()


def start(folder, data, *options):
    os.environ["MOCKDDB_SLOW_DISK"] = str(folder / "disk")
    os.environ["LD_PRELOAD"] = str(PRELOAD)
    os.environ["ASAN_OPTIONS"] = "verify_asan_link_order=0"
    try:
        return Server("--data-dir", str(data), *options)
    finally:
        for variable in ("MOCKDDB_SLOW_DISK", "LD_PRELOAD", "ASAN_OPTIONS"):
            del os.environ[variable]


def begin(server, path="/", body=None, method="POST", **headers):
    """Sends a request, and does not wait for the answer. `body`: bytes, or what becomes JSON."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    sent = body if isinstance(body, bytes) else json.dumps(body if body is not None else {})
    connection.request(method, path, sent, {**HEADERS, **names})
    return connection


def end(connection):
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, json.loads(text) if text else None


def check(report, folder, server, name, *asked):
    """`asked`: what is sent; all of it waits for the disk, or for what does."""
    with report.case(name), Disk(folder, server) as disk:
        begun = [begin(server, **one) for one in asked]
        sockets = [one.sock for one in begun]
        wait_until(lambda: disk.is_asked() or select.select(sockets, [], [], 0)[0])
        assert disk.is_asked(), "it was answered before the disk was"
        server.call("PutItem", {"TableName": "Items", "Item": {"pk": {"S": "other"}}})
        before = server.processor_seconds()
        time.sleep(WATCHED)
        worked = server.processor_seconds() - before
        server.call("PutItem", {"TableName": "Items", "Item": {"pk": {"S": "another"}}})
        disk.release()
        for one in begun:
            status, answer = end(one)
            assert status == 200, answer
        assert worked < MOST, f"worked {worked} s of {WATCHED} s"


def check_agents(report, folder, data):
    """A tool's call ends after its time, and its work as well, as soon as it does not wait for the disk any more."""
    data.mkdir()
    token = folder / "token"
    with start(folder, data, "--mcp", str(token), "--mcp-tools", ALL, "--mcp-seconds", "1") as server:
        server.call("CreateTable", TABLE)
        message = call_of("worlds", {"action": "fork", "name": "late"}, stateless=False)
        over_http = {"path": "/_mockddb/mcp", "body": message, "Authorization": f"Bearer {token.read_text().strip()}"}
        with report.case("a call of a tool over HTTP, whose time is over"), Disk(folder, server) as disk:
            begun = begin(server, **over_http)
            wait_until(disk.is_asked)
            time.sleep(1.1)
            disk.release()
            result = end(begun)[1]["result"]
            assert "all the time that one call has" in text_of(result), text_of(result)
        with Mcp("--endpoint", server.url, "--mcp-seconds", "1") as mcp:
            with report.case("its world was not made"):
                names = [world["name"] for world in mcp.call("worlds")["structuredContent"]["data"]["worlds"]]
                equal(names, ["default"])
            with report.case("a call on standard input and output ends while the disk is still busy"), Disk(folder, server) as disk:
                result = mcp.call("worlds", action="fork", name="late")
                assert disk.is_asked() and "all the time that one call has" in text_of(result), text_of(result)
            with report.case("the next one is answered"):
                equal(mcp.call("worlds", action="fork", name="next")["structuredContent"]["world"], "agent-next")


def main():
    report = Report()
    if not PRELOAD.exists():
        report.skip("a slow disk", f"there is no {PRELOAD}")
        report.done()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        data = folder / "data"
        data.mkdir()
        with start(folder, data) as server:
            server.call("CreateTable", TABLE)
            world = {"X_Mockddb_World": "a"}
            listing = {"X_Amz_Target": "DynamoDB_20120810.ListTables"}
            check(report, folder, server, "first requests to a new world", *[{**world, **listing}] * 3)
            taking = {"path": "/_mockddb/snapshots/s", **world}
            check(report, folder, server, "a snapshot, and requests to its world", taking, {**world, **listing})
            check(report, folder, server, "a snapshot in the place of another", taking)
            restoring = {"path": "/_mockddb/snapshots/s/restore", **world}
            check(report, folder, server, "a restore, and requests to its world", restoring, {**world, **listing})
            asked = urllib.request.Request(f"{server.url}{taking['path']}/file", headers={"X-Mockddb-World": "a"})
            with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
                loading = {"path": "/_mockddb/snapshots/t/file", "method": "PUT", "body": answer.read(), **world}
            check(report, folder, server, "a snapshot from a file", loading)
            loading["X_Mockddb_World"] = "new"
            check(report, folder, server, "a file for a world that is made for it", loading)
            forking = {"path": "/_mockddb/worlds/b", "body": {"from": "a"}}
            check(report, folder, server, "a fork", forking)
            check(report, folder, server, "a reset", {"path": "/_mockddb/reset", **world})
        check_agents(report, folder, folder / "agents")
    report.done()


main()
