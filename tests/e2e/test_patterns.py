"""The access patterns of the bundled fixtures, checked by ddb-patterns against a server."""

import pathlib

from e2e import BINARY, ROOT, Report, Server

PROGRAM = pathlib.Path(BINARY).with_name("ddb-patterns")
FIXTURES = sorted(path.parent.name for path in ROOT.glob("fixtures/*/patterns.json"))


def main():
    report = Report()
    for fixture in FIXTURES:
        with Server("--fixtures", fixture, "--table-prefix", "prod-") as server:
            command = [PROGRAM, "--endpoint", server.url, "--table-prefix", "prod-"]
            command += ["--format", "tap", ROOT / "fixtures" / fixture / "patterns.json"]
            report.relay(f"{fixture}: every pattern holds", command)
    report.done()


main()
