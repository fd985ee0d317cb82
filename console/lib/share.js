// Share: a case file of a request, or the same as Markdown. The dialog shows all that leaves; lib/masks.js masks values.

import { call, currentWorld } from "./api.js";
import { bareOf } from "./bare.js";
import { CASE_BYTES, NOTE, measureCase, outcomeOf } from "./casefile.js";
import { readItems } from "./differences.js";
import { ask, button, checkbox, code, copy, download, field, fill, grid, h, problem, select } from "./dom.js";
import { count, many, size, units } from "./format.js";
import { actionsFor, alike, mask, masksOf, valuesOf } from "./masks.js";
import { PAGED, isRead, itemsOf, named } from "./requests.js";
import { readCommand } from "./result.js";
import { accessPaths, describe, keyOf, keyText, projectionText } from "./schema.js";
import { cli } from "./snippets.js";
import { brief, itemSize, typesByName, visible } from "./values.js";

const ITEMS = 50, BYTES = CASE_BYTES / 4; // of a case that is made here
const NEAR = 5;        // items that a proposal finds, or that a filter threw away
const COLUMNS = 12;    // of a table in Markdown
const SHOWN = 60000;   // characters of the file that the dialog shows

// --- what a case needs ----------------------------------------------------------------------------------------

/** A read without some of its members, and without the placeholders that only those had. */
function without(request, names, more) {
  const rest = Object.fromEntries(Object.entries(request).filter(([name]) => !names.includes(name))), texts = Object.values(rest).filter((one) => typeof one === "string").join(" ");
  for (const map of ["ExpressionAttributeNames", "ExpressionAttributeValues"]) {
    const used = Object.entries(rest[map] ?? {}).filter(([name]) => texts.match(/[#:]\w+/g)?.includes(name));
    if (used.length) rest[map] = bareOf(used);
    else delete rest[map];
  }
  return { ...rest, ...more };
}

/** Reads that find what the explanation names: what it proposes, and what the filter threw away. */
async function nearReads(operation, request, explanation) {
  const commands = [explanation, ...explanation?.hints ?? []].map((one) => one?.try).filter(Boolean);
  const reads = (await Promise.all(commands.map((command) => readCommand(command).catch(() => null)))).filter((one) => one && isRead(one.operation, one.request));
  if (PAGED.has(operation) && request.FilterExpression) reads.push({ operation, request: without(request, ["FilterExpression", ...PARTIAL]) });
  return reads.map((one) => (PAGED.has(one.operation) ? { ...one, request: without(one.request, PARTIAL, { Limit: NEAR }) } : one));
}
const PARTIAL = ["ProjectionExpression", "AttributesToGet", "Select"]; // members that leave a key out

/** {tables: [{description, items}], left: items that are too many}: those of the answer, and those that the explanation names. */
async function needed({ operation, request, response, explanation }) {
  const tables = new Map();
  for (const [name] of named(request)) {
    const description = tables.has(name) ? null : await describe(name).catch(() => null);
    if (description) tables.set(name, { description, keys: new Map() });
  }
  const add = (name, item) => {
    const of = tables.get(name), key = of && item && keyOf(of.description, item);
    if (key && Object.values(key).every(Boolean)) of.keys.set(JSON.stringify(Object.values(key)), key);
  };
  const addAll = (one, answer) => { for (const [name, items] of (answer && itemsOf(one.operation, one.request, answer)) ?? []) for (const item of items) add(name, item); };
  const run = (one) => call(one.operation, one.request).catch(() => null);
  for (const [name, item] of named(request)) add(name, item);
  const own = { operation, request: PAGED.has(operation) ? without(request, PARTIAL) : request }, isWhole = response && !PARTIAL.some((name) => name in request);
  if (isWhole) addAll(own, response);
  else if (isRead(operation, request)) addAll(own, await run(own));
  for (const one of await nearReads(operation, request, explanation)) addAll(one, await run(one));
  let room = ITEMS, bytes = BYTES, left = 0;
  const out = [];
  for (const { description, keys } of tables.values()) {
    const wanted = [...keys.values()].slice(0, room), items = [];
    left += keys.size - wanted.length;
    for (const item of (await readItems(description, wanted, currentWorld())).filter(Boolean)) {
      const own_ = itemSize(item);
      if (own_ > bytes) left++;
      else items.push(item);
      bytes -= own_ > bytes ? 0 : own_;
    }
    room -= items.length;
    out.push({ description, items });
  }
  return { tables: out, left };
}

/** The CreateTable request of a description. */
function createOf(table) {
  const index = ({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection });
  const { AttributeDefinitions, KeySchema, TableName, GlobalSecondaryIndexes: global, LocalSecondaryIndexes: local, StreamSpecification } = table;
  return { TableName, AttributeDefinitions, KeySchema, BillingMode: "PAY_PER_REQUEST", ...(global ? { GlobalSecondaryIndexes: global.map(index) } : {}), ...(local ? { LocalSecondaryIndexes: local.map(index) } : {}), ...(StreamSpecification ? { StreamSpecification } : {}) };
}

// --- Markdown ---------------------------------------------------------------------------------------------------

const ticks = (text, least) => "`".repeat(Math.max(least, ...(text.match(/`+/g) ?? []).map((one) => one.length + 1)));
const inline = (text) => { const shown = visible(text).replace(/\|/g, "\\|") || " ", mark = ticks(shown, 1); return mark.length > 1 ? `${mark} ${shown} ${mark}` : `${mark}${shown}${mark}`; };
const fenced = (text, language = "") => { const mark = ticks(text, 3); return `${mark}${language}\n${text}\n${mark}`; };

function tableMarkdown({ create, items }) {
  const [own, ...indexes] = accessPaths(create), keys = [...own.hash, ...own.range].map((part) => part.name), names = [...typesByName(items, keys).keys()], columns = names.slice(0, COLUMNS);
  const row = (cells) => `| ${cells.join(" | ")} |`;
  return [
    `${inline(create.TableName)}: ${inline(keyText(own))}`, ...indexes.map((one) => `- ${one.kind} ${inline(one.name)}: ${inline(keyText(one))}, ${inline(projectionText(one))}`), "",
    ...(items.length ? [row(columns.map(inline)), row(columns.map(() => "---")), ...items.map((item) => row(columns.map((name) => (item[name] ? inline(brief(item[name], 80)) : ""))))] : ["No items."]),
    ...(names.length > columns.length ? ["", `${names.length - columns.length} further attributes are in the case file.`] : []),
  ].join("\n");
}

/** A case for people who read it in a pull request. */
function markdown({ note, operation, request, from, answer, error, units: took, explanation, tables }) {
  const said = error ? `${inline(error.type)}: ${inline(error.message)}` : answer ? [answer.Count === undefined ? "" : `${many(answer.Count, "item")} of ${count(answer.ScannedCount ?? answer.Count)} read`, took === undefined ? "" : units(took)].filter(Boolean).join(", ") || fenced(JSON.stringify(answer, null, 2), "json") : "not run";
  return [
    `### ${operation}`, note ?? "", fenced(cli(operation, request), "sh"), `**Answer**${from === "case" ? " (of the items below)" : ""}: ${said}`,
    explanation ? fenced([explanation.reason, ...explanation.lines ?? [], ...(explanation.reason ? [] : [explanation.text])].filter(Boolean).join("\n")) : "",
    ...tables.map(tableMarkdown),
  ].filter(Boolean).join("\n\n");
}

// --- the dialog -------------------------------------------------------------------------------------------------

const random = () => [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");

/** Opens it for {operation, request, response, explanation} or {operation, request, error, explanation}; without an answer, and where
 * items are left out or masked, the answer is what the items that leave give. */
export async function share(asked) {
  const place = h("div", {}, h("p", { class: "quiet busy" }, "Reading …")), out = h("div", { "aria-live": "polite" });
  const state = { note: "", masks: new Map(), without: new Set(), salt: random() };
  let tables = [], left = 0, ready = null, turn = 0, waiting = 0;

  async function make() {
    const kept = tables.map(({ description, items }) => ({ create: createOf(description), items: items.filter((item) => !state.without.has(item)) })), note = state.note.trim();
    const { masked: one, left: found } = await mask({ mockddb_case: 1, ...(note ? { note } : {}), operation: asked.operation, request: asked.request, tables: kept }, state.masks, state.salt);
    const isOwn = (asked.response || asked.error) && !state.masks.size && !state.without.size;
    let unmeasured = null; // why there is no answer: a server that makes no worlds, such as a read-only one
    const measured = () => measureCase(one, ITEMS).then((outcome) => ({ from: "case", ...outcome }), (error) => {
      if (!(error.status >= 400)) throw error;
      unmeasured = error.message;
      return {};
    });
    const outcome = isOwn ? { from: "world", ...outcomeOf(asked, ITEMS) } : await measured();
    const { tables: shown, ...head } = one;
    return { found, unmeasured, file: { ...head, ...outcome, tables: shown } };
  }
  function preview({ file, found, unmeasured }) {
    const json = JSON.stringify(file, null, 2), bytes = new Blob([json]).size;
    if (bytes > CASE_BYTES) throw new Error(`the file has ${size(bytes)}, more than ${size(CASE_BYTES)}: leave items out`);
    return [
      h("p", {}, h("b", {}, `${many(file.tables.length, "table")}, ${many(file.tables.reduce((so, one) => so + one.items.length, 0), "item")}, ${size(bytes)}. `),
        unmeasured ? `Without answer and explanation, which cannot be measured here: ${unmeasured}` : file.from === "world" ? "Answer and explanation are those that you saw." : "Answer and explanation are those of these items alone, measured in a world of their own."),
      found ? h("p", { class: "why" }, `Look at it again: ${found}.`) : null,
      left ? h("p", { class: "quiet" }, `${many(left, "further item")} of the answer are not in it: a case has ${ITEMS} at most.`) : null,
      tables.some(({ description }) => description.VectorIndexes?.length) ? h("p", { class: "quiet" }, "Vector indexes are left out.") : null,
      h("h3", {}, "All that leaves"), code(json, json.length > SHOWN ? `${json.slice(0, SHOWN)}\n… (copy to see the rest)` : json),
    ];
  }
  async function draw() {
    const mine = ++turn;
    ready = null;
    try {
      const made = await make(), shown = preview(made);
      if (mine !== turn) return;
      fill(out, shown);
      ready = made.file;
    } catch (error) {
      if (mine === turn) fill(out, problem(error));
    }
  }
  const later = () => { ready = null; turn++; clearTimeout(waiting); waiting = setTimeout(draw, 250); };

  function itemsChoice({ description, items }) {
    return h("details", { open: items.length <= 5 }, h("summary", {}, h("b", { class: "isolated" }, description.TableName), h("span", { class: "quiet" }, ` ${many(items.length, "item")}`)),
      items.map((item) => checkbox(Object.values(keyOf(description, item)).map((value) => brief(value, 60)).join(" · "), true, (on) => { state.without[on ? "delete" : "add"](item); draw(); })));
  }
  /** Sets how one leaves; those of equal values leave alike, as a hash if one of them may not be ***. A value and its parts are not masked both. */
  function choose(one, wanted) {
    const all = [...choices.keys()], equal = alike(one, all), takes = (of, action) => actionsFor(of).some(([name]) => name === action);
    const action = wanted === "mask" && !equal.every((of) => takes(of, wanted)) ? "hash" : wanted;
    const put = (of, given) => {
      const set = takes(of, given) ? given : "hash";
      choices.get(of).value = set;
      if (set) state.masks.set(of, set);
      else state.masks.delete(of);
    };
    for (const of of [one, ...equal]) {
      const others = all.filter((other) => other.name === of.name && !other.part !== !of.part && state.masks.has(other));
      if (of !== one && of.part && others.length) continue; // all of the value is masked
      if (action) for (const other of others) put(other, "");
      put(of, action);
    }
    draw();
  }
  const choices = new Map(); // mask → its select
  function masksChoice(masks) {
    return grid("Values that leave", ["Attribute or value", "For example", "How it leaves"], masks.map((one) => {
      const control = select(actionsFor(one), "", (action) => choose(one, action), { "aria-label": `How ${one.label} leaves` });
      choices.set(one, control);
      return h("tr", {}, h("th", { scope: "row", class: one.part ? "isolated of-part" : "isolated" }, one.label), h("td", { class: "value" }, brief(one.values[0], 60)), h("td", {}, control));
    }), true);
  }
  async function begin() {
    ({ tables, left } = await needed(asked));
    const keys = new Set(), indexed = new Set();
    for (const { description } of tables) for (const { name, hash, range } of accessPaths(description)) for (const part of [...hash, ...range]) (name ? indexed : keys).add(part.name);
    const masks = masksOf(valuesOf(asked.request, tables.flatMap(({ items }) => items)), keys, indexed);
    fill(place,
      field("Note", h("textarea", { rows: 2, maxlength: String(NOTE), oninput: (event) => { state.note = event.target.value; later(); } }), "what the question is; it leaves as it is"),
      h("h3", {}, "Items"), tables.length ? tables.map(itemsChoice) : h("p", { class: "quiet" }, "The request names no table of this world."),
      masks.length ? [h("h3", {}, "Masks"), h("p", { class: "quiet" }, "Equal values leave alike. Names of tables and attributes leave as they are."), masksChoice(masks)] : null, out);
    await draw();
  }
  const name = `${asked.operation}.case.json`;
  const when = (work) => () => { if (ready) work(ready); };
  const closed = ask("Share", place, [
    { text: "Copy as Markdown", kind: "plain", run: when((file) => { copy(markdown(file)); }) },
    { text: "Download JSON", run: when((file) => { download(name, new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: "application/json" })); }) },
  ], "Close");
  begin().catch((error) => fill(place, problem(error)));
  await closed;
  turn++;
  clearTimeout(waiting);
}
