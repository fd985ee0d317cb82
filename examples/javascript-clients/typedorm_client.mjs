// TypeDORM: pages of an index, conditions, transactions, a batch with unprocessed items. It has no streams and does not
// create tables. In TypeScript its functions are decorators.
import "reflect-metadata";
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { client, createTable } from "./table.mjs";

const require = createRequire(import.meta.url);
const { Attribute, Entity, INDEX_TYPE, QUERY_ORDER, Table } = require("@typedorm/common");
const {
  ReadTransaction, WriteBatch, WriteTransaction, createConnection, getBatchManager, getEntityManager,
  getTransactionManger,
} = require("@typedorm/core");
const { DocumentClientV3 } = require("@typedorm/document-client");

const table = new Table({
  name: "Orders",
  partitionKey: "pk",
  sortKey: "sk",
  indexes: { gsi1: { type: INDEX_TYPE.GSI, partitionKey: "gsi1pk", sortKey: "gsi1sk" } },
});

class Order {}
for (const [name, type] of Object.entries({ customer: String, number: Number, status: String })) {
  Reflect.defineMetadata("design:type", type, Order.prototype, name);
  Attribute()(Order.prototype, name);
}
Entity({
  name: "order",
  primaryKey: { partitionKey: "customer#{{customer}}", sortKey: "order#{{number}}" },
  indexes: { gsi1: { type: INDEX_TYPE.GSI, partitionKey: "status#{{status}}", sortKey: "order#{{number}}" } },
})(Order);
createConnection({ table, entities: [Order], documentClient: new DocumentClientV3(client) });

const key = (number) => ({ customer: "c1", number });
const order = (number) => Object.assign(new Order(), { ...key(number), status: "open" });
const orders = getEntityManager();

await createTable();

const batch = new WriteBatch();
for (let number = 10; number < 30; number++) batch.addCreateItem(order(number));
const written = await getBatchManager().write(batch); // sends again what a batch leaves unprocessed
assert.deepEqual(written, { unprocessedItems: [], failedItems: [] });

const numbers = [];
let cursor;
do {
  const options = { queryIndex: "gsi1", limit: 6, orderBy: QUERY_ORDER.ASC, cursor };
  const page = await orders.find(Order, { status: "open" }, options);
  numbers.push(page.items.map(({ number }) => number));
  cursor = page.cursor;
} while (cursor);
assert.deepEqual(numbers.map((page) => page.length), [6, 6, 6, 2]);
assert.deepEqual(numbers.flat(), Array.from({ length: 20 }, (_, number) => number + 10));
assert.deepEqual(await orders.findOne(Order, key(13)), order(13));

await assert.rejects(orders.create(order(11)), { name: "ConditionalCheckFailedException" });
const where = { status: { EQ: "closed" } };
const change = orders.update(Order, key(11), { status: "closed" }, { where });
await assert.rejects(change, { name: "ConditionalCheckFailedException" });

const close = (transaction, number) =>
  transaction.addUpdateItem(Order, key(number), { status: "closed" }, { where: { status: { EQ: "open" } } });
const transactions = getTransactionManger();
await transactions.write(close(close(new WriteTransaction(), 11), 12));
await assert.rejects(transactions.write(close(close(new WriteTransaction(), 13), 12)), (error) => {
  assert.equal(error.name, "TransactionCancelledException");
  assert.deepEqual(error.cancellationReasons.map(({ code }) => code), ["None", "ConditionalCheckFailed"]);
  return true;
});
const reading = new ReadTransaction().addGetItem(Order, key(12)).addGetItem(Order, key(13));
assert.deepEqual((await transactions.read(reading)).map(({ status }) => status), ["closed", "open"]);
