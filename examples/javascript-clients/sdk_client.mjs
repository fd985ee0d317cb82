// AWS SDK v3 with DocumentClient: a table with an index, pages, a condition, transactions, a batch with unprocessed
// items, a stream. The program itself sends again what a batch left.
import assert from "node:assert/strict";
import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import {
  BatchWriteCommand, DynamoDBDocumentClient, PutCommand, QueryCommand, TransactWriteCommand,
} from "@aws-sdk/lib-dynamodb";
import { client, createTable, streamRecords } from "./table.mjs";

const TableName = "Orders";
const orders = DynamoDBDocumentClient.from(client);
const key = (number) => ({ pk: "customer#c1", sk: `order#${number}` });
const order = (number) => ({ ...key(number), gsi1pk: "open", gsi1sk: `${number}`, total: number });

await createTable(TableName);

let left = { [TableName]: Array.from({ length: 20 }, (_, number) => ({ PutRequest: { Item: order(number) } })) };
const batches = [];
while (Object.keys(left).length > 0) {
  batches.push(left[TableName].length);
  left = (await orders.send(new BatchWriteCommand({ RequestItems: left }))).UnprocessedItems;
}
assert.deepEqual(batches, [20, 5]);

const query = {
  TableName,
  IndexName: "gsi1",
  KeyConditionExpression: "gsi1pk = :open",
  ExpressionAttributeValues: { ":open": "open" },
};
const pages = [];
let ExclusiveStartKey;
do {
  const page = await orders.send(new QueryCommand({ ...query, Limit: 6, ExclusiveStartKey }));
  pages.push(page.Items);
  ExclusiveStartKey = page.LastEvaluatedKey;
} while (ExclusiveStartKey);
assert.deepEqual(pages.map((page) => page.length), [6, 6, 6, 2]);
assert.equal(pages.flat().reduce((sum, { total }) => sum + total, 0), 190);

const again = { TableName, Item: order(1), ConditionExpression: "attribute_not_exists(pk)" };
await assert.rejects(orders.send(new PutCommand(again)), (error) => {
  assert.equal(error.name, "ConditionalCheckFailedException");
  const isClass = typeof ConditionalCheckFailedException === "function"; // not yet in the oldest
  return !isClass || error instanceof ConditionalCheckFailedException;
});

const close = (number) => ({
  Update: {
    TableName,
    Key: key(number),
    UpdateExpression: "SET gsi1pk = :closed",
    ConditionExpression: "gsi1pk = :open",
    ExpressionAttributeValues: { ":open": "open", ":closed": "closed" },
  },
});
await orders.send(new TransactWriteCommand({ TransactItems: [close(1), close(2)] }));
await assert.rejects(orders.send(new TransactWriteCommand({ TransactItems: [close(3), close(2)] })), {
  name: "TransactionCanceledException",
  message: /\[None, ConditionalCheckFailed\]/,
});

const names = (await streamRecords(TableName)).map((record) => record.eventName);
assert.deepEqual(names, [...Array(20).fill("INSERT"), "MODIFY", "MODIFY"]);
