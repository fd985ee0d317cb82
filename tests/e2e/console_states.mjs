// What may happen to an address of each view, in a headless Chromium: it is opened, reloaded, left and come back to, open for two worlds at once,
// at a server that ends and comes back, one that may not be written, and one that answers late. None of it writes. Prints TAP without a plan.
//
//   node console_states.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { JOBS, SHOP, ask, file, equal, end, go, newTab, open, page, press, quiet, said, startServer, test, type, url, waitFor, waitText } from "./browser.mjs";

const FIXTURE = ["--fixtures", "ecommerce", "--table-prefix", "prod-"];
const QUERY = { TableName: JOBS, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: SHOP } } };
const plan = (operation, request) => JSON.stringify({ operation, request });

const HEADS = "main :is(h1, h2, th[scope=col], legend)";
// The address of each view; `at` is a selector, what it finds has the view's text, `ready` one that it has when its figures have come, `still` says that it asks the server nothing, and `world` that the text
// has something of a further item in SHOP's partition, so that it is another one in another world.
const VIEWS = {
  "the table of items": { hash: `#/table/${JOBS}/explore?${new URLSearchParams({ hash: SHOP, run: "1" })}`, at: '[aria-label="Items"] caption, .legend', world: true },
  "item collections": { hash: `#/collections/${JOBS}?open=PLATFORM%23`, at: ".tree", world: true },
  "a collection": { hash: `#/collections/${JOBS}?${new URLSearchParams({ partition: SHOP })}`, at: ".card h3" },
  "a collection by indexes": { hash: `#/collections/${JOBS}?${new URLSearchParams({ partition: SHOP, as: "indexes" })}`, at: ".lane" },
  "two plans": { hash: `#/plans?${new URLSearchParams({ one: `aws dynamodb scan --table-name ${JOBS} --limit 100`, other: plan("Query", QUERY) })}`, at: ".plan-figure", world: true },
  "the matrix": { hash: "#/patterns/matrix", at: ".matrix" },
  "the schema": { hash: `#/schema?table=${JOBS}`, at: ".diagram", world: true },
  "a what-if index": { hash: `#/schema?${new URLSearchParams({ table: JOBS, hash: "status", name: "byStatus" })}`, at: "main form" },
  "differences of worlds": { hash: "#/worlds?from=default&to=changed", at: ".differences" },
  "live plots": { hash: "#/live?by=table", at: ".plots figure", ready: ".plots rect.tone0" },
  "live partitions": { hash: "#/live/partitions", at: ".heat" },
  "a stream, live": { hash: "#/live/stream", at: "main" },
  "the tables": { hash: "#/tables", at: "main table", world: true },
  "a table's indexes": { hash: `#/table/${JOBS}/indexes`, at: "main" },
  "a table's settings": { hash: `#/table/${JOBS}/settings`, at: HEADS },
  "a table's patterns": { hash: `#/table/${JOBS}/access`, at: HEADS },
  "a table's metrics": { hash: `#/table/${JOBS}/metrics`, at: HEADS },
  "what finds an item": { hash: `#/table/${JOBS}/explore?${new URLSearchParams({ mode: "find", find: "status = FAILED" })}`, at: "main form" },
  "a request as JSON": { hash: `#/request?${new URLSearchParams({ mode: "json", op: "Query", request: JSON.stringify(QUERY), run: "1" })}`, at: ".legend", world: true },
  "a statement": { hash: `#/request?${new URLSearchParams({ mode: "statement", statement: `SELECT * FROM "${JOBS}" WHERE pk = '${SHOP}'`, run: "1" })}`, at: ".legend" },
  "the patterns": { hash: "#/patterns", at: HEADS },
  "the coverage of patterns": { hash: "#/patterns/coverage", at: HEADS },
  "the cheat sheet": { hash: "#/patterns/sheet", at: "main" },
  "the time line": { hash: "#/history", at: HEADS },
  "an item's history": { hash: `#/history/${JOBS}?${new URLSearchParams({ key: JSON.stringify({ pk: { S: SHOP }, sk: { S: "JOB#zzz" } }) })}`, at: HEADS },
  "faults and clock": { hash: "#/control", at: HEADS },
  "the worlds": { hash: "#/worlds", at: HEADS },
  "a case file": { hash: "#/case", at: "main", still: true },
  "the tour": { hash: "#/tour/3", at: "main" },
};
const verb = async (method, path, body, base = url) => (await fetch(`${base}/_mockddb/${path}`, { method, ...(body ? { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {}) })).json();
const put = (world, item, base = url) => fetch(base, { method: "POST", body: JSON.stringify({ TableName: JOBS, Item: item }), headers: {
  "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB_20120810.PutItem", "X-Amz-Date": "20260101T000000Z", "x-mockddb-world": world,
  Authorization: "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=0" } });
const inWorld = (hash, world) => `${hash}${hash.includes("?") ? "&" : "?"}world=${world}`;

/** The view's text, once it has one that does not change any more. */
async function textOf({ at, ready = at }, tab = page) {
  await tab.waitForSelector(ready);
  let before = null;
  for (;;) {
    const now = await tab.$$eval(at, (all) => all.map((one) => (one.innerText ?? one.textContent).replace(/\d\d:\d\d:\d\d(\.\d+)?|in [\d.]+ ms/g, "")).join("\n"));
    if (now === before && now.trim()) return now;
    before = now;
    await new Promise((resolve) => { setTimeout(resolve, 60); });
  }
}

await open("#/tables");
await verb("POST", "worlds/changed", { from: "default" });
await put("changed", { pk: { S: SHOP }, sk: { S: "JOB#zzz" }, status: { S: "NEW" } });
await verb("POST", "worlds/before", { from: "default" });
await ask("Query", QUERY);

/** Nothing was written, and no world made. */
async function unchanged() {
  const now = await verb("GET", "differences?from=before&to=default");
  equal([now.added, now.changed, now.removed, (await verb("GET", "worlds")).worlds.map((one) => one.name).sort()], [0, 0, 0, ["before", "changed", "default"]]);
}

for (const [name, view] of Object.entries(VIEWS)) {
  await test(`${name}: opened by its address, reloaded, left and come back to`, async () => {
    if (view.ready) await ask("Query", QUERY); // what is live is of two minutes
    await open(view.hash);
    const text = await textOf(view), address = await page.evaluate(() => location.hash);
    await page.reload(); // as a new tab opens it
    equal([await textOf(view), await page.evaluate(() => location.hash)], [text, address]);
    await go("#/tour/1");
    await page.goBack();
    equal([await textOf(view), await page.evaluate(() => location.hash)], [text, address]);
    await page.goForward();
    await waitFor(() => location.hash === "#/tour/1" && !document.querySelector("main .busy"));
    await unchanged();
    quiet();
  });
}
await test("two tabs in two worlds: each has its own", async () => {
  const other = await newTab();
  await open("#/tables?world=changed", url, other);
  for (const [name, view] of Object.entries(VIEWS)) {
    if (/worlds$/.test(name)) continue; // their addresses, and links, name both
    await open(view.hash);
    await open(inWorld(view.hash, "changed"), url, other);
    if (view.world) equal([name, await textOf(view) !== await textOf(view, other)], [name, true]);
    equal(await other.evaluate(() => [...document.querySelectorAll("main a")].filter((one) => one.hash && !one.hash.includes("world=changed")).map((one) => one.hash)), []);
    await page.bringToFront();
  }
  await other.close();
  await unchanged();
  quiet();
});
const LATE = Object.entries(VIEWS).filter(([, view]) => !view.still && view.hash !== "#/control");
/** Goes to an address whose answers are held until they are let go. */
async function goHeld(hash) {
  await page.evaluate((to) => { window.holds = true; location.hash = to; }, hash);
  await waitFor(() => window.held.length > 0);
}
const letGo = () => page.evaluate(async () => { window.holds = false; for (const next of window.held.splice(0)) next(); await new Promise((resolve) => { setTimeout(resolve, 100); }); });

await test("answers that come late change nothing in the view that is shown then, and make the view that waits for them", async () => {
  await open("#/control", url, page, true);
  await page.evaluate(() => {
    window.held = [];
    const own = window.fetch;
    window.fetch = async (...words) => {
      const answer = await own(...words).catch((error) => error);
      if (window.holds) await new Promise((resolve) => { window.held.push(resolve); });
      if (answer instanceof Error) throw answer;
      return answer;
    };
  });
  for (const [name, view] of LATE) {
    await goHeld(view.hash);
    await page.evaluate(() => { window.holds = false; location.hash = "#/control"; });
    await waitFor(() => document.querySelector("main h1")?.innerText === "Faults & clock" && document.querySelector('[aria-label="Assertions"]'));
    const parts = () => page.$eval("main", (one) => one.querySelectorAll("h1, h2, .panel, form").length), before = await parts();
    await letGo();
    equal([name, await page.evaluate(() => location.hash), await parts(), await page.$("main .problem")], [name, "#/control", before, null]);
    if (view.ready) await ask("Query", QUERY);
    await goHeld(view.hash);
    await letGo();
    await textOf(view);
    equal([name, await page.$("main .problem")], [name, null]);
    await go("#/control");
  }
  await open("#/control", url, page, true);
  quiet();
});
await test("a read that a fault delays says that it reads, can be stopped, and shows its answer", async () => {
  await verb("POST", "faults", { rules: [{ operation: "Query", delay: "1s", times: 2 }] });
  await open("#/tables");
  await page.evaluate((hash) => { location.hash = hash; }, VIEWS["the table of items"].hash);
  await waitText("Reading …");
  await press("Stop");
  await waitText("Stopped.");
  await press("Run");
  await waitText("Reading …");
  await waitText("returned");
  equal(await page.$("main .problem"), null);
  await verb("DELETE", "faults");
  await unchanged();
  quiet();
});

// --- a server that ends, and one that may not be written ----------------------------------------------------------

const data = file("data", "").replace(/data$/, "worlds");
await test("a server that ends is said in each view, and when it is back the view is, too", async () => {
  let server = await startServer(...FIXTURE, "--data-dir", data);
  await verb("POST", "worlds/changed", { from: "default" }, server.url);
  await put("changed", { pk: { S: SHOP }, sk: { S: "JOB#zzz" }, status: { S: "NEW" } }, server.url);
  await open("#/control", server.url);
  await new Promise((resolve) => { setTimeout(resolve, 300); }); // until the page has loaded all of its views
  await open(VIEWS["differences of worlds"].hash, server.url);
  const differences = await textOf(VIEWS["differences of worlds"]);
  await server.stop();
  for (const [name, view] of LATE) {
    await page.evaluate((hash) => { location.hash = hash; }, view.hash);
    await waitFor(() => /does not answer|No answer|Failed to fetch/.test(document.querySelector("main")?.innerText)).catch((error) => { throw new Error(`${name}: ${error.message}`); });
  }
  await page.evaluate((hash) => { location.hash = hash; }, VIEWS["the table of items"].hash);
  await waitFor(() => [...document.querySelectorAll("main button")].some((one) => one.innerText === "Try again"));
  server = await startServer("--port", server.port, ...FIXTURE, "--data-dir", data);
  await press("Try again", "main");
  for (const [name, view] of Object.entries(VIEWS)) {
    if (name !== "the table of items") await page.evaluate((hash) => { location.hash = hash; }, view.hash);
    if (view.ready || name === "live partitions") await ask("Query", QUERY);
    const text = await textOf(view);
    equal([name, await page.$("main .problem")], [name, null]);
    if (name === "differences of worlds") equal(text, differences);
  }
  await server.stop();
  said.length = 0; // the browser notes each request without an answer
});
await test("a server that may not be written shows all of them, and refuses what writes", async () => {
  const server = await startServer("--read-only", ...FIXTURE, "--data-dir", data);
  for (const [name, view] of Object.entries(VIEWS)) {
    await open(view.hash, server.url);
    if (name.startsWith("live")) await page.waitForSelector("main .tabs");
    else await textOf(view);
    equal([name, await page.$("main .problem")], [name, null]);
  }
  await open(VIEWS["a what-if index"].hash, server.url);
  for (const [label, more] of [["Try it", null], ["Make it in a fork", "Make the fork"]]) {
    await press(label);
    if (more) await press(more, "dialog");
    await waitFor(() => document.querySelector("main .problem")?.innerText.includes("read-only"));
  }
  await open(`#/table/${JOBS}/indexes`, server.url);
  await press("New index");
  await type("Partition key", "status", "dialog");
  await press("Make the index", "dialog");
  await waitFor(() => document.querySelector("dialog .problem"));
  await page.keyboard.press("Escape");
  await server.stop();
  quiet();
});

await end();
