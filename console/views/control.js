// What tests control: faults, the clock, and assertions on what was asked.

import { verb } from "../lib/api.js";
import { button, field, fill, h, notice, problem, select } from "../lib/dom.js";
import { count } from "../lib/format.js";
import { recall, remember } from "../lib/memory.js";

export const title = "Control";

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

async function clockPanel() {
  const place = h("div"), moment = input({ placeholder: "2026-01-01T00:00:00Z" }), duration = input({ placeholder: "36h", value: "1h" });
  const draw = async () => {
    const clock = await verb("GET", "clock");
    const set = (body, text) => () => doing(async () => { await verb("POST", "clock", body()); return text; }, draw);
    fill(place,
      h("p", {}, h("b", { class: "mono" }, clock.now), " ", h("span", { class: `tag ${clock.frozen ? "warn" : "good"}` }, clock.frozen ? "frozen" : clock.rate === 1 ? "running" : `${count(clock.rate)} times as fast`)),
      h("div", { class: "row" },
        clock.frozen ? button("Let it run", set(() => ({ resume: true }), "The clock runs")) : button("Freeze", set(() => ({ freeze: true }), "The clock stands")),
        button("The system's time", set(() => ({ real: true }), "The clock shows the system's time"))),
      h("div", { class: "row" }, h("div", { class: "grow" }, field("Advance by", duration, "what is due by then is done: expiry, states of tables")), button("Advance", set(() => ({ advance: duration.value.trim() }), "The clock is ahead"))),
      field("Set to", moment), h("div", { class: "row" },
        button("Set", set(() => ({ set: moment.value.trim() }), "The clock is set")), button("Freeze there", set(() => ({ freeze: moment.value.trim() }), "The clock stands there"))));
  };
  await draw();
  return h("section", { class: "panel", "aria-label": "Clock" }, h("h2", {}, "Clock of this world"), place);
}

// --- faults --------------------------------------------------------------------------------------------------

const OPERATIONS = ["", "GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan", "BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems", "ExecuteStatement", "GetRecords"];
const KINDS = [
  ["error:ProvisionedThroughputExceededException", "throttled: ProvisionedThroughputExceeded"], ["error:ThrottlingException", "throttled: Throttling"],
  ["error:RequestLimitExceeded", "throttled: RequestLimitExceeded"], ["error:InternalServerError", "InternalServerError (500)"], ["error:ServiceUnavailable", "ServiceUnavailable (503)"],
  ["error:TransactionConflictException", "TransactionConflict"], ["error:ConditionalCheckFailedException", "ConditionalCheckFailed"],
  ["delay", "answered late"], ["drop:before", "connection lost before it runs"], ["drop:after", "connection lost after it ran"],
  ["unprocessed", "batches leave some unprocessed"], ["page_limit", "pages end early"],
];

// What a kind needs besides: its label, and what it is where nothing is said.
const AMOUNTS = { delay: ["By", "250ms"], unprocessed: ["Left unprocessed", "1"], page_limit: ["Items a page", "1"] };

function ruleOf(form) {
  const [kind, of] = form.kind.split(":");
  const rule = { ...(form.operation ? { operation: form.operation } : {}), ...(form.table ? { table: form.table } : {}) };
  if (form.times) rule.times = Number(form.times);
  if (form.nth) rule.nth = Number(form.nth);
  const amount = form.amount || AMOUNTS[kind]?.[1];
  rule[kind] = of ?? (kind === "delay" ? amount : Number(amount));
  return rule;
}

function describeRule(rule) {
  const { id, seen, hits, ...told } = rule;
  return JSON.stringify(told);
}

async function faultsPanel(leaving) {
  const form = { operation: "", table: "", kind: KINDS[0][0], times: "", nth: "", amount: "" };
  const list = h("div"), written = h("textarea", { rows: 5, spellcheck: "false", "aria-label": "Rules as JSON", placeholder: '[{"operation": "PutItem", "times": 2, "error": "ThrottlingException"}]' });
  const set = (name) => (event) => { form[name] = (event.target ?? { value: event }).value ?? event; };
  const amount = h("div", { hidden: true });
  const drawAmount = () => {
    const [label, placeholder] = AMOUNTS[form.kind] ?? [];
    form.amount = "";
    amount.hidden = !label;
    fill(amount, label ? field(label, input({ oninput: set("amount"), size: "6", placeholder })) : null);
  };
  const draw = async () => {
    const { rules } = await verb("GET", "faults");
    fill(list, rules.length ? h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Fault rules" }, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Rule"), ["Calls seen", "Hits"].map((text) => h("th", { scope: "col", class: "number" }, text)))),
      h("tbody", {}, rules.map((rule) => h("tr", {}, h("td", { class: "mono" }, describeRule(rule)), h("td", { class: "number" }, count(rule.seen ?? 0)), h("td", { class: "number" }, count(rule.hits ?? 0)))))))
      : h("p", { class: "quiet" }, "No rules: everything goes well."));
  };
  const add = (rules) => doing(async () => { await verb("POST", "faults", { rules }); return "From now on"; }, draw);
  await draw();
  const timer = setInterval(() => draw().catch(() => {}), 2000);
  leaving.push(() => clearInterval(timer));
  return h("section", { class: "panel", "aria-label": "Faults" }, h("h2", {}, "Faults"), list,
    h("div", { class: "row" }, field("Operation", select(OPERATIONS.map((one) => [one, one || "any"]), "", (value) => { form.operation = value; })),
      h("div", { class: "grow" }, field("Table", input({ oninput: set("table") }), "empty: any"))),
    h("div", { class: "row" }, h("div", { class: "grow" }, field("What goes wrong", select(KINDS, form.kind, (value) => { form.kind = value; drawAmount(); }))), amount,
      field("How often", input({ oninput: set("times"), inputmode: "numeric", size: "5", placeholder: "always" })), field("From call", input({ oninput: set("nth"), inputmode: "numeric", size: "5", placeholder: "1" }))),
    h("div", { class: "row" }, button("Add the rule", () => add([ruleOf(form)]), { class: "primary" }),
      button("Remove all rules", () => doing(async () => { await verb("DELETE", "faults"); return "No faults"; }, draw))),
    h("details", {}, h("summary", {}, "Several rules, as JSON"), written, button("Add them", () => doing(async () => { await verb("POST", "faults", { rules: JSON.parse(written.value) }); return "From now on"; }, draw))));
}

// --- assertions -----------------------------------------------------------------------------------------------

const EXAMPLE = '[\n  {"no": "Scan"},\n  {"max_read_units": 200},\n  {"max_filtered_percent": 80},\n  {"no_validation_errors": true}\n]';

function reportView({ report }) {
  return h("ul", {}, report.map((one) => h("li", {}, h("b", { class: one.holds ? "hold" : "break" }, one.holds ? "holds" : "broken"), " ",
    h("span", { class: "mono" }, JSON.stringify(one.assert)), one.why ? ` ${one.why}` : "")));
}

async function assertionsPanel(leaving) {
  const text = h("textarea", { rows: 8, spellcheck: "false", value: recall("assertions", EXAMPLE), "aria-label": "Assertions" }), out = h("div", { "aria-live": "polite" });
  const check = async () => {
    try {
      remember("assertions", text.value);
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

export async function show(view) {
  const leaving = [];
  fill(view, h("h1", {}, "Control"), h("div", { class: "split" }, await clockPanel(), await faultsPanel(leaving)), await assertionsPanel(leaving));
  return () => leaving.forEach((one) => one());
}
