"""The short pages for users: their files and commands, one after the other, as they stand there. What follows
a block of commands as `text` is the end of what they print."""

import functools
import importlib.util
import os
import re
import shlex
import signal
import subprocess
import sys
import urllib.error
import urllib.request
import xml.etree.ElementTree

from boto import boto3
from e2e import BINARY, NODE_FOLDER, PATIENCE, READY, ROOT, Report, Running, Server, Shell, equal, has_node

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"(?:#|//) (\S+\.(?:py|mjs))\n")
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


def write_files(page, folder):
    for _, text in blocks(page):
        named = FILE.match(text)
        if named:
            (folder / named[1]).write_text(text[named.end() :], encoding="utf-8")


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


def run_page(report, page, shell, change=lambda script: script):
    write_files(page, shell.home)
    for script, shown in commands(page):
        name = f"{page}: {script.splitlines()[0]}"
        if not PROGRAMS_NEEDED.get(script.split()[0], lambda: True)():
            report.skip(name, "it is not installed, or too old")
            continue
        with report.case(name):
            check(shell, change(script), shown)


def recovery(report):
    with Server() as server, Shell(server) as shell:
        prepare(shell, server)
        if shell.cli:
            run_page(report, "recovery.md", shell)
        else:
            report.skip("recovery.md", "there is no AWS CLI")


def recovery_by_try(report):
    with Server() as server, Shell(server) as shell:
        prepare(shell, server)
        for script, shown in commands("recovery.md"):
            ours = re.sub(r"^aws ", "mockddb try aws ", script, flags=re.MULTILINE)
            with report.case(f"recovery.md by try: {ours.splitlines()[0]}"):
                check(shell, ours, None if "--query" in script else shown)
                if "scan --table-name OrdersBefore" in script:
                    assert "o1" in run(shell, ours.splitlines()[-1])[1].split()


def vectors(report):
    with Server() as server, Shell(server) as shell:
        prepare(shell, server)
        run_page(report, "vector-search.md", shell)


def rules(report, shell):
    command = "mockddb run --worlds by-access-key --fail-on"
    with report.case("pytest.md: a broken rule is named, and fails the suite"):
        status, printed = run(shell, f"{command} no=UpdateItem -- pytest -n 2")
        equal(status, 3)
        assert re.search(r"^broken  no=UpdateItem: .* in world gw\d", printed, re.MULTILINE), printed
        assert "8 passed" in printed or "9 passed" in printed, printed
    with report.case("pytest.md: without --allow-none a suite without requests is refused"):
        status, printed = run(shell, f"{command} no=Scan -- pytest test_prices.py")
        equal((status, "1 passed" in printed), (3, True))
    with report.case("pytest.md: the suite says how it is run where there is no server"):
        status, printed = run(shell, "pytest")
        equal((status, "run it as: mockddb run" in printed), (4, True))


def pytest_page(report):
    with Server() as server, Shell(server) as shell:
        prepare(shell, server)
        if not has_modules("pytest", "xdist", "boto3"):
            report.skip("pytest.md", "pytest, xdist or boto3 is not installed")
            return
        run_page(report, "pytest.md", shell)
        with report.case("pytest.md: the JUnit file has all tests"):
            suite = xml.etree.ElementTree.parse(shell.home / "report.xml").find(".//testsuite")
            equal([suite.get(name) for name in ("tests", "failures", "errors", "skipped")], ["9", "0", "0", "0"])
        rules(report, shell)
        with report.case("README.md: the command for a suite"):
            command = re.search(r"^mockddb run .*", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)[0]
            status, printed = run(shell, command)
            equal((status, "holds   no=Scan" in printed), (0, True))
        with report.case("pytest.md: the workflow runs a command of the page"):
            line = re.search(r"run: (mockddb run .*)", block_with("pytest.md", "runs-on"))[1]
            assert any(line == script.strip() for script, _ in commands("pytest.md")), line
        with report.case("pytest.md: the suite asks its own server, and no other"):
            equal(server.call("ListTables", {}), {"TableNames": []})


def answer_to_get(url):
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def started_as_java(report, shell):
    """The command line of tools that start DynamoDB Local, through the script of the page."""
    line = re.sub(r"-port \d+", "-port 0", block_with("dynamodb-local.md", "shim:$PATH"))
    with report.case("dynamodb-local.md: a tool that starts java finds a server"), Running(
        ["bash", "-c", line], cwd=shell.home, env=shell.environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as tool:
        try:
            ready = READY.match(tool.stdout.readline())
            said = tool.stdout.readline()
            status, text = answer_to_get(ready[1])
        finally:
            os.killpg(tool.pid, signal.SIGTERM)
        equal((said, status), ("Initializing DynamoDB Local with the following configuration:\n", 400))
        assert b"MissingAuthenticationToken" in text, text


def counted(server):
    """How many items each table has."""
    tables = server.call("ListTables", {})["TableNames"]
    return {name: server.call("Scan", {"TableName": name, "Select": "COUNT"})["Count"] for name in tables}


def keeping_expired(page):
    """The options of the page that keep items whose time to live is over."""
    return shlex.split(re.search(r"`mockddb (--ttl-sweep-ms .*?)`", (ROOT / "docs" / page).read_text(encoding="utf-8"))[1])


def dynamodb_local(report):
    page = "dynamodb-local.md"
    with Server("--fixtures", "ecommerce") as source, Shell(source) as shell:
        prepare(shell, source)
        run_page(report, page, shell, lambda script: script.replace("http://127.0.0.1:8001", source.url))
        started_as_java(report, shell)
        with report.case("dynamodb-local.md: what was pulled is all there"):
            equal(any(counted(source).values()), True)
            with Server(*keeping_expired(page), folder=shell.home) as server:
                equal(counted(server), counted(source))
        with report.case("dynamodb-local.md: what was pulled is served by flags of DynamoDB Local alone"):
            with Server("-port", "0", "-sharedDb", folder=shell.home) as server:
                equal(counted(server).keys(), counted(source).keys())
        with report.case("dynamodb-local.md: neither -inMemory nor an option of two dashes keeps a file"):
            for number, options in enumerate((["-inMemory"], ["--journal", "10"])):
                folder = shell.home / f"kept{number}"
                folder.mkdir()
                with Server("-port", "0", "-sharedDb", *options, folder=folder):
                    pass
                equal(os.listdir(folder), [])


def main():
    report = Report()
    for page in (recovery, recovery_by_try, vectors, pytest_page, dynamodb_local):
        page(report)
    report.done()


main()
