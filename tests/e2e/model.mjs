// Prints the newest service model, {"inputs": …, "answers": …, "structures": …}, read from the
// schemas of the SDK's packages.
//
// inputs: what is taken, {"DynamoDB": {"GetItem": [member, …], …}, "DynamoDBStreams": …}. A member
// is {"path": ["TransactItems", "[]", "Put", "Item"], "type": "map"}: "[]" stands for the elements
// of a list, "{}" for the values of a map.
//
// answers: what is given, {"DynamoDB": {"GetItem": type, …}, "DynamoDBStreams": …}. A type is a
// word ("string"), {"list": type}, {"map": type}, {"structure": a name in structures} or null for no
// answer at all.
//
// structures: {name: {"union": whether one member is set, "required": [name, …], "members": {name:
// type, …}}}.

import * as dynamodb from "@aws-sdk/client-dynamodb";
import * as streams from "@aws-sdk/client-dynamodb-streams";

// The first entry of a schema says what it is.
const LIST = 1, MAP = 2, STRUCTURE = 3, UNION = 4, OPERATION = 9;
// What stands in place of a schema: a simple type, on its own or in a list or map.
const SIMPLE = { 0: "string", 1: "number", 2: "boolean", 4: "timestamp", 21: "blob" };
const LIST_OF = 64, MAP_OF = 128;
const UNIT = "unit"; // nothing

function elements(out, path, types, step, of, type) {
  out.push({ path, type });
  members(out, [...path, step], of, types);
}

function members(out, path, type, types) {
  const schema = typeof type === "function" ? type() : type;

  if (typeof schema === "number") {
    if (schema & MAP_OF) elements(out, path, types, "{}", schema & ~MAP_OF, "map");
    else if (schema & LIST_OF) elements(out, path, types, "[]", schema & ~LIST_OF, "list");
    else if (schema in SIMPLE) out.push({ path, type: SIMPLE[schema] });
    else throw new Error(`what is ${schema} at ${path}?`);
    return;
  }
  const [kind, namespace, name] = schema;
  if (typeof namespace !== "string") { // a type with traits beside it
    members(out, path, kind, types);
    return;
  }
  if (kind === LIST) {
    elements(out, path, types, "[]", schema[4], "list");
  } else if (kind === MAP) {
    elements(out, path, types, "{}", schema[5], "map");
  } else if (kind === STRUCTURE || kind === UNION) {
    if (path.length) out.push({ path, type: "structure" });
    if (types.includes(name)) return; // an AttributeValue in an AttributeValue
    schema[4].forEach((member, i) =>
      members(out, [...path, member], schema[5][i], [...types, name]));
  } else {
    throw new Error(`what is ${kind} at ${path}?`);
  }
}

function operations(schemas) {
  const found = {};

  for (const schema of Object.values(schemas)) {
    if (!Array.isArray(schema) || schema[0] !== OPERATION) continue;
    found[schema[2]] = [];
    members(found[schema[2]], [], schema[4], []);
  }
  return found;
}

function typeOf(type, structures) {
  const schema = typeof type === "function" ? type() : type;

  if (typeof schema === "number") {
    if (schema & MAP_OF) return { map: typeOf(schema & ~MAP_OF, structures) };
    if (schema & LIST_OF) return { list: typeOf(schema & ~LIST_OF, structures) };
    if (schema in SIMPLE) return SIMPLE[schema];
    throw new Error(`what is ${schema}?`);
  }
  if (schema === UNIT) return null;
  const [kind, namespace, name] = schema;
  if (typeof namespace !== "string") return typeOf(kind, structures);
  if (kind === LIST) return { list: typeOf(schema[4], structures) };
  if (kind === MAP) return { map: typeOf(schema[5], structures) };

  const key = `${namespace}.${name}`;
  if (!(key in structures)) {
    structures[key] = { union: kind === UNION, required: schema[4].slice(0, schema[6] ?? 0) };
    structures[key].members = Object.fromEntries(
      schema[4].map((member, i) => [member, typeOf(schema[5][i], structures)]));
  }
  return { structure: key };
}

function answers(schemas, structures) {
  const found = Object.values(schemas).filter((one) => Array.isArray(one) && one[0] === OPERATION);

  return Object.fromEntries(found.map((one) => [one[2], typeOf(one[5], structures)]));
}

const services = { DynamoDB: dynamodb, DynamoDBStreams: streams };
const all = (read) =>
  Object.fromEntries(Object.entries(services).map(([name, schemas]) => [name, read(schemas)]));
const structures = {};

console.log(JSON.stringify({
  inputs: all(operations),
  answers: all((schemas) => answers(schemas, structures)),
  structures,
}));
