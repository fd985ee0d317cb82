"use strict";

/* @shelf/jest-dynamodb, by its README: jest-dynamodb-config.js of the working folder, and one database on port 8000 for
   all workers, which keeps its items between tests. */

const path = require("node:path");
const { readConfig } = require("./configFile.js");
const { begin } = require("./run.js");

const PRESET = "mockddb/jest-dynamodb";

module.exports = async () => {
  const base = process.env.JEST_DYNAMODB_CONFIG ?? path.resolve("jest-dynamodb-config");
  const config = await readConfig(base, PRESET);
  // No client and no installation is needed: what these two say has no effect.
  const { port = 8000, hostname = "localhost", options = [], clientConfig, installerConfig, ...ours } = config;
  const host = hostname === "localhost" ? undefined : hostname; // the program listens there, on both addresses
  const args = [...options, ...(ours.args ?? [])];
  await begin({ world: "run", port, host, ...ours, args }, PRESET, process.cwd());
};
