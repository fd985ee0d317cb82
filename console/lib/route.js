// Every state of the page is a URL: #/VIEW/PART?name=value. Views read it and write it. The world is part of it: an
// address shows the same world in every tab and to every user; without world= it is default.

import { currentWorld } from "./api.js";

/** A search as it is written: attribute = value. A name with "=", and a text with blanks at its ends, are JSON strings. */
export function sayFind(name, text) {
  const as = (one, odd) => (odd.test(one) ? JSON.stringify(one) : one);
  return `${as(name, /[="]|^\s|\s$/)} = ${as(text, /^"|^\s|\s$/)}`;
}

const decoded = (part) => { try { return decodeURIComponent(part); } catch { return part; } };

/** {view, parts, params, world} of the address. */
export function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...parts] = path.split("/").map(decoded), params = new URLSearchParams(query);
  return { view: view || "tables", parts, params, world: params.get("world") || "default" };
}

// Addresses that changed: view → ({parts, params}) → [view, parts, params] of the new one, or null if it is still so.
const MOVED = {
  items: ({ parts: [table], params: { name, text, ...rest } }) => (table ? ["table", [table, "explore"], name ? { mode: "find", find: sayFind(name, text ?? ""), ...rest, run: true } : rest] : ["tables"]),
  rehearse: ({ params: { table, ...rest } }) => (table && !rest.mode ? ["table", [table, "explore"], rest] : ["request", [], { table, ...rest }]),
  table: ({ parts: [table, tab], params: { kind, name, text, ...rest } }) => (!table ? ["tables"] : !tab ? ["table", [table, "settings"]]
    : kind === "Find" || (name && tab === "explore") ? ["table", [table, tab], { ...rest, mode: "find", find: name || text ? sayFind(name ?? "", text ?? "") : "" }] : null),
};

/** Replaces an address of an earlier version by its new one. */
export function redirect() {
  const { view, parts, params, world } = route();
  const all = Object.fromEntries([...new Set(params.keys())].map((name) => [name, params.getAll(name).length > 1 ? params.getAll(name) : params.get(name)]));
  const to = Object.hasOwn(MOVED, view) && MOVED[view]({ parts, params: all });
  if (to) history.replaceState({ place }, "", href(to[0], to[1], { ...to[2], world }));
}

/** The address of a state in the page's world, or in that of `params`; params with null, "" or false are left out. */
export function href(view, parts = [], params = {}) {
  const query = new URLSearchParams(), all = { world: currentWorld(), ...params };
  for (const [name, value] of Object.entries(all)) {
    if (name === "world" && value === "default") continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "" && one !== false) query.append(name, one === true ? "1" : one);
    }
  }
  const text = query.toString();
  return `#/${[view, ...parts].map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
}

/** The state of this address, or of a saved one, in another world. */
export function inWorld(world, address = location.hash) {
  const [path, query = ""] = address.split("?"), params = new URLSearchParams(query);
  if (world === "default") params.delete("world");
  else params.set("world", world);
  const text = params.toString();
  return text ? `${path || "#/"}?${text}` : path || "#/";
}

export function go(view, parts = [], params = {}) {
  location.hash = href(view, parts, withShown(view, parts, params));
}

let place = history.state?.place ?? 0; // of the current state, in the browser's history

/** How many places the browser moved from the current state; an entry without a number is new. */
export const moved = () => (history.state?.place ?? place + 1) - place;

/** The address's state is now shown. */
export function arrive() {
  place += moved();
  history.replaceState({ place }, "");
}

/** Draws the address's state again. */
export const again = () => dispatchEvent(new HashChangeEvent("hashchange"));

const OF_TABLE = new Set(["table", "collections"]); // views whose first part is a table

/** Whether the address is still this view's: what comes late must not change the address of the next one. */
function isShown(view, parts) {
  const now = route();
  return now.view === view && (!OF_TABLE.has(view) || now.parts[0] === parts[0]);
}

/** Params of what any view may have on it: the language of a request, the form of items, the column that they are sorted by, and
 * parts that are unfolded. A view does not name them; they stay while it is shown. */
export const SHOWN = ["lang", "items", "order", "unfold"];

function withShown(view, parts, params) {
  const now = route();
  return now.view !== view || now.parts.join("/") !== parts.join("/") ? params
    : { ...Object.fromEntries(SHOWN.map((name) => [name, now.params.getAll(name)])), ...params };
}

/** Adds a state to the browser's history, without drawing the view again; nothing if the view is not shown any more. */
export function step(view, parts, params) {
  if (isShown(view, parts)) history.pushState({ place: ++place }, "", href(view, parts, withShown(view, parts, params)));
}

/** Writes a state to the address, without drawing the view again; nothing if the view is not shown any more. */
export function note(view, parts, params) {
  if (isShown(view, parts)) history.replaceState({ place }, "", href(view, parts, withShown(view, parts, params)));
}

/** Writes one of SHOWN to the address. */
export function noteShown(name, value) {
  const { view, parts, params } = route();
  note(view, parts, { ...Object.fromEntries([...new Set(params.keys())].map((one) => [one, params.getAll(one)])), [name]: value });
}

/** Attributes of a <details> that is unfolded by its name in the address; onopen() is called when it is opened. */
export function unfolded(name, onopen) {
  const all = () => route().params.getAll("unfold");
  return { open: all().includes(name), ontoggle: ({ target }) => {
    if (!target.isConnected) return;
    if (target.open) onopen?.();
    if (target.open !== all().includes(name)) noteShown("unfold", target.open ? [...all(), name] : all().filter((one) => one !== name));
  } };
}

let unsaved = null;

/** isUnsaved() says whether the view has unsaved edits: then users are asked before they leave. It is used until the
 * view goes. */
export function guard(isUnsaved) {
  unsaved = isUnsaved;
}

export const isUnsaved = () => Boolean(unsaved?.());
