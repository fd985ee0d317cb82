import { CreateTableCommand, DynamoDBClient, PutItemCommand, SearchVectorsCommand } from "@aws-sdk/client-dynamodb";

const dynamodb = new DynamoDBClient({});
const vector = (...floats) => floats.map((number) => ({ N: String(number) }));

await dynamodb.send(new CreateTableCommand({
  TableName: "Pictures",
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  VectorIndexes: [{
    IndexName: "by-meaning",
    VectorAttribute: { AttributeName: "embedding" },
    Dimensions: 3,
    DistanceFunction: "COSINE",
    Projection: { ProjectionType: "KEYS_ONLY" },
  }],
}));
for (const [id, embedding] of Object.entries({ cat: vector(1, 0.1, 0), car: vector(0, 0.1, 1) })) {
  await dynamodb.send(new PutItemCommand({ TableName: "Pictures", Item: { id: { S: id }, embedding: { L: embedding } } }));
}
const { SearchResults } = await dynamodb.send(new SearchVectorsCommand({
  TableName: "Pictures", IndexName: "by-meaning", SearchVector: vector(1, 0, 0), TopK: 2,
}));
for (const { Item, Score } of SearchResults) console.log(Item.id.S, Score.toFixed(3));
