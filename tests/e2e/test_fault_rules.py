"""Faults on demand: docs/faults.md is true, SDKs ride throttles out, and what becomes of replies."""

import json
import pathlib
import socket
import threading
import time
import zlib

from admin import documented_commands, must, run_documented
from boto import boto3, connect
from e2e import HEADERS, PATIENCE, Report, Server, equal, temporary_folder, wait_until

FIXTURE = ("--fixtures", "guides")
ORDER = {"orderId": {"S": "o-1"}}


def documented(report):
    with Server(*FIXTURE) as server:
        for line in documented_commands("faults.md"):
            with report.case(line):
                answer = run_documented(server, line)
                if "message" in answer:
                    raise AssertionError(answer["message"])


def rules(server, *those):
    must(server, "DELETE", "faults")
    return must(server, "POST", "faults", {"rules": list(those)})


def hits(server):
    return [rule["hits"] for rule in must(server, "GET", "faults")["rules"]]


def raw(server, operation, body):
    """Sends a request and reads until the connection ends; returns (head, body) as bytes."""
    text = json.dumps(body).encode()
    head = dict(HEADERS, Host="127.0.0.1", Connection="close")
    head["X-Amz-Target"] = f"DynamoDB_20120810.{operation}"
    head["Content-Length"] = str(len(text))
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(f"POST / HTTP/1.1\r\n{lines}\r\n".encode() + text)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    before, _, after = answer.partition(b"\r\n\r\n")
    return before, after


def header(head, name):
    for line in head.decode().split("\r\n"):
        if line.lower().startswith(name.lower() + ":"):
            return line.partition(":")[2].strip()
    return None


def replies(report):
    with Server(*FIXTURE) as server:
        scan = {"TableName": "Users"}
        whole = raw(server, "Scan", scan)[1]
        with report.case("a body that is cut short announces its whole length"):
            rules(server, {"operation": "Scan", "cut": 100})
            head, body = raw(server, "Scan", scan)
            equal((header(head, "Content-Length"), body), (str(len(whole)), whole[:100]))
        with report.case("a checksum that is wrong"):
            rules(server, {"operation": "Scan", "wrong_crc": True})
            head, body = raw(server, "Scan", scan)
            equal(body, whole)
            assert int(header(head, "x-amz-crc32")) != zlib.crc32(whole)
        with report.case("a clock that is skewed shows in the Date header"):
            rules(server, {"skew": "-2h"})
            head, body = raw(server, "Scan", scan)
            equal(b"InvalidSignatureException" in body, True)
            skewed = time.strptime(header(head, "Date"), "%a, %d %b %Y %H:%M:%S GMT")
            rules(server)
            plain = header(raw(server, "Scan", scan)[0], "Date")
            now = time.strptime(plain, "%a, %d %b %Y %H:%M:%S GMT")
            assert abs(time.mktime(now) - time.mktime(skewed) - 7200) < 60
        for moment, there in (("before", False), ("after", True)):
            with report.case(f"a connection that is dropped {moment} the write took effect"):
                name = f"dropped-{moment}"
                rules(server, {"operation": "PutItem", "drop": moment})
                put = {"TableName": "Users", "Item": {"userId": {"S": name}}}
                equal(raw(server, "PutItem", put), (b"", b""))
                rules(server)
                got = server.call("GetItem", {"TableName": "Users", "Key": {"userId": {"S": name}}})
                equal("Item" in got, there)
        with report.case("a delay holds up no other connection"):
            for delay in (1.5, 15, 60):  # on a busy machine the first may be over too soon
                rules(server, {"operation": "Scan", "delay": f"{delay * 1000:.0f}ms"})
                slow = threading.Thread(target=raw, args=(server, "Scan", scan))
                began = time.monotonic()
                slow.start()
                wait_until(lambda: must(server, "GET", "faults")["rules"][0]["hits"])
                server.call("ListTables", {})
                meanwhile = slow.is_alive()
                slow.join()
                assert time.monotonic() - began >= delay, "there was no delay"
                if meanwhile:
                    break
            assert meanwhile, "the other one waited"
        with report.case("a dropped reply that is late is late"):
            rules(server, {"operation": "Scan", "delay": 300, "drop": "after"})
            began = time.monotonic()
            equal(raw(server, "Scan", scan), (b"", b""))
            assert time.monotonic() - began >= 0.3


def dynamodb(server, mode):
    from botocore.config import Config

    connect(server)
    return boto3.client("dynamodb", config=Config(retries={"mode": mode, "max_attempts": 5}))


def retried(report):
    if not boto3:
        report.skip("boto3", "boto3 is not installed")
        return
    with Server(*FIXTURE) as server:
        for mode in ("standard", "adaptive"):
            client = dynamodb(server, mode)
            for error in (
                "ProvisionedThroughputExceededException",
                "ThrottlingException",
                "RequestLimitExceeded",
                "InternalServerError",
                "ServiceUnavailable",
            ):
                with report.case(f"boto3 in {mode} mode rides out two of {error}"):
                    rules(server, {"operation": "GetItem", "times": 2, "error": error})
                    answer = client.get_item(TableName="Users", Key={"userId": {"S": "u101"}})
                    equal(answer["ResponseMetadata"]["RetryAttempts"], 2)
                    equal(hits(server), [2])
            with report.case(f"boto3 in {mode} mode asks again after a dropped connection"):
                rules(server, {"operation": "GetItem", "times": 1, "drop": "before"})
                answer = client.get_item(TableName="Users", Key={"userId": {"S": "u101"}})
                equal(answer["ResponseMetadata"]["RetryAttempts"], 1)
            with report.case(f"boto3 in {mode} mode asks again after a wrong checksum"):
                rules(server, {"operation": "GetItem", "times": 1, "wrong_crc": True})
                answer = client.get_item(TableName="Users", Key={"userId": {"S": "u101"}})
                equal(answer["ResponseMetadata"]["RetryAttempts"], 1)
        connect(server)
        with report.case("a batch writer sends what was left unprocessed once more"):
            rules(server, {"operation": "BatchWriteItem", "times": 2, "unprocessed": 3})
            table = boto3.resource("dynamodb").Table("Users")
            with table.batch_writer() as batch:
                for i in range(25):
                    batch.put_item(Item={"userId": f"batch-{i}"})
            equal(hits(server), [2])
            rules(server)
            for i in range(25):
                assert "Item" in table.get_item(Key={"userId": f"batch-{i}"}), i
        with report.case("a paginator goes through short pages"):
            every = server.call("Scan", {"TableName": "Users"})["Count"]
            rules(server, {"operation": "Scan", "page_limit": 4})
            pages = list(dynamodb(server, "standard").get_paginator("scan").paginate(TableName="Users"))
            equal(sum(page["Count"] for page in pages), every)
            assert len(pages) >= every // 4


def at_start(report):
    rule = {"rules": [{"operation": "Scan", "table": "Things", "error": "InternalServerError"}]}
    table = {
        "TableName": "Things",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    }
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        (folder / "tables").mkdir()
        (folder / "tables/Things.json").write_text(json.dumps(table))
        (folder / "faults.json").write_text(json.dumps(rule))
        with report.case("a fixture's faults.json means its own tables"):
            with Server("--fixtures", name, "--table-prefix", "dev-") as server:
                equal(server.post("Scan", b'{"TableName":"dev-Things"}')[0], 500)
        rules_file = folder / "story.json"
        rules_file.write_text(json.dumps({"rules": [{"operation": "ListTables", "cut": 1}]}))
        with report.case("--faults loads a file of rules"):
            with Server("--faults", str(rules_file)) as server:
                equal(len(must(server, "GET", "faults")["rules"]), 1)
        rules_file.write_text('{"rules": [{"cut": "some"}]}')
        with report.case("a file of rules that is wrong is reported by name"):
            try:
                Server("--faults", str(rules_file))
            except RuntimeError as problem:
                wanted = f"{rules_file}: rules[0].cut must be a whole number"
                assert wanted in str(problem), str(problem)
            else:
                raise AssertionError("it started")


if __name__ == "__main__":
    report = Report()
    documented(report)
    replies(report)
    retried(report)
    at_start(report)
    report.done()
