import { afterAll, beforeAll, beforeEach, inject } from "vitest";
import world from "../lib/world.js";

const context = inject("mockddb");
world.enterRun(context, process.env.VITEST_POOL_ID);
world.hookRun(context, { afterAll, beforeAll, beforeEach });
