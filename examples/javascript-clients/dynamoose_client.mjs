// dynamoose: a table with an index, pages, conditions, transactions, a batch with unprocessed items. It has no streams.
// The program itself sends again what a batch left.
import assert from "node:assert/strict";
import dynamoose from "dynamoose";

dynamoose.aws.ddb.set(new dynamoose.aws.ddb.DynamoDB({ endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB }));

const schema = new dynamoose.Schema(
  {
    customer: { type: String, hashKey: true },
    number: { type: Number, rangeKey: true },
    status: { type: String, enum: ["open", "closed"], index: { name: "byStatus", type: "global", rangeKey: "number" } },
    address: { type: Object, schema: { city: String } },
  },
  { timestamps: true },
);
const Order = dynamoose.model("Order", schema);
const order = (number) => ({ customer: "c1", number, status: "open", address: { city: "Berlin" } });

const table = new dynamoose.Table("Orders", [Order], { initialize: false, throughput: "ON_DEMAND" });
await table.initialize();

let left = Array.from({ length: 20 }, (_, number) => order(number));
const batches = [];
while (left.length > 0) {
  batches.push(left.length);
  left = (await Order.batchPut(left)).unprocessedItems;
}
assert.deepEqual(batches, [20, 5]);

const numbers = [];
let key;
do {
  const query = Order.query("status").eq("open").using("byStatus").limit(6);
  const page = await (key ? query.startAt(key) : query).exec();
  numbers.push(page.map(({ number }) => number));
  key = page.lastKey;
} while (key);
assert.deepEqual(numbers.map((page) => page.length), [6, 6, 6, 2]);
assert.deepEqual(numbers.flat(), Array.from({ length: 20 }, (_, number) => number));
assert.equal((await Order.get({ customer: "c1", number: 3 })).address.city, "Berlin");
assert.equal((await Order.scan("status").eq("open").all().exec()).count, 20);

await assert.rejects(Order.create(order(1)), { name: "ConditionalCheckFailedException" });
const closed = new dynamoose.Condition().where("status").eq("closed");
const change = Order.update({ customer: "c1", number: 1 }, { status: "closed" }, { condition: closed });
await assert.rejects(change, { name: "ConditionalCheckFailedException" });

const isOpen = new dynamoose.Condition().where("status").eq("open");
const close = (number) =>
  Order.transaction.update({ customer: "c1", number }, { $SET: { status: "closed" } }, { condition: isOpen });
await dynamoose.transaction([close(1), close(2)]);
await assert.rejects(dynamoose.transaction([close(3), close(2)]), (error) => {
  assert.equal(error.name, "TransactionCanceledException");
  assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), ["None", "ConditionalCheckFailed"]);
  return true;
});
const read = await dynamoose.transaction([2, 3].map((number) => Order.transaction.get({ customer: "c1", number })));
assert.deepEqual(read.map(({ status }) => status), ["closed", "open"]);
