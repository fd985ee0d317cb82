// The items of a table as a file, page by page, so that size does not matter; and files into the world.

import { Refused, currentWorld, scan, upload, verb } from "./api.js";
import { plainJson, typeOf } from "./values.js";

const quoted = (text) => (/[",\r\n]/.test(text) || text === "" ? `"${text.replace(/"/g, '""')}"` : text);

function csvCell(value) {
  if (value === undefined) return "";
  const type = typeOf(value);
  return quoted(type === "S" || type === "N" || type === "B" ? value[type] : type === "BOOL" ? String(value.BOOL) : JSON.stringify(value));
}

/** The attributes of all items, those of the key first: a header has to know them. */
async function columnsOf(table, signal) {
  const found = new Set(table.KeySchema.map((part) => part.AttributeName));
  for await (const { Items } of scan({ TableName: table.TableName }, { signal })) for (const item of Items) for (const name of Object.keys(item)) found.add(name);
  return [...found];
}

/** A value in Ion's text, as the service's exports have it; numbers are decimals. */
function ion(value) {
  const type = typeOf(value), decimal = (text) => (/[.e]/i.test(text) ? text.replace(/e/i, "d") : `${text}.`);
  const list = (values, write) => `[${values.map(write).join(",")}]`, blob = (text) => `{{${text}}}`;
  switch (type) {
    case "N": return decimal(value.N);
    case "B": return blob(value.B);
    case "NULL": return "null";
    case "M": return `{${Object.entries(value.M).map(([name, one]) => `${JSON.stringify(name)}:${ion(one)}`).join(",")}}`;
    case "L": return list(value.L, ion);
    case "SS": return `$dynamodb_SS::${list(value.SS, JSON.stringify)}`;
    case "NS": return `$dynamodb_NS::${list(value.NS, decimal)}`;
    case "BS": return `$dynamodb_BS::${list(value.BS, blob)}`;
    default: return JSON.stringify(value[type]);
  }
}

/** Forms of a file: [name, ending, its parts]; `open` comes before the first item, `close` behind the last. */
export const FORMS = {
  lines: { name: "DynamoDB JSON, a line for each item", ending: "json", item: (item) => `${JSON.stringify({ Item: item })}\n` },
  plain: { name: "plain JSON", ending: "json", open: "[\n", close: "\n]\n", between: ",\n", item: (item) => plainJson({ M: item }) },
  ion: { name: "Ion", ending: "ion", item: (item) => `$ion_1_0 {Item:${ion({ M: item })}}\n` },
  csv: { name: "CSV", ending: "csv", item: (item, columns) => `${columns.map((name) => csvCell(item[name])).join(",")}\n` },
};

/** The table as a Blob of a form; `progress` gets how many items are in it. */
export async function exported(table, form, progress, signal) {
  const { open = "", close = "", between = "", item: write } = FORMS[form];
  const columns = form === "csv" ? await columnsOf(table, signal) : null;
  const parts = [columns ? `${columns.map(quoted).join(",")}\n` : open];
  let done = 0;
  for await (const { Items: items } of scan({ TableName: table.TableName }, { signal })) {
    if (!items.length) continue;
    // A Blob for each page: what is written so far need not be in the page's memory.
    parts.push(new Blob([done ? between : "", items.map((item) => write(item, columns)).join(between)]));
    done += items.length;
    progress(done);
  }
  return new Blob([...parts, close], { type: { csv: "text/csv", ion: "application/ion" }[form] ?? "application/json" });
}

const POLL_MS = 400; // between two looks at how many items are there

const itemsThere = async () => (await verb("GET", `worlds/${encodeURIComponent(currentWorld())}`)).items;

/** What a file has, of which nothing is written: POST import's answer to a look. `table` is the one that its items are for, if it is known. */
export async function lookAt(file, table, progress, signal) {
  const query = new URLSearchParams({ name: file.name, look: true, ...(table ? { table } : {}) });
  const { status, answer } = await upload(`import?${query}`, file, (sent) => progress({ sent }), signal);
  if (status !== 200) throw new Refused("Not read", answer.message ?? String(status), status);
  return answer;
}

/** Has the server put a file's tables and items into the world: what POST import answers. `into` may name the table, and
 * the key that makes it. `progress` gets {sent} in bytes, then {items}. */
export async function imported(file, into, progress, signal) {
  const before = await itemsThere();
  let timer = 0, over = false;
  const look = async () => {
    progress({ items: Math.max(0, await itemsThere().catch(() => before) - before) });
    if (!over) timer = setTimeout(look, POLL_MS);
  };
  const sent = (bytes) => {
    progress({ sent: bytes });
    if (bytes >= file.size) timer ||= setTimeout(look, POLL_MS);
  };
  try {
    const query = new URLSearchParams({ name: file.name, ...into });
    const { status, answer } = await upload(`import?${query}`, file, sent, signal);
    if (status !== 200) throw new Refused("Not imported", answer.message ?? String(status), status);
    return answer;
  } finally {
    over = true;
    clearTimeout(timer);
  }
}
