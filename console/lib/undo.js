// The changes of a table's items that this page can take back.

import { Differs } from "./api.js";
import { change, differing, lastChange, undo, undoOver } from "./changes.js";
import { ask, button, h, notice } from "./dom.js";
import { count, many } from "./format.js";
import { statesView } from "./merge.js";
import { keyOf } from "./schema.js";
import { brief } from "./values.js";

const NONE = Object.create(null); // the attributes of no item

/** Deletes the items that have not changed since they were shown, adds them to `gone`, and reports the result. */
export async function deleteAll(table, items, gone) {
  const others = [];
  for (const item of items) {
    try {
      await change(table, item, null);
      gone.push(item);
    } catch (error) {
      if (!(error instanceof Differs)) throw error;
      if (error.stored) others.push(Object.values(keyOf(table, item)).map((value) => brief(value, 60)).join(" · "));
    }
  }
  if (gone.length) notice(`${many(gone.length, "item")} deleted`);
  if (others.length) notice(`Not deleted, since another client changed ${others.length === 1 ? "it" : "them"} meanwhile: ${others.join(", ")}`, "wrong");
}

/** The table's last change on this page, and a button that undoes it; again(before, after) is called with what it changed. */
export function undoView(table, again) {
  const last = lastChange(table);
  const over = async (stored) => {
    const { before, after } = last, states = [["Yours", after], ["Stored now", stored], ["After undo", before]];
    const names = [...new Set([...differing(after ?? NONE, stored ?? NONE), ...differing(stored ?? NONE, before ?? NONE)])];
    const sure = await ask("The item changed since", h("div", {}, h("p", {}, `This page ${last.text}; another client ${stored ? "changed" : "deleted"} it since. It was not taken back.`), statesView("The item", states, names)),
      [{ text: before ? "Bring back what was before" : "Delete it all the same", kind: "danger", run: () => true }], "Leave it");
    if (sure) await undoOver(table, stored);
    return sure;
  };
  const run = async (event) => {
    event.target.disabled = true; // a second press would undo the change before it
    try {
      await undo(table).catch((error) => { if (error instanceof Differs) return over(error.stored); throw error; });
    } catch (error) {
      notice(error.message, "wrong");
    }
    again(last.after, last.before);
  };
  return h("div", { class: "row middle" },
    last ? h("small", { class: "quiet isolated" }, `Last change here: ${last.text}${last.earlier ? `, after ${count(last.earlier)} before it` : ""}`) : null,
    button("Undo", run, { disabled: !last, title: last ? `Take it back: ${last.text}` : "nothing to take back" }));
}
