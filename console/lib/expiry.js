// When an item expires, by the world's clock and the server's rules, and what became of an item that is gone.

import { call, verb } from "./api.js";
import { button, h, notice } from "./dom.js";
import { many, moment } from "./format.js";
import { readRecords } from "./history.js";
import { keyOf } from "./schema.js";
import { same, visible } from "./values.js";

const FIVE_YEARS_MS = 5 * 365 * 86400e3, LAST_MS = Date.UTC(10000, 0) - 1; // where a clock ends

/** {at: ms, due: ms at which the server deletes the item, now: ms, why: it stays, or ""} of an item with a time to live, or null. The
 * time to live is that of `host`: {table, ttl: its attribute or null}. */
async function expiryOf({ table, ttl }, item) {
  const value = ttl && item?.[ttl];
  if (!value) return null;
  const { now_ms: now, expiry } = await verb("GET", "clock"), at = Math.floor(Number(value.N)) * 1000, due = at + expiry.after_ms;
  const why = !value.N || !(at > 0) ? `${visible(ttl)} is no number of seconds since 1970`
    : due > LAST_MS ? `${visible(ttl)} is a moment after the year 9999: it counts seconds, not milliseconds`
      : expiry.kept_tables.includes(table.TableName) ? "the items of this fixture stay, unless the server begins with --clock fixture"
        : !expiry.after_ms ? "this server deletes no expired items"
          : at < now - FIVE_YEARS_MS ? "the service does not delete what is over for more than five years" : "";
  return { at, due, now, why };
}

const lasting = (ms) => (ms < 7200e3 ? many(Math.ceil(ms / 60e3), "minute") : many(Math.round(ms / 3600e3), "hour"));

/** When the item expires, and a button that advances the clock past it, or why it stays; gone() is called when it was deleted. */
export async function expiryView(host, item, gone) {
  const found = await expiryOf(host, item);
  if (!found) return null;
  const { at, due, now, why } = found, key = keyOf(host.table, item);
  if (why) return h("p", {}, `Does not expire: ${why}.`);
  if (due <= now) return h("p", {}, `Expired ${moment(at / 1000)}: the server is about to delete it.`);
  const pass = async () => {
    try {
      const left = due - (await verb("GET", "clock")).now_ms;
      if (left > 0) await verb("POST", "clock", { advance: left });
      const { Item: stays } = await call("GetItem", { TableName: host.table.TableName, Key: key, ConsistentRead: true });
      notice(stays ? "The clock is past its time to live; the item is still stored" : "The clock is past its time to live: the item has expired, and is deleted", stays ? "wrong" : "done");
      if (!stays) gone();
    } catch (error) {
      notice(error.message, "wrong");
    }
  };
  return h("p", {}, `Expires ${moment(at / 1000)}, in ${lasting(due - now)} by this world's clock. `, button("Advance the clock past it", pass));
}

/** A time to live that ends within an hour: the clock is past it when it is an hour further, since the server deletes an item at the end
 * of its second. */
export const inAnHour = async () => String(Math.floor((await verb("GET", "clock")).now_ms / 1000) + 3599);

/** Why an item that was stored is gone: "its time to live has passed", or "another client deleted it". A stream says which; without
 * one, an item whose time to live is over has expired. */
export async function whyGone(host, item) {
  const found = await expiryOf(host, item), isExpired = found && !found.why && found.due <= found.now;
  const key = keyOf(host.table, item), isIt = (one) => Object.keys(key).every((name) => same(one[name], key[name]));
  const { records } = isExpired && await readRecords(host.table, isIt).catch(() => null) || { records: [] };
  return isExpired && (!records.length || records.at(-1).userIdentity) ? "its time to live has passed" : "another client deleted it";
}
