"""Servers of one schema in a PostgreSQL database, each behind a proxy of its own, which end and begin again."""

import os
import pathlib
import random

import pg_proxy
from e2e import Server

# How many servers one schema may have.
PROCESSES = int(os.environ.get("MOCKDDB_PROCESSES", "1"))


class Fleet:
    """A context manager. `servers[n]` is behind `proxies[n]`; a server that began again has the port it had."""

    def __init__(self, cluster, schema, folder, count=PROCESSES, options=()):
        self.cluster, self.schema, self.options = cluster, schema, options
        self.folders = [pathlib.Path(folder) / f"{schema}-{n}" for n in range(count)]
        self.proxies, self.servers = [], []

    def begin(self, number, *more):
        folder = self.folders[number]
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
