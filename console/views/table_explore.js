// Explore: the items of a table. Browse, query, find, create, change and delete them.

import { call, currentWorld } from "../lib/api.js";
import { parseBare } from "../lib/bare.js";
import { ask, button, fill, h, notice, problem, stay } from "../lib/dom.js";
import { showItem } from "../lib/drawer.js";
import { find, findWay } from "../lib/find.js";
import { formWay } from "../lib/form.js";
import { many } from "../lib/format.js";
import { recallHere, rememberHere } from "../lib/memory.js";
import { hint, requestPanel } from "../lib/panel.js";
import { addAnswer, addPage, newRun, runView, tableView } from "../lib/result.js";
import { SHOWN, go, guard, href, note } from "../lib/route.js";
import { accessPaths } from "../lib/schema.js";
import { nameOf } from "../lib/changes.js";
import { deleteAll, undoView } from "../lib/undo.js";
import { brief, same } from "../lib/values.js";
import { WAYS } from "../lib/ways.js";
import { timeToLive } from "./table_change.js";

const PAGE = 50;  // items that are read to browse
const PASSED_MOST = 1000; // pages before the one that is shown, for Previous after a reload
const OWN = ["key", "new"]; // params of the item at the side

/** The params of an address without those of the item at the side, as a text to compare. */
function restOf(address) {
  const params = new URLSearchParams(address.split("?")[1]);
  for (const name of [...OWN, ...SHOWN, "world"]) params.delete(name);
  params.sort();
  return params.toString();
}

/** Whether the items of an answer have all attributes, so that they can be compared with those that are stored. */
function areWhole({ ProjectionExpression, AttributesToGet, Select, IndexName = "", Statement }, paths) {
  if (ProjectionExpression || AttributesToGet || (Select && Select !== "ALL_ATTRIBUTES")) return false;
  return Statement === undefined && paths.find((one) => one.name === IndexName)?.projection.ProjectionType === "ALL";
}

export async function show(view, { table, params, recount, tools }) {
  const name = table.TableName, at = ["table", [name, "explore"]], paths = accessPaths(table), keys = table.KeySchema.map((part) => part.AttributeName);
  const item = Object.fromEntries(OWN.map((one) => [one, params.get(one)])), PASSED = `pages.${currentWorld()}.${name}`;
  let start = params.get("start"), browsed = null;
  const readTtl = () => call("DescribeTimeToLive", { TableName: name }).then((answer) => answer.TimeToLiveDescription?.AttributeName ?? null, () => null);
  let ttl = await readTtl();

  // --- items of the data, which the form's fields offer ---

  const samples = new Map(); // path → promise of items
  const sample = ({ name: index }) => {
    if (!samples.has(index)) samples.set(index, call("Scan", { TableName: name, ...(index ? { IndexName: index } : {}), Limit: PAGE }).then(({ Items }) => Items, () => []));
    return samples.get(index);
  };

  // --- rows: choose, open, delete ---

  const panelParams = () => (panel ? panel.params() : {});
  const to = (more) => go(...at, { ...panelParams(), key: null, new: null, ...more, ...(more.key ? { key: JSON.stringify(more.key) } : {}) });
  function chosenTools() {
    const chosen = new Set();
    const remove = button("Delete the chosen items", async () => {
      // One is deleted as its own page does it: Undo is beside it.
      if (chosen.size > 1 && !await ask("Delete items", h("p", {}, `${many(chosen.size, "item")} of ${name} go. Undo brings them back.`), [{ text: "Delete", kind: "danger", run: () => true }])) return;
      const gone = [];
      try {
        await deleteAll(host, chosen, gone);
      } catch (error) {
        notice(error.message, "wrong");
      }
      await deleted(gone);
    }, { class: "danger", disabled: true });
    const choose = (one) => h("input", { type: "checkbox", checked: chosen.has(one), "aria-label": `Choose ${keys.map((key) => brief(one[key], 40)).join(" ")}`, onchange: (event) => {
      if (event.target.checked) chosen.add(one); else chosen.delete(one);
      remove.disabled = !chosen.size;
    } });
    return { lead: [["Choose", choose]], below: h("div", { class: "row end" }, remove) };
  }
  const rows = (of, items, run) => (of !== name ? null : { open: to, ...(areWhole(run.request, paths) ? chosenTools() : {}) });

  // --- browsing ---

  function drawBrowsed(out) {
    const { run, starts } = browsed, next = run.at + 1 < run.views.length;
    if (!run.at && !run.views[0].get(name)?.length && !run.last) {
      fill(out, h("p", {}, "There are no items here."));
      return;
    }
    const from = starts[run.at] && JSON.stringify(starts[run.at]);
    if (panel && from !== start) {
      start = from;
      note(...at, panelParams());
      rememberHere(PASSED, starts.length <= PASSED_MOST ? starts : []);
    }
    const turn = (place) => {
      run.at = place;
      if (run.views[place]) drawBrowsed(out);
      else readBrowsed(out, true);
    };
    fill(out, starts[0] && !run.at ? h("p", {}, h("a", { href: href(...at) }, "From the beginning")) : null, runView(run, {
      bare: true, keys: new Map([[name, keys]]), rows,
      next: next ? () => turn(run.at + 1) : run.last ? () => readBrowsed(out) : null,
      previous: run.at ? () => turn(run.at - 1) : null,
    }));
  }
  /** Reads the next page of the table, or the one that is shown, which may stay if nothing in it changed; these requests are the page's own, and not in the journal. */
  async function readBrowsed(out, shown = false, ifChanged = false) {
    const mine = browsed, { run, starts } = mine, from = shown ? starts[run.at] : run.last;
    try {
      const response = await call("Scan", { ...run.request, ...(from ? { ExclusiveStartKey: from } : {}) });
      if (ifChanged && JSON.stringify([run.views[run.at].get(name) ?? [], run.last]) === JSON.stringify([response.Items, response.LastEvaluatedKey])) return;
      if (shown) run.views.splice(run.at, Infinity, new Map());
      else addPage(run);
      starts.splice(run.at, Infinity, from);
      addAnswer(run, { response, ms: 0 });
      if (mine === browsed && out.isConnected) drawBrowsed(out); // else a request was run meanwhile, or the view was left
    } catch (error) {
      if (mine === browsed) fill(out, problem(error));
    }
  }
  /** Where the pages began that this tab passed on its way to the address's page; without them it is the first. */
  function passed() {
    const starts = recallHere(PASSED, []), place = starts.findIndex((one) => (one ? JSON.stringify(one) : null) === start);
    return start ? [...starts.slice(0, Math.max(0, place)), parseBare(start)] : [null];
  }
  function browse(out) {
    const starts = passed(), run = newRun("Scan", { TableName: name, Limit: PAGE });
    run.at = starts.length - 1;
    run.views = [...Array(run.at), new Map()];
    browsed = { run, starts };
    fill(out, h("p", { class: "quiet busy" }, "Reading …"));
    readBrowsed(out, true);
  }

  // --- what was written ---

  const removed = []; // rows that were deleted: {of: the page's items by table, place, item}
  const isSameKey = (one, other) => keys.every((part) => same(one[part], other[part]));
  /** An item was written: the rows of an answer show it as it is now. */
  function patch(before, after) {
    if (browsed || !panel.run()) return;
    for (const of of panel.run().views) {
      const items = of.get(name) ?? [], place = items.findIndex((row) => isSameKey(row, before ?? after));
      const old = removed.findIndex((one) => one.of === of && after && isSameKey(one.item, after));
      if (place >= 0 && !after) removed.push({ of, place, item: items[place] });
      if (place >= 0) of.set(name, after ? items.with(place, after) : items.toSpliced(place, 1));
      else if (old >= 0) of.set(name, items.toSpliced(removed.splice(old, 1)[0].place, 0, after));
    }
  }
  async function written() {
    undone.draw();
    recount();
    samples.clear();
    if (!browsed) panel.redraw();
    else await readBrowsed(panel.out, true);
  }
  /** Items were written, [before, after] each. */
  function changed(pairs) {
    for (const [before, after] of pairs) patch(before, after);
    return written();
  }
  /** Items were deleted: the message has Undo, too. */
  function deleted(items) {
    if (items.length && undone.element.isConnected) undone.say(`${items.length === 1 ? nameOf(table, items[0]) : many(items.length, "item")} deleted`);
    return changed(items.map((one) => [one, null]));
  }

  // --- the item at the side ---

  const side = h("aside", { class: "drawer", "aria-label": "Item", hidden: true, onkeydown: (event) => { if (event.key === "Escape") { event.preventDefault(); to({}); } } });
  // The style ends it above the line at the bottom, which it can if it knows where it begins.
  const placeSide = () => side.style.setProperty("--top", `${Math.max(0, side.getBoundingClientRect().top)}px`), placing = new ResizeObserver(() => requestAnimationFrame(placeSide));
  for (const one of [side, document.body]) placing.observe(one);
  addEventListener("scroll", placeSide);
  const host = {
    table, to,
    get ttl() { return ttl; },
    async askTtl() {
      if (await timeToLive(table)) ttl = await readTtl();
      return ttl;
    },
    named(key) {
      Object.assign(item, { key: key && JSON.stringify(key), new: key ? null : "1" });
      note(...at, panelParams());
    },
    next(key) {
      const links = [...panel.out.querySelectorAll("a[data-key]")], place = links.findIndex((one) => same(parseBare(one.dataset.key), key));
      return place >= 0 && links[place + 1] ? parseBare(links[place + 1].dataset.key) : null;
    },
    changed: (before, after) => changed([[before, after]]), deleted: (one) => deleted([one]), refresh: () => {},
  };
  const undone = undoView(host, changed);
  async function showSide() {
    guard(null);
    const isOpen = Boolean(item.key || item.new), opener = item.last;
    side.hidden = !isOpen;
    view.classList.toggle("beside", isOpen);
    fill(side);
    if (!isOpen) {
      [...panel.out.querySelectorAll("a[data-key]")].find((one) => one.dataset.key === opener)?.focus();
      return;
    }
    item.last = item.key;
    fill(side, h("p", { class: "quiet busy" }, "Reading …"));
    try {
      await showItem(side, host, item.key ? parseBare(item.key) : null);
    } catch (error) {
      fill(side, button("✕", () => to({}), { "aria-label": "Close the item" }), problem(error));
    }
  }

  // --- the view ---

  const newItem = h("a", { class: "button primary", href: href(...at, { new: true }), onclick: (event) => { event.preventDefault(); to({ new: true }); } }, "New item");
  fill(tools, h("div", { class: "row middle" }, undone.element, newItem));
  /** A search by any attribute, which is no single request. */
  function special(state, out) {
    browsed = null;
    start = null;
    if (state.mode !== "find") return null;
    return find(out, {
      table, paths, state: { ...state }, hrefOf: (more) => href(...at, more),
      show: (items) => tableView(name, items, keys, false, { open: to, ...chosenTools() }),
    });
  }
  let panel = null;
  undone.draw();
  panel = await requestPanel({
    at, params, table: name, ways: { form: formWay({ table, paths, sample }), find: findWay({ table, sample: () => sample(paths[0]) }), ...WAYS }, idle: (out, state) => (["form", "find"].includes(state.mode) ? browse(out) : fill(out, hint())), special, rows, kept: () => ({ start, ...Object.fromEntries(OWN.map((one) => [one, item[one]])) }),
  });
  fill(view, h("div", { class: "explorer" }, panel.element, side));
  panel.begin();
  if (item.key || item.new) showSide();
  return {
    gone() {
      panel.stop();
      undone.stop();
      placing.disconnect();
      removeEventListener("scroll", placeSide);
    },
    /** Items may have expired. */
    async refresh(what) {
      if (what === "faults") return panel.readRules();
      undone.draw();
      recount();
      samples.clear();
      if (browsed) await stay(panel.out, () => readBrowsed(panel.out, true, true));
      else panel.outdate();
      if (item.key) await host.refresh();
      return undefined;
    },
    /** Another item at the side needs no other answer. */
    follow(address, { params: now }) {
      if (restOf(address) !== restOf(href(...at, panel.params()))) return false;
      for (const one of OWN) item[one] = now.get(one);
      showSide();
      return true;
    },
  };
}
