"""The short pages for users (pages.py): recovery, vector search, DynamoDB Local's options."""

import os
import re
import shlex
import signal
import subprocess
import urllib.error
import urllib.request

from e2e import PATIENCE, READY, ROOT, Report, Running, Server, Shell, equal
from pages import block_with, check, commands, prepare, run_page


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
                if "--query" in script:  # what is explained is on standard error
                    answer = shell.run(ours)
                    equal((answer.status, answer.stdout.strip()), (0, shown.strip()))
                else:
                    check(shell, ours, shown)


def vectors(report):
    with Server() as server, Shell(server) as shell:
        prepare(shell, server)
        run_page(report, "vector-search.md", shell, example="vector-search")


def answer_to_get(url):
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def started_as_java(report, shell):
    """The command line of tools that start DynamoDB Local, through the script of the page."""
    line = re.sub(r"-port \d+", "-port 0", block_with("migration/dynamodb-local.md", "shim:$PATH"))
    with report.case("migration/dynamodb-local.md: a tool that starts java finds a server"), Running(
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
    page = "migration/dynamodb-local.md"
    with Server("--fixtures", "ecommerce") as source, Shell(source) as shell:
        prepare(shell, source)
        run_page(report, page, shell, lambda script: script.replace("http://127.0.0.1:8001", source.url))
        started_as_java(report, shell)
        with report.case("migration/dynamodb-local.md: what was pulled is all there"):
            equal(any(counted(source).values()), True)
            with Server(*keeping_expired(page), folder=shell.home) as server:
                equal(counted(server), counted(source))
        with report.case("migration/dynamodb-local.md: what was pulled is served by flags of DynamoDB Local alone"):
            with Server("-port", "0", "-sharedDb", folder=shell.home) as server:
                equal(counted(server).keys(), counted(source).keys())
        with report.case("migration/dynamodb-local.md: neither -inMemory nor an option of two dashes keeps a file"):
            for number, options in enumerate((["-inMemory"], ["--journal", "10"])):
                folder = shell.home / f"kept{number}"
                folder.mkdir()
                with Server("-port", "0", "-sharedDb", *options, folder=folder):
                    pass
                equal(os.listdir(folder), [])


def main():
    report = Report()
    for page in (recovery, recovery_by_try, vectors, dynamodb_local):
        page(report)
    report.done()


main()
