// A headless Chromium at the console, and what the scripts console*.mjs do with it. Each is called as
//
//   node SCRIPT CHROMIUM URL [FOLDER]
//
// with the URL of a server that has the e-commerce fixture; $MOCKDDB is the program, of which some start one of their
// own. node_script in e2e.py copies this file beside them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import puppeteer from "puppeteer-core";

const [chromium, url, folder] = process.argv.slice(2);
export { folder, url };

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SLOWNESS = Number(process.env.MOCKDDB_SLOWNESS ?? 1);
export const WAIT_MS = (process.env.MOCKDDB_RELEASE_TESTS === "1" ? 240000 : 90000) * SLOWNESS; // less than chromium.py's NET: a wait that is in vain says what it waited for
const START_MS = 60000 * SLOWNESS; // for a server's first line, and for its end
export const JOBS = "prod-EcomIndexerJobsTable", SETTINGS = "prod-EcomIndexSettingsTable";
export const SHOP = "PLATFORM#shopify#SHOP#kl7a9h55-shopify-e513a8-4";

/** The address of a read by form, or, with a mode, of a request in another way; both are run. */
export const explore = ({ table = JOBS, ...params }) => `#/${params.mode ? "request" : `table/${table}/explore`}?${new URLSearchParams({ run: "1", ...params })}`;
export const VIEWS = {
  tables: "#/tables", settings: `#/table/${JOBS}/settings`, indexes: `#/table/${JOBS}/indexes`, access: `#/table/${JOBS}/access`, metrics: `#/table/${JOBS}/metrics`,
  explore: `#/table/${JOBS}/explore`, query: explore({ hash: SHOP }), request: "#/request",
  "query-empty": explore({ hash: "PLATFORM#shopify#SHOP#e513a8-4.myshopify.com" }),
  patterns: "#/patterns", coverage: "#/patterns/coverage", sheet: "#/patterns/sheet",
  live: "#/live", stream: "#/live/stream", partitions: "#/live/partitions", control: "#/control", worlds: "#/worlds", tour: "#/tour/1",
};

// --- cases ----------------------------------------------------------------------------------------------------

let failed = 0;

export async function test(name, work) {
  try {
    await work();
    console.log(`ok - console: ${name}`);
  } catch (error) {
    failed++;
    console.log(`not ok - console: ${name}`);
    for (const line of String(error.stack ?? error).split("\n").slice(0, 12)) console.log(`#   ${line}`);
  }
}

export function equal(actual, expected) {
  const [a, b] = [actual, expected].map((one) => JSON.stringify(one));
  if (a !== b) throw new Error(`expected ${b}, not ${a}`);
}

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "mockddb-console-"));
const servers = new Set();

/** A file with this text in a folder that end() removes. */
export function file(name, content) {
  const at = path.join(scratch, name);
  fs.writeFileSync(at, content);
  return at;
}

/** What the promise gives, or an error with these words if that takes too long. */
async function within(promise, words) {
  let timer;
  const late = new Promise((resolve, reject) => { timer = setTimeout(() => reject(new Error(`${words()}, after ${START_MS / 1000} s`)), START_MS); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** A server of the test's own: {url, port, stop()}. end() stops those that still run. */
export async function startServer(...words) {
  const child = spawn(process.env.MOCKDDB, ["--port", "0", ...words], { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => { errors = (errors + text).slice(-4000); });
  const ended = once(child, "exit"), first = once(readline.createInterface({ input: child.stdout }), "line");
  const say = (what) => () => `mockddb ${words.join(" ")} ${what}; it says: ${errors.trim() || "nothing"}`;
  servers.add(child);
  const line = await within(Promise.race([first.then(([text]) => text), ended.then(() => "")]), say("did not start"));
  const at = /listening on (\S+)/.exec(line)?.[1];
  if (!at) throw new Error(say("did not start")());
  return { url: at, port: new URL(at).port, stop: async () => {
    servers.delete(child);
    child.kill();
    await within(ended, say("did not end")).catch((error) => { child.kill("SIGKILL"); throw error; });
  } };
}

/** The last line of each script: ends what was started, and the script. */
export async function end() {
  for (const child of servers) child.kill();
  await within(browser.close(), () => "the browser did not end").catch((error) => { failed++; console.log(`not ok - console: ${error.message}`); });
  fs.rmSync(scratch, { recursive: true });
  process.exit(failed ? 1 : 0);
}

// --- the browser ----------------------------------------------------------------------------------------------

export const browser = await puppeteer.launch({
  executablePath: chromium, headless: chromium.endsWith("headless-shell") ? "shell" : true, protocolTimeout: WAIT_MS,
  pipe: true, // it ends with this script, however that ends
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"],
});

/** Messages and errors of the pages, which quiet() expects to be none. */
export const said = [];

/** What a tab says to the browser's question whether to leave a page with edits, and how often it was asked. */
export const leaving = { accept: true, asked: 0 };

function answer(dialog) {
  if (dialog.type() !== "beforeunload") {
    said.push(`a dialog: ${dialog.message()}`);
    return dialog.dismiss();
  }
  leaving.asked++;
  return leaving.accept ? dialog.accept() : dialog.dismiss();
}

/** A further tab. */
export async function newTab() {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(WAIT_MS);
  tab.on("console", (message) => {
    // That an assertion is broken, or a request refused, is an answer: the browser notes its status.
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) said.push(message.text());
  });
  tab.on("pageerror", (error) => said.push(error.message));
  tab.on("dialog", answer);
  return tab;
}

export const page = await newTab();

/** Opens a state of the page and waits until it is drawn. A tab that is at this server already goes there as by an address that is typed
 * into it, without its notices, in a third of a new page's time; a tab with edits, or in which a test has replaced a function of
 * the browser, loads the page anew, as with `fresh`. */
export async function open(hash, base = url, tab = page, fresh = false) {
  const stays = !fresh && tab.url().startsWith(`${base}/_mockddb/`) && await tab.evaluate(async () => {
    const { isUnsaved } = await import("/_mockddb/console/lib/route.js");
    if (isUnsaved() || ![window.fetch, navigator.clipboard?.writeText ?? fetch].every((one) => /\[native code\]/.test(one))) return false;
    document.getElementById("notices").replaceChildren();
    location.hash = "#/blank"; // no view: the next one is drawn, whatever was shown
    return true;
  }).catch(() => false);
  if (stays) {
    await waitText("There is no such view", tab);
    await show(hash, tab);
    return;
  }
  await tab.goto("about:blank");
  await tab.goto(`${base}/_mockddb/${hash}`, { waitUntil: "load" });
  await settled(tab);
}

/** Goes to another state of the page that is open, as a link does. */
export async function go(hash, tab = page) {
  await tab.evaluate((one) => { location.hash = one; }, hash);
  await settled(tab);
}

/** The same for a state of the view that is open, which is drawn anew; a third of the work of a new page. */
export async function show(hash, tab = page) {
  await tab.evaluate((one) => {
    if (location.hash === one) return;
    for (const element of document.querySelector("main").children) element.dataset.before = "";
    location.hash = one;
  }, hash);
  await waitFor(() => !document.querySelector("main > [data-before]"), [], tab);
  await settled(tab);
}

const settled = (tab) => waitFor(() => document.querySelector("main h1") && !document.querySelector("main .busy")
  && !/^(Loading|Reading) …$/m.test(document.querySelector("main").innerText), [], tab);

/** What a tab shows, for the error of a wait that was in vain. */
const seen = (tab) => within(tab.evaluate(() => `${location.hash}: ${document.querySelector("dialog, main")?.innerText.replace(/\s+/g, " ").slice(0, 400)}`), () => "nothing").catch((error) => error.message);

/** Waits until the function, which runs in the page, answers something true. */
export const waitFor = (condition, values = [], tab = page) => tab.waitForFunction(condition, { polling: 50 }, ...values).catch(async (error) => {
  throw new Error(`${error.message}: waiting for ${String(condition).replace(/\s+/g, " ").slice(0, 200)} of ${JSON.stringify(values).slice(0, 200)} at ${await seen(tab)}`);
});

export const waitText = (wanted, tab = page) => waitFor((one) => document.body.innerText.includes(one), [wanted], tab);

/** Presses a button or link as soon as it can be pressed. */
export const press = (label, within = "body", tab = page) => waitFor((one, scope) => {
  const found = [...document.querySelectorAll(`${scope} button, ${scope} a`)]
    .find((element) => element.innerText.trim() === one && element.offsetParent !== null && !element.disabled);
  found?.click(); // at once: a moment later it may be drawn anew
  return Boolean(found);
}, [label, within], tab);

/** Fills a field in by its label. */
export const type = (label, value, within = "main, dialog", tab = page) => waitFor((one, scope, given) => {
  const found = [...document.querySelectorAll("label")].findLast((element) => element.innerText.trim() === one && element.closest(scope));
  const control = found && document.getElementById(found.htmlFor);
  if (!control) return false;
  control.value = given;
  if (control.value !== given) return false; // the choice does not have it yet
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}, [label, within, value], tab);

/** An operation, sent as the page does. */
export const send = (operation, request) => page.evaluate(async (name, body) => {
  const { call } = await import("/_mockddb/console/lib/api.js");
  return call(name, body);
}, operation, request);

/** The same as a client would, which is in the journal. */
export const ask = (operation, request) => page.evaluate(async (name, body) => {
  const { call } = await import("/_mockddb/console/lib/api.js");
  await call(name, body, { explain: true });
}, operation, request);

export function quiet() {
  equal(said.splice(0), []);
}

const ROWS = 8; // of a table or a list

/** axe finds no fault. Rows of a table or list behind the first ones are made as those are, and hidden meanwhile: they take most of its
 * time. */
export async function accessible() {
  if (!await page.evaluate(() => Boolean(window.axe))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (rows) => {
    const more = [...document.querySelectorAll(`tbody tr:nth-child(n+${rows + 1}):not(:focus-within), li:nth-child(n+${rows + 1}):not(:focus-within)`)].filter((one) => !one.hidden);
    for (const one of more) one.hidden = true;
    const found = await window.axe.run(document, { resultTypes: ["violations"] });
    for (const one of more) one.hidden = false;
    return found.violations;
  }, ROWS);
  equal(violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" | ")}`), []);
}

/** Nothing sticks out of the window to the side. */
export async function fits() {
  equal(await page.evaluate(() => document.scrollingElement.scrollWidth <= window.innerWidth), true);
}

const SIZES = [[1280, 800], [1920, 1080], [390, 844]];

/** A state of a view in both schemes and three sizes; a reader's checks in each layout and in all colours. `ready` is a text that it has
 * when it is complete. */
export async function look(name, hash, ready) {
  await test(`${name}: both schemes, three sizes`, async () => {
    await show(hash);
    if (ready) await waitText(ready);
    for (const scheme of ["light", "dark"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      for (const [width, height] of SIZES) {
        await page.setViewport({ width, height });
        if (folder) await page.screenshot({ path: path.join(folder, `${name}-${scheme}-${width}.png`), fullPage: width === 390 });
        await fits();
        if (width === (scheme === "light" ? 1280 : 390)) await accessible();
      }
    }
    await page.setViewport({ width: 1280, height: 800 });
    await page.emulateMediaFeatures([]);
    quiet();
  });
}

// --- the form of an item ------------------------------------------------------------------------------------------

/** Fills in the value of an attribute of the form. */
export const edit = (name, text) => waitFor((one, value) => {
  const row = [...document.querySelectorAll("main .editor tr")].find((tr) => tr.querySelector("input")?.value === one || tr.innerText.startsWith(one));
  const control = row?.querySelector("textarea");
  if (!control) return false;
  control.value = value;
  control.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}, [name, text]);

/** What the form has for an attribute. */
export const valueIn = (name) => page.evaluate((one) => [...document.querySelectorAll("main .editor tr")].find((tr) => tr.querySelector("input")?.value === one)?.querySelector("textarea").value, name);
