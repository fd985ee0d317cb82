package orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.dynamodbv2.streamsadapter.AmazonDynamoDBStreamsAdapterClient;
import com.amazonaws.services.dynamodbv2.streamsadapter.StreamsSchedulerFactory;
import com.amazonaws.services.dynamodbv2.streamsadapter.model.DynamoDBStreamsProcessRecordsInput;
import com.amazonaws.services.dynamodbv2.streamsadapter.polling.DynamoDBStreamsPollingConfig;
import com.amazonaws.services.dynamodbv2.streamsadapter.processor.DynamoDBStreamsShardRecordProcessor;
import io.github.mockddb.World;
import io.github.mockddb.junit5.MockddbTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.cloudwatch.CloudWatchAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.kinesis.common.ConfigsBuilder;
import software.amazon.kinesis.common.InitialPositionInStream;
import software.amazon.kinesis.common.InitialPositionInStreamExtended;
import software.amazon.kinesis.coordinator.Scheduler;
import software.amazon.kinesis.lifecycle.events.InitializationInput;
import software.amazon.kinesis.lifecycle.events.LeaseLostInput;
import software.amazon.kinesis.lifecycle.events.ShardEndedInput;
import software.amazon.kinesis.lifecycle.events.ShutdownRequestedInput;
import software.amazon.kinesis.metrics.NullMetricsFactory;

/** The Kinesis Client Library 3 reads a table's stream, through the DynamoDB Streams adapter. */
@MockddbTest
class KclTest {
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private final World world;

    KclTest(World world) {
        this.world = world;
    }

    private <C, B extends AwsClientBuilder<B, C>> C client(B builder) {
        return builder.endpointOverride(world.server().endpoint())
                .region(Region.of(world.region()))
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(world.accessKeyId(), world.secretAccessKey())))
                .build();
    }

    /** Notes the records, and keeps in the lease table how far it is. */
    private final class Processor implements DynamoDBStreamsShardRecordProcessor {
        @Override
        public void initialize(InitializationInput input) {}

        @Override
        public void processRecords(DynamoDBStreamsProcessRecordsInput input) {
            input.records().forEach(one -> {
                Record record = one.getRecord();
                AttributeValue total = record.dynamodb().newImage().get("total");
                seen.add(record.eventNameAsString() + (total == null ? "" : " " + total.n()));
            });
            checkpoint(() -> input.checkpointer().checkpoint());
        }

        @Override
        public void leaseLost(LeaseLostInput input) {}

        @Override
        public void shardEnded(ShardEndedInput input) {
            checkpoint(() -> input.checkpointer().checkpoint());
        }

        @Override
        public void shutdownRequested(ShutdownRequestedInput input) {
            checkpoint(() -> input.checkpointer().checkpoint());
        }
    }

    private interface Checkpoint {
        void run() throws Exception;
    }

    private static void checkpoint(Checkpoint checkpoint) {
        try {
            checkpoint.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private String createTable(DynamoDbClient dynamodb) {
        return dynamodb.createTable(table -> table.tableName("Orders")
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .attributeDefinitions(a -> a.attributeName("id").attributeType(ScalarAttributeType.S))
                        .keySchema(k -> k.attributeName("id").keyType(KeyType.HASH))
                        .streamSpecification(
                                s -> s.streamEnabled(true).streamViewType(StreamViewType.NEW_AND_OLD_IMAGES)))
                .tableDescription()
                .latestStreamArn();
    }

    private void put(DynamoDbClient dynamodb, int total) {
        dynamodb.putItem(r -> r.tableName("Orders")
                .item(Map.of("id", AttributeValue.fromS("o1"), "total", AttributeValue.fromN("" + total))));
    }

    private Scheduler scheduler(String stream) {
        DynamoDbStreamsClient streams = client(DynamoDbStreamsClient.builder());
        AmazonDynamoDBStreamsAdapterClient adapter =
                new AmazonDynamoDBStreamsAdapterClient(streams, Region.of(world.region()));
        ConfigsBuilder configs = new ConfigsBuilder(
                StreamsSchedulerFactory.createSingleStreamTracker(
                        stream,
                        InitialPositionInStreamExtended.newInitialPosition(InitialPositionInStream.TRIM_HORIZON)),
                "orders-consumer",
                adapter,
                client(DynamoDbAsyncClient.builder()),
                client(CloudWatchAsyncClient.builder()),
                "worker",
                Processor::new);
        return StreamsSchedulerFactory.createScheduler(
                configs.checkpointConfig(),
                configs.coordinatorConfig(),
                configs.leaseManagementConfig(),
                configs.lifecycleConfig(),
                configs.metricsConfig().metricsFactory(new NullMetricsFactory()),
                configs.processorConfig(),
                configs.retrievalConfig().retrievalSpecificConfig(new DynamoDBStreamsPollingConfig(adapter)),
                adapter);
    }

    @Test
    void recordsAreProcessedInOrderAndLeasesAreKept() throws Exception {
        DynamoDbClient dynamodb = client(DynamoDbClient.builder());
        Scheduler scheduler = scheduler(createTable(dynamodb));
        put(dynamodb, 1);
        Thread thread = new Thread(scheduler);
        thread.setDaemon(true);
        thread.start();
        List<String> records = new ArrayList<>(List.of(next()));
        put(dynamodb, 2);
        dynamodb.deleteItem(r -> r.tableName("Orders").key(Map.of("id", AttributeValue.fromS("o1"))));
        records.addAll(List.of(next(), next()));
        assertEquals(List.of("INSERT 1", "MODIFY 2", "REMOVE"), records);
        scheduler.startGracefulShutdown().get();
        Map<String, AttributeValue> lease =
                dynamodb.scan(r -> r.tableName("orders-consumer")).items().get(0);
        assertTrue(lease.get("checkpoint").s().matches("[0-9]+"), lease::toString);
    }

    private String next() throws InterruptedException {
        String record = seen.poll(10, TimeUnit.MINUTES); // a net: the library starts slowly
        return record == null ? "no record" : record;
    }
}
