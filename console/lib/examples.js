// Operations that can be sent as JSON, and an example of each for a table, with existing keys.

import { keyOf } from "./schema.js";

export const OPERATIONS = {
  Read: ["GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems"],
  Write: ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"],
  PartiQL: ["ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"],
  Tables: ["ListTables", "DescribeTable", "CreateTable", "UpdateTable", "UpdateTimeToLive"],
};

const FRESH = { S: (i) => `example-${i}`, N: String, B: (i) => btoa(`example-${i}`) };

/** A key that no item of the table is likely to have. */
function freshKey(table, i) {
  const typeOf = (name) => table.AttributeDefinitions.find((one) => one.AttributeName === name).AttributeType;
  return Object.fromEntries(table.KeySchema.map(({ AttributeName: name }) => [name, { [typeOf(name)]: FRESH[typeOf(name)](i) }]));
}

const quoted = (name) => `"${name.replace(/"/g, '""')}"`;
const where = (key) => Object.keys(key).map((name) => `${quoted(name)} = ?`).join(" AND ");

/** {operation: request}; `items` are some of the table's. */
function examplesOf(table, items) {
  const TableName = table.TableName, hash = table.KeySchema[0].AttributeName;
  const keys = [0, 1].map((i) => (items[i] ? keyOf(table, items[i]) : freshKey(table, i + 1)));
  const fresh = [1, 2].map((i) => ({ ...freshKey(table, i), note: { S: "made in the console" } }));
  const names = { "#pk": hash };
  const isNew = { ConditionExpression: "attribute_not_exists(#pk)", ExpressionAttributeNames: names };
  const select = (key) => ({ Statement: `SELECT * FROM ${quoted(TableName)} WHERE ${where(key)}`, Parameters: Object.values(key) });
  return {
    GetItem: { TableName, Key: keys[0] },
    Query: { TableName, KeyConditionExpression: "#pk = :pk", ExpressionAttributeNames: names, ExpressionAttributeValues: { ":pk": keys[0][hash] } },
    Scan: { TableName, Limit: 10 },
    BatchGetItem: { RequestItems: { [TableName]: { Keys: keys } } },
    TransactGetItems: { TransactItems: keys.map((Key) => ({ Get: { TableName, Key } })) },
    PutItem: { TableName, Item: fresh[0], ...isNew },
    UpdateItem: { TableName, Key: keys[0], UpdateExpression: "SET #note = :note", ExpressionAttributeNames: { "#note": "note" }, ExpressionAttributeValues: { ":note": { S: "changed in the console" } }, ReturnValues: "ALL_NEW" },
    DeleteItem: { TableName, Key: freshKey(table, 1), ReturnValues: "ALL_OLD" },
    BatchWriteItem: { RequestItems: { [TableName]: [{ PutRequest: { Item: fresh[0] } }, { DeleteRequest: { Key: freshKey(table, 2) } }] } },
    TransactWriteItems: { TransactItems: [
      { ConditionCheck: { TableName, Key: keys[0], ConditionExpression: "attribute_exists(#pk)", ExpressionAttributeNames: names } },
      { Put: { TableName, Item: fresh[1], ...isNew } },
    ] },
    ExecuteStatement: select({ [hash]: keys[0][hash] }),
    BatchExecuteStatement: { Statements: keys.map(select) },
    ExecuteTransaction: { TransactStatements: keys.map(select) },
    ListTables: {},
    DescribeTable: { TableName },
    CreateTable: {
      TableName: "Example", BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }], KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    },
    UpdateTable: { TableName, DeletionProtectionEnabled: true },
    UpdateTimeToLive: { TableName, TimeToLiveSpecification: { AttributeName: "expires_at", Enabled: true } },
  };
}

/** A request of the operation as text; "" without an example. */
export function exampleOf(operation, table, items) {
  const examples = examplesOf(table, items);
  return Object.hasOwn(examples, operation) ? JSON.stringify(examples[operation], null, 2) : "";
}
