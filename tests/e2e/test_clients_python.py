"""Python clients (docs/clients.md): the programs of examples/python-clients, each with its client from the registry."""

import json
import os
import sys
import urllib.request

from e2e import PATIENCE, ROOT, Report, Server, equal, run_program, temporary_folder
from pip_package import from_registry, has_pip

FOLDER = ROOT / "examples/python-clients"
CLIENTS = (  # packages, program, operations that it has to use
    (("boto3==1.44.8",), "boto3_client.py", ["GetRecords"]),
    (("boto3==1.10.0",), "boto3_client.py", ["GetRecords"]),  # the oldest that runs with Python 3.11
    (("aioboto3==15.5.0",), "aioboto3_client.py", ["GetRecords"]),
    (("pynamodb==6.1.0",), "pynamodb_client.py", ["TransactGetItems"]),
    (("awscli==1.46.3",), "aws_cli.sh", ["GetRecords"]),
)
NAMES = {"awscli": "AWS CLI"}  # in the table
EACH = ["CreateTable", "BatchWriteItem", "Query", "TransactWriteItems"]
ENDPOINTS = ("AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_DYNAMODB_STREAMS")
KEYS = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "us-east-1"}


def verb(server, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(f"{server.url}/_mockddb/{path}", data, timeout=PATIENCE) as answer:
        return answer.read().decode()


def has_row(name, version, program):
    rows = (ROOT / "docs/clients.md").read_text(encoding="utf-8").splitlines()
    return any(NAMES.get(name, name).lower() in row.lower() and f" {version} " in row and program in row for row in rows)


def run_client(report, packages, program, operations):
    name, version = packages[0].split("==")
    with report.case(f"{name} {version} is in the table of docs/clients.md"):
        assert has_row(name, version, program)
    folder = from_registry(f"{name}-{version}", *packages)
    if not folder:
        report.skip(f"{name} {version}", "it cannot be installed")
        return
    runner = ["sh"] if program.endswith(".sh") else [sys.executable, "-B", "-W", "ignore"]
    with temporary_folder() as place, Server() as server, report.case(f"{name} {version}"):
        rule = {"operation": "BatchWriteItem", "times": 1, "unprocessed": 5}
        verb(server, "faults", {"rules": [rule]})
        environment = dict.fromkeys(ENDPOINTS, server.url)
        environment |= KEYS | {"PYTHONPATH": str(folder), "PATH": f"{folder}/bin:{os.environ['PATH']}"}
        ended = run_program([*runner, FOLDER / program], folder=place, **environment)
        equal((ended.returncode, ended.stdout.lower(), ended.stderr), (0, f"{name} {version}\n", ""))
        equal([rule["hits"] for rule in json.loads(verb(server, "faults"))["rules"]], [1])
        verb(server, "assert", {"assert": [{"no_unretried": True}]})
        sent = {json.loads(line)["operation"] for line in verb(server, "journal").splitlines()}
        equal([operation for operation in EACH + operations if operation not in sent], [])


def main():
    report = Report()
    if not has_pip():
        report.skip("Python clients", "there is no pip")
        report.done()
    for packages, program, operations in CLIENTS:
        run_client(report, packages, program, operations)
    report.done()


main()
