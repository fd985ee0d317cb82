// Faults, the clock, and assertions on requests.

import { verb } from "../lib/api.js";
import { checkLimit } from "../lib/checks.js";
import { changeClock, timeOf } from "../lib/clock.js";
import { button, field, fill, grid, h, notice, problem, select, showFaults } from "../lib/dom.js";
import { FAULT_KINDS, effectOf, ruleText } from "../lib/faults.js";
import { count } from "../lib/format.js";
import { recall, remember } from "../lib/memory.js";
import { href, unfolded } from "../lib/route.js";

export const title = "Faults & clock";

async function doing(work, again) {
  try {
    const done = await work();
    if (done) notice(done);
    await again();
  } catch (error) {
    notice(error.message, "wrong");
  }
}

const input = (more) => h("input", { autocomplete: "off", spellcheck: "false", ...more });

// --- the clock ----------------------------------------------------------------------------------------------

const TICK_MS = 100, ASK_MS = 2000;

async function clockPanel(leaving, refreshing) {
  const place = h("div"), moment = input({ placeholder: "2026-01-01T00:00:00Z", "data-field": "moment" }), duration = input({ placeholder: "36h", value: "1h", "data-field": "duration" });
  const time = h("b", { class: "mono" });
  let clock = null, read = 0, asked = 0, known = 0;
  const ask = async () => {
    const turn = ++asked, answer = await verb("GET", "clock");
    if (turn < known) return; // a late answer does not replace a newer one
    [clock, known, read] = [answer, turn, performance.now()];
  };
  const tick = () => {
    const passed = clock.frozen ? 0 : (performance.now() - read) * clock.rate;
    const date = new Date(clock.now_ms + passed);
    time.textContent = isNaN(date) ? clock.now : date.toISOString();
  };
  const draw = async () => {
    await ask();
    tick();
    /** A wrong value is said at its field. */
    const set = (body, text, at) => () => doing(async () => {
      try {
        return await changeClock(body()) && text;
      } catch (error) {
        if (!at) throw error;
        showFaults(place, [{ at, message: error.message }]);
        return null;
      }
    }, async () => { if (!place.querySelector("[aria-invalid]")) await draw(); });
    fill(place,
      h("p", {}, time, " ", h("span", { class: `tag ${clock.frozen ? "warn" : "good"}` }, clock.frozen ? "frozen" : clock.rate === 1 ? "running" : `${count(clock.rate)} times as fast`)),
      h("div", { class: "row" },
        clock.frozen ? button("Let it run", set(() => ({ resume: true }), "The clock runs")) : button("Freeze", set(() => ({ freeze: true }), "The clock is frozen")),
        button("The system's time", set(() => ({ real: true }), "The clock shows the system's time"))),
      h("div", { class: "row" }, h("div", { class: "grow" }, field("Advance by", duration, "what is due by then is done: expiry, states of tables")), button("Advance", set(() => ({ advance: timeOf(duration.value) }), "The clock is further", "duration"))),
      field("Set to", moment), h("div", { class: "row" },
        button("Set", set(() => ({ set: timeOf(moment.value) }), "The clock is set", "moment")), button("Set and freeze", set(() => ({ freeze: timeOf(moment.value) }), "The clock is set, and frozen", "moment"))));
  };
  await draw();
  // Other clients and the header may set it, too.
  const look = () => {
    const { frozen, rate } = clock;
    ask().then(() => (clock.frozen !== frozen || clock.rate !== rate ? draw() : null)).catch(() => {});
  };
  refreshing.push(look);
  const timers = [setInterval(tick, TICK_MS), setInterval(look, ASK_MS)];
  leaving.push(() => timers.forEach(clearInterval));
  return h("section", { class: "panel", "aria-label": "Clock" }, h("h2", {}, "Clock of this world"), place);
}

// --- faults --------------------------------------------------------------------------------------------------

const OPERATIONS = ["", "GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan", "BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems", "ExecuteStatement", "GetRecords"];
// The further settings of a kind: label and default.
const AMOUNTS = { delay: ["By", "250ms"], unprocessed: ["Left unprocessed", "1"], page_limit: ["Items a page", "1"] };

function ruleOf(form) {
  const rule = { ...(form.operation ? { operation: form.operation } : {}), ...(form.table ? { table: form.table } : {}) };
  if (form.times) rule.times = Number(form.times);
  if (form.nth) rule.nth = Number(form.nth);
  return { ...rule, ...effectOf(form.kind, form.amount || AMOUNTS[form.kind]?.[1]) };
}

const signOf = ({ id, rule }) => JSON.stringify([id, rule]);

/** A row, and a function that updates its figures. */
function ruleRow(one, remove, marked) {
  const { id, rule } = one, seen = h("td", { class: "number" }), hits = h("td", { class: "number" });
  const element = h("tr", { id: `rule${id}`, tabindex: "-1", "aria-current": id === marked ? "true" : null }, h("td", { class: "wrapped" }, rule.name ? h("b", {}, `${rule.name} `) : null, ruleText(rule),
    h("details", unfolded(`rule ${id}`), h("summary", {}, "JSON"), h("pre", { class: "wrap", tabindex: "0" }, JSON.stringify(rule)))), seen, hits,
  h("td", {}, button("Remove", () => remove(id), { "aria-label": `Remove the rule ${rule.name ?? ruleText(rule)}` })));
  const show = (now) => {
    seen.textContent = count(now.seen ?? 0);
    hits.textContent = count(now.hits ?? 0);
  };
  return { sign: signOf(one), element, show };
}

async function faultsPanel(leaving, refreshing, marked) {
  const form = { operation: "", table: "", kind: FAULT_KINDS[0][0], times: "", nth: "", amount: "" };
  const list = h("div"), written = h("textarea", { rows: 5, spellcheck: "false", "aria-label": "Rules as JSON", placeholder: '[{"operation": "PutItem", "times": 2, "error": "ThrottlingException"}]', value: recall("rules", ""), oninput: () => remember("rules", written.value) });
  const set = (name) => (event) => { form[name] = (event.target ?? { value: event }).value ?? event; };
  const amount = h("div", { hidden: true });
  const drawAmount = () => {
    const [label, placeholder] = AMOUNTS[form.kind] ?? [];
    form.amount = "";
    amount.hidden = !label;
    fill(amount, label ? field(label, input({ oninput: set("amount"), size: "6", placeholder, "data-field": "amount" })) : null);
  };
  let rows = null;
  const draw = async () => {
    const { rules } = await verb("GET", "faults");
    const same = rows?.length === rules.length && rows.every((row, i) => row.sign === signOf(rules[i]));
    if (!same) rows = rules.map((one) => ruleRow(one, remove, marked));
    rows.forEach((row, i) => row.show(rules[i]));
    const focused = list.contains(document.activeElement);
    // Rows of known rules keep their scroll position and open state.
    if (!same) fill(list, rules.length ? grid("Fault rules", ["Rule", ["Calls seen", true], ["Hits", true], "Remove"], rows.map((row) => row.element), true)
      : h("p", { class: "quiet", tabindex: "-1" }, "No rules: everything goes well."));
    if (!same && focused) list.firstChild.focus(); // the pressed button was removed
  };
  const add = (rules) => doing(async () => { await verb("POST", "faults", { rules: typeof rules === "string" ? JSON.parse(rules) : rules }); return "The rules are added"; }, draw);
  const addOne = (event) => {
    const faults = ["times", "nth", ...(form.kind === "delay" ? [] : ["amount"])].flatMap((name) => checkLimit(form[name], name));
    showFaults(event.target.closest("section"), faults);
    if (!faults.length) add([ruleOf(form)]);
  };
  const remove = (id) => doing(async () => { await verb("DELETE", `faults/${id}`); return "The rule is gone"; }, draw);
  await draw();
  const look = () => draw().catch(() => {}), timer = setInterval(look, 2000);
  refreshing.push(look);
  leaving.push(() => clearInterval(timer));
  return h("section", { class: "panel", "aria-label": "Faults" }, h("h2", {}, "Faults"), list,
    h("div", { class: "row" }, field("Operation", select(OPERATIONS.map((one) => [one, one || "any"]), "", (value) => { form.operation = value; })),
      h("div", { class: "grow" }, field("Table", input({ oninput: set("table") }), "empty: any"))),
    h("div", { class: "row" }, h("div", { class: "grow" }, field("What goes wrong", select(FAULT_KINDS, form.kind, (value) => { form.kind = value; drawAmount(); }))), amount,
      field("How often", input({ oninput: set("times"), inputmode: "numeric", size: "5", placeholder: "always", "data-field": "times" })), field("From call", input({ oninput: set("nth"), inputmode: "numeric", size: "5", placeholder: "1", "data-field": "nth" }))),
    h("div", { class: "row" }, button("Add the rule", addOne, { class: "primary" }),
      button("Remove all rules", () => doing(async () => { await verb("DELETE", "faults"); return "No faults"; }, draw))),
    h("details", unfolded("rules"), h("summary", {}, "Several rules, as JSON"), written, button("Add them", () => add(written.value))));
}

// --- assertions -----------------------------------------------------------------------------------------------

const EXAMPLE = '[\n  {"no": "Scan"},\n  {"max_read_units": 200},\n  {"max_filtered_percent": 80},\n  {"no_validation_errors": true}\n]';

/** The reason; a request's number is a link to it. */
function whyText(text) {
  return text.split(/((?<=the first is |request )\d+)/).map((part, i) => (i % 2 ? h("a", { href: href("live", ["requests"], { id: part }) }, part) : part));
}

function reportView({ report }) {
  return h("ul", {}, report.map((one) => h("li", {}, h("b", { class: one.holds ? "hold" : "break" }, one.holds ? "holds" : "broken"), " ",
    h("span", { class: "mono" }, JSON.stringify(one.assert)), one.why ? [" ", whyText(one.why)] : null)));
}

async function assertionsPanel(leaving) {
  const text = h("textarea", { rows: 8, spellcheck: "false", value: recall("assertions", EXAMPLE), "aria-label": "Assertions", oninput: () => remember("assertions", text.value) }), out = h("div", { "aria-live": "polite" });
  const check = async () => {
    try {
      fill(out, reportView(await verb("POST", "assert", { assert: JSON.parse(text.value) })));
    } catch (error) {
      fill(out, problem(error));
    }
  };
  await check();
  const timer = setInterval(() => { if (document.activeElement !== text) check(); }, 3000);
  leaving.push(() => clearInterval(timer));
  return h("section", { class: "panel", "aria-label": "Assertions" }, h("h2", {}, "Assertions"), h("p", { class: "quiet" }, "Checked against the journal of this world every three seconds."), text, button("Check", check, { class: "primary" }), out);
}

export async function show(view, { params }) {
  const leaving = [], refreshing = [], marked = Number(params.get("rule")) || null;
  fill(view, h("h1", {}, title), h("div", { class: "split" }, await clockPanel(leaving, refreshing), await faultsPanel(leaving, refreshing, marked)), await assertionsPanel(leaving));
  const row = marked && view.querySelector(`#rule${marked}`);
  if (row) {
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
  } else if (marked) notice(`Fault rule ${marked} does not exist any more`, "wrong");
  return { gone: () => leaving.forEach((one) => one()), refresh: () => refreshing.forEach((one) => one()) };
}
