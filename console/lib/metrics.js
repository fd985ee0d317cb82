// The server's metrics for Prometheus, read as data; and what requests to each table have consumed.

import { currentWorld, text } from "./api.js";
import { count, dollars, units } from "./format.js";

const LINE = /^mockddb_(\w+)\{(.*)\} (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

const labelsOf = (source) => Object.fromEntries([...source.matchAll(LABEL)]
  .map(([, name, value]) => [name, value.replace(/\\(.)/g, (_, one) => (one === "n" ? "\n" : one))]));

/** The samples of this world since the server's start, or the world's reset: [{name, labels, value}], names without mockddb_. */
export async function samples() {
  const lines = (await text("metrics")).split("\n").map((line) => LINE.exec(line)).filter(Boolean);
  return lines.map(([, name, labels, value]) => ({ name, labels: labelsOf(labels), value: Number(value) })).filter(({ labels }) => labels.world === currentWorld());
}

/** Table → {read, write} units, indexes counted in. */
export async function costsByTable() {
  const costs = new Map();
  for (const { name, labels, value } of await samples()) {
    const [, kind] = /^consumed_(read|write)_capacity_units_total$/.exec(name) ?? [];
    if (!kind) continue;
    const so = costs.get(labels.table) ?? { read: 0, write: 0 };
    so[kind] += value;
    costs.set(labels.table, so);
  }
  return costs;
}

/** "12.5 units read, 3 written, less than 1 cent" */
export function costText(cost) {
  if (!cost || !(cost.read + cost.write)) return "nothing yet";
  const parts = [cost.read ? `${units(cost.read)} read` : "", cost.write ? `${cost.read ? count(cost.write) : units(cost.write)} written` : ""];
  return `${parts.filter(Boolean).join(", ")}, ${dollars(cost.read, cost.write)}`;
}
