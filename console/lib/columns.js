// A table of items, whose columns can be sorted, resized, hidden, pinned and moved; the choice is kept in this browser, for
// each table. Arrow keys move from cell to cell; the cell with the focus is shown in full below the table.

import { button, copy, fill, h } from "./dom.js";
import { many } from "./format.js";
import { recall, remember } from "./memory.js";
import { noteShown, route } from "./route.js";
import { TYPE_NAMES, brief, compare, plain, typeOf, typesByName, visible } from "./values.js";

const ROWS = 100;         // drawn at once
const COLUMNS = 24;       // drawn at first, …
const MORE_COLUMNS = 200; // … and with each press of a button
const BRIEF = 120;        // characters of a value in a cell
const FULL = 4000;        // … and below the table
const KEY_CUT = 40;       // characters of a key, which are cut in the middle
const LETTER_PX = 8.2;    // of a cell
const STEP_PX = 60;       // of a press of Wider or Narrower
const LEAST_PX = 60, MOST_PX = 1600;

/** A text of at most `most` characters: keys often begin alike, so the middle is left out. */
function cutMiddle(text, most) {
  if (text.length <= most) return text;
  const head = Math.floor((most - 1) * 0.4);
  return `${text.slice(0, head)}…${text.slice(head + 1 - most)}`;
}

/** The user's choice of columns: {order, hidden, pinned: names, widths: [[name, pixels]]}. */
function columnChoice(of) {
  const choice = { order: [], hidden: [], pinned: [], widths: [], ...(of ? recall(`columns.${of}`, {}) : {}) };
  const save = () => { if (of) remember(`columns.${of}`, choice); };
  return {
    choice,
    set: (part, values) => { choice[part] = values; save(); },
    toggle: (part, name) => { choice[part] = choice[part].includes(name) ? choice[part].filter((one) => one !== name) : [...choice[part], name]; save(); },
    widthOf: (name) => choice.widths.find(([one]) => one === name)?.[1],
    setWidth: (name, px) => { choice.widths = [...choice.widths.filter(([one]) => one !== name), [name, Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, px)))]]; save(); },
  };
}

/** The whole value of a cell with the focus, its name and type, and buttons: {element, show(name, value)}. */
function cellBar(showValue) {
  const element = h("div", { class: "cellbar", hidden: true });
  const show = (name, value) => {
    element.hidden = false;
    fill(element, h("b", { class: "isolated" }, visible(name)), " ", h("small", { class: "quiet" }, value ? TYPE_NAMES[typeOf(value)] : "no such attribute"),
      value ? [h("div", { class: "mono isolated whole-value" }, brief(value, FULL)),
        h("div", { class: "row" }, button("Copy", () => copy(plain(value))), button("All of it", () => showValue(name, value)))] : null);
  };
  return { element, show };
}

/** {first: the key's attributes, lead: [[heading, content(item)]] of columns before the attributes, caption, label: of the region,
 * of: the table's name, showValue(name, value)}. */
export function itemsTable(items, { first, lead = [], caption, label = "Items", of = "", showValue }) {
  const types = typesByName(items, first), columns = columnChoice(of), { choice } = columns;
  const head = h("thead"), body = h("tbody"), hidden = h("div"), said = h("p", { class: "quiet", role: "status" });
  const bar = cellBar(showValue), menu = h("div", { popover: "auto", class: "menu" });
  const more = button("Show more", () => add(), { class: "link" });
  const order = route().params.get("order") ?? "", ordered = order.replace(/^-/, "");
  let sort = types.has(ordered) ? { name: ordered, down: order !== ordered } : types.has(order) ? { name: order, down: false } : null, sorted = items, names = [], shown = 0, wide = COLUMNS;

  const uniform = (name) => (types.get(name).size === 1 ? [...types.get(name)][0] : null);
  const isPinned = (name) => choice.pinned.includes(name);

  function arrange() {
    const at = (list, name) => (list.includes(name) ? list.indexOf(name) : list.length);
    names = [...types.keys()].sort((a, b) => isPinned(b) - isPinned(a) || at(choice.order, a) - at(choice.order, b));
    names = names.filter((name) => !choice.hidden.includes(name));
    sorted = sort ? [...items].sort((a, b) => compare(a[sort.name], b[sort.name], sort.down)) : items;
  }
  const visibleNames = () => names.slice(0, wide);

  function fit(element, name) {
    const px = columns.widthOf(name);
    if (px) element.style.width = element.style.minWidth = element.style.maxWidth = `${px}px`;
  }
  function cell(item, name) {
    const value = item[name], td = h("td", { class: "value isolated", tabindex: "-1" });
    fit(td, name);
    if (value === undefined) {
      td.classList.add("absent");
      return fill(td, "–");
    }
    const px = columns.widthOf(name), text = first.includes(name) ? visible(cutMiddle(plain(value).slice(0, 5000), px ? Math.floor(px / LETTER_PX) : KEY_CUT)) : brief(value, BRIEF);
    td.title = brief(value, 1000);
    return fill(td, uniform(name) ? null : h("span", { class: "type" }, typeOf(value)), text);
  }
  const row = (item) => h("tr", {}, lead.map(([, content]) => h("td", {}, content(item))), visibleNames().map((name) => cell(item, name)));

  // --- the head ---

  function resize(name, th) {
    const from = (event) => {
      event.preventDefault();
      const began = event.clientX - th.offsetWidth;
      const move = (to) => { columns.setWidth(name, to.clientX - began); fit(th, name); };
      const end = () => { removeEventListener("pointermove", move); draw(); };
      addEventListener("pointermove", move);
      addEventListener("pointerup", end, { once: true });
    };
    return h("span", { class: "grip", "aria-hidden": "true", onpointerdown: from });
  }
  function moveBy(name, steps) {
    const order = [...names], at = order.indexOf(name), to = Math.min(order.length - 1, Math.max(0, at + steps));
    order.splice(to, 0, ...order.splice(at, 1));
    columns.set("order", order);
  }
  function sortBy(name, down) {
    sort = down === null ? null : { name, down };
    noteShown("order", sort && (down ? `-${name}` : name));
    draw();
  }
  /** The menu of a column, below its button. */
  function openMenu(name, at) {
    const th = at.closest("th"), act = (text, work) => button(text, () => { menu.hidePopover(); work(); draw(); find(name)?.querySelector(".more").focus(); });
    fill(menu, h("b", { class: "isolated" }, visible(name)),
      act("Sort ascending", () => sortBy(name, false)), act("Sort descending", () => sortBy(name, true)), sort?.name === name ? act("Do not sort", () => sortBy(name, null)) : null,
      act(isPinned(name) ? "Unpin" : "Pin", () => columns.toggle("pinned", name)),
      act("Move left", () => moveBy(name, -1)), act("Move right", () => moveBy(name, 1)),
      act("Wider", () => columns.setWidth(name, th.offsetWidth + STEP_PX)), act("Narrower", () => columns.setWidth(name, th.offsetWidth - STEP_PX)),
      act("Hide", () => columns.toggle("hidden", name)));
    const { left, bottom } = at.getBoundingClientRect();
    menu.showPopover();
    menu.style.left = `${Math.max(4, Math.min(left, innerWidth - menu.offsetWidth - 4))}px`;
    menu.style.top = `${Math.max(4, Math.min(bottom, innerHeight - menu.offsetHeight - 4))}px`;
    menu.querySelector("button").focus();
  }
  const find = (name) => [...head.querySelectorAll("th")].find((th) => th.dataset.name === name);
  function headCell(name) {
    const here = sort?.name === name, way = here ? (sort.down ? "descending" : "ascending") : null, type = uniform(name);
    const th = h("th", { scope: "col", class: "isolated", "data-name": name, "aria-sort": way });
    fit(th, name);
    return fill(th, h("span", { class: "head" },
      button([visible(name), here ? (sort.down ? " ▼" : " ▲") : null], () => { sortBy(name, here ? !sort.down : false); find(name)?.querySelector("button").focus(); }, { class: "link", title: "sort the items that were read" }),
      type ? h("span", { class: "type", title: TYPE_NAMES[type] }, type) : null,
      button("", (event) => openMenu(name, event.currentTarget), { class: "link more", "aria-label": `Column ${visible(name)}`, "aria-haspopup": "true" })), resize(name, th));
  }

  /** Pinned columns stay where they are when the others scroll. */
  function stick() {
    const pinned = visibleNames().filter(isPinned).length;
    if (!pinned) return;
    const places = [...head.rows[0].cells].slice(0, lead.length + pinned).map((one) => one.offsetLeft);
    for (const tr of [head.rows[0], ...body.rows]) {
      places.forEach((px, i) => {
        tr.cells[i].classList.add("pinned");
        tr.cells[i].style.left = `${px}px`;
      });
    }
  }

  // --- attributes that are not shown, and further rows ---

  function hiddenView() {
    const over = names.slice(wide), left = [...types.keys()].filter((name) => choice.hidden.includes(name)), all = [...over, ...left];
    if (!all.length) return null;
    const next = Math.min(over.length, MORE_COLUMNS);
    return h("p", { class: "quiet", title: visible(all.join(", ").slice(0, 2000)) },
      `${many(all.length, "attribute")} of these items ${all.length === 1 ? "is" : "are"} not shown. `,
      over.length ? button(next < over.length ? `Show ${next} more attributes` : "Show all attributes", () => { wide += MORE_COLUMNS; draw(); }, { class: "link" }) : null,
      left.length ? [" ", button(left.length === 1 ? "Show the hidden column" : `Show the ${left.length} hidden columns`, () => { columns.set("hidden", choice.hidden.filter((name) => !left.includes(name))); draw(); }, { class: "link" })] : null);
  }
  function sayMore() {
    more.hidden = shown === items.length;
    more.textContent = `Show more (${many(items.length - shown, "item")} left)`;
  }
  function add() {
    body.append(...sorted.slice(shown, shown + ROWS).map(row));
    shown = Math.min(shown + ROWS, items.length);
    sayMore();
    stick();
  }
  function draw() {
    arrange();
    fill(head, h("tr", {}, lead.map(([heading]) => h("th", { scope: "col" }, heading)), visibleNames().map(headCell)));
    fill(body, sorted.slice(0, shown).map(row));
    fill(hidden, hiddenView());
    fill(said, sort ? `Sorted by ${visible(sort.name)}: the ${many(items.length, "item")} read so far, not the table.` : null);
    const start = body.rows[0]?.cells[lead.length];
    if (start) start.tabIndex = 0;
    stick();
  }

  // --- the cell with the focus ---

  const at = (td) => [sorted[td.parentNode.sectionRowIndex], visibleNames()[td.cellIndex - lead.length]];
  const isCell = (element) => element.matches?.("td.value");
  body.addEventListener("focusin", ({ target }) => {
    if (!isCell(target)) return;
    for (const one of body.querySelectorAll('td[tabindex="0"]')) one.tabIndex = -1;
    target.tabIndex = 0;
    const [item, name] = at(target);
    bar.show(name, item[name]);
  });
  body.addEventListener("dblclick", ({ target }) => {
    const td = target.closest("td.value"), [item, name] = td ? at(td) : [];
    if (item?.[name]) showValue(name, item[name]);
  });
  body.addEventListener("keydown", (event) => {
    if (!isCell(event.target)) return;
    const td = event.target, tr = td.parentNode, [item, name] = at(td);
    const to = { ArrowRight: td.nextSibling, ArrowLeft: td.previousSibling, ArrowDown: tr.nextSibling?.cells[td.cellIndex], ArrowUp: tr.previousSibling?.cells[td.cellIndex] }[event.key];
    if (to && isCell(to)) {
      event.preventDefault();
      to.focus();
    } else if (event.key === "Enter" && item[name]) {
      showValue(name, item[name]);
    } else if (event.key === "c" && (event.ctrlKey || event.metaKey) && item[name] && getSelection().isCollapsed) {
      event.preventDefault();
      copy(plain(item[name]));
    }
  });

  draw();
  add();
  if (body.rows[0]?.cells[lead.length]) body.rows[0].cells[lead.length].tabIndex = 0;
  requestAnimationFrame(stick); // now it has a place on the page
  return h("div", {}, said,
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
      h("table", { class: "items" }, h("caption", {}, caption), head, body)),
    bar.element, hidden, more, menu);
}
