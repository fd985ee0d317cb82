// One item of a table: create, change and delete it, and handle another client's changes.

import { Differs, call } from "../lib/api.js";
import { change, differing } from "../lib/changes.js";
import { button, fill, h, notice, problem } from "../lib/dom.js";
import { itemEditor } from "../lib/editor.js";
import { merged, mergeView, statesView } from "../lib/merge.js";
import { go, guard, href, note } from "../lib/route.js";
import { keyOf } from "../lib/schema.js";
import { plain, same, visible } from "../lib/values.js";

const emptyKey = (table) => Object.fromEntries(table.KeySchema.map((part) => {
  const type = table.AttributeDefinitions.find((one) => one.AttributeName === part.AttributeName).AttributeType;
  return [part.AttributeName, { [type]: "" }];
}));

// The names of attributes that differ; all of them if one is not an item.
const namesOf = (one, other) => differing(one ?? Object.create(null), other ?? Object.create(null));

/** The form of an item. `base` is the item as it was read, which a save expects to be stored (null: none); `item` is what the
 * form shows; it may be left as long as it has nothing but `from`. */
function draw(view, table, base, item, from = base) {
  const name = table.TableName, form = itemEditor(table, item, Boolean(base)), said = h("div", { "aria-live": "polite" });
  /** Goes to a state of the table's items without asking about edits; does nothing if the user has left meanwhile. */
  const leaveFor = (params) => {
    if (!view.isConnected) return;
    guard(null);
    go("items", [name], params);
  };
  const list = () => leaveFor();
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
      if (error instanceof Differs) differs(error.stored);
      else show(problem(error));
    } finally {
      writing = false;
    }
  }
  /** Saves the item in the form. */
  function saved(mine) {
    notice("Saved");
    if (base) draw(view, table, mine, mine);
    else leaveFor({ key: JSON.stringify(keyOf(table, mine)) });
  }
  async function save(onto) {
    const mine = form.read();
    await attempt(async () => {
      if (await change(table, onto, mine)) saved(mine);
      else notice("Nothing to save: nothing was changed");
    }, (stored) => {
      if (stored && same(stored, mine)) saved(stored);
      else show(base ? changedView(mine, stored) : takenView(mine, stored));
    });
  }
  async function remove(onto) {
    await attempt(async () => {
      await change(table, onto, null);
      notice("Deleted");
      list();
    }, (stored) => show(notDeletedView(onto, stored)));
  }
  const trySave = (onto) => save(onto).catch((error) => show(problem(error)));

  /** Another client changed or deleted the item. */
  function changedView(mine, stored) {
    if (!stored) {
      return h("section", { class: "problem", role: "alert" }, h("p", {}, h("b", {}, "Not saved: the item was deleted since you opened it. "), "What you wrote is still in the form."),
        h("div", { class: "row" }, button("Create it again", () => trySave(null)), button("Leave it deleted", list)));
    }
    const { element, chosen } = mergeView(base, stored, mine);
    return h("section", { class: "problem", role: "alert" }, h("p", {}, h("b", {}, "Not saved: the item was changed since you opened it. "), "Choose what to take; nothing is written before you save again."),
      element, h("div", { class: "row" }, button("Put them together in the form", () => {
        try {
          draw(view, table, stored, merged(stored, mine, chosen()));
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
          draw(view, table, stored, merged(stored, mine, chosen()));
          note("items", [name], { key: JSON.stringify(keyOf(table, stored)) });
          notice("That item is in the form, with what you chose: look at it, and save");
        } catch (error) {
          notice(error.message, "wrong");
        }
      })));
  }
  function notDeletedView(onto, stored) {
    if (!stored) return h("section", { class: "problem", role: "alert" }, h("p", {}, "Another client has deleted the item meanwhile."), button("To the items", list));
    return h("section", { class: "problem", role: "alert" }, h("p", {}, h("b", {}, "Not deleted: the item was changed since you opened it.")),
      statesView("What was changed", [["Before", onto], ["Stored now", stored]], namesOf(onto, stored)),
      h("div", { class: "row" }, button("Delete it as it is now", () => remove(stored), { class: "danger" }), button("Keep it", () => fill(said))));
  }

  const copy = () => {
    try {
      draw(view, table, null, form.read());
      note("items", [name], { new: true });
      notice("A copy, not saved yet: give it a key of its own");
    } catch (error) {
      show(problem(error));
    }
  };
  if (view.isConnected) guard(() => form.differs(from));
  fill(view,
    h("h1", {}, base ? "Item" : "New item"),
    h("p", {}, h("a", { href: href("items", [name]) }, name), base ? h("span", { class: "mono quiet isolated" }, ` ${Object.values(keyOf(table, base)).map((value) => visible(plain(value))).join(" · ")}`) : null),
    form.element, said,
    h("div", { class: "row end" },
      base ? button("Delete", () => remove(base), { class: "danger" }) : null,
      base ? button("Copy to a new item", copy) : null,
      button("Save", () => trySave(base), { class: "primary" })));
}

/** The item with a key, or a form for a new one. */
export async function showItem(view, table, key) {
  const { Item: stored } = key ? await call("GetItem", { TableName: table.TableName, Key: key, ConsistentRead: true }) : {};
  const item = stored ?? { ...emptyKey(table), ...key };
  draw(view, table, stored ?? null, item, item);
  if (key && !stored) view.querySelector("h1").after(h("p", { class: "problem" }, "There is no item with this key."));
}
