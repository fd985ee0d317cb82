"""What an import and an export of many items take, in memory and in a file, and what others wait
meanwhile."""

import json
import pathlib
import statistics
import tempfile
import time

import tables
import waits
from client import Client
from servers import mockddb

ITEMS = 100_000
BUCKET, INPUT = "bench", "in/items.json"
WHILE = "while: "  # rows of what others wait
ACCOUNT = "arn:aws:dynamodb:us-east-1:123456789012:table/"
POLL_SECONDS = 0.02


def write_input(root):
    """The items as one object of DynamoDB's JSON, not packed."""
    path = root / BUCKET / INPUT
    path.parent.mkdir(parents=True)
    with open(path, "w", encoding="utf-8") as out:
        for number in range(ITEMS):
            out.write(json.dumps({"Item": tables.item(number)}, separators=(",", ":")) + "\n")


def timed(server, begin, is_done):
    """Rates by the clock and by the server's processor time, and the memory at the end."""
    before, start = server.usage(), time.monotonic()
    begin()
    while not is_done():
        time.sleep(POLL_SECONDS)
    seconds = time.monotonic() - start
    after = server.usage()
    return {
        "rate": ITEMS / seconds,
        "cpu_rate": ITEMS / (after.cpu - before.cpu),
        "waited": (after.wait - before.wait) / seconds,
        "mb": server.resident_mb(),
    }


def import_items(server, client):
    definition = tables.definition(tables.WRITES)
    request = {
        "ClientToken": "token",
        "S3BucketSource": {"S3Bucket": BUCKET, "S3KeyPrefix": "in/"},
        "InputFormat": "DYNAMODB_JSON",
        "TableCreationParameters": definition,
    }
    arn = []

    def begin():
        arn.append(client.call("ImportTable", request)["ImportTableDescription"]["ImportArn"])

    def is_done():
        told = client.call("DescribeImport", {"ImportArn": arn[0]})["ImportTableDescription"]
        return told["ImportStatus"] == "COMPLETED"

    return timed(server, begin, is_done)


def export_items(server, client):
    request = {"TableArn": ACCOUNT + tables.WRITES, "S3Bucket": BUCKET}
    arn = []

    def begin():
        answer = client.call("ExportTableToPointInTime", request)
        arn.append(answer["ExportDescription"]["ExportArn"])

    def is_done():
        told = client.call("DescribeExport", {"ExportArn": arn[0]})["ExportDescription"]
        return told["ExportStatus"] == "COMPLETED"

    return timed(server, begin, is_done)


def sample(root, file):
    options = ["--db", str(file)] if file else []
    with mockddb("--s3-root", str(root), *options) as server:
        client = Client(server.url)
        found = {"import": import_items(server, client)}
        tables.make_recoverable(client, tables.WRITES)
        found["export"] = export_items(server, client)
    return found


def waits_sample(root, file):
    options = ["--db", str(file)] if file else []
    with mockddb("--s3-root", str(root), *options) as server:
        found = waits.measure(server, BUCKET, root / BUCKET / INPUT)
    return {f"{WHILE}{what}": figures for what, figures in found.items()}


TAKEN = {sample: "importing and exporting", waits_sample: "what others wait"}


def measure(runs, say):
    """{"import, in memory": {figure: median}, …}"""
    samples = {}
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name) / "s3"
        write_input(root)
        for run in range(runs):
            for place in ("in memory", "in a file"):
                for take, says in TAKEN.items():
                    say(f"{says}, {ITEMS} items {place}")
                    file = pathlib.Path(name) / f"{take.__name__}{run}.db"
                    found = take(root, file if place == "in a file" else None)
                    for what, figures in found.items():
                        samples.setdefault(f"{what}, {place}", []).append(figures)
    return {
        what: {figure: statistics.median(s[figure] for s in taken) for figure in taken[0]}
        for what, taken in samples.items()
    }
