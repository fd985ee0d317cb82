import runs from "../lib/runs.js";

export default async function setup(project) {
  const options = globalThis[Symbol.for("mockddb/vitest")][project.config.provide["mockddb options"]];
  const { context, stop } = await runs.beginRun(options, "mockddb/vitest", project.config.root);
  project.provide("mockddb", context);
  return () =>
    stop().catch((error) => {
      process.exitCode = 1; // Vitest 4 only prints the error
      throw error;
    });
}
