// Rehearse in a headless Chromium: each way to say a request, and what is said of the answer. Prints TAP without a plan.
//
//   node console_rehearse.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { JOBS, SETTINGS, SHOP, VIEWS, end, equal, open, page, press, quiet, rehearse, send, test, type, waitFor, waitText } from "./browser.mjs";

await test("an empty answer says why, and the proposal is tried", async () => {
  await open(VIEWS["rehearse-empty"]);
  await waitText("belongs there, not shopify_domain");
  await press("Use the proposal");
  await waitText("49 items");
  quiet();
});
await test("a command as it is typed for production", async () => {
  const command = `aws dynamodb query --profile controller --region us-east-1 --table-name ${JOBS} --index-name GSI_JobLookup_v2 \\\n`
    + " --key-condition-expression \"job_id = :jid\" --expression-attribute-values '{\":jid\": {\"S\": \"3f2b8c54-9d1e-4a77-b0c6-5e8f1a2d7c90\"}}'";
  await open(`#/rehearse?${new URLSearchParams({ mode: "command", command, run: "1" })}`);
  await waitText("0.5 units");
  await press("Open");
  await waitFor(() => [...document.querySelectorAll("main input")].some((one) => one.value === "processed_items"));
});
await test("PartiQL, and an error at its place", async () => {
  await open(`#/rehearse?${new URLSearchParams({ mode: "statement", statement: `SELECT * FROM "${SETTINGS}" WHERE pk = 'kl7a9h55'`, run: "1" })}`);
  await waitText("items");
  await open(`#/rehearse?${new URLSearchParams({ mode: "json", op: "Scan", request: JSON.stringify({ TableName: JOBS, FilterExpression: "status = :s", ExpressionAttributeValues: { ":s": { S: "x" } } }), run: "1" })}`);
  await waitText("ValidationException");
  await waitText("^^^^^^");
});
await test("a filter that matches nothing shows how far it is", async () => {
  await open(rehearse({ f: JSON.stringify(["status", "=", "S", "NOWHERE"]) }));
  await waitText("thrown away 690");
  await open(rehearse({ hash: SHOP, count: "1" }));
  await waitText("49 items, counted only.");
});
await test("one item by form, run from the keyboard", async () => {
  await open(`#/rehearse?${new URLSearchParams({ table: SETTINGS, item: "1", hash: "kl7a9h55" })}`);
  await press("Run");
  await waitText("whole key");
  await type("Value", "INDEX#shopify-e513a8-4");
  await page.focus("main form input");
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
  await waitText("aws dynamodb get-item");
  await waitText("1 item");
  await press("M");
  await waitText("Map, ");
  equal(await page.$eval("dialog pre", (element) => typeof JSON.parse(element.innerText)), "object");
  await press("Close", "dialog");
  quiet();
});
await test("a batch and a transaction, from their examples", async () => {
  const begins = (word) => waitFor((one) => document.querySelector("main textarea")?.value.includes(one), [word]);
  await open("#/rehearse?mode=json&op=BatchGetItem");
  await begins("RequestItems");
  await press("Run");
  await waitText("2 items");
  await type("Operation", "TransactWriteItems");
  await begins("ConditionCheck");
  await press("Run");
  await waitText("Nothing comes back with it.");
  await press("Run");
  await waitText("why: action 2: ");
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
  await open(rehearse({ hash: SHOP }));
  for (const [way, word] of [["AWS CLI", "aws dynamodb query"], ["PartiQL", 'SELECT * FROM "prod-'], ["JSON", '"Statement"'], ["Form", ""]]) {
    await press(way, "main form");
    await waitFor((one) => !one || document.querySelector("main textarea")?.value.includes(one), [word]);
  }
  await press("JSON", "main form");
  await waitFor(() => document.querySelector("main textarea")?.value.includes('"KeyConditionExpression"'));
  quiet();
});
await test("the same request in six languages", async () => {
  await open(VIEWS.rehearse);
  for (const [language, word] of [["boto3", "client.query("], ["JavaScript", "new QueryCommand("], ["Java", "QueryRequest.builder()"], ["Go", "dynamodb.QueryInput{"], ["PartiQL", "SELECT * FROM"]]) {
    await press(language);
    await waitText(word);
  }
  quiet();
});

await end();
