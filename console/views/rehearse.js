// Try a query: by form, as a command, as JSON or as PartiQL; see what it reads, costs and why.

import { call, currentWorld } from "../lib/api.js";
import { checkForm, checkLimit } from "../lib/checks.js";
import { OPERATIONS, exampleOf } from "../lib/examples.js";
import { button, checkbox, field, fill, h, select, showFaults } from "../lib/dom.js";
import { count, many } from "../lib/format.js";
import { tabs } from "../lib/items.js";
import { recall, remember, rememberIn } from "../lib/memory.js";
import { FILTER_OPERATORS, PAGED, SORT_OPERATORS, canGetItem, counted, fromForm, isRead, takesValue } from "../lib/requests.js";
import { addAnswer, keysOf, newRun, readCommand, refusalView, runView, snippetsView } from "../lib/result.js";
import { href, inWorld, note, step } from "../lib/route.js";
import { accessPaths, describe, keyText, projectionText, sortKeyOf, tableNames } from "../lib/schema.js";
import { cli, statementOf } from "../lib/snippets.js";
import { brief } from "../lib/values.js";

export const title = "Rehearse";

const SAMPLE = 40; // entries that show what keys look like
const SHOWN = 34;  // characters of each
const MODES = [["form", "Form"], ["command", "AWS CLI"], ["json", "JSON"], ["statement", "PartiQL"]];
const HISTORY = 40;

/** The state of the view in its URL, and back. */
function readState(params) {
  return {
    mode: params.get("mode") ?? "form",
    table: params.get("table") ?? "", index: params.get("index") ?? "",
    hash: params.getAll("hash"), sort: { operator: params.get("so") ?? "=", value: params.get("sv") ?? "", value2: params.get("sv2") ?? "" },
    filters: params.getAll("f").map((text) => {
      const [name, operator, type, value, value2] = JSON.parse(text);
      return { name, operator, type, value, value2 };
    }),
    projection: params.get("p") ?? "", limit: params.get("limit") ?? "",
    descending: params.has("desc"), consistent: params.has("strong"), countOnly: params.has("count"), oneItem: params.has("item"),
    command: params.get("command") ?? "", statement: params.get("statement") ?? "",
    operation: params.get("op") ?? "Query", request: params.get("request") ?? "",
    run: params.has("run"),
  };
}

function paramsOf(state) {
  const common = { mode: state.mode === "form" ? "" : state.mode, run: state.run };
  if (state.mode === "command") return { ...common, command: state.command };
  if (state.mode === "json") return { ...common, op: state.operation, request: state.request };
  if (state.mode === "statement") return { ...common, statement: state.statement, limit: state.limit, strong: state.consistent };
  return {
    ...common, table: state.table, index: state.index, hash: state.hash,
    so: state.sort.value ? state.sort.operator : "", sv: state.sort.value, sv2: state.sort.value2,
    f: state.filters.map(({ name, operator, type, value, value2 }) => JSON.stringify([name, operator, type, value, value2])),
    p: state.projection, limit: state.limit, desc: state.descending, strong: state.consistent, count: state.countOnly, item: state.oneItem,
  };
}

const input = (value, oninput, more) => h("input", { value, oninput: (event) => oninput(event.target.value), autocomplete: "off", spellcheck: "false", ...more });

// --- the form ------------------------------------------------------------------------------------

function filterRow(filter, i, change, remove) {
  const value = takesValue(filter.operator, filter.type), typed = takesValue(filter.operator) && !/^(attribute_type|size )/.test(filter.operator);
  const at = (part) => ({ "data-field": `filter${i}-${part}` });
  return h("div", { class: "row" },
    h("div", { class: "grow" }, field("Attribute", input(filter.name, (text) => { filter.name = text; change(); }, at("name")))),
    field("Comparison", select(FILTER_OPERATORS, filter.operator, (text) => { filter.operator = text; change(true); })),
    typed ? field("Type", select(["S", "N", "B", "BOOL", "NULL"], filter.type, (text) => { filter.type = text; change(true); })) : null,
    value ? h("div", { class: "grow" }, field(filter.operator === "in" ? "Values, by commas" : "Value", input(filter.value, (text) => { filter.value = text; change(); }, at("value")))) : null,
    value && filter.operator === "between" ? h("div", { class: "grow" }, field("and", input(filter.value2 ?? "", (text) => { filter.value2 = text; change(); }, at("value2")))) : null,
    button("Remove", remove, { "aria-label": `Remove the filter on ${filter.name || "…"}` }));
}

/** Existing keys, for the fields of those attributes: {of(name)} has the list's id and a description. */
function keySamples(state, path) {
  const keys = [...path.hash, ...path.range];
  const parts = new Map(keys.map(({ name }, i) => [name, { id: `keys${i}`, list: h("datalist", { id: `keys${i}` }), words: h("span") }]));
  const names = Object.fromEntries(keys.map(({ name }, i) => [`#k${i}`, name]));
  const request = { TableName: state.table, ...(path.name ? { IndexName: path.name } : {}), Limit: SAMPLE, ProjectionExpression: Object.keys(names).join(", "), ExpressionAttributeNames: names };
  const of = JSON.stringify(request);
  if (state.sampled?.of !== of) state.sampled = { of, answer: call("Scan", request) };
  const read = async () => {
    const { Items } = await state.sampled.answer;
    for (const [name, { list, words }] of parts) {
      const found = [...new Set(Items.filter((item) => item[name]).map((item) => Object.values(item[name])[0]))];
      fill(list, found.map((value) => h("option", { value })));
      if (found.length) fill(words, "such as ", h("span", { class: "mono" }, brief({ S: found[0] }, SHOWN)), "; ");
    }
  };
  read().catch(() => {}); // without it the form still works
  return { of: (name) => parts.get(name), lists: [...parts.values()].map((one) => one.list) };
}

function sortFields(key, sort, change, samples) {
  const { id, words } = samples.of(key.name);
  return h("div", { class: "row" },
    field(`${key.name} (sort key, ${key.type})`, select(SORT_OPERATORS, sort.operator, (text) => { sort.operator = text; change(true); })),
    h("div", { class: "grow" }, field("Value", input(sort.value, (text) => { sort.value = text; change(); }, { list: id, "data-field": "sort" }), [words, "empty: the whole partition"])),
    sort.operator === "between" ? h("div", { class: "grow" }, field("and", input(sort.value2, (text) => { sort.value2 = text; change(); }, { list: id, "data-field": "sort2" }))) : null);
}

/** Notes about requests for one item. */
function oneItemText(form) {
  if (form.oneItem) return canGetItem(form) ? "" : "GetItem needs the whole key: each part, the sort key by =.";
  return canGetItem(form) ? "The whole key is given: GetItem would ask for just this item." : "";
}

function formFields(state, tables, paths, changed) {
  const known = paths.find((one) => one.name === state.index), path = known ?? paths[0];
  const choose = (name) => {
    Object.assign(state, { table: name, index: "", hash: [], filters: [] });
    state.sort.value = state.sort.value2 = "";
    changed(true);
  };
  if (!path) {
    const there = [["", "choose a table"], ...tables];
    return h("div", {}, field("Table", select(state.table ? [[state.table, `${state.table}: there is no such table`], ...there] : there, state.table, choose, { "data-field": "table" })));
  }
  const samples = keySamples(state, path), one = h("small", { class: "quiet", role: "status" });
  const sayOne = () => { one.textContent = oneItemText({ ...state, path }); };
  const change = (shape) => { sayOne(); return changed(shape); };
  state.hash = path.hash.map((key, i) => state.hash[i] ?? "");
  sayOne();
  return h("div", {}, samples.lists,
    field("Table", select(tables, state.table, choose, { "data-field": "table" })),
    field("Table or index", select([...(known ? [] : [[state.index, `${state.index}: there is no such index`]]), ...paths.map((one) => [one.name, `${one.name || "the table"}: ${keyText(one)}`])], state.index, (name) => {
      // Values without a field in the new form are dropped.
      Object.assign(state, { index: name, hash: [], oneItem: state.oneItem && !name, consistent: state.consistent && paths.find((one) => one.name === name).kind !== "global index" });
      state.sort.value = state.sort.value2 = "";
      change(true);
    }, { "data-field": "index" }), known ? `holds ${projectionText(path)}` : null),
    path.hash.map((key, i) => field(`${key.name} (partition key, ${key.type})`,
      input(state.hash[i] ?? "", (text) => { state.hash[i] = text; change(); }, { list: samples.of(key.name).id, "data-field": `hash${i}` }), [samples.of(key.name).words, i ? "" : "empty: a Scan reads everything"])),
    path.range[0] ? sortFields(path.range[0], state.sort, change, samples) : null,
    h("fieldset", {}, h("legend", {}, "Filter (after reading)"),
      state.filters.map((filter, i) => filterRow(filter, i, change, () => { state.filters.splice(i, 1); change(true); })),
      button("Add a filter", () => { state.filters.push({ name: "", operator: "=", type: "S", value: "" }); change(true); })),
    h("div", { class: "row" },
      h("div", { class: "grow" }, field("Attributes, by commas", input(state.projection, (text) => { state.projection = text; change(); }, { "data-field": "projection" }), "empty: all")),
      limitField(state, change)),
    h("div", { class: "row" },
      checkbox("Newest first", state.descending, (on) => { state.descending = on; change(); }, { "data-field": "descending" }),
      path.kind === "global index" ? null : checkbox("Strongly consistent", state.consistent, (on) => { state.consistent = on; change(); }),
      checkbox("Count only", state.countOnly, (on) => { state.countOnly = on; change(); }, { "data-field": "count" }),
      path.name ? null : checkbox("One item, by GetItem", state.oneItem, (on) => { state.oneItem = on; change(); }, { "data-field": "item" })), one);
}

const limitField = (state, change) => field("Limit", input(state.limit, (text) => { state.limit = text; change(); }, { inputmode: "numeric", size: "6", "data-field": "limit" }), "items to read");

// --- the other ways in -----------------------------------------------------------------------------

const WHOLE = /^\s*(aws\s|\{|SELECT\b|INSERT\b|UPDATE\b|DELETE\b)/i; // pasted text that replaces the whole field

/** isOurs(): the page filled it in, so typed or pasted text replaces it. */
function text(label, value, oninput, { rows, hint, isOurs }) {
  const takePlace = (event) => { if (isOurs()) event.target.select(); };
  return field(label, h("textarea", {
    value, rows, spellcheck: "false", oninput: (event) => oninput(event.target.value), onfocus: takePlace,
    onpaste: (event) => { if (WHOLE.test(event.clipboardData?.getData("text") ?? "")) takePlace(event); },
  }), hint);
}

const ANOTHER = "another one …";

/** The operation: one of the list, or any other by its name. */
function operationField(state, choose) {
  const known = Object.values(OPERATIONS).flat();
  if (!known.includes(state.operation)) return field("Operation", input(state.operation, (text) => { state.operation = text; }));
  const option = (value) => h("option", { value, selected: value === state.operation }, value);
  return field("Operation", h("select", { onchange: (event) => choose(event.target.value === ANOTHER ? "" : event.target.value) },
    Object.entries(OPERATIONS).map(([label, names]) => h("optgroup", { label }, names.map(option))), option(ANOTHER)));
}

/** The fields of a request as JSON; example(operation, table, force) fills in an example. */
function jsonFields(state, tables, change, isOurs, example) {
  return h("div", {},
    h("div", { class: "row" },
      h("div", { class: "grow" }, operationField(state, (operation) => example(operation, state.table))),
      tables.length ? h("div", { class: "grow" }, field("Example of", select(tables, state.table || tables[0], (table) => example(state.operation, table)))) : null),
    text("Request", state.request, (value) => { state.request = value; change(); }, { rows: 16, hint: "as SDKs take it", isOurs: () => isOurs("request") }),
    tables.length ? button("Put the example back", () => example(state.operation, state.table, true), { class: "link" }) : null);
}

function otherFields(state, change, isOurs) {
  const set = (name) => (value) => { state[name] = value; change(); };
  return state.mode === "command"
    ? text("Command", state.command, set("command"), { rows: 12, hint: "as typed for production: profile and region do not matter here", isOurs: () => isOurs("command") })
    : h("div", {}, text("Statement", state.statement, set("statement"), { rows: 8, hint: "SELECT * FROM \"Table\".\"Index\" WHERE …", isOurs: () => isOurs("statement") }),
      h("div", { class: "row" }, limitField(state, change), checkbox("Strongly consistent", state.consistent, (on) => { state.consistent = on; change(); })));
}

function json(source) {
  try {
    return JSON.parse(source || "{}");
  } catch (error) {
    throw Object.assign(new Error(error.message), { type: "Not JSON" });
  }
}

/** Throws the fields' errors, before anything is sent. */
function mustBe(faults) {
  if (faults.length) throw Object.assign(new Error("look at the fields that are marked"), { type: "Nothing was run", faults });
}

async function requestOf(state, paths) {
  if (state.mode === "command") return readCommand(state.command);
  if (state.mode === "json") return { operation: state.operation.trim(), request: json(state.request) };
  if (state.mode === "statement") {
    mustBe(checkLimit(state.limit));
    const more = { ...(state.limit ? { Limit: Number(state.limit) } : {}), ...(state.consistent ? { ConsistentRead: true } : {}) };
    return { operation: "ExecuteStatement", request: { Statement: state.statement, ...more } };
  }
  const path = paths.find((one) => one.name === state.index);
  mustBe(path ? checkForm({ ...state, path }) : [paths.length ? { at: "index", message: "choose one that the table has" } : { at: "table", message: "choose a table" }]);
  return fromForm({ ...state, path });
}

// --- running ------------------------------------------------------------------------------------

/** Reads a page, and further ones while a filter leaves nothing to show; `progress` is called between. */
async function readPages(run, signal, progress) {
  let request = counted(run.operation, run.request);
  if (run.last) request = { ...request, ExclusiveStartKey: run.last };
  if (run.token) request = { ...request, NextToken: run.token };
  const had = run.returned;
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
    list.length ? [h("h3", {}, "Saved"), h("ul", {}, list.map((one) => h("li", {}, link(one), " ",
      button("Forget", (event) => {
        remember("saved", recall("saved", []).filter((other) => other.href !== one.href));
        event.target.closest("li").remove();
      }, { class: "link" }))))] : null,
    past.length ? h("details", {}, h("summary", {}, "History, in this browser"), h("ul", {}, past.map((one) => h("li", {}, link(one))))) : null);
}

function labelOf(operation, request) {
  const values = Object.values(request.ExpressionAttributeValues ?? {}).map((one) => Object.values(one)[0]).join(", ");
  const of = [request.TableName, request.IndexName].filter(Boolean).join(".");
  return `${operation} ${of || request.Statement || ""} ${values}`.trim().slice(0, 110);
}

export async function show(view, { params }) {
  const state = readState(params);
  const tables = await tableNames();
  let paths = [], table = null, running = null, ran = false;
  const fields = h("div"), out = h("section", { "aria-label": "Answer", "aria-live": "polite" }), code = h("div");

  async function loadTable() {
    if (!state.table && tables.length && state.mode !== "command") state.table = tables[0];
    table = state.table ? await describe(state.table).catch(() => null) : null;
    paths = table ? accessPaths(table) : [];
  }
  async function draw() {
    if (table?.TableName !== state.table) await loadTable();
    fill(fields, state.mode === "form" ? formFields(state, tables, paths, change)
      : state.mode === "json" ? jsonFields(state, tables, change, isOurs, example) : otherFields(state, change, isOurs));
  }
  async function change(shape) {
    // A request that was run stays in the browser's history.
    (ran ? step : note)("rehearse", [], paramsOf({ ...state, run: false }));
    state.run = ran = false;
    if (shape) await draw();
  }
  // Text that the page filled in may be replaced; the user's text stays.
  const given = {};
  const isOurs = (name) => state[name] === "" || state[name] === given[name];
  function offer(name, value, force) {
    if (force || isOurs(name)) state[name] = given[name] = value;
  }
  async function example(operation, name, force) {
    Object.assign(state, { operation, table: name || tables[0] || "" });
    if (table?.TableName !== state.table) await loadTable();
    const { Items } = table ? await call("Scan", { TableName: state.table, Limit: 2 }).catch(() => ({ Items: [] })) : {};
    if (table) offer("request", exampleOf(operation, table, Items), force);
    await change(true);
  }
  /** Another form of the request starts with the request of the previous form. */
  async function enter(mode) {
    if (mode === state.mode) return;
    const written = { command: "command", statement: "statement", json: "request" }[state.mode];
    const { operation, request } = written && !state[written].trim() ? {} : await requestOf(state, paths).catch(() => ({}));
    state.mode = mode;
    if (mode === "command" && operation) offer("command", cli(operation, request));
    if (mode === "statement" && operation && isOurs("statement")) {
      const said = statementOf(operation, request, await sortKeyOf(operation, request));
      offer("statement", said?.Statement ?? "");
      Object.assign(state, { limit: String(said?.Limit ?? ""), consistent: Boolean(said?.ConsistentRead) });
      if (!said) fill(out, h("p", { class: "why" }, "No statement says quite the same as that request."));
    }
    if (mode === "json" && operation && isOurs("request")) {
      state.operation = operation;
      offer("request", JSON.stringify(request, null, 2));
    }
    await (mode === "json" && !state.request ? example(state.operation, state.table) : change(true));
  }
  function use(command) {
    Object.assign(state, { mode: "command", command, run: true });
    location.hash = href("rehearse", [], paramsOf(state));
  }
  /** Runs the request if the user pressed Run, or if it only reads: opening an address never changes anything. */
  async function start(pressed) {
    try {
      showFaults(fields, []);
      const { operation, request } = await requestOf(state, paths);
      state.run = isRead(operation, request);
      fill(code, h("h2", {}, "The same request"), snippetsView(operation, request));
      if (!pressed && !state.run) {
        fill(out, h("p", { class: "why" }, `${operation} ${operation.startsWith("Execute") || operation.startsWith("BatchExecute") ? "may write" : "writes"}: look at it, then press Run. An address does not run it.`));
        return;
      }
      note("rehearse", [], paramsOf(state));
      ran = true;
      rememberIn("history", { href: inWorld("default", href("rehearse", [], paramsOf(state))), label: labelOf(operation, request) }, HISTORY);
      await go(newRun(operation, request));
    } catch (error) {
      fill(out, refusalView(error, use));
      showFaults(fields, error.faults ?? []);
    }
  }
  async function go(run) {
    running?.abort();
    running = new AbortController();
    const stop = button("Stop", () => running.abort());
    const line = h("p", { class: "busy" }, "Reading …");
    fill(out, line, stop);
    try {
      await readPages(run, running.signal, (so) => {
        line.textContent = `${many(so.pages, "page")}, ${count(so.read)} read, nothing passed the filter yet …`;
      });
    } catch (error) {
      if (error.name !== "AbortError") {
        fill(out, refusalView(error, use));
        return;
      }
      if (!run.response) {
        fill(out, h("p", { class: "quiet" }, "Stopped."));
        return;
      }
    }
    fill(out, runView(run, { use, next: () => go(run), keys: await keysOf(run) }));
  }
  function save() {
    rememberIn("saved", { href: inWorld("default", href("rehearse", [], paramsOf({ ...state, run: true }))), label: labelOfState(state) }, 100);
    fill(past, historyView());
  }

  const past = h("div", {}, historyView());
  const modes = tabs(MODES.map(([mode, name]) => [name, () => enter(mode)]), "Ways to say it",
    Math.max(0, MODES.findIndex(([mode]) => mode === state.mode)));
  fill(view,
    h("h1", {}, "Rehearse"),
    h("div", { class: "split" },
      h("form", { class: "panel", onsubmit: (event) => { event.preventDefault(); start(true); }, onkeydown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); start(true); }
      } },
        modes, fields,
        h("div", { class: "row end" }, button("Save", save), h("button", { type: "submit", class: "primary", title: "Ctrl+Enter", "aria-keyshortcuts": "Control+Enter" }, "Run")), past),
      h("div", {}, h("div", { class: "panel" }, out), code)));
  fill(out, h("p", { class: "quiet" }, "Run a request to see what it reads, throws away and returns, what it costs, and why."));
  await (state.mode === "json" && !state.request && !state.run ? example(state.operation, state.table) : draw());
  if (state.run) start(false); // not waited for: leaving ends it
  return () => running?.abort();
}

function labelOfState(state) {
  if (state.mode === "command") return state.command.replace(/\s+/g, " ").slice(0, 110);
  if (state.mode === "statement") return state.statement.slice(0, 110);
  if (state.mode === "json") return `${state.operation} ${state.request.replace(/\s+/g, " ")}`.slice(0, 110);
  return [state.table, state.index].filter(Boolean).join(".") + (state.hash[0] ? `: ${state.hash.join(", ")} ${state.sort.value}` : ": all");
}
