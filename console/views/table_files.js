// Files: a table's items as one, and files' tables and items into the world.

import { button, download, field, fill, h, notice, problem, select, showFaults } from "../lib/dom.js";
import { many, size } from "../lib/format.js";
import { keyChoice } from "../lib/index_fields.js";
import { href } from "../lib/route.js";
import { accessPaths, describe, keyText, tableNames } from "../lib/schema.js";
import { FORMS, exported, imported, lookAt } from "../lib/transfer.js";

/** Shows work that takes a while in `place`, with a button that stops it: work(say, signal). */
function working(place) {
  let running = null;
  const run = async (work) => {
    running?.abort();
    running = new AbortController();
    const line = h("p", { class: "busy" }, "Reading …");
    fill(place, line, button("Stop", () => running.abort()));
    try {
      fill(place, await work((text) => { line.textContent = text; }, running.signal));
    } catch (error) {
      fill(place, error.name === "AbortError" ? h("p", { class: "quiet" }, `Stopped: ${line.textContent}`) : problem(error));
    }
  };
  return { run, stop: () => running?.abort() };
}

// --- out ---------------------------------------------------------------------------------------------

/** {element, stop()} */
export function exportPanel(table) {
  const said = h("div", { role: "status" }), { run, stop } = working(said);
  const form = select(Object.entries(FORMS).map(([value, { name }]) => [value, name]), "lines");
  const write = () => run(async (say, signal) => {
    download(`${table.TableName}.${FORMS[form.value].ending}`, await exported(table, form.value, (done) => say(`${many(done, "item")} written …`), signal));
    notice("The file is ready");
  });
  return { element: h("section", { class: "panel apart", "aria-label": "Export" }, h("h2", {}, "Export"), field("Format", form), button("Export", write), said), stop };
}

// --- in ----------------------------------------------------------------------------------------------

const byLine = (a, b) => (a.line ?? 0) - (b.line ?? 0);

const refusalsView = (refusals) => h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What was refused" },
  h("table", {}, h("thead", {}, h("tr", {}, ["Line", "Column"].map((text) => h("th", { scope: "col", class: "number" }, text)), h("th", { scope: "col" }, "What is wrong"))),
    h("tbody", {}, [...refusals].sort(byLine).map(({ line, column, message }) => h("tr", {},
      h("td", { class: "number" }, line || "–"), h("td", { class: "number" }, column ?? "–"), h("td", {}, message))))));

const refusedView = ({ refused, refusals }) => [refusals.length ? refusalsView(refusals) : null, refused > refusals.length ? h("p", { class: "quiet" }, `The first ${refusals.length} are shown.`) : null];

const notesView = (notes) => notes.map((text) => h("p", { class: "quiet" }, text));

/** The tables that a file's items went into, or would go into. */
const tablesView = (tables) => tables.toReversed().map(({ name, created, now }, i) => [i ? ", " : " into ", h("a", { class: "isolated", href: href("table", [name, "explore"]) }, name),
  created ? " (new)" : "", now === undefined ? "" : `, which has ${many(now, "item")} now`]);

/** The answer of an import, with how many items its tables have now: items with the same key took one place. */
async function withCounts(answer) {
  const counts = await Promise.all(answer.tables.map(({ name }) => describe(name).then((table) => table.ItemCount, () => undefined)));
  return { ...answer, tables: answer.tables.map((one, i) => ({ ...one, now: counts[i] })) };
}

/** The result of a file. */
function outcomeView(file, answer) {
  const { items, deleted, refused, tables, tables_made: made, notes, problem: end } = answer;
  const whole = !refused && !end, nothing = whole && !items && !deleted && !made;
  const others = [deleted ? `, ${many(deleted, "item")} deleted` : "", refused ? `, ${many(refused, "record")} refused` : ""];
  return h("section", { "aria-label": file.name },
    h("p", {}, h("span", { class: `tag ${whole && !nothing ? "good" : "warn"}` }, nothing ? "nothing in it" : whole ? "done" : "in part"), " ", h("b", {}, file.name), `: ${items || !made ? `${many(items, "item")} imported` : "imported"}`, tablesView(tables), others),
    refusedView(answer), end ? problem({ type: "Ended early", message: end }) : null, notesView(notes));
}

const NAME = /^[\w.-]{3,255}$/; // of a table
const nameFrom = (text) => text.replace(/[^\w.-]+/g, "-").slice(0, 255).padEnd(3, "-");

/** The table for a file of items: the one of its name, one whose name is in its name, or a new one. */
function suggested(file, name, known) {
  const text = file.name.toLowerCase(), within = known.filter((one) => text.includes(one.toLowerCase())).sort((one, other) => other.length - one.length);
  return known.includes(name) ? name : within[0] ?? nameFrom(name);
}

/** Which table a file's items go into, with the key of a new one: {element, read()}; `made` is name → file that makes the table before. */
function targetView(file, { attributes, tables: [{ name: own }] }, known, made) {
  const named = (wanted) => attributes.find((one) => wanted.test(one.name)), at = `table of ${file.name}`;
  const key = [keyChoice("Partition key", true, attributes, named(/^pk$/i) ?? named(/^id$/i) ?? attributes[0]), keyChoice("Sort key (optional)", false, attributes, named(/^sk$/i))];
  const name = h("input", { value: suggested(file, own, [...known, ...made.keys()]), autocomplete: "off", spellcheck: "false", list: "import-tables", "data-field": at, oninput: () => draw() });
  const place = h("div"), isNew = () => !known.includes(name.value.trim()) && !made.has(name.value.trim());
  const draw = async () => {
    const now = name.value.trim();
    if (isNew()) {
      fill(place, h("p", {}, h("span", { class: "tag warn" }, "new table"), " Each item has to have its key."), key.map((part) => part.element));
      return;
    }
    fill(place, h("p", {}, h("span", { class: "tag" }, made.has(now) ? `made by ${made.get(now)}` : "existing table")));
    const table = made.has(now) ? null : await describe(now).catch(() => null);
    if (!table || now !== name.value.trim()) return;
    const lacks = table.KeySchema.map((part) => part.AttributeName).filter((part) => !attributes.some((one) => one.name === part));
    place.firstChild.append(` Its key is ${keyText(accessPaths(table)[0])}; an item takes the place of one with the same key. `, lacks.length ? h("b", { class: "break" }, `The first item has no ${lacks.join(" and no ")}.`) : "");
  };
  draw();
  const read = () => ({ table: name.value.trim(), at, ...(isNew() ? { key: key.map((part) => part.read()).filter(Boolean).map((part) => `${part.name}:${part.type}`).join(",") } : {}) });
  return { element: h("div", {}, field("Table", name), place), read };
}

/** Files that describe tables come before those with their items. */
async function inOrder(files) {
  const heads = await Promise.all(files.map((file) => file.slice(0, 4096).text()));
  const isTable = (i) => /"(KeySchema|AttributeDefinitions)"/.test(heads[i]);
  return files.map((file, i) => [file, isTable(i)]).sort(([, a], [, b]) => b - a).map(([file]) => file);
}

const progressText = (file, { sent, items }) => (items === undefined ? `${file.name}: ${size(sent)} of ${size(file.size)} sent …` : `${file.name}: ${many(items, "item")} so far …`);

/** A place for files: {element, stop()}. Each file is looked at first; what it has and where its items go is shown, and imported by one
 * button. All items go into `table`, if one is given; `refresh` is called after some were imported. */
export function importPanel({ table = "", refresh }) {
  const said = h("div", { role: "status" }), end = h("div", { class: "row" });
  let parts = []; // of the files: {file, place, work, read(): what to import it into, null: nothing}
  const stop = () => {
    for (const { work } of parts) work.stop();
    parts = [];
  };

  async function look(part, known, made) {
    const { file, work } = part;
    await work.run(async (say, signal) => {
      const answer = await lookAt(file, table, (so) => say(progressText(file, so)), signal);
      const { items, deleted, refused, tables, attributes, problem: ended, notes } = answer, isItems = !tables.length || attributes.length > 0 || tables.some(({ key }) => !key.length);
      if (items || deleted || (!isItems && tables.some((one) => one.created))) part.read = () => (table ? { table } : {});
      const target = isItems && part.read && !table ? targetView(file, answer, known, made) : null;
      if (!isItems) for (const one of tables) if (one.created) made.set(one.name, file.name);
      if (target) part.read = target.read;
      const found = [many(items, "item"), deleted ? `${many(deleted, "item")} to delete` : "", refused ? `${many(refused, "record")} refused` : ""];
      const nothing = !part.read && !refused && !ended;
      return h("section", { "aria-label": file.name },
        h("p", {}, nothing ? h("span", { class: "tag warn" }, "nothing in it") : null, " ", h("b", {}, file.name), `: ${found.filter(Boolean).join(", ")}`, target || !part.read ? null : tablesView(tables)),
        target?.element, refusedView(answer), ended ? problem({ type: "Not read to its end", message: ended }) : null, notesView(notes));
    });
  }
  async function choose(files) {
    const mine = (await inOrder([...files])).map((file) => { const place = h("div", { class: "file" }); return { file, place, work: working(place), read: null }; }), made = new Map();
    chooser.value = ""; // so that the same file can be chosen again
    if (!mine.length) return;
    if (chooser.disabled) {
      notice("An import is under way: choose the files when it has ended", "wrong");
      return;
    }
    stop();
    parts = mine;
    fill(end);
    fill(said, mine.map((one) => one.place));
    const known = await tableNames().catch(() => []);
    fill(names, known.map((value) => h("option", { value })));
    for (const part of mine) if (parts === mine) await look(part, known, made);
    if (parts === mine && mine.some((part) => part.read)) fill(end, button("Import", run, { class: "primary" }));
  }
  async function run() {
    const list = parts.filter((part) => part.read).map((part) => ({ ...part, into: part.read() })), faults = list.filter(({ into }) => into.at && !NAME.test(into.table)).map(({ into }) => ({ at: into.at, message: into.table ? "a name has 3 to 255 of A-Z, a-z, 0-9, _, - and ." : "missing: which table are the items for?" }));
    showFaults(said, faults);
    if (faults.length) return;
    fill(end);
    chooser.disabled = true;
    const all = parts;
    for (const { file, work, into: { at, ...into } } of list) {
      if (parts !== all) return; // the view was left
      await work.run(async (say, signal) => outcomeView(file, await withCounts(await imported(file, into, (so) => say(progressText(file, so)), signal))));
    }
    chooser.disabled = false;
    refresh();
  }

  const names = h("datalist", { id: "import-tables" });
  const chooser = h("input", { type: "file", multiple: true, onchange: (event) => choose(event.target.files) });
  const over = (on) => (event) => { event.preventDefault(); drop.classList.toggle("over", on); };
  const drop = h("div", {
    class: "drop", ondragover: over(true), ondragleave: over(false),
    ondrop: (event) => { over(false)(event); choose(event.dataTransfer.files); },
  }, field("Choose files, or drop them here", chooser), names,
  h("small", { class: "quiet" }, "DynamoDB JSON, what the AWS CLI prints, plain JSON, CSV or Ion, as it is or packed by gzip or zstd. ", table
    ? `All items go into ${table}. NoSQL Workbench models and table descriptions create tables: import them under Tables.`
    : "NoSQL Workbench models and table descriptions create their tables. Nothing is written before you press Import."));
  return { element: h("section", { class: "panel apart", "aria-label": "Import" }, h("h2", {}, "Import"), drop, said, end), stop };
}
