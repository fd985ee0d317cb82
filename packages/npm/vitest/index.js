"use strict";

const path = require("node:path");
const { checkRunOptions } = require("../lib/runs.js");

/* Options by number: the global set-up runs in this process too, perhaps with another copy of this module. */
const all = (globalThis[Symbol.for("mockddb/vitest")] ??= []);

const SETUP = path.join(__dirname, "setup.mjs");

const listed = (value) => (value === undefined ? [] : [value].flat());

/** A plug-in for vitest.config: one server for the run, a world for each worker. */
exports.mockddb = (options = {}) => {
  checkRunOptions(options, "mockddb/vitest");
  const number = all.push(options) - 1;
  return {
    name: "mockddb",
    config(config) {
      const test = (config.test ??= {});
      test.globalSetup = [path.join(__dirname, "globalSetup.mjs"), ...listed(test.globalSetup)];
      test.setupFiles = [SETUP, ...listed(test.setupFiles)];
      test.provide = { ...test.provide, "mockddb options": number };
    },
    /* In Vitest 5 projects inherit what the file says, without what plug-ins add to it. */
    configureVitest({ project: { config } }) {
      if (!config.setupFiles.includes(SETUP)) config.setupFiles.unshift(SETUP);
    },
  };
};
