// OneTable: a table with an index, pages, a condition, transactions, a batch with unprocessed items, items of stream
// records.
import assert from "node:assert/strict";
import { OneTableError, Table } from "dynamodb-onetable";
import { client, streamRecords } from "./table.mjs";

const table = new Table({
  client,
  name: "Orders",
  logger: false,
  partial: false,
  schema: {
    format: "onetable:1.1.0",
    version: "0.0.1",
    indexes: {
      primary: { hash: "pk", sort: "sk" },
      gs1: { hash: "gs1pk", sort: "gs1sk" },
    },
    models: {
      Order: {
        pk: { type: String, value: "customer#${customer}" },
        sk: { type: String, value: "order#${number:4:0}" },
        gs1pk: { type: String, value: "status#${status}" },
        gs1sk: { type: String, value: "order#${number:4:0}" },
        customer: { type: String, required: true },
        number: { type: Number, required: true },
        status: { type: String, enum: ["open", "closed"], required: true },
        placed: { type: Date },
      },
    },
  },
});
const Order = table.getModel("Order");
const placed = new Date("2026-01-02T03:04:05Z");
const key = (number) => ({ customer: "c1", number });
const order = (number) => ({ ...key(number), status: "open", placed });

await table.createTable({ StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" }, wait: 60 });
assert.equal(await table.exists(), true);

const batch = {};
for (let number = 0; number < 20; number++) await Order.create(order(number), { batch, exists: null });
assert.equal(await table.batchWrite(batch), true); // sends again what a batch leaves unprocessed

const numbers = [];
let next;
do {
  const page = await Order.find({ status: "open" }, { index: "gs1", limit: 6, next });
  numbers.push(page.map(({ number }) => number));
  next = page.next;
} while (next);
assert.deepEqual(numbers.map((page) => page.length), [6, 6, 6, 2]);
assert.deepEqual(numbers.flat(), Array.from({ length: 20 }, (_, number) => number));
assert.deepEqual((await Order.get(key(3))).placed, placed);

await assert.rejects(Order.create(order(1)), (error) => {
  assert.ok(error instanceof OneTableError);
  assert.equal(error.code, "ConditionalCheckFailedException");
  return true;
});

async function close(...numbers) {
  const transaction = {};
  for (const number of numbers)
    await Order.update({ ...key(number), status: "closed" }, { transaction, where: "${status} = {open}" });
  await table.transact("write", transaction);
}
await close(1, 2);
await assert.rejects(close(3, 2), (error) => {
  assert.ok(error instanceof OneTableError);
  assert.equal(error.code, "TransactionCanceledException");
  assert.deepEqual(error.context.err.CancellationReasons.map(({ Code }) => Code), ["None", "ConditionalCheckFailed"]);
  return true;
});
const reading = {};
for (const number of [2, 3]) await Order.get(key(number), { transaction: reading });
const read = await table.transact("get", reading, { parse: true, hidden: false });
assert.deepEqual(read.map(({ status }) => status), ["closed", "open"]);

const changes = table.stream(await streamRecords()).Order;
assert.equal(changes.length, 22);
assert.deepEqual([changes[21].type, changes[21].new.number, changes[21].new.status], ["MODIFY", 2, "closed"]);
