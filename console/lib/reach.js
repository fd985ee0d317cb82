// How a program sends its requests to a world of this server: an environment, or the few lines of a client.

const JS = JSON.stringify;

const environment = (url, key) => `export AWS_ENDPOINT_URL=${url} AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=${key} AWS_SECRET_ACCESS_KEY=any`;

function boto3(url, world) {
  return [
    "import boto3", "",
    `client = boto3.client("dynamodb", endpoint_url=${JS(url)}, region_name="us-east-1",`,
    '                      aws_access_key_id="any", aws_secret_access_key="any")',
    ...(world === "default" ? [] : [
      "def to_world(request, **_):", `    request.headers["x-mockddb-world"] = ${JS(world)}`, "",
      'client.meta.events.register("before-sign.dynamodb", to_world)',
    ]),
  ].join("\n");
}

function javascript(url, world) {
  return [
    'import { DynamoDBClient } from "@aws-sdk/client-dynamodb";', "",
    `const client = new DynamoDBClient({ endpoint: ${JS(url)}, region: "us-east-1",`,
    '  credentials: { accessKeyId: "any", secretAccessKey: "any" } });',
    ...(world === "default" ? [] : [
      "client.middlewareStack.add((next) => (args) => {", `  args.request.headers["x-mockddb-world"] = ${JS(world)};`, "  return next(args);",
      '}, { step: "build" });',
    ]),
  ].join("\n");
}

function java(url, world) {
  return [
    "DynamoDbClient client = DynamoDbClient.builder()", `    .endpointOverride(URI.create(${JS(url)}))`, "    .region(Region.US_EAST_1)",
    '    .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))',
    ...(world === "default" ? [] : [`    .overrideConfiguration(c -> c.putHeader("x-mockddb-world", ${JS(world)}))`]),
    "    .build();",
  ].join("\n");
}

function go(url, world) {
  return [
    'cfg, err := config.LoadDefaultConfig(ctx, config.WithRegion("us-east-1"),',
    '    config.WithCredentialsProvider(credentials.NewStaticCredentialsProvider("any", "any", "")))',
    "client := dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {", `    o.BaseEndpoint = aws.String(${JS(url)})`,
    ...(world === "default" ? [] : [`    o.APIOptions = append(o.APIOptions, smithyhttp.AddHeaderValue("x-mockddb-world", ${JS(world)}))`]),
    "})",
  ].join("\n");
}

/** [name, text, note]; `url` is the server's. The AWS CLI cannot send a header, so the access key names the world. */
export const reaches = (url, world) => [
  ["AWS CLI", environment(url, world === "default" ? "any" : world),
    world === "default" ? "For every SDK, too." : "The access key says which world: for a server that was started with --worlds by-access-key. For every SDK, too."],
  ["boto3", boto3(url, world)], ["JavaScript", javascript(url, world)], ["Java", java(url, world)], ["Go", go(url, world)],
  ["curl", `curl ${url}/_mockddb/health${world === "default" ? "" : ` -H "x-mockddb-world: ${world}"`}`],
];
