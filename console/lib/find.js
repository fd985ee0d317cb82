// Finds items by any attribute: by an index if there is one, else with a Scan of the whole table, which shows its progress, and
// why nothing was found.

import { scan } from "./api.js";
import { button, fill, h, problem } from "./dom.js";
import { findUnits } from "./form.js";
import { count, many, units } from "./format.js";
import { TYPE_NAMES, brief, parse, typeOf } from "./values.js";

const FOUND = 1000; // items after which the user is asked whether to continue

function requestOf(table, { name, type, text }) {
  return {
    TableName: table.TableName, FilterExpression: type === "S" || type === "B" ? "#a = :a OR contains(#a, :a)" : "#a = :a",
    ExpressionAttributeNames: { "#a": name }, ExpressionAttributeValues: { ":a": parse(type, text) },
  };
}

/** The tables or indexes with this attribute as the whole partition key. */
const indexesOf = (paths, { name, type }) => paths.filter(({ hash }) => hash.length === 1 && hash[0].name === name && hash[0].type === type);

/** Types that an attribute has in the first items that have it; none: no item has it. */
async function typesOf(table, name, signal) {
  const request = { TableName: table.TableName, FilterExpression: "attribute_exists(#a)", ProjectionExpression: "#a", ExpressionAttributeNames: { "#a": name } };
  for await (const { Items: items } of scan(request, { signal })) {
    if (items.length) return [...new Set(items.map((item) => typeOf(item[name])))];
  }
  return [];
}

/** Explains why nothing was found: the attribute does not exist, or has another type or other values. */
async function whyNothing({ table, search, hrefOf }, signal) {
  const { name, type, text } = search, types = await typesOf(table, name, signal);
  if (!types.length) return h("p", {}, `Nothing found: no item has an attribute ${name}.`);
  if (types.includes(type)) return h("p", {}, `Nothing found: no ${name} has this value.`);
  const as = types.filter((one) => ["S", "N", "B", "BOOL"].includes(one));
  return h("p", {}, `Nothing found as ${type}: ${name} is ${types.map((one) => `${one} (${TYPE_NAMES[one]})`).join(", ")} here. `,
    as.map((one) => [h("a", { href: hrefOf({ kind: "Find", name, type: one, text, run: true }) }, `Find it as ${one}`), " "]));
}

/** That an index answers it; `scan()` reads the table all the same. */
function proposalView({ table, search, hrefOf }, path, scanAll) {
  return h("section", { class: "why", "aria-label": "Proposal" },
    h("p", {}, h("b", {}, `${path.name || "The table"} has ${search.name} as its partition key. `), `A Query reads only the items whose ${search.name} is exactly this: from 0.5 units. A Scan reads ${many(table.ItemCount, "item")}: about ${units(findUnits(table))}.`),
    h("div", { class: "row" }, h("a", { class: "button primary", href: hrefOf({ index: path.name, hash: [search.text], run: true }) }, path.name ? `Query ${path.name}` : "Query the table"),
      button("Scan the whole table", scanAll)));
}

/** Starts the search in `out`: {table, paths, search: {name, type, text}, show(items): draws them, hrefOf(params): the address of a
 * request of this table}. Returns {abort()}. */
export function find(out, options) {
  const { table, paths, search, show } = options, ended = new AbortController();
  const pages = scan(requestOf(table, search), { signal: ended.signal });
  const line = h("span"), stop = button("Stop", () => ended.abort()), further = button("Look further", () => look());
  const said = h("p", { role: "status" }), place = h("div"), found = [];
  let read = 0, last = null;
  const tell = (more) => { line.textContent = `${count(read)} read, ${count(found.length)} found${more}`; };
  const drawn = () => { if (found.length) fill(place, show(found)); };
  const where = () => (last ? ` behind ${Object.values(last).map((value) => brief(value, 60)).join(" · ")}` : "");
  async function look() {
    const until = found.length + FOUND;
    fill(out, said, place);
    fill(said, line, " ", stop);
    said.classList.add("busy");
    tell(" …");
    try {
      for (;;) {
        const { value: page, done } = await pages.next();
        if (done) {
          tell("");
          fill(said, line);
          if (found.length) drawn();
          else fill(place, await whyNothing(options, ended.signal));
          return;
        }
        found.push(...page.Items);
        read += page.ScannedCount;
        last = page.LastEvaluatedKey ?? null;
        tell(" …");
        if (found.length >= until && last) {
          tell(`: not all of the ${many(table.ItemCount, "item")} were read, there may be more${where()}. `);
          fill(said, line, further);
          drawn();
          return;
        }
      }
    } catch (error) {
      fill(said, line);
      if (error.name === "AbortError") {
        tell(`: stopped, there may be more${where()}`);
        drawn();
      } else fill(place, problem(error));
    } finally {
      said.classList.remove("busy");
    }
  }
  const [path] = indexesOf(paths, search);
  if (path) fill(out, proposalView(options, path, look));
  else look();
  return ended;
}
