// Items that another client changes while the console has them in a form: nothing is lost, of theirs or of mine. Prints TAP
// without a plan.
//
//   node console_edits.mjs CHROMIUM URL [FOLDER]

import { accessible, edit, end, equal, fits, go, open, page, press, quiet, send, test, valueIn, waitFor, waitText } from "./browser.mjs";

const KEYS = { AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }], KeySchema: [{ AttributeName: "id", KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST" };
const place = (table, id) => `#/table/${table}/explore?key=${encodeURIComponent(JSON.stringify({ id: { S: id } }))}`;

async function stored(table, id) {
  const { Item } = await send("GetItem", { TableName: table, Key: { id: { S: id } } });
  return Item ? Object.fromEntries(Object.entries(Item).sort(([a], [b]) => (a < b ? -1 : 1))) : null;
}

const put = (table, item) => send("PutItem", { TableName: table, Item: item });

/** What another client does meanwhile. */
const set = (table, id, name, value) => send("UpdateItem", {
  TableName: table, Key: { id: { S: id } }, UpdateExpression: "SET #n = :v", ExpressionAttributeNames: { "#n": name }, ExpressionAttributeValues: { ":v": value },
});

/** Chooses theirs or mine of an attribute. */
const take = (name, which) => page.select(`[aria-label="${name}: theirs or mine"]`, which);

async function save() {
  await page.evaluate(() => document.getElementById("notices").replaceChildren());
  await press("Save");
  await waitText("Saved");
}

/** The bodies of writes that the page sends meanwhile. */
async function writesOf(work) {
  const found = [], note = (request) => { if (request.url().endsWith("/_mockddb/write")) found.push(JSON.parse(request.postData())); };
  page.on("request", note);
  await work();
  page.off("request", note);
  return found;
}

await open("#/tables");
for (const TableName of ["Edits", "Others", "Undone", "Taken", "Created"]) await send("CreateTable", { TableName, ...KEYS });

await test("a save writes the difference alone, and one of nothing writes nothing", async () => {
  await put("Edits", { id: { S: "a" }, kept: { N: "1.50" }, text: { S: "old" }, gone: { BOOL: true } });
  await open(place("Edits", "a"));
  equal(await writesOf(async () => { await press("Save"); await waitText("nothing was changed"); }), []);
  await edit("text", "new");
  await page.$eval('[aria-label="Remove gone"]', (element) => element.click());
  const [{ operation, request }] = await writesOf(save);
  equal([operation, request.UpdateExpression, Object.values(request.ExpressionAttributeNames).sort(), Object.values(request.ExpressionAttributeValues)], ["UpdateItem", request.UpdateExpression, ["gone", "text"], [{ S: "new" }]]);
  equal(/^SET #a\d = :a\d REMOVE #a\d$/.test(request.UpdateExpression), true);
  equal(await stored("Edits", "a"), { id: { S: "a" }, kept: { N: "1.5" }, text: { S: "new" } });
  quiet();
});

await test("what another client added is not lost, and what is in the form is not", async () => {
  await put("Edits", { id: { S: "b" }, text: { S: "old" }, number: { N: "1" } });
  await open(place("Edits", "b"));
  await set("Edits", "b", "from_other", { S: "theirs" });
  await edit("text", "mine");
  await press("Save");
  await waitText("Not saved: the item was changed since you opened it.");
  equal(await stored("Edits", "b"), { from_other: { S: "theirs" }, id: { S: "b" }, number: { N: "1" }, text: { S: "old" } });
  equal(await valueIn("text"), "mine");
  for (const [width, height] of [[1280, 800], [390, 844]]) {
    await page.setViewport({ width, height });
    await fits();
    await accessible();
  }
  await page.setViewport({ width: 1280, height: 800 });
  await press("Put them together in the form");
  await waitFor(() => [...document.querySelectorAll("main .editor input")].some((one) => one.value === "from_other"));
  equal(await valueIn("text"), "mine");
  equal(await stored("Edits", "b"), { from_other: { S: "theirs" }, id: { S: "b" }, number: { N: "1" }, text: { S: "old" } });
  await save();
  equal(await stored("Edits", "b"), { from_other: { S: "theirs" }, id: { S: "b" }, number: { N: "1" }, text: { S: "mine" } });
  quiet();
});

await test("an attribute that both changed is chosen by hand", async () => {
  await put("Edits", { id: { S: "c" }, text: { S: "old" }, other: { S: "old" } });
  await open(place("Edits", "c"));
  await set("Edits", "c", "text", { S: "theirs" });
  await set("Edits", "c", "other", { S: "theirs" });
  await edit("text", "mine");
  await edit("other", "mine");
  await press("Save");
  await press("Put them together in the form");
  await waitText("choose theirs or mine of text, other");
  await take("text", "mine");
  await take("other", "theirs");
  await press("Put them together in the form");
  await waitText("Theirs and yours are in the form");
  equal([await valueIn("text"), await valueIn("other")], ["mine", "theirs"]);
  await set("Edits", "c", "third", { S: "later" });
  await press("Save");
  await waitText("Not saved: the item was changed since you opened it.");
  await press("Put them together in the form");
  await waitFor(() => [...document.querySelectorAll("main .editor input")].some((one) => one.value === "third"));
  await save();
  equal(await stored("Edits", "c"), { id: { S: "c" }, other: { S: "theirs" }, text: { S: "mine" }, third: { S: "later" } });
  quiet();
});

await test("a save is sent once, and one whose result is stored already is no conflict", async () => {
  await put("Edits", { id: { S: "m" }, text: { S: "old" } });
  await open(place("Edits", "m"));
  await edit("text", "mine");
  const writes = await writesOf(async () => {
    await page.$$eval("main button", (buttons) => { for (let i = 0; i < 3; i++) buttons.find((one) => one.innerText === "Save").click(); });
    await waitText("Saved");
  });
  equal(writes.length, 1);
  await set("Edits", "m", "text", { S: "both" });
  await edit("text", "both");
  await save();
  equal(await page.$("main .problem"), null);
  quiet();
});

await test("long values are shown from where they begin to differ", async () => {
  const long = "x".repeat(1000);
  await put("Edits", { id: { S: "l" }, text: { S: `${long}old` } });
  await open(place("Edits", "l"));
  await set("Edits", "l", "text", { S: `${long}theirs` });
  await edit("text", `${long}mine`);
  await press("Save");
  await waitText("Not saved: the item was changed since you opened it.");
  equal(await page.$$eval('[aria-label="Theirs and mine"] tbody td.mono', (cells) => cells.map((one) => one.innerText.replace(/x+/, ""))), ["…old", "…theirs", "…mine"]);
  quiet();
});

await test("an attribute that was removed by one and changed by the other is chosen as well", async () => {
  await put("Edits", { id: { S: "r" }, text: { S: "old" } });
  await open(place("Edits", "r"));
  await send("UpdateItem", { TableName: "Edits", Key: { id: { S: "r" } }, UpdateExpression: "REMOVE #t", ExpressionAttributeNames: { "#t": "text" } });
  await edit("text", "mine");
  await press("Save");
  await waitText("both changed it");
  await take("text", "mine");
  await press("Put them together in the form");
  await waitText("Theirs and yours are in the form");
  await save();
  equal(await stored("Edits", "r"), { id: { S: "r" }, text: { S: "mine" } });
  quiet();
});

await test("an item that was deleted meanwhile is made again only when that is asked for", async () => {
  await put("Edits", { id: { S: "d" }, text: { S: "old" } });
  await open(place("Edits", "d"));
  await send("DeleteItem", { TableName: "Edits", Key: { id: { S: "d" } } });
  await edit("text", "mine");
  await press("Save");
  await waitText("Not saved: the item is gone since you opened it: another client deleted it.");
  equal(await stored("Edits", "d"), null);
  equal(await valueIn("text"), "mine");
  await press("Create it again");
  await waitText("Saved");
  equal(await stored("Edits", "d"), { id: { S: "d" }, text: { S: "mine" } });
  quiet();
});

await test("a new item replaces none that has its key", async () => {
  await put("Edits", { id: { S: "e" }, theirs: { S: "stays" }, both: { N: "1" } });
  await open("#/table/Edits/explore?new=1");
  await edit("id", "e");
  await press("As JSON");
  await page.$eval("main textarea", (element) => { element.value = '{"id": {"S": "e"}, "both": {"N": "2"}, "mine": {"S": "new"}}'; element.dispatchEvent(new Event("input")); });
  await press("Save");
  await waitText("Not saved: there is an item with this key already.");
  equal(await stored("Edits", "e"), { both: { N: "1" }, id: { S: "e" }, theirs: { S: "stays" } });
  await take("both", "theirs");
  await press("Change that item");
  await waitText("That item is in the form");
  await save();
  equal(await stored("Edits", "e"), { both: { N: "1" }, id: { S: "e" }, mine: { S: "new" }, theirs: { S: "stays" } });
  quiet();
});

await test("an item that was changed meanwhile is not deleted unseen", async () => {
  await put("Edits", { id: { S: "f" }, text: { S: "old" } });
  await open(place("Edits", "f"));
  await set("Edits", "f", "from_other", { S: "theirs" });
  await press("Delete");
  await waitText("Not deleted: the item was changed since you opened it.");
  await waitText("from_other");
  equal(await stored("Edits", "f"), { from_other: { S: "theirs" }, id: { S: "f" }, text: { S: "old" } });
  await press("Keep it");
  await waitFor(() => !document.querySelector("main .problem"));
  await press("Delete");
  await press("Delete it as it is now");
  await waitText("f deleted");
  equal(await stored("Edits", "f"), null);
  quiet();
});

await test("of the chosen items those that were changed meanwhile stay", async () => {
  await send("CreateTable", { TableName: "Chosen", ...KEYS });
  for (const id of ["g1", "g2"]) await put("Chosen", { id: { S: id }, text: { S: "old" } });
  await open("#/table/Chosen/explore");
  await set("Chosen", "g2", "from_other", { S: "theirs" });
  await page.$$eval('[aria-label="Items"] input[type="checkbox"]', (boxes) => boxes.forEach((one) => one.click()));
  await press("Delete the chosen items");
  await press("Delete", "dialog");
  await waitText("Not deleted, since another client changed it meanwhile: g2");
  equal([await stored("Chosen", "g1"), await stored("Chosen", "g2")], [null, { from_other: { S: "theirs" }, id: { S: "g2" }, text: { S: "old" } }]);
  quiet();
});

await test("undo says what it takes back, and is about the table that is shown", async () => {
  await put("Others", { id: { S: "o" }, text: { S: "old" } });
  await put("Undone", { id: { S: "h" }, text: { S: "old" } });
  await open(place("Undone", "h"));
  await edit("text", "new");
  await save();
  await go("#/table/Others/explore");
  await waitFor(() => [...document.querySelectorAll("main button")].find((one) => one.innerText === "Undo")?.disabled === true);
  await go("#/table/Undone/explore");
  await waitText("Last change here: changed h");
  await go(place("Others", "o"));
  await edit("text", "new");
  await save();
  await go("#/table/Undone/explore");
  await press("Undo");
  await waitFor(() => !document.querySelector("main").innerText.includes("Last change here"));
  equal([await stored("Undone", "h"), await stored("Others", "o")], [{ id: { S: "h" }, text: { S: "old" } }, { id: { S: "o" }, text: { S: "new" } }]);
  quiet();
});

await test("undo takes nothing of another client's away, unless that is asked for, and can be taken back itself", async () => {
  const theirs = { from_other: { S: "theirs" }, id: { S: "i" }, text: { S: "new" } };
  await put("Taken", { id: { S: "i" }, text: { S: "old" } });
  await open(place("Taken", "i"));
  await edit("text", "new");
  await save();
  await set("Taken", "i", "from_other", { S: "theirs" });
  await go("#/table/Taken/explore");
  await press("Undo");
  await waitText("another client changed it since");
  await waitText("from_other");
  await press("Leave it", "dialog");
  equal(await stored("Taken", "i"), theirs);
  await press("Undo");
  await press("Bring back what was before", "dialog");
  await waitText("Last change here: changed i");
  equal(await stored("Taken", "i"), { id: { S: "i" }, text: { S: "old" } });
  await press("Undo");
  await waitFor(() => !document.querySelector("main").innerText.includes("Last change here"));
  equal(await stored("Taken", "i"), theirs);
  quiet();
});

await test("undo of a creation, and of a deletion, meet what came since", async () => {
  await open("#/table/Created/explore?new=1");
  await edit("id", "j");
  await press("Save");
  await waitFor(() => location.hash.includes("key="));
  await set("Created", "j", "from_other", { S: "theirs" });
  await go("#/table/Created/explore");
  await press("Undo");
  await press("Leave it", "dialog");
  equal(await stored("Created", "j"), { from_other: { S: "theirs" }, id: { S: "j" } });
  await go(place("Created", "j"));
  await press("Delete");
  await waitText("j deleted");
  await put("Created", { id: { S: "j" }, again: { S: "theirs" } });
  await press("Undo");
  await press("Leave it", "dialog");
  equal(await stored("Created", "j"), { again: { S: "theirs" }, id: { S: "j" } });
  await send("DeleteItem", { TableName: "Created", Key: { id: { S: "j" } } });
  await press("Undo");
  await waitText("from_other");
  equal(await stored("Created", "j"), { from_other: { S: "theirs" }, id: { S: "j" } });
  quiet();
});

await test("items of 300 attributes are compared to the last of them, and written as a whole where all differ", async () => {
  const wide = (text) => Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`a${String(i).padStart(3, "0")}`, { S: text }]));
  const json = (item) => page.$eval("main textarea", (element, text) => { element.value = text; element.dispatchEvent(new Event("input")); }, JSON.stringify(item));
  await put("Edits", { id: { S: "w" }, ...wide("old") });
  await open(place("Edits", "w"));
  await set("Edits", "w", "a299", { S: "theirs" });
  await edit("a000", "mine");
  await press("Save");
  await waitText("Not saved: the item was changed since you opened it.");
  equal((await stored("Edits", "w")).a000, { S: "old" });
  await open(place("Edits", "w"));
  await press("As JSON");
  await json({ id: { S: "w" }, ...wide("new") });
  await save();
  equal(await stored("Edits", "w"), { ...wide("new"), id: { S: "w" } });
  quiet();
});

await end();
