"use strict";

const path = require("node:path");

/** A preset of Jest whose server is started by that file. */
exports.presetWith = (globalSetup) => ({
  globalSetup: path.join(__dirname, globalSetup),
  globalTeardown: path.join(__dirname, "globalTeardown.js"),
  setupFiles: [path.join(__dirname, "setup.js")],
  setupFilesAfterEnv: [path.join(__dirname, "hooks.js")],
});
