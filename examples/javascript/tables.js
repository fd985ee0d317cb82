exports.tables = [
  {
    TableName: "Orders",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    data: [{ id: "o1", price: 12.5, tags: new Set(["new"]) }],
  },
];
