// Finding items by any attribute in a headless Chromium: where it stops, and why it finds nothing. Prints TAP without a plan.
//
//   node console_find.mjs CHROMIUM URL [FOLDER]     URL is a server that may have any tables

import { JOBS, accessible, end, equal, open, page, press, quiet, send, test, type, waitFor, waitText } from "./browser.mjs";

const ITEMS = 1600, BATCH = 25; // of 1.5 KB each: three pages of a Scan
const find = (params) => `#/table/Many/explore?${new URLSearchParams({ type: "S", run: "1", ...params })}`;
const rows = () => page.$$eval('[aria-label="Items"] tbody tr', (all) => all.length);

await open("#/tables");
await send("CreateTable", { TableName: "Many", AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }], KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST" });
for (let at = 0; at < ITEMS; at += BATCH) {
  await send("BatchWriteItem", { RequestItems: { Many: Array.from({ length: BATCH }, (_, i) => ({ PutRequest: { Item: { pk: { S: `k${at + i}` }, n: { N: "7" }, m: { M: {} }, text: { S: "x".repeat(1500) } } } })) } });
}

await test("it says that it did not read all, and looks further when people want it", async () => {
  await open(find({ name: "text", text: "xxx" }));
  await waitText("not all of the 1,600 items were read, there may be more behind k");
  equal(await rows(), 100);
  await press("Look further");
  await waitText("1,600 read, 1,600 found");
  await waitText("Show more (1,500 items left)");
  quiet();
});
await test("it stops when people want it, and shows what it found", async () => {
  await page.setRequestInterception(true);
  let scans = 0;
  const hold = (request) => {
    if (request.postData()?.includes("FilterExpression") && ++scans > 1) return; // never answered
    request.continue();
  };
  page.on("request", hold);
  await page.evaluate((hash) => { location.hash = hash; }, find({ name: "text", text: "xx" }));
  await waitFor(() => /[1-9]\d* found …/.test(document.querySelector('main [role="status"]')?.innerText));
  await press("Stop");
  await waitText("stopped, there may be more behind k");
  equal(await rows() > 0, true);
  page.off("request", hold);
  await page.setRequestInterception(false);
  quiet();
});
await test("where nothing is found it says whether the type, the attribute or the value is another", async () => {
  await open(find({ name: "n", text: "7" }));
  await waitText("Nothing found as S: n is N (Number) here.");
  await accessible();
  await press("Find it as N");
  await waitText("1,600 items were read, there may be more");
  await open(find({ name: "n", type: "N", text: "8" }));
  await waitText("Nothing found: no n has this value.");
  await open(find({ name: "m", text: "x" }));
  await waitText("Nothing found as S: m is M (Map) here.");
  await open(find({ name: "toString", text: "x" }));
  await waitText("Nothing found: no item has an attribute toString.");
  quiet();
});
await test("a field that cannot be looked for is marked, and nothing is read", async () => {
  const fault = (name) => page.$eval(`[data-field="find-${name}"]`, (element) => [element.getAttribute("aria-invalid"), document.activeElement === element]);
  await open(find({ name: "n", type: "N", text: "seven" }));
  await waitText("seven is no number");
  equal(await fault("value"), ["true", true]);
  await open("#/table/Many/explore");
  await type("Read", "Find");
  await type("Value", "x");
  await press("Run");
  await waitText("which attribute?");
  equal([await fault("name"), await page.evaluate(() => location.hash)], [["true", true], "#/table/Many/explore?kind=Find&type=S&text=x"]);
  quiet();
});

await test("an index is proposed before the table is read, and names and types are those of the data", async () => {
  const job = "3f2b8c54-9d1e-4a77-b0c6-5e8f1a2d7c90";
  let scans = 0;
  const note = (request) => { if (request.postData()?.includes("FilterExpression")) scans++; };
  page.on("request", note);
  await open(`#/table/${JOBS}/explore?${new URLSearchParams({ kind: "Find", name: "job_id", type: "S", text: job, run: "1" })}`);
  await waitText("GSI_JobLookup_v2 has job_id as its partition key.");
  await accessible();
  equal(scans, 0);
  await press("Query GSI_JobLookup_v2");
  await waitText("returned 1");
  await page.goBack();
  await press("Scan the whole table");
  await waitText("690 read, 1 found");
  await waitFor(() => [...document.getElementById("attributes").options].some((one) => one.value === "ttl" && one.label === "N"));
  await page.$eval('[data-field="find-name"]', (element) => { element.value = "ttl"; element.dispatchEvent(new Event("input")); });
  await waitFor(() => [...document.querySelectorAll("main select")].some((one) => one.value === "N"));
  page.off("request", note);
  quiet();
});

await end();
