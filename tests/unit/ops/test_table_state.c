/* A read shows the end of a transition that is due; only a write or the job ends it in the store.
 */
#include "support/offline_server.h"
#include "unit.h"

#include "model/schema.h"

#define STATE_MS 5000

static struct offline_server server;

static struct span send(const char *operation, const char *body, int wanted)
{
    struct span answer;
    int status = offline_server_send(&server, span_of(operation), span_of(body), &answer);

    ck_assert_msg(status == wanted, "%s: %.*s", operation, SPAN_ARG(answer));
    return answer;
}

static bool has(struct span text, const char *part)
{
    return strstr(arena_printf(arena, "%.*s", SPAN_ARG(text)), part) != NULL;
}

static const struct table *stored(void)
{
    return store_table(server.store, schema_id(arena, (struct span){"", 0}, SPAN_LIT("Table")));
}

#define NAMED "{\"TableName\":\"Table\"}"
#define KEYED "{\"TableName\":\"Table\",\"Key\":{\"pk\":{\"S\":\"a\"}}}"

static void open_server(void)
{
    offline_server_open(&server, arena,
                        &(struct offline_options){.settings = {.transition_ms = STATE_MS}});
    send("CreateTable", offline_server_table, 200);
}

START_TEST(a_read_ends_no_transition)
{
    const struct table *before;

    open_server();
    clock_advance(server.clock, STATE_MS);
    before = stored();
    ck_assert(has(send("DescribeTable", NAMED, 200), "\"TableStatus\":\"ACTIVE\""));
    send("GetItem", KEYED, 200);
    send("Query",
         "{\"TableName\":\"Table\",\"IndexName\":\"byG\",\"KeyConditionExpression\":\"g = :g\","
         "\"ExpressionAttributeValues\":{\":g\":{\"S\":\"x\"}}}",
         200);
    ck_assert_ptr_eq(stored(), before);
    ck_assert_int_eq(stored()->status, STATUS_CREATING);
    send("PutItem", "{\"TableName\":\"Table\",\"Item\":{\"pk\":{\"S\":\"a\"}}}", 200);
    ck_assert_int_eq(stored()->status, STATUS_ACTIVE);
    offline_server_close(&server);
}
END_TEST

START_TEST(a_read_does_not_find_what_is_deleted_by_now)
{
    open_server();
    clock_advance(server.clock, STATE_MS);
    send("DeleteTable", NAMED, 200);
    ck_assert(has(send("DescribeTable", NAMED, 200), "\"TableStatus\":\"DELETING\""));
    clock_advance(server.clock, STATE_MS);
    ck_assert(has(send("DescribeTable", NAMED, 400), "ResourceNotFoundException"));
    ck_assert(has(send("GetItem", KEYED, 400), "ResourceNotFoundException"));
    ck_assert(has(send("ListTables", "{}", 200), "\"TableNames\":[]"));
    ck_assert_ptr_nonnull(stored());
    send("CreateTable", offline_server_table, 200);
    ck_assert_int_eq(stored()->status, STATUS_CREATING);
    offline_server_close(&server);
}
END_TEST

START_TEST(a_read_of_a_table_without_its_deleted_index)
{
    open_server();
    clock_advance(server.clock, STATE_MS);
    send("UpdateTable",
         "{\"TableName\":\"Table\",\"GlobalSecondaryIndexUpdates\":[{\"Delete\":{\"IndexName\":"
         "\"byG\"}}]}",
         200);
    clock_advance(server.clock, STATE_MS);
    ck_assert(!has(send("DescribeTable", NAMED, 200), "byG"));
    ck_assert_uint_eq(stored()->index_count, 1);
    send("PutItem", "{\"TableName\":\"Table\",\"Item\":{\"pk\":{\"S\":\"a\"}}}", 200);
    ck_assert_uint_eq(stored()->index_count, 0);
    offline_server_close(&server);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_read_ends_no_transition);
    tcase_add_test(tc, a_read_does_not_find_what_is_deleted_by_now);
    tcase_add_test(tc, a_read_of_a_table_without_its_deleted_index);
}

UNIT_TESTS(table_state, add_tests)
