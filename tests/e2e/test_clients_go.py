"""examples/go: the SDK for Go v2 and guregu/dynamo, with the package mockddbtest, and the Go line of docs/explain.md."""

import re
import shlex

from e2e import BINARY, ROOT, Report
from toolchains import go_settings, go_tests, run, succeeds

FOLDER = ROOT / "examples/go"


def main():
    report = Report()
    if not go_settings():
        report.skip("Go's clients", "there is no Go")
        report.done()
    fetched = run(["go", "mod", "download"], FOLDER)
    if fetched.returncode:
        report.skip("Go's clients", f"the modules cannot be fetched: {fetched.stderr.splitlines()[-1]}")
        report.done()
    with report.case("docs/explain.md: the Go line is in the example"):
        line = re.search(r"`(o\.APIOptions = [^`]*)`", (ROOT / "docs/explain.md").read_text(encoding="utf-8"))[1]
        assert line in (FOLDER / "sdk_test.go").read_text(encoding="utf-8"), line
    go_tests(report, "examples/go", FOLDER, 11, MOCKDDB_BINARY=BINARY, GOFLAGS="-mod=readonly")
    with report.case("docs/java-go-rust.md: the suite under mockddb run"):
        page = (ROOT / "docs/java-go-rust.md").read_text(encoding="utf-8")
        command = re.search(r"^mockddb (run .* -- go test .*)$", page, re.MULTILINE)[1]
        ended = succeeds(run([BINARY, *shlex.split(command)], FOLDER, MOCKDDB_BINARY="/nowhere"))
        assert "holds   no_validation_errors" in ended.stderr, ended.stderr
    report.done()


main()
