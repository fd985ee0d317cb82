// Requests as the console writes them in other languages: reads [[operation, request, sort key], …] from standard input and
// prints [{language: text, …}, …], each with what its JavaScript came to.
//
//   node snippets.mjs SNIPPETS_JS URL < requests
//   node snippets.mjs REACH_JS URL WORLD      how clients reach a world, {name: text, …}; the JavaScript one goes there

import fs from "node:fs";
import { pathToFileURL } from "node:url";
import * as sdk from "@aws-sdk/client-dynamodb";

const [file, endpoint, world] = process.argv.slice(2);
const { LANGUAGES, reaches } = await import(pathToFileURL(file));
const AsyncFunction = (async () => {}).constructor;

if (world) {
  const texts = Object.fromEntries(reaches(endpoint, world));
  const client = await new AsyncFunction("DynamoDBClient", `${texts.JavaScript.replace(/^import .*$/m, "")}\nreturn client;`)(sdk.DynamoDBClient);
  await client.send(new sdk.ListTablesCommand({}));
  console.log(JSON.stringify(texts));
  process.exit();
}

class Client extends sdk.DynamoDBClient {
  constructor(options) {
    super({ ...options, endpoint, region: "us-east-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } });
  }
}

async function runJavaScript(operation, text) {
  const body = `${text.replace(/^import .*$/m, "")}\nreturn response;`;
  const { Items, Item } = await new AsyncFunction("DynamoDBClient", `${operation}Command`, body)(Client, sdk[`${operation}Command`]);
  return JSON.parse(JSON.stringify(Items ?? [Item], (_, one) => {
    if (one instanceof Set) return [...one];
    const bytes = one?.type === "Buffer" ? one.data : one instanceof Uint8Array ? one : null;
    return bytes ? Buffer.from(bytes).toString("base64") : one;
  }));
}

const out = [];
for (const [operation, request, sort] of JSON.parse(fs.readFileSync(0, "utf8"))) {
  const texts = Object.fromEntries(LANGUAGES.map(([name, , make]) => [name, make(operation, request, sort)]));
  out.push({ texts, items: await runJavaScript(operation, texts.javascript) });
}
console.log(JSON.stringify(out));
