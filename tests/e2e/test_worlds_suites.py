"""The suite of examples/javascript under Vitest and Jest, where those programs are: alone,
under `mockddb run`, and with a server that does not start or does not end well."""

import os
import pathlib
import re
import shlex
import shutil

from e2e import BINARY, NODE_FOLDER, ROOT, Report, equal, has_node, run_program, temporary_folder

PAGE = (ROOT / "docs/worlds.md").read_text(encoding="utf-8")
RUN = re.compile(r"^mockddb run (.*) -- (?:npx )?(\w+)", re.MULTILINE)
VITEST = NODE_FOLDER / "node_modules/vitest/vitest.mjs"
JEST = NODE_FOLDER / "node_modules/jest/bin/jest.js"

# What the program is, by name: a shell script, and what the runner has to say.
BROKEN = {
    "ends at once": ("exit 1", "ended with 1: it wrote nothing"),
    "ends at once, with a reason": ("echo no room >&2; echo the last reason >&2; exit 7", "ended with 7: the last reason"),
    "refuses an option": (f'exec {BINARY} --no-such-option "$@"', "--no-such-option"),
    "prints something else and ends": ("echo usage: 1 2 3", "program"),
    "ends badly": (f'exec {BINARY} --fail-on no=CreateTable "$@"', "ended with 3: broken  no=CreateTable"),
}


def write_files(folder):
    for name, example in (("vitest", "javascript"), ("jest", "javascript")):
        shutil.copytree(ROOT / "examples" / example, folder / name)
        (folder / name / "node_modules").symlink_to(NODE_FOLDER / "node_modules")


def suites():
    """(name, command, whether it can be run here) of each suite."""
    node = has_node()
    yield "vitest", ["node", VITEST, "run"], node and VITEST.is_file()
    yield "jest", ["node", JEST], node and JEST.is_file()


def run(command, folder, program=BINARY):
    return run_program(command, folder=folder, PATH=os.environ["PATH"], MOCKDDB=str(program), NO_COLOR="1")


def passes(ended):
    if ended.returncode:
        raise AssertionError(ended.stdout + ended.stderr)
    if not re.search(r"\b(?:[2-9]|\d\d) passed", ended.stdout + ended.stderr):
        raise AssertionError("no test was run\n" + ended.stdout + ended.stderr)


def fails(ended, why):
    if ended.returncode == 0 or why not in ended.stdout + ended.stderr:
        raise AssertionError(f"exit status {ended.returncode}\n{ended.stdout}{ended.stderr}")


def broken(report, name, command, folder):
    for what, (script, why) in BROKEN.items():
        program = folder / "program"
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)
        with report.case(f"{name} fails where the server {what}, and says why"):
            fails(run(command, folder / name, program), why)
    with report.case(f"{name} fails where there is no such program, and says so"):
        fails(run(command, folder / name, folder / "missing"), "missing cannot be started")


def under_run(report, name, command, folder):
    """The command of the page that runs the suite, and one whose rule the suite breaks."""
    options = next(options for options, program in RUN.findall(PAGE) if program == name)
    with report.case(f"{name} under mockddb run uses its server"):
        ended = run([BINARY, "run", *shlex.split(options), "--", *command], folder / name, folder / "missing")
        passes(ended)
        assert "holds   no=Scan\n" in ended.stderr, ended.stderr
    with report.case(f"{name} under mockddb run: a broken rule fails it"):
        options = ["--worlds", "by-access-key", "--fail-on", "no=CreateTable"]
        ended = run([BINARY, "run", *options, "--", *command], folder / name, folder / "missing")
        equal(ended.returncode, 3)
        assert re.search(r"broken  no=CreateTable: .*the first is CreateTable \w+ \(in world \w+ at 2026-01-01T", ended.stderr), ended.stderr


def main():
    report = Report()
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        write_files(folder)
        for name, command, installed in suites():
            if not installed:
                report.skip(name, "it is not installed")
                continue
            with report.case(name):
                passes(run(command, folder / name))
            under_run(report, name, command, folder)
            broken(report, name, command, folder)
    report.done()


if __name__ == "__main__":
    main()
