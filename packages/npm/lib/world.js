"use strict";

const { randomUUID } = require("node:crypto");
const http = require("node:http");
const https = require("node:https");

const agents = { "http:": new http.Agent({ keepAlive: true }), "https:": new https.Agent({ keepAlive: true }) };

/** Sends a request to /_mockddb/PATH; resolves to { status, text }. It uses no timers, which tests may fake. */
function send(url, world, method, path, body) {
  const { protocol } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = (protocol === "https:" ? https : http).request(
      `${url}/_mockddb/${path}`,
      { method, agent: agents[protocol], headers: { "x-mockddb-world": world } },
      (answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("end", () => resolve({ status: answer.statusCode, text: Buffer.concat(parts).toString() }));
        answer.on("error", reject);
      },
    );
    request.on("error", (problem) => reject(new Error(`mockddb: ${url} does not answer: ${problem.message}`)));
    request.end(body && JSON.stringify(body));
  });
}

exports.send = send;

async function call(ask, world, method, path, body) {
  const { status, text } = await ask(world, method, path, body);
  if (status >= 300) throw new Error(`mockddb: ${method} ${path}: ${JSON.parse(text).message}`);
  return text && !path.startsWith("journal") ? JSON.parse(text) : text;
}

const filtered = (path, filter = {}) => {
  const query = new URLSearchParams(filter).toString();
  return query ? `${path}?${query}` : path;
};

const SECRET = "mockddb";
const region = () => process.env.AWS_REGION || "us-east-1";

/** The environment in which an AWS SDK uses this world. An undefined value means: not set. */
const environmentOf = (url, name) => ({
  MOCKDDB_URL: url,
  MOCKDDB_WORLD: name,
  AWS_ENDPOINT_URL_DYNAMODB: url,
  AWS_ENDPOINT_URL_DYNAMODB_STREAMS: url,
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "false",
  AWS_ACCESS_KEY_ID: name,
  AWS_SECRET_ACCESS_KEY: SECRET,
  AWS_SESSION_TOKEN: undefined,
  AWS_PROFILE: undefined, // the SDK would prefer the profile's keys
  AWS_REGION: region(),
  AWS_DEFAULT_REGION: process.env.AWS_DEFAULT_REGION || process.env.AWS_REGION || "us-east-1",
});

/** The world of a name in a server: `ask` sends verbs (docs/admin-api.md), `worldOf` makes another one of its worlds. */
exports.makeWorld = ({ url, ask, worldOf, more = {} }, name) => {
  const verb = (method, path, body) => call(ask, name, method, path, body);
  const clock = (change) => verb("POST", "clock", change);
  const credentials = { accessKeyId: name, secretAccessKey: SECRET };
  return {
    url,
    name,
    credentials,
    clientConfig: { endpoint: url, region: region(), credentials, ...more },
    call: verb,
    reset: () => verb("POST", "reset"),
    drop: () => verb("DELETE", `worlds/${encodeURIComponent(name)}`),
    fork: async (copy) => {
      await verb("POST", `worlds/${encodeURIComponent(copy)}`, { from: name });
      return worldOf(copy);
    },
    snapshot: async (snapshot = "snapshot") => {
      const path = `snapshots/${encodeURIComponent(snapshot)}`;
      await verb("POST", path);
      return {
        name: snapshot,
        restore: () => verb("POST", `${path}/restore`),
        drop: () => verb("DELETE", path),
      };
    },
    clock: {
      get: () => verb("GET", "clock"),
      freeze: (at = true) => clock({ freeze: at }),
      advance: (duration) => clock({ advance: duration }),
      set: (at) => clock({ set: at }),
      rate: (times) => clock({ rate: times }),
      resume: () => clock({ resume: true }),
      real: () => clock({ real: true }),
    },
    faults: {
      list: async () => (await verb("GET", "faults")).rules,
      add: async (...rules) => (await verb("POST", "faults", { rules: rules.flat() })).rules,
      remove: async (id) => (await verb("DELETE", `faults/${id}`)).rules,
      clear: () => verb("DELETE", "faults"),
    },
    journal: {
      entries: async (filter) => {
        const lines = await verb("GET", filtered("journal", filter));
        return lines.split("\n").filter(Boolean).map((line) => JSON.parse(line));
      },
      clear: () => verb("DELETE", "journal"),
    },
    assert: async (...assertions) => {
      const { status, text } = await ask(name, "POST", "assert", { assert: assertions.flat() });
      const answer = JSON.parse(text);
      if (status === 200) return answer;
      const broken = (answer.report ?? []).filter((line) => !line.holds);
      const lines = broken.map((line) => `${JSON.stringify(line.assert)}: ${line.why}`);
      throw new Error(`mockddb: ${answer.message ?? lines.join("\n")}`);
    },
  };
};

/** The world of that name on the server at url. */
exports.worldAt = (url, name) => {
  const ask = (...request) => send(url, ...request);
  const environment = environmentOf(url, name);
  const enter = () => {
    for (const [variable, value] of Object.entries(environment)) {
      if (value === undefined) delete process.env[variable];
      else process.env[variable] = value;
    }
  };
  const worldOf = (other) => exports.worldAt(url, other);
  return { ...exports.makeWorld({ url, ask, worldOf }, name), environment, enter };
};

/** The world of this test worker, or the one of that name on its server. */
exports.world = (name = process.env.MOCKDDB_WORLD ?? "default") => {
  const url = process.env.MOCKDDB_URL;
  if (!url) throw new Error("mockddb: world(): MOCKDDB_URL is not set, as mockddb/vitest, mockddb/jest and mockddb run do");
  return exports.worldAt(url, name);
};

/** In a worker: puts the world that the run's context gives it into the environment. */
exports.enterRun = ({ url, world: kind }, worker) => {
  const name = { run: "default", worker: `worker-${worker}`, file: `file-${randomUUID()}` }[kind];
  exports.worldAt(url, name).enter();
};

/** After enterRun: resets that world by the runner's hooks. */
exports.hookRun = ({ world: kind, reset }, { beforeAll, beforeEach, afterAll }) => {
  const mine = exports.world();
  if (reset === "test") beforeEach(() => mine.reset());
  if (reset === "file") beforeAll(() => mine.reset());
  if (kind === "file") afterAll(() => mine.drop());
};
