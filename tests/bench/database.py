"""A store in PostgreSQL: beside its statements without a server around them (bench_statements), beside a file, with
several processes at a distance, with one hot item, and with a large table.

The database is a private cluster of Debian's package with its log, as everything of it, in memory (/dev/shm) and flushed
at each commit. Samples alternate, and medians are compared. Clients, servers and database share the machine's cores, so
a row that keeps them busy shows the machine's limit: the database's processor time an operation says more then.
"""

import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import tables
import workloads
from client import Client
from servers import BIN, PROGRAM, ROOT, TICKS, Started, mockddb, read
from targets import ALONE

sys.path.append(str(ROOT / "tests/e2e"))  # the cluster of the tests

CONNECTIONS = 8
DISTANCE_US = 500
PROCESSES = (1, 4, 16)
HOT_PROCESSES = 8
LARGE, SMALL = 1_000_000, 1_000  # items; --items says otherwise


class Cluster:
    """A cluster of the tests, whose processor time is known."""

    def __init__(self, stack):
        import postgres  # pylint: disable=import-outside-toplevel # it watches over this process's children

        if not postgres.binaries():
            raise SystemExit("bench: no PostgreSQL server is installed (scripts/setup test)")
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp"
        self.cluster = stack.enter_context(postgres.Cluster(memory, "-c max_connections=60 -c shared_buffers=1GB"))
        self.make_schema = lambda name: postgres.make_schema(self.cluster, name, PROGRAM)

    def url(self, schema, folder=None):
        return self.cluster.url(schema, folder=folder)

    def conninfo(self, folder=None):
        return f"host={folder or self.cluster.folder} user=postgres dbname=postgres"

    def processor_seconds(self):
        """Of the server and its processes, ended ones too."""
        parent = (self.cluster.data / "postmaster.pid").read_text().split()[0]
        ticks = 0
        for pid in (parent, *read(f"/proc/{parent}/task/{parent}/children").split()):
            with contextlib.suppress(OSError):
                fields = read(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()
                ticks += sum(map(int, fields[11:15] if pid == parent else fields[11:13]))
        return ticks / TICKS


def counted(cluster, sample):
    """A sample's figures, with the database's processor time for each request."""
    before = cluster.processor_seconds()
    figures = sample()
    if figures:
        figures["database_cpu"] = (cluster.processor_seconds() - before) / figures.pop("requests") * 1e6
    return figures


def statements(cluster, schema, kind, seconds, processes=1, folder=None):
    """The prototype: processes that send statements and nothing else. Rates are added, times are the slowest's."""

    def sample():
        command = [str(BIN / "bench_statements"), cluster.conninfo(folder), schema, kind, str(seconds)]
        running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
        found = [json.loads(one.communicate()[0]) for one in running]
        figures = {name: max(one[name] for one in found) for name in ("p50", "p99")}
        return figures | {name: sum(one[name] for one in found) for name in ("rate", "requests")}

    return lambda: counted(cluster, sample)


def requests(cluster, load, server, workload, connections, bodies):
    """wrk, which says how many requests there were by the rate and the time."""

    def sample():
        figures = load.sample(server, server.url, workload, connections, bodies)
        return figures and figures | {"requests": figures["rate"] * load.seconds}

    return lambda: counted(cluster, sample)


def medians(runs, rivals):
    """{name: medians of the figures}, of samples that alternate."""
    samples = {name: [] for name in rivals}
    for _ in range(runs):
        for name, sample in rivals.items():
            samples[name].append(sample())
    for name, taken in samples.items():
        if not all(taken):
            raise SystemExit(f"bench: {name}: a request failed")
    return {name: {f: statistics.median(one[f] for one in taken) for f in taken[0]} for name, taken in samples.items()}


@contextlib.contextmanager
def far_away(cluster, microseconds):
    """The folder of a socket behind which the database is that far away."""
    with tempfile.TemporaryDirectory(prefix="mockddb-far-") as folder:
        os.chmod(folder, 0o755)
        target = cluster.cluster.folder / ".s.PGSQL.5432"
        words = (f"{folder}/.s.PGSQL.5432", str(target), str(microseconds))
        with Started("far", BIN / "bench_far", *words):
            yield folder


@contextlib.contextmanager
def servers(url, processes):
    """A server of a schema; several processes of it may use all cores, one has the core that servers have."""
    command = [str(PROGRAM), "--port", "0", "--store", url]
    if processes > 1:
        command = ["taskset", "-c", f"0-{os.cpu_count() - 1}", *command, "--workers", str(processes)]
    with Started(f"{processes}", *command) as server:
        yield server


def bodies_of(folder, workload):
    path = pathlib.Path(folder) / workload.operation
    path.write_text("".join(json.dumps(body) + "\n" for body in workload.bodies), encoding="utf-8")
    return str(path)


def fill(server, items):
    client = Client(server.url)
    tables.fill_bench(client, items)
    tables.create(client, tables.WRITES)


# --- rows -------------------------------------------------------------------------------------


def one_process(cluster, load, options, say):
    """A server, a file's server and the statements alone: reads and writes."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=cluster.cluster.folder))
        url = cluster.make_schema("one")
        database = stack.enter_context(servers(url, 1))
        file = stack.enter_context(mockddb("--db", f"{folder}/bench.db"))
        for server in (database, file):
            fill(server, tables.ITEMS)
        for make, kind in ((workloads.get_item, "get"), (workloads.put_item, "put")):
            workload = make()
            say(f"postgresql: {workload.name}")
            bodies = bodies_of(folder, workload)
            rivals = {name: requests(cluster, load, one, workload, CONNECTIONS, bodies) for name, one in (("database", database), ("file", file))}
            rivals[ALONE] = statements(cluster, "one", kind, load.seconds)
            yield {"row": "one process, local socket", "workload": workload.name, "found": medians(options.runs, rivals)}


def scaling(cluster, load, options, say):
    """Processes of one schema, each with a distance to the database."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        far = stack.enter_context(far_away(cluster, DISTANCE_US))
        for make, kind in ((workloads.get_item, "get"), (workloads.put_item, "put")):
            workload, rivals = make(), {}
            bodies = bodies_of(folder, workload)
            with contextlib.ExitStack() as running:
                for count in options.processes:
                    schema = f"scaled_{kind}_{count}"
                    cluster.make_schema(schema)
                    server = running.enter_context(servers(cluster.url(schema, far), count))
                    fill(server, tables.ITEMS // 10)
                    rivals[f"{count}"] = requests(cluster, load, server, make(tables.ITEMS // 10) if kind == "get" else workload, 4 * count, bodies)
                    rivals[f"{count}, {ALONE}"] = statements(cluster, schema, kind, load.seconds, count, far)
                say(f"postgresql: {workload.name}, processes {', '.join(map(str, options.processes))}")
                yield {"row": f"processes at {DISTANCE_US / 1000} ms", "workload": workload.name, "found": medians(options.runs, rivals)}


def hot_item(cluster, load, options, say):
    """All connections count one item up, beside a change under a row lock by as many connections."""
    count = min(HOT_PROCESSES, max(options.processes))
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        far = stack.enter_context(far_away(cluster, DISTANCE_US))
        workload = workloads.Workload("UpdateItem, one item", "UpdateItem", [workloads.count_up(1)], lambda a: a == {})
        for place, socket in (("local socket", None), (f"{DISTANCE_US / 1000} ms", far)):
            schema = f"hot_{'far' if socket else 'near'}"
            cluster.make_schema(schema)
            server = stack.enter_context(servers(cluster.url(schema, socket), count))
            fill(server, tables.ITEMS // 10)
            rivals = {
                "database": requests(cluster, load, server, workload, HOT_PROCESSES, bodies_of(folder, workload)),
                f"row lock, {ALONE}": statements(cluster, schema, "lock", load.seconds, HOT_PROCESSES, socket),
            }
            say(f"postgresql: one hot item, {count} processes, {place}")
            yield {"row": f"one hot item, {place}, processes: {count}", "workload": workload.name, "found": medians(options.runs, rivals)}


def large_table(cluster, load, options, say):
    """A table with many items beside one with few."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        running = {}
        for items in (SMALL, options.items):
            say(f"postgresql: filling {items} items")
            running[items] = stack.enter_context(servers(cluster.make_schema(f"items_{items}"), 1))
            fill(running[items], items)
            puts = tables.batches(tables.WRITES, (tables.item(n) for n in range(items)))
            for body in puts:
                Client(running[items].url).send("BatchWriteItem", body)
        cluster.cluster.sql("ANALYZE")
        for make in (workloads.get_item, workloads.put_item):
            rivals = {}
            for items, server in running.items():
                workload = make(items) if make is workloads.get_item else make()
                pathlib.Path(folder, str(items)).mkdir(exist_ok=True)
                rivals[f"{items} items"] = requests(cluster, load, server, workload, CONNECTIONS, bodies_of(f"{folder}/{items}", workload))
            say(f"postgresql: {workload.name} in tables of {SMALL} and {options.items} items")
            yield {"row": "small and large table", "workload": workload.name, "found": medians(options.runs, rivals)}


ROWS = (one_process, scaling, hot_item, large_table)


def measure(options, load, say):
    with contextlib.ExitStack() as stack:
        cluster = Cluster(stack)
        return [found for row in ROWS for found in row(cluster, load, options, say) if options.only.lower() in found["workload"].lower()]
