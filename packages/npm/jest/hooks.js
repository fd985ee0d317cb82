"use strict";

const hooks = require("@jest/globals");
const { hookRun } = require("../lib/world.js");

hookRun(JSON.parse(process.env.MOCKDDB_JEST), hooks);
