"""The commands of README.md, and those of other pages that start a server, as they stand there
except for the port; and the links of all pages."""

import json
import pathlib
import re
import shlex
import shutil

from e2e import PROGRAMS, ROOT, Report, Server, Shell, equal, run_program, temporary_folder

URL = re.compile(r"https?://(127\.0\.0\.1|localhost):8000")


def blocks(page):
    return re.findall(r"^```\w*\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S)


def block_with(page, text):
    return next(block for block in blocks(page) if text in block)


def lines(page, beginning):
    """Commands of one line, without what is said about them."""
    for block in blocks(page):
        for line in block.splitlines():
            if re.match(beginning, line):
                yield re.split(r"  | +#", line)[0]


def starts(report, command, folder):
    with report.case(f"it starts: {command}"):
        words = shlex.split(re.sub(r"(-port) \d+", r"\1 0", command))[1:]
        if words == ["--help"]:
            equal(run_program([PROGRAMS / "mockddb", *words]).returncode, 0)
            return
        with Server(*words, folder=folder) as server:
            server.call("ListTables", {})


def starting(report, folder):
    for name in ("my-fixture", "my-team/fixture", "DIR"):
        shutil.copytree(ROOT / "fixtures/ecommerce", folder / name)
    pages = sorted((ROOT / "docs").glob("*.md"))
    for page in ("README.md", *(f"docs/{page.name}" for page in pages)):
        for command in lines(page, r"mockddb(?! [\w=]|:)"):
            if "--tls-cert" not in command and "--store" not in command:  # e2e/test_store_pg
                starts(report, command, folder)


def anchors(path):
    """What a link may have behind its #: the headings, as GitHub names them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        if not target.startswith("http") and (not file.exists() or (anchor and anchor not in anchors(file))):
            yield target


def links(report):
    for page in (*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))):
        with report.case(f"the links of {page.relative_to(ROOT)} lead somewhere"):
            equal(list(broken_links(page)), [])


def first_minute(report, server, shell):
    script = block_with("README.md", "aws dynamodb query --endpoint-url")
    with report.case("the query of the first minute finds something"):
        answer = shell.run(URL.sub(server.url, script))
        equal((answer.status, answer.stderr), (0, ""))
        assert json.loads(answer.stdout)["Items"]


def tried(report, server, shell):
    script = block_with("README.md", "mockddb try")
    with report.case("the query that is tried"):
        program = f"{PROGRAMS}/mockddb try --endpoint {server.url}"
        answer = shell.run(script.replace("mockddb try", program))
        equal(answer.status, 0)
        assert answer.stdout
        equal(answer.stderr.strip(), block_with("README.md", "why: no item").strip())


def patterns(report, server):
    for command in lines("README.md", "ddb-patterns"):
        with report.case(command):
            program, *words = shlex.split(command)
            ended = run_program([PROGRAMS / program, "--endpoint", server.url, *words])
            equal((ended.returncode, ended.stderr), (0, ""))


def with_tls(report, shell, folder):
    make, start, ask = re.fullmatch(
        r"(openssl .*?)\n(mockddb .*?)\n(AWS_CA_BUNDLE.*?)\n",
        block_with("docs/doors.md", "openssl req"),
        re.S,
    ).groups()
    with report.case("TLS with a certificate of one's own"):
        equal(shell.run(f"cd {folder} && {make}").status, 0)
        with Server(*shlex.split(start)[1:], folder=folder) as server:
            ask = URL.sub(server.url, ask).replace(" aws ", f" {shell.cli} ")
            answer = shell.run(f"cd {folder} && {ask}")
            equal((answer.status, json.loads(answer.stdout)), (0, {"TableNames": []}))


def main():
    report = Report()
    links(report)
    with temporary_folder() as name:
        folder = pathlib.Path(name)
        starting(report, folder)
        with Server("--fixtures", "ecommerce", "--table-prefix", "prod-") as server:
            patterns(report, server)
            with Shell(server) as shell:
                tried(report, server, shell)
                if shell.cli:
                    first_minute(report, server, shell)
                    with_tls(report, shell, folder)
                else:
                    report.skip("commands of the AWS CLI", "there is none")
    report.done()


main()
