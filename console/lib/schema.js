// The tables, and the keys of tables and indexes.

import { call } from "./api.js";

export async function tableNames(options) {
  const names = [];
  let last;
  do {
    const page = await call("ListTables", last ? { ExclusiveStartTableName: last } : {}, options);
    names.push(...page.TableNames);
    last = page.LastEvaluatedTableName;
  } while (last);
  return names;
}

export async function describe(table, options) {
  return (await call("DescribeTable", { TableName: table }, options)).Table;
}

/** The table itself and its indexes: {name, kind, hash, range, projection, items, bytes, status}. */
export function accessPaths(description) {
  const types = Object.fromEntries((description.AttributeDefinitions ?? []).map((one) => [one.AttributeName, one.AttributeType]));
  const key = (schema, kind) => {
    const one = schema.filter((part) => part.KeyType === kind).map((part) => ({ name: part.AttributeName, type: types[part.AttributeName] }));
    return one;
  };
  const path = (of, name, kind) => ({
    name, kind,
    hash: key(of.KeySchema, "HASH"), range: key(of.KeySchema, "RANGE"),
    projection: of.Projection ?? { ProjectionType: "ALL" },
    items: of.ItemCount ?? description.ItemCount, bytes: of.IndexSizeBytes ?? description.TableSizeBytes,
    status: of.IndexStatus ?? description.TableStatus,
  });
  return [
    path(description, "", "table"),
    ...(description.GlobalSecondaryIndexes ?? []).map((one) => path(one, one.IndexName, "global index")),
    ...(description.LocalSecondaryIndexes ?? []).map((one) => path(one, one.IndexName, "local index")),
  ];
}

/** The UpdateTable that makes an index, which is as CreateTable has it; `keys` are its attributes, [{name, type}]. */
export function indexRequest(description, index, keys) {
  const types = new Map(description.AttributeDefinitions.map((one) => [one.AttributeName, one.AttributeType]));
  for (const { name, type } of keys) types.set(name, types.get(name) ?? type);
  return {
    TableName: description.TableName,
    AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    GlobalSecondaryIndexUpdates: [{ Create: index }],
  };
}

/** The sort key of a Query's table or index: its name, null without one, undefined if it is unknown or has several parts. */
export async function sortKeyOf(operation, { TableName, IndexName = "" }) {
  if (operation !== "Query") return undefined;
  const table = await describe(TableName).catch(() => null), path = table && accessPaths(table).find((one) => one.name === IndexName);
  return !path || path.range.length > 1 ? undefined : path.range[0]?.name ?? null;
}

/** The table's own key of an item. */
export function keyOf(description, item) {
  return Object.fromEntries(description.KeySchema.map((part) => [part.AttributeName, item[part.AttributeName]]));
}

/** "pk (S), sk (S)" */
export function keyText(path) {
  return [...path.hash, ...path.range].map((part) => `${part.name} (${part.type})`).join(", ");
}

/** Which attributes an index has, in words. */
export function projectionText(path) {
  const { ProjectionType: type, NonKeyAttributes: more } = path.projection;
  if (type === "ALL") return "all attributes";
  return type === "KEYS_ONLY" ? "keys only" : `keys and ${more.join(", ")}`;
}
