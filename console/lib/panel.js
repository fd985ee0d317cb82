// A request: the ways to say it, running it, and its answer. The Request page shows it for any operation, a table's Explore
// tab with a form and with the table's items.

import { call, currentWorld, verb } from "./api.js";
import { button, fill, h, select, showFaults } from "./dom.js";
import { exampleOf } from "./examples.js";
import { FAULT_KINDS, mayMeet, ruleText, withFault } from "./faults.js";
import { count, many } from "./format.js";
import { tabs } from "./items.js";
import { recall, remember, rememberIn } from "./memory.js";
import { PAGED, counted, isRead } from "./requests.js";
import { addAnswer, addPage, keysOf, newRun, refusalView, runView, snippetsView } from "./result.js";
import { href, inWorld, note, step, unfolded } from "./route.js";
import { describe, tableNames } from "./schema.js";

const HISTORY = 40, SAVED = 100;

/** Reads a page, and further ones while a filter leaves nothing to show; `progress` is called between. */
async function readPages(run, signal, progress) {
  let request = counted(run.operation, run.request);
  if (run.last) request = { ...request, ExclusiveStartKey: run.last };
  if (run.token) request = { ...request, NextToken: run.token };
  const had = run.returned;
  addPage(run);
  for (;;) {
    addAnswer(run, await call(run.operation, request, { explain: true, signal }));
    if (!PAGED.has(run.operation) || !run.last || run.returned > had || run.request.Limit) return;
    progress(run);
    request = { ...request, ExclusiveStartKey: run.last };
  }
}

function historyView() {
  const list = recall("saved", []), past = recall("history", []);
  const link = (one) => h("a", { href: inWorld(currentWorld(), one.href) }, one.label);
  return h("div", {},
    list.length ? h("details", { open: true }, h("summary", {}, "Saved requests"), h("ul", {}, list.map((one) => h("li", {}, link(one), " ",
      button("Forget", (event) => {
        remember("saved", recall("saved", []).filter((other) => other.href !== one.href));
        event.target.closest("li").remove();
      }, { class: "link" }))))) : null,
    past.length ? h("details", unfolded("history"), h("summary", {}, "History, in this browser"), h("ul", {}, past.map((one) => h("li", {}, link(one))))) : null);
}

function labelOf(operation, request) {
  const values = Object.values(request.ExpressionAttributeValues ?? {}).map((one) => Object.values(one)[0]).join(", ");
  const of = [request.TableName, request.IndexName].filter(Boolean).join(".");
  return `${operation} ${of || request.Statement || ""} ${values}`.trim().slice(0, 110);
}

const faultView = (hits) => h("p", {}, h("span", { class: "tag warn" }, "fault"), ` The rule was met ${many(hits, "time")}, and is removed.`);

/** What is in the place of the answer before there is one. */
export const hint = () => h("p", { class: "quiet" }, "Run a request to see what it reads, throws away and returns, what it costs, and why.");

/** The operation of a state, as far as it is known without the server. */
function operationOf({ mode, kind, operation, command }) {
  if (mode === "command") return (/^\s*aws\s+dynamodb\s+([a-z-]+)/.exec(command)?.[1] ?? "").replace(/(^|-)([a-z])/g, (_, dash, letter) => letter.toUpperCase());
  return { form: kind, find: "Scan", statement: "ExecuteStatement" }[mode] ?? operation;
}

const mayWrite = (operation) => (/^(Batch)?Execute/.test(operation) ? "may write" : "writes");

/** {at: [view, parts] of the address, params, ways: name → way, the first is the usual one; table: the name of the page's own, whose
 * requests are examples; idle(out, state): what is shown before anything was run; special(state, out): runs it in its own way and returns a
 * function that stops it, or null; rows(table, items, run): tools for
 * the rows of an answer; kept(): further params of the address}. Returns {element, out, begin(): to be called when the element is on the page, params(), stop(), redraw(), outdate(): the world changed as a whole, run(): the last one}. */
export async function requestPanel({ at, params, ways, table = "", idle, special = () => null, rows = () => null, kept = () => ({}) }) {
  const usual = Object.keys(ways)[0], tables = await tableNames();
  const state = { mode: Object.hasOwn(ways, params.get("mode")) ? params.get("mode") : usual };
  for (const way of Object.values(ways)) Object.assign(state, way.read(params));
  let running = null, ran = false, latest = null, willRun = params.has("run"), fault = ""; // which no address has
  const fields = h("div"), out = h("section", { "aria-label": "Answer", "aria-live": "polite" }), same = h("div"), wrong = h("div"), ruled = h("p", { "aria-live": "polite", hidden: true });
  const way = () => ways[state.mode];
  const paramsOf = (run) => ({ mode: state.mode === usual ? "" : state.mode, ...way().params(state), run });
  const addressParams = () => ({ ...paramsOf(willRun), ...kept() });

  // Text that the page filled in may be replaced; the user's text stays.
  const given = {};
  const tools = {
    tables, change, table,
    say: (element) => fill(out, element),
    isOurs: (name) => state[name] === "" || state[name] === given[name],
    offer(name, value, force) { if (force || tools.isOurs(name)) state[name] = given[name] = value; },
    async example(operation, name, force) {
      Object.assign(state, { operation, example: name || table || tables[0] || "" });
      const of = state.example ? await describe(state.example).catch(() => null) : null;
      const { Items } = of ? await call("Scan", { TableName: state.example, Limit: 2 }).catch(() => ({ Items: [] })) : {};
      if (of) tools.offer("request", exampleOf(operation, of, Items), force);
      await change(true);
    },
    run: () => start(true),
  };
  /** `shape`: other fields are shown; the focus goes to that called `focus`, or stays where it was. */
  async function change(shape, focus) {
    // A request that was run stays in the browser's history.
    willRun = false;
    (ran ? step : note)(...at, addressParams());
    ran = false;
    if (shape) await draw(focus);
    else tellRules();
  }
  const controls = () => [...fields.querySelectorAll("input, select, textarea, button, summary")];
  async function draw(focus) {
    const place = controls().indexOf(document.activeElement), drawn = await way().fields(state, tools);
    fill(fields, drawn);
    (focus ? fields.querySelector(`[data-field="${focus}"]`) : controls()[place])?.focus();
    tellRules();
  }
  // --- fault rules of the world that may meet the request ---

  let rules = [];
  function tellRules() {
    const index = state.mode === "form" ? state.index : undefined, met = rules.filter((one) => mayMeet(one, { operation: operationOf(state), table, index }));
    ruled.hidden = !met.length;
    chosen.options[0].textContent = met.length ? "no further fault" : "without a fault";
    fill(ruled, h("span", { class: "tag wrong" }, "fault"), met.map(({ id, rule }, i) => [i ? "; " : " ", h("a", { href: href("control", [], { rule: id }) }, `Rule ${id}`), ` may meet this request. ${ruleText(rule)}`]), ".");
  }
  async function readRules() {
    ({ rules } = await verb("GET", "faults").catch(() => ({ rules: [] })));
    tellRules();
  }

  /** Another way begins with the request of the one before. */
  async function enter(mode) {
    if (mode === state.mode) return;
    const isEmpty = way().text && !state[way().text].trim();
    const { operation, request } = isEmpty ? {} : await (async () => way().request(state))().catch(() => ({}));
    state.mode = mode;
    if (operation || mode === "json") await way().begin?.(state, tools, operation, request);
    await change(true, mode === "find" && !document.activeElement.matches("[role=tab]:focus-visible") ? "find" : undefined); // arrow keys stay in the tabs
  }
  /** A proposal is a command; it is shown and, if it reads, run. */
  function use(text) {
    location.hash = href(at[0], at[1], { mode: "command", command: text, run: true });
  }
  /** Runs the request if the user pressed Run, or if it only reads: opening an address never changes anything. */
  async function start(pressed) {
    try {
      stop();
      showFaults(fields, []);
      fill(wrong);
      const { operation, request } = await way().request(state);
      if (!element.isConnected) return; // the view was left meanwhile
      fill(same);
      const ended = special(state, out, pressed);
      if (ended) {
        running = ended;
        willRun = ran = true;
        note(...at, addressParams());
        return;
      }
      willRun = isRead(operation, request);
      fill(same, h("h2", {}, "The same request"), snippetsView(operation, request));
      if (!pressed && !willRun) {
        fill(out, h("p", { class: "why" }, `${operation} ${mayWrite(operation)}: look at it, then press Run. An address does not run it.`));
        return;
      }
      note(...at, addressParams());
      ran = true;
      rememberIn("history", { href: inWorld("default", href(...at, paramsOf(willRun))), label: labelOf(operation, request) }, HISTORY);
      const work = () => read(newRun(operation, request));
      if (!fault || !pressed) await work();
      else {
        const hits = await withFault(fault, operation, work);
        for (const link of out.querySelectorAll("a[href*='rule=']")) link.replaceWith(link.textContent); // to a rule that is gone
        out.prepend(faultView(hits));
      }
    } catch (error) {
      // Fields are marked, and what is shown stays.
      fill(error.faults ? wrong : out, refusalView(error, use));
      showFaults(fields, error.faults ?? []);
      if (error.faults && !out.firstChild) idle(out, state);
    } finally {
      readRules();
    }
  }
  /** Reads the next page of a run, and shows it. */
  async function read(run) {
    stop();
    const ended = new AbortController(), line = h("p", { class: "busy" }, "Reading …");
    running = ended;
    fill(out, line, button("Stop", () => ended.abort()));
    try {
      await readPages(run, ended.signal, (so) => {
        line.textContent = `${many(so.pages, "page")}, ${count(so.read)} read, nothing passed the filter yet …`;
      });
    } catch (error) {
      if (error.name !== "AbortError") {
        fill(out, refusalView(error, use, { operation: run.operation, request: run.request }));
        return;
      }
      if (!run.response) {
        fill(out, h("p", { class: "quiet" }, "Stopped."));
        return;
      }
    }
    await show(run);
  }
  async function show(run) {
    latest = { run, keys: await keysOf(run) };
    redraw();
  }
  const turn = (run, to) => { run.at = to; redraw(); };
  function redraw() {
    if (!latest) return;
    const { run, keys } = latest, hasNext = run.at + 1 < run.views.length;
    fill(out, runView(run, {
      use, keys, rows,
      next: hasNext ? () => turn(run, run.at + 1) : run.last || run.token ? () => read(run) : null,
      previous: run.at ? () => turn(run, run.at - 1) : null,
    }));
  }
  const stop = () => { running?.abort(); running = null; };
  /** The clock or the world changed: an answer stays, and says that it is older. */
  function outdate() {
    if (!ran || out.querySelector(".older")) return;
    out.prepend(h("p", { class: "why older" }, "The world's clock was changed after this answer. ", willRun ? button("Run it again", () => start(true)) : null));
  }
  function save() {
    rememberIn("saved", { href: inWorld("default", href(...at, paramsOf(true))), label: way().name(state) }, SAVED);
    fill(past, historyView());
  }

  const chosen = select([["", "without a fault"], ...FAULT_KINDS.map(([kind, text]) => [kind, `once: ${text}`])], "", (kind) => { fault = kind; }, { "aria-label": "Fault", class: "narrow" });
  const past = h("div", { class: "grow past" }, historyView()), names = Object.keys(ways);
  const element = h("div", {},
    h("form", { class: "panel ask", onsubmit: (event) => { event.preventDefault(); start(true); }, onkeydown: (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); start(true); }
    } },
      tabs(names.map((name) => [ways[name].label, () => enter(name)]), "Ways to say it", names.indexOf(state.mode)), fields,
      h("div", { class: "row" }, chosen, button("Save request", save, { title: "in this browser" }), h("button", { type: "submit", class: "primary", title: "Ctrl+Enter", "aria-keyshortcuts": "Control+Enter" }, "Run"), past), ruled, wrong),
    out, same);
  await (state.mode === "json" && !state.request && !willRun ? tools.example(state.operation, state.example) : draw());
  /** Runs what the address asks for, which leaving ends. */
  function begin() {
    if (!element.isConnected) return;
    if (willRun) start(false);
    else {
      idle(out, state);
      readRules();
      if (state.mode === "find") fields.querySelector("input").focus(); // by a link that says so
    }
  }
  return { element, out, begin, params: addressParams, stop, redraw, outdate, readRules, run: () => latest?.run };
}
