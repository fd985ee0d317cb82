// Items as a table, as typed and as plain JSON; many and long ones do not slow the page down.

import { button, copy, fill, h } from "./dom.js";
import { many } from "./format.js";
import { brief, itemJson, typeOf } from "./values.js";

const ROWS = 100; // that are drawn at once
const COLUMNS = 40;

function columnsOf(items, first) {
  const found = new Set(first);
  for (const item of items) for (const name of Object.keys(item)) found.add(name);
  return [...found].slice(0, COLUMNS);
}

function cell(value) {
  return value === undefined
    ? h("td", { class: "value absent" }, "–")
    : h("td", { class: "value", title: brief(value, 1000) }, h("span", { class: "type" }, typeOf(value)), brief(value));
}

function row(item, columns, actions) {
  return h("tr", {}, actions ? h("td", {}, actions(item)) : null, columns.map((name) => cell(item[name])));
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
  return h("div", {}, button("Copy", () => copy(text)), h("pre", { tabindex: "0" }, short));
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
