// Requests as they arrive: the request, what answered it, and its cost; and a stream's records.

import { call, lines, verb } from "../lib/api.js";
import { bars } from "../lib/chart.js";
import { ask, button, checkbox, code, field, fill, h, notice, problem, select } from "../lib/dom.js";
import { withRules } from "../lib/explanation.js";
import { count, dollarsAMillion, many, ms, units } from "../lib/format.js";
import { HEAT_LEGEND, heatStrip } from "../lib/heatmap.js";
import { tabs } from "../lib/items.js";
import { limitPlots } from "../lib/limits.js";
import { timePlot } from "../lib/plots.js";
import { go, href, note, step } from "../lib/route.js";
import { isSelected, rowList } from "../lib/rows.js";
import { tableNames } from "../lib/schema.js";
import { cli } from "../lib/snippets.js";
import { brief, visible } from "../lib/values.js";

export const title = "Live";

const KEPT = 500;      // requests that the page keeps
const SHOWN = 100;     // that are drawn
const SECONDS = 120;   // of the plots
const DOTS = 1000;     // of the newest requests
const COLOURS = 5;     // of a plot's groups, and one for the others
const DEAREST = 8;     // requests that are shown by what they cost
const DRAW_MS = 250;   // between two drawings …
const PLOT_MS = 1000;  // … of plots, which have a figure for each second
const POLL_MS = 1000;  // of a stream
const PAST_MS = 500;   // for the journal's existing entries
const RETRY_MS = 1000; // until a lost server is tried again
const CLOCK_MS = 3000; // between two reads of the world's clock
const OFF_MS = 5000;   // difference at which that clock counts as another than ours

// --- totals --------------------------------------------------------------------------------------------

const unitsOf = (entry) => entry.read_units + entry.write_units;

class Totals {
  dearest = [];
  by = { operation: new Map(), table: new Map(), pattern: new Map() };
  seconds = new Map(); // second → {units, requests}, each with its sums by operation, table and pattern
  dots = [];           // of the newest requests: {at, figure, kind, text}
  times = new WeakMap(); // entry → its second

  /** `now`: the world's time in ms, or null if it is not known yet. */
  add(entry, now) {
    const units = unitsOf(entry);
    if (units) this.dearest = [...this.dearest, entry].sort((a, b) => unitsOf(b) - unitsOf(a)).slice(0, DEAREST);
    for (const [name, map] of Object.entries(this.by)) {
      const of = entry[name];
      if (!of) continue;
      const so = map.get(of) ?? { requests: 0, units: 0, errors: 0 };
      map.set(of, { requests: so.requests + 1, units: so.units + units, errors: so.errors + (entry.error ? 1 : 0), last: units });
    }
    const exact = Date.parse(entry.time) / 1000, second = Math.floor(exact);
    this.times.set(entry, second);
    const so = this.seconds.get(second) ?? Object.fromEntries(["units", "requests"].map((name) => [name, { total: 0, operation: new Map(), table: new Map(), pattern: new Map() }]));
    for (const [name, figure] of [["units", units], ["requests", 1]]) {
      so[name].total += figure;
      for (const by of Object.keys(this.by)) so[name][by].set(entry[by] ?? "none", (so[name][by].get(entry[by] ?? "none") ?? 0) + figure);
    }
    this.seconds.set(second, so);
    const took = entry.took_us / 1000 + (entry.delayed_ms ?? 0);
    this.dots.push({ at: exact, figure: took, kind: entry.fault ? "faulty" : /Throttl|ProvisionedThroughputExceeded/.test(entry.error ?? "") ? "throttled" : entry.error ? "failed" : "", text: `${entry.operation} ${ms(took)}${entry.error ? `, ${entry.error}` : ""}` });
    if (this.dots.length > DOTS) this.dots.shift();
    if (now !== null) for (const old of this.seconds.keys()) if (Math.abs(old - now / 1000) > 2 * SECONDS) this.seconds.delete(old);
  }

  /** What a plot draws until `to`, a second: the sums of each second by operation, table or pattern. */
  plot(name, by, to) {
    const shown = [...this.seconds].filter(([second]) => second >= to - SECONDS && second <= to);
    const seen = [...this.by[by].keys()]; // so that a group's colour is the same in all plots
    const order = [...this.by[by]].sort(([, a], [, b]) => b.requests - a.requests).slice(0, COLOURS).map(([of]) => of).sort((a, b) => seen.indexOf(a) - seen.indexOf(b));
    return { from: to - SECONDS, to, order, seconds: new Map(shown.map(([second, so]) => [second, { total: so[name].total, groups: so[name][by] }])) };
  }

  dotsOf(to) {
    return { from: to - SECONDS, to, dots: this.dots.filter((one) => one.at > to - SECONDS && one.at < to + 1).map((one) => ({ ...one, at: Math.min(one.at, to) })) };
  }
}

function sumsView(totals) {
  const group = (name, heading) => {
    const rows = [...totals.by[name]].sort(([, a], [, b]) => b.units - a.units || b.requests - a.requests).slice(0, 8);
    return rows.length ? h("div", { class: "panel" }, h("h2", {}, heading),
      bars(rows.map(([of, so]) => [of, so.units, `${units(so.units)}, ${many(so.requests, "request")}, the last ${units(so.last)}${so.errors ? `, ${many(so.errors, "error")}` : ""}`]), heading)) : null;
  };
  return h("div", { class: "cards" }, group("operation", "By operation"), group("table", "By table"), group("pattern", "By access pattern"));
}

const pause = (time) => new Promise((resolve) => { setTimeout(resolve, time); });

// --- requests --------------------------------------------------------------------------------------------

const keyText = (key) => Object.entries(key).map(([name, value]) => `${name} = ${brief(value, 60)}`).join(", ");
const placeOf = (entry) => [entry.table, entry.index].filter(Boolean).join(".");
const reads = new Set(["Query", "Scan"]);
/** "356 → 1", also for a Query that finds nothing. */
const countsOf = (entry) => (entry.items_read || (reads.has(entry.operation) && !entry.error) ? `${count(entry.items_read ?? 0)} → ${count(entry.items_returned ?? 0)}` : "");
const expressionsOf = (entry) => Object.values(entry.expressions ?? {}).filter((one) => typeof one === "string").join(" · ")
  || (entry.key ? keyText(entry.key) : "");

/** The entry with this number, which may be older than those shown; open(entry) shows it. */
async function showNumber(id, gone, open) {
  const looked = new AbortController();
  gone.addEventListener("abort", () => looked.abort());
  let found;
  await lines(`journal?requests=true&after=${id - 1}`, (entry) => { found ??= entry; looked.abort(); }, looked.signal).catch(() => {});
  if (gone.aborted) return;
  if (found?.id === id) open(found);
  else notice(`Request ${id} is not in the journal any more`, "wrong");
}

async function showEntry(entry) {
  const { request } = entry;
  const facts = [
    ["Cost", `${units(unitsOf(entry))}, ${dollarsAMillion(entry.read_units, entry.write_units)}`],
    ["Read → returned", countsOf(entry)], ["Took", `${ms(entry.took_us / 1000)}${entry.delayed_ms ? `, and its answer was held back ${ms(entry.delayed_ms)}` : ""}`],
    ["Fault", entry.fault ? withRules(`it met fault rule ${entry.fault}`) : ""], ["Came at", `${entry.time}, by the world's clock`], ["Pattern", entry.pattern],
    ...(entry.key ? [["Key", keyText(entry.key)]] : []),
    ...Object.entries(entry.expressions ?? {}).filter(([, text]) => typeof text === "string"),
  ];
  const open = () => {
    go("request", [], { mode: "json", op: entry.operation, request: JSON.stringify(request, null, 2), run: true });
    return true;
  };
  const chosen = await ask(`${entry.id}: ${entry.operation} ${placeOf(entry)}`.trim(), h("div", {},
    entry.error ? problem({ type: entry.error, message: entry.message ?? "" }) : null,
    entry.hint ? h("p", { class: "why" }, entry.hint) : null,
    h("dl", { class: "facts" }, facts.filter(([, text]) => text).map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
    request ? null : h("p", { class: "quiet" }, entry.shortened ? "It was too long to be kept whole, so it cannot be opened." : "It cannot be opened: it is no request, or names an attribute whose values are not shown."),
    h("details", {}, h("summary", {}, "The journal's entry"), h("pre", { class: "wrap", tabindex: "0" }, JSON.stringify(entry, null, 2)))),
  request && entry.operation ? [{ text: "Share", kind: "plain", run: () => "share" }, { text: "Open the request", run: open }] : [], "Close");
  if (chosen !== "share") return;
  const { share } = await import("../lib/share.js");
  await share({ operation: entry.operation, request });
}

function requestRow(entry, open) {
  const costly = !entry.error && (entry.operation === "Scan" || (entry.items_read > 10 && entry.items_returned * 4 < entry.items_read));
  return h("tr", {},
    h("td", { class: "number absent" }, entry.id), h("td", { class: "mono" }, entry.time.slice(11, 23)),
    h("td", {}, button(entry.operation, () => open(entry), { class: "link", title: "the whole entry" }), costly ? [" ", h("span", { class: "tag warn", title: "reads more than it returns" }, "costly")] : null,
      entry.fault ? [" ", h("span", { class: "tag wrong", title: `it met fault rule ${entry.fault}` }, entry.delayed_ms ? "fault: late" : "fault")] : null),
    h("td", {}, placeOf(entry)),
    h("td", { class: "value", title: expressionsOf(entry) }, entry.error ? h("span", { class: "break" }, `${entry.error}: ${entry.message ?? ""}`) : expressionsOf(entry)),
    h("td", { class: "number", title: dollarsAMillion(entry.read_units, entry.write_units) }, count(unitsOf(entry))),
    h("td", { class: "number" }, countsOf(entry)),
    h("td", { class: "number" }, ms(entry.took_us / 1000), entry.delayed_ms ? h("b", { class: "break" }, ` + ${ms(entry.delayed_ms)}`) : null),
    h("td", {}, entry.pattern ?? ""));
}

/** A list of requests that people can work with while it changes. While they scrolled it, selected in it or are in it by
 * keyboard it stays as it is, and says how many are newer: {element, show(entries, force), clear()}. open(entry) shows one of them. */
function requestsList(label, none, open) {
  const body = h("tbody"), list = rowList(body, (entry) => requestRow(entry, open)), newer = h("p", { class: "newer", hidden: true });
  const region = h("div", { class: "scroll requests", tabindex: "0", role: "region", "aria-label": label, hidden: true },
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "No."), ["Time", "Operation", "Table or index", "What"].map((text) => h("th", { scope: "col" }, text)),
      ["Units", "Read → returned", "Took"].map((text) => h("th", { scope: "col", class: "number" }, text)), h("th", { scope: "col" }, "Pattern"))), body));
  const empty = none ? h("p", { class: "quiet" }, none) : null;
  let shown = new Set(), last = [];
  const isHeld = () => region.scrollTop > 0 || isSelected(region) || body.querySelector(":focus-visible") !== null;
  const show = (entries, force = false) => {
    last = entries;
    const fresh = entries.slice(0, SHOWN).filter((one) => !shown.has(one.id)).length;
    if (!force && shown.size && isHeld()) {
      newer.hidden = !fresh;
      if (fresh) number.textContent = `${fresh === SHOWN ? `${fresh} or more` : fresh} newer`;
      return;
    }
    newer.hidden = true;
    list.show(entries.slice(0, SHOWN));
    shown = new Set(entries.slice(0, SHOWN).map((one) => one.id));
    region.hidden = !entries.length;
    if (empty) empty.hidden = entries.length > 0;
  };
  const number = h("b"), all = button("Show them", () => {
    getSelection().removeAllRanges();
    region.scrollTop = 0;
    show(last, true);
    region.focus({ preventScroll: true });
  }, { class: "link" });
  newer.append(number, ": the list waits while you are in it. ", all);
  return { element: h("div", {}, newer, region, empty), show, clear: () => { list.clear(); shown = new Set(); } };
}

/** Follows the world's clock, and notes in `place` if it differs from real time: {now(): its time in ms, or null until it was read;
 * reached(time): a request came at this time, so that the clock is there; stop()}. `onRead` is called when it was read. */
function watchClock(place, onRead) {
  let known = null, read = 0, passing = 1; // `passing`: ms of the world in one of ours
  const set = (at) => { known = at; read = performance.now(); };
  const look = async () => {
    const { now, now_ms: at, frozen, rate } = await verb("GET", "clock");
    set(at);
    passing = frozen ? 0 : rate;
    onRead();
    const off = Math.abs(at - Date.now()) > OFF_MS;
    fill(place, frozen || off ? [h("span", { class: "tag warn" }, frozen ? "clock frozen" : "clock set"),
      frozen ? ` Times are the world's, whose clock is frozen at ${now}.` : ` Times are the world's, whose clock shows ${now}.`] : null);
  };
  const again = () => look().catch(() => {}); // a lost server is reported elsewhere
  again();
  const timer = setInterval(again, CLOCK_MS);
  addEventListener("whole", again);
  const now = () => (known === null ? null : known + (performance.now() - read) * passing);
  return { now, reached: (time) => { if (known !== null && time > now()) set(time); }, stop() { clearInterval(timer); removeEventListener("whole", again); } };
}

function follow(params, out) {
  const moment = (name) => Number(params.get(name)) || null;
  const state = {
    operation: params.get("operation") ?? "", errors: params.has("errors"), text: params.get("text") ?? "", by: ["operation", "table", "pattern"].find((one) => one === params.get("by")) ?? "operation",
    range: moment("from") && moment("to") ? [moment("from"), moment("to")] : null, paused: params.has("paused"), id: moment("id"),
  };
  const entries = [], gone = new AbortController();
  const paramsOf = () => ({ ...state, by: state.by === "operation" ? "" : state.by, from: state.range?.[0], to: state.range?.[1], range: null });
  const keep = () => note("live", ["requests"], paramsOf());
  /** Shows an entry, which has an address of its own while it is shown. */
  const open = async (entry) => {
    if (state.id !== entry.id) {
      state.id = entry.id;
      step("live", ["requests"], paramsOf());
    }
    await showEntry(entry);
    state.id = null;
    if (!gone.signal.aborted) keep();
  };
  let totals = new Totals(), lost = false, began = 0;
  const list = requestsList("Requests", "No request yet. Point a client at this server, or run a query in another tab.", open);
  const dearest = requestsList("The most expensive requests", "", open), dearestTitle = h("h2", { hidden: true }, "The most expensive requests");
  const choosing = (range) => { state.range = range; chosen.hidden = !range; refresh(); };
  const chosen = h("p", { class: "newer", hidden: !state.range }, "Only the requests of the range that was chosen. ", button("Show all", () => choosing(null), { class: "link" }));
  const plots = [["units", timePlot("Units", "units a second", choosing)], ["requests", timePlot("Requests", "requests a second", choosing)]], latency = timePlot("Latency", "ms for each request", choosing);
  const plotted = h("div", { class: "cards plots" }, [...plots.map(([, one]) => one.element), latency.element]), sums = h("div"), said = h("p", { class: "quiet", role: "status" }), times = h("p", { role: "status" }), clock = watchClock(times, () => { fresh = true; });
  let fresh = true, timer = 0, missed = 0, plottedAt = -PLOT_MS;
  const inRange = (entry) => { const at = totals.times.get(entry); return !state.range || (at >= state.range[0] && at <= state.range[1]); };
  const fits = (entry) => (!state.operation || entry.operation === state.operation) && (!state.errors || entry.error) && inRange(entry)
    && (!state.text || JSON.stringify(entry).toLowerCase().includes(state.text.toLowerCase()));
  const draw = (force = false) => {
    if (!fresh || (state.paused && performance.now() - began > 2 * PAST_MS) || document.hidden) return;
    fresh = false;
    const found = entries.filter(fits);
    list.show(found, force);
    dearest.show(totals.dearest, force);
    dearestTitle.hidden = !totals.dearest.length;
    const now = clock.now(), to = Math.floor(now / 1000);
    if (now !== null && (force || performance.now() - plottedAt >= PLOT_MS)) {
      plottedAt = performance.now();
      for (const [name, plot] of plots) plot.draw({ ...totals.plot(name, state.by, to), range: state.range });
      latency.draw({ ...totals.dotsOf(to), range: state.range });
    } else {
      fresh = true; // the plots are drawn later
    }
    if (!isSelected(sums)) fill(sums, sumsView(totals));
    if (!lost) said.textContent = `${many(found.length, "request")} of the newest ${entries.length}${missed ? `; ${many(missed, "request")} came too fast to be shown` : ""}`;
  };
  const refresh = () => { fresh = true; keep(); draw(true); };
  const operations = new Set([state.operation].filter(Boolean));
  const choice = select([["", "all"], ...operations], state.operation, (value) => { state.operation = value; refresh(); });
  fill(out,
    h("div", { class: "row" }, field("Operation", choice),
      h("div", { class: "grow" }, field("Text", h("input", { value: state.text, oninput: (event) => { state.text = event.target.value; refresh(); } }))),
      h("div", { class: "row middle" }, checkbox("Errors only", state.errors, (on) => { state.errors = on; refresh(); }),
      checkbox("Paused", state.paused, (on) => { state.paused = on; refresh(); }),
      button("Empty the journal", async () => { await verb("DELETE", "journal"); entries.length = 0; refresh(); }))),
    h("div", { class: "row" }, field("Plots by", select([["operation", "operation"], ["table", "table"], ["pattern", "access pattern"]], state.by, (by) => { state.by = by; refresh(); }), "the last two minutes by the world's clock, as all times here")),
    plotted, chosen, said, times, list.element, h("h2", {}, "Totals of what this page saw"), sums, dearestTitle, dearest.element);
  const add = (entry) => {
    missed += entry.dropped ?? 0;
    if (!entry.operation) return;
    entries.unshift(entry);
    entries.length = Math.min(entries.length, KEPT);
    if (performance.now() - began > PAST_MS) clock.reached(Date.parse(entry.time));
    totals.add(entry, clock.now());
    if (!operations.has(entry.operation)) {
      operations.add(entry.operation);
      choice.append(h("option", { value: entry.operation }, entry.operation));
    }
    fresh = true;
  };
  // After a reconnect the journal is new, or is sent once more, so the page starts again.
  const keepFollowing = async () => {
    while (!gone.signal.aborted) {
      try {
        await lines(`journal?follow=true&requests=true&limit=${KEPT}`, add, gone.signal, () => {
          entries.length = missed = 0;
          list.clear(); // its numbers start again
          dearest.clear();
          totals = new Totals();
          began = performance.now();
          lost = false;
          fresh = true;
        });
      } catch (error) {
        if (error.name === "AbortError") return;
      }
      if (!lost) fill(said, problem({ type: "No answer", message: "the server ended or does not answer: this page continues when it is back" }));
      lost = true;
      await pause(RETRY_MS);
    }
  };
  keepFollowing();
  if (params.has("id")) showNumber(Number(params.get("id")), gone.signal, open);
  timer = setInterval(() => draw(), DRAW_MS);
  draw();
  return () => { gone.abort(); clearInterval(timer); clock.stop(); };
}

// --- a stream ----------------------------------------------------------------------------------------------

function recordView({ eventName, eventID, dynamodb }) {
  const none = Object.create(null), before = dynamodb.OldImage ?? none, after = dynamodb.NewImage ?? none;
  const names = [...new Set([...Object.keys(dynamodb.Keys), ...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]) || name in dynamodb.Keys);
  const cell = (value) => h("td", { class: "value" }, value ? brief(value) : "–");
  return h("section", { class: "panel", "aria-label": `${eventName} ${eventID}` },
    h("h3", {}, h("span", { class: "tag" }, eventName), ` ${Object.values(dynamodb.Keys).map((value) => brief(value, 60)).join(" · ")}`, h("small", { class: "quiet" }, ` ${dynamodb.StreamViewType}`)),
    dynamodb.OldImage || dynamodb.NewImage ? h("table", {}, h("thead", {}, h("tr", {}, ["Attribute", "Before", "After"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, changed.map((name) => h("tr", {}, h("th", { scope: "row", class: "isolated" }, visible(name)), cell(before[name]), cell(after[name]))))) : null);
}

/** Iterators of every open shard, from now on. */
async function openShards(StreamArn) {
  const { StreamDescription: stream } = await call("DescribeStream", { StreamArn });
  return Promise.all(stream.Shards.filter((shard) => !shard.SequenceNumberRange.EndingSequenceNumber)
    .map(async ({ ShardId }) => (await call("GetShardIterator", { StreamArn, ShardId, ShardIteratorType: "LATEST" })).ShardIterator));
}

/** How to enable a stream. */
async function noStreams() {
  const names = await tableNames();
  const command = cli("UpdateTable", { TableName: names[0] ?? "TABLE", StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } });
  return h("div", { class: "panel" },
    h("p", {}, "No table of this world has a stream. A table's settings have a button “Stream” that switches it on:"),
    names.length ? h("ul", { class: "columns" }, names.slice(0, SHOWN).map((name) => h("li", {}, h("a", { href: href("table", [name]) }, name)))) : h("p", { class: "quiet" }, "There are no tables yet."),
    h("p", {}, "Or from a shell:"), code(command));
}

async function tail(params, out) {
  const { Streams } = await call("ListStreams", {});
  const records = h("div", { "aria-live": "polite" }), said = h("p", { class: "quiet", role: "status" });
  let iterators = [], timer = 0, seen = 0, gone = false;
  if (!Streams.length) {
    fill(out, await noStreams());
    return null;
  }
  let arn = params.get("stream") ?? Streams[0].StreamArn;
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
      // Iterators end with their server, and by age.
      fill(said, problem(error));
      iterators = await openShards(arn).catch(() => iterators);
    }
    if (!gone) timer = setTimeout(poll, POLL_MS);
  };
  const start = async (chosen) => {
    clearTimeout(timer);
    arn = chosen;
    note("live", ["stream"], { stream: arn });
    fill(records);
    iterators = await openShards(arn);
    poll();
  };
  fill(out, field("Stream of", select(Streams.map((one) => [one.StreamArn, `${one.TableName} (${one.StreamLabel})`]), arn, start)), said, records);
  await start(arn);
  return () => { gone = true; clearTimeout(timer); };
}

// --- partitions -----------------------------------------------------------------------------------------------

const partitionText = ({ table, index, key }) => `${[table, index].filter(Boolean).join(".")}: ${Object.entries(key).map(([name, value]) => `${name} = ${brief(value, 80)}`).join(", ")}`;

/** `chosen` is the partition whose load is drawn beside the limits, or null: the hottest; choose(text) is called with another one. */
function partitionsView({ partitions, from, others }, chosen, choose) {
  if (!partitions.length) return h("p", { class: "quiet" }, "No request for a partition key yet: a Scan is for all of them.");
  const all = partitions.reduce((so, one) => so + unitsOf(one), 0), [first] = partitions, drawn = partitions.find((one) => partitionText(one) === chosen) ?? first;
  return [
    h("p", {}, h("b", {}, `The hottest took ${all ? Math.round((100 * unitsOf(first)) / all) : 0} % of the units`), ` of ${partitions.length === 1 ? "the only partition" : `the ${partitions.length} partitions here`}${others ? `; ${many(others, "request")} for further keys are not counted` : ""}.`),
    h("h2", { class: "isolated" }, partitionText(drawn)), h("p", { class: "quiet" }, "What it took in each second, and what one partition serves in a second. Press another one below to see it here."),
    limitPlots(drawn.seconds, from, SECONDS),
    h("p", { class: "legend" }, "Each second of the last two minutes, by the share of 3,000 units read or 1,000 written, which one partition serves in a second: ",
      HEAT_LEGEND.map(([kind, text]) => h("span", {}, h("span", { class: `dot heat-${kind}` }), text))),
    h("div", { class: "panel heat" }, partitions.map((one) => [
      button(partitionText(one), () => choose(partitionText(one)), { class: "link isolated", "aria-pressed": String(one === drawn) }), heatStrip(one.seconds, from, SECONDS, partitionText(one)),
      h("span", { class: "quiet" }, `${count(one.read_units)} read by ${many(one.reads, "request")}, ${count(one.write_units)} written by ${count(one.writes)}`)])),
  ];
}

async function heat(params, out) {
  let timer = 0, gone = false, chosen = params.get("partition"), answer = null;
  const words = h("p", { class: "quiet" }, "Which partition keys of tables and indexes take the load, of the requests that the journal has, the most expensive first."), place = h("div");
  fill(out, words, place);
  const show = () => {
    const pressed = place.contains(document.activeElement) ? document.activeElement.innerText : null;
    fill(place, partitionsView(answer, chosen, (text) => { chosen = text; note("live", ["partitions"], { partition: text }); show(); }));
    if (pressed !== null) [...place.querySelectorAll("button")].find((one) => one.innerText === pressed)?.focus({ preventScroll: true });
  };
  const draw = async () => {
    try {
      answer = await verb("GET", `metrics/partitions?seconds=${SECONDS}`);
      if (!isSelected(place)) show();
    } catch (error) {
      fill(place, problem(error));
    }
    if (!gone) timer = setTimeout(draw, 2 * POLL_MS);
  };
  await draw();
  return () => { gone = true; clearTimeout(timer); };
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
      leave = name === "stream" ? await tail(params, out) : name === "partitions" ? await heat(params, out) : follow(params, out);
    } catch (error) {
      fill(out, problem(error));
    }
  };
  const list = PARTS.map(([name, text]) => [text, () => {
    if (name === at) return;
    at = name;
    params = new URLSearchParams();
    step("live", [name]);
    start(name);
  }]);
  fill(view, h("h1", {}, "Live"), tabs(list, "What is shown", Math.max(0, PARTS.findIndex(([name]) => name === part))), out);
  await start(part);
  return () => leave?.();
}
