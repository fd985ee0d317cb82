"""The access patterns of the bundled fixtures, checked by ddb-patterns against a server."""

import pathlib
import subprocess

from e2e import BINARY, ROOT, Report, Server

PROGRAM = pathlib.Path(BINARY).with_name("ddb-patterns")
FIXTURES = sorted(path.parent.name for path in ROOT.glob("fixtures/*/patterns.json"))


def main():
    report = Report()
    for fixture in FIXTURES:
        with Server("--fixtures", fixture, "--table-prefix", "prod-") as server:
            completed = subprocess.run(
                [PROGRAM, "--endpoint", server.url, "--table-prefix", "prod-", "--format", "tap"]
                + [ROOT / "fixtures" / fixture / "patterns.json"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=120,
                check=False,
            )
            print(completed.stdout, end="", flush=True)
            report.count += sum(
                line.startswith(("ok ", "not ok ")) for line in completed.stdout.splitlines()
            )
            with report.case(f"{fixture}: every pattern holds"):
                assert completed.returncode == 0, f"exit status {completed.returncode}"
    report.done()


main()
