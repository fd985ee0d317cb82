// Shows an answer: items read, filtered out and returned, the cost, the explanation, and the items.

import { verb } from "./api.js";
import { commandView } from "./commands.js";
import { button, code, fill, h, problem } from "./dom.js";
import { explanationView } from "./explanation.js";
import { count, dollarsAMillion, many, ms, units } from "./format.js";
import { itemsView, shownTabs } from "./items.js";
import { planPicture } from "./plan.js";
import { href, unfolded } from "./route.js";
import { failuresOf, itemsOf, leftOver, unitsOf } from "./requests.js";
import { describe, sortKeyOf } from "./schema.js";
import { LANGUAGES } from "./snippets.js";

const countsView = ({ read, returned }) => h("div", { class: "legend" }, [["read", read], ["thrown away", read - returned], ["returned", returned]].map(([word, number]) => h("span", {}, `${word} `, h("b", {}, count(number)))));

function costs(run) {
  const facts = run.explanation?.facts;
  const whole = facts?.more && facts.all_pages_units !== undefined
    ? h("span", {}, "all pages ", h("b", {}, units(facts.all_pages_units)), `, ${dollarsAMillion(facts.all_pages_units, 0)}`) : null;
  if (!run.counted) return null;
  return h("div", { class: "legend" },
    h("span", {}, h("b", {}, units(run.units)), `, ${run.writes ? dollarsAMillion(0, run.units) : dollarsAMillion(run.units, 0)}`),
    whole, h("span", {}, many(run.pages, "page")), h("span", {}, `answer and explanation in ${ms(run.ms)}`));
}

/** The way to share what was asked: {operation, request, response or error, explanation}. */
const shareButton = (asked) => h("p", {}, button("Share", async () => { const { share } = await import("./share.js"); await share(asked); }, { title: "as a case file, or as Markdown" }));

/** A command of the AWS CLI as {operation, request}. */
export const readCommand = (command) => verb("POST", "command", { command });

/** The same request in other languages. */
export function snippetsView(operation, request) {
  const place = h("div");
  let chosen = 0;
  const list = LANGUAGES.map(([, name, make]) => [name, async () => {
    const turn = ++chosen, text = name === "PartiQL" ? make(operation, request, await sortKeyOf(operation, request)) : make(operation, request);
    if (turn === chosen) fill(place, text === null
      ? h("p", { class: "quiet" }, name === "PartiQL" ? "No statement says quite the same." : `Not written in ${name} here.`)
      : name === "AWS CLI" ? commandView(text) : code(text));
  }]);
  return h("div", {}, shownTabs(list, "Language", "lang"), place);
}

/** Adds an answer to the run so far. */
export function addAnswer(run, { response, explanation, ms: took }) {
  const spent = unitsOf(response), found = itemsOf(run.operation, run.request, response);
  run.pages += 1;
  run.steps.push({ read: response.ScannedCount ?? 0, returned: response.Count ?? 0, units: spent.total });
  run.ms += took;
  run.explanation = explanation ?? run.explanation;
  run.counted ||= spent.list.length > 0;
  run.units += spent.total;
  run.writes ||= spent.write > 0;
  run.read += response.ScannedCount ?? 0;
  run.returned += response.Count ?? 0;
  run.hasCounts ||= response.ScannedCount !== undefined;
  run.last = response.LastEvaluatedKey ?? null;
  run.token = response.NextToken ?? null;
  run.hasItems ||= Boolean(found);
  const view = run.views.at(-1);
  for (const [table, items] of found ?? []) view.set(table, [...(view.get(table) ?? []), ...items]);
  run.response = response;
}

/** `steps` are what each answer read, returned and took; `views` are the pages that were shown, each table → items; `at` is the one
 * that is shown. */
export const newRun = (operation, request) => ({
  operation, request, pages: 0, ms: 0, units: 0, read: 0, returned: 0, hasItems: false, steps: [], views: [new Map()], at: 0, last: null, token: null,
});

/** What is read next is another page of the run. */
export function addPage(run) {
  if (run.pages) run.views.push(new Map());
  run.at = run.views.length - 1;
}

/** Errors of a batch's or transaction's parts. */
function failuresView(answer) {
  const failures = failuresOf(answer);
  return failures.length ? h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Parts that failed" },
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "Part"), ["Code", "Message"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, failures.map(({ number, code, message }) => h("tr", {}, h("td", { class: "number" }, number), h("td", {}, h("span", { class: "break" }, code)), h("td", {}, message)))))) : null;
}

/** The items of one table; `first` are the attributes of its key, which lead to the whole item. `tools` has further columns before
 * the attributes, what is below, and open({key}), which a link to an item calls. */
export function tableView(table, items, first, several, tools) {
  const hasKey = table && first.length && items.every((item) => first.every((name) => item[name]));
  const open = (item) => {
    const key = Object.fromEntries(first.map((name) => [name, item[name]])), text = JSON.stringify(key);
    return h("a", { href: href("table", [table, "explore"], { key: text }), "data-key": text, onclick: (event) => {
      if (!tools?.open || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      tools.open({ key });
    } }, "Open");
  };
  const label = several ? `Items of ${table}` : "Items";
  return h("div", {}, itemsView(items, { first, lead: hasKey ? [...(tools?.lead ?? []), ["Item", open]] : [], label, caption: `${many(items.length, "item")}${several ? ` of ${table}` : ""}`, of: table }), hasKey ? tools?.below : null);
}

function answerView(run, keys, rows) {
  const left = leftOver(run.response);
  const tables = [...run.views[run.at]].filter(([, items]) => items.length);
  return [
    failuresView(run.response),
    left ? h("p", { class: "why" }, `${count(left)} left over, as the service does under load: send ${left === 1 ? "it" : "them"} again.`) : null,
    tables.map(([table, items]) => tableView(table, items, keys.get(table) ?? [], tables.length > 1, rows(table, items, run))),
    tables.length ? null
      : run.hasItems ? h("p", { class: "quiet" }, "No items came back.")
        : run.hasCounts ? h("p", {}, `${many(run.returned, "item")}, counted only.`)
          : run.writes ? h("p", {}, h("span", { class: "tag good" }, "done"), " Nothing comes back with it.")
            : h("pre", { class: "wrap", tabindex: "0" }, JSON.stringify(run.response, null, 2)),
  ];
}

/** {use, next, previous, keys, rows, bare}: next and previous show another page, or are null; `keys` is table → attributes of its
 * key; rows(table, items, run) has tools for rows, or null; `bare`: the rows alone. */
export function runView(run, { use, next = null, previous = null, keys, rows = () => null, bare = false }) {
  const ended = !run.last && !run.token;
  return h("div", {},
    run.hasCounts && !bare ? countsView(run) : null,
    costs(run),
    bare ? null : shareButton(run),
    explanationView(run.explanation, run.units, use),
    run.hasCounts && !bare ? [planPicture(run, { alone: false }), h("p", {}, h("a", { href: href("plans", [], { one: JSON.stringify({ operation: run.operation, request: run.request }) }) }, "Compare with another read"))] : null,
    answerView(run, keys, rows),
    next || previous ? h("div", { class: "row middle" }, button("Previous", previous, { disabled: !previous }), button("Next", next, { disabled: !next }),
      h("small", { class: "quiet" }, `page ${count(run.at + 1)}${ended ? ` of ${count(run.views.length)}` : ", more follow"}`))
      : ended ? null : h("p", { class: "quiet" }, "More follows: this page ended before the end."),
    bare ? null : wholeAnswer(run.response));
}

/** The raw answer. It is drawn when it is opened, since it may have a megabyte. */
function wholeAnswer(response) {
  const place = h("div");
  return h("details", unfolded("answer", () => fill(place, h("pre", { class: "wrap", tabindex: "0" }, JSON.stringify(response, null, 2).slice(0, 400000)))),
    h("summary", {}, "The whole answer"), place);
}

/** The tables of a run's items, and the attributes of their keys. */
export async function keysOf(run) {
  const names = [...run.views[run.at].keys()].filter(Boolean);
  const found = await Promise.all(names.map((name) => describe(name).catch(() => null)));
  return new Map(found.filter(Boolean).map((table) => [table.TableName, table.KeySchema.map((one) => one.AttributeName)]));
}

/** An error in its place, with its explanation; `asked` is the request that was refused, if one was sent. */
export function refusalView(error, use, asked) {
  return h("div", {}, problem(error), asked && error.body ? shareButton({ ...asked, error, explanation: error.explanation }) : null,
    explanationView(error.explanation, 0, use), error.body ? failuresView(error.body) : null);
}
