/* A request that uses up its budget, wherever that is, is refused as a whole: nothing of it is
 * kept, nothing is left open, and the next one works. Every request is repeated with ever more
 * steps and with ever more memory, until it has enough. */
#include "model/limits.h"
#include "support/fault_memory.h"
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

/* Which block of a request the system does not give, counted from 1; 0: it gives all. */
static size_t refused_block;
static size_t blocks_left;

static const struct dispatch_budget plenty = {
    .work = {.bytes = PLENTY, .steps = INT64_MAX},
    .reply_bytes = PLENTY,
};

static int send(const char *operation, const char *body, struct span *answer)
{
    struct request request = {
        .target = span_of(arena_printf(
            arena, "%s_20120810.%s",
            op_find(OP_STREAMS, span_of(operation)) ? "DynamoDBStreams" : "DynamoDB", operation)),
        .body = span_of(body),
    };
    struct reply reply;

    blocks_left = refused_block;
    dispatch(server.dispatcher, &request, &reply);
    blocks_left = 0;
    *answer = arena_span(arena, reply.body);
    return reply.status;
}

static struct span must_send(const char *operation, const char *body)
{
    struct span answer;

    ck_assert_msg(send(operation, body, &answer) == 200, "%s: %.*s", operation, SPAN_ARG(answer));
    return answer;
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

/* Repeats a request with more and more of what `limit` says, until it is done. After a read that
 * was refused the same read gets its answer. */
static void refuse_until_done(int which, void (*limit)(size_t much))
{
    const char *operation = requests[which].operation, *body = requests[which].body;
    const struct op *op = op_find(OP_DYNAMODB, span_of(operation));
    const bool reads = op && op->access == OP_READS;
    const struct span whole = reads ? must_send(operation, body) : SPAN_LIT("");
    const char *before = summary();
    struct span answer;
    size_t refused = 0;
    int status;

    for (size_t much = 0;; much += 1 + much / 16) {
        limit(much);
        status = send(operation, body, &answer);
        budget = plenty;
        refused_block = 0;
        if (status == 200)
            break;
        refused++;
        ck_assert_msg(strstr(arena_text(arena, answer), " than mockddb ") != NULL, "%s: %.*s",
                      operation, SPAN_ARG(answer));
        if (reads)
            ck_assert(span_equal(must_send(operation, body), whole));
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

/* --- where the system has no memory to give -------------------------------------------------- */

/* The linker has the program's own allocations come here (tests/CMakeLists.txt). What SQLite asks
 * for is test_no_memory's. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

static bool is_refused(void)
{
    return blocks_left && !fault_memory_is_at_hand() && !--blocks_left;
}

void *__wrap_malloc(size_t size)
{
    return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return is_refused() ? NULL : __real_realloc(block, size);
}

static void limit_blocks(size_t much)
{
    refused_block = 1 + much;
}

START_TEST(a_request_without_memory_leaves_nothing)
{
    open_server();
    offline_server_close(&server);
    fault_memory_install();
    open_server();
    refuse_until_done(_i, limit_blocks);
    offline_server_close(&server);
}
END_TEST

/* --- where work runs out ---------------------------------------------------------------------- */

#define COSTLY 60 /* items, of which a budget of WORK has room for some */
#define WORK   ((int64_t)2000000)

/* Each takes about a tenth of the budget to look at. */
static void put_costly(void)
{
    struct buf list = buf_in(arena);

    for (int i = 0; i < 50000; i++)
        buf_add_text(&list, i ? ",{\"NULL\":true}" : "{\"NULL\":true}");
    for (int i = 0; i < COSTLY; i++)
        must_send("PutItem",
                  arena_printf(arena,
                               "{\"TableName\":\"Table\",\"Item\":{\"pk\":{\"S\":\"costly\"},"
                               "\"sk\":{\"N\":\"%d\"},\"nulls\":{\"L\":[%s]}}}",
                               i, buf_text(&list)));
}

/* "[{…},{…}]" of all costly items, each as `form` has it. */
static const char *for_each_costly(const char *before, const char *after)
{
    struct buf out = buf_in(arena);

    for (int i = 0; i < COSTLY; i++)
        buf_printf(&out, "%s%s{\"pk\":{\"S\":\"costly\"},\"sk\":{\"N\":\"%d\"}}%s", i ? "," : "[",
                   before, i, after);
    buf_add_char(&out, ']');
    return buf_text(&out);
}

static const char *answer_of(const char *operation, const char *body, int64_t work, int status)
{
    struct span answer;

    budget.work.steps = work;
    ck_assert_msg(send(operation, body, &answer) == status, "%s: %.*s", operation,
                  SPAN_ARG(answer));
    budget = plenty;
    return arena_text(arena, answer);
}

START_TEST(a_page_ends_where_work_runs_out)
{
    const char *answer;

    open_server();
    put_costly();
    answer = answer_of("Query",
                       "{\"TableName\":\"Table\",\"KeyConditionExpression\":\"pk = :p\","
                       "\"FilterExpression\":\"size(nulls) > :n\",\"Select\":\"COUNT\","
                       "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"costly\"},"
                       "\":n\":{\"N\":\"1\"}}}",
                       WORK, 200);
    ck_assert_ptr_nonnull(strstr(answer, "\"LastEvaluatedKey\":{"));
    offline_server_close(&server);
}
END_TEST

/* Forty conditions that look through the whole list. */
static const char *forty_conditions(void)
{
    struct buf out = buf_in(arena);

    for (int i = 0; i < 40; i++)
        buf_add_text(&out, " AND NOT contains(nulls, 'x')");
    return buf_text(&out);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;

    for (const char *at = text; (at = strstr(at, part)); at++)
        count++;
    return count;
}

/* The answer to a statement whose condition on the costly items goes on with forty more. */
static const char *answer_of_costly(const char *statement, int64_t work, int status)
{
    open_server();
    put_costly();
    return answer_of("ExecuteStatement",
                     arena_printf(arena, "{\"Statement\":\"%s%s\"}", statement, forty_conditions()),
                     work, status);
}

START_TEST(a_page_of_a_statement_ends_where_work_runs_out)
{
    const char *answer = answer_of_costly("SELECT sk FROM \\\"Table\\\" WHERE pk = 'costly'",
                                          4 * WORK, 200);

    ck_assert_ptr_nonnull(strstr(answer, "\"NextToken\":"));
    ck_assert_int_ge(count_of(answer, "{\"sk\":"), 2);
    ck_assert_int_lt(count_of(answer, "{\"sk\":"), 9); /* 1 MB has more */
    offline_server_close(&server);
}
END_TEST

START_TEST(conditions_of_a_statement_that_writes_are_work)
{
    const char *answer = answer_of_costly(
        "UPDATE \\\"Table\\\" SET n = 1 WHERE pk = 'costly' AND sk = 1", WORK / 2, 400);

    ck_assert_msg(strstr(answer, "takes more work than mockddb does") != NULL, "%s", answer);
    offline_server_close(&server);
}
END_TEST

START_TEST(a_batch_of_keys_ends_where_work_runs_out)
{
    const char *keys, *answer;

    open_server();
    put_costly();
    keys = for_each_costly("", "");
    answer = answer_of("BatchGetItem",
                       arena_printf(arena,
                                    "{\"RequestItems\":{\"Table\":{\"Keys\":%s,"
                                    "\"ProjectionExpression\":\"nulls[0]\"}}}",
                                    keys),
                       WORK, 200);
    ck_assert_ptr_nonnull(strstr(answer, "\"UnprocessedKeys\":{\"Table\":{\"Keys\":[{"));
    offline_server_close(&server);
}
END_TEST

/* Each write replaces a costly item, whose stream record has the old image. */
START_TEST(a_batch_of_writes_ends_where_work_runs_out)
{
    struct buf writes = buf_in(arena);
    const char *answer, *left;

    open_server();
    put_costly();
    for (int i = 0; i < 25; i++)
        buf_printf(&writes,
                   "%s{\"DeleteRequest\":{\"Key\":{\"pk\":{\"S\":\"costly\"},"
                   "\"sk\":{\"N\":\"%d\"}}}}",
                   i ? "," : "", i);
    answer = answer_of(
        "BatchWriteItem",
        arena_printf(arena, "{\"RequestItems\":{\"Table\":[%s]}}", buf_text(&writes)), WORK, 200);
    left = strstr(answer, "\"UnprocessedItems\":{\"Table\":[{\"DeleteRequest\":{\"Key\":{");
    ck_assert_ptr_nonnull(left);
    ck_assert_ptr_null(strstr(left, "\"sk\":{\"N\":\"0\"}"));
    ck_assert_ptr_nonnull(strstr(left, "\"sk\":{\"N\":\"24\"}"));
    (void)summary();
    offline_server_close(&server);
}
END_TEST

#define LONG_ITEMS 20

/* Of two sizes: that of the first decides how the answer's memory grows. */
static const int lengths[] = {190000, 128000};

/* Items of NULLs are seven times as long in JSON as the service counts them. */
START_TEST(a_batch_of_keys_is_no_longer_than_31_mb)
{
    struct buf list = buf_in(arena), keys = buf_in(arena);
    const char *answer;

    open_server();
    for (int i = 0; i < lengths[_i]; i++)
        buf_add_text(&list, i ? ",{\"NULL\":true}" : "{\"NULL\":true}");
    for (int i = 0; i < LONG_ITEMS; i++) {
        must_send("PutItem",
                  arena_printf(arena,
                               "{\"TableName\":\"Table\",\"Item\":{\"pk\":{\"S\":\"long\"},"
                               "\"sk\":{\"N\":\"%d\"},\"nulls\":{\"L\":[%s]}}}",
                               i, buf_text(&list)));
        buf_printf(&keys, "%s{\"pk\":{\"S\":\"long\"},\"sk\":{\"N\":\"%d\"}}", i ? "," : "", i);
    }
    budget.reply_bytes = LIMIT_REPLY_MEMORY;
    answer = answer_of(
        "BatchGetItem",
        arena_printf(arena, "{\"RequestItems\":{\"Table\":{\"Keys\":[%s]}}}", buf_text(&keys)),
        INT64_MAX, 200);
    ck_assert_uint_le(strlen(answer), LIMIT_BATCH_TEXT + 10000);
    ck_assert_uint_gt(strlen(answer), LIMIT_BATCH_TEXT - 3 * LIMIT_MB);
    ck_assert_ptr_nonnull(strstr(answer, "\"UnprocessedKeys\":{\"Table\":{\"Keys\":[{"));
    offline_server_close(&server);
}
END_TEST

/* The items have more than 4 MB together, and there is room for as many of them. */
START_TEST(a_transaction_of_too_much_work_is_too_large)
{
    const char *before, *answer;

    open_server();
    put_costly();
    before = summary();
    answer = answer_of("TransactWriteItems",
                       arena_printf(arena, "{\"TransactItems\":%s}",
                                    for_each_costly("{\"Update\":{\"TableName\":\"Table\","
                                                    "\"UpdateExpression\":\"REMOVE nulls[0]\","
                                                    "\"Key\":",
                                                    "}}")),
                       12 * WORK, 400);
    ck_assert_msg(strstr(answer, "exceeding the 4MB limit") != NULL, "%s", answer);
    ck_assert_str_eq(summary(), before);
    offline_server_close(&server);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_page_ends_where_work_runs_out);
    tcase_add_test(tc, a_page_of_a_statement_ends_where_work_runs_out);
    tcase_add_test(tc, conditions_of_a_statement_that_writes_are_work);
    tcase_add_test(tc, a_batch_of_keys_ends_where_work_runs_out);
    tcase_add_loop_test(tc, a_batch_of_keys_is_no_longer_than_31_mb, 0, (int)COUNT(lengths));
    tcase_add_test(tc, a_batch_of_writes_ends_where_work_runs_out);
    tcase_add_test(tc, a_transaction_of_too_much_work_is_too_large);
    tcase_add_loop_test(tc, a_request_over_its_budget_leaves_nothing, 0, (int)COUNT(requests));
    tcase_add_loop_test(tc, a_request_without_memory_leaves_nothing, 0, (int)COUNT(requests));
    tcase_add_test(tc, an_answer_over_its_budget_is_refused);
}

UNIT_TESTS(budget, add_tests)
