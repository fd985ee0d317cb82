// The fields of keys and indexes in the forms that make them, and the service's refusals at those fields.

import { button, field, fill, h, problem, select, showFaults } from "./dom.js";

const KEY_TYPES = [["S", "String"], ["N", "Number"], ["B", "Binary"]];
const PROJECTIONS = [["ALL", "All attributes"], ["KEYS_ONLY", "Keys only"], ["INCLUDE", "Keys and some"]];
const LONGEST = 255; // bytes of an attribute's name in a key or as time to live

export const textInput = (value, more) => h("input", { value: value ?? "", autocomplete: "off", spellcheck: "false", ...more });
export const numeric = (value, at) => textInput(value, { inputmode: "numeric", "data-field": at });

// --- fields -------------------------------------------------------------------------------------------

/** The fields of a part of a key: {element, name: its control, read()}; `known` are attributes [{name, type}] whose type is chosen with
 * the name, and `list` the id of a list of names. */
export function keyFields(label, required, known = [], list = null) {
  const type = select(KEY_TYPES, "S");
  const name = textInput("", { required, list, oninput: () => { type.value = known.find((one) => one.name === name.value.trim())?.type ?? type.value; } });
  return {
    element: h("div", { class: "row" }, h("div", { class: "grow" }, field(label, name)), field("Type", type)), name,
    read: () => (name.value.trim() ? { name: name.value.trim(), type: type.value } : null),
  };
}

/** Like keyFields, with a choice of known attributes; without `required` it may be left empty. */
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

/** Units a second for what is read and written: {element, show(on), read(at, faults)}. */
export function throughputFields(read = 5, write = 5) {
  const controls = { read: numeric(read, "read"), write: numeric(write, "write") };
  const element = h("div", { class: "row", hidden: true }, field("Read units a second", controls.read), field("Write units a second", controls.write));
  const number = (name, at, faults) => {
    const text = controls[name].value.trim();
    controls[name].dataset.field = at + name;
    if (!/^[1-9]\d*$/.test(text)) faults.push({ at: at + name, message: "a whole number from 1" });
    return Number(text);
  };
  return {
    element, show: (on) => { element.hidden = !on; },
    read: (at, faults) => ({ ReadCapacityUnits: number("read", at, faults), WriteCapacityUnits: number("write", at, faults) }),
  };
}

/** A name for an index by its key. */
const nameBy = (key) => `by-${key?.name.replace(/[^\w.-]/g, "_") ?? ""}`;

/** The fields of an index: {element, provisioned(on), read(at, tableHash, faults)}. read() gives the fields names that begin with `at`,
 * adds what is wrong to `faults`, and returns {index: as CreateTable has it, keys: [{name, type, at}]}. */
export function indexFields({ local = false, known = [], list = null, remove = null }) {
  const name = textInput(), include = textInput("", { list }), units = throughputFields();
  const hash = local ? null : keyFields("Partition key", false, known, list), range = keyFields(local ? "Sort key" : "Sort key (optional)", false, known, list);
  const more = h("div", { class: "grow", hidden: true }, field("Attributes, by commas", include));
  const projection = select(PROJECTIONS, "ALL", (chosen) => { more.hidden = chosen !== "INCLUDE"; });
  const element = h("fieldset", {}, h("legend", {}, local ? "Local index" : "Global index"),
    field("Name", name, `If it is empty: “by-” and the name of the ${local ? "sort" : "partition"} key.`), hash?.element, range.element,
    h("div", { class: "row" }, field("Projection", projection), more, remove ? button("Remove", () => remove(element)) : null), local ? null : units.element);
  let isProvisioned = false;
  const read = (at, tableHash, faults) => {
    const parts = [hash ? hash.read() : tableHash, range.read()], own = [[hash, "hash"], [range, "range"]].filter(([fields]) => fields);
    for (const [fields, part] of own) fields.name.dataset.field = at + part;
    name.dataset.field = `${at}name`;
    include.dataset.field = `${at}include`;
    if (hash && !parts[0]) faults.push({ at: `${at}hash`, message: "missing: an index needs a partition key" });
    if (local && !parts[1]) faults.push({ at: `${at}range`, message: "missing: a local index needs a sort key" });
    const names = include.value.split(",").map((one) => one.trim()).filter(Boolean), some = projection.value === "INCLUDE";
    if (some && !names.length) faults.push({ at: `${at}include`, message: "missing: name at least one attribute" });
    return {
      index: {
        IndexName: name.value.trim() || nameBy(local ? parts[1] : parts[0]), KeySchema: keySchema(...parts),
        Projection: { ProjectionType: projection.value, ...(some ? { NonKeyAttributes: names } : {}) },
        ...(isProvisioned && !local ? { ProvisionedThroughput: units.read(at, faults) } : {}),
      },
      keys: [hash ? { ...parts[0], at: `${at}hash` } : {}, { ...parts[1], at: `${at}range` }].filter((key) => key.name),
    };
  };
  return { element, read, provisioned: (on) => { isProvisioned = on; units.show(on); } };
}

// --- parts of requests ----------------------------------------------------------------------------------

export const keySchema = (hash, range) => [
  { AttributeName: hash?.name ?? "", KeyType: "HASH" },
  ...(range ? [{ AttributeName: range.name, KeyType: "RANGE" }] : []),
];

/** AttributeDefinitions of keys [{name, type, at}]; a name with two types, or too long, is added to `faults`. */
export function definitionsOf(keys, faults) {
  const types = new Map();
  for (const { name, type, at } of keys) {
    const other = types.get(name) ?? type;
    if (other !== type) faults.push({ at, message: `${name} is of type ${other} in another key: an attribute has one type` });
    if (at) checkName(name, at, faults);
    types.set(name, other);
  }
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

export function checkName(name, at, faults) {
  const bytes = new Blob([name]).size;
  if (bytes > LONGEST) faults.push({ at, message: `${bytes} bytes long: ${LONGEST} are the most` });
}

// --- refusals -----------------------------------------------------------------------------------------

const CONSTRAINT = /at '([\w.]+)' failed to satisfy constraint: ([^;]*)/g;
const INDEX = /^(?:globalSecondaryIndexUpdates\.\d+\.member\.(?:create|update)\.|(global|local)SecondaryIndexes\.(\d+)\.member\.)/;

// Members, and words of messages that name no member, with the field that they are about.
const ABOUT = [
  [/^(table|index)Name$|already exists|index name/i, "name"], [/timeToLive/i, "ttl"], [/nonKeyAttributes/i, "include"],
  [/keySchema\.1/i, "hash"], [/keySchema\.2|does not have a range key|same name/i, "range"],
  [/readCapacityUnits|MaxReadRequestUnits|ReadUnits/i, "read"], [/writeCapacityUnits|MaxWriteRequestUnits|WriteUnits/i, "write"],
];
const aboutOf = (text) => ABOUT.find(([form]) => form.test(text))?.[1];

/** The names of an index's fields begin with this: of the n-th global or local index of a table's form. */
export const indexAt = (kind, number) => `${kind}${number}.`;

/** The place of a member in the form's fields. */
function placeOf(path, request) {
  const member = path.replace(/(^|\.)([A-Z])/g, (_, dot, letter) => dot + letter.toLowerCase());
  const [, kind, number] = INDEX.exec(member) ?? [], rest = member.replace(INDEX, ""), at = kind ? indexAt(kind, number) : "";
  const [, defined] = /^attributeDefinitions\.(\d+)/.exec(rest) ?? [];
  if (!defined) return at + aboutOf(rest);
  const name = request.AttributeDefinitions?.[defined - 1]?.AttributeName, parts = [["", request], ...["global", "local"].flatMap((one) => indexesOf(request, one).map((index, i) => [indexAt(one, i + 1), index]))];
  const found = parts.find(([, of]) => of.KeySchema?.some((part) => part.AttributeName === name));
  return found ? found[0] + (found[1].KeySchema[0].AttributeName === name ? "hash" : "range") : undefined;
}

const indexesOf = (request, kind) => request[kind === "global" ? "GlobalSecondaryIndexes" : "LocalSecondaryIndexes"] ?? [];

/** The fields that a refusal of a request is about, as showFaults takes them. */
function faultsOf({ message = "" }, request) {
  const constraints = [...message.matchAll(CONSTRAINT)];
  if (constraints.length) return constraints.map(([, path, text]) => ({ at: placeOf(path, request), message: text.trim() }));
  const named = ["global", "local"].flatMap((kind) => indexesOf(request, kind).map(({ IndexName }, i) => [IndexName, indexAt(kind, i + 1)]));
  const index = named.findLast(([name]) => new RegExp(`index(?: name)?\\s?:? ${name.replace(/[^\w]/g, "\\$&")}(?![\\w-])`, "i").test(message));
  const about = aboutOf(message), of = index?.[1] ?? (about === "include" || /index key/i.test(message) ? named.at(-1)?.[1] ?? "" : "");
  return about ? [{ at: of + about, message }] : [];
}

/** Shows an error at the fields that it is about, or in `place` if it is about none of the form's: one that is thrown with `faults`, or the
 * service's refusal of `request`. */
export function showRefusal(root, place, error, request = {}) {
  const faults = error.faults ?? faultsOf(error, request), here = faults.filter(({ at }) => at && root.querySelector(`[data-field="${CSS.escape(at)}"]`)?.checkVisibility());
  fill(place, here.length === faults.length && faults.length ? null : problem(error));
  showFaults(root, here);
}

/** Throws what is wrong with fields, if anything is. */
export function mustBeRight(faults) {
  if (faults.length) throw Object.assign(new Error("look at the fields that are marked"), { type: "Nothing was made", faults });
}
