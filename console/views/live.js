// Requests as they come: what was asked, by whom it is answered, what it cost; and what a stream says of it.

import { call, lines, verb } from "../lib/api.js";
import { bars, line } from "../lib/chart.js";
import { button, checkbox, field, fill, h, problem, select } from "../lib/dom.js";
import { count, many, ms } from "../lib/format.js";
import { tabs } from "../lib/items.js";
import { note } from "../lib/route.js";
import { brief } from "../lib/values.js";

export const title = "Live";

const KEPT = 500;      // requests that the page remembers
const SHOWN = 100;     // that are drawn
const SECONDS = 120;   // of the plots
const DRAW_MS = 250;   // between two looks
const POLL_MS = 1000;  // of a stream

// --- totals --------------------------------------------------------------------------------------------

class Totals {
  by = { operation: new Map(), table: new Map(), pattern: new Map() };
  seconds = new Map(); // second → {units, requests, us}

  add(entry) {
    const units = entry.read_units + entry.write_units;
    for (const [name, map] of Object.entries(this.by)) {
      const of = entry[name];
      if (!of) continue;
      const so = map.get(of) ?? { requests: 0, units: 0, errors: 0 };
      map.set(of, { requests: so.requests + 1, units: so.units + units, errors: so.errors + (entry.error ? 1 : 0) });
    }
    const second = Math.floor(Date.now() / 1000);
    const now = this.seconds.get(second) ?? { units: 0, requests: 0, us: 0 };
    this.seconds.set(second, { units: now.units + units, requests: now.requests + 1, us: Math.max(now.us, entry.took_us) });
    for (const old of this.seconds.keys()) if (old < second - SECONDS) this.seconds.delete(old);
  }

  series(name) {
    const now = Math.floor(Date.now() / 1000);
    return Array.from({ length: SECONDS }, (_, i) => this.seconds.get(now - SECONDS + 1 + i)?.[name] ?? 0);
  }
}

function totalsView(totals) {
  const group = (name, heading) => {
    const rows = [...totals.by[name]].sort(([, a], [, b]) => b.units - a.units || b.requests - a.requests).slice(0, 8);
    return rows.length ? h("div", { class: "panel" }, h("h2", {}, heading),
      bars(rows.map(([of, so]) => [of, so.units, `${count(so.units)} units, ${many(so.requests, "request")}${so.errors ? `, ${many(so.errors, "error")}` : ""}`]), heading)) : null;
  };
  return h("div", {},
    h("div", { class: "cards" },
      line(totals.series("units"), "Units", "a second"),
      line(totals.series("requests"), "Requests", "a second"),
      line(totals.series("us").map((us) => us / 1000), "Slowest", "ms")),
    h("div", { class: "cards" }, group("operation", "By operation"), group("table", "By table"), group("pattern", "By access pattern")));
}

// --- requests --------------------------------------------------------------------------------------------

const expressionsOf = (entry) => Object.values(entry.expressions ?? {}).filter((one) => typeof one === "string").join(" · ")
  || (entry.key ? Object.entries(entry.key).map(([name, value]) => `${name} = ${brief(value, 60)}`).join(", ") : "");

function requestRow(entry) {
  const dear = entry.operation === "Scan" || (entry.items_read > 10 && entry.items_returned * 4 < entry.items_read);
  return h("tr", {},
    h("td", { class: "mono" }, entry.time.slice(11, 23)),
    h("td", {}, entry.operation, dear ? h("span", { class: "tag warn", title: "reads more than it returns" }, "dear") : null),
    h("td", {}, [entry.table, entry.index].filter(Boolean).join(".")),
    h("td", { class: "value", title: expressionsOf(entry) }, entry.error ? h("span", { class: "break" }, `${entry.error}: ${entry.message ?? ""}`) : expressionsOf(entry)),
    h("td", { class: "number" }, count(entry.read_units + entry.write_units)),
    h("td", { class: "number" }, entry.items_read ? `${count(entry.items_read)} → ${count(entry.items_returned)}` : ""),
    h("td", { class: "number" }, ms(entry.took_us / 1000)),
    h("td", {}, entry.pattern ?? ""));
}

function requestsView(entries) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Requests" },
    h("table", {}, h("thead", {}, h("tr", {}, ["Time", "Operation", "Table or index", "What"].map((text) => h("th", { scope: "col" }, text)),
      ["Units", "Read → returned", "Took"].map((text) => h("th", { scope: "col", class: "number" }, text)), h("th", { scope: "col" }, "Pattern"))),
      h("tbody", {}, entries.slice(0, SHOWN).map(requestRow))));
}

function follow(params, out) {
  const state = { operation: params.get("operation") ?? "", errors: params.has("errors"), text: params.get("text") ?? "", paused: false, own: params.has("own") };
  const entries = [], totals = new Totals(), gone = new AbortController();
  const list = h("div"), sums = h("div"), said = h("p", { class: "quiet", role: "status" });
  let fresh = true, timer = 0;
  const keep = () => note("live", ["requests"], { operation: state.operation, errors: state.errors, text: state.text });
  const fits = (entry) => (!state.operation || entry.operation === state.operation) && (!state.errors || entry.error)
    && (!state.text || JSON.stringify(entry).toLowerCase().includes(state.text.toLowerCase()));
  const draw = () => {
    if (!fresh || state.paused || document.hidden) return;
    fresh = false;
    const found = entries.filter(fits);
    fill(list, found.length ? requestsView(found) : h("p", { class: "quiet" }, "No request yet. Point a client at this server, or rehearse a query in another tab."));
    fill(sums, totalsView(totals));
    said.textContent = `${many(found.length, "request")} of the newest ${entries.length}`;
  };
  const refresh = () => { fresh = true; keep(); draw(); };
  const operations = new Set([state.operation].filter(Boolean));
  const choice = select([["", "all"], ...operations], state.operation, (value) => { state.operation = value; refresh(); });
  fill(out,
    h("div", { class: "row" }, field("Operation", choice),
      h("div", { class: "grow" }, field("Text", h("input", { value: state.text, oninput: (event) => { state.text = event.target.value; refresh(); } }))),
      checkbox("Errors only", state.errors, (on) => { state.errors = on; refresh(); }),
      checkbox("Paused", false, (on) => { state.paused = on; refresh(); }),
      button("Empty the journal", async () => { await verb("DELETE", "journal"); entries.length = 0; refresh(); })),
    said, list, h("h2", {}, "Totals since this page is open"), sums);
  lines(`journal?follow=true&limit=${KEPT}`, (entry) => {
    if (!entry.operation) return;
    entries.unshift(entry);
    entries.length = Math.min(entries.length, KEPT);
    totals.add(entry);
    if (!operations.has(entry.operation)) {
      operations.add(entry.operation);
      choice.append(h("option", { value: entry.operation }, entry.operation));
    }
    fresh = true;
  }, gone.signal).catch((error) => { if (error.name !== "AbortError") fill(said, problem(error)); });
  timer = setInterval(draw, DRAW_MS);
  draw();
  return () => { gone.abort(); clearInterval(timer); };
}

// --- a stream ----------------------------------------------------------------------------------------------

function recordView({ eventName, eventID, dynamodb }) {
  const before = dynamodb.OldImage ?? {}, after = dynamodb.NewImage ?? {};
  const names = [...new Set([...Object.keys(dynamodb.Keys), ...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]) || name in dynamodb.Keys);
  const cell = (value) => h("td", { class: "value" }, value ? brief(value) : "–");
  return h("section", { class: "panel", "aria-label": `${eventName} ${eventID}` },
    h("h3", {}, h("span", { class: "tag" }, eventName), ` ${Object.values(dynamodb.Keys).map((value) => brief(value, 60)).join(" · ")}`, h("small", { class: "quiet" }, ` ${dynamodb.StreamViewType}`)),
    dynamodb.OldImage || dynamodb.NewImage ? h("table", {}, h("thead", {}, h("tr", {}, ["Attribute", "Before", "After"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, changed.map((name) => h("tr", {}, h("th", { scope: "row" }, name), cell(before[name]), cell(after[name]))))) : null);
}

/** Iterators of every open shard, from now on. */
async function openShards(StreamArn) {
  const { StreamDescription: stream } = await call("DescribeStream", { StreamArn });
  return Promise.all(stream.Shards.filter((shard) => !shard.SequenceNumberRange.EndingSequenceNumber)
    .map(async ({ ShardId }) => (await call("GetShardIterator", { StreamArn, ShardId, ShardIteratorType: "LATEST" })).ShardIterator));
}

async function tail(params, out) {
  const { Streams } = await call("ListStreams", {});
  const records = h("div", { "aria-live": "polite" }), said = h("p", { class: "quiet", role: "status" });
  let iterators = [], timer = 0, seen = 0, gone = false;
  if (!Streams.length) {
    fill(out, h("p", { class: "quiet" }, "No table has a stream. UpdateTable with a StreamSpecification turns one on."));
    return null;
  }
  const poll = async () => {
    try {
      for (const [i, ShardIterator] of iterators.entries()) {
        const answer = await call("GetRecords", { ShardIterator });
        iterators[i] = answer.NextShardIterator;
        for (const record of answer.Records) records.prepend(recordView(record));
        seen += answer.Records.length;
      }
      iterators = iterators.filter(Boolean);
      while (records.children.length > SHOWN) records.lastChild.remove();
      said.textContent = `${many(seen, "record")} since this page is open`;
    } catch (error) {
      fill(said, problem(error));
      return;
    }
    if (!gone) timer = setTimeout(poll, POLL_MS);
  };
  const start = async (arn) => {
    clearTimeout(timer);
    note("live", ["stream"], { stream: arn });
    fill(records);
    iterators = await openShards(arn);
    poll();
  };
  const chosen = params.get("stream") ?? Streams[0].StreamArn;
  fill(out, field("Stream of", select(Streams.map((one) => [one.StreamArn, `${one.TableName} (${one.StreamLabel})`]), chosen, start)), said, records);
  await start(chosen);
  return () => { gone = true; clearTimeout(timer); };
}

// --- partitions -----------------------------------------------------------------------------------------------

async function heat(out) {
  let timer = 0;
  const draw = async () => {
    try {
      const answer = await verb("GET", "metrics/partitions");
      const rows = (answer.partitions ?? []).slice(0, 20);
      fill(out, h("p", { class: "quiet" }, "Which partition keys take the load."),
        rows.length ? bars(rows.map((one) => [`${[one.table, one.index].filter(Boolean).join(".")}: ${one.key}`, one.read_units + one.write_units, `${count(one.read_units)} read, ${count(one.write_units)} written`]), "Partitions")
          : h("p", { class: "quiet" }, "Nothing was asked yet."));
    } catch (error) {
      fill(out, problem(error));
      return;
    }
    timer = setTimeout(draw, 2 * POLL_MS);
  };
  await draw();
  return () => clearTimeout(timer);
}

const PARTS = [["requests", "Requests"], ["stream", "Stream"], ["partitions", "Partitions"]];

export async function show(view, { parts: [part = "requests"], params }) {
  const out = h("div");
  let leave = null, at = part;
  const start = async (name) => {
    leave?.();
    leave = null;
    fill(out);
    try {
      leave = name === "stream" ? await tail(params, out) : name === "partitions" ? await heat(out) : follow(params, out);
    } catch (error) {
      fill(out, problem(error));
    }
  };
  const list = PARTS.map(([name, text]) => [text, () => { if (name !== at) { at = name; note("live", [name]); start(name); } }]);
  fill(view, h("h1", {}, "Live"), tabs(list, "What is shown", Math.max(0, PARTS.findIndex(([name]) => name === part))), out);
  await start(part);
  return () => leave?.();
}
