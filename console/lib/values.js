// Attribute values: {"S": "x"}, {"N": "1"}, … Digits of numbers stay as they are: nothing becomes a float.

import { parseBare } from "./bare.js";

export const TYPES = ["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"];
export const TYPE_NAMES = {
  S: "String", N: "Number", B: "Binary", BOOL: "Boolean", NULL: "Null",
  M: "Map", L: "List", SS: "String set", NS: "Number set", BS: "Binary set",
};

export function typeOf(value) {
  return Object.keys(value)[0];
}

/** Attribute → the Set of its types in these items; those of `first` come first. */
export function typesByName(items, first = []) {
  const types = new Map(first.map((name) => [name, new Set()]));
  for (const item of items) for (const [name, value] of Object.entries(item)) types.set(name, (types.get(name) ?? new Set()).add(typeOf(value)));
  return types;
}

// Line ends, other control characters, and those that turn the order of letters around or are not seen.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
const code = (one) => `⟨${one === "\n" ? "↵" : one === "\t" ? "⇥" : one.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;

/** A text on one line, in which each character is seen. */
export const visible = (text) => text.replace(UNSEEN, code);

/** A text of several lines, in which each character is seen. */
export const visibleLines = (text) => text.split("\n").map(visible).join("\n");

/** One line for a table's cell. */
export function brief(value, limit = 120) {
  const text = plain(value);
  return visible(text.length > limit ? `${text.slice(0, limit)}…` : text);
}

/** JSON with members in order, so that equal values are equal texts; sets have none. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!value || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => {
    const one = /^(SS|NS|BS)$/.test(name) && Array.isArray(value[name]) ? [...value[name]].sort() : value[name];
    return `${JSON.stringify(name)}:${canonical(one)}`;
  }).join()}}`;
}

/** Whether two values, or two items, are the same; undefined is no value. */
export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b) || (a !== undefined && b !== undefined && canonical(a) === canonical(b));

/** A value without its type, as text; strings without quotes at the outermost level. */
export function plain(value) {
  const type = typeOf(value);
  return type === "S" ? value.S : write(value);
}

function write(value) {
  const type = typeOf(value);
  switch (type) {
    case "S": return JSON.stringify(value.S);
    case "N": return value.N;
    case "BOOL": return String(value.BOOL);
    case "NULL": return "null";
    case "B": return `<${bytes(value.B)} bytes ${value.B.slice(0, 24)}${value.B.length > 24 ? "…" : ""}>`;
    case "M": return `{${Object.entries(value.M).map(([name, one]) => `${JSON.stringify(name)}: ${write(one)}`).join(", ")}}`;
    case "L": return `[${value.L.map(write).join(", ")}]`;
    case "SS": return `{${value.SS.map((one) => JSON.stringify(one)).join(", ")}}`;
    case "NS": return `{${value.NS.join(", ")}}`;
    case "BS": return `{${value.BS.map((one) => `<${bytes(one)} bytes>`).join(", ")}}`;
    default: return JSON.stringify(value);
  }
}

/** The bytes of a base64 text. */
export const bytesOf = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

function bytes(base64) {
  return Math.floor(base64.replace(/=+$/, "").length * 3 / 4);
}

/** Numbers in their order, also those of 38 digits. */
function compareNumbers(a, b) {
  const difference = Number(a) - Number(b), isWhole = (text) => /^-?\d+$/.test(text);
  if (difference || !isWhole(a) || !isWhole(b)) return difference;
  return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
}

/** The order of two values of a column: by type, then by value; no value (undefined) is last, also if `down` is true. */
export function compare(a, b, down) {
  if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
  const [type, other] = [typeOf(a), typeOf(b)], [one, two] = type === other ? [plain(a), plain(b)] : [type, other];
  const order = type === "N" && other === "N" ? compareNumbers(one, two) : one < two ? -1 : one > two ? 1 : 0;
  return down ? -order : order;
}

// --- sizes, as the service counts them ------------------------------------------------------------------------------

const textSize = (text) => new Blob([text]).size;

/** A byte, and one for each two digits on either side of the point. */
function numberSize(text) {
  const [, sign, whole, part = "", exponent = "0"] = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text.trim()) ?? ["", "", ""];
  const bare = (whole + part).replace(/^0+/, ""), digits = bare.replace(/0+$/, "").length;
  const before = Math.min(digits, Math.max(0, bare.length - part.length + Number(exponent)));
  return 1 + Math.ceil(before / 2) + Math.ceil((digits - before) / 2) + (digits && sign === "-" ? 1 : 0);
}

function sizeOf(value) {
  const type = typeOf(value), sum = (list, each) => list.reduce((so, one) => so + each(one), 0);
  switch (type) {
    case "S": return textSize(value.S);
    case "N": return numberSize(value.N);
    case "B": return bytes(value.B);
    case "SS": return sum(value.SS, textSize);
    case "NS": return sum(value.NS, numberSize);
    case "BS": return sum(value.BS, bytes);
    case "L": return 3 + sum(value.L, (one) => 1 + sizeOf(one));
    case "M": return 3 + itemSize(value.M) + Object.keys(value.M).length;
    default: return 1;
  }
}

/** Bytes of an item, names counted in. */
export const itemSize = (item) => Object.entries(item).reduce((so, [name, value]) => so + textSize(name) + sizeOf(value), 0);

/** Plain JSON of an item, indented; sets become lists, binaries base64, numbers keep their digits. */
export function plainJson(value, indent = "") {
  const inner = `${indent}  `;
  const block = (open, close, parts) =>
    parts.length ? `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}` : open + close;
  const members = (map) => block("{", "}", Object.entries(map).map(([name, one]) => `${JSON.stringify(name)}: ${plainJson(one, inner)}`));
  const type = typeOf(value);
  switch (type) {
    case "M": return members(value.M);
    case "L": return block("[", "]", value.L.map((one) => plainJson(one, inner)));
    case "NS": return `[${value.NS.join(", ")}]`;
    case "N": return value.N;
    case "NULL": return "null";
    default: return JSON.stringify(value[type]);
  }
}

export function itemJson(item) {
  return plainJson({ M: item });
}

const TWO_WAYS = new Set(["S", "SS", "BS"]); // of writing them: as text, or as JSON

export const hasTwoWays = (type) => TWO_WAYS.has(type);

/** How a field can hold a value: a field knows one kind of line end, and a set has a member a line, none of them empty. What
 * would not come back as it was is written as JSON. */
export function notationOf(value) {
  const type = typeOf(value);
  if (!TWO_WAYS.has(type)) return "text";
  const lost = type === "S" ? /\r/ : /[\r\n]|^$/;
  return [value[type]].flat().some((one) => lost.test(one)) ? "json" : "text";
}

const isText = (one) => typeof one === "string";

/** A string or a set in JSON. */
function parseJson(type, text) {
  const value = JSON.parse(text);
  if (type === "S" ? !isText(value) : !Array.isArray(value) || !value.every(isText)) throw new Error(type === "S" ? "a string in JSON is needed" : "a list of strings in JSON is needed");
  return { [type]: value };
}

/** Reads a text as a value of the type; throws if it is not one. */
export function parse(type, text, notation = "text") {
  if (notation === "json" && TWO_WAYS.has(type)) return parseJson(type, text);
  switch (type) {
    case "S": return { S: text };
    case "N": {
      const number = text.trim();
      if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(number)) throw new Error(`${text || "nothing"} is no number`);
      return { N: number };
    }
    case "B": {
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text.trim())) throw new Error("binary is written in base64");
      return { B: text.trim() };
    }
    case "BOOL":
      if (text !== "true" && text !== "false") throw new Error("true or false");
      return { BOOL: text === "true" };
    case "NULL": return { NULL: true };
    case "SS": case "NS": case "BS":
      return { [type]: text.split("\n").map((one) => (type === "SS" ? one : one.trim())).filter((one) => one !== "") };
    default: return { [type]: parseBare(text) };
  }
}

/** What a form shows of a value, for parse to read. */
export function editText(value, notation = "text") {
  const type = typeOf(value);
  if (notation === "json" && TWO_WAYS.has(type)) return JSON.stringify(value[type], null, 2);
  if (type === "S" || type === "N" || type === "B") return value[type];
  if (type === "BOOL") return String(value.BOOL);
  if (type === "NULL") return "";
  if (type.length === 2) return value[type].join("\n");
  return JSON.stringify(value[type], null, 2);
}
