// Another client's changes of an item, beside the user's own.

import { bareOf } from "./bare.js";
import { h, grid, select } from "./dom.js";
import { differing } from "./changes.js";
import { plain, same, visible } from "./values.js";

const SHOWN = 200; // characters of a value …
const BEFORE = 40; // … and of the equal part before a difference

const NONE = Object.create(null); // the attributes of no item

/** The attributes in which three states of an item differ: [{name, by: "them" | "me" | "both"}]. */
export function differences(base, theirs, mine) {
  const [old, stored, own] = [base, theirs, mine].map((one) => one ?? NONE);
  const changed = new Set(differing(old, stored)), edited = new Set(differing(old, own));
  return [...new Set([...changed, ...edited])].filter((name) => !same(stored[name], own[name]))
    .map((name) => ({ name, by: !edited.has(name) ? "them" : changed.has(name) ? "both" : "me" }));
}

/** The stored item with the chosen attributes of mine, a Set of names. */
export function merged(theirs, mine, chosen) {
  const names = [...new Set([...Object.keys(theirs ?? NONE), ...Object.keys(mine)])];
  return bareOf(names.map((name) => [name, (chosen.has(name) ? mine : theirs ?? NONE)[name]]).filter(([, value]) => value !== undefined));
}

/** Cells of values, long ones from where they begin to differ. */
function valueCells(values) {
  const texts = values.map((value) => (value === undefined ? null : plain(value))), present = texts.filter((text) => text !== null);
  let same = 0;
  if (present.some((text) => text.length > SHOWN)) while (same < present[0].length && present.every((text) => text[same] === present[0][same])) same++;
  const from = same > BEFORE ? same - BEFORE : 0;
  const cut = (text) => visible(`${from ? "…" : ""}${text.slice(from, from + SHOWN)}${text.length > from + SHOWN ? "…" : ""}`);
  return texts.map((text) => h("td", { class: text === null ? "absent" : "mono isolated" }, text === null ? "none" : cut(text)));
}

const nameCell = (name) => h("th", { scope: "row", class: "isolated" }, visible(name));

/** Two or three states of an item, attribute by attribute: states are [heading, item or null]. */
export function statesView(label, states, names) {
  return grid(label, ["Attribute", ...states.map(([heading]) => heading)],
    names.map((name) => h("tr", {}, nameCell(name), valueCells(states.map(([, item]) => (item ?? NONE)[name])))), true);
}

/** {element, chosen()}: theirs and mine, with a choice for each attribute; chosen() is the Set of names that are taken from mine,
 * or throws if an attribute that both changed is not chosen yet. */
export function mergeView(base, theirs, mine) {
  const rows = differences(base, theirs, mine).map((one) => ({ ...one, take: { them: "theirs", me: "mine", both: "" }[one.by] }));
  const words = { them: "they changed it", me: "you changed it", both: "both changed it" };
  const choice = (row) => select([...(row.by === "both" ? [["", "choose …"]] : []), ["theirs", "take theirs"], ["mine", "take mine"]], row.take,
    (value) => { row.take = value; }, { "aria-label": `${visible(row.name)}: theirs or mine` });
  const element = grid("Theirs and mine", ["Attribute", "Before", "Stored now", "Yours", "Changed", "Take"], rows.map((row) => h("tr", {},
    nameCell(row.name), valueCells([base, theirs, mine].map((item) => (item ?? NONE)[row.name])), h("td", { class: row.by === "both" ? "break" : "quiet" }, words[row.by]), h("td", {}, choice(row)))), true);
  const chosen = () => {
    const open = rows.filter((row) => !row.take);
    if (open.length) throw new Error(`choose theirs or mine of ${open.map((row) => visible(row.name)).join(", ")}`);
    return new Set(rows.filter((row) => row.take === "mine").map((row) => row.name));
  };
  return { element, chosen };
}
