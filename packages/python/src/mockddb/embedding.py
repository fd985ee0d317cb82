"""A server inside this process: worlds, clock, fault rules and journal as of mockddb.start(), without a program or a
socket."""

import json
import os
import pathlib
from types import TracebackType
from typing import Any, Dict, Optional, Sequence, Tuple, Type, Union
from urllib.parse import urlencode

from .library import Handle, Log
from .program import Error
from .server import PathOrName, begin_worlds, fixture_words
from .transport import Transport
from .world import World

URL = "http://embedded.mockddb.invalid"  # no client gets so far as to look it up
SERVICES = ("dynamodb", "dynamodb-streams")  # as botocore's events name them


def _own(fixture: PathOrName) -> PathOrName:
    """A fixture of this package by its name, else the path."""
    shipped = pathlib.Path(__file__).parent / "share/mockddb/fixtures" / fixture
    return shipped if not os.path.exists(fixture) and (shipped / "tables").is_dir() else fixture


class EmbeddedWorld(World):
    """Tables, clock, fault rules and journal of one name, in an embedded server."""

    def __init__(self, handle: Handle, name: str) -> None:
        super().__init__(URL, name)
        self.port = 0
        self._handle = handle

    @property
    def environment(self) -> Dict[str, str]:
        raise Error("other programs cannot use an embedded server: use mockddb.start()")

    def world(self, name: str) -> "EmbeddedWorld":
        """The world of this name; the first request to it makes it, with the server's fixtures."""
        return EmbeddedWorld(self._handle, name)

    def attach(self, to: Any = None) -> None:
        """Has this world answer a client or resource of boto3 or botocore; or all clients for DynamoDB and its streams
        that a session makes from now on, by default boto3's own session."""
        if to is None:
            import boto3  # pylint: disable=import-outside-toplevel # needed here only

            if boto3.DEFAULT_SESSION is None:
                boto3.setup_default_session()
            to = boto3.DEFAULT_SESSION
        transport = Transport(self._handle, self.name)
        if hasattr(to, "meta"):
            client = getattr(to.meta, "client", to)  # a resource has one
            transport.attach(client.meta.events, client.meta.service_model.service_id.hyphenize())
            return
        for service in SERVICES:
            transport.attach(to.events if hasattr(to, "events") else to.get_component("event_emitter"), service)

    def load(self, *paths: PathOrName) -> None:
        """Puts tables and items of files and of fixtures' folders into the world. Exports in folders need a server."""
        for path in paths:
            folder = pathlib.Path(_own(path))
            if not folder.is_dir():
                self._load_file(folder)
                continue
            if not (folder / "tables").is_dir():
                raise Error(f"{path} is a folder, but no fixture")
            for part in ("tables", "items"):
                for file in sorted((folder / part).glob("*")):
                    self._load_file(file)

    def _load_file(self, path: pathlib.Path) -> None:
        try:
            content = path.read_bytes()
        except OSError as problem:
            raise Error(f"{path}: {problem.strerror}") from None
        try:
            report = json.loads(self._send("POST", f"import?{urlencode({'name': path.name})}", content))
        except Error as problem:
            raise Error(f"{path}: {problem}") from None
        reasons = [report["problem"]] if report.get("problem") else [line["message"] for line in report.get("refusals", ())]
        if reasons:
            raise Error(f"{path}: {reasons[0]}")

    def _of_name(self, name: str) -> World:
        return self.world(name)

    def _exchange(self, method: str, path: str, body: Optional[bytes]) -> Tuple[int, bytes]:
        return self._handle.verb(self.name, method, path, body)

    def _prepare(self, made: Any) -> None:
        self.attach(made)


class Embedded(EmbeddedWorld):
    """An embedded server. Its own tables, clock and so on are those of its first world, `default`."""

    @property
    def pid(self) -> int:
        return os.getpid()

    def stop(self) -> None:
        """Ends the server; the process's end does so, too."""
        self._handle.close()

    def __enter__(self) -> "Embedded":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.stop()


def embedded(
    *,
    fixtures: Sequence[PathOrName] = (),
    tables: Sequence[Union[Dict[str, Any], PathOrName]] = (),
    args: Sequence[str] = (),
    library: Optional[PathOrName] = None,
    log: Optional[Log] = None,
) -> Embedded:
    """Starts a server in this process.

    fixtures, tables and args are those of start(), without options that only a program has: sockets, --worlds,
    --workers, --store, --fail-on. library: the path of libmockddb, else MOCKDDB_LIBRARY, else the package's own. log
    gets each line that a server would write to standard error; without it, they are dropped."""
    with fixture_words([_own(fixture) for fixture in fixtures], tables) as (words, made):
        server = Embedded(Handle([*words, *args], library, log), "default")
        if made:
            begin_worlds(server)
    return server
