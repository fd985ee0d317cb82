// Requests as the console writes them in other languages: reads [[operation, request], …] from standard input and
// prints [{language: text, …}, …], each with what its JavaScript came to.
//
//   node snippets.mjs SNIPPETS_JS URL < requests

import fs from "node:fs";
import { pathToFileURL } from "node:url";
import * as sdk from "@aws-sdk/client-dynamodb";

const [file, endpoint] = process.argv.slice(2);
const { LANGUAGES } = await import(pathToFileURL(file));
const AsyncFunction = (async () => {}).constructor;

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
for (const [operation, request] of JSON.parse(fs.readFileSync(0, "utf8"))) {
  const texts = Object.fromEntries(LANGUAGES.map(([name, , make]) => [name, make(operation, request)]));
  out.push({ texts, items: await runJavaScript(operation, texts.javascript) });
}
console.log(JSON.stringify(out));
