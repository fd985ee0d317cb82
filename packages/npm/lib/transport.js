"use strict";

/* A request handler for clients of the AWS SDK for JavaScript, version 3: requests are answered in this process, and no
 * socket is opened. Retries, waiters, paging and errors stay the SDK's. */

const { randomBytes } = require("node:crypto");
const { Readable } = require("node:stream");
const timers = require("node:timers"); // the real ones: tests may replace the global ones

const ASIDE = 1, EXPLAIN = 2; // flags of a request
const DROPPED = 1, CUT = 2; // flags of a reply
const REGION = "x-mockddb-region"; // a header between the signer and the handler
const CLIENT_BYTES = 64; // of its name in the journal, as with a server
/* What is quicker on this thread than on its way to another one and back, and short whatever the request says. */
const SHORT = /\.(Get|Put|Delete|Update)Item$/;
const SHORT_BODY = 16384;

const error = (name, message, more) => Object.assign(new Error(message), { name, ...more });
const aborted = () => error("AbortError", "Request aborted");
/* As Node.js has a connection that closes; before the reply, the SDK's own handler gives it the name TimeoutError. */
const reset = (message, name = "Error") => error(name, message, { code: "ECONNRESET" });

/** Settles as the promise does, unless the signal or the timeout comes first; `stop` is called then. */
function within(promise, abortSignal, timeoutMs, stop) {
  if (!abortSignal && !timeoutMs) return promise;
  return new Promise((resolve, reject) => {
    const give = (problem) => {
      stop();
      reject(problem);
    };
    const abort = () => give(aborted());
    const late = () => give(error("TimeoutError", `the request did not end within ${timeoutMs} ms`));
    const timer = timeoutMs ? timers.setTimeout(late, timeoutMs) : undefined;
    abortSignal?.addEventListener?.("abort", abort);
    promise.then(resolve, reject).finally(() => {
      timers.clearTimeout(timer);
      abortSignal?.removeEventListener?.("abort", abort);
    });
  });
}

const headersOf = (reply) => ({
  server: "Server",
  date: new Date(Date.now() + reply.dateSkewMs).toUTCString(),
  "content-type": reply.type,
  "content-length": String(reply.body.length),
  "x-amzn-requestid": randomBytes(26).toString("hex").toUpperCase(),
  ...(reply.explanation ? { "x-mockddb-explain": String(reply.explanation) } : {}),
});

/* A body that ends too early, as a connection that closes. */
const cutBody = (body) =>
  Readable.from(
    (async function* () {
      yield body;
      throw reset("aborted");
    })(),
  );

function requestOf({ headers, body = "" }, world) {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const target = given["x-amz-target"];
  if (!target) throw new Error("mockddb: an embedded server answers the JSON protocol of DynamoDB only: use start()");
  const flags = (given["x-mockddb-aside"] === "true" ? ASIDE : 0) | (given["x-mockddb-explain"] === "true" ? EXPLAIN : 0);
  const client = given["user-agent"]?.split(" ")[0].slice(0, CLIENT_BYTES);
  const region = given[REGION] ?? /Credential=[^/]*\/\d+\/([^/]+)/.exec(given.authorization)?.[1];
  return [world, target, body, region, client, flags];
}

/** The requestHandler for a world. In a store in memory, short requests run at once. */
exports.requestHandler = (handle, world, inMemory) => ({
  metadata: { handlerProtocol: "http/1.1" },
  async handle(request, { abortSignal, requestTimeout } = {}) {
    if (abortSignal?.aborted) throw aborted();
    const words = requestOf(request, world);
    const sent = handle.send(words, inMemory && words[2].length <= SHORT_BODY && SHORT.test(words[1]));
    let timer;
    const arrive = async () => {
      const reply = await sent.reply;
      if (reply.delayMs) await new Promise((resolve) => (timer = timers.setTimeout(resolve, reply.delayMs)));
      if (reply.flags & DROPPED) throw reset("socket hang up", "TimeoutError");
      const body = reply.flags & CUT ? cutBody(reply.body) : reply.body;
      return { response: { statusCode: reply.status, headers: headersOf(reply), body } };
    };
    return within(arrive(), abortSignal, requestTimeout, () => {
      sent.cancel();
      timers.clearTimeout(timer);
    });
  },
  updateHttpClientConfig() {},
  httpHandlerConfigs: () => ({}),
  destroy() {},
});

/** The signer: nobody would check a signature. It passes on the region that the request is for. */
exports.signer = {
  sign: async (request, { signingRegion } = {}) => {
    if (signingRegion) request.headers[REGION] = signingRegion;
    return request;
  },
};
