// Finds items by any attribute, with a Scan of the whole table; shows the progress, and why nothing was found.

import { scan } from "../lib/api.js";
import { button, fill, h, problem } from "../lib/dom.js";
import { count, many } from "../lib/format.js";
import { href } from "../lib/route.js";
import { TYPE_NAMES, parse, typeOf } from "../lib/values.js";

const FOUND = 1000; // items after which the user is asked whether to continue
export const FIND_TYPES = ["S", "N", "B", "BOOL"];

/** Errors of the fields: [{at, message}]. */
export function checkFind({ name, type, text }) {
  if (!name) return text ? [{ at: "find-name", message: "missing: which attribute?" }] : [];
  try {
    parse(type, text);
    return [];
  } catch (error) {
    return [{ at: "find-value", message: error.message }];
  }
}

function requestOf(table, { name, type, text }) {
  return {
    TableName: table.TableName, FilterExpression: type === "S" || type === "B" ? "#a = :a OR contains(#a, :a)" : "#a = :a",
    ExpressionAttributeNames: { "#a": name }, ExpressionAttributeValues: { ":a": parse(type, text) },
  };
}

/** Types that an attribute has in the first items that have it; none: no item has it. */
async function typesOf(table, name, signal) {
  const request = { TableName: table.TableName, FilterExpression: "attribute_exists(#a)", ProjectionExpression: "#a", ExpressionAttributeNames: { "#a": name } };
  for await (const { Items: items } of scan(request, { signal })) {
    if (items.length) return [...new Set(items.map((item) => typeOf(item[name])))];
  }
  return [];
}

/** Explains why nothing was found: the attribute does not exist, or has another type or other values. */
async function whyNothing(table, search, signal) {
  const { name, type, text } = search, types = await typesOf(table, name, signal);
  if (!types.length) return h("p", {}, `Nothing found: no item has an attribute ${name}.`);
  if (types.includes(type)) return h("p", {}, `Nothing found: no ${name} has this value.`);
  const as = types.filter((one) => FIND_TYPES.includes(one));
  return h("p", {}, `Nothing found as ${type}: ${name} is ${types.map((one) => `${one} (${TYPE_NAMES[one]})`).join(", ")} here. `,
    as.map((one) => [h("a", { href: href("items", [table.TableName], { name, type: one, text }) }, `Find it as ${one}`), " "]));
}

/** Starts the search; `show(items)` draws them. Returns a function that stops it. */
export function find(table, search, { place, said, show }) {
  const ended = new AbortController(), pages = scan(requestOf(table, search), { signal: ended.signal });
  const line = h("span"), stop = button("Stop", () => ended.abort()), further = button("Look further", () => look());
  const found = [];
  let read = 0;
  const tell = (more) => { line.textContent = `${count(read)} read, ${count(found.length)} found${more}`; };
  const drawn = () => { if (found.length) fill(place, show(found)); };
  async function look() {
    const until = found.length + FOUND;
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
          else fill(place, await whyNothing(table, search, ended.signal));
          return;
        }
        found.push(...page.Items);
        read += page.ScannedCount;
        tell(" …");
        if (found.length >= until && page.LastEvaluatedKey) {
          tell(`: not all of the ${many(table.ItemCount, "item")} were read, there may be more. `);
          fill(said, line, further);
          drawn();
          return;
        }
      }
    } catch (error) {
      fill(said, line);
      if (error.name === "AbortError") {
        tell(": stopped, there may be more");
        drawn();
      } else fill(place, problem(error));
    } finally {
      said.classList.remove("busy");
    }
  }
  look();
  return () => ended.abort();
}
