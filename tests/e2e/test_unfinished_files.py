"""What a killed server had not finished writing into --data-dir goes at the next start; all else
stays."""

import pathlib
import shutil
import socket

from admin import must
from e2e import Report, Server, equal, temporary_folder, wait_until

UNFINISHED = {
    "world.default.db.new",
    "world.default.db.new-journal",
    "world._41_2eb.db.new",
    "world.gone.db.new-wal",
    "snapshot.default._53.mockddb.part",
    "snapshot._41_2eb.s.mockddb.part.new",
    "snapshot._41_2eb.s.mockddb.part.new-journal",
    "temporary.aB3xyZ.mockddb",
    "temporary.aB3xyZ.mockddb.part",
    "temporary.aB3xyZ.mockddb.part.new",
    "temporary.aB3xyZ.mockddb.part.new-journal",
}
OTHERS = {
    "notes.new",
    "notes.part",
    "world.notes.new",
    "world.A.db.new",  # no name is encoded like this
    "world.default.db.newer",
    "world.default.db.new.bak",
    "snapshot.one.mockddb.part",
    "snapshot.a.b.c.mockddb.part",
    "snapshot.default.s.part",
    "temporary.notes.mockddb",
    "temporary.no-dot.mockddb",
    "temporary.aB3xyZ.mockddb.old",
    "temporary.aB3xyZ",
    "mockddb.config",
}


def leave(data):
    for name in UNFINISHED | OTHERS:
        (data / name).write_bytes(b"SELECT 1")


def left(data):
    return {path.name for path in data.iterdir()} & (UNFINISHED | OTHERS)


def requests_files(data):
    return {path.name for path in data.glob("temporary.*")} - OTHERS


def kill_while_it_receives(data, *options):
    """Ends a server in the middle of a snapshot's file that somebody sends; returns its files."""
    server = Server(*options)
    try:
        with socket.create_connection(("127.0.0.1", server.port)) as sender:
            sender.sendall(
                b"PUT /_mockddb/snapshots/sent/file HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                b"Content-Length: 1000000\r\n\r\n" + bytes(1000)
            )
            wait_until(lambda: requests_files(data))
            server.kill()  # before the connection ends, which removes the file
    finally:
        server.kill()
    return requests_files(data)


def main():
    report = Report()
    with temporary_folder() as folder:
        data = pathlib.Path(folder, "data")
        options = ("--data-dir", str(data))
        with Server(*options) as server:
            must(server, "POST", "worlds/A.b")
            must(server, "POST", "snapshots/S")
        shutil.copy(data / "world._41_2eb.db", data / "world._41_2eb.db.next")
        kept = {path.name for path in data.iterdir()}
        leave(data)
        with report.case("nothing is removed with --read-only"):
            with Server(*options, "--read-only"):
                equal(left(data), UNFINISHED | OTHERS)
        with report.case("nothing is removed where the first world's file is elsewhere"):
            with Server(*options, "--db", f"{folder}/first.db"):
                equal(left(data), UNFINISHED | OTHERS)
        with Server(*options) as server:
            with report.case("copies that were not finished are removed, and nothing else"):
                equal(left(data), OTHERS)
            with report.case("what is whole stays, also before it has its name"):
                equal(kept - {path.name for path in data.iterdir()}, set())
                equal([s["name"] for s in must(server, "GET", "snapshots")["snapshots"]], ["S"])
                must(server, "POST", "reset", x_mockddb_world="A.b")
                equal((data / "world._41_2eb.db.next").exists(), False)
            leave(data)
            with report.case("a start that is refused removes nothing of the server that runs"):
                try:
                    Server(*options).kill()
                except RuntimeError as error:
                    assert "is in use by another process or handle" in str(error), error
                else:
                    raise AssertionError("two servers share a folder")
                equal(left(data), UNFINISHED | OTHERS)
        with report.case("a file that was being received when the server was killed is removed"):
            equal(len(kill_while_it_receives(data, *options)), 1)
            with Server(*options):
                equal(requests_files(data), set())
    report.done()


main()
