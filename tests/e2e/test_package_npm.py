"""The npm packages (packages/npm, docs/npm.md): packed, installed without a network into an empty folder, and used as in
the examples; no server outlives the process that started it; each wrong input is one clear line."""

import contextlib
import json
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import urllib.request

from e2e import BINARY, NODE_FOLDER, PATIENCE, ROOT, READY, Report, Running, clean_environment, equal, has_node, run_program
from e2e import temporary_folder, wait_until
from toolchains import PLATFORM, pack_cases

RUNNERS = {
    "vitest": ["node", NODE_FOLDER / "node_modules/vitest/vitest.mjs", "run"],
    "jest": ["node", NODE_FOLDER / "node_modules/jest/bin/jest.js"],
}
MOCHA = ["node", NODE_FOLDER / "node_modules/mocha/bin/mocha.js"]
TSC = ["node", NODE_FOLDER / "node_modules/typescript/bin/tsc"]
INSTALL = ["npm", "install", "--offline", "--no-audit", "--no-fund", "--loglevel=error"]
TABLE = """{ TableName: "Things", BillingMode: "PAY_PER_REQUEST", KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }] }"""

# Which tests see another's item, if any does: all of them write the same one.
ALONE = """
const { DynamoDBClient, PutItemCommand, ScanCommand } = require("@aws-sdk/client-dynamodb");
const dynamodb = new DynamoDBClient({});
for (let number = 0; number < 10; number++)
  test(`test ${number}`, async () => {
    const scan = async () => (await dynamodb.send(new ScanCommand({ TableName: "Things" }))).Items;
    expect(await scan()).toEqual([]);
    const item = { id: { S: `${__filename} ${number}` } };
    await dynamodb.send(new PutItemCommand({ TableName: "Things", Item: item }));
    expect(await scan()).toEqual([item]);
  });
"""
# A test that does not end; its runner is killed.
ENDLESS = """
require("node:fs").writeFileSync("address", process.env.AWS_ENDPOINT_URL_DYNAMODB);
test("endless", () => new Promise(() => setInterval(() => {}, 1000)), 1e9);
"""
# A program that starts a server, says where, and ends in its own way.
STARTER = """
import { start } from "mockddb";
const server = await start();
console.log(`mockddb listening on ${server.url}`);
"""
ENDINGS = {
    "ends without stop()": "",
    "calls process.exit()": "process.exit(0);",
    "crashes": "setTimeout(() => { throw new Error('crash'); });",
    "is killed": "setInterval(() => {}, 1000);",
}
# What the program is, and what start() says.
BROKEN = {
    "exit 1": "mockddb: the server ended with 1: it wrote nothing to standard error",
    "echo no room >&2; echo mockddb: a reason >&2; exit 7": "mockddb: the server ended with 7: no room\na reason",
    "echo usage: 1 2 3": "served nothing",
}
DYNAMODB_CONFIG = """module.exports = async () => ({ tables: [%s], port: %d, options: ["-sharedDb"], clientConfig: {} });"""
DYNAMODB_TEST = """
const { DynamoDB } = require("@aws-sdk/client-dynamodb");
const { DynamoDBDocument } = require("@aws-sdk/lib-dynamodb");
const credentials = { accessKeyId: "fakeMyKeyId", secretAccessKey: "fakeSecretAccessKey" };
const more = process.env.JEST_WORKER_ID && { endpoint: "http://localhost:%d", tls: false, region: "local-env", credentials };
const ddb = DynamoDBDocument.from(new DynamoDB({ ...more }));
test("an item is put", () => ddb.put({ TableName: "Things", Item: { id: "1", hello: "world" } }));
test("and kept", async () => {
  expect((await ddb.get({ TableName: "Things", Key: { id: "1" } })).Item).toEqual({ id: "1", hello: "world" });
});
"""
DYNALITE_CONFIG = {
    "jest-dynalite-config.js": f'module.exports = {{ tables: async () => [{{ ...{TABLE}, data: [{{ id: "a" }}] }}], basePort: 8000 }};',
    "jest-dynalite-config.json": json.dumps({"tables": [{
        "TableName": "Things", "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}, "data": [{"id": "a"}]}]}),
}  # fmt: skip
DYNALITE_TEST = """
const { DynamoDB } = require("@aws-sdk/client-dynamodb");
const { DynamoDBDocument } = require("@aws-sdk/lib-dynamodb");
const endpoint = process.env.MOCK_DYNAMODB_ENDPOINT;
const ddb = DynamoDBDocument.from(new DynamoDB({ ...(endpoint && { endpoint, tls: false, region: "local" }) }));
test.each([1, 2])("tables are cleared before test %d", async (id) => {
  expect((await ddb.scan({ TableName: "Things" })).Items).toEqual([{ id: "a" }]);
  await ddb.put({ TableName: "Things", Item: { id: `${id}` } });
});
"""
# In place of dynalite(): a program of the AWS SDK, with keys of its own, on a port that is known.
DYNALITE_PROGRAM = """
import { start } from "mockddb";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
const server = await %s;
const credentials = { accessKeyId: "fake", secretAccessKey: "fake" };
const client = new DynamoDBClient({ endpoint: "http://localhost:%d", region: "us-east-1", credentials });
await client.send(new ListTablesCommand({}));
console.log((await server.call("GET", "worlds")).worlds.map(({ name }) => name).join());
client.destroy();
await server.stop();
"""
DYNOXIDE_TABLE = """{
  TableName: "TestTableCatalogue",
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }, { AttributeName: "sk", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, { AttributeName: "sk", KeyType: "RANGE" }],
}"""
DYNOXIDE_TEST = """
import { DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, it } from "vitest";
const client = new DynamoDBClient();
it("round-trips a test table", async () => {
  const key = { pk: { S: "primary-key-1" }, sk: { S: "sort-key-1" } };
  await client.send(new PutItemCommand({ TableName: "TestTableCatalogue", Item: key }));
  const { Item } = await client.send(new GetItemCommand({ TableName: "TestTableCatalogue", Key: key }));
  expect(Item).toEqual(key);
});
"""
TYPES = """
import { embedded, start, world, type Embedded, type FaultRule, type Server, type World } from "mockddb";
import { mockddb, type RunOptions } from "mockddb/vitest";
import preset from "mockddb/jest";
const server: Server = await start({ tables: [{ TableName: "Things", data: [{ id: "a" }] }], failOn: ["no=Scan"] });
const port: number = server.port;
const other: World = await server.world("w").fork("copy");
const rule: FaultRule = { operation: "PutItem", nth: 2, error: "ThrottlingException", jitter: "5ms" };
const hits: number = (await server.faults.add(rule))[0].hits;
const now: string = (await other.clock.freeze(new Date(0))).now;
await (await world().snapshot("s")).restore();
const db: Embedded = await embedded({ tables: [{ TableName: "Things" }], log: (line: string) => console.log(line) });
const endpoint: string = db.world("w").clientConfig.endpoint;
const options: RunOptions = { world: "file", reset: false, args: ["--journal", 5] };
export default { plugins: [mockddb(options)], files: preset.setupFiles, port, hits, now, endpoint };
// @ts-expect-error
await start({ tabels: [] });
// @ts-expect-error
await embedded({ port: 1 });
// @ts-expect-error
mockddb({ reset: "always" });
"""
TYPES_OF_CLIENTS = """
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBStreamsClient } from "@aws-sdk/client-dynamodb-streams";
import { embedded, start } from "mockddb";
for (const { clientConfig } of [await start(), await embedded()])
  [new DynamoDBClient(clientConfig), new DynamoDBStreamsClient(clientConfig)];
"""
# For compilers that do not read `exports`.
TYPES_OF_COMMONJS = """
import { start, type Server } from "mockddb";
import { mockddb } from "mockddb/vitest";
import preset = require("mockddb/jest");
const server: Promise<Server> = start({ worlds: "one" });
export = { plugins: [mockddb({ world: "run" })], files: preset.setupFiles, server };
"""


class App:
    """An empty folder into which the packed files are installed."""

    def __init__(self, folder):
        self.folder = folder / "app"
        self.home = folder / "home"
        self.packed = folder / "packed"
        for made in (self.folder, self.home):
            made.mkdir()
        self.manifest(self.folder)

    def manifest(self, folder):
        (folder / "package.json").write_text("{}", encoding="utf-8")

    def tarballs(self):
        return sorted(self.packed.glob("*.tgz"))

    def run(self, words, folder=None, **environment):
        more = {"HOME": str(self.home), "NODE_NO_WARNINGS": "1", "NO_COLOR": "1", "npm_config_update_notifier": "false", **environment}
        return run_program(words, folder=folder or self.folder, **more)

    def link_tools(self):
        """The runners and the SDK, which the packages do not bring."""
        for module in (NODE_FOLDER / "node_modules").iterdir():
            if not module.name.startswith("."):
                (self.folder / "node_modules" / module.name).symlink_to(module)

    def suite(self, name, files):
        folder = self.folder / name
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
        return folder


def config_of(runner, options, vitest="globals: true"):
    """The configuration file of a runner, with these options of ours in JavaScript."""
    if runner == "jest":
        return {"jest.config.js": f'module.exports = {{ preset: "mockddb/jest", globals: {{ mockddb: {{ {options} }} }} }};'}
    lines = f'import {{ mockddb }} from "mockddb/vitest";\nexport default {{ plugins: [mockddb({{ {options} }})], test: {{ {vitest} }} }};'
    return {"vitest.config.mjs": lines}


def vitest_version():
    manifest = NODE_FOLDER / "node_modules/vitest/package.json"
    return int(json.loads(manifest.read_text(encoding="utf-8"))["version"].partition(".")[0])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(url):
    try:
        with urllib.request.urlopen(f"{url}/_mockddb/health", timeout=PATIENCE) as answer:
            return answer.status == 200
    except OSError:
        return False


def passes(ended, count=None):
    text = ended.stdout + ended.stderr
    if ended.returncode or (count and not re.search(rf"\b{count} pass(ed|ing)|[#ℹ] pass {count}\b", text)):
        raise AssertionError(f"exit status {ended.returncode}\n{text}")


def fails(ended, line):
    text = ended.stdout + ended.stderr
    if ended.returncode == 0 or line not in text:
        raise AssertionError(f"exit status {ended.returncode}, without: {line}\n{text}")


def packing(report, app):
    pack_cases(report, "npm", app.packed.parent)
    with report.case("npm: the names of the packed files"):
        version = re.search(r"project\(mockddb VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
        equal([file.name for file in app.tarballs()], [f"mockddb-{version}.tgz", f"mockddb-{PLATFORM}-{version}.tgz"])
    with report.case("without a package for the platform, npx mockddb says which one to install"):
        alone = app.packed.parent / "alone"
        alone.mkdir()
        app.manifest(alone)
        passes(app.run([*INSTALL, app.tarballs()[0]], alone))
        ended = app.run(["npx", "mockddb"], alone)
        equal(ended.returncode, 1)
        equal(ended.stderr.strip(), f"mockddb: no program for {PLATFORM}: install @mockddb/{PLATFORM}, or set MOCKDDB_BINARY to its path")
        passes(app.run(["npx", "mockddb", "--version"], alone, MOCKDDB_BINARY=BINARY))
        fails(app.run(["npx", "mockddb"], alone, MOCKDDB_BINARY="/nonexistent/it"), "mockddb: /nonexistent/it cannot be started: ENOENT")
    with report.case("the packed files are installed without a network, and run no script"):
        passes(app.run([*INSTALL, *app.tarballs()]))
        for manifest in (app.folder / "node_modules").glob("**/package.json"):
            content = json.loads(manifest.read_text(encoding="utf-8"))
            assert not {"scripts", "dependencies"} & set(content), manifest
        licences = (app.folder / f"node_modules/@mockddb/{PLATFORM}/LICENSE").read_text(encoding="utf-8")
        assert "==== sqlite ====" in licences, licences[:200]


@contextlib.contextmanager
def started(app, words):
    """A program that prints the address of a server that it has started."""
    environment = clean_environment(HOME=str(app.home), NODE_NO_WARNINGS="1")
    with Running(
        [str(word) for word in words], cwd=app.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        match = READY.match(process.stdout.readline())
        assert match, "no server"
        yield process, match[1]


def launching(report, app):
    launcher = ["node", app.folder / "node_modules/mockddb/bin/mockddb.js"]
    with report.case("npx mockddb passes arguments and the exit status on"):
        equal(app.run(["npx", "mockddb", "--version"]).stdout, run_program([BINARY, "--version"]).stdout)
        ended = app.run(["npx", "mockddb", "--no-such"])
        equal(ended.returncode, 2)
        equal(app.run([*launcher, "run", "--", "sh", "-c", "exit 7"]).returncode, 7)
        equal(app.run([*launcher, "run", "--", "sh", "-c", "kill -TERM $$"]).returncode, 143)
    for name in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        with report.case(f"npx mockddb after {name.name}: the server has ended"), started(app, [*launcher, "--port", "0"]) as (process, url):
            assert answers(url)
            process.send_signal(name)
            equal(process.wait(PATIENCE), -9 if name == signal.SIGKILL else 0)
            wait_until(lambda url=url: not answers(url))


def starting(report, app):
    with report.case("types: tsc takes what index.d.ts says, and refuses what is wrong"):
        (app.folder / "types.mts").write_text(TYPES, encoding="utf-8")
        flags = ["--noEmit", "--strict", "--target", "es2022", "--typeRoots", "none"]
        passes(app.run([*TSC, *flags, "--module", "nodenext", "types.mts"]))
        (app.folder / "clients.mts").write_text(TYPES_OF_CLIENTS, encoding="utf-8")
        passes(app.run([*TSC, *flags, "--skipLibCheck", "--module", "nodenext", "clients.mts"]))  # the SDK's need Node's types
        (app.folder / "types.ts").write_text(TYPES_OF_COMMONJS, encoding="utf-8")
        passes(app.run([*TSC, *flags, "--module", "commonjs", "--moduleResolution", "node10", "types.ts"]))
    with report.case("start() in CommonJS: worlds, snapshots, forks, the journal, assertions"):
        passes(app.run(["node", ROOT / "tests/e2e/package_npm.cjs"], MOCKDDB_APP=str(app.folder)))
    for script, why in BROKEN.items():
        program = app.folder / "program"
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)
        with report.case(f"start(): a program that does {script!r}"):
            fails(app.run(["node", "-e", "require('mockddb').start()"], MOCKDDB_BINARY=str(program)), why)
    for how, line in ENDINGS.items():
        (app.folder / "starter.mjs").write_text(STARTER + line, encoding="utf-8")
        with report.case(f"start(): a process that {how} leaves no server"), started(app, ["node", "starter.mjs"]) as (process, url):
            if how == "is killed":
                process.kill()
            process.wait(PATIENCE)
            wait_until(lambda url=url: not answers(url))


def examples(report, app):
    for name in ("javascript", "node-test", "mocha"):
        shutil.copytree(ROOT / "examples" / name, app.folder / "examples" / name)
    least = ["--minWorkers", "2"] if vitest_version() < 4 else []  # else it may be more than the most
    workers = {"vitest": [*least, "--maxWorkers", "2"], "jest": ["--maxWorkers", "2"]}
    for name, command in RUNNERS.items():
        with report.case(f"examples/javascript under {name}, two workers: a clock, throttled writes, tables of a template, a fixture, inputs"):
            passes(app.run([*command, *workers[name]], app.folder / "examples/javascript"), 9)
    with report.case("examples/node-test"):
        passes(app.run(["node", "--test"], app.folder / "examples/node-test"), 3)
    for mode in ("--parallel", "--no-parallel"):
        with report.case(f"examples/mocha {mode}"):
            passes(app.run([*MOCHA, mode], app.folder / "examples/mocha"), 4)


def parallel(report, app):
    """Suites whose two workers run at the same time, and one of them twice, by the settings that change who shares a
    world."""
    files = {f"file{number}.test.js": ALONE for number in range(3)}
    settings = {
        "vitest": {"worker": [], "file": [], "threads": ["--pool", "threads"], "one process": ["--no-isolate", "--no-file-parallelism"]},
        "jest": {"worker": ["--maxWorkers", "2"], "file": ["--maxWorkers", "2"], "one process": ["--runInBand"]},
    }
    for runner, ways in settings.items():
        for way, flags in ways.items():
            with report.case(f"{runner}, {way}: no test of three files sees another's item"):
                world = f', world: "{way}"' if way in ("worker", "file") else ""
                limits = "globals: true, minWorkers: 2, maxWorkers: 2" if way != "one process" else "globals: true"
                config = config_of(runner, f"tables: [{TABLE}]{world}", limits)
                folder = app.suite(f"{runner} {way}", files | config)
                passes(app.run([*RUNNERS[runner], *flags], folder), 30)


def combining(report, app):
    """Hooks and clients of the user's own set-up run after ours."""
    setup = 'const { DynamoDBClient } = require("@aws-sdk/client-dynamodb"); globalThis.client = new DynamoDBClient({});'
    test = ALONE.replace("const dynamodb = new DynamoDBClient({});", "const dynamodb = globalThis.client;")
    vitest = config_of("vitest", f"tables: [{TABLE}]", 'globals: true, setupFiles: "./own.cjs"')
    options = f"globals: {{ mockddb: {{ tables: [{TABLE}] }} }}, setupFiles: [...ours.setupFiles, './own.cjs']"
    jest = {"jest.config.js": f'const ours = require("mockddb/jest"); module.exports = {{ ...ours, {options}, injectGlobals: false }};'}
    without_globals = 'const { expect, test } = require("@jest/globals");' + test
    for runner, text, config in (("vitest", test, vitest), ("jest", without_globals, jest)):
        with report.case(f"{runner}: a set-up file of the user's own finds the endpoint"):
            folder = app.suite(f"{runner} combined", {"own.cjs": setup, "a.test.js": text} | config)
            passes(app.run(RUNNERS[runner], folder), 10)
    with report.case("jest: modules of ESM"):
        config = config_of("jest", f"tables: [{TABLE}]")["jest.config.js"].replace("module.exports =", "export default")
        text = re.sub(r"const (\{.*\}) = require\((.*)\);", r"import \1 from \2;", ALONE).replace("__filename", "import.meta.url")
        folder = app.suite("jest esm", {"package.json": '{"type": "module"}', "jest.config.js": config, "a.test.js": text})
        passes(app.run(RUNNERS["jest"], folder, NODE_OPTIONS="--experimental-vm-modules"), 10)
    with report.case("vitest: each project of a workspace has a server with its own tables"):
        projects = {"vitest.config.mjs": 'export default { test: { projects: ["a", "b"] } };'}
        if vitest_version() < 3:
            projects = {"vitest.workspace.mjs": 'export default ["a", "b"];', "vitest.config.mjs": "export default {};"}
        folder = app.suite("projects of vitest", projects)
        for name in ("a", "b"):
            (folder / name).mkdir()
            table = TABLE.replace("Things", f"Things{name}")
            config = config_of("vitest", f"tables: [{table}]", f'globals: true, name: "{name}"')["vitest.config.mjs"]
            (folder / name / "vitest.config.mjs").write_text(config, encoding="utf-8")
            (folder / name / "a.test.js").write_text(ALONE.replace("Things", f"Things{name}"), encoding="utf-8")
        passes(app.run(RUNNERS["vitest"], folder), 20)
    with report.case("vitest: a project whose set-up file is missing, as in Vitest 5, gets it, once"):
        script = """
const plugin = require("mockddb/vitest").mockddb();
const [root, project] = [{}, { setupFiles: ["own"] }];
plugin.config(root);
for (let twice = 0; twice < 2; twice++) plugin.configureVitest({ project: { config: project } });
require("node:assert").deepEqual(project.setupFiles, [...root.test.setupFiles, "own"]);
"""
        passes(app.run(["node", "-e", script]))


def rules(report, app):
    for runner, command in RUNNERS.items():
        config = config_of(runner, f'tables: [{TABLE}], failOn: "no=Scan"')
        folder = app.suite(f"{runner} rules", {"a.test.js": ALONE} | config)
        with report.case(f"{runner}: a broken rule of failOn fails the run"):
            ended = app.run(command, folder)
            fails(ended, "broken  no=Scan: it was sent in 20 requests")
        with report.case(f"{runner} under mockddb run: its server is used, in worlds by access key"):
            plain = app.suite(f"{runner} joined", {"a.test.js": ALONE} | config_of(runner, ""))
            shutil.copytree(ROOT / "examples/javascript/fixture", plain / "fixture")
            table = json.loads((plain / "fixture/tables/Customers.json").read_text(encoding="utf-8")) | {"TableName": "Things"}
            (plain / "fixture/tables/Things.json").write_text(json.dumps(table), encoding="utf-8")
            run = [BINARY, "run", "--fixtures", "./fixture"]
            passes(app.run([*run, "--worlds", "by-access-key", "--fail-on", "no=Query", "--", *command], plain), 10)
            fails(app.run([*run, "--", *command], plain), "the server of MOCKDDB_URL needs --worlds by-access-key")
            fails(app.run([BINARY, "run", "--", *command], folder), "the server of MOCKDDB_URL is already running: give tables, failOn to it")


def dropping_in(report, app):
    port = free_port()
    preset = {"jest.config.js": 'module.exports = { preset: "mockddb/jest-dynamodb" };'}
    files = {"jest-dynamodb-config.js": DYNAMODB_CONFIG % (TABLE, port), "a.test.js": DYNAMODB_TEST % port}
    folder = app.suite("jest-dynamodb", preset | files)
    with report.case("the configuration file of @shelf/jest-dynamodb, with our preset"):
        passes(app.run(RUNNERS["jest"], folder), 2)
    with report.case("JEST_DYNAMODB_CONFIG names it elsewhere, without its ending"):
        (folder / "elsewhere").mkdir()
        (folder / "jest-dynamodb-config.js").rename(folder / "elsewhere/tables.js")
        passes(app.run(RUNNERS["jest"], folder, JEST_DYNAMODB_CONFIG=str(folder / "elsewhere/tables")), 2)
    with report.case("its file with a world for each worker"):
        more = f'world: "worker", reset: "test", tables: [{TABLE}], port: {port}'
        files = {"jest-dynamodb-config.js": f"module.exports = {{ {more} }};", "a.test.js": ALONE, "b.test.js": ALONE}
        passes(app.run([*RUNNERS["jest"], "--maxWorkers", "2"], app.suite("jest-dynamodb worlds", preset | files)), 20)
    with report.case("a missing configuration file"):
        fails(app.run(RUNNERS["jest"], folder), f"mockddb: mockddb/jest-dynamodb: there is no {folder}/jest-dynamodb-config.js")
    with report.case("a port that is taken"), socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port))
        taken.listen()
        ended = app.run(RUNNERS["jest"], folder, JEST_DYNAMODB_CONFIG=str(folder / "elsewhere/tables"))
        fails(ended, "mockddb: the server ended with 1: ")
        assert str(port) in ended.stderr, ended.stderr
    with report.case("the tables and the test of vitest-dynoxide's README, with our plug-in"):
        config = config_of("vitest", f"tables: [{DYNOXIDE_TABLE}]", "fileParallelism: true")
        passes(app.run(RUNNERS["vitest"], app.suite("vitest-dynoxide", {"a.test.mjs": DYNOXIDE_TEST} | config)), 1)
    with report.case("start() in place of dynalite(): clients with other keys use the same tables"):
        line = re.search(r"const server = await (start\(.*?\));", (ROOT / "docs/migration/dynalite.md").read_text(encoding="utf-8"))[1]
        (app.folder / "dynalite.mjs").write_text(DYNALITE_PROGRAM % (line.replace("4567", str(port)), port), encoding="utf-8")
        equal(app.run(["node", "dynalite.mjs"]).stdout, "default\n")
    for name, text in DYNALITE_CONFIG.items():
        with report.case(f"{name} of jest-dynalite, with our preset"):
            preset = {"jest.config.js": 'module.exports = { preset: "mockddb/jest-dynalite" };'}
            files = {name: text, "a.test.js": DYNALITE_TEST, "b.test.js": DYNALITE_TEST}
            passes(app.run(RUNNERS["jest"], app.suite(name, preset | files)), 4)


def killing(report, app):
    for runner, command in RUNNERS.items():
        folder = app.suite(f"{runner} endless", {"a.test.js": ENDLESS} | config_of(runner, ""))
        with report.case(f"{runner}: kill -9 of the runner leaves no server"), Running(
            [str(word) for word in command], cwd=folder, env=clean_environment(HOME=str(app.home)), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ) as process:  # fmt: skip
            address = folder / "address"
            wait_until(lambda file=address: file.exists() and file.read_text(encoding="utf-8"))
            url = address.read_text(encoding="utf-8")
            assert answers(url)
            process.kill()
            process.wait(PATIENCE)
            wait_until(lambda url=url: not answers(url))


WRONG = {
    'tabels: []': 'has no option "tabels"; it has port, host, region, fixtures, params, clock, faults, failOn, args, tables, world, reset',
    'world: "all"': 'world is one of "worker", "file", "run"',
    'reset: "each"': 'reset is one of "test", "file", false',
    'tables: {}': "tables is a list of CreateTable inputs",
    'tables: [{ Name: "Things" }]': "tables[0] has no valid TableName",
    'tables: [{ TableName: "../T" }]': "tables[0] has no valid TableName",
    f'tables: [{TABLE}, {TABLE}]': "tables[1]: a second table Things",
    f'tables: [{{ ...{TABLE}, Tgas: [] }}]': "the option tables: tables/Things.json: CreateTable has no member Tgas",
    f'tables: [{{ ...{TABLE}, data: [{{ id: NaN }}] }}]': "tables[0].data[0]: NaN is not a value of DynamoDB",
    f'tables: [{{ ...{TABLE}, data: [{{ id: 5 }}] }}]': "the option tables: items/Things.jsonl: line 1: ValidationException",
    f'tables: [{{ ...{TABLE}, BillingMode: undefined }}]': "ReadCapacityUnits",
    'fixtures: "./missing"': "there is no fixture ./missing",
    'fixtures: "./broken"': "broken/tables/Things.json",
    'fixtures: "./broken.yaml"': "./broken.yaml:2:",
    'fixtures: "./template.yaml", params: { Stag: "x" }': "Stag",
    'clock: "noon"': "--clock",
    'failOn: "no=Scam"': "Scam",
    'port: 99999': "99999",
}  # fmt: skip


def refusing(report, app):
    """One wrong option: the run fails, with that line. What both plug-ins call is asked for all but two options."""
    for number, (options, line) in enumerate(WRONG.items()):
        runner = dict(enumerate(RUNNERS)).get(number)
        with report.case(f"{runner or 'a run'}: {options[:60]!r}"):
            begin = f"""
const {{ beginRun }} = require({json.dumps(str(app.folder / "node_modules/mockddb/lib/runs.js"))});
beginRun({{ {options} }}, "mockddb/vitest", process.cwd()).then(({{ stop }}) => stop());
"""
            files = {"a.test.js": ALONE} | config_of(runner, options) if runner else {"begin.js": begin}
            folder = app.suite(f"wrong {number}", files)
            (folder / "broken/tables").mkdir(parents=True)
            (folder / "broken.yaml").write_text("Resources:\n  Orders: {Type: [}\n", encoding="utf-8")
            shutil.copy(ROOT / "examples/javascript/template.yaml", folder)
            (folder / "broken/tables/Things.json").write_text('{"TableName": "Things",', encoding="utf-8")
            fails(app.run(RUNNERS[runner] if runner else ["node", "begin.js"], folder), line)
    for runner, command in RUNNERS.items():
        with report.case(f"{runner}: a port that is taken"), socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            folder = app.suite(f"{runner} taken", {"a.test.js": ALONE} | config_of(runner, f"port: {port}"))
            fails(app.run(command, folder), f"port {port}")
    programs = app.folder / "node_modules/@mockddb"
    programs.rename(app.home / "programs")
    for runner, command in RUNNERS.items():
        with report.case(f"{runner}: no package for the platform"):
            folder = app.suite(f"{runner} without", {"a.test.js": ALONE} | config_of(runner, ""))
            fails(app.run(command, folder), f"mockddb: no program for {PLATFORM}: install @mockddb/{PLATFORM}, or set MOCKDDB_BINARY to its path")
    (app.home / "programs").rename(programs)
    with report.case("jest: projects with different options"):
        project = '{ rootDir: "%s", preset: "mockddb/jest", globals: { mockddb: { tables: [%s] } } }'
        folder = app.suite("projects", {"jest.config.js": f'module.exports = {{ projects: [{project % ("a", TABLE)}, {project % ("b", "")}] }};'})
        for name in ("a", "b"):
            (folder / name).mkdir()
            (folder / name / "x.test.js").write_text(ALONE, encoding="utf-8")
        fails(app.run(RUNNERS["jest"], folder), "mockddb: a run has one server: give all projects of Jest the same globals.mockddb")


def main():
    report = Report()
    needed = [*(command[1] for command in RUNNERS.values()), MOCHA[1], TSC[1]]
    if not has_node() or not shutil.which("npm") or not all(file.is_file() for file in needed):
        report.skip("the npm packages", "there is no Node.js 20, npm, Vitest, Jest, Mocha or TypeScript")
        report.done()
    with temporary_folder() as name:
        app = App(pathlib.Path(name))
        packing(report, app)
        app.link_tools()
        for part in (launching, starting, examples, parallel, combining, rules, dropping_in, killing, refusing):
            part(report, app)
    report.done()


if __name__ == "__main__":
    main()
