// The palette: any table, view, access pattern, world or action by a part of its name, from the keyboard.

import { currentWorld, verb } from "./api.js";
import { changeClock } from "./clock.js";
import { ask, closeDialogs, fill, h, notice } from "./dom.js";
import { go, inWorld, route } from "./route.js";
import { tableNames } from "./schema.js";
import { newWorld } from "./worlds.js";

const SHOWN = 40; // entries

const clock = (body, text) => async () => {
  if (await changeClock(body)) notice(text);
};

/** A new world with what this one has. */
export async function forkWorld() {
  const from = currentWorld(), name = await newWorld("fork", { from });
  location.hash = inWorld(name);
  notice(`This is ${name} now, a copy of ${from}`);
}

const compareWithDefault = () => go("worlds", [], { from: "default", to: currentWorld() });

const SEARCH = /^\s*(?:find\s+)?(?:(.*?)\s+)?(\S+)\s*=\s*(\S.*)$/i;

/** Searches that a text says, as entries: find TABLE attribute = value, in this page's table first. */
function searches(text, tables) {
  const [, part, name, value] = SEARCH.exec(text) ?? [], { view, parts: [shown] } = route();
  if (!name) return [];
  const isHere = (table) => view === "table" && table === shown, fits = tables.filter((table) => !part || table.toLowerCase().includes(part.toLowerCase()));
  return fits.sort((a, b) => isHere(b) - isHere(a)).map((table) => ["Find", `${name} = ${value} in ${table}`, () => go("table", [table, "explore"], { mode: "find", find: `${name} = ${value}`, run: true })]);
}

const ACTIONS = [
  ["Freeze the clock", clock({ freeze: true }, "The clock is frozen")], ["Let the clock run", clock({ resume: true }, "The clock runs")],
  ["Advance the clock by an hour", clock({ advance: "1h" }, "The clock is an hour further")], ["Advance the clock by a day", clock({ advance: "24h" }, "The clock is a day further")],
  ["Set the clock to the system's time", clock({ real: true }, "The clock shows the system's time")],
  ["Remove all faults", async () => { await verb("DELETE", "faults"); notice("No faults"); }],
  ["New table", async () => {
    const { createTable } = await import("../views/table_create.js");
    closeDialogs();
    const made = await createTable();
    if (made) go("table", [made.name, "explore"], { new: made.items });
  }],
  ["Time line of writes", () => go("history")],
  ["Open a case file", () => go("case")],
  ["Fork this world", forkWorld], ["Compare this world with default", compareWithDefault],
];

/** [kind, text, run, further words to find it by] of all there is. */
async function entries(views) {
  const quietly = (promise, otherwise) => promise.catch(() => otherwise);
  const [tables, { files }, { worlds }] = await Promise.all([
    quietly(tableNames(), []), quietly(verb("GET", "patterns/files"), { files: [] }), quietly(verb("GET", "worlds", undefined, "default"), { worlds: [] }),
  ]);
  return [
    ...tables.map((name) => ["Table", name, () => go("table", [name, "explore"]), ""]),
    ...views.map(([text, name]) => ["View", text, () => go(name), ""]),
    ...files.flatMap((file) => file.patterns).map((one) => ["Pattern", one.name, () => go("patterns", ["questions"], { name: one.name }), one.question]),
    ...ACTIONS.map(([text, run]) => ["Action", text, run, ""]),
    ...tables.map((name) => ["Settings", name, () => go("table", [name, "settings"]), "settings"]),
    ...tables.map((name) => ["Find in", name, () => go("table", [name, "explore"], { mode: "find" }), "find attribute = value"]),
    ...tables.map((name) => ["New item", name, () => go("table", [name, "explore"], { new: true }), "new item"]),
    ...worlds.map(({ name }) => ["World", name, () => { location.hash = inWorld(name); }, ""]),
  ];
}

/** Opens it; `views` are those of the menu, [text, name]. */
export async function openPalette(views) {
  closeDialogs();
  const list = h("ul", { role: "listbox", id: "palette", "aria-label": "Found", class: "palette" });
  let shown = [], at = 0, all = [];
  const find = (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = all.filter(([kind, name, , more]) => { const in_ = `${kind} ${name} ${more}`.toLowerCase(); return words.every((word) => in_.includes(word)); });
    return [...searches(text, all.filter(([kind]) => kind === "Table").map(([, name]) => name)), ...[...hits].sort(([, a], [, b]) => (words[0] ? b.toLowerCase().startsWith(words[0]) - a.toLowerCase().startsWith(words[0]) : 0))].slice(0, SHOWN);
  };
  const mark = () => {
    [...list.children].forEach((one, i) => one.setAttribute("aria-selected", String(i === at)));
    const here = list.children[at];
    if (here) input.setAttribute("aria-activedescendant", here.id);
    else input.removeAttribute("aria-activedescendant");
    here?.scrollIntoView({ block: "nearest" });
  };
  const draw = () => {
    shown = find(input.value);
    at = 0;
    fill(list, shown.map(([kind, name, , more], i) => h("li", { role: "option", id: `palette${i}`, onclick: () => choose(i) }, h("span", { class: "tag" }, kind), h("span", { class: "isolated" }, name), more && kind === "Pattern" ? h("small", { class: "quiet" }, ` ${more.replace(/[`*]/g, "")}`) : null)));
    if (!shown.length) fill(list, h("li", { role: "option", "aria-disabled": "true" }, all.length ? "Nothing found" : "Reading …"));
    else mark();
  };
  const choose = async (i) => {
    const [, , run] = shown[i] ?? [];
    if (!run) return;
    closeDialogs();
    try {
      await run();
    } catch (error) {
      notice(error.message, "wrong");
    }
  };
  const input = h("input", {
    role: "combobox", "aria-expanded": "true", "aria-controls": "palette", "aria-autocomplete": "list", "aria-label": "Table, view, pattern, world, action, or find attribute = value", placeholder: "a name, or: find attribute = value", autocomplete: "off", spellcheck: "false", oninput: draw,
    onkeydown: (event) => {
      const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
      if (to !== undefined) {
        event.preventDefault();
        at = (to + shown.length) % Math.max(1, shown.length);
        mark();
      } else if (event.key === "Enter") {
        event.preventDefault();
        choose(at);
      }
    },
  });
  const closed = ask("Go to", h("div", {}, input, list), []);
  input.focus();
  all = await entries(views);
  draw();
  await closed;
}
