// What views of the console show, in a headless Chromium: it is in the address, nothing covers it, forms that open get the focus, and
// fault rules are said where they meet a request. Prints TAP without a plan.
//
//   node console_shown.mjs CHROMIUM URL [FOLDER]     URL is a server with the e-commerce fixture and the prefix "prod-"

import { JOBS, SETTINGS, SHOP, accessible, ask, end, equal, explore, fits, open, page, press, quiet, test, url, waitFor, waitText } from "./browser.mjs";

const check = (name, work) => test(name, async () => { await work(); quiet(); });
const hash = () => page.evaluate(() => location.hash);
const chosen = (label) => page.$eval(`[aria-label="${label}"] [aria-selected="true"]`, (element) => element.innerText);
const noted = (text) => waitFor((one) => decodeURIComponent(location.hash).replaceAll("+", " ").includes(one), [text]);

const verb = async (method, path, body) => (await fetch(`${url}/_mockddb/${path}`, { method, ...(body ? { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {}) })).json();

await check("a world that another client dropped is not made again by a write", async () => {
  await verb("POST", "worlds/doomed", { from: "default" });
  await open("#/control?world=doomed");
  await waitText("Clock of this world");
  await verb("DELETE", "worlds/doomed");
  await press("Freeze");
  await waitText("world doomed does not exist");
  equal((await verb("GET", "worlds")).worlds.map((one) => one.name).includes("doomed"), false);
});
await check("the clock takes milliseconds, says what is wrong at its field, and asks before a jump ahead", async () => {
  await open("#/control");
  const fill = (name, text) => page.$eval(`[data-field="${name}"]`, (element, value) => { element.value = value; }, text);
  await fill("moment", "1760000000000");
  await press("Set and freeze");
  await waitText("2025-10-09T08:53:20.000Z");
  await fill("duration", "60000");
  await press("Advance");
  await waitText("2025-10-09T08:54:20.000Z");
  await fill("duration", "soon");
  await press("Advance");
  await waitFor(() => document.querySelector('[data-field="duration"]').getAttribute("aria-invalid") === "true");
  await fill("moment", "2030-01-01T00:00:00Z");
  await press("Set");
  await waitText("Items whose time to live passes are deleted");
  await press("Cancel", "dialog");
  await waitText("2025-10-09T08:54:20.000Z");
  await verb("POST", "clock", { real: true });
});

// --- addresses ------------------------------------------------------------------------------------------------

await hasAddress("#/patterns", "Coverage", "#/patterns/coverage", "patterns were used");
await hasAddress("#/patterns/coverage", "Questions", "#/patterns/questions", "Run all");
await hasAddress("#/live", "Partitions", "#/live/partitions", "Which partition keys");

/** A tab has an address, which a reload and Back show. */
async function hasAddress(from, tab, to, text) {
  await check(`${from}: ${tab} has an address, and Back`, async () => {
    await open(from);
    const before = await chosen("What is shown");
    await press(tab);
    await waitText(text);
    equal(await hash(), to);
    await page.reload();
    await waitText(text);
    equal(await chosen("What is shown"), tab);
    await page.goBack();
    await waitFor((one) => document.querySelector('[aria-label="What is shown"] [aria-selected="true"]')?.innerText === one, [before]);
    equal(await hash(), from);
  });
}

await check("patterns that are open, and values in their blanks, are in the address", async () => {
  await open("#/patterns/questions");
  for (const name of ["job-by-id", "settings-by-domain"]) await page.evaluate((one) => { [...document.querySelectorAll("main details")].find((details) => details.innerText.includes(one)).open = true; }, name);
  await noted("name=settings-by-domain");
  await page.$eval("main details[open] form input", (element) => { element.value = "no-such"; element.dispatchEvent(new Event("input")); });
  await noted("no-such");
  await page.reload();
  await waitFor(() => document.querySelectorAll("main details.panel[open]").length === 2);
  equal(await page.$$eval("main details.panel[open] form input", (all) => all.some((one) => one.value === "no-such")), true);
  await page.$eval("main details.panel[open] > summary", (element) => element.click());
  await waitFor(() => !location.hash.includes("no-such") || !location.hash.includes("job-by-id"));
});
await check("an answer's language, the form of its items, their order and what is unfolded are in the address", async () => {
  await open(explore({ table: SETTINGS, limit: "3" }));
  await press("boto3");
  await press("Typed JSON");
  await page.evaluate(() => { [...document.querySelectorAll("main details")].find((one) => one.innerText.startsWith("The whole answer")).open = true; });
  await noted("unfold=answer");
  await page.reload();
  await waitText("client.scan(");
  await waitFor(() => [...document.querySelectorAll("main details[open] pre")].some((one) => one.innerText.includes("ScannedCount")));
  equal([await chosen("Language"), await chosen("Form of the items")], ["boto3", "Typed JSON"]);
  await press("Table", '[aria-label="Answer"]');
  await press("sk", '[aria-label="Items"]');
  await noted("order=sk");
  await press("Open", '[aria-label="Items"]'); // the item at the side keeps them
  await noted("key=");
  await noted("lang=boto3");
  await page.reload();
  await waitFor(() => document.querySelector('[aria-label="Items"] th[aria-sort="ascending"]')?.dataset.name === "sk");
});
await check("Live: an opened request, a range, Paused and a partition are in the address", async () => {
  await ask("Query", { TableName: JOBS, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: SHOP } } });
  await open("#/live");
  await press("Query", '[aria-label="Requests"]');
  await noted("id=");
  await page.reload();
  await waitFor(() => document.querySelector("dialog h2")?.innerText.includes("Query"));
  await press("Close", "dialog");
  await waitFor(() => !location.hash.includes("id="));
  await page.evaluate(() => [...document.querySelectorAll("main label")].find((one) => one.innerText.trim() === "Paused").querySelector("input").click());
  await noted("paused=1");
  const now = Math.floor(Date.now() / 1000);
  await open(`#/live/requests?from=${now - 60}&to=${now + 60}`);
  await waitText("Only the requests of the range that was chosen.");
  await waitFor(() => document.querySelector('[aria-label="Requests"] tbody tr'));
  await ask("Query", { TableName: SETTINGS, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: "kl7a9h55" } } });
  await open("#/live/partitions");
  await press(`${SETTINGS}: pk = kl7a9h55`);
  await noted("partition=");
  await page.reload();
  await waitFor((name) => document.querySelector("main h2")?.innerText.startsWith(name), [SETTINGS]);
});
await check("how a program reaches a world is in the address", async () => {
  await open("#/worlds");
  await page.$eval("main details summary", (element) => element.click());
  await press("boto3");
  await noted("lang=boto3");
  await page.reload();
  await waitText("client = boto3.client(");
});

// --- nothing is covered ---------------------------------------------------------------------------------------

const SIZES = [[1280, 800], [1920, 1080], [390, 844]];

await check("a message covers nothing, the bar's choices show their words, and Save is always there", async () => {
  for (const [width, height] of SIZES) {
    await page.setViewport({ width, height });
    await open(`#/table/${JOBS}/explore`);
    await waitFor(() => document.querySelector('[aria-label="Items"] tbody tr'));
    await page.evaluate(async () => {
      const { notice } = await import("/_mockddb/console/lib/dom.js");
      notice("Saved, with a message of some length: Undo is beside it");
    });
    await fits();
    const covered = await page.evaluate(() => {
      const all = [...document.querySelectorAll("main button, main a, main input, main tbody tr")].filter((one) => one.checkVisibility());
      const hidden = [];
      for (const one of [...all.slice(0, 20), ...all.slice(-20)]) {
        one.scrollIntoView({ block: "nearest", inline: "nearest" });
        const box = one.getBoundingClientRect(), foot = document.querySelector(".foot").getBoundingClientRect();
        if (box.bottom > foot.top + 1 && box.height < 200) hidden.push(one.innerText.slice(0, 40));
      }
      return hidden;
    });
    equal([width, covered], [width, []]);
    // A choice is as wide as its text.
    await page.evaluate(() => document.getElementById("notices").replaceChildren());
    const cut = await page.evaluate(() => {
      const select = document.querySelector('[aria-label="Clock"]'), context = document.createElement("canvas").getContext("2d");
      context.font = getComputedStyle(select).font;
      const box = select.getBoundingClientRect();
      return box.right > innerWidth || box.width < context.measureText(select.options[0].text).width + 20;
    });
    equal([width, cut], [width, false]);
    await press("Open", '[aria-label="Items"]');
    await waitFor(() => document.querySelector(".drawer .editor textarea"));
    const isReached = () => {
      const save = [...document.querySelectorAll(".drawer button")].find((one) => one.innerText === "Save"), box = save.getBoundingClientRect();
      return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) === save;
    };
    for (const from of [0, 60]) { // wherever the page is scrolled to, the panel ends above the line at the bottom
      await waitFor((at) => {
        scrollTo(0, at);
        const [drawer, foot] = [".drawer", ".foot"].map((one) => document.querySelector(one).getBoundingClientRect());
        return drawer.bottom <= foot.top + 1;
      }, [from]);
      await waitFor(isReached);
    }
    if (width === 390) await accessible();
  }
  await page.setViewport({ width: 1280, height: 800 });
});

await check("in a narrow window the bar has all views and Go to, a message hides no clock, and labels of cells are apart", async () => {
  await page.setViewport({ width: 390, height: 844 });
  await open("#/tables");
  await page.evaluate(async () => (await import("/_mockddb/console/lib/dom.js")).notice("Saved"));
  equal(await page.evaluate(() => [...document.querySelectorAll("#menu a, #state button, [aria-label=Clock]")].filter((one) => {
    const box = one.getBoundingClientRect();
    return !box.width || box.left < 0 || box.right > innerWidth || !one.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
  }).map((one) => one.innerText)), []);
  equal(await page.$$eval(".stacked td", (all) => all.every((cell) => cell.getBoundingClientRect().height >= Number.parseFloat(getComputedStyle(cell, "::before").height))), true);
  await page.setViewport({ width: 1280, height: 800 });
});
await check("Live's plots begin with what the journal has, by the world's clock", async () => {
  await ask("Scan", { TableName: SETTINGS });
  const clock = (body) => page.evaluate((one) => fetch("/_mockddb/clock", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(one) }).then((answer) => answer.json()), body);
  await clock({ advance: "100h" });
  await ask("Scan", { TableName: SETTINGS });
  await open("#/live");
  await waitFor(() => document.querySelectorAll(".time-plot rect").length > 0 && document.querySelectorAll(".time-plot .point").length > 0);
  await clock({ real: true });
});

// --- the focus ------------------------------------------------------------------------------------------------

const focused = () => page.evaluate(() => document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText);

await check("a form that opens has the focus in its first field, and one that changes keeps it", async () => {
  await open("#/tables");
  await press("New table");
  await page.waitForSelector("dialog");
  equal(await focused(), "Table name");
  await press("Add a global index", "dialog");
  equal([await focused(), await page.evaluate(() => document.activeElement.closest("fieldset").querySelector("legend").innerText)], ["Name", "Global index"]);
  await waitText("If it is empty: “by-” and the name of the partition key.");
  await press("Add a local index", "dialog");
  equal(await page.evaluate(() => document.activeElement.closest("fieldset").querySelector("legend").innerText), "Local index");
  await page.$$eval("dialog fieldset fieldset", (all) => [...all[1].querySelectorAll("button")].at(-1).click());
  equal(await focused(), "Add a global index");
  await page.keyboard.press("Escape");
  await open(`#/table/${JOBS}/indexes`);
  await press("New index");
  await waitFor(() => document.querySelector("dialog"));
  equal(await focused(), "Name");
  await page.keyboard.press("Escape");
  await open(`#/table/${JOBS}/explore`);
  await page.$$eval("main form summary", (all) => all.find((one) => one.innerText.startsWith("Filter")).click());
  await press("Add a filter");
  await waitFor(() => document.activeElement.dataset.field === "filter0-name");
  await page.evaluate(() => [...document.querySelectorAll("main form label")].find((one) => one.innerText === "Comparison").control.focus());
  await page.evaluate(() => { document.activeElement.value = "between"; document.activeElement.dispatchEvent(new Event("change")); });
  await waitFor(() => document.querySelector('[data-field="filter0-value2"]'));
  equal(await focused(), "Comparison");
});

await check("Find, when it is pressed, has the focus in its field", async () => {
  await open(`#/table/${JOBS}/explore`);
  await press("Find", '[aria-label="Ways to say it"]');
  await waitFor(() => document.activeElement.dataset.field === "find");
});

// --- patterns' words ------------------------------------------------------------------------------------------

await check("whether a pattern was run, and whether traffic uses it, have a word and a look each, and a legend", async () => {
  await open("#/patterns");
  equal(await page.$eval(".legend", (element) => element.innerText.replace(/\s+/g, " ")), "not run its example was not run on this page yet; else it holds or fails unused no request of a program was like it; else it is used, or seen in part");
  equal(await page.$$eval("main details.panel", (all) => all.every((one) => one.querySelectorAll("summary .tag").length === 1 && one.querySelectorAll("summary .use").length === 1)), true);
  await open(`#/table/${JOBS}/access`);
  equal(await page.$$eval("main td .use", (all) => all.length > 0), true);
});

// --- the server ends ----------------------------------------------------------------------------------------

await check("a part of the page that cannot be loaded is said as a server that does not answer", async () => {
  await open("#/tables");
  const words = await page.evaluate(async () => {
    const { problem } = await import("/_mockddb/console/lib/dom.js");
    return import("/_mockddb/console/views/none.js").catch((error) => problem(error).innerText);
  });
  equal(words, "No answer the server does not answer: is it still running?");
});

// --- fault rules ----------------------------------------------------------------------------------------------

await check("a rule that meets a request is said where it is run, and leads to the rule, as its explanation and Live do", async () => {
  const faults = (method, body) => fetch(`${url}/_mockddb/faults`, { method, ...(body ? { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {}) }).then((answer) => answer.json());
  await open(`#/table/${JOBS}/explore`);
  await waitText("without a fault");
  await faults("POST", { rules: [{ operation: "GetItem", error: "ThrottlingException" }, { operation: "Scan", table: JOBS, error: "RequestLimitExceeded" }, { operation: "Scan", table: SETTINGS, error: "ThrottlingException" }] });
  const [, { id }] = (await faults("GET")).rules;
  await open(`#/table/${JOBS}/explore`);
  await waitText(`Rule ${id} may meet this request. Scan ${JOBS}: throttled (RequestLimitExceeded), every time.`);
  equal(await page.$eval('[aria-label="Fault"]', (element) => element.options[0].text), "no further fault");
  await press("Run");
  await waitText(`fault rule ${id} gives this answer`);
  await press(`fault rule ${id}`);
  await waitFor((rule) => document.activeElement.id === `rule${rule}` && document.activeElement.ariaCurrent === "true", [id]);
  equal(await hash(), `#/control?rule=${id}`);
  await accessible();
  await open("#/live");
  await press("Scan", '[aria-label="Requests"]');
  await press(`fault rule ${id}`, "dialog");
  await waitFor((rule) => document.activeElement.id === `rule${rule}`, [id]);
  await open(`#/table/${JOBS}/explore?hash=x`);
  await waitText("without a fault"); // a Query meets none
  equal(await page.evaluate(() => document.body.innerText.includes("may meet this request")), false);
  await faults("DELETE");
  await open(`#/control?rule=${id}`);
  await waitText(`Fault rule ${id} does not exist any more`);
  await page.evaluate(() => document.getElementById("notices").replaceChildren());
});

await end();
