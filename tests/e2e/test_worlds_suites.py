"""The pytest and Vitest suites of docs/worlds.md, as they stand there, where those programs are."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from admin import ROOT
from e2e import BINARY, NODE_FOLDER, Report, has_node

FILE = re.compile(r"```(?:python|js)\n(?:#|//) (\S+)\n(.*?)```", re.DOTALL)


def write_files(folder):
    page = (ROOT / "docs/worlds.md").read_text(encoding="utf-8")
    for name, text in FILE.findall(page):
        (folder / name).write_text(text, encoding="utf-8")


def run(command, folder):
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "MOCKDDB": BINARY},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)


def has_module(name):
    return importlib.util.find_spec(name) is not None


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_files(folder)
        for options, needs in (((), ()), (("-n", "2"), ("xdist",))):
            case = " ".join(["pytest", *options])
            if not all(map(has_module, ("pytest", "boto3", *needs))):
                report.skip(case, "it is not installed")
                continue
            with report.case(case):
                run([sys.executable, "-B", "-m", "pytest", "-q", *options], folder)
        vitest = NODE_FOLDER / "node_modules/vitest/vitest.mjs"
        if not has_node() or not vitest.is_file():
            report.skip("vitest", "it is not installed")
        else:
            (folder / "node_modules").symlink_to(NODE_FOLDER / "node_modules")
            with report.case("vitest"):
                run(["node", str(vitest), "run"], folder)
    report.done()


if __name__ == "__main__":
    main()
