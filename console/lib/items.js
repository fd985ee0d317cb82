// Items as a table, as typed and as plain JSON; whole values.

import { itemsTable } from "./columns.js";
import { ask, code, fill, h } from "./dom.js";
import { many, size } from "./format.js";
import { noteShown, route } from "./route.js";
import { TYPE_NAMES, bytesOf, editText, itemJson, plain, typeOf, visible } from "./values.js";

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

const LONGEST = 400000; // characters of a text that are drawn

function asText(text) {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… (${text.length - LONGEST} more characters: copy to see them)` : text;
  return code(text, short);
}

/** `options` are those of itemsTable, without showValue. */
export function itemsView(items, options) {
  const place = h("div");
  const forms = [
    ["Table", () => itemsTable(items, { ...options, showValue })],
    ["Typed JSON", () => asText(JSON.stringify(items, null, 2))],
    ["Plain JSON", () => asText(`[\n${items.map(itemJson).join(",\n")}\n]`)],
  ];
  return h("div", {}, shownTabs(forms.map(([name, make]) => [name, () => fill(place, make())]), "Form of the items", "items"), place);
}

const wordOf = (name) => name.toLowerCase().replace(/\W+/g, "-");

/** Tabs of which the address says in `param`, one of SHOWN (lib/route.js), which is shown. */
export function shownTabs(list, label, param) {
  const now = route().params.get(param), at = Math.max(0, list.findIndex(([name]) => wordOf(name) === now));
  const noted = list.map(([name, show], i) => [name, () => {
    show();
    const word = i ? wordOf(name) : null;
    if (word !== route().params.get(param)) noteShown(param, word);
  }]);
  return tabs(noted, label, at);
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
