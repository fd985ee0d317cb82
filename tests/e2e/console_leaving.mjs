// Ways out of the console's forms in a headless Chromium: edits are not lost unasked, runs stay in the browser's history, an
// address brings what it names into view, and what cannot be edited has no field. Prints TAP without a plan.
//
//   node console_leaving.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { accessible, edit, end, equal, go, leaving, newTab, open, page, press, quiet, send, test, type, url, valueIn, waitFor, waitText } from "./browser.mjs";

const KEYS = { AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }], KeySchema: [{ AttributeName: "id", KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST" };
const place = `#/table/Edited/explore?key=${encodeURIComponent(JSON.stringify({ id: { S: "a" } }))}`;
const hash = () => page.evaluate(() => location.hash);
const stored = async () => (await send("GetItem", { TableName: "Edited", Key: { id: { S: "a" } } })).Item.text.S;
const asks = () => waitFor(() => document.querySelector('dialog[open][aria-label="Unsaved edits"]'));
const questions = () => page.$$eval("dialog", (dialogs) => dialogs.length);
const follow = (to) => page.evaluate((one) => { location.hash = one; }, to);

/** The form of the item, where people typed something. */
async function edited(text = "mine", from = "#/tables") {
  await open(from);
  await go(place);
  await edit("text", text);
}

/** Answers the question and waits until the address is `at`. */
async function answer(label, at) {
  await asks();
  await press(label, "dialog");
  await waitFor((one) => !document.querySelector("dialog") && location.hash === one, [at]);
}

await open("#/tables");
await send("CreateTable", { TableName: "Edited", ...KEYS });
await send("PutItem", { TableName: "Edited", Item: { id: { S: "a" }, text: { S: "old" } } });
await fetch(`${url}/_mockddb/worlds/other`, { method: "POST", body: "{\"from\": \"default\"}", headers: { "Content-Type": "application/json" } });

// --- the form of an item ------------------------------------------------------------------------------------------

const WAYS = {
  "the menu": [() => page.$eval("#menu a[href='#/live']", (element) => element.click()), "#/live"],
  "a link": [() => page.$eval("main nav a", (element) => element.click()), "#/table/Edited/explore"],
  "another world": [() => page.select("#state select", "other"), `${place}&world=other`],
  "an address that is typed": [() => follow("#/control"), "#/control"],
  "Back": [() => page.evaluate(() => history.back()), "#/tables"],
  "Forward": [() => page.evaluate(() => history.forward()), "#/worlds"],
};
for (const [name, [leave, at]] of Object.entries(WAYS)) {
  await test(`with edits ${name} asks; staying keeps them, and leaving writes nothing`, async () => {
    await open("#/tables");
    await go(place);
    if (name === "Forward") {
      await go("#/worlds");
      await page.goBack();
    }
    await edit("text", "mine");
    await waitFor(() => [...document.querySelectorAll("#state option")].some((one) => one.value === "other"));
    const length = await page.evaluate(() => history.length);
    await leave();
    await answer("Stay", place);
    equal([await valueIn("text"), await page.$eval("#state select", (element) => element.value)], ["mine", "default"]);
    await leave();
    await answer("Leave without saving", at);
    equal(await page.evaluate(() => history.length) <= length + 1, true);
    await go("#/control");
    equal([await stored(), await questions()], ["old", 0]);
    quiet();
  });
}
await test("Back that is pressed twice is one question, and the history stays as it was", async () => {
  await open("#/control");
  await go("#/tables");
  await go(place);
  await edit("text", "mine");
  await page.evaluate(() => { history.back(); history.back(); });
  await asks();
  await page.evaluate(() => history.back());
  await waitFor((one) => location.hash === one && document.querySelectorAll("dialog").length === 1, [place]);
  await accessible();
  await answer("Leave without saving", "#/tables");
  await page.goForward();
  await waitFor((one) => location.hash === one, [place]);
  await waitFor(() => document.querySelector("main .editor"));
  equal(await valueIn("text"), "old");
  quiet();
});
await test("what has nothing to lose asks nothing", async () => {
  await send("CreateTable", { ...KEYS, TableName: "Numbers", AttributeDefinitions: [{ AttributeName: "id", AttributeType: "N" }] });
  for (const form of [place, "#/table/Edited/explore?new=1", "#/table/Numbers/explore?new=1", `#/table/Numbers/explore?key=${encodeURIComponent('{"id": {"N": "7"}}')}`]) {
    await go(form);
    await waitFor(() => document.querySelector("main .editor"));
    await press("As JSON").catch(() => {});
    await go("#/tables");
    equal([form, await hash()], [form, "#/tables"]);
  }
  await edited();
  await edit("text", "old");
  await go("#/tables");
  await edited("saved");
  await press("Save");
  await waitText("Saved");
  await go("#/tables");
  await edited("removed");
  await press("Delete");
  await waitFor(() => location.hash === "#/table/Edited/explore");
  equal(await questions(), 0);
  await send("PutItem", { TableName: "Edited", Item: { id: { S: "a" }, text: { S: "old" } } });
  quiet();
});
await test("a new item, a copy, one in JSON and one that is no item yet ask, too", async () => {
  const json = (text) => page.$eval("main textarea", (element, value) => { element.value = value; element.dispatchEvent(new Event("input")); }, text);
  const forms = {
    "a new item": async () => { await go("#/table/Edited/explore?new=1"); await edit("id", "b"); },
    "a number without its digits": async () => { await go("#/table/Numbers/explore?new=1"); await edit("id", "seven"); },
    "a copy": async () => { await go(place); await press("Copy to a new item"); await waitText("not saved yet"); },
    "JSON": async () => { await go(place); await press("As JSON"); await json('{"id": {"S": "a"}, "text": {"S": "mine"}}'); },
    "JSON that ends early": async () => { await go(place); await press("As JSON"); await json('{"id": {"S": "a"}, '); },
    "an attribute that is removed": async () => { await go(place); await page.$eval('[aria-label="Remove text"]', (element) => element.click()); },
    "an attribute without a name": async () => { await go(place); await press("Add an attribute"); await page.$eval("main .editor tbody tr:last-child textarea", (element) => { element.value = "x"; element.dispatchEvent(new Event("input")); }); },
  };
  for (const [name, fill] of Object.entries(forms)) {
    await open("#/tables");
    await fill();
    const at = await hash();
    await follow("#/control");
    await asks().catch((error) => { throw new Error(`${name}: ${error.message}`); });
    await answer("Stay", at);
  }
  quiet();
});
await test("what is put together of theirs and mine is asked for, too", async () => {
  await edited();
  await send("UpdateItem", { TableName: "Edited", Key: { id: { S: "a" } }, UpdateExpression: "SET remark = :o", ExpressionAttributeValues: { ":o": { S: "theirs" } } });
  await press("Save");
  await press("Put them together in the form");
  await waitText("Theirs and yours are in the form");
  await follow("#/tables");
  await answer("Stay", place);
  equal(await valueIn("text"), "mine");
  quiet();
});
await test("a reload and closing the tab ask; without edits they do not", async () => {
  const tab = await newTab(), wait = (count) => waitFor((one) => one, [count]);
  const typed = async () => {
    await open(place, url, tab);
    await tab.bringToFront();
    await (await tab.$("main .editor tbody tr:last-child textarea")).type("more");
  };
  const asked = async (count) => { while (leaving.asked < count) await wait(1); };
  Object.assign(leaving, { accept: false, asked: 0 });
  await typed();
  tab.reload().catch(() => {});
  await asked(1);
  await tab.close({ runBeforeUnload: true });
  await asked(2);
  equal((await tab.$eval("main .editor tbody tr:last-child textarea", (element) => element.value)).includes("more"), true);
  leaving.accept = true;
  await tab.reload();
  await waitFor(() => document.querySelector("main .editor"), [], tab);
  await (await tab.$("main .editor tbody tr:last-child textarea")).click();
  await tab.reload();
  equal(leaving.asked, 3);
  await tab.close();
  await page.bringToFront();
  quiet();
});
await test("the way past the menu leaves the address and the edits", async () => {
  await edited();
  await page.focus(".skip");
  await page.keyboard.press("Enter");
  await waitFor(() => document.activeElement.id === "view");
  equal([await hash(), await questions(), await valueIn("text")], [place, 0, "mine"]);
  quiet();
});

// --- runs of requests ---------------------------------------------------------------------------------------------

await test("runs are in the browser's history: Back brings each request, and runs only what reads", async () => {
  const at = { TableName: "Edited", Key: { id: { S: "n" } } };
  const add = { ...at, UpdateExpression: "ADD n :one", ExpressionAttributeValues: { ":one": { N: "1" } } };
  const count = async () => (await send("GetItem", at)).Item.n.N;
  const request = (value) => page.$eval("main textarea", (element, text) => { element.value = text; element.dispatchEvent(new Event("input")); }, JSON.stringify(value));
  const holds = (word) => waitFor((one) => document.querySelector("main textarea")?.value.includes(one), [word]);
  await open(`#/request?${new URLSearchParams({ mode: "json", op: "Scan", request: JSON.stringify({ TableName: "Numbers" }), run: "1" })}`);
  await waitText("read 0");
  await type("Operation", "UpdateItem");
  await request(add);
  await press("Run");
  await waitText("The whole answer");
  equal(await count(), "1");
  await type("Operation", "GetItem");
  await request(at);
  await press("Run");
  await waitText("1 item");
  await page.goBack();
  await holds("ADD n");
  await waitText("Run a request to see");
  equal(await count(), "1");
  await page.goBack();
  await waitText("read 0");
  await page.goForward();
  await holds("ADD n");
  await page.goForward();
  await waitText("1 item");
  equal(await count(), "1");
  quiet();
});

// --- what an address names -----------------------------------------------------------------------------------------

const inView = (selector) => page.$eval(selector, (element) => { const { top, bottom } = element.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; });

await test("a pattern that the address names is in view and has the focus", async () => {
  for (const name of ["shop-to-index-config", "job-by-id"]) {
    for (const width of [1280, 390]) {
      await page.setViewport({ width, height: 800 });
      await open(`#/patterns/questions?name=${name}`);
      await waitFor((one) => document.activeElement.tagName === "SUMMARY" && document.activeElement.innerText.includes(one), [name]);
      equal([name, await inView("details[open] > summary")], [name, true]);
    }
  }
  await page.setViewport({ width: 1280, height: 800 });
  await open("#/patterns/coverage");
  await page.$$eval("main li a", (links) => links.find((one) => one.innerText === "shop-to-index-config").click());
  await waitFor(() => document.activeElement.tagName === "SUMMARY");
  equal(await inView("details[open] > summary"), true);
  await open("#/patterns/questions?name=gone");
  await waitText("There is no pattern gone.");
  quiet();
});
await test("the differences that an address asks for are in view", async () => {
  for (let i = 0; i < 12; i++) await fetch(`${url}/_mockddb/worlds/w${i}`, { method: "POST" });
  await open("#/worlds?from=default&to=other");
  await waitText("From default to other");
  equal(await page.$$eval("main p", (found) => { const { top, bottom } = found.find((one) => one.innerText.startsWith("From default")).getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }), true);
  for (let i = 0; i < 12; i++) await fetch(`${url}/_mockddb/worlds/w${i}`, { method: "DELETE" });
  quiet();
});

// --- fields that change nothing --------------------------------------------------------------------------------------

await test("a table is made of the fields or of the JSON, never of a part of each", async () => {
  await open("#/tables");
  await press("New table");
  await type("Table name", "OfFields");
  await page.$eval("dialog summary", (element) => element.click());
  const json = (text) => page.$eval('[aria-label="CreateTable request"]', (element, value) => { element.value = value; element.dispatchEvent(new Event("input")); }, text);
  const disabled = () => page.$eval("dialog fieldset input", (element) => element.matches(":disabled"));
  await json("{}");
  equal(await disabled(), true);
  await accessible();
  await json(" ");
  equal(await disabled(), false);
  await type("Partition key", "id");
  await press("Add a global index");
  await type("Name", "by-id");
  await page.$$eval("dialog fieldset fieldset .row", ([row]) => {
    const [name, kind] = row.querySelectorAll("input, select");
    name.value = "id";
    kind.value = "N";
  });
  await press("Create", "dialog");
  await waitText("an attribute has one type");
  await page.keyboard.press("Escape");
  equal((await send("ListTables", {})).TableNames.includes("OfFields"), false);
  quiet();
});
await test("UpdateTable's JSON changes the table that is shown, and no other", async () => {
  const request = (text) => page.$eval('[aria-label="UpdateTable request"]', (element, value) => { element.value = value; }, text);
  await open("#/table/Edited/settings");
  await press("UpdateTable …");
  await request('{"TableName": "Numbers", "DeletionProtectionEnabled": true}');
  await press("Change", "dialog");
  await waitText("this changes Edited, not Numbers");
  await request('{"DeletionProtectionEnabled": true}');
  await press("Change", "dialog");
  await waitFor(() => document.querySelector('[data-setting="Deletion protection"] button')?.innerText === "Switch off");
  equal((await send("DescribeTable", { TableName: "Numbers" })).Table.DeletionProtectionEnabled, false);
  quiet();
});
await test("a rule whose figures are none is marked, and not added; what is written stays", async () => {
  await open("#/control");
  await type("How often", "often");
  await press("Add the rule");
  await waitFor(() => document.activeElement.dataset.field === "times" && document.querySelector(".fault"));
  await type("How often", "2");
  await type("What goes wrong", "page_limit");
  await type("Items a page", "0");
  await press("Add the rule");
  await waitFor(() => document.activeElement.dataset.field === "amount");
  equal((await (await fetch(`${url}/_mockddb/faults`)).json()).rules, []);
  await page.$eval('[aria-label="Rules as JSON"]', (element) => { element.value = "[{"; element.dispatchEvent(new Event("input")); });
  await page.$eval('[aria-label="Assertions"] textarea', (element) => { element.value = "[]"; element.dispatchEvent(new Event("input")); });
  await go("#/tables");
  await go("#/control");
  equal(await page.$$eval("main textarea", (fields) => fields.map((one) => one.value).sort()), ["[]", "[{"]);
  quiet();
});

await end();
