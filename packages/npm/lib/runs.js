"use strict";

/* What the presets share in the process that starts the workers: one server for the run. */

const { OPTION_NAMES, checkOptions, start } = require("./server.js");
const { send } = require("./world.js");

const CHOICES = { world: ["worker", "file", "run"], reset: ["test", "file", false] };
const KNOWN = [...OPTION_NAMES.filter((name) => name !== "worlds" && name !== "folder"), ...Object.keys(CHOICES)];

/** Refuses options that a preset does not have. */
exports.checkRunOptions = (options, preset) => {
  checkOptions(options, KNOWN, preset);
  for (const [name, values] of Object.entries(CHOICES))
    if (options[name] !== undefined && !values.includes(options[name]))
      throw new Error(`mockddb: ${preset}: ${name} is one of ${values.map((v) => JSON.stringify(v)).join(", ")}`);
};

/* Whether the access key of a request names its world: what keeps workers apart. The request is in no report. */
async function worldsAreByAccessKey(url) {
  const name = `probe-${process.pid}`;
  const key = `AWS4-HMAC-SHA256 Credential=${name}/20260101/us-east-1/dynamodb/aws4_request`;
  await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "DynamoDB_20120810.ListTables",
      "x-amz-date": "20260101T000000Z",
      "x-mockddb-aside": "true",
      authorization: `${key}, SignedHeaders=host, Signature=0`,
    },
    body: "{}",
  });
  const { status } = await send(url, "default", "GET", `worlds/${name}`);
  if (status === 200) await send(url, "default", "DELETE", `worlds/${name}`);
  return status === 200;
}

/* The server of MOCKDDB_URL, which `mockddb run` has started. */
async function joinServer(url, options, preset) {
  const own = Object.keys(options).filter((name) => !(name in CHOICES));
  if (own.length)
    throw new Error(`mockddb: ${preset}: the server of MOCKDDB_URL is already running: give ${own.join(", ")} to it`);
  if (options.world !== "run" && !(await worldsAreByAccessKey(url)))
    throw new Error(`mockddb: ${preset}: the server of MOCKDDB_URL needs --worlds by-access-key`);
  return { url, stop: async () => {} };
}

/** Starts the server of a run; resolves to { context, stop }. Workers enter their worlds with the context. */
exports.beginRun = async (options, preset, folder) => {
  exports.checkRunOptions(options, preset);
  const { world = "worker", reset = world === "run" ? false : "test", ...rest } = options;
  const running = process.env.MOCKDDB_URL;
  const worlds = world === "run" ? "one" : "by-access-key";
  const server = running ? await joinServer(running, options, preset) : await start({ worlds, ...rest, folder });
  return { context: { url: server.url, world, reset }, stop: server.stop };
};
