// Access: the access patterns that touch the table, their use by live traffic and their cost; and requests that match none.

import { verb } from "../lib/api.js";
import { button, fill, grid, h, problem } from "../lib/dom.js";
import { count, many } from "../lib/format.js";
import { href } from "../lib/route.js";
import { useOf, useTag } from "./patterns.js";

/** The names of tables in a request: TableName at any depth, and the members of RequestItems. */
function tablesOf(request) {
  if (Array.isArray(request)) return request.flatMap(tablesOf);
  if (!request || typeof request !== "object") return [];
  return Object.entries(request).flatMap(([name, value]) => (name === "TableName" ? [value] : name === "RequestItems" ? Object.keys(value) : tablesOf(value)));
}

const isOf = (shape, table) => shape.split(" ").some((word) => word === table || word.startsWith(`${table}.`));
const sum = (steps, name) => steps.reduce((so, step) => so + (step[name] ?? 0), 0);

function patternRow(pattern, { prefix, table, used, measured }) {
  const own = pattern.steps.filter((step) => tablesOf(step.request).some((one) => prefix + one === table));
  const use = used.get(pattern.name), result = measured.get(pattern.name), expected = own.map((step) => step.cost).filter(Boolean);
  return h("tr", {},
    h("th", { scope: "row" }, h("a", { href: href("patterns", ["questions"], { name: pattern.name }) }, pattern.name), h("div", {}, h("small", { class: "quiet" }, pattern.question.replace(/[`*]/g, "")))),
    h("td", {}, own.map((step) => h("div", {}, `${step.operation} ${step.request.IndexName ?? "the table"}`))),
    h("td", {}, use ? useTag(use) : "–"),
    h("td", { class: "number" }, expected.length ? count(sum(expected, "rcu")) : "–"),
    h("td", { class: result && !result.holds ? "number break" : "number" }, result ? count(result.rcu) : "–"));
}

export async function show(view, { table: { TableName: table } }) {
  const [{ files, prefix }, traffic] = await Promise.all([verb("GET", "patterns/files"), verb("GET", "patterns")]);
  const own = files.flatMap((one) => one.patterns).filter((one) => one.steps.some((step) => tablesOf(step.request).some((name) => prefix + name === table)));
  const state = { prefix, table, used: new Map(traffic.patterns.map((one) => [one.name, useOf(one)])), measured: new Map() };
  const place = h("div"), said = h("span", { role: "status" }), unmatched = traffic.unmatched.filter((one) => isOf(one.shape, table));
  const draw = () => fill(place, grid("Access patterns", ["Pattern", "Reads", "Used", ["Units, expected", true], ["Units, measured", true]], own.map((one) => patternRow(one, state)), true));
  const measure = async () => {
    try {
      const { report } = await verb("POST", "patterns/run", { only: own.map((one) => one.name) });
      for (const result of report.results) state.measured.set(result.name, result);
      said.textContent = report.failed ? `${many(report.failed, "pattern")} of ${report.patterns} fail` : `All ${report.patterns} hold`;
      draw();
    } catch (error) {
      fill(said, problem(error));
    }
  };
  draw();
  fill(view,
    own.length ? [h("div", { class: "row middle" }, button("Run them", measure), said), place] : h("p", {}, "No access pattern of this server touches the table. ", h("a", { href: href("patterns") }, "Patterns"), " says how it gets some."),
    h("h2", {}, "Requests that match no pattern"),
    unmatched.length ? h("ul", {}, unmatched.map((one) => h("li", {}, h("span", { class: "mono" }, one.shape), h("small", { class: "quiet" }, ` ${many(one.requests, "time")}`), one.hint ? h("div", {}, one.hint) : null)))
      : h("p", { class: "quiet" }, "None."));
}
