// embedded() of the npm package with the SDK for JavaScript: the same requests have equal results over loopback and in
// this process. test_embedded_javascript.py runs it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import {
  CreateTableCommand, DeleteItemCommand, DescribeTableCommand, DynamoDBClient, GetItemCommand, ListTablesCommand,
  PutItemCommand, QueryCommand, ScanCommand, TransactWriteItemsCommand, UpdateTimeToLiveCommand, paginateQuery,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand, DynamoDBStreamsClient, GetRecordsCommand, GetShardIteratorCommand, ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { test } from './tap.mjs';

const { embedded, start } = createRequire(import.meta.url)(process.env.MOCKDDB_PACKAGE);
const NOW = '2026-01-01T00:00:00Z';
const ORDERS = {
  TableName: 'Orders',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['id', 'line'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }, { AttributeName: 'line', KeyType: 'RANGE' }],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
};
const VARYING = ['requestId', 'TableId', 'took_us', 'eventID', 'ShardIterator', 'NextShardIterator', 'totalRetryDelay'];

const item = (line, more) => ({ id: { S: 'o1' }, line: { S: line }, ...more });
const put = (client, line, more) => client.send(new PutItemCommand({ TableName: 'Orders', Item: item(line, more) }));
const get = (client, line = '1', options = undefined) =>
  client.send(new GetItemCommand({ TableName: 'Orders', Key: item(line) }), options);
const scan = (client, TableName = 'Orders') => client.send(new ScanCommand({ TableName }));
const sockets = () =>
  fs.readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return [];
    }
  }).filter((name) => name.startsWith('socket:'));

async function records(db) {
  const streams = new DynamoDBStreamsClient(db.clientConfig);
  const [{ StreamArn }] = (await streams.send(new ListStreamsCommand({ TableName: 'Orders' }))).Streams;
  const { Shards: [{ ShardId }] } = (await streams.send(new DescribeStreamCommand({ StreamArn }))).StreamDescription;
  const begin = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
  const { ShardIterator } = await streams.send(new GetShardIteratorCommand(begin));
  return streams.send(new GetRecordsCommand({ ShardIterator }));
}

async function pages(client) {
  const query = { TableName: 'Orders', KeyConditionExpression: 'id = :i', ExpressionAttributeValues: { ':i': { S: 'o1' } } };
  const found = [];
  for await (const page of paginateQuery({ client, pageSize: 2 }, query)) found.push([page.Count, page.LastEvaluatedKey]);
  return found;
}

async function withFault(db, client, rule) {
  await db.faults.add({ operation: 'GetItem', times: 1, ...rule });
  try {
    return (await get(client)).$metadata.attempts;
  } finally {
    await db.faults.clear();
  }
}

async function dropped(db) {
  const client = new DynamoDBClient({ ...db.clientConfig, maxAttempts: 1 });
  return withFault(db, client, { drop: 'after' }).catch(({ name, code }) => [name, code]);
}

const transaction = (client) =>
  client.send(new TransactWriteItemsCommand({
    TransactItems: [
      { Put: { TableName: 'Orders', Item: item('8') } },
      { ConditionCheck: { TableName: 'Orders', Key: item('9'), ConditionExpression: 'attribute_exists(id)' } },
    ],
  }));

async function expired(db, client) {
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'until' };
  await client.send(new UpdateTimeToLiveCommand({ TableName: 'Orders', TimeToLiveSpecification }));
  const until = String((await db.clock.get()).now_ms / 1000 + 60);
  await put(client, 'ttl', { until: { N: until } });
  return [await db.clock.advance('72h'), await get(client, 'ttl')];
}

async function restored(db, client) {
  const snapshot = await db.snapshot();
  await client.send(new DeleteItemCommand({ TableName: 'Orders', Key: item('1') }));
  await snapshot.restore();
  return get(client);
}

async function forked(db) {
  const fork = await db.fork('fork');
  const { Count } = await scan(new DynamoDBClient(fork.clientConfig));
  return [Count, await fork.drop()];
}

// [name, what is done], one after the other in a world.
const STEPS = [
  ['CreateTable', (db, client) => client.send(new CreateTableCommand(ORDERS))],
  ['a waiter', (db, client) => waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: 'Orders' })],
  ['DescribeTable', (db, client) => client.send(new DescribeTableCommand({ TableName: 'Orders' }))],
  ['PutItem', (db, client) => Promise.all([0, 1, 2, 3, 4].map((n) => put(client, String(n))))],
  ['binary values and names beyond ASCII', (db, client) => put(client, 'é', { b: { B: new Uint8Array([0, 255]) } })],
  ['GetItem', (db, client) => Promise.all([get(client), get(client, 'é'), get(client, 'missing')])],
  ['a condition that fails', (db, client) => client.send(new PutItemCommand({
    TableName: 'Orders', Item: item('1'), ConditionExpression: 'attribute_not_exists(id)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }))],
  ['an invalid request', (db, client) => client.send(new ScanCommand({ TableName: 'Orders', Limit: 0 }))],
  ['a table that does not exist', (db, client) => scan(client, 'Nothing')],
  ['a cancelled transaction, with its reasons', (db, client) => transaction(client)],
  ['pages', (db, client) => pages(client)],
  ['a document client', (db, client) => DynamoDBDocument.from(client).get({ TableName: 'Orders', Key: { id: 'o1', line: 'é' } })],
  ['streams', (db) => records(db)],
  ['an error that is retried', (db, client) => withFault(db, client, { error: 'InternalServerError' })],
  ['a dropped reply that is retried', (db, client) => withFault(db, client, { drop: 'before' })],
  ['a dropped reply that is not retried', (db) => dropped(db)],
  ['a reply that is cut, and retried', (db, client) => withFault(db, client, { cut: 5 })],
  ['a wrong CRC', (db, client) => withFault(db, client, { wrong_crc: true })],
  ['a skewed clock', (db, client) => withFault(db, client, { skew: '20m' })],
  ['a time to live and the clock', expired],
  ['a snapshot', restored],
  ['a fork', (db) => forked(db)],
  ['an assertion', (db) => db.assert({ no: 'DeleteTable' })],
  ['an assertion that is broken', (db) => db.assert({ no: 'DeleteItem' })],
  ['a verb that is refused', (db) => db.faults.add({ operation: 'Scam' })],
  ['the journal', async (db) =>
    (await db.journal.entries()).map(({ operation, status, client, world }) => [operation, status, client, world])],
  ['a reset', async (db, client) => [await db.reset(), await client.send(new ListTablesCommand({}))]],
];

/** A result without what varies from request to request. */
function plain(value) {
  if (value instanceof Uint8Array || value instanceof Date || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => !VARYING.includes(name)).map(([name, part]) => [name, plain(part)]),
  );
}

async function runSteps(db) {
  const client = new DynamoDBClient(db.clientConfig);
  const results = new Map();
  await db.clock.freeze(NOW);
  for (const [name, step] of STEPS) {
    try {
      results.set(name, plain(await step(db, client)));
    } catch (problem) {
      const { $metadata, CancellationReasons, Item } = problem;
      results.set(name, plain([problem.name, problem.message, problem.$fault, { $metadata, CancellationReasons, Item }]));
    }
  }
  return results;
}

const before = sockets();
const db = await embedded({ tables: [ORDERS] });
await test('no socket is opened', async () => {
  const client = new DynamoDBClient(db.clientConfig);
  await put(client, '1');
  await scan(client);
  await new DynamoDBStreamsClient(db.clientConfig).send(new ListStreamsCommand({}));
  assert.deepEqual(sockets(), before);
});

const server = await start();
const [expected, plainDb] = [await runSteps(server), await embedded()];
const actual = await runSteps(plainDb);
for (const [name] of STEPS)
  await test(`equal over loopback and embedded: ${name}`, () => {
    assert.ok(!/^(TypeError|ReferenceError)/.test(String(expected.get(name)?.[0])), String(expected.get(name)));
    assert.deepEqual(actual.get(name), expected.get(name));
  });
await server.stop();
await plainDb.stop();

await test('two worlds have their own tables, clocks and journals', async () => {
  const [one, two] = [db.world('one'), db.world('two')];
  const clients = [one, two].map((world) => new DynamoDBClient(world.clientConfig));
  await put(clients[0], 'w');
  await one.clock.freeze(NOW);
  assert.deepEqual((await Promise.all(clients.map((client) => get(client, 'w')))).map(({ Item }) => Boolean(Item)), [true, false]);
  assert.deepEqual([(await one.clock.get()).frozen, (await two.clock.get()).frozen], [true, false]);
  assert.deepEqual((await Promise.all([one, two].map((world) => world.journal.entries()))).map((list) => list.length), [2, 1]);
});

await test('a file of tables lasts, and belongs to one server at a time', async () => {
  const folder = fs.mkdtempSync(`${os.tmpdir()}/mockddb-`);
  const options = { args: ['--db', `${folder}/tables.db`] };
  try {
    const first = await embedded({ tables: [ORDERS], ...options });
    await put(new DynamoDBClient(first.clientConfig), '1');
    await assert.rejects(embedded(options), /is in use/);
    await first.stop();
    const second = await embedded(options);
    assert.deepEqual((await get(new DynamoDBClient(second.clientConfig))).Item, item('1'));
    await second.stop();
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

await test('many promises at once: each gets its own reply, and long ones do not hold the event loop', async () => {
  const world = db.world('many');
  const client = new DynamoDBClient(world.clientConfig);
  const lines = Array.from({ length: 200 }, (_, n) => `line ${n}`);
  await Promise.all(lines.map((line) => put(client, line)));
  let turns = 0;
  let running = true;
  const counting = (async () => {
    while (running) {
      await turn();
      turns += 1;
    }
  })();
  const query = { TableName: 'Orders', KeyConditionExpression: 'id = :i', ExpressionAttributeValues: { ':i': { S: 'o1' } } };
  const found = await Promise.all(lines.flatMap((line) => [get(client, line), client.send(new QueryCommand(query))]));
  running = false;
  await counting;
  lines.forEach((line, n) => assert.equal(found[2 * n].Item.line.S, line));
  lines.forEach((line, n) => assert.equal(found[2 * n + 1].Count, 200));
  assert.ok(turns > 10, String(turns));
});

await test('a delay is as long as over loopback; an abort signal and a timeout end it', async () => {
  const world = db.world('slow');
  const client = new DynamoDBClient({ ...world.clientConfig, maxAttempts: 1 });
  await world.faults.add({ operation: 'GetItem', delay: '80ms', times: 1 }, { operation: 'GetItem', delay: '1h' });
  const begin = performance.now();
  await get(client);
  assert.ok(performance.now() - begin >= 79);
  const controller = new AbortController();
  const pending = get(client, '1', { abortSignal: controller.signal });
  setTimeout(() => controller.abort(), 10);
  await assert.rejects(pending, { name: 'AbortError' });
  await assert.rejects(get(client, '1', { abortSignal: AbortSignal.abort() }), { name: 'AbortError' });
  await assert.rejects(get(client, '1', { requestTimeout: 10 }), { name: 'TimeoutError' });
});

await test('a request that waits is taken back by its abort signal', async () => {
  const world = db.world('queue');
  const { requestHandler } = world.clientConfig;
  const request = { headers: { 'X-Amz-Target': 'DynamoDB_20120810.Scan' }, body: '{"TableName": "Orders"}' };
  const controller = new AbortController();
  const first = requestHandler.handle(request);
  const second = requestHandler.handle(request, { abortSignal: controller.signal });
  controller.abort();
  await assert.rejects(second, { name: 'AbortError' });
  assert.equal((await first).response.statusCode, 200);
  assert.equal((await world.journal.entries()).length, 1);
});

await test('environment, enter() and a request of another protocol name start()', async () => {
  assert.throws(() => db.environment, /use start\(\)/);
  assert.throws(() => db.enter(), /use start\(\)/);
  const { requestHandler } = db.clientConfig;
  await assert.rejects(requestHandler.handle({ headers: {}, body: 'Action=GetCallerIdentity' }), /use start\(\)/);
});

await test('a worker thread has a server of its own', async () => {
  const script = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { embedded } = require(workerData);
    embedded().then(async (db) => parentPort.postMessage((await db.clock.get()).rate));`;
  const worker = new Worker(script, { eval: true, workerData: process.env.MOCKDDB_PACKAGE });
  const rate = await new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject));
  assert.equal(rate, 1);
  await worker.terminate();
});

for (const [what, options, line] of [
  ['a library that does not exist', { library: '/nowhere/lib.so' }, 'the option library: there is no file /nowhere/lib.so'],
  ['a library without the addon', { library: '/etc/passwd' }, '/etc/mockddb.node cannot be loaded: '],
  ['an option of sockets', { port: 1 }, 'embedded() has no option "port"; it has region, fixtures, '],
  ['an option of the program', { args: ['--port', '1'] }, 'the embedded server did not start: --port is not an option'],
  ['a fixture that does not exist', { fixtures: 'nowhere' }, 'the embedded server did not start: there is no fixture nowhere'],
  ['a wrong table', { tables: [{ ...ORDERS, Tgas: [] }] }, 'the option tables: tables/Orders.json: CreateTable has no member Tgas'],
])
  await test(`one line for ${what}`, async () => {
    await assert.rejects(embedded(options), (problem) => {
      assert.ok(problem.message.startsWith('mockddb: ') && problem.message.includes(line) && !problem.message.includes('\n'), problem.message);
      return true;
    });
  });

await test('a file that is no library, and MOCKDDB_LIBRARY', () => {
  const folder = fs.mkdtempSync(`${os.tmpdir()}/mockddb-`);
  try {
    fs.copyFileSync(process.env.MOCKDDB_ADDON, `${folder}/mockddb.node`);
    fs.writeFileSync(`${folder}/libmockddb.so`, 'no library');
    const script = `require('${process.env.MOCKDDB_PACKAGE}').embedded().catch(({ message }) => console.log(message))`;
    const run = (MOCKDDB_LIBRARY) =>
      spawnSync(process.execPath, ['-e', script], { env: { ...process.env, MOCKDDB_LIBRARY }, encoding: 'utf8' }).stdout;
    assert.match(run(`${folder}/libmockddb.so`), /^mockddb: .* is not libmockddb: /);
    assert.equal(run('/nowhere'), 'mockddb: MOCKDDB_LIBRARY: there is no file /nowhere\n');
    assert.match(run(''), /^mockddb: this installation has no libmockddb.so for linux-\w+: /);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

await test('nothing is printed, and a process ends without stop()', () => {
  const script = `require('${process.env.MOCKDDB_PACKAGE}').embedded({ tables: [{ TableName: 'Things', BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }], KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }] }] })
    .then((db) => db.reset())`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
});

await test('after stop(), each use is an error; stopping twice is none', async () => {
  const client = new DynamoDBClient(db.clientConfig);
  const last = scan(client);
  await Promise.all([db.stop(), db.stop()]);
  await last.catch((problem) => assert.match(problem.message, /is stopped/));
  await assert.rejects(get(client), /^Error: mockddb: the embedded server is stopped$/);
  await assert.rejects(db.reset(), /^Error: mockddb: the embedded server is stopped$/);
  await db.stop();
});
