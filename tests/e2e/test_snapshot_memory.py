"""What loading a snapshot's file needs at most: the new store, and little beside it."""

import hashlib
import http.client
import json
import pathlib
import sqlite3
import struct

from admin import ask, must
from e2e import PATIENCE, PLAIN_BINARY, Report, Server, equal, temporary_folder
from hostile import memory, peak_memory

MB = 1024 * 1024
TABLES = 3000
RICH_TABLES = 500
MOST_TABLES = 20_000
ITEM_BYTES = 390_000
BATCH = 20
BATCHES = 13  # 100 MB
LITTLE_MB = 10
ROW_MB = 32  # while one row is checked
NOTHINGS = 1_000_000  # in one row
NOTHINGS_IN_TEXT = 540_000  # in a text that an item may have, if its values were larger
NULLS_IN_ITEM = 204_000
TAIL = 88  # bytes at the file's end: docs/worlds.md, "Snapshot files"
SUM_AT = 40


def table(name, **more):
    return {
        "TableName": name,
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
        **more,
    }


def one_table(server):
    server.call("CreateTable", table("Tab"))
    server.put_items("Tab", [{"pk": {"S": "a"}}])


def many_tables(server):
    for number in range(TABLES):
        server.call("CreateTable", table(f"table{number}"))


def rich_tables(server):
    """With indexes, tags, streams and items."""
    keys = [{"AttributeName": "pk", "KeyType": "HASH"}]
    indexes = [
        {"IndexName": f"by{n}", "KeySchema": keys, "Projection": {"ProjectionType": "ALL"}}
        for n in range(5)
    ]
    tags = [{"Key": f"tag{n}", "Value": "value"} for n in range(10)]
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    for number in range(RICH_TABLES):
        more = {"GlobalSecondaryIndexes": indexes, "Tags": tags, "StreamSpecification": stream}
        server.call("CreateTable", table(f"table{number}", **more))
        server.put_items(f"table{number}", [{"pk": {"S": "a"}}])


def many_values(server):
    """The largest records that a stream may have, by what their values take in memory."""
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    server.call("CreateTable", table("Tab", StreamSpecification=stream))
    for count in (NULLS_IN_ITEM, NULLS_IN_ITEM - 1):
        item = {"pk": {"S": "a"}, "l": {"L": [{"NULL": True}] * count}}
        server.call("PutItem", {"TableName": "Tab", "Item": item})


def large_items(server):
    server.call("CreateTable", table("Large"))
    text = {"S": "x" * ITEM_BYTES}
    for batch in range(BATCHES):
        items = [{"pk": {"S": f"{batch}.{n}"}, "text": text} for n in range(BATCH)]
        server.put_items("Large", items)


def file_of(fill):
    """A snapshot's file of a server that `fill` has filled."""
    with Server(binary=PLAIN_BINARY) as server:
        fill(server)
        must(server, "POST", "snapshots/s")
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        try:
            connection.request("GET", "/_mockddb/snapshots/s/file")
            return connection.getresponse().read()
        finally:
            connection.close()


def changed(data, change):
    """The file after `change` has changed its database; its end fits."""
    with temporary_folder() as folder:
        path = pathlib.Path(folder) / "store"
        path.write_bytes(data[:-TAIL])
        database = sqlite3.connect(path, isolation_level=None)
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("BEGIN")
        change(database)
        database.execute("COMMIT")
        database.close()
        store = path.read_bytes()
    head = store + struct.pack("<Q", len(store)) + data[-TAIL + 8 : -TAIL + SUM_AT]
    return head + hashlib.sha256(head).digest() + data[-16:]


def most_tables(database):
    """Copies of the table, with names and spaces of their own."""
    (body,) = database.execute("SELECT body FROM catalog").fetchone()
    description = json.loads(body)
    for number in range(MOST_TABLES - 1):
        description["name"]["S"] = f"copy{number}"
        description["space"]["N"] = str(1000 + number)
        text = json.dumps(description, separators=(",", ":")).encode()
        row = (description["name"]["S"].encode(), text)
        database.execute("INSERT INTO catalog(name, body) VALUES(?, ?)", row)


def row_of_indexes(database):
    """A table whose indexes have neither names nor keys."""
    (body,) = database.execute("SELECT body FROM catalog").fetchone()
    indexes = ",".join(['{"M":{}}'] * NOTHINGS)
    text = body.decode()[:-1] + ',"indexes":{"L":[' + indexes + "]}}"
    database.execute("UPDATE catalog SET body = ?", (text.encode(),))


def row_of_lists(database, count=NOTHINGS):
    """An item of lists that are empty, whose size is another."""
    item = '{"pk":{"S":"a"},"l":{"L":[' + ",".join(['{"L":[]}'] * count) + "]}}"
    rows = "CAST(body AS TEXT) LIKE '%pk%'"
    database.execute(f"UPDATE item SET body = ? WHERE {rows}", (item.encode(),))
    database.execute("UPDATE entry SET size = 409600")


def load(server, data):
    """How many MB the server grows by at most while it loads the file, and its answer."""
    must(server, "GET", "snapshots")
    before = memory(server)
    answer = ask(server, "PUT", "snapshots/s/file", data)
    return peak_memory(server) - before, answer


def growth_when_loaded(data, status=200):
    with Server(binary=PLAIN_BINARY) as server:
        growth, answer = load(server, data)
        equal(answer[0], status)
        return growth


def is_within(growth, data, more):
    most = 2 * len(data) / MB + more
    assert growth < most, f"{growth:.1f} MB, for {len(data) / MB:.1f} MB of file"


def names_of(server):
    names, answer = [], server.call("ListTables", {})
    while start := answer.get("LastEvaluatedTableName"):
        names += answer["TableNames"]
        answer = server.call("ListTables", {"ExclusiveStartTableName": start})
    return names + answer["TableNames"]


def use_most_tables(server):
    """What was loaded is restored: each table is there, and can be written and dropped."""
    equal(must(server, "GET", "snapshots/s")["tables"], MOST_TABLES)
    must(server, "POST", "snapshots/s/restore")
    equal(len(names_of(server)), MOST_TABLES)
    equal(server.call("Scan", {"TableName": "Tab"})["Count"], 1)
    last = f"copy{MOST_TABLES - 2}"
    server.put_items(last, [{"pk": {"S": "a"}}])
    equal(server.call("Scan", {"TableName": last})["Count"], 1)
    server.call("DeleteTable", {"TableName": last})
    equal(len(names_of(server)), MOST_TABLES - 1)
    equal(must(server, "GET", "snapshots/s")["items"], 1)


def main():
    report = Report()
    with report.case("a file of many tables with nothing in them"):
        data = file_of(many_tables)
        is_within(growth_when_loaded(data), data, LITTLE_MB)
    with report.case("a file of tables with indexes, tags, streams and items"):
        data = file_of(rich_tables)
        is_within(growth_when_loaded(data), data, LITTLE_MB)
    with report.case("a large file is not in memory a second time"):
        data = file_of(large_items)
        growth = growth_when_loaded(data)
        assert growth < 1.7 * len(data) / MB, f"{growth:.1f} MB, {len(data) / MB:.1f} MB of file"
    small = file_of(one_table)
    with report.case("a file of more tables than a region may have is loaded, restored and used"):
        data = changed(small, most_tables)
        with Server(binary=PLAIN_BINARY) as server:
            growth, answer = load(server, data)
            equal(answer[0], 200)
            is_within(growth, data, LITTLE_MB)
            use_most_tables(server)
    for name, change in (("indexes", row_of_indexes), ("lists", row_of_lists)):
        with report.case(f"a row of a great many {name} is refused before it is decoded"):
            data = changed(small, change)
            is_within(growth_when_loaded(data, 400), data, LITTLE_MB)
    with report.case("a row that takes many times its length in memory is given up"):
        data = changed(small, lambda database: row_of_lists(database, NOTHINGS_IN_TEXT))
        with Server(binary=PLAIN_BINARY) as server:
            growth, answer = load(server, data)
            equal(answer[0], 400)
            equal("too much memory" in answer[1]["message"], True)
            is_within(growth, data, LITTLE_MB + ROW_MB)
    with report.case("records of items with as many values as an item can have are loaded"):
        data = file_of(many_values)
        is_within(growth_when_loaded(data), data, LITTLE_MB + ROW_MB)
    report.done()


main()
