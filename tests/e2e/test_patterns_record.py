"""ddb-patterns --record and --watch."""

import json
import pathlib
import subprocess
import time

from e2e import PATIENCE, PROGRAMS, ROOT, Report, Running, Server, equal, temporary_folder

PROGRAM = str(PROGRAMS / "ddb-patterns")


def patterns(server, *arguments):
    return subprocess.run(
        [PROGRAM, "--endpoint", server.url, "--table-prefix", "prod-", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def record(report, server, file):
    with report.case("what is wrong in a file is right once it is recorded"):
        equal(patterns(server, file).returncode, 1)
        equal(patterns(server, "--record", file).returncode, 0)
        equal(patterns(server, file).returncode, 0)
    with report.case("recording again changes nothing"):
        before = file.read_text()
        equal(patterns(server, "--record", file).returncode, 0)
        assert file.read_text() == before, "another text"
    with report.case("a file behind a link is replaced, with its permissions; nothing is left beside it"):
        link = file.with_name("link.json")
        link.symlink_to(file)
        file.write_text(before.replace('"count": ', '"count": 7', 1))
        file.chmod(0o640)
        equal(patterns(server, "--record", link).returncode, 0)
        equal((link.is_symlink(), file.read_text(), file.stat().st_mode & 0o777), (True, before, 0o640))
        link.unlink()
        equal([path.name for path in file.parent.iterdir()], [file.name])
    with report.case("refused: standard input cannot be written"):
        equal(patterns(server, "--record", "-").returncode, 2)


def watch(report, server, file):
    with report.case("a file that changes is run again"), Running(
        [PROGRAM, "--endpoint", server.url, "--table-prefix", "prod-", "--watch", file],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as watching:
        try:
            wait_for(watching.stdout, "hold")
            time.sleep(0.5)
            file.write_text(file.read_text() + "\n")
            wait_for(watching.stdout, "hold")
        finally:
            watching.kill()


def wait_for(stream, word):
    """The program is killed where that does not come, by the time that a test may take."""
    for line in stream:
        if word in line:
            return
    raise AssertionError(f"no line with {word}")


def main():
    report = Report()
    with temporary_folder() as folder:
        file = pathlib.Path(folder) / "patterns.json"
        text = json.loads((ROOT / "fixtures/ecommerce/patterns.json").read_text())
        for pattern in text["patterns"]:
            for step in pattern["steps"]:
                step.get("expect", {})["count"] = 99
                step.pop("cost", None)
        file.write_text(json.dumps(text, indent=2))
        with Server("--fixtures", "ecommerce", "--table-prefix", "prod-") as server:
            record(report, server, file)
            watch(report, server, file)
    report.done()


main()
