"use strict";

const { presetWith } = require("./preset.js");

module.exports = presetWith("dynamodbSetup.js");
