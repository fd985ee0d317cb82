"""Runs guides.mjs, the JavaScript code of a guide, with the SDK that scripts/setup installed."""

import os
import pathlib
import shutil

from e2e import ROOT, Report, Server

NODE_FOLDER = pathlib.Path(os.environ.get("MOCKDDB_NODE", ROOT / "build/node"))


def run(report, server):
    """Runs the script beside its node_modules, where imports are looked up."""
    script = NODE_FOLDER / "guides.mjs"
    shutil.copy(ROOT / "tests/e2e/guides.mjs", script)
    environment = os.environ | {
        "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b",
        "AWS_REGION": "us-east-1",
        "AWS_ENDPOINT_URL_DYNAMODB": server.url,
    }
    report.relay("the script comes to its end", ["node", script], environment)


def main():
    report = Report()
    if not shutil.which("node") or not (NODE_FOLDER / "node_modules/@aws-sdk").is_dir():
        report.skip("the guide's JavaScript code", "there is no Node.js or no SDK")
        report.done()
    with Server() as server:
        run(report, server)
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
