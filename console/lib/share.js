// Share: a case file of a request, or the same as Markdown. The dialog shows all that leaves; values are masked by the server's rules.

import { call, currentWorld, verb } from "./api.js";
import { bareOf, parseBare } from "./bare.js";
import { CASE_BYTES, NOTE, measureCase, outcomeOf } from "./casefile.js";
import { readItems } from "./differences.js";
import { ask, button, checkbox, code, copy, download, field, fill, grid, h, problem, select } from "./dom.js";
import { count, many, size, units } from "./format.js";
import { PAGED, isRead, itemsOf, named } from "./requests.js";
import { readCommand } from "./result.js";
import { accessPaths, describe, keyOf, keyText, projectionText } from "./schema.js";
import { cli, isAttribute } from "./snippets.js";
import { brief, itemSize, same, typesByName, visible } from "./values.js";

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

// --- masks ------------------------------------------------------------------------------------------------------

const isValues = (value) => Object.keys(value).length > 0 && Object.values(value).every(isAttribute);

/** The maps of values of a request, and how each is replaced; a list of values is one of ?1, ?2 … */
function* mapsIn(holder) {
  for (const [name, one] of Object.entries(holder)) {
    if (!one || typeof one !== "object") continue;
    if (!isValues(one)) yield* mapsIn(one);
    else if (Array.isArray(one)) yield { item: bareOf(one.map((value, i) => [`?${i + 1}`, value])), put: (item) => { holder[name] = Object.values(item); } };
    else yield { item: one, put: (item) => { holder[name] = item; } };
  }
}

/** Texts of a request that are no values, in which a masked value may be left. */
const textsOf = (request) => bareOf(Object.entries(request).filter(([, one]) => typeof one === "string").map(([name, S]) => [name, { S }]));

/** {request, tables, left}: `masks` is attribute → what is done. The server answers the items in their order. */
async function masked(request, tables, masks, salt) {
  if (!masks.size) return { request, tables };
  const holder = { request: parseBare(JSON.stringify(request)) }, places = [...mapsIn(holder)];
  const maps = [...tables.flatMap((one) => one.items.map((item) => ({ table: one.create.TableName, item }))), ...[...places.map((one) => one.item), textsOf(request)].map((item) => ({ table: "the request", item }))];
  const answer = await verb("POST", "mask", { salt, rules: [...masks].map(([attribute, action]) => ({ attribute, do: action })), maps });
  const out = tables.map((one) => ({ ...one, items: answer.maps.splice(0, one.items.length) }));
  for (const one of places) one.put(answer.maps.shift());
  return { request: holder.request, tables: out, left: answer.left };
}

const MASKS = [["", "as it is"], ["replace", "another of the same form"], ["hash", "a hash"], ["mask", "***"], ["drop", "left out"]];

/** What can be done with an attribute: keys and values of requests stay distinct. */
const masksFor = (name, keys) => MASKS.slice(0, keys.has(name) ? 3 : /^[:?]/.test(name) ? 4 : 5);

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

  const keys = new Set(), values = new Map(); // values: name → those of the items and the request
  const remember = (map) => { for (const [name, value] of Object.entries(map)) values.set(name, [...values.get(name) ?? [], value]); };
  async function make() {
    const kept = tables.map(({ description, items }) => ({ create: createOf(description), items: items.filter((item) => !state.without.has(item)) }));
    const { request, tables: shown, left: found } = await masked(asked.request, kept, state.masks, state.salt);
    const head = { mockddb_case: 1, ...(state.note.trim() ? { note: state.note.trim() } : {}), operation: asked.operation, request }, one = { ...head, tables: shown };
    const isOwn = (asked.response || asked.error) && !state.masks.size && !state.without.size;
    let unmeasured = null; // why there is no answer: a server that makes no worlds, such as a read-only one
    const measured = () => measureCase(one, ITEMS).then((outcome) => ({ from: "case", ...outcome }), (error) => {
      if (!(error.status >= 400)) throw error;
      unmeasured = error.message;
      return {};
    });
    const outcome = isOwn ? { from: "world", ...outcomeOf(asked, ITEMS) } : await measured();
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
  const choices = new Map(); // name → its select
  function mask(name, action) {
    if (action) state.masks.set(name, action);
    else state.masks.delete(name);
  }
  /** Values of the request that are equal to one of a masked attribute are masked alike. */
  function chosen(name, action) {
    mask(name, action);
    for (const [other, control] of choices) {
      if (!/^[:?]/.test(other) || other === name || !values.get(other).some((one) => values.get(name).some((own) => same(one, own)))) continue;
      control.value = [...control.options].some((one) => one.value === action) ? action : "hash";
      mask(other, control.value);
    }
    draw();
  }
  function masksChoice() {
    return grid("Values that leave", ["Attribute or value", "For example", "How it leaves"], [...values].map(([name, [first]]) => {
      const control = select(masksFor(name, keys), "", (action) => chosen(name, action), { "aria-label": `How ${visible(name)} leaves` });
      choices.set(name, control);
      return h("tr", {}, h("th", { scope: "row", class: "isolated" }, visible(name)), h("td", { class: "value" }, brief(first, 60)), h("td", {}, control));
    }), true);
  }
  async function begin() {
    ({ tables, left } = await needed(asked));
    for (const { description, items } of tables) {
      for (const part of description.KeySchema) keys.add(part.AttributeName);
      items.forEach(remember);
    }
    for (const { item } of mapsIn({ request: parseBare(JSON.stringify(asked.request)) })) remember(item);
    fill(place,
      field("Note", h("textarea", { rows: 2, maxlength: String(NOTE), oninput: (event) => { state.note = event.target.value; later(); } }), "what the question is; it leaves as it is"),
      h("h3", {}, "Items"), tables.length ? tables.map(itemsChoice) : h("p", { class: "quiet" }, "The request names no table of this world."),
      values.size ? [h("h3", {}, "Masks"), h("p", { class: "quiet" }, "Names of tables and attributes leave as they are."), masksChoice()] : null, out);
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
