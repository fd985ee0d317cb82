"use strict";

const { begin } = require("./run.js");

module.exports = (_, { globals, rootDir }) => {
  const options = globals.mockddb ?? {};
  return begin(options, "mockddb/jest", rootDir, { options: JSON.stringify(options) });
};
