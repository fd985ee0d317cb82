/* Fault rules: what is refused, which calls they hit, and what each kind makes of a call. */
#include "faults/faults.h"
#include "unit_table.h"

#define GET(k) "{" T ",\"Key\":" KEY(k) "}"
#define PUT(k) "{" T ",\"Item\":" KEY(k) "}"

static struct faults *faults;
static const struct disturbance *disturbance;

/* Sends a request as the front end does, and keeps its disturbance. */
static int send(const char *operation, const char *body, struct span *answer)
{
    struct request request = {
        .target = span_of(arena_printf(arena, "DynamoDB_20120810.%s", operation)),
        .body = span_of(body),
        .access_key = SPAN_LIT("tester"),
    };
    struct reply reply;

    dispatch_set_faults(server.dispatcher, faults_point(faults));
    dispatch(server.dispatcher, &request, &reply);
    disturbance = reply.disturbance;
    *answer = arena_span(arena, reply.body);
    return reply.status;
}

static void open_server(void)
{
    struct span answer;

    unit_open_table("");
    faults = faults_new();
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(
            send("PutItem",
                 arena_printf(arena, "{" T ",\"Item\":{\"pk\":{\"S\":\"%c\"},\"g\":{\"S\":\"g\"}}}",
                              'a' + i),
                 &answer),
            200);
}

static void close_server(void)
{
    offline_server_close(&server);
    faults_free(faults);
}

static const struct problem *add(const char *rules)
{
    return faults_add(faults, arena, span_of(arena_printf(arena, "{\"rules\":[%s]}", rules)), "");
}

/* --- what is refused -------------------------------------------------------------------------- */

static const struct {
    const char *rule, *problem;
} wrong[] = {
    {"1", "rules[0] is not an object"},
    {"{}", "rules[0] does nothing: give one of delay, skew, error, drop, cut, wrong_crc, "
           "unprocessed, page_limit, stale, index_lag, stream_late, stream_twice"},
    {"{\"delay\":1},{\"dealy\":1}", "rules[1].dealy is not a member of a rule"},
    {"{\"delay\":1,\"operation\":\"Put\"}",
     "rules[0].operation names an operation that mockddb does not have: \"Put\""},
    {"{\"delay\":1,\"operation\":[]}", "rules[0].operation is an empty list"},
    {"{\"delay\":1,\"table\":1}", "rules[0].table must be a string"},
    {"{\"delay\":1,\"key\":{\"pk\":\"a\"}}",
     "rules[0].key has pk, which is not a string, number or binary"},
    {"{\"delay\":1,\"key\":{}}", "rules[0].key must be a map such as {\"pk\": {\"S\": \"a\"}}"},
    {"{\"delay\":1,\"from\":\"soon\"}",
     "rules[0].from must be a time: \"2026-01-01T00:00:00Z\", or milliseconds since 1970"},
    {"{\"delay\":1,\"nth\":0}", "rules[0].nth must be a whole number from 1 to 2147483647"},
    {"{\"delay\":1,\"times\":1.5}", "rules[0].times must be a whole number from 1 to 2147483647"},
    {"{\"delay\":1,\"probability\":2}",
     "rules[0].probability must be a number above 0 and at most 1"},
    {"{\"delay\":\"2h\"}",
     "rules[0].delay must be a duration up to an hour: \"250ms\", \"2s\", or a number of "
     "milliseconds"},
    {"{\"drop\":\"now\"}", "rules[0].drop must be one of before, after"},
    {"{\"cut\":-1}", "rules[0].cut must be a whole number from 0 to 2147483647"},
    {"{\"wrong_crc\":1}", "rules[0].wrong_crc takes true"},
    {"{\"unprocessed\":101}", "rules[0].unprocessed must be a whole number from 1 to 100"},
    {"{\"delay\":1,\"which\":\"first\"}", "rules[0].which goes with unprocessed"},
    {"{\"page_limit\":0}", "rules[0].page_limit must be a whole number from 1 to 2147483647"},
    {"{\"stale\":false}",
     "rules[0].stale must be a duration up to an hour: \"250ms\", \"2s\", or a number of "
     "milliseconds"},
    {"{\"stream_twice\":\"yes\"}", "rules[0].stream_twice takes true"},
    {"{\"skew\":\"1m\"}",
     "rules[0].skew must be a duration of more than 15 minutes: \"20m\", \"-1h\""},
    {"{\"error\":\"ThrottlingException\",\"reasons\":[\"None\"]}",
     "rules[0].reasons has \"None\", which is not a reason of ThrottlingException"},
    {"{\"error\":\"InternalServerError\",\"message\":1}", "rules[0].message must be a string"},
    {"{\"unprocessed\":1,\"operation\":\"GetItem\"}",
     "rules[0].unprocessed cannot happen in GetItem"},
    {"{\"delay\":1,\"page_limit\":1,\"operation\":[\"BatchGetItem\",\"PutItem\"]}",
     "rules[0].page_limit cannot happen in BatchGetItem"},
    {"{\"stale\":true,\"operation\":\"Query\"}", "rules[0].stale cannot happen in Query"},
    {"{\"index_lag\":1,\"operation\":\"GetItem\"}", "rules[0].index_lag cannot happen in GetItem"},
    {"{\"stream_late\":1,\"operation\":\"Scan\"}", "rules[0].stream_late cannot happen in Scan"},
    {"{\"stream_twice\":true,\"operation\":\"Scan\"}",
     "rules[0].stream_twice cannot happen in Scan"},
    {"{\"delay\":1,\"from\":2000,\"until\":2000}", "rules[0].until is not after from"},
    {"{\"delay\":1,\"from\":1.5}",
     "rules[0].from must be a time: \"2026-01-01T00:00:00Z\", or milliseconds since 1970"},
    {"{\"delay\":1,\"until\":-1}",
     "rules[0].until must be a time: \"2026-01-01T00:00:00Z\", or milliseconds since 1970"},
    {"{\"delay\":1.5}",
     "rules[0].delay must be a duration up to an hour: \"250ms\", \"2s\", or a number of "
     "milliseconds"},
    {"{\"delay\":1,\"delay\":2}", "rules[0].delay is given twice"},
    {"{\"delay\":1,\"operation\":null}", "rules[0].operation is null"},
    {"{\"wrong_crc\":false}", "rules[0].wrong_crc takes true"},
    {"{\"delay\":1,\"table\":\"arn:aws:dynamodb:us-east-1:1:table/Tab\"}",
     "rules[0].table is arn:aws:dynamodb:us-east-1:1:table/Tab, which cannot be the name of a "
     "table or index"},
    {"{\"delay\":1,\"operation\":\"ListTables\",\"table\":\"Tab\"}",
     "rules[0].table cannot match: a ListTables request does not name one"},
    {"{\"delay\":1,\"operation\":[\"PutItem\",\"GetItem\"],\"index\":\"byG\"}",
     "rules[0].index cannot match: a PutItem request does not name one"},
    {"{\"delay\":1,\"operation\":\"Scan\",\"key\":{\"pk\":{\"S\":\"a\"}}}",
     "rules[0].key cannot match: a Scan request does not name one"},
};

START_TEST(a_rule_that_is_wrong_is_refused_by_its_member)
{
    struct buf shown = buf_in(arena);
    struct wire_writer w = {.out = &shown};

    faults = faults_new();
    ck_assert_str_eq(add(wrong[_i].rule)->text, wrong[_i].problem);
    ck_assert_ptr_null(faults_point(faults));
    faults_show(faults, &w);
    ck_assert_str_eq(buf_text(&shown), "\"rules\":[]");
    faults_free(faults);
}
END_TEST

/* --- which calls ------------------------------------------------------------------------------ */

#define UNAVAILABLE "\"error\":\"ServiceUnavailable\""

/* Whether the rule hits the call. */
static const struct {
    const char *rule, *operation, *body;
    bool hits;
} matches[] = {
    {"", "GetItem", GET("a"), true},
    {"\"operation\":\"GetItem\",", "GetItem", GET("a"), true},
    {"\"operation\":\"PutItem\",", "GetItem", GET("a"), false},
    {"\"operation\":[\"PutItem\",\"GetItem\"],", "GetItem", GET("a"), true},
    {"", "GetItem", "{" T "}", false}, /* is refused for itself */
    {"\"table\":\"Tab\",", "GetItem", GET("a"), true},
    {"\"table\":\"Tab\",", "GetItem",
     "{\"TableName\":\"arn:aws:dynamodb:us-east-1:000000000000:table/Tab\",\"Key\":" KEY("a") "}",
     true},
    {"\"table\":\"U\",", "GetItem", GET("a"), false},
    {"\"table\":\"Tab\",", "ListTables", "{}", false},
    {"\"table\":\"Tab\",", "BatchGetItem", "{\"RequestItems\":{\"Tab\":{\"Keys\":[" KEY("a") "]}}}",
     true},
    {"\"table\":\"Tab\",", "TransactGetItems", "{\"TransactItems\":[{\"Get\":" GET("a") "}]}",
     true},
    {"\"table\":\"Tab\",", "ExecuteStatement", "{\"Statement\":\"SELECT * FROM Tab\"}", true},
    {"\"table\":\"Tab\",", "BatchExecuteStatement",
     "{\"Statements\":[{\"Statement\":\"SELECT * FROM Tab WHERE pk = 'a'\"}]}", true},
    {"\"index\":\"byG\",", "Scan", "{" T ",\"IndexName\":\"byG\"}", true},
    {"\"index\":\"byG\",", "Scan", "{" T "}", false},
    {"\"key\":" KEY("a") ",", "GetItem", GET("a"), true},
    {"\"key\":" KEY("a") ",", "GetItem", GET("b"), false},
    {"\"key\":" KEY("a") ",", "PutItem", PUT("a"), true},
    {"\"key\":" KEY("b") ",", "BatchGetItem",
     "{\"RequestItems\":{\"Tab\":{\"Keys\":[" KEY("a") "," KEY("b") "]}}}", true},
    {"\"key\":" KEY("b") ",", "BatchWriteItem",
     "{\"RequestItems\":{\"Tab\":[{\"PutRequest\":{\"Item\":" KEY(
         "a") "}},"
              "{\"DeleteRequest\":{\"Key\":" KEY("b") "}}]}}",
     true},
    {"\"key\":" KEY("a") ",", "Query",
     "{" T ",\"KeyConditionExpression\":\"#p = :p\",\"ExpressionAttributeNames\":{\"#p\":\"pk\"},"
     "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"a\"}}}",
     true},
    {"\"key\":" KEY("b") ",", "Query",
     "{" T ",\"KeyConditionExpression\":\"pk = :p\","
     "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"a\"}}}",
     false},
    {"\"key\":" KEY("a") ",", "Query",
     "{" T ",\"KeyConditions\":{\"pk\":{\"ComparisonOperator\":\"EQ\","
     "\"AttributeValueList\":[{\"S\":\"a\"}]}}}",
     true},
    {"\"key\":" KEY("a") ",", "Query",
     "{" T ",\"KeyConditions\":{\"pk\":{\"ComparisonOperator\":\"EQ\"}}}", false},
    {"\"key\":" KEY("a") ",", "Query",
     "{" T ",\"KeyConditions\":{\"pk\":{\"ComparisonOperator\":\"EQ\",\"AttributeValueList\":[]}}}",
     false},
    {"\"key\":" KEY("a") ",", "Query",
     "{" T ",\"KeyConditionExpression\":\"g = :p\","
     "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"a\"}}}",
     false},
    {"\"key\":" KEY("a") ",", "ExecuteStatement",
     "{\"Statement\":\"SELECT * FROM Tab WHERE pk = ? AND g = "
     "'g'\",\"Parameters\":[{\"S\":\"a\"}]}",
     true},
    {"\"key\":" KEY("a") ",", "ExecuteStatement",
     "{\"Statement\":\"INSERT INTO Tab VALUE {'pk': 'b'}\"}", false},
    {"\"key_prefix\":{\"pk\":{\"S\":\"us\"}},", "GetItem", GET("user"), true},
    {"\"key_prefix\":{\"pk\":{\"S\":\"us\"}},", "GetItem", GET("u"), false},
    {"\"access_key\":\"tester\",", "ListTables", "{}", true},
    {"\"access_key\":\"another\",", "ListTables", "{}", false},
    {"\"from\":1700000000000,", "ListTables", "{}", true},
    {"\"from\":1700000000001,", "ListTables", "{}", false},
    {"\"until\":\"2023-11-14T22:13:20Z\",", "ListTables", "{}", false},
    {"\"until\":\"2023-11-14T22:13:21Z\",", "ListTables", "{}", true},
};

START_TEST(a_rule_hits_the_calls_that_it_is_about)
{
    struct span answer;

    open_server();
    ck_assert_ptr_null(add(arena_printf(arena, "{%s" UNAVAILABLE "}", matches[_i].rule)));
    ck_assert_int_eq(send(matches[_i].operation, matches[_i].body, &answer) == 503,
                     matches[_i].hits);
    close_server();
}
END_TEST

/* --- how often -------------------------------------------------------------------------------- */

/* Of eight calls, those that are hit ("x"; "y" by the second rule). */
static const struct {
    const char *rules, *hit;
} counts[] = {
    {"{" UNAVAILABLE "}", "xxxxxxxx"},
    {"{" UNAVAILABLE ",\"times\":2}", "xx......"},
    {"{" UNAVAILABLE ",\"nth\":3}", "..x....."},
    {"{" UNAVAILABLE ",\"nth\":3,\"times\":4}", "..xxxx.."},
    {"{" UNAVAILABLE ",\"times\":2},{\"error\":\"InternalServerError\",\"times\":3}", "xxyyy..."},
    {"{\"delay\":1,\"times\":2},{\"error\":\"InternalServerError\",\"times\":3}", "yyy....."},
};

START_TEST(a_rule_hits_as_often_as_it_says)
{
    struct buf seen = buf_in(arena);
    struct span answer;

    open_server();
    ck_assert_ptr_null(add(counts[_i].rules));
    for (int i = 0; i < 8; i++) {
        int status = send("ListTables", "{}", &answer);

        buf_add_char(&seen, status == 503 ? 'x' : status == 500 ? 'y' : '.');
    }
    ck_assert_str_eq(buf_text(&seen), counts[_i].hit);
    close_server();
}
END_TEST

/* A read that is consistent, or of the table, is not one in which these can happen. */
START_TEST(a_rule_about_reads_that_are_behind_waits_for_one)
{
    struct buf shown = buf_in(arena);
    struct wire_writer w = {&shown, false};
    struct span answer;

    open_server();
    ck_assert_ptr_null(add("{\"stale\":true,\"times\":1},{\"index_lag\":1,\"times\":1}"));
    ck_assert_int_eq(
        send("GetItem", "{" T ",\"ConsistentRead\":true,\"Key\":" KEY("a") "}", &answer), 200);
    ck_assert_int_eq(send("Scan", "{" T "}", &answer), 200);
    faults_show(faults, &w);
    ck_assert_ptr_nonnull(strstr(buf_text(&shown), "\"id\":1,\"seen\":0,\"hits\":0"));
    ck_assert_ptr_nonnull(strstr(buf_text(&shown), "\"id\":2,\"seen\":0,\"hits\":0"));
    ck_assert_int_eq(send("GetItem", GET("a"), &answer), 200);
    ck_assert(disturbance->stale);
    close_server();
}
END_TEST

/* The second call is the first that can have a short page, the third the first that cannot. */
START_TEST(a_rule_counts_calls_in_which_it_can_happen)
{
    static const char *const operations[] = {"ListTables", "Scan", "ListTables"};
    struct buf shown = buf_in(arena);
    struct wire_writer w = {.out = &shown};
    struct span answer;

    open_server();
    ck_assert_ptr_null(add("{\"page_limit\":1,\"times\":1},{\"page_limit\":2,\"delay\":1}"));
    for (size_t i = 0; i < COUNT(operations); i++)
        ck_assert_int_eq(send(operations[i], i == 1 ? "{" T "}" : "{}", &answer), 200);
    faults_show(faults, &w);
    ck_assert_ptr_nonnull(strstr(buf_text(&shown), "\"id\":1,\"seen\":1,\"hits\":1"));
    ck_assert_ptr_nonnull(strstr(buf_text(&shown), "\"id\":2,\"seen\":2,\"hits\":2"));
    close_server();
}
END_TEST

static const char *by_chance(int seed)
{
    struct buf seen = buf_in(arena);
    struct span answer;

    faults_clear(faults);
    ck_assert_ptr_null(
        add(arena_printf(arena, "{" UNAVAILABLE ",\"probability\":0.5,\"seed\":%d}", seed)));
    for (int i = 0; i < 200; i++)
        buf_add_char(&seen, send("ListTables", "{}", &answer) == 503 ? 'x' : '.');
    return buf_text(&seen);
}

START_TEST(chance_follows_from_the_seed)
{
    const char *first;
    int hits = 0;

    open_server();
    first = by_chance(1);
    for (const char *c = first; *c; c++)
        hits += *c == 'x';
    ck_assert_int_ge(hits, 70);
    ck_assert_int_le(hits, 130);
    ck_assert_str_eq(by_chance(1), first);
    ck_assert_str_ne(by_chance(2), first);
    close_server();
}
END_TEST

/* --- what happens ----------------------------------------------------------------------------- */

#define NAMESPACE "{\"__type\":\"com.amazonaws.dynamodb.v20120810#"
#define ARN       "arn:aws:dynamodb:us-east-1:000000000000:table/Tab"
#define EXCEEDED                                                                           \
    "The level of configured provisioned throughput for the table was exceeded. Consider " \
    "increasing your provisioning level with the UpdateTable API."

static const struct {
    const char *rule, *operation, *body;
    int status;
    const char *answer;
} kinds[] = {
    {"\"error\":\"ProvisionedThroughputExceededException\"", "GetItem", GET("a"), 400,
     NAMESPACE "ProvisionedThroughputExceededException\",\"message\":\"" EXCEEDED
               "\",\"ThrottlingReasons\":[{\"reason\":\"TableReadProvisionedThroughputExceeded\","
               "\"resource\":\"" ARN "\"}]}"},
    {"\"error\":\"RequestLimitExceeded\",\"message\":\"no\"", "PutItem", PUT("a"), 400,
     NAMESPACE "RequestLimitExceeded\",\"message\":\"no\",\"ThrottlingReasons\":["
               "{\"reason\":\"TableWriteAccountLimitExceeded\",\"resource\":\"" ARN "\"}]}"},
    {"\"error\":\"ThrottlingException\",\"message\":\"no\",\"index\":\"byG\","
     "\"reasons\":[\"IndexReadMaxOnDemandThroughputExceeded\"]",
     "Scan", "{" T ",\"IndexName\":\"byG\"}", 400,
     NAMESPACE "ThrottlingException\",\"message\":\"no\",\"throttlingReasons\":["
               "{\"reason\":\"IndexReadMaxOnDemandThroughputExceeded\",\"resource\":\"" ARN
               "/index/byG\"}]}"},
    {"\"error\":\"ThrottlingException\"", "ListTables", "{}", 400,
     NAMESPACE "ThrottlingException\",\"message\":\"Rate exceeded\"}"},
    {"\"error\":\"ThrottlingException\"", "Scan", "{" T ",\"IndexName\":\"byG\"}", 400,
     NAMESPACE
     "ThrottlingException\",\"message\":\"Throughput exceeds the current capacity for one or "
     "more global secondary indexes. DynamoDB is automatically scaling your index so please "
     "try again shortly.\",\"throttlingReasons\":[{\"reason\":"
     "\"IndexReadKeyRangeThroughputExceeded\",\"resource\":\"" ARN "/index/byG\"}]}"},
    {"\"error\":\"InternalServerError\"", "GetItem", GET("a"), 500,
     NAMESPACE "InternalServerError\",\"message\":\"Internal server error\"}"},
    {"\"error\":\"ServiceUnavailable\",\"message\":\"no\"", "GetItem", GET("a"), 503,
     NAMESPACE "ServiceUnavailable\",\"message\":\"no\"}"},
    {"\"error\":\"TransactionConflictException\"", "PutItem", PUT("a"), 400,
     NAMESPACE "TransactionConflictException\",\"message\":\"Transaction is ongoing for the "
               "item\"}"},
    {"\"error\":\"ConditionalCheckFailedException\"", "PutItem", PUT("a"), 400,
     NAMESPACE "ConditionalCheckFailedException\",\"message\":\"The conditional request failed\"}"},
    {"\"error\":\"ItemCollectionSizeLimitExceededException\"", "PutItem", PUT("a"), 400,
     NAMESPACE "ItemCollectionSizeLimitExceededException\",\"message\":\"Collection size "
               "exceeded.\"}"},
    {"\"error\":\"TransactionCanceledException\",\"reasons\":[\"None\","
     "\"ConditionalCheckFailed\"]",
     "TransactWriteItems",
     "{\"TransactItems\":[{\"Put\":" PUT("x") "},{\"Put\":" PUT("y") "},{\"Put\":" PUT("z") "}]}",
     400,
     NAMESPACE "TransactionCanceledException\",\"Message\":\"Transaction cancelled, please refer "
               "cancellation reasons for specific reasons [None, ConditionalCheckFailed, None]\","
               "\"CancellationReasons\":[{\"Code\":\"None\"},{\"Code\":\"ConditionalCheckFailed\","
               "\"Message\":\"The conditional request failed\"},{\"Code\":\"None\"}]}"},
    {"\"error\":\"TransactionCanceledException\"", "TransactGetItems",
     "{\"TransactItems\":[{\"Get\":" GET("a") "}]}", 400,
     NAMESPACE "TransactionCanceledException\",\"Message\":\"Transaction cancelled, please refer "
               "cancellation reasons for specific reasons [TransactionConflict]\","
               "\"CancellationReasons\":[{\"Code\":\"TransactionConflict\",\"Message\":"
               "\"Transaction is ongoing for the item\"}]}"},
    {"\"skew\":\"20m\"", "ListTables", "{}", 400,
     "{\"__type\":\"com.amazon.coral.service#InvalidSignatureException\",\"message\":"
     "\"Signature "
     "expired: 20231114T221320Z is now earlier than 20231114T221820Z (20231114T223320Z - "
     "15 "
     "min.)\"}"},
    {"\"skew\":\"-20m\"", "ListTables", "{}", 400,
     "{\"__type\":\"com.amazon.coral.service#InvalidSignatureException\",\"message\":"
     "\"Signature "
     "not yet current: 20231114T221320Z is still later than 20231114T220820Z "
     "(20231114T215320Z + "
     "15 min.)\"}"},
    {"\"page_limit\":2", "Scan", "{" T ",\"Select\":\"COUNT\",\"Limit\":3}", 200,
     "{\"Count\":2,\"ScannedCount\":2,\"LastEvaluatedKey\":{"},
    {"\"page_limit\":3", "Scan", "{" T ",\"Select\":\"COUNT\",\"Limit\":2}", 200,
     "{\"Count\":2,\"ScannedCount\":2,\"LastEvaluatedKey\":{"},
    {"\"unprocessed\":1", "BatchGetItem",
     "{\"RequestItems\":{\"Tab\":{\"Keys\":[" KEY("x") "," KEY("y") "," KEY("z") "]}}}", 200,
     "{\"Responses\":{\"Tab\":[]},\"UnprocessedKeys\":{\"Tab\":{\"Keys\":[" KEY("z") "]}}}"},
    {"\"unprocessed\":2,\"which\":\"first\"", "BatchGetItem",
     "{\"RequestItems\":{\"Tab\":{\"Keys\":[" KEY("x") "," KEY("y") "," KEY("z") "]}}}", 200,
     "{\"Responses\":{\"Tab\":[]},\"UnprocessedKeys\":{\"Tab\":{\"Keys\":[" KEY("x") "," KEY(
         "y") "]}}}"},
    {"\"unprocessed\":2", "BatchWriteItem",
     "{\"RequestItems\":{\"Tab\":[{\"PutRequest\":{\"Item\":" KEY(
         "x") "}},{\"PutRequest\":{\"Item\":" KEY("y") "}},{\"DeleteRequest\":{"
                                                       "\"Key\":" KEY("z") "}}]}}",
     200,
     "{\"UnprocessedItems\":{\"Tab\":[{\"PutRequest\":{\"Item\":" KEY(
         "y") "}},{\"DeleteRequest\":{\"Key\":" KEY("z") "}}]}}"},
    {"\"unprocessed\":1", "BatchExecuteStatement",
     "{\"Statements\":[{\"Statement\":\"INSERT INTO Tab VALUE {'pk': 'x'}\"},"
     "{\"Statement\":\"INSERT INTO Tab VALUE {'pk': 'y'}\"}]}",
     200,
     "{\"Responses\":[{\"TableName\":\"Tab\"},{\"Error\":{\"Code\":"
     "\"ProvisionedThroughputExceeded\",\"Message\":\"" EXCEEDED "\"},\"TableName\":\"Tab\"}]}"},
    {"\"unprocessed\":1", "BatchWriteItem",
     "{\"RequestItems\":{\"Tab\":[{\"PutRequest\":{\"Item\":" KEY("x") "}}]}}", 400,
     NAMESPACE "ProvisionedThroughputExceededException\",\"message\":\"" EXCEEDED "\"}"},
};

START_TEST(each_kind_does_what_it_says)
{
    struct span answer;

    open_server();
    ck_assert_ptr_null(add(arena_printf(arena, "{%s}", kinds[_i].rule)));
    ck_assert_int_eq(send(kinds[_i].operation, kinds[_i].body, &answer), kinds[_i].status);
    ck_assert_msg(span_starts_with(answer, span_of(kinds[_i].answer)), "%.*s", SPAN_ARG(answer));
    ck_assert_uint_eq(disturbance->rule, 1);
    close_server();
}
END_TEST

START_TEST(what_is_left_unprocessed_was_not_written)
{
    struct span answer;

    open_server();
    ck_assert_ptr_null(add("{\"operation\":\"BatchWriteItem\",\"unprocessed\":1}"));
    ck_assert_int_eq(send("BatchWriteItem",
                          "{\"RequestItems\":{\"Tab\":[{\"PutRequest\":{\"Item\":" KEY(
                              "x") "}},{\"PutRequest\":{\"Item\":" KEY("y") "}}]}}",
                          &answer),
                     200);
    ck_assert_int_eq(send("GetItem", GET("x"), &answer), 200);
    ck_assert_span_eq(answer, "{\"Item\":" KEY("x") "}");
    ck_assert_int_eq(send("GetItem", GET("y"), &answer), 200);
    ck_assert_span_eq(answer, "{}");
    close_server();
}
END_TEST

START_TEST(what_becomes_of_the_reply_is_for_the_front_end)
{
    struct span answer;

    open_server();
    ck_assert_ptr_null(
        add("{\"delay\":\"1s\",\"jitter\":10,\"operation\":\"PutItem\"},"
            "{\"drop\":\"before\",\"key\":" KEY(
                "x") "},"
                     "{\"drop\":\"after\",\"key\":" KEY(
                         "y") "},"
                              "{\"cut\":5,\"wrong_crc\":true,\"operation\":\"GetItem\"}"));
    ck_assert_int_eq(send("PutItem", PUT("x"), &answer), 500);
    ck_assert(disturbance->dropped);
    ck_assert_int_ge(disturbance->delay_ms, 1000);
    ck_assert_int_le(disturbance->delay_ms, 1010);
    ck_assert_int_eq(send("PutItem", PUT("y"), &answer), 200);
    ck_assert(disturbance->dropped);
    faults_clear(faults);
    ck_assert_int_eq(send("GetItem", GET("x"), &answer), 200);
    ck_assert_span_eq(answer, "{}");
    ck_assert_int_eq(send("GetItem", GET("y"), &answer), 200);
    ck_assert_span_eq(answer, "{\"Item\":" KEY("y") "}");
    ck_assert_ptr_null(disturbance);
    ck_assert_ptr_null(add("{\"cut\":5,\"wrong_crc\":true}"));
    ck_assert_int_eq(send("GetItem", GET("x"), &answer), 200);
    ck_assert(disturbance->cut && disturbance->wrong_crc && !disturbance->dropped);
    ck_assert_uint_eq(disturbance->cut_bytes, 5);
    close_server();
}
END_TEST

START_TEST(rules_are_shown_with_their_hits)
{
    struct buf shown = buf_in(arena);
    struct wire_writer w = {.out = &shown};
    struct span answer;

    open_server();
    ck_assert_ptr_null(add("{\"table\":\"Tab\", \"delay\":1, \"nth\":2}"));
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(send("GetItem", GET("x"), &answer), 200);
    faults_show(faults, &w);
    ck_assert_str_eq(buf_text(&shown),
                     "\"rules\":[{\"id\":1,\"seen\":3,\"hits\":1,\"rule\":{\"table\":\"Tab\", "
                     "\"delay\":1, \"nth\":2}}]");
    close_server();
}
END_TEST

/* The rules as "ID seen hits", one behind another. */
static const char *counted(void)
{
    struct buf shown = buf_in(arena), out = buf_in(arena);
    struct wire_writer w = {.out = &shown};
    const wire_node *body;

    wire_open(&w, '{');
    faults_show(faults, &w);
    wire_close(&w, '}');
    ck_assert_ptr_null(wire_parse(arena, buf_span(&shown), &body));
    for (const wire_node *n = wire_first(wire_get(body, "rules")); n; n = wire_next(n))
        buf_printf(&out, "%s%d %d %d", out.len ? ", " : "", (int)wire_integer(wire_get(n, "id"), 0),
                   (int)wire_integer(wire_get(n, "seen"), 0),
                   (int)wire_integer(wire_get(n, "hits"), 0));
    return buf_text(&out);
}

START_TEST(one_rule_is_taken_away)
{
    struct span answer;

    open_server();
    ck_assert_ptr_null(add("{\"delay\":1},{\"operation\":\"GetItem\",\"wrong_crc\":true}"));
    ck_assert_ptr_null(add("{\"stale\":true,\"operation\":\"GetItem\"}"));
    ck_assert_ptr_null(add(""));
    ck_assert_int_eq(send("GetItem", GET("x"), &answer), 200);
    ck_assert_str_eq(counted(), "1 1 1, 2 1 1, 3 1 1");
    ck_assert(faults_remove(faults, 1));
    ck_assert(!faults_remove(faults, 1));
    ck_assert(!faults_remove(faults, 0));
    ck_assert_int_eq(send("GetItem", GET("x"), &answer), 200);
    ck_assert(disturbance->wrong_crc && !disturbance->delay_ms);
    ck_assert_str_eq(counted(), "2 2 2, 3 2 2");
    ck_assert_ptr_nonnull(faults_point(faults)->past);
    ck_assert(faults_remove(faults, 3));
    ck_assert_ptr_null(faults_point(faults)->past);
    ck_assert_ptr_null(add("{\"delay\":1}"));
    ck_assert_str_eq(counted(), "2 2 2, 4 0 0");
    ck_assert(faults_remove(faults, 2) && faults_remove(faults, 4));
    ck_assert_ptr_null(faults_point(faults));
    faults_clear(faults);
    ck_assert_ptr_null(add("{\"delay\":1}"));
    ck_assert_str_eq(counted(), "1 0 0");
    close_server();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_rule_that_is_wrong_is_refused_by_its_member, 0, COUNT(wrong));
    tcase_add_loop_test(tc, a_rule_hits_the_calls_that_it_is_about, 0, COUNT(matches));
    tcase_add_loop_test(tc, a_rule_hits_as_often_as_it_says, 0, COUNT(counts));
    tcase_add_test(tc, chance_follows_from_the_seed);
    tcase_add_loop_test(tc, each_kind_does_what_it_says, 0, COUNT(kinds));
    tcase_add_test(tc, a_rule_about_reads_that_are_behind_waits_for_one);
    tcase_add_test(tc, a_rule_counts_calls_in_which_it_can_happen);
    tcase_add_test(tc, what_is_left_unprocessed_was_not_written);
    tcase_add_test(tc, what_becomes_of_the_reply_is_for_the_front_end);
    tcase_add_test(tc, rules_are_shown_with_their_hits);
    tcase_add_test(tc, one_rule_is_taken_away);
}

UNIT_TESTS(fault_rules, add_tests)
