"use strict";

const { presetWith } = require("./preset.js");

module.exports = presetWith("dynaliteSetup.js");
