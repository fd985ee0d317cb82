const { world } = require("mockddb");
const { add, count } = require("./orders.js");

const mockddb = world();

test("each test begins with the same items", async () => {
  expect(await count("Orders")).toBe(1);
  await add("o2");
  expect(await count("Orders")).toBe(2);
});

test("and sees nothing of the others", async () => {
  expect(await count("Orders")).toBe(1);
});

test("a throttled write is sent once more", async () => {
  await mockddb.faults.add({ operation: "PutItem", table: "Orders", times: 1, error: "ThrottlingException" });
  expect((await add("o2")).$metadata.attempts).toBe(2);
  expect(await mockddb.journal.entries({ error: "ThrottlingException" })).toHaveLength(1);
});

test("a customer expires an hour later", async () => {
  expect((await mockddb.clock.get()).now).toBe("2026-01-01T00:00:00.000Z");
  expect(await count("Customers")).toBe(1);
  await mockddb.clock.advance("2h");
  expect(await count("Customers")).toBe(0);
});

test("the template's table is there", async () => {
  expect(await count("test-shipments")).toBe(0);
});

test("adding an order reads nothing", async () => {
  await add("o2");
  await mockddb.assert({ no: ["Scan", "Query"] }, { max_write_units: 1 });
});
