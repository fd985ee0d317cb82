/* Calls and jobs that meet conflicts with other processes: they run again, and all that is counted
 * or handed on is so once; where each try meets one, nothing is done and the client is told so. */
#include "dispatch/metering.h"
#include "faults/faults.h"
#include "ops/kinesis/kinesis_sink.h"
#include "ops/throttle/throttle.h"
#include "support/conflicting.h"
#include "unit_table.h"

#define TRIES  11 /* of a call that meets a conflict each time */
#define PUT(k) "{" T ",\"Item\":" KEY(k) "}"
#define COUNT_UP                                  \
    "{\"Update\":{" T                             \
    ",\"Key\":" KEY("a") ",\"UpdateExpression\":" \
                         "\"ADD n :n\",\"ExpressionAttributeValues\":{\":n\":{\"N\":\"1\"}}}}"

/* --- what is handed on ------------------------------------------------------------------------ */

struct watcher {
    struct observer observer;
    unsigned calls;
    int status;
    const char *operation;
    double units;
};

static struct watcher watcher;
static const struct disturbance *disturbance;

static void watch(struct observer *self, const struct call_record *record)
{
    struct watcher *w = (struct watcher *)self;

    w->calls++;
    w->status = record->status;
    w->operation = record->op ? record->op->name : "-";
    for (const struct capacity *used = record->accounts; used; used = used->next)
        w->units += capacity_total(used);
}

struct taker {
    struct kinesis_sink sink;
    unsigned records;
};

static struct taker taker;

static void take(struct kinesis_sink *self, const struct kinesis_record *record)
{
    (void)record;
    ((struct taker *)self)->records++;
}

static int send(const char *operation, const char *body, struct span *answer)
{
    struct request request = {.target = dispatch_target(arena, span_of(operation)),
                              .body = span_of(body)};
    struct reply reply;

    dispatch(server.dispatcher, &request, &reply);
    disturbance = reply.disturbance;
    *answer = arena_span(arena, reply.body);
    return reply.status;
}

static void succeed(const char *operation, const char *body, struct span *answer)
{
    int status = send(operation, body, answer);

    ck_assert_msg(status == 200, "%s: %.*s", operation, SPAN_ARG(*answer));
}

/* A put of the item a that changes it: one of what is there already writes nothing. */
static const char *put_of(const char *table, int n)
{
    return arena_printf(
        arena, "{\"TableName\":\"%s\",\"Item\":{\"pk\":{\"S\":\"a\"},\"n\":{\"N\":\"%d\"}}}", table,
        n);
}

static void open_server(const char *more)
{
    unit_open_table(more);
    watcher = (struct watcher){.observer.finished = watch};
    dispatch_observe(server.dispatcher, &watcher.observer);
}

/* Each first try meets one, when it reads or when it is to be kept. */
static void begin_conflicts(void)
{
    conflicting_begin(server.store, &(struct conflicting){.writes = true, .reads = 4});
}

static void begin_always(bool named)
{
    conflicting_begin(server.store,
                      &(struct conflicting){.writes = true, .always = true, .is_named = named});
}

static void run_jobs(void)
{
    while (dispatch_idle(server.dispatcher))
        ;
}

static bool has(struct span text, const char *part)
{
    return strstr(arena_text(arena, text), part) != NULL;
}

/* --- once ------------------------------------------------------------------------------------- */

START_TEST(observers_get_a_call_once_with_the_units_of_one_try)
{
    struct span answer;

    open_server("");
    begin_conflicts();
    for (int i = 0; i < 5; i++)
        succeed("PutItem", put_of("Tab", i), &answer);
    ck_assert_uint_eq(watcher.calls, 5);
    ck_assert_double_eq(watcher.units, 5);
    ck_assert_uint_ge(conflicting_end(server.store), 5);
    offline_server_close(&server);
}
END_TEST

START_TEST(a_fault_rule_sees_a_call_once_and_disturbs_it_to_the_end)
{
    struct faults *faults = faults_new();
    struct buf shown = buf_in(arena);
    struct wire_writer w = {.out = &shown};
    struct span answer;

    open_server("");
    ck_assert_ptr_null(faults_add(
        faults, arena,
        SPAN_LIT("{\"rules\":[{\"operation\":\"PutItem\",\"nth\":2,\"times\":1,\"delay\":70}]}"),
        ""));
    dispatch_set_faults(server.dispatcher, faults_point(faults));
    begin_conflicts();
    for (int i = 1; i <= 3; i++) {
        succeed("PutItem", put_of("Tab", i), &answer);
        ck_assert_int_eq(disturbance ? disturbance->delay_ms : 0, i == 2 ? 70 : 0);
    }
    ck_assert_uint_ge(conflicting_end(server.store), 3);
    wire_open(&w, '{');
    faults_show(faults, &w);
    ck_assert_msg(has(buf_span(&shown), "\"seen\":3,\"hits\":1"), "%s", buf_text(&shown));
    offline_server_close(&server);
    faults_free(faults);
}
END_TEST

/* A pool that begins empty has five units after a second. */
START_TEST(units_are_charged_once)
{
    const struct throttle_rules rules = {.on = true, .empty = true};
    struct throttle *throttle = throttle_new();
    struct span answer;

    open_server("");
    succeed("CreateTable",
            offline_server_table_of(arena, "Five",
                                    ",\"BillingMode\":\"PROVISIONED\",\"ProvisionedThroughput\":{"
                                    "\"ReadCapacityUnits\":5,\"WriteCapacityUnits\":5}"),
            &answer);
    throttle_set(throttle, &rules, clock_now_ms(server.clock));
    dispatch_set_throttle(server.dispatcher, throttle);
    clock_advance(server.clock, 1000);
    begin_conflicts();
    for (int i = 0; i < 5; i++)
        succeed("PutItem", put_of("Five", i), &answer);
    ck_assert_int_eq(send("PutItem", put_of("Five", 5), &answer), 400);
    ck_assert_uint_ge(conflicting_end(server.store), 5);
    offline_server_close(&server);
    throttle_free(throttle);
}
END_TEST

START_TEST(a_token_does_its_request_once)
{
    static const char *const counted = "{\"ClientRequestToken\":\"t\",\"TransactItems\":[" COUNT_UP
                                       "]}";
    struct span answer;

    open_server("");
    begin_conflicts();
    succeed("TransactWriteItems", counted, &answer);
    succeed("TransactWriteItems", counted, &answer);
    ck_assert_uint_ge(conflicting_end(server.store), 1);
    succeed("GetItem", "{" T ",\"Key\":" KEY("a") "}", &answer);
    ck_assert(has(answer, "\"n\":{\"N\":\"1\"}"));
    clock_advance(server.clock, LIMIT_TOKEN_LIFE_MS + 1000);
    begin_conflicts();
    run_jobs();
    ck_assert_uint_ge(conflicting_end(server.store), 1);
    ck_assert_int_eq(store_stats(server.store, KEY_SPACE_TOKENS).entries, 0);
    offline_server_close(&server);
}
END_TEST

/* Returns the member's value, which has no quotation marks in it. */
static const char *text_of(struct span answer, const char *member)
{
    const char *at = strstr(arena_text(arena, answer), arena_printf(arena, "\"%s\":\"", member));

    ck_assert_ptr_nonnull(at);
    at += strlen(member) + 4;
    return arena_text(arena, (struct span){at, strcspn(at, "\"")});
}

START_TEST(a_stream_has_each_change_once)
{
    struct span answer;
    const char *arn;
    unsigned count = 0;

    open_server(",\"StreamSpecification\":{\"StreamEnabled\":true,"
                "\"StreamViewType\":\"NEW_AND_OLD_IMAGES\"}");
    begin_conflicts();
    for (int i = 0; i < 4; i++)
        succeed("TransactWriteItems", "{\"TransactItems\":[" COUNT_UP "]}", &answer);
    succeed("ListStreams", "{}", &answer);
    arn = text_of(answer, "StreamArn");
    succeed("DescribeStream", arena_printf(arena, "{\"StreamArn\":\"%s\"}", arn), &answer);
    succeed("GetShardIterator",
            arena_printf(arena,
                         "{\"StreamArn\":\"%s\",\"ShardId\":\"%s\",\"ShardIteratorType\":"
                         "\"TRIM_HORIZON\"}",
                         arn, text_of(answer, "ShardId")),
            &answer);
    succeed("GetRecords",
            arena_printf(arena, "{\"ShardIterator\":\"%s\"}", text_of(answer, "ShardIterator")),
            &answer);
    ck_assert_uint_ge(conflicting_end(server.store), 4);
    for (const char *at = arena_text(arena, answer); (at = strstr(at, "\"eventID\"")); at++)
        count++;
    ck_assert_uint_eq(count, 4);
    offline_server_close(&server);
}
END_TEST

/* --- jobs ------------------------------------------------------------------------------------- */

START_TEST(a_record_for_kinesis_is_sent_once)
{
    struct span answer;

    open_server("");
    taker = (struct taker){.sink.put = take};
    server.settings.kinesis_sink = &taker.sink;
    succeed("EnableKinesisStreamingDestination",
            "{" T ",\"StreamArn\":\"arn:aws:kinesis:us-east-1:000000000000:stream/s\"}", &answer);
    run_jobs();
    begin_conflicts();
    for (int i = 1; i <= 7; i++) {
        succeed("PutItem", put_of("Tab", i), &answer);
        if (i % 3 == 0)
            run_jobs();
    }
    run_jobs();
    ck_assert_uint_eq(taker.records, 7);
    ck_assert_uint_ge(conflicting_end(server.store), 10);
    ck_assert_int_eq(store_stats(server.store, KEY_SPACE_OUTBOX).entries, 0);
    offline_server_close(&server);
}
END_TEST

static int64_t count_items(void)
{
    uint32_t space = store_table(server.store, SPAN_LIT("Tab"))->space;

    return store_stats(server.store, space).entries;
}

/* The job looks again a second later, and does its work then. */
START_TEST(a_job_that_meets_conflicts_each_time_is_put_off)
{
    struct span answer;

    open_server("");
    server.settings.ttl_sweep_ms = 1000;
    succeed("UpdateTimeToLive",
            "{" T ",\"TimeToLiveSpecification\":{\"AttributeName\":\"t\",\"Enabled\":true}}",
            &answer);
    succeed("PutItem", "{" T ",\"Item\":{\"pk\":{\"S\":\"a\"},\"t\":{\"N\":\"1700000001\"}}}",
            &answer);
    run_jobs();
    clock_advance(server.clock, 2000);
    begin_always(false);
    run_jobs();
    ck_assert_uint_eq(conflicting_end(server.store), TRIES);
    ck_assert_int_eq(
        store_stats(server.store, store_table(server.store, SPAN_LIT("Tab"))->space).entries, 1);
    ck_assert_int_eq(dispatch_due_ms(server.dispatcher), clock_now_ms(server.clock) + 1000);
    clock_advance(server.clock, 1000);
    run_jobs();
    ck_assert_int_eq(
        store_stats(server.store, store_table(server.store, SPAN_LIT("Tab"))->space).entries, 0);
    offline_server_close(&server);
}
END_TEST

/* A process with the same store. */
static struct dispatcher *other;
static struct dispatch_memory *other_memory;
static bool other_is_done;

static void open_other(void)
{
    other_memory = dispatch_memory_new();
    other = dispatch_new(&(struct dispatch_parts){.store = server.store,
                                                  .clock = server.clock,
                                                  .settings = &server.settings,
                                                  .memory = other_memory});
    other_is_done = false;
}

static void close_other(void)
{
    dispatch_free(other);
    dispatch_memory_free(other_memory);
}

static void send_other(const char *operation, const char *body)
{
    struct request request = {.target = dispatch_target(arena, span_of(operation)),
                              .body = span_of(body)};
    struct reply reply;

    dispatch(other, &request, &reply);
    ck_assert_int_eq(reply.status, 200);
}

static void put_expiring(int64_t at_s)
{
    send_other("PutItem",
               arena_printf(arena, "{" T ",\"Item\":{\"pk\":{\"S\":\"a\"},\"t\":{\"N\":\"%lld\"}}}",
                            (long long)at_s));
}

/* Another process puts an item that expires; none of its marks come here. */
START_TEST(a_job_of_a_shared_store_runs_where_it_is_owned)
{
    struct span answer;

    open_server("");
    server.settings.ttl_sweep_ms = 1;
    succeed("UpdateTimeToLive",
            "{" T ",\"TimeToLiveSpecification\":{\"AttributeName\":\"t\",\"Enabled\":true}}",
            &answer);
    open_other();
    conflicting_begin(server.store, &(struct conflicting){.is_shared = true});
    clock_advance(server.clock, 1000);
    run_jobs();
    put_expiring(clock_now_ms(server.clock) / 1000 + 1);
    clock_advance(server.clock, 5000);
    run_jobs();
    ck_assert_int_eq(count_items(), 1);
    ck_assert_int_eq(dispatch_due_ms(server.dispatcher), clock_now_ms(server.clock) + 1000);
    conflicting_own(server.store, true);
    clock_advance(server.clock, 1000);
    run_jobs();
    ck_assert_int_eq(count_items(), 0);
    put_expiring(clock_now_ms(server.clock) / 1000 + 1);
    ck_assert_int_eq(dispatch_due_ms(server.dispatcher), clock_now_ms(server.clock) + 1000);
    for (int i = 0; i < 3; i++) {
        clock_advance(server.clock, 1000);
        run_jobs();
    }
    ck_assert_int_eq(count_items(), 0);
    ck_assert_uint_eq(conflicting_end(server.store), 0);
    close_other();
    offline_server_close(&server);
}
END_TEST

/* --- the other process ------------------------------------------------------------------------ */

#define ADD_ONE                                                      \
    "{" T ",\"Key\":" KEY("a") ",\"UpdateExpression\":\"ADD n :n\"," \
                               "\"ExpressionAttributeValues\":{\":n\":{\"N\":\"1\"}}}"

static void add_one_there(void)
{
    if (!other_is_done)
        send_other("UpdateItem", ADD_ONE);
    other_is_done = true;
}

static const struct {
    const char *operation, *body, *error, *number;
} met[] = {
    {"UpdateItem", ADD_ONE, NULL, "2"},
    {"TransactWriteItems", "{\"TransactItems\":[" COUNT_UP "]}", NULL, "2"},
    {"PutItem",
     "{" T ",\"Item\":" KEY("a") ",\"ConditionExpression\":\"attribute_not_exists(pk)\"}",
     "#ConditionalCheckFailedException\"", "1"},
};

/* The item is new at the first try, and has been counted up by the other process at the second. */
START_TEST(a_call_that_runs_again_sees_what_was_written_meanwhile)
{
    struct span answer;
    int status;

    open_server("");
    open_other();
    conflicting_begin(server.store, &(struct conflicting){.writes = true, .other = add_one_there});
    status = send(met[_i].operation, met[_i].body, &answer);
    ck_assert_uint_ge(conflicting_end(server.store), 1);
    ck_assert_int_eq(status, met[_i].error ? 400 : 200);
    ck_assert(!met[_i].error || has(answer, met[_i].error));
    succeed("GetItem", "{" T ",\"Key\":" KEY("a") "}", &answer);
    ck_assert(has(answer, arena_printf(arena, "\"n\":{\"N\":\"%s\"}", met[_i].number)));
    close_other();
    offline_server_close(&server);
}
END_TEST

/* --- too many --------------------------------------------------------------------------------- */

START_TEST(a_call_that_meets_conflicts_each_time_fails_and_does_nothing)
{
    struct span answer;

    open_server("");
    begin_always(true);
    ck_assert_int_eq(send("PutItem", PUT("a"), &answer), 500);
    ck_assert_msg(has(answer, "#InternalServerError\""), "%.*s", SPAN_ARG(answer));
    ck_assert_uint_eq(conflicting_end(server.store), TRIES);
    ck_assert_uint_eq(watcher.calls, 1);
    ck_assert_int_eq(watcher.status, 500);
    ck_assert_str_eq(watcher.operation, "PutItem");
    ck_assert_double_eq(watcher.units, 0);
    succeed("GetItem", "{" T ",\"Key\":" KEY("a") "}", &answer);
    ck_assert_str_eq(arena_text(arena, answer), "{}");
    succeed("PutItem", PUT("a"), &answer);
    offline_server_close(&server);
}
END_TEST

static const struct {
    const char *operation, *body;
    bool named;
    const char *reasons;
} transactions[] = {
    {"TransactWriteItems", "{\"TransactItems\":[{\"Put\":" PUT("b") "}," COUNT_UP "]}", true,
     "[None, TransactionConflict]"},
    {"TransactWriteItems", "{\"TransactItems\":[{\"Put\":" PUT("b") "}," COUNT_UP "]}", false,
     "[TransactionConflict, TransactionConflict]"},
    {"ExecuteTransaction",
     "{\"TransactStatements\":[{\"Statement\":\"INSERT INTO Tab VALUE {'pk': 'b'}\"},"
     "{\"Statement\":\"INSERT INTO Tab VALUE {'pk': 'c'}\"}]}",
     true, "[None, TransactionConflict]"},
};

START_TEST(a_transaction_that_meets_conflicts_is_cancelled)
{
    struct metrics *metrics = metrics_new(METRICS_POINTS);
    struct metering *metering = metering_new(metrics);
    struct span answer;

    open_server("");
    dispatch_observe(server.dispatcher, metering_observer(metering));
    begin_always(transactions[_i].named);
    ck_assert_int_eq(send(transactions[_i].operation, transactions[_i].body, &answer), 400);
    ck_assert_msg(has(answer, "#TransactionCanceledException\"") &&
                      has(answer, transactions[_i].reasons) &&
                      has(answer, "\"Message\":\"Transaction is ongoing for the item\""),
                  "%.*s", SPAN_ARG(answer));
    ck_assert_uint_eq(conflicting_end(server.store), 3);
    ck_assert_ptr_nonnull(metrics_find(
        metrics, &(struct metrics_key){.metric = METRIC_CONFLICT, .table = SPAN_LIT("Tab")}));
    succeed("Scan", "{" T "}", &answer);
    ck_assert(has(answer, "\"Count\":0"));
    offline_server_close(&server);
    metering_free(metering);
    metrics_free(metrics);
}
END_TEST

/* A condition that does not hold is a result, whatever else happens to the item. */
START_TEST(a_condition_that_fails_meets_no_conflict)
{
    struct span answer;

    open_server("");
    begin_always(true);
    ck_assert_int_eq(send("DeleteItem",
                          "{" T
                          ",\"Key\":" KEY("a") ",\"ConditionExpression\":\"attribute_exists(pk)\"}",
                          &answer),
                     400);
    ck_assert(has(answer, "#ConditionalCheckFailedException\""));
    ck_assert_uint_eq(conflicting_end(server.store), 0);
    offline_server_close(&server);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, observers_get_a_call_once_with_the_units_of_one_try);
    tcase_add_test(tc, a_fault_rule_sees_a_call_once_and_disturbs_it_to_the_end);
    tcase_add_test(tc, units_are_charged_once);
    tcase_add_test(tc, a_token_does_its_request_once);
    tcase_add_test(tc, a_stream_has_each_change_once);
    tcase_add_test(tc, a_record_for_kinesis_is_sent_once);
    tcase_add_test(tc, a_job_that_meets_conflicts_each_time_is_put_off);
    tcase_add_test(tc, a_job_of_a_shared_store_runs_where_it_is_owned);
    tcase_add_loop_test(tc, a_call_that_runs_again_sees_what_was_written_meanwhile, 0, COUNT(met));
    tcase_add_test(tc, a_call_that_meets_conflicts_each_time_fails_and_does_nothing);
    tcase_add_loop_test(tc, a_transaction_that_meets_conflicts_is_cancelled, 0,
                        COUNT(transactions));
    tcase_add_test(tc, a_condition_that_fails_meets_no_conflict);
}

UNIT_TESTS(conflicts, add_tests)
