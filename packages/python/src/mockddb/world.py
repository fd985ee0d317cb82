"""A world: its own tables, clock, fault rules and journal on a server that others use at the same time."""

import datetime
import http.client
import json
import os
import subprocess
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union
from urllib.parse import quote, urlencode, urlsplit

from .program import Error, find_program, first_line

WORLD_HEADER = "x-mockddb-world"
START = "mockddb-start"  # the snapshot that set_start() takes

Moment = Union[str, int, datetime.datetime]
Duration = Union[str, int, datetime.timedelta]


class Credentials(NamedTuple):
    """Made-up keys. The access key is the world's name."""

    access_key_id: str
    secret_access_key: str


def _region() -> str:
    return os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"


def _moment(value: Moment) -> Union[str, int]:
    """A moment as verbs take it: text, or milliseconds since 1970."""
    if not isinstance(value, datetime.datetime):
        return value
    if value.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone: give tzinfo=datetime.timezone.utc")
    return round(value.timestamp() * 1000)


class Clock:
    """The world's time."""

    def __init__(self, world: "World") -> None:
        self._world = world

    def state(self) -> Dict[str, Any]:
        """The members now, now_ms, frozen and rate."""
        return self._world.verb("GET", "clock")

    def now(self) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(self.state()["now_ms"] / 1000, datetime.timezone.utc)

    def freeze(self, at: Optional[Moment] = None) -> None:
        """Stops the clock at that moment, or now."""
        self._world.verb("POST", "clock", {"freeze": True if at is None else _moment(at)})

    def advance(self, by: Duration) -> None:
        """Moves the clock on ("36h", milliseconds, a timedelta). Does what falls due on the way before it returns."""
        if isinstance(by, datetime.timedelta):
            by = round(by.total_seconds() * 1000)
        self._world.verb("POST", "clock", {"advance": by})

    def set(self, to: Moment) -> None:
        """Changes the time without doing what falls due in between."""
        self._world.verb("POST", "clock", {"set": _moment(to)})

    def rate(self, times: float) -> None:
        """The clock runs this many times as fast as real time."""
        self._world.verb("POST", "clock", {"rate": times})

    def resume(self) -> None:
        self._world.verb("POST", "clock", {"resume": True})

    def real(self) -> None:
        """The clock is the system's again."""
        self._world.verb("POST", "clock", {"real": True})


class Faults:
    """The world's fault rules (docs/faults.md)."""

    def __init__(self, world: "World") -> None:
        self._world = world

    def add(self, *rules: Dict[str, Any], **rule: Any) -> List[Dict[str, Any]]:
        """Adds rules, as dicts or one as arguments: add(operation="PutItem", times=1, error="ThrottlingException").
        The member `from` may be written from_. Returns all rules of the world."""
        added = [*rules, *([{name.rstrip("_"): value for name, value in rule.items()}] if rule else [])]
        return self._world.verb("POST", "faults", {"rules": added})["rules"]

    def rules(self) -> List[Dict[str, Any]]:
        """Each with its id, the calls that it has seen, and its hits."""
        return self._world.verb("GET", "faults")["rules"]

    def remove(self, rule: int) -> None:
        self._world.verb("DELETE", f"faults/{rule}")

    def clear(self) -> None:
        self._world.verb("DELETE", "faults")


class Journal:
    """The world's requests since its last reset (docs/journal.md)."""

    def __init__(self, world: "World") -> None:
        self._world = world

    def requests(self, **filters: Any) -> List[Dict[str, Any]]:
        """The requests, oldest first. Filters: operation, table, error, since, after, min_units, limit, requests."""
        if "follow" in filters:
            raise ValueError("follow would never return: call requests(after=ID) again")
        query = {name: _moment(value) for name, value in filters.items()}
        text = {name: json.dumps(value) if isinstance(value, bool) else value for name, value in query.items()}
        return [json.loads(line) for line in self._world.send("GET", f"journal?{urlencode(text)}").splitlines()]

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.requests())

    def __len__(self) -> int:
        return len(self.requests())

    def clear(self) -> None:
        self._world.verb("DELETE", "journal")


class World:
    """Tables, clock, fault rules and journal of one name."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.name = name
        self.port: int = urlsplit(url).port or 80
        self.credentials = Credentials(name, "any")
        self.clock = Clock(self)
        self.faults = Faults(self)
        self.journal = Journal(self)
        self._made: Dict[Tuple[str, str], Any] = {}  # clients and resources
        self.starts = 0  # how often set_start() was called

    @property
    def environment(self) -> Dict[str, str]:
        """What another program needs in its environment to use this world through an AWS SDK or the AWS CLI."""
        return {
            "AWS_ENDPOINT_URL_DYNAMODB": self.url,
            "AWS_ENDPOINT_URL_DYNAMODB_STREAMS": self.url,
            "AWS_ACCESS_KEY_ID": self.credentials.access_key_id,
            "AWS_SECRET_ACCESS_KEY": self.credentials.secret_access_key,
            "AWS_DEFAULT_REGION": _region(),
        }

    def send(self, method: str, path: str, body: Any = None) -> str:
        """Calls a verb under /_mockddb/ (docs/admin-api.md) for this world, and returns its answer's text."""
        return self._send(method, path, None if body is None else json.dumps(body).encode()).decode()

    def verb(self, method: str, path: str, body: Any = None) -> Any:
        """Like send, for a verb that answers in JSON."""
        return json.loads(self.send(method, path, body) or "null")

    def _send(self, method: str, path: str, body: Optional[bytes]) -> bytes:
        status, answer = self._exchange(method, path, body)
        if status != 200:
            raise Error(f"{method} {path}: {_reason(answer)}")
        return answer

    def _exchange(self, method: str, path: str, body: Optional[bytes]) -> Tuple[int, bytes]:
        parts = urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port)
        try:
            connection.request(method, f"/_mockddb/{path}", body, {WORLD_HEADER: self.name})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except OSError as problem:
            raise Error(f"the server at {self.url} does not answer: {problem}") from None
        finally:
            connection.close()

    def reset(self) -> None:
        """Takes the world back to its start: the server's fixtures, or the state at set_start(). Clock, fault rules
        and journal begin anew."""
        self.verb("POST", "reset")
        if self.starts:
            self.restore(START)

    def set_start(self) -> None:
        """Makes the present state the one that reset() goes back to."""
        self.snapshot(START)
        self.starts += 1

    def snapshot(self, name: str) -> None:
        """Keeps tables, items, streams and clock under this name, in place of an older snapshot."""
        self.verb("POST", f"snapshots/{quote(name, safe='')}")

    def restore(self, name: str) -> None:
        self.verb("POST", f"snapshots/{quote(name, safe='')}/restore")

    def read_snapshot(self, name: str) -> bytes:
        """A snapshot as a file, which write_snapshot() takes on any server."""
        return self._send("GET", f"snapshots/{quote(name, safe='')}/file", None)

    def write_snapshot(self, name: str, content: bytes) -> None:
        self._send("PUT", f"snapshots/{quote(name, safe='')}/file", content)

    def fork(self, name: str, snapshot: Optional[str] = None) -> "World":
        """A new world that begins as a copy of this one, or of a snapshot of it."""
        source = {"from": self.name, **({"snapshot": snapshot} if snapshot else {})}
        self.verb("POST", f"worlds/{quote(name, safe='')}", source)
        return self._of_name(name)

    def _of_name(self, name: str) -> "World":
        return World(self.url, name)

    def drop(self) -> None:
        """Removes the world and its snapshots."""
        self.verb("DELETE", f"worlds/{quote(self.name, safe='')}")

    def load(self, *paths: Union[str, "os.PathLike[str]"]) -> None:
        """Puts tables and items of files into the world: all that `mockddb import` reads."""
        words = [find_program(), "import", "--endpoint", self.url, "--world", self.name]
        words += [os.fspath(path) for path in paths]
        ended = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if ended.returncode:
            raise Error(first_line(ended.stderr))

    def assert_(self, **rules: Any) -> None:
        """Holds the requests since the last reset against rules (docs/journal.md#assertions): assert_(no="Scan",
        max_read_units=20). no_scan=True is short for no="Scan"."""
        asked = [{"no": "Scan"} if name == "no_scan" and value else {name: value} for name, value in rules.items()]
        if not asked:
            return
        status, answer = self._exchange("POST", "assert", json.dumps({"assert": asked}).encode())
        if status == 409 and "report" in json.loads(answer):
            broken = [line for line in json.loads(answer)["report"] if not line["holds"]]
            raise AssertionError("\n".join(f"{_rule(line['assert'])}: {line.get('why', '')}" for line in broken))
        if status != 200:
            raise Error(_reason(answer))

    def client(self, service: str = "dynamodb", **more: Any) -> Any:
        """A boto3 client for this world; `dynamodbstreams` is the service of streams. Without further arguments it is
        made once."""
        return self._connect("client", service, more)

    def resource(self, **more: Any) -> Any:
        """The boto3 resource `dynamodb` for this world. Without arguments it is made once."""
        return self._connect("resource", "dynamodb", more)

    def _connect(self, kind: str, service: str, more: Dict[str, Any]) -> Any:
        kept = self._made.get((kind, service))
        if kept and not more:
            return kept
        try:
            import boto3  # pylint: disable=import-outside-toplevel # needed here only
        except ImportError:
            raise Error("client() and resource() need boto3: pip install boto3") from None
        # The default session's: its exceptions are the same classes as those of the code under test.
        options = {
            "endpoint_url": self.url,
            "region_name": _region(),
            "aws_access_key_id": self.credentials.access_key_id,
            "aws_secret_access_key": self.credentials.secret_access_key,
        }
        made = getattr(boto3, kind)(service, **{**options, **more})
        self._prepare(made)
        if not more:
            self._made[kind, service] = made
        return made

    def _prepare(self, made: Any) -> None:
        """Has a client or resource use this world, whatever keys it has."""
        getattr(made.meta, "client", made).meta.events.register("before-sign", self._name_world)

    def _name_world(self, request: Any, **_: Any) -> None:
        if WORLD_HEADER in request.headers:  # the pytest plugin's; setting a header adds another one
            del request.headers[WORLD_HEADER]
        request.headers[WORLD_HEADER] = self.name


def _rule(rule: Dict[str, Any]) -> str:
    return ", ".join(f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in rule.items())


def _reason(answer: bytes) -> str:
    try:
        return json.loads(answer)["message"]
    except (ValueError, KeyError, TypeError):
        return answer.decode(errors="replace").strip()
