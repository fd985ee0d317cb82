// What requests to each table have consumed since the server's start, from the metrics for Prometheus.

import { currentWorld, text } from "./api.js";
import { count, dollars } from "./format.js";

const LINE = /^mockddb_consumed_(read|write)_capacity_units_total\{(.*)\} (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

const labelsOf = (source) => Object.fromEntries([...source.matchAll(LABEL)]
  .map(([, name, value]) => [name, value.replace(/\\(.)/g, (_, one) => (one === "n" ? "\n" : one))]));

/** Table → {read, write} of this world, indexes counted in. */
export async function costsByTable() {
  const costs = new Map();
  for (const line of (await text("metrics")).split("\n")) {
    const [, kind, source, units] = LINE.exec(line) ?? [];
    const labels = kind ? labelsOf(source) : {};
    if (labels.world !== currentWorld()) continue;
    const so = costs.get(labels.table) ?? { read: 0, write: 0 };
    so[kind] += Number(units);
    costs.set(labels.table, so);
  }
  return costs;
}

/** "12.5 units read, 3 written, less than 1 cent" */
export function costText(cost) {
  if (!cost || !(cost.read + cost.write)) return "nothing yet";
  const parts = [cost.read ? `${count(cost.read)} units read` : "", cost.write ? `${count(cost.write)} ${cost.read ? "" : "units "}written` : ""];
  return `${parts.filter(Boolean).join(", ")}, ${dollars(cost.read, cost.write)}`;
}
