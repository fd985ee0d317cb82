// dynamodb-toolbox: pages of an index, a condition, transactions, a batch with unprocessed items, items of stream
// records. It does not create tables.
import assert from "node:assert/strict";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import {
  BatchPutRequest, BatchWriteCommand, Entity, EntityFormatter, GetItemCommand, GetTransaction, PutItemCommand,
  QueryCommand, Table, UpdateTransaction, executeBatchWrite, executeTransactGet, executeTransactWrite,
  isConditionCheckFailed, isTransactionCancelled, item, number, string,
} from "dynamodb-toolbox";
import { client, createTable, streamRecords } from "./table.mjs";

const orderNumber = { encode: (value) => `order#${value}`, decode: (value) => value.slice("order#".length) };
const text = (name) => ({ name, type: "string" });
const table = new Table({
  documentClient: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
  name: "Orders",
  partitionKey: text("pk"),
  sortKey: text("sk"),
  indexes: { gsi1: { type: "global", partitionKey: text("gsi1pk"), sortKey: text("gsi1sk") } },
});
const Order = new Entity({
  name: "Order",
  table,
  schema: item({
    customer: string().key().savedAs("pk"),
    number: string().key().savedAs("sk").transform(orderNumber),
    status: string().enum("open", "closed").savedAs("gsi1pk"),
    day: string().savedAs("gsi1sk"),
    total: number(),
  }),
});
const key = (number) => ({ customer: "c1", number: `${number}` });
const order = (number) => ({ ...key(number), status: "open", day: `2026-01-${10 + number}`, total: number });

await createTable();

const puts = Array.from({ length: 20 }, (_, number) => Order.build(BatchPutRequest).item(order(number)));
const batch = table.build(BatchWriteCommand).requests(...puts);
const written = await executeBatchWrite({ maxAttempts: 3 }, batch); // sends again what a batch leaves unprocessed
assert.deepEqual(written.UnprocessedItems, {});

const totals = [];
let exclusiveStartKey;
do {
  const page = await table
    .build(QueryCommand)
    .query({ index: "gsi1", partition: "open", range: { beginsWith: "2026-01-" } })
    .entities(Order)
    .options({ exclusiveStartKey, limit: 6 })
    .send();
  totals.push(page.Items.map(({ total }) => total));
  exclusiveStartKey = page.LastEvaluatedKey;
} while (exclusiveStartKey);
assert.deepEqual(totals.map((page) => page.length), [6, 6, 6, 2]);
assert.deepEqual(totals.flat(), Array.from({ length: 20 }, (_, number) => number));

const condition = { attr: "customer", exists: false };
await assert.rejects(Order.build(PutItemCommand).item(order(1)).options({ condition }).send(), isConditionCheckFailed);

const close = (number) =>
  Order.build(UpdateTransaction)
    .item({ ...key(number), status: "closed" })
    .options({ condition: { attr: "status", eq: "open" } });
await executeTransactWrite(close(1), close(2));
await assert.rejects(executeTransactWrite(close(3), close(2)), (error) => {
  assert.ok(isTransactionCancelled(error));
  assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), ["None", "ConditionalCheckFailed"]);
  return true;
});
const read = await executeTransactGet(...[2, 3].map((number) => Order.build(GetTransaction).key(key(number))));
assert.deepEqual(read.Responses.map(({ Item }) => Item.status), ["closed", "open"]);

const formatter = Order.build(EntityFormatter);
const images = (await streamRecords()).map(({ dynamodb }) => formatter.format(unmarshall(dynamodb.NewImage)));
assert.equal(images.length, 22);
assert.deepEqual(images[21], (await Order.build(GetItemCommand).key(key(2)).send()).Item);
