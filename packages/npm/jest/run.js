"use strict";

const { beginRun } = require("../lib/runs.js");

/* Between the modules of globalSetup and of globalTeardown. */
const STOP = Symbol.for("mockddb/jest");

/** Starts the server of a run, and passes its context to the workers, which inherit the environment. */
exports.begin = async (options, preset, folder, more = {}) => {
  const { context, stop } = await beginRun(options, preset, folder);
  process.env.MOCKDDB_JEST = JSON.stringify({ ...context, ...more });
  globalThis[STOP] = stop;
};

exports.end = () => globalThis[STOP]?.();
