// The schema of all tables, or of one, as a picture; and what a further index would change.

import { call } from "../lib/api.js";
import { diagram, diagramFile } from "../lib/diagram.js";
import { ask, button, download, field, fill, grid, h, notice, problem, select } from "../lib/dom.js";
import { count, many, size, units } from "../lib/format.js";
import { go, href, note, unfolded } from "../lib/route.js";
import { accessPaths, describe, keyText, projectionText, tableNames } from "../lib/schema.js";
import { visible } from "../lib/values.js";
import { makeIn, measureIndex } from "../lib/whatif.js";

export const title = "Schema";

const TABLES = 40; // in one picture

/** What the picture says of a table besides its keys. */
async function notesOf(table) {
  const ttl = await call("DescribeTimeToLive", { TableName: table.TableName }).catch(() => null), attribute = ttl?.TimeToLiveDescription?.AttributeName;
  return [
    `${many(table.ItemCount, "item")}, ${size(table.TableSizeBytes)}`,
    table.BillingModeSummary?.BillingMode === "PAY_PER_REQUEST" ? "on demand" : `provisioned, ${table.ProvisionedThroughput.ReadCapacityUnits} read and ${table.ProvisionedThroughput.WriteCapacityUnits} write units`,
    ...(attribute ? [`time to live: ${attribute}`] : []),
    ...(table.StreamSpecification?.StreamEnabled ? [`stream: ${table.StreamSpecification.StreamViewType}`] : []),
    ...(table.Replicas?.length ? [`replicas: ${table.Replicas.map((one) => one.RegionName).join(", ")}`] : []),
    ...(table.VectorIndexes?.length ? [`vector indexes: ${table.VectorIndexes.map((one) => one.IndexName).join(", ")}`] : []),
  ];
}

function asText(tables) {
  return h("details", unfolded("text"), h("summary", {}, "The same as text"), h("ul", {}, tables.map(({ name, paths, notes }) => h("li", { class: "isolated" },
    h("a", { href: href("table", [name]) }, visible(name)), `: ${visible(keyText(paths[0]))}; ${visible(notes.join("; "))} `, h("a", { href: href("collections", [name]) }, "Item collections"),
    h("ul", {}, paths.slice(1).map((path) => h("li", {}, visible(`${path.name}, ${path.kind}: ${keyText(path)}, ${projectionText(path)}`))))))));
}

// --- what if ------------------------------------------------------------------------------------------

const TYPES = ["S", "N", "B"];

/** The index of the form, or a sentence about what is missing. */
function indexOf(state, description) {
  const index = { IndexName: state.name, hash: state.hash.trim(), hashType: state.hashType, sort: state.sort.trim(), sortType: state.sortType, projection: state.hold, include: state.include.split(",").map((one) => one.trim()).filter(Boolean) };
  if (!index.hash) return "the partition key is needed";
  if (accessPaths(description).some((one) => one.name === index.IndexName)) return `the table has an index ${index.IndexName}`;
  if (index.projection === "INCLUDE" && !index.include.length) return "say which attributes it holds";
  return index;
}

function readsTable({ reads }) {
  const shape = ({ operation, request }) => `${operation} ${[request.IndexName, request.KeyConditionExpression, request.FilterExpression].filter(Boolean).join(" · ")}`;
  return grid("Reads that the index answers", ["Read", ["Requests", true], ["Units now", true], ["With the index", true], ["Items", true], "Try it"], reads.map((read) => {
    const after = read.then.units + read.fetch, better = after < read.now.units;
    return h("tr", {},
      h("th", { scope: "row", class: "isolated" }, visible(shape(read))), h("td", { class: "number" }, count(read.requests)),
      h("td", { class: "number" }, `${count(read.now.units)}${read.now.more ? "+" : ""}`),
      h("td", { class: `number ${better ? "hold" : "break"}` }, `${count(after)}${read.then.more ? "+" : ""}`, read.fetch ? h("small", { class: "quiet" }, ` ${count(read.fetch)} of them to read the items whole`) : null),
      h("td", { class: "number" }, read.then.items === read.now.items ? count(read.now.items) : `${count(read.now.items)} → ${count(read.then.items)}`),
      h("td", {}, h("a", { href: href("request", [], { mode: "json", op: "Query", request: JSON.stringify(read.after, null, 2) }) }, "The query")));
  }), true);
}

function resultView(result) {
  const { reads, others, writes, sample } = result;
  const saved = reads.reduce((so, one) => so + one.requests * Math.max(0, one.now.units - one.then.units - one.fetch), 0);
  const each = sample.items ? sample.put / sample.items : 0;
  return [
    reads.length ? [h("p", {}, h("b", {}, `${many(reads.length, "read")} of the journal would use it, and ${units(Math.round(saved * 10) / 10)} would be saved.`)), readsTable(result)]
      : h("p", {}, "No read of the journal gives its partition key with “=”, so none would use it."),
    others ? h("p", { class: "quiet" }, `${many(others, "other read")} would not, or were not tried.`) : null,
    sample.items ? h("p", {}, h("b", {}, `Writes: ${units(Math.round(each * 100) / 100)} more for each new item`), `, measured by ${many(sample.items, "stored item")} deleted and put again in the fork; ${count(sample.indexed)} of them have an entry. Deleting them took ${units(sample.deleted)} more. `,
      writes.requests ? `The journal has ${many(writes.requests, "write")} of this table, ${units(writes.units)}.` : "The journal has no write of this table.")
      : h("p", { class: "quiet" }, "The table is empty, so nothing is known of writes."),
  ];
}

function whatIf(description, params, gone) {
  const state = { name: params.get("name") ?? "byNew", hash: params.get("hash") ?? "", hashType: params.get("ht") ?? "S", sort: params.get("sort") ?? "", sortType: params.get("st") ?? "S", hold: params.get("hold") ?? "ALL", include: params.get("include") ?? "" };
  const out = h("div", { "aria-live": "polite" }), table = description.TableName, more = h("div", { class: "grow" });
  const keep = () => note("schema", [], { table, name: state.name, hash: state.hash, ht: state.hashType, sort: state.sort, st: state.sortType, hold: state.hold, include: state.include });
  const input = (name, more) => h("input", { value: state[name], autocomplete: "off", spellcheck: "false", oninput: (event) => { state[name] = event.target.value; keep(); }, ...more });
  const given = () => {
    const index = indexOf(state, description);
    if (typeof index === "string") fill(out, h("p", { class: "problem", role: "alert" }, `Nothing was tried: ${index}.`));
    return typeof index === "string" ? null : index;
  };
  const run = async () => {
    const index = given(), said = h("p", { class: "busy" }, "Reading the journal …");
    if (!index) return;
    fill(out, said);
    try {
      const result = await measureIndex(description, index, { signal: gone, progress: (text) => { said.textContent = text; } });
      fill(out, resultView(result));
    } catch (error) {
      if (error.name !== "AbortError") fill(out, problem(error));
    }
  };
  const make = async () => {
    const index = given();
    if (!index) return;
    const name = h("input", { value: `with-${index.IndexName}`.slice(0, 64), autocomplete: "off", spellcheck: "false" });
    const world = await ask("Make it in a fork", h("div", {}, h("p", {}, "A new world begins as this one is now, and has the index."), field("Name", name)), [{ text: "Make the fork", run: () => name.value.trim() || undefined }]);
    if (!world) return;
    try {
      await makeIn(world, description, index);
      dispatchEvent(new Event("worlds"));
      notice(`${world} has the index ${index.IndexName}`);
      fill(out, h("p", {}, h("a", { href: href("schema", [], { table, world }) }, `Go to ${world}`)));
    } catch (error) {
      fill(out, problem(error));
    }
  };
  const showMore = () => fill(more, state.hold === "INCLUDE" ? field("Attributes, by commas", input("include")) : null);
  showMore();
  return h("section", { class: "panel" }, h("h2", {}, "What if there were an index?"),
    h("p", { class: "quiet" }, "It is tried in a fork of this world, which is dropped afterwards: with the reads that the journal has of this table, and with writes of some of its items."),
    h("form", { onsubmit: (event) => { event.preventDefault(); run(); } },
      h("div", { class: "row" }, h("div", { class: "grow" }, field("Partition key", input("hash"))), field("Its type", select(TYPES, state.hashType, (value) => { state.hashType = value; keep(); })),
        h("div", { class: "grow" }, field("Sort key (optional)", input("sort"))), field("Its type", select(TYPES, state.sortType, (value) => { state.sortType = value; keep(); }))),
      h("div", { class: "row" }, field("It holds", select([["ALL", "all attributes"], ["KEYS_ONLY", "keys only"], ["INCLUDE", "keys and some"]], state.hold, (value) => { state.hold = value; keep(); showMore(); })), more,
        h("div", { class: "grow" }, field("Name", input("name")))),
      h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Try it"), button("Make it in a fork", make))), out);
}

// --- the view -----------------------------------------------------------------------------------------

export async function show(view, { params }) {
  const names = await tableNames(), chosen = params.get("table") ?? "", gone = new AbortController();
  fill(view, h("h1", {}, "Schema"));
  if (!names.length) {
    view.append(h("p", { class: "quiet" }, "There are no tables yet."));
    return null;
  }
  if (chosen && !names.includes(chosen)) throw new Error(`there is no table ${chosen}`);
  const descriptions = await Promise.all((chosen ? [chosen] : names.slice(0, TABLES)).map((name) => describe(name)));
  const tables = await Promise.all(descriptions.map(async (one) => ({ name: one.TableName, paths: accessPaths(one), notes: await notesOf(one) })));
  const label = `The schema of ${chosen || many(tables.length, "table")}: keys, indexes and what they hold. The same follows as text.`, picture = diagram(tables, label);
  view.append(
    h("div", { class: "row" }, h("div", { class: "grow" }, field("Table", select([["", names.length > TABLES ? `the first ${TABLES} of ${names.length}` : "all"], ...names], chosen, (table) => go("schema", [], { table })))),
      button("Save as SVG", () => download(`${chosen || "schema"}.svg`, new Blob([diagramFile(picture)], { type: "image/svg+xml" })))),
    h("div", { class: "scroll pictured apart", tabindex: "0", role: "region", "aria-label": "The picture" }, picture),
    asText(tables), ...(chosen ? [whatIf(descriptions[0], params, gone.signal)] : [h("p", { class: "quiet" }, "Choose a table to try a further index of it.")]));
  return () => gone.abort();
}
