// The form for a new table: a key, indexes and settings, or CreateTable's JSON as it is.

import { call } from "../lib/api.js";
import { ask, button, field, fill, h, notice, select } from "../lib/dom.js";
import { checkName, definitionsOf, indexAt, indexFields, keyFields, keySchema, mustBeRight, showRefusal, textInput, throughputFields } from "../lib/index_fields.js";
import { again } from "../lib/route.js";
import { describe } from "../lib/schema.js";

const VIEWS = ["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"];
const POLL_MS = 200, POLLS = 600; // until a new table is ACTIVE

/** The fields of the form: {element, read(): the request, ttl(): the attribute}. */
function tableFields() {
  const name = textInput("", { required: true, "data-field": "name" }), expiry = textInput("", { "data-field": "ttl" });
  const hash = keyFields("Partition key", true), range = keyFields("Sort key (optional)"), units = throughputFields(), list = h("div");
  hash.name.dataset.field = "hash";
  range.name.dataset.field = "range";
  let indexes = [];
  const billing = select([["PAY_PER_REQUEST", "on demand"], ["PROVISIONED", "provisioned"]], "PAY_PER_REQUEST", () => draw());
  const stream = select([["", "off"], ...VIEWS], "");
  const draw = () => { for (const one of [units.show, ...indexes.map((index) => index.provisioned)]) one(billing.value === "PROVISIONED"); };
  const add = (local) => () => {
    const one = indexFields({ local, remove: (element) => { indexes = indexes.filter((other) => other.element !== element); element.remove(); list.nextSibling.firstChild.focus(); } });
    indexes.push({ ...one, kind: local ? "local" : "global" });
    list.append(one.element);
    draw();
    one.element.querySelector("input").focus();
  };
  const element = h("fieldset", { class: "bare" }, field("Table name", name), hash.element, range.element,
    h("div", { class: "row" }, field("Billing", billing), units.element),
    h("div", { class: "row" }, h("div", { class: "grow" }, field("Time to live (optional)", expiry, "the attribute with the time, in seconds")), field("Stream", stream, "what records show")),
    list, h("div", { class: "row" }, button("Add a global index", add(false)), button("Add a local index", add(true))));
  const read = () => {
    const faults = [], own = [hash.read(), range.read()], TableName = name.value.trim();
    if (!TableName) faults.push({ at: "name", message: "missing: a table has a name" });
    if (!own[0]) faults.push({ at: "hash", message: "missing: a table needs a partition key" });
    const made = ["global", "local"].map((kind) => indexes.filter((one) => one.kind === kind).map((one, i) => one.read(indexAt(kind, i + 1), own[0], faults)));
    const keys = [{ ...own[0], at: "hash" }, { ...own[1], at: "range" }, ...made.flat().flatMap((one) => one.keys)].filter((key) => key.name);
    const request = {
      TableName, AttributeDefinitions: definitionsOf(keys, faults), KeySchema: keySchema(...own), BillingMode: billing.value,
      ...(billing.value === "PROVISIONED" ? { ProvisionedThroughput: units.read("", faults) } : {}),
      ...(made[0].length ? { GlobalSecondaryIndexes: made[0].map((one) => one.index) } : {}),
      ...(made[1].length ? { LocalSecondaryIndexes: made[1].map((one) => one.index) } : {}),
      ...(stream.value ? { StreamSpecification: { StreamEnabled: true, StreamViewType: stream.value } } : {}),
    };
    checkName(expiry.value.trim(), "ttl", faults);
    mustBeRight(faults);
    return request;
  };
  return { element, read, ttl: () => expiry.value.trim(), expiry };
}

/** Waits until the table is ACTIVE: before that its time to live cannot be set. */
async function untilActive(name) {
  for (let i = 0; i < POLLS; i++) {
    if ((await describe(name)).TableStatus === "ACTIVE") return;
    await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
  }
}

/** Asks for a table and creates it; returns {name, items: whether items are to follow}, or null if it was not created. */
export async function createTable() {
  const fields = tableFields(), wrong = h("div"), done = h("p", { role: "status" });
  const json = h("textarea", { spellcheck: "false", "aria-label": "CreateTable request", oninput: () => { fields.element.disabled = json.value.trim() !== ""; } });
  const pasted = h("details", {}, h("summary", {}, "… or paste CreateTable's JSON, or a DescribeTable answer, in place of the fields"), json);
  const content = h("div", {}, done, fields.element, pasted, wrong);
  let made = null; // the table's name, once it exists
  const read = () => {
    if (!json.value.trim()) return fields.read();
    const given = JSON.parse(json.value);
    return given.Table ? fromDescription(given.Table) : given;
  };
  /** The table exists, and its time to live is still missing: the rest of the form is done. */
  const onlyExpiry = () => {
    fill(done, h("b", {}, `The table ${made} is made. `), "Its time to live is not set yet: set it here, or leave it off.");
    pasted.hidden = true;
    for (const control of fields.element.querySelectorAll("input, select, button")) control.disabled = control !== fields.expiry;
  };
  const create = (items) => async () => {
    const request = made ? {} : await (async () => read())().catch((error) => { showRefusal(content, wrong, error); return null; });
    if (!request) return undefined;
    const AttributeName = fields.element.disabled ? "" : fields.ttl();
    try {
      if (!made) {
        await call("CreateTable", request);
        made = request.TableName;
      }
      if (AttributeName) {
        await untilActive(made);
        await call("UpdateTimeToLive", { TableName: made, TimeToLiveSpecification: { AttributeName, Enabled: true } });
      }
      notice("The table is created");
      return { name: made, items };
    } catch (error) {
      if (made) onlyExpiry();
      showRefusal(fields.element.disabled ? wrong : content, wrong, error, request);
      return undefined;
    }
  };
  const answer = await ask("New table", content, [{ text: "Create and add items", kind: "", run: create(true) }, { text: "Create", run: create(false) }]);
  if (!answer && made) {
    notice(`The table ${made} is made, without a time to live`);
    again();
  }
  return answer;
}

/** Converts DescribeTable's answer to CreateTable's input. */
export function fromDescription(table) {
  const pick = (from, names) => Object.fromEntries(names.filter((one) => from[one] !== undefined).map((one) => [one, from[one]]));
  const onDemand = table.BillingModeSummary?.BillingMode === "PAY_PER_REQUEST";
  const units = (from) => (onDemand ? {} : { ProvisionedThroughput: pick(from.ProvisionedThroughput, ["ReadCapacityUnits", "WriteCapacityUnits"]) });
  const index = (one) => ({ ...pick(one, ["IndexName", "KeySchema", "Projection"]) });
  return {
    ...pick(table, ["TableName", "AttributeDefinitions", "KeySchema"]),
    ...(onDemand ? { BillingMode: "PAY_PER_REQUEST" } : units(table)),
    ...(table.GlobalSecondaryIndexes ? { GlobalSecondaryIndexes: table.GlobalSecondaryIndexes.map((one) => ({ ...index(one), ...units(one) })) } : {}),
    ...(table.LocalSecondaryIndexes ? { LocalSecondaryIndexes: table.LocalSecondaryIndexes.map(index) } : {}),
    ...(table.StreamSpecification ? { StreamSpecification: table.StreamSpecification } : {}),
  };
}
