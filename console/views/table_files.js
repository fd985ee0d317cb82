// A table's items as a file, and a file's items into the table.

import { button, field, fill, h, notice, problem, select } from "../lib/dom.js";
import { many } from "../lib/format.js";
import { FORMS, exported, imported } from "../lib/transfer.js";

/** Gives the reader a file. */
function save(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** {element, stop()}; `again` is called when items came in. */
export function filesPanel(table, again) {
  const said = h("div", { role: "status" });
  let running = null;
  const doing = async (word, work) => {
    running?.abort();
    running = new AbortController();
    const line = h("p", { class: "busy" }, "Reading …");
    fill(said, line, button("Stop", () => running.abort()));
    try {
      await work((done) => { line.textContent = `${many(done, "item")} ${word} …`; }, running.signal);
      fill(said);
    } catch (error) {
      fill(said, error.name === "AbortError" ? h("p", { class: "quiet" }, `Stopped: ${line.textContent}`) : problem(error));
    }
  };
  const form = select(Object.entries(FORMS).map(([value, { name }]) => [value, name]), "lines");
  const write = () => doing("written", async (progress, signal) => {
    save(await exported(table, form.value, progress, signal), `${table.TableName}.${FORMS[form.value].ending}`);
    notice("The file is ready");
  });
  const read = (file) => file && doing("read", async (progress, signal) => {
    notice(`${many(await imported(table, file, progress, signal), "item")} put into ${table.TableName}`);
    again();
  });
  const chooser = h("input", { type: "file", accept: ".json,.jsonl,.ndjson,.gz", onchange: (event) => read(event.target.files[0]) });
  const drop = h("div", {
    class: "grow drop",
    ondragover: (event) => event.preventDefault(),
    ondrop: (event) => { event.preventDefault(); read(event.dataTransfer.files[0]); },
  }, field("Import: choose a file, or drop one here", chooser, "lines of DynamoDB JSON, as an export of the service has them; gzip too"));
  return {
    element: h("div", { class: "panel" },
      h("div", { class: "row" }, field("Form of the file", form), button("Export", write), drop), said),
    stop: () => running?.abort(),
  };
}
