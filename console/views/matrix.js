// Access patterns by tables and indexes: what each costs there, and how much of the live traffic it is.

import { lines, verb } from "../lib/api.js";
import { button, fill, h, problem } from "../lib/dom.js";
import { count, many, units } from "../lib/format.js";
import { filledIn, placesOf } from "../lib/patterns.js";
import { href } from "../lib/route.js";
import { accessPaths, describe } from "../lib/schema.js";
import { visible } from "../lib/values.js";

const HEATS = 4; // shades

const id = (table, index) => `${table}\n${index}`;

/** A row: {name, text, link, used, cells: column → {units, requests, live, scan, run}}. */
const newRow = (name, text, link) => ({ name, text, link, used: 0, cells: new Map() });

function cellOf(row, table, index) {
  const at = id(table, index), cell = row.cells.get(at) ?? { units: null, requests: 0, live: 0, scan: false, run: null };
  row.cells.set(at, cell);
  return cell;
}

/** The patterns' own costs: one row for each. */
function patternRows({ files, prefix }, report) {
  const measured = new Map(report.results.map((one) => [one.name, one]));
  return files.flatMap((file) => file.patterns.map((pattern) => {
    const row = newRow(pattern.name, pattern.question, href("patterns", ["questions"], { name: pattern.name }));
    pattern.steps.forEach((step, i) => {
      const request = filledIn(step.request, file.values ?? {}, prefix), of = measured.get(pattern.name)?.steps[i];
      const whole = !JSON.stringify(step.request).includes('"$from"');
      for (const [table, index] of placesOf(request)) {
        const cell = cellOf(row, table, index);
        if (of?.rcu !== undefined) cell.units = (cell.units ?? 0) + of.rcu;
        cell.scan ||= step.operation === "Scan";
        cell.run ??= whole ? href("request", [], { mode: "json", op: step.operation, request: JSON.stringify(request, null, 2), run: true }) : row.link;
      }
    });
    return row;
  }));
}

/** Adds the journal's entries to their patterns' rows; those without a pattern have a row for their operation. */
async function addTraffic(rows, signal) {
  const byName = new Map(rows.map((row) => [row.name, row])), others = new Map();
  const rowOf = (entry) => {
    if (byName.has(entry.pattern)) return byName.get(entry.pattern);
    if (!others.has(entry.operation)) others.set(entry.operation, newRow(entry.operation, `${entry.operation}, of no pattern`, href("live", ["requests"], { operation: entry.operation })));
    return others.get(entry.operation);
  };
  let requests = 0;
  await lines("journal", (entry) => {
    if (!entry.operation || !entry.consumed?.length) return;
    const row = rowOf(entry);
    requests++;
    row.used++;
    for (const { table, table_units: own, index_units: indexes = {} } of entry.consumed) {
      const places = Object.entries(indexes);
      if (own || !places.length) places.push(["", own]);
      for (const [index, spent] of places) {
        const cell = cellOf(row, table, index);
        cell.requests++;
        cell.live += spent;
        cell.scan ||= entry.operation === "Scan";
      }
    }
  }, signal);
  return { rows: [...rows, ...others.values()], requests };
}

/** The columns: each table that a row uses, with all of its indexes. */
async function columnsOf(rows) {
  const tables = [...new Set(rows.flatMap((row) => [...row.cells.keys()].map((at) => at.split("\n")[0])))].sort();
  const found = await Promise.all(tables.map(async (table) => {
    const description = await describe(table).catch(() => null);
    return (description ? accessPaths(description).map((path) => path.name) : [""]).map((index) => ({ table, index, id: id(table, index) }));
  }));
  return found.flat();
}

function cellView(row, column, most) {
  const cell = row.cells.get(column.id);
  if (!cell) return h("td", { class: "absent" });
  const heat = cell.live ? Math.max(1, Math.ceil((HEATS * Math.log1p(cell.live)) / Math.log1p(most))) : 0;
  const live = cell.requests ? `${count(cell.requests)}×, ${units(Math.round(cell.live * 10) / 10)}` : "unused";
  const cost = cell.units === null ? "–" : count(cell.units), place = [column.table, column.index].filter(Boolean).join(".");
  const kind = cell.scan ? "scan" : cell.requests ? `heat${heat}` : "unused";
  const label = `${row.name} in ${place}: ${cell.units === null ? "its own cost is not known" : units(cell.units)}${cell.scan ? ", a Scan" : ""}; ${cell.requests ? `${many(cell.requests, "request")}, ${units(cell.live)} of live traffic` : "unused"}`;
  return h("td", { class: `cell ${kind}`, "data-place": place }, h("a", { href: cell.run ?? row.link, title: label }, h("b", {}, cell.scan ? `Scan ${cost}` : cost), h("small", {}, live)));
}

function matrixView(rows, columns) {
  const most = Math.max(1e-9, ...rows.flatMap((row) => [...row.cells.values()].map((cell) => cell.live)));
  const heads = [...Map.groupBy(columns, (one) => one.table)];
  return h("div", { class: "scroll matrix", tabindex: "0", role: "region", "aria-label": "Access patterns by tables and indexes" }, h("table", {},
    h("thead", {},
      h("tr", {}, h("th", { scope: "col", rowspan: 2 }, "Pattern"), heads.map(([table, list]) => h("th", { scope: "colgroup", colspan: list.length, class: "isolated" }, visible(table)))),
      h("tr", {}, columns.map((one) => h("th", { scope: "col", class: "isolated" }, one.index ? visible(one.index) : "the table")))),
    h("tbody", {}, rows.map((row) => h("tr", { class: row.used ? null : "unused" },
      h("th", { scope: "row" }, h("a", { href: row.link, title: row.text }, visible(row.name))), columns.map((column) => cellView(row, column, most)))))));
}

/** Draws the matrix into `out`; `files` is the answer of patterns/files. Ends with `signal`. */
export async function matrix(out, files, signal) {
  fill(out, h("p", { class: "quiet busy" }, "Running the patterns, and reading the journal …"));
  try {
    const { report } = await verb("POST", "patterns/run", {});
    const { rows, requests } = await addTraffic(patternRows(files, report), signal), columns = await columnsOf(rows);
    if (signal.aborted) return;
    fill(out,
      h("div", { class: "row middle" }, h("p", { class: "grow" }, `${many(rows.length, "row")}, ${many(requests, "request")} of the journal. A cell has the units of the pattern with its own values, and what live traffic took there; it leads to the request.`),
        button("Look again", () => matrix(out, files, signal))),
      h("p", { class: "legend" }, h("span", {}, h("span", { class: "dot heat1" }), h("span", { class: "dot heat4" }), "more live traffic"), h("span", {}, h("span", { class: "dot scan" }), "Scan"), h("span", {}, h("span", { class: "dot unused" }), "unused")),
      matrixView(rows, columns));
  } catch (error) {
    if (error.name !== "AbortError") fill(out, problem(error));
  }
}
