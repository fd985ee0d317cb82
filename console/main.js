// The page's frame: where to go, which world is meant, light or dark. The rest is views.

import { currentWorld, setWorld, verb } from "./lib/api.js";
import { button, fill, h, problem, select } from "./lib/dom.js";
import { href, route } from "./lib/route.js";
import { recall, remember } from "./lib/memory.js";
import * as control from "./views/control.js";
import * as items from "./views/items.js";
import * as live from "./views/live.js";
import * as patterns from "./views/patterns.js";
import * as rehearse from "./views/rehearse.js";
import * as table from "./views/table.js";
import * as tables from "./views/tables.js";
import * as tour from "./views/tour.js";
import * as worldsView from "./views/worlds.js";

// A view: show(element, {parts, params}) fills the element and may answer a function to call when it goes.
const VIEWS = { tables, table, items, rehearse, patterns, live, control, worlds: worldsView, tour };
const MENU = [["tables", "Tables"], ["rehearse", "Rehearse"], ["patterns", "Patterns"], ["live", "Live"], ["control", "Control"], ["worlds", "Worlds"], ["tour", "Tour"]];

const view = document.getElementById("view");
const bar = document.getElementById("bar");
let leave = null;
let worlds = ["default"];

function applyTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  remember("theme", theme);
}

async function showBar() {
  const { view: current } = route();
  const at = { table: "tables", items: "tables" }[current] ?? current;
  try {
    worlds = (await verb("GET", "worlds")).worlds.map((one) => one.name);
  } catch {
    // The list of before will do: what is wrong shows in the view.
  }
  if (!worlds.includes(currentWorld())) worlds.push(currentWorld());
  const theme = recall("theme", "auto");
  fill(bar,
    h("a", { class: "brand", href: "#/" }, "mockddb"),
    h("nav", { "aria-label": "Views" }, MENU.map(([name, text]) =>
      h("a", { href: href(name), "aria-current": name === at ? "page" : null }, text))),
    h("div", { class: "state" },
      h("label", { class: "check" }, "World",
        select(worlds, currentWorld(), (name) => { setWorld(name); remember("world", name); show(); }, { class: "narrow" })),
      button("◐", () => {
        applyTheme({ auto: "dark", dark: "light", light: "auto" }[recall("theme", "auto")]);
        showBar();
      }, { "aria-label": `Colours: ${theme}`, title: `Colours: ${theme}` })));
}

async function show() {
  const { view: name, parts, params } = route();
  const one = VIEWS[name];
  leave?.();
  leave = null;
  const inner = h("div");
  fill(view, inner);
  showBar();
  if (!one) {
    fill(inner, h("h1", {}, "There is no such view"), h("p", {}, h("a", { href: "#/" }, "To the tables")));
    return;
  }
  document.title = `${one.title ?? name} · mockddb`;
  try {
    leave = (await one.show(inner, { parts, params })) ?? null;
  } catch (error) {
    fill(inner, h("h1", {}, one.title ?? name), problem(error), button("Try again", show));
  }
}

// "#view" is the way past the menu.
addEventListener("hashchange", () => {
  if (location.hash !== "#view") show().then(() => view.focus({ preventScroll: true }));
});
addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "AbortError") event.preventDefault();
});

applyTheme(recall("theme", "auto"));
setWorld(recall("world", "default"));
show();
