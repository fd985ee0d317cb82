const { tables } = require("./tables.js");

module.exports = {
  preset: "mockddb/jest",
  globals: {
    mockddb: {
      tables,
      fixtures: ["./template.yaml", "./fixture"],
      params: { Stage: "test" },
      clock: "2026-01-01T00:00:00Z,frozen",
    },
  },
};
