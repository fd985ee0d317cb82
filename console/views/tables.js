// Every table with its counts, size, cost so far and keys.

import { button, fill, grid, h, problem, stay } from "../lib/dom.js";
import { loadExample } from "../lib/example.js";
import { count, size } from "../lib/format.js";
import { costText, costsByTable } from "../lib/metrics.js";
import { go, href } from "../lib/route.js";
import { accessPaths, describe, keyText, tableNames } from "../lib/schema.js";

export const title = "Tables";

const AT_ONCE = 20; // descriptions that are requested in parallel

async function inParts(names, work) {
  const out = [];
  for (let i = 0; i < names.length; i += AT_ONCE) out.push(...await Promise.all(names.slice(i, i + AT_ONCE).map(work)));
  return out;
}

function row(table, cost) {
  const [own, ...indexes] = accessPaths(table);
  return h("tr", {},
    h("th", { scope: "row", class: "named" }, h("a", { href: href("table", [table.TableName, "explore"]) }, table.TableName),
      table.TableStatus === "ACTIVE" ? null : h("span", { class: "tag warn" }, table.TableStatus)),
    h("td", { class: "mono named" }, keyText(own)),
    h("td", { class: "number" }, count(table.ItemCount)),
    h("td", { class: "number" }, size(table.TableSizeBytes)),
    h("td", { class: cost ? null : "absent" }, costText(cost)),
    h("td", { class: "indexes" }, indexes.length ? indexes.map((one) => h("div", {}, one.name, h("small", { class: "mono quiet" }, ` ${keyText(one)}`))) : h("span", { class: "absent" }, "none")),
    h("td", { class: "whole" }, h("a", { href: href("table", [table.TableName, "explore"], { mode: "find" }), "aria-label": `Find in ${table.TableName}` }, "Find"), " ", h("a", { href: href("table", [table.TableName, "settings"]) }, "Settings")));
}

function emptyView(list, leaving) {
  const said = h("p", { class: "quiet", role: "status" });
  const load = async (event) => {
    event.target.disabled = true;
    try {
      await loadExample((text) => { said.textContent = text; }, leaving);
      await list();
    } catch (error) {
      event.target.disabled = false;
      if (error.name !== "AbortError") fill(said, problem(error));
    }
  };
  return h("div", { class: "panel" },
    h("p", {}, "There are no tables in this world yet. Create one, send CreateTable from your code, or begin with an example: three tables of a shop's indexer, as the tour has them."),
    h("div", { class: "row" }, button("Load the e-commerce example", load, { class: "primary" })), said,
    h("p", { class: "quiet" }, "With its access patterns: start the server with --fixtures ecommerce."));
}

function listOf(tables, costs) {
  return grid("Tables", ["Table", "Key", ["Items", true], ["Size", true], "Cost so far", "Indexes and their keys", "Go to"],
    tables.map((table) => row(table, costs.get(table.TableName))), true);
}

export async function show(view) {
  const place = h("div", {}, h("p", { class: "quiet" }, "Reading …")), files = h("div"), ended = new AbortController();
  fill(view,
    h("div", { class: "row middle" }, h("h1", { class: "grow" }, "Tables"), h("a", { class: "button", href: href("case") }, "Open a case file"),
      button("New table", async () => {
        const { createTable } = await import("./table_create.js"), made = await createTable();
        if (made) go("table", [made.name, "explore"], { new: made.items });
      }, { class: "primary" })),
    place, files);
  async function list() {
    try {
      const [names, costs] = await Promise.all([tableNames(), costsByTable().catch(() => new Map())]);
      // A table that is deleted meanwhile is not an error.
      const tables = await inParts(names, (name) => describe(name).catch(() => null));
      fill(place, tables.some(Boolean) ? listOf(tables.filter(Boolean), costs) : emptyView(list, ended.signal));
    } catch (error) {
      fill(place, problem(error));
    }
  }
  await list();
  const { importPanel } = await import("./table_files.js");
  const { element, stop } = importPanel({ refresh: list });
  fill(files, element);
  return { gone: () => { ended.abort(); stop(); }, refresh: () => stay(place, list) };
}
