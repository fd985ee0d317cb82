// Files: a table's items as one, and files' tables and items into the world.

import { button, download, field, fill, h, notice, problem, select } from "../lib/dom.js";
import { many, size } from "../lib/format.js";
import { keyChoice, keyFields } from "../lib/index_fields.js";
import { FORMS, exported, imported } from "../lib/transfer.js";

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

/** The result of a file. */
function outcomeView(file, { items, deleted, refused, tables_made: made, refusals, notes, problem: end }) {
  const whole = !refused && !end, nothing = whole && !items && !deleted && !made;
  const parts = [made ? `${many(made, "table")} created` : "", items || !made ? `${many(items, "item")} imported` : "", deleted ? `${many(deleted, "item")} deleted` : "", refused ? `${many(refused, "record")} refused` : ""];
  return h("section", { "aria-label": file.name },
    h("p", {}, h("span", { class: `tag ${whole && !nothing ? "good" : "warn"}` }, nothing ? "nothing in it" : whole ? "done" : "in part"), " ", h("b", {}, file.name), `: ${parts.filter(Boolean).join(", ")}`),
    refusals.length ? refusalsView(refusals) : null,
    refused > refusals.length ? h("p", { class: "quiet" }, `The first ${refusals.length} are shown.`) : null,
    end ? problem({ type: "Ended early", message: end }) : null,
    notes.map((text) => h("p", { class: "quiet" }, text)));
}

/** Asks for the key of a table that is missing; `make` receives it in the verb's form. */
function keyView(file, { missing_table: table, attributes }, make) {
  const named = (wanted) => attributes.find((one) => wanted.test(one.name));
  const known = attributes.length > 0, fields = known ? keyChoice : keyFields;
  const parts = [fields("Partition key", true, attributes, named(/^pk$/i) ?? named(/^id$/i) ?? attributes[0]), fields("Sort key (optional)", false, attributes, named(/^sk$/i))];
  return h("form", { class: "why", "aria-label": `Key of ${table}`, onsubmit: (event) => {
    event.preventDefault();
    make(parts.map((part) => part.read()).filter(Boolean).map(({ name, type }) => `${name}:${type}`).join(","));
  } },
    h("p", {}, h("b", {}, `There is no table ${table} yet. `), `What is its key? Each item of ${file.name} has to have it.`),
    parts.map((part) => part.element),
    h("div", { class: "row end" }, h("button", { type: "submit", class: "primary" }, "Create the table and import")));
}

/** Files that describe tables come before those with their items. */
async function inOrder(files) {
  const heads = await Promise.all(files.map((file) => file.slice(0, 4096).text()));
  const isTable = (i) => /"(KeySchema|AttributeDefinitions)"/.test(heads[i]);
  return files.map((file, i) => [file, isTable(i)]).sort(([, a], [, b]) => b - a).map(([file]) => file);
}

/** A place for files: {element, stop()}. All items go into `table`, if one is given; `refresh` is called after some were imported. */
export function importPanel({ table = "", refresh }) {
  const said = h("div", { role: "status" });
  let stops = [];
  const send = (file, work, into) => work.run(async (say, signal) => {
    const answer = await imported(file, into, ({ sent, items }) => {
      say(items === undefined ? `${file.name}: ${size(sent)} of ${size(file.size)} sent …` : `${file.name}: ${many(items, "item")} so far …`);
    }, signal);
    refresh();
    return answer.missing_table ? keyView(file, answer, (key) => send(file, work, { ...into, key })) : outcomeView(file, answer);
  });
  const stop = () => {
    for (const one of stops) one();
    stops = [];
  };
  const read = async (files) => {
    stop();
    const works = (await inOrder([...files])).map((file) => {
      const place = h("div");
      return [file, place, working(place)];
    });
    stops = works.map(([, , work]) => work.stop);
    fill(said, works.map(([, place]) => place));
    const into = table || name.value.trim();
    for (const [file, , work] of works) if (stops.includes(work.stop)) await send(file, work, into ? { table: into } : {});
  };
  const name = h("input", { autocomplete: "off", spellcheck: "false" });
  const chooser = h("input", { type: "file", multiple: true, onchange: (event) => read(event.target.files) });
  const over = (on) => (event) => { event.preventDefault(); drop.classList.toggle("over", on); };
  const drop = h("div", {
    class: "drop", ondragover: over(true), ondragleave: over(false),
    ondrop: (event) => { over(false)(event); read(event.dataTransfer.files); },
  }, h("div", { class: "row" },
    h("div", { class: "grow" }, field("Choose files, or drop them here", chooser)),
    table ? null : h("div", { class: "grow" }, field("Table", name))),
  h("small", { class: "quiet" }, "DynamoDB JSON, what the AWS CLI prints, plain JSON, CSV or Ion, as it is or packed by gzip or zstd. ", table
    ? "NoSQL Workbench models and table descriptions create tables: import them under Tables."
    : "NoSQL Workbench models and table descriptions create their tables; other files go into the table of their name, unless you name one."));
  return { element: h("section", { class: "panel apart", "aria-label": "Import" }, h("h2", {}, "Import"), drop, said), stop };
}
