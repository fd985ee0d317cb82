// Control, patterns, worlds and the tour in a headless Chromium. Prints TAP without a plan.
//
//   node console_control.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { SETTINGS, end, equal, open, page, press, quiet, send, startServer, test, type, url, waitFor, waitText } from "./browser.mjs";

await test("a fault is written, and its hits are watched", async () => {
  await open("#/control");
  await press("Add the rule");
  await waitText("Any call: throttled (ProvisionedThroughputExceededException), every time");
  await type("Operation", "GetItem");
  await type("What goes wrong", "delay");
  await type("By", "20ms");
  await press("Add the rule");
  await waitText("GetItem: answered 20ms late, every time");
  await press("Remove", '[aria-label="Fault rules"]'); // the first of them
  await waitFor(() => !document.body.innerText.includes("Any call: throttled"));
  await waitText("GetItem: answered 20ms late, every time");
  await page.evaluate(() => document.querySelector('[aria-label="Fault rules"] button').focus());
  await page.keyboard.press("Enter");
  await waitText("No rules");
  equal(await page.evaluate(() => document.activeElement.innerText.startsWith("No rules")), true);
  await press("Add the rule");
  await waitText("every time");
  await press("Remove all rules");
  await waitText("No rules");
});
await test("the clock is frozen, advanced and let go", async () => {
  const clockIs = (state) => waitFor((one) => document.querySelector('[aria-label="Clock"] .tag').innerText === one, [state]);
  const time = () => page.$eval('[aria-label="Clock"] b', (element) => element.innerText);
  await press("Freeze");
  await clockIs("frozen"); // the message comes before the button that lets it run
  const before = await time();
  await press("Advance");
  await waitFor((one) => Date.parse(document.querySelector('[aria-label="Clock"] b').innerText) === one, [Date.parse(before) + 3600000]);
  await press("Let it run");
  await clockIs("running");
  await press("The system's time");
  await waitText("The clock shows the system's time");
  quiet();
});
await test("patterns are run, and traffic is matched", async () => {
  await open("#/patterns");
  await press("Run all");
  await waitText("patterns hold");
  await open("#/patterns/questions?name=job-by-id");
  const blank = await page.waitForSelector("main details[open] input");
  await blank.click({ count: 3 });
  await blank.type("no-such-job");
  await (await page.$("main details[open] form button")).click();
  await waitText("Nothing is there for these values.");
  await blank.type("2");
  await Promise.all([page.waitForResponse((response) => response.url().endsWith("/patterns/run")), page.keyboard.press("Enter")]);
  await open("#/request?" + new URLSearchParams({ mode: "json", op: "Scan", run: "1", request: JSON.stringify({ TableName: SETTINGS, FilterExpression: "shopify_domain = :d", ExpressionAttributeValues: { ":d": { S: "e513a8-4.myshopify.com" } } }) }));
  await waitText("returned 1");
  await open("#/patterns/coverage");
  await waitText("settings-by-domain");
  quiet();
});
await test("worlds are forked, compared and dropped; a snapshot is kept", async () => {
  await open("#/worlds");
  await press("Fork", "main");
  await type("Name", "other", "dialog");
  await press("Fork", "dialog");
  await waitText("other");
  await send("DeleteItem", { TableName: SETTINGS, Key: { pk: { S: "kl7a9h55" }, sk: { S: "INDEX#shopify-e513a8-4" } } });
  await type("To", "default");
  await type("From", "other");
  await press("Compare", "main .row:has(> .field)");
  await waitText("From other to default: 1 difference (1 gone).");
  await press("Take a snapshot");
  await type("Name", "kept", "dialog");
  await page.focus("dialog input");
  await page.keyboard.press("Enter");
  await waitText("Snapshot “kept” was taken");
  await press("Go back to it");
  await press("Cancel", "dialog");
  const drawn = await page.$('[aria-label="Snapshots"]');
  await press("Reset this world");
  await press("Reset", "dialog");
  await waitText("as it was in the beginning");
  await waitFor((element) => !element.isConnected, [drawn]); // all is drawn anew, which ends a comparison
  await press("Compare", '[aria-label="Snapshots"]');
  await waitText("From snapshot “kept” of default to default: 1 difference (1 added).");
  equal(await page.evaluate(() => new URLSearchParams(location.hash.split("?")[1]).get("from")), "default@kept");
  await open("#/worlds?from=default&to=default");
  await waitText("they are equal.");
  equal((await (await fetch(`${url}/_mockddb/worlds`)).json()).worlds.map((one) => one.name).sort(), ["default", "other"]);
  await (await page.$("main details summary")).click();
  await press("boto3");
  await waitText("client = boto3.client(");
  quiet();
});
await test("a pattern shows its rows, and what it found for its next step", async () => {
  await open("#/patterns/questions?name=job-by-id");
  await press("Run it", "main details[open]");
  await waitText("processed_items");
  equal(await page.$eval("main details[open]", (element) => element.innerText.includes("<pk of step 1>")), false);
  await page.$eval("main details[open] .check input", (element) => element.click());
  await waitText(`--endpoint-url ${url}`);
  await page.$eval("main details[open] .check input", (element) => element.click());
  quiet();
});
await test("on the tour a proposal is tried where it stands, and there is a way back", async () => {
  await page.setViewport({ width: 1280, height: 800 });
  await open("#/tour/5");
  await press("Run it");
  await waitText("Every item of the table was read for one.");
  equal(await page.$eval("main .lesson", (element) => element.getBoundingClientRect().bottom <= innerHeight), true);
  await press("Use the proposal");
  await waitText("This is the proposal.");
  await waitFor(() => document.activeElement.innerText === "Back to the first answer");
  await waitText("returned 1");
  await press("Back to the first answer");
  await waitFor(() => document.querySelector("main").innerText.includes("read 356"));
  quiet();
});
await test("the tour throttles once, and says which patterns are unused", async () => {
  await open("#/tour/8");
  await press("Run it");
  await waitText("ProvisionedThroughputExceededException");
  await press("Run it");
  await waitText("returned 1");
  await open("#/control");
  await waitText("No rules");
  await open("#/tour/9");
  await press("Look");
  await waitText("are unused.");
  quiet();
});
await test("where nothing may be written, the refusal stands where it was tried", async () => {
  const server = await startServer("--read-only", "--fixtures", "ecommerce", "--table-prefix", "prod-");
  await open(`#/table/${SETTINGS}/explore?new=1`, server.url);
  await press("Save");
  await waitText("the server is read-only");
  await page.evaluate(() => { location.hash = "#/tables"; });
  await press("New table");
  await type("Table name", "Notes");
  await type("Partition key", "id");
  await press("Create", "dialog");
  await waitFor(() => document.querySelector("dialog")?.innerText.includes("AccessDeniedException"));
  await page.keyboard.press("Escape");
  await page.evaluate(() => { location.hash = "#/worlds"; });
  await press("Reset this world");
  await press("Reset", "dialog");
  await waitText("the server is read-only");
  await server.stop();
  quiet();
});

await end();
