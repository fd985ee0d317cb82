/* Throttled tables on a clock that stands until it is moved. */
#include "ops/throttle/throttle.h"
#include "support/offline_server.h"
#include "unit.h"

static struct offline_server server;
static struct throttle *throttle;

static void start(bool empty, const struct span *tables, size_t table_count)
{
    const struct throttle_rules rules = {
        .on = true, .empty = empty, .tables = tables, .table_count = table_count};

    throttle_set(throttle, &rules, clock_now_ms(server.clock));
    dispatch_set_throttle(server.dispatcher, throttle);
}

static void set_up(void)
{
    offline_server_open(&server, arena, &(struct offline_options){.seed = 1});
    throttle = throttle_new();
}

static void tear_down(void)
{
    offline_server_close(&server);
    throttle_free(throttle);
}

static int send(const char *operation, const char *body, const char **answer)
{
    struct span text;
    int status = offline_server_send(&server, span_of(operation), span_of(body), &text);

    *answer = arena_text(arena, text);
    return status;
}

#define CREATE(name, more)                                                                      \
    "{\"TableName\":\"" name "\",\"AttributeDefinitions\":[{\"AttributeName\":\"pk\","          \
    "\"AttributeType\":\"S\"}],\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}]" \
    "," more "}"
#define UNITS(reads, writes) \
    "\"ProvisionedThroughput\":{\"ReadCapacityUnits\":" reads ",\"WriteCapacityUnits\":" writes "}"
#define ON_DEMAND "\"BillingMode\":\"PAY_PER_REQUEST\""

static void create(const char *body)
{
    const char *answer;

    ck_assert_msg(send("CreateTable", body, &answer) == 200, "%s", answer);
}

/* Puts an item that takes so many units; NULL, or the first reason for which it was refused. */
static const char *put(const char *table, const char *key, size_t units)
{
    size_t len = units * 1024 - 8 - strlen(key);
    char *filler = arena_alloc(arena, len + 1);
    const char *answer, *reason;

    memset(filler, 'x', len);
    if (send("PutItem",
             arena_printf(arena,
                          "{\"TableName\":\"%s\",\"Item\":{\"pk\":{\"S\":\"%s\"},"
                          "\"v\":{\"S\":\"%s\"}}}",
                          table, key, filler),
             &answer) == 200)
        return NULL;
    reason = strstr(answer, "\"reason\":\"");
    ck_assert_msg(reason, "%s", answer);
    reason += strlen("\"reason\":\"");
    return arena_text(arena, (struct span){reason, strcspn(reason, "\"")});
}

/* How many writes of 100 units, each to a partition of its own, are done before one is refused. */
static size_t count_puts(const char *table, const char **reason)
{
    size_t done = 0;

    while (done < 1000 && !(*reason = put(table, arena_printf(arena, "k%zu", done), 100)))
        done++;
    return done;
}

START_TEST(only_the_tables_that_are_named_are_throttled)
{
    const struct span tables[] = {SPAN_LIT_INIT("One")};

    create(CREATE("One", UNITS("1", "1")));
    create(CREATE("Two", UNITS("1", "1")));
    start(true, tables, 1);
    ck_assert_str_eq(put("One", "a", 1), "TableWriteProvisionedThroughputExceeded");
    ck_assert_ptr_null(put("Two", "a", 1));
    dispatch_set_throttle(server.dispatcher, NULL);
    ck_assert_ptr_null(put("One", "a", 1));
}
END_TEST

/* An index that is being filled costs nothing for items that its backfill has not reached. */
START_TEST(an_index_is_charged_from_its_backfill_on)
{
    const char *answer;

    create(CREATE("Tab", ON_DEMAND));
    ck_assert_ptr_null(put("Tab", "a", 1));
    server.settings.transition_ms = 1000;
    ck_assert_int_eq(
        send("UpdateTable",
             "{\"TableName\":\"Tab\",\"AttributeDefinitions\":[{\"AttributeName\":\"g\","
             "\"AttributeType\":\"S\"}],\"GlobalSecondaryIndexUpdates\":[{\"Create\":{"
             "\"IndexName\":\"byG\",\"KeySchema\":[{\"AttributeName\":\"g\",\"KeyType\":"
             "\"HASH\"}],\"Projection\":{\"ProjectionType\":\"ALL\"}}}]}",
             &answer),
        200);
    start(false, NULL, 0);
    for (int filled = 0; filled < 2; filled++) {
        ck_assert_int_eq(
            send("PutItem",
                 arena_printf(arena,
                              "{\"TableName\":\"Tab\",\"ReturnConsumedCapacity\":\"INDEXES\","
                              "\"Item\":{\"pk\":{\"S\":\"b\"},\"g\":{\"S\":\"%d\"}}}",
                              filled),
                 &answer),
            200);
        ck_assert_msg((strstr(answer, "byG") != NULL) == filled, "%s", answer);
        clock_advance(server.clock, 2000);
        while (dispatch_idle(server.dispatcher))
            ;
    }
}
END_TEST

START_TEST(rules_that_are_set_anew_begin_anew)
{
    create(CREATE("T01", UNITS("1", "1")));
    start(false, NULL, 0);
    ck_assert_ptr_null(put("T01", "a", 300));
    ck_assert_str_eq(put("T01", "a", 1), "TableWriteProvisionedThroughputExceeded");
    start(false, NULL, 0);
    ck_assert_ptr_null(put("T01", "a", 300));
}
END_TEST

/* A table of 2000 units has two partitions at least; each gives 1000 in a second. */
START_TEST(one_partition_takes_what_others_leave_up_to_its_own_limit)
{
    create(CREATE("T01", UNITS("1", "2000")));
    start(true, NULL, 0);
    clock_advance(server.clock, 1000);
    for (int i = 0; i < 10; i++)
        ck_assert_ptr_null(put("T01", "hot", 100));
    ck_assert_str_eq(put("T01", "hot", 100), "TableWriteKeyRangeThroughputExceeded");
    clock_advance(server.clock, 100);
    ck_assert_ptr_null(put("T01", "hot", 100));
}
END_TEST

START_TEST(reading_and_writing_share_a_partition)
{
    const char *answer;

    create(CREATE("T01", UNITS("3000", "1000")));
    start(false, NULL, 0);
    ck_assert_ptr_null(put("T01", "hot", 400)); /* 0.4 of a partition */
    for (int i = 0; i < 18; i++)                /* 100 units, a thirtieth, each */
        ck_assert_int_eq(send("GetItem",
                              "{\"TableName\":\"T01\",\"Key\":{\"pk\":{\"S\":\"hot\"}},"
                              "\"ConsistentRead\":true}",
                              &answer),
                         200);
    ck_assert_str_eq(put("T01", "hot", 100), "TableWriteKeyRangeThroughputExceeded");
}
END_TEST

START_TEST(a_new_table_on_demand_has_its_limit)
{
    const char *reason;

    create(CREATE("T01", ON_DEMAND));
    start(false, NULL, 0);
    ck_assert_uint_le(count_puts("T01", &reason), 40);
    ck_assert_str_eq(reason, "TableWriteKeyRangeThroughputExceeded");
}
END_TEST

/* What it takes in a second, when the clock goes on by a tenth of one after each hundred units. */
static size_t take_for_a_second(const char *table, size_t at_once)
{
    size_t done = 0;

    for (int tenth = 0; tenth < 10; tenth++) {
        for (size_t i = 0; i < at_once; i++)
            done += put(table, arena_printf(arena, "k%zu", done), 100) == NULL;
        clock_advance(server.clock, 100);
    }
    return done;
}

START_TEST(half_an_hour_later_there_is_twice_the_peak)
{
    static const char *const tables[] = {"Busy", "Calm", "Steady"};
    size_t done[COUNT(tables)];

    create(CREATE("Busy", ON_DEMAND));
    create(CREATE("Calm", ON_DEMAND));
    create(CREATE("Steady", ON_DEMAND));
    start(true, NULL, 0);
    clock_advance(server.clock, 1000);
    take_for_a_second("Busy", 6);
    for (int i = 0; i < 10; i++) /* seconds do not add up */
        take_for_a_second("Steady", 1);
    for (int i = 0; i < 2; i++) {
        clock_advance(server.clock, LIMIT_PEAK_MS);
        for (size_t t = 0; t < COUNT(tables); t++)
            (void)put(tables[t], "a", 1);
    }
    for (size_t t = 0; t < COUNT(tables); t++) {
        clock_advance(server.clock, 1000);
        done[t] = take_for_a_second(tables[t], 12);
    }
    ck_assert_msg(done[0] > done[1] + done[1] / 4, "%zu and %zu without a peak", done[0], done[1]);
    ck_assert_msg(done[2] < done[1] + done[1] / 8, "%zu and %zu without a peak", done[2], done[1]);
}
END_TEST

START_TEST(the_same_requests_meet_the_same_refusals)
{
    static const char *const tables[] = {"T01", "T02"};
    char seen[2][64] = {"", ""};

    create(CREATE("T01", UNITS("5", "7")));
    create(CREATE("T02", UNITS("5", "7")));
    for (int round = 0; round < 2; round++) {
        start(true, NULL, 0);
        for (int i = 0; i < 60; i++) {
            seen[round][i] = put(tables[round], "a", (size_t)(i % 5) + 1) ? 'n' : 'y';
            clock_advance(server.clock, 370);
        }
    }
    ck_assert_str_eq(seen[0], seen[1]);
    ck_assert_ptr_nonnull(strchr(seen[0], 'n'));
    ck_assert_ptr_nonnull(strchr(seen[0], 'y'));
}
END_TEST

START_TEST(time_that_goes_backwards_gives_nothing)
{
    create(CREATE("T01", UNITS("1", "1")));
    start(true, NULL, 0);
    clock_advance(server.clock, 1000);
    ck_assert_ptr_null(put("T01", "a", 1));
    clock_advance(server.clock, -3600000);
    ck_assert_ptr_nonnull(put("T01", "a", 1));
    clock_advance(server.clock, 1000);
    ck_assert_ptr_null(put("T01", "a", 1));
}
END_TEST

/* Its units do not wait until the clock passes the moment of the rules again. */
START_TEST(a_table_that_is_created_after_the_clock_went_back_gets_units)
{
    start(true, NULL, 0);
    clock_advance(server.clock, -3600000);
    throttle_go_back(throttle, clock_now_ms(server.clock));
    create(CREATE("T01", UNITS("1", "1")));
    clock_advance(server.clock, 1000);
    ck_assert_ptr_null(put("T01", "a", 1));
}
END_TEST

START_TEST(who_looks_on_takes_nothing)
{
    struct request request = {
        .target = SPAN_LIT("DynamoDB_20120810.Scan"),
        .body = SPAN_LIT("{\"TableName\":\"T01\"}"),
        .aside = true,
    };
    struct reply reply;

    create(CREATE("T01", UNITS("1", "1")));
    start(true, NULL, 0);
    dispatch(server.dispatcher, &request, &reply);
    ck_assert_int_eq(reply.status, 200);
}
END_TEST

#define ITEM(table) "{\"TableName\":\"" table "\",\"Item\":{\"pk\":{\"S\":\"a\"}}}"

/* A table that takes as much as a table can is refused for its account. */
START_TEST(at_the_accounts_limit_the_error_is_another)
{
    const char *answer;

    create(CREATE("Big", ON_DEMAND ",\"WarmThroughput\":{\"ReadUnitsPerSecond\":40000,"
                                   "\"WriteUnitsPerSecond\":40000}"));
    start(true, NULL, 0);
    ck_assert_int_eq(send("PutItem", ITEM("Big"), &answer), 400);
    ck_assert_msg(strstr(answer, "#RequestLimitExceeded\""), "%s", answer);
    ck_assert_msg(strstr(answer, "\"TableWriteAccountLimitExceeded\""), "%s", answer);
}
END_TEST

START_TEST(units_and_a_partition_that_are_used_up_are_two_reasons)
{
    const char *answer;

    create(CREATE("T01", UNITS("1", "1000")));
    start(true, NULL, 0);
    clock_advance(server.clock, 1000);
    for (int i = 0; i < 10; i++)
        ck_assert_ptr_null(put("T01", "a", 100));
    ck_assert_int_eq(send("PutItem", ITEM("T01"), &answer), 400);
    ck_assert_msg(strstr(answer, "\"TableWriteProvisionedThroughputExceeded\""), "%s", answer);
    ck_assert_msg(strstr(answer, "\"TableWriteKeyRangeThroughputExceeded\""), "%s", answer);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, only_the_tables_that_are_named_are_throttled);
    tcase_add_test(tc, an_index_is_charged_from_its_backfill_on);
    tcase_add_test(tc, rules_that_are_set_anew_begin_anew);
    tcase_add_test(tc, one_partition_takes_what_others_leave_up_to_its_own_limit);
    tcase_add_test(tc, reading_and_writing_share_a_partition);
    tcase_add_test(tc, at_the_accounts_limit_the_error_is_another);
    tcase_add_test(tc, units_and_a_partition_that_are_used_up_are_two_reasons);
    tcase_add_test(tc, a_new_table_on_demand_has_its_limit);
    tcase_add_test(tc, half_an_hour_later_there_is_twice_the_peak);
    tcase_add_test(tc, the_same_requests_meet_the_same_refusals);
    tcase_add_test(tc, time_that_goes_backwards_gives_nothing);
    tcase_add_test(tc, a_table_that_is_created_after_the_clock_went_back_gets_units);
    tcase_add_test(tc, who_looks_on_takes_nothing);
}

UNIT_TESTS(throttle, add_tests)
