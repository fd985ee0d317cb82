// A case file: opens one in a new world, and shows what the one of this world says.

import { currentWorld } from "../lib/api.js";
import { bareOf } from "../lib/bare.js";
import { caseOf, openCase, requestAddress } from "../lib/casefile.js";
import { code, field, fill, h, notice, problem } from "../lib/dom.js";
import { explanationView } from "../lib/explanation.js";
import { count, many, units } from "../lib/format.js";
import { href, unfolded } from "../lib/route.js";
import { cli } from "../lib/snippets.js";
import { visibleLines } from "../lib/values.js";

export const title = "Case file";

/** Opens a file in a new world, and goes to its request there. */
export async function enterCase(file) {
  const { world, address } = await openCase(file);
  notice(`${world} is a new world, with what the file has`);
  location.hash = address;
}

function outcomeView({ from, answer, error, units: took, items_left_out: left, explanation }, use) {
  return [
    h("p", { class: "quiet" }, from === "case" ? "Measured with these items alone." : "As it was where it was asked; with these items alone it may be different."),
    error ? problem(seen(error)) : null,
    answer ? h("p", { class: "legend" }, answer.Count >= 0 ? h("span", {}, `returned ${count(answer.Count)} of ${count(answer.ScannedCount ?? answer.Count)} read`) : null, took === undefined ? null : h("span", {}, h("b", {}, units(took)))) : null,
    explanationView(seen(explanation), took ?? 0, use),
    answer ? h("details", unfolded("answer"), h("summary", {}, "The answer"), h("pre", { class: "wrap", tabindex: "0" }, visibleLines(JSON.stringify(answer, null, 2))), left ? h("p", { class: "quiet" }, `Without ${many(left, "item")} of it.`) : null) : null,
  ];
}

/** A value of the file whose texts have no character that is not seen; commands stay as they are, since they can be used. */
function seen(value, name) {
  if (typeof value === "string") return name === "try" ? value : visibleLines(value);
  if (Array.isArray(value)) return value.map((one) => seen(one));
  return value && typeof value === "object" ? bareOf(Object.entries(value).map(([of, one]) => [of, seen(one, of)])) : value;
}

/** What a case file says. All of it is text of the file. */
function caseView(one, world) {
  const command = cli(one.operation, one.request), use = (text) => { location.hash = href("request", [], { mode: "command", command: text, run: true }); };
  return h("section", { class: "panel", "aria-label": "What the file says" },
    h("h2", {}, one.operation), one.note ? h("p", { class: "isolated note" }, visibleLines(one.note).split("\n").map((line) => [line, h("br")])) : null,
    code(command, visibleLines(command)), outcomeView(one, use),
    h("ul", {}, one.tables.map(({ create, items }) => h("li", {}, h("a", { class: "isolated", href: href("table", [create.TableName, "explore"]) }, create.TableName), `: ${many(items.length, "item")}`))),
    h("div", { class: "row" }, h("a", { class: "button primary", href: requestAddress(one, world) }, "Show the request")));
}

export async function show(view) {
  const world = currentWorld(), one = caseOf(world), said = h("div", { role: "status" });
  const chooser = h("input", { type: "file", accept: ".json,application/json", onchange: async () => {
    const [file] = chooser.files;
    if (!file) return;
    chooser.disabled = true;
    fill(said, h("p", { class: "busy" }, "Opening …"));
    try {
      await enterCase(file);
    } catch (error) {
      fill(said, problem(error));
      chooser.value = ""; // so that the same file can be chosen again
    } finally {
      chooser.disabled = false;
    }
  } });
  fill(view, h("h1", {}, "Case file"), one ? caseView(one, world) : null,
    h("section", { class: "panel", "aria-label": "Open" }, field("Open a case file", chooser, "or drop it anywhere on the page"), said,
      h("p", { class: "quiet" }, "“Share” at an answer, or at a request of Live, makes one. It is opened in a new world, with its tables and items and nothing else: no world that exists is changed. Its request is run there only if it reads.")));
}
