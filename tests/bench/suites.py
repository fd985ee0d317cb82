"""What the npm package adds to a suite: 200 tests in 25 files, eight workers, each test with a write and a read.

Beside it: the same suite on a server that runs already, without resets; and, as other plug-ins do it, a server for
each test file whose table is deleted and created before each test."""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

from client import Failed
from servers import PROGRAM, ROOT, mockddb

FILES, TESTS, WORKERS = 25, 8, 8
RESET_COUNT = 2000
NODE_FOLDER = ROOT / "build/node"
RUNNERS = {
    "Vitest": [NODE_FOLDER / "node_modules/vitest/vitest.mjs", "run", "--minWorkers", WORKERS, "--maxWorkers", WORKERS],
    "Jest": [NODE_FOLDER / "node_modules/jest/bin/jest.js", "--maxWorkers", WORKERS],
}
TABLE = {
    "TableName": "Orders",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
}
SUITE = """
const { CreateTableCommand, DeleteTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } = require("@aws-sdk/client-dynamodb");
const { start } = require("mockddb");
const dynamodb = new DynamoDBClient({});
const table = %(table)s;
if (process.env.EACH_FILE) {
  let server;
  beforeAll(async () => (server = await start({ tables: [table] })).enter());
  beforeEach(async () => {
    await dynamodb.send(new DeleteTableCommand({ TableName: "Orders" }));
    await dynamodb.send(new CreateTableCommand(table));
  });
  afterAll(() => server.stop());
}
for (let number = 0; number < %(tests)d; number++)
  test(`order ${number}`, async () => {
    const id = { S: `${number}` };
    await dynamodb.send(new PutItemCommand({ TableName: "Orders", Item: { id } }));
    expect((await dynamodb.send(new GetItemCommand({ TableName: "Orders", Key: { id } }))).Item).toEqual({ id });
  });
"""
# Prints the milliseconds of each reset of a world with an item, those of the processor, and the server's process.
RESETS = """
const { start } = require("mockddb");
(async () => {
  const server = await start({ tables: [{ ...%(table)s, data: [{ id: "1" }] }] });
  const worlds = Array.from({ length: %(workers)d }, (_, number) => server.world(`worker-${number}`));
  for (const one of worlds) await one.reset();
  const stat = () => require("node:fs").readFileSync(`/proc/${server.pid}/stat`, "ascii").split(" ");
  const server_ms = () => 10 * (Number(stat()[13]) + Number(stat()[14]));
  const [begun, used, resets] = [server_ms(), process.cpuUsage(), []];
  for (let number = 0; number < %(resets)d; number++) {
    const began = performance.now();
    await worlds[number %% worlds.length].reset();
    resets.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(used);
  console.log(JSON.stringify({ resets, cpu_ms: ((user + system) / 1000 + server_ms() - begun) / resets.length }));
  await server.stop();
})();
"""
SET_UP = """
const { world } = require("mockddb");
world(`worker-${process.env.VITEST_POOL_ID ?? process.env.JEST_WORKER_ID}`).enter();
"""
WAYS = {  # the configuration of each runner
    "with mockddb": {
        "Vitest": 'import { mockddb } from "mockddb/vitest";\n'
        "export default { plugins: [mockddb({ tables: [%(table)s] })], test: { globals: true } };",
        "Jest": 'module.exports = { preset: "mockddb/jest", globals: { mockddb: { tables: [%(table)s] } } };',
    },
    "without": {
        "Vitest": 'export default { test: { globals: true, setupFiles: "./setup.cjs" } };',
        "Jest": 'module.exports = { setupFiles: ["./setup.cjs"] };',
    },
    "a server for each file": {
        "Vitest": "export default { test: { globals: true } };",
        "Jest": "module.exports = {};",
    },
}


def write_suites(folder):
    """A folder for each way, and the package beside the modules of the tests."""
    modules = folder / "node_modules"
    modules.mkdir()
    for module in (NODE_FOLDER / "node_modules").iterdir():
        (modules / module.name).symlink_to(module)
    shutil.copytree(ROOT / "packages/npm", modules / "mockddb")  # not a link: it finds Vitest from its own place
    values = {"table": json.dumps(TABLE), "tests": TESTS, "workers": WORKERS, "resets": RESET_COUNT}
    (folder / "resets.cjs").write_text(RESETS % values, encoding="utf-8")
    for way, configurations in WAYS.items():
        place = folder / way
        place.mkdir()
        (place / "vitest.config.mjs").write_text(configurations["Vitest"] % values, encoding="utf-8")
        (place / "jest.config.cjs").write_text(configurations["Jest"] % values, encoding="utf-8")
        (place / "setup.cjs").write_text(SET_UP, encoding="utf-8")
        for number in range(FILES):
            (place / f"file{number}.test.js").write_text(SUITE % values, encoding="utf-8")


def run(command, folder, **environment):
    """What a program printed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    more = {"MOCKDDB_BINARY": str(PROGRAM), "NODE_NO_WARNINGS": "1", "NO_COLOR": "1", **environment}
    words = ["node", *map(str, command)]
    done = subprocess.run(words, cwd=folder, env=kept | more, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def run_suite(runner, folder, **environment):
    """Seconds of a run of all tests, and processor seconds of all its processes."""
    began, before = time.monotonic(), os.times()
    printed = run(RUNNERS[runner], folder, **environment)
    seconds, after = time.monotonic() - began, os.times()
    if f"{FILES * TESTS} passed" not in printed:
        raise Failed(f"{runner} {folder.name}: {printed}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return {"seconds": seconds, "cpu": cpu}


def sample(runner, folder):
    """Seconds of each way."""
    fixture = folder / "fixture/tables"
    fixture.mkdir(parents=True, exist_ok=True)
    (fixture / "Orders.json").write_text(json.dumps(TABLE), encoding="utf-8")
    with mockddb("--worlds", "by-access-key", "--fixtures", str(fixture.parent)) as server:
        without = run_suite(runner, folder / "without", MOCKDDB_URL=server.url)
    ours = run_suite(runner, folder / "with mockddb")
    each = run_suite(runner, folder / "a server for each file", EACH_FILE="1", AWS_REGION="us-east-1")
    return {"without": without, "with mockddb": ours, "a server for each file": each}


def measure_resets(folder):
    found = json.loads(run([folder / "resets.cjs"], folder))
    resets = sorted(found["resets"])
    return {"ms": statistics.median(resets), "p99_ms": resets[int(0.99 * len(resets))], "cpu_ms": found["cpu_ms"]}


def measure(runs, say):
    results = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_suites(folder)
        say("resets")
        results["resets"] = measure_resets(folder)
        for runner in RUNNERS:
            say(f"a suite under {runner}")
            samples = [sample(runner, folder) for _ in range(runs)]
            results[runner] = {
                way: {figure: statistics.median(one[way][figure] for one in samples) for figure in ("seconds", "cpu")}
                for way in WAYS
            }
    return results
