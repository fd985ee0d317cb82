"""Runs the examples of clients (docs/clients.md) that come from a registry, each on a server of its own."""

import json
import urllib.request

from e2e import PATIENCE, ROOT, Server, equal, run_program, temporary_folder

EACH = ["CreateTable", "BatchWriteItem", "Query", "TransactWriteItems"]  # what programs have to use
ENDPOINTS = ("AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_DYNAMODB_STREAMS")
KEYS = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
REGION = dict.fromkeys(("AWS_DEFAULT_REGION", "AWS_REGION"), "us-east-1")


def verb(server, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(f"{server.url}/_mockddb/{path}", data, timeout=PATIENCE) as answer:
        return answer.read().decode()


def check_row(report, name, version, program):
    with report.case(f"{name} {version} is in the table of docs/clients.md"):
        rows = (ROOT / "docs/clients.md").read_text(encoding="utf-8").splitlines()
        assert any(name.lower() in row.lower() and f" {version} " in row and program in row for row in rows)


def run_client(report, name, command, printed, operations, each=EACH, **environment):
    """Runs a program, which prints a text, on a server that leaves five writes of the first batch unprocessed."""
    with temporary_folder() as place, Server() as server, report.case(name):
        rule = {"operation": "BatchWriteItem", "times": 1, "unprocessed": 5}
        verb(server, "faults", {"rules": [rule]})
        environment |= KEYS | REGION | dict.fromkeys(ENDPOINTS, server.url)
        ended = run_program(command, folder=place, **environment)
        equal((ended.returncode, ended.stdout.lower(), ended.stderr), (0, printed.lower(), ""))
        equal([rule["hits"] for rule in json.loads(verb(server, "faults"))["rules"]], [1])
        verb(server, "assert", {"assert": [{"no_unretried": True}]})
        sent = {json.loads(line)["operation"] for line in verb(server, "journal").splitlines()}
        equal([operation for operation in each + operations if operation not in sent], [])
