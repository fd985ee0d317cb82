"""The Python package and its pytest plugin (docs/pip.md): packed, installed into an empty folder, and used by suites."""

import base64
import csv
import hashlib
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import xml.etree.ElementTree
import zipfile

from e2e import MARK, PATIENCE, ROOT, Report, Server, Shell, at_best, clean_environment, equal, temporary_folder, wait_until
from pages import block_with, commands, has_modules, prepare, run, run_page
from pip_package import from_registry, has_pip, install, lay_out, pack

SUITE = ROOT / "tests/packages/python"
TABLE = (
    '{"TableName": "Orders", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "id", '
    '"AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}'
)
BROKEN = "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n    Properties: {TableName: !Ref Nothing}\n"
MOTO = ("moto[s3]==5.2.5", "boto3==1.44.8", "pytest==9.2.0", "pytest-xdist==3.8.0")


# As moto's documentation recommends it.
MOTO_CONFTEST = """
import os, boto3, pytest
from moto import mock_aws

@pytest.fixture(scope="function")
def aws_credentials():
    os.environ["AWS_ACCESS_KEY_ID"] = "testing"
    os.environ["AWS_SECRET_ACCESS_KEY"] = "testing"
    os.environ["AWS_SECURITY_TOKEN"] = "testing"
    os.environ["AWS_SESSION_TOKEN"] = "testing"
    os.environ["AWS_DEFAULT_REGION"] = "us-east-1"

@pytest.fixture(scope="function")
def mocked_aws(aws_credentials):
    with mock_aws():
        yield

@pytest.fixture
def orders(mocked_aws):
    return boto3.resource("dynamodb").create_table(
        TableName="Orders", BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
    )
"""
MOTO_SUITE = """
import boto3, pytest

@pytest.mark.parametrize("n", range(6))
def test_a(orders, n):
    boto3.client("s3").create_bucket(Bucket="photos")
    orders.put_item(Item={"id": "1"}, ConditionExpression="attribute_not_exists(id)")
    assert boto3.client("dynamodb").scan(TableName="Orders")["Count"] == 1
"""


class User:
    """Who has the package in a folder, and nothing else of mockddb."""

    def __init__(self, folder):
        self.folder = folder
        self.site = folder / "site"
        self.home = folder / "home"
        self.home.mkdir()
        self.more = {}  # of the environment

    def environment(self, **more):
        kept = clean_environment(
            HOME=str(self.home), PATH=f"{self.site}/bin:/usr/bin:/bin", PYTHONPATH=str(self.site), PYTHONDONTWRITEBYTECODE="1"
        )
        kept = {name: value for name, value in kept.items() if not name.startswith("MOCKDDB") or name == MARK}
        return {**kept, **self.more, **more}

    def run(self, *words, folder=None, **more):
        """(status, all that it printed) of a program."""
        ended = subprocess.run(
            [str(word) for word in words],
            cwd=folder or self.folder,
            env=self.environment(**more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return ended.returncode, ended.stdout

    def python(self, script, folder=None, **more):
        return self.run(sys.executable, "-c", script, folder=folder, **more)

    def pytest(self, folder, *options, **more):
        return self.run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, folder=folder, **more)

    def suite(self, name, **files):
        """A folder with files; `ini` is pytest.ini without its first line, others are Python."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "pytest.ini").write_text("[pytest]\n" + files.pop("ini", ""))
        (folder / "orders.json").write_text(TABLE)
        for file, text in files.items():
            (folder / f"{file}.py").write_text(text)
        return folder


def expect(outcome, status, pattern):
    assert outcome[0] == status and re.search(pattern, outcome[1], re.MULTILINE), f"exit status {outcome[0]}\n{outcome[1]}"


def fake_programs(folder):
    """Beginnings of programs for other systems: as much as says what they need."""
    elf = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF", 2, 0, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0) + struct.pack("<I52x", 1)
    head = struct.pack("<IIIIIIII", 0xFEEDFACF, 0, 0, 2, 2, 0, 0, 0) + struct.pack("<II8x", 0x19, 16)
    made = {
        "linux-arm64/mockddb": elf,
        "darwin-arm64/mockddb": head + struct.pack("<IIIIII", 0x32, 24, 1, 11 << 16, 0, 0),
        "darwin-x64/mockddb": head + struct.pack("<IIII", 0x24, 16, 10 << 16 | 12 << 8, 0),
    }
    for name, content in made.items():
        path = folder / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
    return folder


def check_record(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = [entry.filename for entry in archive.infolist()]
        rows = list(csv.reader(archive.read(next(name for name in names if name.endswith("/RECORD"))).decode().splitlines()))
        equal(sorted(row[0] for row in rows), sorted(names))
        for name, digest, size in rows[:-1]:
            content = archive.read(name)
            shown = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            equal((digest, size), (f"sha256={shown}", str(len(content))))
        assert {entry.date_time for entry in archive.infolist()} == {archive.infolist()[0].date_time}


def packing(report, user, wheels):
    version = re.search(r"project\(mockddb VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    programs = lay_out(user.folder / "programs")
    with report.case("the same programs give the same wheels"):
        pack(programs, wheels)
        again = user.folder / "again"
        pack(programs, again)
        equal({path.name: path.read_bytes() == (again / path.name).read_bytes() for path in wheels.iterdir()},
              {path.name: True for path in again.iterdir()})
    with report.case("a wheel's record has all of its files"):
        for wheel in wheels.iterdir():
            check_record(wheel)
    with report.case("a platform without a program is left out, with a line"):
        others = user.folder / "others"
        ended = pack(fake_programs(user.folder / "fake"), others)
        equal(ended.stderr.count("\n"), 1)
        assert ended.stderr.startswith("linux-x64 is left out: there is no "), ended.stderr
    with report.case("tags say what a program needs"):
        equal(
            sorted(path.name for path in others.iterdir()),
            [
                f"mockddb-{version}-py3-none-{tags}.whl"
                for tags in (
                    "macosx_10_12_x86_64",
                    "macosx_11_0_arm64",
                    "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
                )
            ],
        )
    for platform in ("macosx_12_0_arm64", "macosx_11_0_x86_64", "manylinux_2_17_aarch64", "musllinux_1_1_aarch64"):
        with report.case(f"pip takes a wheel for {platform}"):
            site = user.folder / platform
            install(others, site, "--platform", platform, "--only-binary", ":all:")
            assert list(site.glob("mockddb/bin/mockddb*")), platform
    with report.case("a folder without programs is refused"):
        ended = subprocess.run([ROOT / "packages/python/pack", user.home, wheels], capture_output=True, text=True, check=False)
        equal((ended.returncode, ended.stderr.splitlines()[-1]), (1, f"no program in {user.home}"))


def installed(report, user, wheels):
    with report.case("the wheel is installed into an empty folder"):
        install(wheels, user.site)
    with report.case("the command is the program"):
        equal(user.run("mockddb", "--version"), user.run(user.site / "mockddb/bin/mockddb", "--version"))
        equal(user.run("mockddb", "no-such-command")[0], 2)
    with report.case("the fixtures of the wheel are known by their names"):
        fixtures = user.site / "mockddb/share/mockddb/fixtures"
        assert (fixtures / "ecommerce/tables/EcomIndexerJobsTable.json").is_file()
        shutil.copytree(SUITE / "seed", fixtures / "seed")
        script = "import mockddb\nwith mockddb.start(fixtures=['seed']) as s: print(s.verb('GET', 'worlds/default')['items'])"
        equal(user.python(script), (0, "1\n"))
    with report.case("the clients are commands, too"):
        expect(user.run("ddb-json", "--help"), 0, "^usage: ddb-json ")
        expect(user.run(sys.executable, "-m", "mockddb", "--help"), 0, "^usage: mockddb ")
    with report.case("MOCKDDB_BINARY names another program"):
        equal(user.run("mockddb", "a b", MOCKDDB_BINARY="/bin/echo"), (0, "a b\n"))
        equal(user.run("mockddb", MOCKDDB_BINARY="/nowhere"), (127, "mockddb: MOCKDDB_BINARY: there is no file /nowhere\n"))
    with report.case("an installation without a program says what to do"):
        (user.site / "mockddb/bin").rename(user.folder / "bin")
        try:
            status, printed = user.run("mockddb")
        finally:
            (user.folder / "bin").rename(user.site / "mockddb/bin")
        equal((status, printed.count("\n")), (127, 1))
        assert re.search(r"no mockddb program for linux-\w+: install the wheel", printed), printed


STARTS = """
import json, mockddb, sys
with mockddb.start(fixtures=[sys.argv[1]], tables=[sys.argv[2], json.loads(sys.argv[3])]) as server:
    assert server.port == int(server.url.rsplit(":", 1)[1])
    assert server.client() is server.client()
    names = ["Orders", "Things", "Users"]
    a, b = server.world("a"), server.world("b")
    for world in server, a, b:
        assert world.client().list_tables()["TableNames"] == names, world.name
    a.client().put_item(TableName="Orders", Item={"id": {"S": "1"}})
    a.snapshot("one")
    c = a.fork("c")
    assert [w.client().scan(TableName="Orders")["Count"] for w in (server, a, b, c)] == [0, 1, 0, 1]
    a.reset()
    assert a.client().scan(TableName="Orders")["Count"] == 0
    a.restore("one")
    assert a.resource().Table("Orders").scan()["Count"] == 1
    a.clock.freeze("2026-01-01T00:00:00Z")
    assert a.clock.now().isoformat() == "2026-01-01T00:00:00+00:00"
    a.journal.clear()
    a.client().scan(TableName="Orders")
    a.assert_(max_read_units=1)
    try:
        a.assert_(no_scan=True, max_read_units=0)
        sys.exit("no=Scan holds")
    except AssertionError as problem:
        assert str(problem).startswith("no=Scan: it was sent in 1 request") and "max_read_units=0" in str(problem), problem
    for wrong in (lambda: a.assert_(no_scn=True), lambda: a.clock.freeze("soon"), lambda: a.load("nowhere"),
                  lambda: a.faults.add(operation="Put"), lambda: a.restore("two"), lambda: a.journal.requests(opration="x")):
        try:
            wrong()
            sys.exit("it is not refused")
        except mockddb.Error as problem:
            assert "\\n" not in str(problem), problem
            print(problem)
    c.drop()
try:
    server.reset()
except mockddb.Error as problem:
    assert "does not answer" in str(problem)
try:
    with mockddb.start(args=["--fail-on", "no=ListTables"]) as server:
        server.client().list_tables()
except mockddb.Error as problem:
    print(problem)
"""


def programs(report, user):
    things = TABLE.replace("Orders", "Things")
    orders = user.suite("program") / "orders.json"
    with report.case("a program starts a server, and uses its worlds"):
        outcome = user.run(sys.executable, "-c", STARTS, SUITE / "seed", orders, things)
        expect(outcome, 0, r"mockddb ended with status 3: broken  no=ListTables: ")
    for what, call, line in (
        ("an unknown option", "args=['--no-such']", r"mockddb did not start \(status 2\): .*--no-such"),
        ("a fixture that does not exist", "fixtures=['nowhere']", r"there is no fixture nowhere"),
        ("a file of tables that does not exist", "tables=['nowhere.json']", r"tables: nowhere.json: No such file"),
        ("a broken file of tables", "tables=['pytest.ini']", r"tables: pytest.ini: Expecting value"),
        ("a table without a name", "tables=[{'KeySchema': []}]", r"tables: None is no name"),
        ("a table twice", "tables=['orders.json', 'orders.json']", r"tables: 'Orders' .* is given twice"),
        ("a table without a key", "tables=[{'TableName': 'Orders'}]", r"mockddb did not start .*Orders"),
    ):
        with report.case(f"one line for {what}"):
            script = f"import mockddb\ntry:\n  mockddb.start({call})\nexcept mockddb.Error as problem: print(problem)"
            outcome = user.run(sys.executable, "-c", script, folder=orders.parent)
            expect(outcome, 0, line)
            equal(outcome[1].count("\n"), 1)
    with report.case("one line for a port that is taken"):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            script = f"import mockddb\ntry:\n  mockddb.start(port={port})\nexcept mockddb.Error as problem: print(problem)"
            expect(user.python(script), 0, rf"^mockddb did not start \(status \d+\): .*{port}")
    with report.case("migration/moto.md: a server on a port that is known, in place of ThreadedMotoServer"):
        line = re.search(r"`(mockddb\.start\(port=\d+\))`", (ROOT / "docs/migration/moto.md").read_text(encoding="utf-8"))[1]
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        client = f"boto3.client('dynamodb', endpoint_url='http://127.0.0.1:{port}', region_name='us-east-1', aws_access_key_id='a', aws_secret_access_key='b')"
        script = f"import boto3, mockddb\nserver = {line.replace('5000', str(port))}\nprint({client}.list_tables()['TableNames'])\nserver.stop()"
        equal(user.python(script), (0, "[]\n"))
    with report.case("one line where boto3 is not installed"):
        folder = user.suite("without", boto3="raise ImportError")
        script = "import mockddb\nwith mockddb.start() as s:\n  try: s.client()\n  except mockddb.Error as problem: print(problem)"
        outcome = user.run(sys.executable, "-c", script, folder=folder)
        equal(outcome, (0, "client() and resource() need boto3: pip install boto3\n"))


def children_of(pid):
    """(pid, name) of all processes that one has started, and those of them."""
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            yield int(child), pathlib.Path(f"/proc/{child}/comm").read_text().strip()
            yield from children_of(child)


def is_running(pid):
    try:
        return ") Z " not in pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def killed(report, user):
    """However its parent ends, the server ends, too."""
    waits = "import pathlib, time\ndef test_waits():\n    pathlib.Path('begun').touch()\n    time.sleep(10000)\n"
    program = "import mockddb, pathlib, time\ns = mockddb.start()\npathlib.Path('begun').touch()\ntime.sleep(10000)\n"
    folder = user.suite("killed", test_waits=waits, program=program)
    runner = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    ways = {"pytest": runner, "pytest -n 2": [*runner, "-n", "2"], "a program": [sys.executable, "program.py"]}
    for name, command in ways.items():
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
            with report.case(f"{signal.Signals(number).name} to {name} leaves no server"):
                (folder / "begun").unlink(missing_ok=True)
                with open(user.folder / "log", "w") as log, subprocess.Popen(
                    command, cwd=folder, env=user.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log
                ) as process:
                    try:
                        wait_until((folder / "begun").exists)
                        servers = [child for child, comm in children_of(process.pid) if comm == "mockddb"]
                    finally:
                        process.send_signal(number)
                        process.wait(PATIENCE)
                equal(len(servers), 1)
                wait_until(lambda: not is_running(servers[0]))


def suites(report, user):
    for options in ([], ["-n", "3"]):
        with report.case(f"a user's suite: pytest {' '.join(options)}"):
            expect(user.pytest(SUITE, *options), 0, r"^=+ 38 passed in")
    with report.case("a user's suite under mockddb run"):
        command = ["mockddb", "run", "--worlds", "by-access-key", "--fail-on", "no=DeleteTable", "--", sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
        expect(user.run(*command, "-n", "2", folder=SUITE), 0, r"(?s)38 passed in.*holds   no=DeleteTable")
    with report.case("under mockddb run, a world begins with the options' tables also where it is never reset"):
        test = "def test_a(mockddb): assert mockddb.client().list_tables()['TableNames'] == ['Orders']"
        folder = user.suite("begins", ini="mockddb_tables = orders.json\nmockddb_reset = never\n", test_a=test)
        expect(user.run("mockddb", "run", "--", sys.executable, "-m", "pytest", "-p", "no:cacheprovider", folder=folder), 0, "1 passed")
    with report.case("the options of pyproject.toml"):
        folder = user.suite("pyproject", test_a="def test_a(mockddb): assert mockddb.clock.state()['now'][:4] == '2020'")
        (folder / "pytest.ini").unlink()
        (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmockddb_tables = ["orders.json"]\nmockddb_clock = "2020-01-01T00:00:00Z"\n')
        expect(user.pytest(folder), 0, "1 passed")
    with report.case("each world begins with a template's tables"):
        test = "def test_a(mockddb): assert mockddb.client().list_tables()['TableNames'] == ['Sessions', 'dev-Carts']"
        folder = user.suite("template", ini="mockddb_fixtures = template.yaml\n", test_a=test)
        shutil.copy(SUITE / "template.yaml", folder)
        expect(user.pytest(folder), 0, "1 passed")
        expect(user.run("mockddb", "run", "--", sys.executable, "-m", "pytest", "-p", "no:cacheprovider", folder=folder), 0, "1 passed")
    with report.case("the environment is there before conftest.py is read, and is taken back"):
        script = (
            "import os, pytest, sys\nos.environ |= {'AWS_PROFILE': 'prod', 'AWS_ACCESS_KEY_ID': 'real', 'AWS_REGION': 'x'}\n"
            "before = dict(os.environ)\nstatus = pytest.main(['-q', '-p', 'no:cacheprovider'])\n"
            "sys.exit(status or [name for name in {**before, **os.environ} if before.get(name) != os.environ.get(name) and name[:3] in ('AWS', 'MOC')] or 0)"
        )
        look = "import os\nURL = os.environ['AWS_ENDPOINT_URL_DYNAMODB']\nKEY = os.environ['AWS_ACCESS_KEY_ID']\n"
        test = "import os\nfrom conftest import URL, KEY\ndef test_a(mockddb): assert (URL, KEY, 'AWS_PROFILE' in os.environ) == (mockddb.url, 'main', False)"
        folder = user.suite("early", conftest=look, test_a=test)
        expect(user.run(sys.executable, "-c", script, folder=folder), 0, "1 passed")
    with report.case("mockddb_reset = never, and = module"):
        test = (
            "def test_a(mockddb):\n    mockddb.client().put_item(TableName='Orders', Item={'id': {'S': __name__}})\n"
            "def test_b(mockddb): assert mockddb.client().scan(TableName='Orders')['Count'] == COUNT\n"
        )
        folder = user.suite("never", ini="mockddb_tables = orders.json\n", test_1="COUNT = 1\n" + test, test_2="COUNT = 1\n" + test)
        expect(user.pytest(folder, "-o", "mockddb_reset=module"), 0, "4 passed")
        expect(user.pytest(folder, "-o", "mockddb_reset=never"), 1, "1 failed, 3 passed")
        expect(user.pytest(folder), 1, "2 failed, 2 passed")
    with report.case("without the plugin, pytest knows nothing of a server"):
        test = "import os\ndef test_a(): assert 'AWS_ENDPOINT_URL_DYNAMODB' not in os.environ"
        expect(user.pytest(user.suite("off", test_a=test), "-p", "no:mockddb"), 0, "1 passed")


def refusals(report, user):
    test = "import pytest\n@pytest.mark.mockddb({})\ndef test_a(mockddb): mockddb.client().scan(TableName='Orders')\n"
    for ini, line in (
        ("mockddb_fixturs = seed", r"there is no option mockddb_fixturs: mockddb_fixtures, "),
        ("mockddb_args = --no-such", r"mockddb did not start \(status 2\): .*--no-such"),
        ("mockddb_fixtures = nowhere", r"there is no fixture nowhere"),
        ("mockddb_tables = nowhere.json", r"tables: \S*nowhere.json: No such file"),
        ("mockddb_fixtures = broken.yaml", r"broken.yaml:4:\d+: "),
        ("mockddb_reset = often", r"mockddb_reset is often, not test, module, never"),
    ):
        with report.case(f"pytest.ini: one line for {ini}"):
            folder = user.suite("refused", ini=f"{ini}\n", test_a="def test_a(): pass")
            (folder / "broken.yaml").write_text(BROKEN)
            outcome = user.pytest(folder)
            expect(outcome, 4, rf"^ERROR: mockddb: .*{line}")
            equal(outcome[1].strip().count("\n"), 0)
    with report.case("pytest: one line where the installation has no program"):
        (user.site / "mockddb/bin").rename(user.folder / "bin")
        try:
            outcome = user.pytest(user.suite("refused", test_a="def test_a(): pass"))
        finally:
            (user.folder / "bin").rename(user.site / "mockddb/bin")
        expect(outcome, 4, r"^ERROR: mockddb: this installation has no mockddb program for linux-\w+: install the wheel")
        equal(outcome[1].strip().count("\n"), 0)
    with report.case("pytest: one line where it is older than 7, which has no StashKey"):
        script = "import pytest, sys\ndel pytest.StashKey\nsys.exit(pytest.main(['-p', 'no:cacheprovider']))"
        outcome = user.python(script, folder=user.suite("refused", test_a="def test_a(): pass"))
        expect(outcome, 4, r"^ERROR: mockddb: its plugin needs pytest 7 or newer, not \d")
        equal(outcome[1].strip().count("\n"), 0)
    with report.case("an unknown option of the command line"):
        expect(user.pytest(user.suite("refused"), "-o", "mockddb_clok=x"), 4, "^ERROR: mockddb: there is no option mockddb_clok:")
    with report.case("mockddb_args where another has started the server"):
        outcome = user.pytest(user.suite("refused", ini="mockddb_args = --explain\n"), MOCKDDB_URL="http://127.0.0.1:1")
        expect(outcome, 4, "^ERROR: mockddb: mockddb_args has no effect on the running server of MOCKDDB_URL")
    for mark, line in (
        ("no_scn=True", r"the mark: assert\[0\]: no_scn is not one of no, .*\(or fixtures, tables, clock, faults, reset\)"),
        ("'orders'", r"the mark takes arguments by name only: 'orders'"),
        ("fixtures='seed'", r"the mark's fixtures is no list"),
        ("fixtures=['nowhere']", r".*nowhere"),
        ("clock='soon'", r"POST clock: freeze is not a time"),
        ("reset=False, tables=['orders.json']", r"the mark's reset=False does not go with fixtures or tables"),
        ("faults=[{'operation': 'Put'}]", r".*Put"),
        ("no_scan=True", r"no=Scan: it was sent in 1 request, the first is \d+ \(Scan Orders in world main "),
    ):
        for options in ([], ["-n", "1"]):
            with report.case(f"mark({mark}): one line {' '.join(options)}"):
                outcome = user.pytest(user.suite("marked", ini="mockddb_tables = orders.json\n", test_a=test.format(mark)), *options)
                expect(outcome, 1, rf"^mockddb: {line.replace('main', '(main|gw0)')}")
                assert "Traceback" not in outcome[1] and "During" not in outcome[1], outcome[1]
    with report.case("a rule of --fail-on that the run breaks"):
        folder = user.suite("rule", ini="mockddb_tables = orders.json\nmockddb_args = --fail-on no=Scan\n", test_a=test.format(""))
        for options in ([], ["-n", "2"]):
            expect(user.pytest(folder, *options), 3, r"^mockddb ended with status 3\n(.*\n)*broken  no=Scan: .*\(in world (main|gw\d) ")


def speed(report, user):
    """What the plugin adds to eight workers and 200 tests, in processor time: the machine has other work."""
    test = "import pytest\n@pytest.mark.parametrize('n', range(200))\ndef test_a(n): pass\n"
    folder = user.suite("speed", ini="mockddb_tables = orders.json\n", test_a=test)

    def seconds(*options):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        expect(user.pytest(folder, "-n", "8", *options), 0, "200 passed")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    with report.case("eight workers and 200 tests: less than a second more"):
        at_best(1, lambda: seconds() - seconds("-p", "no:mockddb", "-W", "ignore"))
    with report.case("a reset takes less than 2 ms"):
        script = (
            "import mockddb, time\nwith mockddb.start(tables=['orders.json']) as s:\n  w = s.world('a')\n  def one():\n"
            "    t = time.perf_counter(); w.reset(); return time.perf_counter() - t\n  print(sorted(one() for _ in range(200))[100])"
        )
        at_best(0.002, lambda: float(user.run(sys.executable, "-c", script, folder=folder)[1]))


def aioboto3(report, user):
    folder = from_registry("aioboto3-15.5.0", "aioboto3==15.5.0")
    if not folder:
        report.skip("aioboto3", "it cannot be installed")
        return
    test = """
import aioboto3, asyncio

async def put():
    async with aioboto3.Session("dummy", "x").resource("dynamodb") as dynamodb:
        await (await dynamodb.Table("Orders")).put_item(Item={"id": "1"})

def test_a(mockddb):
    asyncio.run(put())
    assert {request["world"] for request in mockddb.journal} == {mockddb.name}
"""
    user.more = {"PYTHONPATH": f"{folder}:{user.site}"}
    with report.case("a client of aioboto3 with keys of its own uses the worker's world"):
        expect(user.pytest(user.suite("aio", ini="mockddb_tables = orders.json\n", test_a=test), "-n", "1"), 0, "1 passed")
    user.more = {}


def beside_moto(report, user):
    folder = from_registry("moto", *MOTO)
    if not folder:
        report.skip("beside moto", "moto cannot be installed")
        return
    test = """
import boto3, pytest
from moto import mock_aws

@pytest.mark.parametrize("n", range(4))
@mock_aws
def test_a(mockddb, n):
    s3 = boto3.client("s3")
    assert s3.list_buckets()["Buckets"] == []
    s3.create_bucket(Bucket="photos")
    orders = boto3.resource("dynamodb").Table("Orders")
    assert orders.scan()["Count"] == 0
    orders.put_item(Item={"id": "1"})
    assert mockddb.client().scan(TableName="Orders")["Count"] == 1
    assert {request["world"] for request in mockddb.journal} == {mockddb.name}
"""
    user.more = {"PYTHONPATH": f"{folder}:{user.site}"}
    for options in ([], ["-n", "2"]):
        with report.case(f"beside moto, with the newest boto3 and pytest {' '.join(options)}"):
            expect(user.pytest(user.suite("moto", ini="mockddb_tables = orders.json\n", test_a=test), *options), 0, "4 passed")
    with report.case("migration/moto.md: a suite of moto with its fixtures, unchanged"):
        folder = user.suite("moto", conftest=MOTO_CONFTEST, test_a=MOTO_SUITE)
        for options in ([], ["-n", "2"]):
            expect(user.pytest(folder, *options), 0, "6 passed")
        expect(user.pytest(folder, "-p", "no:mockddb"), 0, "6 passed")
    with report.case("a user's suite with the newest boto3 and pytest"):
        expect(user.pytest(SUITE, "-n", "2"), 0, "38 passed")
    with report.case("with the newest pytest: warnings that are errors, a pytest.toml, an unknown option"):
        test = "def test_a(mockddb): assert mockddb.client().list_tables()['TableNames'] == ['Orders']"
        folder = user.suite("newest", test_a=test)
        (folder / "pytest.ini").unlink()
        (folder / "pytest.toml").write_text('[pytest]\nfilterwarnings = ["error"]\nmockddb_tables = ["orders.json"]\n')
        for options in ([], ["-n", "2"]):
            expect(user.pytest(folder, *options), 0, "1 passed")
        (folder / "pytest.toml").write_text('[pytest]\nmockddb_table = ["orders.json"]\n')
        expect(user.pytest(folder), 4, "^ERROR: mockddb: there is no option mockddb_table: ")
    user.more = {}


def page(report, user):
    with Server() as server, Shell(server) as shell:
        prepare(shell, server)
        (shell.home / "bin/mockddb").unlink()
        shell.environment |= {"PYTHONPATH": str(user.site), "PATH": f"{user.site}/bin:{shell.environment['PATH']}"}
        run_page(report, "pip.md", shell, example="pytest")
        with report.case("pip.md: the JUnit file has all tests"):
            suite = xml.etree.ElementTree.parse(shell.home / "report.xml").find(".//testsuite")
            equal([suite.get(name) for name in ("tests", "failures", "errors", "skipped")], ["11", "0", "0", "0"])
        with report.case("pip.md: a broken rule is named, and fails the suite"):
            status, printed = run(shell, "mockddb run --fail-on no=UpdateItem -- pytest -n 2")
            equal(status, 3)
            assert re.search(r"^broken  no=UpdateItem: .*\(in world gw\d", printed, re.MULTILINE), printed
            assert "11 passed" in printed, printed
        with report.case("pip.md: without --allow-none a suite without requests is refused"):
            status, printed = run(shell, "mockddb run --fail-on no=Scan -- pytest test_prices.py")
            equal((status, "1 passed" in printed), (3, True))
        with report.case("README.md: the command for a suite"):
            command = re.search(r"^mockddb run .*", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)[0]
            status, printed = run(shell, command)
            equal((status, "holds   no=Scan" in printed), (0, True))
        with report.case("pip.md: the workflow runs a command of the page"):
            line = re.search(r"run: (mockddb run .*)", (ROOT / "examples/pytest/github-actions.yml").read_text(encoding="utf-8"))[1]
            assert any(line in script.splitlines() for script, _ in commands("pip.md")), line
        with report.case("pip.md: the program"):
            (shell.home / "program.py").write_text(block_with("pip.md", "import mockddb"))
            equal(run(shell, "python3 program.py"), (0, "[200, 500, 200]"))
        with report.case("pip.md: the suite asks its own server, and no other"):
            equal(server.call("ListTables", {}), {"TableNames": []})


def main():
    report = Report()
    if not has_pip():
        report.skip("the Python package", "there is no pip")
        report.done()
    with temporary_folder() as name:
        user = User(pathlib.Path(name))
        wheels = user.folder / "wheels"
        packing(report, user, wheels)
        installed(report, user, wheels)
        if has_modules("pytest", "xdist", "boto3"):
            for part in (programs, suites, refusals, killed, page):
                part(report, user)
            if os.environ.get("MOCKDDB_RELEASE_TESTS") == "1":  # they install packages, or use all processors for a while
                for part in (speed, aioboto3, beside_moto):
                    part(report, user)
            else:
                report.skip("figures, aioboto3, moto and the newest pytest", "only with MOCKDDB_RELEASE_TESTS=1")
        else:
            report.skip("suites", "pytest, xdist or boto3 is not installed")
    report.done()


main()
