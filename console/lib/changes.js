// Writes that can be taken back: the old image comes back if nothing changed since.

import { call } from "./api.js";
import { keyOf } from "./schema.js";

const PARTS = 120; // attributes that are compared: an expression has at most 300 operators

/** That an item still is what it was; `image` null: that there is none. */
export function unchanged(table, image) {
  const names = {}, values = {};
  if (!image) {
    names["#k"] = table.KeySchema[0].AttributeName;
    return { ConditionExpression: "attribute_not_exists(#k)", ExpressionAttributeNames: names };
  }
  const parts = Object.entries(image).slice(0, PARTS).map(([name, value], i) => {
    names[`#a${i}`] = name;
    values[`:a${i}`] = value;
    return `#a${i} = :a${i}`;
  });
  return { ConditionExpression: parts.join(" AND "), ExpressionAttributeNames: names, ExpressionAttributeValues: values };
}

const undone = []; // newest last: {table, before, after}

async function write(table, before, after) {
  const TableName = table.TableName;
  if (after) await call("PutItem", { TableName, Item: after, ...unchanged(table, before) });
  else await call("DeleteItem", { TableName, Key: keyOf(table, before), ...unchanged(table, before) });
}

/** Makes `after` (null: nothing) of `before` (null: nothing), unless the item changed meanwhile. */
export async function change(table, before, after) {
  await write(table, before, after);
  undone.push({ table, before, after });
}

/** What the last changes were, newest first, in words. */
export function changes() {
  return undone.map(({ table, before, after }) => `${before ? (after ? "changed" : "deleted") : "created"} an item of ${table.TableName}`).reverse();
}

/** What was there is another world, or another time: nothing of it can be taken back. */
export function forgetChanges() {
  undone.length = 0;
}

/** Takes the last change back. Throws where the item is another by now. */
export async function undo() {
  const last = undone.at(-1);
  if (!last) return;
  await write(last.table, last.after, last.before);
  undone.pop();
}
