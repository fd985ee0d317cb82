import { start, world } from "mockddb";

let server;
let mine;

export async function mochaGlobalSetup() {
  server = await start({ fixtures: "./fixture", clock: "2026-01-01T00:00:00Z" });
  process.env.MOCKDDB_URL = server.url; // the workers inherit it
}

export const mochaGlobalTeardown = () => server.stop();

export const mochaHooks = {
  beforeAll() {
    mine = world(`worker-${process.env.MOCHA_WORKER_ID ?? 0}`);
    mine.enter();
  },
  beforeEach: () => mine.reset(),
};
