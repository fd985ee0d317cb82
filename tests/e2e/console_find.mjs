// Finding items by any attribute in a headless Chromium: where it stops, and why it finds nothing. Prints TAP without a plan.
//
//   node console_find.mjs CHROMIUM URL [FOLDER]     URL is a server that may have any tables

import { JOBS, SETTINGS, accessible, end, equal, open, page, press, quiet, send, test, type, waitFor, waitText } from "./browser.mjs";

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
  const fault = () => page.$eval('[data-field="find"]', (element) => [element.getAttribute("aria-invalid"), document.activeElement === element]);
  await open(find({ name: "n", type: "N", text: "seven" }));
  await waitText("seven is no number");
  equal(await fault(), ["true", true]);
  await open("#/table/Many/explore");
  await waitFor(() => document.querySelector('[aria-label="Items"] tbody tr'));
  const shown = await rows();
  await press("Find", "main form");
  for (const [said, words] of [["", "which attribute?"], ["= x", "which attribute?"], ["status", "which attribute?"], ["status = ", "which value?"]]) {
    await type("Find", said);
    await press("Run");
    await waitText(words);
    equal([await fault(), await rows()], [["true", true], shown]); // what was shown stays
  }
  await press("Next"); // and can be gone on with
  await waitText("page 2");
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
  await type("Find", "status");
  await waitFor(() => [...document.getElementById("finds").options].some((one) => one.value === "status = " && one.label === "S"));
  await type("Find", "status = ");
  await waitFor(() => [...document.getElementById("finds").options].some((one) => one.value === "status = FAILED"));
  page.off("request", note);
  quiet();
});

// --- as few actions as possible: a click, a field, a key ------------------------------------------------------------

await test("an item is found by an attribute in three actions, from a table's row, from its page and by Ctrl+K", async () => {
  const found = () => waitText("356 read, 8 found");
  const where = "sk = INDEX#shopify-e513a8-4";
  await open("#/tables");
  await page.evaluate((name) => [...document.querySelectorAll("main a")].find((one) => one.ariaLabel === `Find in ${name}`).click(), SETTINGS); // 1
  await waitFor(() => document.activeElement.dataset.field === "find");
  await page.keyboard.type(where);                                     // 2
  await page.keyboard.press("Enter");                                  // 3
  await found();
  await page.reload();
  await found();
  equal(await page.$eval('[data-field="find"]', (element) => element.value), where);
  await open(`#/table/${SETTINGS}/explore`);
  await press("Find", "main form");                                    // 1
  await type("Find", where);                                           // 2
  await press("Run");                                                  // 3
  await found();
  await open(`#/table/${SETTINGS}/settings`);
  await page.keyboard.down("Control");
  await page.keyboard.press("k");                                      // 1
  await page.keyboard.up("Control");
  await waitFor(() => document.querySelector('dialog [role="option"][aria-selected="true"]'));
  await page.keyboard.type(`find ${where}`);                           // 2
  await page.keyboard.press("Enter");                                  // 3
  await found();
  quiet();
});
await test("a name with '=' and a value with blanks at its ends are found as they are; numbers without saying so", async () => {
  await send("PutItem", { TableName: "Many", Item: { pk: { S: "odd" }, 'a = "b"': { S: " c " }, num: { N: "1.50" }, yes: { BOOL: true } } });
  for (const said of ['"a = \\"b\\"" = " c "', "num = 1.5", "yes = true", "pk = odd"]) {
    await open(`#/table/Many/explore?${new URLSearchParams({ mode: "find", find: said, run: "1" })}`);
    if (said.startsWith("pk")) await press("Scan the whole table");
    await waitText("1,601 read, 1 found");
  }
  await send("DeleteItem", { TableName: "Many", Key: { pk: { S: "odd" } } });
  quiet();
});

await end();
