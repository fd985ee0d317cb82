package orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.mockddb.World;
import io.github.mockddb.junit5.MockddbTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.BatchWriteItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.BatchWriteResult;
import software.amazon.awssdk.enhanced.dynamodb.model.Page;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactPutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactWriteItemsEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.WriteBatch;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** The SDK for Java 2: its enhanced client, its client for streams. */
@MockddbTest(frozenAt = "2026-01-01T00:00:00Z")
class EnhancedTest {
    private static final Expression NEW =
            Expression.builder().expression("attribute_not_exists(id)").build();

    private final World world;
    private final DynamoDbClient client;
    private final DynamoDbEnhancedClient enhanced;
    private final DynamoDbTable<Order> orders;

    EnhancedTest(World world) {
        this.world = world;
        client = Clients.of(DynamoDbClient.builder(), world).build();
        enhanced = DynamoDbEnhancedClient.builder().dynamoDbClient(client).build();
        orders = enhanced.table("Orders", TableSchema.fromBean(Order.class));
    }

    @BeforeEach
    void createTable() {
        orders.createTable(table -> table.globalSecondaryIndices(index -> index.indexName("byStatus")
                        .projection(p -> p.projectionType(ProjectionType.ALL)))
                .streamSpecification(s -> s.streamEnabled(true).streamViewType(StreamViewType.NEW_AND_OLD_IMAGES)));
        client.waiter().waitUntilTableExists(table -> table.tableName("Orders"));
    }

    @Test
    void queryOfAllPages() {
        for (int number = 0; number < 7; number++) {
            orders.putItem(new Order("c1", "o" + number, "open", number));
        }
        QueryConditional open = QueryConditional.keyEqualTo(Key.builder().partitionValue("open").build());
        Expression large = Expression.builder()
                .expression("#t > :t")
                .putExpressionName("#t", "total")
                .putExpressionValue(":t", AttributeValue.fromN("2"))
                .build();
        List<Integer> pages = new ArrayList<>();
        int sum = 0;
        for (Page<Order> page : orders.index("byStatus")
                .query(q -> q.queryConditional(open).filterExpression(large).limit(3))) {
            pages.add(page.scannedCount());
            sum += page.items().stream().mapToInt(Order::getTotal).sum();
        }
        assertEquals(List.of(3, 3, 1), pages);
        assertEquals(3 + 4 + 5 + 6, sum);
    }

    @Test
    void refusedCondition() {
        orders.putItem(new Order("c1", "o1", "open", 5));
        PutItemEnhancedRequest<Order> again = PutItemEnhancedRequest.builder(Order.class)
                .item(new Order("c1", "o1", "sent", 6))
                .conditionExpression(NEW)
                .build();
        assertThrows(ConditionalCheckFailedException.class, () -> orders.putItem(again));
        assertEquals(new Order("c1", "o1", "open", 5), orders.getItem(new Order("c1", "o1", null, 0)));
    }

    private void insert(String... ids) {
        TransactWriteItemsEnhancedRequest.Builder request = TransactWriteItemsEnhancedRequest.builder();
        for (String id : ids) {
            request.addPutItem(
                    orders,
                    TransactPutItemEnhancedRequest.builder(Order.class)
                            .item(new Order("c1", id, "open", 1))
                            .conditionExpression(NEW)
                            .build());
        }
        enhanced.transactWriteItems(request.build());
    }

    @Test
    void transaction() {
        insert("o1", "o2");
        TransactionCanceledException cancelled =
                assertThrows(TransactionCanceledException.class, () -> insert("o3", "o2"));
        assertEquals(
                List.of("None", "ConditionalCheckFailed"),
                cancelled.cancellationReasons().stream().map(CancellationReason::code).collect(Collectors.toList()));
        assertEquals(2, orders.scan().items().stream().count());
    }

    @Test
    void unprocessedWrites() {
        world.faults().add(Map.of("operation", "BatchWriteItem", "times", 1, "unprocessed", 3));
        List<Order> left = new ArrayList<>();
        for (int number = 0; number < 10; number++) {
            left.add(new Order("c1", "o" + number, "open", number));
        }
        List<Integer> sent = new ArrayList<>();
        while (!left.isEmpty()) {
            sent.add(left.size());
            WriteBatch.Builder<Order> batch = WriteBatch.builder(Order.class).mappedTableResource(orders);
            left.forEach(batch::addPutItem);
            BatchWriteResult result = enhanced.batchWriteItem(
                    BatchWriteItemEnhancedRequest.builder().addWriteBatch(batch.build()).build());
            left = result.unprocessedPutItemsForTable(orders);
        }
        assertEquals(List.of(10, 3), sent);
        assertEquals(10, orders.scan().items().stream().count());
        world.assertThat(Map.of("no_unretried", true));
    }

    @Test
    void stream() {
        orders.putItem(new Order("c1", "o1", "open", 1));
        orders.putItem(new Order("c1", "o1", "open", 2));
        orders.deleteItem(new Order("c1", "o1", null, 0));
        List<String> seen = new ArrayList<>();
        try (DynamoDbStreamsClient streams = Clients.of(DynamoDbStreamsClient.builder(), world).build()) {
            String arn = streams.listStreams(r -> r.tableName("Orders")).streams().get(0).streamArn();
            for (Shard shard : streams.describeStream(r -> r.streamArn(arn)).streamDescription().shards()) {
                String iterator = streams.getShardIterator(r -> r.streamArn(arn)
                                .shardId(shard.shardId())
                                .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
                        .shardIterator();
                for (Record record : streams.getRecords(r -> r.shardIterator(iterator)).records()) {
                    AttributeValue total = record.dynamodb().newImage().get("total");
                    seen.add(record.eventName() + (total == null ? "" : " " + total.n()));
                }
            }
        }
        assertEquals(List.of("INSERT 1", "MODIFY 2", "REMOVE"), seen);
    }

    @Test
    void throttledWriteIsSentAgain() {
        world.faults().add(Map.of("operation", "PutItem", "times", 1, "error", "ThrottlingException"));
        orders.putItem(new Order("c1", "o1", "open", 1));
        List<Map<String, Object>> puts = world.journal().entries("operation=PutItem");
        assertEquals("ThrottlingException", puts.get(0).get("error"));
        assertEquals(2, puts.size());
        world.clock().advance(Duration.ofHours(25));
        assertEquals("2026-01-02T01:00:00Z", world.clock().now().toString());
    }

    @Test
    void explanation() throws Exception {
        try (DynamoDbClient explained = Clients.of(DynamoDbClient.builder(), world)
                .overrideConfiguration(c -> c.putHeader("x-mockddb-explain", "true"))
                .build()) {
            ScanResponse answer = explained.scan(r -> r.tableName("Orders"));
            String id = answer.sdkHttpResponse().firstMatchingHeader("x-mockddb-explain").orElseThrow();
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create(world.server().url() + "/_mockddb/explanations/" + id))
                    .header("x-mockddb-world", world.name())
                    .build();
            String text = HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
            assertTrue(text.contains("Orders"), text);
        }
    }
}
