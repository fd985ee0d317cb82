// Checks the fields of a form before it is sent, so that a request never leaves out what the user wrote.

import { canGetItem, takesValue } from "./requests.js";
import { parse } from "./values.js";

const TYPE_CODES = new Set(["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"]);

/** A whole number that a request can have as its Limit. */
export function checkLimit(text, at = "limit") {
  const number = Number(text);
  return text === "" || (/^\s*\d+\s*$/.test(text) && number >= 1 && number < 2 ** 31) ? [] : [{ at, message: "a whole number from 1" }];
}

function checkValue(at, type, text) {
  try {
    parse(type, text);
    return [];
  } catch (error) {
    return [{ at, message: error.message }];
  }
}

function checkKey({ kind, path, hash, sort }) {
  const missing = path.hash.map((_, i) => i).filter((i) => !hash[i]);
  const hasSort = path.range.length > 0 && (sort.value !== "" || (sort.operator === "between" && sort.value2 !== ""));
  const faults = path.hash.flatMap(({ type }, i) => (hash[i] ? checkValue(`hash${i}`, type, hash[i]) : []));
  if (missing.length && missing.length < path.hash.length) faults.push(...missing.map((i) => ({ at: `hash${i}`, message: "missing: a Query needs each part of the partition key" })));
  else if (missing.length && hasSort) faults.push({ at: "hash0", message: "missing: the sort key selects within one partition" });
  else if (missing.length && kind === "Query") faults.push({ at: "hash0", message: "missing: a Query reads one partition, a Scan everything" });
  if (!hasSort) return faults;
  const values = sort.operator === "between" ? [["sort", sort.value], ["sort2", sort.value2]] : [["sort", sort.value]];
  return [...faults, ...values.flatMap(([at, text]) => (text === "" ? [{ at, message: "missing: between has two values" }] : checkValue(at, path.range[0].type, text)))];
}

function checkFilter({ name, operator, type, value, value2 }, i) {
  const at = (part) => `filter${i}-${part}`, one = (text, of = type, part = "value") => checkValue(at(part), of, text);
  const faults = name.split(".").every((step) => step.trim()) ? [] : [{ at: at("name"), message: name ? "a part between dots is missing" : "missing: name the attribute, or remove the filter" }];
  if (!takesValue(operator, type)) return faults;
  if (operator === "attribute_type") return TYPE_CODES.has(value) ? faults : [...faults, { at: at("value"), message: `one of ${[...TYPE_CODES].join(", ")}` }];
  if (operator.startsWith("size ")) return [...faults, ...one(value, "N")];
  if (operator === "in") return [...faults, ...(value.trim() ? value.split(",").flatMap((text) => one(text.trim())).slice(0, 1) : [{ at: at("value"), message: "missing: at least one value" }])];
  return [...faults, ...one(value), ...(operator === "between" ? one(value2 ?? "", type, "value2") : [])];
}

/** Settings that GetItem does not have. */
function checkOneItem(form) {
  if (!canGetItem(form)) return [{ at: "kind", message: "GetItem needs the table's whole key, the sort key by =" }];
  return [[form.filters.length, "kind", "GetItem has no filter: remove it"], [form.limit, "limit", "GetItem has no limit"],
    [form.descending, "descending", "GetItem has no order"], [form.countOnly, "count", "GetItem does not count"]]
    .filter(([given]) => given).map(([, at, message]) => ({ at, message }));
}

/** [{at, message}], in the order of the form; `at` names a field. The form is that of fromForm. */
export function checkForm(form) {
  return [
    ...checkKey(form), ...form.filters.flatMap(checkFilter),
    ...(form.projection === "" || form.projection.split(",").every((one) => one.trim()) ? [] : [{ at: "projection", message: "a name between commas is missing" }]),
    ...checkLimit(form.limit),
    ...(form.kind === "GetItem" ? checkOneItem(form) : form.descending && form.kind === "Scan" ? [{ at: "descending", message: "a Scan has no order: give the partition key" }] : []),
  ];
}
