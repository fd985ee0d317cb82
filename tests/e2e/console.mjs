// Walks the console with a headless Chromium: every view in both colour schemes and three sizes, with data, empty
// and with hostile values; and the keyboard. Prints TAP without a plan.
//
//   node console.mjs CHROMIUM URL [FOLDER]     screenshots go to FOLDER

import { JOBS, VIEWS, ask, end, equal, file, look, open, page, press, quiet, said, send, show, startServer, test, type, waitFor, waitText } from "./browser.mjs";

await open("#/control");
for (const [name, hash] of Object.entries(VIEWS)) await look(name, hash);
const empty = await startServer();
await open("#/control", empty.url);
for (const name of ["tables", "request", "patterns", "live", "worlds", "tour"]) await look(`${name}, nothing there`, `#/${name}`);
await empty.stop();

// --- the keyboard -------------------------------------------------------------------------------------------

const focused = () => page.evaluate(() => document.activeElement.innerText.trim());

await test("the keyboard alone gets to a view, past the menu, and through tabs", async () => {
  await open("#/tables");
  await page.keyboard.press("Tab");
  equal(await focused(), "Skip to content");
  await page.keyboard.press("Enter");
  equal(await page.evaluate(() => document.activeElement.id), "view");
  await page.evaluate(() => [...document.querySelectorAll("nav a")].find((one) => one.innerText === "Request").focus());
  await page.keyboard.press("Enter");
  await waitText("Run a request to see");
  await page.evaluate(() => document.querySelector('[role="tab"]').focus());
  await page.keyboard.press("ArrowRight");
  equal(await focused(), "JSON");
  await waitFor(() => document.querySelector("main form textarea")?.value.includes("TableName")); // its example has come
  await page.keyboard.press("ArrowLeft");
  equal(await focused(), "AWS CLI");
  await waitFor(() => [...document.querySelectorAll("main form label")].some((one) => one.innerText === "Command"));
  await page.keyboard.press("Tab");
  await page.keyboard.type(`aws dynamodb scan --table-name ${JOBS} --limit 1`);
  for (let i = 0; i < 3; i++) await page.keyboard.press("Tab"); // past a fault, and Save request
  equal(await focused(), "Run");
  await page.keyboard.press("Enter");
  await waitText("returned 1");
  quiet();
});
await test("a dialog holds the focus, and Escape closes it", async () => {
  await open("#/tables");
  await press("New table");
  await page.waitForSelector("dialog");
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press("Tab");
    equal(await page.evaluate(() => document.activeElement === document.body || Boolean(document.activeElement.closest("dialog"))), true);
  }
  await page.keyboard.press("Escape");
  await waitFor(() => !document.querySelector("dialog"));
});

// --- hostile and large values ---------------------------------------------------------------------------------

const EVIL = ['<img src=x onerror="window.hacked=1">', "<script>window.hacked=1</script>", "javascript:window.hacked=1", "\"'><svg onload=window.hacked=1>", "${window.hacked=1}", "{{constructor.constructor('window.hacked=1')()}}"];

await test("no value, name or error runs as script", async () => {
  await open("#/tables");
  await send("CreateTable", { TableName: "Evil", AttributeDefinitions: [{ AttributeName: EVIL[0], AttributeType: "S" }], KeySchema: [{ AttributeName: EVIL[0], KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST", Tags: [{ Key: "a", Value: "b" }] });
  for (const one of EVIL) await send("PutItem", { TableName: "Evil", Item: { [EVIL[0]]: { S: one }, [`${one} `]: { M: { [one]: { L: [{ S: one }, { SS: [one] }] } } } } });
  for (const hash of ["#/tables", "#/table/Evil/explore", "#/table/Evil/settings", `#/table/Evil/explore?key=${encodeURIComponent(JSON.stringify({ [EVIL[0]]: { S: EVIL[1] } }))}`, "#/table/Evil/explore?run=1", `#/table/Evil/explore?${new URLSearchParams({ hash: EVIL[3], run: "1" })}`,
    `#/request?${new URLSearchParams({ mode: "json", op: "Scan", request: JSON.stringify({ TableName: EVIL[0] }), run: "1" })}`, `#/request?${new URLSearchParams({ mode: "statement", statement: EVIL[1], run: "1" })}`, "#/live", "#/patterns/coverage", `#/${EVIL[0]}`]) {
    await show(hash);
    for (const tab of ["Typed JSON", "Plain JSON", "boto3", "Java"]) {
      if (await page.evaluate((one) => [...document.querySelectorAll("main button")].some((element) => element.innerText === one), tab)) await press(tab);
    }
    equal(await page.evaluate(() => [window.hacked ?? null, document.querySelectorAll("main img, main script, main svg[onload]").length]), [null, 0]);
  }
  quiet();
});
await test("nor what faults, worlds, snapshots and files of patterns say", async () => {
  const pattern = { name: "evil", question: EVIL[0], notes: EVIL, steps: [{ name: "s", title: EVIL[1], operation: "Scan", request: { TableName: "Evil", FilterExpression: EVIL[0] } }] };
  const sections = [{ name: "e", title: EVIL[0], table: "Evil", about: EVIL[3], keys: [{ key: EVIL[0], format: EVIL[1], notes: EVIL[0] }], indexes: { [EVIL[0]]: EVIL[1] }, notes: EVIL }];
  const server = await startServer("--patterns", file("patterns.json", JSON.stringify({ title: EVIL[0], about: EVIL[1], sections, patterns: [{ ...pattern, section: "e" }] })));
  await open("#/patterns/sheet", server.url);
  await waitText(EVIL[1]);
  await open("#/patterns", server.url);
  await press("Run all");
  await waitText("1 pattern of 1 fail");
  await page.$eval("main details", (element) => { element.open = true; });
  await open("#/control", server.url);
  await page.$eval('[aria-label="Rules as JSON"]', (element, text) => { element.value = text; element.closest("details").open = true; },
    JSON.stringify(EVIL.map((one) => ({ table: "Evil", key: { pk: { S: one } }, error: "ThrottlingException", message: one }))));
  await press("Add them");
  await waitText(EVIL[4]);
  await ask("GetItem", { TableName: EVIL[0], Key: {} }).catch(() => {});
  for (const hash of ["#/live", "#/live/partitions", "#/patterns/coverage"]) await show(hash);
  await open("#/worlds", server.url);
  for (const [label, action] of [["New world", "Make the world"], ["Take a snapshot", "Take a snapshot"]]) {
    await press(label);
    await type("Name", EVIL[0], "dialog");
    await press(action, "dialog");
    await page.waitForSelector(".notice.wrong");
    await page.evaluate(() => document.getElementById("notices").replaceChildren());
  }
  equal(await page.evaluate(() => [window.hacked ?? null, document.querySelectorAll("main img, main script").length]), [null, 0]);
  await server.stop();
  quiet();
});
await test("items of 400 KB and thousands of them do not slow the page down", async () => {
  await open("#/tables");
  await send("CreateTable", { TableName: "Large", AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }], KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST" });
  await send("PutItem", { TableName: "Large", Item: { pk: { S: "large" }, text: { S: "x".repeat(390000) } } });
  for (let i = 0; i < 40; i++) await send("BatchWriteItem", { RequestItems: { Large: Array.from({ length: 25 }, (_, j) => ({ PutRequest: { Item: { pk: { S: `${i}-${j}` }, text: { S: "y".repeat(100) } } } })) } });
  await open("#/table/Large/explore?run=1");
  await press("Typed JSON");
  await press("Table");
  await waitText("Show more (901 items left)"); // 100 of the 1,001 rows are drawn at once
  equal(await page.$$eval("main tbody tr", (rows) => rows.length), 100);
  await open("#/table/Large/explore");
  quiet();
});
await test("a server that is gone is said, and the page stays", async () => {
  await open("#/tables");
  await page.setOfflineMode(true);
  await page.evaluate(() => { location.hash = "#/worlds"; });
  await waitText("the server does not answer");
  await page.setOfflineMode(false);
  await press("Try again");
  await waitText("Snapshots of");
  said.length = 0;
});

await end();
