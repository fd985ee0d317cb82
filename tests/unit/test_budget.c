/* A request that uses up its budget, wherever that is, is refused as a whole: nothing of it is
 * kept, nothing is left open, and the next one works. Every request is repeated with ever more
 * steps and with ever more memory, until it has enough. */
#include "support/offline_server.h"
#include "support/store_check.h"
#include "unit.h"

#define PLENTY ((size_t)64 << 20)
#define VALUE                                                                                      \
    "{\"pk\":{\"S\":\"p\"},\"sk\":{\"N\":\"%d\"},\"g\":{\"S\":\"g\"},\"l\":{\"L\":[{\"S\":\"x\"}]" \
    "}}"
#define KEY "{\"pk\":{\"S\":\"p\"},\"sk\":{\"N\":\"1\"}}"

static const char table[] =
    "{\"TableName\":\"Table\",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":["
    "{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},{\"AttributeName\":\"sk\","
    "\"AttributeType\":"
    "\"N\"},{\"AttributeName\":\"g\",\"AttributeType\":\"S\"}],\"KeySchema\":[{\"AttributeName\":"
    "\"pk\","
    "\"KeyType\":\"HASH\"},{\"AttributeName\":\"sk\",\"KeyType\":\"RANGE\"}],"
    "\"GlobalSecondaryIndexes\":[{\"IndexName\":\"byG\",\"KeySchema\":[{\"AttributeName\":\"g\","
    "\"KeyType\":\"HASH\"}],\"Projection\":{\"ProjectionType\":\"KEYS_ONLY\"}}],"
    "\"StreamSpecification\":{\"StreamEnabled\":true,\"StreamViewType\":\"NEW_AND_OLD_IMAGES\"}}";

static const struct {
    const char *operation, *body;
} requests[] = {
    {"CreateTable",
     "{\"TableName\":\"Other\",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":[{"
     "\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}],\"KeySchema\":[{\"AttributeName\":\"pk\","
     "\"KeyType\":\"HASH\"}]}"},
    {"UpdateTable",
     "{\"TableName\":\"Table\",\"AttributeDefinitions\":[{\"AttributeName\":\"n\","
     "\"AttributeType\":"
     "\"S\"}],\"GlobalSecondaryIndexUpdates\":[{\"Create\":{\"IndexName\":\"byN\",\"KeySchema\":[{"
     "\"AttributeName\":\"n\",\"KeyType\":\"HASH\"}],\"Projection\":{\"ProjectionType\":\"ALL\"}}}]"
     "}"},
    {"TagResource", "{\"ResourceArn\":\"arn:aws:dynamodb:us-east-1:000000000000:table/Table\","
                    "\"Tags\":[{\"Key\":\"k\",\"Value\":\"v\"}]}"},
    {"DeleteTable", "{\"TableName\":\"Table\"}"},
    {"DescribeTable", "{\"TableName\":\"Table\"}"},
    {"GetItem", "{\"TableName\":\"Table\",\"Key\":" KEY ",\"ProjectionExpression\":\"l[0],g\"}"},
    {"PutItem",
     "{\"TableName\":\"Table\",\"Item\":{\"pk\":{\"S\":\"p\"},\"sk\":{\"N\":\"1\"},\"g\":{"
     "\"S\":\"h\"}},\"ReturnValues\":\"ALL_OLD\"}"},
    {"UpdateItem",
     "{\"TableName\":\"Table\",\"Key\":" KEY ",\"UpdateExpression\":\"SET g = :g, l = "
     "list_append(l, l)\",\"ExpressionAttributeValues\":{\":g\":{\"S\":\"i\"}},"
     "\"ReturnValues\":\"ALL_NEW\"}"},
    {"DeleteItem", "{\"TableName\":\"Table\",\"Key\":" KEY "}"},
    {"BatchWriteItem", "{\"RequestItems\":{\"Table\":[{\"DeleteRequest\":{\"Key\":" KEY "}},{"
                       "\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"q\"},\"sk\":{\"N\":\"1\"}}}}]}}"},
    {"BatchGetItem", "{\"RequestItems\":{\"Table\":{\"Keys\":[" KEY "]}}}"},
    {"TransactWriteItems",
     "{\"ClientRequestToken\":\"t\",\"TransactItems\":[{\"Delete\":{\"TableName\":\"Table\","
     "\"Key\":" KEY "}},{\"Put\":{\"TableName\":\"Table\",\"Item\":{\"pk\":{\"S\":\"q\"},\"sk\":{"
     "\"N\":\"1\"}}}}]}"},
    {"TransactGetItems",
     "{\"TransactItems\":[{\"Get\":{\"TableName\":\"Table\",\"Key\":" KEY "}}]}"},
    {"Query",
     "{\"TableName\":\"Table\",\"IndexName\":\"byG\",\"KeyConditionExpression\":\"g = "
     ":g\",\"ExpressionAttributeValues\":{\":g\":{\"S\":\"g\"}},\"ReturnConsumedCapacity\":"
     "\"INDEXES\"}"},
    {"Scan", "{\"TableName\":\"Table\",\"FilterExpression\":\"size(l) > :n\","
             "\"ExpressionAttributeValues\":{\":n\":{\"N\":\"0\"}}}"},
    {"ExecuteStatement", "{\"Statement\":\"SELECT * FROM \\\"Table\\\" WHERE pk = 'p'\"}"},
    {"ExecuteStatement",
     "{\"Statement\":\"UPDATE \\\"Table\\\" SET g = 'z' WHERE pk = 'p' AND sk = "
     "1\"}"},
    {"ListStreams", "{\"TableName\":\"Table\"}"},
};

static struct offline_server server;
static struct dispatch_budget budget;

static const struct dispatch_budget plenty = {
    .work = {.bytes = PLENTY, .steps = INT64_MAX},
    .reply_bytes = PLENTY,
};

static int send(const char *operation, const char *body, struct span *answer)
{
    return offline_server_send(&server, span_of(operation), span_of(body), answer);
}

static void must_send(const char *operation, const char *body)
{
    struct span answer;

    ck_assert_msg(send(operation, body, &answer) == 200, "%s: %.*s", operation, SPAN_ARG(answer));
}

static void open_server(void)
{
    budget = plenty;
    offline_server_open(&server, arena, &(struct offline_options){.seed = 1, .budget = &budget});
    must_send("CreateTable", table);
    for (int i = 0; i < 5; i++)
        must_send("PutItem",
                  arena_printf(arena, "{\"TableName\":\"Table\",\"Item\":" VALUE "}", i));
}

/* What a client can see: tables, items, stream records are counted. */
static const char *summary(void)
{
    const char *problem = store_check(server.store, arena);
    const struct table *t = store_table_after(server.store, (struct span){NULL, 0});
    struct buf out = buf_in(arena);

    ck_assert_msg(!problem, "%s", problem);
    for (; t; t = store_table_after(server.store, t->name)) {
        buf_add_span(&out, schema_encode(arena, t));
        buf_printf(&out, " %lld items, %lld records\n",
                   (long long)store_stats(server.store, t->space).entries,
                   (long long)store_stats(server.store, t->stream_space).entries);
    }
    return arena_text(arena, buf_span(&out));
}

/* Repeats a request with more and more of what `limit` says, until it is done. */
static void refuse_until_done(int which, void (*limit)(size_t much))
{
    const char *operation = requests[which].operation, *body = requests[which].body;
    const char *before = summary();
    struct span answer;
    size_t refused = 0;
    int status;

    for (size_t much = 0;; much += 1 + much / 16) {
        limit(much);
        status = send(operation, body, &answer);
        budget = plenty;
        if (status == 200)
            break;
        refused++;
        ck_assert_msg(strstr(arena_text(arena, answer), " than mockddb ") != NULL, "%s: %.*s",
                      operation, SPAN_ARG(answer));
        ck_assert_str_eq(summary(), before);
        ck_assert(much < PLENTY);
    }
    ck_assert_msg(refused > 0, "%s is never refused", operation);
    must_send("DescribeLimits", "{}");
}

static void limit_steps(size_t much)
{
    budget.work.steps = (int64_t)much;
}

static void limit_bytes(size_t much)
{
    budget.work.bytes = much;
}

static void (*const limits[])(size_t) = {limit_steps, limit_bytes};

START_TEST(a_request_over_its_budget_leaves_nothing)
{
    for (size_t i = 0; i < COUNT(limits); i++) {
        open_server();
        refuse_until_done(_i, limits[i]);
        offline_server_close(&server);
    }
}
END_TEST

START_TEST(an_answer_over_its_budget_is_refused)
{
    struct span answer;

    open_server();
    must_send("PutItem", arena_printf(arena,
                                      "{\"TableName\":\"Table\",\"Item\":{\"pk\":{\"S\":\"p\"},"
                                      "\"sk\":{\"N\":\"1\"},\"long\":{\"S\":\"%0100000d\"}}}",
                                      7));
    budget.reply_bytes = 1000;
    ck_assert_int_eq(send("GetItem", "{\"TableName\":\"Table\",\"Key\":" KEY "}", &answer), 400);
    budget = plenty;
    must_send("GetItem", "{\"TableName\":\"Table\",\"Key\":" KEY "}");
    offline_server_close(&server);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_request_over_its_budget_leaves_nothing, 0, (int)COUNT(requests));
    tcase_add_test(tc, an_answer_over_its_budget_is_refused);
}

int main(void)
{
    return unit_run("budget", add_tests);
}
