/* Files of snapshots that lie about exports, imports and bulk puts. */
#include "model/key.h"
#include "ops/transfer/buckets.h"
#include "store/cursor.h"
#include "support/file_tree.h"
#include "unit_lies.h"

#include <sys/stat.h>

#define ITEMS   450 /* more than a slice of any task */
#define HOUR_MS 3600000
#define KEYED                                                                        \
    "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}]," \
    "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}],"               \
    "\"BillingMode\":\"PAY_PER_REQUEST\""
#define TAB_ARN "arn:aws:dynamodb:us-east-1:000000000000:table/Tab"

static char objects[UNIT_FOLDER_SIZE]; /* the folder of the buckets */

/* Two objects of items; the table refuses the first item of each. */
static void write_objects(void)
{
    ck_assert_int_eq(mkdir(arena_printf(arena, "%s/bucket", objects), 0777), 0);
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(arena_printf(arena, "%s/bucket/in%d.json", objects, i), "w");

        ck_assert_ptr_nonnull(f);
        for (int n = 0; n < ITEMS; n++)
            ck_assert_int_gt(
                fprintf(f, "{\"Item\":{\"%s\":{\"S\":\"o%d.%d\"}}}\n", n ? "pk" : "no", i, n), 0);
        ck_assert_int_eq(fclose(f), 0);
    }
}

/* The row of the first task of a kind, KEY_SPACE_…. */
static const char *row_of(uint32_t space)
{
    struct buf low = buf_in(arena), high = buf_in(arena);
    struct store_range range = {.backwards = false};
    struct store_row row;
    struct cursor *cursor;
    struct unit *u;
    const char *text;

    key_of_space(&low, space);
    key_of_space(&high, space + 1);
    range.low = buf_span(&low);
    range.high = buf_span(&high);
    ck_assert_ptr_null(unit_begin(server.store, arena, UNIT_READS, &u));
    cursor = cursor_open(u, range);
    ck_assert(!cursor_next(cursor, &row) && row.found);
    text = arena_text(arena, row.body);
    unit_undo(u);
    return text;
}

/* Works until that row has the text. */
static void work_until(uint32_t space, const char *text)
{
    for (int i = 0; !strstr(row_of(space), text); i++)
        ck_assert_msg(i < 1000 && dispatch_idle(server.dispatcher), "%s", row_of(space));
}

/* Works until the export has kept items that changed after its moment. */
static void work_until_kept(void)
{
    static const char member[] = "\"space\":{\"N\":\"";
    const char *at = strstr(row_of(KEY_SPACE_EXPORTS), member);
    uint32_t space;

    ck_assert_ptr_nonnull(at);
    space = (uint32_t)strtoul(at + strlen(member), NULL, 10);
    for (int i = 0; !store_stats(server.store, space).entries; i++)
        ck_assert(i < 1000 && dispatch_idle(server.dispatcher));
}

static void put_items(const char *more)
{
    for (int i = 0; i < ITEMS; i++)
        send("PutItem",
             arena_printf(arena, "{\"TableName\":\"Tab\",\"Item\":{\"pk\":{\"S\":\"n%d\"}%s}}", i,
                          more),
             "{}");
}

/* A table whose items have changed an hour after they came. */
static void make_table(void)
{
    send("CreateTable", "{\"TableName\":\"Tab\"," KEYED "}", "Tab");
    send("UpdateContinuousBackups",
         "{\"TableName\":\"Tab\",\"PointInTimeRecoverySpecification\":"
         "{\"PointInTimeRecoveryEnabled\":true}}",
         "ENABLED");
    put_items("");
    clock_advance(server.clock, HOUR_MS);
    put_items(",\"new\":{\"S\":\"x\"}");
    settle();
}

/* As of the time between. */
static void begin_full_export(void)
{
    send("ExportTableToPointInTime",
         arena_printf(arena,
                      "{\"TableArn\":\"" TAB_ARN "\",\"S3Bucket\":\"bucket\","
                      "\"ExportTime\":%d}",
                      (int)(OFFLINE_NOW_MS / 1000 + 60)),
         "IN_PROGRESS");
    work_until_kept();
}

/* A bulk put, an import and two exports that are under way. */
static void open_tasks_server(void)
{
    unit_make_folder(objects);
    write_objects();
    offline_server_open(
        &server, arena,
        &(struct offline_options){.seed = 1, .settings = {.buckets = buckets_new(objects)}});
    make_table();
    send("StartBulkPutItems",
         "{\"TableName\":\"Tab\",\"InputS3Configuration\":{\"S3Bucket\":\"bucket\","
         "\"InputFormat\":\"DYNAMODB_JSON\"},\"OutputS3Configuration\":{\"S3Bucket\":\"bucket\","
         "\"OutputType\":[\"ERROR\"]}}",
         "Tab");
    work_until(KEY_SPACE_BULK_PUTS, "\"records\"");
    work_until(KEY_SPACE_BULK_PUTS, "\"object\":{\"S\":\"in1.json\"}");
    send("ImportTable",
         "{\"ClientToken\":\"t\",\"S3BucketSource\":{\"S3Bucket\":\"bucket\"},\"InputFormat\":"
         "\"DYNAMODB_JSON\",\"TableCreationParameters\":{\"TableName\":\"New\"," KEYED "}}",
         "New");
    work_until(KEY_SPACE_IMPORTS, "\"records\"");
    begin_full_export();
    send("ExportTableToPointInTime",
         arena_printf(arena,
                      "{\"TableArn\":\"" TAB_ARN "\",\"S3Bucket\":\"bucket\","
                      "\"ExportType\":\"INCREMENTAL_EXPORT\","
                      "\"IncrementalExportSpecification\":{\"ExportFromTime\":%d}}",
                      (int)(OFFLINE_NOW_MS / 1000 + 60)),
         "IN_PROGRESS");
}

static void close_tasks_server(void)
{
    struct buckets *buckets = server.settings.buckets;

    offline_server_close(&server);
    buckets_free(buckets);
    ck_assert(file_tree_remove(objects));
}

#define OF_EXPORTS "hex(substr(key, 1, 4)) = '00000006'"
#define OF_IMPORTS "hex(substr(key, 1, 4)) = '00000007'"
#define OF_PUTS    "hex(substr(key, 1, 4)) = '00000008'"
#define OF_HOLDS   "hex(substr(key, 1, 4)) = '00000009'"
#define TASK       DAMAGED "the description of an export, import or bulk put"
#define CONTINUES  DAMAGED "where an export or a bulk put continues"
#define READS      DAMAGED "a restore or an export reads another table's data"
#define OTHER      DAMAGED "an export, import or bulk put of another table"
#define UNFILLED   DAMAGED "a table waits for items, and no import fills it"
/* Another value of a member of the descriptions. */
#define MEMBER(of, name, value)                                                           \
    "UPDATE item SET body = CAST(json_set(CAST(body AS TEXT), '$." name "', json('" value \
    "')) AS BLOB) WHERE " BODIES(of)
#define NUMBER(of, name, value) MEMBER(of, name, "{\"N\":\"" value "\"}")
#define STRING(of, name, value) MEMBER(of, name, "{\"S\":\"" value "\"}")
/* Positions in the log of the table, which has space 17: of its first change, and of one to come.
 */
#define FIRST_CHANGE "AAAAEQAAAAAAAAABAAAAAAAAAAA="
#define LATER_CHANGE "AAAAERAAAAAAAAAAAAAAAAAAAAA="
/* Rows of the space that a member of the tasks has. */
#define OF_SPACE(of, name)                                                               \
    "hex(substr(key, 1, 4)) IN (SELECT printf('%08X', json_extract(CAST(body AS TEXT), " \
    "'$." name ".N')) FROM item WHERE " BODIES(of) ")"

static const struct lie lies[] = {
    {"UPDATE space SET entries = entries", NULL},
    {STRING(OF_EXPORTS, "created_ms", "x"), TASK},
    {NUMBER(OF_EXPORTS, "created_ms", "1"), TASK},
    {NUMBER(OF_EXPORTS, "ended_ms", "-1"), TASK},
    {NUMBER(OF_IMPORTS, "ready_ms", "9223372036854775807"), TASK},
    {NUMBER(OF_EXPORTS, "moment_ms", "9223372036854775807"), TASK},
    {NUMBER(OF_EXPORTS, "from_ms", "-5"), TASK},
    {STRING(OF_EXPORTS, "status", "DONE"), TASK},
    {STRING(OF_EXPORTS, "suffix", "00000000"), TASK},
    {STRING(OF_EXPORTS, "suffix", "../../zz"), TASK},
    {STRING(OF_EXPORTS, "region", "a/b"), TASK},
    {STRING(OF_IMPORTS, "table", "a/b"), TASK},
    {STRING(OF_IMPORTS, "aside", "x/y"), TASK},
    {STRING(OF_EXPORTS, "file", "../x"), TASK},
    {STRING(OF_PUTS, "file", "a/b"), TASK},
    {STRING(OF_PUTS, "request", "{"), TASK},
    {STRING(OF_PUTS, "request", "[]"), TASK},
    {STRING(OF_PUTS, "request", "{}"), TASK},
    {STRING(OF_EXPORTS, "request", "{\\\"S3Bucket\\\":7}"), TASK},
    {REPLACE_IN(OF_IMPORTS, "'\\\"HASH\\\"'", "'\\\"RANGE\\\"'"), TASK},
    {REPLACE_IN(OF_IMPORTS, "'DYNAMODB_JSON'", "'TEXT'"), TASK},
    {NUMBER(OF_IMPORTS, "items", "-1"), TASK},
    {NUMBER(OF_IMPORTS, "items", "9223372036854775807"), TASK},
    {NUMBER(OF_IMPORTS, "records", "9223372036854775807"), TASK},
    {NUMBER(OF_PUTS, "faults", "9223372036854775807"), TASK},
    {NUMBER(OF_PUTS, "put_bytes", "9223372036854775807"), TASK},
    {NUMBER(OF_PUTS, "report_bytes", "-1"), TASK},
    {STRING(OF_EXPORTS, "source", "{}"), TASK},
    {REPLACE_IN(OF_EXPORTS, "'\\\"pk\\\"'", "'\\\"pq\\\"'"), OTHER},
    {STRING(OF_EXPORTS, "table_id", "another"), TASK},
    {REPLACE_IN(OF_EXPORTS, "'-'", "'9'"), READS},
    {NUMBER(OF_EXPORTS, "table_space", "7"), OTHER},
    {NUMBER(OF_EXPORTS, "table_space", "9000"), OTHER},
    {NUMBER(OF_EXPORTS, "log_space", "9000"), CONTINUES},
    {NUMBER(OF_EXPORTS, "table_space", "0"), TASK},
    {NUMBER(OF_EXPORTS, "log_space", "0"), TASK},
    {NUMBER(OF_EXPORTS, "space", "0"), TASK},
    {NUMBER(OF_IMPORTS, "space", "0"), TASK},
    {MEMBER(OF_EXPORTS, "log_end", "{\"B\":\"\"}"), TASK},
    {MEMBER(OF_EXPORTS, "log_end", "{\"B\":\"AAAABQAAAAA=\"}"), CONTINUES},
    {MEMBER(OF_EXPORTS, "log_position", "{\"B\":\"AAAABQAAAAA=\"}"), CONTINUES},
    {MEMBER(OF_EXPORTS, "log_position", "{\"B\":\"" LATER_CHANGE "\"}"), CONTINUES},
    {MEMBER(OF_EXPORTS, "log_end", "{\"B\":\"" LATER_CHANGE "\"}"), CONTINUES},
    {MEMBER(OF_EXPORTS, "log_position", "{\"S\":\"x\"}"), TASK},
    {MEMBER(OF_PUTS, "report_position", "{\"B\":\"AAAAEAAAAAA=\"}"), CONTINUES},
    {NUMBER(OF_PUTS, "report", "9"), NULL},
    {MEMBER(OF_EXPORTS, "log_position", "{\"B\":\"" FIRST_CHANGE "\"}"), NULL},
    {STRING(OF_IMPORTS, "table_id", "another"), UNFILLED},
    {STRING(OF_IMPORTS, "table", "Tab"), UNFILLED},
    {"UPDATE catalog SET body = CAST(replace(body, '\"filling\":{\"BOOL\":true}', "
     "'\"filling\":{\"BOOL\":false}') AS BLOB)",
     OTHER},
    {"DELETE FROM item WHERE " BODIES(OF_IMPORTS) "; DELETE FROM entry WHERE " OF_IMPORTS,
     UNFILLED},
    {"DELETE FROM item WHERE " BODIES(OF_HOLDS) "; DELETE FROM entry WHERE " OF_HOLDS,
     DAMAGED "an export reads a log that may be removed"},
    {"DELETE FROM item WHERE " BODIES(OF_EXPORTS) "; DELETE FROM entry WHERE " OF_EXPORTS,
     DAMAGED "a log is kept, and no export reads it"},
    {REPLACE_IN(OF_SPACE(OF_EXPORTS, "space"), "'\"n'", "'\"z'"),
     DAMAGED "the place of an item of table Tab"},
    {REPLACE_IN(OF_SPACE(OF_EXPORTS, "space"), "'{\"pk'", "'{\"pq'"),
     DAMAGED "an item of table Tab"},
    {REPLACE_IN(OF_SPACE(OF_EXPORTS, "log_space"), "'\"n'", "'\"z'"),
     DAMAGED "the place of an item of table Tab"},
    {"UPDATE entry SET key = CAST(substr(key, 1, 12) || x'7fffffffffffffff' || substr(key, 21) AS "
     "BLOB) WHERE " OF_SPACE(OF_EXPORTS, "log_space"),
     DAMAGED "the time of a change of table Tab"},
    {"UPDATE entry SET key = CAST(key || x'ff' AS BLOB) WHERE " OF_SPACE(OF_IMPORTS, "space"),
     DAMAGED "an import of table New"},
    {REPLACE_IN(OF_SPACE(OF_PUTS, "reports"), "'{'", "char(10)"),
     DAMAGED "the report of a bulk put of table Tab"},
    {REPLACE_IN(OF_SPACE(OF_PUTS, "reports"), "'{'", "'{' || char(10)"),
     DAMAGED "the report of a bulk put of table Tab"},
    {REPLACE_IN(OF_SPACE(OF_PUTS, "reports"), "'}'", "''"),
     DAMAGED "the report of a bulk put of table Tab"},
    {"UPDATE item SET body = CAST(replace(CAST(body AS TEXT), '\"token\":{\"S\":\"t', "
     "'\"token\":{\"S\":\"' || CAST(x'ff' AS TEXT)) AS BLOB) WHERE " BODIES(OF_IMPORTS),
     TASK},
    {"UPDATE item SET body = CAST(replace(CAST(body AS TEXT), '\"object\":{\"S\":\"i', "
     "'\"object\":{\"S\":\"' || CAST(x'ff' AS TEXT)) AS BLOB) WHERE " BODIES(OF_PUTS),
     TASK},
};

static void take_store(struct store *loaded)
{
    store_free(server.store);
    server.store = loaded;
    dispatch_set_store(server.dispatcher, loaded);
    settle();
}

/* What was under way comes to its end. */
static void comes_to_its_end(struct store *loaded)
{
    take_store(loaded);
    send("ListExports", "{}", "COMPLETED");
    send("ListImports", "{}", "FAILED"); /* for the items that the table refuses */
    send("ListBulkOperations", "{}", "COMPLETED_WITH_ERRORS");
    send("DescribeTable", "{\"TableName\":\"New\"}", "\"ItemCount\":898");
    send("DescribeTable", "{\"TableName\":\"Tab\"}", "\"ItemCount\":1348");
}

START_TEST(a_file_that_lies_of_its_tasks_is_refused)
{
    struct store *loaded;

    open_tasks_server();
    if ((loaded = load_lie(&lies[_i])))
        comes_to_its_end(loaded);
    close_tasks_server();
}
END_TEST

/* --- the table is deleted ----------------------------------------------------------------------
 */

/* An export of a table that was deleted since: its log has no other reader. */
static void open_export_server(void)
{
    unit_make_folder(objects);
    write_objects();
    offline_server_open(
        &server, arena,
        &(struct offline_options){.seed = 1, .settings = {.buckets = buckets_new(objects)}});
    make_table();
    begin_full_export();
    send("DeleteTable", "{\"TableName\":\"Tab\"}", "Tab");
    send("CreateTable", "{\"TableName\":\"Tab\"," KEYED "}", "Tab"); /* another one */
}

static const struct lie export_lies[] = {
    {"UPDATE space SET entries = entries", NULL},
    {REPLACE_IN(OF_SPACE(OF_EXPORTS, "log_space"), "'\"n'", "'\"z'"),
     DAMAGED "the place of an item of table Tab"},
    {REPLACE_IN(OF_SPACE(OF_EXPORTS, "space"), "'{\"pk'", "'{\"pq'"),
     DAMAGED "an item of table Tab"},
    {NUMBER(OF_EXPORTS, "table_space", "9000"), READS},
    {NUMBER(OF_EXPORTS, "table_space", "7"), READS},
};

START_TEST(a_file_that_lies_of_a_deleted_table_is_refused)
{
    struct store *loaded;

    open_export_server();
    if ((loaded = load_lie(&export_lies[_i]))) {
        take_store(loaded);
        ck_assert_ptr_nonnull(strstr(row_of(KEY_SPACE_EXPORTS), "COMPLETED"));
        ck_assert_int_eq(store_stats(server.store, KEY_SPACE_LOG_HOLDS).entries, 0);
        send("Scan", "{\"TableName\":\"Tab\"}", "\"Count\":0");
    }
    close_tasks_server();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_file_that_lies_of_a_deleted_table_is_refused, 0, COUNT(export_lies));
    tcase_add_loop_test(tc, a_file_that_lies_of_its_tasks_is_refused, 0, COUNT(lies));
}

UNIT_TESTS(snapshot_tasks, add_tests)
