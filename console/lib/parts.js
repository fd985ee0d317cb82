// The parts that keys begin with: while a user types a key, its field's list has what follows in the data.

import { verb } from "./api.js";
import { many } from "./format.js";
import { fill, h } from "./dom.js";

const WAIT_MS = 150;              // for further letters
const LOOKED = 20000, LISTED = 40; // keys that are looked at, parts that are listed

/** Has the list of a field follow its text; place() is {table, index, partition}, whose index and partition may be empty, or null if
 * there is nothing to look for. Without an answer the list stays as it is. */
export function followParts(input, list, place) {
  let turn = 0;
  const follow = async () => {
    const mine = ++turn, of = place();
    await new Promise((resolve) => { setTimeout(resolve, WAIT_MS); });
    if (mine !== turn || !of || !input.isConnected) return;
    const known = Object.entries({ ...of, prefix: input.value }).filter(([, value]) => value);
    const found = await verb("GET", `collections?${new URLSearchParams([...known, ["keys", LOOKED], ["limit", LISTED]])}`).catch(() => null);
    if (mine !== turn || !found || found.type !== "S") return;
    fill(list, found.parts.map((one) => h("option", { value: found.base + one.part + (one.whole < one.keys ? found.separator : ""), label: many(one.items, "item") + (found.complete ? "" : " or more") })));
  };
  input.addEventListener("input", follow);
  input.addEventListener("focus", follow);
}
