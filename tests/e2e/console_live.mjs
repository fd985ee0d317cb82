// Live in a headless Chromium: requests as they come, what they cost, and the way to a request. Prints TAP without a plan.
//
//   node console_live.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { JOBS, SETTINGS, SHOP, VIEWS, ask, end, equal, newTab, open, page, press, quiet, said, startServer, test, type, url, waitFor, waitText } from "./browser.mjs";

await test("the partitions that take the load", async () => {
  await open("#/live/partitions");
  await ask("Query", { TableName: JOBS, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: SHOP } } });
  await waitText(`${JOBS}: pk = ${SHOP}`);
  await ask("Query", { TableName: JOBS, IndexName: "GSI_JobLookup_v2", KeyConditionExpression: "job_id = :j", ExpressionAttributeValues: { ":j": { S: "no-such-job" } } });
  await waitText(`${JOBS}.GSI_JobLookup_v2: job_id = no-such-job`);
  quiet();
});
await test("a table's data is checked on demand", async () => {
  await open(VIEWS.settings);
  await press("Check the data");
  await waitText("Nothing was found.");
  for (const [id, year] of [["a", { N: "1" }], ["b", { S: "1" }]]) await ask("PutItem", { TableName: JOBS, Item: { pk: { S: "CHECK#1" }, sk: { S: id }, year } });
  await press("Check the data");
  await waitText("year is S in 1 item, N in 1 item, whose keys begin with CHECK#");
  for (const id of ["a", "b"]) await ask("DeleteItem", { TableName: JOBS, Key: { pk: { S: "CHECK#1" }, sk: { S: id } } });
  quiet();
});
await test("live shows a request as it comes", async () => {
  await open("#/live");
  const other = await newTab();
  await open(VIEWS.query, url, other);
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
  await press("Open the request", "dialog");
  await waitText("answer and explanation in");
  equal(await page.$eval("main textarea", (element) => Object.values(JSON.parse(element.value).ExpressionAttributeValues)), [{ S: "no \"such\"" }, { S: "JOB#" }, { S: "FAILED" }]);
  quiet();
});
await test("a request is opened as it was sent, by its number", async () => {
  const request = { TableName: JOBS, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: SHOP } }, ScanIndexForward: false, Limit: 2 };
  await ask("Query", request);
  const last = (await (await fetch(`${url}/_mockddb/journal?limit=1`)).json()).id;
  await open(`#/live/requests?id=${last}`);
  await waitFor((id) => document.querySelector("dialog h2")?.innerText.startsWith(`${id}: Query`), [last]);
  await press("Open the request", "dialog");
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
  await waitText("is frozen at");
  await fetch(`${url}/_mockddb/clock`, { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"real": true}' });
  quiet();
});
await test("a list that changes leaves its readers where they are", async () => {
  const scan = async (times) => { for (let i = 0; i < times; i++) await ask("Scan", { TableName: SETTINGS, Limit: 1 }); };
  const LIST = '[aria-label="Requests"]';
  const numbers = () => page.$$eval(`${LIST} tbody tr`, (rows) => rows.slice(0, 5).map((row) => row.cells[0].innerText));
  const newest = async () => (await (await fetch(`${url}/_mockddb/journal?limit=1`)).json()).id;
  const isFirst = (id) => waitFor((list, one) => document.querySelector(`${list} tbody tr`)?.cells[0].innerText === String(one), [LIST, id]);
  await open("#/live");
  await scan(40);
  await isFirst(await newest());
  // A row that is pressed stays the same element, with the focus, when others come.
  const pressed = await page.$(`${LIST} tbody button`);
  await pressed.click();
  await press("Close", "dialog");
  await scan(1);
  await isFirst(await newest());
  equal(await pressed.evaluate((element) => [element.isConnected, document.activeElement === element]), [true, true]);
  // Scrolled.
  await page.$eval(LIST, (element) => { element.scrollTop = 150; });
  const before = await numbers();
  await scan(3);
  await waitText("3 newer");
  equal([await page.$eval(LIST, (element) => element.scrollTop), await numbers()], [150, before]);
  await press("Show them");
  await isFirst(await newest());
  equal(await page.$eval(LIST, (element) => element.scrollTop), 0);
  // Selected.
  await page.$eval(`${LIST} tbody tr`, (row) => getSelection().selectAllChildren(row.cells[4]));
  const selected = () => page.evaluate(() => getSelection().toString());
  const text = await selected();
  await scan(2);
  await waitText("2 newer");
  equal(await selected(), text);
  await press("Show them");
  await isFirst(await newest());
  // By keyboard.
  await page.focus(LIST);
  await page.keyboard.press("Tab");
  await scan(1);
  await waitText("1 newer");
  await page.keyboard.press("Enter");
  await waitFor(() => document.querySelector("dialog h2")?.innerText.includes("Scan"));
  await page.keyboard.press("Escape");
  equal(await page.evaluate((list) => document.activeElement.closest(list) !== null, LIST), true);
  // A filter that people set is applied at once.
  await page.evaluate(() => document.activeElement.blur());
  await page.$eval(LIST, (element) => { element.scrollTop = 100; });
  await type("Text", "no such text");
  await waitText("No request yet");
  quiet();
});
await test("a request that met a fault is marked, and by how much its answer was late", async () => {
  const rules = [{ operation: "ListTables", delay: "50ms", times: 1 }, { operation: "DescribeTable", error: "ThrottlingException", times: 1 }];
  await fetch(`${url}/_mockddb/faults`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ rules }) });
  await open("#/live");
  await ask("ListTables", {});
  await ask("DescribeTable", { TableName: SETTINGS }).catch(() => {});
  await waitText("fault: late");
  await waitText("+ 50 ms");
  await waitFor(() => document.querySelector('[aria-label="Requests"] tbody tr .tag.wrong')?.innerText === "fault");
  const marks = await page.$$eval('[aria-label="Requests"] tbody tr', (rows) => rows.slice(0, 3).map((row) => row.querySelector(".tag.wrong")?.innerText ?? ""));
  equal(marks, ["fault", "fault: late", ""]);
  await press("ListTables");
  await waitText("its answer was held back 50 ms");
  await press("Close", "dialog");
  await fetch(`${url}/_mockddb/faults`, { method: "DELETE" });
  quiet();
});
await test("live goes on when its server is back", async () => {
  let server = await startServer();
  await open("#/live", server.url);
  await ask("ListTables", {});
  await waitText("ListTables");
  await server.stop();
  await waitText("continues when it is back");
  server = await startServer("--port", server.port);
  await waitText("No request yet");
  await ask("ListTables", {});
  await waitText("ListTables");
  await server.stop();
  said.length = 0;
});

await end();
