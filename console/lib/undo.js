// The changes of a table's items that this tab can take back.

import { Differs, call } from "./api.js";
import { change, differing, forgetChange, lastStep, nameOf, newStep, undo, undoOver } from "./changes.js";
import { ask, button, fill, h, notice } from "./dom.js";
import { whyGone } from "./expiry.js";
import { count, many } from "./format.js";
import { statesView } from "./merge.js";
import { keyOf } from "./schema.js";

const NONE = Object.create(null); // the attributes of no item

/** Deletes the items that have not changed since they were shown, in one step; adds them to `gone`. */
export async function deleteAll(host, items, gone) {
  const others = [], step = newStep();
  for (const item of items) {
    try {
      await change(host.table, item, null, step);
      gone.push(item);
    } catch (error) {
      if (!(error instanceof Differs)) throw error;
      if (error.stored) others.push(nameOf(host.table, item));
    }
  }
  if (others.length) notice(`Not deleted, since another client changed ${others.length === 1 ? "it" : "them"} meanwhile: ${others.join(", ")}`, "wrong");
}

/** Asks whether to undo a change although the item is not as it left it; true if it was undone. */
async function askOver(host, one, stored) {
  const { before, after } = one, states = [["Yours", after], ["Stored now", stored], ["After undo", before]];
  const names = [...new Set([...differing(after ?? NONE, stored ?? NONE), ...differing(stored ?? NONE, before ?? NONE)])];
  const why = stored ? "another client changed it" : await whyGone(host, after);
  const sure = await ask("The item changed since", h("div", {}, h("p", {}, `${nameOf(host.table, before ?? after)}: ${why} since this page ${before ? (after ? "changed" : "deleted") : "created"} it. Nothing was undone.`), statesView("The item", states, names)),
    [{ text: before ? "Bring back what was before" : "Delete it all the same", kind: "danger", run: () => true }], "Leave it");
  if (sure) await undoOver(one, stored);
  return sure;
}

/** The table's last change, and a button that undoes it: {element, draw(), say(text): reports the last change, with Undo beside it, stop()}.
 * again(pairs) is called with what an undo changed, [before, after] each. */
export function undoView(host, again) {
  const { table } = host, element = h("div", { class: "row middle" });
  let step = 0, clear = () => {}; // of what say() said
  const run = async (event) => {
    event.target.disabled = true; // a second press would undo the change before it
    clear();
    const { changes } = lastStep(table), undone = [];
    try {
      for (const one of changes.toReversed()) {
        const isSure = await undo(one).then(() => true, (error) => { if (error instanceof Differs) return askOver(host, one, error.stored); throw error; });
        if (!isSure) break;
        undone.push(one);
      }
    } catch (error) {
      notice(error.message, "wrong");
    }
    if (undone.length) {
      const [{ before, after }] = undone, one = undone.length === 1;
      notice(`${one ? nameOf(table, before ?? after) : many(undone.length, "item")} ${before ? (after ? "as before" : one ? "is back" : "are back") : "is deleted again"}`);
    }
    await again(undone.map(({ before, after }) => [after, before]));
    if (document.activeElement === document.body) (element.querySelector("button:enabled") ?? document.getElementById("view")).focus({ preventScroll: true }); // the pressed button is gone
  };
  /** An item that was created here and is gone leaves nothing to undo. */
  async function look(one) {
    const { Item } = await call("GetItem", { TableName: table.TableName, Key: keyOf(table, one.after), ConsistentRead: true });
    if (Item || !element.isConnected) return;
    const why = await whyGone(host, one.after);
    if (!one.before) forgetChange(one);
    draw(`${nameOf(table, one.after)} is gone: ${why}. `);
  }
  function draw(more = "") {
    const last = lastStep(table), one = last?.changes.at(-1);
    if (one?.step !== step) clear(); // its button would undo another one
    fill(element, more || last ? h("small", { class: "quiet isolated" }, more, last ? `Last change here: ${last.text}${last.earlier ? `, after ${count(last.earlier)} before it` : ""}` : null) : null,
      button("Undo", run, { disabled: !last, title: last ? `Take it back: ${last.text}` : "nothing to take back" }));
    if (one?.after && !more) look(one).catch(() => {}); // undoing it says what is wrong
  }
  const say = (text) => {
    clear();
    step = lastStep(table).changes[0].step;
    clear = notice(text, "done", button("Undo", run));
  };
  return { element, draw, say, stop: () => clear() };
}
