import assert from "node:assert/strict";
import { DynamoDBClient, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";

const dynamodb = new DynamoDBClient({});

for (const id of ["c4", "c5"])
  it(`${id} is the other customer`, async () => {
    await dynamodb.send(new PutItemCommand({ TableName: "Customers", Item: { id: { S: id } } }));
    assert.equal((await dynamodb.send(new ScanCommand({ TableName: "Customers" }))).Count, 2);
  });
