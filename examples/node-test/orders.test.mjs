import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { DynamoDBClient, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { start } from "mockddb";

// Each file of node:test is a process of its own, and so is its server.
const mockddb = await start({
  tables: [
    {
      TableName: "Orders",
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    },
  ],
});
mockddb.enter(); // AWS_ENDPOINT_URL_DYNAMODB and made-up credentials
after(() => mockddb.stop());
beforeEach(() => mockddb.reset());

const dynamodb = new DynamoDBClient({});
const add = (id) => dynamodb.send(new PutItemCommand({ TableName: "Orders", Item: { id: { S: id } } }));

for (const id of ["o1", "o2"])
  test(`${id} is the only order`, async () => {
    await add(id);
    assert.equal((await dynamodb.send(new ScanCommand({ TableName: "Orders" }))).Count, 1);
  });

test("a throttled write is sent once more", async () => {
  await mockddb.faults.add({ operation: "PutItem", times: 1, error: "ThrottlingException" });
  assert.equal((await add("o1")).$metadata.attempts, 2);
});
