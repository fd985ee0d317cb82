// What the JavaScript SDK v3 makes of tables that are throttled. Prints TAP. test_throttle.py copies
// this file beside the SDK and tells the server in the environment.

import assert from 'node:assert/strict';
import * as sdk from '@aws-sdk/client-dynamodb';
import { test } from './tap.mjs';

const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB;

const put = (key, length = 10) =>
  new sdk.PutItemCommand({ TableName: 'Few', Item: { pk: { S: key }, data: { S: 'x'.repeat(length) } } });

for (const retryMode of ['standard', 'adaptive']) {
  await test(`retries in ${retryMode} mode end in success`, async () => {
    const client = new sdk.DynamoDBClient({ endpoint, retryMode, maxAttempts: 30 });
    let attempts = 0;
    // the second of three seconds' units waits, however slow the server is
    for (let i = 0; i < 20; i++)
      attempts += (await client.send(put(`${retryMode}${i}`, i < 2 ? 30000 : 10))).$metadata.attempts;
    assert.ok(attempts > 20, 'nothing was throttled');
  });
}

await test('the reasons are there', async () => {
  const client = new sdk.DynamoDBClient({ endpoint, maxAttempts: 1 });
  let error;
  for (let i = 0; i < 100 && !error; i++) error = await client.send(put('x', 30000)).then(() => undefined, (e) => e);
  assert.ok(error instanceof sdk.ProvisionedThroughputExceededException);
  assert.deepEqual(error.ThrottlingReasons, [
    { reason: 'TableWriteProvisionedThroughputExceeded', resource: 'arn:aws:dynamodb:us-east-1:123456789012:table/Few' },
  ]);
});
