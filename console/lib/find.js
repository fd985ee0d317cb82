// Finds items by any attribute, which is one of the ways to say a request (lib/ways.js): by an index if there is one, else with a Scan
// of the whole table, which shows its progress, and why nothing was found.

import { scan } from "./api.js";
import { button, field, fill, h, problem, select } from "./dom.js";
import { count, many, units } from "./format.js";
import { sayFind } from "./route.js";
import { TYPE_NAMES, brief, parse, plain, typeOf, typesByName } from "./values.js";
import { input, mustBe } from "./ways.js";

const FOUND = 1000; // items after which the user is asked whether to continue
const TYPES = ["S", "N", "B", "BOOL"];
const OFFERED = 40; // values of an attribute

// --- what is looked for -------------------------------------------------------------------------------

const SAID = /^\s*(?:("(?:[^"\\]|\\.)*")|([^="][^=]*?)?)\s*=\s*(.*?)\s*$/s;

/** A JSON string, or the text as it is. */
function unquoted(text) {
  try {
    return text.startsWith('"') ? String(JSON.parse(text)) : text;
  } catch {
    return text;
  }
}

/** "attribute = value" as {name, text}; `isQuoted`: the value is a JSON string. */
function readFind(said) {
  const [, quoted, plainName = "", text] = SAID.exec(said) ?? [];
  return text === undefined ? null : { name: quoted ? unquoted(quoted) : plainName, text: unquoted(text), isQuoted: text.startsWith('"') };
}

/** The types that a text can have, if it is not said which. */
const typesFor = (text, isQuoted) => ["S", ...(isQuoted ? [] : ["N", "BOOL"])].filter((type) => {
  try {
    return parse(type, text);
  } catch {
    return false;
  }
});

/** The search of a form: {name, text, types}. Throws what is wrong with its fields. */
function searchOf({ find, findType }) {
  const { name = "", text = "", isQuoted } = readFind(find) ?? {}, at = "find";
  if (/[<>]|\bbetween\b|\bbegins_with\b/i.test(find) && !name) mustBe([{ at, message: "Find compares with = alone: a Query or Scan has filters for other conditions" }]);
  mustBe(!name ? [{ at, message: "missing: which attribute? Write attribute = value, such as status = FAILED" }] : !text && !isQuoted ? [{ at, message: 'missing: which value? An empty text is ""' }] : []);
  if (!findType) return { name, text, types: typesFor(text, isQuoted) };
  try {
    parse(findType, text);
  } catch (error) {
    mustBe([{ at, message: error.message }]);
  }
  return { name, text, types: [findType] };
}

function requestOf(table, { name, text, types }) {
  const clauses = types.map((type) => (text && (type === "S" || type === "B") ? `#a = :${type} OR contains(#a, :${type})` : `#a = :${type}`));
  return {
    TableName: table.TableName, FilterExpression: clauses.join(" OR "),
    ExpressionAttributeNames: { "#a": name }, ExpressionAttributeValues: Object.fromEntries(types.map((type) => [`:${type}`, parse(type, text)])),
  };
}

/** The units of a Scan of the whole table. */
const scanUnits = (table) => Math.max(0.5, Math.ceil(table.TableSizeBytes / 4096) / 2);

/** The way to find items; sample() promises some of the table's. */
export function findWay({ table, sample }) {
  function fields(state, { change }) {
    const list = h("datalist", { id: "finds" });
    let items = [], offered = null;
    /** Offers names, and behind "=" the name's values. */
    const offer = () => {
      const name = readFind(state.find)?.name ?? null;
      if (offered === name && list.firstChild) return;
      offered = name;
      const values = new Set(items.filter((item) => name !== null && item[name] && TYPES.includes(typeOf(item[name]))).map((item) => sayFind(name, plain(item[name]))));
      fill(list, values.size ? [...values].slice(0, OFFERED).map((value) => h("option", { value }))
        : [...typesByName(items)].map(([of, types]) => h("option", { value: sayFind(of, ""), label: [...types].join(", ") })));
    };
    sample().then((found) => { items = found; offer(); });
    return h("div", {}, list,
      h("div", { class: "row" },
        h("div", { class: "grow" }, field("Find", input(state.find, (text) => { state.find = text; offer(); change(); }, { list: list.id, "data-field": "find", placeholder: "attribute = value" }),
          `Without an index it reads the whole table: ${many(table.ItemCount, "item")}, about ${count(scanUnits(table))} units, which are counted nowhere.`)),
        field("Type", select([["", "any"], ...TYPES.map((type) => [type, `${type} ${TYPE_NAMES[type]}`])], state.findType, (type) => { state.findType = type; change(); }))));
  }
  return {
    label: "Find", fields,
    read: (params) => ({ find: params.get("find") ?? "", findType: TYPES.includes(params.get("type")) ? params.get("type") : "" }),
    params: (state) => ({ find: state.find, type: state.findType }),
    request: (state) => ({ operation: "Scan", request: requestOf(table, searchOf(state)) }),
    name: (state) => `${table.TableName}: ${state.find}`,
  };
}

// --- the answer ---------------------------------------------------------------------------------------

/** The tables or indexes with this attribute as the whole partition key. */
const indexesOf = (paths, { name, types }) => paths.filter(({ hash }) => hash.length === 1 && hash[0].name === name && types.includes(hash[0].type));

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
  const { name, types: asked, text } = search, types = await typesOf(table, name, signal);
  if (!types.length) return h("p", {}, `Nothing found: no item has an attribute ${name}.`);
  if (types.some((one) => asked.includes(one))) return h("p", {}, `Nothing found: no ${name} has this value.`);
  return h("p", {}, `Nothing found as ${asked.join(" or ")}: ${name} is ${types.map((one) => `${one} (${TYPE_NAMES[one]})`).join(", ")} here. `,
    types.filter((one) => TYPES.includes(one)).map((type) => [h("a", { href: hrefOf({ mode: "find", find: sayFind(name, text), type, run: true }) }, `Find it as ${type}`), " "]));
}

/** That an index answers it; `scan()` reads the table all the same. */
function proposalView({ table, search, hrefOf }, path, scanAll) {
  return h("section", { class: "why", "aria-label": "Proposal" },
    h("p", {}, h("b", {}, `${path.name || "The table"} has ${search.name} as its partition key. `), `A Query reads only the items whose ${search.name} is exactly this: from 0.5 units. A Scan reads ${many(table.ItemCount, "item")}: about ${units(scanUnits(table))}.`),
    h("div", { class: "row" }, h("a", { class: "button primary", href: hrefOf({ index: path.name, hash: [search.text], run: true }) }, path.name ? `Query ${path.name}` : "Query the table"),
      button("Scan the whole table", scanAll)));
}

/** Starts the search of a form's state in `out`: {table, paths, state, show(items): draws them, hrefOf(params): the address of a
 * request of this table}. Returns {abort()}. */
export function find(out, options) {
  const { table, paths, show } = options, ended = new AbortController(), search = searchOf(options.state);
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
          else fill(place, await whyNothing({ ...options, search }, ended.signal));
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
  if (path) fill(out, proposalView({ ...options, search }, path, look));
  else look();
  return ended;
}
