/* Whatever fails below the server, a request is done as a whole or not at all, says which of the
 * two, and the next one works. Every operation is repeated with its first, second, third … call of
 * the file system failing, with its first, second … statement interrupted or refused when it
 * is prepared, with every commit refused, and with ever more room in a database that is full. */
#include "support/database.h"
#include "support/offline_server.h"
#include "support/store_check.h"
#include "support/troubles.h"
#include "unit.h"

#include <stdio.h>
#include <unistd.h>

#define TURN_MS    1000 /* what is urgent is looked for again after that */
#define HOUR_MS    ((int64_t)60 * 60 * 1000)
#define ITEMS      24
#define FEW_ITEMS  50  /* of the other table */
#define MANY_ITEMS 625 /* of it, more than a slice of a backfill */

static char folder[UNIT_FOLDER_SIZE];
static char path[64], base_path[64]; /* the file at hand, and the one every round begins with */
static char describe_body[512], position_body[512], records_body[2048];
static char backup_body[128], restore_body[160], export_body[128];
static char import_body[128], bulk_body[128];

/* --- a server --------------------------------------------------------------------------------- */

static struct offline_server server;
static int64_t sweep_ms;         /* of servers that are opened from here on */
static struct store *base_store; /* what they are copies of; NULL: they open a file */

static struct store_options options_of(const char *file, bool compact)
{
    return (struct store_options){.path = file, .sync = STORE_SYNC_FULL, .compact = compact};
}

/* A cache of a few pages makes SQLite read and write while a request runs. */
static void open_server(const char *file, int64_t now_ms)
{
    struct offline_options options = {
        .now_ms = now_ms,
        .seed = 1,
        .store = options_of(file, false),
        .copy_of = base_store,
        .settings = {.ttl_sweep_ms = sweep_ms},
    };

    offline_server_open(&server, arena, &options);
    if (file || base_store)
        ck_assert_int_eq(sqlite3_exec(database_newest(), "PRAGMA cache_size = 4", NULL, NULL, NULL),
                         SQLITE_OK);
}

static int send(const char *operation, const char *body, struct span *answer)
{
    return offline_server_send(&server, span_of(operation), span_of(body), answer);
}

static const char *must_send(const char *operation, const char *body)
{
    struct span answer;
    int status = send(operation, body, &answer);

    ck_assert_msg(status == 200, "%s %s: %.*s", operation, body, SPAN_ARG(answer));
    return arena_text(arena, answer);
}

static bool flush(void)
{
    return !dispatch_needs_flush(server.dispatcher) || dispatch_flush(server.dispatcher);
}

/* Until nothing is left to do between requests, or a flush fails. */
static void rest(void)
{
    clock_advance(server.clock, TURN_MS);
    for (int steps = 0; steps < 1000; steps++) {
        bool more = dispatch_idle(server.dispatcher);

        if (!flush() || !more)
            return;
    }
    ck_abort_msg("the work between requests never ends");
}

/* --- what is in it ---------------------------------------------------------------------------- */

struct summary {
    size_t tables;
    struct store_contents contents;
};

static struct summary summarize(void)
{
    struct summary s = {.tables = store_table_count(server.store)};
    const char *problem = store_check_contents(server.store, arena, &s.contents);

    ck_assert_msg(!problem, "%s after %s", problem, trouble_last());
    return s;
}

/* Nothing of `a` and `b` differs, or nothing but numbers that are not given twice. */
static bool same(const struct summary *a, const struct summary *b)
{
    return a->contents.hash == b->contents.hash;
}

static bool alike(const struct summary *a, const struct summary *b)
{
    return a->contents.entries == b->contents.entries && a->tables == b->tables;
}

/* --- files ------------------------------------------------------------------------------------ */

static void remove_file(const char *file)
{
    static const char *const endings[] = {"", "-wal", "-journal"};

    for (size_t i = 0; i < COUNT(endings); i++)
        unlink(arena_printf(arena, "%s%s", file, endings[i]));
}

/* What the store logs of each failure is not for the reader of the tests' output. */
static void silence_log(void)
{
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
}

/* Once for all tests of a part. */
static void make_folder(void)
{
    unit_make_folder(folder);
    (void)snprintf(path, sizeof path, "%s/data.db", folder);
    (void)snprintf(base_path, sizeof base_path, "%s/base.db", folder);
    open_server(NULL, OFFLINE_NOW_MS);
    offline_server_close(&server);
    fault_install();
}

static void remove_folder(void)
{
    remove_file(path);
    remove_file(base_path);
    rmdir(folder);
}

/* --- what every round begins with ------------------------------------------------------------- */

#define ARN "arn:aws:dynamodb:us-east-1:000000000000:table/Items"
#define TO_KINESIS(table)                                                                         \
    "{\"TableName\":\"" table "\",\"StreamArn\":\"arn:aws:kinesis:us-east-1:000000000000:stream/" \
    "orders\""
#define PAD                   "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define ATTRIBUTE(name, type) "{\"AttributeName\":\"" name "\",\"AttributeType\":\"" type "\"}"
#define KEY(name, type)       "{\"AttributeName\":\"" name "\",\"KeyType\":\"" type "\"}"
#define ALL_OF_IT             "\"Projection\":{\"ProjectionType\":\"ALL\"}"
#define STREAMED                                       \
    "\"StreamSpecification\":{\"StreamEnabled\":true," \
    "\"StreamViewType\":\"NEW_AND_OLD_IMAGES\"}"
#define VECTORS                                                                             \
    "\"VectorIndexes\":[{\"IndexName\":\"vectors\",\"VectorAttribute\":{\"AttributeName\":" \
    "\"v\"},\"Dimensions\":2,\"DistanceFunction\":\"EUCLIDEAN\"," ALL_OF_IT "}]"

/* Three indexes and a stream. */
#define TABLE(name)                                                                                  \
    "{\"TableName\":\"" name "\",\"BillingMode\":\"PAY_PER_REQUEST\","                               \
    "\"AttributeDefinitions\":[" ATTRIBUTE("pk", "S") "," ATTRIBUTE("sk", "N") "," ATTRIBUTE(        \
        "a",                                                                                         \
        "S") "," ATTRIBUTE("b",                                                                      \
                           "N") "],"                                                                 \
                                "\"KeySchema\":[" KEY("pk", "HASH") "," KEY(                         \
                                    "sk",                                                            \
                                    "RANGE") "],"                                                    \
                                             "\"LocalSecondaryIndexes\":[{\"IndexName\":"            \
                                             "\"local\",\"KeySchema\":[" KEY("pk", "HASH") "," KEY(  \
                                                 "b",                                                \
                                                 "RANGE") "],\"Projection\":{\"ProjectionType\":"    \
                                                          "\"KEYS_ONLY\"}}],"                        \
                                                          "\"GlobalSecondaryIndexes\":[{"            \
                                                          "\"IndexName\":\"global\","                \
                                                          "\"KeySchema\":[" KEY(                     \
                                                              "a",                                   \
                                                              "HASH") "," KEY("b",                   \
                                                                              "RANGE") "]"           \
                                                                                       "," ALL_OF_IT \
                                                                                       "}]"          \
                                                                                       "," VECTORS   \
                                                                                       "," STREAMED  \
                                                                                       "}"

#define POLICY(action)                                                                   \
    "{\"ResourceArn\":\"" ARN "\",\"Policy\":\"{\\\"Statement\\\":{\\\"Effect\\\":"      \
    "\\\"Allow\\\",\\\"Principal\\\":{\\\"AWS\\\":\\\"111122223333\\\"},\\\"Action\\\":" \
    "\\\"" action "\\\",\\\"Resource\\\":\\\"" ARN "\\\"}}\"}"

static const char *item_text(int n, const char *more)
{
    return arena_printf(arena,
                        "{\"pk\":{\"S\":\"p%d\"},\"sk\":{\"N\":\"%d\"},\"a\":{\"S\":\"a%d\"},"
                        "\"b\":{\"N\":\"%d\"},\"v\":{\"L\":[{\"N\":\"%d\"},{\"N\":\"1\"}]},"
                        "\"pad\":{\"S\":\"" PAD PAD PAD PAD PAD "\"}%s}",
                        n % 5, n, n % 3, n * 7 % 10, n, more);
}

static void fill_tables(int more_items)
{
    for (int n = 0; n < ITEMS; n++)
        must_send("PutItem",
                  arena_printf(arena, "{\"TableName\":\"Items\",\"Item\":%s}",
                               item_text(n, n % 4 ? "" : ",\"ttl\":{\"N\":\"1699999999\"}")));
    for (int n = 0; n < more_items; n += 25) {
        struct buf puts = buf_in(arena);

        for (int i = n; i < n + 25; i++)
            buf_printf(&puts,
                       "%s{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"%d\"},\"a\":{\"S\":\"%d\"}}}}",
                       i > n ? "," : "", i, i % 10);
        must_send("BatchWriteItem",
                  arena_printf(arena, "{\"RequestItems\":{\"More\":[%s]}}", buf_text(&puts)));
    }
}

/* The text of a member of the answer that holds one. */
static const char *text_of(const char *answer, const char *member)
{
    const char *at = strstr(answer, arena_printf(arena, "\"%s\":\"", member));

    ck_assert_ptr_nonnull(at);
    at += strlen(member) + 4;
    return arena_text(arena, (struct span){at, strcspn(at, "\"")});
}

/* The requests that name the stream. */
static void find_stream(void)
{
    const char *arn = text_of(must_send("ListStreams", "{\"TableName\":\"Items\"}"), "StreamArn");
    const char *described, *shard, *iterator;

    strcpy(describe_body, arena_printf(arena, "{\"StreamArn\":\"%s\"}", arn));
    described = must_send("DescribeStream", describe_body);
    shard = text_of(described, "ShardId");
    strcpy(position_body,
           arena_printf(arena,
                        "{\"StreamArn\":\"%s\",\"ShardId\":\"%s\",\"ShardIteratorType\":"
                        "\"AT_SEQUENCE_NUMBER\",\"SequenceNumber\":\"%s\"}",
                        arn, shard, text_of(described, "StartingSequenceNumber")));
    iterator = must_send("GetShardIterator",
                         arena_printf(arena,
                                      "{\"StreamArn\":\"%s\",\"ShardId\":\"%s\","
                                      "\"ShardIteratorType\":\"TRIM_HORIZON\"}",
                                      arn, shard));
    strcpy(records_body,
           arena_printf(arena, "{\"ShardIterator\":\"%s\"}", text_of(iterator, "ShardIterator")));
}

/* The requests that name the backup. */
static void find_backup(void)
{
    const char *arn = text_of(must_send("CreateBackup", "{\"TableName\":\"Items\","
                                                        "\"BackupName\":\"old\"}"),
                              "BackupArn");

    strcpy(backup_body, arena_printf(arena, "{\"BackupArn\":\"%s\"}", arn));
    strcpy(restore_body,
           arena_printf(arena, "{\"TargetTableName\":\"Back\",\"BackupArn\":\"%s\"}", arn));
}

#define IMPORT(table)                                                                              \
    "{\"ClientToken\":\"" table "\",\"S3BucketSource\":{\"S3Bucket\":\"bucket\"},"                 \
    "\"InputFormat\":\"ION\","                                                                     \
    "\"TableCreationParameters\":{\"TableName\":\"" table "\",\"BillingMode\":"                    \
    "\"PAY_PER_REQUEST\",\"AttributeDefinitions\":[" ATTRIBUTE("pk", "S") "],\"KeySchema\":[" KEY( \
        "pk", "HASH") "]}}"
#define BULK_PUT                                                                   \
    "{\"TableName\":\"Items\",\"InputS3Configuration\":{\"S3Bucket\":\"bucket\","  \
    "\"InputFormat\":\"ION\"},\"OutputS3Configuration\":{\"S3Bucket\":\"bucket\"," \
    "\"OutputType\":[\"ERROR\"]}}"

/* The requests that name the export, import and bulk put, whose bucket is not there. */
static void find_tasks(void)
{
    const char *import = text_of(must_send("ImportTable", IMPORT("Imported")), "ImportArn");
    const char *bulk = text_of(must_send("StartBulkPutItems", BULK_PUT), "BulkOperationArn");
    const char *arn = text_of(
        must_send("ExportTableToPointInTime", "{\"TableArn\":\"" ARN "\",\"S3Bucket\":\"bucket\"}"),
        "ExportArn");

    strcpy(export_body, arena_printf(arena, "{\"ExportArn\":\"%s\"}", arn));
    strcpy(import_body, arena_printf(arena, "{\"ImportArn\":\"%s\"}", import));
    strcpy(bulk_body, arena_printf(arena, "{\"BulkOperationArn\":\"%s\"}", bulk));
    rest(); /* it ends between requests */
}

/* Before the requests, so that none of what they write belongs to the latest moment that can be
 * restored. */
#define BASE_MS (OFFLINE_NOW_MS - 1000)

static void make_base(const char *file, int more_items)
{
    open_server(file, BASE_MS);
    must_send("CreateTable", TABLE("Items"));
    must_send("CreateTable", "{\"TableName\":\"More\",\"BillingMode\":\"PAY_PER_REQUEST\","
                             "\"AttributeDefinitions\":[" ATTRIBUTE(
                                 "pk", "S") "],"
                                            "\"KeySchema\":[" KEY("pk", "HASH") "]}");
    must_send("EnableKinesisStreamingDestination", TO_KINESIS("More") "}");
    must_send("UpdateTimeToLive", "{\"TableName\":\"Items\",\"TimeToLiveSpecification\":"
                                  "{\"Enabled\":true,\"AttributeName\":\"ttl\"}}");
    must_send("TagResource",
              "{\"ResourceArn\":\"" ARN "\",\"Tags\":[{\"Key\":\"old\",\"Value\":\"v\"}]}");
    must_send("PutResourcePolicy", POLICY("dynamodb:GetItem"));
    must_send("UpdateContinuousBackups",
              "{\"TableName\":\"Items\",\"PointInTimeRecoverySpecification\":"
              "{\"PointInTimeRecoveryEnabled\":true}}");
    fill_tables(more_items);
    must_send("TransactWriteItems",
              "{\"ClientRequestToken\":\"old\",\"TransactItems\":[{\"Delete\":{\"TableName\":"
              "\"More\",\"Key\":{\"pk\":{\"S\":\"none\"}}}}]}");
    find_stream();
    find_backup();
    find_tasks();
    ck_assert(flush());
}

/* --- requests --------------------------------------------------------------------------------- */

#define OF_ITEM(n) "\"Key\":{\"pk\":{\"S\":\"p" n "\"},\"sk\":{\"N\":\"" n "\"}}"
#define NEW(pk)                                                                                \
    "{\"pk\":{\"S\":\"" pk "\"},\"sk\":{\"N\":\"1\"},\"a\":{\"S\":\"x\"},\"b\":{\"N\":\"1\"}," \
    "\"v\":{\"L\":[{\"N\":\"1\"},{\"N\":\"0\"}]},\"pad\":{\"S\":\"" PAD PAD "\"}}"
#define RISE                                                                          \
    "\"UpdateExpression\":\"ADD b :one SET c = :one\",\"ExpressionAttributeValues\":" \
    "{\":one\":{\"N\":\"1\"}}"

#define RECOVERY "\"PointInTimeRecoverySpecification\":{\"PointInTimeRecoveryEnabled\":true}"

static const struct exchange {
    const char *operation, *body;
} requests[] = {
    {"CreateTable", TABLE("Extra")},
    {"PutItem", "{\"TableName\":\"Items\",\"Item\":" NEW("new") "}"},
    {"PutItem", "{\"TableName\":\"Items\",\"ReturnValues\":\"ALL_OLD\",\"Item\":" NEW("p1") "}"},
    {"UpdateItem", "{\"TableName\":\"Items\"," OF_ITEM("2") "," RISE "}"},
    {"DeleteItem", "{\"TableName\":\"Items\"," OF_ITEM("3") "}"},
    {"BatchWriteItem",
     "{\"RequestItems\":{\"Items\":[{\"PutRequest\":{\"Item\":" NEW(
         "new") "}},"
                "{\"DeleteRequest\":{" OF_ITEM("1") "}},{\"DeleteRequest\":{" OF_ITEM(
                    "4") "}}],\"More\":[{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"new\"}}}}]}}"},
    {"TransactWriteItems",
     "{\"ClientRequestToken\":\"once\",\"TransactItems\":["
     "{\"Put\":{\"TableName\":\"Items\",\"Item\":" NEW(
         "new") "}},"
                "{\"Update\":{\"TableName\":\"Items\"," OF_ITEM(
                    "1") "," RISE "}},"
                         "{\"Delete\":{\"TableName\":\"Items\"," OF_ITEM(
                             "2") "}},"
                                  "{\"ConditionCheck\":{\"TableName\":\"Items\"," OF_ITEM(
                                      "3") ",\"ConditionExpression\":\"attribute_exists(pk)\"}}]}"},
    {"ExecuteStatement", "{\"Statement\":\"INSERT INTO Items VALUE "
                         "{'pk': 'new', 'sk': 1, 'a': 'x', 'b': 2, 'pad': '" PAD "'}\"}"},
    {"ExecuteStatement",
     "{\"Statement\":\"UPDATE Items SET b = b + 1 SET c = 5 WHERE pk = 'p2' AND sk = 2\"}"},
    {"ExecuteTransaction", "{\"ClientRequestToken\":\"once\",\"TransactStatements\":["
                           "{\"Statement\":\"INSERT INTO More VALUE {'pk': 'new'}\"},"
                           "{\"Statement\":\"DELETE FROM Items WHERE pk = 'p2' AND sk = 2\"}]}"},
    {"BatchExecuteStatement",
     "{\"Statements\":[{\"Statement\":\"INSERT INTO More VALUE {'pk': 'new'}\"},"
     "{\"Statement\":\"DELETE FROM Items WHERE pk = 'p2' AND sk = 2\"},"
     "{\"Statement\":\"UPDATE Items SET b = b + 1 WHERE pk = 'p1' AND sk = 1\"}]}"},
    {"UpdateTable", "{\"TableName\":\"Items\",\"StreamSpecification\":{\"StreamEnabled\":false}}"},
    {"TagResource", "{\"ResourceArn\":\"" ARN "\","
                    "\"Tags\":[{\"Key\":\"k\",\"Value\":\"v\"}]}"},
    {"DeleteTable", "{\"TableName\":\"More\"}"},
    {"DeleteTable", "{\"TableName\":\"Items\"}"},
    {"GetItem", "{\"TableName\":\"Items\"," OF_ITEM("2") "}"},
    {"BatchGetItem", "{\"RequestItems\":{\"Items\":{\"Keys\":[{\"pk\":{\"S\":\"p1\"},\"sk\":"
                     "{\"N\":\"1\"}},{\"pk\":{\"S\":\"p2\"},\"sk\":{\"N\":\"2\"}}]}}}"},
    {"Query", "{\"TableName\":\"Items\",\"IndexName\":\"global\",\"KeyConditionExpression\":"
              "\"a = :a\",\"ExpressionAttributeValues\":{\":a\":{\"S\":\"a1\"}}}"},
    {"Scan", "{\"TableName\":\"Items\",\"Segment\":1,\"TotalSegments\":2}"},
    {"SearchVectors", "{\"TableName\":\"Items\",\"IndexName\":\"vectors\",\"SearchVector\":"
                      "[{\"N\":\"1\"},{\"N\":\"2\"}],\"TopK\":3}"},
    {"ExecuteStatement",
     "{\"Statement\":\"SELECT pk FROM \\\"Items\\\".\\\"local\\\" WHERE pk = 'p1'\"}"},
    {"BatchExecuteStatement",
     "{\"Statements\":[{\"Statement\":\"SELECT * FROM More WHERE pk = '1'\"},"
     "{\"Statement\":\"SELECT b FROM Items WHERE pk = 'p2' AND sk = 2\"}]}"},
    {"TransactGetItems",
     "{\"TransactItems\":[{\"Get\":{\"TableName\":\"Items\"," OF_ITEM(
         "2") "}},{\"Get\":{\"TableName\":\"More\",\"Key\":{\"pk\":{\"S\":\"1\"}}}}]}"},
    {"ListTables", "{}"},
    {"ListStreams", "{}"},
    {"DescribeStream", describe_body},
    {"GetShardIterator", position_body},
    {"GetRecords", records_body},
    {"UpdateTimeToLive", "{\"TableName\":\"More\",\"TimeToLiveSpecification\":"
                         "{\"Enabled\":true,\"AttributeName\":\"ttl\"}}"},
    {"DescribeTimeToLive", "{\"TableName\":\"Items\"}"},
    {"DescribeTable", "{\"TableName\":\"Items\"}"},
    {"UntagResource", "{\"ResourceArn\":\"" ARN "\",\"TagKeys\":[\"old\"]}"},
    {"ListTagsOfResource", "{\"ResourceArn\":\"" ARN "\"}"},
    {"PutResourcePolicy", POLICY("dynamodb:Query")},
    {"GetResourcePolicy", "{\"ResourceArn\":\"" ARN "\"}"},
    {"DeleteResourcePolicy", "{\"ResourceArn\":\"" ARN "\"}"},
    {"UpdateContributorInsights",
     "{\"TableName\":\"Items\",\"ContributorInsightsAction\":\"ENABLE\"}"},
    {"DescribeContributorInsights", "{\"TableName\":\"Items\"}"},
    {"ListContributorInsights", "{}"},
    {"EnableKinesisStreamingDestination", TO_KINESIS("Items") "}"},
    {"UpdateKinesisStreamingDestination",
     TO_KINESIS("More") ",\"UpdateKinesisStreamingConfiguration\":"
                        "{\"ApproximateCreationDateTimePrecision\":\"MICROSECOND\"}}"},
    {"DescribeKinesisStreamingDestination", "{\"TableName\":\"Items\"}"},
    {"DisableKinesisStreamingDestination", TO_KINESIS("More") "}"},
    {"CreateBackup", "{\"TableName\":\"Items\",\"BackupName\":\"new\"}"},
    {"DescribeBackup", backup_body},
    {"DeleteBackup", backup_body},
    {"RestoreTableFromBackup", restore_body},
    {"UpdateContinuousBackups", "{\"TableName\":\"More\"," RECOVERY "}"},
    {"DescribeContinuousBackups", "{\"TableName\":\"Items\"}"},
    {"RestoreTableToPointInTime", "{\"SourceTableName\":\"Items\",\"TargetTableName\":\"Again\","
                                  "\"UseLatestRestorableTime\":true}"},
    {"ListBackups", "{}"},
    {"ExportTableToPointInTime", "{\"TableArn\":\"" ARN "\",\"S3Bucket\":\"bucket\"}"},
    {"DescribeExport", export_body},
    {"ListExports", "{}"},
    {"ImportTable", IMPORT("New")},
    {"DescribeImport", import_body},
    {"ListImports", "{}"},
    {"StartBulkPutItems", BULK_PUT},
    {"DescribeBulkOperation", bulk_body},
    {"ListBulkOperations", "{}"},
    {"CancelBulkOperation", bulk_body},
    {"ListGlobalTables", "{}"},
    {"DescribeLimits", "{}"},
    {"DescribeEndpoints", "{}"},
};

/* A write that shares its flush with the request. Lists and descriptions come without one: with it
 * they would show what reads of items show. */
static void send_first(const struct exchange *r)
{
    if (strncmp(r->operation, "List", 4) != 0 && strncmp(r->operation, "Describe", 8) != 0)
        must_send("PutItem", "{\"TableName\":\"Items\",\"Item\":" NEW("first") "}");
}

/* What is in the store before anything, after the request that shares its flush with the one that
 * counts, and after both. */
struct states {
    struct summary before, between, after;
};

static struct states states_of(const struct exchange *r)
{
    struct states s;

    s.before = summarize();
    send_first(r);
    s.between = summarize();
    must_send(r->operation, r->body);
    ck_assert(flush());
    rest();
    s.after = summarize();
    return s;
}

static void has(const struct summary *expected, bool exactly)
{
    struct summary now = summarize();

    ck_assert_msg(exactly ? same(&now, expected) : alike(&now, expected),
                  "%zu tables and %lld entries instead of %zu and %lld after %s", now.tables,
                  (long long)now.contents.entries, expected->tables,
                  (long long)expected->contents.entries, trouble_last());
}

/* Whether it was done; if not, that has to be said in the service's words. */
static bool is_done(const struct exchange *r)
{
    struct span answer;
    int status = send(r->operation, r->body, &answer);

    ck_assert_msg(status == 200 || (status == 500 &&
                                    strstr(arena_text(arena, answer), "#InternalServerError\"")),
                  "%d %.*s", status, SPAN_ARG(answer));
    return status == 200;
}

/* False when there was nothing left to fail. */
static bool request_in_file(const struct exchange *r, const struct states *s,
                            const struct trouble *t, unsigned nth)
{
    const struct summary *expected;
    bool done, flushed, failed;

    unit_copy_file(base_path, path);
    open_server(path, OFFLINE_NOW_MS);
    send_first(r);
    trouble_arm(t, nth);
    done = is_done(r);
    flushed = flush();
    failed = trouble_lift(t) || !done || !flushed;
    rest();
    expected = !flushed ? &s->before : done ? &s->after : &s->between;
    has(expected, true);
    if (!flushed)
        send_first(r);
    if (!flushed || !done)
        must_send(r->operation, r->body);
    ck_assert(flush());
    rest();
    has(&s->after, false);
    offline_server_close(&server);
    open_server(path, OFFLINE_NOW_MS);
    has(&s->after, false);
    offline_server_close(&server);
    return failed;
}

START_TEST(a_request_is_done_in_a_file_or_leaves_no_trace)
{
    const struct exchange *r = &requests[_i];
    struct states s;

    silence_log();
    unit_copy_file(base_path, path);
    open_server(path, OFFLINE_NOW_MS);
    s = states_of(r);
    offline_server_close(&server);
    for (const struct trouble *t = troubles; t->name; t++)
        for (unsigned nth = 1; request_in_file(r, &s, t, nth); nth = trouble_next(nth))
            arena_reset(arena);
}
END_TEST

static bool request_in_memory(const struct exchange *r, const struct states *s,
                              const struct trouble *t, unsigned nth)
{
    bool done;

    trouble_arm(t, nth);
    done = is_done(r);
    trouble_lift(t);
    rest();
    has(done ? &s->after : &s->between, !done);
    return !done;
}

START_TEST(a_request_is_done_in_memory_or_leaves_no_trace)
{
    const struct exchange *r = &requests[_i];
    const char *problem = NULL;
    struct states s;

    silence_log();
    ck_assert(
        (base_store = store_open(arena, &(struct store_options){.path = base_path}, &problem)));
    open_server(NULL, OFFLINE_NOW_MS);
    s = states_of(r);
    offline_server_close(&server);
    for (const struct trouble *t = troubles; t->name; t++) {
        unsigned nth = 1;

        if (t->kind == TROUBLE_IN_FILES)
            continue;
        open_server(NULL, OFFLINE_NOW_MS);
        send_first(r);
        while (request_in_memory(r, &s, t, nth))
            nth = trouble_next(nth);
        offline_server_close(&server);
    }
    store_free(base_store);
    base_store = NULL;
}
END_TEST

/* --- work between requests -------------------------------------------------------------------- */

#define MINUTES_MS     \
    ((int64_t)2 * 60 * \
     1000) /* until each job has its next turn; a sweep that was lost, its next one */

static const struct work {
    const char *operation, *body; /* what makes it necessary; NULL: time does */
    int more_items;               /* of the other table */
    int64_t later_ms;
    int64_t sweep_ms;
} works[] = {
    {"UpdateTable",
     "{\"TableName\":\"More\",\"AttributeDefinitions\":[" ATTRIBUTE(
         "a", "S") "],"
                   "\"GlobalSecondaryIndexUpdates\":[{\"Create\":{\"IndexName\":\"late\","
                   "\"KeySchema\":[" KEY("a", "HASH") "]," ALL_OF_IT "}}]}",
     MANY_ITEMS, 0, 0},
    {"DeleteTable", "{\"TableName\":\"More\"}", MANY_ITEMS, 0, 0},
    {NULL, NULL, FEW_ITEMS, 2 * HOUR_MS, 1000},
    {NULL, NULL, FEW_ITEMS, 25 * HOUR_MS, 0},
    {"DeleteTable", "{\"TableName\":\"Items\"}", FEW_ITEMS, 25 * HOUR_MS, 0},
};

static void open_for_work(const struct work *w)
{
    sweep_ms = w->sweep_ms;
    unit_copy_file(base_path, path);
    open_server(path, OFFLINE_NOW_MS);
    if (w->operation)
        must_send(w->operation, w->body);
    ck_assert(flush());
    clock_advance(server.clock, w->later_ms);
}

static bool work_in_file(const struct work *w, const struct summary *after, const struct trouble *t,
                         unsigned nth)
{
    struct summary now;
    bool failed;

    open_for_work(w);
    trouble_arm(t, nth);
    rest();
    rest();
    failed = trouble_lift(t);
    (void)flush();
    now = summarize();
    failed = failed || !alike(&now, after);
    if (nth % 2) {
        offline_server_close(&server);
        open_server(path, OFFLINE_NOW_MS + w->later_ms);
        has(&now, true);
    }
    for (int turn = 0; turn < 2; turn++) {
        clock_advance(server.clock, MINUTES_MS);
        rest();
    }
    has(after, false);
    offline_server_close(&server);
    return failed;
}

START_TEST(work_between_requests_goes_on_after_a_failure)
{
    const struct work *w = &works[_i];
    struct summary after;

    silence_log();
    make_base(base_path, w->more_items);
    offline_server_close(&server);
    open_for_work(w);
    rest();
    rest();
    after = summarize();
    offline_server_close(&server);
    for (const struct trouble *t = troubles; t->name; t++)
        for (unsigned nth = 1; work_in_file(w, &after, t, nth); nth = trouble_next(nth))
            arena_reset(arena);
    remove_file(base_path);
}
END_TEST

/* --- opening ---------------------------------------------------------------------------------- */

enum opened { NEW_FILE, CLOSED_FILE, KILLED_FILE, COMPACTED_FILE, OLD_FILE, OPENED_COUNT };

/* The log of the file that is opened; under its own name it would go with the base's end. */
static const char *base_log(void)
{
    return arena_printf(arena, "%s-log", base_path);
}

static void lay_file(enum opened what)
{
    remove_file(path);
    if (what != NEW_FILE)
        unit_copy_file(base_path, path);
    if (what == KILLED_FILE)
        unit_copy_file(base_log(), arena_printf(arena, "%s-wal", path));
}

/* A server's file as it is when it ends, or as it was when it was killed. */
static void make_file(bool killed)
{
    make_base(base_path, FEW_ITEMS);
    unit_copy_file(arena_printf(arena, "%s-wal", base_path), base_log());
    unit_copy_file(base_path, path);
    offline_server_close(&server);
    if (killed)
        unit_copy_file(path, base_path);
}

static struct summary what_is_inside(enum opened what)
{
    struct summary inside;

    lay_file(what);
    open_server(path, OFFLINE_NOW_MS);
    inside = summarize();
    offline_server_close(&server);
    return inside;
}

static bool open_in_trouble(enum opened what, const struct summary *inside, const struct fault *f,
                            unsigned nth)
{
    struct store_options options = options_of(path, what == COMPACTED_FILE);
    const char *problem = NULL;
    unsigned failed;

    lay_file(what);
    fault_arm(f, nth);
    server.store = store_open(arena, &options, &problem);
    failed = fault_lift();
    ck_assert(server.store ? !problem : problem && failed);
    if (server.store)
        has(inside, true);
    store_free(server.store);
    open_server(path, OFFLINE_NOW_MS);
    has(inside, true);
    offline_server_close(&server);
    return failed;
}

START_TEST(a_file_that_cannot_be_opened_is_as_it_was)
{
    struct summary inside;

    silence_log();
    if (_i == OLD_FILE)
        unit_copy_file(TEST_DATA_DIR "/data/format-1.db", base_path);
    else if (_i != NEW_FILE)
        make_file(_i == KILLED_FILE);
    inside = what_is_inside((enum opened)_i);
    for (const struct trouble *t = troubles; t->name; t++)
        if (t->kind == TROUBLE_IN_FILES)
            for (unsigned nth = 1; open_in_trouble((enum opened)_i, &inside, &t->fault, nth);
                 nth = trouble_next(nth))
                arena_reset(arena);
    unlink(base_log());
    remove_file(base_path);
}
END_TEST

#define HALF (COUNT(requests) / 2)

static void make_base_of_requests(void)
{
    make_folder();
    make_base(base_path, FEW_ITEMS);
    offline_server_close(&server);
}

static void add_first_in_files(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, make_base_of_requests, remove_folder);
    tcase_add_loop_test(tc, a_request_is_done_in_a_file_or_leaves_no_trace, 0, HALF);
}

static void add_others_in_files(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, make_base_of_requests, remove_folder);
    tcase_add_loop_test(tc, a_request_is_done_in_a_file_or_leaves_no_trace, HALF, COUNT(requests));
}

static void add_in_memory(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, make_base_of_requests, remove_folder);
    tcase_add_loop_test(tc, a_request_is_done_in_memory_or_leaves_no_trace, 0, COUNT(requests));
}

static void add_between_requests(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, make_folder, remove_folder);
    tcase_add_loop_test(tc, work_between_requests_goes_on_after_a_failure, 0, COUNT(works));
}

static void add_opening(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, make_folder, remove_folder);
    tcase_add_loop_test(tc, a_file_that_cannot_be_opened_is_as_it_was, 0, OPENED_COUNT);
}

UNIT_SUITE(faults, {"files-1", add_first_in_files}, {"files-2", add_others_in_files},
           {"memory", add_in_memory}, {"work", add_between_requests}, {"opening", add_opening})
