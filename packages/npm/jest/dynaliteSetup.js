"use strict";

/* jest-dynalite, by its README: jest-dynalite-config of Jest's root folder; each worker has tables of its own, which each
   test finds as they began; MOCK_DYNAMODB_ENDPOINT has the address. */

const path = require("node:path");
const { readConfig } = require("./configFile.js");
const { begin } = require("./run.js");

const PRESET = "mockddb/jest-dynalite";

module.exports = async (_, { rootDir }) => {
  const config = await readConfig(path.join(rootDir, "jest-dynalite-config"), PRESET);
  const { basePort, ...ours } = config; // all workers use one server, on a free port
  await begin(ours, PRESET, rootDir, { alias: "MOCK_DYNAMODB_ENDPOINT" });
};
