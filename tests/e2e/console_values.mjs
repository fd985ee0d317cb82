// Names and values that a form, a table or a script could do harm to: what JavaScript's objects have by themselves, line
// ends, sets, letters that are not seen, many and long names. Prints TAP without a plan.
//
//   node console_values.mjs CHROMIUM URL [FOLDER]

import { accessible, edit, end, equal, fits, go, open, page, press, quiet, send, startServer, test, url, valueIn, waitFor, waitText } from "./browser.mjs";

const keyed = (name) => ({ AttributeDefinitions: [{ AttributeName: name, AttributeType: "S" }], KeySchema: [{ AttributeName: name, KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST" });
const place = (table, key) => `#/table/${table}/explore?key=${encodeURIComponent(JSON.stringify(key))}`;
const put = (table, item) => send("PutItem", { TableName: table, Item: item });

/** The attributes of an item as [name, value], in order; JSON that the page reads would lose __proto__ on its way here. */
const stored = (table, key) => page.evaluate(async (name, at) => {
  const { call } = await import("/_mockddb/console/lib/api.js");
  const { Item } = await call("GetItem", { TableName: name, Key: JSON.parse(at) });
  return Item ? Object.entries(Item).sort(([a], [b]) => (a < b ? -1 : 1)) : null;
}, table, JSON.stringify(key));

const pressIn = (name, label) => page.evaluate((one, text) => [...document.querySelectorAll("main .editor tr")].find((tr) => tr.querySelector("input")?.value === one)
  .querySelectorAll("button").forEach((button) => { if (button.innerText === text) button.click(); }), name, label);

async function save() {
  await page.evaluate(() => document.getElementById("notices").replaceChildren());
  await press("Save");
  await waitText("Saved");
}

// --- what every object has ---------------------------------------------------------------------------------------

const NAMES = ["__proto__", "constructor", "hasOwnProperty", "toString", "valueOf", "isPrototypeOf", "__defineGetter__", "length", "then"];

await test("attributes that are called as JavaScript's own are shown and edited like any other", async () => {
  await open("#/tables");
  await send("CreateTable", { TableName: "Names", ...keyed("id"), StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } });
  await put("Names", { id: { S: "plain" }, other: { S: "x" } });
  await open("#/table/Names/explore?new=1");
  await edit("id", "odd");
  for (const name of NAMES) {
    await press("Add an attribute");
    await page.$eval("main .editor tbody tr:last-child input", (element, text) => { element.value = text; element.dispatchEvent(new Event("input")); }, name);
    await page.$eval("main .editor tbody tr:last-child textarea", (element, text) => { element.value = text; element.dispatchEvent(new Event("input")); }, `of ${name}`);
  }
  await press("Save");
  await waitFor(() => location.hash.includes("key="));
  const all = [...NAMES.map((name) => [name, { S: `of ${name}` }]), ["id", { S: "odd" }]].sort(([a], [b]) => (a < b ? -1 : 1));
  equal(await stored("Names", { id: { S: "odd" } }), all);
  await open(place("Names", { id: { S: "odd" } }));
  for (const name of NAMES) equal(await valueIn(name), `of ${name}`);
  await edit("__proto__", "new");
  await page.$eval('[aria-label="Remove toString"]', (element) => element.click());
  await save();
  const left = all.filter(([name]) => name !== "toString").map(([name, value]) => [name, name === "__proto__" ? { S: "new" } : value]);
  equal(await stored("Names", { id: { S: "odd" } }), left);
  quiet();
});

await test("so they are in tables of items, in streams, in Explore, and where worlds are compared", async () => {
  for (const hash of ["#/table/Names/explore", "#/table/Names/explore?run=1"]) {
    await open(hash);
    await waitText("of constructor");
    equal(await page.$$eval("main table thead th", (heads) => heads.map((one) => one.dataset.name).filter((one) => one?.includes("proto"))), ["__proto__"]);
  }
  for (const tab of ["Typed JSON", "Plain JSON", "boto3", "JavaScript", "Java", "Go", "PartiQL"]) await press(tab);
  await open("#/live/stream");
  await waitText("0 records since this page is open");
  await put("Names", { id: { S: "streamed" }, constructor: { S: "in a stream" } });
  await waitText("in a stream");
  equal(await page.$(".problem"), null);
  await fetch(`${url}/_mockddb/worlds/odd`, { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"from": "default"}' });
  await put("Names", { id: { S: "plain" }, valueOf: { S: "x" } });
  await open("#/worlds?from=odd&to=default");
  await waitText("1 difference");
  await waitText("valueOf: – → x");
  equal(await page.$(".problem"), null);
  await fetch(`${url}/_mockddb/worlds/odd`, { method: "DELETE" });
  quiet();
});

await test("a key may be called so, too", async () => {
  for (const name of ["constructor", "__proto__"]) {
    const table = `Key-${name}`, key = JSON.parse(`{${JSON.stringify(name)}: {"S": "a"}}`);
    await send("CreateTable", { TableName: table, ...keyed(name) });
    await open(`#/table/${table}/explore?new=1`);
    await edit(name, "a");
    await press("Save");
    await waitFor(() => location.hash.includes("key="));
    equal(await stored(table, key), [[name, { S: "a" }]]);
    await open(`#/table/${table}/explore`);
    await press("Open");
    await press("Add an attribute");
    await page.$eval("main .editor tbody tr:last-child input", (element) => { element.value = "more"; element.dispatchEvent(new Event("input")); });
    await save();
    equal((await stored(table, key)).length, 2);
    await open(`#/table/${table}/explore?${new URLSearchParams({ hash: "a", run: "1" })}`);
    await waitText("returned 1");
    await press("Open");
    await waitFor(() => document.querySelector("main .editor"));
  }
  quiet();
});

// --- sets and line ends ----------------------------------------------------------------------------------------

const LINES = { id: { S: "a" }, set: { SS: ["c", "line1\nline2"] }, empty: { SS: ["", "x"] }, text: { S: "one\r\ntwo\rthree\n" }, list: { L: [{ S: "a\r\nb" }] }, other: { S: "old" } };

await test("what was not edited is written as it was, or not at all", async () => {
  await send("CreateTable", { TableName: "Lines", ...keyed("id") });
  await put("Lines", LINES);
  await open(place("Lines", { id: { S: "a" } }));
  await press("Save");
  await waitText("nothing was changed");
  await edit("other", "new");
  await save();
  await press("As JSON");
  await press("As a form");
  await edit("other", "newer");
  await save();
  equal(Object.fromEntries(await stored("Lines", { id: { S: "a" } })), Object.fromEntries(Object.entries({ ...LINES, other: { S: "newer" } }).sort(([a], [b]) => (a < b ? -1 : 1))));
  quiet();
});

await test("sets and strings with line ends are edited as JSON, and come back whole", async () => {
  await open(place("Lines", { id: { S: "a" } }));
  equal(JSON.parse(await valueIn("set")), ["c", "line1\nline2"]);
  equal(JSON.parse(await valueIn("empty")), ["", "x"]);
  equal(JSON.parse(await valueIn("text")), "one\r\ntwo\rthree\n");
  await edit("set", '["line1\\nline2", "d"]');
  await edit("text", '"one\\r\\nthree"');
  await save();
  const now = Object.fromEntries(await stored("Lines", { id: { S: "a" } }));
  equal([now.set, now.text], [{ SS: ["d", "line1\nline2"] }, { S: "one\r\nthree" }]);
  await pressIn("set", "Write it as text");
  await waitText("would not stay as it is");
  await edit("set", '"no list"');
  await press("Save");
  await waitText("set: a list of strings in JSON is needed");
  await edit("set", '["d", "e"]');
  await pressIn("set", "Write it as text");
  equal(await valueIn("set"), "d\ne");
  await edit("set", "e\nf\n");
  await save();
  equal(Object.fromEntries(await stored("Lines", { id: { S: "a" } })).set, { SS: ["e", "f"] });
  quiet();
});

// --- the key of an item ------------------------------------------------------------------------------------------

await test("the key of an item stays; a copy has a key of its own, and takes what was edited along", async () => {
  await put("Lines", { id: { S: "k" }, text: { S: "old" } });
  await open(place("Lines", { id: { S: "k" } }));
  equal(await page.$$eval("main .editor tr:first-child :is(input, textarea, select, button)", (controls) => controls.length), 0);
  await edit("text", "new");
  await press("As JSON");
  await page.$eval("main textarea", (element) => { element.value = '{"id": {"S": "other"}, "text": {"S": "new"}}'; element.dispatchEvent(new Event("input")); });
  await press("Save");
  await waitText("the key of an item cannot be changed");
  await page.$eval("main textarea", (element) => { element.value = '{"id": {"S": "k"}, "text": {"S": "new"}}'; element.dispatchEvent(new Event("input")); });
  await press("Copy to a new item");
  await waitText("give it a key of its own");
  equal(await valueIn("text"), "new");
  await edit("id", "k2");
  await press("Save");
  await waitFor(() => location.hash.includes("k2"));
  equal([await stored("Lines", { id: { S: "k" } }), await stored("Lines", { id: { S: "k2" } })], [[["id", { S: "k" }], ["text", { S: "old" }]], [["id", { S: "k2" }], ["text", { S: "new" }]]]);
  quiet();
});

// --- many, long and unseen names -----------------------------------------------------------------------------------

await test("attributes that have no column are counted, and shown when that is asked for", async () => {
  const wide = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`wide${i}`, { N: String(i) }]));
  await send("CreateTable", { TableName: "Wide", ...keyed("id") });
  await put("Wide", { id: { S: "a" }, ...wide(29) });
  const heads = (name) => page.$$eval("main table thead th", (all, begin) => all.filter((one) => one.dataset.name?.startsWith(begin)).length, name);
  for (const hash of ["#/table/Wide/explore", "#/table/Wide/explore?run=1"]) {
    await open(hash);
    await waitText("6 attributes of these items are not shown.");
    equal(await heads("wide"), 23);
    await press("Show all attributes");
    await waitFor(() => !document.querySelector("main").innerText.includes("not shown"));
    equal(await heads("wide"), 29);
  }
  await put("Wide", { id: { S: "b" }, ...wide(500) });
  await open("#/table/Wide/explore");
  await page.$$eval('[aria-label="Items"] input[type="checkbox"]', ([first]) => first.click());
  await press("Show 200 more attributes");
  await waitText("277 attributes of these items are not shown.");
  equal(await page.$$eval('[aria-label="Items"] input[type="checkbox"]', ([first, second]) => [first.checked, second.checked]), [true, false]);
  quiet();
});

await test("letters that are not seen, or turn others around, are", async () => {
  await put("Lines", { id: { S: "\u202egnp" }, "evil\u202eeman": { S: "a\u0000b\u200bc" } });
  await open("#/table/Lines/explore");
  for (const text of ["⟨202E⟩gnp", "evil⟨202E⟩eman", "a⟨0000⟩b⟨200B⟩c"]) await waitText(text);
  await open(place("Lines", { id: { S: "\u202egnp" } }));
  for (const text of ["⟨202E⟩gnp", "evil⟨202E⟩eman"]) await waitText(text);
  quiet();
});

await test("the form is usable in a narrow window, and with long names", async () => {
  const name = "a_partition_key_of_a_long_name_too", table = "T".repeat(200);
  await send("CreateTable", { TableName: table, ...keyed(name) });
  await put(table, { [name]: { S: "k".repeat(300) }, ["attribute_".repeat(8)]: { S: "a value that takes some room" } });
  for (const [width, height] of [[1280, 800], [390, 844]]) {
    await page.setViewport({ width, height });
    await open(place(table, { [name]: { S: "k".repeat(300) } }));
    await fits();
    await accessible();
    const [select, value] = await page.$$eval("main .editor tr:last-child :is(select, textarea)", (controls) => controls.map((one) => one.getBoundingClientRect().width));
    equal([select >= 120, value >= 300], [true, true]);
    equal(await page.$eval(".drawer .scroll", (element) => element.scrollWidth <= element.clientWidth), true);
    await open("#/tables");
    await fits();
    equal(await page.$eval('main [aria-label="Tables"]', (element) => element.scrollWidth <= element.clientWidth), true);
  }
  await page.setViewport({ width: 1280, height: 800 });
  quiet();
});

// --- regions that are apart ----------------------------------------------------------------------------------------

await test("where regions are apart, an item is written in the region that it was read in", async () => {
  const server = await startServer("--regions", "by-request", "--region", "eu-west-1");
  await open("#/tables", server.url);
  await send("CreateTable", { TableName: "Here", ...keyed("id") });
  await go("#/table/Here/explore?new=1");
  await edit("id", "a");
  await press("Save");
  await waitFor(() => location.hash.includes("key="));
  equal(await stored("Here", { id: { S: "a" } }), [["id", { S: "a" }]]);
  await server.stop();
  quiet();
});

await end();
