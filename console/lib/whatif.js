// What an index would change, measured in a fork of the world: which reads of the journal take fewer units, and what writes
// take more. The fork is dropped afterwards.

import { call, currentWorld, lines, verb } from "./api.js";
import { keySchema } from "./index_fields.js";
import { indexRequest, keyOf } from "./schema.js";
import { unitsOf } from "./requests.js";

const SHAPES = 30;   // reads that are tried, those with the most units
const PAGES = 20;    // of a read
const SAMPLE = 10;   // items that are written again
const FETCHED = 100; // items that a BatchGetItem takes
const POLL_MS = 100, POLLS = 600;

// --- requests -----------------------------------------------------------------------------------------

/** The parts of a condition between its ANDs; null if it has OR or NOT, or brackets around several parts. */
function clausesOf(text) {
  const words = text.match(/\(|\)|[^\s()]+/g) ?? [], clauses = [[]];
  let depth = 0, between = false;
  for (const word of words) {
    if (/^(OR|NOT)$/i.test(word)) return null;
    depth += word === "(" ? 1 : word === ")" ? -1 : 0;
    if (/^BETWEEN$/i.test(word)) between = true;
    if (!/^AND$/i.test(word)) clauses.at(-1).push(word);
    else if (between) {
      between = false;
      clauses.at(-1).push(word);
    } else if (depth) return null;
    else clauses.push([]);
  }
  return clauses.map((list) => list.join(" ").replace(/ ?([(),]) ?/g, "$1")).filter(Boolean);
}

const NAME = "([\\w#.-]+)";
const EQUAL = new RegExp(`^${NAME}\\s*=\\s*:\\w+$`), ORDER = new RegExp(`^(?:${NAME}\\s*(?:=|<|<=|>|>=)\\s*:\\w+|${NAME} BETWEEN :\\w+ AND :\\w+|begins_with\\(${NAME},:\\w+\\))$`, "i");

/** A read as a Query of the index {IndexName, hash, sort}, or null if its conditions do not give the index's partition key. */
export function throughIndex(request, { IndexName, hash, sort }) {
  const clauses = ["KeyConditionExpression", "FilterExpression"].map((name) => (request[name] ? clausesOf(request[name]) : []));
  if (clauses.includes(null)) return null;
  const names = request.ExpressionAttributeNames ?? {}, named = (text) => names[text] ?? text;
  const of = (clause, form) => { const found = form.exec(clause)?.slice(1).find(Boolean); return found === undefined ? null : named(found); };
  const all = clauses.flat(), key = all.find((one) => of(one, EQUAL) === hash), order = sort && all.find((one) => one !== key && of(one, ORDER) === sort);
  if (!key) return null;
  const rest = all.filter((one) => one !== key && one !== order);
  // Keys may not be in a filter of their own index.
  if (rest.some((one) => [hash, sort].some((name) => name && one.split(/[^\w#.-]+/).map(named).includes(name)))) return null;
  const { KeyConditionExpression, FilterExpression, ConsistentRead, Segment, TotalSegments, ExclusiveStartKey, ...kept } = request;
  return { ...kept, IndexName, KeyConditionExpression: [key, order].filter(Boolean).join(" AND "), ...(rest.length ? { FilterExpression: rest.join(" AND ") } : {}) };
}

/** The reads of a table in the journal by shape, the most expensive first: [{operation, request, requests, units}]. */
async function readsOf(table, signal) {
  const shapes = new Map(), writes = { requests: 0, units: 0 };
  await lines(`journal?${new URLSearchParams({ table, requests: true })}`, ({ operation, request, read_units: read, write_units: written, error }) => {
    if (written) { writes.requests++; writes.units += written; }
    if (!request || error || !["Query", "Scan"].includes(operation) || request.TableName !== table) return;
    const { ExpressionAttributeValues, ExclusiveStartKey, ...shape } = request, at = operation + JSON.stringify(shape);
    const so = shapes.get(at) ?? { operation, requests: 0, units: 0 };
    shapes.set(at, { ...so, request, requests: so.requests + 1, units: so.units + read });
  }, signal);
  return { reads: [...shapes.values()].sort((a, b) => b.units - a.units), writes };
}

// --- measuring ----------------------------------------------------------------------------------------

/** All pages of a read, up to a limit: {units, items, pages, keys}. */
async function measure(operation, request, key, inWorld) {
  const { ExclusiveStartKey: _, ...first } = request, out = { units: 0, items: 0, more: false, keys: [] };
  let start;
  for (let page = 0; page < PAGES; page++) {
    const answer = await call(operation, { ...first, ReturnConsumedCapacity: "TOTAL", ...(start ? { ExclusiveStartKey: start } : {}) }, { inWorld });
    out.units += unitsOf(answer).total;
    out.items += answer.Count;
    out.keys.push(...(answer.Items ?? []).map(key));
    start = answer.LastEvaluatedKey;
    if (!start || request.Limit) break;
  }
  out.more = Boolean(start);
  return out;
}

/** The units of reading whole items that an index does not hold whole. */
async function fetchUnits(table, keys, inWorld) {
  let total = 0;
  for (let i = 0; i < Math.min(keys.length, PAGES * FETCHED); i += FETCHED) {
    const answer = await call("BatchGetItem", { RequestItems: { [table]: { Keys: keys.slice(i, i + FETCHED) } }, ReturnConsumedCapacity: "TOTAL" }, { inWorld });
    total += unitsOf(answer).total;
  }
  return total;
}

const indexUnits = (answer, name) => answer.ConsumedCapacity?.GlobalSecondaryIndexes?.[name]?.CapacityUnits ?? 0;

/** What writes of stored items take in the index: each is deleted and put again. */
async function measureWrites(description, name, inWorld) {
  const { TableName } = description, { Items } = await call("Scan", { TableName, Limit: SAMPLE }, { inWorld });
  const out = { items: Items.length, indexed: 0, put: 0, deleted: 0 };
  for (const Item of Items) {
    const gone = await call("DeleteItem", { TableName, Key: keyOf(description, Item), ReturnConsumedCapacity: "INDEXES" }, { inWorld });
    const put = await call("PutItem", { TableName, Item, ReturnConsumedCapacity: "INDEXES" }, { inWorld });
    out.indexed += indexUnits(put, name) > 0 ? 1 : 0;
    out.put += indexUnits(put, name);
    out.deleted += indexUnits(gone, name);
  }
  return out;
}

// --- the index ----------------------------------------------------------------------------------------

/** The UpdateTable that makes the index {IndexName, hash, hashType, sort, sortType, projection, include}. */
function createRequest(description, index) {
  const provisioned = description.BillingModeSummary?.BillingMode === "PAY_PER_REQUEST" ? {} : { ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 } };
  const keys = [{ name: index.hash, type: index.hashType }, ...(index.sort ? [{ name: index.sort, type: index.sortType }] : [])];
  return indexRequest(description, {
    IndexName: index.IndexName, KeySchema: keySchema(...keys),
    Projection: { ProjectionType: index.projection, ...(index.projection === "INCLUDE" ? { NonKeyAttributes: index.include } : {}) }, ...provisioned,
  }, keys);
}

/** Waits until the index can be read. */
async function untilIndexed(world, TableName, name, signal) {
  for (let i = 0; i < POLLS && !signal?.aborted; i++) {
    const { Table } = await call("DescribeTable", { TableName }, { inWorld: world });
    if (Table.GlobalSecondaryIndexes.find((one) => one.IndexName === name)?.IndexStatus === "ACTIVE") return;
    await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
  }
  throw new Error("the index was not ready in time");
}

/** Makes a fork of this page's world, and the index in it: both, or neither. */
export async function makeIn(world, description, index, signal) {
  const path = `worlds/${encodeURIComponent(world)}`;
  await verb("POST", path, { from: currentWorld() });
  try {
    await call("UpdateTable", createRequest(description, index), { inWorld: world });
    await untilIndexed(world, description.TableName, index.IndexName, signal);
  } catch (error) {
    await verb("DELETE", path).catch(() => { throw Object.assign(error, { message: `${error.message}. The fork ${world} is made, without the index` }); });
    throw error;
  }
}

/** {reads: [{operation, request, requests, now, then, fetch, after}], others, writes, sample}: `now` and `then` are measured in the
 * fork, `fetch` are the units of reading the items whole. */
export async function measureIndex(description, index, { signal, progress }) {
  const world = `what-if-${Date.now().toString(36)}`, key = (item) => keyOf(description, item);
  const { reads, writes } = await readsOf(description.TableName, signal);
  try {
    progress("Making a fork with the index …");
    await makeIn(world, description, index, signal);
    const out = [];
    for (const read of reads.slice(0, SHAPES)) {
      const after = throughIndex(read.request, index);
      signal.throwIfAborted();
      if (!after) continue;
      progress(`Trying ${out.length + 1} …`);
      const now = await measure(read.operation, read.request, key, world).catch(() => null), then = await measure("Query", after, key, world).catch(() => null);
      if (!now || !then) continue;
      const fetch = index.projection === "ALL" || read.request.Select === "COUNT" ? 0 : await fetchUnits(description.TableName, then.keys, world);
      out.push({ ...read, now, then, fetch, after });
    }
    return { reads: out, others: reads.length - out.length, writes, sample: await measureWrites(description, index.IndexName, world) };
  } finally {
    await verb("DELETE", `worlds/${encodeURIComponent(world)}`).catch(() => {});
    dispatchEvent(new Event("worlds"));
  }
}
