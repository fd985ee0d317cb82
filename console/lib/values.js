// Attribute values: {"S": "x"}, {"N": "1"}, … Digits of numbers stay as they are: nothing becomes a float.

export const TYPES = ["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"];
export const TYPE_NAMES = {
  S: "String", N: "Number", B: "Binary", BOOL: "Boolean", NULL: "Null",
  M: "Map", L: "List", SS: "String set", NS: "Number set", BS: "Binary set",
};

export function typeOf(value) {
  return Object.keys(value)[0];
}

/** One line for a table's cell. */
export function brief(value, limit = 120) {
  const text = plain(value);
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

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

/** The bytes that a base64 text stands for. */
export const bytesOf = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

function bytes(base64) {
  return Math.floor(base64.replace(/=+$/, "").length * 3 / 4);
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

/** The value of a type that a text stands for; throws where it is none. */
export function parse(type, text) {
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
    default: return { [type]: JSON.parse(text) };
  }
}

/** What a form shows of a value, for parse to read. */
export function editText(value) {
  const type = typeOf(value);
  if (type === "S" || type === "N" || type === "B") return value[type];
  if (type === "BOOL") return String(value.BOOL);
  if (type === "NULL") return "";
  if (type.length === 2) return value[type].join("\n");
  return JSON.stringify(value[type], null, 2);
}
