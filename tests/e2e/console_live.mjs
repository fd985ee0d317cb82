// Live in a headless Chromium: requests as they come, what they cost, and the way to Rehearse. Prints TAP without a plan.
//
//   node console_live.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { JOBS, SETTINGS, SHOP, VIEWS, ask, end, equal, newTab, open, page, press, quiet, said, startServer, test, url, waitFor, waitText } from "./browser.mjs";

await test("the partitions that take the load", async () => {
  await open("#/live/partitions");
  await ask("Query", { TableName: JOBS, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: SHOP } } });
  await waitText(`${JOBS}: pk = ${SHOP}`);
  await ask("Query", { TableName: JOBS, IndexName: "GSI_JobLookup_v2", KeyConditionExpression: "job_id = :j", ExpressionAttributeValues: { ":j": { S: "no-such-job" } } });
  await waitText(`${JOBS}.GSI_JobLookup_v2: job_id = no-such-job`);
  quiet();
});
await test("live shows a request as it comes", async () => {
  await open("#/live");
  const other = await newTab();
  await open(VIEWS.rehearse, url, other);
  await waitText("returned", other);
  await other.close();
  await page.bringToFront();
  await waitText("pk = \"PLATFORM#shopify");
  quiet();
});
await test("what the last Scan cost, and the most expensive requests", async () => {
  await ask("Scan", { TableName: SETTINGS });
  await waitText("the last 20.5 units");
  await waitText("The most expensive requests");
  await press("Scan");
  await waitText(`Scan ${SETTINGS}`);
  await waitText("20.5 units, $2.56 a million times");
  await press("Close", "dialog");
  await ask("Query", { TableName: JOBS, KeyConditionExpression: "#p = :p AND begins_with(sk, :j)", FilterExpression: "#s = :s", ExpressionAttributeNames: { "#p": "pk", "#s": "status" }, ExpressionAttributeValues: { ":p": { S: "no \"such\"" }, ":j": { S: "JOB#" }, ":s": { S: "FAILED" } } });
  await waitText('pk = "no');
  await waitText("0 → 0");
  await press("Query");
  await press("Rehearse it", "dialog");
  await waitText("answer and explanation in");
  equal(await page.$eval("main textarea", (element) => Object.values(JSON.parse(element.value).ExpressionAttributeValues)), [{ S: "no \"such\"" }, { S: "JOB#" }, { S: "FAILED" }]);
  quiet();
});
await test("a request is rehearsed as it was sent, by its number", async () => {
  const request = { TableName: JOBS, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: SHOP } }, ScanIndexForward: false, Limit: 2 };
  await ask("Query", request);
  const last = (await (await fetch(`${url}/_mockddb/journal?limit=1`)).json()).id;
  await open(`#/live/requests?id=${last}`);
  await waitFor((id) => document.querySelector("dialog h2")?.innerText.startsWith(`${id}: Query`), [last]);
  await press("Rehearse it", "dialog");
  await waitText("returned 2");
  equal(await page.$eval("main textarea", (element) => JSON.parse(element.value)), request);
  await open("#/live/requests?id=999999");
  await waitText("is not in the journal any more");
  await page.$eval(".notice.wrong button", (element) => element.click());
  quiet();
});
await test("what an assertion says leads to the request; times of a clock that stands are marked", async () => {
  await fetch(`${url}/_mockddb/clock`, { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"freeze": true}' });
  await ask("Scan", { TableName: SETTINGS });
  await open("#/control");
  await waitFor(() => document.querySelector('[aria-label="Assertions"] li a')?.hash.startsWith("#/live/requests?id="));
  await page.$eval('[aria-label="Assertions"] li a', (element) => element.click());
  await waitFor(() => document.querySelector("dialog h2")?.innerText.includes("Scan"));
  await press("Close", "dialog");
  await waitText("which stands at");
  await fetch(`${url}/_mockddb/clock`, { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"real": true}' });
  quiet();
});
await test("live goes on when its server is back", async () => {
  let server = await startServer();
  await open("#/live", server.url);
  await ask("ListTables", {});
  await waitText("ListTables");
  await server.stop();
  await waitText("goes on when it is back");
  server = await startServer("--port", server.port);
  await waitText("No request yet");
  await ask("ListTables", {});
  await waitText("ListTables");
  await server.stop();
  said.length = 0;
});

await end();
