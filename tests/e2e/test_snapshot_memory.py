"""What loading a snapshot's file needs at most: the new store, and little beside it."""

import http.client

from admin import ask, must
from e2e import PATIENCE, PLAIN_BINARY, Report, Server
from hostile import memory, peak_memory

MB = 1024 * 1024
TABLES = 3000
TABLE_KB = 3  # of memory, for a table with hardly anything in the file
ITEM_BYTES = 390_000
BATCH = 20
BATCHES = 13  # 100 MB
LITTLE_MB = 4


def create(server, name):
    server.call(
        "CreateTable",
        {
            "TableName": name,
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "BillingMode": "PAY_PER_REQUEST",
        },
    )


def many_tables(server):
    for number in range(TABLES):
        create(server, f"table{number}")


def large_items(server):
    create(server, "Large")
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


def growth_when_loaded(data):
    """How many MB a fresh server grows by at most while it loads the file."""
    with Server(binary=PLAIN_BINARY) as server:
        must(server, "GET", "snapshots")
        before = memory(server)
        status, answer = ask(server, "PUT", "snapshots/s/file", data)
        assert status == 200, answer
        return peak_memory(server) - before


def main():
    report = Report()
    with report.case("a file of many tables with nothing in them"):
        data = file_of(many_tables)
        most = 2 * len(data) / MB + TABLES * TABLE_KB / 1024 + LITTLE_MB
        growth = growth_when_loaded(data)
        assert growth < most, f"{growth:.1f} MB, for {len(data) / MB:.1f} MB of file"
    with report.case("a large file is not in memory a second time"):
        data = file_of(large_items)
        growth = growth_when_loaded(data)
        assert growth < 1.7 * len(data) / MB, f"{growth:.1f} MB, for {len(data) / MB:.1f} MB of file"
    report.done()


main()
