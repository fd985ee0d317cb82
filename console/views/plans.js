// Two reads beside one another: what each reads, throws away and returns, and costs.

import { call, verb } from "../lib/api.js";
import { field, fill, h, problem } from "../lib/dom.js";
import { planCompare, planPicture, planPlace } from "../lib/plan.js";
import { counted, isRead } from "../lib/requests.js";
import { addAnswer, newRun } from "../lib/result.js";
import { href, note } from "../lib/route.js";

export const title = "Plans";

const PAGES = 20; // of a read, at most

/** A command of the AWS CLI, or {"operation": …, "request": …}, as {operation, request}. */
async function readText(text) {
  if (!/^\s*\{/.test(text)) return verb("POST", "command", { command: text });
  const { operation, request } = JSON.parse(text);
  return { operation, request: request ?? {} };
}

/** Reads up to its Limit, or some pages; the requests are the page's own. */
async function runText(text) {
  const { operation, request } = await readText(text);
  if (!isRead(operation, request)) throw new Error(`${operation} changes something: only reads are compared`);
  const run = newRun(operation, request);
  do {
    addAnswer(run, await call(operation, counted(operation, run.last ? { ...request, ExclusiveStartKey: run.last } : request), { explain: true, aside: true }));
  } while (run.last && !request.Limit && run.pages < PAGES);
  return run;
}

export async function show(view, { params }) {
  const texts = ["one", "other"].map((name) => params.get(name) ?? ""), out = h("div", { "aria-live": "polite" });
  const fields = texts.map((value, i) => h("textarea", { value, rows: 5, spellcheck: "false", "data-field": `plan${i}` }));
  const run = async () => {
    const [one, other] = fields.map((area) => area.value);
    note("plans", [], { one, other });
    fill(out, h("p", { class: "busy" }, "Reading …"));
    try {
      const runs = await Promise.all([one, other].filter((text) => text.trim()).map(runText));
      if (!runs.length) fill(out, h("p", { class: "quiet" }, "Paste a read to see its plan."));
      else if (runs.length === 1) fill(out, planPicture(runs[0], { place: await planPlace(runs[0]).catch(() => null) }));
      else fill(out, planCompare(...runs));
      for (const { explanation } of runs) if (explanation?.reason) out.append(h("p", { class: "why isolated" }, explanation.reason));
    } catch (error) {
      fill(out, problem(error));
    }
  };
  fill(view, h("h1", {}, "Two reads compared"),
    h("p", { class: "quiet" }, "Commands of the AWS CLI, or {\"operation\": …, \"request\": …}. They are run, up to 20 pages of each, and counted nowhere."),
    h("form", { onsubmit: (event) => { event.preventDefault(); run(); } },
      h("div", { class: "row" }, ["First", "Second"].map((label, i) => h("div", { class: "grow" }, field(label, fields[i])))),
      h("p", {}, h("button", { type: "submit", class: "primary" }, "Compare"), " ", h("a", { href: href("request") }, "One request"))), out);
  if (texts.some((text) => text.trim())) await run();
}
