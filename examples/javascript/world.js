const { DynamoDBClient } = require("@aws-sdk/client-dynamodb");

const name = `worker${process.env.VITEST_POOL_ID ?? process.env.JEST_WORKER_ID}`;

exports.dynamodb = new DynamoDBClient({
  endpoint: process.env.MOCKDDB_URL,
  region: "us-east-1",
  credentials: { accessKeyId: name, secretAccessKey: "any" },
});

exports.verb = async (path, body = {}) => {
  const answer = await fetch(`${process.env.MOCKDDB_URL}/_mockddb/${path}`, {
    method: "POST",
    headers: { "x-mockddb-world": name },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error((await answer.json()).message);
  return answer.json();
};
