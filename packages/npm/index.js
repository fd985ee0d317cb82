"use strict";

const { start } = require("./lib/server.js");
const { world } = require("./lib/world.js");

module.exports = { start, world };
