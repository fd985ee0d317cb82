"""What mockddb is to reach, as ratios of one run. A target whose figures are missing has no row."""

YARDSTICK, DYNALITE, DYNOXIDE = "yardstick", "dynalite", "dynoxide"  # names given to --against
ALONE = "statements alone"  # without a server around them


def workload(results, start, connections, part="requests"):
    for result in results.get(part, ()):
        if result["workload"].startswith(start) and result["connections"] == connections:
            return result["servers"]
    raise LookupError(start)


def of_rate(start, other, connections=8):
    """Our requests/s as a multiple of another server's."""

    def value(results):
        servers = workload(results, start, connections)
        return servers["mockddb"]["rate"] / servers[other]["rate"]

    return value


def of_growth(start, size, first):
    def value(results):
        for result in results.get("growth", ()):
            if result["workload"].startswith(start):
                return result["sizes"][size]["cpu"] / result["sizes"][first]["cpu"]
        raise LookupError(start)

    return value


def filter_cost(results):
    """Microseconds for each item read, beyond the bare reply."""
    servers = workload(results, "Query, filter", 8)
    return (servers["mockddb"]["cpu"] - servers["bare"]["cpu"]) / 1000


def file_rate(start):
    def value(results):
        servers = workload(results, start, 64, "file")
        return servers["file"]["rate"] / servers["mockddb"]["rate"]

    return value


def option_rate(option, start):
    """Of the rate without it."""

    def value(results):
        for result in results.get("options", ()):
            if result["option"].startswith(option) and result["workload"].startswith(start):
                return result["servers"]["with"]["rate"] / result["servers"]["mockddb"]["rate"]
        raise LookupError(option)

    return value


def startup(name, figure):
    return lambda results: results["startup"][name][figure]


def loading(figure):
    return lambda results: results["loading"]["mockddb"][figure]


def transfer(what):
    """Items in a second of the server's processor time."""
    return lambda results: results["transfer"][what]["cpu_rate"]


def worst_p99(place):
    """Of a GetItem while items move."""

    def value(results):
        rows = results["transfer"].items()
        return max(r["p99_ms"] for what, r in rows if "p99_ms" in r and what.endswith(place))

    return value


def added(runner):
    """Seconds that the package adds to a suite."""

    def value(results):
        ways = results["suites"][runner]
        return ways["with mockddb"]["seconds"] - ways["without"]["seconds"]

    return value


def database(row, start, name, of=None):
    """Requests/s of a store in PostgreSQL, or what that is of another one's."""

    def value(results):
        for result in results.get("postgresql", ()):
            if result["row"].startswith(row) and result["workload"].startswith(start):
                rates = {what: figures["rate"] for what, figures in result["found"].items()}
                return rates[name] / (rates[of] if of else 1)
        raise LookupError(row)

    return value


AT_LEAST, AT_MOST = 1, -1
TARGETS = (
    # what, value, which way, reach, stretch, unit
    ("GetItem, of the bare server", of_rate("GetItem", "bare"), AT_LEAST, 0.75, 0.85, ""),
    ("GetItem, times dynalite", of_rate("GetItem", DYNALITE), AT_LEAST, 3, None, ""),
    ("GetItem, times dynoxide", of_rate("GetItem", DYNOXIDE), AT_LEAST, 3, None, ""),
    ("Query 10, of the yardstick", of_rate("Query 10 x 1 KB, table", YARDSTICK), AT_LEAST, 0.6, 0.75, ""),
    ("Query 10, times dynalite", of_rate("Query 10 x 1 KB, table", DYNALITE), AT_LEAST, 8, None, ""),
    ("Query 10, times dynoxide", of_rate("Query 10 x 1 KB, table", DYNOXIDE), AT_LEAST, 8, None, ""),
    ("Query 10 on a GSI, times dynalite", of_rate("Query 10 x 1 KB, GSI", DYNALITE), AT_LEAST, 5, None, ""),
    ("Query 10 on a GSI, times dynoxide", of_rate("Query 10 x 1 KB, GSI", DYNOXIDE), AT_LEAST, 8, None, ""),
    ("Query page, times dynalite", of_rate("Query page", DYNALITE), AT_LEAST, 5, None, ""),
    ("Query page, times dynoxide", of_rate("Query page", DYNOXIDE), AT_LEAST, 12, None, ""),
    ("filter, for each item read", filter_cost, AT_MOST, 1.5, 1, "us"),
    ("Scan page, 1 connection, times dynalite", of_rate("Scan", DYNALITE, 1), AT_LEAST, 12, 20, ""),
    ("Scan page, 100 000 items to 10 000", of_growth("Scan", "100000", "10000"), AT_MOST, 1.1, None, ""),
    ("BatchGetItem, times dynalite", of_rate("BatchGetItem", DYNALITE), AT_LEAST, 5, 8, ""),
    ("PutItem, of the yardstick", of_rate("PutItem", YARDSTICK), AT_LEAST, 0.65, 0.8, ""),
    ("PutItem, times dynalite", of_rate("PutItem", DYNALITE), AT_LEAST, 2.5, None, ""),
    ("UpdateItem, times dynalite", of_rate("UpdateItem", DYNALITE), AT_LEAST, 2.5, 4, ""),
    ("BatchWriteItem, 1 connection, of the yardstick", of_rate("BatchWriteItem", YARDSTICK, 1), AT_LEAST, 0.6, 0.8, ""),
    ("BatchWriteItem, 1 connection, times dynalite", of_rate("BatchWriteItem", DYNALITE, 1), AT_LEAST, 2.5, None, ""),
    ("TransactWriteItems, 1 connection, times dynoxide", of_rate("TransactWriteItems", DYNOXIDE, 1), AT_LEAST, 6, None, ""),
    ("PutItem, file of memory", file_rate("PutItem"), AT_LEAST, 0.5, 0.7, ""),
    ("UpdateItem, file of memory", file_rate("UpdateItem"), AT_LEAST, 0.5, 0.7, ""),
    ("BatchWriteItem, file of memory", file_rate("BatchWriteItem"), AT_LEAST, 0.5, 0.7, ""),
    ("TransactWriteItems, file of memory", file_rate("TransactWriteItems"), AT_LEAST, 0.5, 0.7, ""),
    ("GetItem, worlds by key and journal, of without", option_rate("worlds", "GetItem"), AT_LEAST, 0.95, 0.99, ""),
    ("start-up, empty", startup("empty", "ms"), AT_MOST, 10, 6, "ms"),
    ("start-up, e-commerce fixture", startup("ecommerce", "ms"), AT_MOST, 40, None, "ms"),
    ("try, exec to exit", lambda results: results["try"]["ms"], AT_MOST, 10, 5, "ms"),
    ("idle memory", loading("idle_mb"), AT_MOST, 5, 4, "MB"),
    ("memory with 100 000 items", loading("loaded_mb"), AT_MOST, 160, 140, "MB"),
    ("loading 100 000 items", loading("seconds"), AT_MOST, 5, 3, "s"),
    ("SearchVectors, 10 000 of 768", lambda results: results["vectors"]["ms"], AT_MOST, 10, 5, "ms"),
    ("import, in memory", transfer("import, in memory"), AT_LEAST, 60000, 80000, "items/s"),
    ("import, in a file", transfer("import, in a file"), AT_LEAST, 30000, 45000, "items/s"),
    ("export", transfer("export, in memory"), AT_LEAST, 120000, 200000, "items/s"),
    ("p99 of others meanwhile, in memory", worst_p99("in memory"), AT_MOST, 10, None, "ms"),
    ("p99 of others meanwhile, in a file", worst_p99("in a file"), AT_MOST, 10, None, "ms"),
    ("Vitest, 200 tests in eight workers: added", added("Vitest"), AT_MOST, 1, None, "s"),
    ("Jest, 200 tests in eight workers: added", added("Jest"), AT_MOST, 1, None, "s"),
    ("a reset between tests", lambda results: results["suites"]["resets"]["ms"], AT_MOST, 2, None, "ms"),
    ("PostgreSQL, one process: GetItem", database("one process", "GetItem", "database"), AT_LEAST, 5000, 8000, "/s"),
    ("PostgreSQL, one process: PutItem", database("one process", "PutItem", "database"), AT_LEAST, 1600, 2500, "/s"),
    ("PostgreSQL at 0.5 ms: GetItem, 4 processes of 1", database("processes", "GetItem", "4", "1"), AT_LEAST, 3.3, 3.7, ""),
    ("PostgreSQL at 0.5 ms: GetItem, 16 processes of 1", database("processes", "GetItem", "16", "1"), AT_LEAST, 11, 14, ""),
    ("PostgreSQL at 0.5 ms: one hot item, of row locks", database("one hot item, 0.5 ms", "UpdateItem", "database", f"row lock, {ALONE}"), AT_LEAST, 0.8, None, ""),
    ("PostgreSQL, PutItem, 1 000 000 items to 1 000", database("small", "PutItem", "1000000 items", "1000 items"), AT_LEAST, 0.7, 0.9, ""),
    ("GetItem, 1 000 000 items to 1 000", of_growth("GetItem", "1000000", "1000"), AT_MOST, 1.3, 1.15, ""),
    ("Query, 1 000 000 items to 1 000", of_growth("Query 10 x 1 KB, table", "1000000", "1000"), AT_MOST, 1.3, 1.15, ""),
)  # fmt: skip


def verdict(value, way, reach, stretch):
    if (value - reach) * way < 0:
        return "missed"
    return "stretch" if stretch is not None and (value - stretch) * way >= 0 else "reached"


def targets(results):
    rows = []
    for what, measure, way, reach, stretch, unit in TARGETS:
        try:
            value = measure(results)
        except (LookupError, TypeError, ValueError):  # not measured, or a peer that did not answer
            continue
        texts = [f"{n:g} {unit}".strip() if n is not None else "" for n in (reach, stretch)]
        shown = f"{value:.2f} {unit}".strip()
        rows.append([what, *texts, shown, verdict(value, way, reach, stretch)])
    return rows
