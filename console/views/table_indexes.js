// Indexes: the table's key and those of its indexes, what they hold, and the way to a query of each; making, changing and deleting one.

import { call } from "../lib/api.js";
import { ask, button, fill, grid, h, notice, problem } from "../lib/dom.js";
import { count, dollars, many, size, units } from "../lib/format.js";
import { definitionsOf, indexFields, mustBeRight, showRefusal } from "../lib/index_fields.js";
import { samples } from "../lib/metrics.js";
import { href } from "../lib/route.js";
import { accessPaths, describe, indexRequest, keyText, projectionText } from "../lib/schema.js";
import { itemSize, typesByName } from "../lib/values.js";
import { indexThroughput } from "./table_change.js";

const POLL_MS = 500;  // between two looks at an index that is being made or deleted
const SAMPLE = 100;   // items that an estimate is made of
const KEY_TYPES = ["S", "N", "B"];
const NAMES = "attribute-names"; // the id of their list

// --- what an index costs ------------------------------------------------------------------------------

/** The entry that an item has in the index {KeySchema, Projection}, or null if it has none. */
function entryOf(item, index, keys, own) {
  if (!keys.every(({ name, type }) => item[name]?.[type] !== undefined)) return null;
  const { ProjectionType: holds, NonKeyAttributes: more = [] } = index.Projection;
  if (holds === "ALL") return item;
  return Object.fromEntries([...new Set([...own, ...keys.map((key) => key.name), ...more])].filter((name) => item[name]).map((name) => [name, item[name]]));
}

/** What an index would take, from some of the table's items: a sentence. */
function costOf(table, items, index, keys) {
  const entries = items.map((item) => entryOf(item, index, keys, table.KeySchema.map((part) => part.AttributeName))).filter(Boolean);
  if (!items.length) return "The table has no items yet: each write of an item with the index's key will take at least one write unit more.";
  if (!entries.length) return `None of the ${many(items.length, "item")} looked at has its key with that type: it would be empty.`;
  const sizes = entries.map(itemSize), average = sizes.reduce((so, one) => so + one, 0) / sizes.length;
  const each = sizes.reduce((so, one) => so + Math.max(1, Math.ceil(one / 1024)), 0) / sizes.length, all = Math.round((table.ItemCount * entries.length) / items.length);
  return `${count(entries.length)} of the ${many(items.length, "item")} looked at would be in it: about ${many(all, "entry")}, ${size(all * average)}. `
    + `To fill it takes about ${units(Math.ceil(all * each))} written, ${dollars(0, all * each)}; each write of such an item takes about ${units(Math.round(each * 10) / 10)} more, and two when it changes the index's key.`;
}

// --- a new index ----------------------------------------------------------------------------------------

/** Asks for an index and has the service make it; true if it does. */
async function newIndex(table) {
  const { Items: items } = await call("Scan", { TableName: table.TableName, Limit: SAMPLE }).catch(() => ({ Items: [] }));
  const defined = table.AttributeDefinitions.map((one) => ({ name: one.AttributeName, type: one.AttributeType }));
  const seen = [...typesByName(items)].map(([name, types]) => ({ name, type: KEY_TYPES.find((type) => types.has(type)) }));
  const known = [...defined, ...seen.filter(({ name, type }) => type && !defined.some((one) => one.name === name))];
  const fields = indexFields({ known, list: NAMES }), wrong = h("div"), cost = h("p", { class: "quiet", role: "status" }), fork = h("a", {}, "Try it in a fork first");
  fields.provisioned(table.BillingModeSummary?.BillingMode !== "PAY_PER_REQUEST");
  const request = (faults) => {
    const { index, keys } = fields.read("", null, faults);
    definitionsOf([...defined, ...keys], faults);
    return { index, keys };
  };
  const estimate = () => {
    const { index, keys } = request([]), [hash, sort] = keys;
    cost.textContent = hash ? costOf(table, items, index, keys) : "Which items are in it, and what it costs, follows from its key.";
    fork.href = href("schema", [], { table: table.TableName, hash: hash?.name, hashType: hash?.type, sort: sort?.name, sortType: sort?.type, hold: index.Projection.ProjectionType, include: index.Projection.NonKeyAttributes?.join(", "), name: hash ? index.IndexName : "" });
  };
  const content = h("div", { oninput: estimate, onchange: estimate }, fields.element, h("datalist", { id: NAMES }, seen.map(({ name }) => h("option", { value: name }))), cost, h("p", {}, fork), wrong);
  estimate();
  return ask("New index", content, [{ text: "Make the index", run: async () => {
    let body;
    try {
      const faults = [], { index, keys } = request(faults);
      mustBeRight(faults);
      body = indexRequest(table, index, keys);
      await call("UpdateTable", body);
      notice(`The index ${index.IndexName} is being made`);
      return true;
    } catch (error) {
      showRefusal(content, wrong, error, body);
      return undefined;
    }
  } }]);
}

// --- the end of one ---------------------------------------------------------------------------------------

/** The units that requests have read of an index. */
async function unitsRead(table, index) {
  const found = await samples().catch(() => []);
  return found.filter(({ name, labels }) => name === "consumed_read_capacity_units_total" && labels.table === table && labels.index === index).reduce((so, { value }) => so + value, 0);
}

async function deleteIndex(table, path) {
  const read = await unitsRead(table.TableName, path.name), wrong = h("div");
  const words = `It goes with ${many(path.items, "entry")}; the table's items stay. Requests that name it are refused from then on. ${read ? `It has answered reads of ${units(read)} since the server began.` : "No request has read it since the server began."}`;
  return ask(`Delete the index ${path.name}`, h("div", {}, h("p", {}, words), wrong), [{ text: "Delete the index", kind: "danger", run: async () => {
    try {
      await call("UpdateTable", { TableName: table.TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: path.name } }] });
      notice(`The index ${path.name} is being deleted`);
      return true;
    } catch (error) {
      fill(wrong, problem(error));
      return undefined;
    }
  } }]);
}

// --- the tab --------------------------------------------------------------------------------------------

/** A path's state; while an index is filled, how far it is. */
function stateView(path, table) {
  const { Backfilling: fills } = table.GlobalSecondaryIndexes?.find((one) => one.IndexName === path.name) ?? {};
  if (path.status !== "CREATING" || fills === undefined) return path.status ?? "ACTIVE";
  if (!fills) return "CREATING: its filling has not begun";
  return [`CREATING: ${many(path.items, "entry")} so far, of ${many(table.ItemCount, "item")} `, h("progress", { value: path.items, max: Math.max(1, table.ItemCount), "aria-label": `Filling ${path.name}` })];
}

/** A row of the grid, whose figures follow the table: {row, draw(path, table)}. */
function pathRow(path, { change, remove, at }) {
  const state = h("td"), items = h("td", { class: "number" }), bytes = h("td", { class: "number" }), isGlobal = path.kind === "global index";
  const buttons = isGlobal ? [button("Units", () => change(path), { "aria-label": `Units of ${path.name}` }), button("Delete", () => remove(path), { class: "danger", "aria-label": `Delete ${path.name}` })] : [];
  return {
    row: h("tr", {}, h("th", { scope: "row" }, path.name || "the table", path.name ? h("div", {}, h("small", { class: "quiet" }, path.kind)) : null),
      h("td", { class: "mono" }, keyText(path)), h("td", {}, projectionText(path)), state, items, bytes,
      h("td", {}, h("a", { href: href("table", [at, "explore"], { kind: "Query", index: path.name }) }, "Query"), " ",
        h("a", { href: href("collections", [at], { index: path.name }) }, "Item collections")),
      h("td", {}, h("div", { class: "row" }, buttons))),
    draw(now, table) {
      fill(state, stateView(now, table));
      items.textContent = count(now.items);
      bytes.textContent = size(now.bytes);
      for (const one of buttons) one.disabled = now.status === "DELETING";
    },
  };
}

export function show(view, { table: first, recount }) {
  const at = first.TableName, place = h("div"), names = (of) => accessPaths(of).map((path) => path.name).join("\n");
  let table = first, rows = new Map(), shown = null, timer = 0, gone = false;
  const draw = () => {
    const paths = accessPaths(table);
    if (shown !== names(table)) {
      rows = new Map(paths.map((path) => [path.name, pathRow(path, { change, remove, at })]));
      fill(place, grid("Keys and indexes", ["Path", "Key", "Holds", "State", ["Items", true], ["Size", true], "Go to", "Change"], [...rows.values()].map((one) => one.row), true));
      shown = names(table);
    }
    for (const path of paths) rows.get(path.name).draw(path, table);
  };
  /** Looks at the table again, until all its indexes are ACTIVE or gone. */
  const follow = async () => {
    clearTimeout(timer);
    table = await describe(at).catch(() => table);
    if (gone) return;
    draw();
    if (accessPaths(table).some((path) => path.status !== "ACTIVE")) timer = setTimeout(follow, POLL_MS);
    else recount();
  };
  const after = (work) => work.then((done) => done && follow(), (error) => notice(error.message, "wrong"));
  const change = (path) => after(indexThroughput(table, table.GlobalSecondaryIndexes.find((one) => one.IndexName === path.name)));
  const remove = (path) => after(deleteIndex(table, path));
  draw();
  fill(view, place,
    h("p", { class: "quiet apart" }, "The key and the attributes of an index cannot be changed: make another one, move its readers, and delete the first. A local index is made with its table."),
    h("div", { class: "row" }, button("New index", () => after(newIndex(table)), { class: "primary" }),
      h("a", { class: "button", href: href("schema", [], { table: at }) }, "Picture, and what a further index would change")));
  if (accessPaths(table).some((path) => path.status !== "ACTIVE")) follow();
  return { gone: () => { gone = true; clearTimeout(timer); }, refresh: follow };
}
