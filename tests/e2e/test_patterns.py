"""The access patterns of the bundled fixtures, checked by ddb-patterns against a server."""

import os
import pathlib
import subprocess

from e2e import PATIENCE, PROGRAMS, ROOT, Report, Server, temporary_folder

PROGRAM = PROGRAMS / "ddb-patterns"
FIXTURES = sorted(path.parent.name for path in ROOT.glob("fixtures/*/patterns.json"))


def documented(report):
    """The lines of docs/patterns.md that call our clients, but for those that need an account."""
    lines = (ROOT / "docs/patterns.md").read_text().replace("\\\n", " ").splitlines()
    programs = {**os.environ, "PATH": f"{PROGRAM.parent.resolve()}:{os.environ['PATH']}"}
    with Server("--fixtures", "ecommerce", "--table-prefix", "prod-") as server, temporary_folder() as folder:
        (pathlib.Path(folder) / "fixtures").symlink_to(ROOT / "fixtures")
        for line in lines:
            if not line.startswith(("ddb-patterns ", "ddb-json ")) or "https:" in line:
                continue
            with report.case(f"docs/patterns.md: {line}"):
                subprocess.run(
                    line.replace("ddb-patterns ", f"ddb-patterns --endpoint {server.url} "),
                    shell=True, cwd=folder, env=programs, stdout=subprocess.DEVNULL,
                    timeout=PATIENCE, check=True,
                )


def main():
    report = Report()
    documented(report)
    for fixture in FIXTURES:
        with Server("--fixtures", fixture, "--table-prefix", "prod-") as server:
            command = [PROGRAM, "--endpoint", server.url, "--table-prefix", "prod-"]
            command += ["--format", "tap", ROOT / "fixtures" / fixture / "patterns.json"]
            report.relay(f"{fixture}: every pattern holds", command)
    report.done()


main()
