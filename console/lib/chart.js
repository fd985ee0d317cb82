// Small drawings: bars by name.

import { h } from "./dom.js";
import { count } from "./format.js";

/** Rows [name, figure, text]; the longest bar is the largest figure. */
export function bars(rows, label) {
  const most = Math.max(1e-9, ...rows.map(([, figure]) => figure));
  return h("div", { class: "bars", role: "group", "aria-label": label }, rows.map(([name, figure, text]) => {
    const one = h("i");
    one.style.width = `${(100 * figure) / most}%`;
    return [h("span", {}, name), h("span", { class: "bar-line", "aria-hidden": "true" }, one), h("span", {}, text ?? count(figure))];
  }));
}
