"""What scripts/bench can measure, part by part; each returns plain data for performance.json."""

import contextlib
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import database
import suites
import tables
import transfer
import workloads
from client import Client
from load import compare_with_bare
from servers import BIN, PROGRAM, ROOT, SERVER_CORE, bare, mockddb, pinned

LOADED = 100_000  # items for memory and for the time that loading takes
FILE_CONNECTIONS = 64
SIZES = (1_000, 10_000, 100_000, 1_000_000)
GROWING = (
    workloads.get_item,
    workloads.query_table,
    workloads.query_index,
    lambda items: workloads.scan_page(),
)
SCAN_NEEDS = 10_000  # a smaller table has no full page


def say(text):
    print(text, file=sys.stderr, flush=True)


# --- requests --------------------------------------------------------------------------------


def chosen(makers, options):
    found = [make() for make in makers]
    return [w for w in found if options.only.lower() in w.name.lower()]


def requests(options, load):
    results = []
    with mockddb() as ours, bare() as floor:
        servers = [ours, *options.peers]
        for server in servers:
            tables.fill(Client(server.url))
        for workload in chosen(workloads.ALL, options):
            for connections in options.connections:
                say(f"{workload.name}, {connections} connections")
                results.append(compare_with_bare(load, servers, floor, workload, connections))
    return results


def file_mode(options, load):
    results = []
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        memory = stack.enter_context(mockddb())
        file = stack.enter_context(mockddb("--db", str(pathlib.Path(folder) / "bench.db")))
        floor = stack.enter_context(bare())
        file.name = "file"
        for server in (memory, file):
            tables.fill(Client(server.url))
        for workload in chosen(workloads.WRITING + (workloads.get_item,), options):
            say(f"file mode: {workload.name}")
            results.append(
                compare_with_bare(load, [memory, file], floor, workload, FILE_CONNECTIONS)
            )
    return results


# --- what options cost -----------------------------------------------------------------------

# name: the options of a server without it, those of one with it, and what is measured
OPTIONS = {
    "worlds by access key, and the journal": (
        ["--journal", "0"],
        ["--worlds", "by-access-key"],
        (workloads.get_item,),
    ),
    "point-in-time recovery": ([], [], workloads.WRITING),
}
OPTION_CONNECTIONS = 8


def fill_with(client, option):
    tables.fill(client)
    if option == "point-in-time recovery":
        for table in (tables.BENCH, tables.WRITES):
            tables.make_recoverable(client, table)


def option_rows(options, load, option):
    without_words, with_words, makers = OPTIONS[option]
    with mockddb(*without_words) as without, mockddb(*with_words) as having, bare() as floor:
        having.name = "with"
        tables.fill(Client(without.url))
        fill_with(Client(having.url), option)
        for workload in chosen(makers, options):
            say(f"{option}: {workload.name}")
            servers = [without, having]
            row = compare_with_bare(load, servers, floor, workload, OPTION_CONNECTIONS)
            yield row | {"option": option}


def option_costs(options, load):
    return [row for option in OPTIONS for row in option_rows(options, load, option)]


# --- start-up --------------------------------------------------------------------------------


STARTUP = {
    "bare": [BIN / "bench_bare"],
    "empty": [PROGRAM, "--port", "0"],
    "ecommerce": [PROGRAM, "--port", "0", "--fixtures", "ecommerce"],
}


def start_once(command):
    words = [str(BIN / "bench_startup"), "1", *map(str, command)]
    done = subprocess.run(
        pinned(SERVER_CORE, words), cwd=ROOT, capture_output=True, text=True, check=True
    )
    ms, kib = done.stdout.split()
    return float(ms), int(kib) / 1024


def startup(options, _load):
    samples = {name: [] for name in STARTUP}
    say("start-up")
    for _ in range(max(options.runs * 3, 15)):
        for name, command in STARTUP.items():
            samples[name].append(start_once(command))
    return {
        name: {
            "ms": statistics.median(ms for ms, _ in taken),
            "best_ms": min(ms for ms, _ in taken),
            "resident_mb": statistics.median(mb for _, mb in taken),
        }
        for name, taken in samples.items()
    }


# --- a command that asks a running server ---------------------------------------------------


def try_command(server):
    """The cheat sheet's first command, as it is typed."""
    return [
        str(PROGRAM), "try", "--endpoint", server.url,
        "aws", "dynamodb", "query",
        "--table-name", "EcomIndexerJobsTable", "--index-name", "GSI_JobLookup_v2",
        "--key-condition-expression", "job_id = :jid",
        "--expression-attribute-values",
        '{":jid": {"S": "3f2b8c54-9d1e-4a77-b0c6-5e8f1a2d7c90"}}',
        "--profile", "controller", "--region", "us-east-1",
    ]  # fmt: skip


def trying(options, _load):
    say("try")
    samples = []
    with mockddb("--fixtures", "ecommerce") as server:
        for _ in range(max(options.runs * 10, 50)):
            began = time.perf_counter()
            subprocess.run(try_command(server), capture_output=True, check=True)
            samples.append(1000 * (time.perf_counter() - began))
    return {"ms": statistics.median(samples), "best_ms": min(samples)}


# --- memory and loading ----------------------------------------------------------------------


def load_items(server, table, bodies):
    """Seconds that the requests took, and the memory before and after."""
    idle = server.resident_mb()
    client = Client(server.url)
    tables.create(client, table)
    before, begin = server.usage(), time.monotonic()
    for body in bodies:
        client.send("BatchWriteItem", body)
    seconds = time.monotonic() - begin
    after = server.usage()
    return {
        "seconds": seconds,
        "server_seconds": after.cpu - before.cpu,
        "waited": (after.wait - before.wait) / seconds,
        "idle_mb": idle,
        "loaded_mb": server.resident_mb(),
    }


def loading(options, _load):
    bodies = list(tables.batches(tables.WRITES, map(tables.item, range(LOADED))))
    results = {}
    samples = []
    for _ in range(options.runs):
        say(f"loading {LOADED} items")
        with mockddb() as ours:
            samples.append(load_items(ours, tables.WRITES, bodies))
    results["mockddb"] = {name: statistics.median(s[name] for s in samples) for name in samples[0]}
    for peer in options.peers:  # once each: it is kept
        renamed = (b.replace(b'"Writes"', b'"Loaded"', 1) for b in bodies)
        results[peer.name] = load_items(peer, "Loaded", renamed)
    return results


# --- vectors ---------------------------------------------------------------------------------

VECTORS, DIMENSIONS, NEAREST = 10_000, 768, 10


def numbers(chosen):
    return [{"N": f"{chosen.uniform(-1, 1):.8f}"} for _ in range(DIMENSIONS)]


def fill_vectors(client, chosen):
    index = {
        "IndexName": "Nearest",
        "VectorAttribute": {"AttributeName": "v"},
        "Projection": {"ProjectionType": "KEYS_ONLY"},
        "Dimensions": DIMENSIONS,
        "DistanceFunction": "COSINE",
    }
    client.call(
        "CreateTable",
        {
            "TableName": "Vectors",
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "VectorIndexes": [index],
        },
    )
    for first in range(0, VECTORS, 25):
        puts = [
            {"PutRequest": {"Item": {"pk": {"S": str(n)}, "v": {"L": numbers(chosen)}}}}
            for n in range(first, first + 25)
        ]
        client.call("BatchWriteItem", {"RequestItems": {"Vectors": puts}})


def cpu_of_searches(server, client, bodies):
    """Milliseconds of the server's processor time for a search."""
    before = server.usage()
    for body in bodies:
        client.call("SearchVectors", body)
    return 1000 * (server.usage().cpu - before.cpu) / len(bodies)


def vectors(options, _load):
    say(f"vectors: {VECTORS} of {DIMENSIONS} dimensions")
    chosen = random.Random(7)
    with mockddb() as server:
        client = Client(server.url)
        fill_vectors(client, chosen)
        bodies = [
            {
                "TableName": "Vectors",
                "IndexName": "Nearest",
                "SearchVector": numbers(chosen),
                "TopK": NEAREST,
            }
            for _ in range(20)
        ]
        before = server.resident_mb()
        first = cpu_of_searches(server, client, bodies[:1])
        after = server.resident_mb()
        samples = [cpu_of_searches(server, client, bodies) for _ in range(max(options.runs, 3))]
    return {"first_ms": first, "ms": statistics.median(samples), "mb": after - before}


# --- exports and imports ---------------------------------------------------------------------


def transfers(options, _load):
    return transfer.measure(options.runs, say)


# --- suites of a test runner -----------------------------------------------------------------


def suite_runs(options, _load):
    return suites.measure(options.runs, say)


# --- a store in PostgreSQL -------------------------------------------------------------------


def in_database(options, load):
    return database.measure(options, load, say)


# --- growth ----------------------------------------------------------------------------------


def grown(stack, size):
    say(f"growth: filling {size} items")
    server = stack.enter_context(mockddb())
    server.name = str(size)
    tables.fill_bench(Client(server.url), size)
    return server


def growth(options, load):
    """Cost of reads in tables of several sizes, which are there side by side."""
    results = []
    with contextlib.ExitStack() as stack:
        servers = {size: grown(stack, size) for size in SIZES}
        for make in GROWING:
            name = make(SIZES[-1]).name
            sizes = [s for s in SIZES if s >= SCAN_NEEDS or "Scan" not in name]
            say(f"growth: {name}")
            rivals = [(servers[size], servers[size].url, make(size)) for size in sizes]
            results.append({"workload": name, "sizes": load.compare(rivals, connections=1)})
    return results


PARTS = {
    "requests": requests,
    "file": file_mode,
    "options": option_costs,
    "startup": startup,
    "try": trying,
    "loading": loading,
    "transfer": transfers,
    "vectors": vectors,
    "growth": growth,
    "suites": suite_runs,
    "postgresql": in_database,
}
DEFAULT_PARTS = ("requests", "file", "options", "startup", "try", "loading", "transfer")
