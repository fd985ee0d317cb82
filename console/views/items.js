// The items of a table: look through them, find one, and make, change and delete them.

import { call, scan } from "../lib/api.js";
import { change, changes, undo } from "../lib/changes.js";
import { ask, button, field, fill, h, notice, problem, select } from "../lib/dom.js";
import { count, many, size, units } from "../lib/format.js";
import { cell } from "../lib/items.js";
import { go, href } from "../lib/route.js";
import { describe, keyOf } from "../lib/schema.js";
import { TYPES, TYPE_NAMES, brief, editText, itemSize, parse, plain, typeOf } from "../lib/values.js";

export const title = "Items";

const PAGE = 50;
const FOUND = 1000; // items after which nobody looks further
const LARGEST = 400 * 1024; // bytes of an item

// --- one item --------------------------------------------------------------------------------------

function valueControl(type, text, oninput) {
  if (type === "NULL") return h("span", { class: "quiet" }, "null");
  if (type === "BOOL") return select(["true", "false"], text === "true" ? "true" : "false", oninput, { "aria-label": "Value" });
  const rows = type === "S" && !text.includes("\n") && text.length < 60 ? 1 : type === "N" || type === "B" ? 1 : Math.min(14, text.split("\n").length + 1);
  return h("textarea", { rows, value: text, spellcheck: "false", "aria-label": "Value", class: rows === 1 ? "one" : "", oninput: (event) => oninput(event.target.value) });
}

function attributeRow(row, keys, changed, remove) {
  const isKey = keys.has(row.name) && row.fixed;
  const place = h("td", {});
  row.size = h("td", { class: "number absent" });
  const draw = () => fill(place, valueControl(row.type, row.text, (text) => { row.text = text; changed(); }));
  draw();
  return h("tr", {},
    h("td", {}, isKey ? h("span", { class: "mono" }, row.name, " ", h("span", { class: "tag" }, "key"))
      : h("input", { value: row.name, "aria-label": "Attribute", spellcheck: "false", autocomplete: "off", oninput: (event) => { row.name = event.target.value; changed(); } })),
    h("td", {}, isKey ? h("span", { class: "type" }, row.type)
      : select(TYPES.map((type) => [type, `${type} ${TYPE_NAMES[type]}`]), row.type, (type) => {
        row.type = type;
        if (type === "BOOL" && row.text !== "true") row.text = "false";
        draw();
        changed();
      }, { "aria-label": "Type" })),
    place, row.size,
    h("td", {}, isKey ? null : button("Remove", remove, { "aria-label": `Remove ${row.name || "the attribute"}` })));
}

const rowsOf = (item, keys) => Object.entries(item)
  .sort(([a], [b]) => keys.has(b) - keys.has(a))
  .map(([name, value]) => ({ name, type: typeOf(value), text: editText(value), fixed: true }));

function itemOf(rows) {
  const item = {};
  for (const { name, type, text } of rows) {
    if (!name) throw new Error("an attribute has no name");
    if (name in item) throw new Error(`${name} is there twice`);
    try {
      item[name] = parse(type, text);
    } catch (error) {
      throw new Error(`${name}: ${error.message}`);
    }
  }
  return item;
}

const attributeSize = ({ name, type, text }) => itemSize({ [name]: parse(type, text) });

/** "1.2 KB of the 400 KB that an item may have: 2 units to write it" */
function sizeText(bytes) {
  return `${size(bytes)} of the 400 KB that an item may have: ${units(Math.max(1, Math.ceil(bytes / 1024)))} to write it${bytes > LARGEST ? ", too many" : ""}`;
}

/** A form for an item; read() gives the item, or throws what is wrong. */
function editor(table, item, isNew) {
  const keys = new Set(table.KeySchema.map((part) => part.AttributeName));
  let rows = rowsOf(item, keys), mode = "form";
  if (isNew) rows.forEach((row) => { row.fixed = keys.has(row.name); });
  const body = h("tbody"), json = h("textarea", { rows: 18, spellcheck: "false", "aria-label": "Item as typed JSON" });
  const place = h("div"), total = h("p", { class: "quiet" });
  const read = () => (mode === "form" ? itemOf(rows) : JSON.parse(json.value));
  // What is no value yet has no size.
  const measured = (measure, otherwise) => { try { return measure(); } catch { return otherwise; } };
  const weigh = () => {
    if (mode === "form") for (const row of rows) row.size.textContent = measured(() => size(attributeSize(row)), "–");
    total.textContent = measured(() => sizeText(itemSize(read())), "");
  };
  const drawRows = () => {
    fill(body, rows.map((row) => attributeRow(row, keys, weigh, () => { rows = rows.filter((one) => one !== row); drawRows(); })));
    weigh();
  };
  json.addEventListener("input", weigh);
  const draw = () => {
    if (mode === "form") {
      drawRows();
      fill(place, h("div", { class: "scroll" }, h("table", { class: "editor" }, h("thead", {}, h("tr", {}, ["Attribute", "Type", "Value", "Size", "Remove"].map((text) => h("th", { scope: "col", class: text === "Size" ? "number" : null }, text)))), body)),
        button("Add an attribute", () => { rows.push({ name: "", type: "S", text: "" }); drawRows(); }));
    } else {
      fill(place, json);
      weigh();
    }
  };
  const swap = button("As JSON", () => {
    try {
      const now = read();
      if (mode === "form") json.value = JSON.stringify(now, null, 2);
      else rows = rowsOf(now, keys);
      mode = mode === "form" ? "json" : "form";
      swap.textContent = mode === "form" ? "As JSON" : "As a form";
      draw();
    } catch (error) {
      notice(error.message, "wrong");
    }
  });
  draw();
  return { element: h("div", {}, h("div", { class: "row end" }, swap), place, total), read };
}

const emptyKey = (table) => Object.fromEntries(table.KeySchema.map((part) => {
  const type = table.AttributeDefinitions.find((one) => one.AttributeName === part.AttributeName).AttributeType;
  return [part.AttributeName, { [type]: "" }];
}));

async function showItem(view, table, key) {
  const name = table.TableName;
  const { Item: before } = key ? await call("GetItem", { TableName: name, Key: key, ConsistentRead: true }) : {};
  const form = editor(table, before ?? { ...emptyKey(table), ...key }, !before);
  const wrong = h("div");
  const save = async (write) => {
    try {
      const after = await write();
      notice("Saved");
      if (after) go("items", [name], { key: JSON.stringify(keyOf(table, after)) });
      else go("items", [name]);
      if (after && key && JSON.stringify(keyOf(table, after)) === JSON.stringify(key)) await showItem(view, table, key);
    } catch (error) {
      fill(wrong, problem(error.type === "ConditionalCheckFailedException" ? Object.assign(error, { message: before ? "the item changed since this page read it: reload to see it" : "an item with this key is there already" }) : error));
    }
  };
  fill(view,
    h("h1", {}, before ? "Item" : "New item"),
    h("p", {}, h("a", { href: href("items", [name]) }, name), key ? h("span", { class: "mono quiet" }, ` ${Object.values(key).map(plain).join(" · ")}`) : null),
    key && !before ? h("p", { class: "problem" }, "There is no item with this key.") : null,
    form.element, wrong,
    h("div", { class: "row end" },
      before ? button("Delete", () => save(async () => { await change(table, before, null); return null; }), { class: "danger" }) : null,
      before ? button("Save as a new item", () => save(async () => { const after = form.read(); await change(table, null, after); return after; })) : null,
      button("Save", () => save(async () => {
        const after = form.read();
        await change(table, before ?? null, after);
        return after;
      }), { class: "primary" })));
}

// --- many ------------------------------------------------------------------------------------------

/** What finding an item by any attribute costs: a Scan of the whole table. */
function cost(table) {
  const units_ = Math.max(0.5, Math.ceil(table.TableSizeBytes / 4096) / 2);
  return `reads the whole table: ${many(table.ItemCount, "item")}, about ${units(units_)}`;
}

async function findAll(table, { name, type, text }, progress, signal) {
  const request = {
    TableName: table.TableName, FilterExpression: "#a = :a OR contains(#a, :a)",
    ExpressionAttributeNames: { "#a": name }, ExpressionAttributeValues: { ":a": parse(type, text) },
  };
  if (type !== "S" && type !== "B") request.FilterExpression = "#a = :a";
  const found = [];
  let read = 0;
  for await (const page of scan(request, { signal })) {
    found.push(...page.Items);
    read += page.ScannedCount;
    progress(read, found.length);
    if (found.length >= FOUND) break;
  }
  return found;
}

function listView(table, items, again) {
  const keys = table.KeySchema.map((part) => part.AttributeName);
  const columns = [...new Set([...keys, ...items.flatMap((item) => Object.keys(item))])].slice(0, 14);
  const chosen = new Set();
  const remove = button("Delete the chosen items", async () => {
    const sure = await ask("Delete items", h("p", {}, `${many(chosen.size, "item")} of ${table.TableName} go. Each can be brought back by Undo.`), [{ text: "Delete", kind: "danger", run: () => true }]);
    if (!sure) return;
    try {
      for (const item of chosen) await change(table, item, null);
      notice(`${many(chosen.size, "item")} deleted`);
    } catch (error) {
      notice(error.message, "wrong");
    }
    again();
  }, { class: "danger", disabled: true });
  const row = (item) => h("tr", {},
    h("td", {}, h("input", { type: "checkbox", "aria-label": `Choose ${keys.map((name) => brief(item[name], 40)).join(" ")}`, onchange: (event) => {
      if (event.target.checked) chosen.add(item); else chosen.delete(item);
      remove.disabled = !chosen.size;
    } })),
    h("td", {}, h("a", { href: href("items", [table.TableName], { key: JSON.stringify(keyOf(table, item)) }) }, "Edit")),
    columns.map((name) => cell(item[name], name)));
  return h("div", {},
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Items" },
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Choose"), h("th", { scope: "col" }, "Item"), columns.map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, items.map(row)))),
    h("div", { class: "row end" }, remove));
}

async function showList(view, table, params) {
  const place = h("div"), state = h("p", { class: "quiet", role: "status" });
  const search = { name: params.get("name") ?? "", type: params.get("type") ?? "S", text: params.get("text") ?? "" };
  const start = params.get("start");
  let running = null;
  const undoButton = button("Undo", async () => {
    try {
      await undo();
      notice("Taken back");
      again();
    } catch (error) {
      notice(error.type === "ConditionalCheckFailedException" ? "The item changed since: it is not taken back" : error.message, "wrong");
    }
  }, { disabled: !changes().length, title: changes()[0] ?? "nothing to take back" });
  const again = async () => showList(view, await describe(table.TableName).catch(() => table), params);
  fill(view,
    h("div", { class: "row middle" }, h("h1", { class: "grow" }, "Items"), undoButton,
      h("a", { class: "button primary", href: href("items", [table.TableName], { new: true }) }, "New item")),
    h("p", {}, h("b", {}, table.TableName), h("span", { class: "quiet" }, ` ${many(table.ItemCount, "item")}, ${size(table.TableSizeBytes)} · `),
      h("a", { href: href("table", [table.TableName]) }, "Keys, indexes and settings")),
    h("form", { class: "panel", onsubmit: (event) => { event.preventDefault(); go("items", [table.TableName], search); } },
      h("div", { class: "row" },
        h("div", { class: "grow" }, field("Find by attribute", h("input", { value: search.name, autocomplete: "off", spellcheck: "false", oninput: (event) => { search.name = event.target.value; } }))),
        field("Type", select(["S", "N", "B", "BOOL"], search.type, (type) => { search.type = type; })),
        h("div", { class: "grow" }, field("Value", h("input", { value: search.text, autocomplete: "off", spellcheck: "false", oninput: (event) => { search.text = event.target.value; } }))),
        h("button", { type: "submit" }, "Find")),
      h("small", { class: "quiet" }, `This ${cost(table)}. On the real service, use a key or an index: Rehearse shows how.`)),
    state, place);
  try {
    if (search.name) {
      running = new AbortController();
      const items = await findAll(table, search, (read, found) => { state.textContent = `${count(read)} read, ${count(found)} found`; }, running.signal);
      fill(place, items.length ? listView(table, items, again) : h("p", {}, "Nothing found."));
    } else {
      const page = await call("Scan", { TableName: table.TableName, Limit: PAGE, ...(start ? { ExclusiveStartKey: JSON.parse(start) } : {}) });
      fill(place, page.Items.length ? listView(table, page.Items, again) : h("p", {}, "There are no items here."),
        page.LastEvaluatedKey ? h("a", { class: "button", href: href("items", [table.TableName], { start: JSON.stringify(page.LastEvaluatedKey) }) }, "Next page") : null);
    }
  } catch (error) {
    if (error.name !== "AbortError") fill(place, problem(error));
  }
  return () => running?.abort();
}

export async function show(view, { parts: [name], params }) {
  const table = await describe(name);
  const key = params.get("key");
  if (key) return showItem(view, table, JSON.parse(key));
  return params.has("new") ? showItem(view, table, null) : showList(view, table, params);
}
