"""The pytest plugin: one server for the whole run, a world for each worker, taken back to its start before each test.

The server and the environment of the AWS SDKs are ready before any conftest.py or test module is imported. The first
process of pytest-xdist starts the server; its workers find it in their environment. Under `mockddb run`, the server of
MOCKDDB_URL is used.
"""

import contextlib
import hashlib
import importlib.abc
import importlib.metadata
import importlib.util
import os
import pathlib
import sys
import warnings
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

import pytest

from .program import Error
from .server import Server, fixture_of, start
from .world import START, WORLD_HEADER, Clock, Faults, Journal, World

OPTIONS = {
    "mockddb_fixtures": ("args", [], "what each world begins with: fixtures' folders or names, templates"),
    "mockddb_tables": ("args", [], "JSON files with inputs of CreateTable: tables that each world begins with"),
    "mockddb_args": ("args", [], "more options of the server, as `mockddb help all` lists them"),
    "mockddb_clock": ("string", "", "the moment at which each test's clock is frozen, such as 2026-01-01T00:00:00Z"),
    "mockddb_reset": ("string", "test", "a world goes back to its start before each `test` or `module`, or `never`"),
}
RESETS = ("test", "module", "never")
MARK = "mockddb(fixtures=[...], tables=[...], clock=MOMENT, faults=[...], reset=False, no_scan=True, ...): %s" % (
    "what the test's world begins with, and assertions that the test's requests must hold (docs/journal.md)"
)
SETTINGS = ("fixtures", "tables", "clock", "faults", "reset")  # members of the mark that are no assertions
OLD_BOTOCORE = (1, 31)  # earlier ones do not read AWS_ENDPOINT_URL_DYNAMODB
WORKERS = "MOCKDDB_PYTEST"  # in the environment of pytest-xdist's workers: their parent's process id, and the server
if not hasattr(pytest, "StashKey"):
    raise pytest.UsageError(f"mockddb: its plugin needs pytest 7 or newer, not {pytest.__version__}; -p no:mockddb leaves it out")
RUN: "pytest.StashKey[Run]" = pytest.StashKey()


class BotocoreHook(importlib.abc.MetaPathFinder):
    """Gives all botocore clients a handler that sees their requests before they are signed. Waits for a test to import
    botocore, which takes longer than anything that this plugin does."""

    module = "botocore.handlers"

    def __init__(self, handler: Callable[..., None]) -> None:
        self.entry = ("before-sign", handler)

    def install(self) -> None:
        if self.module in sys.modules:
            self.extend(sys.modules[self.module])
        else:
            sys.meta_path.insert(0, self)

    def extend(self, handlers: Any) -> None:
        handlers.BUILTIN_HANDLERS.append(self.entry)

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname != self.module:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec and spec.loader:
            load = spec.loader.exec_module

            def load_and_extend(module: Any) -> None:
                load(module)
                self.extend(module)

            setattr(spec.loader, "exec_module", load_and_extend)
        return spec

    def remove(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        if self.module in sys.modules:
            handlers = sys.modules[self.module].BUILTIN_HANDLERS
            handlers[:] = [entry for entry in handlers if entry != self.entry]


class Run:
    """One run of pytest in one process: its server, its world, and the environment that it has changed."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.server: Optional[Server] = None
        self.report: List[str] = []  # of a server that did not end well
        self.loaded: Dict[str, str] = {}  # snapshots, by what they begin with
        self.module: Any = None  # of the test before
        self.changed: Dict[str, Optional[str]] = {}
        self.options = {name: config.getini(name) for name in OPTIONS}
        check_options(config, self.options)
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        parent, _, url = os.environ.get(WORKERS, "").partition(" ")
        is_worker = parent == str(os.getppid()) and worker != "main"
        if not is_worker:  # a pytest that a test has started has a server of its own
            url = "" if parent else os.environ.get("MOCKDDB_URL", "")
            if url and self.options["mockddb_args"]:
                raise Error("mockddb_args has no effect on the running server of MOCKDDB_URL")
        has_start = bool(self.options["mockddb_fixtures"] or self.options["mockddb_tables"])
        self.lacks_start = has_start and bool(url) and url == os.environ.get("MOCKDDB_URL")
        if not url:
            self.server = self.start()
            url = self.server.url
        self.world = World(url, worker)
        self.hook = BotocoreHook(self.name_world)
        self.change_environment(is_worker)

    def start(self) -> Server:
        """A server whose worlds begin as the options say."""
        root = self.config.rootpath
        return start(
            fixtures=self.options["mockddb_fixtures"],
            tables=[root / path for path in self.options["mockddb_tables"]],
            args=self.options["mockddb_args"],
            folder=root,
        )

    def bring_start(self) -> None:
        """Gives the world on a server that another has started its start, without a request of its reports."""
        with self.start() as own:
            own.snapshot(START)
            self.world.write_snapshot(START, own.read_snapshot(START))
        self.world.restore(START)
        self.world.starts += 1
        self.lacks_start = False

    def change_environment(self, is_worker: bool) -> None:
        """AWS SDKs find the server and made-up keys, DynamoDB's alone; other services keep their endpoints."""
        wanted: Dict[str, Optional[str]] = {**self.world.environment}
        if not is_worker:
            wanted[WORKERS] = f"{os.getpid()} {self.world.url}"
        # What would lead elsewhere, or be sent along.
        wanted.update(dict.fromkeys(("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")))
        if os.environ.get("AWS_ENDPOINT_URL") == self.world.url:  # set by `mockddb run`, for all services
            wanted["AWS_ENDPOINT_URL"] = None
        for name, value in wanted.items():
            self.changed[name] = os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        self.hook.install()

    def name_world(self, request: Any, **_: Any) -> None:
        """A client that has other keys, its own or those of a mock of other services, uses this worker's world, too."""
        if request.url.startswith(f"{self.world.url}/") and WORLD_HEADER not in request.headers:
            request.headers[WORLD_HEADER] = self.world.name

    def end(self) -> None:
        for name, value in self.changed.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        self.hook.remove()
        self.stop()

    def stop(self) -> int:
        """Ends the server, if this process has started one that still runs; returns its exit status."""
        server, self.server = self.server, None
        if server is None:
            return 0
        status, messages = server.end()
        if status:
            self.report = [f"mockddb ended with status {status}", *messages.splitlines()]
        return status

    def prepare(self, item: pytest.Item) -> None:
        """The world as the test finds it."""
        if self.lacks_start:
            self.bring_start()
        mark = arguments_of(item)
        module = getattr(item, "module", None)
        when = self.options["mockddb_reset"]
        has_tables = mark.get("fixtures") or mark.get("tables")
        due = when == "test" or (when == "module" and module is not self.module) or has_tables
        self.module = module
        if mark.get("reset", due):
            self.world.reset()
        clock = mark.get("clock", self.options["mockddb_clock"])
        if clock:
            self.world.clock.freeze(clock)
        if has_tables:
            self.load(mark, clock, item)
        if mark.get("faults"):
            self.world.faults.add(*mark["faults"])
        try:
            with contextlib.suppress(AssertionError):  # the test comes first
                self.world.assert_(**rules_of(item))
        except Error as problem:
            raise Error(f"the mark: {problem} (or {', '.join(SETTINGS)})") from None

    def load(self, mark: Dict[str, Any], clock: Any, item: pytest.Item) -> None:
        """The mark's tables: loaded once in this worker, and restored from a snapshot after that."""
        beside = item.path.parent  # paths of a mark begin at its file
        what = repr((mark.get("fixtures"), mark.get("tables"), str(clock), str(beside), self.world.starts))
        if what in self.loaded:
            self.world.restore(self.loaded[what])
            return
        self.put(mark.get("fixtures", ()), mark.get("tables", ()), beside)
        self.loaded[what] = "mockddb-" + hashlib.sha256(what.encode()).hexdigest()[:16]
        self.world.snapshot(self.loaded[what])
        self.world.journal.clear()

    def put(self, fixtures: Sequence[Any], tables: Sequence[Any], beside: pathlib.Path) -> None:
        """Loads fixtures and tables into the world. Paths begin at a folder."""
        given = [table if isinstance(table, dict) else beside / table for table in tables]
        named = [beside / path if (beside / path).exists() else path for path in fixtures]
        with fixture_of(given) as folder:
            paths = [*named, *([folder] if folder else [])]
            if paths:
                self.world.load(*paths)


def check_options(config: pytest.Config, options: Dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pytest 9 deprecates inicfg; without it, pytest itself warns of unknown options
        found = list(getattr(config, "inicfg", ()))
    given = [*found, *(word.partition("=")[0] for word in config.known_args_namespace.override_ini or ())]
    unknown = [name for name in given if name.startswith("mockddb") and name not in OPTIONS]
    if unknown:
        raise Error(f"there is no option {unknown[0]}: {', '.join(OPTIONS)}")
    if options["mockddb_reset"] not in RESETS:
        raise Error(f"mockddb_reset is {options['mockddb_reset']}, not {', '.join(RESETS)}")


def arguments_of(item: pytest.Item) -> Dict[str, Any]:
    """What the test's marks say; the nearest mark counts."""
    found: Dict[str, Any] = {}
    for mark in item.iter_markers("mockddb"):
        if mark.args:
            raise Error(f"the mark takes arguments by name only: {mark.args[0]!r}")
        found = {**mark.kwargs, **found}
    for name in ("fixtures", "tables", "faults"):
        if not isinstance(found.get(name, []), (list, tuple)):
            raise Error(f"the mark's {name} is no list")
    if found.get("reset") is False and (found.get("fixtures") or found.get("tables")):
        raise Error("the mark's reset=False does not go with fixtures or tables")
    return found


def rules_of(item: pytest.Item) -> Dict[str, Any]:
    return {name: value for name, value in arguments_of(item).items() if name not in SETTINGS}


def in_one_line(action: Callable[..., None], *arguments: Any, **named: Any) -> None:
    """Runs an action. Its errors and broken assertions fail the test without a traceback."""
    try:
        action(*arguments, **named)
        return
    except (Error, AssertionError, ValueError) as problem:
        reason = f"mockddb: {problem}"
    pytest.fail(reason, pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    for name, (kind, default, text) in OPTIONS.items():
        parser.addini(name, text, kind, default)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    known = early_config.known_args_namespace
    if getattr(known, "help", False) or getattr(known, "version", False):
        return
    try:
        run = Run(early_config)
    except Error as problem:
        raise pytest.UsageError(f"mockddb: {problem}") from None
    early_config.stash[RUN] = run
    early_config.add_cleanup(run.end)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARK)


def pytest_report_header(config: pytest.Config) -> List[str]:
    run = config.stash.get(RUN, None)
    if run is None:
        return []
    lines = [f"mockddb: {run.world.url}"]
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        version = importlib.metadata.version("botocore")
        if tuple(map(int, version.split(".")[:2])) < OLD_BOTOCORE:
            lines.append(
                f"mockddb: botocore {version} does not read AWS_ENDPOINT_URL_DYNAMODB: use the fixtures' clients, or "
                "give endpoint_url"
            )
    return lines


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    run = item.config.stash.get(RUN, None)
    if run is not None:
        in_one_line(run.prepare, item)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    """What fixtures have requested does not count."""
    run = pyfuncitem.config.stash.get(RUN, None)
    if run is not None and rules_of(pyfuncitem):
        run.world.journal.clear()


@pytest.hookimpl(trylast=True)  # after the test has run; not if it has failed
def pytest_runtest_call(item: pytest.Item) -> None:
    run = item.config.stash.get(RUN, None)
    rules = rules_of(item)
    if run is not None and rules:
        in_one_line(run.world.assert_, **rules)


@pytest.hookimpl(trylast=True)  # after xdist's workers have ended
def pytest_sessionfinish(session: pytest.Session) -> None:
    run = session.config.stash.get(RUN, None)
    if run is not None and run.stop() and not session.exitstatus:
        session.exitstatus = 3


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    run = config.stash.get(RUN, None)
    for line in run.report if run is not None else ():
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def mockddb(request: pytest.FixtureRequest) -> World:
    """This worker's world: url, client(), resource(), clock, faults, journal, snapshots."""
    run = request.config.stash.get(RUN, None)
    assert run is not None
    return run.world


@pytest.fixture
def mockddb_world(mockddb: World) -> Iterator[Callable[[str], World]]:
    """Makes a further world by name, with the tables that this one begins with; it is dropped after the test."""
    made: Dict[str, World] = {}

    def world(name: str) -> World:
        if name not in made:
            made[name] = World(mockddb.url, f"{mockddb.name}-{name}")
            if mockddb.starts:
                mockddb.fork(made[name].name, START)
            else:
                made[name].reset()
        return made[name]

    yield world
    for one in made.values():
        one.drop()


@pytest.fixture(scope="session")
def mockddb_clock(mockddb: World) -> Clock:
    return mockddb.clock


@pytest.fixture(scope="session")
def mockddb_faults(mockddb: World) -> Faults:
    return mockddb.faults


@pytest.fixture(scope="session")
def mockddb_journal(mockddb: World) -> Journal:
    return mockddb.journal
