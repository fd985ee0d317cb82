// A schema as a picture: tables with their keys, and beside them their indexes, with what they hold. Also as a file.

import { svg } from "./dom.js";
import { projectionText } from "./schema.js";
import { visible } from "./values.js";

const WIDTH = 330, GAP = 70, LINE = 18, HEAD = 30, PAD = 10, BETWEEN = 16;
const LETTER = 7.3; // of the monospaced font, 12 pixels high

/** A text that fits a width, without its middle if it is longer. */
function fit(text, width) {
  const most = Math.floor(width / LETTER), letters = [...visible(text)];
  if (letters.length <= most) return letters.join("");
  const half = Math.floor((most - 1) / 2);
  return `${letters.slice(0, half).join("")}…${letters.slice(-half).join("")}`;
}

const line = (x, y, text, kind, width, weight = null) => svg("text", { class: `d-text ${kind}`, x, y, "font-weight": weight }, svg("title", {}, visible(text)), fit(text, width));

/** A box: {name, keys: [[name, type, role]], notes}; returns its elements and height. */
function box(x, y, { name, keys, notes, kind }) {
  const height = HEAD + PAD + LINE * (keys.length + notes.length), inner = WIDTH - 2 * PAD;
  return {
    height,
    elements: [
      svg("rect", { class: `d-box ${kind}`, x, y, width: WIDTH, height, rx: 6 }),
      svg("rect", { class: `d-head ${kind}`, x, y, width: WIDTH, height: HEAD, rx: 6 }),
      line(x + PAD, y + 20, name, "d-name", inner, 600),
      keys.map(([key, type, role], i) => [
        line(x + PAD, y + HEAD + LINE * (i + 1), key, "d-key", inner - 110),
        svg("text", { class: "d-text d-quiet", x: x + WIDTH - PAD, y: y + HEAD + LINE * (i + 1), "text-anchor": "end" }, `${type}, ${role} key`),
      ]),
      notes.map((note, i) => line(x + PAD, y + HEAD + LINE * (keys.length + i + 1), note, "d-quiet", inner)),
    ],
  };
}

const keysOf = (path) => [...path.hash.map((key) => [key.name, key.type, "partition"]), ...path.range.map((key) => [key.name, key.type, "sort"])];

/** Tables as [{name, paths (of accessPaths), notes}]. */
export function diagram(tables, label) {
  const elements = [];
  let y = 1;
  for (const { name, paths: [own, ...indexes], notes } of tables) {
    const table = box(1, y, { name, keys: keysOf(own), notes, kind: "d-table" });
    const from = [1 + WIDTH, y + HEAD / 2];
    let at = y;
    for (const path of indexes) {
      const one = box(1 + WIDTH + GAP, at, { name: path.name, keys: keysOf(path), notes: [`${path.kind}, ${projectionText(path)}`], kind: path.kind === "local index" ? "d-local" : "d-index" });
      const middle = at + HEAD / 2;
      elements.push(svg("path", { class: "d-line", d: `M${from[0]},${from[1]} C${from[0] + GAP / 2},${from[1]} ${from[0] + GAP / 2},${middle} ${from[0] + GAP},${middle}` }), one.elements);
      at += one.height + BETWEEN;
    }
    elements.push(table.elements);
    y += Math.max(table.height + BETWEEN, at - y) + BETWEEN;
  }
  const width = 2 * WIDTH + GAP + 2, height = Math.max(1, y - BETWEEN);
  return svg("svg", { class: "diagram", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label }, elements);
}

// The picture's colours in a file, where the page's are not known.
const STYLE = `text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1a2129}.d-quiet{fill:#55606c}.d-box{fill:#fff;stroke:#8d97a3}.d-head{fill:#e8f0f7;stroke:#8d97a3}
.d-table.d-head{fill:#0f5c9c}.d-table.d-head+.d-name{fill:#fff}.d-name{font-weight:600}.d-local{stroke-dasharray:4 3}.d-line{fill:none;stroke:#8d97a3}`;

/** The picture as the text of an SVG file. */
export function diagramFile(picture) {
  const text = new XMLSerializer().serializeToString(picture), at = text.indexOf(">") + 1;
  return `${text.slice(0, at)}<style>${STYLE}</style>${text.slice(at)}`;
}
