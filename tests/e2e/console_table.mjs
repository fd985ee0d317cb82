// The page of a table in a headless Chromium: its tabs, addresses of earlier versions, the table of items, and the item at the
// side. Prints TAP without a plan.
//
//   node console_table.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { JOBS, SETTINGS, accessible, ask, edit, end, equal, fits, go, newTab, open, page, press, quiet, send, startServer, test, type, valueIn, waitFor, waitText } from "./browser.mjs";

const KEYS = { AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }], KeySchema: [{ AttributeName: "id", KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST" };
const hash = () => page.evaluate(() => location.hash);
const heads = () => page.$$eval('[aria-label="Items"] thead th[data-name]', (all) => all.map((one) => one.dataset.name));
const column = (name) => page.evaluate((one) => {
  const at = [...document.querySelectorAll('[aria-label="Items"] thead th')].findIndex((th) => th.dataset.name === one);
  return [...document.querySelectorAll('[aria-label="Items"] tbody tr')].map((tr) => tr.cells[at].innerText);
}, name);
const menu = async (name, action) => {
  await page.$eval(`[aria-label="Column ${name}"]`, (element) => element.click());
  await press(action, ".menu");
};

await open("#/tables");
await send("CreateTable", { TableName: "Grid", ...KEYS });
const NUMBERS = ["2", "10", "12345678901234567890123456789012345679", "12345678901234567890123456789012345678", "-1.5"];
for (const [i, N] of NUMBERS.entries()) await send("PutItem", { TableName: "Grid", Item: { id: { S: `i${i}` }, n: { N }, mixed: i % 2 ? { S: "s" } : { BOOL: true }, text: { S: "x".repeat(500) } } });

// --- addresses ----------------------------------------------------------------------------------------------------

const key = encodeURIComponent(JSON.stringify({ id: { S: "i0" } }));
const OLD = {
  "#/items/Grid": ["#/table/Grid/explore", "New item"],
  [`#/items/Grid?key=${key}`]: [`#/table/Grid/explore?key=${key}`, "Save and next"],
  "#/items/Grid?new=1": ["#/table/Grid/explore?new=1", "New item"],
  "#/items/Grid?name=n&type=N&text=2": ["#/table/Grid/explore?mode=find&find=n+%3D+2&type=N&run=1", "5 read, 1 found"],
  "#/rehearse?table=Grid&hash=i1&run=1": ["#/table/Grid/explore?hash=i1&run=1", "returned 1"],
  "#/rehearse?mode=statement&statement=SELECT+*+FROM+%22Grid%22&run=1": ["#/request?mode=statement&statement=SELECT+*+FROM+%22Grid%22&run=1", "5 items"],
  "#/rehearse": ["#/request", "Run a request to see"],
  "#/table/Grid": ["#/table/Grid/settings", "Time to live"],
};
await test("addresses of earlier versions lead to what they showed", async () => {
  for (const [old, [now, words]] of Object.entries(OLD)) {
    await open(old);
    await waitText(words);
    equal([old, await hash()], [old, now]);
  }
  const length = await page.evaluate(() => history.length);
  await go("#/table/Grid");
  equal([await hash(), await page.evaluate(() => history.length)], ["#/table/Grid/settings", length + 1]);
  quiet();
});
await test("each tab has its address, and another table is found by a part of its name", async () => {
  await open("#/tables");
  await press(SETTINGS);
  await waitFor((one) => document.querySelector("h1")?.innerText === one && document.title.startsWith(one), [SETTINGS]);
  for (const [tab, words] of [["Indexes", "GSI_ShopifyDomain"], ["Settings", "Point-in-time recovery"], ["Access", "settings-by-domain"], ["Metrics", "Cost so far"], ["Explore", "New item"]]) {
    await press(tab, "main nav");
    await waitText(words);
    equal(await hash(), `#/table/${SETTINGS}/${tab.toLowerCase()}`);
    equal(await page.$eval('main nav [aria-current="page"]', (element) => element.innerText), tab);
  }
  await press("Indexes", "main nav");
  await waitFor((one) => document.querySelector(`#tables option[value="${one}"]`), [JOBS]);
  await page.$eval(".switcher", (element, name) => { element.value = name; element.dispatchEvent(new Event("change")); }, JOBS);
  await waitFor((one) => location.hash === `#/table/${one}/indexes` && document.querySelector("h1")?.innerText === one, [JOBS]);
  quiet();
});
await test("Access has the patterns of the table with their units, Metrics the figures of the server", async () => {
  await open(`#/table/${SETTINGS}/access`);
  await press("Run them");
  await waitText("hold");
  const row = await page.$$eval('[aria-label="Access patterns"] tbody tr', (rows) => rows.find((one) => one.innerText.startsWith("settings-by-domain")).innerText.split("\t").slice(-2));
  equal(row, ["0.5", "0.5"]);
  await ask("Scan", { TableName: "Grid", Limit: 2 });
  await ask("Query", { TableName: JOBS, IndexName: "GSI_JobLookup_v2", KeyConditionExpression: "job_id = :j", ExpressionAttributeValues: { ":j": { S: "none" } } });
  await open("#/table/Grid/metrics");
  await waitText("1.5 units read");
  equal(await page.$$eval('[aria-label="Operations"] tbody tr', (rows) => rows.map((one) => [one.cells[0].innerText, one.cells[1].innerText, one.cells[3].innerText])), [["ExecuteStatement", "1", "5"], ["Query", "1", "1"], ["Scan", "1", "2"]]);
  await open(`#/table/${JOBS}/metrics`);
  await waitText("GSI_JobLookup_v2");
  quiet();
});

// --- the table of items -------------------------------------------------------------------------------------------

await test("items that were read are sorted, numbers of 38 digits, too", async () => {
  await open("#/table/Grid/explore");
  await waitFor(() => document.querySelectorAll('[aria-label="Items"] tbody tr').length === 5);
  await menu("n", "Sort ascending");
  await waitText("Sorted by n: the 5 items read so far, not the table.");
  equal(await column("n"), ["-1.5", "2", "10", "12345678901234567890123456789012345678", "12345678901234567890123456789012345679"]);
  await menu("n", "Sort descending");
  equal((await column("n"))[0], "12345678901234567890123456789012345679");
  equal(await page.$eval('th[data-name="n"]', (th) => th.getAttribute("aria-sort")), "descending");
  quiet();
});
await test("columns are hidden, moved, pinned and resized, which a reload keeps; a type that all have is in the head", async () => {
  equal(await page.$$eval("th[data-name] .type", (all) => all.map((one) => [one.closest("th").dataset.name, one.innerText])), [["id", "S"], ["n", "N"], ["text", "S"]]);
  equal((await column("mixed")).sort(), ["BOOLtrue", "BOOLtrue", "BOOLtrue", "Ss", "Ss"]);
  await menu("mixed", "Hide");
  await waitText("1 attribute of these items is not shown.");
  await menu("text", "Move left");
  await menu("text", "Move left");
  await menu("n", "Pin");
  const before = await page.$eval('th[data-name="id"]', (th) => th.offsetWidth);
  await menu("id", "Wider");
  equal(await page.$eval('th[data-name="id"]', (th) => th.offsetWidth) > before, true);
  equal(await heads(), ["n", "text", "id"]);
  await accessible();
  await page.reload();
  await waitFor(() => document.querySelector('[aria-label="Items"] tbody tr'));
  equal(await heads(), ["n", "text", "id"]);
  equal(await page.$eval('th[data-name="id"]', (th) => th.offsetWidth) > before, true);
  await press("Show the hidden column");
  equal((await heads()).includes("mixed"), true);
  await page.evaluate(() => localStorage.clear());
  quiet();
});
await test("the keyboard goes from cell to cell, and shows and copies what is in one", async () => {
  await open("#/table/Grid/explore");
  await page.waitForSelector('[aria-label="Items"] tbody td[tabindex="0"]');
  await page.focus('[aria-label="Items"] tbody td[tabindex="0"]');
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  equal(await page.$eval(".cellbar b", (element) => element.innerText), "text");
  equal(await page.$eval(".cellbar .mono", (element) => element.innerText.length), 500);
  await page.evaluate(() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; });
  await page.keyboard.down("Control");
  await page.keyboard.press("c");
  await page.keyboard.up("Control");
  equal(await page.evaluate(() => window.copied), "x".repeat(500));
  await page.keyboard.press("Enter");
  await waitFor(() => document.querySelector("dialog pre")?.innerText.length === 500);
  await page.keyboard.press("Escape");
  quiet();
});
await test("Previous and Next go through the pages of a table and of a Query, each of which is read once", async () => {
  await open(`#/table/${JOBS}/explore`);
  const first = () => page.$eval('[aria-label="Items"] tbody tr a', (element) => element.dataset.key);
  const turn = async (label, number) => { await press(label); await waitText(`page ${number}`); };
  await waitText("page 1");
  const one = await first();
  await turn("Next", 2);
  const two = await first();
  equal([one === two, (await hash()).includes("start=")], [false, true]);
  await turn("Previous", 1);
  equal([await first(), await hash()], [one, `#/table/${JOBS}/explore`]);
  await turn("Next", 2);
  await turn("Next", 3);
  const three = await first(), address = await hash();
  await page.reload();
  await waitText("page 3");
  equal([await first(), (await page.$$eval('main a', (all) => all.map((each) => each.innerText))).includes("From the beginning")], [three, false]);
  await turn("Previous", 2);
  equal(await first(), two);
  await turn("Previous", 1);
  equal(await first(), one);
  await turn("Next", 2);
  equal(await first(), two);
  const other = await newTab(); // which did not pass the pages before
  await open(address, undefined, other);
  await waitText("From the beginning", other);
  equal(await other.evaluate(() => [document.querySelector('[aria-label="Items"] tbody tr a').dataset.key, [...document.querySelectorAll("button")].find((each) => each.innerText === "Previous")?.disabled ?? true]), [three, true]);
  await other.close();
  await page.bringToFront();
  await open(`#/table/${JOBS}/explore?limit=3&run=1`);
  await waitText("read 3");
  const start = await first();
  await turn("Next", 2);
  await waitText("read 6");
  await turn("Previous", 1);
  equal(await first(), start);
  await turn("Next", 2);
  await waitText("read 6");
  quiet();
});

// --- the item at the side ------------------------------------------------------------------------------------------

await test("an item opens beside the answer, which stays; Back and Escape close it", async () => {
  await open("#/table/Grid/explore?hash=i1&run=1");
  await waitText("returned 1");
  await page.$eval('[aria-label="Items"]', (element) => { element.dataset.before = ""; });
  const before = await hash();
  await press("Open");
  await waitFor(() => document.querySelector(".drawer .editor"));
  await accessible();
  await page.goBack();
  await waitFor(() => document.querySelector(".drawer").hidden);
  await press("Open");
  await waitFor(() => document.querySelector(".drawer .editor"));
  await page.focus(".drawer h2");
  await page.keyboard.press("Escape");
  await waitFor(() => document.querySelector(".drawer").hidden);
  equal([await hash(), await page.$eval('[aria-label="Items"]', (element) => element.dataset.before)], [before, ""]);
  await page.setViewport({ width: 390, height: 844 });
  await press("Open");
  await waitFor(() => document.querySelector(".drawer .editor"));
  await fits();
  await accessible();
  await page.setViewport({ width: 1280, height: 800 });
  quiet();
});
await test("save and next goes through the rows, and makes one new item after another", async () => {
  await send("CreateTable", { TableName: "Rows", ...KEYS, AttributeDefinitions: [...KEYS.AttributeDefinitions, { AttributeName: "mail", AttributeType: "S" }],
    GlobalSecondaryIndexes: [{ IndexName: "by-mail", KeySchema: [{ AttributeName: "mail", KeyType: "HASH" }], Projection: { ProjectionType: "ALL" } }] });
  await open("#/table/Rows/explore");
  await press("New item");
  for (const id of ["a", "b", "c"]) {
    await waitFor(() => document.querySelector(".drawer .editor"));
    await edit("id", id);
    if (id !== "b") await edit("mail", `${id}@example.com`);
    await page.evaluate(() => document.getElementById("notices").replaceChildren());
    await press("Save and next");
    await waitText("Saved");
  }
  equal((await send("Scan", { TableName: "Rows" })).Items.sort((a, b) => (a.id.S < b.id.S ? -1 : 1)), [{ id: { S: "a" }, mail: { S: "a@example.com" } }, { id: { S: "b" } }, { id: { S: "c" }, mail: { S: "c@example.com" } }]);
  await waitText("3 items");
  await go("#/table/Grid/explore");
  await waitFor(() => document.querySelectorAll('[aria-label="Items"] tbody tr').length === 5);
  const order = await page.$$eval('[aria-label="Items"] tbody a', (links) => links.map((one) => JSON.parse(one.dataset.key).id.S));
  await press("Open");
  await waitFor(() => document.querySelector(".drawer .editor"));
  await edit("text", "changed");
  await press("Save and next");
  await waitFor((one) => document.querySelector(".drawer")?.innerText.includes(one) && location.hash.includes(one), [order[1]]);
  equal([await valueIn("text"), (await send("GetItem", { TableName: "Grid", Key: { id: { S: order[0] } } })).Item.text], ["x".repeat(500), { S: "changed" }]);
  quiet();
});
await test("a row shows what was saved, also in the answer of a Query, which is not sent again", async () => {
  const units = () => page.evaluate(async () => (await (await fetch("metrics")).text()).split("\n").find((line) => line.includes("latency_milliseconds_count") && line.includes('table="Grid",operation="Query"')));
  await open("#/table/Grid/explore?hash=i4&run=1");
  await press("Open");
  await waitFor(() => document.querySelector(".drawer .editor"));
  const before = await units();
  await edit("n", "77");
  await press("Save");
  await waitFor(() => document.querySelector('[aria-label="Items"] tbody').innerText.includes("77"));
  equal(await units(), before);
  await press("Delete", ".drawer");
  await waitText("No items came back.");
  await press("Undo");
  await waitFor(() => document.querySelector('[aria-label="Items"] tbody')?.innerText.includes("77"));
  quiet();
});
await test("an item expires by the clock of the world, from its page", async () => {
  const clock = async () => (await (await fetch(`${page.url().split("/_")[0]}/_mockddb/clock`)).json()).now_ms;
  await send("UpdateTimeToLive", { TableName: "Rows", TimeToLiveSpecification: { AttributeName: "until", Enabled: true } });
  await open("#/table/Rows/explore?new=1");
  await edit("id", "short");
  const before = await clock();
  await press("Expire in an hour"); // a moment in whole seconds
  await waitFor(() => [...document.querySelectorAll(".drawer .editor tr")].some((row) => row.querySelector("input")?.value === "until" && row.querySelector("textarea").value));
  await press("Save");
  await press("Advance the clock past it");
  await waitText("the item has expired, and is deleted");
  equal([(await clock()) - before >= 3599000, (await send("GetItem", { TableName: "Rows", Key: { id: { S: "short" } } })).Item], [true, undefined]);
  await fetch(`${page.url().split("/_")[0]}/_mockddb/clock`, { method: "POST", body: '{"real": true}', headers: { "Content-Type": "application/json" } });
  quiet();
});

await test("the fields of keys follow the parts that there are", async () => {
  const offers = (field) => page.$eval(`[data-field="${field}"]`, (element) => [...element.list.options].map((one) => one.value));
  const typed = async (field, text, wanted) => {
    await page.$eval(`[data-field="${field}"]`, (element, value) => { element.value = value; element.dispatchEvent(new Event("input")); }, text);
    await waitFor((at, one) => [...document.querySelector(`[data-field="${at}"]`).list.options].some((option) => option.value === one), [field, wanted]);
  };
  await open(`#/table/${JOBS}/explore`);
  await typed("hash0", "PLAT", "PLATFORM#");
  await typed("hash0", "PLATFORM#", "PLATFORM#shopify#");
  await typed("hash0", "PLATFORM#shopify#SHOP#kl", "PLATFORM#shopify#SHOP#kl7a9h55-shopify-e513a8-4");
  equal((await offers("hash0")).every((one) => one.startsWith("PLATFORM#shopify#SHOP#kl")), true);
  await typed("hash0", "PLATFORM#shopify#SHOP#kl7a9h55-shopify-e513a8-4", "PLATFORM#shopify#SHOP#kl7a9h55-shopify-e513a8-4");
  await typed("sort", "J", "JOB#");
  quiet();
});

await test("a clock is frozen, and an item expires by it, in eight actions", async () => {
  const bar = (words) => waitFor((one) => document.querySelector('#clock [aria-label="Clock"]').options[0].textContent === one, [words]);
  const server = await startServer();
  await open("#/tables", server.url);
  await send("CreateTable", { TableName: "Expiring", ...KEYS });
  await open("#/tables", server.url);
  await bar("Clock: running");
  await page.select('#clock [aria-label="Clock"]', "freeze");
  await bar("Clock: frozen");
  await press("Expiring");
  await waitText("There are no items here.");
  await press("New item");
  await edit("id", "x");
  await press("Expire in an hour");
  await press("Switch on", "dialog");
  await waitFor(() => [...document.querySelectorAll(".drawer .editor tr")].some((row) => row.querySelector("input")?.value === "expires_at"));
  await press("Save");
  await press("Advance the clock past it");
  await waitText("the item has expired, and is deleted");
  await waitText("There are no items here.");
  await go("#/control");
  await press("The system's time");
  await bar("Clock: running");
  await server.stop();
  quiet();
});

// --- the palette, worlds, faults, the example -------------------------------------------------------------------------

const keys = async (...all) => { for (const one of all) await page.keyboard.press(one); };
const palette = async (text) => {
  await page.keyboard.down("Control");
  await page.keyboard.press("k");
  await page.keyboard.up("Control");
  await waitFor(() => document.querySelector('dialog [role="option"][aria-selected="true"]'));
  await page.keyboard.type(text);
};

await test("the palette goes to tables, views and patterns, and does things, from the keyboard", async () => {
  await open("#/tables");
  await palette("grid");
  await accessible();
  await waitFor(() => document.querySelector("dialog input").getAttribute("aria-activedescendant") === document.querySelector('[role="option"][aria-selected="true"]').id);
  await keys("Enter");
  await waitFor(() => location.hash === "#/table/Grid/explore" && !document.querySelector("dialog"));
  await palette("faults");
  await keys("Enter");
  await waitFor(() => document.querySelector("h1")?.innerText === "Faults & clock");
  await palette("which row is it");
  await keys("Enter");
  await waitFor(() => location.hash === "#/patterns/questions?name=job-by-id");
  await palette("freeze");
  await keys("ArrowDown", "ArrowUp", "Enter");
  await waitText("The clock is frozen");
  await waitFor(() => !document.querySelector("dialog"));
  await palette("let the clock run");
  await keys("Enter");
  await waitText("The clock runs");
  await palette("no such thing");
  await waitText("Nothing found");
  await keys("Enter", "Escape");
  await waitFor(() => !document.querySelector("dialog"));
  quiet();
});
await test("the palette does not lose edits unasked", async () => {
  await open("#/table/Grid/explore?new=1");
  await edit("id", "mine");
  await palette("worlds");
  await keys("Enter");
  await waitText("What you edited is not saved");
  await press("Stay", "dialog");
  await waitFor(() => !document.querySelector("dialog") && location.hash.endsWith("new=1"));
  quiet();
});
await test("a world is forked, changed and compared in four actions", async () => {
  const told = (words) => waitFor((one) => document.getElementById("fork").innerText === one, [words]);
  await open("#/table/Grid/explore");
  await press("Fork");
  await waitFor(() => location.hash === "#/table/Grid/explore?world=fork-1" && document.querySelector(".bar.other"));
  await waitFor(() => document.querySelector('[aria-label="Items"] tbody tr'));
  await told("No difference from default. Compare with default");
  await page.$eval('[aria-label="Items"] input[type="checkbox"]', (element) => element.click());
  const deleted = await page.$eval('[aria-label="Items"] tbody tr a[data-key]', (element) => Object.values(JSON.parse(element.dataset.key)).map((value) => Object.values(value)[0]).join(" · "));
  await press("Delete the chosen items");
  await told(`1 difference from default: ${deleted} gone. Compare with default`);
  await press("Compare with default");
  await waitText("From default to fork-1: 1 difference (1 gone).");
  // An item is changed in a fork that is made for it: open, edit, save; what is different is said at once.
  await open("#/table/Grid/explore");
  await press("Open");
  await waitFor(() => document.querySelector(".drawer .editor textarea"));
  await page.$$eval(".drawer .editor textarea", (all) => { const one = all.find((other) => !other.disabled && !other.readOnly); one.value += "9"; one.dispatchEvent(new Event("input", { bubbles: true })); });
  await press("Save in a fork");
  await waitFor(() => location.hash.includes("world=fork-2") && /^1 difference from default: \S+ of .*\. Compare with default$/.test(document.getElementById("fork").innerText));
  await waitFor(() => document.querySelector(".drawer .editor textarea"));
  await press("Compare with default");
  await waitText("From default to fork-2: 1 difference (1 changed).");
  for (const name of ["fork-1", "fork-2"]) await fetch(`${page.url().split("/_")[0]}/_mockddb/worlds/${name}`, { method: "DELETE" });
  quiet();
});
await test("a request meets a fault once, which is removed; a reload meets none", async () => {
  const faults = async () => (await (await fetch(`${page.url().split("/_")[0]}/_mockddb/faults`)).json()).rules;
  await open("#/table/Grid/explore");
  await page.select('[aria-label="Fault"]', "error:ThrottlingException");
  await press("Run");
  await waitText("ThrottlingException");
  await waitText("The rule was met 1 time, and is removed.");
  equal(await faults(), []);
  await page.reload();
  await waitText("returned");
  equal(await page.$("main .problem"), null);
  quiet();
});
await test("an empty server loads the example by a button, and the tour works with it", async () => {
  const server = await startServer();
  await open("#/tables", server.url);
  await press("Load the e-commerce example");
  await waitText("EcomIndexSettingsTable");
  await waitFor(() => document.querySelectorAll('[aria-label="Tables"] tbody tr').length === 3);
  equal(await page.$$eval('[aria-label="Tables"] tbody tr', (rows) => rows.map((row) => row.cells[2].innerText)), ["356", "690", "230"]);
  await open("#/tour/2", server.url);
  await press("Run it");
  await waitText("returned 10");
  await server.stop();
  quiet();
});
await test("a table is made with an index and a time to live, and its items are added at once", async () => {
  await open("#/tables");
  await press("New table");
  await type("Table name", "Quick");
  await type("Partition key", "id");
  await type("Time to live (optional)", "until");
  await press("Add a global index");
  await type("Partition key", "mail", "dialog fieldset fieldset");
  await press("Create and add items", "dialog");
  for (const id of ["a", "b"]) {
    await edit("id", id);
    await edit("mail", `${id}@example.com`);
    await press("Save and next");
    await waitFor((count) => document.querySelectorAll('[aria-label="Items"] tbody tr').length === count, [id === "a" ? 1 : 2]);
  }
  const { Table } = await send("DescribeTable", { TableName: "Quick" });
  equal([Table.GlobalSecondaryIndexes.map((one) => one.IndexName), (await send("Scan", { TableName: "Quick", IndexName: "by-mail" })).Count], [["by-mail"], 2]);
  equal((await send("DescribeTimeToLive", { TableName: "Quick" })).TimeToLiveDescription.AttributeName, "until");
  quiet();
});

await end();
