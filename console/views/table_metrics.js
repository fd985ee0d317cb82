// Metrics: what requests to the table have consumed, by table and index, and how operations did.

import { button, fill, grid, h, problem } from "../lib/dom.js";
import { count, ms } from "../lib/format.js";
import { costText, costsByTable, samples } from "../lib/metrics.js";
import { href } from "../lib/route.js";

/** [label's value, {name of the metric: sum}] of the samples, by a label. */
function sumsBy(found, label) {
  const by = new Map();
  for (const { name, labels, value } of found) {
    const of = labels[label] ?? "", so = by.get(of) ?? new Map();
    by.set(of, so.set(name, (so.get(name) ?? 0) + value));
  }
  return [...by].sort(([a], [b]) => (a < b ? -1 : 1));
}

const number = (value) => h("td", { class: value ? "number" : "number absent" }, value === undefined ? "–" : count(value));

function unitsGrid(found) {
  const rows = sumsBy(found.filter(({ name }) => name.startsWith("consumed_")), "index");
  return rows.length ? grid("Consumed units", ["Table or index", ["Read", true], ["Written", true]], rows.map(([index, sums]) => h("tr", {},
    h("th", { scope: "row" }, index || "the table"), number(sums.get("consumed_read_capacity_units_total")), number(sums.get("consumed_write_capacity_units_total")))), true) : null;
}

function operationsGrid(found) {
  const rows = sumsBy(found.filter(({ labels }) => labels.operation), "operation");
  return rows.length ? grid("Operations", ["Operation", ["Answered", true], ["On average", true], ["Items returned", true], ["Throttled", true], ["System errors", true]], rows.map(([operation, sums]) => {
    const answered = sums.get("successful_request_latency_milliseconds_count");
    return h("tr", {}, h("th", { scope: "row" }, operation), number(answered),
      h("td", { class: "number" }, answered ? ms(sums.get("successful_request_latency_milliseconds_sum") / answered) : "–"),
      number(sums.get("returned_item_count_sum")), number(sums.get("throttled_requests_total")), number(sums.get("system_errors_total")));
  }), true) : null;
}

const OTHERS = [
  ["conditional_check_failed_requests_total", "Failed conditions"], ["transaction_conflict_total", "Transaction conflicts"],
  ["time_to_live_deleted_item_count_total", "Items deleted by time to live"], ["read_throttle_events_total", "Throttled reads"], ["write_throttle_events_total", "Throttled writes"],
];

export async function show(view, { table: { TableName: table } }) {
  const out = h("div");
  const draw = async () => {
    try {
      const [all, costs] = await Promise.all([samples(), costsByTable()]), found = all.filter(({ labels }) => labels.table === table);
      const others = OTHERS.map(([name, text]) => [text, found.filter((one) => one.name === name).reduce((so, one) => so + one.value, 0)]).filter(([, value]) => value);
      fill(out, h("p", {}, "Cost so far: ", h("b", {}, costText(costs.get(table)))), unitsGrid(found), found.length ? h("h2", {}, "Operations") : null, operationsGrid(found),
        others.length ? h("dl", { class: "facts apart" }, others.map(([text, value]) => [h("dt", {}, text), h("dd", {}, count(value))])) : null);
    } catch (error) {
      fill(out, problem(error));
    }
  };
  fill(view, h("div", { class: "row middle" }, h("p", { class: "quiet grow" }, "Since the server's start, or the world's reset. ", h("a", { href: href("live") }, "Live"), " has the requests one by one."), button("Refresh", draw)), out);
  await draw();
}
