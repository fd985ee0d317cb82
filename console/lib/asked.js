// The request that an entry of the journal is about. The journal has values in the places of their placeholders.

const TOKEN = /\s+|"(?:[^"\\]|\\.)*"|\[\d+\]|-?\d[\d.]*(?:[eE][+-]?\d+)?|[A-Za-z_][\w-]*|<>|<=|>=|[=<>(),.]/y;
const KEYWORD = /^(AND|OR|NOT|BETWEEN|IN)$/i;
const EXPRESSIONS = { GetItem: ["ProjectionExpression"], Query: ["KeyConditionExpression", "FilterExpression", "ProjectionExpression"], Scan: ["FilterExpression", "ProjectionExpression"] };

/** The JSON object that begins there, as text. */
function objectAt(text, at) {
  let depth = 0;
  for (const { 0: part, index } of text.slice(at).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    depth += part === "{" ? 1 : part === "}" ? -1 : 0;
    if (!depth) return text.slice(at, at + index + 1);
  }
  return null;
}

/** The expression with placeholders, which are added to the request; null where that is not certain. */
function withPlaceholders(text, names, values) {
  const put = (map, mark, value) => {
    const known = Object.keys(map).find((name) => JSON.stringify(map[name]) === JSON.stringify(value));
    const name = known ?? `${mark}${Object.keys(map).length}`;
    map[name] = value;
    return name;
  };
  let out = "", operand = false; // an operand came last: another cannot follow
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const token = text[at] === "{" ? objectAt(text, at) : TOKEN.exec(text)?.[0];
    if (!token) return null;
    at += token.length;
    const isValue = /^["{\d-]/.test(token), isWord = /^[A-Za-z_]/.test(token) && !KEYWORD.test(token);
    const isCall = isWord && text[at] === "(";
    if ((isValue || isWord) && operand) return null;
    if (token.trim()) operand = isValue || (isWord && !isCall) || token.startsWith("[");
    if (isValue) out += put(values, ":v", token[0] === "{" ? JSON.parse(token) : token[0] === '"' ? { S: JSON.parse(token) } : { N: token });
    else out += isWord && !isCall ? put(names, "#n", token) : token;
  }
  return out;
}

/** The request of a read; null where the entry does not say all of it. */
export function requestOf(entry) {
  const parts = EXPRESSIONS[entry.operation], told = entry.expressions ?? {}, names = {}, values = {};
  if (!parts || !entry.table || entry.shortened || JSON.stringify([told, entry.key]).includes("***")) return null;
  if (entry.operation === "GetItem" ? !entry.key : entry.operation === "Query" && !told.KeyConditionExpression) return null;
  const request = { TableName: entry.table, ...(entry.index ? { IndexName: entry.index } : {}), ...(entry.operation === "GetItem" ? { Key: entry.key } : {}) };
  for (const name of parts.filter((one) => told[one])) {
    request[name] = withPlaceholders(told[name], names, values);
    if (request[name] === null) return null;
  }
  if (Object.keys(names).length) request.ExpressionAttributeNames = names;
  if (Object.keys(values).length) request.ExpressionAttributeValues = values;
  return request;
}
