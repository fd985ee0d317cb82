// Writes of items on the page: each succeeds only if the stored item still equals the one shown, and can be
// undone in the same way.

import { currentWorld, writeSeen } from "./api.js";
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

async function write(table, before, after) {
  const TableName = table.TableName, names = before && after ? differing(before, after) : [];
  if (!after) await writeSeen("DeleteItem", { TableName, Key: keyOf(table, before) }, before);
  else if (!before || names.length > SET_AT_ONCE) await writeSeen("PutItem", { TableName, Item: after }, before);
  else await writeSeen("UpdateItem", update(table, before, after, names), before);
}

let done = []; // newest last: {world, table, before, after}

const isHere = (one, table) => one.world === currentWorld() && one.table.TableName === table.TableName;

/** Changes `before` to `after` (null: no item). Throws Differs if another item is stored now. Returns false if they are the
 * same, and nothing was written. */
export async function change(table, before, after) {
  if (before && after && !differing(before, after).length) return false;
  const world = currentWorld(); // which may have changed when the answer comes
  await write(table, before, after);
  done.push({ world, table, before, after });
  return true;
}

/** The last change of the table's items, {table, before, after, text, earlier: how many came before it}, or null. */
export function lastChange(table) {
  const here = done.filter((one) => isHere(one, table)), last = here.at(-1);
  if (!last) return null;
  const key = Object.values(keyOf(table, last.before ?? last.after)).map((value) => brief(value, 60)).join(" · ");
  return { ...last, text: `${last.before ? (last.after ? "changed" : "deleted") : "created"} ${key}`, earlier: here.length - 1 };
}

/** The world was replaced: its changes can no longer be undone. */
export function forgetChanges() {
  done = [];
}

/** Undoes the table's last change. Throws Differs if another item is stored now. */
export async function undo(table) {
  const last = done.findLast((one) => isHere(one, table));
  if (!last) return;
  await write(last.table, last.after, last.before);
  done = done.filter((one) => one !== last);
}

/** Undoes it although `stored` (null: no item) is stored now; another undo brings that back. */
export async function undoOver(table, stored) {
  const last = done.findLast((one) => isHere(one, table));
  if (stored || last.before) await change(table, stored, last.before);
  done = done.filter((one) => one !== last);
}
