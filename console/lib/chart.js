// Small drawings: a line over time, bars by name.

import { h, svg } from "./dom.js";
import { count } from "./format.js";

/** A line through `values`, the oldest first; `unit` is what the figures are of. */
export function line(values, label, unit) {
  const most = Math.max(1e-9, ...values), last = values.at(-1) ?? 0;
  const points = values.map((value, i) => `${((100 * i) / Math.max(1, values.length - 1)).toFixed(2)},${(29 - (28 * value) / most).toFixed(2)}`);
  return h("figure", { class: "figure panel" },
    h("figcaption", {}, label, " ", h("b", {}, `${count(Math.round(last * 10) / 10)} ${unit}`), h("small", { class: "quiet" }, ` at most ${count(Math.round(most * 10) / 10)}`)),
    svg("svg", { class: "plot", viewBox: "0 0 100 30", preserveAspectRatio: "none", role: "img", "aria-label": `${label}: now ${last} ${unit}, at most ${most}` },
      svg("path", { class: "under", d: `M0,29L${points.join("L")}L100,29Z` }), svg("path", { d: `M${points.join("L")}` })));
}

/** Rows [name, figure, text]; the longest bar is the largest figure. */
export function bars(rows, label) {
  const most = Math.max(1e-9, ...rows.map(([, figure]) => figure));
  return h("div", { class: "bars", role: "group", "aria-label": label }, rows.map(([name, figure, text]) => {
    const one = h("i");
    one.style.width = `${(100 * figure) / most}%`;
    return [h("span", {}, name), h("span", { class: "bar-line", "aria-hidden": "true" }, one), h("span", {}, text ?? count(figure))];
  }));
}
