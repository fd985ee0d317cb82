// Tables and items in a headless Chromium: made, changed, brought back, deleted, and files of them. Prints TAP without a plan.
//
//   node console_items.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { gzipSync } from "node:zlib";
import { accessible, ask, end, equal, file, open, page, press, quiet, send, test, type, waitFor, waitText } from "./browser.mjs";

await test("a table is made, its items are written, changed, brought back and found", async () => {
  await open("#/tables");
  await press("New table");
  await type("Table name", "Notes");
  await type("Partition key", "id");
  await press("Create", "dialog");
  await waitText("Notes");
  await open("#/table/Notes/explore?new=1");
  await page.$eval("main textarea", (element) => { element.value = "n1"; element.dispatchEvent(new Event("input")); });
  await press("Add an attribute");
  await page.$$eval("main .editor tbody tr:last-child input, main .editor tbody tr:last-child textarea", ([name, value]) => {
    name.value = "count";
    value.value = "12345678901234567890123456789012345678";
    for (const one of [name, value]) one.dispatchEvent(new Event("input"));
  });
  await page.$eval("main .editor tbody tr:last-child select", (element) => { element.value = "N"; element.dispatchEvent(new Event("change")); });
  await page.$eval("main .editor tbody tr:last-child textarea", (element) => { element.value = "12345678901234567890123456789012345678"; element.dispatchEvent(new Event("input")); });
  await waitText("29 B of the 400 KB that an item may have: 1 unit to write it"); // id and n1, count and 20 for 38 digits
  await press("Save");
  await page.waitForFunction(() => location.hash.includes("key="));
  equal((await send("GetItem", { TableName: "Notes", Key: { id: { S: "n1" } } })).Item, { id: { S: "n1" }, count: { N: "12345678901234567890123456789012345678" } });
  await page.evaluate(() => { location.hash = "#/table/Notes/explore"; });
  await waitText("12345678901234567890123456789012345678");
  await page.$eval('[aria-label="Items"] input[type="checkbox"]', (element) => element.click());
  await press("Delete the chosen items");
  await waitText("There are no items here.");
  await waitText("0 items");
  await press("Undo");
  await waitText("12345678901234567890123456789012345678");
  await waitText("1 item,");
  quiet();
});
await test("undo leaves an item alone that changed since", async () => {
  await page.$eval('[aria-label="Items"] input[type="checkbox"]', (element) => element.click());
  await press("Delete the chosen items");
  await waitText("There are no items here.");
  await send("PutItem", { TableName: "Notes", Item: { id: { S: "n1" }, other: { BOOL: true } } });
  await press("Undo");
  await waitText("The item changed since");
  await press("Leave it", "dialog");
  equal((await send("GetItem", { TableName: "Notes", Key: { id: { S: "n1" } } })).Item, { id: { S: "n1" }, other: { BOOL: true } });
});
await test("what was changed before a snapshot came back is not taken back", async () => {
  const undoIs = (disabled) => waitFor((one) => [...document.querySelectorAll("main button")].find((element) => element.innerText === "Undo")?.disabled === one, [disabled]);
  const go = (hash) => page.evaluate((one) => { location.hash = one; }, hash);
  await undoIs(false);
  await go("#/worlds");
  await press("Take a snapshot");
  await type("Name", "before", "dialog");
  await press("Take a snapshot", "dialog");
  await press("Go back to it");
  await press("Go back", "dialog");
  await waitText("The world is as it was in snapshot “before”");
  await go("#/table/Notes/explore");
  await undoIs(true);
  await go("#/worlds");
  await press("Delete");
  await waitText("Snapshot “before” is deleted");
  quiet();
});
await test("a table is changed", async () => {
  await open("#/table/Notes/settings");
  const change = (setting, label = "Edit") => press(label, `[data-setting="${setting}"]`);
  await change("Time to live");
  await type("Attribute with the time, in seconds", "expires", "dialog");
  await press("Switch on", "dialog");
  await waitText("expires, enabled");
  await change("Stream");
  await type("What records show", "NEW_IMAGE", "dialog");
  await press("Switch on", "dialog");
  await waitText("NEW_IMAGE");
  await send("UpdateTable", { TableName: "Notes", TableClass: "STANDARD_INFREQUENT_ACCESS" });
  await change("Deletion protection", "Switch on");
  await waitFor(() => document.querySelector('[data-setting="Deletion protection"] button')?.innerText === "Switch off");
  const shown = Object.fromEntries(await page.$$eval("main dt", (terms) => terms.map((one) => [one.innerText, one.nextSibling.firstChild.innerText])));
  equal([shown["Table class"], shown["Deletion protection"], shown.Billing], ["STANDARD_INFREQUENT_ACCESS", "on", "on demand"]);
  equal(Object.keys(shown).filter((term) => /id|arn|status|size|mode|count|name|stream label/i.test(term)), ["ARN"]);
  await change("Deletion protection", "Switch off");
  await waitFor(() => document.querySelector('[data-setting="Deletion protection"] button')?.innerText === "Switch on");
  quiet();
});
await test("a table leaves as a file of each form, and a file comes in", async () => {
  await send("PutItem", { TableName: "Notes", Item: { id: { S: 'a,"b"\n' }, b: { B: "AAEC" }, set: { NS: ["1", "12345678901234567890123456789012345678"] }, m: { M: { l: { L: [{ NULL: true }, { BOOL: false }, { N: "-1.5" }, { S: "\t“é”" }] }, s: { SS: ["x"] }, bs: { BS: ["AA=="] } } } } });
  await ask("Scan", { TableName: "Notes" });
  await open("#/table/Notes/settings");
  await waitText("0.5 units read, less than 1 cent");
  await page.evaluate(() => {
    window.saved = [];
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => { window.saved.push(blob); return make(blob); };
  });
  const forms = ["lines", "plain", "csv", "ion"];
  for (const form of forms) {
    await page.$eval("main .panel select", (element, value) => { element.value = value; }, form);
    await press("Export");
    await waitFor((count) => window.saved.length === count, [forms.indexOf(form) + 1]);
  }
  const [typed, plain, csv, ion] = await page.evaluate(() => Promise.all(window.saved.map((blob) => blob.text())));
  equal(typed.trim().split("\n").map((line) => Object.keys(JSON.parse(line))), [["Item"], ["Item"]]);
  equal(JSON.parse(plain).map((item) => item.b ?? "").sort(), ["", "AAEC"]);
  equal([csv.split("\n")[0].startsWith("id,"), csv.includes('"a,""b""\n",'), plain.includes("12345678901234567890123456789012345678")], [true, true, true]);
  await (await page.$('input[type="file"]')).uploadFile(file("items.json", `${typed}{"Item": {"id": {"S": "from a file"}, "n": {"N": "1"}}}\n`));
  await waitText("items.json: 3 items");
  equal((await send("GetItem", { TableName: "Notes", Key: { id: { S: "from a file" } } })).Item, undefined); // before the button
  await press("Import");
  await waitText("3 items imported into Notes");
  equal((await send("GetItem", { TableName: "Notes", Key: { id: { S: "from a file" } } })).Item.n, { N: "1" });
  const held = await send("Scan", { TableName: "Notes" });
  await (await page.$('input[type="file"]')).uploadFile(file("items.ion", ion));
  await press("Import");
  await waitText("2 items imported");
  equal(await send("Scan", { TableName: "Notes" }), held);
  await (await page.$('input[type="file"]')).uploadFile(file("wrong.json", '{"Item": {"id": {"S": "x"}}}\n{"Item": {"id": {"S": 1}}}\n{"Item": {"no": {"S": "x"}}}\n'));
  await press("Import");
  await waitText("1 item imported into Notes, which has 4 items now, 2 records refused");
  equal(await page.$$eval('[aria-label="What was refused"] tbody tr', (rows) => rows.map((row) => row.cells[0].innerText)), ["2", "3"]);
  quiet();
});
await test("files are looked at first: what they have, and which table it is for, is shown before anything is written", async () => {
  const choose = async (...files) => (await page.waitForSelector('input[type="file"]')).uploadFile(...files);
  const tables = async () => (await send("ListTables", {})).TableNames.filter((one) => !one.startsWith("prod-")).sort();
  const people = file("people.csv.gz", gzipSync("name,age\nAda,36\nGrace,45\n"));
  await open("#/tables");
  await choose(people);
  await waitText("people.csv.gz: 2 items");
  await waitText("new table");
  await accessible();
  equal([await tables(), await page.$eval("main", (element) => [...element.querySelectorAll("label")].find((one) => one.innerText === "Table").control.value)], [["Notes"], "people"]);
  await type("Partition key", "name");
  await type("Sort key (optional)", "age");
  await press("Import");
  await waitText("people.csv.gz: 2 items imported into people (new)");
  await waitText("name (S), age (N)");
  equal(await page.$eval('input[type="file"]', (element) => element.value), ""); // else a browser does not report the same file once more
  await choose(people); // its table is there now
  await waitText("existing table Its key is name (S), age (N); an item takes the place");
  await type("Table", "folk"); // after the file was chosen
  await waitFor(() => document.querySelector('[aria-label="people.csv.gz"]')?.innerText.includes("new table"));
  await press("Import");
  await waitText("people.csv.gz: 2 items imported into folk (new)");
  equal([await tables(), (await send("Scan", { TableName: "folk" })).Count], [["Notes", "folk", "people"], 2]);
  quiet();
});
await test("a CSV file and the output of a scan go in by two actions, into the tables that their names say", async () => {
  const choose = async (...files) => (await page.waitForSelector('input[type="file"]')).uploadFile(...files);
  await choose(file("pets.csv", "id,kind\n1,cat\n"), file("people-scan.json", '{"Items": [{"name": {"S": "Alan"}, "age": {"N": "41"}}, {"name": {"S": "Barbara"}, "age": {"N": "50"}}], "Count": 2}'));
  await press("Import");
  await waitText("pets.csv: 1 item imported into pets (new)");
  await waitText("people-scan.json: 2 items imported into people");
  equal((await send("Scan", { TableName: "people" })).Count, 4);
  await send("DeleteTable", { TableName: "pets" });
  quiet();
});
await test("files create their tables, say what is wrong with them, and need a table", async () => {
  const choose = async (...files) => (await page.waitForSelector('input[type="file"]')).uploadFile(...files);
  const described = { TableName: "Described", KeySchema: [{ AttributeName: "id", KeyType: "HASH" }], AttributeDefinitions: [{ AttributeName: "id", AttributeType: "N" }], BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" } };
  await choose(file("Described.jsonl", '{"id": 1}\n{"id": 2}\n'), file("table.json", JSON.stringify({ Table: described })));
  await waitText("made by table.json");
  await press("Import");
  await waitText("Described.jsonl: 2 items imported into Described");
  await choose(file("x.json", '[{"name": "Alan", "years": 41}]'));
  await waitText("x.json: 1 item");
  await type("Table", "people");
  await waitText("The first item has no age.");
  await type("Table", "");
  await press("Import");
  await waitText("missing: which table are the items for?");
  await choose(file("nothing.json", ""));
  await waitText("nothing in it nothing.json");
  await choose(file("empty.ion", "$ion_1_0 {Item:"));
  await waitText("1 record refused");
  equal(await page.$$eval("main button", (all) => all.some((one) => one.innerText === "Import")), false);
  await choose(file("utf16.json", Buffer.from("\ufeff{}", "utf16le")));
  await waitText("this is UTF-16");
  for (const TableName of ["people", "folk", "Described"]) await send("DeleteTable", { TableName });
  quiet();
});
await test("a table goes only when its name is typed", async () => {
  await open("#/table/Notes/settings");
  await press("Delete table");
  equal(await page.$eval("dialog button.danger", (element) => element.disabled), true);
  await type("Type Notes to continue", "Notes", "dialog");
  await press("Delete table", "dialog");
  await waitText("The table is deleted");
  equal((await send("ListTables", {})).TableNames.includes("Notes"), false);
});

await end();
