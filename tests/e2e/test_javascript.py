"""Runs guides.mjs, the JavaScript code of a guide, with the SDK that scripts/setup installed."""

import os
import pathlib
import shutil
import subprocess

from e2e import ROOT, Report, Server

NODE_FOLDER = pathlib.Path(os.environ.get("MOCKDDB_NODE", ROOT / "build/node"))


def relay(report, server):
    """Runs the script beside its node_modules, where imports are looked up, and counts its TAP."""
    script = NODE_FOLDER / "guides.mjs"
    shutil.copy(ROOT / "tests/e2e/guides.mjs", script)
    completed = subprocess.run(
        ["node", script],
        env=os.environ
        | {
            "AWS_ACCESS_KEY_ID": "a",
            "AWS_SECRET_ACCESS_KEY": "b",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL_DYNAMODB": server.url,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    print(completed.stdout, end="", flush=True)
    report.count += sum(
        line.startswith(("ok ", "not ok ")) for line in completed.stdout.splitlines()
    )
    with report.case("the script comes to its end"):
        assert completed.returncode == 0, f"exit status {completed.returncode}"


def main():
    report = Report()
    if not shutil.which("node") or not (NODE_FOLDER / "node_modules/@aws-sdk").is_dir():
        report.skip("the guide's JavaScript code", "there is no Node.js or no SDK")
        report.done()
    with Server() as server:
        relay(report, server)
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
