"""What other requests wait, and what memory takes, while many items move.

A connection of its own sends a GetItem every two milliseconds, or once the one before is answered.
A file's log is written back at a few moments; who waits for that is counted, and left out of the
percentiles.
"""

import functools
import gzip
import http.client
import json
import multiprocessing
import shutil
import statistics
import subprocess
import tempfile
import time
import urllib.parse

import tables
from client import Client
from servers import PROGRAM

EVERY_SECONDS = 0.002
LOG_MS = 50  # what is longer is such a moment
POLL_EVERY = 20  # of these requests, on their own connection
STILL_SECONDS = 2
HELD = 1000  # items of the table that others read

# what is made on the way, by the name of its table
IMPORTED, RESTORED, POSTED, COMMANDED = tables.WRITES, "Restored", "Posted", "Commanded"


def percentile(values, share):
    return sorted(values)[int(share * (len(values) - 1))]


def watch(server, begin):
    """Reads until what was begun is done, a few times at least: milliseconds, and the megabytes before, at most
    and after."""
    reader, poller = Client(server.url), Client(server.url)
    bodies = [
        json.dumps({"TableName": tables.BENCH, "Key": tables.key(n)}).encode() for n in range(HELD)
    ]
    waits = []
    before_mb, before = server.forget_peak(), server.usage()
    start = time.monotonic()
    is_done = begin(poller)
    while not waits or len(waits) % POLL_EVERY or not is_done():
        sent = time.monotonic()
        reader.send("GetItem", bodies[len(waits) % HELD])
        waits.append(1000 * (time.monotonic() - sent))
        time.sleep(max(0, sent + EVERY_SECONDS - time.monotonic()))
    seconds = time.monotonic() - start
    short = [wait for wait in waits if wait <= LOG_MS]
    return {
        "p50_ms": statistics.median(short),
        "p99_ms": percentile(short, 0.99),
        "worst_ms": max(short),
        "longer": len(waits) - len(short),
        "longest_ms": max(waits),
        "seconds": seconds,
        "before_mb": before_mb,
        "peak_mb": server.peak_mb(),
        "after_mb": server.resident_mb(),
        "waited": (server.usage().wait - before.wait) / seconds,
    }


# --- what goes on meanwhile: each begins something and returns what says whether it is done ------


def nothing(_client):
    end = time.monotonic() + STILL_SECONDS
    return lambda: time.monotonic() > end


def import_table(bucket, client):
    request = {
        "ClientToken": "token",
        "S3BucketSource": {"S3Bucket": bucket, "S3KeyPrefix": "in/"},
        "InputFormat": "DYNAMODB_JSON",
        "TableCreationParameters": tables.definition(IMPORTED),
    }
    arn = client.call("ImportTable", request)["ImportTableDescription"]["ImportArn"]

    def is_done():
        told = client.call("DescribeImport", {"ImportArn": arn})["ImportTableDescription"]
        return told["ImportStatus"] == "COMPLETED"

    return is_done


def export_table(bucket, client):
    arn = client.call("DescribeTable", {"TableName": IMPORTED})["Table"]["TableArn"]
    answer = client.call("ExportTableToPointInTime", {"TableArn": arn, "S3Bucket": bucket})
    export = answer["ExportDescription"]["ExportArn"]

    def is_done():
        told = client.call("DescribeExport", {"ExportArn": export})["ExportDescription"]
        return told["ExportStatus"] == "COMPLETED"

    return is_done


def backup(found, client):
    """Leaves the backup's ARN in `found`."""
    answer = client.call("CreateBackup", {"TableName": IMPORTED, "BackupName": "bench"})
    found.append(answer["BackupDetails"]["BackupArn"])

    def is_done():
        told = client.call("DescribeBackup", {"BackupArn": found[0]})["BackupDescription"]
        return told["BackupDetails"]["BackupStatus"] == "AVAILABLE"

    return is_done


def restore(found, client):
    client.call("RestoreTableFromBackup", {"TargetTableName": RESTORED, "BackupArn": found[0]})

    def is_done():
        told = client.call("DescribeTable", {"TableName": RESTORED})["Table"]
        return told["TableStatus"] == "ACTIVE"

    return is_done


def pack(path, folder):
    """The file packed: a few bytes of it are many items."""
    packed = f"{folder}/items.json.gz"
    with open(path, "rb") as plain, gzip.open(packed, "wb", compresslevel=1) as out:
        shutil.copyfileobj(plain, out)
    return packed


def send_file(url, path):
    where = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname, where.port)
    with open(path, "rb") as file:
        connection.request("POST", f"/_mockddb/import?table={POSTED}", file)
        answer = connection.getresponse()
        raise SystemExit(answer.status != 200)


def post(server, path, _client):
    sender = multiprocessing.Process(target=send_file, args=(server.url, path))
    sender.start()
    return lambda: ended(sender.exitcode)


def command(server, words, _client):
    verb, *rest = words
    child = subprocess.Popen(
        [str(PROGRAM), verb, "--endpoint", server.url, *rest], stdout=subprocess.DEVNULL
    )
    return lambda: ended(child.poll())


def ended(status):
    if status:
        raise RuntimeError(f"what was to be measured has failed with {status}")
    return status is not None


# --- all of it -----------------------------------------------------------------------------------


def measure(server, bucket, path):
    """{what goes on: figures}; the file of items is an object of the bucket below in/."""
    client = Client(server.url)
    tables.fill_bench(client, HELD)
    for table in (POSTED, COMMANDED):
        client.call("CreateTable", tables.definition(tables.WRITES) | {"TableName": table})
    found = {"nothing": watch(server, nothing)}
    found["ImportTable"] = watch(server, functools.partial(import_table, bucket))
    tables.make_recoverable(client, IMPORTED)
    arn = []
    found["ExportTableToPointInTime"] = watch(server, functools.partial(export_table, bucket))
    found["CreateBackup"] = watch(server, functools.partial(backup, arn))
    found["RestoreTableFromBackup"] = watch(server, functools.partial(restore, arn))
    words = ["import", "--table", COMMANDED, str(path)]
    found["mockddb import"] = watch(server, functools.partial(command, server, words))
    with tempfile.TemporaryDirectory() as folder:
        packed = pack(path, folder)
        found["POST /_mockddb/import"] = watch(server, functools.partial(post, server, packed))
        words = ["export", "--table", COMMANDED, f"{folder}/out.json.gz"]
        found["mockddb export"] = watch(server, functools.partial(command, server, words))
    return found
