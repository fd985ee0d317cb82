// Explore and Request in a headless Chromium: each way to say a request, and what is said of the answer. Prints TAP without a plan.
//
//   node console_explore.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { JOBS, SETTINGS, SHOP, VIEWS, accessible, end, equal, explore, open, page, press, quiet, send, show, test, type, url, waitFor, waitText } from "./browser.mjs";

await test("an empty answer says why, and the proposal is tried", async () => {
  await open(VIEWS["query-empty"]);
  await waitText("belongs there, not shopify_domain");
  equal(await page.$eval(".explained mark", (element) => element.innerText), "kl7a9h55-shopify-e513a8-4");
  await waitText("0.5 units now → 49 items, 4.5 units with this:");
  equal(await page.$eval(".proposal pre", (element) => element.innerText.split("\n").map((line) => line.trim().split(" ")[0])), ["aws", "--table-name", "--key-condition-expression", "--expression-attribute-names", "--expression-attribute-values", "--return-consumed-capacity"]);
  await press("Use the proposal");
  await waitText("49 items");
  quiet();
});
await test("a command as it is typed for production", async () => {
  const command = `aws dynamodb query --profile controller --region us-east-1 --table-name ${JOBS} --index-name GSI_JobLookup_v2 \\\n`
    + " --key-condition-expression \"job_id = :jid\" --expression-attribute-values '{\":jid\": {\"S\": \"3f2b8c54-9d1e-4a77-b0c6-5e8f1a2d7c90\"}}'";
  await open(`#/request?${new URLSearchParams({ mode: "command", command, run: "1" })}`);
  await waitText("0.5 units");
  await press("Open");
  await waitFor(() => [...document.querySelectorAll("main input")].some((one) => one.value === "processed_items"));
});
await test("PartiQL, and an error at its place", async () => {
  await open(`#/request?${new URLSearchParams({ mode: "statement", statement: `SELECT * FROM "${SETTINGS}" WHERE pk = 'kl7a9h55'`, run: "1" })}`);
  await waitText("items");
  await open(`#/request?${new URLSearchParams({ mode: "json", op: "Scan", request: JSON.stringify({ TableName: JOBS, FilterExpression: "status = :s", ExpressionAttributeValues: { ":s": { S: "x" } } }), run: "1" })}`);
  await waitText("ValidationException");
  await waitFor(() => document.querySelector(".explained mark")?.innerText === "status");
});
await test("a place is marked behind letters of one, two and four bytes, and of both directions", async () => {
  const marked = (word) => waitFor((one) => document.querySelector(".explained mark")?.innerText === one, [word]);
  await open(`#/request?${new URLSearchParams({ mode: "statement", statement: `SELECT * FROM "${JOBS}" WHERE pk = 'é😀מצב' AND box['size'] = 1`, run: "1" })}`);
  await marked("box['size']");
  await show(explore({ mode: "json", op: "Scan", request: JSON.stringify({ TableName: JOBS, FilterExpression: "pk = :s AND naïve = :s", ExpressionAttributeValues: { ":s": { S: "x" } } }) }));
  await marked("ï");
});
await test("a filter that matches nothing shows how far it is", async () => {
  await open(explore({ f: JSON.stringify(["status", "=", "S", "NOWHERE"]) }));
  await waitText("thrown away 690");
  await open(explore({ hash: SHOP, count: "1" }));
  await waitText("49 items, counted only.");
});
await test("one item by form, run from the keyboard", async () => {
  await open(`#/table/${SETTINGS}/explore?${new URLSearchParams({ item: "1", hash: "kl7a9h55" })}`);
  await press("Run");
  await waitText("whole key");
  await type("Value", "INDEX#shopify-e513a8-4");
  await page.focus("main form input");
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
  await waitText("aws dynamodb get-item");
  await waitText("1 item");
  await page.$$eval('[aria-label="Items"] tbody td', (cells) => cells.find((one) => one.innerText.startsWith("{")).focus());
  await press("All of it");
  await waitText("Map, ");
  equal(await page.$eval("dialog pre", (element) => typeof JSON.parse(element.innerText)), "object");
  await press("Close", "dialog");
  quiet();
});
await test("a batch and a transaction, from their examples", async () => {
  const begins = (word) => waitFor((one) => document.querySelector("main textarea")?.value.includes(one), [word]);
  await open("#/request?mode=json&op=BatchGetItem");
  await begins("RequestItems");
  await press("Run");
  await waitText("2 items");
  await type("Operation", "TransactWriteItems");
  await begins("ConditionCheck");
  await press("Run");
  await waitText("Nothing comes back with it.");
  await press("Run");
  await waitText("action 2: ");
  equal(await page.$$eval('[aria-label="Parts that failed"] tbody td', (cells) => cells.map((cell) => cell.innerText).slice(0, 2)), ["2", "ConditionalCheckFailed"]);
  await press("Go");
  await waitText("[]types.TransactWriteItem{");
  await send("DeleteItem", { TableName: SETTINGS, Key: { pk: { S: "example-2" }, sk: { S: "example-2" } } });
  await page.$eval("main textarea", (element) => { element.value = "{}"; element.dispatchEvent(new Event("input")); });
  await type("Operation", "GetItem");
  await begins("{}");
  await press("Put the example back");
  await begins('"Key"');
  quiet();
});
await test("what was said in one way is there in another", async () => {
  await open(explore({ hash: SHOP }));
  for (const [way, word] of [["AWS CLI", "aws dynamodb query"], ["PartiQL", 'SELECT * FROM "prod-'], ["JSON", '"Statement"'], ["Form", ""]]) {
    await press(way, "main form");
    await waitFor((one) => !one || document.querySelector("main textarea")?.value.includes(one), [word]);
  }
  await press("JSON", "main form");
  await waitFor(() => document.querySelector("main textarea")?.value.includes('"KeyConditionExpression"'));
  quiet();
});
await test("a field that cannot be sent is marked, and nothing runs", async () => {
  const filter = (...parts) => ({ f: JSON.stringify(parts) });
  const wrong = {
    "a sort key without a partition key": [{ sv: "JOB#", so: "begins_with" }, "hash0", "missing: the sort key selects"],
    "between with one value": [{ hash: SHOP, sv: "a", so: "between" }, "sort2", "missing"],
    "between without its first value": [{ hash: SHOP, sv2: "a", so: "between" }, "sort", "missing"],
    "a filter without a name": [filter("", "=", "S", "x"), "filter0-name", "missing"],
    "a filter by a path with a gap": [filter("a..b", "=", "S", "x"), "filter0-name", "a part between dots"],
    "a filter on a number that is none": [filter("n", "=", "N", ""), "filter0-value", "no number"],
    "a filter on binary that is none": [filter("n", "=", "B", "%"), "filter0-value", "base64"],
    "a filter on a boolean that is none": [filter("n", "=", "BOOL", "yes"), "filter0-value", "true or false"],
    "a filter in a list of numbers": [filter("n", "in", "N", "1,two"), "filter0-value", "two is no number"],
    "a filter between one value": [filter("n", "between", "N", "1", ""), "filter0-value2", "no number"],
    "a filter on a size": [filter("n", "size >", "S", "long"), "filter0-value", "no number"],
    "a filter on a type": [filter("n", "attribute_type", "S", "string"), "filter0-value", "one of"],
    "a limit that is no number": [{ limit: "abc" }, "limit", "a whole number"],
    "a limit of none": [{ limit: "0" }, "limit", "a whole number"],
    "a limit of a half": [{ limit: "1.5" }, "limit", "a whole number"],
    "a gap between attributes": [{ p: "pk,,sk" }, "projection", "between commas"],
    "an order of a Scan": [{ desc: "1" }, "descending", "a Scan has no order"],
    "one item without its key": [{ item: "1", hash: SHOP }, "kind", "whole key"],
    "one item with a filter": [{ item: "1", hash: SHOP, sv: "x", ...filter("n", "=", "S", "") }, "kind", "no filter"],
    "one item with a limit": [{ item: "1", hash: SHOP, sv: "x", limit: "1" }, "limit", "GetItem has no limit"],
    "an index that there is not": [{ index: "Gone", hash: SHOP }, "index", "choose one"],
    "a limit of a statement": [{ mode: "statement", statement: `SELECT * FROM "${JOBS}"`, limit: "x" }, "limit", "a whole number"],
  };
  const last = async () => (await (await fetch(`${url}/_mockddb/journal?limit=1`)).text());
  const before = await last();
  await open("#/request");
  for (const [name, [params, at, words]] of Object.entries(wrong)) {
    await show(explore(params));
    await waitText("Nothing was run");
    await press("Run");
    const [invalid, said, focused] = await page.evaluate((one) => {
      const control = document.querySelector(`[data-field="${one}"]`);
      return [control?.getAttribute("aria-invalid"), document.querySelector(".fault")?.innerText ?? "", document.activeElement === control];
    }, at);
    equal([name, invalid, said.includes(words), focused], [name, "true", true, true]);
  }
  equal(await last(), before);
  await open(explore({ limit: "abc" }));
  await waitText("a whole number from 1");
  await accessible();
  await type("Limit", "2");
  await waitFor(() => !document.querySelector(".fault") && !document.querySelector("[aria-invalid]"));
  await press("Run");
  await waitText("returned 2");
  quiet();
});
await test("what a field says is sent: an empty text is a value", async () => {
  await open(explore({ f: JSON.stringify(["status", "=", "S", ""]) }));
  await waitText("thrown away 690");
  quiet();
});
await test("a limit and an order are there in PartiQL, too", async () => {
  await open(explore({ hash: SHOP, limit: "5", desc: "1", strong: "1" }));
  await waitText("read 5");
  const first = () => page.$eval("main tbody tr", (element) => element.innerText.trim()); // of a statement none is chosen
  const newest = await first();
  await press("PartiQL", "main form");
  await waitFor(() => document.querySelector("main textarea")?.value.endsWith('ORDER BY "sk" DESC'));
  equal(await page.$eval('[data-field="limit"]', (element) => element.value), "5");
  await page.evaluate(() => document.querySelector('[aria-label="Answer"]').replaceChildren());
  await press("Run");
  await waitText("5 items");
  equal(await first(), newest);
  await open(`#/request?${new URLSearchParams({ mode: "json", op: "Query", request: JSON.stringify({ TableName: JOBS, Select: "COUNT", KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: SHOP } } }) })}`);
  await waitFor(() => document.querySelector("main textarea")?.value.includes("COUNT"));
  await press("PartiQL", "main form");
  await waitText("No statement says quite the same");
  quiet();
});
await test("the same request in six languages", async () => {
  await open(VIEWS.query);
  for (const [language, word] of [["boto3", "client.query("], ["JavaScript", "new QueryCommand("], ["Java", "QueryRequest.builder()"], ["Go", "dynamodb.QueryInput{"], ["PartiQL", "SELECT * FROM"]]) {
    await press(language);
    await waitText(word);
  }
  quiet();
});

await end();
