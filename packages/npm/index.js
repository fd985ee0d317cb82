"use strict";

const { embedded } = require("./lib/embedded.js");
const { start } = require("./lib/server.js");
const { world } = require("./lib/world.js");

module.exports = { embedded, start, world };
