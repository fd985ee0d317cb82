// The same request in the languages that people send it from.

const kebab = (name) => name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").replace(/([A-Z])([A-Z][a-z])/g, "$1-$2").toLowerCase();
const snake = (name) => kebab(name).replace(/-/g, "_");
const camel = (name) => name[0].toLowerCase() + name.slice(1);
const quote = (text) => `'${text.replace(/'/g, "'\\''")}'`;
const plainWord = (text) => /^[A-Za-z0-9_.:\/-]+$/.test(text);

export function cli(operation, request) {
  const words = Object.entries(request).map(([name, value]) => {
    if (value === true) return `--${kebab(name)}`;
    if (value === false) return `--no-${kebab(name)}`;
    const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : JSON.stringify(value);
    return `--${kebab(name)} ${plainWord(text) ? text : quote(text)}`;
  });
  return [`aws dynamodb ${kebab(operation)}`, ...words].join(" \\\n    ");
}

function python(value, indent = "    ") {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const parts = Array.isArray(value)
    ? value.map((one) => python(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${python(one, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const line = open + parts.join(", ") + close;
  return line.length < 70 ? line : `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

// What of a request holds base64 text is bytes there.
function pythonBytes(text) {
  return text.replace(/\{"B": ("(?:[A-Za-z0-9+/=]*)")\}/g, '{"B": base64.b64decode($1)}');
}

export function boto3(operation, request) {
  const lines = Object.entries(request).map(([name, value]) => `    ${name}=${pythonBytes(python(value))},`);
  return ["import boto3", "", 'client = boto3.client("dynamodb")', `response = client.${snake(operation)}(`, ...lines, ")"].join("\n");
}

export function javascript(operation, request) {
  const text = JSON.stringify(request, null, 2)
    .replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:")
    .replace(/\bB: "([A-Za-z0-9+/=]*)"/g, 'B: Buffer.from("$1", "base64")');
  return [
    `import { DynamoDBClient, ${operation}Command } from "@aws-sdk/client-dynamodb";`, "",
    "const client = new DynamoDBClient({});",
    `const response = await client.send(new ${operation}Command(${text}));`,
  ].join("\n");
}

const isAttribute = (value) => value && typeof value === "object" && !Array.isArray(value)
  && Object.keys(value).length === 1 && /^(S|N|B|BOOL|NULL|M|L|SS|NS|BS)$/.test(Object.keys(value)[0]);

const lines = (parts, indent) => parts.map((part) => `\n${indent}    ${part}`).join("");

function javaAttribute(value, indent) {
  const [type, of] = Object.entries(value)[0];
  const make = (setter, text) => `AttributeValue.builder().${setter}(${text}).build()`;
  switch (type) {
    case "S": case "N": return `AttributeValue.from${type}(${JSON.stringify(of)})`;
    case "BOOL": return `AttributeValue.fromBool(${of})`;
    case "NULL": return "AttributeValue.fromNul(true)";
    case "B": return `AttributeValue.fromB(SdkBytes.fromByteArray(Base64.getDecoder().decode(${JSON.stringify(of)})))`;
    case "M": return `AttributeValue.fromM(${javaMap(of, indent)})`;
    case "L": return `AttributeValue.fromL(List.of(${of.map((one) => javaAttribute(one, indent)).join(", ")}))`;
    case "BS": return make("bs", of.map((one) => `SdkBytes.fromByteArray(Base64.getDecoder().decode(${JSON.stringify(one)}))`).join(", "));
    default: return `AttributeValue.from${type[0]}s(List.of(${of.map((one) => JSON.stringify(one)).join(", ")}))`;
  }
}

function javaMap(map, indent) {
  const entries = Object.entries(map).map(([name, one]) => `Map.entry(${JSON.stringify(name)}, ${java2(one, `${indent}    `)})`);
  return entries.length ? `Map.ofEntries(${lines(entries, indent).replace(/\)\n/g, "),\n")})` : "Map.of()";
}

function java2(value, indent) {
  if (isAttribute(value)) return javaAttribute(value, indent);
  if (Array.isArray(value)) return `List.of(${value.map((one) => java2(one, indent)).join(", ")})`;
  if (value && typeof value === "object") return javaMap(value, indent);
  return JSON.stringify(value);
}

export function java(operation, request) {
  const setters = Object.entries(request).map(([name, value]) => `.${camel(name)}(${java2(value, "        ")})`);
  return [
    "DynamoDbClient client = DynamoDbClient.create();",
    `${operation}Response response = client.${camel(operation)}(${operation}Request.builder()${lines([...setters, ".build());"], "    ")}`,
  ].join("\n");
}

function goAttribute(value) {
  const [type, of] = Object.entries(value)[0];
  const member = (text) => `&types.AttributeValueMember${type}{Value: ${text}}`;
  switch (type) {
    case "B": return member(`decode(${JSON.stringify(of)})`);
    case "BS": return member(`[][]byte{${of.map((one) => `decode(${JSON.stringify(one)})`).join(", ")}}`);
    case "SS": case "NS": return member(`[]string{${of.map((one) => JSON.stringify(one)).join(", ")}}`);
    case "M": return member(goMap(of, ""));
    case "L": return member(`[]types.AttributeValue{${of.map(goAttribute).join(", ")}}`);
    default: return member(JSON.stringify(of));
  }
}

function goMap(map, indent) {
  const entries = Object.entries(map);
  const of = entries.every(([, one]) => isAttribute(one)) ? "types.AttributeValue" : "string";
  return `map[string]${of}{${lines(entries.map(([name, one]) => `${JSON.stringify(name)}: ${go2(one, of)},`), indent)}\n${indent}}`;
}

function go2(value, of) {
  if (isAttribute(value)) return goAttribute(value);
  if (value && typeof value === "object") return goMap(value, "    ");
  if (of === "string") return JSON.stringify(value);
  if (typeof value === "string") return `aws.String(${JSON.stringify(value)})`;
  return typeof value === "number" ? `aws.Int32(${value})` : `aws.Bool(${value})`;
}

// Words of which the Go SDK has a type of its own.
const GO_ENUMS = { Select: "Select", ReturnConsumedCapacity: "ReturnConsumedCapacity", ReturnValues: "ReturnValue" };

export function go(operation, request) {
  const members = Object.entries(request).map(([name, value]) =>
    `${name}: ${GO_ENUMS[name] ? `types.${GO_ENUMS[name]}(${JSON.stringify(value)})` : go2(value)},`);
  return [`out, err := client.${operation}(ctx, &dynamodb.${operation}Input{${lines(members, "")}`, "})"].join("\n");
}

const literal = (value) => {
  const [type, of] = Object.entries(value)[0];
  if (type === "S") return `'${of.replace(/'/g, "''")}'`;
  if (type === "N") return of;
  if (type === "BOOL") return of ? "TRUE" : "FALSE";
  return type === "NULL" ? "NULL" : null;
};

/** A Query, Scan or GetItem as a PartiQL statement; null where none says the same. */
export function partiql(operation, request) {
  const name = (text) => `"${text.replace(/"/g, '""')}"`;
  const from = name(request.TableName ?? "") + (request.IndexName ? `.${name(request.IndexName)}` : "");
  if (operation === "ExecuteStatement") return request.Statement;
  if (operation === "GetItem") {
    const parts = Object.entries(request.Key).map(([key, value]) => `${name(key)} = ${literal(value)}`);
    return `SELECT * FROM ${from} WHERE ${parts.join(" AND ")}`;
  }
  if (operation !== "Query" && operation !== "Scan") return null;
  if (/attribute_(not_)?exists|size/.test(`${request.FilterExpression}`)) return null;
  let unknown = false;
  const put = (text) => text.replace(/#\w+/g, (holder) => name(request.ExpressionAttributeNames?.[holder] ?? holder))
    .replace(/:\w+/g, (holder) => {
      const value = request.ExpressionAttributeValues?.[holder];
      const text = value ? literal(value) : null;
      unknown ||= text === null;
      return text;
    });
  const where = [request.KeyConditionExpression, request.FilterExpression].filter(Boolean).map(put).join(" AND ");
  const what = request.ProjectionExpression ? put(request.ProjectionExpression) : "*";
  return unknown ? null : `SELECT ${what} FROM ${from}${where ? ` WHERE ${where}` : ""}`;
}

export const LANGUAGES = [
  ["cli", "AWS CLI", cli], ["boto3", "boto3", boto3], ["javascript", "JavaScript", javascript],
  ["java", "Java", java], ["go", "Go", go], ["partiql", "PartiQL", partiql],
];
