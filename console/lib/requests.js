// A Query or Scan from the fields of the form, and the form's fields from a request.

import { parse } from "./values.js";

export const SORT_OPERATORS = ["=", "<", "<=", ">", ">=", "between", "begins_with"];
export const FILTER_OPERATORS = [
  "=", "<>", "<", "<=", ">", ">=", "between", "in", "begins_with", "contains",
  "attribute_exists", "attribute_not_exists", "attribute_type", "size =", "size >", "size <",
];
const WITHOUT_VALUE = new Set(["attribute_exists", "attribute_not_exists"]);

export const takesValue = (operator, type) => !WITHOUT_VALUE.has(operator) && (type !== "NULL" || /^(attribute_type|size )/.test(operator));

/** Makes placeholders; each name and value gets only one. */
class Placeholders {
  names = {};
  values = {};

  name(path) {
    return path.split(".").map((step) => {
      const [, name, rest] = /^([^[]*)(.*)$/.exec(step);
      const known = Object.entries(this.names).find(([, one]) => one === name);
      const holder = known?.[0] ?? `#n${Object.keys(this.names).length}`;
      this.names[holder] = name;
      return holder + rest;
    }).join(".");
  }

  value(type, text) {
    const holder = `:v${Object.keys(this.values).length}`;
    this.values[holder] = parse(type, text);
    return holder;
  }
}

function condition(holders, { name, operator, type, value, value2 }) {
  const left = holders.name(name);
  switch (operator) {
    case "between": return `${left} BETWEEN ${holders.value(type, value)} AND ${holders.value(type, value2 ?? "")}`;
    case "in": return `${left} IN (${value.split(",").map((one) => holders.value(type, one.trim())).join(", ")})`;
    case "begins_with": case "contains": return `${operator}(${left}, ${holders.value(type, value)})`;
    case "attribute_exists": case "attribute_not_exists": return `${operator}(${left})`;
    case "attribute_type": return `attribute_type(${left}, ${holders.value("S", value)})`;
    case "size =": case "size >": case "size <": return `size(${left}) ${operator.slice(5)} ${holders.value("N", value)}`;
    default: return `${left} ${operator} ${holders.value(type, value)}`;
  }
}

/** Whether a form asks for one item: it has the table's whole key, each part with =. */
export const canGetItem = (form) => !form.path.name && form.hash.every((one) => one)
  && (!form.path.range.length || (form.sort.operator === "=" && form.sort.value !== ""));

function getItem(form) {
  const holders = new Placeholders();
  const parts = [[form.path.hash[0], form.hash[0]], [form.path.range[0], form.sort.value]].filter(([key]) => key);
  const request = { TableName: form.table, Key: Object.fromEntries(parts.map(([key, text]) => [key.name, parse(key.type, text)])) };
  if (form.projection) request.ProjectionExpression = projection(holders, form.projection);
  if (form.consistent) request.ConsistentRead = true;
  if (form.projection) request.ExpressionAttributeNames = holders.names;
  return { operation: "GetItem", request };
}

const projection = (holders, text) => text.split(",").map((one) => holders.name(one.trim())).join(", ");

export const KINDS = ["Query", "Scan", "GetItem"];

/** {operation, request} of a form that checkForm finds no fault with: {table, path, kind, hash, sort, filters, projection, …}.
 * `path` is one of accessPaths. */
export function fromForm(form) {
  if (form.kind === "GetItem") return getItem(form);
  const holders = new Placeholders();
  const request = { TableName: form.table };
  const query = form.kind === "Query";
  if (form.path.name) request.IndexName = form.path.name;
  if (query) {
    const parts = form.path.hash.map((key, i) => condition(holders, { ...key, operator: "=", value: form.hash[i] }));
    const sort = form.path.range[0];
    if (sort && form.sort.value !== "") parts.push(condition(holders, { ...sort, ...form.sort }));
    request.KeyConditionExpression = parts.join(" AND ");
    if (form.descending) request.ScanIndexForward = false;
  }
  if (form.filters.length) request.FilterExpression = form.filters.map((one) => condition(holders, one)).join(" AND ");
  if (form.projection) request.ProjectionExpression = projection(holders, form.projection);
  if (form.countOnly) request.Select = "COUNT";
  if (form.limit) request.Limit = Number(form.limit);
  if (form.consistent) request.ConsistentRead = true;
  if (Object.keys(holders.names).length) request.ExpressionAttributeNames = holders.names;
  if (Object.keys(holders.values).length) request.ExpressionAttributeValues = holders.values;
  return { operation: query ? "Query" : "Scan", request };
}

const READS = new Set(["Query", "Scan", "GetItem", "BatchGetItem", "TransactGetItems", "SearchVectors"]);
const STATEMENTS = { ExecuteStatement: (one) => [one], BatchExecuteStatement: (one) => one.Statements, ExecuteTransaction: (one) => one.TransactStatements };

/** Whether a request only reads, so that opening an address may run it. Unknown operations count as writes. */
export function isRead(operation, request) {
  const statements = Object.hasOwn(STATEMENTS, operation) ? STATEMENTS[operation](request) : null;
  if (statements) return Array.isArray(statements) && statements.every((one) => /^\s*SELECT\b/i.test(one?.Statement));
  return READS.has(operation) || /^(Describe|List)[A-Za-z]+$/.test(operation);
}

const TABLES = /\b(?:FROM|INTO|UPDATE)\s+"?([\w.-]+)"?/gi; // of a statement

/** What a request names, which may be any JSON: [table, key or item or null, the member that it is in: "Put", "PutRequest", "Keys", …; "" for the request]. */
export function* named(value, as = "") {
  if (!value || typeof value !== "object") return;
  const { TableName: table, RequestItems: batch, Statement: statement } = value;
  if (typeof table === "string") yield [table.replace(/^arn:.*:table\//, ""), value.Key ?? value.Item ?? null, as];
  if (typeof statement === "string") for (const [, of] of statement.matchAll(TABLES)) yield [of, null, as];
  for (const [of, parts] of Object.entries(batch ?? {})) {
    yield [of, null, as];
    for (const one of [parts?.Keys ?? parts].flat()) yield [of, one?.PutRequest?.Item ?? one?.DeleteRequest?.Key ?? one ?? null, parts?.Keys ? "Keys" : Object.keys(one ?? {})[0] ?? ""];
  }
  for (const [name, one] of Object.entries(value)) yield* named(one, Array.isArray(value) ? as : name);
}

export const PAGED = new Set(["Query", "Scan"]);
const COUNTS = new Set([
  "Query", "Scan", "GetItem", "BatchGetItem", "TransactGetItems", "PutItem", "UpdateItem", "DeleteItem",
  "BatchWriteItem", "TransactWriteItems", "ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction",
]);

/** The request, with ReturnConsumedCapacity. */
export function counted(operation, request) {
  return COUNTS.has(operation) && !request.ReturnConsumedCapacity ? { ...request, ReturnConsumedCapacity: "INDEXES" } : request;
}

const FROM = /\bFROM\s+"?([\w.-]+)"?/i; // of a statement

/** Items of an answer by table: [[table, items], …]; null without items. An unknown table is "". */
export function itemsOf(operation, request, answer) {
  const parts = answer.Responses ?? [];
  const byPart = (tableOf) => [...Map.groupBy(parts.map((one, i) => [tableOf(one, i) ?? "", one.Item]).filter(([, item]) => item), ([table]) => table)]
    .map(([table, found]) => [table, found.map(([, item]) => item)]);
  switch (operation) {
    case "BatchGetItem": return Object.entries(parts);
    case "TransactGetItems": return byPart((_, i) => request.TransactItems[i].Get.TableName);
    case "BatchExecuteStatement": return byPart((one) => one.TableName);
    case "ExecuteTransaction": return byPart((_, i) => FROM.exec(request.TransactStatements[i].Statement)?.[1]);
    case "GetItem": return [[request.TableName, answer.Item ? [answer.Item] : []]];
    default: {
      const items = answer.Items ?? (answer.Attributes ? [answer.Attributes] : null);
      return items && [[request.TableName ?? FROM.exec(request.Statement)?.[1] ?? "", items]];
    }
  }
}

/** Failed parts of a batch or transaction: [{number, code, message}]. */
export function failuresOf(answer) {
  const parts = answer.CancellationReasons ?? (Array.isArray(answer.Responses) ? answer.Responses.map((one) => one.Error ?? {}) : []);
  return parts.map(({ Code: code, Message: message }, i) => ({ number: i + 1, code, message: message ?? "" })).filter(({ code }) => code && code !== "None");
}

/** How many keys or writes a batch left unprocessed. */
export const leftOver = (answer) => Object.values(answer.UnprocessedKeys ?? {}).reduce((so, one) => so + one.Keys.length, 0)
  + Object.values(answer.UnprocessedItems ?? {}).flat().length;

/** The units of an answer, read and written. */
export function unitsOf(answer) {
  const list = [answer.ConsumedCapacity ?? []].flat();
  const sum = (name) => list.reduce((so, one) => so + (one[name] ?? 0), 0);
  return { total: sum("CapacityUnits"), read: sum("ReadCapacityUnits"), write: sum("WriteCapacityUnits"), list };
}
