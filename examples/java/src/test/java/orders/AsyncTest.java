package orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.mockddb.World;
import io.github.mockddb.junit5.MockddbTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbAsyncTable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedAsyncClient;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.BatchWriteResult;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactPutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.WriteBatch;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** The asynchronous enhanced client of the SDK for Java 2, on Netty. */
@MockddbTest
class AsyncTest {
    private static final Expression NEW =
            Expression.builder().expression("attribute_not_exists(id)").build();

    private final World world;
    private final DynamoDbAsyncClient client;
    private final DynamoDbEnhancedAsyncClient enhanced;
    private final DynamoDbAsyncTable<Order> orders;

    AsyncTest(World world) {
        this.world = world;
        client = Clients.of(DynamoDbAsyncClient.builder(), world)
                .httpClientBuilder(NettyNioAsyncHttpClient.builder())
                .build();
        enhanced = DynamoDbEnhancedAsyncClient.builder().dynamoDbClient(client).build();
        orders = enhanced.table("Orders", TableSchema.fromBean(Order.class));
    }

    @BeforeEach
    void createTable() {
        orders.createTable(table -> table.globalSecondaryIndices(index ->
                        index.indexName("byStatus").projection(p -> p.projectionType(ProjectionType.ALL))))
                .join();
        client.waiter().waitUntilTableExists(table -> table.tableName("Orders")).join();
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static Throwable failure(CompletableFuture<?> future) {
        return assertThrows(CompletionException.class, future::join).getCause();
    }

    @Test
    void queryOfAllPagesAfterWritesAtTheSameTime() {
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        for (int number = 0; number < 50; number++) {
            puts.add(orders.putItem(new Order("c1", String.format("o%02d", number), "open", number)));
        }
        CompletableFuture.allOf(puts.toArray(new CompletableFuture<?>[0])).join();
        List<Integer> pages = Collections.synchronizedList(new ArrayList<>());
        orders.index("byStatus")
                .query(q -> q.queryConditional(QueryConditional.keyEqualTo(k -> k.partitionValue("open")))
                        .limit(20))
                .subscribe(page -> pages.add(page.items().size()))
                .join();
        assertEquals(List.of(20, 20, 10), pages);
    }

    @Test
    void refusedConditionAndTransaction() {
        orders.putItem(new Order("c1", "o1", "open", 1)).join();
        Order again = new Order("c1", "o1", "open", 2);
        assertInstanceOf(
                ConditionalCheckFailedException.class,
                failure(orders.putItem(PutItemEnhancedRequest.builder(Order.class)
                        .item(again)
                        .conditionExpression(NEW)
                        .build())));
        assertInstanceOf(
                TransactionCanceledException.class,
                failure(enhanced.transactWriteItems(t -> t.addPutItem(orders, new Order("c1", "o2", "open", 1))
                        .addPutItem(
                                orders,
                                TransactPutItemEnhancedRequest.builder(Order.class)
                                        .item(again)
                                        .conditionExpression(NEW)
                                        .build()))));
        assertEquals(1, orders.getItem(again).join().getTotal());
    }

    @Test
    void unprocessedWrites() {
        world.faults().add(Map.of("operation", "BatchWriteItem", "times", 1, "unprocessed", 2));
        WriteBatch.Builder<Order> batch = WriteBatch.builder(Order.class).mappedTableResource(orders);
        for (int number = 0; number < 5; number++) {
            batch.addPutItem(new Order("c1", "o" + number, "open", number));
        }
        BatchWriteResult result =
                enhanced.batchWriteItem(r -> r.addWriteBatch(batch.build())).join();
        List<Order> left = result.unprocessedPutItemsForTable(orders);
        assertEquals(2, left.size());
        left.forEach(order -> orders.putItem(order).join());
    }
}
