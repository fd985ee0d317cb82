// What one partition takes in each second, beside what a partition serves: a plot of what is read and one of what is written.

import { h, svg } from "./dom.js";
import { count, percent } from "./format.js";
import { READ, WRITE } from "./heatmap.js";

const HEIGHT = 110, TOP = 18, BOTTOM = 18, ABOVE = 1.15; // the axis goes as far above the limit, or the highest figure

const clock = (second) => new Date(second * 1000).toISOString().slice(11, 19);
const rounded = (figure) => count(Math.round(figure * 10) / 10);

function plot(label, limit, figures, from, length) {
  const most = Math.max(0, ...figures.map(({ units }) => units)), over = figures.filter(({ units }) => units >= limit).length, top = ABOVE * Math.max(limit, most);
  const y = (units) => HEIGHT - BOTTOM - (units / top) * (HEIGHT - BOTTOM - TOP), at = new Map(figures.map(({ at: second, units }) => [second, units]));
  // A step for each second; figures of neighbouring seconds are joined.
  const path = Array.from({ length }, (_, i) => `${i ? "V" : `M0,`}${y(at.get(from + i) ?? 0).toFixed(2)}H${i + 1}`).join("");
  const words = `${label}: at most ${rounded(most)} units in a second, ${percent(most / limit)} of ${count(limit)}${over ? `; ${over === 1 ? "one second" : `${count(over)} seconds`} at or over it` : ""}`;
  return h("figure", { class: "figure panel" }, h("figcaption", {}, words),
    svg("svg", { class: "limit-plot", height: HEIGHT, role: "img", "aria-label": words },
      svg("svg", { viewBox: `0 0 ${length} ${HEIGHT}`, preserveAspectRatio: "none", width: "100%", height: HEIGHT },
        svg("path", { class: `limit-load${over ? " over" : ""}`, d: `${path}V${y(0)}H0Z` }),
        svg("line", { class: "axis", x1: 0, x2: length, y1: y(0), y2: y(0) }), svg("line", { class: "limit", x1: 0, x2: length, y1: y(limit), y2: y(limit), "data-limit": limit })),
      svg("text", { class: "axis-text limit-text", x: 4, y: y(limit) - 4 }, `${count(limit)} ${limit === READ ? "read" : "written"} a second: a partition's limit`),
      svg("text", { class: "axis-text", x: 0, y: HEIGHT - 4 }, clock(from)), svg("text", { class: "axis-text", x: "100%", y: HEIGHT - 4, "text-anchor": "end" }, clock(from + length))));
}

/** Both plots of a partition; `seconds` as GET metrics/partitions has them, of `length` seconds since `from`. */
export const limitPlots = (seconds, from, length) => h("div", { class: "cards plots limits" },
  plot("Written", WRITE, seconds.map((one) => ({ at: one.at, units: one.write_units })), from, length),
  plot("Read", READ, seconds.map((one) => ({ at: one.at, units: one.read_units })), from, length));
