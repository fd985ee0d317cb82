import { readFileSync, writeFileSync } from 'node:fs';
import { handler } from './function.mjs';
const answer = await handler(JSON.parse(readFileSync(0)), {});
writeFileSync(1, JSON.stringify(answer ?? null) + '\n');
