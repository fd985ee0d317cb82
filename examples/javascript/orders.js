const { DynamoDBClient, PutItemCommand, ScanCommand } = require("@aws-sdk/client-dynamodb");

const dynamodb = new DynamoDBClient({ retryMode: "standard" });

exports.add = (id) => dynamodb.send(new PutItemCommand({ TableName: "Orders", Item: { id: { S: id } } }));

exports.count = async (table) => (await dynamodb.send(new ScanCommand({ TableName: table }))).Count;
