// Indexes: the table's key and those of its indexes, what they hold, and the way to a query of each.

import { fill, grid, h } from "../lib/dom.js";
import { count, size } from "../lib/format.js";
import { href } from "../lib/route.js";
import { accessPaths, keyText, projectionText } from "../lib/schema.js";

export function show(view, { table }) {
  fill(view, grid("Keys and indexes", ["Path", "Key", "Holds", "State", ["Items", true], ["Size", true], "Go to"],
    accessPaths(table).map((path) => h("tr", {},
      h("th", { scope: "row" }, path.name || "the table", path.name ? h("div", {}, h("small", { class: "quiet" }, path.kind)) : null),
      h("td", { class: "mono" }, keyText(path)), h("td", {}, projectionText(path)),
      h("td", {}, path.status ?? "ACTIVE"),
      h("td", { class: "number" }, count(path.items)), h("td", { class: "number" }, size(path.bytes)),
      h("td", {}, h("a", { href: href("table", [table.TableName, "explore"], { kind: "Query", index: path.name }) }, "Query"), " ",
        h("a", { href: href("collections", [table.TableName], { index: path.name }) }, "Item collections")))), true),
  h("p", { class: "apart" }, h("a", { class: "button", href: href("schema", [], { table: table.TableName }) }, "Picture, and what a further index would change")));
}
