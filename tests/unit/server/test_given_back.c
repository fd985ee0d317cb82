/* What a world holds beside its tables goes with what it is of, and is bounded however long it is
 * used. */
#include "dispatch/metering.h"
#include "model/key.h"
#include "model/limits.h"
#include "ops/kinesis/kinesis_sink.h"
#include "store/vectors.h"
#include "support/memory_in_use.h"
#include "support/offline_server.h"
#include "unit.h"

#define HOUR_MS ((int64_t)60 * 60 * 1000)

static struct offline_server server;

static void open_server(const struct settings *settings)
{
    offline_server_open(&server, arena,
                        &(struct offline_options){.seed = 1, .settings = *settings});
}

static void send(const char *operation, const char *body)
{
    struct span answer;

    ck_assert_msg(offline_server_send(&server, span_of(operation), span_of(body), &answer) == 200,
                  "%s %s: %.*s", operation, body, SPAN_ARG(answer));
}

static void run_jobs(void)
{
    while (dispatch_idle(server.dispatcher))
        continue;
}

static void create_table(const char *name, const char *more)
{
    send("CreateTable", offline_server_table_of(arena, name, more));
}

static void put(const char *table, int key, int n)
{
    send("PutItem", arena_printf(arena,
                                 "{\"TableName\":\"%s\",\"Item\":{\"pk\":{\"S\":\"%d\"},"
                                 "\"v\":{\"L\":[{\"N\":\"%d\"},{\"N\":\"1\"}]}}}",
                                 table, key, n));
}

static const struct table *find(const char *name)
{
    return store_table(server.store, span_of(name));
}

static int64_t entries(uint32_t space)
{
    return store_stats(server.store, space).entries;
}

/* --- vectors ---------------------------------------------------------------------------------- */

static const char two_indexes[] =
    ",\"VectorIndexes\":[{\"IndexName\":\"one\",\"VectorAttribute\":{\"AttributeName\":\"v\"},"
    "\"Projection\":{\"ProjectionType\":\"ALL\"},\"Dimensions\":2,"
    "\"DistanceFunction\":\"COSINE\"},{\"IndexName\":\"two\",\"VectorAttribute\":"
    "{\"AttributeName\":\"v\"},\"Projection\":{\"ProjectionType\":\"ALL\"},\"Dimensions\":2,"
    "\"DistanceFunction\":\"EUCLIDEAN\"}]";

static void search(const char *index)
{
    send("SearchVectors", arena_printf(arena,
                                       "{\"TableName\":\"T01\",\"IndexName\":\"%s\",\"TopK\":1,"
                                       "\"SearchVector\":[{\"N\":\"1\"},{\"N\":\"2\"}]}",
                                       index));
}

static bool has_vectors(uint32_t space)
{
    return vectors_find(store_vectors(server.store), space) != NULL;
}

START_TEST(vectors_go_with_their_index_and_their_table)
{
    uint32_t one, two;

    open_server(&(struct settings){.transition_ms = 0});
    create_table("T01", two_indexes);
    for (int n = 0; n < 10; n++)
        put("T01", n, n);
    one = find("T01")->indexes[0].space;
    two = find("T01")->indexes[1].space;
    ck_assert(!has_vectors(one)); /* nobody has searched yet */
    search("one");
    search("two");
    ck_assert(has_vectors(one) && has_vectors(two));
    send("UpdateTable",
         "{\"TableName\":\"T01\",\"VectorIndexUpdates\":[{\"Delete\":{\"IndexName\":\"one\"}}]}");
    run_jobs();
    ck_assert(!has_vectors(one) && has_vectors(two));
    send("DeleteTable", "{\"TableName\":\"T01\"}");
    run_jobs();
    ck_assert(!has_vectors(two));
    offline_server_close(&server);
}
END_TEST

/* --- what is on its way ----------------------------------------------------------------------- */

#define WRITES 500
#define ITEMS  50

/* A table with a replica that lags by hours, and the spaces of what is on its way there. */
static void open_with_replica(uint32_t *log, uint32_t *latest)
{
    open_server(&(struct settings){.regional = true, .replica_lag_ms = 3 * HOUR_MS});
    create_table("T01", "");
    send("UpdateTable", "{\"TableName\":\"T01\",\"ReplicaUpdates\":[{\"Create\":"
                        "{\"RegionName\":\"eu-west-1\"}}]}");
    run_jobs();
    *log = find("T01")->global.log_space;
    *latest = find("T01")->global.latest_space;
}

START_TEST(what_was_on_its_way_for_hours_leaves_nothing)
{
    uint32_t log, latest;

    open_with_replica(&log, &latest);
    for (int n = 0; n < WRITES; n++)
        put("T01", n % ITEMS, n);
    run_jobs();
    ck_assert_int_eq(entries(log), WRITES);
    ck_assert_int_eq(entries(latest), ITEMS);
    clock_advance(server.clock, 3 * HOUR_MS);
    run_jobs();
    ck_assert_int_eq(entries(log), 0);
    ck_assert_int_eq(entries(latest), 0);
    offline_server_close(&server);
}
END_TEST

START_TEST(what_is_on_its_way_goes_with_the_last_replica)
{
    uint32_t log, latest;

    open_with_replica(&log, &latest);
    put("T01", 1, 1);
    send("UpdateTable", "{\"TableName\":\"T01\",\"ReplicaUpdates\":[{\"Delete\":"
                        "{\"RegionName\":\"eu-west-1\"}}]}");
    run_jobs();
    ck_assert_int_eq(entries(log) + entries(latest), 0);
    ck_assert_uint_eq(find("T01")->global.log_space, 0);
    offline_server_close(&server);
}
END_TEST

static int taken;

static void take(struct kinesis_sink *self, const struct kinesis_record *record)
{
    (void)self;
    taken += record->json.len > 0;
}

START_TEST(records_that_were_handed_on_are_gone)
{
    struct kinesis_sink sink = {.put = take};

    open_server(&(struct settings){.kinesis_sink = &sink});
    create_table("T01", "");
    send("EnableKinesisStreamingDestination",
         "{\"TableName\":\"T01\",\"StreamArn\":"
         "\"arn:aws:kinesis:us-east-1:000000000000:stream/orders\"}");
    run_jobs();
    for (int n = 0; n < WRITES; n++)
        put("T01", n, n);
    ck_assert_int_eq(entries(KEY_SPACE_OUTBOX), WRITES);
    run_jobs();
    ck_assert_int_eq(entries(KEY_SPACE_OUTBOX), 0);
    ck_assert_int_eq(taken, WRITES);
    offline_server_close(&server);
}
END_TEST

/* --- metrics ---------------------------------------------------------------------------------- */

/* Few enough points that series are forgotten while their tables' calls are still counted. */
#define POINTS 300
#define TABLES 200

START_TEST(metrics_of_tables_that_come_and_go_are_bounded)
{
    struct metrics *m = metrics_new(POINTS);
    struct metering *metering = metering_new(m);
    size_t series = 0;

    open_server(&(struct settings){.transition_ms = 0});
    dispatch_observe(server.dispatcher, metering_observer(metering));
    create_table("kept", "");
    for (int n = 0; n < TABLES; n++) {
        const char *name = arena_printf(arena, "table-%d", n);

        create_table(name, "");
        put(name, n, n);
        put("kept", n, n);
        send("DeleteTable", arena_printf(arena, "{\"TableName\":\"%s\"}", name));
        clock_advance(server.clock, 60000);
        run_jobs();
    }
    while (metrics_at(m, series))
        series++;
    ck_assert_uint_lt(series, POINTS / 10);
    offline_server_close(&server);
    metering_free(metering);
    metrics_free(m);
}
END_TEST

/* One series after the other has most of the points. */
START_TEST(room_for_points_is_given_back)
{
    struct metrics *m = metrics_new(2000);
    size_t before = memory_in_use();

    for (int n = 0; n < 200; n++) {
        char name[32];
        struct metrics_key key = {.metric = METRIC_LATENCY};

        (void)snprintf(name, sizeof name, "table-%d", n);
        key.table = span_of(name);
        for (int i = 0; i < 1500; i++) {
            (void)metrics_make_room(m);
            metrics_add(m, metrics_find(m, &key), (int64_t)n * 1500 + i, 1);
        }
    }
    ck_assert_uint_lt(memory_in_use() - before, (size_t)2000 * 4 * sizeof(struct metrics_point));
    metrics_free(m);
}
END_TEST

/* Names that are never seen again. */
START_TEST(a_million_series_are_bounded)
{
    struct metrics *m = metrics_new(METRICS_POINTS);
    size_t before = memory_in_use();

    for (int n = 0; n < 1000000; n++) {
        char name[32];
        struct metrics_key key = {.metric = METRIC_READ_UNITS};

        (void)snprintf(name, sizeof name, "table-%d", n);
        key.table = span_of(name);
        (void)metrics_make_room(m);
        metrics_add(m, metrics_find(m, &key), n / 1000, 1);
    }
    ck_assert_uint_lt(memory_in_use() - before, (size_t)4 << 20);
    metrics_free(m);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, vectors_go_with_their_index_and_their_table);
    tcase_add_test(tc, what_was_on_its_way_for_hours_leaves_nothing);
    tcase_add_test(tc, what_is_on_its_way_goes_with_the_last_replica);
    tcase_add_test(tc, records_that_were_handed_on_are_gone);
    tcase_add_test(tc, metrics_of_tables_that_come_and_go_are_bounded);
    tcase_add_test(tc, room_for_points_is_given_back);
    tcase_add_test(tc, a_million_series_are_bounded);
}

UNIT_TESTS(given_back, add_tests)
