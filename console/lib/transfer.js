// The items of a table as a file, and a file's items into a table: page by page, so that size does not matter.

import { call } from "./api.js";
import { plainJson, typeOf } from "./values.js";

const BATCH = 25; // items that a BatchWriteItem takes

/** The pages of a whole table, one behind another. */
async function* pages(TableName, signal) {
  let start;
  do {
    const page = await call("Scan", start ? { TableName, ExclusiveStartKey: start } : { TableName }, { signal });
    yield page.Items;
    start = page.LastEvaluatedKey;
  } while (start);
}

const quoted = (text) => (/[",\r\n]/.test(text) || text === "" ? `"${text.replace(/"/g, '""')}"` : text);

function csvCell(value) {
  if (value === undefined) return "";
  const type = typeOf(value);
  return quoted(type === "S" || type === "N" || type === "B" ? value[type] : type === "BOOL" ? String(value.BOOL) : JSON.stringify(value));
}

/** The attributes of all items, those of the key first: a header has to know them. */
async function columnsOf(table, signal) {
  const found = new Set(table.KeySchema.map((part) => part.AttributeName));
  for await (const items of pages(table.TableName, signal)) for (const item of items) for (const name of Object.keys(item)) found.add(name);
  return [...found];
}

/** Forms of a file: [name, ending, its parts]; `open` comes before the first item, `close` behind the last. */
export const FORMS = {
  lines: { name: "DynamoDB JSON, a line for each item", ending: "json", item: (item) => `${JSON.stringify({ Item: item })}\n` },
  plain: { name: "plain JSON", ending: "json", open: "[\n", close: "\n]\n", between: ",\n", item: (item) => plainJson({ M: item }) },
  csv: { name: "CSV", ending: "csv", item: (item, columns) => `${columns.map((name) => csvCell(item[name])).join(",")}\n` },
};

/** The table as a Blob of a form; `progress` is told how many items are in it. */
export async function exported(table, form, progress, signal) {
  const { open = "", close = "", between = "", item: write } = FORMS[form];
  const columns = form === "csv" ? await columnsOf(table, signal) : null;
  const parts = [columns ? `${columns.map(quoted).join(",")}\n` : open];
  let done = 0;
  for await (const items of pages(table.TableName, signal)) {
    if (!items.length) continue;
    // A Blob for each page: what is written so far need not be in the page's memory.
    parts.push(new Blob([done ? between : "", items.map((item) => write(item, columns)).join(between)]));
    done += items.length;
    progress(done);
  }
  return new Blob([...parts, close], { type: form === "csv" ? "text/csv" : "application/json" });
}

/** The lines of a file, unpacked where it is gzip, with their numbers. */
async function* linesOf(file) {
  const packed = /\.gz$/i.test(file.name);
  const bytes = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", number = 0;
  for (;;) {
    const { done, value = "" } = await reader.read();
    const parts = (rest + value).split("\n");
    rest = done ? "" : parts.pop();
    for (const part of parts) {
      number += 1;
      if (part.trim()) yield [part, number];
    }
    if (done) return;
  }
}

function itemOf(line, number) {
  try {
    const one = JSON.parse(line), item = one.Item ?? one;
    const isItem = Object.values(item).every((value) => value && typeof value === "object" && Object.keys(value).length === 1);
    if (Array.isArray(item) || !isItem) throw new Error('a line looks like {"Item": {"pk": {"S": "a"}}}');
    return item;
  } catch (error) {
    throw Object.assign(new Error(`line ${number}: ${error.message}`), { type: "No item" });
  }
}

async function put(TableName, items, signal) {
  let left = { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) };
  while (Object.keys(left).length) left = (await call("BatchWriteItem", { RequestItems: left }, { signal })).UnprocessedItems;
}

/** Puts the items of a file of lines of DynamoDB's JSON into the table; answers how many there were. */
export async function imported(table, file, progress, signal) {
  let batch = [], done = 0;
  const flush = async () => {
    if (!batch.length) return;
    await put(table.TableName, batch, signal);
    done += batch.length;
    batch = [];
    progress(done);
  };
  for await (const [line, number] of linesOf(file)) {
    batch.push(itemOf(line, number));
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return done;
}
