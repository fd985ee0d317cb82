import { mockddb } from "mockddb/vitest";
import { tables } from "./tables.js";

export default {
  plugins: [
    mockddb({
      tables,
      fixtures: ["./template.yaml", "./fixture"],
      params: { Stage: "test" },
      clock: "2026-01-01T00:00:00Z,frozen",
    }),
  ],
  test: { globals: true },
};
