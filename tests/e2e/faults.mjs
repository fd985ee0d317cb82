// What the JavaScript SDK v3 makes of faults. Prints TAP. test_fault_clients.py copies this file
// beside the SDK and tells the server in the environment.

import assert from 'node:assert/strict';
import * as sdk from '@aws-sdk/client-dynamodb';
import { test } from './tap.mjs';

const url = process.env.AWS_ENDPOINT_URL_DYNAMODB;
const client = new sdk.DynamoDBClient({ endpoint: url, maxAttempts: 3 });
const put = new sdk.PutItemCommand({ TableName: 'Users', Item: { userId: { S: 'new' } } });
const table = 'arn:aws:dynamodb:us-east-1:123456789012:table/Users';

async function verb(method, path, body) {
  const answer = await fetch(`${url}/_mockddb/${path}`, { method, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error((await answer.json()).message);
  return answer.json();
}

async function rules(...those) {
  await verb('DELETE', 'faults');
  await verb('POST', 'faults', { rules: those });
}

// error, status, whether the SDK has a class of that name, attempts out of 3, its throttling reason
const errors = [
  ['ProvisionedThroughputExceededException', 400, true, 3, 'TableWriteProvisionedThroughputExceeded'],
  ['RequestLimitExceeded', 400, true, 3, 'TableWriteAccountLimitExceeded'],
  ['ThrottlingException', 400, true, 3, 'TableWriteKeyRangeThroughputExceeded'],
  ['InternalServerError', 500, true, 3],
  ['ServiceUnavailable', 503, false, 3],
  ['TransactionConflictException', 400, true, 1],
  ['TransactionCanceledException', 400, true, 1],
  ['ConditionalCheckFailedException', 400, true, 1],
  ['ItemCollectionSizeLimitExceededException', 400, true, 1],
];

for (const [name, status, modelled, attempts, reason] of errors) {
  await test(name, async () => {
    await rules({ operation: 'PutItem', error: name });
    const error = await client.send(put).then(() => assert.fail('it succeeded'), (e) => e);
    assert.equal(error.name, name);
    assert.ok(!modelled || error instanceof sdk[name]);
    assert.equal(error.$metadata.httpStatusCode, status);
    assert.equal(error.$metadata.attempts, attempts);
    const reasons = error.ThrottlingReasons ?? error.throttlingReasons;
    assert.deepEqual(reasons, reason && [{ reason, resource: table }]);
  });
}

await test('reasons that a rule names', async () => {
  const reasons = ['IndexReadKeyRangeThroughputExceeded', 'TableReadMaxOnDemandThroughputExceeded'];
  await rules({ index: 'GSI_JobLookup_v2', error: 'ThrottlingException', reasons });
  const query = new sdk.QueryCommand({
    TableName: 'EcomIndexerJobsTable',
    IndexName: 'GSI_JobLookup_v2',
    KeyConditionExpression: 'job_id = :j',
    ExpressionAttributeValues: { ':j': { S: 'J1' } },
  });
  const error = await client.send(query).then(() => assert.fail('it succeeded'), (e) => e);
  const jobs = 'arn:aws:dynamodb:us-east-1:123456789012:table/EcomIndexerJobsTable';
  assert.deepEqual(error.throttlingReasons, [
    { reason: reasons[0], resource: `${jobs}/index/GSI_JobLookup_v2` },
    { reason: reasons[1], resource: jobs },
  ]);
});

await test('reasons of a cancelled transaction', async () => {
  const error = 'TransactionCanceledException';
  await rules({ operation: 'TransactWriteItems', error, reasons: ['None', 'DuplicateItem'] });
  const items = [{ Put: put.input }, { Put: put.input }];
  const write = new sdk.TransactWriteItemsCommand({ TransactItems: items });
  const told = await client.send(write).then(() => assert.fail('it succeeded'), (e) => e);
  assert.deepEqual(told.CancellationReasons.map((r) => r.Code), ['None', 'DuplicateItem']);
});

for (const fault of [{ drop: 'before' }, { drop: 'after' }, { skew: '20m' }]) {
  await test(`${JSON.stringify(fault)} is ridden out`, async () => {
    await rules({ operation: 'PutItem', times: 1, ...fault });
    assert.equal((await client.send(put)).$metadata.attempts, 2);
  });
}

await verb('DELETE', 'faults');
