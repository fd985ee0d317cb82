const { DynamoDBClient, PutItemCommand, ScanCommand } = require("@aws-sdk/client-dynamodb");
const { world } = require("mockddb");

const dynamodb = new DynamoDBClient({});
const TableName = "test-shipments"; // of template.yaml

/* Each test writes the same key, also while another worker does. */
test.each(["paper", "ink", "glue"])("a throttled shipment of %s is sent once more, on the frozen day", async (what) => {
  const mockddb = world();
  await mockddb.faults.add({ operation: "PutItem", table: TableName, times: 1, error: "ThrottlingException" });
  const day = (await mockddb.clock.get()).now.slice(0, 10);
  const Item = { id: { S: "s1" }, day: { S: day }, what: { S: what } };
  expect((await dynamodb.send(new PutItemCommand({ TableName, Item }))).$metadata.attempts).toBe(2);
  expect((await dynamodb.send(new ScanCommand({ TableName }))).Items).toEqual([Item]);
  expect(day).toBe("2026-01-01");
});
