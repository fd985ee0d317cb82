// A table with an index and a stream, and the stream's records. Clients that do not create tables begin with it.
import * as dynamodb from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand, DynamoDBStreamsClient, GetRecordsCommand, GetShardIteratorCommand, ListStreamsCommand,
} from "@aws-sdk/client-dynamodb-streams";

const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB; // newer versions of the SDK read it themselves
const waitUntilTableExists = dynamodb.waitUntilTableExists ?? dynamodb.waitForTableExists; // its name in the oldest
export const client = new dynamodb.DynamoDBClient({ endpoint });
const streams = new DynamoDBStreamsClient({ endpoint });

const key = (hash, range) => [
  { AttributeName: hash, KeyType: "HASH" },
  { AttributeName: range, KeyType: "RANGE" },
];

export async function createTable(TableName = "Orders") {
  await client.send(new dynamodb.CreateTableCommand({
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: ["pk", "sk", "gsi1pk", "gsi1sk"].map((name) => ({ AttributeName: name, AttributeType: "S" })),
    KeySchema: key("pk", "sk"),
    GlobalSecondaryIndexes: [
      { IndexName: "gsi1", KeySchema: key("gsi1pk", "gsi1sk"), Projection: { ProjectionType: "ALL" } },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
  }));
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName });
}

export async function streamRecords(TableName = "Orders") {
  const { Streams } = await streams.send(new ListStreamsCommand({ TableName }));
  const StreamArn = Streams[0].StreamArn;
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const ShardId = StreamDescription.Shards[0].ShardId;
  const iterator = { StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" };
  const { ShardIterator } = await streams.send(new GetShardIteratorCommand(iterator));
  return (await streams.send(new GetRecordsCommand({ ShardIterator }))).Records;
}
