import json
import os
import subprocess
import sys
import tempfile
import urllib.request

import boto3
import pytest

READY = "mockddb listening on "


def last_line(log):
    log.seek(0)
    return (log.read().splitlines() or ["it wrote nothing to standard error"])[-1]


def start_server(config):
    program = os.environ.get("MOCKDDB", "mockddb")
    log = tempfile.TemporaryFile("w+")
    try:
        server = subprocess.Popen(
            [program, "--port", "0", "--worlds", "by-access-key"], stdout=subprocess.PIPE, stderr=log, text=True
        )
    except OSError as problem:
        raise pytest.UsageError(f"{program} cannot be started: {problem.strerror}")
    ready = next((line for line in server.stdout if line.startswith(READY)), None)
    if not ready:
        raise pytest.UsageError(f"{program} ended with {server.wait()}: {last_line(log)}")
    config.mockddb = server, log
    os.environ["MOCKDDB_URL"] = os.environ["AWS_ENDPOINT_URL"] = ready.split()[-1]
    os.environ |= {"AWS_SECRET_ACCESS_KEY": "any", "AWS_DEFAULT_REGION": "us-east-1"}


def pytest_configure(config):
    """Each worker signs its requests with a key of its own, and so does the code under test."""
    if "MOCKDDB_URL" not in os.environ:  # neither mockddb run nor, for a worker, the first process has started a server
        start_server(config)
    os.environ["AWS_ACCESS_KEY_ID"] = os.environ.get("PYTEST_XDIST_WORKER", "alone")


def pytest_unconfigure(config):
    if hasattr(config, "mockddb"):
        server, log = config.mockddb
        server.terminate()
        if server.wait():
            sys.exit(f"mockddb ended with {server.returncode}: {last_line(log)}")


class World:
    """One worker's own tables and time."""

    def __init__(self):
        self.url = os.environ["MOCKDDB_URL"]
        self.name = os.environ["AWS_ACCESS_KEY_ID"]
        self.dynamodb = boto3.resource("dynamodb", endpoint_url=self.url)

    def verb(self, path, **body):
        request = urllib.request.Request(
            f"{self.url}/_mockddb/{path}", json.dumps(body).encode(), {"x-mockddb-world": self.name}
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


@pytest.fixture(scope="session")
def seeded():
    own = World()
    own.verb("clock", freeze="2026-01-01T00:00:00Z")
    orders = own.dynamodb.create_table(
        TableName="Orders",
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
    )
    with orders.batch_writer() as batch:
        for number in range(100):
            batch.put_item(Item={"id": f"o{number}", "status": "open"})
    own.verb("snapshots/seeded")
    return own


@pytest.fixture
def world(seeded):
    seeded.verb("snapshots/seeded/restore")
    return seeded
