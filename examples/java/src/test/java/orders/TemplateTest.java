package orders;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.mockddb.World;
import io.github.mockddb.junit5.MockddbTest;
import java.util.Map;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Tables from a SAM template. The tests run in parallel: each has the tables, empty, and its own clock and faults. */
@MockddbTest(fixtures = "template.yaml", frozenAt = "2026-01-01T00:00:00Z", worldPerMethod = true)
@Execution(ExecutionMode.CONCURRENT)
class TemplateTest {
    @RepeatedTest(20)
    void aThrottledPaymentIsSentAgain(World world) {
        world.faults().add(Map.of("operation", "PutItem", "times", 1, "error", "ThrottlingException"));
        AttributeValue day = AttributeValue.fromS(world.clock().now().toString().substring(0, 10));
        try (DynamoDbClient client = Clients.of(DynamoDbClient.builder(), world).build()) {
            client.putItem(r -> r.tableName("test-Payments").item(Map.of("id", AttributeValue.fromS("p1"), "day", day)));
            assertEquals(2, world.journal().entries("operation=PutItem").size());
            assertEquals(
                    1,
                    client.query(r -> r.tableName("test-Payments")
                                    .indexName("byDay")
                                    .keyConditionExpression("#d = :d")
                                    .expressionAttributeNames(Map.of("#d", "day"))
                                    .expressionAttributeValues(Map.of(":d", AttributeValue.fromS("2026-01-01"))))
                            .count());
            assertEquals(1, client.scan(r -> r.tableName("test-Payments")).count());
        }
    }
}
