/* The figures of metrics: series, points, what goes when there are too many; and what calls add. */
#include "unit.h"

#include <math.h>

#include "dispatch/metering.h"
#include "ops/metrics/metrics_statistic.h"
#include "ops/metrics/metrics_stored.h"
#include "ops/metrics/metrics_text.h"
#include "store/cursor.h"
#include "support/conflicting.h"
#include "support/offline_server.h"

static struct metrics_key key_of(enum metric metric, const char *table, const char *detail)
{
    return (struct metrics_key){
        .metric = metric, .table = span_of(table), .detail = span_of(detail)};
}

START_TEST(values_add_up_by_the_minute)
{
    struct metrics *m = metrics_new(METRICS_POINTS);
    struct metrics_key key = key_of(METRIC_READ_UNITS, "T", "");
    struct metrics_series *s = metrics_find(m, &key);
    const struct metrics_point *points;

    metrics_add(m, s, 7, 2);
    metrics_add(m, s, 7, 0.5);
    metrics_add(m, s, 9, 1);
    ck_assert_ptr_eq(metrics_look_up(m, &key), s);
    ck_assert_uint_eq(metrics_points(s, &points), 2);
    ck_assert_int_eq(points[0].minute, 7);
    ck_assert_double_eq(points[0].count, 2);
    ck_assert_double_eq(points[0].sum, 2.5);
    ck_assert_double_eq(points[0].least, 0.5);
    ck_assert_double_eq(points[0].most, 2);
    metrics_free(m);
}
END_TEST

START_TEST(series_are_told_apart_by_all_of_their_key)
{
    struct metrics *m = metrics_new(METRICS_POINTS);
    size_t count = 0;

    for (int i = 0; i < 100; i++) {
        struct metrics_key one = key_of(METRIC_LATENCY, arena_printf(arena, "T%d", i / 10),
                                        arena_printf(arena, "op%d", i % 10));

        metrics_add(m, metrics_find(m, &one), 1, i);
    }
    while (metrics_at(m, count))
        count++;
    ck_assert_uint_eq(count, 100);
    for (int i = 0; i < 100; i++) {
        struct metrics_key one = key_of(METRIC_LATENCY, arena_printf(arena, "T%d", i / 10),
                                        arena_printf(arena, "op%d", i % 10));
        double values, sum;

        metrics_total(metrics_look_up(m, &one), &values, &sum);
        ck_assert_double_eq(sum, i);
    }
    metrics_free(m);
}
END_TEST

/* Points that go are part of the totals, as long as their series is there. */
START_TEST(the_older_half_goes_when_there_are_too_many)
{
    struct metrics *m = metrics_new(100);
    struct metrics_key one = key_of(METRIC_READ_UNITS, "T", ""),
                       two = key_of(METRIC_LATENCY, "T", "");
    const struct metrics_point *points;
    struct metrics_series *s;
    uint64_t generation;
    double values, sum;

    metrics_add(m, metrics_find(m, &two), 1, 1);
    generation = metrics_make_room(m);
    for (int i = 0; i < 1000; i++) {
        (void)metrics_make_room(m);
        s = metrics_find(m, &one);
        metrics_add(m, s, i, 1);
    }
    ck_assert_uint_ne(metrics_make_room(m), generation);
    ck_assert_ptr_null(metrics_look_up(m, &two));
    ck_assert_uint_le(metrics_points(s, &points), 101);
    ck_assert_int_eq(points[metrics_points(s, &points) - 1].minute, 999);
    metrics_total(s, &values, &sum);
    ck_assert_double_eq(sum, 1000);
    metrics_clear(m);
    ck_assert_ptr_null(metrics_at(m, 0));
    metrics_free(m);
}
END_TEST

/* --- histograms ------------------------------------------------------------------------------- */

/* Adds 1 … count in an order that is neither rising nor falling; returns the minute's period. */
static struct metrics_bucket spread(struct metrics *m, int count, double unit)
{
    struct metrics_key key = key_of(METRIC_LATENCY, "T", "Query");
    struct metrics_series *s = metrics_find(m, &key);
    const struct metrics_point *points;

    for (int i = 0; i < count; i++)
        metrics_add(m, s, 7, unit * (1 + i * 11 % count));
    ck_assert_uint_eq(metrics_points(s, &points), 1);
    return (struct metrics_bucket){.count = points->count,
                                   .sum = points->sum,
                                   .least = points->least,
                                   .most = points->most,
                                   .points = points,
                                   .point_count = 1};
}

static double statistic_of(const struct metrics_bucket *b, const char *text)
{
    struct metrics_statistic statistic;
    double value;

    ck_assert(metrics_statistic_read(span_of(text), &statistic));
    ck_assert(metrics_statistic_value(arena, &statistic, b, &value));
    return value;
}

START_TEST(equal_values_need_no_histogram)
{
    struct metrics *m = metrics_new(METRICS_POINTS);
    struct metrics_key key = key_of(METRIC_READ_UNITS, "T", "");
    struct metrics_series *s = metrics_find(m, &key);
    const struct metrics_point *points;

    for (int i = 0; i < 100; i++)
        metrics_add(m, s, 7, 0.5);
    metrics_points(s, &points);
    ck_assert_ptr_null(points->cells);
    metrics_add(m, s, 7, 1);
    ck_assert_uint_eq(points->cell_count, 2);
    ck_assert_uint_eq(points->cells[0].count, 100);
    ck_assert_double_eq(points->cells[0].sum, 50);
    ck_assert_uint_eq(points->cells[1].count, 1);
    metrics_free(m);
}
END_TEST

/* All histograms' counts and sums are those of their points, whatever the order of values. */
START_TEST(a_histogram_has_all_values)
{
    static const double units[] = {1, 0.001, 3.7, 1e9};
    struct metrics *m = metrics_new(METRICS_POINTS);
    struct metrics_bucket b = spread(m, 1000, units[_i]);
    const struct metrics_cell *cells;
    struct metrics_cell one;
    size_t count = metrics_cells(b.points, &one, &cells);
    double values = 0, sum = 0;

    ck_assert_uint_le(count, 32 * 11); /* of the 10 powers of two within */
    for (size_t i = 0; i < count; i++) {
        ck_assert(i == 0 || cells[i - 1].step < cells[i].step);
        values += cells[i].count;
        sum += cells[i].sum;
    }
    ck_assert_double_eq(values, 1000);
    ck_assert_double_eq_tol(sum, b.sum, b.sum * 1e-9);
    for (int percent = 1; percent <= 100; percent++) {
        double value = statistic_of(&b, arena_printf(arena, "p%d", percent));

        ck_assert_double_eq_tol(value, units[_i] * 10 * percent, units[_i] * 10 * percent / 32);
    }
    metrics_free(m);
}
END_TEST

/* Up to 63 each number has a step of its own. */
START_TEST(small_numbers_are_exact)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {{"p50", 32},
                {"p99", 63},
                {"p1", 1},
                {"tm50", 16.5},
                {"PR(:21)", 100.0 / 3},
                {"TC(10:20)", 10},
                {"TS(10:20)", 155},
                {"TM(10:20)", 15.5}};
    struct metrics *m = metrics_new(METRICS_POINTS);
    struct metrics_bucket b = spread(m, 63, 1);

    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_double_eq_tol(statistic_of(&b, rows[i].text), rows[i].value, 1e-9);
    metrics_free(m);
}
END_TEST

/* Histograms take the room of points: the older half goes when there are too many of them. */
START_TEST(histograms_are_bounded)
{
    struct metrics *m = metrics_new(1000);
    struct metrics_key key = key_of(METRIC_LATENCY, "T", "Query");
    const struct metrics_point *points;
    size_t cells = 0;

    for (int i = 0; i < 100000; i++) {
        (void)metrics_make_room(m);
        metrics_add(m, metrics_find(m, &key), i / 1000, 1 + i % 1000);
    }
    for (size_t i = metrics_points(metrics_look_up(m, &key), &points); i-- > 0;)
        cells += points[i].cell_room;
    ck_assert_uint_le(cells, 4 * 1100);
    metrics_free(m);
}
END_TEST

/* --- calls ------------------------------------------------------------------------------------ */

#define KEY(pk) "{\"pk\":{\"S\":\"" pk "\"}}"

/* Each call is the only one of its metrics; the item a is there. */
static const struct {
    const char *operation, *body;
    enum metric metric;
    const char *of_table, *detail;
    double count, sum;
} calls[] = {
    {"GetItem", "{\"TableName\":\"Table\",\"Key\":" KEY("a") "}", METRIC_READ_UNITS, "Table", "", 1,
     0.5},
    {"GetItem", "{\"TableName\":\"Table\",\"Key\":" KEY("a") "}", METRIC_LATENCY, "Table",
     "GetItem", 1, 0},
    {"PutItem", "{\"TableName\":\"Table\",\"Item\":{\"pk\":{\"S\":\"b\"},\"g\":{\"S\":\"x\"}}}",
     METRIC_WRITE_UNITS, "Table", "", 1, 1},
    {"PutItem", "{\"TableName\":\"Table\",\"Item\":{\"pk\":{\"S\":\"b\"},\"g\":{\"S\":\"x\"}}}",
     METRIC_WRITE_UNITS, "Table", "byG", 1, 1},
    {"Scan", "{\"TableName\":\"Table\"}", METRIC_RETURNED_ITEMS, "Table", "Scan", 1, 1},
    {"PutItem",
     "{\"TableName\":\"Table\",\"Item\":" KEY("a") ",\"ConditionExpression\":"
                                                   "\"attribute_not_exists(pk)\"}",
     METRIC_CONDITION_FAILED, "Table", "", 1, 1},
    {"PutItem",
     "{\"TableName\":\"Table\",\"Item\":" KEY("a") ",\"ConditionExpression\":"
                                                   "\"attribute_not_exists(pk)\"}",
     METRIC_WRITE_UNITS, "Table", "", 1, 1},
    {"GetItem", "{\"TableName\":\"Nobody\",\"Key\":" KEY("a") "}", METRIC_USER_ERRORS, "", "", 1,
     1},
};

static void send(struct offline_server *server, const char *operation, const char *body)
{
    struct span answer;

    (void)offline_server_send(server, span_of(operation), span_of(body), &answer);
}

static void metered(void (*check)(struct metrics *m, struct offline_server *server, int row),
                    int row)
{
    struct metrics *m = metrics_new(METRICS_POINTS);
    struct metering *metering = metering_new(m);
    struct offline_server server;

    offline_server_open(&server, arena, &(struct offline_options){.seed = 1});
    send(&server, "CreateTable", offline_server_table);
    send(&server, "PutItem", "{\"TableName\":\"Table\",\"Item\":" KEY("a") "}");
    dispatch_observe(server.dispatcher, metering_observer(metering));
    check(m, &server, row);
    offline_server_close(&server);
    metering_free(metering);
    metrics_free(m);
}

static void check_call(struct metrics *m, struct offline_server *server, int row)
{
    struct metrics_key key = key_of(calls[row].metric, calls[row].of_table, calls[row].detail);
    const struct metrics_series *s;
    double count, sum;

    send(server, calls[row].operation, calls[row].body);
    s = metrics_look_up(m, &key);
    ck_assert_ptr_nonnull(s);
    metrics_total(s, &count, &sum);
    ck_assert_double_eq(count, calls[row].count);
    if (calls[row].metric != METRIC_LATENCY)
        ck_assert_double_eq(sum, calls[row].sum);
}

START_TEST(a_call_is_counted)
{
    metered(check_call, _i);
}
END_TEST

/* ListMetrics answers with 500 metrics and a token, which leads to the rest. */
START_TEST(metrics_are_listed_in_pages)
{
    const size_t rest = 100;
    struct metrics *m = metrics_new(METRICS_POINTS);
    struct offline_server server;
    const char *page, *token;
    size_t listed[2] = {0};
    struct span answer;

    for (size_t i = 0; i < LIMIT_METRICS_PAGE + rest; i++) {
        struct metrics_key one = key_of(METRIC_READ_UNITS, arena_printf(arena, "T%zu", i), "");

        metrics_add(m, metrics_find(m, &one), 1, 1);
    }
    offline_server_open(&server, arena, &(struct offline_options){.seed = 1, .metrics = m});
    for (size_t i = 0; i < COUNT(listed); i++) {
        const char *body = i ? arena_printf(arena, "{\"NextToken\":%.*s}",
                                            (int)(strcspn(token + 1, "\"") + 2), token)
                             : "{}";

        ck_assert_int_eq(offline_server_send(&server,
                                             SPAN_LIT("GraniteServiceVersion20100801.ListMetrics"),
                                             span_of(body), &answer),
                         200);
        page = arena_text(arena, answer);
        token = strstr(page, "\"NextToken\":");
        ck_assert(!token == (i == 1));
        token = token ? token + strlen("\"NextToken\":") : NULL;
        for (const char *at = page; (at = strstr(at, "\"MetricName\"")); at++)
            listed[i]++;
    }
    ck_assert_uint_eq(listed[0], LIMIT_METRICS_PAGE);
    ck_assert_uint_eq(listed[1], rest);
    offline_server_close(&server);
    metrics_free(m);
}
END_TEST

/* What Prometheus reads. */
START_TEST(text_has_a_line_for_each_figure)
{
    static const char wanted[] =
        "# TYPE mockddb_consumed_read_capacity_units_total counter\n"
        "mockddb_consumed_read_capacity_units_total{world=\"a\",table=\"T\"} 2.5\n"
        "mockddb_consumed_read_capacity_units_total{world=\"b\\\"\\\\\\n\",region=\"us-east-1\","
        "table=\"T\",index=\"I\"} 1\n"
        "mockddb_consumed_read_capacity_units_total{world=\"b\\\"\\\\\\n\",region=\"eu-west-1\","
        "table=\"T\"} 3\n"
        "# TYPE mockddb_successful_request_latency_milliseconds summary\n"
        "mockddb_successful_request_latency_milliseconds_sum{world=\"a\",table=\"T\","
        "operation=\"GetItem\"} 12\n"
        "mockddb_successful_request_latency_milliseconds_count{world=\"a\",table=\"T\","
        "operation=\"GetItem\"} 2\n";
    struct metrics *all[] = {metrics_new(METRICS_POINTS), metrics_new(METRICS_POINTS)};
    const struct metrics_text_source sources[] = {
        {.metrics = all[0], .world = SPAN_LIT("a")},
        {.metrics = all[1], .world = SPAN_LIT("b\"\\\n"), .region = SPAN_LIT("us-east-1")}};
    struct metrics_key read = key_of(METRIC_READ_UNITS, "T", ""),
                       latency = key_of(METRIC_LATENCY, "T", "GetItem"),
                       of_index = key_of(METRIC_READ_UNITS, "T", "I"), abroad = read;
    struct buf out = buf_in(arena);

    abroad.region = SPAN_LIT("eu-west-1");
    metrics_add(all[0], metrics_find(all[0], &read), 1, 2.5);
    metrics_add(all[0], metrics_find(all[0], &latency), 1, 5);
    metrics_add(all[0], metrics_find(all[0], &latency), 2, 7);
    metrics_add(all[1], metrics_find(all[1], &of_index), 1, 1);
    metrics_add(all[1], metrics_find(all[1], &abroad), 1, 3);
    metrics_text_write(&out, sources, COUNT(sources));
    ck_assert_str_eq(buf_text(&out), wanted);
    metrics_free(all[0]);
    metrics_free(all[1]);
}
END_TEST

/* --- several processes ------------------------------------------------------------------------ */

/* Processes that use one store: each with its own metrics, and what one alone would have counted.
 */
struct processes {
    struct offline_server server;
    struct metrics *own[3], *alone;
    struct call call;
};

static void begin_processes(struct processes *all)
{
    memset(all, 0, sizeof *all);
    offline_server_open(&all->server, arena, &(struct offline_options){.seed = 1});
    conflicting_begin(all->server.store, &(struct conflicting){.is_shared = true});
    for (size_t i = 0; i < COUNT(all->own); i++)
        all->own[i] = metrics_new(METRICS_POINTS);
    all->alone = metrics_new(METRICS_POINTS);
    all->call = (struct call){
        .arena = arena, .store = all->server.store, .clock = all->server.clock};
}

static void end_processes(struct processes *all)
{
    (void)conflicting_end(all->server.store);
    for (size_t i = 0; i < COUNT(all->own); i++)
        metrics_free(all->own[i]);
    metrics_free(all->alone);
    offline_server_close(&all->server);
}

static void count_in(struct processes *all, size_t process, int64_t minute, double value)
{
    struct metrics_key keys[] = {key_of(METRIC_LATENCY, "T", "GetItem"),
                                 key_of(METRIC_USER_ERRORS, "", ""),
                                 key_of(METRIC_READ_UNITS, "T", "I")};

    keys[2].region = SPAN_LIT("eu-west-1");
    for (size_t i = 0; i < COUNT(keys); i++) {
        double counted = i == 1 ? 1 : value;

        metrics_add(all->own[process], metrics_find(all->own[process], &keys[i]), minute, counted);
        metrics_add(all->alone, metrics_find(all->alone, &keys[i]), minute, counted);
    }
}

static void put_counted(struct processes *all, size_t process)
{
    all->call.metrics = all->own[process];
    ck_assert_ptr_null(
        metrics_stored_put(&all->call, process ? SPAN_LIT("process2") : SPAN_LIT("process1")));
    ck_assert_ptr_null(metrics_at(all->own[process], 0));
}

static const struct error *read_stored(struct call *c, void *data)
{
    (void)data;
    return metrics_stored_read(c->unit, c->store, c->arena, c->metrics);
}

/* What the process reads: the text for Prometheus, and each point and its histogram. */
static const char *shown(const struct metrics *m)
{
    const struct metrics_text_source source = {.metrics = m, .world = SPAN_LIT("w")};
    struct buf out = buf_in(arena);
    const struct metrics_series *s;

    metrics_text_write(&out, &source, 1);
    for (size_t i = 0; (s = metrics_at(m, i)); i++) {
        const struct metrics_point *points;
        size_t count = metrics_points(s, &points);

        for (size_t k = 0; k < count; k++) {
            const struct metrics_cell *cells;
            struct metrics_cell one;
            size_t cell_count = metrics_cells(&points[k], &one, &cells);

            buf_printf(&out, "%d %lld: %g %g %g %g\n", (int)metrics_key_of(s).metric,
                       (long long)points[k].minute, points[k].count, points[k].sum, points[k].least,
                       points[k].most);
            for (size_t n = 0; n < cell_count; n++)
                buf_printf(&out, " %u: %u %g", cells[n].step, cells[n].count, cells[n].sum);
        }
    }
    return buf_text(&out);
}

static const char *read_by(struct processes *all, size_t process)
{
    all->call.metrics = all->own[process];
    ck_assert_ptr_null(op_unit_run(&all->call, UNIT_READS, read_stored, NULL));
    return shown(metrics_sum(all->own[process]));
}

/* Whatever each of them has put into the store, each reads what one process would have counted. */
START_TEST(processes_read_the_sum)
{
    struct processes all;

    begin_processes(&all);
    ck_assert_str_eq(read_by(&all, 0), "");
    count_in(&all, 0, 7, 1.5);
    count_in(&all, 0, 7, 1.5);
    count_in(&all, 0, 8, 3);
    put_counted(&all, 0);
    put_counted(&all, 0); /* there is nothing new: nothing changes */
    count_in(&all, 1, 8, 3);
    put_counted(&all, 1);
    count_in(&all, 0, 8, 400);
    put_counted(&all, 0); /* the row of that minute is there already */
    count_in(&all, 1, 8, 0);
    count_in(&all, 1, 9, 5);
    ck_assert_str_eq(read_by(&all, 1), shown(all.alone));
    put_counted(&all, 1);
    for (size_t i = 0; i < COUNT(all.own); i++)
        ck_assert_str_eq(read_by(&all, i), shown(all.alone));
    end_processes(&all);
}
END_TEST

/* A row that is damaged, or was written by a later version, is read as far as it is understood. */
START_TEST(a_damaged_row_is_read_as_far_as_it_goes)
{
    struct processes all;
    struct unit *u;
    struct store_row row;
    struct cursor *cursor;
    struct span whole;

    begin_processes(&all);
    for (int i = 0; i < 20; i++)
        count_in(&all, 0, 7, i);
    put_counted(&all, 0);
    for (size_t cut = 0;; cut++) {
        ck_assert_ptr_null(unit_begin(all.server.store, arena, UNIT_WRITES, &u));
        cursor = cursor_open(u, cursor_range(arena, KEY_SPACE_METRICS));
        ck_assert_ptr_null(cursor_next(cursor, &row));
        row.key = arena_span(arena, row.key);
        whole = arena_span(arena, row.body);
        cursor_close(cursor);
        if (!whole.len || cut > whole.len) {
            unit_undo(u);
            break;
        }
        whole.len -= cut ? 1 : 0;
        ck_assert_ptr_null(unit_put(u, &row, whole.len, whole));
        ck_assert_ptr_null(unit_keep(u));
        (void)read_by(&all, 1);
    }
    end_processes(&all);
}
END_TEST

/* Old rows go, and totals, which Prometheus reads, stay as they were. */
START_TEST(totals_outlive_their_rows)
{
    enum { MINUTES = 600, VALUES = 300 };
    struct space_stats before, after;
    struct processes all;
    struct metrics_key key = key_of(METRIC_LATENCY, "T", "GetItem");
    double counts[2], sums[2];
    bool more = true;
    struct unit *u;

    begin_processes(&all);
    for (int minute = 1; minute <= MINUTES; minute++) {
        for (int i = 0; i < VALUES; i++)
            count_in(&all, 0, minute, pow(1.1, i));
        put_counted(&all, 0);
    }
    ck_assert_ptr_null(unit_begin(all.server.store, arena, UNIT_READS, &u));
    ck_assert_ptr_null(unit_stats(u, KEY_SPACE_METRICS, &before));
    all.call.unit = u;
    while (more)
        ck_assert_ptr_null(metrics_stored_trim(&all.call, &more));
    ck_assert_ptr_null(unit_stats(u, KEY_SPACE_METRICS, &after));
    all.call.unit = NULL;
    unit_undo(u);
    ck_assert_int_gt(before.bytes, after.bytes);
    ck_assert_int_gt(after.entries, 100); /* no more go than must */
    (void)read_by(&all, 1);
    metrics_total(metrics_look_up(metrics_sum(all.own[1]), &key), &counts[0], &sums[0]);
    metrics_total(metrics_look_up(all.alone, &key), &counts[1], &sums[1]);
    ck_assert_double_eq(counts[0], counts[1]);
    ck_assert_double_eq_tol(sums[0], sums[1], sums[1] * 1e-12);
    end_processes(&all);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, processes_read_the_sum);
    tcase_add_test(tc, a_damaged_row_is_read_as_far_as_it_goes);
    tcase_add_test(tc, totals_outlive_their_rows);
    tcase_add_test(tc, metrics_are_listed_in_pages);
    tcase_add_test(tc, text_has_a_line_for_each_figure);
    tcase_add_test(tc, values_add_up_by_the_minute);
    tcase_add_test(tc, series_are_told_apart_by_all_of_their_key);
    tcase_add_test(tc, the_older_half_goes_when_there_are_too_many);
    tcase_add_test(tc, equal_values_need_no_histogram);
    tcase_add_loop_test(tc, a_histogram_has_all_values, 0, 4);
    tcase_add_test(tc, small_numbers_are_exact);
    tcase_add_test(tc, histograms_are_bounded);
    tcase_add_loop_test(tc, a_call_is_counted, 0, COUNT(calls));
}

UNIT_TESTS(metrics, add_tests)
