// Item collections: a tree of partition keys by their parts, the kinds of items, and one collection as cards in the order of
// its sort key, also as each index has its items.

import { call, verb } from "../lib/api.js";
import { button, field, fill, h, problem, select } from "../lib/dom.js";
import { count, many, size } from "../lib/format.js";
import { tabs } from "../lib/items.js";
import { go, href, note, unfolded } from "../lib/route.js";
import { accessPaths, describe, keyOf, keyText } from "../lib/schema.js";
import { brief, visible } from "../lib/values.js";

export const title = "Item collections";

const CARDS = 24;  // items of a page
const LINES = 8;   // attributes of a card
const PARTS = 100; // of a level of the tree
const MOST_KEYS = 1000000; // that the server looks at, if it is asked to

const ask = (filters) => verb("GET", `collections?${new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== "" && value !== undefined))}`);

/** A text of the data, which changes neither the order of letters around it nor the line. */
const shown = (text, more) => h("bdi", { class: "mono", ...more }, text === "" ? "(empty)" : visible(text));

/** A part of a bar: its share of the largest figure. */
function bar(figure, most) {
  const inner = h("i");
  inner.style.width = `${Math.max(1, (100 * figure) / Math.max(1, most))}%`;
  return h("span", { class: "bar-line", "aria-hidden": "true" }, inner);
}

/** How much was looked at, so that figures of a sample are not taken for totals. */
function lookedText(answer, partition) {
  const what = partition === undefined ? ` of ${many(answer.partitions, "partition")}` : "";
  if (answer.complete) return `All ${many(answer.read, "item")}${what} were looked at.`;
  const share = answer.share < 1 ? `, in ${(100 * answer.share).toPrecision(2)} % of the partitions` : "";
  return `A sample: ${count(answer.read)} of ${many(answer.entries, "item")} were looked at${share}. Figures are of these; “+” means that there are more.`;
}

// --- the tree -----------------------------------------------------------------------------------------

/** One level: its parts, each with the next level within, which is read when it is opened. */
function levelView(answer, state) {
  const most = Math.max(1, ...answer.parts.map((one) => one.items)), others = answer.other_parts;
  return h("ul", { class: "tree" }, answer.parts.map((one) => partView(one, answer, most, state)),
    others.items ? h("li", { class: "quiet" }, `${many(others.items, "item")} with other parts: `,
      "give the beginning of a key above to see them") : null);
}

function partView(one, answer, most, state) {
  const { separator, base } = answer, key = base + one.part, deeper = one.keys > one.whole, prefix = key + separator;
  const plus = one.cut ? "+" : "", keys = one.keys > 1 ? `${many(one.keys, "key")}, ` : "";
  const figures = h("span", { class: "figures" }, `${keys}${count(one.items)}${plus} ${one.items === 1 ? "item" : "items"}, ${size(one.bytes)}${plus}`);
  const open = one.whole ? h("a", { href: state.href({ partition: key }), "aria-label": `Open the collection ${visible(key)}` }, "Open") : h("span");
  if (!deeper) return h("li", {}, h("div", { class: "part" }, shown(one.part), bar(one.items, most), figures, open));
  const place = h("div");
  let read = false;
  const details = h("details", { open: state.open.has(prefix), ontoggle: (event) => {
    if (event.target !== details) return;
    if (details.open) state.open.add(prefix);
    else state.open.delete(prefix);
    state.note();
    if (details.open && !read) {
      read = true;
      fill(place, h("p", { class: "quiet busy" }, "Reading …"));
      ask({ ...state.filters, prefix, separator, limit: PARTS }).then((next) => fill(place, levelView(next, state)), (error) => { read = false; fill(place, problem(error)); });
    }
  } }, h("summary", {}, h("span", { class: "part" }, shown(one.part + separator), bar(one.items, most), figures)), open.href ? h("p", {}, open) : null, place);
  return h("li", {}, details);
}

// --- kinds of items -----------------------------------------------------------------------------------

/** The name of a kind: what an attribute says, or else the last word of its key. */
function kindName(kind) {
  const [only, second] = kind.names;
  if (only && !second && only.items === kind.read) return only.value;
  const words = [kind.sort, kind.partition].map((form) => form.split(/[^\p{L}\p{N}_.-]+/u).filter((word) => /\p{L}/u.test(word))).find((list) => list.length);
  return words ? words.at(-1) : "item";
}

function attributeText(kind, { name, items, types }) {
  return `${visible(name)} ${types.join(" or ")}${items === kind.read ? "" : ` (in ${items} of ${kind.read})`}`;
}

function kindsView(answer, state) {
  const most = Math.max(1, ...answer.kinds.map((one) => one.items));
  return [
    h("h2", {}, "Kinds of items"),
    h("p", { class: "quiet" }, "By the forms of their keys, and what an attribute such as “type” says. Attributes are of the items that were read whole."),
    answer.kinds.length ? h("div", { class: "cards" }, answer.kinds.map((kind) => h("section", { class: "panel kind" },
      h("h3", {}, shown(kindName(kind), { class: null })),
      h("p", {}, shown(kind.partition), kind.sort ? [" · ", shown(kind.sort)] : null),
      bar(kind.items, most),
      h("p", { class: "quiet" }, `${many(kind.items, "item")}, ${size(kind.bytes)}, ${count(kind.read)} read whole`),
      kind.names.length > 1 ? h("p", {}, kind.names.map((one) => h("span", { class: "tag" }, `${visible(one.attribute)}: ${visible(one.value)}`, h("small", { class: "quiet" }, ` ${one.items}`)))) : null,
      h("details", unfolded(`kind ${kind.partition} ${kind.sort ?? ""}`), h("summary", {}, many(kind.attributes.length, "attribute")), h("ul", {}, kind.attributes.map((one) => h("li", { class: "isolated" }, attributeText(kind, one))))),
      exampleLink(kind, state)))) : h("p", { class: "quiet" }, "There are no items."),
    answer.other_kinds ? h("p", { class: "quiet" }, `${many(answer.other_kinds, "item")} have keys of further forms.`) : null,
  ];
}

function exampleLink({ key }, { table, description }) {
  const own = keyOf(description, key);
  return Object.values(own).every(Boolean) ? h("p", {}, h("a", { href: href("table", [table, "explore"], { key: JSON.stringify(own) }) }, "An example")) : null;
}

// --- one collection -----------------------------------------------------------------------------------

const keyValue = (item, parts) => parts.map((part) => item[part.name]);

/** Whether an index has an entry of the item: each part of its key is there, with its type and not empty. */
const isIn = (item, path) => [...path.hash, ...path.range].every(({ name, type }) => item[name]?.[type] !== undefined && item[name][type] !== "");

/** Texts in the order of their UTF-8. */
function compareTexts(p, q) {
  const [a, b] = [[...p], [...q]];
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i].codePointAt(0) - b[i].codePointAt(0);
  return a.length - b.length;
}

/** Compares keys as the service orders them: numbers by value, the rest by their bytes. */
function compareKeys(a, b) {
  for (const [i, one] of a.entries()) {
    const [[type, value]] = Object.entries(one), other = b[i][type];
    const order = type === "N" ? Number(value) - Number(other) : type === "B" ? compareTexts(atob(value), atob(other)) : compareTexts(value, other);
    if (order) return order;
  }
  return 0;
}

function cardView(item, number, path, state) {
  const keys = new Set([...path.hash, ...path.range].map((part) => part.name)), own = keyOf(state.description, item);
  const names = Object.keys(item).filter((name) => !keys.has(name));
  const sort = keyValue(item, path.range).map((value) => brief(value, 80)).join(" · ");
  return h("section", { class: "panel card" },
    h("h3", {}, h("span", { class: "number-mark" }, number), " ", h("bdi", { class: "mono" }, sort || brief(keyValue(item, path.hash)[0], 80))),
    h("dl", { class: "lines" }, names.slice(0, LINES).map((name) => [h("dt", { class: "isolated" }, visible(name)), h("dd", { class: "isolated", title: brief(item[name], 400) }, brief(item[name], 60))])),
    names.length > LINES ? h("p", { class: "quiet" }, `and ${many(names.length - LINES, "further attribute")}`) : null,
    Object.values(own).every(Boolean) ? h("p", {}, h("a", { href: href("table", [state.table, "explore"], { key: JSON.stringify(own) }) }, "Open the item")) : null);
}

/** A page's items as one index has them: in its partitions, and in the order of its sort key. */
function laneView(items, path) {
  const there = items.map((item, i) => ({ item, number: i + 1 })).filter(({ item }) => isIn(item, path));
  const groups = [...Map.groupBy(there, ({ item }) => JSON.stringify(keyValue(item, path.hash)))];
  const missing = items.map((item, i) => ({ item, number: i + 1 })).filter(({ item }) => !isIn(item, path));
  return h("section", { class: "panel lane" },
    h("h3", {}, h("bdi", {}, path.name || "the table")), h("p", { class: "quiet isolated" }, keyText(path)),
    groups.map(([key, members]) => h("div", { class: "group" },
      h("p", {}, h("bdi", { class: "mono" }, JSON.parse(key).map((value) => brief(value, 80)).join(" · "))),
      h("ol", {}, members.sort((a, b) => compareKeys(keyValue(a.item, path.range), keyValue(b.item, path.range))).map(({ item, number }) => h("li", {},
        h("span", { class: "number-mark" }, number), " ", h("bdi", { class: "mono" }, keyValue(item, path.range).map((value) => brief(value, 60)).join(" · ") || "–")))))),
    missing.length ? h("p", { class: "quiet isolated" }, `Not in it, without ${visible([...path.hash, ...path.range].map((part) => part.name).join(" or "))}: `,
      missing.map(({ number }) => h("span", { class: "number-mark" }, number))) : null);
}

/** A page of one collection: {items, last}. */
function readCollection({ table, path, partition, sort, from }) {
  const names = { "#p": path.hash[0].name }, values = { ":p": { [path.hash[0].type]: partition } };
  let condition = "#p = :p";
  if (sort && path.range[0]?.type === "S") {
    names["#s"] = path.range[0].name;
    values[":s"] = { S: sort };
    condition += " AND begins_with(#s, :s)";
  }
  return call("Query", {
    TableName: table, ...(path.name ? { IndexName: path.name } : {}), KeyConditionExpression: condition, Limit: CARDS,
    ExpressionAttributeNames: names, ExpressionAttributeValues: values, ...(from ? { ExclusiveStartKey: JSON.parse(from) } : {}),
  });
}

function sortPartsView(answer, state) {
  if (!answer?.separator || answer.parts.length + (answer.other_parts.items ? 1 : 0) < 2) return null;
  const { base, separator } = answer;
  return h("p", { class: "parts" }, h("span", { class: "quiet" }, "Sort keys that begin with: "),
    answer.parts.slice(0, 40).map((one) => {
      const key = base + one.part + (one.whole ? "" : separator);
      return h("a", { class: "tag", href: state.href({ partition: state.partition, sort: key }) }, shown(one.part), h("small", { class: "quiet" }, ` ${count(one.items)}${one.cut ? "+" : ""}`));
    }));
}

async function collectionView(out, state) {
  const { path, partition, sort, from } = state;
  if (path.hash.length !== 1) throw new Error("the partition key has several attributes: ask for it in Explore");
  const [answer, parts] = await Promise.all([
    readCollection(state),
    path.range.length ? ask({ ...state.filters, partition, prefix: sort }).catch(() => null) : null,
  ]);
  const items = answer.Items, place = h("div"), indexes = accessPaths(state.description);
  const views = [
    ["cards", "Cards", () => fill(place, h("div", { class: "cards" }, items.map((item, i) => cardView(item, i + 1, path, state))))],
    ["indexes", "Through each index", () => fill(place,
      h("p", { class: "quiet" }, "The same items, by their numbers, as the table and each index have them: in which partition, and in which order."),
      h("div", { class: "lanes", tabindex: "0", role: "region", "aria-label": "The items of this page through each index" }, indexes.map((one) => laneView(items, one))))],
  ];
  const steps = views.map(([name, text, draw]) => [text, () => { state.as = name; state.note(); draw(); }]);
  fill(out,
    h("h2", {}, h("span", { class: "quiet" }, `${visible(path.hash[0].name)} = `), shown(partition)),
    h("p", {}, h("a", { href: state.href({ partition: undefined }) }, "All partition keys"), sort ? [" · ", h("a", { href: state.href({ partition }) }, "The whole collection")] : null),
    sortPartsView(parts, state),
    items.length ? [tabs(steps, "How items are shown", Math.max(0, views.findIndex(([name]) => name === state.as))), place]
      : h("p", { class: "quiet" }, "There are no items here."),
    h("div", { class: "row middle apart" },
      from ? button("First page", () => go("collections", [state.table], state.params({ from: "" }))) : null,
      answer.LastEvaluatedKey ? button("Next page", () => go("collections", [state.table], state.params({ from: JSON.stringify(answer.LastEvaluatedKey) }))) : null,
      h("span", { class: "quiet" }, `${many(items.length, "item")}${answer.LastEvaluatedKey ? ", and more follow" : from ? ", the last ones" : ""}`)));
}

// --- the view -----------------------------------------------------------------------------------------

function stateOf(table, description, params) {
  const paths = accessPaths(description), index = params.get("index") ?? "";
  const state = {
    table, description, paths, index, path: paths.find((one) => one.name === index),
    prefix: params.get("prefix") ?? "", partition: params.get("partition") ?? undefined, sort: params.get("sort") ?? "", from: params.get("from") ?? "", keys: params.get("keys") ?? "",
    as: params.get("as") ?? "cards", open: new Set(params.getAll("open")),
  };
  state.filters = { table, index, keys: state.keys };
  state.params = (more) => ({ index: state.index, keys: state.keys, prefix: state.prefix, open: [...state.open], partition: state.partition, sort: state.sort, as: state.as === "cards" ? "" : state.as, from: state.from, ...more });
  state.href = (more) => href("collections", [table], state.params({ sort: "", from: "", ...more }));
  state.note = () => note("collections", [table], state.params());
  return state;
}

export async function show(view, { parts: [table], params }) {
  if (!table) throw new Error("the address names no table");
  const description = await describe(table), state = stateOf(table, description, params);
  const out = h("div"), said = h("p", { class: "quiet", role: "status" }, "Reading …");
  const choose = select(state.paths.map((one) => [one.name, `${one.name || "the table"}: ${keyText(one)}`]), state.index, (index) => go("collections", [table], { index }), { "aria-label": "Table or index" });
  const prefix = h("input", { value: state.prefix, autocomplete: "off", spellcheck: "false" });
  fill(view, h("h1", {}, shown(table, { class: null }), h("small", { class: "quiet" }, " item collections")),
    h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); go("collections", [table], { index: state.index, prefix: prefix.value }); } },
      h("div", { class: "grow" }, field("Table or index", choose)),
      state.path?.hash[0].type === "S" ? [h("div", { class: "grow" }, field("Keys that begin with", prefix)), h("button", { type: "submit" }, "Show")] : null),
    out);
  if (!state.path) throw new Error(`${table} has no index ${state.index}`);
  if (state.partition !== undefined) {
    fill(out, said);
    await collectionView(out, state);
    return;
  }
  fill(out, said);
  const answer = await ask({ ...state.filters, prefix: state.prefix, limit: PARTS });
  fill(said, lookedText(answer), " ", answer.complete || Number(state.keys) >= MOST_KEYS ? null : h("a", { href: state.href({ keys: MOST_KEYS }) }, `Look at up to ${count(MOST_KEYS)}`));
  fill(out, said,
    h("h2", {}, "Partition keys ", h("small", { class: "quiet mono" }, visible(answer.attribute))),
    answer.parts.length ? levelView(answer, state) : h("p", { class: "quiet" }, state.prefix ? "No key begins so." : "There are no items."),
    kindsView(answer, state));
}
