// Requests of access patterns: their blanks filled in, and which tables and indexes they use.

export const BLANK = /\{([a-z][a-z0-9_]*)\}/g;

/** The value at a JSON Pointer. */
const at = (answer, pointer) => pointer.split("/").slice(1).reduce((node, part) => node?.[part.replace(/~1/g, "/").replace(/~0/g, "~")], answer);

/** The request with its blanks filled in; values of an earlier step come from its answer, or are shown as a reference. */
export function filledIn(request, values, prefix, answers = {}) {
  const put = (node, name) => {
    if (typeof node === "string") {
      const text = node.replace(BLANK, (whole, blank) => (blank === "prefix" ? prefix : values[blank] ?? whole));
      return name === "TableName" ? prefix + text : text;
    }
    if (Array.isArray(node)) return node.map((one) => put(one));
    if (!node || typeof node !== "object") return node;
    const from = node.$from && at(answers[node.$from], node.at);
    if (from !== undefined) return from;
    if (node.$from) return { S: node.shown_as ?? `<${node.at} of ${node.$from}>` };
    return Object.fromEntries(Object.entries(node).map(([of, one]) => [name === "RequestItems" ? prefix + of : of, put(one, of)]));
  };
  return put(request);
}

const FROM = /\b(?:FROM|INTO|UPDATE)\s+"?([\w.-]+)"?(?:\."?([\w.-]+)"?)?/i;

/** The tables and indexes that a request names: [[table, index or ""], …]. */
export function placesOf(request) {
  if (request.TableName) return [[request.TableName, request.IndexName ?? ""]];
  if (request.RequestItems) return Object.keys(request.RequestItems).map((name) => [name, ""]);
  const parts = [...request.TransactItems ?? [], ...request.TransactStatements ?? [], ...request.Statements ?? [], ...(request.Statement ? [request] : [])];
  return parts.flatMap((part) => (part.Statement ? [FROM.exec(part.Statement)?.slice(1, 3)].filter(Boolean).map(([table, index]) => [table, index ?? ""])
    : Object.values(part).map((one) => [one.TableName, ""])));
}
