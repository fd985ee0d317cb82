// Partitions over time: a row for each, a cell for each second, coloured by the share of what one partition serves in a second.

import { h, svg } from "./dom.js";
import { count, percent } from "./format.js";

export const READ = 3000, WRITE = 1000; // units that a partition serves in a second
const LEVELS = [[1, "over"], [0.5, "heat4"], [0.1, "heat3"], [0.01, "heat2"], [0, "heat1"]];
const HEIGHT = 18;

export const HEAT_LEGEND = [["heat1", "less than 1 %"], ["heat2", "1 %"], ["heat3", "10 %"], ["heat4", "50 %"], ["over", "over the limit"]];

const rounded = (figure) => count(Math.round(figure * 10) / 10);

/** The strip of one partition; `seconds` as GET metrics/partitions has them. */
export function heatStrip(seconds, from, length, label) {
  const width = 100 / length, worst = seconds.reduce((so, one) => Math.max(so, one.read_units / READ, one.write_units / WRITE), 0);
  return h("span", {}, svg("svg", { class: "heat-strip", height: HEIGHT, role: "img", "aria-label": `${label}: ${seconds.length} seconds with load, at most ${percent(worst)} of what a partition serves` },
    seconds.map((one) => {
      const share = Math.max(one.read_units / READ, one.write_units / WRITE), [, kind] = LEVELS.find(([least]) => share >= least);
      return svg("rect", { class: `heat-${kind}`, x: `${((one.at - from) * width).toFixed(3)}%`, width: `${width.toFixed(3)}%`, y: 0, height: HEIGHT },
        svg("title", {}, `${new Date(one.at * 1000).toISOString().slice(11, 19)}: ${rounded(one.read_units)} units read, ${rounded(one.write_units)} written`));
    })));
}
