// The SDK v3 code of a DynamoDB guide, its TypeScript without the types. Prints TAP.
// test_javascript.py copies this file beside the SDK and tells the endpoint in the environment.

import assert from 'node:assert/strict';
import { DynamoDBClient, CreateTableCommand, DescribeTableCommand, waitUntilTableExists }
  from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand, BatchWriteCommand, DeleteCommand, DynamoDBDocumentClient, GetCommand,
  PutCommand, QueryCommand, ScanCommand, TransactWriteCommand, UpdateCommand, paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import { test } from './tap.mjs';

// lib/dynamodb.ts

const client = new DynamoDBClient({
  region: process.env.AWS_REGION || 'us-east-1',
  // For local development with DynamoDB Local
  ...(process.env.DYNAMODB_LOCAL && {
    endpoint: 'http://localhost:8000',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' }
  })
});

// Document client for simplified operations
const docClient = DynamoDBDocumentClient.from(client, {
  marshallOptions: {
    removeUndefinedValues: true,  // Important: match v2 behavior
    convertClassInstanceToMap: true
  },
  unmarshallOptions: {
    wrapNumbers: false
  }
});

const TABLE_NAME = process.env.DYNAMODB_TABLE || 'MyTable';

// Key builders
const keys = {
  user: (userId) => ({
    PK: `USER#${userId}`,
    SK: 'PROFILE'
  }),
  userOrders: (userId) => ({
    PK: `USER#${userId}`,
    SKPrefix: 'ORDER#'
  }),
  order: (userId, orderId) => ({
    PK: `USER#${userId}`,
    SK: `ORDER#${orderId}`,
    GSI1PK: `ORDER#${orderId}`,
    GSI1SK: 'ORDER'
  })
};

async function createUser(userId, data) {
  const now = new Date().toISOString();
  const item = {
    ...keys.user(userId),
    EntityType: 'User',
    userId,
    email: data.email,
    name: data.name,
    createdAt: now,
    updatedAt: now
  };

  await docClient.send(new PutCommand({
    TableName: TABLE_NAME,
    Item: item,
    ConditionExpression: 'attribute_not_exists(PK)'  // Prevent overwrite
  }));

  return item;
}

async function getUser(userId) {
  const result = await docClient.send(new GetCommand({
    TableName: TABLE_NAME,
    Key: keys.user(userId)
  }));

  return result.Item || null;
}

// Get all orders for a user
async function getUserOrders(userId) {
  const result = await docClient.send(new QueryCommand({
    TableName: TABLE_NAME,
    KeyConditionExpression: 'PK = :pk AND begins_with(SK, :sk)',
    ExpressionAttributeValues: {
      ':pk': `USER#${userId}`,
      ':sk': 'ORDER#'
    },
    ScanIndexForward: false  // Newest first
  }));

  return result.Items || [];
}

// Query GSI by order ID
async function getOrderById(orderId) {
  const result = await docClient.send(new QueryCommand({
    TableName: TABLE_NAME,
    IndexName: 'GSI1',
    KeyConditionExpression: 'GSI1PK = :pk',
    ExpressionAttributeValues: {
      ':pk': `ORDER#${orderId}`
    }
  }));

  return result.Items?.[0] || null;
}

// Paginated query
async function getUserOrdersPaginated(userId, pageSize = 20, lastKey) {
  const result = await docClient.send(new QueryCommand({
    TableName: TABLE_NAME,
    KeyConditionExpression: 'PK = :pk AND begins_with(SK, :sk)',
    ExpressionAttributeValues: {
      ':pk': `USER#${userId}`,
      ':sk': 'ORDER#'
    },
    Limit: pageSize,
    ExclusiveStartKey: lastKey
  }));

  return {
    items: result.Items || [],
    lastKey: result.LastEvaluatedKey
  };
}

async function updateUser(userId, updates) {
  const updateParts = ['#updatedAt = :updatedAt'];
  const names = { '#updatedAt': 'updatedAt' };
  const values = { ':updatedAt': new Date().toISOString() };

  if (updates.name !== undefined) {
    updateParts.push('#name = :name');
    names['#name'] = 'name';
    values[':name'] = updates.name;
  }

  if (updates.email !== undefined) {
    updateParts.push('#email = :email');
    names['#email'] = 'email';
    values[':email'] = updates.email;
  }

  const result = await docClient.send(new UpdateCommand({
    TableName: TABLE_NAME,
    Key: keys.user(userId),
    UpdateExpression: `SET ${updateParts.join(', ')}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ReturnValues: 'ALL_NEW',
    ConditionExpression: 'attribute_exists(PK)'  // Must exist
  }));

  return result.Attributes;
}

// Atomic counter increment
async function incrementOrderCount(userId) {
  await docClient.send(new UpdateCommand({
    TableName: TABLE_NAME,
    Key: keys.user(userId),
    UpdateExpression: 'SET orderCount = if_not_exists(orderCount, :zero) + :inc',
    ExpressionAttributeValues: { ':zero': 0, ':inc': 1 }
  }));
}

async function deleteUser(userId) {
  await docClient.send(new DeleteCommand({
    TableName: TABLE_NAME,
    Key: keys.user(userId)
  }));
}

async function batchCreateItems(items) {
  // DynamoDB limits batch write to 25 items
  const chunks = [];
  for (let i = 0; i < items.length; i += 25) {
    chunks.push(items.slice(i, i + 25));
  }

  for (const chunk of chunks) {
    await docClient.send(new BatchWriteCommand({
      RequestItems: {
        [TABLE_NAME]: chunk.map(item => ({
          PutRequest: { Item: item }
        }))
      }
    }));
  }
}

async function batchGetUsers(userIds) {
  const result = await docClient.send(new BatchGetCommand({
    RequestItems: {
      [TABLE_NAME]: {
        Keys: userIds.map(id => keys.user(id))
      }
    }
  }));

  return result.Responses?.[TABLE_NAME] || [];
}

async function createOrderWithItems(userId, orderId, orderData, items) {
  const now = new Date().toISOString();

  const transactItems = [
    // Create order
    {
      Put: {
        TableName: TABLE_NAME,
        Item: {
          ...keys.order(userId, orderId),
          EntityType: 'Order',
          orderId,
          userId,
          total: orderData.total,
          status: 'pending',
          createdAt: now,
          updatedAt: now
        },
        ConditionExpression: 'attribute_not_exists(PK)'
      }
    },
    // Update user's order count
    {
      Update: {
        TableName: TABLE_NAME,
        Key: keys.user(userId),
        UpdateExpression: 'SET orderCount = if_not_exists(orderCount, :zero) + :inc',
        ExpressionAttributeValues: { ':zero': 0, ':inc': 1 }
      }
    },
    // Add order items
    ...items.map((item, index) => ({
      Put: {
        TableName: TABLE_NAME,
        Item: {
          PK: `ORDER#${orderId}`,
          SK: `ITEM#${index}`,
          GSI1PK: `ORDER#${orderId}`,
          GSI1SK: `ITEM#${index}`,
          EntityType: 'OrderItem',
          productId: item.productId,
          quantity: item.quantity,
          createdAt: now
        }
      }
    }))
  ];

  await docClient.send(new TransactWriteCommand({ TransactItems: transactItems }));
}

// The cases

function createTable(name, attributes, keySchema, index) {
  return client.send(new CreateTableCommand({
    TableName: name,
    AttributeDefinitions: attributes,
    KeySchema: keySchema,
    GlobalSecondaryIndexes: [{ ...index, Projection: { ProjectionType: 'ALL' } }],
    BillingMode: 'PAY_PER_REQUEST'
  }));
}

const attribute = (AttributeName, AttributeType = 'S') => ({ AttributeName, AttributeType });
const key = (AttributeName, KeyType) => ({ AttributeName, KeyType });

await test('create the table and wait for it', async () => {
  await createTable(
    TABLE_NAME,
    ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((name) => attribute(name)),
    [key('PK', 'HASH'), key('SK', 'RANGE')],
    { IndexName: 'GSI1', KeySchema: [key('GSI1PK', 'HASH'), key('GSI1SK', 'RANGE')] }
  );
  const waited = await waitUntilTableExists({ client, maxWaitTime: 900 }, { TableName: TABLE_NAME });
  assert.equal(waited.state, 'SUCCESS');
});

const user = await createUser('123', { email: 'john@test.com', name: 'John' });

await test('get a user', async () => {
  assert.deepEqual(await getUser('123'), user);
  assert.equal(await getUser('456'), null);
});

await test('a user cannot be created twice', async () => {
  await assert.rejects(createUser('123', { email: 'other@test.com', name: 'Other' }), {
    name: 'ConditionalCheckFailedException',
    message: 'The conditional request failed'
  });
  assert.deepEqual(await getUser('123'), user);
});

const orders = [1, 2, 3, 4, 5].map((n) => ({
  ...keys.order('123', `2024-00${n}`),
  EntityType: 'Order',
  orderId: `2024-00${n}`,
  total: 99.99,
  status: 'shipped',
  note: undefined
}));
const stored = orders.map(({ note, ...order }) => order);

await test('batch write, undefined values left out', async () => {
  await batchCreateItems(orders);
  await batchCreateItems(Array.from({ length: 60 }, (_, n) => ({
    ...keys.user(`batch-${n}`), EntityType: 'User', userId: `batch-${n}`
  })));
  const { Count } = await docClient.send(
    new ScanCommand({ TableName: TABLE_NAME, Select: 'COUNT' }));
  assert.equal(Count, 66);
});

await test('orders of a user, newest first', async () => {
  assert.deepEqual(await getUserOrders('123'), [...stored].reverse());
});

await test('an order by its id, from the index', async () => {
  assert.deepEqual(await getOrderById('2024-003'), stored[2]);
  assert.equal(await getOrderById('2024-999'), null);
});

await test('orders page by page', async () => {
  const pages = [];
  let lastKey;
  do {
    const page = await getUserOrdersPaginated('123', 2, lastKey);
    pages.push(page.items);
    lastKey = page.lastKey;
  } while (lastKey);
  assert.deepEqual(pages, [stored.slice(0, 2), stored.slice(2, 4), stored.slice(4)]);
});

await test("the SDK's own paginator", async () => {
  const items = [];
  for await (const page of paginateQuery({ client: docClient, pageSize: 2 }, {
    TableName: TABLE_NAME,
    KeyConditionExpression: 'PK = :pk',
    ExpressionAttributeValues: { ':pk': 'USER#123' }
  })) {
    items.push(...page.Items);
  }
  assert.deepEqual(items, [...stored, user]);
});

await test('update a user', async () => {
  const updated = await updateUser('123', { name: 'John Smith', email: 'smith@test.com' });
  assert.deepEqual(updated, {
    ...user, name: 'John Smith', email: 'smith@test.com', updatedAt: updated.updatedAt
  });
  assert.deepEqual(await getUser('123'), updated);
});

await test('a user that does not exist is not updated', async () => {
  await assert.rejects(updateUser('456', { name: 'Nobody' }),
    { name: 'ConditionalCheckFailedException' });
  assert.equal(await getUser('456'), null);
});

await test('count up from nothing', async () => {
  await incrementOrderCount('123');
  await Promise.all([1, 2, 3].map(() => incrementOrderCount('123')));
  assert.equal((await getUser('123')).orderCount, 4);
});

await test('batch get', async () => {
  const users = await batchGetUsers(['batch-7', 'batch-8', 'nobody']);
  assert.deepEqual(users.map(({ userId }) => userId).sort(), ['batch-7', 'batch-8']);
});

await test('an order with its items, all or nothing', async () => {
  const items = [{ productId: 'p1', quantity: 2 }, { productId: 'p2', quantity: 1 }];
  await createOrderWithItems('123', '2024-100', { total: 10.5 }, items);
  assert.equal((await getUser('123')).orderCount, 5);
  const orderAndItems = () => docClient.send(new QueryCommand({
    TableName: TABLE_NAME,
    IndexName: 'GSI1',
    KeyConditionExpression: 'GSI1PK = :pk',
    ExpressionAttributeValues: { ':pk': 'ORDER#2024-100' }
  }));
  const { Items } = await orderAndItems();
  assert.deepEqual(Items.map(({ GSI1SK }) => GSI1SK), ['ITEM#0', 'ITEM#1', 'ORDER']);
  assert.deepEqual(Items.map(({ quantity }) => quantity), [2, 1, undefined]);
  await assert.rejects(createOrderWithItems('123', '2024-100', { total: 1 }, []), (error) => {
    assert.equal(error.name, 'TransactionCanceledException');
    assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code),
      ['ConditionalCheckFailed', 'None']);
    return true;
  });
  assert.equal((await getUser('123')).orderCount, 5);
  assert.equal((await orderAndItems()).Count, 3);
});

await test('delete a user', async () => {
  await deleteUser('123');
  assert.equal(await getUser('123'), null);
});

// GSI patterns

await test('a sparse index holds only items with its key', async () => {
  await batchCreateItems([
    { PK: 'PROD#1', SK: 'PRODUCT', GSI1PK: 'FEATURED', GSI1SK: 'PROD#1', name: 'One' },
    { PK: 'PROD#2', SK: 'PRODUCT', name: 'Two' }
  ]);
  const featured = await docClient.send(new QueryCommand({
    TableName: TABLE_NAME,
    IndexName: 'GSI1',
    KeyConditionExpression: 'GSI1PK = :pk',
    ExpressionAttributeValues: { ':pk': 'FEATURED' }
  }));
  assert.deepEqual(featured.Items.map(({ PK }) => PK), ['PROD#1']);
});

await test('an inverted index finds pending orders of all users', async () => {
  await batchCreateItems(['001', '002', '003'].map((n) => ({
    PK: `USER#${n}`, SK: `ORDER#${n}`,
    GSI1PK: n === '002' ? 'STATUS#shipped' : 'STATUS#pending', GSI1SK: `ORDER#${n}`
  })));
  const pending = await docClient.send(new QueryCommand({
    TableName: TABLE_NAME,
    IndexName: 'GSI1',
    KeyConditionExpression: 'GSI1PK = :pk',
    ExpressionAttributeValues: { ':pk': 'STATUS#pending' }
  }));
  assert.deepEqual(pending.Items.map(({ PK }) => PK), ['USER#001', 'USER#003']);
});

await test('an index key of several attributes', async () => {
  await createTable(
    'Matches',
    [attribute('id'), attribute('tournament'), attribute('region'), attribute('score', 'N')],
    [key('id', 'HASH')],
    {
      IndexName: 'TournamentRegionIndex',
      KeySchema: [
        key('tournament', 'HASH'),  // Composite PK part 1
        key('region', 'HASH'),      // Composite PK part 2
        key('score', 'RANGE')
      ]
    }
  );
  const { Table } = await client.send(new DescribeTableCommand({ TableName: 'Matches' }));
  assert.equal(Table.GlobalSecondaryIndexes[0].KeySchema.length, 3);
  const matches = [['a', 'NA-EAST', 9], ['b', 'NA-EAST', 100], ['c', 'EU', 5], ['d', 'NA-EAST', 20]]
    .map(([id, region, score]) => ({ id, tournament: 'WINTER2024', region, score }));
  for (const Item of [...matches, { id: 'e', tournament: 'WINTER2024' }]) {
    await docClient.send(new PutCommand({ TableName: 'Matches', Item }));
  }
  const query = (condition, values) => docClient.send(new QueryCommand({
    TableName: 'Matches',
    IndexName: 'TournamentRegionIndex',
    KeyConditionExpression: condition,
    ExpressionAttributeNames: { '#region': 'region' },
    ExpressionAttributeValues: { ':t': 'WINTER2024', ':r': 'NA-EAST', ...values },
    ScanIndexForward: false
  }));
  const all = await query('tournament = :t AND #region = :r', {});
  assert.deepEqual(all.Items.map(({ id }) => id), ['b', 'd', 'a']);
  const high = await query('tournament = :t AND #region = :r AND score >= :s', { ':s': 20 });
  assert.deepEqual(high.Items.map(({ id }) => id), ['b', 'd']);
});
