// The picture of a read: what was read, what each part of the filter threw away, what came back, where pages end, and what
// it cost. Its figures are those of the answers and their explanations.

import { verb } from "./api.js";
import { h, svg } from "./dom.js";
import { count, many, units } from "./format.js";
import { describe } from "./schema.js";
import { visible } from "./values.js";

const HEIGHT = 34; // of the strip, in pixels
const PAGES = 200; // whose ends are drawn

/** The parts of what a run read: [{kind, text, items}], the returned items last. The explanation counts what parts of the filter
 * removed of the last request alone; of other pages it is one part. */
function partsOf(run) {
  const facts = run.explanation?.facts, gone = run.read - run.returned;
  const known = facts?.read === run.read && facts.returned === run.returned ? facts.removed : [];
  const named = known.map(({ clause, items }) => ({ kind: "removed", text: `removed by ${visible(clause)}`, items }));
  const rest = gone - known.reduce((so, one) => so + one.items, 0);
  return [...named, ...(rest > 0 ? [{ kind: "removed", text: "removed by the filter", items: rest }] : []), { kind: "returned", text: "returned", items: run.returned }];
}

/** The share of the units of all pages that the run has read, or null if that is not known. */
function shareRead(run) {
  const facts = run.explanation?.facts;
  if (!run.last && !run.token) return 1;
  return facts?.all_pages_units > 0 && run.units <= facts.all_pages_units ? run.units / facts.all_pages_units : null;
}

const percent = (share) => `${(100 * share).toFixed(3)}%`;

function strip(run, scale, label) {
  const share = shareRead(run), whole = share ? run.read / share : run.read, parts = [];
  let at = 0;
  const width = (items) => (whole ? (scale * items) / whole : 0);
  for (const [i, part] of partsOf(run).entries()) {
    parts.push(svg("rect", { class: `plan-${part.kind} plan-tone${i % 4}`, x: percent(at), y: 4, width: percent(width(part.items)), height: HEIGHT - 8 }, svg("title", {}, `${count(part.items)} ${part.text}`)));
    at += width(part.items);
  }
  if (at < scale) parts.push(svg("rect", { class: "plan-unread", x: percent(at), y: 4, width: percent(scale - at), height: HEIGHT - 8 }, svg("title", {}, run.read ? "not read yet" : "nothing was read")));
  let read = 0;
  for (const page of (run.steps ?? []).slice(0, PAGES)) {
    read += page.read;
    parts.push(svg("line", { class: "plan-page", x1: percent(width(read)), x2: percent(width(read)), y1: 0, y2: HEIGHT }));
  }
  return svg("svg", { class: "plan", height: HEIGHT, role: "img", "aria-label": label }, parts);
}

/** The picture in a sentence. */
function planText(run, place) {
  const facts = run.explanation?.facts, share = shareRead(run);
  const from = place ? ` of the ${count(place.items)} in ${place.what}${place.complete ? "" : " that were counted, or more"}` : "";
  const removed = partsOf(run).filter((one) => one.kind === "removed").map((one) => `${count(one.items)} ${one.text}`);
  const parts = [`${many(run.read, "item")} read${from}`, ...removed, `${count(run.returned)} returned`, many(run.pages, "page"), units(run.units)];
  const more = run.last || run.token ? (share === null ? "; more pages follow" : `; all pages take ${units(facts.all_pages_units)}`) : "";
  return `${parts.join(", ")}${more}.`;
}

/** A run of lib/result.js (newRun, addAnswer) as a strip. `scale`: its length beside others, up to 1; `place`: of
 * planPlace; `alone`: says what the strip does not show. */
export function planPicture(run, { scale = 1, place = null, label = "", alone = true } = {}) {
  const text = planText(run, place), facts = run.explanation?.facts;
  const legend = partsOf(run).map((part, i) => h("span", {}, h("span", { class: `dot plan-${part.kind} plan-tone${i % 4}` }), part.text, " ", h("b", {}, count(part.items))));
  const unread = shareRead(run) === null ? "not known how much" : shareRead(run) < 1 ? percent(1 - shareRead(run)).replace(/\.?0+%/, "%") : null;
  return h("figure", { class: "figure plan-figure" },
    h("figcaption", { class: "isolated" }, label ? [h("b", {}, label), " "] : null,
      facts ? visible(`${run.operation} ${[facts.table, facts.index].filter(Boolean).join(".")}: ${facts.range}`) : run.operation),
    strip(run, Math.max(0, Math.min(1, scale)), text),
    h("div", { class: "legend isolated" }, legend,
      unread ? h("span", {}, h("span", { class: "dot plan-unread" }), "on further pages, by units ", h("b", {}, unread)) : null,
      h("span", {}, h("b", {}, units(run.units)), ` in ${many(run.pages, "page")}`)),
    !alone ? null : h("p", { class: "quiet" }, place ? `${place.what[0].toUpperCase()}${place.what.slice(1)} has ${many(place.items, "item")}${place.complete ? "" : " or more"}; ${count(run.read)} of them were read. ` : "",
      "The strip shows shares of what was read; it does not say where in the partition it is."));
}

/** Two runs above one another, to one scale: items that were read. */
export function planCompare(a, b, labels = ["First", "Second"]) {
  const most = Math.max(1, a.read, b.read);
  const ratio = (of) => {
    const [p, q] = [of(a), of(b)];
    if (p === q) return "the same";
    if (!p || !q) return `${count(p)} and ${count(q)}`;
    const times = Math.max(p, q) / Math.min(p, q);
    return `${labels[p < q ? 0 : 1]} takes ${times.toPrecision(2).replace(/\.0$/, "")} times less`;
  };
  return h("div", { class: "plan-two" },
    [a, b].map((run, i) => planPicture(run, { scale: run.read / most, label: labels[i], alone: false })),
    h("dl", { class: "facts" }, h("dt", {}, "Units"), h("dd", {}, `${count(a.units)} and ${count(b.units)}: ${ratio((one) => one.units)}`),
      h("dt", {}, "Items read"), h("dd", {}, `${count(a.read)} and ${count(b.read)}`), h("dt", {}, "Items returned"), h("dd", {}, `${count(a.returned)} and ${count(b.returned)}`)));
}

/** The value of an attribute in `a = :x AND …`, or undefined. */
function equalTo(request, name) {
  for (const part of (request.KeyConditionExpression ?? "").split(/\s+AND\s+/i)) {
    const [, left, right] = /^\s*\(?\s*([\w#.-]+)\s*=\s*(:\w+)\s*\)?\s*$/.exec(part) ?? [];
    if (left && (request.ExpressionAttributeNames?.[left] ?? left) === name) return request.ExpressionAttributeValues?.[right];
  }
  return undefined;
}

/** How many items the partition has that a Query reads, or the table or index of a Scan: {items, what, complete}; null if that is not
 * known. */
export async function planPlace({ operation, request }) {
  if (!["Query", "Scan"].includes(operation) || !request.TableName) return null;
  const table = await describe(request.TableName).catch(() => null), of = request.IndexName;
  const schema = of ? [...table?.GlobalSecondaryIndexes ?? [], ...table?.LocalSecondaryIndexes ?? []].find((one) => one.IndexName === of)?.KeySchema : table?.KeySchema;
  if (!schema) return null;
  const ask = (more) => verb("GET", `collections?${new URLSearchParams({ table: table.TableName, ...(of ? { index: of } : {}), limit: 1, ...more })}`);
  if (operation === "Scan") return { items: (await ask({ keys: 1 })).entries, what: of ? "the index" : "the table", complete: true };
  const hash = schema.filter((one) => one.KeyType === "HASH"), value = equalTo(request, hash[0].AttributeName);
  if (hash.length > 1 || hash.length === schema.length || !value) return null;
  const { read, complete } = await ask({ partition: Object.values(value)[0] });
  return { items: read, what: "the partition", complete };
}
