// The e-commerce fixture's tables and items, which the program holds, for a world without tables.

import { call, noAnswer } from "./api.js";
import { imported } from "./transfer.js";

const TABLES = ["EcomIndexerJobsTable", "EcomIndexSettingsTable", "ShopifyEntitiesTable"];

async function fileOf(path) {
  const answer = await fetch(`console/example/${path}`);
  if (!answer.ok) throw noAnswer();
  return answer;
}

/** Makes the tables that are missing and puts the items into them; say(text) tells how far it is. */
export async function loadExample(say, signal) {
  for (const table of TABLES) {
    say(`${table} …`);
    const description = await (await fileOf(`tables/${table}.json`)).json(), items = await (await fileOf(`items/${table}.jsonl`)).blob();
    await call("CreateTable", description).catch((error) => { if (error.type !== "ResourceInUseException") throw error; });
    await imported(new File([items], `${table}.jsonl`), { table }, ({ items: done }) => { if (done !== undefined) say(`${table}: ${done} items so far …`); }, signal);
  }
}
