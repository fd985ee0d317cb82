// A form for an item: a row for each attribute, or all of it as typed JSON.

import { parseBare } from "./bare.js";
import { button, fill, h, notice, select } from "./dom.js";
import { size, units } from "./format.js";
import { keyOf } from "./schema.js";
import { TYPES, TYPE_NAMES, editText, hasTwoWays, itemSize, notationOf, parse, plain, same, typeOf, visible } from "./values.js";

const LARGEST = 400 * 1024; // bytes of an item
const HEADS = ["Attribute", "Type", "Value", "Size", "Remove"];

// A row is {name, type, text, notation, value}: `value` is its original value, until the row is edited.
const rowOf = (name, value) => {
  const notation = notationOf(value);
  return { name, value, type: typeOf(value), notation, text: editText(value, notation) };
};

/** An attribute that was not edited keeps its value, whatever the field shows. */
const valueOf = (row) => row.value ?? parse(row.type, row.text, row.notation);

function itemOf(rows) {
  const item = Object.create(null);
  for (const row of rows) {
    if (row.optional && row.text === "") continue;
    if (!row.name) throw new Error("an attribute has no name");
    if (item[row.name]) throw new Error(`${row.name} is there twice`);
    try {
      item[row.name] = valueOf(row);
    } catch (error) {
      throw new Error(`${row.name}: ${error.message}`);
    }
  }
  return item;
}

/** "1.2 KB of the 400 KB that an item may have: 2 units to write it" */
function sizeText(bytes) {
  return `${size(bytes)} of the 400 KB that an item may have: ${units(Math.max(1, Math.ceil(bytes / 1024)))} to write it${bytes > LARGEST ? ", too many" : ""}`;
}

// An incomplete value has no size.
const measured = (measure, otherwise) => { try { return measure(); } catch { return otherwise; } };

// --- one attribute ---------------------------------------------------------------------------------------

function lineCount({ type, text }) {
  if (type === "N" || type === "B" || (type === "S" && !text.includes("\n") && text.length < 60)) return 1;
  return Math.min(14, text.split("\n").length + 1);
}

function valueField(row, oninput) {
  if (row.type === "NULL") return h("span", { class: "quiet" }, "null");
  if (row.type === "BOOL") return select(["true", "false"], row.text === "true" ? "true" : "false", oninput, { "aria-label": "Value" });
  const lines = lineCount(row);
  return h("textarea", { rows: lines, value: row.text, spellcheck: "false", "aria-label": "Value", placeholder: row.optional ? "empty: left out" : null, class: lines === 1 ? "one" : "", oninput: (event) => oninput(event.target.value) });
}

/** The notation of the value, if there are two, and a button for the other one. */
function notationView(row, draw) {
  const isSet = row.type !== "S", json = row.notation === "json";
  if (!hasTwoWays(row.type) || (!isSet && !json)) return null;
  const swap = () => {
    try {
      const value = row.value ?? parse(row.type, row.text, row.notation);
      if (json && notationOf(value) === "json") throw new Error("as text, what is in it would not stay as it is");
      row.notation = json ? "text" : "json";
      row.text = editText(value, row.notation);
      draw();
    } catch (error) {
      notice(`${row.name}: ${error.message}`, "wrong");
    }
  };
  return h("small", { class: "quiet" }, json ? (isSet ? "a list in JSON " : "a string in JSON, since it has carriage returns ") : "one a line ",
    button(json ? "Write it as text" : "Write it as JSON", swap, { class: "link" }));
}

/** Characters that a field does not show, or shows in another order. */
function unseenView(text) {
  const short = text.replace(/[\n\t]/g, " ").slice(0, 200), seen = visible(short);
  return seen === short ? null : h("small", { class: "quiet isolated" }, "with characters that are not seen: ", seen);
}

function changeType(row, type) {
  row.value = undefined;
  row.notation = "text";
  row.type = type;
  if (type === "BOOL" && row.text !== "true") row.text = "false";
}

const keyValue = (row) => h("span", { class: "mono isolated", title: "The key of an item cannot be changed" }, visible(plain(row.value)));

/** A row of the form. `part` is its role in the key: "" (none), "given" (it can be filled in), or "fixed". */
function rowView(row, part, changed, remove) {
  const place = h("td", {}), label = row.name ? `Remove ${visible(row.name)}` : "Remove the attribute";
  row.size = h("td", { class: "number absent" });
  const draw = () => fill(place, part === "fixed" ? keyValue(row)
    : [valueField(row, (text) => { row.text = text; row.value = undefined; changed(); }), notationView(row, draw), unseenView(row.text)]);
  const cells = [
    h("td", {}, part ? h("span", { class: "mono isolated" }, visible(row.name), " ", h("span", { class: "tag" }, "key"))
      : h("input", { value: row.name, "aria-label": "Attribute", spellcheck: "false", autocomplete: "off", dir: "ltr", oninput: (event) => { row.name = event.target.value; changed(); } }), unseenView(row.name)),
    h("td", {}, part ? h("span", { class: "type" }, row.type)
      : select(TYPES.map((type) => [type, `${type} ${TYPE_NAMES[type]}`]), row.type, (type) => { changeType(row, type); draw(); changed(); }, { "aria-label": "Type" })),
    place, row.size,
    h("td", {}, part ? null : button("Remove", remove, { "aria-label": label })),
  ];
  draw();
  return h("tr", {}, cells);
}

// --- the form ----------------------------------------------------------------------------------------------

/** {element, read(), differs(from), set(name, type, text)}: read returns the item, or throws an error; differs says whether the form has another
 * item than `from`, or, without it, than in the beginning. `stored`: the item exists, and its key cannot be changed. `optional` are
 * further attributes, [name, type], which are left out if they stay empty. */
export function itemEditor(table, item, stored, optional = []) {
  const keys = table.KeySchema.map((part) => part.AttributeName), isKey = (name) => keys.includes(name);
  const rowsOf = (one) => Object.entries(one).sort(([a], [b]) => isKey(b) - isKey(a)).map(([name, value]) => {
    const row = rowOf(name, value), part = isKey(name) ? (stored ? "fixed" : "given") : "";
    return { ...row, part, value: part === "given" && !row.text ? undefined : value }; // an empty key has no value
  });
  let rows = [...rowsOf(item), ...optional.map(([name, type]) => ({ name, type, text: "", notation: "text", part: "", optional: true }))], mode = "form", edited = false;
  const body = h("tbody"), json = h("textarea", { rows: 18, spellcheck: "false", "aria-label": "Item as typed JSON" });
  const place = h("div"), total = h("p", { class: "quiet" });
  const readJson = () => {
    const read = parseBare(json.value);
    if (!read || typeof read !== "object" || Array.isArray(read)) throw new Error("an item is an object of attributes");
    if (stored && !same(keyOf(table, read), keyOf(table, item))) throw new Error("the key of an item cannot be changed: “Copy to a new item” makes another");
    return read;
  };
  const read = () => (mode === "form" ? itemOf(rows) : readJson());
  const touch = () => { edited = true; weigh(); };
  const weigh = () => {
    if (mode === "form") for (const row of rows) row.size.textContent = measured(() => size(itemSize({ [row.name]: valueOf(row) })), "–");
    total.textContent = measured(() => sizeText(itemSize(read())), "");
  };
  const drawRows = () => {
    fill(body, rows.map((row) => rowView(row, row.part, touch, () => { rows = rows.filter((one) => one !== row); edited = true; drawRows(); })));
    weigh();
  };
  const add = () => {
    rows.push({ name: "", type: "S", text: "", notation: "text", part: "" });
    drawRows();
    body.lastChild.querySelector("input").focus();
  };
  json.addEventListener("input", touch);
  const draw = () => {
    if (mode === "form") {
      drawRows();
      fill(place, h("div", { class: "scroll" }, h("table", { class: "editor" }, h("thead", {}, h("tr", {}, HEADS.map((text) => h("th", { scope: "col", class: text === "Size" ? "number" : null }, text)))), body)),
        button("Add an attribute", add));
    } else {
      fill(place, json);
      weigh();
    }
  };
  const swap = button("As JSON", () => {
    try {
      const now = read();
      if (mode === "form") json.value = JSON.stringify(now, null, 2);
      else rows = rowsOf(now);
      mode = mode === "form" ? "json" : "form";
      swap.textContent = mode === "form" ? "As JSON" : "As a form";
      draw();
    } catch (error) {
      notice(error.message, "wrong");
    }
  });
  /** Gives an attribute of the form a value. */
  const set = (name, type, text) => {
    if (mode !== "form") throw new Error("choose “As a form” first");
    const row = rows.find((one) => one.name === name) ?? { name, part: "" };
    if (!rows.includes(row)) rows.push(row);
    Object.assign(row, { type, text, notation: "text", value: undefined });
    edited = true;
    drawRows();
  };
  draw();
  // An unedited form may have no item yet: a new one has no key. An edited form counts as changed until it can be read.
  const initial = measured(read), differs = (from = initial) => measured(() => !same(read(), from), edited);
  return { element: h("div", {}, h("div", { class: "row end" }, swap), place, total), read, differs, set };
}
