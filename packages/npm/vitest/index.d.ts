import type { ServerOptions } from "../index.js";

export interface RunOptions extends ServerOptions {
  /** What has a world of its own: each worker (the default), each test file, or only the run as a whole. */
  world?: "worker" | "file" | "run";
  /** When a world goes back to its tables and items: before each test (the default), before each file, never. */
  reset?: "test" | "file" | false;
}

/** A plug-in for `plugins` of vitest.config: one server for the run, and a world of tables for each worker. */
export function mockddb(options?: RunOptions): { name: string; config(config: any): void };
