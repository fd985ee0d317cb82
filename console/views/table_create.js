// The form for a new table: a key, indexes, or CreateTable's JSON as it is.

import { call } from "../lib/api.js";
import { ask, button, field, fill, h, notice, problem, select } from "../lib/dom.js";

const KEY_TYPES = [["S", "String"], ["N", "Number"], ["B", "Binary"]];

/** The fields of a part of a key: {element, read()}. */
export function keyFields(label, required) {
  const name = h("input", { autocomplete: "off", spellcheck: "false", required });
  const type = select(KEY_TYPES, "S");
  return {
    element: h("div", { class: "row" }, h("div", { class: "grow" }, field(label, name)), field("Type", type)),
    read: () => (name.value.trim() ? { name: name.value.trim(), type: type.value } : null),
  };
}

/** Like keyFields, with a list of known attributes; without `required` it may be left empty. */
export function keyChoice(label, required, attributes, now) {
  const type = select(KEY_TYPES, now?.type ?? "S");
  const name = select([...(required ? [] : [["", "none"]]), ...attributes.map((one) => one.name)], now?.name ?? "", (chosen) => {
    type.value = attributes.find((one) => one.name === chosen)?.type ?? "S";
  });
  return {
    element: h("div", { class: "row" }, h("div", { class: "grow" }, field(label, name)), field("Type", type)),
    read: () => (name.value ? { name: name.value, type: type.value } : null),
  };
}

/** A name for an index by its key. */
const nameBy = (key) => `by-${key?.name.replace(/[^\w.-]/g, "_") ?? ""}`;

function indexFields(remove) {
  const name = h("input", { autocomplete: "off", spellcheck: "false" });
  const hash = keyFields("Partition key"), range = keyFields("Sort key (optional)");
  const projection = select([["ALL", "All attributes"], ["KEYS_ONLY", "Keys only"]], "ALL");
  const element = h("fieldset", {}, h("legend", {}, "Global index"), field("Name", name, "empty: by- and its partition key"), hash.element, range.element,
    h("div", { class: "row" }, field("Projection", projection), button("Remove", () => remove(element))));
  return { element, read: () => ({ name: name.value.trim() || nameBy(hash.read()), hash: hash.read(), range: range.read(), projection: projection.value }) };
}

const schemaOf = ({ hash, range }) => [
  { AttributeName: hash?.name ?? "", KeyType: "HASH" },
  ...(range ? [{ AttributeName: range.name, KeyType: "RANGE" }] : []),
];

function requestOf(name, table, indexes) {
  const keys = [table, ...indexes].flatMap((one) => [one.hash, one.range]).filter(Boolean);
  const types = new Map(keys.map((key) => [key.name, key.type]));
  const twice = keys.find((key) => types.get(key.name) !== key.type);
  if (twice) throw new Error(`${twice.name} is of type ${twice.type} in one key and of type ${types.get(twice.name)} in another: an attribute has one type`);
  return {
    TableName: name,
    AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    KeySchema: schemaOf(table),
    BillingMode: "PAY_PER_REQUEST",
    ...(indexes.length ? {
      GlobalSecondaryIndexes: indexes.map((one) => ({
        IndexName: one.name, KeySchema: schemaOf(one), Projection: { ProjectionType: one.projection },
      })),
    } : {}),
  };
}

/** Asks for a table and creates it; returns {name, items: whether items are to follow}, or null if it was not created. */
export function createTable() {
  const name = h("input", { autocomplete: "off", spellcheck: "false", required: true });
  const hash = keyFields("Partition key", true), range = keyFields("Sort key (optional)"), expiry = h("input", { autocomplete: "off", spellcheck: "false" });
  const wrong = h("div"), list = h("div");
  const fields = h("fieldset", { class: "bare" });
  const json = h("textarea", { spellcheck: "false", "aria-label": "CreateTable request", oninput: () => { fields.disabled = json.value.trim() !== ""; } });
  let indexes = [];
  const add = () => {
    const one = indexFields((element) => { indexes = indexes.filter((other) => other.element !== element); element.remove(); });
    indexes.push(one);
    list.append(one.element);
  };
  const content = h("div", {}, fill(fields, field("Table name", name), hash.element, range.element, field("Time to live (optional)", expiry, "the attribute with the time, in seconds"), list, button("Add a global index", add)),
    h("details", {}, h("summary", {}, "… or paste CreateTable's JSON, or a DescribeTable answer, in place of the fields"), json), wrong);
  const read = () => {
    if (!json.value.trim()) return requestOf(name.value.trim(), { hash: hash.read(), range: range.read() }, indexes.map((one) => one.read()));
    const given = JSON.parse(json.value);
    return given.Table ? fromDescription(given.Table) : given;
  };
  const create = (items) => async () => {
    try {
      const request = read();
      await call("CreateTable", request);
      if (expiry.value.trim() && !fields.disabled) await call("UpdateTimeToLive", { TableName: request.TableName, TimeToLiveSpecification: { AttributeName: expiry.value.trim(), Enabled: true } });
      notice("The table is created");
      return { name: request.TableName, items };
    } catch (error) {
      fill(wrong, problem(error));
      return undefined;
    }
  };
  return ask("New table", content, [{ text: "Create and add items", kind: "", run: create(true) }, { text: "Create", run: create(false) }]);
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
