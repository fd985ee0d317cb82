// Addresses of the console in a headless Chromium: none writes, each says its world, and dialogs go with their view.
// Prints TAP without a plan.
//
//   node console_address.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { SETTINGS, end, equal, file, go, newTab, open, page, press, quiet, send, show, startServer, test, type, url, waitFor, waitText } from "./browser.mjs";

const KEY = { id: { S: "a" } };
const rehearsed = (params) => `#/request?${new URLSearchParams({ run: "1", ...params })}`;
const json = (op, request) => rehearsed({ mode: "json", op, request: JSON.stringify(request) });
const statement = (text) => rehearsed({ mode: "statement", statement: text });
const count = async () => (await send("GetItem", { TableName: "Held", Key: KEY, ConsistentRead: true })).Item?.n.N;
const worlds = async (base = url) => (await (await fetch(`${base}/_mockddb/worlds`)).json()).worlds.map((one) => one.name).sort();

const ADD = { TableName: "Held", Key: KEY, UpdateExpression: "ADD n :one", ExpressionAttributeValues: { ":one": { N: "1" } } };
const WRITES = {
  "an UpdateItem": json("UpdateItem", ADD),
  "a DeleteTable": json("DeleteTable", { TableName: "Held" }),
  "a transaction": json("TransactWriteItems", { TransactItems: [{ Update: ADD }] }),
  "a batch": json("BatchWriteItem", { RequestItems: { Held: [{ DeleteRequest: { Key: KEY } }] } }),
  "a command": rehearsed({ mode: "command", command: "aws dynamodb delete-item --table-name Held --key '{\"id\": {\"S\": \"a\"}}'" }),
  "a statement": statement("DELETE FROM \"Held\" WHERE id = 'a'"),
  "a statement behind spaces": statement("\n  UPDATE \"Held\" SET n = 9 WHERE id = 'a'"),
  "statements, one of which writes": json("BatchExecuteStatement", { Statements: [{ Statement: "SELECT * FROM \"Held\" WHERE id = 'a'" }, { Statement: "DELETE FROM \"Held\" WHERE id = 'a'" }] }),
  "a statement in a transaction": json("ExecuteTransaction", { TransactStatements: [{ Statement: "DELETE FROM \"Held\" WHERE id = 'a'" }] }),
  "an operation that begins like a read": json("ListTables.DeleteTable", { TableName: "Held" }),
};

await open("#/tables");
await send("CreateTable", { TableName: "Held", AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }], KeySchema: [{ AttributeName: "id", KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST" });
await send("PutItem", { TableName: "Held", Item: { ...KEY, n: { N: "0" } } });

for (const [name, address] of Object.entries(WRITES)) {
  await test(`${name} is shown by its address, and not run`, async () => {
    await open(address);
    await waitText("press Run");
    if (name === "an UpdateItem") await page.reload();
    await waitText("press Run");
    equal(await count(), "0");
    quiet();
  });
}
await test("people run it, once; neither a reload, nor Back, nor History runs it again", async () => {
  await open(json("UpdateItem", ADD));
  await waitText("press Run");
  await press("Run");
  await waitText("The whole answer");
  equal(await count(), "1");
  equal(new URLSearchParams(new URL(page.url()).hash.split("?")[1]).has("run"), false);
  await page.reload();
  await waitText("Run a request to see");
  await go("#/tables");
  await page.goBack();
  await waitText("Run a request to see");
  await page.$eval("main form details", (element) => { element.open = true; });
  await page.$eval("main form details a", (element) => element.click());
  await waitFor(() => document.querySelector("main textarea")?.value.includes("ADD n"));
  await press("Save request");
  await go("#/tables");
  await go("#/request");
  await page.$eval("main form details a", (element) => element.click());
  await waitText("press Run");
  equal(await count(), "1");
  quiet();
});
await test("a proposal, a saved request and a pattern that write wait for Run, too", async () => {
  const pattern = { name: "add", question: "One more?", steps: [{ operation: "UpdateItem", request: { ...ADD, TableName: "Held" } }] };
  const server = await startServer("--patterns", file("writes.json", JSON.stringify({ title: "Writes", patterns: [pattern] })));
  await open("#/patterns", server.url);
  await page.$eval("main details", (element) => { element.open = true; });
  await press("Open the request");
  await waitText("press Run");
  await server.stop();
  quiet();
});
await test("an address that reads is run at once, and what was run is there by Back", async () => {
  await open(statement("SELECT * FROM \"Held\" WHERE id = 'a'"));
  await waitText("1 item");
  await open(json("DescribeTable", { TableName: "Held" }));
  await waitText('"TableStatus": "ACTIVE"');
  await open(`#/table/Held/explore?hash=a&run=1`);
  await waitText("read 1");
  await type("id (partition key, S)", "no such");
  await press("Run");
  await waitText("read 0");
  await page.goBack();
  await waitText("read 1");
  quiet();
});

// --- the world ------------------------------------------------------------------------------------------------

await test("the world is in the address: a reload keeps it, another tab does not change it", async () => {
  for (const name of ["pr-42", "pr-43"]) await fetch(`${url}/_mockddb/worlds/${name}`, { method: "POST", body: "{\"from\": \"default\"}", headers: { "Content-Type": "application/json" } });
  await open("#/tables");
  await waitFor(() => [...document.querySelectorAll("#state option")].some((one) => one.value === "pr-42"));
  await page.select("#state select", "pr-42");
  await waitFor(() => location.hash === "#/tables?world=pr-42" && document.title.includes("pr-42") && document.querySelector(".bar.other"));
  const other = await newTab();
  await open("#/tables", url, other);
  equal(await other.$eval("#state select", (element) => element.value), "default");
  await waitFor(() => [...document.querySelectorAll("#state option")].some((one) => one.value === "pr-43"), [], other);
  await other.select("#state select", "pr-43");
  await waitFor(() => location.hash.includes("pr-43"), [], other);
  await other.close();
  await page.bringToFront();
  await page.reload();
  await waitText("Held");
  equal(await page.$eval("#state select", (element) => element.value), "pr-42");
  quiet();
});
await test("every way on leads to the same world", async () => {
  await open("#/tables?world=pr-42");
  await waitText("Held");
  const leads = () => page.$$eval(".bar a, main a", (links) => links.map((one) => one.hash).filter((one) => one && !one.includes("world=pr-42")));
  for (const hash of ["#/tables", "#/table/Held/settings", "#/table/Held/explore", "#/table/Held/explore?run=1", "#/patterns/coverage", "#/live", "#/control", "#/tour/1"]) {
    await show(`${hash}${hash.includes("?") ? "&" : "?"}world=pr-42`);
    equal([hash, await leads()], [hash, []]);
  }
  await go("#/table/Held/explore?world=pr-42");
  await press("New item");
  await waitFor(() => location.hash.includes("world=pr-42") && location.hash.includes("new=1"));
  quiet();
});
await test("a world that there is not is not made by its address", async () => {
  const before = await worlds();
  for (const hash of ["#/tables?world=gone", "#/table/Held/explore?world=gone", "#/table/Held/explore?run=1&world=gone", "#/worlds?from=gone&to=default", "#/worlds?from=default&to=default@gone", `#/tables?world=${encodeURIComponent("wörld ☃")}`]) {
    await open(hash);
    await waitText("There is no ");
    equal(await worlds(), before);
  }
  await open("#/tables?world=made");
  await press("Make it");
  await waitText("New table");
  equal((await worlds()).includes("made"), true);
  quiet();
});
await test("a page whose world is dropped goes to the default one, and does not make it anew", async () => {
  await open("#/worlds?world=made");
  await waitFor(() => document.querySelector('[aria-label="Worlds"] tbody tr'));
  await page.$$eval('[aria-label="Worlds"] tbody tr', (rows) => [...rows.find((row) => row.innerText.startsWith("made")).querySelectorAll("button")].find((one) => one.innerText === "Drop").click());
  await press("Drop", "dialog");
  await waitFor(() => location.hash === "#/worlds");
  await waitFor(() => !document.querySelector("#state").innerText.includes("made"));
  equal((await worlds()).includes("made"), false);
  quiet();
});
await test("an address compares worlds; a snapshot waits for Compare", async () => {
  await open("#/worlds?from=pr-42&to=default");
  await waitText("they are equal.");
  await fetch(`${url}/_mockddb/snapshots/s1`, { method: "POST" });
  await open("#/worlds?from=default%40s1&to=default");
  await waitText("Press Compare");
  await press("Compare", "main .row:has(> .field)");
  await waitText("they are equal.");
  quiet();
});

// --- dialogs --------------------------------------------------------------------------------------------------

await test("a dialog goes with its view, and its button deletes nothing", async () => {
  await open("#/tables");
  await go("#/table/Held/settings");
  await press("Delete table");
  await type("Type Held to continue", "Held", "dialog");
  const button = await page.$("dialog button.danger");
  await page.goBack();
  await waitFor(() => !document.querySelector("dialog"));
  await waitText("New table");
  await button.evaluate((element) => element.isConnected).then((connected) => equal(connected, false));
  equal((await send("ListTables", {})).TableNames.includes("Held"), true);
  quiet();
});
await test("dialogs of other views go, too, and what they asked is answered by nobody", async () => {
  const asking = [["#/tables", "New table"], ["#/worlds", "New world"], ["#/worlds", "Reset this world"], ["#/table/Held/settings", "UpdateTable …"]];
  for (const [hash, label] of asking) {
    await open("#/control");
    await go(hash);
    await press(label);
    await waitFor(() => document.querySelector("dialog[open]"));
    await page.goBack();
    await waitFor(() => !document.querySelector("dialog") && location.hash === "#/control");
  }
  quiet();
});
await test("an entry that is found when Live was left opens no dialog", async () => {
  await open("#/live");
  await page.evaluate(async (table) => {
    const { call } = await import("/_mockddb/console/lib/api.js");
    await call("Scan", { TableName: table, Limit: 1 }, { explain: true });
  }, SETTINGS);
  const { id } = await (await fetch(`${url}/_mockddb/journal?limit=1`)).json();
  await page.setRequestInterception(true);
  let held = null;
  const hold = (request) => { if (request.url().includes("after=")) held = request; else request.continue(); };
  page.on("request", hold);
  await page.evaluate((one) => { location.hash = `#/live/requests?id=${one}`; }, id);
  while (!held) await new Promise((resolve) => { setTimeout(resolve, 20); });
  await go("#/control");
  const answered = page.waitForResponse((response) => response.url().includes("after=")).catch(() => null);
  await held.continue().catch(() => {}); // a page that left may have given it up
  await Promise.race([answered, new Promise((resolve) => { setTimeout(resolve, 500); })]);
  page.off("request", hold);
  await page.setRequestInterception(false);
  equal(await page.$("dialog"), null);
  quiet();
});
await test("an address that cannot be read is said, and the view of before goes", async () => {
  await open("#/tables");
  await page.evaluate(() => { location.hash = "#/items/%E0%A4%A"; });
  await waitFor(() => document.querySelector("main .problem") && !document.querySelector("main").innerText.includes("New table"));
  await page.evaluate(() => { location.hash = "#/constructor"; });
  await waitText("There is no such view");
  quiet();
});

await end();
