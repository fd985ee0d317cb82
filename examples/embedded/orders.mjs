// A test's server in its own process: no program, no port. `npm install mockddb @aws-sdk/client-dynamodb`, then
// `node orders.mjs`.
import { DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { embedded } from "mockddb";

const db = await embedded({
  clock: "2026-01-01T00:00:00Z,frozen",
  tables: [
    {
      TableName: "Orders",
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      TimeToLiveSpecification: { Enabled: true, AttributeName: "until" },
    },
  ],
});
const orders = new DynamoDBClient(db.clientConfig);
const get = () => orders.send(new GetItemCommand({ TableName: "Orders", Key: { id: { S: "o1" } } }));

const until = String((await db.clock.get()).now_ms / 1000 + 3600);
const order = { id: { S: "o1" }, state: { S: "paid" }, until: { N: until } };
await orders.send(new PutItemCommand({ TableName: "Orders", Item: order }));

await db.faults.add({ operation: "GetItem", times: 1, error: "InternalServerError" });
const { Item, $metadata } = await get();
console.log(`o1 is ${Item.state.S}, after ${$metadata.attempts} tries`);

await db.clock.advance("72h");
console.log((await get()).Item ? "o1 is still here" : "o1 has expired");
await db.assert({ no: "Scan" });
await db.stop();
