// Ways to say a request: as a command of the AWS CLI, as JSON as SDKs take it, as PartiQL. lib/form.js has another, for one table.
//
// A way is {label, read(params): its part of the state, from an address; params(state): the same for an address; fields(state,
// tools): its elements; request(state): {operation, request}; begin(state, tools, operation, request): begins with what was said in
// another way; name(state): its label in lists; text: the member of the state with its text}. `tools` are requestPanel's (lib/panel.js).

import { checkLimit } from "./checks.js";
import { OPERATIONS } from "./examples.js";
import { button, checkbox, field, h, select } from "./dom.js";
import { readCommand } from "./result.js";
import { sortKeyOf } from "./schema.js";
import { cli, statementOf } from "./snippets.js";

const NAME = 110; // characters of a label
const WHOLE = /^\s*(aws\s|\{|SELECT\b|INSERT\b|UPDATE\b|DELETE\b)/i; // pasted text that replaces the whole field

export const input = (value, oninput, more) => h("input", { value, oninput: (event) => oninput(event.target.value), autocomplete: "off", spellcheck: "false", ...more });

export const limitField = (state, change) => field("Limit", input(state.limit, (text) => { state.limit = text; change(); }, { inputmode: "numeric", size: "6", "data-field": "limit" }), "items to read");
export const consistentField = (state, change) => checkbox("Strongly consistent", state.consistent, (on) => { state.consistent = on; change(); });

/** Throws the fields' errors, before anything is sent. */
export function mustBe(faults) {
  if (faults.length) throw Object.assign(new Error("look at the fields that are marked"), { type: "Nothing was run", faults });
}

/** The text of a request; text that the page filled in is replaced by what is typed or pasted. */
function text(label, name, state, { change, isOurs }, rows, hint) {
  const takePlace = (event) => { if (isOurs(name)) event.target.select(); };
  return field(label, h("textarea", {
    value: state[name], rows, spellcheck: "false", oninput: (event) => { state[name] = event.target.value; change(); }, onfocus: takePlace,
    onpaste: (event) => { if (WHOLE.test(event.clipboardData?.getData("text") ?? "")) takePlace(event); },
  }), hint);
}

const command = {
  label: "AWS CLI", text: "command",
  read: (params) => ({ command: params.get("command") ?? "" }),
  params: (state) => ({ command: state.command }),
  fields: (state, tools) => text("Command", "command", state, tools, 8, "as typed for production: profile and region do not matter here"),
  request: (state) => readCommand(state.command),
  begin(state, { offer }, operation, request) { if (operation) offer("command", cli(operation, request)); },
  name: (state) => state.command.replace(/\s+/g, " ").slice(0, NAME),
};

const ANOTHER = "another one …";

/** The operation: one of the list, or any other by its name. */
function operationField(state, choose) {
  const known = Object.values(OPERATIONS).flat();
  if (!known.includes(state.operation)) return field("Operation", input(state.operation, (name) => { state.operation = name; }));
  const option = (value) => h("option", { value, selected: value === state.operation }, value);
  return field("Operation", h("select", { onchange: (event) => choose(event.target.value === ANOTHER ? "" : event.target.value) },
    Object.entries(OPERATIONS).map(([label, names]) => h("optgroup", { label }, names.map(option))), option(ANOTHER)));
}

function parsed(source) {
  try {
    return JSON.parse(source || "{}");
  } catch (error) {
    throw Object.assign(new Error(error.message), { type: "Not JSON" });
  }
}

const json = {
  label: "JSON", text: "request",
  read: (params) => ({ operation: params.get("op") ?? "Query", request: params.get("request") ?? "", example: params.get("table") ?? "" }),
  params: (state) => ({ op: state.operation, request: state.request }),
  fields: (state, tools) => h("div", {},
    h("div", { class: "row" },
      h("div", { class: "grow" }, operationField(state, (operation) => tools.example(operation, state.example))),
      tools.tables.length ? h("div", { class: "grow" }, field("Example of", select(tools.tables, state.example || tools.table || tools.tables[0], (table) => tools.example(state.operation, table)))) : null),
    text("Request", "request", state, tools, 12, "as SDKs take it"),
    tools.tables.length ? button("Put the example back", () => tools.example(state.operation, state.example, true), { class: "link" }) : null),
  request: (state) => ({ operation: state.operation.trim(), request: parsed(state.request) }),
  async begin(state, { isOurs, offer, example }, operation, request) {
    if (operation && isOurs("request")) {
      state.operation = operation;
      offer("request", JSON.stringify(request, null, 2));
    }
    if (!state.request) await example(state.operation, state.example);
  },
  name: (state) => `${state.operation} ${state.request.replace(/\s+/g, " ")}`.slice(0, NAME),
};

const statement = {
  label: "PartiQL", text: "statement",
  read: (params) => ({ statement: params.get("statement") ?? "", limit: params.get("limit") ?? "", consistent: params.has("strong") }),
  params: (state) => ({ statement: state.statement, limit: state.limit, strong: state.consistent }),
  fields: (state, tools) => h("div", {}, text("Statement", "statement", state, tools, 5, "SELECT * FROM \"Table\".\"Index\" WHERE …"),
    h("div", { class: "row" }, limitField(state, tools.change), consistentField(state, tools.change))),
  request(state) {
    mustBe(checkLimit(state.limit));
    const more = { ...(state.limit ? { Limit: Number(state.limit) } : {}), ...(state.consistent ? { ConsistentRead: true } : {}) };
    return { operation: "ExecuteStatement", request: { Statement: state.statement, ...more } };
  },
  async begin(state, { isOurs, offer, say }, operation, request) {
    if (!operation || !isOurs("statement")) return;
    const said = statementOf(operation, request, await sortKeyOf(operation, request));
    offer("statement", said?.Statement ?? "");
    Object.assign(state, { limit: String(said?.Limit ?? ""), consistent: Boolean(said?.ConsistentRead) });
    if (!said) say(h("p", { class: "why" }, "No statement says quite the same as that request."));
  },
  name: (state) => state.statement.slice(0, NAME),
};

export const WAYS = { command, json, statement };
