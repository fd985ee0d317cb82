// The items of a table: browse, find, create, change and delete them.

import { Differs, call } from "../lib/api.js";
import { parseBare } from "../lib/bare.js";
import { change, differing, lastChange, undo, undoOver } from "../lib/changes.js";
import { ask, button, field, fill, h, notice, problem, select, showFaults } from "../lib/dom.js";
import { count, many, size, units } from "../lib/format.js";
import { itemsTable } from "../lib/items.js";
import { statesView } from "../lib/merge.js";
import { go, href } from "../lib/route.js";
import { describe, keyOf } from "../lib/schema.js";
import { brief } from "../lib/values.js";
import { showItem } from "./item.js";
import { FIND_TYPES, checkFind, find } from "./items_find.js";

export const title = "Items";

const PAGE = 50;

const NONE = Object.create(null); // the attributes of no item
/** The cost of finding an item by any attribute: a Scan of the whole table. */
function cost(table) {
  const units_ = Math.max(0.5, Math.ceil(table.TableSizeBytes / 4096) / 2);
  return `reads the whole table: ${many(table.ItemCount, "item")}, about ${units(units_)}`;
}

/** Deletes the items that have not changed since they were shown, and reports the result. */
async function deleteAll(table, items) {
  const others = [];
  let gone = 0;
  for (const item of items) {
    try {
      await change(table, item, null);
      gone++;
    } catch (error) {
      if (!(error instanceof Differs)) throw error;
      if (error.stored) others.push(Object.values(keyOf(table, item)).map((value) => brief(value, 60)).join(" · "));
    }
  }
  if (gone) notice(`${many(gone, "item")} deleted`);
  if (others.length) notice(`Not deleted, since another client changed ${others.length === 1 ? "it" : "them"} meanwhile: ${others.join(", ")}`, "wrong");
}

function listView(table, items, again) {
  const keys = table.KeySchema.map((part) => part.AttributeName);
  const chosen = new Set();
  const remove = button("Delete the chosen items", async () => {
    const sure = await ask("Delete items", h("p", {}, `${many(chosen.size, "item")} of ${table.TableName} go. Each can be brought back by Undo.`), [{ text: "Delete", kind: "danger", run: () => true }]);
    if (!sure) return;
    try {
      await deleteAll(table, chosen);
    } catch (error) {
      notice(error.message, "wrong");
    }
    again();
  }, { class: "danger", disabled: true });
  const choose = (item) => h("input", { type: "checkbox", checked: chosen.has(item), "aria-label": `Choose ${keys.map((name) => brief(item[name], 40)).join(" ")}`, onchange: (event) => {
    if (event.target.checked) chosen.add(item); else chosen.delete(item);
    remove.disabled = !chosen.size;
  } });
  const edit = (item) => h("a", { href: href("items", [table.TableName], { key: JSON.stringify(keyOf(table, item)) }) }, "Edit");
  return h("div", {}, itemsTable(items, { first: keys, lead: [["Choose", choose], ["Item", edit]], caption: "Items", quiet: true }), h("div", { class: "row end" }, remove));
}

/** The table's last change on this page, and a button that undoes it. */
function undoView(table, again) {
  const last = lastChange(table);
  const over = async (stored) => {
    const { before, after } = last, states = [["Yours", after], ["Stored now", stored], ["After undo", before]];
    const names = [...new Set([...differing(after ?? NONE, stored ?? NONE), ...differing(stored ?? NONE, before ?? NONE)])];
    const sure = await ask("The item changed since", h("div", {}, h("p", {}, `This page ${last.text}; another client ${stored ? "changed" : "deleted"} it since. It was not taken back.`), statesView("The item", states, names)),
      [{ text: before ? "Bring back what was before" : "Delete it all the same", kind: "danger", run: () => true }], "Leave it");
    if (sure) await undoOver(table, stored);
    return sure;
  };
  const run = async (event) => {
    event.target.disabled = true; // a second press would undo the change before it
    try {
      await undo(table).catch((error) => { if (error instanceof Differs) return over(error.stored); throw error; });
    } catch (error) {
      notice(error.message, "wrong");
    }
    again();
  };
  return h("div", { class: "row middle" },
    last ? h("small", { class: "quiet isolated" }, `Last change here: ${last.text}${last.earlier ? `, after ${count(last.earlier)} before it` : ""}`) : null,
    button("Undo", run, { disabled: !last, title: last ? `Take it back: ${last.text}` : "nothing to take back" }));
}

async function showList(view, table, params) {
  const place = h("div"), state = h("p", { class: "quiet", role: "status" });
  const search = { name: params.get("name") ?? "", type: params.get("type") ?? "S", text: params.get("text") ?? "" };
  const start = params.get("start");
  const again = async () => showList(view, await describe(table.TableName).catch(() => table), params);
  fill(view,
    h("div", { class: "row middle" }, h("h1", { class: "grow" }, "Items"), undoView(table, again),
      h("a", { class: "button primary", href: href("items", [table.TableName], { new: true }) }, "New item")),
    h("p", {}, h("b", {}, table.TableName), h("span", { class: "quiet" }, ` ${many(table.ItemCount, "item")}, ${size(table.TableSizeBytes)} · `),
      h("a", { href: href("table", [table.TableName]) }, "Keys, indexes and settings")),
    h("form", { class: "panel", onsubmit: (event) => {
      event.preventDefault();
      const faults = checkFind(search);
      showFaults(event.target, faults);
      if (!faults.length) go("items", [table.TableName], search);
    } },
      h("div", { class: "row" },
        h("div", { class: "grow" }, field("Find by attribute", h("input", { value: search.name, "data-field": "find-name", autocomplete: "off", spellcheck: "false", oninput: (event) => { search.name = event.target.value; } }))),
        field("Type", select(FIND_TYPES, search.type, (type) => { search.type = type; })),
        h("div", { class: "grow" }, field("Value", h("input", { value: search.text, "data-field": "find-value", autocomplete: "off", spellcheck: "false", oninput: (event) => { search.text = event.target.value; } }))),
        h("button", { type: "submit" }, "Find")),
      h("small", { class: "quiet" }, `This ${cost(table)}. On the real service, use a key or an index: Rehearse shows how.`)),
    state, place);
  if (search.name) {
    const faults = checkFind(search);
    showFaults(view, faults);
    return faults.length ? null : find(table, search, { place, said: state, show: (items) => listView(table, items, again) });
  }
  try {
    const page = await call("Scan", { TableName: table.TableName, Limit: PAGE, ...(start ? { ExclusiveStartKey: JSON.parse(start) } : {}) });
    fill(place, page.Items.length ? listView(table, page.Items, again) : h("p", {}, "There are no items here."),
      page.LastEvaluatedKey ? h("a", { class: "button", href: href("items", [table.TableName], { start: JSON.stringify(page.LastEvaluatedKey) }) }, "Next page") : null);
  } catch (error) {
    fill(place, problem(error));
  }
  return null;
}

export async function show(view, { parts: [name], params }) {
  const table = await describe(name);
  const key = params.get("key");
  if (key) return showItem(view, table, parseBare(key));
  return params.has("new") ? showItem(view, table, null) : showList(view, table, params);
}
