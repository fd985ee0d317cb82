/* What start() of the npm package gives, used by test_package_npm.py in its installed form. */
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { createRequire } = require("node:module");

const { start, world } = createRequire(`${process.env.MOCKDDB_APP}/`)("mockddb");
const { DynamoDBClient, PutItemCommand, ScanCommand } = createRequire(`${process.env.MOCKDDB_APP}/`)("@aws-sdk/client-dynamodb");

const tables = [
  {
    TableName: "Things",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    data: [
      {
        id: "a",
        n: 1.5,
        big: 12345678901234567890n,
        yes: true,
        nothing: null,
        bytes: new Uint8Array([1, 2]),
        list: [1, "x", { deep: [] }],
        names: new Set(["x", "y"]),
        numbers: new Set([1, 2]),
        left: undefined,
      },
    ],
  },
];
const stored = {
  id: { S: "a" },
  n: { N: "1.5" },
  big: { N: "12345678901234567890" },
  yes: { BOOL: true },
  nothing: { NULL: true },
  bytes: { B: new Uint8Array([1, 2]) },
  list: { L: [{ N: "1" }, { S: "x" }, { M: { deep: { L: [] } } }] },
  names: { SS: ["x", "y"] },
  numbers: { NS: ["1", "2"] },
};

const clientOf = ({ url, credentials }) => new DynamoDBClient({ endpoint: url, region: "us-east-1", credentials });
const itemsOf = async (of) => (await clientOf(of).send(new ScanCommand({ TableName: "Things" }))).Items;
const put = (of, id) => clientOf(of).send(new PutItemCommand({ TableName: "Things", Item: { id: { S: id } } }));

async function main() {
  const server = await start({ tables, clock: "2026-01-01T00:00:00Z,frozen", failOn: ["no=Query"] });
  assert.equal(server.url, `http://127.0.0.1:${server.port}`);
  assert.deepEqual(await itemsOf(server), [stored]);

  const other = server.world("other");
  await put(other, "b");
  assert.equal((await itemsOf(other)).length, 2);
  assert.equal((await itemsOf(server)).length, 1);

  const snapshot = await other.snapshot();
  const copy = await other.fork("copy");
  await put(other, "c");
  assert.equal((await itemsOf(other)).length, 3);
  assert.equal((await itemsOf(copy)).length, 2);
  await snapshot.restore();
  assert.equal((await itemsOf(other)).length, 2);
  await snapshot.drop();
  await assert.rejects(snapshot.restore(), /^Error: mockddb: POST snapshots\/snapshot\/restore: /);
  for (const wrong of [other.fork("x/y"), other.snapshot("x/y"), server.world("x/y").drop()]) await assert.rejects(wrong, /is not a valid name/);
  await other.reset();
  assert.deepEqual(await itemsOf(other), [stored]);
  await copy.drop();

  assert.equal((await other.clock.get()).now, "2026-01-01T00:00:00.000Z");
  assert.equal((await other.clock.advance("36h")).now, "2026-01-02T12:00:00.000Z");
  assert.equal((await other.clock.freeze(new Date("2026-02-01T00:00:00Z"))).now, "2026-02-01T00:00:00.000Z");
  assert.equal((await server.clock.get()).now, "2026-01-01T00:00:00.000Z");
  assert.equal((await other.clock.rate(10)).rate, 10);
  assert.equal((await other.clock.real()).frozen, false);

  const [first, second] = await other.faults.add({ operation: "Query", error: "ThrottlingException" }, { operation: "Scan", delay: 1 });
  assert.deepEqual(await other.faults.remove(first.id), [second]);
  await other.faults.clear();
  assert.deepEqual(await other.faults.list(), []);
  await assert.rejects(other.faults.add({ operation: "Scam", error: "ThrottlingException" }), /Scam/);

  await other.journal.clear();
  assert.deepEqual(await other.journal.entries(), []);
  await put(other, "d");
  assert.deepEqual((await other.journal.entries({ operation: "PutItem" })).map((entry) => entry.table), ["Things"]);
  await other.assert({ no: "Scan" }, { max_write_units: 1 });
  await assert.rejects(other.assert({ no: "PutItem" }, { no: "Scan" }), /^Error: mockddb: {"no":"PutItem"}: it was sent in 1 request, [^\n]*$/);
  assert.equal((await other.call("GET", "health")).status, "ok");

  // Each of these tables has a line on standard error, before the server is ready.
  const { data, ...plain } = tables[0];
  const exported = { Tags: [{ Key: "a", Value: { "Fn::ImportValue": "x" } }] };
  const resource = (number) => ({ Type: "AWS::DynamoDB::Table", Properties: { ...plain, TableName: `Table${number}`, ...exported } });
  const resources = Array.from({ length: 7 }, (_, number) => [`Table${number}`, resource(number)]);
  fs.writeFileSync("wordy.json", JSON.stringify({ Resources: Object.fromEntries(resources) }));
  const shown = [];
  const { error } = console;
  console.error = (line) => shown.push(line);
  await (await start({ fixtures: "wordy.json" })).stop();
  console.error = error;
  assert.equal(shown.filter((line) => line.includes("Tags is left out")).length, resources.length, shown.join("\n"));

  assert.throws(() => world(), /MOCKDDB_URL is not set/);
  process.env.AWS_PROFILE = "of the user";
  other.enter();
  assert.equal(process.env.AWS_PROFILE, undefined);
  assert.equal(world().name, "other");
  assert.equal((await new DynamoDBClient({}).send(new ScanCommand({ TableName: "Things" }))).Count, 2);

  const wide = await start({ worlds: "one", tables, failOn: "no=Scan" });
  await put({ url: wide.url, credentials: other.credentials }, "b");
  assert.equal((await itemsOf(wide)).length, 2);
  await assert.rejects(wide.stop(), /^Error: mockddb: the server ended with 3: broken {2}no=Scan/);
  await assert.rejects(wide.reset(), /^Error: mockddb: http:\S+ does not answer: /);
  await server.stop();
}

main().catch((problem) => {
  console.error(problem);
  process.exitCode = 1;
});
