// Case files: a request with its answer, its explanation, and the tables and items that it needs, as one JSON. A case file is
// checked member by member, and opened in a new world only. docs/console.md has its form.

import { Refused, call } from "./api.js";
import { parseBare } from "./bare.js";
import { count } from "./format.js";
import { recallHere, rememberHere } from "./memory.js";
import { counted, unitsOf } from "./requests.js";
import { href } from "./route.js";
import { visible } from "./values.js";
import { dropWorld, inTemporary, newWorld } from "./worlds.js";

export const CASE_BYTES = 2 << 20, CASE_ITEMS = 500, CASE_TABLES = 20, NOTE = 4000;
const LONG = 200000;      // characters of other texts
const DEPTH = 100;        // of brackets: the service takes 32 levels of a value, each of which has two
const NAMED = 60;         // characters of a name in an error
const POLL_MS = 50, POLLS = 1200;

// --- checks -------------------------------------------------------------------------------------------------

const wrong = (path, words) => { throw new Refused("Not opened", `${path || "the file"} ${words}`, 0); };
const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const within = (path, name) => `${path ? `${path}.` : ""}${visible(name.slice(0, NAMED))}`;

const is = (words, test) => (value, path) => { if (!test(value)) wrong(path, `is not ${words}`); };
const object = is("an object", isMap);
const text = (most) => (value, path) => {
  if (typeof value !== "string") wrong(path, "is not a text");
  if (value.length > most) wrong(path, `has more than ${count(most)} characters`);
};
const list = (of, most) => (value, path) => {
  if (!Array.isArray(value)) wrong(path, "is not a list");
  if (value.length > most) wrong(path, `has ${count(value.length)} elements, more than ${count(most)}`);
  value.forEach((one, i) => of(one, `${path}[${i}]`));
};
const members = (known, needed) => (value, path) => {
  object(value, path);
  for (const [name, one] of Object.entries(value)) {
    if (!Object.hasOwn(known, name)) wrong(within(path, name), "is unknown");
    known[name](one, within(path, name));
  }
  for (const name of needed) if (!Object.hasOwn(value, name)) wrong(within(path, name), "is missing");
};

const PROPOSAL = { try: text(LONG), gives: text(LONG) };
const checkMembers = members({
  mockddb_case: is("1, the version that this page knows", (value) => value === 1),
  note: text(NOTE),
  operation: is("the name of an operation", (value) => typeof value === "string" && /^[A-Z][A-Za-z]{2,60}$/.test(value)),
  request: object,
  from: is('"world" or "case"', (value) => value === "world" || value === "case"),
  answer: object,
  items_left_out: is("a count", (value) => Number.isSafeInteger(value) && value >= 0),
  error: members({ type: text(NAMED * 4), message: text(LONG) }, ["type", "message"]),
  units: is("a number of units", (value) => typeof value === "number" && value >= 0),
  explanation: members({ reason: text(LONG), lines: list(text(LONG), 20), hints: list(members({ name: text(LONG), weight: text(LONG), text: text(LONG), ...PROPOSAL }, ["text"]), 20), text: text(LONG), ...PROPOSAL }, ["text"]),
  tables: list(members({ create: object, items: list(object, CASE_ITEMS) }, ["create", "items"]), CASE_TABLES),
}, ["mockddb_case", "operation", "request", "tables"]);

/** Brackets within brackets, at most; those in texts do not count. */
function depthOf(source) {
  let depth = 0, most = 0, isText = false;
  for (let i = 0; i < source.length; i++) {
    const one = source[i];
    if (one === "\\") i++;
    else if (one === '"') isText = !isText;
    else if (isText) continue;
    else if (one === "[" || one === "{") most = Math.max(most, ++depth);
    else if (one === "]" || one === "}") depth--;
  }
  return most;
}

/** The case of a file's text, or an error that names the member. The requests of its tables and its items are checked by the
 * operations that they are for. */
export function checkCase(source) {
  if (source.length > CASE_BYTES) wrong("", `has more than ${count(CASE_BYTES)} bytes`);
  if (depthOf(source) > DEPTH) wrong("", `has more than ${DEPTH} brackets within each other`);
  let found;
  try {
    found = parseBare(source);
  } catch (error) {
    wrong("", `is not JSON: ${error.message.slice(0, 200)}`);
  }
  checkMembers(found, "");
  const items = found.tables.reduce((so, one) => so + one.items.length, 0);
  if (items > CASE_ITEMS) wrong("tables", `has ${count(items)} items, more than ${CASE_ITEMS}`);
  return found;
}

// --- worlds -------------------------------------------------------------------------------------------------

async function isActive(TableName, inWorld) {
  for (let i = 0; i < POLLS; i++) {
    if ((await call("DescribeTable", { TableName }, { inWorld })).Table.TableStatus === "ACTIVE") return;
    await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
  }
  wrong("", "has a table that was not ready in time");
}

/** Makes the case's tables in an empty world, and puts its items; an error names the member. */
async function fillWorld(inWorld, { tables }) {
  const at = (path, work) => work().catch((error) => (error.status >= 400 && error.status < 500 ? wrong(path, `is refused: ${error.message}`) : Promise.reject(error)));
  for (const [i, { create, items }] of tables.entries()) {
    const { TableName } = create;
    await at(`tables[${i}].create`, () => call("CreateTable", create, { inWorld }));
    await isActive(TableName, inWorld);
    for (const [j, Item] of items.entries()) {
      const path = `tables[${i}].items[${j}]`, { Attributes } = await at(path, () => call("PutItem", { TableName, Item, ReturnValues: "ALL_OLD" }, { inWorld }));
      if (Attributes) wrong(path, "has the key of another item");
    }
  }
}

/** What an answer is in a case file: {answer, units, items_left_out, explanation} or {error, explanation}. */
export function outcomeOf({ response, error, explanation }, most) {
  const said = explanation?.text ? { explanation: Object.fromEntries(["reason", "lines", "try", "gives", "hints", "text"].filter((name) => explanation[name] !== undefined).map((name) => [name, explanation[name]])) } : {};
  if (error) return { error: { type: error.type, message: error.message }, ...said };
  const { Items: items } = response, units = unitsOf(response);
  return {
    answer: items?.length > most ? { ...response, Items: items.slice(0, most) } : response,
    ...(items?.length > most ? { items_left_out: items.length - most } : {}), ...(units.list.length ? { units: units.total } : {}), ...said,
  };
}

/** The outcome of the case's request with nothing but its own tables and items. */
export const measureCase = (one, most) => inTemporary({ empty: true }, async (inWorld) => {
  await fillWorld(inWorld, one);
  return outcomeOf(await call(one.operation, counted(one.operation, one.request), { explain: true, aside: true, inWorld }).catch((error) => {
    if (!error.body) throw error;
    return { error, explanation: error.explanation };
  }), most);
});

const kept = (world) => `case.${world}`; // in this tab: the file that was opened in a world

/** Whether this tab opened a case in the world; the case, or null. */
export const hasCase = (world) => recallHere(kept(world), "") !== "";
export const caseOf = (world) => (hasCase(world) ? checkCase(recallHere(kept(world), "")) : null);

/** Opens a file in a new world: {world, address: of its request there, which is run only if it reads}. */
export async function openCase(file) {
  if (file.size > CASE_BYTES) wrong("", `has ${count(file.size)} bytes, more than ${count(CASE_BYTES)}`);
  const source = await file.text(), found = checkCase(source), world = await newWorld("case", { empty: true });
  try {
    await fillWorld(world, found);
  } catch (error) {
    await dropWorld(world);
    throw error;
  }
  rememberHere(kept(world), source);
  return { world, address: requestAddress(found, world) };
}

/** Where a case's request is shown in its world. */
export function requestAddress({ operation, request, tables }, world) {
  const own = tables.some(({ create }) => create.TableName === request.TableName);
  return href(own ? "table" : "request", own ? [request.TableName, "explore"] : [], { mode: "json", op: operation, request: JSON.stringify(request, null, 2), run: true, world });
}
