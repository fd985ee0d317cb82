// The page of a table: its name, a way to other tables, and its tabs, each with an address of its own.

import { fill, h } from "../lib/dom.js";
import { many, size } from "../lib/format.js";
import { go, href } from "../lib/route.js";
import { describe, tableNames } from "../lib/schema.js";

export const title = "Table";

// A tab has show(element, {table: its description, params, recount(): the table's counts are drawn again, tools: a place beside the
// tabs}), which answers what a view does.
const TABS = {
  explore: ["Explore", () => import("./table_explore.js")],
  indexes: ["Indexes", () => import("./table_indexes.js")],
  settings: ["Settings", () => import("./table_settings.js")],
  access: ["Access", () => import("./table_access.js")],
  metrics: ["Metrics", () => import("./table_metrics.js")],
};

/** A field that finds another table by a part of its name. */
function switcher(name, tab) {
  const list = h("datalist", { id: "tables" });
  const other = h("input", { list: "tables", placeholder: "Another table", "aria-label": "Another table", autocomplete: "off", spellcheck: "false", class: "switcher", onchange: () => {
    if ([...list.options].some((one) => one.value === other.value)) go("table", [other.value, tab]);
  } });
  tableNames().then((names) => fill(list, names.filter((one) => one !== name).map((value) => h("option", { value }))), () => {});
  return [other, list];
}

export async function show(view, { parts: [name, tab], params }) {
  let table = await describe(name);
  const [, load] = Object.hasOwn(TABS, tab) ? TABS[tab] : TABS.explore;
  const counts = h("span", { class: "quiet" }), tools = h("div"), place = h("div", {}, h("p", { class: "quiet busy" }, "Reading …"));
  const draw = () => fill(counts, `${many(table.ItemCount, "item")}, ${size(table.TableSizeBytes)}${table.TableStatus === "ACTIVE" ? "" : `, ${table.TableStatus}`}`);
  const recount = async () => {
    table = await describe(name).catch(() => table);
    draw();
  };
  draw();
  fill(view,
    h("div", { class: "row middle title" }, h("h1", { class: "isolated" }, name), counts, switcher(name, tab)),
    h("div", { class: "row middle page-tabs" }, h("nav", { class: "tabs grow", "aria-label": "The table" }, Object.entries(TABS).map(([to, [label]]) => h("a", { href: href("table", [name, to]), "aria-current": to === tab ? "page" : null }, label))), tools),
    place);
  const shown = await load();
  const answer = await shown.show(place, { table, params, recount, tools });
  return { refresh: recount, ...(typeof answer === "function" ? { gone: answer } : answer) };
}
