"""The commands of the rendered cheat sheet, typed into a shell as they stand there."""

import json
import pathlib
import re
import subprocess

from e2e import BINARY, PATIENCE, ROOT, Report, Server, Shell, equal

PROGRAM = pathlib.Path(BINARY).with_name("ddb-patterns")
PATTERNS = ROOT / "fixtures/ecommerce/patterns.json"
# One pattern: its name in the line of its question, then one block of commands.
PATTERN = re.compile(
    r"^\*\*[^\n]*\(`(?P<name>[\w-]+)`: [^\n]*\n.*?^```sh\n(?P<script>.*?)^```$", re.M | re.S
)


def report_of(server, form):
    command = [PROGRAM, "--endpoint", server.url, "--table-prefix", "prod-", "--format", form]
    return subprocess.run(
        command + [PATTERNS], capture_output=True, text=True, timeout=PATIENCE, check=True
    ).stdout


def items_of(answer):
    return len(answer.get("Items", [answer["Item"]] if "Item" in answer else []))


def main():
    report = Report()
    with Server("--fixtures", "ecommerce", "--table-prefix", "prod-") as server, Shell(
        server
    ) as shell:
        results = {row["name"]: row for row in json.loads(report_of(server, "json"))["results"]}
        scripts = {
            found["name"]: found["script"]
            for found in PATTERN.finditer(report_of(server, "markdown"))
        }
        with report.case("the cheat sheet has a block of commands for every pattern"):
            equal(list(scripts), list(results))
        for name, script in scripts.items():
            first = script.split("\n\n")[0]  # later commands need values of the first one's answer
            with report.case(f"{name}: the command finds what the pattern found"):
                answer = shell.run(first)
                found = json.loads(answer.stdout) if answer.stdout else {}
                equal((answer.status, answer.stderr), (0, ""))
                equal(items_of(found), results[name]["steps"][0]["items"])
    report.done()


main()
