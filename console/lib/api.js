// What the page asks of the server: operations as any client sends them, and the verbs under /_mockddb/.

import { parseBare } from "./bare.js";

const STREAMS = new Set(["ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"]);
// The form of a signature is looked at, not whether it is right; with --require-signature there is no page.
const REGION = "us-east-1"; // whose tables the page shows, where the server tells regions apart
const SIGNED = `AWS4-HMAC-SHA256 Credential=console/20260101/${REGION}/dynamodb/aws4_request, `
  + "SignedHeaders=host;x-amz-date;x-amz-target, Signature=0";

/** Where something went wrong: the type and the message are the service's. */
export class Refused extends Error {
  constructor(type, message, status, explanation) {
    super(message);
    this.type = type;
    this.status = status;
    this.explanation = explanation;
  }
}

/** What the service answers in place of a result. */
function refusal(status, body, explanation) {
  const refused = new Refused(String(body.__type ?? status).split("#").pop(), body.message ?? body.Message ?? "", status, explanation);
  refused.body = body;
  return refused;
}

/** The item that was to be written is another by now: `stored`, or null if it is gone. */
export class Differs extends Error {
  constructor(stored) {
    super(stored ? "the item changed since this page read it" : "the item was deleted since this page read it");
    this.stored = stored;
  }
}

let world = "default";
export const currentWorld = () => world;
export function setWorld(name) { world = name; }

/** What is said where the server cannot be reached. */
export const noAnswer = () => new Refused("No answer", "the server does not answer: is it still running?", 0);

async function send(path, options) {
  try {
    return await fetch(path, { cache: "no-store", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw noAnswer();
  }
}

async function read(response) {
  const text = await response.text();
  try {
    return text ? parseBare(text) : {};
  } catch {
    throw new Refused("Not JSON", `the answer is no JSON: ${text.slice(0, 200)}`, response.status);
  }
}

/** An operation as the service answers it, in the world at hand unless another is named. With `explain` the answer is {response, explanation, ms}, and the request
 * is one like any other; without, it is the page that looks, which no journal, metric or fault rule is about. */
export async function call(operation, request, { explain = false, signal, inWorld = world } = {}) {
  const service = STREAMS.has(operation) ? "DynamoDBStreams_20120810" : "DynamoDB_20120810";
  const began = performance.now();
  const response = await send("/", {
    method: "POST",
    signal,
    body: JSON.stringify(request),
    headers: {
      "Content-Type": "application/x-amz-json-1.0",
      "X-Amz-Target": `${service}.${operation}`,
      "X-Amz-Date": "20260101T000000Z",
      Authorization: SIGNED,
      "x-mockddb-world": inWorld,
      [explain ? "x-mockddb-explain" : "x-mockddb-aside"]: "true",
    },
  });
  const body = await read(response);
  const ms = performance.now() - began;
  const id = response.headers.get("x-mockddb-explain");
  const explanation = id ? await verb("GET", `explanations/${id}`).catch(() => null) : null;
  if (!response.ok) throw refusal(response.status, body, explanation?.explanation ?? explanation);
  return explain ? { response: body, explanation: explanation?.explanation ?? explanation, ms } : body;
}

/** A PutItem, UpdateItem or DeleteItem, which is done only if the stored item is `old` as a whole (null: no item is stored).
 * Throws Differs where it is not. */
export async function writeSeen(operation, request, old) {
  const body = { operation, request, old, region: REGION };
  const response = await send("/_mockddb/write", { method: "POST", headers: headers(body), body: JSON.stringify(body) });
  const answer = await read(response);
  if (Object.hasOwn(answer, "item")) throw new Differs(answer.item);
  if (!response.ok) throw new Refused("Refused", answer.message ?? String(response.status), response.status);
  if (answer.status !== 200) throw refusal(answer.status, answer.response);
}

function headers(body, inWorld = world) {
  return { "x-mockddb-world": inWorld, ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
}

/** A verb: verb("POST", "clock", {freeze: true}), in the page's world unless another is named. */
export async function verb(method, path, body, inWorld = world) {
  const response = await send(`/_mockddb/${path}`, {
    method,
    headers: headers(body, inWorld),
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await read(response);
  if (!response.ok && response.status !== 409) throw new Refused("Refused", answer.message ?? String(response.status), response.status);
  if (response.status === 409 && answer.message) throw new Refused("Refused", answer.message, 409);
  return answer;
}

/** A file as the body of a verb: {status, answer}. `onSent` gets how many of its bytes went, which fetch cannot say. */
export function upload(path, file, onSent, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/_mockddb/${path}`);
    request.responseType = "json";
    request.setRequestHeader("x-mockddb-world", world);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (event) => onSent(event.loaded);
    request.onload = () => resolve({ status: request.status, answer: request.response ?? {} });
    request.onerror = () => reject(noAnswer());
    request.onabort = () => reject(new DOMException("stopped", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** What a verb answers that is no JSON. */
export async function text(path) {
  const response = await send(`/_mockddb/${path}`, { headers: headers() });
  if (!response.ok) throw new Refused("Refused", (await read(response)).message, response.status);
  return response.text();
}

/** Lines of JSON as they come, until all are there or `signal` aborts; `onBegin` is called before the first. */
export async function lines(path, onLine, signal, onBegin) {
  const response = await send(`/_mockddb/${path}`, { headers: headers(), signal });
  if (!response.ok) throw new Refused("Refused", (await read(response)).message, response.status);
  onBegin?.();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) if (part) onLine(parseBare(part));
  }
}

/** Pages of a Scan, one behind another. */
export async function* scan(request, options) {
  let start;
  do {
    const page = await call("Scan", start ? { ...request, ExclusiveStartKey: start } : request, options);
    yield page;
    start = page.LastEvaluatedKey;
  } while (start);
}
