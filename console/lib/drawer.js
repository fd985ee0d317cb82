// One item of a table, in a panel at the side: create, change and delete it, and handle another client's changes.

import { Differs, call, currentWorld } from "./api.js";
import { change, differing, write } from "./changes.js";
import { button, fill, h, notice, problem } from "./dom.js";
import { itemEditor } from "./editor.js";
import { expiryView, inAnHour, whyGone } from "./expiry.js";
import { merged, mergeView, statesView } from "./merge.js";
import { guard, href, inWorld } from "./route.js";
import { keyOf } from "./schema.js";
import { dropWorld, newWorld } from "./worlds.js";
import { plain, same, typeOf, visible } from "./values.js";

const typeIn = (table, name) => table.AttributeDefinitions.find((one) => one.AttributeName === name).AttributeType;
const emptyKey = (table) => Object.fromEntries(table.KeySchema.map(({ AttributeName: name }) => [name, { [typeIn(table, name)]: "" }]));

/** Attributes that a new item probably has: those of the indexes' keys, and the time to live. */
function likely({ table, ttl }) {
  const keys = table.KeySchema.map((one) => one.AttributeName);
  const others = table.AttributeDefinitions.map((one) => one.AttributeName).filter((name) => !keys.includes(name));
  return [...others.map((name) => [name, typeIn(table, name)]), ...(ttl && !others.includes(ttl) ? [[ttl, "N"]] : [])];
}

// --- time to live -----------------------------------------------------------------------------------------------

/** Has the item of the form expire in an hour by the world's clock; the table may have no time to live yet. */
function expirySetter(host, form) {
  const set = async () => {
    try {
      const name = host.ttl ?? await host.askTtl();
      if (name) form.set(name, "N", await inAnHour());
    } catch (error) {
      notice(error.message, "wrong");
    }
  };
  return button("Expire in an hour", set, { title: host.ttl ? `by ${visible(host.ttl)}` : "the table has no time to live yet" });
}

// --- the panel --------------------------------------------------------------------------------------------------

const historyLink = (table, key) => h("a", { href: href("history", [table.TableName], { key: JSON.stringify(key) }) }, "History");

// The names of attributes that differ; all of them if one is not an item.
const namesOf = (one, other) => differing(one ?? Object.create(null), other ?? Object.create(null));

/** The form of an item. `base` is the item as it was read, which a save expects to be stored (null: none); `item` is what the
 * form shows; it may be left as long as it has nothing but `from` (undefined: what it has in the beginning). */
function draw(view, host, base, item, from = base ?? undefined, optional = []) {
  const { table } = host, form = itemEditor(table, item, Boolean(base), optional), said = h("div", { "aria-live": "polite" });
  /** Goes to another item, or to none, without asking about edits; does nothing if the user has left meanwhile. */
  const leaveFor = (params) => {
    if (!view.isConnected) return;
    guard(null);
    host.to(params);
  };
  const list = () => leaveFor({});
  const show = (...content) => {
    fill(said, ...content);
    said.scrollIntoView({ block: "nearest" });
  };

  let writing = false; // buttons pressed meanwhile are ignored
  /** Runs a write; `differs` handles an item that has changed meanwhile. */
  async function attempt(write, differs) {
    if (writing) return;
    writing = true;
    fill(said);
    try {
      await write();
    } catch (error) {
      if (error instanceof Differs) differs(error.stored, error.stored || !base ? "" : await whyGone(host, base));
      else show(problem(error));
    } finally {
      writing = false;
    }
  }
  /** The item in the form is stored. */
  function saved(mine, further) {
    notice("Saved");
    if (!view.isConnected) return;
    host.changed(base, mine);
    if (further) next(mine);
    else {
      draw(view, host, mine, mine);
      host.named(keyOf(table, mine));
    }
  }
  /** The item behind it, or a further new one with the same attributes. */
  function next(mine) {
    const keys = table.KeySchema.map((one) => one.AttributeName);
    if (base) {
      const key = host.next(keyOf(table, mine));
      if (!key) notice("That was the last item of this page");
      leaveFor(key ? { key } : {});
      return;
    }
    const others = new Map([...likely(host), ...Object.entries(mine).filter(([name]) => !keys.includes(name)).map(([name, value]) => [name, typeOf(value)])]);
    draw(view, host, null, emptyKey(table), undefined, [...others]);
    view.querySelector(".editor textarea").focus();
  }
  async function save(onto, further) {
    const mine = form.read();
    await attempt(async () => {
      if (await change(table, onto, mine)) saved(mine, further);
      else {
        notice("Nothing to save: nothing was changed");
        if (further) next(mine);
      }
    }, (stored, why) => {
      if (stored && same(stored, mine)) saved(stored, further);
      else show(base ? changedView(mine, stored, why) : takenView(mine, stored));
    });
  }
  /** Saves into a new fork of this world, and goes there. */
  async function saveInFork() {
    const mine = form.read();
    await attempt(async () => {
      const fork = await newWorld("fork", { from: currentWorld() });
      try {
        await write(table, base, mine, fork);
      } catch (error) {
        await dropWorld(fork);
        throw error;
      }
      notice(`Saved in ${fork}, a copy of ${currentWorld()}, which is as it was`);
      if (!view.isConnected) return;
      guard(null);
      location.hash = inWorld(fork, href("table", [table.TableName, "explore"], { key: JSON.stringify(keyOf(table, mine)) }));
    }, (stored, why) => show(base ? changedView(mine, stored, why) : takenView(mine, stored)));
  }
  async function remove(onto) {
    await attempt(async () => {
      await change(table, onto, null);
      if (view.isConnected) host.deleted(onto);
      else notice("Deleted");
      list();
    }, (stored, why) => show(notDeletedView(onto, stored, why)));
  }
  const tryInFork = () => saveInFork().catch((error) => show(problem(error)));
  const trySave = (onto, further = false) => save(onto, further).catch((error) => show(problem(error)));

  const goneView = (what, why) => h("section", { class: "problem", role: "alert" }, h("p", {}, h("b", {}, `${what} item is gone since you opened it: ${why}. `), "What it had is still in the form."),
    h("div", { class: "row" }, button("Create it again", () => trySave(null)), button("Leave it deleted", list)));
  /** Another client changed the item, or it is gone. */
  function changedView(mine, stored, why) {
    if (!stored) return goneView("Not saved: the", why);
    const { element, chosen } = mergeView(base, stored, mine);
    return h("section", { class: "problem", role: "alert" }, h("p", {}, h("b", {}, "Not saved: the item was changed since you opened it. "), "Choose what to take; nothing is written before you save again."),
      element, h("div", { class: "row" }, button("Put them together in the form", () => {
        try {
          draw(view, host, stored, merged(stored, mine, chosen()));
          notice("Theirs and yours are in the form: look at it, and save");
        } catch (error) {
          notice(error.message, "wrong");
        }
      })));
  }
  /** A new item has the key of an existing one. */
  function takenView(mine, stored) {
    if (!stored) return problem(new Error("the item was deleted meanwhile: save again"));
    const { element, chosen } = mergeView(null, stored, mine);
    return h("section", { class: "problem", role: "alert" }, h("p", {}, h("b", {}, "Not saved: there is an item with this key already. "), "Give yours another key, or change that item."),
      element, h("div", { class: "row" }, button("Change that item", () => {
        try {
          draw(view, host, stored, merged(stored, mine, chosen()));
          host.named(keyOf(table, stored));
          notice("That item is in the form, with what you chose: look at it, and save");
        } catch (error) {
          notice(error.message, "wrong");
        }
      })));
  }
  function notDeletedView(onto, stored, why) {
    if (!stored) return goneView("Nothing to delete: the", why);
    return h("section", { class: "problem", role: "alert" }, h("p", {}, h("b", {}, "Not deleted: the item was changed since you opened it.")),
      statesView("What was changed", [["Before", onto], ["Stored now", stored]], namesOf(onto, stored)),
      h("div", { class: "row" }, button("Delete it as it is now", () => remove(stored), { class: "danger" }), button("Keep it", () => fill(said))));
  }

  const copy = () => {
    try {
      draw(view, host, null, form.read(), null);
      host.named(null);
      notice("A copy, not saved yet: give it a key of its own");
    } catch (error) {
      show(problem(error));
    }
  };
  if (view.isConnected) guard(() => form.differs(from));
  const expiry = h("div"), heading = h("h2", { tabindex: "-1", class: "grow" }, base ? "Item" : "New item");
  fill(view,
    h("div", { class: "row middle" }, heading, button("✕", () => host.to({}), { "aria-label": "Close the item", title: "Escape" })),
    base ? h("p", { class: "mono quiet isolated" }, Object.values(keyOf(table, base)).map((value) => visible(plain(value))).join(" · ")) : null,
    base ? h("p", {}, historyLink(table, keyOf(table, base))) : null,
    expiry, form.element, said,
    h("div", { class: "row end" },
      base ? button("Delete", () => remove(base), { class: "danger" }) : null,
      base ? button("Copy to a new item", copy) : expirySetter(host, form)),
    h("div", { class: "row end pinned" },
      button("Save in a fork", tryInFork, { title: "a new copy of this world gets the change; this world stays as it is" }), button("Save and next", () => trySave(base, true)),
      button("Save", () => trySave(base), { class: "primary" })));
  const gone = () => { host.changed(base, null); list(); };
  const drawExpiry = () => expiryView(host, base, gone).then((view_) => fill(expiry, view_)).catch(() => {});
  drawExpiry();
  /** The clock or the world changed: edits stay. */
  host.refresh = async () => {
    if (!base) return;
    const { Item: stored } = await call("GetItem", { TableName: table.TableName, Key: keyOf(table, base), ConsistentRead: true });
    const why = stored ? "" : await whyGone(host, base);
    if (!view.isConnected) return;
    if (stored) drawExpiry();
    else fill(expiry, goneView("The", why));
  };
}

/** Shows the item with a key, or a form for a new one, in the element `view`. `host`: {table, ttl: the name of its time to live or
 * null, askTtl(): switches it on, and answers its name, to({key} | {new} | {}): goes to another item or to none, named(key or null): the address has this key, or a new item,
 * next(key): the key of the item behind it, changed(before, after): an item was written, deleted(item)}; its refresh() says whether the item
 * is still stored, and when it expires. */
export async function showItem(view, host, key) {
  host.refresh = () => {};
  const { table } = host, { Item: stored } = key ? await call("GetItem", { TableName: table.TableName, Key: key, ConsistentRead: true }) : {};
  if (!view.isConnected) return;
  draw(view, host, stored ?? null, stored ?? { ...emptyKey(table), ...key }, undefined, key ? [] : likely(host));
  if (key && !stored) view.querySelector("h2").parentElement.after(h("p", { class: "problem" }, "There is no item with this key. ", historyLink(table, key)));
  const first = key ? view.querySelector("h2") : view.querySelector(".editor textarea");
  first.focus({ preventScroll: true });
}
