// Making tables and indexes by form in a headless Chromium: each setting, refusals at the field that they are about, and what is said
// when only a part was done. Prints TAP without a plan.
//
//   node console_indexes.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { JOBS, accessible, ask, end, equal, fits, go, open, page, press, quiet, said, send, test, type, url, waitFor, waitText } from "./browser.mjs";

const fieldset = (number) => `dialog fieldset fieldset:nth-of-type(${number})`;
const describe = async (TableName) => (await send("DescribeTable", { TableName })).Table;
const faults = () => page.$$eval("dialog [aria-invalid]", (all) => all.map((one) => [one.dataset.field, one.closest(".field").querySelector(".fault").innerText]));
const begin = async (name) => {
  await open("#/tables");
  await press("New table");
  await type("Table name", name, "dialog");
  await type("Partition key", "id", "dialog");
};
/** Fills in the control with this data-field. */
const fillIn = (at, value) => waitFor((one, text) => {
  const control = document.querySelector(`dialog [data-field="${one}"]`);
  if (!control) return false;
  control.value = text;
  control.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}, [at, value]);
/** Answers the next request of this operation as the service would refuse it; `times` of them. */
const refuse = (operation, message, times = 1) => page.evaluate((name, text, count) => {
  const own = window.fetch;
  let left = count;
  window.fetch = (...words) => (left && words[1]?.headers?.["X-Amz-Target"]?.endsWith(`.${name}`) && left--
    ? Promise.resolve(new Response(JSON.stringify({ __type: "x#ValidationException", message: text }), { status: 400 })) : own(...words));
}, operation, message, times);

await test("a table with all that the form has: projections, local and global indexes, a stream, units and a time to live", async () => {
  await begin("Whole");
  await type("Sort key (optional)", "at", "dialog");
  await type("Billing", "PROVISIONED", "dialog");
  await type("Read units a second", "7", "dialog");
  await type("Write units a second", "3", "dialog");
  await type("Stream", "NEW_IMAGE", "dialog");
  await type("Time to live (optional)", "until", "dialog");
  await press("Add a global index", "dialog");
  await type("Partition key", "mail", fieldset(1));
  await type("Projection", "INCLUDE", fieldset(1));
  await type("Attributes, by commas", "name, town", fieldset(1));
  await type("Write units a second", "9", fieldset(1));
  await press("Add a local index", "dialog");
  await type("Name", "by-size", fieldset(2));
  await type("Sort key", "size", fieldset(2));
  await type("Type", "N", fieldset(2));
  await type("Projection", "KEYS_ONLY", fieldset(2));
  await accessible();
  await press("Create", "dialog");
  await waitText("The table is created");
  const table = await describe("Whole"), [global] = table.GlobalSecondaryIndexes, [local] = table.LocalSecondaryIndexes, unitsOf = ({ ReadCapacityUnits: read, WriteCapacityUnits: write }) => [read, write];
  equal([unitsOf(table.ProvisionedThroughput), table.StreamSpecification], [[7, 3], { StreamEnabled: true, StreamViewType: "NEW_IMAGE" }]);
  equal([global.IndexName, global.Projection, unitsOf(global.ProvisionedThroughput)], ["by-mail", { ProjectionType: "INCLUDE", NonKeyAttributes: ["name", "town"] }, [5, 9]]);
  equal([local.IndexName, local.KeySchema.map((one) => one.AttributeName), local.Projection], ["by-size", ["id", "size"], { ProjectionType: "KEYS_ONLY" }]);
  equal(Object.fromEntries(table.AttributeDefinitions.map((one) => [one.AttributeName, one.AttributeType])), { at: "S", id: "S", mail: "S", size: "N" });
  equal((await send("DescribeTimeToLive", { TableName: "Whole" })).TimeToLiveDescription.AttributeName, "until");
  quiet();
});
await test("what is wrong is at its field, and nothing is made: missing names, two types, a long time to live", async () => {
  const before = (await send("ListTables", {})).TableNames;
  await begin("Wrong");
  await press("Add a global index", "dialog");
  await type("Projection", "INCLUDE", fieldset(1));
  await type("Time to live (optional)", "ü".repeat(128), "dialog");
  await press("Create", "dialog");
  await waitFor(() => document.querySelectorAll("dialog [aria-invalid]").length === 3);
  equal((await faults()).map(([at]) => at).sort(), ["global1.hash", "global1.include", "ttl"]);
  await type("Time to live (optional)", "until", "dialog");
  await type("Attributes, by commas", "a", fieldset(1));
  await type("Partition key", "id", fieldset(1));
  await page.select(`${fieldset(1)} .row select`, "N");
  await press("Create", "dialog");
  await waitFor(() => document.querySelector('dialog [data-field="global1.hash"][aria-invalid]'));
  equal(await faults(), [["global1.hash", "id is of type S in another key: an attribute has one type"]]);
  equal((await send("ListTables", {})).TableNames, before);
  await page.keyboard.press("Escape");
  quiet();
});
await test("a refusal of the service is at the field that it is about", async () => {
  await begin("a b");
  for (const name of ["x", "twice", "twice"]) {
    await press("Add a global index", "dialog");
    await type("Name", name, "dialog fieldset fieldset:last-of-type");
    await type("Partition key", "mail", "dialog fieldset fieldset:last-of-type");
  }
  const refused = async (at) => {
    await press("Create", "dialog");
    await waitFor((one) => document.querySelector(`dialog [data-field="${one}"][aria-invalid]`), [at]);
    equal(await page.$("dialog .problem"), null);
  };
  await refused("name");
  equal((await faults()).map(([at]) => at), ["name", "global1.name"]);
  await type("Table name", "Refused", "dialog");
  await type("Name", "first", fieldset(1));
  await refused("global3.name");
  await type("Name", "third", fieldset(3));
  await press("Add a local index", "dialog");
  await type("Sort key", "size", "dialog fieldset fieldset:last-of-type");
  await refused("range");
  await fillIn("range", "at");
  await type("Table name", JOBS, "dialog");
  await refused("name");
  equal((await send("ListTables", {})).TableNames.includes("Refused"), false);
  await page.keyboard.press("Escape");
  quiet();
});
await test("a time to live that is refused leaves a table that the form names, and only that is tried again", async () => {
  await begin("Half");
  await type("Time to live (optional)", "until", "dialog");
  await refuse("UpdateTimeToLive", "it is late", 2);
  await press("Create", "dialog");
  await waitText("The table Half is made.");
  equal(await page.$$eval("dialog input:not(:disabled)", (all) => all.map((one) => one.dataset.field)), ["ttl"]);
  await waitText("it is late");
  await press("Create", "dialog");
  await press("Create", "dialog");
  await waitText("The table is created");
  equal((await send("DescribeTimeToLive", { TableName: "Half" })).TimeToLiveDescription.AttributeName, "until");
  await begin("Other");
  await type("Time to live (optional)", "until", "dialog");
  await refuse("UpdateTimeToLive", "it is late");
  await press("Create", "dialog");
  await waitText("The table Other is made.");
  await page.keyboard.press("Escape");
  await waitText("without a time to live");
  await waitFor(() => [...document.querySelectorAll('[aria-label="Tables"] a')].some((one) => one.innerText === "Other"));
  quiet();
});

// --- the tab ----------------------------------------------------------------------------------------------------

const row = (name) => page.evaluate((one) => [...document.querySelectorAll('[aria-label="Keys and indexes"] tbody tr')].find((tr) => tr.cells[0].innerText.startsWith(one))?.innerText ?? null, name);

await test("an index is made on its tab, with what it costs, and its filling is followed", async () => {
  await open(`#/table/${JOBS}/indexes`);
  await press("New index");
  await type("Partition key", "status", "dialog");
  const items = [];
  for (let start; ;) {
    const answer = await send("Scan", { TableName: JOBS, ...(start ? { ExclusiveStartKey: start } : {}) });
    items.push(...answer.Items);
    if (!(start = answer.LastEvaluatedKey)) break;
  }
  const sample = (await send("Scan", { TableName: JOBS, Limit: 100 })).Items, share = sample.filter((one) => one.status?.S).length;
  await waitText(`${share} of the 100 items looked at would be in it: about ${Math.round((items.length * share) / 100)} entries`);
  await accessible();
  await press("Make the index", "dialog");
  await waitFor(() => [...document.querySelectorAll('[aria-label="Keys and indexes"] tbody tr')].some((tr) => tr.cells[0].innerText.startsWith("by-status") && tr.cells[3].innerText === "ACTIVE"));
  equal((await row("by-status")).includes(String(items.filter((one) => one.status?.S).length)), true);
  await page.setViewport({ width: 390, height: 844 });
  await fits();
  await accessible();
  await page.setViewport({ width: 1280, height: 800 });
  quiet();
});
await test("how far a filling is, is what DescribeTable says", async () => {
  await page.evaluate((table) => {
    const own = window.fetch;
    window.calls = 0;
    window.fetch = async (...words) => {
      const answer = await own(...words);
      if (!words[1]?.headers?.["X-Amz-Target"]?.endsWith(".DescribeTable") || window.calls++ > 1) return answer;
      const { Table } = await answer.json();
      for (const one of Table.GlobalSecondaryIndexes) if (one.IndexName === "by-status") Object.assign(one, { IndexStatus: "CREATING", Backfilling: true, ItemCount: 123 });
      return new Response(JSON.stringify({ Table: { ...Table, TableName: table } }));
    };
  }, JOBS);
  await page.evaluate(() => dispatchEvent(new HashChangeEvent("hashchange")));
  await waitText("CREATING: 123 entries so far, of 690 items");
  await waitFor(() => ![...document.querySelectorAll("main tbody tr")].some((tr) => tr.innerText.includes("CREATING")));
  quiet();
});
await test("refusals are at the fields, and an index of the same name is not made again", async () => {
  await open(`#/table/${JOBS}/indexes`);
  const refused = async (name, at) => {
    await press("New index");
    await type("Name", name, "dialog");
    await type("Partition key", "kind", "dialog");
    await press("Make the index", "dialog");
    await waitFor((one) => document.querySelector(`dialog [data-field="${one}"][aria-invalid]`), [at]);
    await page.keyboard.press("Escape");
    await waitFor(() => !document.querySelector("dialog"));
  };
  await refused("by-status", "name");
  await refused("a b", "name");
  await press("New index");
  await type("Partition key", "pk", "dialog");
  await page.select("dialog .row select", "N");
  await press("Make the index", "dialog");
  await waitText("pk is of type S in another key");
  await page.keyboard.press("Escape");
  quiet();
});
await test("its units are limited, and it is deleted; Back and a reload repeat nothing", async () => {
  await open("#/tables");
  await go(`#/table/${JOBS}/indexes`);
  await page.$eval('[aria-label="Units of by-status"]', (element) => element.click());
  await type("Read units a second", "40", "dialog");
  await press("Change", "dialog");
  await waitText("Changed");
  const most = async () => (await describe(JOBS)).GlobalSecondaryIndexes.find((one) => one.IndexName === "by-status")?.OnDemandThroughput?.MaxReadRequestUnits;
  equal(await most(), 40);
  await ask("Query", { TableName: JOBS, IndexName: "by-status", KeyConditionExpression: "#s = :s", ExpressionAttributeNames: { "#s": "status" }, ExpressionAttributeValues: { ":s": { S: "none" } } });
  await page.$eval('[aria-label="Delete by-status"]', (element) => element.click());
  await waitText("It has answered reads of 0.5 units");
  const button = await page.$("dialog button.danger");
  await page.goBack();
  await waitFor(() => !document.querySelector("dialog"));
  equal([await button.evaluate((element) => element.isConnected), await most()], [false, 40]);
  await page.goForward();
  await waitFor(() => document.querySelector('[aria-label="Delete by-status"]'));
  await page.$eval('[aria-label="Delete by-status"]', (element) => element.click());
  await press("Delete the index", "dialog");
  await waitFor(() => ![...document.querySelectorAll("main tbody tr")].some((tr) => tr.innerText.startsWith("by-status")));
  await page.reload();
  await waitText("New index");
  equal((await describe(JOBS)).GlobalSecondaryIndexes.some((one) => one.IndexName === "by-status"), false);
  quiet();
});
await test("a what-if index that is refused leaves no fork", async () => {
  const worlds = async () => (await (await fetch(`${url}/_mockddb/worlds`)).json()).worlds.map((one) => one.name);
  await open(`#/schema?${new URLSearchParams({ table: JOBS, hash: "status", name: "a b" })}`);
  await press("Make it in a fork");
  await type("Name", "half", "dialog");
  await press("Make the fork", "dialog");
  await waitFor(() => document.querySelector("main .problem"));
  equal(await worlds(), ["default"]);
  quiet();
});

said.length = 0;
await end();
