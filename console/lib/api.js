// The requests of the page: operations, as any client sends them, and the verbs under /_mockddb/.

import { parseBare } from "./bare.js";

const STREAMS = new Set(["ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"]);
// The server checks only the signature's form; with --require-signature there is no page.
const REGION = "us-east-1"; // the region of the tables on the page, if the server separates regions
const SIGNED = `AWS4-HMAC-SHA256 Credential=console/20260101/${REGION}/dynamodb/aws4_request, `
  + "SignedHeaders=host;x-amz-date;x-amz-target, Signature=0";

/** An error: the type and the message are the service's. */
export class Refused extends Error {
  constructor(type, message, status, explanation) {
    super(message);
    this.type = type;
    this.status = status;
    this.explanation = explanation;
  }
}

/** An error that the service answers. */
function refusal(status, body, explanation) {
  const refused = new Refused(String(body.__type ?? status).split("#").pop(), body.message ?? body.Message ?? "", status, explanation);
  refused.body = body;
  return refused;
}

/** The item to write has changed meanwhile: it is `stored` now, or null if it was deleted. */
export class Differs extends Error {
  constructor(stored) {
    super(stored ? "the item changed since this page read it" : "the item was deleted since this page read it");
    this.stored = stored;
  }
}

let world = "default";
export const currentWorld = () => world;
export function setWorld(name) { world = name; }

/** The message for a server that cannot be reached. */
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
    throw new Refused("Not JSON", `the answer is not JSON: ${text.slice(0, 200)}`, response.status);
  }
}

/** Items of the page's world may have changed. */
const changed = () => dispatchEvent(new Event("changed"));
const READS = /^(Get|Query|Scan|Describe|List|BatchGet|TransactGet)/;

/** Headers that name a world, which a request of the page never makes: another one may have dropped it. */
const inThat = (name) => ({ "x-mockddb-world": name, "x-mockddb-world-exists": "true" });

/** Sends an operation and returns its answer, in the page's world unless another is named. With `explain` the answer is {response, explanation, ms}, and the request
 * counts like any other. One that is `aside` is the page's own: no journal, metrics, patterns, faults or throttling apply to it. */
export async function call(operation, request, { explain = false, aside = !explain, signal, inWorld = world } = {}) {
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
      ...inThat(inWorld),
      "x-mockddb-explain": String(explain),
      "x-mockddb-aside": String(aside),
    },
  });
  const body = await read(response);
  const ms = performance.now() - began;
  const id = response.headers.get("x-mockddb-explain");
  const explanation = id ? await verb("GET", `explanations/${id}`, undefined, inWorld).catch(() => null) : null;
  if (!response.ok) throw refusal(response.status, body, explanation?.explanation ?? explanation);
  if (!READS.test(operation)) changed();
  return explain ? { response: body, explanation: explanation?.explanation ?? explanation, ms } : body;
}

/** A PutItem, UpdateItem or DeleteItem, done only if the stored item equals `old` (null: no item is stored).
 * Throws Differs if it does not. */
export async function writeSeen(operation, request, old, inWorld = world) {
  const body = { operation, request, old, region: REGION };
  const response = await send("/_mockddb/write", { method: "POST", headers: headers(body, inWorld), body: JSON.stringify(body) });
  const answer = await read(response);
  if (Object.hasOwn(answer, "item")) throw new Differs(answer.item);
  if (!response.ok) throw new Refused("Refused", answer.message ?? String(response.status), response.status);
  if (answer.status !== 200) throw refusal(answer.status, answer.response);
  changed();
}

function headers(body, inWorld = world) {
  return { ...inThat(inWorld), ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
}

// What verbs change of a world as a whole, of which the page tells by the event "whole", with {what, world}: the view that is shown
// draws again what depends on it. "other": the world that the path names was made or dropped.
const WHOLE = [[/^clock$/, "clock"], [/^(reset|snapshots\/[^/]+\/restore)$/, "world"], [/^faults/, "faults"], [/^worlds\//, "other"]];

/** A verb: verb("POST", "clock", {freeze: true}), in the page's world unless another is named. */
export async function verb(method, path, body, inWorld = world, signal = undefined) {
  const response = await send(`/_mockddb/${path}`, {
    method,
    signal,
    headers: headers(body, inWorld),
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await read(response);
  if (!response.ok && response.status !== 409) throw new Refused("Refused", answer.message ?? String(response.status), response.status);
  if (response.status === 409 && answer.message) throw new Refused("Refused", answer.message, 409);
  const [, what] = method === "GET" ? [] : WHOLE.find(([paths]) => paths.test(path)) ?? [];
  if (what) dispatchEvent(new CustomEvent("whole", { detail: { what, world: what === "other" ? decodeURIComponent(path.slice(7)) : inWorld } }));
  return answer;
}

/** A file as the body of a verb: {status, answer}. `onSent` receives the number of bytes sent, which fetch does not report. */
export function upload(path, file, onSent, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/_mockddb/${path}`);
    request.responseType = "json";
    for (const [name, value] of Object.entries(inThat(world))) request.setRequestHeader(name, value);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (event) => onSent(event.loaded);
    request.onload = () => { changed(); resolve({ status: request.status, answer: request.response ?? {} }); };
    request.onerror = () => reject(noAnswer());
    request.onabort = () => reject(new DOMException("stopped", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** A verb's answer that is not JSON. */
export async function text(path) {
  const response = await send(`/_mockddb/${path}`, { headers: headers() });
  if (!response.ok) throw new Refused("Refused", (await read(response)).message, response.status);
  return response.text();
}

/** Reads lines of JSON as they arrive, until the end or until `signal` aborts; `onBegin` is called before the first. */
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
