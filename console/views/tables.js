// Every table with its counts, size, cost so far and keys.

import { costText, costsByTable } from "../lib/metrics.js";
import { button, fill, grid, h, problem } from "../lib/dom.js";
import { count, size } from "../lib/format.js";
import { href } from "../lib/route.js";
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
    h("td", { class: "whole" }, h("a", { href: href("table", [table.TableName, "settings"]) }, "Settings")));
}

function listOf(tables, costs) {
  if (!tables.length) {
    return h("div", { class: "panel" },
      h("p", {}, "There are no tables in this world yet."),
      h("p", { class: "quiet" }, "Start the server with --fixtures ecommerce, create one here, or send CreateTable from your code."));
  }
  return grid("Tables", ["Table", "Key", ["Items", true], ["Size", true], "Cost so far", "Indexes and their keys", "Go to"],
    tables.map((table) => row(table, costs.get(table.TableName))), true);
}

export async function show(view) {
  const place = h("div", {}, h("p", { class: "quiet" }, "Reading …")), files = h("div");
  fill(view,
    h("div", { class: "row middle" }, h("h1", { class: "grow" }, "Tables"),
      button("New table", async () => {
        const { createTable } = await import("./table_create.js");
        if (await createTable()) await list();
      }, { class: "primary" })),
    place, files);
  async function list() {
    try {
      const [names, costs] = await Promise.all([tableNames(), costsByTable().catch(() => new Map())]);
      // A table that is deleted meanwhile is not an error.
      const tables = await inParts(names, (name) => describe(name).catch(() => null));
      fill(place, listOf(tables.filter(Boolean), costs));
    } catch (error) {
      fill(place, problem(error));
    }
  }
  await list();
  const { importPanel } = await import("./table_files.js");
  const { element, stop } = importPanel({ refresh: list });
  fill(files, element);
  return stop;
}
