// The waiters and paginators of the SDK v3 against a server with --s3-root, each to its end. Prints
// TAP. test_waiters.py copies this file beside the SDK, tells the endpoint in the environment, and
// has made the buckets.

import assert from "node:assert/strict";
import * as sdk from "@aws-sdk/client-dynamodb";
import * as lib from "@aws-sdk/lib-dynamodb";
import { test } from "./tap.mjs";

const { DynamoDB } = sdk;
const TABLE = "Orders";
const STREAM = "arn:aws:kinesis:us-east-1:123456789012:stream/orders";
const PLAIN = {
  AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
  BillingMode: "PAY_PER_REQUEST",
};
const ITEMS = 30;
const INPUT = { S3Bucket: "input" };
const OUTPUT = { S3Bucket: "output", OutputType: ["ERROR"] };

const client = new DynamoDB({ region: "us-east-1" });
const documents = lib.DynamoDBDocument.from(client);
const known = [];

/** A waiter ends well, within a moment. */
function waits(name, input) {
  known.push(`waitUntil${name}`);
  return test(`waitUntil${name}`, async () => {
    const wait = sdk[`waitUntil${name}`];
    const { state } = await wait({ client, minDelay: 1, maxDelay: 1, maxWaitTime: 900 }, await input());
    assert.equal(state, "SUCCESS");
  });
}

/** A paginator's pages of one or more have all there is, and are more than one. */
function pages(name, input, pageSize, member, count, from = sdk, through = client) {
  known.push(`paginate${name}`);
  return test(`paginate${name}`, async () => {
    const found = [];
    let read = 0;
    for await (const page of from[`paginate${name}`]({ client: through, pageSize }, input)) {
      found.push(...page[member]);
      read += 1;
    }
    assert.equal(found.length, count);
    assert.ok(read > 1, `${read} page`);
  });
}

async function waiters() {
  await client.createTable({ TableName: TABLE, ...PLAIN });
  await waits("TableExists", () => ({ TableName: TABLE }));
  for (let i = 0; i < ITEMS; i += 1) {
    await documents.put({ TableName: TABLE, Item: { pk: `order#${i}`, n: i, tags: new Set(["a"]) } });
  }
  const { Table } = await client.describeTable({ TableName: TABLE });
  await client.updateContinuousBackups({
    TableName: TABLE, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  await waits("ContributorInsightsEnabled", async () => {
    await client.updateContributorInsights({ TableName: TABLE, ContributorInsightsAction: "ENABLE" });
    return { TableName: TABLE };
  });
  await waits("KinesisStreamingDestinationActive", async () => {
    await client.enableKinesisStreamingDestination({ TableName: TABLE, StreamArn: STREAM });
    return { TableName: TABLE };
  });
  for (let i = 0; i < 2; i += 1) {
    await waits("ExportCompleted", async () => {
      const { ExportDescription } = await client.exportTableToPointInTime({
        TableArn: Table.TableArn, S3Bucket: "output", S3Prefix: `exports/${i}`,
      });
      return { ExportArn: ExportDescription.ExportArn };
    });
    await waits("ImportCompleted", async () => {
      const { ImportTableDescription } = await client.importTable({
        S3BucketSource: INPUT, InputFormat: "DYNAMODB_JSON",
        TableCreationParameters: { TableName: `Imported${i}`, ...PLAIN },
      });
      return { ImportArn: ImportTableDescription.ImportArn };
    });
    await waits("BulkOperationCompleted", async () => {
      const { BulkOperationDescription } = await client.startBulkPutItems({
        TableName: "Imported0", InputS3Configuration: { ...INPUT, InputFormat: "DYNAMODB_JSON" },
        OutputS3Configuration: OUTPUT,
      });
      return { BulkOperationArn: BulkOperationDescription.BulkOperationArn };
    });
  }
  await waits("TableNotExists", async () => {
    await client.deleteTable({ TableName: "Imported1" });
    return { TableName: "Imported1" };
  });
}

async function paginators() {
  const values = { ":n": -1 };
  const scan = { TableName: TABLE, FilterExpression: "n > :n", ExpressionAttributeValues: values };
  const query = {
    TableName: TABLE, IndexName: "all", KeyConditionExpression: "kind = :kind",
  };

  await client.updateContributorInsights({ TableName: "Imported0", ContributorInsightsAction: "ENABLE" });
  await pages("ListTables", {}, 1, "TableNames", 2);
  await pages("ListExports", {}, 1, "ExportSummaries", 2);
  await pages("ListImports", {}, 1, "ImportSummaryList", 2);
  await pages("ListBulkOperations", {}, 1, "BulkOperationsSummaryList", 2);
  await pages("ListContributorInsights", {}, 1, "ContributorInsightsSummaries", 2);
  await pages("Scan", { TableName: TABLE }, 7, "Items", ITEMS);
  await pages("Scan", scan, 7, "Items", ITEMS, lib, documents);
  await indexed(query);
  await pages("Query", { ...query, ExpressionAttributeValues: { ":kind": { S: "k" } } }, 7, "Items", ITEMS);
  await pages("Query", { ...query, ExpressionAttributeValues: { ":kind": "k" } }, 7, "Items", ITEMS, lib,
    documents);
}

/** Every item is in the index of the query. */
async function indexed({ IndexName }) {
  await client.updateTable({
    TableName: TABLE,
    AttributeDefinitions: [
      ...PLAIN.AttributeDefinitions, { AttributeName: "kind", AttributeType: "S" },
    ],
    GlobalSecondaryIndexUpdates: [{
      Create: {
        IndexName, KeySchema: [{ AttributeName: "kind", KeyType: "HASH" }],
        Projection: { ProjectionType: "ALL" },
      },
    }],
  });
  for (let i = 0; i < ITEMS; i += 1) {
    const { Attributes } = await documents.update({
      TableName: TABLE, Key: { pk: `order#${i}` }, UpdateExpression: "SET kind = :kind",
      ExpressionAttributeValues: { ":kind": "k" }, ReturnValues: "ALL_NEW",
    });
    assert.deepEqual(Attributes, { pk: `order#${i}`, n: i, tags: new Set(["a"]), kind: "k" });
  }
}

await waiters();
await paginators();
await test("those are all that the SDK has", async () => {
  const all = Object.keys(sdk).filter((name) => /^waitUntil|^paginate/.test(name));
  assert.deepEqual(all.filter((name) => !known.includes(name)), []);
});
process.exit();
