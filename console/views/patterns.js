// Access patterns: the questions, their answers and costs; which of them live traffic uses; the cheat sheet.

import { call, verb } from "../lib/api.js";
import { commandText, commandView, hereChoice } from "../lib/commands.js";
import { button, code, field, fill, h, notice, problem } from "../lib/dom.js";
import { count, many, units } from "../lib/format.js";
import { itemsView, tabs } from "../lib/items.js";
import { BLANK, filledIn } from "../lib/patterns.js";
import { itemsOf } from "../lib/requests.js";
import { href, note, step, unfolded } from "../lib/route.js";
import { cli } from "../lib/snippets.js";
import { matrix } from "./matrix.js";

export const title = "Patterns";

/** Names of the file's values that a pattern uses. */
function blanksOf(pattern, values) {
  const found = new Set();
  for (const [, name] of JSON.stringify(pattern).matchAll(BLANK)) if (name in values) found.add(name);
  return [...found];
}

/** A text with `code` and **strong** parts. */
function prose(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => (part.startsWith("`") ? h("code", {}, part.slice(1, -1)) : part.startsWith("**") ? h("strong", {}, part.slice(2, -2)) : part));
}

/** What came of a pattern's own example, run on this page. */
function verdict(result) {
  const [kind, word] = !result ? ["", "not run"] : result.own ? ["", "your values"] : result.holds ? ["good", "holds"] : ["wrong", "fails"];
  return h("span", { class: `tag ${kind}`, title: "its example, run on this page" }, word);
}

/** How live traffic uses a pattern: it looks other than a verdict. */
export const useTag = ({ kind, text }) => h("span", { class: `use ${kind}`, title: "by requests of programs, as the journal has them" }, text);

const LEGEND = [[verdict(null), "its example was not run on this page yet; else it holds or fails"], [useTag({ kind: "none", text: "unused" }), "no request of a program was like it; else it is used, or seen in part"]];

/** How a run differs from the pattern. With the user's own values that is not an error. */
function outcome(result) {
  if (!result.failures.length) return null;
  if (result.own && result.steps.some((step) => step.items === 0)) return h("p", { class: "why" }, "Nothing is there for these values.");
  return [result.own ? h("p", {}, "With these values the answer is not as in the pattern's own example:") : null,
    h("ul", {}, result.failures.map((text) => h("li", { class: result.own ? null : "break" }, typeof text === "string" ? text : JSON.stringify(text))))];
}

const seenSteps = (one) => one.steps.map((step, i) => (step.requests ? i + 1 : 0)).filter(Boolean);

/** How traffic uses a pattern, in words; a request for a single step is not a whole use. */
export function useOf(one) {
  const seen = seenSteps(one);
  if (one.used) return { kind: "used", text: `used ${many(one.used, "time")}` };
  if (!seen.length) return { kind: "none", text: "unused" };
  return { kind: "part", text: `seen in part: step${seen.length > 1 ? "s" : ""} ${seen.join(", ")} only` };
}

const sum = (result) => (result ? h("small", { class: "quiet" }, ` ${many(result.steps.reduce((so, step) => so + (step.items ?? 0), 0), "item")}, ${count(result.read)} read, ${units(result.rcu)}`) : null);

// --- questions --------------------------------------------------------------------------------------------

const READS = new Set(["GetItem", "Query", "Scan", "BatchGetItem"]);
const nameOf = (step, i) => step.name ?? `step${i + 1}`;

/** The steps' answers: name → answer, as far as each finds its input; only the first page of a long one. These requests
 * are the page's own, and not in the journal. */
async function answersOf(pattern, values, prefix) {
  const answers = Object.create(null);
  for (const [i, step] of pattern.steps.entries()) {
    if (!READS.has(step.operation)) break;
    const answer = await call(step.operation, filledIn(step.request, values, prefix, answers)).catch(() => null);
    if (!answer) break;
    const [[how, by]] = Object.entries(step.pick ?? { none: "" });
    const order = (a, b) => (how === "highest" ? -1 : 1) * (Object.values(a[by])[0] < Object.values(b[by])[0] ? -1 : 1);
    answers[nameOf(step, i)] = by && answer.Items ? { ...answer, Picked: answer.Items.filter((one) => one[by]).sort(order)[0] } : answer;
  }
  return answers;
}

function rowsView(operation, request, answer) {
  const items = (answer && itemsOf(operation, request, answer)?.flatMap(([, some]) => some)) || [];
  return items.length ? h("details", { open: true }, h("summary", {}, many(items.length, "item")), itemsView(items, { first: [], caption: many(items.length, "item") })) : null;
}

function stepView(step, i, { values, prefix, measured, answers = Object.create(null) }) {
  const request = filledIn(step.request, values, prefix, answers);
  const whole = !JSON.stringify(step.request).includes('"$from"') || nameOf(step, i) in answers;
  return h("div", {},
    step.title ? h("h4", {}, step.title) : null,
    commandView(cli(step.operation, request)),
    whole ? h("a", { class: "button", href: href("request", [], { mode: "json", op: step.operation, request: JSON.stringify(request, null, 2), run: true }) }, "Open the request") : null,
    measured ? h("p", { class: "quiet" }, `${measured.index ?? ""}: ${many(measured.items ?? 0, "item")}, ${count(measured.read)} read, ${units(measured.rcu)}`) : null,
    rowsView(step.operation, request, answers[nameOf(step, i)]));
}

function patternView(pattern, of, state) {
  const own = state.values.get(pattern.name) ?? {}, values = { ...of.values, ...own }, blanks = blanksOf(pattern, of.values ?? {});
  const steps = h("div"), out = h("div", { "aria-live": "polite" }), mark = h("span");
  let answers;
  const draw = () => {
    const result = state.results.get(pattern.name), used = state.used.get(pattern.name);
    fill(mark, verdict(result), sum(result), " ", used ? useTag(used) : null);
    fill(steps, pattern.steps.map((step, i) => stepView(step, i, { values, prefix: state.prefix, measured: result?.steps[i], answers })));
    fill(out, result ? outcome(result) : null);
  };
  const run = async () => {
    try {
      const given = Object.fromEntries(blanks.map((name) => [name, values[name]]));
      const { report } = await verb("POST", "patterns/run", { only: [pattern.name], values: given });
      const result = { ...report.results[0], own: blanks.some((name) => values[name] !== of.values[name]) };
      state.results.set(pattern.name, result);
      answers = await answersOf(pattern, values, state.prefix);
      draw();
    } catch (error) {
      fill(out, problem(error));
    }
  };
  const blank = (name) => h("div", { class: "grow" }, field(name, h("input", {
    value: values[name], autocomplete: "off", spellcheck: "false", oninput: (event) => {
      own[name] = values[name] = event.target.value;
      state.values.set(pattern.name, own);
      state.note();
      state.results.delete(pattern.name); // they belong to other values
      answers = undefined;
      draw();
    } })));
  draw();
  state.drawn.push(draw);
  return h("details", { class: "panel", open: state.open.has(pattern.name), ontoggle: ({ target }) => {
    if (!target.isConnected) return;
    state.open[target.open ? "add" : "delete"](pattern.name);
    state.note();
  } },
    h("summary", {}, h("strong", {}, prose(pattern.question)), " ", h("small", { class: "mono quiet" }, pattern.name), " ", mark),
    (pattern.notes ?? []).map((text) => h("p", {}, prose(text))),
    h("form", { onsubmit: (event) => { event.preventDefault(); run(); } },
      blanks.length ? h("div", { class: "row" }, blanks.map(blank)) : null,
      h("button", { type: "submit", class: "primary" }, "Run it")),
    out, steps);
}

function questions(out, state) {
  const said = h("p", { role: "status" });
  state.drawn = []; // draws the results again, and keeps the user's input
  const list = h("div", {}, state.files.map((file) => [
    ...(file.sections ?? []).map((section) => [h("h2", {}, section.title), file.patterns.filter((one) => one.section === section.name).map((one) => patternView(one, file, state))]),
    file.patterns.filter((one) => !one.section).map((one) => patternView(one, file, state)),
  ]));
  fill(out, h("div", { class: "row middle" }, button("Run all", async () => {
    try {
      const { report } = await verb("POST", "patterns/run");
      for (const result of report.results) state.results.set(result.name, result);
      said.textContent = report.failed ? `${many(report.failed, "pattern")} of ${report.patterns} fail` : `All ${report.patterns} patterns hold`;
      state.drawn.forEach((one) => one());
    } catch (error) {
      fill(said, problem(error));
    }
  }, { class: "primary" }), said), h("p", { class: "legend" }, LEGEND.map(([tag, text]) => h("span", {}, tag.cloneNode(true), " ", text))), list);
}

// --- coverage ------------------------------------------------------------------------------------------------

export async function coverage(out) {
  const answer = await verb("GET", "patterns");
  const used = answer.patterns.filter((one) => one.used), part = answer.patterns.filter((one) => !one.used && seenSteps(one).length);
  const unused = answer.patterns.filter((one) => !one.used && !seenSteps(one).length);
  const link = (one, more) => h("li", {}, h("a", { href: href("patterns", ["questions"], { name: one.name }) }, one.name), more);
  fill(out,
    h("div", { class: "row middle" },
      h("p", { class: "grow" }, h("b", {}, `${used.length} of ${answer.patterns.length} patterns were used, ${part.length ? `${part.length} seen in part, ` : ""}${unused.length} are unused. `),
        `${many(answer.requests, "request")} so far, ${count(answer.matched)} of them match a pattern.`),
      button("Look again", () => coverage(out)),
      button("Count anew", async () => {
        try {
          await verb("DELETE", "journal");
          await coverage(out);
        } catch (error) {
          notice(error.message, "wrong");
        }
      }, { title: "empties the journal" })),
    h("p", { class: "quiet" }, "What you run in Explore, in Request and on the tour counts as a program's requests do; Find, running patterns, and what this page reads to show itself, does not."),
    h("h2", {}, "Unused patterns"), unused.length ? h("ul", { class: "columns" }, unused.map((one) => link(one))) : h("p", { class: "quiet" }, "None."),
    h("h2", {}, "Requests that match no pattern"),
    answer.unmatched.length ? answer.unmatched.map((one) => h("div", { class: "panel" },
      h("p", {}, h("span", { class: "mono" }, one.shape), h("small", { class: "quiet" }, ` ${many(one.requests, "time")}`)),
      one.hint ? h("p", { class: "why" }, one.hint) : null,
      one.draft ? h("details", unfolded(`draft ${one.shape}`), h("summary", {}, "A pattern for it"), code(JSON.stringify(one.draft, null, 2))) : null))
      : h("p", { class: "quiet" }, "None."),
    part.length ? [h("h2", {}, "Patterns seen in part"), h("ul", { class: "columns" }, part.map((one) => link(one, h("small", { class: "quiet" }, ` ${useOf(one).text}`))))] : null,
    h("h2", {}, "Used patterns"), used.length ? h("ul", { class: "columns" }, used.map((one) => link(one, h("small", { class: "quiet" }, ` ${many(one.used, "time")}`)))) : h("p", { class: "quiet" }, "None yet."));
}

// --- the cheat sheet ----------------------------------------------------------------------------------------------

function sheet(out, state) {
  fill(out, hereChoice(() => sheet(out, state)), state.files.map((file) => h("article", {},
    h("h2", {}, file.title), file.about ? h("p", {}, prose(file.about)) : null,
    (file.sections ?? []).map((section) => h("section", {},
      h("h3", {}, section.title, section.table ? h("span", { class: "mono quiet" }, ` ${state.prefix}${section.table}`) : null),
      section.about ? h("p", {}, prose(section.about)) : null,
      section.keys ? h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Keys of ${section.title}` }, h("table", {}, h("thead", {}, h("tr", {}, ["Key", "Format", "Notes"].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, section.keys.map((row) => h("tr", {}, h("td", { class: "mono" }, row.key), h("td", { class: "mono" }, row.format ?? ""), h("td", {}, prose(row.notes ?? ""))))))) : null,
      section.indexes ? h("dl", { class: "facts" }, Object.entries(section.indexes).map(([name, text]) => [h("dt", { class: "mono" }, name), h("dd", {}, prose(text))])) : null,
      (section.notes ?? []).map((text) => h("p", { class: "why" }, prose(text))),
      file.patterns.filter((one) => one.section === section.name).map((pattern) => h("section", {},
        h("h4", {}, prose(pattern.question)), (pattern.notes ?? []).map((text) => h("p", {}, prose(text))),
        pattern.steps.map((step) => [step.title ? h("p", {}, step.title) : null,
          code(commandText(cli(step.operation, filledIn(step.request, file.values ?? {}, state.prefix)), file.cli?.join(" ")))]))))))));
}

const PARTS = [["questions", "Questions"], ["coverage", "Coverage"], ["matrix", "Matrix"], ["sheet", "Cheat sheet"]];

/** Scrolls to the first open pattern; reports names that do not exist. */
function showNamed(out, names, { files }) {
  const summary = out.querySelector("details[open] > summary"), known = new Set(files.flatMap((file) => file.patterns.map((one) => one.name)));
  for (const name of names) if (!known.has(name)) out.prepend(h("p", { class: "problem", role: "alert" }, `There is no pattern ${name}.`));
  summary?.scrollIntoView({ block: "center" });
  summary?.focus({ preventScroll: true });
}

/** The values for the blanks of patterns that an address has: name → {blank: value}. */
function valuesIn(params) {
  const found = new Map();
  for (const [name, blank, value] of params.getAll("v").map((text) => JSON.parse(text))) found.set(name, { ...found.get(name), [blank]: String(value) });
  return found;
}

export async function show(view, { parts: [part = "questions"], params }) {
  const { files, prefix } = await verb("GET", "patterns/files");
  if (!files.length) {
    fill(view, h("h1", {}, "Access patterns"), h("div", { class: "panel" }, h("p", {}, "This server was given none."), h("pre", { tabindex: "0" }, "mockddb --patterns FILE   # or --fixtures ecommerce, which has its own")));
    return;
  }
  const covered = await verb("GET", "patterns").catch(() => null);
  const state = { files, prefix, results: new Map(), used: new Map((covered?.patterns ?? []).map((one) => [one.name, useOf(one)])), open: new Set(params.getAll("name")), values: valuesIn(params) };
  // Values of closed patterns are not in the address.
  state.note = () => note("patterns", ["questions"], { name: [...state.open], v: [...state.open].flatMap((name) => Object.entries(state.values.get(name) ?? {}).map(([blank, value]) => JSON.stringify([name, blank, value]))) });
  const out = h("div"), gone = new AbortController();
  let at = "";
  const start = (name) => {
    if (at === name) return;
    if (at) step("patterns", [name]);
    at = name;
    if (name === "coverage") coverage(out).catch((error) => fill(out, problem(error)));
    else if (name === "matrix") matrix(out, state, gone.signal);
    else if (name === "sheet") sheet(out, state);
    else questions(out, state);
  };
  fill(view, h("h1", {}, "Access patterns"), tabs(PARTS.map(([name, text]) => [text, () => start(name)]), "What is shown", Math.max(0, PARTS.findIndex(([name]) => name === part))), out);
  if (state.open.size && at === "questions") showNamed(out, [...state.open], state);
  return () => gone.abort();
}
