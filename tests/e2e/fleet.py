"""Servers of one schema in a PostgreSQL database, each behind a proxy and with a clock of its own, which end and begin
again."""

import contextlib
import os
import pathlib
import random
import signal

import pg_proxy
from e2e import BINARY, Server

# How many servers one schema may have.
PROCESSES = int(os.environ.get("MOCKDDB_PROCESSES", "4"))
CLOCKS = (0, 5, -5, 2)  # seconds that a server is ahead
PRELOAD = pathlib.Path(os.environ.get("MOCKDDB_PRELOADS", pathlib.Path(BINARY).parent)) / "mockddb_clock_shift.so"


@contextlib.contextmanager
def clock_ahead(seconds):
    """Programs that are started meanwhile have a clock that is that much ahead."""
    changes = {
        "LD_PRELOAD": str(PRELOAD),
        "MOCKDDB_CLOCK_SHIFT": str(seconds),
        "ASAN_OPTIONS": ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "verify_asan_link_order=0"))),
    }
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class Fleet:
    """A context manager. `servers[n]` is behind `proxies[n]`; a server that began again has the port it had, and
    another clock."""

    def __init__(self, cluster, schema, folder, count=PROCESSES, options=(), clocks=CLOCKS):
        self.cluster, self.schema, self.options, self.clocks = cluster, schema, options, clocks
        self.folders = [pathlib.Path(folder) / f"{schema}-{n}" for n in range(count)]
        self.proxies, self.servers = [], []
        self.begun = 0

    def begin(self, number, *more):
        folder = self.folders[number]
        self.begun += 1
        with clock_ahead(self.clocks[self.begun % len(self.clocks)]):
            return Server("--store", self.cluster.url(self.schema, folder=folder), *self.options, *more)

    def kill(self, number):
        """Ends a server by SIGKILL, and starts another one at its port."""
        old = self.servers[number]
        old.kill()
        self.servers[number] = self.begin(number, "--port", str(old.port))

    def ports(self):
        return [server.port for server in self.servers]

    def __enter__(self):
        for number, folder in enumerate(self.folders):
            folder.mkdir()
            self.proxies.append(pg_proxy.Proxy(self.cluster, folder))
            self.servers.append(self.begin(number))
        return self

    def __exit__(self, kind, *_):
        try:
            for server in self.servers:
                if kind:
                    server.kill()
                else:
                    server.stop()
        finally:
            for proxy in self.proxies:
                proxy.__exit__()


class Workers(Fleet):
    """One server with several processes at one port. What is killed is one of them, which the server replaces."""

    def __init__(self, cluster, schema, folder, count=PROCESSES):
        super().__init__(cluster, schema, folder, 1, ("--workers", str(count)))

    def kill(self, number):
        pid = self.servers[number].process.pid
        worker = random.choice(pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        os.kill(int(worker), signal.SIGKILL)


def terminate(fleet):
    fleet.cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mockddb'")


def restart_database(fleet):
    fleet.cluster.stop("immediate")
    fleet.cluster.start()


def cut(fleet):
    """At some message of either side, soon."""
    direction = random.choice((pg_proxy.FORWARD, pg_proxy.BACK))
    random.choice(fleet.proxies).cut = pg_proxy.Cut(direction, random.randint(1, 100), random.choice(("before", "after")))


def delay(fleet):
    """Each server has another distance from the database."""
    for proxy in fleet.proxies:
        proxy.delay = random.choice((0, 0, 0.001, 0.005, 0.02))


def kill(fleet):
    fleet.kill(random.randrange(len(fleet.servers)))


FAULTS = (kill, terminate, cut, delay, restart_database)
