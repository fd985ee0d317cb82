"use strict";

const { presetWith } = require("./preset.js");

module.exports = presetWith("globalSetup.js");
