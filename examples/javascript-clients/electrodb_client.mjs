// ElectroDB: pages of an index, a condition, transactions, a batch with unprocessed items, items of stream records.
// It does not create tables. The program itself sends again what a batch left.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { client, createTable, streamRecords } from "./table.mjs";

const { ElectroError, Entity, Service } = createRequire(import.meta.url)("electrodb");

const Orders = new Entity(
  {
    model: { entity: "order", version: "1", service: "shop" },
    attributes: {
      customer: { type: "string", required: true },
      number: { type: "number", required: true, padding: { length: 6, char: "0" } },
      status: { type: ["open", "closed"], required: true },
      tags: { type: "set", items: "string" },
    },
    indexes: {
      byCustomer: { pk: { field: "pk", composite: ["customer"] }, sk: { field: "sk", composite: ["number"] } },
      byStatus: {
        index: "gsi1",
        pk: { field: "gsi1pk", composite: ["status"] },
        sk: { field: "gsi1sk", composite: ["number"] },
      },
    },
  },
  { client, table: "Orders" },
);
const shop = new Service({ orders: Orders });
const order = (number) => ({ customer: "c1", number, status: "open", tags: ["a", "b"] });

await createTable();

let left = Array.from({ length: 20 }, (_, number) => order(number));
const batches = [];
while (left.length > 0) {
  batches.push(left.length);
  left = (await Orders.put(left).go()).unprocessed;
}
assert.deepEqual(batches, [20, 5]);

const numbers = [];
let cursor = null;
do {
  const page = await Orders.query.byStatus({ status: "open" }).go({ cursor, limit: 6 });
  numbers.push(page.data.map(({ number }) => number));
  cursor = page.cursor;
} while (cursor);
assert.deepEqual(numbers.map((page) => page.length), [6, 6, 6, 2]);
assert.deepEqual(numbers.flat(), Array.from({ length: 20 }, (_, number) => number));
const some = await Orders.query.byCustomer({ customer: "c1" }).between({ number: 3 }, { number: 9 }).go();
assert.deepEqual(some.data[6], order(9));
assert.equal(some.data.length, 7);

await assert.rejects(Orders.create(order(1)).go(), (error) => {
  assert.ok(error instanceof ElectroError);
  assert.equal(error.cause.name, "ConditionalCheckFailedException");
  return true;
});

const isOpen = ({ status }, { eq }) => eq(status, "open");
const close = (...numbers) =>
  shop.transaction
    .write(({ orders }) =>
      numbers.map((number) => orders.patch({ customer: "c1", number }).set({ status: "closed" }).where(isOpen).commit()),
    )
    .go();
assert.equal((await close(1, 2)).canceled, false);
const cancelled = await close(3, 2);
assert.equal(cancelled.canceled, true);
assert.deepEqual(cancelled.data.map(({ code }) => code), ["None", "ConditionalCheckFailed"]);
const read = await shop.transaction
  .get(({ orders }) => [2, 3].map((number) => orders.get({ customer: "c1", number }).commit()))
  .go();
assert.deepEqual(read.data.map(({ item }) => item.status), ["closed", "open"]);

const records = await streamRecords();
const images = records.map(({ dynamodb }) => Orders.parse({ Item: unmarshall(dynamodb.NewImage) }).data);
assert.equal(images.length, 22);
assert.deepEqual(images[21], { ...order(2), status: "closed" });
