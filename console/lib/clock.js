// Changes of the world's clock.

import { verb } from "./api.js";
import { ask, h } from "./dom.js";
import { many } from "./format.js";

const UNASKED_MS = 36 * 3600000; // ahead

/** A moment or duration as a field has it: digits are milliseconds. */
export const timeOf = (text) => (/^\s*\d+\s*$/.test(text) ? Number(text) : text.trim());

const momentOf = ({ real, set, freeze }) => (real ? Date.now() : typeof (set ?? freeze) === "boolean" ? NaN : new Date(set ?? freeze).getTime());

/** Changes the clock by the body of POST clock; a jump far ahead is confirmed, since what is due by then is done. False: it was not. */
export async function changeClock(body) {
  const ahead = momentOf(body) - (await verb("GET", "clock")).now_ms;
  if (ahead > UNASKED_MS) {
    const text = `The clock goes ${many(Math.round(ahead / 86400000), "day")} ahead. Items whose time to live passes are deleted, as time would do it; a snapshot or a fork keeps them.`;
    if (!await ask("Move the clock ahead", h("p", {}, text), [{ text: "Move it", kind: "danger", run: () => true }])) return false;
  }
  await verb("POST", "clock", body);
  return true;
}
