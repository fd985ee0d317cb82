package orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.amazonaws.auth.AWSCredentialsProvider;
import com.amazonaws.auth.AWSStaticCredentialsProvider;
import com.amazonaws.auth.BasicAWSCredentials;
import com.amazonaws.client.builder.AwsClientBuilder.EndpointConfiguration;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDB;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBClientBuilder;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBStreams;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBStreamsClientBuilder;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBAttribute;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBHashKey;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBIndexHashKey;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBMapper;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBQueryExpression;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBRangeKey;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBScanExpression;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBTable;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBVersionAttribute;
import com.amazonaws.services.dynamodbv2.datamodeling.QueryResultPage;
import com.amazonaws.services.dynamodbv2.datamodeling.TransactionWriteRequest;
import com.amazonaws.services.dynamodbv2.model.BillingMode;
import com.amazonaws.services.dynamodbv2.model.ConditionalCheckFailedException;
import com.amazonaws.services.dynamodbv2.model.CreateTableRequest;
import com.amazonaws.services.dynamodbv2.model.DescribeStreamRequest;
import com.amazonaws.services.dynamodbv2.model.GetRecordsRequest;
import com.amazonaws.services.dynamodbv2.model.GetShardIteratorRequest;
import com.amazonaws.services.dynamodbv2.model.ListStreamsRequest;
import com.amazonaws.services.dynamodbv2.model.Projection;
import com.amazonaws.services.dynamodbv2.model.ProjectionType;
import com.amazonaws.services.dynamodbv2.model.Record;
import com.amazonaws.services.dynamodbv2.model.Shard;
import com.amazonaws.services.dynamodbv2.model.ShardIteratorType;
import com.amazonaws.services.dynamodbv2.model.StreamSpecification;
import com.amazonaws.services.dynamodbv2.model.StreamViewType;
import com.amazonaws.services.dynamodbv2.model.TransactionCanceledException;
import io.github.mockddb.World;
import io.github.mockddb.junit5.MockddbTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DynamoDBMapper of the SDK for Java 1. */
@MockddbTest
class MapperTest {
    @DynamoDBTable(tableName = "Tasks")
    public static class Task {
        private String owner;
        private String id;
        private String state;
        private Long version;

        public Task() {}

        Task(String owner, String id, String state) {
            this.owner = owner;
            this.id = id;
            this.state = state;
        }

        @DynamoDBHashKey
        public String getOwner() {
            return owner;
        }

        public void setOwner(String owner) {
            this.owner = owner;
        }

        @DynamoDBRangeKey
        public String getId() {
            return id;
        }

        public void setId(String id) {
            this.id = id;
        }

        @DynamoDBAttribute
        @DynamoDBIndexHashKey(globalSecondaryIndexName = "byState")
        public String getState() {
            return state;
        }

        public void setState(String state) {
            this.state = state;
        }

        @DynamoDBVersionAttribute
        public Long getVersion() {
            return version;
        }

        public void setVersion(Long version) {
            this.version = version;
        }
    }

    private final World world;
    private final EndpointConfiguration endpoint;
    private final AWSCredentialsProvider credentials;
    private final AmazonDynamoDB client;
    private final DynamoDBMapper mapper;

    MapperTest(World world) {
        this.world = world;
        endpoint = new EndpointConfiguration(world.server().url(), world.region());
        credentials = new AWSStaticCredentialsProvider(
                new BasicAWSCredentials(world.accessKeyId(), world.secretAccessKey()));
        client = AmazonDynamoDBClientBuilder.standard()
                .withEndpointConfiguration(endpoint)
                .withCredentials(credentials)
                .build();
        mapper = new DynamoDBMapper(client);
    }

    @BeforeEach
    void createTable() {
        CreateTableRequest request = mapper.generateCreateTableRequest(Task.class)
                .withBillingMode(BillingMode.PAY_PER_REQUEST)
                .withStreamSpecification(new StreamSpecification()
                        .withStreamEnabled(true)
                        .withStreamViewType(StreamViewType.NEW_AND_OLD_IMAGES));
        request.getGlobalSecondaryIndexes()
                .forEach(index -> index.setProjection(new Projection().withProjectionType(ProjectionType.ALL)));
        client.createTable(request);
    }

    @Test
    void queryOfAllPages() {
        for (int number = 0; number < 7; number++) {
            mapper.save(new Task("me", "t" + number, "open"));
        }
        Task open = new Task();
        open.setState("open");
        DynamoDBQueryExpression<Task> query = new DynamoDBQueryExpression<Task>()
                .withIndexName("byState")
                .withHashKeyValues(open)
                .withConsistentRead(false)
                .withLimit(3);
        List<Integer> pages = new ArrayList<>();
        QueryResultPage<Task> page;
        do {
            page = mapper.queryPage(Task.class, query);
            pages.add(page.getResults().size());
            query.setExclusiveStartKey(page.getLastEvaluatedKey());
        } while (page.getLastEvaluatedKey() != null);
        assertEquals(List.of(3, 3, 1), pages);
        assertEquals(7, mapper.query(Task.class, query.withExclusiveStartKey(null)).size());
    }

    @Test
    void anOlderVersionIsRefused() {
        mapper.save(new Task("me", "t1", "open"));
        Task mine = mapper.load(Task.class, "me", "t1");
        Task other = mapper.load(Task.class, "me", "t1");
        other.setState("done");
        mapper.save(other);
        mine.setState("late");
        assertThrows(ConditionalCheckFailedException.class, () -> mapper.save(mine));
        assertEquals("done", mapper.load(Task.class, "me", "t1").getState());
    }

    @Test
    void transaction() {
        mapper.transactionWrite(new TransactionWriteRequest()
                .addPut(new Task("me", "t1", "open"))
                .addPut(new Task("me", "t2", "open")));
        Task stale = new Task("me", "t2", "late");
        assertThrows(
                TransactionCanceledException.class,
                () -> mapper.transactionWrite(
                        new TransactionWriteRequest().addPut(new Task("me", "t3", "open")).addPut(stale)));
        assertEquals(2, mapper.count(Task.class, new DynamoDBScanExpression()));
    }

    @Test
    void theMapperSendsUnprocessedWritesAgain() {
        world.faults().add(Map.of("operation", "BatchWriteItem", "times", 1, "unprocessed", 3));
        List<Task> tasks = new ArrayList<>();
        for (int number = 0; number < 10; number++) {
            tasks.add(new Task("me", "t" + number, "open"));
        }
        assertEquals(List.of(), mapper.batchSave(tasks));
        assertEquals(2, world.journal().entries("operation=BatchWriteItem").size());
        world.assertThat(Map.of("no_unretried", true));
    }

    @Test
    void stream() {
        Task task = new Task("me", "t1", "open");
        mapper.save(task);
        task.setState("done");
        mapper.save(task);
        mapper.delete(task);
        AmazonDynamoDBStreams streams = AmazonDynamoDBStreamsClientBuilder.standard()
                .withEndpointConfiguration(endpoint)
                .withCredentials(credentials)
                .build();
        String arn = streams.listStreams(new ListStreamsRequest().withTableName("Tasks"))
                .getStreams()
                .get(0)
                .getStreamArn();
        List<String> seen = new ArrayList<>();
        for (Shard shard : streams.describeStream(new DescribeStreamRequest().withStreamArn(arn))
                .getStreamDescription()
                .getShards()) {
            String iterator = streams.getShardIterator(new GetShardIteratorRequest()
                            .withStreamArn(arn)
                            .withShardId(shard.getShardId())
                            .withShardIteratorType(ShardIteratorType.TRIM_HORIZON))
                    .getShardIterator();
            for (Record record : streams.getRecords(new GetRecordsRequest().withShardIterator(iterator)).getRecords()) {
                seen.add(record.getEventName());
            }
        }
        assertEquals(List.of("INSERT", "MODIFY", "REMOVE"), seen);
    }
}
