"""All golden cases, except those that tests/golden/not-in-database.txt lists with the reason, with PostgreSQL as the store."""

import re
import subprocess

import postgres
from e2e import BINARY, PATIENCE, PROGRAMS, ROOT, Report, equal

FEWEST = 10_000  # cases


def main():
    report = Report()
    if not postgres.binaries():
        report.lack("golden cases in PostgreSQL", "there is no PostgreSQL server (scripts/setup installs it)")
        report.done()
    with postgres.Cluster() as cluster, report.case("golden cases in PostgreSQL"):
        url = cluster.url("golden")
        subprocess.run([BINARY, "store", "init", url], check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)
        ended = subprocess.run(
            [PROGRAMS / "golden", "--store", url, ROOT / "tests/golden"],
            capture_output=True,
            text=True,
            timeout=4 * PATIENCE,
            check=False,
        )
        counts = re.search(r"golden: (\d+) passed, (\d+) failed\n$", ended.stdout)
        assert counts, ended.stdout[-2000:] + ended.stderr[-5000:]
        equal((int(counts[2]), "\n".join(line for line in ended.stdout.splitlines() if line.startswith("FAIL"))), (0, ""))
        assert int(counts[1]) > FEWEST, counts[1]
    report.done()


if __name__ == "__main__":
    main()
