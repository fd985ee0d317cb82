// The differences between two worlds, by collection and attribute, and a way to take one side's item. The server compares
// (GET differences); the items of the listed differences are read from both worlds.

import { call, verb, writeSeen } from "./api.js";
import { differing } from "./changes.js";
import { button, h, notice } from "./dom.js";
import { count, many } from "./format.js";
import { statesView } from "./merge.js";
import { unfolded } from "./route.js";
import { describe, keyOf } from "./schema.js";
import { brief, visible } from "./values.js";

const LISTED = 200; // differences that are shown
const KEYS = 100;   // of a BatchGetItem
const WORDS = { added: "added", changed: "changed", removed: "gone" };

const keyText = (key) => Object.values(key).map((value) => brief(value, 60)).join(" · ");

/** The stored items of a world, in the order of their keys; null: no item. */
export async function readItems(table, keys, inWorld, signal) {
  const found = new Map(), of = (key) => JSON.stringify(Object.values(key));
  for (let i = 0; i < keys.length; i += KEYS) {
    let wanted = { [table.TableName]: { Keys: keys.slice(i, i + KEYS), ConsistentRead: true } };
    while (wanted && Object.keys(wanted).length) {
      const answer = await call("BatchGetItem", { RequestItems: wanted }, { inWorld, signal });
      for (const item of answer.Responses[table.TableName] ?? []) found.set(of(keyOf(table, item)), item);
      wanted = answer.UnprocessedKeys;
    }
  }
  return keys.map((key) => found.get(of(key)) ?? null);
}

/** What the server says of two worlds, with the items of the differences that it lists. */
export async function compareWorlds(from, to, signal) {
  const found = await verb("GET", `differences?${new URLSearchParams({ from, to, limit: LISTED })}`, undefined, "default", signal);
  for (const one of found.tables) {
    if (!one.differences.length) continue;
    one.description = await describe(one.table, { inWorld: from });
    const keys = one.differences.map((difference) => difference.key), [before, after] = await Promise.all([from, to].map((world) => readItems(one.description, keys, world, signal)));
    one.differences.forEach((difference, i) => Object.assign(difference, { before: before[i], after: after[i] }));
  }
  return found;
}

/** What is added, changed and removed, whole tables as well. */
function allOf({ tables, added, changed, removed }) {
  const only = (side) => tables.filter((one) => one.in === side).length;
  return { added: added + only("to"), changed, removed: removed + only("from") };
}

/** How two worlds differ, in some words. */
export async function countDifferences(from, to, signal) {
  const found = await verb("GET", `differences?${new URLSearchParams({ from, to, limit: 1 })}`, undefined, "default", signal), all = allOf(found), sum = all.added + all.changed + all.removed;
  const [of] = found.tables.filter((one) => one.differences.length), one = of?.differences[0];
  if (!sum) return `No difference from ${from}.`;
  const what = sum === 1 && one ? `: ${visible(one.attributes.length ? `${one.attributes.join(", ")} of ${keyText(one.key)}` : `${keyText(one.key)} ${WORDS[one.what]}`).slice(0, 120)}` : "";
  return [h("b", {}, `${many(sum, "difference")} from ${from}`), h("span", { class: "isolated" }, what), "."];
}

/** "3 differences (1 added, 2 changed)" */
function countsText(of) {
  const all = of.added + of.changed + of.removed;
  return `${many(all, "difference")} (${Object.entries(WORDS).filter(([word]) => of[word]).map(([word, text]) => `${count(of[word])} ${text}`).join(", ")})`;
}

/** Gives `world` the other side's item, if it still has the one that is shown. */
async function take(table, world, stored, wanted) {
  const TableName = table.TableName;
  if (wanted) await writeSeen("PutItem", { TableName, Item: wanted }, stored, world);
  else await writeSeen("DeleteItem", { TableName, Key: keyOf(table, stored) }, stored, world);
}

/** The buttons of a difference: each makes one world's item like the other's, and can be taken back. `worlds` has null for a side that
 * cannot be written. */
function takeButtons(table, { before, after }, worlds) {
  const place = h("p", { class: "row" });
  const sides = [[worlds[0], before, after], [worlds[1], after, before]].filter(([world]) => world !== null);
  const act = async (world, stored, wanted, said, next) => {
    try {
      await take(table, world, stored, wanted);
      notice(said);
      place.replaceChildren(...next);
    } catch (error) {
      notice(error.message, "wrong");
    }
  };
  const all = sides.map(([world, own, other]) => button(other ? `Write it into ${world}` : `Delete it in ${world}`, () => act(world, own, other, `${world} has the other side's item now`, [
    h("span", {}, `${world} has the other side's item.`),
    button("Take it back", () => act(world, other, own, `${world} has its item again`, all)),
  ])));
  place.append(...all);
  return place;
}

function differenceView(one, table, worlds, names) {
  const attributes = one.what === "changed" ? differing(one.before ?? {}, one.after ?? {}) : Object.keys(one.after ?? one.before ?? {});
  const place = h("div");
  const details = h("details", { class: `difference ${WORDS[one.what]}`, ...unfolded(`${table.TableName} ${JSON.stringify(Object.values(one.key))}`, () => {
    if (!place.firstChild) place.append(statesView(`Item ${keyText(one.key)}`, [[names[0], one.before], [names[1], one.after]], attributes), takeButtons(table, one, worlds));
  }) }, h("summary", {}, h("span", { class: "tag" }, WORDS[one.what]), " ", h("bdi", { class: "mono" }, keyText(one.key)),
    one.what === "changed" ? h("small", { class: "quiet isolated" }, ` ${attributes.map((name) => `${visible(name)}: ${[one.before, one.after].map((item) => (item?.[name] ? brief(item[name], 40) : "–")).join(" → ")}`).join("; ").slice(0, 400)}`) : null), place);
  return h("li", {}, details);
}

/** A table's differences, by the collections that have them. */
function tableView(of, worlds, names) {
  const { description: table } = of;
  if (of.in !== "both") return h("p", {}, h("b", { class: "isolated" }, of.table), ` is only in ${names[of.in === "from" ? 0 : 1]}, with ${many(of.in === "from" ? of.items_from : of.items_to, "item")}.`);
  if (!of.same_keys) return h("p", {}, h("b", { class: "isolated" }, of.table), " has other keys in the two worlds, so its items were not compared.");
  const hash = table?.KeySchema.filter((part) => part.KeyType === "HASH").map((part) => part.AttributeName) ?? [];
  const partition = (key) => JSON.stringify(hash.map((name) => key[name])), single = !of.collections.length;
  const groups = single ? [[null, of.differences]] : [...Map.groupBy(of.differences, (one) => partition(one.key))];
  const counted = new Map(of.collections.map((one) => [partition(one.key), one]));
  return h("section", { class: "panel" }, h("h3", { class: "isolated" }, of.table), h("p", {}, countsText(of)),
    of.attributes.length ? h("p", {}, h("span", { class: "quiet" }, "Attributes: "), of.attributes.slice(0, 30).map((one) => h("span", { class: "tag isolated" }, visible(one.name), h("small", { class: "quiet" }, ` ${count(one.items)}`)))) : null,
    groups.map(([at, list]) => {
      const items = h("ul", { class: "tree" }, list.map((one) => differenceView(one, table, worlds, names)));
      if (at === null) return items;
      const so = counted.get(at);
      return h("details", { open: groups.length <= 8 }, h("summary", {}, h("bdi", { class: "mono" }, JSON.parse(at).map((value) => brief(value, 80)).join(" · ")), " ", h("small", { class: "quiet" }, so ? countsText(so) : many(list.length, "difference"))), items);
    }));
}

/** `sides` are their names in words, `worlds` the worlds that can be written, or null. */
export function differencesView(found, sides, worlds) {
  const tables = found.tables.filter((one) => one.in !== "both" || !one.same_keys || one.added + one.changed + one.removed);
  const words = `From ${sides[0]} to ${sides[1]}: `, more = allOf(found);
  if (!tables.length) return h("p", {}, words, h("b", {}, "they are equal."));
  const shown = found.tables.reduce((so, one) => so + one.differences.length, 0), all = found.added + found.changed + found.removed;
  return h("div", { class: "differences" },
    h("p", {}, words, h("b", {}, many(more.added + more.changed + more.removed, "difference")), ` (${Object.entries(WORDS).filter(([word]) => more[word]).map(([word, text]) => `${count(more[word])} ${text}`).join(", ")}).`,
      shown < all ? ` The first ${count(shown)} items are listed.` : "", found.complete ? "" : " Not all was compared."),
    tables.map((one) => tableView(one, worlds, sides)));
}
