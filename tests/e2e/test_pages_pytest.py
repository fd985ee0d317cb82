"""docs/pytest.md (pages.py): the suite of the page, also with rules that it breaks."""

import re
import xml.etree.ElementTree

from e2e import ROOT, Report, Server, Shell, equal
from pages import commands, has_modules, prepare, run, run_page


def rules(report, shell):
    command = "mockddb run --worlds by-access-key --fail-on"
    with report.case("pytest.md: a broken rule is named, and fails the suite"):
        status, printed = run(shell, f"{command} no=UpdateItem -- pytest -n 2")
        equal(status, 3)
        assert re.search(r"^broken  no=UpdateItem: .*\(in world gw\d", printed, re.MULTILINE), printed
        assert "10 passed" in printed, printed
    with report.case("pytest.md: without --allow-none a suite without requests is refused"):
        status, printed = run(shell, f"{command} no=Scan -- pytest test_prices.py")
        equal((status, "1 passed" in printed), (3, True))


def pytest_page(report):
    with Server() as server, Shell(server) as shell:
        prepare(shell, server)
        if not has_modules("pytest", "xdist", "boto3"):
            report.skip("pytest.md", "pytest, xdist or boto3 is not installed")
            return
        run_page(report, "pytest.md", shell, example="pytest")
        with report.case("pytest.md: the JUnit file has all tests"):
            suite = xml.etree.ElementTree.parse(shell.home / "report.xml").find(".//testsuite")
            equal([suite.get(name) for name in ("tests", "failures", "errors", "skipped")], ["10", "0", "0", "0"])
        rules(report, shell)
        with report.case("README.md: the command for a suite"):
            command = re.search(r"^mockddb run .*", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)[0]
            status, printed = run(shell, command)
            equal((status, "holds   no=Scan" in printed), (0, True))
        with report.case("pytest.md: the workflow runs a command of the page"):
            line = re.search(r"run: (mockddb run .*)", (ROOT / "examples/pytest/github-actions.yml").read_text(encoding="utf-8"))[1]
            assert any(line == script.strip() for script, _ in commands("pytest.md")), line
        with report.case("pytest.md: the suite asks its own server, and no other"):
            equal(server.call("ListTables", {}), {"TableNames": []})


def main():
    report = Report()
    pytest_page(report)
    report.done()


main()
