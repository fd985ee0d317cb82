// Walks the console with a headless Chromium: every view in both colour schemes and three sizes, with data, empty
// and with hostile values; the keyboard; and what people do with it. Prints TAP without a plan.
//
//   node console.mjs PART CHROMIUM URL EMPTY_URL [FOLDER]     screenshots go to FOLDER
//
// $MOCKDDB is the program, of which some parts start one of their own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { gzipSync } from "node:zlib";
import puppeteer from "puppeteer-core";

const [part, chromium, url, emptyUrl, folder] = process.argv.slice(2);
const AXE = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SLOWNESS = Number(process.env.MOCKDDB_SLOWNESS ?? 1);
const WAIT_MS = 60000 * SLOWNESS;
const SIZES = [[1280, 800], [1920, 1080], [390, 844]];
const JOBS = "prod-EcomIndexerJobsTable", SETTINGS = "prod-EcomIndexSettingsTable";
const SHOP = "PLATFORM#shopify#SHOP#kl7a9h55-shopify-e513a8-4";

const rehearse = (params) => `#/rehearse?${new URLSearchParams({ table: JOBS, run: "1", ...params })}`;
const VIEWS = {
  tables: "#/tables", table: `#/table/${JOBS}`, items: `#/items/${JOBS}`, rehearse: rehearse({ hash: SHOP }),
  "rehearse-empty": rehearse({ hash: "PLATFORM#shopify#SHOP#e513a8-4.myshopify.com" }),
  patterns: "#/patterns", coverage: "#/patterns/coverage", sheet: "#/patterns/sheet",
  live: "#/live", stream: "#/live/stream", partitions: "#/live/partitions", control: "#/control", worlds: "#/worlds", tour: "#/tour/1",
};

let failed = 0;

async function test(name, work) {
  try {
    await work();
    console.log(`ok - console: ${name}`);
  } catch (error) {
    failed++;
    console.log(`not ok - console: ${name}`);
    for (const line of String(error.stack ?? error).split("\n").slice(0, 12)) console.log(`#   ${line}`);
  }
}

function equal(actual, expected) {
  const [a, b] = [actual, expected].map((one) => JSON.stringify(one));
  if (a !== b) throw new Error(`expected ${b}, not ${a}`);
}

const browser = await puppeteer.launch({
  executablePath: chromium, protocolTimeout: WAIT_MS * 3,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"],
});
const page = await browser.newPage();
page.setDefaultTimeout(WAIT_MS);
const said = [];
page.on("console", (message) => {
  // That an assertion is broken, or a request refused, is an answer: the browser notes its status.
  if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) said.push(message.text());
});
page.on("pageerror", (error) => said.push(error.message));
page.on("dialog", (dialog) => { said.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });

/** Opens a state of the page and waits until it stands. */
async function open(hash, base = url) {
  await page.goto("about:blank");
  await page.goto(`${base}/_mockddb/${hash}`, { waitUntil: "load" });
  await settled();
}

async function settled() {
  await page.waitForFunction(() => document.querySelector("main h1") && !document.querySelector("main .busy")
    && !/^(Loading|Reading) …$/m.test(document.querySelector("main").innerText), { polling: 50 });
}

const text = () => page.evaluate(() => document.querySelector("main").innerText);
const waitText = (wanted) => page.waitForFunction((one) => document.body.innerText.includes(one), { polling: 50 }, wanted);

async function press(label, within = "body") {
  const handle = await page.waitForFunction((one, scope) => [...document.querySelectorAll(`${scope} button, ${scope} a`)]
    .find((element) => element.innerText.trim() === one && element.offsetParent !== null && !element.disabled), { polling: 50 }, label, within);
  await handle.asElement().evaluate((element) => element.click());
}

async function type(label, value, within = "main, dialog") {
  const handle = await page.waitForFunction((one, scope) => {
    const found = [...document.querySelectorAll("label")].findLast((element) => element.innerText.trim() === one && element.closest(scope));
    return found && document.getElementById(found.htmlFor);
  }, { polling: 50 }, label, within);
  await handle.asElement().evaluate((element, given) => {
    element.value = given;
    element.dispatchEvent(new Event("input", { bubbles: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }, value);
}

/** An operation, sent as the page does. */
const send = (operation, request) => page.evaluate(async (name, body) => {
  const { call } = await import("/_mockddb/console/lib/api.js");
  return call(name, body);
}, operation, request);

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "mockddb-console-"));

/** A file with this text in a folder that goes in the end. */
function file(name, content) {
  const at = path.join(scratch, name);
  fs.writeFileSync(at, content);
  return at;
}

/** A server of one's own: {url, port, stop()}. */
async function startServer(...words) {
  const child = spawn(process.env.MOCKDDB, ["--port", "0", ...words], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "exit");
  const [line] = await once(readline.createInterface({ input: child.stdout }), "line");
  const at = /listening on (\S+)/.exec(line)[1];
  return { url: at, port: new URL(at).port, stop: async () => { child.kill(); await ended; } };
}

/** The same as a client would, which is in the journal. */
const ask = (operation, request) => page.evaluate(async (name, body) => {
  const { call } = await import("/_mockddb/console/lib/api.js");
  await call(name, body, { explain: true });
}, operation, request);

function quiet() {
  equal(said.splice(0), []);
}

async function accessible() {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  equal(violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" | ")}`), []);
}

/** Nothing sticks out of the window to the side. */
async function fits() {
  equal(await page.evaluate(() => document.scrollingElement.scrollWidth <= window.innerWidth), true);
}

/** One view in both schemes and all sizes; a reader's checks where the layout or the colours differ. */
async function look(name, hash, base) {
  await test(`${name}: both schemes, three sizes`, async () => {
    await open(hash, base);
    for (const scheme of ["light", "dark"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      for (const [width, height] of SIZES) {
        await page.setViewport({ width, height });
        if (folder) await page.screenshot({ path: path.join(folder, `${name}-${scheme}-${width}.png`) });
        await fits();
        if (width !== 1920 && (scheme === "light" || width === 1280)) await accessible();
      }
    }
    quiet();
  });
}

async function walk() {
  for (const [name, hash] of Object.entries(VIEWS)) await look(name, hash, url);
}

async function walkEmpty() {
  for (const name of ["tables", "rehearse", "patterns", "live", "worlds", "tour"]) await look(`${name}, nothing there`, `#/${name}`, emptyUrl);
}

// --- what people do ----------------------------------------------------------------------------------------

async function rehearsals() {
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
    await page.waitForFunction(() => [...document.querySelectorAll("main input")].some((one) => one.value === "processed_items"), { polling: 50 });
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
    const begins = (word) => page.waitForFunction((one) => document.querySelector("main textarea")?.value.includes(one), { polling: 50 }, word);
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
      await page.waitForFunction((one) => !one || document.querySelector("main textarea")?.value.includes(one), { polling: 50 }, word);
    }
    await press("JSON", "main form");
    await page.waitForFunction(() => document.querySelector("main textarea")?.value.includes('"KeyConditionExpression"'), { polling: 50 });
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
}

async function changes() {
  await test("a table is made, its items are written, changed, brought back and found", async () => {
    await open("#/tables");
    await press("New table");
    await type("Table name", "Notes");
    await type("Partition key", "id");
    await press("Create", "dialog");
    await waitText("Notes");
    await open("#/items/Notes?new=1");
    await page.$eval("main textarea", (element) => { element.value = "n1"; element.dispatchEvent(new Event("input")); });
    await press("Add an attribute");
    await page.$$eval("main tbody tr:last-child input, main tbody tr:last-child textarea", ([name, value]) => {
      name.value = "count";
      value.value = "12345678901234567890123456789012345678";
      for (const one of [name, value]) one.dispatchEvent(new Event("input"));
    });
    await page.$eval("main tbody tr:last-child select", (element) => { element.value = "N"; element.dispatchEvent(new Event("change")); });
    await page.$eval("main tbody tr:last-child textarea", (element) => { element.value = "12345678901234567890123456789012345678"; element.dispatchEvent(new Event("input")); });
    await waitText("29 B of the 400 KB that an item may have: 1 unit to write it"); // id and n1, count and 20 for 38 digits
    await press("Save");
    await page.waitForFunction(() => location.hash.includes("key="));
    equal((await send("GetItem", { TableName: "Notes", Key: { id: { S: "n1" } } })).Item, { id: { S: "n1" }, count: { N: "12345678901234567890123456789012345678" } });
    await page.evaluate(() => { location.hash = "#/items/Notes"; });
    await waitText("12345678901234567890123456789012345678");
    await page.$eval('main input[type="checkbox"]', (element) => element.click());
    await press("Delete the chosen items");
    await press("Delete", "dialog");
    await waitText("There are no items here.");
    await waitText("0 items");
    await press("Undo");
    await waitText("12345678901234567890123456789012345678");
    await waitText("1 item,");
    quiet();
  });
  await test("undo leaves an item alone that changed since", async () => {
    await page.$eval('main input[type="checkbox"]', (element) => element.click());
    await press("Delete the chosen items");
    await press("Delete", "dialog");
    await waitText("There are no items here.");
    await send("PutItem", { TableName: "Notes", Item: { id: { S: "n1" }, other: { BOOL: true } } });
    await press("Undo");
    await waitText("The item changed since");
    await page.$eval(".notice.wrong button", (element) => element.click());
    equal(await page.$(".notice.wrong"), null);
  });
  await test("what was changed before a snapshot came back is not taken back", async () => {
    const undoIs = (disabled) => page.waitForFunction((one) => [...document.querySelectorAll("main button")].find((element) => element.innerText === "Undo")?.disabled === one, { polling: 50 }, disabled);
    const go = (hash) => page.evaluate((one) => { location.hash = one; }, hash);
    await undoIs(false);
    await go("#/worlds");
    await press("Take a snapshot");
    await type("Name", "before", "dialog");
    await press("Take a snapshot", "dialog");
    await press("Go back to it");
    await press("Go back", "dialog");
    await waitText("The world is as it was in snapshot “before”");
    await go("#/items/Notes");
    await undoIs(true);
    await go("#/worlds");
    await press("Delete");
    await waitText("Snapshot “before” is deleted");
    quiet();
  });
  await test("a table is changed", async () => {
    await open("#/table/Notes");
    await press("Time to live");
    await type("Attribute with the time, in seconds", "expires", "dialog");
    await type("State", "on", "dialog");
    await press("Change", "dialog");
    await waitText("expires, enabled");
    await press("Stream");
    await type("What records show", "NEW_IMAGE", "dialog");
    await press("Change", "dialog");
    await waitText("NEW_IMAGE");
    await press("Protect from deletion");
    await waitText("Allow deletion");
    await press("Allow deletion");
    await waitText("Protect from deletion");
    quiet();
  });
  await test("a table leaves as a file of each form, and a file comes in", async () => {
    await send("PutItem", { TableName: "Notes", Item: { id: { S: 'a,"b"\n' }, b: { B: "AAEC" }, set: { NS: ["1", "12345678901234567890123456789012345678"] }, m: { M: { l: { L: [{ NULL: true }, { BOOL: false }, { N: "-1.5" }, { S: "\t“é”" }] }, s: { SS: ["x"] }, bs: { BS: ["AA=="] } } } } });
    await ask("Scan", { TableName: "Notes" });
    await open("#/table/Notes");
    await waitText("0.5 units read, less than 1 cent");
    await page.evaluate(() => {
      window.saved = [];
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => { window.saved.push(blob); return make(blob); };
    });
    const forms = ["lines", "plain", "csv", "ion"];
    for (const form of forms) {
      await page.$eval("main .panel select", (element, value) => { element.value = value; }, form);
      await press("Export");
      await page.waitForFunction((count) => window.saved.length === count, { polling: 50 }, forms.indexOf(form) + 1);
    }
    const [typed, plain, csv, ion] = await page.evaluate(() => Promise.all(window.saved.map((blob) => blob.text())));
    equal(typed.trim().split("\n").map((line) => Object.keys(JSON.parse(line))), [["Item"], ["Item"]]);
    equal(JSON.parse(plain).map((item) => item.b ?? "").sort(), ["", "AAEC"]);
    equal([csv.split("\n")[0].startsWith("id,"), csv.includes('"a,""b""\n",'), plain.includes("12345678901234567890123456789012345678")], [true, true, true]);
    await (await page.$('input[type="file"]')).uploadFile(file("items.json", `${typed}{"Item": {"id": {"S": "from a file"}, "n": {"N": "1"}}}\n`));
    await waitText("3 items imported");
    equal((await send("GetItem", { TableName: "Notes", Key: { id: { S: "from a file" } } })).Item.n, { N: "1" });
    const held = await send("Scan", { TableName: "Notes" });
    await (await page.$('input[type="file"]')).uploadFile(file("items.ion", ion));
    await waitText("2 items imported");
    equal(await send("Scan", { TableName: "Notes" }), held);
    await (await page.$('input[type="file"]')).uploadFile(file("wrong.json", '{"Item": {"id": {"S": "x"}}}\n{"Item": {"id": {"S": 1}}}\n{"Item": {"no": {"S": "x"}}}\n'));
    await waitText("1 item imported, 2 records refused");
    equal(await page.$$eval('[aria-label="What was refused"] tbody tr', (rows) => rows.map((row) => row.cells[0].innerText)), ["2", "3"]);
    quiet();
  });
  await test("files create their tables, or ask for a key", async () => {
    await open("#/tables");
    const choose = async (...files) => (await page.waitForSelector('input[type="file"]')).uploadFile(...files);
    await choose(file("people.csv.gz", gzipSync("name,age\nAda,36\nGrace,45\n")));
    await waitText("There is no table people yet.");
    await accessible();
    await type("Partition key", "name");
    await type("Sort key (optional)", "age");
    await press("Create the table and import");
    await waitText("1 table created, 2 items imported");
    await waitText("name (S), age (N)");
    const described = { TableName: "Described", KeySchema: [{ AttributeName: "id", KeyType: "HASH" }], AttributeDefinitions: [{ AttributeName: "id", AttributeType: "N" }], BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" } };
    await choose(file("Described.jsonl", '{"id": 1}\n{"id": 2}\n'), file("table.json", JSON.stringify({ Table: described })));
    await waitText("Described.jsonl: 2 items imported");
    await type("Table", "people");
    await choose(file("x.json", '[{"name": "Alan", "age": 41}]'));
    await waitText("x.json: 1 item imported");
    await choose(file("nothing.json", "<html>"));
    await waitText("this is no JSON or Ion");
    await choose(file("empty.ion", "$ion_1_0 {Item:"));
    await waitText("1 record refused");
    for (const TableName of ["people", "Described"]) await send("DeleteTable", { TableName });
    quiet();
  });
  await test("a table goes only when its name is typed", async () => {
    await open("#/table/Notes");
    await press("Delete table");
    equal(await page.$eval("dialog button.danger", (element) => element.disabled), true);
    await type("Type Notes to go on", "Notes", "dialog");
    await press("Delete table", "dialog");
    await waitText("The table is deleted");
    equal((await send("ListTables", {})).TableNames.includes("Notes"), false);
  });
}

async function control() {
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
    await page.waitForFunction(() => !document.body.innerText.includes("Any call: throttled"), { polling: 50 });
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
    await press("Freeze");
    await waitText("frozen");
    await press("Advance");
    await press("Let it run");
    await waitText("running");
    await press("The system's time");
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
    await open("#/rehearse?" + new URLSearchParams({ mode: "json", op: "Scan", run: "1", request: JSON.stringify({ TableName: SETTINGS, FilterExpression: "shopify_domain = :d", ExpressionAttributeValues: { ":d": { S: "e513a8-4.myshopify.com" } } }) }));
    await waitText("returned 1");
    await open("#/patterns/coverage");
    await waitText("settings-by-domain");
    quiet();
  });
  await test("worlds are forked, compared and dropped; a snapshot is kept", async () => {
    await open("#/worlds");
    await press("Fork");
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
    await press("Reset this world");
    await press("Reset", "dialog");
    await waitText("as it was in the beginning");
    await page.waitForFunction(() => !document.body.innerText.includes("1 difference"), { polling: 50 }); // it is drawn anew
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
  await test("the partitions that take the load", async () => {
    await ask("Query", { TableName: JOBS, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: SHOP } } });
    await open("#/live/partitions");
    await waitText(`${JOBS}: pk = ${SHOP}`);
    await ask("Query", { TableName: JOBS, IndexName: "GSI_JobLookup_v2", KeyConditionExpression: "job_id = :j", ExpressionAttributeValues: { ":j": { S: "no-such-job" } } });
    await waitText(`${JOBS}.GSI_JobLookup_v2: job_id = no-such-job`);
    quiet();
  });
  await test("live shows a request as it comes", async () => {
    await open("#/live");
    const other = await browser.newPage();
    await other.goto(`${url}/_mockddb/${VIEWS.rehearse}`);
    await other.waitForFunction(() => document.body.innerText.includes("returned"), { timeout: WAIT_MS });
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
    await page.waitForFunction((id) => document.querySelector("dialog h2")?.innerText.startsWith(`${id}: Query`), { polling: 50 }, last);
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
    await page.waitForFunction(() => document.querySelector('[aria-label="Assertions"] li a')?.hash.startsWith("#/live/requests?id="), { polling: 50 });
    await page.$eval('[aria-label="Assertions"] li a', (element) => element.click());
    await page.waitForFunction(() => document.querySelector("dialog h2")?.innerText.includes("Scan"), { polling: 50 });
    await press("Close", "dialog");
    await waitText("which stands at");
    await fetch(`${url}/_mockddb/clock`, { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"real": true}' });
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
    await page.waitForFunction(() => document.activeElement.innerText === "Back to the first answer", { polling: 50 });
    await waitText("returned 1");
    await press("Back to the first answer");
    await page.waitForFunction(() => document.querySelector("main").innerText.includes("read 356"), { polling: 50 });
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
}

// --- servers that refuse, and that go ------------------------------------------------------------------------

async function servers() {
  await test("where nothing may be written, the refusal stands where it was tried", async () => {
    const server = await startServer("--read-only", "--fixtures", "ecommerce", "--table-prefix", "prod-");
    await open(`#/items/${SETTINGS}?new=1`, server.url);
    await press("Save");
    await waitText("AccessDeniedException");
    await page.evaluate(() => { location.hash = "#/tables"; });
    await press("New table");
    await type("Table name", "Notes");
    await type("Partition key", "id");
    await press("Create", "dialog");
    await page.waitForFunction(() => document.querySelector("dialog")?.innerText.includes("AccessDeniedException"), { polling: 50 });
    await page.keyboard.press("Escape");
    await page.evaluate(() => { location.hash = "#/worlds"; });
    await press("Reset this world");
    await press("Reset", "dialog");
    await waitText("the server is read-only");
    await server.stop();
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
}

// --- the keyboard -------------------------------------------------------------------------------------------

const focused = () => page.evaluate(() => document.activeElement.innerText.trim());

async function keyboard() {
  await test("the keyboard alone gets to a view, past the menu, and through tabs", async () => {
    await open("#/tables");
    await page.keyboard.press("Tab");
    equal(await focused(), "Skip to content");
    await page.keyboard.press("Enter");
    equal(await page.evaluate(() => document.activeElement.id), "view");
    await page.evaluate(() => [...document.querySelectorAll("nav a")].find((one) => one.innerText === "Rehearse").focus());
    await page.keyboard.press("Enter");
    await waitText("Run a request to see");
    await page.evaluate(() => document.querySelector('[role="tab"]').focus());
    await page.keyboard.press("ArrowRight");
    equal(await focused(), "AWS CLI");
    await page.keyboard.press("Tab");
    await page.keyboard.type(`aws dynamodb scan --table-name ${JOBS} --limit 1`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    equal(await focused(), "Run");
    await page.keyboard.press("Enter");
    await waitText("returned 1");
    quiet();
  });
  await test("a dialog holds the focus, and Escape closes it", async () => {
    await open("#/tables");
    await press("New table");
    await page.waitForSelector("dialog");
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press("Tab");
      equal(await page.evaluate(() => document.activeElement === document.body || Boolean(document.activeElement.closest("dialog"))), true);
    }
    await page.keyboard.press("Escape");
    equal(await page.$("dialog"), null);
  });
}

// --- hostile and large values ---------------------------------------------------------------------------------

const EVIL = ['<img src=x onerror="window.hacked=1">', "<script>window.hacked=1</script>", "javascript:window.hacked=1", "\"'><svg onload=window.hacked=1>", "${window.hacked=1}", "{{constructor.constructor('window.hacked=1')()}}"];

async function hostile() {
  await test("no value, name or error runs as script", async () => {
    await open("#/tables");
    await send("CreateTable", { TableName: "Evil", AttributeDefinitions: [{ AttributeName: EVIL[0], AttributeType: "S" }], KeySchema: [{ AttributeName: EVIL[0], KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST", Tags: [{ Key: "a", Value: "b" }] });
    for (const one of EVIL) await send("PutItem", { TableName: "Evil", Item: { [EVIL[0]]: { S: one }, [`${one} `]: { M: { [one]: { L: [{ S: one }, { SS: [one] }] } } } } });
    for (const hash of ["#/tables", "#/table/Evil", "#/items/Evil", `#/items/Evil?key=${encodeURIComponent(JSON.stringify({ [EVIL[0]]: { S: EVIL[1] } }))}`, "#/rehearse?table=Evil&run=1", `#/rehearse?${new URLSearchParams({ table: "Evil", hash: EVIL[3], run: "1" })}`,
      `#/rehearse?${new URLSearchParams({ mode: "json", op: "Scan", request: JSON.stringify({ TableName: EVIL[0] }), run: "1" })}`, `#/rehearse?${new URLSearchParams({ mode: "statement", statement: EVIL[1], run: "1" })}`, "#/live", "#/patterns/coverage", `#/${EVIL[0]}`]) {
      await open(hash);
      for (const tab of ["Typed JSON", "Plain JSON", "boto3", "Java"]) {
        if (await page.evaluate((one) => [...document.querySelectorAll("main button")].some((element) => element.innerText === one), tab)) await press(tab);
      }
      equal(await page.evaluate(() => [window.hacked ?? null, document.querySelectorAll("main img, main script, main svg[onload]").length]), [null, 0]);
    }
    quiet();
  });
  await test("nor what faults, worlds, snapshots and files of patterns say", async () => {
    const pattern = { name: "evil", question: EVIL[0], notes: EVIL, steps: [{ name: "s", title: EVIL[1], operation: "Scan", request: { TableName: "Evil", FilterExpression: EVIL[0] } }] };
    const sections = [{ name: "e", title: EVIL[0], table: "Evil", about: EVIL[3], keys: [{ key: EVIL[0], format: EVIL[1], notes: EVIL[0] }], indexes: { [EVIL[0]]: EVIL[1] }, notes: EVIL }];
    const server = await startServer("--patterns", file("patterns.json", JSON.stringify({ title: EVIL[0], about: EVIL[1], sections, patterns: [{ ...pattern, section: "e" }] })));
    await open("#/patterns/sheet", server.url);
    await waitText(EVIL[1]);
    await open("#/patterns", server.url);
    await press("Run all");
    await waitText("1 pattern of 1 fail");
    await page.$eval("main details", (element) => { element.open = true; });
    await open("#/control", server.url);
    await page.$eval('[aria-label="Rules as JSON"]', (element, text) => { element.value = text; element.closest("details").open = true; },
      JSON.stringify(EVIL.map((one) => ({ table: "Evil", key: { pk: { S: one } }, error: "ThrottlingException", message: one }))));
    await press("Add them");
    await waitText(EVIL[4]);
    await ask("GetItem", { TableName: EVIL[0], Key: {} }).catch(() => {});
    for (const hash of ["#/live", "#/live/partitions", "#/patterns/coverage"]) await open(hash, server.url);
    await open("#/worlds", server.url);
    for (const [label, action] of [["New world", "Make the world"], ["Take a snapshot", "Take a snapshot"]]) {
      await press(label);
      await type("Name", EVIL[0], "dialog");
      await press(action, "dialog");
      await page.waitForSelector(".notice.wrong");
      await page.evaluate(() => document.getElementById("notices").replaceChildren());
    }
    equal(await page.evaluate(() => [window.hacked ?? null, document.querySelectorAll("main img, main script").length]), [null, 0]);
    await server.stop();
    quiet();
  });
  await test("items of 400 KB and thousands of them do not slow the page down", async () => {
    await open("#/tables");
    await send("CreateTable", { TableName: "Large", AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }], KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST" });
    await send("PutItem", { TableName: "Large", Item: { pk: { S: "large" }, text: { S: "x".repeat(390000) } } });
    for (let i = 0; i < 40; i++) await send("BatchWriteItem", { RequestItems: { Large: Array.from({ length: 25 }, (_, j) => ({ PutRequest: { Item: { pk: { S: `${i}-${j}` }, text: { S: "y".repeat(100) } } } })) } });
    const began = Date.now();
    await open("#/rehearse?table=Large&run=1");
    await press("Typed JSON");
    await press("Table");
    equal(Date.now() - began < 5000 * SLOWNESS, true);
    await open("#/items/Large");
    quiet();
  });
  await test("a server that is gone is said, and the page stays", async () => {
    await open("#/tables");
    await page.setOfflineMode(true);
    await page.evaluate(() => { location.hash = "#/worlds"; });
    await waitText("the server does not answer");
    await page.setOfflineMode(false);
    await press("Try again");
    await waitText("Snapshots of");
    said.length = 0;
  });
}

const PARTS = { walk, walkEmpty, rehearsals, changes, control, servers, keyboard, hostile };

await PARTS[part]();
await browser.close();
fs.rmSync(scratch, { recursive: true });
process.exit(failed ? 1 : 0);
