"""JavaScript clients (docs/clients.md): the programs of examples/javascript-clients, with clients from the registry."""

import json
import pathlib
import shutil

from client_examples import check_row, run_client
from e2e import ROOT, Report, equal, has_node, temporary_folder
from toolchains import installed

FOLDER = ROOT / "examples/javascript-clients"
INSTALL = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--no-package-lock"]
# Else npm adds what packages want beside them: SDK 2 for TypeDORM, React Native for the oldest SDK.
INSTALL += ["--legacy-peer-deps", "--loglevel=error", "--fetch-retries=1"]
SDK = "@aws-sdk/client-dynamodb"
STREAMS = "@aws-sdk/client-dynamodb-streams"
DOCUMENTS = "@aws-sdk/lib-dynamodb"
PACKAGES = {
    "oldest": {SDK: "3.8.0", DOCUMENTS: "3.8.0", STREAMS: "3.4.1"},  # with DocumentClient
    "newest": {
        SDK: "3.1169.0",
        DOCUMENTS: "3.1169.0",
        STREAMS: "3.1141.0",
        "electrodb": "3.9.3",
        "dynamoose": "4.2.0",
        "dynamodb-toolbox": "2.10.6",
        "dynamodb-onetable": "2.7.7",
        "@typedorm/core": "1.15.4",
        "@typedorm/common": "1.15.4",
        "@typedorm/document-client": "1.15.4",
        "reflect-metadata": "0.1.14",
    },
}
CLIENTS = (  # packages, name in the table, package, program, operations that it has to use
    ("oldest", "DocumentClient", DOCUMENTS, "sdk_client.mjs", ["GetRecords"]),
    ("newest", "DocumentClient", DOCUMENTS, "sdk_client.mjs", ["GetRecords"]),
    ("newest", "ElectroDB", "electrodb", "electrodb_client.mjs", ["GetRecords", "TransactGetItems"]),
    ("newest", "dynamoose", "dynamoose", "dynamoose_client.mjs", ["TransactGetItems"]),
    ("newest", "dynamodb-toolbox", "dynamodb-toolbox", "toolbox_client.mjs", ["GetRecords", "TransactGetItems"]),
    ("newest", "OneTable", "dynamodb-onetable", "onetable_client.mjs", ["GetRecords", "TransactGetItems"]),
    ("newest", "TypeDORM", "@typedorm/core", "typedorm_client.mjs", ["TransactGetItems"]),
)


def check_client(report, modules, age, name, package, program, operations):
    version = PACKAGES[age][package]
    check_row(report, name, version, program)
    if not modules:
        report.skip(f"{name} {version}", "it cannot be installed")
        return
    with report.case(f"{name} {version} is installed in this version"):
        equal(json.loads((modules / package / "package.json").read_text(encoding="utf-8"))["version"], version)
    with temporary_folder() as folder:  # imports are looked up in node_modules beside the program
        place = shutil.copytree(FOLDER, pathlib.Path(folder) / "app")
        (place / "node_modules").symlink_to(modules)
        command = ["node", "--no-warnings", place / program]
        run_client(report, f"{name} {version}", command, "", operations)


def main():
    report = Report()
    if not has_node() or not shutil.which("npm"):
        report.skip("JavaScript clients", "there is no Node.js that is new enough, or no npm")
        report.done()
    modules = {}
    for age, versions in PACKAGES.items():
        packages = [f"{name}@{version}" for name, version in versions.items()]
        folder = ROOT / "build/javascript-clients" / age
        modules[age] = installed(folder, packages, [*INSTALL, "--prefix", folder, *packages])
    for age, *client in CLIENTS:
        check_client(report, modules[age] and modules[age] / "node_modules", age, *client)
    report.done()


main()
