// A request in several programming languages. Nothing here needs a browser: tests run it in Node.

const kebab = (name) => name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").replace(/([A-Z])([A-Z][a-z])/g, "$1-$2").toLowerCase();
const snake = (name) => kebab(name).replace(/-/g, "_");
const camel = (name) => name[0].toLowerCase() + name.slice(1);
const isMap = (value) => Boolean(value) && typeof value === "object" && !Array.isArray(value);

/** Whether it is a typed value. An item with a single attribute called S or M looks similar. */
export function isAttribute(value) {
  if (!isMap(value) || Object.keys(value).length !== 1) return false;
  const [[type, of]] = Object.entries(value);
  switch (type) {
    case "S": case "N": case "B": return typeof of === "string";
    case "BOOL": case "NULL": return typeof of === "boolean";
    case "SS": case "NS": case "BS": return Array.isArray(of) && of.every((one) => typeof one === "string");
    case "L": return Array.isArray(of) && of.every(isAttribute);
    case "M": return isMap(of) && Object.values(of).every(isAttribute);
    default: return false;
  }
}

// --- AWS CLI ---------------------------------------------------------------------------------------------------

const quote = (text) => `'${text.replace(/'/g, "'\\''")}'`;
const plainWord = (text) => /^[A-Za-z0-9_.:\/][A-Za-z0-9_.:\/-]*$/.test(text);

export function cli(operation, request) {
  const words = Object.entries(request).map(([name, value]) => {
    if (value === true) return `--${kebab(name)}`;
    if (value === false) return `--no-${kebab(name)}`;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (text.startsWith("-")) return `--${kebab(name)}=${plainWord(text) ? text : quote(text)}`;
    return `--${kebab(name)} ${plainWord(text) ? text : quote(text)}`;
  });
  return [`aws dynamodb ${kebab(operation)}`, ...words].join(" \\\n    ");
}

// --- Python and JavaScript: nested literals -----------------------------------------------------------------------

/** Nested lists and maps; `as` says how names and single values are written, `fits` what stays on a line. */
function nested(value, indent, as) {
  if (isAttribute(value) && "B" in value) return `{${as.name("B")}: ${as.bytes(value.B)}}`;
  if (isAttribute(value) && "BS" in value) return `{${as.name("BS")}: [${value.BS.map(as.bytes).join(", ")}]}`;
  if (value === null || typeof value !== "object") return as.single(value);
  const inner = indent + as.step;
  const parts = Array.isArray(value) ? value.map((one) => nested(one, inner, as))
    : Object.entries(value).map(([name, one]) => `${as.name(name)}: ${nested(one, inner, as)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const line = open + parts.join(", ") + close;
  return line.length < 70 ? line : `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

const PYTHON = {
  step: "    ", name: JSON.stringify, bytes: (text) => `base64.b64decode(${JSON.stringify(text)})`,
  single: (value) => (value === true ? "True" : value === false ? "False" : value === null ? "None" : JSON.stringify(value)),
};

export function boto3(operation, request) {
  const words = Object.entries(request).map(([name, value]) => `    ${name}=${nested(value, "    ", PYTHON)},`);
  const text = ['client = boto3.client("dynamodb")', `response = client.${snake(operation)}(`, ...words, ")"].join("\n");
  return `${text.includes("base64.") ? "import base64\n" : ""}import boto3\n\n${text}`;
}

const JAVASCRIPT = {
  step: "  ", name: (name) => (name === "__proto__" ? '["__proto__"]' : /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
  bytes: (text) => `Buffer.from(${JSON.stringify(text)}, "base64")`, single: (value) => JSON.stringify(value),
};

export function javascript(operation, request) {
  return [
    `import { DynamoDBClient, ${operation}Command } from "@aws-sdk/client-dynamodb";`, "",
    "const client = new DynamoDBClient({});",
    `const response = await client.send(new ${operation}Command(${nested(request, "", JAVASCRIPT)}));`,
  ].join("\n");
}

// --- Java and Go: builders ------------------------------------------------------------------------------------------

const ITEM = { item: true };

// The types of members that are no words, figures, and maps of values and names, in Java and Go: [type] is a list of it,
// {of: type} a map by names. Operations that are not here have members with further types.
const TYPES = {
  Query: {}, Scan: {}, GetItem: {}, PutItem: {}, UpdateItem: {}, DeleteItem: {}, ExecuteStatement: {},
  BatchGetItem: { RequestItems: { of: "KeysAndAttributes" } }, KeysAndAttributes: { Keys: [ITEM] },
  BatchWriteItem: { RequestItems: { of: ["WriteRequest"] } }, WriteRequest: { PutRequest: "PutRequest", DeleteRequest: "DeleteRequest" },
  TransactGetItems: { TransactItems: ["TransactGetItem"] }, TransactGetItem: { Get: "Get" },
  TransactWriteItems: { TransactItems: ["TransactWriteItem"] },
  TransactWriteItem: { ConditionCheck: "ConditionCheck", Put: "Put", Update: "Update", Delete: "Delete" },
  BatchExecuteStatement: { Statements: ["BatchStatementRequest"] }, ExecuteTransaction: { TransactStatements: ["ParameterizedStatement"] },
};

for (const one of [TYPES, ...Object.values(TYPES)]) Object.setPrototypeOf(one, null); // constructor is no member

const isPlain = (value) => typeof value !== "object" || (Array.isArray(value) ? value : Object.values(value)).every((one) => isAttribute(one) || typeof one === "string");

/** Whether a value is of the type; undefined: a word, a figure, a map of values or of names. */
function isOf(value, type) {
  if (!type || type === ITEM) return isPlain(value);
  if (Array.isArray(type)) return Array.isArray(value) && value.every((one) => isOf(one, type[0]));
  return isMap(value) && Object.entries(value).every(([name, one]) => isOf(one, typeof type === "string" ? TYPES[type]?.[name] : type.of));
}

const isTyped = (operation, request) => operation in TYPES && isOf(request, operation);

const lines = (parts, indent) => parts.map((part) => `\n${indent}    ${part}`).join("");
const list = (values) => values.map((one) => JSON.stringify(one)).join(", ");

function javaAttribute(value, indent) {
  const [[type, of]] = Object.entries(value);
  const bytes = (text) => `SdkBytes.fromByteArray(Base64.getDecoder().decode(${JSON.stringify(text)}))`;
  switch (type) {
    case "S": case "N": return `AttributeValue.from${type}(${JSON.stringify(of)})`;
    case "BOOL": return `AttributeValue.fromBool(${of})`;
    case "NULL": return "AttributeValue.fromNul(true)";
    case "B": return `AttributeValue.fromB(${bytes(of)})`;
    case "M": return `AttributeValue.fromM(${javaMap(of, indent)})`;
    case "L": return `AttributeValue.fromL(List.of(${of.map((one) => javaAttribute(one, indent)).join(", ")}))`;
    case "BS": return `AttributeValue.fromBs(List.of(${of.map(bytes).join(", ")}))`;
    default: return `AttributeValue.from${type[0]}s(List.of(${list(of)}))`;
  }
}

function javaMap(map, indent) {
  const inner = `${indent}    `;
  const entries = Object.entries(map).map(([name, one]) => `\n${inner}Map.entry(${JSON.stringify(name)}, ${javaValue(one, inner)})`);
  return entries.length ? `Map.ofEntries(${entries.join(",")})` : "Map.of()";
}

function javaValue(value, indent) {
  if (isAttribute(value)) return javaAttribute(value, indent);
  if (Array.isArray(value)) return `List.of(${value.map((one) => javaValue(one, indent)).join(", ")})`;
  return isMap(value) ? javaMap(value, indent) : JSON.stringify(value);
}

function javaTyped(value, type, indent) {
  const inner = `${indent}    `;
  if (!type || type === ITEM) return javaValue(value, indent);
  if (Array.isArray(type)) return `List.of(${value.map((one) => `\n${inner}${javaTyped(one, type[0], inner)}`).join(",")})`;
  if (typeof type === "string") return `${type}.builder()${javaSetters(value, type, inner).join("")}.build()`;
  return `Map.of(${Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}, ${javaTyped(one, type.of, indent)}`).join(", ")})`;
}

const javaSetters = (request, type, indent) => Object.entries(request).map(([name, value]) => `.${camel(name)}(${javaTyped(value, TYPES[type]?.[name], indent)})`);

export function java(operation, request) {
  if (!isTyped(operation, request)) return null;
  const setters = javaSetters(request, operation, "        ");
  return [
    "DynamoDbClient client = DynamoDbClient.create();",
    `${operation}Response response = client.${camel(operation)}(${operation}Request.builder()${lines([...setters, ".build());"], "    ")}`,
  ].join("\n");
}

function goAttribute(value) {
  const [[type, of]] = Object.entries(value);
  const member = (text) => `&types.AttributeValueMember${type}{Value: ${text}}`;
  switch (type) {
    case "B": return member(`decode(${JSON.stringify(of)})`);
    case "BS": return member(`[][]byte{${of.map((one) => `decode(${JSON.stringify(one)})`).join(", ")}}`);
    case "SS": case "NS": return member(`[]string{${list(of)}}`);
    case "M": return member(goMap(of, ""));
    case "L": return member(`[]types.AttributeValue{${of.map(goAttribute).join(", ")}}`);
    default: return member(JSON.stringify(of));
  }
}

function goMap(map, indent) {
  const entries = Object.entries(map), typed = entries.every(([, one]) => isAttribute(one));
  return `map[string]${typed ? "types.AttributeValue" : "string"}{${lines(entries.map(([name, one]) =>
    `${JSON.stringify(name)}: ${typed ? goAttribute(one) : JSON.stringify(one)},`), indent)}\n${indent}}`;
}

function goValue(value) {
  if (Array.isArray(value)) return value.every(isAttribute) ? `[]types.AttributeValue{${value.map(goAttribute).join(", ")}}` : `[]string{${list(value)}}`;
  if (typeof value === "string") return `aws.String(${JSON.stringify(value)})`;
  return typeof value === "number" ? `aws.Int32(${value})` : `aws.Bool(${value})`;
}

// Words of which the Go SDK has a type of its own.
const GO_ENUMS = {
  Select: "Select", ReturnConsumedCapacity: "ReturnConsumedCapacity", ReturnValues: "ReturnValue",
  ReturnItemCollectionMetrics: "ReturnItemCollectionMetrics", ReturnValuesOnConditionCheckFailure: "ReturnValuesOnConditionCheckFailure",
};

const goType = (type) => (type === ITEM ? "map[string]types.AttributeValue" : Array.isArray(type) ? `[]${goType(type[0])}`
  : typeof type === "string" ? `types.${type}` : `map[string]${goType(type.of)}`);

/** A value of a type, without the type's own name. */
function goBody(value, type, indent) {
  const inner = `${indent}    `;
  if (type === ITEM) return goMap(value, indent).replace(/^[^{]*/, "");
  const parts = Array.isArray(type) ? value.map((one) => `${goBody(one, type[0], inner)},`)
    : Object.entries(value).map(([name, one]) => (typeof type === "string" ? goMember(name, one, TYPES[type]?.[name], inner)
      : `${JSON.stringify(name)}: ${goBody(one, type.of, inner)},`));
  return `{${lines(parts, indent)}\n${indent}}`;
}

function goMember(name, value, type, indent) {
  const text = GO_ENUMS[name] ? `types.${GO_ENUMS[name]}(${JSON.stringify(value)})`
    : type ? `${typeof type === "string" ? "&" : ""}${goType(type)}${goBody(value, type, indent)}`
      : isMap(value) ? goMap(value, indent) : goValue(value);
  return `${name}: ${text},`;
}

export function go(operation, request) {
  if (!isTyped(operation, request)) return null;
  const members = Object.entries(request).map(([name, value]) => goMember(name, value, TYPES[operation][name], "    "));
  const text = [`out, err := client.${operation}(ctx, &dynamodb.${operation}Input{${lines(members, "")}`, "})"].join("\n");
  return text.includes("decode(") ? `decode := func(s string) []byte { b, _ := base64.StdEncoding.DecodeString(s); return b }\n${text}` : text;
}

// --- PartiQL --------------------------------------------------------------------------------------------------------

const name = (text) => `"${text.replace(/"/g, '""')}"`;
const string = (text) => `'${text.replace(/'/g, "''")}'`;

/** A value in a statement; null where it cannot be said, as of binary. */
function literal(value) {
  const [[type, of]] = Object.entries(value);
  const all = (values, open, close) => (values.includes(null) ? null : open + values.join(", ") + close);
  switch (type) {
    case "S": return string(of);
    case "N": return of;
    case "BOOL": return of ? "TRUE" : "FALSE";
    case "NULL": return "NULL";
    case "SS": return all(of.map(string), "<<", ">>");
    case "NS": return all(of, "<<", ">>");
    case "L": return all(of.map(literal), "[", "]");
    case "M": return all(Object.entries(of).map(([key, one]) => { const text = literal(one); return text === null ? null : `${string(key)}: ${text}`; }), "{", "}");
    default: return null;
  }
}

/** An expression with its names and values in their places; throws a RangeError where a value cannot be said. */
function inPlace(text, { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} }) {
  return text.replace(/attribute_exists\s*\(([^()]*)\)/gi, "$1 IS NOT MISSING").replace(/attribute_not_exists\s*\(([^()]*)\)/gi, "$1 IS MISSING")
    .replace(/[#:]\w+/g, (holder) => {
      if (holder[0] === "#") return names[holder] === undefined ? holder : name(names[holder]);
      const said = values[holder] ? literal(values[holder]) : null;
      if (said === null) throw new RangeError(holder);
      return said;
    });
}

/** The sort key of a Query, where its condition says which it is: that which is not held equal. */
function sortKey(condition) {
  const path = "(?<![\\w#:])(#?[A-Za-z_]\\w*)";
  return new RegExp(`begins_with\\s*\\(\\s*${path}|${path}\\s*(?:<|>|BETWEEN\\b)`, "i").exec(condition)?.slice(1).find(Boolean) ?? null;
}

function whereOf(operation, request) {
  const parts = operation === "GetItem"
    ? Object.entries(request.Key).map(([key, value]) => {
      const said = literal(value);
      if (said === null) throw new RangeError(key);
      return `${name(key)} = ${said}`;
    })
    : [request.KeyConditionExpression, request.FilterExpression].filter(Boolean).map((text) => inPlace(text, request))
      .map((text) => (/\bOR\b/i.test(text) ? `(${text})` : text));
  return parts.length ? ` WHERE ${parts.join(" AND ")}` : "";
}

// Members that a statement says; the last three are members of ExecuteStatement, too.
const SAID = new Set(["TableName", "IndexName", "Key", "KeyConditionExpression", "FilterExpression", "ProjectionExpression", "ExpressionAttributeNames",
  "ExpressionAttributeValues", "ScanIndexForward", "Limit", "ConsistentRead", "ReturnConsumedCapacity"]);

/** A Query, Scan or GetItem as a request of ExecuteStatement; null where none says the same. `sort` is what sortKeyOf says. */
export function statementOf(operation, request, sort) {
  if (operation === "ExecuteStatement") return request;
  if (!["GetItem", "Query", "Scan"].includes(operation) || !request.TableName || !Object.keys(request).every((one) => SAID.has(one))) return null;
  const from = name(request.TableName) + (request.IndexName ? `.${name(request.IndexName)}` : "");
  try {
    const descending = request.ScanIndexForward === false, condition = request.KeyConditionExpression ?? "";
    const by = sort === undefined ? sortKey(condition) && inPlace(sortKey(condition), request) : sort && name(sort);
    if (descending && !by && sort !== null) return null;
    const what = request.ProjectionExpression ? inPlace(request.ProjectionExpression, request) : "*";
    const { Limit, ConsistentRead, ReturnConsumedCapacity } = request, more = { Limit, ConsistentRead, ReturnConsumedCapacity };
    return { Statement: `SELECT ${what} FROM ${from}${whereOf(operation, request)}${descending && by ? ` ORDER BY ${by} DESC` : ""}`,
      ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The statement; with what it cannot say, such as Limit, it is a command that says it. */
export function partiql(operation, request, sort) {
  const said = statementOf(operation, request, sort);
  return said && (Object.keys(said).length > 1 ? cli("ExecuteStatement", said) : said.Statement);
}

export const LANGUAGES = [
  ["cli", "AWS CLI", cli], ["boto3", "boto3", boto3], ["javascript", "JavaScript", javascript],
  ["java", "Java", java], ["go", "Go", go], ["partiql", "PartiQL", partiql],
];
