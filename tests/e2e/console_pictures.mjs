// The console's pictures in a headless Chromium: item collections, plans, access patterns by tables, schemas, differences of
// worlds; compared with what the API answers. Prints TAP without a plan.
//
//   node console_pictures.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { JOBS, SETTINGS, SHOP, accessible, ask, end, equal, fits, look, open, page, press, quiet, send, show, test, url, waitFor, waitText } from "./browser.mjs";

const texts = (selector) => page.$$eval(selector, (all) => all.map((one) => one.innerText.replace(/\s+/g, " ").trim()));
const hash = () => page.evaluate(() => location.hash);
const verb = (target) => page.evaluate(async (one) => (await fetch(`/_mockddb/${one}`)).json(), target);

/** All items by Scan. */
async function everything(TableName, more = {}) {
  const items = [];
  let ExclusiveStartKey;
  do {
    const answer = await send("Scan", { TableName, ...more, ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}) });
    items.push(...answer.Items);
    ExclusiveStartKey = answer.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

// --- item collections ---------------------------------------------------------------------------------

const COLLECTIONS = `#/collections/${JOBS}`;

await test("the tree has the parts of a Scan's keys, with their counts", async () => {
  await open(COLLECTIONS);
  const items = await everything(JOBS);
  await waitText(`All ${items.length} items of ${new Set(items.map((one) => one.pk.S)).size} partitions were looked at.`);
  for (const [depth, prefix] of ["PLATFORM#", "PLATFORM#shopify#", "PLATFORM#shopify#SHOP#"].entries()) {
    await page.evaluate((text) => [...document.querySelectorAll("summary")].find((one) => one.querySelector("bdi")?.innerText === text).click(), `${prefix.split("#").at(-2)}#`);
    const wanted = new Map();
    for (const { pk } of items.filter((one) => one.pk.S.startsWith(prefix))) {
      const [part] = pk.S.slice(prefix.length).split("#");
      wanted.set(part, (wanted.get(part) ?? 0) + 1);
    }
    await waitFor((count, level) => document.querySelectorAll(`${".tree ".repeat(level + 2)}> li`).length === count, [wanted.size, depth]);
    const rows = await page.$$eval(`${".tree ".repeat(depth + 2)}> li .part`, (all) => all.map((one) => [one.querySelector("bdi").innerText.replace("#", ""), one.querySelector(".figures").innerText]));
    for (const [part, figures] of rows) equal(Number(/([\d,]+) items?,/.exec(figures)[1].replace(",", "")), wanted.get(part));
  }
  equal(new URLSearchParams((await hash()).split("?")[1]).getAll("open"), ["PLATFORM#", "PLATFORM#shopify#", "PLATFORM#shopify#SHOP#"]);
  quiet();
});
await test("reload and Back show the tree as it was; a collection is a state of its own", async () => {
  await page.reload();
  await page.waitForSelector(".tree .tree .tree .tree a");
  await page.$eval(".tree .tree .tree .tree a", (one) => one.click());
  await waitText("pk =");
  await page.goBack();
  await page.waitForSelector(".tree .tree .tree .tree a");
  quiet();
});
await test("a collection's cards are in the order of its sort key, page by page", async () => {
  await open(`${COLLECTIONS}?${new URLSearchParams({ partition: SHOP })}`);
  const { Items } = await send("Query", { TableName: JOBS, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: SHOP } } });
  const sorts = async () => (await texts(".card h3")).map((one) => one.replace(/^\d+ /, ""));
  const seen = [];
  for (;;) {
    await page.waitForSelector(".card");
    const now = await sorts();
    seen.push(...now);
    const more = await page.evaluate(() => [...document.querySelectorAll("button")].some((one) => one.innerText === "Next page"));
    if (!more) break;
    await press("Next page");
    await waitFor((before) => document.querySelector(".card h3") && !document.querySelector(".card h3").innerText.endsWith(before), [now[0]]);
  }
  equal(seen, Items.map((one) => one.sk.S));
  await page.goBack();
  await page.waitForSelector(".card");
  quiet();
});
await test("sort keys by their beginning, counted as a Query does", async () => {
  await open(`#/collections/${SETTINGS}?${new URLSearchParams({ partition: "kl7a9h55", sort: "INDEX#" })}`);
  await page.waitForSelector(".parts a");
  for (const [label, key] of await page.$$eval(".parts a", (all) => all.map((one) => [one.innerText, new URLSearchParams(one.hash.split("?")[1]).get("sort")]))) {
    const { Count } = await send("Query", { TableName: SETTINGS, Select: "COUNT", KeyConditionExpression: "pk = :p AND begins_with(sk, :s)", ExpressionAttributeValues: { ":p": { S: "kl7a9h55" }, ":s": { S: key } } });
    const own = await verb(`collections?${new URLSearchParams({ table: SETTINGS, partition: "kl7a9h55", prefix: key })}`);
    equal([Number(/(\d+)$/.exec(label.trim())[1]) <= Count, own.read], [true, Count]);
  }
  quiet();
});
await test("the same items through each index are those that the index has", async () => {
  await open(`${COLLECTIONS}?${new URLSearchParams({ partition: SHOP, as: "indexes" })}`);
  await page.waitForSelector(".lane");
  const lanes = await page.$$eval(".lane", (all) => all.map((lane) => ({ name: lane.querySelector("h3").innerText, marks: [...lane.querySelectorAll("li .number-mark")].map((one) => Number(one.innerText)) })));
  const { Items } = await send("Query", { TableName: JOBS, Limit: 24, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: SHOP } } });
  for (const { name, marks } of lanes.slice(1)) {
    const entries = await everything(JOBS, { IndexName: name });
    const of = (item) => JSON.stringify([item.pk, item.sk]), there = new Set(entries.map(of));
    equal([...marks].sort((a, b) => a - b), Items.map((item, i) => (there.has(of(item)) ? i + 1 : 0)).filter(Boolean));
    const place = new Map(entries.map((item, i) => [of(item), i])), byGroup = marks.map((mark) => place.get(of(Items[mark - 1])));
    equal(byGroup.length, marks.length);
  }
  equal(lanes.map((one) => one.name)[0], "the table");
  await page.reload();
  await page.waitForSelector(".lane");
  quiet();
});
await test("keys and names of every kind: constructor, turned letters, 255 letters; nothing runs", async () => {
  const table = "T".repeat(255), evil = '<img src=x onerror="window.hacked=1">';
  await send("CreateTable", { TableName: table, BillingMode: "PAY_PER_REQUEST", AttributeDefinitions: [{ AttributeName: "constructor", AttributeType: "S" }, { AttributeName: "toString", AttributeType: "S" }], KeySchema: [{ AttributeName: "constructor", KeyType: "HASH" }, { AttributeName: "toString", KeyType: "RANGE" }] });
  for (const key of ["A#constructor", "A#__proto__", `A#${evil}`, "A#\u202elive", `A#${"w".repeat(900)}`]) await send("PutItem", { TableName: table, Item: { constructor: { S: key }, toString: { S: evil }, valueOf: { S: evil }, type: { S: evil.slice(0, 30) } } });
  await open(`#/collections/${table}?open=A%23`);
  await waitFor(() => document.querySelectorAll(".tree .tree li").length === 5);
  await fits();
  await page.setViewport({ width: 390, height: 844 });
  await fits();
  await accessible();
  await page.setViewport({ width: 1280, height: 800 });
  for (const key of ["A#constructor", `A#${evil}`, "A#\u202elive"]) {
    await show(`#/collections/${table}?${new URLSearchParams({ partition: key })}`);
    await page.waitForSelector(".card");
    await show(`#/collections/${table}?${new URLSearchParams({ partition: key, as: "indexes" })}`);
    await page.waitForSelector(".lane");
  }
  equal(await page.evaluate(() => [window.hacked ?? null, document.querySelectorAll("main img").length]), [null, 0]);
  await send("DeleteTable", { TableName: table });
  quiet();
});
await test("a sample says how much was looked at, and more is a press away", async () => {
  await open(`${COLLECTIONS}?keys=100`);
  const answer = await verb(`collections?${new URLSearchParams({ table: JOBS, keys: 100 })}`);
  await waitText(`A sample: ${answer.read} of ${answer.entries} items were looked at`);
  equal(Number(/([\d,]+)\+? items?,/.exec((await texts(".tree .figures"))[0])[1]), answer.parts[0].items);
  await press("Look at up to 1,000,000");
  await waitText(`All ${answer.entries} items`);
  await page.goBack();
  await waitText("A sample:");
  quiet();
});
await look("collections", `${COLLECTIONS}?open=PLATFORM%23&open=PLATFORM%23shopify%23`, "Kinds of items");
await look("collection", `${COLLECTIONS}?${new URLSearchParams({ partition: SHOP })}`, "Next page");
await look("collection-indexes", `${COLLECTIONS}?${new URLSearchParams({ partition: SHOP, as: "indexes" })}`, "the table");

// --- plans --------------------------------------------------------------------------------------------

const QUERY = { TableName: JOBS, KeyConditionExpression: "pk = :p", FilterExpression: "#s = :s", ExpressionAttributeNames: { "#s": "status" }, ExpressionAttributeValues: { ":p": { S: SHOP }, ":s": { S: "FAILED" } } };
const SCAN = { TableName: JOBS, Limit: 100 };
const plan = (operation, request) => JSON.stringify({ operation, request });
const strips = () => page.$$eval(".plan", (all) => all.map((one) => Object.fromEntries([...one.querySelectorAll("rect")].map((part) => [part.getAttribute("class").split(" ")[0], Number.parseFloat(part.getAttribute("width"))]))));
const legend = () => page.$$eval(".plan-figure .legend b", (all) => all.map((one) => one.innerText));

await test("a plan's strip has the shares of what was read, and its place is counted", async () => {
  await open(`#/plans?${new URLSearchParams({ one: plan("Query", QUERY) })}`);
  await page.waitForSelector(".plan");
  const { Count, ScannedCount, ConsumedCapacity } = await send("Query", { ...QUERY, ReturnConsumedCapacity: "TOTAL" });
  const [{ "plan-removed": removed, "plan-returned": returned }] = await strips();
  equal([Math.round(removed), Math.round(returned)], [Math.round((100 * (ScannedCount - Count)) / ScannedCount), Math.round((100 * Count) / ScannedCount)]);
  equal(await legend(), [String(ScannedCount - Count), String(Count), `${ConsumedCapacity.CapacityUnits} units`]);
  await waitText(`The partition has ${ScannedCount} items; ${ScannedCount} of them were read.`);
  quiet();
});
await test("what a page did not read is a share of the units of all pages", async () => {
  await open(`#/plans?${new URLSearchParams({ one: plan("Scan", SCAN) })}`);
  await page.waitForSelector(".plan");
  const { ConsumedCapacity } = await send("Scan", { ...SCAN, ReturnConsumedCapacity: "TOTAL" });
  const { explanation } = await page.evaluate(async (request) => (await fetch("/_mockddb/try", { method: "POST", body: JSON.stringify({ operation: "Scan", request }) })).json(), SCAN);
  const [{ "plan-returned": returned, "plan-unread": unread }] = await strips();
  const share = (100 * ConsumedCapacity.CapacityUnits) / explanation.facts.all_pages_units;
  equal([Math.round(returned), Math.round(unread)], [Math.round(share), Math.round(100 - share)]);
  await waitText(`The table has ${(await everything(JOBS)).length} items; 100 of them were read.`);
  quiet();
});
await test("two plans have one scale; a write in an address is not run", async () => {
  await open(`#/plans?${new URLSearchParams({ one: `aws dynamodb scan --table-name ${JOBS}`, other: plan("Query", QUERY) })}`);
  await waitFor(() => document.querySelectorAll(".plan").length === 2);
  const [scan, query] = await strips(), read = (await send("Query", QUERY)).ScannedCount, all = (await everything(JOBS)).length;
  equal(Math.round(scan["plan-returned"]), 100);
  equal(Math.round(query["plan-removed"] + query["plan-returned"]), Math.round((100 * read) / all));
  await page.reload();
  await waitFor(() => document.querySelectorAll(".plan").length === 2);
  const key = { pk: { S: SHOP }, sk: { S: "x" } };
  await open(`#/plans?${new URLSearchParams({ one: plan("PutItem", { TableName: JOBS, Item: key }) })}`);
  await waitText("only reads are compared");
  equal((await send("GetItem", { TableName: JOBS, Key: key })).Item ?? null, null);
  quiet();
});
await look("plans", `#/plans?${new URLSearchParams({ one: `aws dynamodb scan --table-name ${JOBS}`, other: plan("Query", QUERY) })}`, "times less");

await test("a table's page leads to its collections and its picture, and a read to its comparison", async () => {
  await open(`#/table/${JOBS}/indexes`);
  await press("Item collections");
  await waitText("Kinds of items");
  await page.goBack();
  await press("Picture, and what a further index would change");
  await waitText("What if there were an index?");
  await open(`#/request?${new URLSearchParams({ mode: "json", op: "Query", request: JSON.stringify(QUERY), run: "1" })}`);
  await press("Compare with another read");
  await waitText("Two reads compared");
  await page.waitForSelector(".plan");
  equal(await page.$$eval("textarea", (all) => all.map((one) => Boolean(one.value))), [true, false]);
  quiet();
});

// --- access patterns by tables and indexes --------------------------------------------------------------

const cell = (row, place) => page.evaluate((name, at) => {
  const found = [...document.querySelectorAll(".matrix tbody tr")].find((one) => one.cells[0].innerText === name)?.querySelector(`[data-place="${at}"]`);
  return found ? { text: found.innerText.replace(/\s+/g, " ").trim(), kind: found.className, hash: found.querySelector("a")?.hash } : null;
}, row, place);

await test("the matrix has the patterns' units, live traffic of the journal, and what no pattern asks", async () => {
  await fetch(`${url}/_mockddb/journal`, { method: "DELETE" });
  await open("#/tables");
  await ask("Scan", { TableName: SETTINGS });
  const { report } = await page.evaluate(async () => (await fetch("/_mockddb/patterns/run", { method: "POST" })).json());
  const job = report.results.find((one) => one.name === "job-by-id"), id = (await everything(JOBS))[0].job_id;
  await ask("Query", { TableName: JOBS, IndexName: "GSI_JobLookup_v2", KeyConditionExpression: "job_id = :j", ExpressionAttributeValues: { ":j": id } });
  await open("#/patterns/matrix");
  await page.waitForSelector(".matrix");
  const lookup = await cell("job-by-id", `${JOBS}.GSI_JobLookup_v2`);
  equal([lookup.text, /heat\d/.test(lookup.kind)], [`${job.steps[0].rcu} 1×, 0.5 units`, true]);
  const row = await cell("job-by-id", JOBS);
  equal([row.text, row.kind], [`${job.steps[1].rcu} unused`, "cell unused"]);
  const entries = (await (await fetch(`${url}/_mockddb/journal`)).text()).trim().split("\n").map((one) => JSON.parse(one)), scan = entries.find((one) => one.operation === "Scan");
  const scans = await page.$$eval(".matrix .scan", (all) => all.map((one) => one.innerText.replace(/\s+/g, " ")));
  equal(scans, [`Scan – 1×, ${scan.read_units} units`]);
  equal(await page.$$eval(".matrix tbody tr", (rows) => rows.length), report.patterns + 1);
  await page.evaluate((to) => { location.hash = to; }, lookup.hash);
  await waitText("returned 1");
  await page.goBack();
  await page.waitForSelector(".matrix");
  quiet();
});
await look("matrix", "#/patterns/matrix", "more live traffic");

// --- schemas --------------------------------------------------------------------------------------------

await test("the picture of a schema has each table, key and index, and is saved as an SVG", async () => {
  await open("#/schema");
  await page.waitForSelector(".diagram");
  const described = await Promise.all((await send("ListTables", {})).TableNames.map(async (TableName) => (await send("DescribeTable", { TableName })).Table));
  equal(await page.$$eval(".diagram rect.d-box.d-table", (all) => all.length), described.length);
  equal(await page.$$eval(".diagram rect.d-box.d-index, .diagram rect.d-box.d-local", (all) => all.length), described.reduce((so, one) => so + (one.GlobalSecondaryIndexes?.length ?? 0) + (one.LocalSecondaryIndexes?.length ?? 0), 0));
  const names = await page.$$eval(".diagram title", (all) => all.map((one) => one.textContent));
  for (const table of described) for (const name of [table.TableName, ...(table.GlobalSecondaryIndexes ?? []).map((one) => one.IndexName), table.KeySchema[0].AttributeName]) equal([name, names.includes(name)], [name, true]);
  await page.evaluate(() => {
    window.saved = [];
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => { window.saved.push(blob); return make(blob); };
  });
  await press("Save as SVG");
  await waitFor(() => window.saved.length === 1);
  const [kind, root, boxes] = await page.evaluate(async () => {
    const file = new DOMParser().parseFromString((await window.saved[0].text()).replace(/<style>.*?<\/style>/s, ""), "image/svg+xml");
    return [window.saved[0].type, file.documentElement.nodeName, file.querySelectorAll("rect.d-box").length];
  });
  equal([kind, root, boxes], ["image/svg+xml", "svg", names.length ? await page.$$eval(".diagram rect.d-box", (all) => all.length) : 0]);
  quiet();
});
await test("an index that is not there is tried in a fork with the journal's reads, and nothing stays", async () => {
  await fetch(`${url}/_mockddb/journal`, { method: "DELETE" });
  const request = { TableName: JOBS, FilterExpression: "#s = :s", ExpressionAttributeNames: { "#s": "status" }, ExpressionAttributeValues: { ":s": { S: "FAILED" } } };
  await ask("Scan", request);
  await ask("Scan", { TableName: JOBS });
  await open(`#/schema?${new URLSearchParams({ table: JOBS, hash: "status", name: "byStatus" })}`);
  equal((await (await fetch(`${url}/_mockddb/worlds`)).json()).worlds.length, 1);
  await press("Try it");
  await waitText("1 read of the journal would use it");
  const units = async (world, more) => {
    let total = 0, ExclusiveStartKey;
    do {
      const answer = await page.evaluate(async (body, inWorld) => {
        const { call } = await import("/_mockddb/console/lib/api.js");
        return call(body.IndexName ? "Query" : "Scan", body, { inWorld });
      }, { ...more, ReturnConsumedCapacity: "TOTAL", ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}) }, world);
      total += answer.ConsumedCapacity.CapacityUnits;
      ExclusiveStartKey = answer.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return total;
  };
  const shown = await page.$$eval('[aria-label="Reads that the index answers"] tbody td.number', (all) => all.slice(0, 3).map((one) => one.innerText));
  equal(shown.slice(0, 2), ["1", String(await units("default", request))]);
  await waitText("1 other read would not");
  equal((await (await fetch(`${url}/_mockddb/worlds`)).json()).worlds.length, 1);
  await press("Make it in a fork");
  await press("Make the fork", "dialog");
  await waitText("Go to with-byStatus");
  const { FilterExpression, ...rest } = request;
  equal(shown[2], String(await units("with-byStatus", { ...rest, IndexName: "byStatus", KeyConditionExpression: FilterExpression })));
  equal((await send("DescribeTable", { TableName: JOBS })).Table.GlobalSecondaryIndexes.some((one) => one.IndexName === "byStatus"), false);
  await page.evaluate(() => { location.hash = [...document.querySelectorAll("a")].find((one) => one.innerText === "Go to with-byStatus").hash; });
  await waitFor(() => [...document.querySelectorAll(".diagram title")].some((one) => one.textContent === "byStatus"));
  await fetch(`${url}/_mockddb/worlds/with-byStatus`, { method: "DELETE" });
  quiet();
});
await test("conditions become those of an index only where that is right", async () => {
  await open("#/tables");
  const through = (request, index) => page.evaluate(async (body, of) => (await import("/_mockddb/console/lib/whatif.js")).throughIndex(body, of), request, index);
  const index = { IndexName: "i", hash: "a", sort: "b" };
  for (const [filter, key, rest] of [
    ["a = :a", "a = :a"], ["x > :x AND a = :a", "a = :a", "x > :x"], ["b BETWEEN :x AND :y AND a = :a AND begins_with(c, :c)", "a = :a AND b BETWEEN :x AND :y", "begins_with(c,:c)"],
    ["a = :a AND begins_with ( b, :b )", "a = :a AND begins_with(b,:b)"], ["a = :a OR b = :b", null], ["NOT a = :a", null], ["a > :a", null], ["a = :a AND b <> :b", null], ["(a = :a AND b = :b)", null], ["a.b = :a", null],
  ]) {
    const made = await through({ TableName: "t", FilterExpression: filter, ConsistentRead: true }, index);
    equal(made, key && { TableName: "t", IndexName: "i", KeyConditionExpression: key, ...(rest ? { FilterExpression: rest } : {}) });
  }
});
await test("schemas of hostile names: 255 letters, constructor, turned letters", async () => {
  const name = "T".repeat(255), evil = '<img src=x onerror="window.hacked=1">\u202e';
  await send("CreateTable", { TableName: name, BillingMode: "PAY_PER_REQUEST", AttributeDefinitions: [{ AttributeName: evil, AttributeType: "S" }, { AttributeName: "constructor", AttributeType: "S" }], KeySchema: [{ AttributeName: evil, KeyType: "HASH" }], GlobalSecondaryIndexes: [{ IndexName: "constructor", KeySchema: [{ AttributeName: "constructor", KeyType: "HASH" }], Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["__proto__"] } }] });
  for (const hash of ["#/schema", `#/schema?table=${name}`]) {
    await open(hash);
    await page.waitForSelector(".diagram");
    for (const width of [1280, 390]) {
      await page.setViewport({ width, height: 844 });
      await fits();
    }
  }
  await accessible();
  await page.setViewport({ width: 1280, height: 800 });
  equal(await page.evaluate(() => [window.hacked ?? null, document.querySelectorAll("main img").length]), [null, 0]);
  await send("DeleteTable", { TableName: name });
  quiet();
});
await look("schema", "#/schema", "The same as text");
await look("schema-table", `#/schema?table=${JOBS}&hash=status`, "What if there were an index?");

// --- differences of worlds --------------------------------------------------------------------------------

const inWorld = (world, operation, request) => page.evaluate(async (name, body, where) => (await import("/_mockddb/console/lib/api.js")).call(name, body, { inWorld: where }), operation, request, world);

await test("differences by collection and attribute are those of the items, and one side's item is taken, and taken back", async () => {
  await fetch(`${url}/_mockddb/worlds/mine`, { method: "POST", body: JSON.stringify({ from: "default" }) });
  const { Items: [one, two, three] } = await send("Query", { TableName: JOBS, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: SHOP } } });
  const key = (item) => ({ pk: item.pk, sk: item.sk }), evil = '<img src=x onerror="window.hacked=1">';
  await inWorld("mine", "PutItem", { TableName: JOBS, Item: { ...one, status: { S: "LOST" }, constructor: { S: evil } } });
  await inWorld("mine", "DeleteItem", { TableName: JOBS, Key: key(two) });
  await inWorld("mine", "PutItem", { TableName: JOBS, Item: { ...key(three), sk: { S: "JOB#new" } } });
  await open("#/worlds?from=default&to=mine");
  await waitText("From default to mine: 3 differences (1 added, 1 changed, 1 gone).");
  equal(await texts(".differences .panel h3"), [JOBS]);
  const attributes = await texts(".differences .panel > p .tag");
  equal(attributes.sort(), ["constructor 1", "status 1"]);
  await page.$$eval(".difference.changed, .difference.gone", (all) => { for (const each of all) each.open = true; });
  await waitText("LOST");
  equal((await page.$$eval(".difference.changed table tbody th", (all) => all.map((each) => each.innerText))).sort(), ["constructor", "status"]);
  await accessible();
  await press("Write it into mine", ".difference.changed");
  await waitText("mine has the other side's item.");
  equal((await inWorld("mine", "GetItem", { TableName: JOBS, Key: key(one) })).Item, one);
  await press("Take it back", ".difference.changed");
  await waitText("mine has its item again");
  equal((await inWorld("mine", "GetItem", { TableName: JOBS, Key: key(one) })).Item.status, { S: "LOST" });
  await press("Delete it in default", ".difference.gone");
  await waitText("default has the other side's item.");
  equal((await send("GetItem", { TableName: JOBS, Key: key(two) })).Item ?? null, null);
  await press("Take it back", ".difference.gone");
  await waitText("default has its item again");
  equal((await send("GetItem", { TableName: JOBS, Key: key(two) })).Item, two);
  equal(await page.evaluate(() => [window.hacked ?? null, document.querySelectorAll("main img").length]), [null, 0]);
  quiet();
});
await test("an item that changed meanwhile is not taken; a reload and Back write nothing", async () => {
  await page.reload();
  await waitText("3 differences");
  await page.$$eval(".difference.changed", (all) => { for (const each of all) each.open = true; });
  const { Items: [one] } = await send("Query", { TableName: JOBS, Limit: 1, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: SHOP } } });
  await inWorld("mine", "UpdateItem", { TableName: JOBS, Key: { pk: one.pk, sk: one.sk }, UpdateExpression: "SET later = :l", ExpressionAttributeValues: { ":l": { S: "x" } } });
  await press("Write it into mine", ".difference.changed");
  await waitText("the item changed since this page read it");
  equal((await inWorld("mine", "GetItem", { TableName: JOBS, Key: { pk: one.pk, sk: one.sk } })).Item.later, { S: "x" });
  await page.evaluate(() => { location.hash = "#/tables"; });
  await page.goBack();
  await waitText("3 differences");
  equal((await inWorld("mine", "GetItem", { TableName: JOBS, Key: { pk: one.pk, sk: one.sk } })).Item.later, { S: "x" });
  quiet();
});
await look("differences", "#/worlds?from=default&to=mine", "3 differences");
await fetch(`${url}/_mockddb/worlds/mine`, { method: "DELETE" });

// --- live plots -------------------------------------------------------------------------------------------

const consumed = async (table) => {
  const text = await (await fetch(`${url}/_mockddb/metrics`)).text();
  return [...text.matchAll(/^mockddb_consumed_read_capacity_units_total\{(.*)\} (\S+)$/gm)].filter(([, labels]) => labels.includes(`table="${table}"`) && labels.includes('world="default"')).reduce((so, [, , units]) => so + Number(units), 0);
};
const drawn = (label) => page.evaluate((one) => {
  const figure = [...document.querySelectorAll(".plots figure")].find((each) => each.querySelector("b").innerText === one), sums = {};
  for (const title of figure.querySelectorAll("rect title")) {
    const [, name, number] = /^(.*) ([\d.,]+)$/.exec(title.textContent);
    sums[name] = (sums[name] ?? 0) + Number(number.replace(/,/g, ""));
  }
  return sums;
}, label);

await test("live plots have the units of the metrics, by operation and by table; latency has a dot for each request", async () => {
  await fetch(`${url}/_mockddb/journal`, { method: "DELETE" });
  await open("#/live");
  const before = [await consumed(JOBS), await consumed(SETTINGS)];
  await ask("Scan", { TableName: JOBS });
  for (let i = 0; i < 3; i++) await ask("GetItem", { TableName: SETTINGS, Key: { pk: { S: "kl7a9h55" }, sk: { S: `${i}` } } });
  await ask("Query", { TableName: JOBS }).catch(() => {});
  await waitText("5 requests of the newest 5");
  await waitFor(() => document.querySelectorAll(".plots circle").length === 5);
  const spent = [await consumed(JOBS) - before[0], await consumed(SETTINGS) - before[1]];
  equal(await drawn("Units"), { Scan: spent[0], GetItem: spent[1] });
  equal(await drawn("Requests"), { Scan: 1, GetItem: 3, Query: 1 });
  equal(await page.$$eval(".plots circle", (all) => [all.length, all.filter((one) => one.classList.contains("failed")).length]), [5, 1]);
  await page.evaluate(() => { const choice = [...document.querySelectorAll("label")].find((one) => one.innerText === "Plots by"); const control = document.getElementById(choice.htmlFor); control.value = "table"; control.dispatchEvent(new Event("change", { bubbles: true })); });
  await waitFor((table) => [...document.querySelectorAll(".plots .legend")][0].innerText.includes(table), [JOBS]);
  equal(await drawn("Units"), { [JOBS]: spent[0], [SETTINGS]: spent[1] });
  equal(new URLSearchParams((await hash()).split("?")[1]).get("by"), "table");
  await accessible();
  quiet();
});
await test("a range shows its requests, by the mouse and by the keyboard", async () => {
  const rows = () => page.$$eval('[aria-label="Requests"] tbody tr', (all) => all.length);
  const box = await page.$eval(".plots .plot-area", (one) => { one.scrollIntoView({ block: "center" }); const { x, y, width, height } = one.getBoundingClientRect(); return { x, y, width, height }; });
  await page.mouse.move(box.x + 50, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 90, box.y + 40, { steps: 3 });
  await page.mouse.up();
  await waitText("Only the requests of the range that was chosen.");
  await waitFor(() => document.querySelectorAll('[aria-label="Requests"] tbody tr').length === 0); // two minutes ago there were none
  await press("Show all");
  await waitFor(() => document.querySelectorAll('[aria-label="Requests"] tbody tr').length === 5);
  await page.focus(".plots .plot-area");
  for (const key of ["Home", "ArrowRight", "Enter", "End", "Enter"]) await page.keyboard.press(key);
  await waitText("Only the requests of the range that was chosen.");
  equal(await rows(), 5);
  await page.keyboard.press("Escape");
  await waitFor(() => !document.body.innerText.includes("Only the requests of the range"));
  quiet();
});
await look("live-plots", "#/live?by=table", "requests of the newest");

await test("partitions over time have the units of the journal, second by second, and mark what is over a partition's limits", async () => {
  await fetch(`${url}/_mockddb/journal`, { method: "DELETE" });
  for (let i = 0; i < 4; i++) await ask("Query", { TableName: JOBS, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: SHOP } } });
  await send("CreateTable", { TableName: "Hot", BillingMode: "PAY_PER_REQUEST", AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }], KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }] });
  for (let i = 0; i < 12; i++) await ask("PutItem", { TableName: "Hot", Item: { pk: { S: "one" }, text: { S: "x".repeat(390000) }, i: { N: String(i) } } });
  await open("#/live/partitions");
  await page.waitForSelector(".heat-strip rect");
  const { partitions } = await verb("metrics/partitions?seconds=120");
  const sums = partitions.map((one) => [one.read_units + one.write_units, one.seconds.reduce((so, at) => so + at.read_units + at.write_units, 0)]);
  for (const [all, each] of sums) equal(Math.round(all * 10), Math.round(each * 10));
  const entries = (await (await fetch(`${url}/_mockddb/journal`)).text()).trim().split("\n").map((one) => JSON.parse(one));
  equal(Math.round(sums.reduce((so, [all]) => so + all, 0)), Math.round(entries.reduce((so, one) => so + one.read_units + one.write_units, 0)));
  await waitFor((rows) => document.querySelectorAll(".heat-strip").length === rows, [partitions.length]);
  await waitText(`The hottest took ${Math.round((100 * sums[0][0]) / sums.reduce((so, [all]) => so + all, 0))} % of the units`);
  equal(await page.$$eval(".heat-strip", (all) => all.map((one) => one.querySelectorAll("rect").length)), partitions.map((one) => one.seconds.length));
  const over = partitions.flatMap((one) => one.seconds).filter((at) => at.write_units >= 1000 || at.read_units >= 3000).length;
  equal(await page.$$eval(".heat-strip .heat-over", (all) => all.length), over);
  // The plots beside the limits: the highest figure, and how high it is drawn against the limit's line.
  const drawnFor = async (one) => {
    for (const [i, [limit, name]] of [[1000, "write_units"], [3000, "read_units"]].entries()) {
      const most = Math.max(...one.seconds.map((at) => at[name])), [label, line, base, tops] = await page.$$eval(".limit-plot", (all, at) => {
        const figure = all[at], at_y = (element, attribute) => Number(element.getAttribute(attribute));
        return [figure.getAttribute("aria-label"), at_y(figure.querySelector(".limit"), "y1"), at_y(figure.querySelector(".axis"), "y1"), figure.querySelector(".limit-load").getAttribute("d").split("H").map((part) => Number(/[,V]([\d.]+)$/.exec(part)?.[1] ?? 1e9))];
      }, i);
      equal(Number(/at most ([\d,.]+) units/.exec(label)[1].replace(",", "")), Math.round(most * 10) / 10);
      equal(Math.round(100 * (base - Math.min(...tops)) / (base - line)), Math.round(100 * most / limit));
    }
  };
  await drawnFor(partitions[0]);
  await page.$$eval(".heat button", (all) => all[1].click());
  await waitFor(() => document.querySelectorAll('.heat button')[1].getAttribute("aria-pressed") === "true");
  await drawnFor(partitions[1]);
  await accessible();
  await send("DeleteTable", { TableName: "Hot" });
  quiet();
});
await look("live-partitions", "#/live/partitions", "The hottest took");

await end();
