// Items as a table, as typed and as plain JSON; fast for many and for long items.

import { ask, button, code, fill, h } from "./dom.js";
import { many, size } from "./format.js";
import { TYPE_NAMES, brief, bytesOf, editText, itemJson, plain, typeOf, visible } from "./values.js";

const ROWS = 100; // drawn at once
const COLUMNS = 24;         // drawn at first, …
const MORE_COLUMNS = 200;   // … and with each press of a button

function columnsOf(items, first) {
  const found = new Set(first);
  for (const item of items) for (const name of Object.keys(item)) found.add(name);
  return [...found];
}

const BRIEF = 120;     // characters of a value in a table
const DUMPED = 4096;   // bytes of binary that are shown as hexadecimal

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

/** A complete value. */
function showValue(name, value) {
  const type = typeOf(value), text = editText(value) || plain(value);
  const binary = type === "B" ? [value.B] : type === "BS" ? value.BS : [];
  ask(`${visible(name)}: ${TYPE_NAMES[type]}, ${Array.isArray(value[type]) ? many(value[type].length, "element") : size(new Blob([text]).size)}`,
    h("div", {}, asText(text), binary.map((one) => h("pre", { tabindex: "0" }, dump(one)))), []);
}

/** A value in a row: its type, which is a link if the value is longer, and its beginning. */
export function cell(value, name) {
  if (value === undefined) return h("td", { class: "value absent" }, "–");
  const type = typeOf(value), whole = type === "BOOL" || type === "NULL" || ((type === "S" || type === "N") && plain(value).length <= BRIEF / 3);
  return h("td", { class: "value isolated", title: brief(value, 1000) },
    whole ? h("span", { class: "type" }, type)
      : button(type, () => showValue(name, value), { class: "type", title: `all of ${visible(name)}`, "aria-label": `${type}, all of ${visible(name)}` }),
    brief(value, BRIEF));
}

/** Which attributes have no column yet, and a button for more of them. */
function hiddenView(names, show) {
  if (!names.length) return null;
  const one = names.length === 1, more = Math.min(names.length, MORE_COLUMNS);
  return h("p", { class: "quiet", title: visible(names.join(", ").slice(0, 2000)) },
    `${many(names.length, "attribute")} of these items ${one ? "is" : "are"} not shown. `,
    button(more < names.length ? `Show ${more} more attributes` : "Show all attributes", show, { class: "link" }));
}

/** {first: attributes that come first, lead: [[heading, content(item)]] of the columns before them, caption, quiet: it is not drawn}. */
export function itemsTable(items, { first, lead = [], caption, quiet = false }) {
  const names = columnsOf(items, first), head = h("thead"), body = h("tbody"), hidden = h("div");
  let shown = 0, wide = COLUMNS;
  const more = button("Show more", () => add(), { class: "link" });
  const row = (item) => h("tr", {}, lead.map(([, content]) => h("td", {}, content(item))), names.slice(0, wide).map((name) => cell(item[name], name)));
  const sayMore = () => {
    more.hidden = shown === items.length;
    more.textContent = `Show more (${many(items.length - shown, "item")} left)`;
  };
  const add = () => {
    body.append(...items.slice(shown, shown + ROWS).map(row));
    shown = Math.min(shown + ROWS, items.length);
    sayMore();
  };
  const widen = () => {
    wide += MORE_COLUMNS;
    draw();
  };
  const draw = () => {
    fill(head, h("tr", {}, [...lead.map(([heading]) => heading), ...names.slice(0, wide)].map((text) => h("th", { scope: "col", class: "isolated" }, visible(text)))));
    fill(body, items.slice(0, shown).map(row));
    fill(hidden, hiddenView(names.slice(wide), widen));
  };
  draw();
  add();
  return h("div", {},
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      h("table", {}, quiet ? null : h("caption", {}, caption), head, body)),
    hidden, more);
}

const LONGEST = 400000; // characters of a text that are drawn

function asText(text) {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… (${text.length - LONGEST} more characters: copy to see them)` : text;
  return code(text, short);
}

/** The options of itemsTable. */
export function itemsView(items, options) {
  const place = h("div");
  const forms = [
    ["Table", () => itemsTable(items, options)],
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
