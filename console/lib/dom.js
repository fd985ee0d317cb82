// Makes elements from data. Text only becomes text nodes: no value can turn into markup.

import { noAnswer } from "./api.js";

/** An element: h("p", {class: "quiet", onclick: f}, "text", [more], null). */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) set(element, name, value);
  element.append(...flat(children));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** Like h, for SVG. */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...flat(children));
  return element;
}

function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

// Must be set as properties, since the attributes are only initial values.
const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "hidden", "open", "indeterminate", "readOnly"]);

function set(element, name, value) {
  if (value === null || value === undefined) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (PROPERTIES.has(name)) element[name] = value;
  else if (value === true) element.setAttribute(name, "");
  else if (value !== false) element.setAttribute(name, value);
}

/** Replaces an element's content. */
export function fill(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

let ids = 0;

/** A label and its control, which belong together for a screen reader. */
export function field(label, control, hint) {
  const id = `f${++ids}`;
  control.id = id;
  const note = hint ? h("small", { id: `${id}h`, class: "quiet" }, hint) : null;
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "field" }, h("label", { for: id }, label), control, note);
}

/** A choice; options are texts or [value, text]. */
export function select(options, value, onchange, more) {
  return h("select", { onchange: (event) => onchange?.(event.target.value), ...more },
    options.map((option) => {
      const [of, text] = Array.isArray(option) ? option : [option, option];
      return h("option", { value: of, selected: of === value }, text);
    }));
}

export function checkbox(label, checked, onchange, more) {
  return h("label", { class: "check" },
    h("input", { type: "checkbox", checked, onchange: (event) => onchange(event.target.checked), ...more }), label);
}

const marked = new WeakMap(); // control → function that removes its mark

function mark(control, message) {
  if (!control || marked.has(control)) return;
  const described = control.getAttribute("aria-describedby"), note = h("small", { id: `e${++ids}`, class: "fault" }, message);
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", [described, note.id].filter(Boolean).join(" "));
  control.closest(".field, .check").append(note);
  const clear = () => {
    marked.delete(control);
    note.remove();
    control.removeAttribute("aria-invalid");
    if (described) control.setAttribute("aria-describedby", described);
    else control.removeAttribute("aria-describedby");
  };
  marked.set(control, clear);
  for (const event of ["input", "change"]) control.addEventListener(event, () => marked.get(control)?.());
}

/** Shows errors at the fields within `root`, until they are changed: [{at, message}], where `at` is the
 * control's data-field. The first gets the focus. */
export function showFaults(root, faults) {
  for (const one of root.querySelectorAll("[aria-invalid]")) marked.get(one)?.();
  const controls = faults.map(({ at, message }) => {
    const control = root.querySelector(`[data-field="${at}"]`), folded = control?.closest("details");
    if (folded) folded.open = true;
    mark(control, message);
    return control;
  });
  controls.find(Boolean)?.focus();
}

export function button(text, onclick, more) {
  return h("button", { type: "button", onclick, ...more }, text);
}

/** A line under the page's content, for screen readers too; it disappears by itself, or by its button. `action` is a further button, for
 * which it stays longer. Returns a function that removes it. */
export function notice(text, kind = "done", action = null) {
  const line = h("div", { class: `notice ${kind}`, role: kind === "wrong" ? "alert" : "status" }, h("span", {}, text), action,
    button("✕", () => line.remove(), { "aria-label": "Close the message" }));
  document.getElementById("notices").append(line);
  setTimeout(() => line.remove(), action ? 15000 : kind === "wrong" ? 9000 : 4000);
  return () => line.remove();
}

/** Whether an error says that a part of the page could not be loaded, in the words of any browser. */
export const isNotLoaded = (error) => error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message);

/** An error, in its place on the page. */
export function problem(thrown) {
  const error = isNotLoaded(thrown) ? noAnswer() : thrown;
  return h("div", { class: "problem", role: "alert" },
    h("strong", {}, error.type ?? "Error"), " ", error.message ?? String(error));
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    notice("Copied");
  } catch {
    notice("The browser does not let this page copy; select the text instead", "wrong");
  }
}

/** Offers a file for download. */
export function download(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** A table in a region that scrolls: heads are texts or [text, is a number]; `stacked`: in a narrow window each row is a
 * list, whose cells have labels. */
export function grid(label, heads, rows, stacked = false) {
  const names = heads.map((head) => [head].flat());
  if (stacked) for (const row of rows) [...row.cells].forEach((cell, i) => { cell.dataset.label = names[i][0]; });
  return h("div", { class: stacked ? "scroll stacked" : "scroll", tabindex: "0", role: "region", "aria-label": label },
    h("table", {}, h("thead", {}, h("tr", {}, names.map(([text, number]) => h("th", { scope: "col", class: number ? "number" : null }, text)))), h("tbody", {}, rows)));
}

const WRAPPED = 20000; // characters at most of a text whose long lines are wrapped, which takes time

/** A text to copy, such as a command; `shown` may be less of it. */
export function code(text, shown = text) {
  return h("div", { class: "code" }, h("pre", { tabindex: "0", class: shown.length <= WRAPPED ? "wrap" : null }, shown), button("Copy", () => copy(text)));
}

/** Draws again in `place`, so that the page's scroll position, those of its regions and the focus stay. */
export async function stay(place, draw) {
  const mark = (one) => [one.tagName, one.getAttribute("aria-label") ?? one.getAttribute("href") ?? one.labels?.[0]?.textContent ?? one.textContent].join();
  const all = (like) => [...place.querySelectorAll(like.split(",")[0])].filter((one) => mark(one) === like);
  const focused = place.contains(document.activeElement) ? document.activeElement : null, like = focused && mark(focused), nth = like && all(like).indexOf(focused);
  const top = document.scrollingElement.scrollTop, regions = [...place.querySelectorAll("[role=region]")].map((one) => [mark(one), one.scrollTop, one.scrollLeft]);
  await draw();
  for (const [name, y, x] of regions) for (const one of all(name)) one.scrollTo(x, y);
  document.scrollingElement.scrollTop = top;
  if (focused && !focused.isConnected && document.activeElement === document.body) all(like)[nth]?.focus({ preventScroll: true });
}

const open = new Set(); // functions that close the open dialogs

/** Dialogs belong to their view: they close with it, without an answer. */
export function closeDialogs() {
  for (const close of open) close(null);
}

/** A dialog with a question, or only with a text if it has no actions; resolves to its button's result, or null when it is closed.
 * Enter in a field presses the last button, unless its action is dangerous. */
export function ask(title, content, actions, leave = actions.length ? "Cancel" : "Close") {
  return new Promise((resolve) => {
    const close = (value) => { open.delete(close); dialog.close(); dialog.remove(); resolve(value); };
    const dialog = h("dialog", { "aria-label": title, oncancel: (event) => { event.preventDefault(); close(null); } },
      h("form", { method: "dialog", novalidate: true, onsubmit: (event) => event.preventDefault() },
        h("h2", {}, title), content,
        h("div", { class: "row end" },
          button(leave, () => close(null)),
          actions.map(({ text, run, kind, disabled }, i) => {
            const one = button(text, async () => {
              const value = await run();
              if (value !== undefined) close(value);
            }, { class: kind ?? "primary", type: kind !== "danger" && i === actions.length - 1 ? "submit" : "button" });
            if (disabled) disabled(one);
            return one;
          }))));
    document.body.append(dialog);
    open.add(close);
    dialog.showModal();
  });
}
