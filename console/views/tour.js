// A guided tour of the e-commerce fixture: a wrong query, why it is empty, the right one, and what each costs.

import { call, verb } from "../lib/api.js";
import { button, fill, h, problem } from "../lib/dom.js";
import { counted } from "../lib/requests.js";
import { addAnswer, keysOf, newRun, readCommand, refusalView, runView, snippetsView } from "../lib/result.js";
import { href } from "../lib/route.js";
import { tableNames } from "../lib/schema.js";
import { coverage } from "./patterns.js";

export const title = "Tour";

const JOBS = "EcomIndexerJobsTable", SETTINGS = "EcomIndexSettingsTable";
const SHOP = "kl7a9h55-shopify-e513a8-4";

const RULE = "the tour's bad day"; // the fault rule's name

/** Removes only the tour's own rule. */
async function removeRule() {
  const { rules } = await verb("GET", "faults");
  for (const { id, rule } of rules) if (rule.name === RULE) await verb("DELETE", `faults/${id}`);
}

async function addRule(prefix) {
  await removeRule();
  await verb("POST", "faults", { rules: [{ name: RULE, operation: "Query", table: prefix + JOBS, times: 1, error: "ProvisionedThroughputExceededException" }] });
}

const query = (table, condition, values, more = {}) => (prefix) => ({
  operation: "Query",
  request: { TableName: prefix + table, ...more, KeyConditionExpression: condition, ExpressionAttributeValues: values },
});

/** The texts and requests of the stops; `request` receives the prefix of the tables' names. `before` runs once, ahead of the
 * first run, `done` after it and when the user leaves; a stop with `looks` shows something instead of a request. */
const STOPS = [
  {
    name: "A question",
    text: ["A shop's owner calls: “my last sync failed”. The admin console shows the shop as e513a8-4.myshopify.com, and the jobs table is keyed by platform and shop.",
      "So: PLATFORM#shopify#SHOP# and the domain. Run it."],
    request: query(JOBS, "pk = :pk", { ":pk": { S: "PLATFORM#shopify#SHOP#e513a8-4.myshopify.com" } }),
    after: "Nothing, and it cost half a unit to learn that. The real service would say no more. Here the explanation says which value belongs there: the shop's index name, not its domain.",
  },
  {
    name: "The right key",
    text: ["The same query with the composite index name. Newest first, ten of them."],
    request: query(JOBS, "pk = :pk AND begins_with(sk, :jobs)", { ":pk": { S: `PLATFORM#shopify#SHOP#${SHOP}` }, ":jobs": { S: "JOB#" } }, { ScanIndexForward: false, Limit: 10 }),
    after: "Created_at comes first in the sort key, so newest first is the order of the partition: ten items are read, ten come back.",
  },
  {
    name: "A guess that costs",
    text: ["Which jobs failed? A filter looks like the answer: status = FAILED."],
    request: query(JOBS, "pk = :pk", { ":pk": { S: `PLATFORM#shopify#SHOP#${SHOP}` }, ":s": { S: "FAILED" } }, { FilterExpression: "#s = :s", ExpressionAttributeNames: { "#s": "status" } }),
    after: "The bar shows it: the whole partition is read and paid for, and almost all of it thrown away. A filter saves no unit.",
  },
  {
    name: "An index that answers",
    text: ["GSI_JobsByStatus_v2 has the status at the beginning of its sort key: the same question as a range."],
    request: query(JOBS, "shop_id = :shop AND begins_with(status_created_at, :s)", { ":shop": { S: SHOP }, ":s": { S: "FAILED#" } }, { IndexName: "GSI_JobsByStatus_v2", ScanIndexForward: false }),
    after: "Nothing is thrown away, and the units are those of what comes back.",
  },
  {
    name: "A Scan for one item",
    text: ["A webhook names a domain. Which index settings belong to it? A hurried colleague scans the settings table."],
    request: (prefix) => ({
      operation: "Scan",
      request: { TableName: prefix + SETTINGS, FilterExpression: "shopify_domain = :d", ExpressionAttributeValues: { ":d": { S: "e513a8-4.myshopify.com" } } },
    }),
    after: "Every item of the table was read for one. The hint names the index that answers it in half a unit; press “Use the proposal” to see, here.",
  },
  {
    name: "A lookup in two steps",
    text: ["A log has a job's id and nothing else. GSI_JobLookup_v2 finds it; it holds keys only."],
    request: query(JOBS, "job_id = :id", { ":id": { S: "3f2b8c54-9d1e-4a77-b0c6-5e8f1a2d7c90" } }, { IndexName: "GSI_JobLookup_v2" }),
    after: "The row has the table's key and little else. Press “Open”: one GetItem has the rest. That is the pattern ‘job-by-id’ of the cheat sheet.",
  },
  {
    name: "A reserved word",
    text: ["Next, a mistake that everybody makes once: status is a reserved word."],
    request: (prefix) => ({ operation: "Scan", request: { TableName: prefix + JOBS, FilterExpression: "status = :s", ExpressionAttributeValues: { ":s": { S: "FAILED" } }, Limit: 20 } }),
    after: "The message is the service's own. The explanation shows the place and the two members that mend it.",
  },
  {
    name: "A bad day",
    text: ["What does a program do when it is throttled? On the real service that is hard to try. Here a rule says what goes wrong: the next Query of the jobs table, once.",
      "Run it, and run it again. Faults & clock has such rules by form, and the clock, which can be frozen and advanced."],
    before: addRule,
    done: removeRule,
    request: query(JOBS, "pk = :pk AND begins_with(sk, :jobs)", { ":pk": { S: `PLATFORM#shopify#SHOP#${SHOP}` }, ":jobs": { S: "JOB#" } }, { Limit: 1 }),
    after: "The first is refused as the service refuses it, and an SDK would try again by itself; the second goes through. Live shows both.",
  },
  {
    name: "Who asks what",
    text: ["The cheat sheet has the questions that the tables were made for. Live traffic is held against it: what this tour asked is there as well.", "Which patterns were not used, and which requests match none?"],
    looks: coverage,
    after: "A pattern that stays unused may be an index that is not needed; a request that matches no pattern may be the next slow page. Each of those comes with a draft for the cheat sheet.",
  },
];

async function prefixOf() {
  const found = (await tableNames()).find((name) => name.endsWith(JOBS));
  return found === undefined ? null : found.slice(0, -JOBS.length);
}

function missing() {
  return h("div", { class: "panel" }, h("p", {}, "The tour is about the tables of the e-commerce fixture, which are not in this world."),
    h("pre", { tabindex: "0" }, "mockddb --fixtures ecommerce"));
}

/** Runs a request and shows the result; a proposal is run in its place, with a button back. */
async function run({ operation, request }, out, head = null) {
  const use = async (command) => {
    const before = [...out.childNodes];
    const back = h("div", { class: "row middle" }, h("p", { class: "grow" }, "This is the proposal. ", h("a", { href: href("request", [], { mode: "command", command, run: true }) }, "Open the request")),
      button("Back to the first answer", () => {
        fill(out, before);
        out.querySelector("button.primary")?.focus();
      }));
    try {
      await run(await readCommand(command), out, back);
    } catch (error) {
      fill(out, back, problem(error));
    }
    back.lastChild.focus(); // the pressed button was removed
  };
  try {
    const one = newRun(operation, request);
    addAnswer(one, await call(operation, counted(operation, request), { explain: true }));
    fill(out, head, runView(one, { use, keys: await keysOf(one) }));
  } catch (error) {
    fill(out, head, refusalView(error, use));
  }
}

export async function show(view, { parts: [at = "1"] }) {
  const prefix = await prefixOf();
  if (prefix === null) {
    fill(view, h("h1", {}, "Tour"), missing());
    return;
  }
  const i = Math.min(Math.max(1, Number(at) || 1), STOPS.length) - 1, stop = STOPS[i];
  const out = h("section", { class: "panel", hidden: true, "aria-label": "Answer", "aria-live": "polite" }), after = h("p", { class: "lesson", hidden: true }, stop.after);
  const { operation, request } = stop.request?.(prefix) ?? {};
  let before = stop.before, toEnd = null;
  const leave = async () => {
    const end = toEnd;
    toEnd = null;
    await end?.();
  };
  fill(view,
    h("h1", {}, `${i + 1}. ${stop.name}`),
    h("nav", { class: "row stops", "aria-label": "Stops of the tour" }, STOPS.map((one, j) => h("a", { class: "tag", href: href("tour", [j + 1]), "aria-current": j === i ? "step" : null }, `${j + 1} ${one.name}`))),
    h("div", { class: "panel" }, stop.text.map((line) => h("p", {}, line)), request ? snippetsView(operation, request) : null,
      button(request ? "Run it" : "Look", async () => {
        out.hidden = false;
        try {
          const first = before;
          before = null;
          if (first) toEnd = stop.done;
          await first?.(prefix);
          await (stop.looks ? stop.looks(out) : run(stop.request(prefix), out));
          await leave();
          after.hidden = false;
        } catch (error) {
          fill(out, problem(error));
        }
      }, { class: "primary" })),
    after, out,
    h("div", { class: "row end" },
      i ? h("a", { class: "button", href: href("tour", [i]) }, "Back") : null,
      i + 1 < STOPS.length ? h("a", { class: "button primary", href: href("tour", [i + 2]) }, "Next") : h("a", { class: "button primary", href: href("request") }, "Try your own")));
  return () => { leave().catch(() => {}); }; // a stopped server has no rules
}
