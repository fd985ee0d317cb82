// Writes of items on the page: each succeeds only if the stored item still equals the one shown, and can be
// undone in the same way.

import { currentWorld, writeSeen } from "./api.js";
import { parseBare } from "./bare.js";
import { many } from "./format.js";
import { recallHere, rememberHere } from "./memory.js";
import { keyOf } from "./schema.js";
import { brief, same } from "./values.js";

const SET_AT_ONCE = 100; // attributes; an expression has at most 300 operators and 4 KB

/** The names whose values are not the same in both items. */
export const differing = (one, other) => [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => !same(one[name], other[name]));

/** Returns an UpdateItem of the edited attributes only. */
function update(table, before, after, names) {
  const request = { TableName: table.TableName, Key: keyOf(table, before), ExpressionAttributeNames: {} };
  const sets = [], removes = [], values = {};
  names.forEach((name, i) => {
    request.ExpressionAttributeNames[`#a${i}`] = name;
    if (after[name] === undefined) {
      removes.push(`#a${i}`);
    } else {
      values[`:a${i}`] = after[name];
      sets.push(`#a${i} = :a${i}`);
    }
  });
  request.UpdateExpression = [sets.length ? `SET ${sets.join(", ")}` : "", removes.length ? `REMOVE ${removes.join(", ")}` : ""].filter(Boolean).join(" ");
  if (sets.length) request.ExpressionAttributeValues = values;
  return request;
}

/** Like change, in any world, and not to be undone. */
export async function write(table, before, after, inWorld = currentWorld()) {
  const TableName = table.TableName, names = before && after ? differing(before, after) : [];
  if (!after) await writeSeen("DeleteItem", { TableName, Key: keyOf(table, before) }, before, inWorld);
  else if (!before || names.length > SET_AT_ONCE) await writeSeen("PutItem", { TableName, Item: after }, before, inWorld);
  else await writeSeen("UpdateItem", update(table, before, after, names), before, inWorld);
}

const KEPT = 1e6; // characters of the last changes, which the tab's session keeps over a reload

const NAME = "changes";

/** The changes of before a reload. */
function recalled() {
  try {
    return parseBare(recallHere(NAME, "[]"));
  } catch {
    return [];
  }
}

// Newest last: {world, table: its name and key, before, after, step}; a step is undone as one, and may be of several items.
let done = recalled(), steps = done.at(-1)?.step ?? 0;

addEventListener("pagehide", () => {
  const texts = done.map((one) => JSON.stringify(one));
  let from = texts.length, room = KEPT;
  while (from && (room -= texts[from - 1].length) >= 0) from--;
  rememberHere(NAME, `[${texts.slice(from)}]`);
});

/** The number of a new step. */
export const newStep = () => ++steps;

const isHere = (one, table) => one.world === currentWorld() && one.table.TableName === table.TableName;
const stepOf = (table) => { const here = done.filter((one) => isHere(one, table)); return here.filter((one) => one.step === here.at(-1).step); };

/** Changes `before` to `after` (null: no item), as a part of a step. Throws Differs if another item is stored now. Returns false if they
 * are the same, and nothing was written. */
export async function change(table, before, after, step = newStep()) {
  if (before && after && !differing(before, after).length) return false;
  const world = currentWorld(), { TableName, KeySchema } = table; // the world may have changed when the answer comes
  await write(table, before, after);
  done.push({ world, table: { TableName, KeySchema }, before, after, step });
  return true;
}

/** What an item is called in a sentence. */
export const nameOf = (table, item) => Object.values(keyOf(table, item)).map((value) => brief(value, 60)).join(" · ");

/** The last step of the table's changes: {changes: newest last, text, earlier: how many steps came before it}, or null. */
export function lastStep(table) {
  const changes = stepOf(table), last = changes.at(-1);
  if (!last) return null;
  const items = changes.length > 1 ? many(changes.length, "item") : nameOf(table, last.before ?? last.after);
  return { changes, text: `${last.before ? (last.after ? "changed" : "deleted") : "created"} ${items}`, earlier: new Set(done.filter((one) => isHere(one, table)).map((one) => one.step)).size - 1 };
}

/** The changes of a world that was replaced or is gone can no longer be undone. */
export function forgetWorld(world) {
  done = done.filter((one) => one.world !== world);
}

/** There is nothing to undo of it any more. */
export function forgetChange(one) {
  done = done.filter((other) => other !== one);
}

/** Undoes a change. Throws Differs if another item is stored now. */
export async function undo(one) {
  await write(one.table, one.after, one.before);
  forgetChange(one);
}

/** Undoes it although `stored` (null: no item) is stored now; another undo brings that back. */
export async function undoOver(one, stored) {
  if (stored || one.before) await change(one.table, stored, one.before);
  forgetChange(one);
}
