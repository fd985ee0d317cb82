"""Starting a server, which ends with the process that started it."""

import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
from types import TracebackType
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Type, Union

from .program import Error, find_program, last_line
from .world import World

READY = "mockddb listening on "
PATIENCE = 30  # seconds that a server has for ending before it is killed

PathOrName = Union[str, "os.PathLike[str]"]


class Server(World):
    """A running server. Its own tables, clock and so on are those of its first world, `default`."""

    def __init__(self, process: "subprocess.Popen[str]", url: str, log: Any) -> None:
        super().__init__(url, "default")
        self._process = process
        self._log = log

    @property
    def pid(self) -> int:
        return self._process.pid

    def world(self, name: str) -> World:
        """The world of this name; the first request to it makes it, with the server's fixtures."""
        return World(self.url, name)

    def end(self) -> Tuple[int, str]:
        """Ends the server. Returns its exit status and what it wrote to standard error."""
        if self._process.stdin and self._process.stdout:
            self._process.stdin.close()
            self._process.stdout.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.seek(0)  # only now: while the server runs, it writes at this position
        with self._log:
            return self._process.returncode, self._log.read()

    def stop(self) -> None:
        """Ends the server. An exit status that is not 0, such as after a broken --fail-on, is an Error."""
        if self._log.closed:
            return
        status, messages = self.end()
        if status:
            raise Error(f"mockddb ended with status {status}: {last_line(messages)}")

    def __enter__(self) -> "Server":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            self.stop()
        except Error:
            if kind is None:  # else the error that ended the block is the one to see
                raise


@contextlib.contextmanager
def fixture_of(tables: Sequence[Union[Dict[str, Any], PathOrName]]) -> Iterator[Optional[str]]:
    """A fixture's folder with these tables while it is needed; None for none. A table is the input of CreateTable, or
    a JSON file with one or a list of them."""
    if not tables:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="mockddb-") as folder:
        inside = pathlib.Path(folder, "tables")
        inside.mkdir()
        for given in tables:
            for table in [given] if isinstance(given, dict) else _tables_in(given):
                name = table.get("TableName", table.get("Table", {}).get("TableName"))
                if not isinstance(name, str) or "/" in name or (inside / f"{name}.json").exists():
                    raise Error(f"tables: {name!r} is no name of a table, or is given twice")
                (inside / f"{name}.json").write_text(json.dumps(table), encoding="utf-8")
        yield folder


def _tables_in(path: PathOrName) -> Sequence[Dict[str, Any]]:
    try:
        found = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise Error(f"tables: {os.fspath(path)}: {getattr(problem, 'strerror', None) or problem}") from None
    found = found if isinstance(found, list) else [found]
    if not all(isinstance(table, dict) for table in found):
        raise Error(f"tables: {os.fspath(path)} has something that is not the input of CreateTable")
    return found


@contextlib.contextmanager
def fixture_words(
    fixtures: Sequence[PathOrName], tables: Sequence[Union[Dict[str, Any], PathOrName]]
) -> Iterator[Tuple[List[str], bool]]:
    """The words of --fixtures for these, and whether they name a folder that only exists meanwhile (begin_worlds)."""
    with fixture_of(tables) as made:
        given = [*fixtures, *([made] if made else [])]
        yield [word for fixture in given for word in ("--fixtures", os.fspath(fixture))], made is not None


def begin_worlds(server: Any) -> None:
    """Has a server read its fixtures for the last time: it does when the second world is made."""
    first = server.world("mockddb-first")
    first.reset()
    first.drop()


def start(
    *,
    fixtures: Sequence[PathOrName] = (),
    tables: Sequence[Union[Dict[str, Any], PathOrName]] = (),
    args: Sequence[str] = (),
    port: int = 0,
    folder: Optional[PathOrName] = None,
) -> Server:
    """Starts a server on this port (0: a free one) in this folder (the present one), and waits until it is ready.

    fixtures: what --fixtures takes. tables: inputs of CreateTable, or JSON files that have them. args: more options of
    `mockddb serve`. Each world begins with all of these tables. The server ends with this process, however it ends."""
    with fixture_words(fixtures, tables) as (more, made):
        words = [find_program(), "--until-eof", "--port", str(port), "--worlds", "by-access-key", *more]
        log = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        try:
            process = subprocess.Popen(
                [*words, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, cwd=folder
            )
        except OSError as problem:
            log.close()
            raise Error(f"{words[0]} cannot be started: {problem.strerror}") from None
        line = process.stdout.readline() if process.stdout else ""
        server = Server(process, line[len(READY) :].strip(), log)
        if not line.startswith(READY):
            status, messages = server.end()
            raise Error(f"mockddb did not start (status {status}): {last_line(messages)}")
        if made:
            begin_worlds(server)
    return server
