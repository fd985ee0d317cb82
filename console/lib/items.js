// Items as a table, as typed and as plain JSON; many and long ones do not slow the page down.

import { ask, button, code, fill, h } from "./dom.js";
import { many, size } from "./format.js";
import { TYPE_NAMES, brief, bytesOf, editText, itemJson, plain, typeOf } from "./values.js";

const ROWS = 100; // that are drawn at once
const COLUMNS = 40;

function columnsOf(items, first) {
  const found = new Set(first);
  for (const item of items) for (const name of Object.keys(item)) found.add(name);
  return [...found].slice(0, COLUMNS);
}

const BRIEF = 120;     // characters of a value in a table
const DUMPED = 4096;   // bytes of binary that are shown as such

/** Binary as hexadecimal digits and text, 16 bytes a line. */
function dump(base64) {
  const bytes = bytesOf(base64.slice(0, DUMPED * 4 / 3));
  const line = (_, i) => {
    const part = [...bytes.slice(16 * i, 16 * i + 16)];
    const hex = part.map((one) => one.toString(16).padStart(2, "0")).join(" ").padEnd(47);
    return `${(16 * i).toString(16).padStart(6, "0")}  ${hex}  ${part.map((one) => (one > 31 && one < 127 ? String.fromCharCode(one) : ".")).join("")}`;
  };
  return Array.from({ length: Math.ceil(bytes.length / 16) }, line).join("\n");
}

/** A value with nothing left out. */
function showValue(name, value) {
  const type = typeOf(value), text = editText(value) || plain(value);
  const binary = type === "B" ? [value.B] : type === "BS" ? value.BS : [];
  ask(`${name}: ${TYPE_NAMES[type]}, ${Array.isArray(value[type]) ? many(value[type].length, "element") : size(new Blob([text]).size)}`,
    h("div", {}, asText(text), binary.map((one) => h("pre", { tabindex: "0" }, dump(one)))), []);
}

/** A value in a row: its type, which leads to all of it where there is more, and how it begins. */
export function cell(value, name) {
  if (value === undefined) return h("td", { class: "value absent" }, "–");
  const type = typeOf(value), whole = type === "BOOL" || type === "NULL" || ((type === "S" || type === "N") && plain(value).length <= BRIEF / 3);
  return h("td", { class: "value", title: brief(value, 1000) },
    whole ? h("span", { class: "type" }, type)
      : button(type, () => showValue(name, value), { class: "type", title: `all of ${name}`, "aria-label": `${type}, all of ${name}` }),
    brief(value, BRIEF));
}

function row(item, columns, actions) {
  return h("tr", {}, actions ? h("td", {}, actions(item)) : null, columns.map((name) => cell(item[name], name)));
}

function asTable(items, { first, actions, caption }) {
  const columns = columnsOf(items, first);
  const body = h("tbody");
  let shown = 0;
  const more = button("Show more", () => add(), { class: "link" });
  const add = () => {
    body.append(...items.slice(shown, shown + ROWS).map((item) => row(item, columns, actions)));
    shown = Math.min(shown + ROWS, items.length);
    more.hidden = shown === items.length;
    more.textContent = `Show more (${many(items.length - shown, "item")} left)`;
  };
  add();
  return h("div", {},
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      h("table", {}, h("caption", {}, caption),
        h("thead", {}, h("tr", {}, actions ? h("th", { scope: "col" }, "Item") : null,
          columns.map((name) => h("th", { scope: "col" }, name)))), body)),
    more);
}

const LONGEST = 400000; // of a text that is drawn

function asText(text) {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… (${text.length - LONGEST} more characters: copy to see them)` : text;
  return code(text, short);
}

/** {first: attributes that come first, actions(item): what can be done with one, caption}. */
export function itemsView(items, options) {
  const place = h("div");
  const forms = [
    ["Table", () => asTable(items, options)],
    ["Typed JSON", () => asText(JSON.stringify(items, null, 2))],
    ["Plain JSON", () => asText(`[\n${items.map(itemJson).join(",\n")}\n]`)],
  ];
  return h("div", {}, tabs(forms.map(([name, make]) => [name, () => fill(place, make())]), "Form of the items"), place);
}

/** Tabs: [name, show()]; the first is shown. */
export function tabs(list, label, at = 0) {
  const buttons = list.map(([name, show], i) => h("button", {
    type: "button", role: "tab", "aria-selected": String(i === at), tabindex: i === at ? "0" : "-1",
    onclick: () => choose(i), onkeydown: (event) => step(event, i),
  }, name));
  const choose = (i) => {
    buttons.forEach((one, j) => {
      one.setAttribute("aria-selected", String(i === j));
      one.tabIndex = i === j ? 0 : -1;
    });
    list[i][1]();
  };
  const step = (event, i) => {
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: list.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + list.length) % list.length;
    choose(next);
    buttons[next].focus();
  };
  list[at][1]();
  return h("div", { class: "tabs", role: "tablist", "aria-label": label }, buttons);
}
