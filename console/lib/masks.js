// Masks of what is shared: how attributes, the parts of keys and other texts, values of the request and literals of its statements leave.
// The server's rules (POST mask) replace them; equal values stay equal.

import { verb } from "./api.js";
import { bareOf, parseBare } from "./bare.js";
import { isAttribute } from "./snippets.js";
import { same, visible } from "./values.js";

const PARTS = 8;  // of a text
const EQUAL = 4;  // characters: shorter texts may be equal by chance
const DIGITS = 38; // of a number

const isValues = (value) => Object.keys(value).length > 0 && Object.values(value).every(isAttribute);
const isOfRequest = (name) => /^[:?']/.test(name);

// --- where values are -----------------------------------------------------------------------------------------

// Comments, names in quotes, texts, words, steps of a path such as [1], numbers.
const TOKEN = /--[^\r\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|'(?:[^']|'')*'|[a-z_$][\w$]*|(?<=[\w$"\]])\[\s*\d+\s*\]|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;
const SIGN = /(?:[=<>,([{:]|\b(?:BETWEEN|AND|OR|NOT|IN))\s*(-)\s*$/i; // of the number that follows

/** The literals of a statement: [{from, to, value}]. */
function literals(statement) {
  const found = [];
  for (const { 0: token, index } of statement.matchAll(TOKEN)) {
    const to = index + token.length;
    if (token[0] === "'" && token.length > 2 && !/^\s*:/.test(statement.slice(to))) found.push({ from: index, to, value: { S: token.slice(1, -1).replaceAll("''", "'") } });
    if (!/^[\d.]+$/.test(token) || token.length > DIGITS) continue; // one with an exponent stays: "left" looks for it
    const sign = SIGN.exec(statement.slice(0, index)), from = sign ? statement.lastIndexOf("-", index) : index;
    found.push({ from, to, value: { N: `${sign ? "-" : ""}${token.replace(/^\./, "0.").replace(/\.$/, "")}` } });
  }
  return found;
}

function withLiterals(statement, found, values) {
  let out = "", at = 0;
  found.forEach(({ from, to }, i) => {
    const { S: text, N: number } = values[i];
    out += statement.slice(at, from) + (text === undefined ? number : `'${text.replaceAll("'", "''")}'`);
    at = to;
  });
  return out + statement.slice(at);
}

const numbered = (mark, values) => bareOf(values.map((value, i) => [`${mark}${i + 1}`, value]));

/** The maps of values of a request, and how each is replaced; a list of values is one of ?1, ?2 …, the literals of a statement '1, '2 … */
function* mapsIn(holder) {
  for (const [name, one] of Object.entries(holder)) {
    if (name === "Statement" && typeof one === "string") {
      const found = literals(one);
      if (found.length) yield { item: numbered("'", found.map(({ value }) => value)), put: (item) => { holder[name] = withLiterals(one, found, Object.values(item)); } };
    } else if (!one || typeof one !== "object") continue;
    else if (!isValues(one)) yield* mapsIn(one);
    else if (Array.isArray(one)) yield { item: numbered("?", one), put: (item) => { holder[name] = Object.values(item); } };
    else yield { item: one, put: (item) => { holder[name] = item; } };
  }
}

/** The texts of a case that leave as they are, and in which a masked value may be left: name → text. */
function textsOf(one) {
  const found = new Map(), add = (name, text) => { if (text) found.set(name, [...found.get(name) ?? [], text]); };
  const walk = (holder) => {
    for (const [name, value] of Object.entries(holder)) {
      if (typeof value === "string") add(name, value);
      else if (value && typeof value === "object" && name !== "ExpressionAttributeNames" && !isValues(value)) walk(value);
    }
  };
  walk(one.request);
  add("Note", one.note);
  for (const { create } of one.tables) {
    add("TableName", create.TableName);
    for (const { IndexName } of [...create.GlobalSecondaryIndexes ?? [], ...create.LocalSecondaryIndexes ?? []]) add("IndexName", IndexName);
  }
  return bareOf([...found].map(([name, texts]) => [name, { S: [...new Set(texts)].join("\n") }]));
}

/** The attributes and values of items and of a request: name → its values. */
export function valuesOf(request, items) {
  const out = new Map(), maps = [...items, ...[...mapsIn({ request: parseBare(JSON.stringify(request)) })].map(({ item }) => item)];
  for (const map of maps) for (const [name, value] of Object.entries(map)) out.set(name, [...out.get(name) ?? [], value]);
  return out;
}

// --- what can be masked ---------------------------------------------------------------------------------------

/** The character between the parts of a name's texts, or null; times and addresses have others, which only those of keys may be. */
function separatorOf(texts, isKey) {
  return [..."#|", ...isKey ? ":/~" : ""].find((one) => texts.some((text) => text.includes(one) && /^\w+$/.test(text.split(one, 1)[0]))) ?? null;
}

/** The parts of a name's texts that are no labels, such as PLATFORM and SHOP: [{part, separator, values}]. */
function partsOf(values, isKey) {
  const texts = values.map(({ S }) => S).filter((text) => text !== undefined), separator = separatorOf(texts, isKey), out = [];
  for (let part = 1; separator && part <= PARTS; part++) {
    const found = [...new Set(texts.map((text) => text.split(separator)[part - 1]).filter(Boolean))];
    if (found.length > 1 || (found.length && !/^[A-Z_]+$/.test(found[0]))) out.push({ part, separator, values: found.map((S) => ({ S })) });
  }
  return out;
}

/** What each attribute, each value of the request and each part of them can leave as: [{name, part, separator, label, values, isKey}].
 * `keys` are the attributes of the tables' keys, `indexed` those of indexes. */
export const masksOf = (values, keys, indexed) => [...values].flatMap(([name, all]) => {
  const label = name[0] === "'" ? `value ${name.slice(1)} of the statement` : visible(name), one = { name, label, isKey: keys.has(name) };
  return [{ ...one, part: 0, values: all }, ...partsOf(all, one.isKey || indexed.has(name) || isOfRequest(name)).map((part) => ({ ...one, ...part, label: `${label}, part ${part.part}` }))];
});

const ACTIONS = [["", "as it is"], ["replace", "another of the same form"], ["hash", "a hash"], ["mask", "***"], ["drop", "left out"]];

/** What can be done: keys stay distinct, and a request keeps its values. */
export const actionsFor = ({ name, part, isKey }) => ACTIONS.slice(0, isKey ? 3 : part || isOfRequest(name) ? 4 : 5);

const isEqual = (one, other) => one.values.some((a) => other.values.some((b) => same(a, b) && (isOfRequest(other.name) || a.S?.length >= EQUAL)));

/** Those of the masks that leave as `one` does, since their values are equal to its own: [mask, …]. A value and its parts are not masked both. */
export const alike = (one, all) => all.filter((other) => other.name !== one.name && isEqual(one, other))
  .filter((other, _, found) => !other.part || !found.some((whole) => whole.name === other.name && !whole.part));

// --- masking ----------------------------------------------------------------------------------------------------

/** The case with its values masked, and `left`, the words for masked texts that are still in it: {masked, left}. `actions` is mask → what is done.
 * The server answers the items in their order. */
export async function mask(one, actions, salt) {
  if (!actions.size) return { masked: one };
  const holder = { request: parseBare(JSON.stringify(one.request)) }, places = [...mapsIn(holder)], of = (table) => (item) => ({ table, item });
  const rules = [...actions].map(([{ name, part, separator }, action]) => ({ attribute: name, do: action, ...(part ? { part, separator } : {}) }));
  const maps = [...one.tables.flatMap(({ create, items }) => items.map(of(create.TableName))), ...places.map(({ item }) => item).map(of("the request"))];
  const ask = (more) => verb("POST", "mask", { salt, rules, maps: [...maps, ...more] }), answer = await ask([]);
  const tables = one.tables.map((table) => ({ ...table, items: answer.maps.splice(0, table.items.length) }));
  for (const place of places) place.put(answer.maps.shift());
  const masked = { ...one, request: holder.request, tables };
  return { masked, left: (await ask([textsOf(masked)].map(of("the request")))).left };
}
