// Case files and histories in a headless Chromium: what is shared, what leaves, how hostile files are opened; what is known of the past. Prints TAP without a plan.
//
//   node console_share.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import path from "node:path";
import { JOBS, SHOP, VIEWS, accessible, ask, end, equal, explore, file, fits, folder, go, newTab, open, page, press, quiet, said, send, show, startServer, test, type, url, waitFor, waitText } from "./browser.mjs";

const SIZES = [[1280, 800], [1920, 1080], [390, 844]];
const worlds = async (base = url) => (await (await fetch(`${base}/_mockddb/worlds`)).json()).worlds.map((one) => one.name).sort();
const shared = () => waitFor(() => /All that leaves/.test(document.querySelector("dialog")?.innerText ?? ""));
/** The case file that the dialog shows. */
const leaves = () => page.$eval("dialog .code pre", (element) => JSON.parse(element.innerText));
const dialogText = () => page.$eval("dialog", (element) => element.innerText);

/** What the dialog downloads, and what it copies. */
async function taken(label) {
  await page.evaluate(() => {
    window.taken = null;
    const make = URL.createObjectURL;
    let blob;
    URL.createObjectURL = (one) => make.call(URL, blob = one);
    const press = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = async function () { if (!this.download) press.call(this); else window.taken = [this.download, await blob.text()]; };
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (text) => { window.taken = ["copied", text]; } } });
  });
  await press(label, "dialog");
  await waitFor(() => window.taken);
  return page.evaluate(() => window.taken);
}

/** Opens a file by the view's field. */
async function choose(name, content, tab = page) {
  await (await tab.$('main input[type="file"]')).uploadFile(file(name, content));
}

/** Both schemes and all sizes of what is shown. */
async function look(name) {
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    for (const [width, height] of SIZES) {
      await page.setViewport({ width, height });
      if (folder) await page.screenshot({ path: path.join(folder, `${name}-${scheme}-${width}.png`) });
      await fits();
      if (width === (scheme === "light" ? 1280 : 390)) await accessible();
    }
  }
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
  await page.setViewport({ width: 1280, height: 800 });
}

let small = null; // a case file of one table, which later tests open

await test("an empty answer is shared with the items that the explanation names, and opens in a new world", async () => {
  await open(VIEWS["query-empty"]);
  await waitText("belongs there, not shopify_domain");
  await press("Share");
  await shared();
  const one = await leaves();
  equal([one.mockddb_case, one.operation, one.from, one.answer.Count, one.units, one.tables.length, one.tables[0].create.TableName, one.tables[0].items.length], [1, "Query", "world", 0, 0.5, 1, JOBS, 5]);
  equal([one.explanation.reason.includes("belongs there"), "facts" in one.explanation], [true, false]);
  await look("share");
  const [name, text] = await taken("Download JSON");
  equal([name, JSON.parse(text)], ["Query.case.json", one]);
  small = text;
  const [, markdown] = await taken("Copy as Markdown");
  equal(["### Query", "```sh\naws dynamodb query", "**Answer**: 0 items of 0 read, 0.5 units", "belongs there", `\`${JOBS}\`: \`pk (S), sk (S)\``, "| --- |"].filter((part) => !markdown.includes(part)), []);
  const before = await worlds();
  await go("#/case");
  await choose("a.case.json", text);
  await waitText("case-1 is a new world");
  await waitText("returned 0");
  equal([await worlds(), await page.evaluate(() => new URLSearchParams(location.hash.split("?")[1]).get("world"))], [["case-1", ...before].sort(), "case-1"]);
  equal((await send("Scan", { TableName: JOBS, Select: "COUNT" })).Count, 5);
  equal((await send("ListTables", {})).TableNames, [JOBS]);
  await accessible();
  await page.select("#state select", " case");
  await waitText("As it was where it was asked");
  await look("case");
  await press("Show the request");
  await waitText("returned 0");
  quiet();
});
await test("what is masked or left out is in nothing that leaves", async () => {
  await open(explore({ hash: SHOP, limit: "3" }));
  await waitText("returned 3");
  await press("Share");
  await shared();
  const before = await leaves(), [first] = before.tables[0].items, job = first.job_id.S;
  equal([before.from, before.answer.Items.length, before.tables[0].items.length], ["world", 3, 3]);
  await page.select('dialog [aria-label="How pk leaves"]', "replace");
  await waitText("measured in a world of their own");
  await page.select('dialog [aria-label="How job_id leaves"]', "hash");
  await page.select('dialog [aria-label="How sk leaves"]', "hash");
  await page.$eval('dialog details input[type="checkbox"]', (element) => element.click());
  await waitFor(() => JSON.parse(document.querySelector("dialog .code pre").innerText).tables[0].items.length === 2);
  const after = await leaves(), text = JSON.stringify(after);
  equal([after.from, after.answer.Items.length, after.answer.ScannedCount], ["case", 2, 2]);
  equal([SHOP, job, first.sk.S].filter((one) => text.includes(one)), []);
  equal(after.request.ExpressionAttributeValues[":v0"], after.tables[0].items[0].pk);
  equal(await page.$$eval('dialog [aria-label="How pk leaves"] option', (options) => options.map((one) => one.value)), ["", "replace", "hash"]);
  equal((await worlds()).filter((name) => name.startsWith("temporary-")), []);
  await page.keyboard.press("Escape");
  await waitFor(() => !document.querySelector("dialog"));
  quiet();
});
const shop = SHOP.split("#")[3], STATEMENT = `SELECT * FROM "${JOBS}" WHERE pk = '${SHOP}' AND begins_with(sk, 'JOB#2026-09-0')`;
const byMode = (mode, more) => `#/request?${new URLSearchParams({ mode, run: "1", ...more })}`;
const JOB_KEYS = ["JOB#2026-09-01T14:12:36.078Z#1742cb3b-952c-4cc3-ae63-4a076fac9743", "JOB#2026-09-02T01:03:40.844Z#92003ea2-32dd-49e8-a076-c817df77d1ec"];
const batch = { Statements: JOB_KEYS.map((S) => ({ Statement: `SELECT * FROM "${JOBS}" WHERE pk='${SHOP}' AND sk=?`, Parameters: [{ S }] })) };
// A request, what is masked in it, texts that leave with others as they are equal, and how many items it finds, then and with masks.
const MASKED = {
  "a part of a key": { hash: explore({ hash: SHOP, limit: "3" }), masks: { "pk, part 4": "replace" }, gone: [shop], count: 3 },
  "each part of keys": { hash: explore({ hash: SHOP, limit: "2", so: "begins_with", sv: "JOB#" }), masks: { "pk, part 4": "hash", "sk, part 2": "replace", "sk, part 3": "hash" }, gone: [shop, "14:12:36.078", "1742cb3b"], count: 2 },
  "an attribute that is a part of the key": { hash: explore({ hash: SHOP, limit: "2" }), masks: { shop_id: "mask", job_id: "drop" }, gone: [shop, "1742cb3b"], count: 2 },
  "a statement by its key": { hash: byMode("statement", { statement: STATEMENT, limit: "3" }), masks: { pk: "hash" }, gone: [SHOP], count: 3 },
  "a statement by parts": { hash: byMode("statement", { statement: `${STATEMENT} -- it's "his"`, limit: "3" }), masks: { "pk, part 4": "replace" }, gone: [shop], count: 3 },
  "statements of a batch": { hash: byMode("json", { op: "BatchExecuteStatement", request: JSON.stringify(batch) }), masks: { pk: "replace", sk: "hash", job_id: "replace", "status_created_at, part 2": "hash" }, gone: [SHOP, "1742cb3b", "14:12:36.078Z"], count: 2 },
  "numbers of a statement": { hash: byMode("statement", { statement: `SELECT * FROM "${JOBS}" WHERE pk = '${SHOP}' AND total_items IN (8766, 12, -3)`, limit: "3" }), masks: { total_items: "replace", processed_items: "replace" }, gone: ["8766"], count: 1 },
};
for (const [name, { hash, masks, gone, count }] of Object.entries(MASKED)) {
  await test(`masked: ${name}`, async () => {
    await open(hash);
    await press("Share");
    await shared();
    const before = JSON.stringify(await leaves());
    equal(gone.filter((text) => !before.includes(text)), []);
    for (const [label, action] of Object.entries(masks)) await page.select(`dialog [aria-label="How ${label} leaves"]`, action);
    await waitFor((texts) => { const text = document.querySelector("dialog .code pre")?.innerText; return text && texts.every((one) => !text.includes(one)); }, [gone]);
    await waitText("measured in a world of their own");
    equal(await page.$$eval("dialog .why", (all) => all.map((one) => one.innerText)), []);
    const one = await leaves(), [, json] = await taken("Download JSON"), [, markdown] = await taken("Copy as Markdown");
    equal(gone.filter((text) => json.includes(text) || markdown.includes(text)), []);
    equal([one.from, one.answer.Items?.length ?? one.answer.Responses.filter((each) => each.Item).length], ["case", count]);
    await page.keyboard.press("Escape");
    await show("#/case");
    await choose("masked.case.json", json);
    await waitText("is a new world");
    await waitFor(() => document.querySelector("main .legend, main .why"));
    const again = await send(one.operation, one.request);
    equal(again.Items?.length ?? again.Responses.filter((each) => each.Item).length, count);
    await go("#/tables"); // of the first world
    quiet();
  });
}
await test("a text that masks leave is said", async () => {
  await send("CreateTable", { TableName: "People", AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }], KeySchema: [{ AttributeName: "id", KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST" });
  await send("PutItem", { TableName: "People", Item: { id: { S: "1" }, email: { S: "anna.long@example.com" }, note: { S: "write to anna.long@example.com" } } });
  await open(`#/request?${new URLSearchParams({ mode: "statement", statement: "SELECT * FROM \"People\" WHERE email = 'anna.long@example.com' -- not anna.long@example.com", run: "1" })}`);
  await waitText("1 item");
  await press("Share");
  await shared();
  await page.select('dialog [aria-label="How email leaves"]', "replace");
  await waitText("texts that were replaced are still in note of People (1 item), Statement of the request (1 item)");
  equal((await leaves()).request.Statement.split("anna.long@example.com").length, 2); // in the comment
  quiet();
});
await test("a request of Live is shared, and one that was refused", async () => {
  await open("#/live");
  await ask("GetItem", { TableName: "People", Key: { id: { S: "1" } } });
  await ask("UpdateItem", { TableName: "People", Key: { id: { S: "1" } }, UpdateExpression: "SET size = :s", ExpressionAttributeValues: { ":s": { N: "1" } } }).catch(() => {});
  await press("GetItem", "main");
  await press("Share", "dialog");
  await shared();
  equal([(await leaves()).from, (await leaves()).answer.Item.id.S], ["case", "1"]);
  await page.keyboard.press("Escape");
  await press("UpdateItem", "main");
  await press("Open the request", "dialog");
  await press("Run");
  await waitText("ValidationException");
  await press("Share");
  await shared();
  const one = await leaves();
  equal([one.from, one.error.type, one.explanation.reason.includes("size is a reserved word"), one.tables[0].items.length], ["world", "ValidationException", true, 1]);
  quiet();
});

// --- files that are opened --------------------------------------------------------------------------------------

const KEYS = { AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }], KeySchema: [{ AttributeName: "id", KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST" };
const table = (TableName, items = []) => ({ create: { TableName, ...KEYS }, items });
const caseOf = (more = {}) => JSON.stringify({ mockddb_case: 1, operation: "Scan", request: { TableName: "Tab" }, tables: [table("Tab")], ...more });
const items = (count) => Array.from({ length: count }, (_, i) => ({ id: { S: String(i) } }));

await test("a file that is no case is refused by the member that is wrong, and makes no world", async () => {
  const wrong = {
    "no JSON": ["{", "is not JSON"],
    "a list": ["[]", "the file is not an object"],
    "another version": [caseOf({ mockddb_case: 2 }), "mockddb_case is not 1"],
    "a world that exists": [caseOf({ world: "default" }), "world is unknown"],
    "__proto__": [caseOf().replace("{", '{"__proto__": {"a": 1}, '), "__proto__ is unknown"],
    "constructor": [caseOf({ constructor: 1 }), "constructor is unknown"],
    "a member within": [caseOf({ explanation: { text: "a", hints: [{ text: "b", html: "c" }] } }), "explanation.hints[0].html is unknown"],
    "a member of 5,000 letters": [caseOf({ ["x".repeat(5000)]: 1 }), "is unknown"],
    "no request": ['{"mockddb_case": 1, "operation": "Scan", "tables": []}', "request is missing"],
    "an operation that is none": [caseOf({ operation: "<img src=x onerror=alert(1)>" }), "operation is not the name of an operation"],
    "a text that is a number": [caseOf({ note: 7 }), "note is not a text"],
    "a note that is too long": [caseOf({ note: "x".repeat(4001) }), "note has more than 4,000 characters"],
    "tables that are no list": [caseOf({ tables: { length: 1 } }), "tables is not a list"],
    "too many tables": [caseOf({ tables: Array.from({ length: 21 }, (_, i) => table(`Tab${i}`)) }), "tables has 21 elements, more than 20"],
    "too many items": [caseOf({ tables: [table("TabA", items(300)), table("TabB", items(300))] }), "tables has 600 items, more than 500"],
    "10 MB": [caseOf({ note: "x".repeat(10 << 20) }), "bytes, more than 2,097,152"],
    "brackets without end": [`${"[".repeat(1000000)}`, "more than 100 brackets within each other"],
    "a table twice": [caseOf({ tables: [table("Tab"), table("Tab")] }), "tables[1].create is refused"],
    "a table that cannot be": [caseOf({ tables: [{ create: { TableName: "Tab" }, items: [] }] }), "tables[0].create is refused"],
    "an item of another type": [caseOf({ tables: [table("Tab", [{ id: { S: "1" } }, { id: { N: "1" } }])] }), "tables[0].items[1] is refused"],
    "an item twice": [caseOf({ tables: [table("Tab", [{ id: { S: "1" } }, { id: { S: "1" } }])] }), "tables[0].items[1] has the key of another item"],
  };
  const before = await worlds();
  await open("#/case");
  for (const [name, [content, words]] of Object.entries(wrong)) {
    await choose(`${name.replace(/\W/g, "")}.json`, content);
    await waitFor((one) => document.querySelector("main .problem")?.innerText.includes(one), [words]).catch((error) => { throw new Error(`${name}: ${error.message}`); });
    await page.evaluate(() => document.querySelector("main .problem").remove());
  }
  equal(await worlds(), before);
  equal(await page.evaluate(() => [({}).a, location.hash]), [undefined, "#/case"]);
  said.length = 0; // what the browser says of the statuses
});
const EVIL = '<img src=x onerror="window.hacked=1">', TURNED = "a\u202Eb\u2066c", LONG = "n".repeat(255);
await test("hostile names and values open as what they are", async () => {
  const deep = (n) => (n ? { M: { a: deep(n - 1) } } : { S: "x" });
  const evil = Object.setPrototypeOf(JSON.parse(`{"id": {"S": ${JSON.stringify(EVIL)}}, "__proto__": {"S": "p"}, "constructor": {"S": "c"}, ${JSON.stringify(TURNED)}: {"S": ${JSON.stringify(TURNED)}}, "n": {"N": "${"9".repeat(38)}"}, "deep": ${JSON.stringify(deep(30))}}`), null);
  const named = { create: { TableName: LONG, ...KEYS, AttributeDefinitions: [...KEYS.AttributeDefinitions, { AttributeName: EVIL, AttributeType: "S" }], GlobalSecondaryIndexes: [{ IndexName: LONG, KeySchema: [{ AttributeName: EVIL, KeyType: "HASH" }], Projection: { ProjectionType: "ALL" } }] }, items: [evil] };
  const text = JSON.stringify({ mockddb_case: 1, note: `${EVIL}\n${TURNED}`, operation: "Scan", request: { TableName: LONG }, from: "case", error: { type: EVIL, message: TURNED }, explanation: { reason: `${EVIL}${TURNED}`, lines: [TURNED, "^^"], hints: [{ weight: "hint", text: TURNED, try: `aws ${TURNED}`, gives: EVIL }], text: EVIL }, tables: [named] });
  await open("#/case");
  await choose("evil.json", text);
  await waitText("returned 1");
  await page.select("#state select", " case");
  await waitText("What it did");
  equal(await page.evaluate(() => [window.hacked ?? null, document.querySelectorAll("main img, main script").length]), [null, 0]);
  equal(await page.$eval("main .panel", (element) => element.innerText.includes("\u202E")), false);
  await look("case-hostile");
  await press("Show the request");
  await waitText("returned 1");
  await press("Share");
  await shared();
  const one = await leaves();
  equal(Object.keys(one.tables[0].items[0]).sort(), ["__proto__", "constructor", "deep", "id", "n", TURNED].sort());
  equal([one.tables[0].items[0].n.N, one.tables[0].create.TableName], ["9".repeat(38), LONG]);
  await look("share-hostile");
  for (const name of ["__proto__", "constructor"]) await page.$eval(`dialog [aria-label="How ${name} leaves"]`, (element) => { element.value = "hash"; element.dispatchEvent(new Event("change")); });
  await waitFor(() => document.querySelector("dialog").innerText.includes("measured in a world of their own") && !/"S": "[pc]"/.test(document.querySelector("dialog .code pre").innerText));
  const [, markdown] = await taken("Copy as Markdown");
  equal(markdown.split("\n").filter((line) => line.includes("<img") && !line.includes("`")).length, 0);
  equal(await page.evaluate(() => window.hacked ?? null), null);
  quiet();
});
await test("a request that writes is shown and not run; reload and Back repeat nothing", async () => {
  const text = caseOf({ operation: "UpdateItem", request: { TableName: "Tab", Key: { id: { S: "a" } }, UpdateExpression: "ADD n :one", ExpressionAttributeValues: { ":one": { N: "1" } } }, tables: [table("Tab", [{ id: { S: "a" }, n: { N: "5" } }])] });
  const n = async () => (await send("GetItem", { TableName: "Tab", Key: { id: { S: "a" } } })).Item.n.N;
  await open("#/case");
  await choose("write.json", text);
  await waitText("UpdateItem writes: look at it, then press Run");
  const count = (await worlds()).length;
  await page.reload();
  await waitText("UpdateItem writes: look at it, then press Run");
  equal(await n(), "5");
  await press("Run");
  await waitText("The whole answer");
  equal(await n(), "6");
  await page.goBack();
  await waitText("Open a case file");
  await page.goForward();
  await waitText("Run a request to see");
  equal([await n(), (await worlds()).length], ["6", count]);
  quiet();
});
await test("Back and a reload close the dialog: nothing was written, no world is left", async () => {
  const before = await worlds();
  await open("#/tables");
  await go(explore({ hash: SHOP, limit: "2" }));
  await waitText("returned 2");
  await press("Share");
  await shared();
  await page.goBack();
  await waitFor(() => location.hash === "#/tables" && !document.querySelector("dialog"));
  await page.goForward();
  await waitText("returned 2");
  await press("Share");
  await shared();
  await page.select('dialog [aria-label="How pk leaves"]', "hash");
  await page.reload();
  await waitText("returned 2");
  equal(await page.$$eval("dialog", (dialogs) => dialogs.length), 0);
  await waitFor(async (names) => JSON.stringify((await (await fetch("/_mockddb/worlds")).json()).worlds.map((one) => one.name).sort()) === names, [JSON.stringify(before)]);
  quiet();
});
await test("a file that is dropped on any view, two tabs that open the same file: each has a world of its own", async () => {
  const tab = await newTab(), before = await worlds();
  await open("#/case", url, tab);
  await open("#/live");
  const drop = (name, content) => page.evaluate((one, text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], one, { type: "application/json" }));
    document.querySelector("main").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, name, content);
  await drop("a.txt", small);
  await drop("broken.json", "{}");
  await waitText("mockddb_case is missing");
  await Promise.all([drop("a.case.json", small), choose("b.case.json", small, tab)]);
  for (const one of [page, tab]) await waitText("returned 0", one);
  equal((await worlds()).length, before.length + 2);
  equal(await page.evaluate(() => location.hash) === await tab.evaluate(() => location.hash), false);
  await tab.close();
  quiet();
});
await test("the keyboard alone shares and opens", async () => {
  await open(explore({ hash: SHOP, limit: "1" }));
  await waitText("returned 1");
  await page.evaluate(() => [...document.querySelectorAll("main button")].find((one) => one.innerText === "Share").focus());
  await page.keyboard.press("Enter");
  await shared();
  const seen = new Set();
  const wanted = ["TEXTAREA", "INPUT", "How pk leaves", "Copy as Markdown", "Download JSON"];
  for (let i = 0; i < 80 && !wanted.every((one) => seen.has(one)); i++) {
    await page.keyboard.press("Tab");
    seen.add(await page.evaluate(() => document.activeElement.getAttribute("aria-label") || document.activeElement.innerText?.trim() || document.activeElement.tagName));
  }
  equal(wanted.filter((one) => !seen.has(one)), []);
  await page.keyboard.press("Escape");
  await waitFor(() => !document.querySelector("dialog") && document.activeElement?.innerText === "Share");
  quiet();
});
await test("a read-only server shares what was seen, and says that it opens nothing", async () => {
  const server = await startServer("--fixtures", "ecommerce", "--table-prefix", "prod-", "--read-only");
  await open(explore({ hash: SHOP, limit: "1" }), server.url);
  await waitText("returned 1");
  await press("Share");
  await shared();
  await page.select('dialog [aria-label="How pk leaves"]', "hash");
  await waitText("Without answer and explanation, which cannot be measured here");
  const bare = await leaves();
  equal([["from", "answer", "explanation"].filter((name) => name in bare), JSON.stringify(bare).includes(SHOP)], [[], false]);
  await page.keyboard.press("Escape");
  await show("#/case");
  await choose("a.case.json", small);
  await waitFor(() => document.querySelector("main .problem"));
  equal(await worlds(server.url), ["default"]);
  await server.stop();
  said.length = 0;
});

// --- the past ---------------------------------------------------------------------------------------------------

const PAST = "Past", id = (value) => ({ id: { S: value } }), itemAt = (value, more = {}) => `#/history/${PAST}?${new URLSearchParams({ key: JSON.stringify(id(value)), ...more })}`;
const rows = (label) => page.$$eval(`main [aria-label="${label}"] > table > tbody > tr`, (found) => found.map((one) => [...one.cells].map((cell) => cell.innerText.trim())));
const verb = (name, body) => fetch(`${url}/_mockddb/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

await test("an item's history: requests, what a stream says, and what is not known", async () => {
  await open("#/tables");
  await verb("clock", { freeze: "2026-01-01T00:00:00Z" });
  await send("CreateTable", { TableName: PAST, ...KEYS });
  await ask("PutItem", { TableName: PAST, Item: { ...id("a"), n: { N: "1" } } });
  await show(itemAt("a"));
  await waitText("The table has no stream");
  equal((await rows("History of the item")).map((cells) => cells[1].split("\n")), [["PutItem", "put"]]);
  await send("UpdateTable", { TableName: PAST, StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } });
  const later = async () => verb("clock", { advance: "10s" });
  await later();
  await ask("UpdateItem", { TableName: PAST, Key: id("a"), UpdateExpression: "SET n = :n", ExpressionAttributeValues: { ":n": { N: "2" } } });
  await later();
  await send("UpdateItem", { TableName: PAST, Key: id("a"), UpdateExpression: "SET n = :n", ExpressionAttributeValues: { ":n": { N: "3" } } }); // the page's own
  await later();
  await ask("GetItem", { TableName: PAST, Key: id("a") });
  await ask("UpdateItem", { TableName: PAST, Key: id("a"), UpdateExpression: "SET n = :n", ConditionExpression: "n = :old", ExpressionAttributeValues: { ":n": { N: "9" }, ":old": { N: "0" } } }).catch(() => {});
  await ask("BatchWriteItem", { RequestItems: { [PAST]: [{ DeleteRequest: { Key: id("b") } }, { PutRequest: { Item: id("c") } }] } });
  await ask("TransactWriteItems", { TransactItems: [{ ConditionCheck: { TableName: PAST, Key: id("a"), ConditionExpression: "attribute_exists(id)" } }, { Delete: { TableName: PAST, Key: id("c") } }] });
  await later();
  await ask("DeleteItem", { TableName: PAST, Key: id("a") });
  await ask("Scan", { TableName: PAST });
  for (const wrong of [5, null, {}, { Keys: 5 }, [null, 5, "a", [], {}], { Keys: [null, { id: 5 }, [[[]]]] }]) await ask("BatchWriteItem", { RequestItems: { [PAST]: wrong }, TableName: PAST, Key: "a", Statement: 5 }).catch(() => {});
  for (const Key of [5, "a", [], { id: { S: 5 } }, null]) await ask("GetItem", { TableName: PAST, Key }).catch(() => {});
  await open(itemAt("a"));
  await waitText("1 further request for it");
  const found = await rows("History of the item");
  equal(found.map((cells) => cells[1].replace("\n", " ")), ["DeleteItem deleted", "TransactWriteItems checked", "UpdateItem refused", "GetItem read", "not in the journal", "UpdateItem updated", "PutItem put"]);
  equal(found.map((cells) => cells[0]), ["00:00:40.000", "00:00:30.000", "00:00:30.000", "00:00:30.000", "00:00:20.000", "00:00:10.000", "00:00:00.000"].map((time) => `2026-01-01 ${time}`));
  const changes = await page.$$eval('main [aria-label^="What was"]', (grids) => grids.map((one) => [one.getAttribute("aria-label"), [...one.querySelectorAll(":scope > table > tbody > tr")].map((tr) => tr.innerText.split(/\s+/).join(" "))]));
  equal(changes.map(([label]) => label), ["What was removed, row 1", "What was changed, row 5", "What was changed, row 6"]);
  equal([changes[1][1], changes[2][1]], [["n 2 3"], ["n 1 2"]]);
  equal(found[2][3].includes("ConditionalCheckFailedException"), true);
  equal(found.at(-1)[3].includes("says the stream"), false);
  await look("history");
  await press("UpdateItem", "main");
  await page.waitForSelector("dialog");
  await page.goBack();
  await waitText("1 further request for it");
  equal(await page.$$eval("dialog", (dialogs) => dialogs.length), 0);
  quiet();
});
await test("the time line of a world's writes: a range, pages, and what the journal has no more", async () => {
  await fetch(`${url}/_mockddb/journal`, { method: "DELETE" });
  for (let i = 0; i < 12; i++) await ask("BatchWriteItem", { RequestItems: { [PAST]: Array.from({ length: 5 }, (_, j) => ({ PutRequest: { Item: id(`${i}-${j}`) } })) } });
  await verb("clock", { advance: "1h" });
  for (let i = 0; i < 50; i++) await ask("PutItem", { TableName: i % 2 ? PAST : "People", Item: id("x") });
  await open("#/history");
  await waitText("62 requests of the journal wrote");
  equal((await rows("Writes")).length, 50);
  await press("Older");
  await waitText("page 2 of 2");
  const first = await rows("Writes");
  equal([first.length, first[0][1], first[0][3].split("\n").at(-1)], [12, "BatchWriteItem", "and 2 more"]);
  await page.reload();
  await waitText("page 2 of 2");
  await type("Table", "People");
  await waitText("25 requests of the journal wrote");
  await page.goBack();
  await waitText("page 2 of 2");
  await page.focus(".plot-area");
  for (const key of ["Home", "Enter", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  await waitText("Only 2026-01-01 00:00:40");
  equal((await rows("Writes")).length, 12);
  await look("timeline");
  await press("0-0", "main");
  await waitText("The journal has requests for this table since");
  equal((await rows("History of the item")).map((cells) => cells[1].replace("\n", " ")), ["BatchWriteItem put"]);
  const server = await startServer("--journal", "3");
  await open("#/tables", server.url);
  await send("CreateTable", { TableName: PAST, ...KEYS });
  for (let i = 0; i < 7; i++) await ask("PutItem", { TableName: PAST, Item: id("a") });
  await show(itemAt("a"));
  await waitText("4 older requests are no longer in the journal");
  equal((await rows("History of the item")).length, 3);
  await show("#/history?table=Nowhere&page=99");
  await waitText("The journal has no request that wrote");
  await show(`#/history/${PAST}`);
  await waitText("the address has no key of an item");
  await server.stop();
  await verb("clock", { real: true });
  said.length = 0;
});
await test("the history of an item with hostile names, from its form", async () => {
  const created = { TableName: LONG, KeySchema: [{ AttributeName: EVIL, KeyType: "HASH" }], AttributeDefinitions: [{ AttributeName: EVIL, AttributeType: "S" }], BillingMode: "PAY_PER_REQUEST", StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } };
  await open("#/tables");
  await send("CreateTable", created);
  await page.evaluate(async (name, evil, turned) => {
    const { call } = await import("/_mockddb/console/lib/api.js"), { bareOf } = await import("/_mockddb/console/lib/bare.js");
    await call("PutItem", { TableName: name, Item: bareOf([[evil, { S: evil }], ["__proto__", { S: evil }], ["constructor", { S: turned }], ["n", { N: "9".repeat(38) }]]) }, { explain: true });
  }, LONG, EVIL, TURNED);
  await open(`#/table/${LONG}/explore?${new URLSearchParams({ key: JSON.stringify({ [EVIL]: { S: EVIL } }) })}`);
  await press("History", "aside");
  await waitText("created, says the stream");
  equal(await page.$$eval('main [aria-label="What was created, row 1"] tbody th', (cells) => cells.map((one) => one.innerText.trim()).sort()), ["__proto__", "constructor", "n", EVIL].sort());
  await look("history-hostile");
  await show("#/history");
  await waitText("Time line of writes");
  equal(await page.evaluate(() => [window.hacked ?? null, document.querySelectorAll("main img, main script").length]), [null, 0]);
  await fits();
  quiet();
});

await end();
