// Plots over time with axes and units: sums of each second by group, or a dot for each request. A range can be dragged, or
// chosen by keyboard; the figures at the pointer are shown as text.

import { fill, h, svg } from "./dom.js";
import { count } from "./format.js";
import { visible } from "./values.js";

const HEIGHT = 130, LEFT = 46, BOTTOM = 20, TOP = 8, NARROW = 280;
const GROUPS = 5; // with colours of their own

/** The next figure of 1, 2 or 5 times a power of ten. */
function roundUp(figure) {
  const ten = 10 ** Math.floor(Math.log10(Math.max(figure, 1e-6)));
  return ten * [1, 2, 5, 10].find((step) => step * ten >= figure * 0.9999);
}

const rounded = (figure) => count(Math.round(figure * 100) / 100);
const DAY = 86400;

/** The groups that have a colour, and one for all others: {names, of(name)}. */
function groupsOf(order, seconds) {
  const there = new Set([...seconds.values()].flatMap(({ groups }) => [...groups.keys()])), names = order.slice(0, GROUPS);
  return { names: [...names, ...([...there].some((name) => !names.includes(name)) ? ["others"] : [])], of: (name) => (names.includes(name) ? names.indexOf(name) : GROUPS) };
}

/** {element, draw({from, to, step, seconds, dots, range})}: `seconds` is second → {total, groups: Map}, with the `order` of groups, of
 * every `step` seconds from `from` on (1); or `dots` are given, [{at, figure, kind, text}]. `onRange([from, to] or null)` is called when a range was chosen. */
export function timePlot(label, unit, onRange) {
  const said = h("small", { class: "quiet", role: "status" }), legend = h("p", { class: "legend" });
  const picture = svg("svg", { class: "time-plot", height: HEIGHT, role: "img", "aria-label": label });
  const area = h("div", { class: "plot-area", tabindex: "0", role: "group", "aria-label": `${label}: arrow keys, Home and End move, Enter begins and ends a range, Escape clears it` }, picture);
  const element = h("figure", { class: "figure panel" }, h("figcaption", {}, h("b", {}, label), h("small", { class: "quiet" }, ` ${unit} `)), area, legend, said);
  let data = null, cursor = null, start = null, width = NARROW;
  const xOf = (second) => LEFT + ((second - data.from) / (data.to - data.from)) * (width - LEFT - 4);
  const step = () => data.step ?? 1, slot = (second) => second - (second - data.from) % step();
  const clock = (second) => { const iso = new Date(second * 1000).toISOString(); return data.to - data.from > DAY ? iso.slice(5, 16).replace("T", " ") : iso.slice(11, 19); };
  const secondAt = (x) => Math.round(data.from + (Math.max(0, Math.min(1, (x - LEFT) / (width - LEFT - 4)))) * (data.to - data.from));

  function sayAt(second) {
    if (!data) return;
    if (data.dots) {
      const near = data.dots.filter((one) => Math.floor(one.at) === second);
      said.textContent = `${clock(second)}: ${near.length ? near.slice(0, 3).map((one) => one.text).join("; ") + (near.length > 3 ? `; ${near.length - 3} more` : "") : "no request"}`;
      return;
    }
    const at = data.seconds.get(slot(second)), parts = at ? [...at.groups].sort(([, a], [, b]) => b - a).slice(0, GROUPS).map(([name, figure]) => `${visible(name)} ${rounded(figure)}`) : [];
    said.textContent = `${clock(second)}: ${rounded(at?.total ?? 0)} ${unit}${parts.length ? ` (${parts.join(", ")})` : ""}`;
  }

  function axes(most) {
    const y = (figure) => HEIGHT - BOTTOM - (figure / most) * (HEIGHT - BOTTOM - TOP);
    const apart = Math.max(1, Math.round((data.to - data.from) / (width < 420 ? 2 : 4)));
    const times = Array.from({ length: Math.floor((data.to - data.from) / apart) + 1 }, (_, i) => data.from + i * apart);
    return [y, [0, most / 2, most].map((figure) => [svg("line", { class: "axis", x1: LEFT, x2: width - 4, y1: y(figure), y2: y(figure) }), svg("text", { class: "axis-text", x: LEFT - 5, y: y(figure) + 4, "text-anchor": "end" }, rounded(figure))]),
      times.map((second, i) => svg("text", { class: "axis-text", x: xOf(second), y: HEIGHT - 5, "text-anchor": i ? (i === times.length - 1 ? "end" : "middle") : "start" }, clock(second)))];
  }

  function bars(most, y, groups) {
    const wide = Math.max(1, step() * (width - LEFT) / (data.to - data.from) - 1), out = [];
    for (const [second, { groups: own }] of data.seconds) {
      let from = 0;
      for (const [name, figure] of [...own].sort(([a], [b]) => groups.of(a) - groups.of(b))) {
        if (second < data.from || second > data.to || !figure) continue;
        out.push(svg("rect", { class: `tone${groups.of(name)}`, x: xOf(second + (step() - 1) / 2) - wide / 2, width: wide, y: y(from + figure), height: Math.max(0.5, y(from) - y(from + figure)) }, svg("title", {}, `${visible(name)} ${rounded(figure)}`)));
        from += figure;
      }
    }
    return out;
  }

  function draw(next = data) {
    data = next;
    if (!data) return;
    width = Math.max(NARROW, area.clientWidth);
    const figures = data.dots ? data.dots.map((one) => one.figure) : [...data.seconds.values()].map((one) => one.total);
    const most = roundUp(Math.max(0, ...figures) || 1), [y, ...lines] = axes(most), groups = data.dots ? null : groupsOf(data.order, data.seconds);
    const span = start !== null && cursor !== null ? [Math.min(start, cursor), Math.max(start, cursor)] : data.range;
    picture.setAttribute("width", width);
    picture.setAttribute("aria-label", `${label}: ${data.dots ? `${data.dots.length} requests` : ""} at most ${rounded(Math.max(0, ...figures))} ${unit}`);
    fill(picture, lines,
      span ? svg("rect", { class: "range", x: xOf(span[0] - 0.5), width: Math.max(2, xOf(span[1] + 0.5) - xOf(span[0] - 0.5)), y: TOP, height: HEIGHT - BOTTOM - TOP }) : null,
      data.dots ? data.dots.map((one) => svg("circle", { class: `point ${one.kind}`, cx: xOf(one.at), cy: y(one.figure), r: one.kind ? 3.5 : 2.2 })) : bars(most, y, groups),
      cursor !== null ? svg("line", { class: "cursor", x1: xOf(cursor), x2: xOf(cursor), y1: TOP, y2: HEIGHT - BOTTOM }) : null);
    fill(legend, groups ? groups.names.map((name, i) => h("span", { class: "isolated" }, h("span", { class: `dot tone${i}` }), visible(name))) : null);
  }

  const end = () => {
    if (start === null || cursor === null) return;
    const range = [Math.min(start, cursor), Math.max(start, cursor)];
    start = null;
    onRange(range);
  };
  area.addEventListener("pointermove", (event) => {
    if (!data) return;
    cursor = secondAt(event.offsetX);
    sayAt(cursor);
    draw();
  });
  area.addEventListener("pointerdown", (event) => {
    if (!data || event.button) return;
    area.setPointerCapture(event.pointerId);
    start = cursor = secondAt(event.offsetX);
  });
  area.addEventListener("pointerup", () => {
    if (start === cursor) start = null; // a click is no range
    end();
  });
  area.addEventListener("pointerleave", () => { if (start === null) { cursor = null; draw(); } });
  area.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!data || (!by && event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    if (by) cursor = Math.max(data.from, Math.min(data.to, (cursor ?? data.to) + by * step()));
    else if (event.key === "Escape") { start = null; onRange(null); }
    else if (start === null) start = cursor ?? data.to;
    else end();
    if (cursor !== null) sayAt(cursor);
    draw();
  });
  return { element, draw };
}
