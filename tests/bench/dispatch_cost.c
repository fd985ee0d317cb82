/* Sends one workload's request through dispatch, again and again, with nothing around it: what
 * callgrind counts (tests/bench/instructions.py) and what a profiler should see.
 *
 *   bench_dispatch            lists the workloads
 *   bench_dispatch NAME N     sends the request N times */
#include "dispatch/dispatch.h"
#include "dispatch/metering.h"
#include "journal/journal.h"

#include <stdio.h>
#include <stdlib.h>

/* Where callgrind's header is there, it looks away while the tables are filled: much quicker. */
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_STOP_INSTRUMENTATION  ((void)0)
#define CALLGRIND_START_INSTRUMENTATION ((void)0)
#endif

#define ITEMS      2000 /* of about 1 KB, ten to a partition */
#define PAGE_ITEMS 1000 /* of about 400 B, in one partition */

struct bench {
    struct arena *arena;
    struct dispatcher *server;
    struct journal *journal; /* NULL: nobody wants one */
};

static struct span padding(struct arena *a, size_t len)
{
    char *text = arena_alloc(a, len + 1);

    memset(text, 'x', len);
    return (struct span){text, len};
}

static void call(struct bench *b, const char *operation, struct span body)
{
    struct request request = {
        .target = span_of(arena_printf(b->arena, "DynamoDB_20120810.%s", operation)),
        .body = body,
    };
    struct reply reply;

    dispatch(b->server, &request, &reply);
    if (reply.status != 200) {
        (void)fprintf(stderr, "%s: %.*s\n", operation, SPAN_ARG(reply.body));
        exit(EXIT_FAILURE);
    }
}

static void add_item(struct buf *out, const char *pk, int number, size_t bytes)
{
    buf_printf(
        out,
        "{\"pk\":{\"S\":\"%s\"},\"sk\":{\"S\":\"ord#%08d\"},\"g\":{\"S\":\"g%d\"},"
        "\"n\":{\"N\":\"%d\"},\"tags\":{\"SS\":[\"blue\",\"red\"]},"
        "\"m\":{\"M\":{\"a\":{\"S\":\"street\"},\"l\":{\"L\":[{\"N\":\"1\"},{\"N\":\"2\"}]}}},",
        pk, number, number % 100, number);
    buf_printf(out, "\"data\":{\"S\":\"%.*s\"}}", SPAN_ARG(padding(out->arena, bytes)));
}

static void put(struct bench *b, const char *pk, int number, size_t bytes)
{
    struct buf body = buf_in(b->arena);

    buf_add_text(&body, "{\"TableName\":\"Bench\",\"Item\":");
    add_item(&body, pk, number, bytes);
    buf_add_char(&body, '}');
    call(b, "PutItem", buf_span(&body));
}

static void make_recoverable(struct bench *b)
{
    call(b, "UpdateContinuousBackups",
         SPAN_LIT("{\"TableName\":\"Bench\",\"PointInTimeRecoverySpecification\":{"
                  "\"PointInTimeRecoveryEnabled\":true}}"));
}

static void write_journal(struct bench *b)
{
    b->journal = journal_new(
        &(struct journal_options){.count = JOURNAL_COUNT, .bytes = JOURNAL_BYTES});
    dispatch_observe(b->server, journal_observer(b->journal));
}

#define PATTERN(name, op, request)                                              \
    "{\"name\":\"" name "\",\"question\":\"?\",\"steps\":[{\"operation\":\"" op \
    "\",\"request\":{\"TableName\":\"Bench\"," request "}}]}"

#define GET(name, sort) \
    PATTERN(name, "GetItem", "\"Key\":{\"pk\":{\"S\":\"{x}\"},\"sk\":{\"S\":\"" sort "#{x}\"}}")
#define GROUP \
    PATTERN("group", "Query", "\"IndexName\":\"gsi\",\"KeyConditionExpression\":\"g = :g\"")

#define ORDER GET("order", "ord")
#define USER  GET("user", "user")

static void know(struct bench *b, const char *patterns)
{
    struct pattern_file *file = arena_alloc(b->arena, sizeof *file);
    struct journal_options options = {.count = JOURNAL_COUNT, .bytes = JOURNAL_BYTES};
    struct catalogue *catalogue;

    if (pattern_file_parse(b->arena, "patterns", span_of(patterns), file) ||
        catalogue_new(b->arena, file, 1, "", &catalogue))
        exit(EXIT_FAILURE);
    options.catalogue = catalogue;
    b->journal = journal_new(&options);
    dispatch_observe(b->server, journal_observer(b->journal));
}

static void know_patterns(struct bench *b)
{
    know(b, "{\"patterns\":[" ORDER "," GROUP "]}");
}

/* Two that have the request's shape and differ in a value. */
static void know_alike(struct bench *b)
{
    know(b, "{\"patterns\":[" ORDER "," USER "]}");
}

static void set_up(struct bench *b)
{
    call(b, "CreateTable",
         SPAN_LIT("{\"TableName\":\"Bench\",\"BillingMode\":\"PAY_PER_REQUEST\","
                  "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},"
                  "{\"AttributeName\":\"sk\",\"AttributeType\":\"S\"},"
                  "{\"AttributeName\":\"g\",\"AttributeType\":\"S\"}],"
                  "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},"
                  "{\"AttributeName\":\"sk\",\"KeyType\":\"RANGE\"}],"
                  "\"GlobalSecondaryIndexes\":[{\"IndexName\":\"gsi\",\"KeySchema\":["
                  "{\"AttributeName\":\"g\",\"KeyType\":\"HASH\"},"
                  "{\"AttributeName\":\"sk\",\"KeyType\":\"RANGE\"}],"
                  "\"Projection\":{\"ProjectionType\":\"ALL\"}}]}"));
    for (int i = 0; i < ITEMS; i++)
        put(b, arena_printf(b->arena, "p%05d", i / 10), i, 800);
    for (int i = 0; i < PAGE_ITEMS; i++)
        put(b, "page", i, 200);
}

/* --- workloads ------------------------------------------------------------------------------ */

static struct span get_item(struct arena *a)
{
    (void)a;
    return SPAN_LIT("{\"TableName\":\"Bench\",\"Key\":{\"pk\":{\"S\":\"p00010\"},"
                    "\"sk\":{\"S\":\"ord#00000105\"}}}");
}

static struct span put_item(struct arena *a)
{
    struct buf body = buf_in(a);

    buf_add_text(&body, "{\"TableName\":\"Bench\",\"Item\":");
    add_item(&body, "p00010", 105, 800);
    buf_add_char(&body, '}');
    return buf_span(&body);
}

static struct span update_item(struct arena *a)
{
    (void)a;
    return SPAN_LIT("{\"TableName\":\"Bench\",\"Key\":{\"pk\":{\"S\":\"p00010\"},"
                    "\"sk\":{\"S\":\"ord#00000105\"}},\"UpdateExpression\":\"SET n = n + :i\","
                    "\"ExpressionAttributeValues\":{\":i\":{\"N\":\"1\"}}}");
}

#define QUERY_TABLE "{\"TableName\":\"Bench\",\"KeyConditionExpression\":"

static struct span query_10(struct arena *a)
{
    (void)a;
    return SPAN_LIT(QUERY_TABLE "\"pk = :p AND begins_with(sk, :s)\",\"ExpressionAttributeValues\":"
                                "{\":p\":{\"S\":\"p00010\"},\":s\":{\"S\":\"ord#\"}}}");
}

static struct span query_index(struct arena *a)
{
    (void)a;
    return SPAN_LIT(QUERY_TABLE "\"g = :g\",\"IndexName\":\"gsi\",\"Limit\":10,"
                                "\"ExpressionAttributeValues\":{\":g\":{\"S\":\"g5\"}}}");
}

static struct span query_page(struct arena *a)
{
    (void)a;
    return SPAN_LIT(QUERY_TABLE "\"pk = :p\",\"Limit\":100,\"ScanIndexForward\":false,"
                                "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"page\"}}}");
}

static struct span query_filter(struct arena *a)
{
    (void)a;
    return SPAN_LIT(QUERY_TABLE "\"pk = :p\",\"FilterExpression\":\"n < :n\","
                                "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"page\"},"
                                "\":n\":{\"N\":\"10\"}}}");
}

static struct span scan(struct arena *a)
{
    (void)a;
    return SPAN_LIT("{\"TableName\":\"Bench\"}");
}

static struct span batch_get(struct arena *a)
{
    struct buf body = buf_in(a);

    buf_add_text(&body, "{\"RequestItems\":{\"Bench\":{\"Keys\":[");
    for (int i = 0; i < 100; i++)
        buf_printf(&body, "%s{\"pk\":{\"S\":\"p%05d\"},\"sk\":{\"S\":\"ord#%08d\"}}", i ? "," : "",
                   i, i * 10);
    buf_add_text(&body, "]}}}");
    return buf_span(&body);
}

static struct span batch_write(struct arena *a)
{
    struct buf body = buf_in(a);

    buf_add_text(&body, "{\"RequestItems\":{\"Bench\":[");
    for (int i = 0; i < 25; i++) {
        buf_printf(&body, "%s{\"PutRequest\":{\"Item\":", i ? "," : "");
        add_item(&body, arena_printf(a, "p%05d", i), i * 10 + 1, 790);
        buf_add_text(&body, "}}");
    }
    buf_add_text(&body, "]}}");
    return buf_span(&body);
}

static struct span transact_write(struct arena *a)
{
    struct buf body = buf_in(a);

    buf_add_text(&body, "{\"TransactItems\":[");
    for (int i = 0; i < 4; i++) {
        buf_printf(&body, "%s{\"Put\":{\"TableName\":\"Bench\",\"Item\":", i ? "," : "");
        add_item(&body, arena_printf(a, "p%05d", i + 50), i, 800);
        buf_add_text(&body, "}}");
    }
    buf_add_text(&body, "]}");
    return buf_span(&body);
}

static const struct {
    const char *name, *operation;
    struct span (*body)(struct arena *a);
    void (*prepare)(struct bench *b); /* may be NULL */
} workloads[] = {
    {"get-item", "GetItem", get_item, NULL},
    {"put-item", "PutItem", put_item, NULL},
    {"update-item", "UpdateItem", update_item, NULL},
    {"query-10", "Query", query_10, NULL},
    {"query-index-10", "Query", query_index, NULL},
    {"query-page-100", "Query", query_page, NULL},
    {"query-filter-1000", "Query", query_filter, NULL},
    {"scan-page", "Scan", scan, NULL},
    {"batch-get-100", "BatchGetItem", batch_get, NULL},
    {"batch-write-25", "BatchWriteItem", batch_write, NULL},
    {"transact-write-4", "TransactWriteItems", transact_write, NULL},
    {"update-item-recoverable", "UpdateItem", update_item, make_recoverable},
    {"get-item-journal", "GetItem", get_item, write_journal},
    {"get-item-patterns", "GetItem", get_item, know_patterns},
    {"get-item-patterns-alike", "GetItem", get_item, know_alike},
    {"query-index-10-journal", "Query", query_index, write_journal},
    {"query-index-10-patterns", "Query", query_index, know_patterns},
};

/* A function of its own, so that callgrind can count what happens inside. */
__attribute__((noinline)) static void measured(struct bench *b, const struct request *request,
                                               long times)
{
    struct reply reply;

    for (long i = 0; i < times; i++)
        dispatch(b->server, request, &reply);
}

static int run(const char *name, long times)
{
    static const struct settings settings = {.region = SPAN_LIT_INIT("us-east-1"),
                                             .account = SPAN_LIT_INIT("123456789012")};
    const struct store_options in_memory = {.path = NULL};
    struct bench b = {.arena = arena_new()};
    struct clock *clock = clock_new_fixed(1700000000000, 1);
    const char *problem;
    struct store *store = store_open(b.arena, &in_memory, &problem);
    struct metrics *metrics = metrics_new(METRICS_POINTS);
    struct metering *metering = metering_new(metrics);
    struct dispatch_memory *memory;

    if (!store)
        return EXIT_FAILURE;
    CALLGRIND_STOP_INSTRUMENTATION;
    memory = dispatch_memory_new();
    b.server = dispatch_new(&(struct dispatch_parts){
        .store = store, .clock = clock, .settings = &settings, .memory = memory});
    dispatch_observe(b.server, metering_observer(metering)); /* as every world has it */
    set_up(&b);
    for (size_t i = 0; i < COUNT(workloads); i++) {
        struct request request = {0};

        if (strcmp(workloads[i].name, name) != 0)
            continue;
        if (workloads[i].prepare)
            workloads[i].prepare(&b);
        request.body = workloads[i].body(b.arena);
        request.target = span_of(
            arena_printf(b.arena, "DynamoDB_20120810.%s", workloads[i].operation));
        call(&b, workloads[i].operation, request.body);
        CALLGRIND_START_INSTRUMENTATION;
        measured(&b, &request, times);
    }
    dispatch_free(b.server);
    journal_free(b.journal);
    dispatch_memory_free(memory);
    metering_free(metering);
    metrics_free(metrics);
    store_free(store);
    clock_free(clock);
    arena_free(b.arena);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return run(argv[1], strtol(argv[2], NULL, 10));
    for (size_t i = 0; i < COUNT(workloads); i++)
        puts(workloads[i].name);
    return EXIT_SUCCESS;
}
