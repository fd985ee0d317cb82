"use strict";

module.exports = () => require("./run.js").end();
