// What is known of the past: requests of the journal, and records of a table's stream. Neither has everything, so a history says what it
// does not have.

import { call, lines } from "./api.js";
import { named } from "./requests.js";
import { isAttribute } from "./snippets.js";
import { same } from "./values.js";

const CALLS = 60; // for the records of a stream

const DID = [[/^Put/, "put"], [/^Update/, "updated"], [/^Delete/, "deleted"], [/^ConditionCheck/, "checked"]];

/** What an operation, or its part, does with an item: "put", "updated", "deleted", "checked" or "read". */
const didOf = (name) => DID.find(([begin]) => begin.test(name))?.[1] ?? "read";

const isWrite = (did) => did === "put" || did === "updated" || did === "deleted";

/** The keys that an entry shows, with their tables; a masked one is no key. */
export const keysOfEntry = (entry) => (entry.parts ?? [entry]).filter(({ key }) => key && Object.values(key).every(isAttribute));

/** The items that an entry names: [{table, key: a key or an item, did}]; key is null where the entry does not say it. */
function itemsOfEntry(entry) {
  if (entry.request) return [...named(entry.request)].map(([table, key, as]) => ({ table, key, did: didOf(as || entry.operation) }));
  return keysOfEntry(entry).map(({ table, key }) => ({ table, key, did: didOf(entry.operation) }));
}

/** Whether an entry wrote something. A batch or a statement may have written a part of what it names. */
export const hasWritten = (entry) => !entry.error && entry.write_units > 0;

/** {entries, dropped}: the journal's requests, those of one table if it is given, the oldest first; `dropped` are older ones that it has
 * no more. */
export async function readJournal(table, signal) {
  const entries = [];
  let dropped = 0;
  await lines(`journal?${new URLSearchParams({ requests: "true", ...(table ? { table } : {}) })}`, (one) => {
    if (one.dropped) dropped += one.dropped;
    if (one.operation) entries.push(one);
  }, signal);
  return { entries, dropped };
}

/** {records, all} of an item in the table's stream, the oldest first; null without a stream. `all`: the stream was read to its end. */
export async function readRecords({ LatestStreamArn: StreamArn, StreamSpecification: stream }, isIt, signal) {
  if (!StreamArn || !stream?.StreamEnabled) return null;
  const records = [];
  let calls = 0, from;
  do {
    const { StreamDescription: { Shards, LastEvaluatedShardId: last } } = await call("DescribeStream", { StreamArn, ...(from ? { ExclusiveStartShardId: from } : {}) }, { signal });
    for (const { ShardId } of Shards) {
      let { ShardIterator } = await call("GetShardIterator", { StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" }, { signal });
      while (ShardIterator) {
        if (++calls > CALLS) return { records, all: false };
        const { Records, NextShardIterator } = await call("GetRecords", { ShardIterator }, { signal });
        records.push(...Records.filter((one) => isIt(one.dynamodb.Keys)));
        ShardIterator = Records.length ? NextShardIterator : null;
      }
    }
    from = last;
  } while (from);
  return { records, all: true };
}

/** The history of an item, the newest first: {events: [{at, entry, did, record}], others, dropped, first, stream}. An event has an entry of the
 * journal, a record of the stream, or both, where each is the only one of its second. `others` are requests for the table of which
 * the journal does not say which items they met; `first` is the time of the oldest that it has. */
export async function readHistory(table, key, signal) {
  const names = Object.keys(key), isIt = (one) => one !== null && names.every((name) => same(one[name], key[name]));
  const [{ entries, dropped }, stream] = await Promise.all([readJournal(table.TableName, signal), readRecords(table, isIt, signal)]);
  const events = [];
  let others = 0;
  for (const entry of entries) {
    const own = itemsOfEntry(entry).filter((one) => one.table === table.TableName);
    const hits = own.filter((one) => one.key && isIt(one.key));
    for (const { did } of hits) events.push({ at: Date.parse(entry.time), entry, did });
    if (!entry.error && !hits.length && !own.some((one) => one.key)) others++;
  }
  const second = ({ at }) => Math.floor(at / 1000), wrote = (one) => isWrite(one.did) && !one.entry.error;
  const bySecond = Map.groupBy(events.filter(wrote), second);
  const records = (stream?.records ?? []).map((record) => ({ at: record.dynamodb.ApproximateCreationDateTime * 1000, record }));
  for (const [at, list] of Map.groupBy(records, second)) {
    const writes = bySecond.get(at) ?? [];
    if (list.length === 1 && writes.length === 1) writes[0].record = list[0].record;
    else events.push(...list);
  }
  return { events: events.map((one, i) => [one, i]).sort(([a, i], [b, j]) => second(b) - second(a) || j - i).map(([one]) => one), others, dropped, first: entries[0]?.time, stream };
}
