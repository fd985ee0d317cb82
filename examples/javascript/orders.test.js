const { CreateTableCommand, ListTablesCommand, PutItemCommand } = require("@aws-sdk/client-dynamodb");
const { dynamodb, verb } = require("./world.js");

beforeEach(async () => {
  await verb("reset");
  await verb("clock", { freeze: "2026-01-01T00:00:00Z" });
});

const orders = new CreateTableCommand({
  TableName: "Orders",
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
});

test("a table is made when the clock says", async () => {
  const { TableDescription } = await dynamodb.send(orders);
  expect(TableDescription.CreationDateTime.toISOString()).toBe("2026-01-01T00:00:00.000Z");
});

test("a throttled write is sent once more", async () => {
  await dynamodb.send(orders);
  const throttle = { operation: "PutItem", table: "Orders", times: 1, error: "ThrottlingException" };
  await verb("faults", { rules: [throttle] });
  const put = new PutItemCommand({ TableName: "Orders", Item: { id: { S: "o1" } } });
  expect((await dynamodb.send(put)).$metadata.attempts).toBe(2);
});

test("each test begins with nothing", async () => {
  expect((await dynamodb.send(new ListTablesCommand({}))).TableNames).toEqual([]);
});
