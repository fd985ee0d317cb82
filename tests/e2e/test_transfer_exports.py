"""A server's exports as `mockddb import` takes them: full ones and the incremental ones behind them,
and exports that are not what their manifests say."""

import gzip
import json
import pathlib
import shutil
from datetime import datetime

from admin import must
from e2e import BINARY, ROOT, Like, Report, Server, equal, run_program, temporary_folder, wait_until
from transfer_kit import EQUAL

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Tab"
TABLE = {
    "TableName": "Tab",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}
KEY = ("--create", "--key", "pk:S")
FORMATS = ("DYNAMODB_JSON", "ION")


def run(*arguments):
    return run_program([BINARY, *map(str, arguments)], None, ROOT)


def item(number, **more):
    return {"pk": {"S": f"p{number}"}, "s": {"SS": ["a", "b"]}, "n": {"N": "1.5"}} | more


def items_of(server, table="Tab"):
    found = server.call("Scan", {"TableName": table})["Items"]
    return sorted(found, key=lambda one: one["pk"]["S"])



def export(server, bucket, form, **more):
    """Exports, and returns the export's folder."""
    request = {"TableArn": ARN, "S3Bucket": bucket.name, "ExportFormat": form} | more
    arn = server.call("ExportTableToPointInTime", request)["ExportDescription"]["ExportArn"]

    def told():
        return server.call("DescribeExport", {"ExportArn": arn})["ExportDescription"]

    wait_until(lambda: told()["ExportStatus"] != "IN_PROGRESS")
    equal(told()["ExportStatus"], "COMPLETED")
    return bucket / told()["ExportManifest"].rsplit("/", 1)[0]


def seconds_now(server):
    return datetime.fromisoformat(must(server, "GET", "clock")["now"]).timestamp()


def change(server):
    """Changes in half an hour; returns the window's beginning and end."""
    begin = seconds_now(server)
    must(server, "POST", "clock", {"advance": "5m"})
    server.put_items("Tab", [item(1, n={"N": "2"}), item(9)])
    server.call("DeleteItem", {"TableName": "Tab", "Key": {"pk": {"S": "p2"}}})
    must(server, "POST", "clock", {"advance": "25m"})
    return begin, seconds_now(server)


def come_back(report, server, bucket):
    at = ("import", "--endpoint", server.url, "--map", "Tab=Again")
    for form in FORMATS:
        with report.case(f"{form}: a full export, and the changes since"):
            server.call("CreateTable", TABLE)
            recovery = {"PointInTimeRecoveryEnabled": True}
            server.call(
                "UpdateContinuousBackups",
                {"TableName": "Tab", "PointInTimeRecoverySpecification": recovery},
            )
            server.put_items("Tab", [item(n) for n in range(5)])
            must(server, "POST", "clock", {"advance": "1m"})
            full = export(server, bucket, form)
            was, window = items_of(server), change(server)
            spec = dict(zip(("ExportFromTime", "ExportToTime"), window))
            changes = export(
                server,
                bucket,
                form,
                ExportType="INCREMENTAL_EXPORT",
                IncrementalExportSpecification=spec,
            )
            ended = run(*at, *KEY, full)
            equal((ended.returncode, ended.stderr, items_of(server, "Again")), (0, "", was))
            ended = run(*at, "--compare", changes / "manifest-summary.json")
            equal((ended.returncode, ended.stderr), (0, ""))
            equal(ended.stdout, Like(f"2 items into .*, 1 deleted\n{EQUAL.format(server.url, 2)}"))
            equal(items_of(server, "Again"), items_of(server))
            server.call("DeleteTable", {"TableName": "Again"})
        with report.case(f"{form}: all exports of a folder, in the order of their times"):
            ended = run(*at, *KEY, bucket / "AWSDynamoDB")
            equal((ended.returncode, ended.stderr), (0, ""))
            equal(items_of(server, "Again"), items_of(server))
        for table in ("Again", "Tab"):
            server.call("DeleteTable", {"TableName": table})
        shutil.rmtree(bucket / "AWSDynamoDB")


# --- what is not as it should be -----------------------------------------------------------------


def write_export(folder, *files, summary=None):
    """An export whose files each have the items of a list; returns its folder."""
    (folder / "data").mkdir(parents=True)
    listed = ""
    for number, items in enumerate(files):
        text = "".join(json.dumps({"Item": one}) + "\n" for one in items)
        (folder / f"data/{number}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
        key = f"AWSDynamoDB/x/data/{number}.json.gz"
        listed += json.dumps({"itemCount": len(items), "dataFileS3Key": key}) + "\n"
    (folder / "manifest-files.json").write_text(listed)
    (folder / "manifest-summary.json").write_text(json.dumps({"tableArn": ARN} | (summary or {})))
    return folder


def list_with(folder, **more):
    """Adds members to the first line of the list of files."""
    path = folder / "manifest-files.json"
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps(json.loads(first) | more), *rest]) + "\n")


def wrong_digest(folder):
    list_with(folder, md5Checksum="AAAAAAAAAAAAAAAAAAAAAA==", etag="0-1")
    return "data/0.json.gz: these are not the contents that manifest-files.json has a digest of"


def wrong_etag(folder):
    list_with(folder, etag="af83d6f217c19b8b0fff8023d8ca4716-1")
    return "data/0.json.gz: these are not the contents that manifest-files.json has a digest of"


def wrong_sum(folder):
    list_with(folder, itemCount=3)
    return "manifest-summary.json counts 2 items, manifest-files.json 4"


def no_list(folder):
    (folder / "manifest-files.json").unlink()
    return "manifest-files.json, which is to list the files, is not there"


def no_file(folder):
    (folder / "data/1.json.gz").unlink()
    return "manifest-files.json names data/1.json.gz, which does not exist"


def no_path(folder):
    list_with(folder, dataFileS3Key="AWSDynamoDB/x/data/..")
    return "manifest-files.json names data/.., which does not exist"


def no_json(folder):
    (folder / "manifest-files.json").write_text("{\n")
    return "manifest-files.json: this is not JSON"


WRONG = (wrong_digest, wrong_etag, wrong_sum, no_list, no_file, no_path, no_json)


def refused(report, server, folder):
    at = ("import", "--endpoint", server.url, *KEY)
    for spoil in WRONG:
        with report.case(f"an export with {spoil.__name__.replace('_', ' ')}: nothing is written"):
            there = write_export(folder / spoil.__name__, [item(0)], [item(1)], summary={"itemCount": 2})
            told = spoil(there)
            ended = run(*at, there)
            equal((ended.returncode, told in ended.stderr), (1, True))
            equal(server.call("ListTables", {})["TableNames"], [])
    with report.case("a file with another count than its manifest says: it is written, and reported"):
        there = write_export(folder / "count", [item(0)], [item(1)])
        list_with(there, itemCount=7)
        ended = run(*at, there)
        equal(ended.returncode, 1)
        equal(ended.stderr.endswith("data/0.json.gz: the manifest counts 7 items, the file has 1\n"), True)
        equal(items_of(server), [item(0)])
    with report.case("an etag of many parts says nothing, files that are not listed are not read"):
        there = write_export(folder / "parts", [item(3)], [], summary={"itemCount": 1})
        list_with(there, etag="af83d6f217c19b8b0fff8023d8ca4716-2")
        (there / "data/other.json").write_text("nonsense")
        ended = run(*at, there)
        equal((ended.returncode, ended.stderr), (0, ""))
    with report.case("by a link: an export and a file are read, a folder within is not passed over"):
        (folder / "links").mkdir()
        (folder / "links/Tab.json").symlink_to(write_export(folder / "real", [item(5)]) / "data/0.json.gz")
        (folder / "link").symlink_to(folder / "real")
        equal([run(*at, folder / name).returncode for name in ("links", "link")], [0, 0])
        (folder / "links/within").symlink_to(folder / "real")
        ended = run(*at, folder / "links")
        equal((ended.returncode, "is followed only if it is named itself" in ended.stderr), (1, True))


if __name__ == "__main__":
    report = Report()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        (folder / "s3/bucket").mkdir(parents=True)
        with Server("--s3-root", str(folder / "s3")) as server:
            must(server, "POST", "clock", {"freeze": True})
            come_back(report, server, folder / "s3/bucket")
        with Server() as server:
            refused(report, server, folder)
    report.done()
