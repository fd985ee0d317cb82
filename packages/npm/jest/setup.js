"use strict";

const { enterRun } = require("../lib/world.js");

const context = JSON.parse(process.env.MOCKDDB_JEST);
/* Jest calls globalSetup once, with the options of one project. */
if (context.options && context.options !== JSON.stringify(globalThis.mockddb ?? {}))
  throw new Error("mockddb: a run has one server: give all projects of Jest the same globals.mockddb");
enterRun(context, process.env.JEST_WORKER_ID);
if (context.alias) process.env[context.alias] = context.url;
