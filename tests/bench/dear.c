/* The dearest requests there are: each holds many factors of a request near their limits at once.
 * What each takes of the processor and of memory is printed; --check fails where that is more than
 * a request may take, with room for slow machines.
 *
 *   bench_dear [--check] [NAME]
 *
 * A request runs in a process of its own, through dispatch, in memory. */
#include "worlds/worlds.h"

#include "model/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_CPU_MS    1000 /* four times what docs/reliability.md promises of a quiet core */
#define MOST_MEMORY_MB 256
#define MOST_ERROR_MB  1

struct bench {
    struct arena *arena;
    struct dispatcher *server;
};

struct dear {
    const char *name;
    void (*set_up)(struct bench *b); /* NULL: nothing is stored */
    const char *operation;
    void (*body)(struct buf *out);
};

/* --- what is stored --------------------------------------------------------------------------- */

static struct reply call(struct bench *b, const char *operation, struct span body)
{
    struct request request = {
        .target = span_of(arena_printf(b->arena, "DynamoDB_20120810.%s", operation)),
        .body = body,
    };
    struct reply reply;

    dispatch(b->server, &request, &reply);
    return reply;
}

static void must_call(struct bench *b, const char *operation, struct span body)
{
    struct reply reply = call(b, operation, body);

    if (reply.status == 200)
        return;
    (void)fprintf(stderr, "%s: %.*s\n", operation, (int)(reply.body.len % 500), reply.body.at);
    exit(EXIT_FAILURE);
}

/* A table with keys pk and sk, and indexes on g: a local and a global one that have keys only. */
static void make_table(struct bench *b)
{
    must_call(
        b, "CreateTable",
        SPAN_LIT(
            "{\"TableName\":\"Dear\",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":["
            "{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},{\"AttributeName\":\"sk\","
            "\"AttributeType\":\"S\"},{\"AttributeName\":\"g\",\"AttributeType\":\"S\"}],"
            "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},"
            "{\"AttributeName\":\"sk\",\"KeyType\":\"RANGE\"}],"
            "\"LocalSecondaryIndexes\":[{\"IndexName\":\"local\",\"KeySchema\":["
            "{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},{\"AttributeName\":\"g\","
            "\"KeyType\":\"RANGE\"}],\"Projection\":{\"ProjectionType\":\"KEYS_ONLY\"}}],"
            "\"GlobalSecondaryIndexes\":[{\"IndexName\":\"global\",\"KeySchema\":["
            "{\"AttributeName\":\"g\",\"KeyType\":\"HASH\"}],"
            "\"Projection\":{\"ProjectionType\":\"KEYS_ONLY\"}}]}"));
}

/* 20 global indexes, of which each item is in each. */
static void make_indexed_table(struct bench *b)
{
    struct buf out = buf_in(b->arena);

    buf_add_text(&out,
                 "{\"TableName\":\"Dear\",\"BillingMode\":\"PAY_PER_REQUEST\","
                 "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},"
                 "{\"AttributeName\":\"sk\",\"AttributeType\":\"S\"}],\"KeySchema\":["
                 "{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},{\"AttributeName\":\"sk\","
                 "\"KeyType\":\"RANGE\"}],\"GlobalSecondaryIndexes\":[");
    for (int i = 0; i < 20; i++)
        buf_printf(&out,
                   "%s{\"IndexName\":\"index%d\",\"KeySchema\":[{\"AttributeName\":\"sk\","
                   "\"KeyType\":\"HASH\"}],\"Projection\":{\"ProjectionType\":\"ALL\"}}",
                   i ? "," : "", i);
    buf_add_text(&out, "]}");
    must_call(b, "CreateTable", buf_span(&out));
}

static void open_item(struct buf *out, int number)
{
    buf_printf(out, "{\"pk\":{\"S\":\"p\"},\"sk\":{\"S\":\"s%05d\"},\"g\":{\"S\":\"g\"}", number);
}

static void add_text(struct buf *out, size_t len)
{
    memset(buf_reserve(out, len), 'x', len);
    out->len += len;
}

/* "[{"NULL":true},…]" */
static void add_nulls(struct buf *out, int count)
{
    buf_add_text(out, "{\"L\":[");
    for (int i = 0; i < count; i++)
        buf_add_text(out, i ? ",{\"NULL\":true}" : "{\"NULL\":true}");
    buf_add_text(out, "]}");
}

/* Members of a map or an item, whose order depends on `turn`. */
static void add_members(struct buf *out, int count, int turn)
{
    for (int i = 0; i < count; i++)
        buf_printf(out, "%s\"%d\":{\"NULL\":true}", i ? "," : "",
                   turn ? count - i + 10000 : i + 10001);
}

typedef void add_value(struct buf *out);

static void put(struct bench *b, int number, add_value *more)
{
    struct arena *a = arena_new();
    struct buf out = buf_in(a);

    buf_add_text(&out, "{\"TableName\":\"Dear\",\"Item\":");
    open_item(&out, number);
    buf_add_char(&out, ',');
    more(&out);
    buf_add_text(&out, "}}");
    must_call(b, "PutItem", buf_span(&out));
    arena_free(a);
}

static void long_text(struct buf *out)
{
    buf_add_text(out, "\"t\":{\"S\":\"");
    add_text(out, 390000);
    buf_add_text(out, "\"}");
}

static void many_nulls(struct buf *out)
{
    buf_add_text(out, "\"l\":");
    add_nulls(out, 190000);
}

static void many_attributes(struct buf *out)
{
    add_members(out, 40000, 0);
}

static void large_map(struct buf *out)
{
    buf_add_text(out, "\"m\":{\"M\":{");
    add_members(out, 40000, 0);
    buf_add_text(out, "}}");
}

static void one_number(struct buf *out)
{
    buf_add_text(out, "\"n\":{\"N\":\"1\"}");
}

static void store_many(struct bench *b, int count, add_value *more)
{
    make_table(b);
    for (int i = 0; i < count; i++)
        put(b, i, more);
}

static void store_long(struct bench *b)
{
    store_many(b, 100, long_text);
}

static void store_lists(struct bench *b)
{
    store_many(b, 5, many_nulls);
}

static void store_wide(struct bench *b)
{
    store_many(b, 43, many_attributes);
}

static void store_map(struct bench *b)
{
    store_many(b, 1, large_map);
}

static void store_small(struct bench *b)
{
    store_many(b, 20000, one_number);
}

static void store_long_and_small(struct bench *b)
{
    store_many(b, 100, many_nulls);
}

/* --- requests --------------------------------------------------------------------------------- */

static void add_key(struct buf *out, int number)
{
    buf_printf(out, "{\"pk\":{\"S\":\"p\"},\"sk\":{\"S\":\"s%05d\"}}", number);
}

static void many_names(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\"");
    for (int i = 0; i < 80000; i++)
        buf_printf(out, ",\"%d\":1", i);
    buf_add_char(out, '}');
}

static void numbers(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\",\"x\":[0");
    while (out->len < LIMIT_REQUEST_BYTES - 100)
        buf_add_text(out, ",1");
    buf_add_text(out, "]}");
}

static void long_list_of_values(struct buf *out)
{
    buf_add_text(
        out, "{\"TableName\":\"Dear\",\"Item\":{\"pk\":{\"S\":\"p\"},\"l\":{\"L\":[{\"N\":\"1\"}");
    while (out->len < LIMIT_REQUEST_BYTES - 100)
        buf_add_text(out, ",{\"N\":\"1\"}");
    buf_add_text(out, "]}}}");
}

static void doubled_lists(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < 5; i++) {
        buf_printf(out, "%s{\"Update\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        add_key(out, i);
        buf_add_text(out, ",\"UpdateExpression\":\"SET ");
        for (int part = 0; part < 100; part++)
            buf_printf(out, "%sa%d = list_append(l, l)", part ? "," : "", part);
        buf_add_text(out, "\"}}");
    }
    buf_add_text(out, "]}");
}

static void copied_lists(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < 5; i++) {
        buf_printf(out, "%s{\"Update\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        add_key(out, i);
        buf_add_text(out, ",\"UpdateExpression\":\"SET ");
        for (int part = 0; part < 290; part++)
            buf_printf(out, "%sa%d = l", part ? "," : "", part);
        buf_add_text(out, "\"}}");
    }
    buf_add_text(out, "]}");
}

static void whole_items_of_keys(struct buf *out)
{
    buf_add_text(out,
                 "{\"TableName\":\"Dear\",\"IndexName\":\"local\",\"Select\":\"ALL_ATTRIBUTES\","
                 "\"KeyConditionExpression\":\"pk = :p\","
                 "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"p\"}}}");
}

static void keys_of_long_items(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\",\"IndexName\":\"global\","
                      "\"KeyConditionExpression\":\"g = :g\","
                      "\"ExpressionAttributeValues\":{\":g\":{\"S\":\"g\"}}}");
}

static void echoed_writes(struct buf *out)
{
    buf_add_text(out, "{\"RequestItems\":{\"Dear\":[");
    for (int i = 0; i < 27; i++) {
        buf_printf(out, "%s{\"PutRequest\":{\"Item\":{\"l\":{\"L\":[{}", i ? "," : "");
        for (int part = 0; part < 50000; part++)
            buf_add_text(out, ",{}");
        buf_add_text(out, "]}}}}");
    }
    buf_add_text(out, "]}}");
}

static void projected_names(struct buf *out)
{
    buf_add_text(out, "{\"RequestItems\":{\"Dear\":{\"Keys\":[");
    for (int i = 0; i < 43; i++) {
        buf_add_text(out, i ? "," : "");
        add_key(out, i);
    }
    buf_add_text(out, "],\"ProjectionExpression\":\"");
    for (int i = 0; i < 1000; i++)
        buf_printf(out, "%s%c%c%d", i ? "," : "", 'a' + i / 100, 'a' + i / 10 % 10, i % 10);
    buf_add_text(out, "\"}}}");
}

static void wide_keys(struct buf *out)
{
    buf_add_text(out, "{\"RequestItems\":{\"Dear\":{\"Keys\":[");
    for (int i = 0; i < 100; i++) {
        buf_add_text(out, i ? ",{" : "{");
        add_members(out, 9000, i % 2);
        buf_add_char(out, '}');
    }
    buf_add_text(out, "]}}}");
}

static void compared_maps(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\",\"Key\":");
    add_key(out, 0);
    buf_add_text(out, ",\"UpdateExpression\":\"SET x = :v\",\"ConditionExpression\":\"");
    for (int i = 0; i < 148; i++)
        buf_add_text(out, i ? " AND m = :v" : "m = :v");
    buf_add_text(out, "\",\"ExpressionAttributeValues\":{\":v\":{\"M\":{");
    add_members(out, 40000, 1);
    buf_add_text(out, "}}}}");
}

static void failed_checks(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < 100; i++) {
        buf_printf(out, "%s{\"ConditionCheck\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        add_key(out, i);
        buf_add_text(out, ",\"ConditionExpression\":\"attribute_not_exists(pk)\","
                          "\"ReturnValuesOnConditionCheckFailure\":\"ALL_OLD\"}}");
    }
    buf_add_text(out, "]}");
}

static void long_filter(struct buf *out)
{
    buf_add_text(out,
                 "{\"TableName\":\"Dear\",\"ScanFilter\":{\"n\":{\"ComparisonOperator\":\"IN\","
                 "\"AttributeValueList\":[");
    for (int i = 0; i < 4096; i++)
        buf_printf(out, "%s{\"N\":\"%d\"}", i ? "," : "", i + 2);
    buf_add_text(out, "]}}}");
}

static void long_filter_expression(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\",\"FilterExpression\":\"");
    for (int part = 0; part < 9; part++) {
        buf_add_text(out, part ? " OR n IN (" : "n IN (");
        for (int i = 0; i < 100; i++)
            buf_printf(out, "%s:%d", i ? "," : "", i);
        buf_add_text(out, ")");
    }
    buf_add_text(out, "\",\"ExpressionAttributeValues\":{");
    for (int i = 0; i < 100; i++)
        buf_printf(out, "%s\":%d\":{\"N\":\"%d\"}", i ? "," : "", i, i + 2);
    buf_add_text(out, "}}");
}

static void wide_writes(struct buf *out)
{
    buf_add_text(out, "{\"RequestItems\":{\"Dear\":[");
    for (int i = 0; i < 25; i++) {
        buf_add_text(out, i ? ",{\"PutRequest\":{\"Item\":" : "{\"PutRequest\":{\"Item\":");
        open_item(out, i);
        buf_add_char(out, ',');
        add_members(out, 30000, 0);
        buf_add_text(out, "}}}");
    }
    buf_add_text(out, "]}}");
}

static void touched_lists(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < 100; i++) {
        buf_printf(out, "%s{\"Update\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        add_key(out, i);
        buf_add_text(out, ",\"UpdateExpression\":\"REMOVE l[0]\"}}");
    }
    buf_add_text(out, "]}");
}

static const struct dear rows[] = {
    {"names of an object", NULL, "GetItem", many_names},
    {"16 MB of numbers", NULL, "GetItem", numbers},
    {"16 MB of attribute values", NULL, "PutItem", long_list_of_values},
    {"lists that are doubled", store_lists, "TransactWriteItems", doubled_lists},
    {"lists that are copied", store_lists, "TransactWriteItems", copied_lists},
    {"100 lists that lose an element", store_long_and_small, "TransactWriteItems", touched_lists},
    {"whole items through an index of keys", store_long, "Query", whole_items_of_keys},
    {"keys of long items", store_long, "Query", keys_of_long_items},
    {"a list that an error echoes", NULL, "BatchWriteItem", echoed_writes},
    {"1000 names of wide items", store_wide, "BatchGetItem", projected_names},
    {"keys of 9000 attributes", NULL, "BatchGetItem", wide_keys},
    {"maps in two orders", store_map, "UpdateItem", compared_maps},
    {"100 failed checks of long items", store_long, "TransactWriteItems", failed_checks},
    {"100 failed checks of lists", store_long_and_small, "TransactWriteItems", failed_checks},
    {"IN of 4096 values", store_small, "Scan", long_filter},
    {"IN of 100 values, 9 times", store_small, "Scan", long_filter_expression},
    {"wide items in 20 indexes", make_indexed_table, "BatchWriteItem", wide_writes},
};

/* --- measuring -------------------------------------------------------------------------------- */

struct figures {
    double cpu_ms;
    double memory_mb; /* the process's peak over what it had before */
    double reply_mb;
    int status;
    bool refused_by_us;
    bool shows_items; /* which a failed condition was asked for */
};

static double cpu_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double status_mb(const char *name)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    double kb = 0;

    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, name, strlen(name)) == 0)
            kb = strtod(line + strlen(name), NULL);
    if (f)
        (void)fclose(f);
    return kb / 1024;
}

/* What has been the most so far is forgotten. */
static void forget_peak(void)
{
    FILE *f = fopen("/proc/self/clear_refs", "w");

    if (!f)
        return;
    (void)fputs("5", f);
    (void)fclose(f);
}

static struct figures measure(const struct dear *row)
{
    const struct worlds_options options = {
        .first.settings = {.region = SPAN_LIT_INIT("us-east-1"),
                           .account = SPAN_LIT_INIT("123456789012")}};
    struct bench b = {.arena = arena_new()};
    const char *problem = NULL;
    struct worlds *all = worlds_new(b.arena, &options, &problem);
    struct buf body = buf_in(b.arena);
    struct figures out = {0};
    struct reply reply;
    double before;

    if (!all)
        exit(EXIT_FAILURE);
    b.server = world_dispatcher(worlds_first(all));
    if (row->set_up)
        row->set_up(&b);
    row->body(&body);
    forget_peak();
    before = status_mb("VmRSS:");
    out.cpu_ms = cpu_ms();
    reply = call(&b, row->operation, buf_span(&body));
    out.cpu_ms = cpu_ms() - out.cpu_ms;
    out.memory_mb = status_mb("VmHWM:") - before;
    out.reply_mb = (double)reply.body.len / (double)LIMIT_MB;
    out.status = reply.status;
    out.shows_items = row->body == failed_checks;
    out.refused_by_us = reply.status == 400 && reply.body.len < 1000 &&
                        strstr(arena_text(b.arena, reply.body), "than mockddb") != NULL;
    return out;
}

static struct figures measure_alone(const struct dear *row)
{
    struct figures out = {0};
    int ends[2], status = 0;
    pid_t child;

    (void)fflush(NULL);
    if (pipe(ends) || (child = fork()) < 0)
        exit(EXIT_FAILURE);
    if (!child) {
        out = measure(row);
        _exit(write(ends[1], &out, sizeof out) == (ssize_t)sizeof out ? EXIT_SUCCESS
                                                                      : EXIT_FAILURE);
    }
    close(ends[1]);
    if (read(ends[0], &out, sizeof out) != (ssize_t)sizeof out)
        out.status = 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    return out;
}

static bool is_too_much(const struct figures *f)
{
    return !f->status || f->cpu_ms > MOST_CPU_MS || f->memory_mb > MOST_MEMORY_MB ||
           (f->status != 200 && !f->shows_items && f->reply_mb > MOST_ERROR_MB);
}

int main(int argc, char **argv)
{
    bool check = argc > 1 && strcmp(argv[1], "--check") == 0;
    const char *only = argc > 1 + check ? argv[1 + check] : NULL;
    int failed = 0;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct figures f;

        if (only && strcmp(only, rows[i].name) != 0)
            continue;
        f = measure_alone(&rows[i]);
        printf("%-40s %8.1f ms %8.1f MB, answer %6.2f MB, status %d%s\n", rows[i].name, f.cpu_ms,
               f.memory_mb, f.reply_mb, f.status, f.refused_by_us ? ", beyond its budget" : "");
        if (check && is_too_much(&f)) {
            printf("not ok - %s takes too much\n", rows[i].name);
            failed++;
        }
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
