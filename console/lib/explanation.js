// An explanation as a card: the reason, the request with its place marked, and what would be better, as a command to use.

import { button, code, h } from "./dom.js";
import { units } from "./format.js";
import { href, unfolded } from "./route.js";
import { visibleLines } from "./values.js";

const WORD = /(?:\\.|[^\s'"\\]|'[^']*'|"(?:\\.|[^"\\])*")+/g;

/** A command of the CLI with an option a line. */
const formatted = (command) => (command.match(WORD) ?? []).reduce((so, word) => so + (!so ? "" : word.startsWith("--") ? " \\\n    " : " ") + word, "");

/** Lines below the reason; a line of ^ marks the one before. */
function linesView(lines) {
  if (!lines?.length) return null;
  const isMark = (line) => /^\s*\^+$/.test(line ?? "");
  const shown = lines.map((line, i) => {
    if (isMark(line)) return null;
    const next = lines[i + 1];
    if (!isMark(next)) return [line, "\n"];
    // Marks count characters: JavaScript's texts count those outside the basic plane twice.
    const from = next.indexOf("^"), to = next.length, letters = [...line.padEnd(to)], part = (...ends) => letters.slice(...ends).join("");
    return [part(0, from), h("mark", {}, part(from, to)), part(to), "\n"];
  });
  return h("pre", { class: "wrap", tabindex: "0" }, shown);
}

/** A text whose fault rules lead to the rule. */
export const withRules = (text) => text.split(/(fault rule \d+)/).map((part, i) => (i % 2 ? h("a", { href: href("control", [], { rule: part.slice(11) }) }, part) : part));

/** A command that was tried: what it gave, beside what the request took, and a button that uses it. */
function proposalView({ try: command, gives }, cost, use) {
  if (!command) return null;
  return h("div", { class: "proposal" },
    gives ? h("p", {}, cost ? [h("b", {}, units(cost)), " now → "] : null, h("b", {}, gives.replace(/^gives /, "")), " with this:") : null,
    code(command, visibleLines(formatted(command))),
    use ? button("Use the proposal", () => use(command), { class: "primary" }) : null);
}

/** `cost` are the request's units; `use` is called with a proposed command. */
export function explanationView(explanation, cost, use) {
  if (!explanation?.text) return null;
  const { reason, lines, hints = [], text } = explanation, loud = hints.filter((one) => one.weight === "hint");
  const all = h("details", unfolded("did"), h("summary", {}, "What it did"), h("pre", { class: "wrap", tabindex: "0" }, text));
  if (!reason && !loud.length) return all;
  return h("section", { class: "why explained", "aria-label": "Explanation" },
    reason ? [h("p", { class: "reason" }, withRules(reason)), linesView(lines), proposalView(explanation, cost, use)] : null,
    loud.map((one) => h("div", {}, h("p", { class: reason ? null : "reason" }, withRules(one.text)), proposalView(one, cost, use))), all);
}
