/* Reads that are behind, and streams that are late or repeat themselves: rules of faults whose
 * effects follow from what was written before. */
#include "faults/faults.h"
#include "unit_table.h"

#define ITEM(k, v)  "{" T ",\"Item\":{\"pk\":{\"S\":\"" k "\"},\"v\":{\"S\":\"" v "\"}}}"
#define ENTRY(k, g) "{" T ",\"Item\":{\"pk\":{\"S\":\"" k "\"},\"g\":{\"S\":\"" g "\"}}}"
#define GET(k)      "{" T ",\"Key\":" KEY(k) "}"
#define FOUND(k, v) "{\"Item\":{\"pk\":{\"S\":\"" k "\"},\"v\":{\"S\":\"" v "\"}}}"
#define COUNT_OF_G                                                          \
    "{" T ",\"IndexName\":\"byG\",\"Select\":\"COUNT\","                    \
    "\"KeyConditionExpression\":\"g = :g\",\"ExpressionAttributeValues\":{" \
    "\":g\":{\"S\":\"g\"}}}"

static struct faults *faults;

static int try_send(const char *operation, const char *body, const char **answer)
{
    struct span reply;
    int status;

    dispatch_set_faults(server.dispatcher, faults_point(faults));
    status = offline_server_send(&server, span_of(operation), span_of(body), &reply);
    *answer = arena_text(arena, reply);
    return status;
}

static const char *send(const char *operation, const char *body)
{
    const char *answer;

    ck_assert_msg(try_send(operation, body, &answer) == 200, "%s: %s", operation, answer);
    return answer;
}

static void open_with(const char *rule, const char *more)
{
    const char *rules = arena_printf(arena, "{\"rules\":[%s]}", rule);

    unit_open_table(more);
    faults = faults_new();
    ck_assert_ptr_null(faults_add(faults, arena, span_of(rules), ""));
}

static void close_server(void)
{
    offline_server_close(&server);
    faults_free(faults);
}

/* --- items ------------------------------------------------------------------------------------ */

START_TEST(a_stale_read_shows_the_previous_image)
{
    open_with("{\"stale\":true}", "");
    send("PutItem", ITEM("a", "1"));
    ck_assert_str_eq(send("GetItem", GET("a")), "{}");
    send("PutItem", ITEM("a", "2"));
    send("PutItem", ITEM("a", "2")); /* changes nothing */
    ck_assert_str_eq(send("GetItem", GET("a")), FOUND("a", "1"));
    ck_assert_str_eq(send("GetItem", "{" T ",\"ConsistentRead\":true,\"Key\":" KEY("a") "}"),
                     FOUND("a", "2"));
    ck_assert_str_eq(send("BatchGetItem", "{\"RequestItems\":{\"Tab\":{\"Keys\":[" KEY("a") "]}}}"),
                     "{\"Responses\":{\"Tab\":[{\"pk\":{\"S\":\"a\"},\"v\":{\"S\":\"1\"}}]},"
                     "\"UnprocessedKeys\":{}}");
    send("DeleteItem", GET("a"));
    ck_assert_str_eq(send("GetItem", GET("a")), FOUND("a", "2"));
    close_server();
}
END_TEST

START_TEST(a_stale_read_shows_what_there_was_so_long_ago)
{
    open_with("{\"stale\":\"2s\"}", "");
    send("PutItem", ITEM("a", "1"));
    clock_advance(server.clock, 2000);
    ck_assert_str_eq(send("GetItem", GET("a")), FOUND("a", "1"));
    send("PutItem", ITEM("a", "2"));
    clock_advance(server.clock, 1000);
    send("PutItem", ITEM("a", "3"));
    ck_assert_str_eq(send("GetItem", GET("a")), FOUND("a", "1"));
    clock_advance(server.clock, 1000);
    ck_assert_str_eq(send("GetItem", GET("a")), FOUND("a", "2"));
    clock_advance(server.clock, 1000);
    ck_assert_str_eq(send("GetItem", GET("a")), FOUND("a", "3"));
    close_server();
}
END_TEST

START_TEST(what_was_undone_was_never_there)
{
    const char *answer;

    open_with("{\"stale\":true}", "");
    send("PutItem", ITEM("a", "1"));
    send("PutItem", ITEM("a", "2"));
    ck_assert_int_eq(
        try_send("TransactWriteItems",
                 "{\"TransactItems\":[{\"Put\":" ITEM(
                     "a", "3") "},{\"ConditionCheck\":{" T
                               ",\"Key\":" KEY(
                                   "b") ",\"ConditionExpression\":\"attribute_exists(pk)\"}}]}",
                 &answer),
        400);
    ck_assert_str_eq(send("GetItem", GET("a")), FOUND("a", "1"));
    close_server();
}
END_TEST

START_TEST(a_thousand_images_are_kept)
{
    open_with("{\"stale\":true}", "");
    send("PutItem", ITEM("first", "1"));
    for (int i = 0; i < 1000; i++)
        send("PutItem", arena_printf(arena, "{" T ",\"Item\":{\"pk\":{\"S\":\"%d\"}}}", i));
    ck_assert_str_eq(send("GetItem", GET("first")), FOUND("first", "1"));
    ck_assert_str_eq(send("GetItem", GET("0")), "{}");
    close_server();
}
END_TEST

START_TEST(another_store_has_no_past)
{
    open_with("{\"stale\":true}", "");
    send("PutItem", ITEM("a", "1"));
    dispatch_set_store(server.dispatcher, server.store);
    ck_assert_str_eq(send("GetItem", GET("a")), FOUND("a", "1"));
    close_server();
}
END_TEST

START_TEST(without_a_rule_that_looks_back_nothing_is_noted)
{
    open_with("{\"delay\":1}", "");
    ck_assert_ptr_null(faults_point(faults)->past);
    faults_clear(faults);
    ck_assert_ptr_null(faults_add(faults, arena, SPAN_LIT("{\"rules\":[{\"index_lag\":1}]}"), ""));
    ck_assert_ptr_nonnull(faults_point(faults)->past);
    close_server();
}
END_TEST

/* --- indexes ---------------------------------------------------------------------------------- */

START_TEST(entries_of_a_global_index_come_late)
{
    open_with("{\"index_lag\":\"1s\"}", "");
    send("PutItem", ENTRY("a", "g"));
    send("PutItem", ENTRY("b", "other"));
    ck_assert_str_eq(send("Query", COUNT_OF_G), "{\"Count\":0,\"ScannedCount\":0}");
    clock_advance(server.clock, 999);
    ck_assert_str_eq(send("Query", COUNT_OF_G), "{\"Count\":0,\"ScannedCount\":0}");
    clock_advance(server.clock, 1);
    send("PutItem", ENTRY("b", "g")); /* its entry moves, and is young again */
    ck_assert_str_eq(send("Query", COUNT_OF_G), "{\"Count\":1,\"ScannedCount\":1}");
    ck_assert_str_eq(send("Scan", "{" T ",\"IndexName\":\"byG\",\"Select\":\"COUNT\"}"),
                     "{\"Count\":1,\"ScannedCount\":1}");
    ck_assert_str_eq(send("Scan", "{" T ",\"Select\":\"COUNT\"}"),
                     "{\"Count\":2,\"ScannedCount\":2}");
    clock_advance(server.clock, 1000);
    ck_assert_str_eq(send("Query", COUNT_OF_G), "{\"Count\":2,\"ScannedCount\":2}");
    close_server();
}
END_TEST

/* --- streams ---------------------------------------------------------------------------------- */

#define STREAM ",\"StreamSpecification\":{\"StreamEnabled\":true,\"StreamViewType\":\"KEYS_ONLY\"}"

static const wire_node *ask(const char *operation, const char *body)
{
    const wire_node *answer;

    ck_assert_ptr_null(wire_parse(arena, span_of(send(operation, body)), &answer));
    return answer;
}

static const char *text_of(const wire_node *node, const char *member)
{
    return arena_text(arena, wire_text(wire_get(node, member)));
}

static const char *first_iterator(void)
{
    const char *arn = text_of(wire_first(wire_get(ask("ListStreams", "{}"), "Streams")),
                              "StreamArn");
    const wire_node *stream = wire_get(
        ask("DescribeStream", arena_printf(arena, "{\"StreamArn\":\"%s\"}", arn)),
        "StreamDescription");
    const char *shard = text_of(wire_first(wire_get(stream, "Shards")), "ShardId");

    return text_of(ask("GetShardIterator", arena_printf(arena,
                                                        "{\"StreamArn\":\"%s\",\"ShardId\":\"%s\","
                                                        "\"ShardIteratorType\":\"TRIM_HORIZON\"}",
                                                        arn, shard)),
                   "ShardIterator");
}

/* The keys of the page's records; *iterator goes on, to NULL at the shard's end. */
static const char *read_page(const char **iterator, int limit)
{
    const wire_node *answer = ask(
        "GetRecords",
        arena_printf(arena, "{\"ShardIterator\":\"%s\",\"Limit\":%d}", *iterator, limit));
    const wire_node *next = wire_get(answer, "NextShardIterator");
    struct buf keys = buf_in(arena);

    for (const wire_node *n = wire_first(wire_get(answer, "Records")); n; n = wire_next(n)) {
        const wire_node *key = wire_get(wire_get(wire_get(n, "dynamodb"), "Keys"), "pk");

        buf_printf(&keys, "%s", text_of(key, "S"));
    }
    *iterator = next ? arena_text(arena, wire_text(next)) : NULL;
    return buf_text(&keys);
}

START_TEST(records_appear_only_after_a_time)
{
    const char *iterator;

    open_with("{\"table\":\"Tab\",\"operation\":\"GetRecords\",\"stream_late\":\"10s\"}", STREAM);
    send("PutItem", ITEM("a", "1"));
    clock_advance(server.clock, 5000);
    send("PutItem", ITEM("b", "1"));
    iterator = first_iterator();
    ck_assert_str_eq(read_page(&iterator, 9), "");
    clock_advance(server.clock, 5000);
    ck_assert_str_eq(read_page(&iterator, 9), "a");
    ck_assert_str_eq(read_page(&iterator, 9), "");
    send("DeleteTable", "{" T "}");
    ck_assert_str_eq(read_page(&iterator, 9), "");
    clock_advance(server.clock, 5000);
    ck_assert_str_eq(read_page(&iterator, 9), "b");
    ck_assert_ptr_null(iterator);
    close_server();
}
END_TEST

START_TEST(records_are_delivered_twice)
{
    const char *iterator;

    open_with("{\"stream_twice\":true,\"table\":\"Tab\"}", STREAM);
    send("PutItem", ITEM("a", "1"));
    send("PutItem", ITEM("b", "1"));
    send("PutItem", ITEM("c", "1"));
    iterator = first_iterator();
    ck_assert_str_eq(read_page(&iterator, 2), "ab");
    ck_assert_str_eq(read_page(&iterator, 2), "ab");
    ck_assert_str_eq(read_page(&iterator, 2), "c");
    send("DeleteTable", "{" T "}");
    ck_assert_str_eq(read_page(&iterator, 2), "c");
    ck_assert_ptr_null(iterator);
    close_server();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_stale_read_shows_the_previous_image);
    tcase_add_test(tc, a_stale_read_shows_what_there_was_so_long_ago);
    tcase_add_test(tc, what_was_undone_was_never_there);
    tcase_add_test(tc, a_thousand_images_are_kept);
    tcase_add_test(tc, another_store_has_no_past);
    tcase_add_test(tc, without_a_rule_that_looks_back_nothing_is_noted);
    tcase_add_test(tc, entries_of_a_global_index_come_late);
    tcase_add_test(tc, records_appear_only_after_a_time);
    tcase_add_test(tc, records_are_delivered_twice);
}

UNIT_TESTS(fault_behind, add_tests)
