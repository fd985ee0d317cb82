// A read of one table by form: a Query or Scan of the table or an index, or a GetItem. One of the ways to say a request
// (lib/ways.js).

import { checkForm } from "./checks.js";
import { button, checkbox, field, fill, h, select } from "./dom.js";
import { followParts } from "./parts.js";
import { unfolded } from "./route.js";
import { FILTER_OPERATORS, KINDS, SORT_OPERATORS, canGetItem, fromForm, takesValue } from "./requests.js";
import { keyText, projectionText } from "./schema.js";
import { TYPE_NAMES, brief, typesByName } from "./values.js";
import { consistentField, input, limitField, mustBe } from "./ways.js";

const FORM_TYPES = ["S", "N", "B", "BOOL", "NULL"];
const SHOWN = 34; // characters of an example of a key
const ATTRIBUTES = "attributes"; // the id of the list of their names

function readForm(params) {
  const hash = params.getAll("hash"), sort = { operator: params.get("so") ?? "=", value: params.get("sv") ?? "", value2: params.get("sv2") ?? "" };
  const asks = hash.some((one) => one) || sort.value || sort.value2;
  return {
    kind: params.has("item") ? "GetItem" : asks ? "Query" : KINDS.includes(params.get("kind")) ? params.get("kind") : "Scan",
    index: params.get("index") ?? "", hash, sort,
    filters: params.getAll("f").map((text) => {
      const [name, operator, type, value, value2] = JSON.parse(text);
      return { name, operator, type, value, value2 };
    }),
    projection: params.get("p") ?? "", limit: params.get("limit") ?? "",
    descending: params.has("desc"), consistent: params.has("strong"), countOnly: params.has("count"),
  };
}

function formParams(state) {
  const asks = state.hash.some((one) => one);
  return {
    kind: state.kind === "Query" && !asks ? "Query" : "", index: state.index, hash: state.hash,
    so: state.sort.value ? state.sort.operator : "", sv: state.sort.value, sv2: state.sort.value2,
    f: state.filters.map(({ name, operator, type, value, value2 }) => JSON.stringify([name, operator, type, value, value2])),
    p: state.projection, limit: state.limit, desc: state.descending, strong: state.consistent, count: state.countOnly, item: state.kind === "GetItem",
  };
}

// --- what the data has --------------------------------------------------------------------------------

/** The types of an attribute that a form has, as "S String, in the data". */
function typeOptions(all, seen) {
  const first = all.filter((type) => seen?.has(type));
  return [...first, ...all.filter((type) => !first.includes(type))].map((type) => [type, `${type} ${TYPE_NAMES[type]}${first.includes(type) ? ", as here" : ""}`]);
}

/** A field for an attribute's name, which offers those of the data; choose(name, type) gets the type if the data has one of `all`. */
function nameField(label, value, { known, choose, at }) {
  return field(label, input(value, (name) => {
    const seen = [...known.get(name) ?? []].filter((type) => FORM_TYPES.includes(type));
    choose(name, seen.length === 1 ? seen[0] : null);
  }, { list: ATTRIBUTES, ...at }));
}

// --- fields -------------------------------------------------------------------------------------------

function filterRow(filter, i, { known, change, remove }) {
  const value = takesValue(filter.operator, filter.type), typed = takesValue(filter.operator) && !/^(attribute_type|size )/.test(filter.operator);
  const at = (part) => ({ "data-field": `filter${i}-${part}` }), types = select(typeOptions(FORM_TYPES, known.get(filter.name)), filter.type, (text) => { filter.type = text; change(true); });
  return h("div", { class: "row" },
    h("div", { class: "grow" }, nameField("Attribute", filter.name, { known, at: at("name"), choose: (name, type) => {
      filter.name = name;
      if (type && !filter.value) types.value = filter.type = type;
      change();
    } })),
    field("Comparison", select(FILTER_OPERATORS, filter.operator, (text) => { filter.operator = text; change(true); })),
    typed ? field("Type", types) : null,
    value ? h("div", { class: "grow" }, field(filter.operator === "in" ? "Values, with commas between" : "Value", input(filter.value, (text) => { filter.value = text; change(); }, at("value")))) : null,
    value && filter.operator === "between" ? h("div", { class: "grow" }, field("and", input(filter.value2 ?? "", (text) => { filter.value2 = text; change(); }, at("value2")))) : null,
    button("Remove", remove, { "aria-label": `Remove the filter on ${filter.name || "…"}` }));
}

/** Fields that offer existing keys: {keyInput(name, value, oninput, at), lists: elements they need}; `items` promises some of the
 * data; placeOf(name) is where parts of that attribute's values are looked for (lib/parts.js). */
function keySamples(path, items, placeOf) {
  const keys = [...path.hash, ...path.range];
  const parts = new Map(keys.map(({ name }, i) => [name, { list: h("datalist", { id: `keys${i}` }), inputs: [] }]));
  items.then((found) => {
    for (const [name, { list, inputs }] of parts) {
      const values = [...new Set(found.filter((item) => item[name]).map((item) => Object.values(item[name])[0]))];
      fill(list, values.map((value) => h("option", { value })));
      if (values.length) for (const one of inputs) one.placeholder = brief({ S: values[0] }, SHOWN);
    }
  });
  /** A field for a value of that key's attribute. */
  const keyInput = (name, value, oninput, at) => {
    const { list, inputs } = parts.get(name), one = input(value, oninput, { list: list.id, "data-field": at });
    inputs.push(one);
    followParts(one, list, () => placeOf(name));
    return one;
  };
  return { keyInput, lists: [...parts.values()].map((one) => one.list) };
}

function sortFields(key, sort, change, samples) {
  const value = (label, part, at) => h("div", { class: "grow" }, field(label, samples.keyInput(key.name, sort[part], (text) => { sort[part] = text; change(); }, at)));
  return [
    field(`${key.name} (sort key, ${key.type})`, select(SORT_OPERATORS, sort.operator, (text) => { sort.operator = text; change(true); })),
    value("Value", "value", "sort"), sort.operator === "between" ? value("and", "value2", "sort2") : null,
  ];
}

const KIND_NAMES = { Query: "Query: one partition", Scan: "Scan: everything", GetItem: "GetItem: one item" };

/** The form of a table; `table` is its description, `paths` are its accessPaths, sample(path) promises some of its items. */
export function formWay({ table, paths, sample }) {
  const pathOf = (state) => paths.find((one) => one.name === state.index);
  function fields(state, tools) {
    const known = pathOf(state), path = known ?? paths[0], items = sample(path);
    const place = { table: table.TableName, index: path.name }, isSingle = path.hash.length === 1;
    const samples = keySamples(path, items, (name) => (!isSingle || path.hash[0].name === name ? place : state.hash[0] ? { ...place, partition: state.hash[0] } : null));
    const attributes = new Map(), names = h("datalist", { id: ATTRIBUTES }), one = h("small", { class: "quiet", role: "status" });
    items.then((found) => {
      for (const [name, types] of typesByName(found)) attributes.set(name, types);
      fill(names, [...attributes].map(([name, types]) => h("option", { value: name, label: [...types].join(", ") })));
    });
    const sayOne = () => { one.textContent = state.kind === "Query" && canGetItem({ ...state, path }) ? "The whole key is given: GetItem would ask for just this item." : ""; };
    const change = (...shape) => { sayOne(); return tools.change(...shape); };
    const kinds = select(Object.entries(KIND_NAMES), state.kind, (kind) => {
      if (kind === "Scan") Object.assign(state, { hash: [], sort: { operator: "=", value: "", value2: "" } });
      if (kind === "GetItem") state.index = "";
      state.kind = kind;
      change(true);
    }, { "data-field": "kind" });
    const head = h("div", { class: "row" }, field("Read", kinds), h("div", { class: "grow" }, field("Table or index",
        select([...(known ? [] : [[state.index, `${state.index}: there is no such index`]]), ...paths.map((of) => [of.name, `${of.name || "the table"}: ${keyText(of)}`])], state.index, (name) => {
          // Values without a field in the new form are dropped.
          Object.assign(state, { index: name, hash: [], kind: "Scan", consistent: state.consistent && paths.find((of) => of.name === name).kind !== "global index", sort: { operator: "=", value: "", value2: "" } });
          change(true);
        }, { "data-field": "index" }), known && path.projection.ProjectionType !== "ALL" ? `holds ${projectionText(path)}` : null)));
    state.hash = path.hash.map((key, i) => state.hash[i] ?? "");
    const setHash = (i) => (text) => {
      state.hash[i] = text;
      if (state.kind !== "GetItem") kinds.value = state.kind = state.hash.some((one) => one) ? "Query" : "Scan";
      change();
    };
    sayOne();
    head.append(...path.hash.map((key, i) => h("div", { class: "grow" }, field(`${key.name} (partition key, ${key.type})`, samples.keyInput(key.name, state.hash[i], setHash(i), `hash${i}`)))),
      ...(path.range[0] ? sortFields(path.range[0], state.sort, change, samples).filter(Boolean) : []));
    const isSet = state.filters.length || state.projection || state.limit || state.descending || state.consistent || state.countOnly;
    const further = h("details", isSet ? { open: true } : unfolded("more"), h("summary", {}, "Filter, order, limit and attributes"),
      h("fieldset", {}, h("legend", {}, "Filter (after reading)"),
        state.filters.map((filter, i) => filterRow(filter, i, { known: attributes, change, remove: () => { state.filters.splice(i, 1); change(true); } })),
        button("Add a filter", () => { state.filters.push({ name: "", operator: "=", type: "S", value: "" }); change(true, `filter${state.filters.length - 1}-name`); })),
      h("div", { class: "row" },
        h("div", { class: "grow" }, field("Attributes, with commas between", input(state.projection, (text) => { state.projection = text; change(); }, { "data-field": "projection", list: ATTRIBUTES }), "empty: all")),
        limitField(state, change),
        checkbox("Descending", state.descending, (on) => { state.descending = on; change(); }, { "data-field": "descending" }),
        path.kind === "global index" ? null : consistentField(state, change),
        checkbox("Count only", state.countOnly, (on) => { state.countOnly = on; change(); }, { "data-field": "count" })));
    return h("div", {}, names, samples.lists, head, further, one);
  }
  return {
    label: "Form", read: readForm, params: formParams, fields,
    request(state) {
      const path = pathOf(state);
      mustBe(path ? checkForm({ ...state, path }) : [{ at: "index", message: "choose one that the table has" }]);
      return fromForm({ ...state, table: table.TableName, path });
    },
    name: (state) => [table.TableName, state.index].filter(Boolean).join(".") + (state.hash[0] ? `: ${state.hash.join(", ")} ${state.sort.value}` : ": all"),
  };
}
