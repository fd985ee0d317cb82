// The past of a world: its writes over time, as the journal has them; and of one item, what wrote and read it.

import { Refused } from "../lib/api.js";
import { parseBare } from "../lib/bare.js";
import { differing } from "../lib/changes.js";
import { button, field, fill, grid, h, select } from "../lib/dom.js";
import { count, many } from "../lib/format.js";
import { hasWritten, keysOfEntry, readHistory, readJournal } from "../lib/history.js";
import { statesView } from "../lib/merge.js";
import { timePlot } from "../lib/plots.js";
import { again, go, href } from "../lib/route.js";
import { describe, tableNames } from "../lib/schema.js";
import { isAttribute } from "../lib/snippets.js";
import { brief, visible } from "../lib/values.js";

export const title = "History";

const PAGE = 50;   // rows
const SLOTS = 120; // of the plot
const KEYS = 3;    // of an entry's items that a row names
const NONE = Object.create(null);

const keyText = (key) => Object.values(key).map((value) => brief(value, 60)).join(" · ");
const moment = (ms) => new Date(ms).toISOString().replace("T", " ").slice(0, 23);
const toRequest = (entry) => h("a", { href: href("live", ["requests"], { id: entry.id }) }, entry.operation);

/** Rows of one page, and the way to the others, each with an address. */
function paged(list, at, address, view) {
  const pages = Math.max(1, Math.ceil(list.length / PAGE)), page = Math.min(Math.max(1, Number.parseInt(at, 10) || 1), pages);
  const link = (to, text) => (to < 1 || to > pages ? h("span", { class: "quiet" }, text) : h("a", { href: address(to === 1 ? null : to) }, text));
  return [view(list.slice((page - 1) * PAGE, page * PAGE)), pages > 1 ? h("nav", { class: "row middle", "aria-label": "Pages" }, link(page - 1, "Newer"), link(page + 1, "Older"), h("small", { class: "quiet" }, `page ${count(page)} of ${count(pages)}`)) : null];
}

const droppedText = (dropped) => (dropped ? `${many(dropped, "older request")} ${dropped === 1 ? "is" : "are"} no longer in the journal. ` : "");

// --- an item --------------------------------------------------------------------------------------------------

/** What a request asked for: not what came of it. */
function askedView({ entry, did }) {
  if (entry.error) return h("p", { class: "break" }, `refused: ${entry.error}${entry.message ? `, ${entry.message}` : ""}`);
  const text = Object.values(entry.expressions ?? {}).filter((one) => typeof one === "string").join(" · ");
  return [text ? h("p", { class: "mono isolated" }, visible(text)) : null,
    entry.unprocessed && did !== "read" ? h("p", { class: "break" }, `${many(entry.unprocessed, "write")} of this batch were left unprocessed: perhaps this one.`) : null,
    !entry.request ? h("p", { class: "quiet" }, "The journal does not have the whole request.") : null];
}

function recordView({ eventName, dynamodb }, row) {
  const { OldImage: old, NewImage: now, StreamViewType: kind } = dynamodb, what = { INSERT: "created", MODIFY: "changed", REMOVE: "removed" }[eventName];
  if (!old && !now) return h("p", {}, `The stream says that it was ${what}; it has ${kind === "KEYS_ONLY" ? "keys only" : `${kind} only`}.`);
  const names = old && now ? differing(old, now) : Object.keys(now ?? old), whole = kind === "NEW_AND_OLD_IMAGES";
  return h("details", { open: names.length <= 6 }, h("summary", {}, `${what}, says the stream`, names.length > 6 ? `: ${many(names.length, "attribute")}` : ""),
    statesView(`What was ${what}, row ${row + 1}`, [...(whole || old ? [["Before", old ?? NONE]] : []), ...(whole || now ? [["After", now ?? NONE]] : [])], names));
}

function eventRow(event, row) {
  const { at, entry, did, record } = event;
  return h("tr", {}, h("td", { class: "whole mono" }, moment(at)),
    h("td", {}, entry ? [toRequest(entry), h("br"), h("span", { class: `tag${entry.error ? " wrong" : ""}` }, entry.error ? "refused" : did)] : h("span", { class: "quiet" }, "not in the journal")),
    h("td", {}, entry?.client ?? ""),
    h("td", {}, entry ? askedView(event) : null, record ? recordView(record, row) : null));
}

function knownView({ others, dropped, first, stream }) {
  return h("p", { class: "quiet" },
    first ? `The journal has requests for this table since ${first.replace("T", " ").slice(0, 19)}. ` : "The journal has no request for this table. ", droppedText(dropped),
    others ? `${many(others, "further request")} for it (Queries, Scans, statements, and what the journal does not have whole) may have met the item, too. ` : "",
    "Requests that this page sends for itself, such as its saves, are not in the journal. ",
    stream ? `Values before and after are the stream's, which has the changes of 24 hours${stream.all ? "" : ", of which not all were read"}.` : "The table has no stream: which values the item had is not known, only what requests asked for.");
}

/** The key that the address has. */
function keyIn(params) {
  let key = null;
  try {
    key = parseBare(params.get("key"));
  } catch {
    // It is no JSON.
  }
  if (!key || !Object.keys(key).length || !Object.values(key).every(isAttribute)) throw new Refused("No key", "the address has no key of an item", 0);
  return key;
}

async function showItem(place, name, params, signal) {
  const key = keyIn(params);
  const table = await describe(name), found = await readHistory(table, key, signal), text = JSON.stringify(key);
  fill(place,
    h("p", { class: "mono isolated" }, visible(name), " · ", h("a", { href: href("table", [name, "explore"], { key: text }) }, keyText(key))),
    knownView(found),
    found.events.length ? paged(found.events, params.get("page"), (page) => href("history", [name], { key: text, page }), (events) => grid("History of the item", ["Time", "Request", "Client", "What it asked for, and what changed"], events.map(eventRow), true))
      : h("p", {}, "Nothing is known of this item."));
}

// --- a world --------------------------------------------------------------------------------------------------

/** The sums of the plot's slots, by table. */
function slotsOf(entries) {
  const times = entries.map((one) => Math.floor(Date.parse(one.time) / 1000)), from = Math.min(...times), to = Math.max(from + SLOTS, ...times), step = Math.ceil((to - from + 1) / SLOTS), seconds = new Map(), order = [];
  entries.forEach((entry, i) => {
    const slot = times[i] - (times[i] - from) % step, so = seconds.get(slot) ?? { total: 0, groups: new Map() }, of = entry.table ?? "none";
    if (!order.includes(of)) order.push(of);
    so.total += 1;
    so.groups.set(of, (so.groups.get(of) ?? 0) + 1);
    seconds.set(slot, so);
  });
  return { from, to, step, seconds, order };
}

function writeRow(entry) {
  const items = keysOfEntry(entry), more = Math.max(items.length, entry.part_count ?? 0) - Math.min(items.length, KEYS);
  return h("tr", {}, h("td", { class: "whole mono" }, entry.time.replace("T", " ").slice(0, 23)), h("td", {}, toRequest(entry)), h("td", { class: "isolated" }, entry.table ?? ""),
    h("td", {}, items.slice(0, KEYS).map(({ table, key }) => h("div", {}, h("a", { class: "isolated", href: href("history", [table], { key: JSON.stringify(key) }) }, keyText(key)))), more ? h("small", { class: "quiet" }, `and ${count(more)} more`) : null),
    h("td", { class: "number" }, count(entry.write_units)), h("td", {}, entry.client ?? ""));
}

async function showWorld(place, params, signal) {
  const chosen = params.get("table") ?? "", [from, to] = ["from", "to"].map((name) => Number(params.get(name)) || null);
  const [{ entries, dropped }, names] = await Promise.all([readJournal(chosen, signal), tableNames().catch(() => [])]);
  const writes = entries.filter(hasWritten).reverse(), inRange = (entry) => { const at = Date.parse(entry.time) / 1000; return from === null || (at >= from && at < to); };
  const address = (more) => ({ table: chosen, from, to, ...more }), shown = writes.filter(inRange);
  const slots = writes.length ? slotsOf(writes) : null;
  const plot = timePlot("Writes", slots?.step === 1 ? "writes a second" : `writes in each ${many(slots?.step ?? 1, "second")}`, (range) => go("history", [], address({ page: null, from: range?.[0] ?? null, to: range ? range[1] + slots.step : null })));
  fill(place,
    h("div", { class: "row middle" }, field("Table", select([["", "all"], ...new Set([...names, ...(chosen ? [chosen] : [])])], chosen, (table) => go("history", [], { table }))), button("Read again", again)),
    h("p", { class: "quiet" }, `${many(writes.length, "request")} of the journal wrote. `, droppedText(dropped), "Times are of the world's clock. Requests that this page sends for itself, such as its saves, are not in the journal."),
    slots ? h("div", { class: "cards plots" }, plot.element) : h("p", {}, "The journal has no request that wrote."),
    from === null ? null : h("p", { class: "newer" }, `Only ${moment(from * 1000).slice(0, 19)} to ${moment(to * 1000).slice(0, 19)}. `, h("a", { href: href("history", [], { table: chosen }) }, "Show all")),
    slots ? paged(shown, params.get("page"), (page) => href("history", [], address({ page })), (list) => grid("Writes", ["Time", "Request", "Table", "Items", ["Write units", true], "Client"], list.map(writeRow), true)) : null);
  if (slots) plot.draw({ ...slots, range: from === null ? null : [from, to] });
}

export async function show(view, { parts: [table], params }) {
  const place = h("div", {}, h("p", { class: "quiet busy" }, "Reading …")), ended = new AbortController();
  fill(view, h("h1", {}, table ? "History of an item" : "Time line of writes"), place);
  if (table) await showItem(place, table, params, ended.signal);
  else await showWorld(place, params, ended.signal);
  return () => ended.abort();
}
