"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const mapped = (object, change) =>
  Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, change(value)]),
  );

function marshalSet(values) {
  const types = new Set(values.map((value) => Object.keys(marshal(value))[0]));
  const [type] = types;
  if (types.size !== 1 || !"SNB".includes(type)) throw new Error("a set has strings, numbers or binary values");
  return { [`${type}S`]: values.map((value) => marshal(value)[type]) };
}

/** A plain value as DynamoDB JSON. */
function marshal(value) {
  if (value === null) return { NULL: true };
  if (typeof value === "string") return { S: value };
  if (typeof value === "boolean") return { BOOL: value };
  if (typeof value === "bigint" || Number.isFinite(value)) return { N: String(value) };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString("base64") };
  if (value instanceof Set) return marshalSet([...value]);
  if (Array.isArray(value)) return { L: value.map(marshal) };
  if (typeof value === "object" && String(value) === "[object Object]") return { M: mapped(value, marshal) };
  throw new Error(`${String(value)} is not a value of DynamoDB`);
}

function writeTable(folder, table, place) {
  const name = table?.TableName;
  if (typeof name !== "string" || !/^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/.test(name))
    throw new Error(`mockddb: ${place} has no valid TableName: it is an input of CreateTable, and may have data`);
  const { data = [], ...input } = table;
  const schema = path.join(folder, "tables", `${name}.json`);
  if (fs.existsSync(schema)) throw new Error(`mockddb: ${place}: a second table ${name}`);
  fs.writeFileSync(schema, JSON.stringify(input));
  if (!Array.isArray(data)) throw new Error(`mockddb: ${place}: data is a list of items`);
  const lines = data.map((item, row) => {
    try {
      return JSON.stringify(marshal({ ...item }).M);
    } catch (problem) {
      throw new Error(`mockddb: ${place}.data[${row}]: ${problem.message}`);
    }
  });
  fs.writeFileSync(path.join(folder, "items", `${name}.jsonl`), lines.join("\n"));
}

/** Writes inputs of CreateTable, with their items in `data`, into a new fixture; returns its folder. */
exports.writeFixture = (tables) => {
  if (!Array.isArray(tables)) throw new Error("mockddb: tables is a list of CreateTable inputs");
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mockddb-"));
  try {
    for (const part of ["tables", "items"]) fs.mkdirSync(path.join(folder, part));
    tables.forEach((table, number) => writeTable(folder, table, `tables[${number}]`));
  } catch (problem) {
    exports.removeFixture(folder);
    throw problem;
  }
  return folder;
};

exports.removeFixture = (folder) => fs.rmSync(folder, { recursive: true, force: true });
