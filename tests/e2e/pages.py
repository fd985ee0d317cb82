"""The short pages for users: their commands, one after the other, as they stand there, in a folder with the files of
their examples. What follows a block of commands as `text` is the end of what they print."""

import functools
import importlib.util
import os
import re
import shutil
import sys

from boto import boto3
from e2e import BINARY, NODE_FOLDER, ROOT, has_node

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ASKING = "mockddb: asking "  # begins a line that is there because the server is not on port 8000


def has_modules(*names):
    return all(importlib.util.find_spec(name) for name in names)


def searches_vectors():
    return boto3 is not None and hasattr(boto3.client("dynamodb", region_name="us-east-1"), "search_vectors")


# First words of a block, and whether they can be run here.
PROGRAMS_NEEDED = {"node": has_node, "python3": searches_vectors}


@functools.cache
def blocks(page):
    return BLOCK.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))


def commands(page):
    """(commands, what they print or None) of each block of commands."""
    for (kind, text), (next_kind, shown) in zip(blocks(page), [*blocks(page)[1:], ("", "")]):
        if kind == "sh":
            yield text, shown if next_kind == "text" else None


def block_with(page, text):
    return next(block for _, block in blocks(page) if text in block)


def prepare(shell, server):
    """What a reader of the pages has: mockddb on the PATH, pytest, the SDK for JavaScript, and where the server is."""
    (shell.home / "bin/mockddb").symlink_to(os.path.abspath(BINARY))
    for name, module in (("python3", ""), ("pytest", "-m pytest")):
        program = shell.home / "bin" / name
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -B {module} "$@"\n')
        program.chmod(0o755)
    (shell.home / "node_modules").symlink_to(NODE_FOLDER / "node_modules")
    shell.environment |= {"AWS_ENDPOINT_URL": server.url, "AWS_DEFAULT_REGION": "us-east-1", "NO_COLOR": "1"}
    del shell.environment["MOCKDDB_URL"]


def run(shell, script):
    """(status, what it printed) of a script."""
    answer = shell.run(f"exec 2>&1\n{script}")
    lines = [line for line in answer.stdout.splitlines() if not line.startswith(ASKING)]
    return answer.status, "\n".join(lines).strip()


def check(shell, script, shown):
    status, printed = run(shell, script)
    refused = (shown or "").startswith("An error occurred")
    if (status != 0) != refused or (shown and not f"\n{printed}".endswith(f"\n{shown.strip()}")):
        raise AssertionError(f"exit status {status}\n{printed}")


def run_page(report, page, shell, change=lambda script: script, example=None):
    if example:
        shutil.copytree(ROOT / "examples" / example, shell.home, dirs_exist_ok=True)
    for script, shown in commands(page):
        name = f"{page}: {script.splitlines()[0]}"
        if not PROGRAMS_NEEDED.get(script.split()[0], lambda: True)():
            report.skip(name, "it is not installed, or too old")
            continue
        with report.case(name):
            check(shell, change(script), shown)
