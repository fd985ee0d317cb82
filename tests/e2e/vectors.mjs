// Vector indexes as the SDK v3 makes, fills and searches them. Prints TAP.
// test_vectors.py copies this file beside the SDK and tells the endpoint in the environment.

import assert from 'node:assert/strict';
import {
  CreateTableCommand, DeleteItemCommand, DescribeTableCommand, DynamoDBClient, PutItemCommand,
  SearchVectorsCommand, UpdateTableCommand, waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { test } from './tap.mjs';

const client = new DynamoDBClient({ region: 'us-east-1' });
const TableName = 'Documents';
const DIMENSIONS = 64;
const TENANTS = 3;
const ITEMS = 600;

// The same numbers at every run.
let state = 1;
function random() {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state / 0xffffffff) * 2 - 1;
}

const numbers = () => Array.from({ length: DIMENSIONS }, () => Math.fround(random()));
const list = (vector) => vector.map((n) => ({ N: String(n) }));
const documents = Array.from({ length: ITEMS }, (_, n) => ({ n, tenant: `t${n % TENANTS}`, vector: numbers() }));
const item = ({ n, tenant, vector }) => ({
  pk: { S: `d${n}` }, tenant: { S: tenant }, embedding: { L: list(vector) },
});

function cosine(a, b) {
  const sum = (x, y) => x.reduce((total, value, i) => total + value * y[i], 0);
  return 1 - sum(a, b) / Math.sqrt(sum(a, a) * sum(b, b));
}

/** What a search must find, computed here. */
function nearest(from, k, among = documents) {
  return among
    .map((d) => ({ pk: `d${d.n}`, score: cosine(from, d.vector) }))
    .sort((a, b) => a.score - b.score)
    .slice(0, k);
}

async function search(IndexName, vector, TopK, more = {}) {
  const { SearchResults } = await client.send(new SearchVectorsCommand({
    TableName, IndexName, SearchVector: list(vector), TopK, ProjectionExpression: 'pk', ...more,
  }));
  return SearchResults.map(({ Item, Score }) => ({ pk: Item.pk.S, score: Score }));
}

function same(found, wanted) {
  assert.deepEqual(found.map(({ pk }) => pk), wanted.map(({ pk }) => pk));
  found.forEach(({ score }, i) => assert.ok(Math.abs(score - wanted[i].score) < 1e-6));
}

const index = (IndexName, more = {}) => ({
  IndexName, VectorAttribute: { AttributeName: 'embedding' }, Dimensions: DIMENSIONS,
  DistanceFunction: 'COSINE', Projection: { ProjectionType: 'ALL' }, ...more,
});

await test('a table with a vector index', async () => {
  await client.send(new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    VectorIndexes: [index('all')],
  }));
  await waitUntilTableExists({ client, maxWaitTime: 900 }, { TableName });
});

await test('items', async () => {
  for (const document of documents) {
    const { ConsumedCapacity } = await client.send(new PutItemCommand({
      TableName, Item: item(document), ReturnConsumedCapacity: 'INDEXES',
    }));
    assert.equal(ConsumedCapacity.VectorIndexes.all.VectorWriteRequestBytes, 1024);
  }
});

await test('searches find the nearest', async () => {
  for (let round = 0; round < 10; round += 1) {
    const from = numbers();
    same(await search('all', from, 10), nearest(from, 10));
  }
});

await test('what is written is found at once, what is deleted is not', async () => {
  const from = numbers();
  const fresh = { n: ITEMS, tenant: 't0', vector: from };
  await client.send(new PutItemCommand({ TableName, Item: item(fresh) }));
  same(await search('all', from, 3), nearest(from, 3, [...documents, fresh]));
  await client.send(new DeleteItemCommand({ TableName, Key: { pk: { S: `d${ITEMS}` } } }));
  same(await search('all', from, 3), nearest(from, 3));
});

await test('a second index, with tenants', async () => {
  await client.send(new UpdateTableCommand({
    TableName,
    AttributeDefinitions: [{ AttributeName: 'tenant', AttributeType: 'S' }],
    VectorIndexUpdates: [{
      Create: index('tenants', {
        SearchSchema: [{ AttributeName: 'tenant', SearchSchemaElementType: 'HASH' }],
      }),
    }],
  }));
  for (;;) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    if (Table.VectorIndexes[1].IndexStatus === 'ACTIVE') break;
  }
  const from = numbers();
  const found = await search('tenants', from, 100, {
    SearchConditionExpression: 'tenant = :t', ExpressionAttributeValues: { ':t': { S: 't1' } },
  });
  same(found, nearest(from, 100, documents.filter(({ tenant }) => tenant === 't1')));
});

await test('whole items come without their vector', async () => {
  const { SearchResults } = await client.send(new SearchVectorsCommand({
    TableName, IndexName: 'all', SearchVector: list(documents[7].vector), TopK: 1,
    ReturnConsumedCapacity: 'TOTAL',
  }));
  assert.deepEqual(SearchResults[0].Item, { pk: { S: 'd7' }, tenant: { S: 't1' } });
});

await test('a vector that does not fit is refused', async () => {
  const put = new PutItemCommand({ TableName, Item: { pk: { S: 'bad' }, embedding: { L: list([1, 2]) } } });
  await assert.rejects(client.send(put), {
    name: 'ValidationException',
    message: 'One or more parameter values were invalid. Invalid size for parameter embedding, '
      + `Expected: ${DIMENSIONS}, Actual: 2 IndexName: all`,
  });
});
