// The part of embedded.py in JavaScript: prints its rounds as JSON.
import { createRequire } from 'node:module';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

const [folder, rounds] = process.argv.slice(2);
const { embedded, start } = createRequire(import.meta.url)(folder);
const REQUESTS = 200;
const tables = [{
  TableName: 'Orders',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  data: [{ id: 'o1', total: 42 }],
}];

async function measure(client) {
  const [began, used] = [performance.now(), process.cpuUsage()];
  for (let n = 0; n < REQUESTS; n++)
    await client.send(new GetItemCommand({ TableName: 'Orders', Key: { id: { S: 'o1' } } }));
  const { user, system } = process.cpuUsage(used);
  return [((performance.now() - began) * 1000) / REQUESTS, (user + system) / REQUESTS];
}

const servers = [await start({ tables }), await embedded({ tables })];
const clients = servers.map(({ clientConfig }) => new DynamoDBClient(clientConfig));
for (let n = 0; n < 3; n++) for (const client of clients) await measure(client); // the compiler warms up
const found = [];
for (let n = 0; n < Number(rounds); n++) {
  const round = [];
  for (const client of clients) round.push(await measure(client));
  found.push(round);
}
console.log(JSON.stringify(found));
await Promise.all(servers.map((server) => server.stop()));
