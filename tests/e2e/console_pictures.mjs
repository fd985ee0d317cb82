// The console's pictures in a headless Chromium: item collections, plans, access patterns by tables, schemas, differences of
// worlds; compared with what the API answers. Prints TAP without a plan.
//
//   node console_pictures.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import path from "node:path";
import { JOBS, SETTINGS, SHOP, accessible, end, equal, fits, folder, open, page, press, quiet, send, show, test, waitFor, waitText } from "./browser.mjs";

const SIZES = [[1280, 800], [390, 844]];

/** A view in both schemes and two sizes. */
async function look(name, hash, ready) {
  await test(`${name}: both schemes, two sizes`, async () => {
    await open(hash);
    if (ready) await waitText(ready);
    for (const scheme of ["light", "dark"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      for (const [width, height] of SIZES) {
        await page.setViewport({ width, height });
        if (folder) await page.screenshot({ path: path.join(folder, `${name}-${scheme}-${width}.png`), fullPage: true });
        await fits();
        if (width === (scheme === "light" ? 1280 : 390)) await accessible();
      }
    }
    await page.setViewport({ width: 1280, height: 800 });
    await page.emulateMediaFeatures([]);
    quiet();
  });
}

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
await look("collections", `${COLLECTIONS}?open=PLATFORM%23&open=PLATFORM%23shopify%23`, "Kinds of items");
await look("collection", `${COLLECTIONS}?${new URLSearchParams({ partition: SHOP })}`, "Next page");
await look("collection-indexes", `${COLLECTIONS}?${new URLSearchParams({ partition: SHOP, as: "indexes" })}`, "the table");

await end();
