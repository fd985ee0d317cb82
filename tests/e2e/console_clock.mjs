// The console when the clock of the world moves, and what it can undo, in a headless Chromium. Prints TAP without a plan.
//
//   node console_clock.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { JOBS, accessible, edit, end, equal, go, open, page, press, quiet, said, send, startServer, test, url, valueIn, waitFor, waitText } from "./browser.mjs";

const KEYS = { AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }], KeySchema: [{ AttributeName: "id", KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST" };
const TTL = { AttributeName: "until", Enabled: true };

async function makeTable(TableName, more) {
  await send("CreateTable", { TableName, ...KEYS, ...more });
  await send("UpdateTimeToLive", { TableName, TimeToLiveSpecification: TTL });
}

const place = (table, id) => `#/table/${table}/explore?key=${encodeURIComponent(JSON.stringify({ id: { S: id } }))}`;
const clock = (body, base = url) => page.evaluate(async (at, text) => (await fetch(`${at}/_mockddb/clock`, text ? { method: "POST", body: text, headers: { "Content-Type": "application/json" } } : {})).json(), base, body ? JSON.stringify(body) : null);
/** What the menu of the clock does. */
const menu = (value) => page.select("#clock .clock", value);
const stored = async (table, id) => (await send("GetItem", { TableName: table, Key: { id: { S: id } } })).Item ?? null;
const notices = () => page.$$eval("#notices .notice > span", (all) => all.map((one) => one.innerText));
const undoOff = () => waitFor(() => [...document.querySelectorAll("main button")].find((one) => one.innerText === "Undo")?.disabled);
const rows = (count) => waitFor((wanted) => document.querySelectorAll('[aria-label="Items"] tbody tr').length === wanted, [count]);
const inMinutes = async (minutes) => ({ N: String(Math.floor((await clock()).now_ms / 1000) + 60 * minutes) });

await open("#/tables");
for (const name of ["Clocked", "Undone", "Long", "Messages"]) await makeTable(name);

await test("frozen, to expire in an hour, an hour further: the item is gone from the page, and so is its undo", async () => {
  for (const at of ["2026-12-01T10:00:00.000Z", "2026-12-01T10:00:00.999Z"]) {
    await clock({ set: at });
    await open("#/table/Clocked/explore?new=1");
    await menu("freeze");
    await waitFor(() => document.querySelector("#clock .clock").classList.contains("off"));
    await edit("id", "s1");
    await press("Expire in an hour");
    await waitFor(() => [...document.querySelectorAll(".drawer .editor tr")].some((row) => row.querySelector("input")?.value === "until" && row.querySelector("textarea").value));
    await press("Save");
    await waitText("in 60 minutes by this world's clock");
    await waitText("Last change here: created s1");
    await menu("hour");
    await waitText("The item is gone since you opened it: its time to live has passed");
    await waitText("s1 is gone: its time to live has passed");
    await waitText("There are no items here.");
    await undoOff();
    equal([await stored("Clocked", "s1"), await page.$eval("main", (element) => element.innerText.includes("another client"))], [null, false]);
    await press("Leave it deleted");
    await waitFor(() => document.querySelector(".drawer").hidden);
    await clock({ real: true });
  }
  quiet();
});

await test("when the clock moves, scroll positions, focus and edits stay, and what has expired goes", async () => {
  for (let i = 0; i < 40; i++) await send("PutItem", { TableName: "Clocked", Item: { id: { S: `k${String(i).padStart(2, "0")}` }, text: { S: "x\n".repeat(3) } } });
  await send("PutItem", { TableName: "Clocked", Item: { id: { S: "short" }, until: await inMinutes(30) } });
  await open("#/table/Clocked/explore");
  await rows(41);
  const key = await page.evaluate(() => {
    const region = document.querySelector('[aria-label="Items"]'), link = [...region.querySelectorAll("a[data-key]")].filter((one) => !one.dataset.key.includes("short"))[30];
    link.focus();
    region.scrollTop = 200;
    document.scrollingElement.scrollTop = 120;
    return link.dataset.key;
  });
  const held = () => page.evaluate(() => [document.activeElement.dataset?.key, document.querySelector('[aria-label="Items"]').scrollTop, document.scrollingElement.scrollTop]);
  const before = await held();
  equal(before[0], key);
  await page.evaluate(() => import("/_mockddb/console/lib/api.js").then(({ verb }) => verb("POST", "clock", { advance: "1h" })));
  await rows(40);
  await waitFor((one) => document.activeElement.dataset?.key === one, [key]);
  equal(await held(), before);
  await page.evaluate((at) => { location.hash = at; }, place("Clocked", "k05"));
  await waitFor(() => document.querySelector(".drawer .editor"));
  await edit("text", "an edit");
  await menu("day");
  await waitFor(() => document.querySelector("#clock .clock").classList.contains("off"));
  await page.waitForNetworkIdle({ idleTime: 200 });
  equal(await valueIn("text"), "an edit");
  await press("Save");
  await waitText("Saved");
  await clock({ real: true });
  quiet();
});

await test("every view that shows what expires follows the clock", async () => {
  const views = { "#/tables": '[aria-label="Tables"]', "#/table/Counted/indexes": '[aria-label="Keys and indexes"]', "#/table/Counted/settings": "main .title", "#/table/Counted/metrics": "main .title", "#/schema?table=Counted": "main details", "#/collections/Counted": "main .tree", "#/worlds": '[aria-label="Worlds"]' };
  await makeTable("Counted");
  await send("PutItem", { TableName: "Counted", Item: { id: { S: "stays" } } });
  for (const [hash, at] of Object.entries(views)) {
    await send("PutItem", { TableName: "Counted", Item: { id: { S: "short" }, until: await inMinutes(30) } });
    await open(hash);
    const text = () => page.$eval(at, (element) => element.textContent);
    await waitFor((one) => document.querySelector(one), [at]);
    const before = await text();
    await menu("hour");
    await waitFor((one, old) => { const element = document.querySelector(one); return element && element.textContent !== old && !document.querySelector("main .busy"); }, [at, before]);
    await clock({ real: true });
  }
  quiet();
});

await test("an answer from before the clock moved stays, and says so", async () => {
  await open("#/table/Clocked/explore?hash=k05&run=1");
  await waitText("returned 1");
  await menu("hour");
  await waitText("The world's clock was changed after this answer.");
  await press("Run it again");
  await waitFor(() => !document.querySelector(".older") && document.querySelector("main").innerText.includes("returned 1"));
  await clock({ real: true });
  quiet();
});

await test("the clock is offered where an item expires, and else the reason why it does not", async () => {
  const now = Math.floor((await clock()).now_ms / 1000), year = 365 * 86400;
  const values = {
    soon: [{ N: String(now + 600) }, "Advance the clock past it"], millis: [{ N: String(now * 1000) }, "it counts seconds, not milliseconds"], text: [{ S: "2026-01-01" }, "until is no number of seconds since 1970"],
    old: [{ N: String(now - 6 * year) }, "the service does not delete what is over for more than five years"], zero: [{ N: "0" }, "until is no number of seconds"], far: [{ N: "1e100" }, "it counts seconds, not milliseconds"],
  };
  for (const [id, [until, text]] of Object.entries(values)) {
    await send("PutItem", { TableName: "Clocked", Item: { id: { S: id }, until } });
    await open(place("Clocked", id));
    await waitText(text);
    equal(await page.$eval("main", (element) => element.innerText.includes("Advance the clock past it")), id === "soon");
  }
  const [{ pk, sk }] = (await send("Scan", { TableName: JOBS, FilterExpression: "attribute_exists(#t)", ExpressionAttributeNames: { "#t": "ttl" } })).Items;
  await open(`#/table/${JOBS}/explore?key=${encodeURIComponent(JSON.stringify({ pk, sk }))}`);
  await waitText("the items of this fixture stay, unless the server begins with --clock fixture");
  equal(await page.$eval("main", (element) => element.innerText.includes("Advance the clock past it")), false);
  const never = await startServer("--ttl-sweep-ms", "0");
  await open("#/tables", never.url);
  await makeTable("Never");
  await send("PutItem", { TableName: "Never", Item: { id: { S: "a" }, until: { N: String(now + 60) } } });
  await open(place("Never", "a"), never.url);
  await waitText("this server deletes no expired items");
  await never.stop();
  said.length = 0;
});

await test("undo says what became of an item: expired, or deleted by another client", async () => {
  const streamed = { StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" } };
  await open("#/tables");
  await makeTable("Streamed", streamed);
  for (const [table, deleted, words] of [["Undone", false, "its time to live has passed"], ["Streamed", false, "its time to live has passed"], ["Streamed", true, "another client deleted it"]]) {
    await send("PutItem", { TableName: table, Item: { id: { S: "u" }, until: await inMinutes(30), text: { S: "old" } } });
    await open(place(table, "u"), url, page, true);
    await waitFor(() => document.querySelector(".drawer .editor"));
    await edit("text", "new");
    await press("Save");
    await waitText("Last change here: changed u");
    await press("✕", ".drawer");
    if (deleted) await send("DeleteItem", { TableName: table, Key: { id: { S: "u" } } });
    await menu("hour");
    await waitText(`u is gone: ${words}`);
    await press("Undo", "main");
    await waitText(`u: ${words} since this page changed it.`);
    if (!deleted) await accessible();
    await press("Leave it", "dialog");
    equal(await stored(table, "u"), null);
    await clock({ real: true });
  }
  quiet();
});

await test("a deletion is undone from its message, wherever the page is scrolled to, and once", async () => {
  const item = { id: { S: "long" }, ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`a${i}`, { S: "line\n".repeat(12) }])) };
  for (const [width, height] of [[1280, 800], [390, 844]]) {
    await page.setViewport({ width, height });
    await send("PutItem", { TableName: "Long", Item: item });
    await open(place("Long", "long"));
    await waitFor(() => document.querySelector(".drawer .editor"));
    await page.evaluate(() => [...document.querySelectorAll(".drawer button")].find((one) => one.innerText === "Delete").scrollIntoView());
    await press("Delete", ".drawer");
    await waitText("long deleted");
    equal(await stored("Long", "long"), null);
    equal(await page.evaluate(() => { // it can be pressed by a pointer
      const button = [...document.querySelectorAll("#notices button")].find((one) => one.innerText === "Undo"), { left, top, width: w, height: h } = button.getBoundingClientRect();
      return document.elementFromPoint(left + w / 2, top + h / 2) === button;
    }), true);
    await press("Undo", "#notices");
    await waitText("long is back");
    equal([await notices(), (await stored("Long", "long")).a29], [["long is back"], item.a29]);
    await undoOff();
  }
  await page.setViewport({ width: 1280, height: 800 });
  quiet();
});

await test("the message of a deletion goes when something else is changed, or the table is left", async () => {
  for (const id of ["m1", "m2"]) await send("PutItem", { TableName: "Messages", Item: { id: { S: id }, text: { S: "old" } } });
  await open(place("Messages", "m1"));
  await press("Delete", ".drawer");
  await waitText("m1 deleted");
  await page.evaluate((at) => { location.hash = at; }, place("Messages", "m2"));
  await waitFor(() => document.querySelector(".drawer .editor")?.innerText.includes("m2"));
  await edit("text", "new");
  await press("Save");
  await waitText("Last change here: changed m2, after 1 before it");
  equal(await notices(), ["Saved"]);
  await press("Delete", ".drawer");
  await waitText("m2 deleted");
  await go("#/table/Clocked/explore");
  equal((await notices()).filter((one) => one.includes("deleted")), []);
  quiet();
});

await test("several items are deleted and brought back as one; the tab keeps its undo over a reload, and checks what is stored", async () => {
  await send("CreateTable", { TableName: "Group", ...KEYS });
  const items = Object.fromEntries(["g1", "g2", "g3"].map((id) => [id, JSON.parse(`{"id":{"S":"${id}"},"constructor":{"S":"${id}"},"__proto__":{"N":"1"}}`)]));
  const text = (one) => JSON.stringify(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)));
  for (const id of Object.keys(items)) await page.evaluate(async (body) => { const { call } = await import("/_mockddb/console/lib/api.js"); await call("PutItem", JSON.parse(body)); }, JSON.stringify({ TableName: "Group", Item: items[id] }));
  await open("#/table/Group/explore", url, page, true);
  await rows(3);
  await page.$$eval('[aria-label="Items"] input[type="checkbox"]', (boxes) => boxes.forEach((one) => one.click()));
  await press("Delete the chosen items");
  await press("Delete", "dialog");
  await waitText("3 items deleted");
  await waitText("Last change here: deleted 3 items");
  await page.reload();
  await waitText("Last change here: deleted 3 items");
  await send("PutItem", { TableName: "Group", Item: { id: { S: "g2" }, theirs: { BOOL: true } } });
  await press("Undo", "main");
  await waitText("g2: another client changed it since this page deleted it.");
  await press("Leave it", "dialog");
  await waitFor(() => /Last change here: deleted (g2|2 items)/.test(document.querySelector("main").innerText));
  equal((await stored("Group", "g2")).theirs, { BOOL: true });
  await send("DeleteItem", { TableName: "Group", Key: { id: { S: "g2" } } });
  await press("Undo", "main");
  await waitText("back");
  await undoOff();
  const found = await page.evaluate(async () => { const { call } = await import("/_mockddb/console/lib/api.js"); return (await call("Scan", { TableName: "Group" })).Items.map((one) => JSON.stringify(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))).sort(); });
  equal(found, Object.values(items).map(text).sort());
  equal(await page.evaluate(() => sessionStorage.getItem("mockddb.changes").length < 3e6), true);
  quiet();
});

await test("a world that was reset in another way than by this tab is checked, too: nothing of it is lost", async () => {
  await send("PutItem", { TableName: "Group", Item: { id: { S: "r" }, text: { S: "old" } } });
  await open(place("Group", "r"), url, page, true);
  await edit("text", "new");
  await press("Save");
  await waitText("Last change here: changed r");
  await send("PutItem", { TableName: "Group", Item: { id: { S: "r" }, text: { S: "theirs" } } });
  await page.reload();
  await waitText("Last change here: changed r");
  await press("Undo", "main");
  await waitText("r: another client changed it since this page changed it.");
  await press("Leave it", "dialog");
  equal((await stored("Group", "r")).text, { S: "theirs" });
  quiet();
});

await end();
