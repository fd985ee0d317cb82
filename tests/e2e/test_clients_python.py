"""Python clients (docs/clients.md): the programs of examples/python-clients, each with its client from the registry."""

import os
import sys

from aws_worker import Worker
from client_examples import check_row, run_client
from e2e import ROOT, Report
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


def check_client(report, packages, program, operations):
    name, version = packages[0].split("==")
    check_row(report, NAMES.get(name, name), version, program)
    folder = from_registry(f"{name}-{version}", *packages)
    if not folder:
        report.skip(f"{name} {version}", "it cannot be installed")
        return
    environment, printed = {"PYTHONPATH": str(folder)}, f"{name} {version}\n"
    if not program.endswith(".sh"):
        command = [sys.executable, "-B", "-W", "ignore", FOLDER / program]
        run_client(report, f"{name} {version}", command, printed, operations, **environment)
        return
    with Worker(str(folder / "bin/aws"), **environment) as worker:
        environment["PATH"] = f"{worker.folder}:{folder}/bin:{os.environ['PATH']}"
        run_client(report, f"{name} {version}", ["sh", FOLDER / program], printed, operations, **environment)


def main():
    report = Report()
    if not has_pip():
        report.skip("Python clients", "there is no pip")
        report.done()
    for packages, program, operations in CLIENTS:
        check_client(report, packages, program, operations)
    report.done()


main()
