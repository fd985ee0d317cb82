/* The work between requests: each kind is done when it falls due, in steps that are bounded, and
 * what waits for nothing has no due time. */
#include "model/limits.h"
#include "support/offline_server.h"
#include "unit.h"

#define NEVER INT64_MAX
#define MANY  120 /* tables with streams: more than a step visits */

static struct offline_server server;

static void open_server(int64_t transition_ms, int64_t ttl_sweep_ms)
{
    offline_server_open(&server, arena,
                        &(struct offline_options){.settings = {.transition_ms = transition_ms,
                                                               .ttl_sweep_ms = ttl_sweep_ms}});
}

static void send(const char *operation, const char *body)
{
    struct span answer;

    ck_assert_msg(offline_server_send(&server, span_of(operation), span_of(body), &answer) == 200,
                  "%s %s: %.*s", operation, body, SPAN_ARG(answer));
}

/* Does what is due and returns how many steps that took. */
static int run_jobs(void)
{
    int steps = 1;

    while (dispatch_idle(server.dispatcher))
        steps++;
    return steps;
}

static int64_t due_ms(void)
{
    return dispatch_due_ms(server.dispatcher);
}

static void move_to(int64_t ms)
{
    clock_advance(server.clock, ms - clock_now_ms(server.clock));
}

static void create_table(const char *name, const char *more)
{
    send("CreateTable", offline_server_table_of(arena, name, more));
}

static void put(const char *table, const char *attributes)
{
    send("PutItem", arena_printf(arena, "{\"TableName\":\"%s\",\"Item\":{\"pk\":{\"S\":\"a\"}%s}}",
                                 table, attributes));
}

static void enable_ttl(const char *table)
{
    send("UpdateTimeToLive",
         arena_printf(arena,
                      "{\"TableName\":\"%s\",\"TimeToLiveSpecification\":{\"AttributeName\":\"t\","
                      "\"Enabled\":true}}",
                      table));
}

static int64_t item_count(const char *table)
{
    return store_stats(server.store, store_table(server.store, span_of(table))->space).entries;
}

/* --- due times -------------------------------------------------------------------------------- */

START_TEST(nothing_is_due_where_nothing_waits)
{
    open_server(0, 1000);
    run_jobs(); /* each job has looked once */
    ck_assert_int_eq(due_ms(), NEVER);
    create_table("Plain", "");
    put("Plain", ",\"t\":{\"N\":\"5\"}");
    ck_assert_int_eq(due_ms(), NEVER);
    send("DeleteTable", "{\"TableName\":\"Plain\"}");
    ck_assert_int_eq(due_ms(), OFFLINE_NOW_MS); /* there is something to clear away */
    run_jobs();
    ck_assert_int_eq(due_ms(), NEVER);
    offline_server_close(&server);
}
END_TEST

START_TEST(states_end_at_their_moment)
{
    open_server(500, 1000);
    run_jobs();
    create_table("First", "");
    clock_advance(server.clock, 100);
    create_table("Second", "");
    ck_assert_int_eq(due_ms(), OFFLINE_NOW_MS + 500);
    move_to(OFFLINE_NOW_MS + 500);
    run_jobs();
    ck_assert_int_eq(store_table(server.store, SPAN_LIT("First"))->status, STATUS_ACTIVE);
    ck_assert_int_eq(store_table(server.store, SPAN_LIT("Second"))->status, STATUS_CREATING);
    ck_assert_int_eq(due_ms(), OFFLINE_NOW_MS + 600);
    move_to(OFFLINE_NOW_MS + 600);
    run_jobs();
    ck_assert_int_eq(store_table(server.store, SPAN_LIT("Second"))->status, STATUS_ACTIVE);
    ck_assert_int_eq(due_ms(), NEVER);
    offline_server_close(&server);
}
END_TEST

START_TEST(tokens_are_forgotten_when_their_life_ends)
{
    open_server(0, 1000);
    create_table("Items", "");
    run_jobs();
    send("TransactWriteItems",
         "{\"ClientRequestToken\":\"one\",\"TransactItems\":[{\"Put\":{\"TableName\":\"Items\","
         "\"Item\":{\"pk\":{\"S\":\"a\"}}}}]}");
    ck_assert_int_eq(due_ms(), OFFLINE_NOW_MS + LIMIT_TOKEN_LIFE_MS);
    move_to(due_ms() - 1);
    run_jobs();
    ck_assert_int_eq(store_stats(server.store, 1).entries, 1);
    move_to(due_ms());
    run_jobs();
    ck_assert_int_eq(store_stats(server.store, 1).entries, 0);
    ck_assert_int_eq(due_ms(), NEVER);
    offline_server_close(&server);
}
END_TEST

START_TEST(a_read_only_server_waits_for_nothing)
{
    open_server(500, 1000);
    create_table("Items", "");
    server.settings.read_only = true;
    ck_assert_int_eq(due_ms(), NEVER);
    ck_assert(!dispatch_idle(server.dispatcher));
    offline_server_close(&server);
}
END_TEST

/* --- expiry ----------------------------------------------------------------------------------- */

static const struct {
    int64_t lag_ms, after_ms; /* --ttl-sweep-ms; from the time to live to the deletion */
} lags[] = {{1, 1000}, {1000, 1000}, {60000, 60000}};

START_TEST(an_item_goes_soon_after_its_time)
{
    int64_t end_ms = OFFLINE_NOW_MS + 10000;

    open_server(0, lags[_i].lag_ms);
    create_table("Items", "");
    enable_ttl("Items");
    run_jobs();
    ck_assert_int_eq(due_ms(), NEVER);
    put("Items", arena_printf(arena, ",\"t\":{\"N\":\"%lld\"}", (long long)(end_ms / 1000)));
    ck_assert_int_eq(due_ms(), end_ms + lags[_i].after_ms);
    move_to(due_ms() - 1);
    run_jobs();
    ck_assert_int_eq(item_count("Items"), 1);
    move_to(due_ms());
    run_jobs();
    ck_assert_int_eq(item_count("Items"), 0);
    ck_assert_int_eq(due_ms(), NEVER);
    offline_server_close(&server);
}
END_TEST

START_TEST(items_stay_where_nothing_is_to_expire)
{
    open_server(0, 0);
    create_table("Items", "");
    enable_ttl("Items");
    put("Items", ",\"t\":{\"N\":\"1699999999\"}");
    run_jobs();
    ck_assert_int_eq(due_ms(), NEVER);
    ck_assert_int_eq(item_count("Items"), 1);
    offline_server_close(&server);
}
END_TEST

/* What a walk that is under way has passed is found all the same. */
START_TEST(what_comes_behind_a_walk_is_not_lost)
{
    open_server(0, 1000);
    for (char name[] = "Table-a"; name[6] <= 'f'; name[6]++) {
        create_table(name, "");
        enable_ttl(name);
        put(name, ",\"t\":{\"N\":\"1700000005\"}");
    }
    run_jobs();
    move_to(OFFLINE_NOW_MS + 6000);
    while (item_count("Table-c")) /* one table a step */
        ck_assert(dispatch_idle(server.dispatcher));
    put("Table-a", ",\"t\":{\"N\":\"1700000007\"}");
    run_jobs();
    ck_assert_int_eq(item_count("Table-f"), 0);
    ck_assert_int_eq(due_ms(), OFFLINE_NOW_MS + 8000);
    move_to(due_ms());
    run_jobs();
    ck_assert_int_eq(item_count("Table-a"), 0);
    offline_server_close(&server);
}
END_TEST

START_TEST(expired_items_go_a_few_at_a_time)
{
    int64_t before;

    open_server(0, 1000);
    create_table("Items", "");
    enable_ttl("Items");
    for (int i = 0; i < 300; i++)
        send("PutItem", arena_printf(arena,
                                     "{\"TableName\":\"Items\",\"Item\":{\"pk\":{\"S\":\"%d\"},"
                                     "\"t\":{\"N\":\"%d\"}}}",
                                     i, 1600000000 + i % 7));
    do {
        before = item_count("Items");
        dispatch_idle(server.dispatcher);
        ck_assert_int_le(before - item_count("Items"), 50);
    } while (item_count("Items"));
    run_jobs();
    ck_assert_int_eq(due_ms(), NEVER);
    offline_server_close(&server);
}
END_TEST

/* --- streams ---------------------------------------------------------------------------------- */

static int64_t stream_count(void)
{
    return store_stats(server.store, 2).entries;
}

static void make_streams(void)
{
    for (int i = 0; i < MANY; i++) {
        const char *name = arena_printf(arena, "Stream-%03d", i);

        create_table(name, ",\"StreamSpecification\":{\"StreamEnabled\":true,"
                           "\"StreamViewType\":\"NEW_IMAGE\"}");
        put(name, "");
    }
}

static int64_t count_records(void)
{
    int64_t count = 0;

    for (int i = 0; i < MANY; i++) {
        struct span name = span_of(arena_printf(arena, "Stream-%03d", i));

        count += store_stats(server.store, store_table(server.store, name)->stream_space).entries;
    }
    return count;
}

START_TEST(records_go_a_day_after_they_came)
{
    open_server(0, 1000);
    make_streams();
    run_jobs();
    ck_assert_int_ge(due_ms(), OFFLINE_NOW_MS + LIMIT_STREAM_RETENTION_MS);
    ck_assert_int_le(due_ms(), OFFLINE_NOW_MS + LIMIT_STREAM_RETENTION_MS + 1);
    move_to(OFFLINE_NOW_MS + LIMIT_STREAM_RETENTION_MS + 1);
    ck_assert_int_ge(run_jobs(), MANY / 50);
    ck_assert_int_eq(count_records(), 0);
    ck_assert_int_eq(due_ms(), NEVER);
    offline_server_close(&server);
}
END_TEST

START_TEST(no_record_goes_before_its_day_is_over)
{
    open_server(0, 1000);
    make_streams();
    move_to(OFFLINE_NOW_MS + LIMIT_STREAM_RETENTION_MS);
    run_jobs();
    ck_assert_int_eq(count_records(), MANY);
    offline_server_close(&server);
}
END_TEST

START_TEST(closed_streams_go_some_at_a_time)
{
    int64_t before;

    open_server(0, 1000);
    make_streams();
    for (int i = 0; i < MANY; i++)
        send("DeleteTable", arena_printf(arena, "{\"TableName\":\"Stream-%03d\"}", i));
    run_jobs();
    ck_assert_int_eq(stream_count(), MANY);
    move_to(OFFLINE_NOW_MS + LIMIT_STREAM_RETENTION_MS + 1);
    do {
        before = stream_count();
        ck_assert(dispatch_idle(server.dispatcher));
        ck_assert_int_le(before - stream_count(), 50);
    } while (stream_count());
    run_jobs();
    ck_assert_int_eq(due_ms(), NEVER);
    offline_server_close(&server);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, nothing_is_due_where_nothing_waits);
    tcase_add_test(tc, states_end_at_their_moment);
    tcase_add_test(tc, tokens_are_forgotten_when_their_life_ends);
    tcase_add_test(tc, a_read_only_server_waits_for_nothing);
    tcase_add_loop_test(tc, an_item_goes_soon_after_its_time, 0, COUNT(lags));
    tcase_add_test(tc, items_stay_where_nothing_is_to_expire);
    tcase_add_test(tc, what_comes_behind_a_walk_is_not_lost);
    tcase_add_test(tc, expired_items_go_a_few_at_a_time);
    tcase_add_test(tc, records_go_a_day_after_they_came);
    tcase_add_test(tc, no_record_goes_before_its_day_is_over);
    tcase_add_test(tc, closed_streams_go_some_at_a_time);
}

UNIT_TESTS(jobs, add_tests)
