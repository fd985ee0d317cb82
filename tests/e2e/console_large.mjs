// The console with much data in a headless Chromium: a table of many items, items of 390 KB, and many requests a second, within bounds of
// time and of the page's memory. Prints TAP without a plan.
//
//   node console_large.mjs CHROMIUM URL [FOLDER]     URL is a server; with MOCKDDB_RELEASE_TESTS=1 the data has its full size

import { equal, end, open, page, press, quiet, show, test, url, waitFor, waitText } from "./browser.mjs";
import net from "node:net";

const FULL = process.env.MOCKDDB_RELEASE_TESTS === "1", SLOW = Number(process.env.MOCKDDB_SLOWNESS ?? 1);
const ITEMS = FULL ? 1000000 : 20000, LARGE = FULL ? 30 : 4, RATE = FULL ? 2000 : 200, SECONDS = FULL ? 10 : 3;
const CUSTOMERS = ITEMS / 20;
const HEAP_MB = 150;             // of the page, once its garbage is collected
const OPEN_MS = 10000 * SLOW;    // of a view; looked at with the full size only, where nothing else is tested meanwhile

const post = (target, body) => fetch(url, { method: "POST", body: JSON.stringify(body), headers: {
  "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": `DynamoDB_20120810.${target}`, "X-Amz-Date": "20260101T000000Z",
  Authorization: "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=0" } });

const key = (i) => ({ pk: { S: `CUSTOMER#${String(i % CUSTOMERS).padStart(7, "0")}` }, sk: { S: `ORDER#${String(i).padStart(8, "0")}` } });

/** The page's memory, without garbage. */
async function heapMb() {
  const session = await page.createCDPSession();
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 2 ** 20;
}

/** Work on the page, and that it stays within its bounds. */
async function within(work) {
  const began = performance.now();
  await work();
  equal([!FULL || performance.now() - began < OPEN_MS, await heapMb() < HEAP_MB], [true, true]);
}

await post("CreateTable", { TableName: "Many", BillingMode: "PAY_PER_REQUEST", AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }, { AttributeName: "sk", AttributeType: "S" }], KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, { AttributeName: "sk", KeyType: "RANGE" }] });
for (let from = 0; from < ITEMS; from += 20000) {
  const lines = Array.from({ length: Math.min(20000, ITEMS - from) }, (_, i) => JSON.stringify({ Item: { ...key(from + i), status: { S: i % 3 ? "OPEN" : "DONE" }, total: { N: String(from + i) } } })).join("\n");
  await fetch(`${url}/_mockddb/import?name=many.jsonl&table=Many`, { method: "POST", body: lines });
}

await test(`${ITEMS} items: Explore shows pages, one partition and the table's end`, async () => {
  await within(() => open("#/table/Many/explore"));
  await waitText("page 1");
  for (let i = 2; i <= 6; i++) {
    await press("Next");
    await waitText(`page ${i}`);
  }
  await within(() => show(`#/table/Many/explore?${new URLSearchParams({ hash: key(7).pk.S, run: "1" })}`));
  await waitText("returned 20");
  await show("#/table/Many/explore?limit=1000&run=1");
  await waitText("read 1,000");
  await within(async () => { await press("Next"); await waitText("read 2,000"); });
  quiet();
});
await test(`${ITEMS} items: collections are those of a sample, which says so, or of all, and a collection is read alone`, async () => {
  await within(() => open("#/collections/Many"));
  const looked = await (await fetch(`${url}/_mockddb/collections?table=Many`)).json();
  await waitText(looked.complete ? `All ${ITEMS.toLocaleString("en")} items` : `A sample: ${looked.read.toLocaleString("en")} of ${ITEMS.toLocaleString("en")} items were looked at`);
  await within(() => show("#/collections/Many?keys=1000000"));
  await waitText(`All ${ITEMS.toLocaleString("en")} items of ${CUSTOMERS.toLocaleString("en")} partitions were looked at.`);
  await within(() => show(`#/collections/Many?${new URLSearchParams({ partition: key(3).pk.S })}`));
  equal(await page.$$eval(".card", (all) => all.length), 20);
  quiet();
});
await test(`${ITEMS} items: finding one by any attribute is stopped, and comes to its end`, async () => {
  const find = (text) => show(`#/table/Many/explore?${new URLSearchParams({ kind: "Find", name: "total", type: "N", text, run: "1" })}`);
  if (FULL) { // a smaller table is read before anybody could stop it
    await page.evaluate((hash) => { location.hash = hash; }, `#/table/Many/explore?${new URLSearchParams({ kind: "Find", name: "total", type: "N", text: "-1", run: "1" })}`);
    await waitFor(() => /[1-9][\d,]* read, 0 found/.test(document.querySelector("main").innerText));
    await press("Stop");
    await waitText("stopped, there may be more");
  }
  await find(String(ITEMS - 1));
  await waitText("1 found");
  await waitText(`${ITEMS.toLocaleString("en")} read, 1 found`);
  equal(await heapMb() < HEAP_MB, true);
  quiet();
});
await test(`${LARGE} items of 390 KB: a table, a page of them, one at the side and its collection`, async () => {
  for (let i = 0; i < LARGE; i++) await post("PutItem", { TableName: "Many", Item: { pk: { S: "LARGE" }, sk: { S: `${i}` }, text: { S: "x".repeat(390000) } } });
  await within(() => show("#/table/Many/explore?hash=LARGE&run=1"));
  await waitText("returned");
  await within(async () => { await press("Open"); await waitFor(() => document.querySelector(".drawer .editor textarea")); });
  await within(() => show(`#/collections/Many?${new URLSearchParams({ partition: "LARGE" })}`));
  await page.waitForSelector(".card");
  await within(() => show("#/live"));
  quiet();
});
await test(`${RATE} requests a second: Live keeps the place that is read, the focus and its figures`, async () => {
  const LIST = '[aria-label="Requests"]', { hostname, port } = new URL(url);
  const sockets = await Promise.all(Array.from({ length: 8 }, () => new Promise((resolve) => { const one = net.connect(Number(port), hostname, () => resolve(one)); })));
  let answered = 0;
  for (const one of sockets) {
    one.setNoDelay(true);
    one.on("data", (chunk) => { const text = chunk.toString("latin1"); answered += text.split("HTTP/1.1 200").length - 1; });
  }
  const request = (i) => {
    const body = JSON.stringify({ TableName: "Many", Key: key(i) });
    return `POST / HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\nX-Amz-Date: 20260101T000000Z\r\n`
      + `Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=0\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  let sent = 0;
  /** Sends so many requests, `rate` a second at most and a few hundred ahead of their answers, and waits for these; returns the rate. */
  const ask = async (count, rate) => {
    const began = performance.now(), first = sent, wanted = sent + count;
    while (answered < wanted) {
      const due = Math.min(wanted, first + Math.ceil(((performance.now() - began) / 1000) * rate), answered + 50 * sockets.length);
      const texts = sockets.map(() => "");
      for (; sent < due; sent++) texts[sent % sockets.length] += request(sent);
      sockets.forEach((one, at) => { if (texts[at]) one.write(texts[at]); });
      await new Promise((resolve) => { setTimeout(resolve, 5); });
    }
    return count / ((performance.now() - began) / 1000);
  };
  await fetch(`${url}/_mockddb/journal`, { method: "DELETE" });
  await open("#/live");
  await ask(64, RATE);
  await waitFor((list) => document.querySelectorAll(`${list} tbody tr`).length >= 60, [LIST]);
  await page.$eval(LIST, (element) => { element.scrollTop = 200; element.querySelectorAll("tbody button")[9].focus(); });
  const state = () => page.evaluate((list) => [document.querySelector(list).scrollTop, document.activeElement.closest("tr")?.cells[0].innerText], LIST);
  const before = await state();
  console.log(`# ${Math.round(await ask(RATE * SECONDS, RATE))} requests a second were sent and answered`);
  await waitText("newer");
  equal(await state(), before);
  await within(() => press("Show them"));
  await waitFor((list) => document.querySelector(list).scrollTop === 0, [LIST]);
  const counted = await page.evaluate(() => [...document.querySelectorAll('[aria-label="By operation"] span')].map((each) => each.innerText).find((text) => /request/.test(text)));
  const said = await page.$eval('main [role="status"]', (element) => element.innerText), missed = Number(/([\d,]+) requests? came too fast/.exec(said)?.[1].replace(/,/g, "") ?? 0);
  equal(Number(/([\d,]+) request/.exec(counted)[1].replace(/,/g, "")) + missed, sent); // each is counted, or said to be missed
  for (const one of sockets) one.destroy();
  quiet();
});

await end();
