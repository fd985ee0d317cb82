#include "unit.h"

#include <libdeflate.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixtures/fixtures.h"
#include "fixtures/fixtures_moment.h"
#include "fixtures/fixtures_table.h"
#include "moving/moving_fixtures.h"
#include "support/offline_server.h"

/* --- table files ------------------------------------------------------------------------------ */

#define SCHEMA     "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}]"
#define ATTRIBUTES "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}]"
#define KEYS       SCHEMA "," ATTRIBUTES
#define MADE       ATTRIBUTES "," SCHEMA

static const struct {
    const char *text, *create;
} tables[] = {
    {"{\"TableName\":\"T\"," KEYS ",\"BillingMode\":\"PAY_PER_REQUEST\"}",
     "{\"TableName\":\"dev-T\"," KEYS ",\"BillingMode\":\"PAY_PER_REQUEST\"}"},
    /* as DescribeTable has an on-demand table */
    {"{\"Table\":{" KEYS ",\"TableName\":\"T\",\"TableStatus\":\"ACTIVE\",\"ItemCount\":3,"
     "\"ProvisionedThroughput\":{\"NumberOfDecreasesToday\":0,\"ReadCapacityUnits\":0,"
     "\"WriteCapacityUnits\":0},\"BillingModeSummary\":{\"BillingMode\":\"PAY_PER_REQUEST\","
     "\"LastUpdateToPayPerRequestDateTime\":1.5},\"TableClassSummary\":{\"TableClass\":"
     "\"STANDARD\"},\"GlobalSecondaryIndexes\":[{\"IndexName\":\"I\",\"KeySchema\":["
     "{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}],\"Projection\":{\"ProjectionType\":\"ALL\"},"
     "\"IndexStatus\":\"ACTIVE\",\"ProvisionedThroughput\":{\"ReadCapacityUnits\":0,"
     "\"WriteCapacityUnits\":0},\"OnDemandThroughput\":{\"MaxReadRequestUnits\":-1,"
     "\"MaxWriteRequestUnits\":7}}],\"OnDemandThroughput\":{\"MaxReadRequestUnits\":-1,"
     "\"MaxWriteRequestUnits\":-1},\"DeletionProtectionEnabled\":false}}",
     "{\"TableName\":\"dev-T\"," MADE ",\"GlobalSecondaryIndexes\":[{\"IndexName\":\"I\","
     "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}],\"Projection\":"
     "{\"ProjectionType\":\"ALL\"},\"OnDemandThroughput\":{\"MaxWriteRequestUnits\":7}}],"
     "\"BillingMode\":\"PAY_PER_REQUEST\",\"TableClass\":\"STANDARD\"}\n"},
    /* a replica of a global table, with a vector index */
    {"{\"Table\":{\"TableName\":\"T\"," KEYS ",\"Replicas\":[{\"RegionName\":\"us-west-2\","
     "\"GlobalTableSettingsReplicationMode\":\"ENABLED_WITH_OVERRIDES\"}],"
     "\"GlobalTableSettingsReplicationMode\":\"ENABLED_WITH_OVERRIDES\","
     "\"DisassociationProtectionEnabled\":true,\"WarmThroughput\":{\"ReadUnitsPerSecond\":12001,"
     "\"Status\":\"ACTIVE\"},\"VectorIndexes\":[{\"IndexName\":\"V\",\"IndexStatus\":\"ACTIVE\","
     "\"Dimensions\":3}],\"TableThroughputModeSummary\":{\"TableThroughputMode\":"
     "\"PAY_PER_REQUEST\"}}}",
     "{\"TableName\":\"dev-T\"," MADE ",\"VectorIndexes\":[{\"IndexName\":\"V\",\"Dimensions\":3}],"
     "\"WarmThroughput\":{\"ReadUnitsPerSecond\":12001}}\n"},
    {"{\"Table\":{\"TableName\":\"T\"," KEYS
     ",\"GlobalTableSettingsReplicationMode\":\"ENABLED\"}}",
     "{\"TableName\":\"dev-T\"," MADE ",\"GlobalTableSettingsReplicationMode\":\"ENABLED\"}\n"},
    /* a provisioned one with a stream and a key of its own */
    {"{\"Table\":{\"TableName\":\"T\"," KEYS ",\"ProvisionedThroughput\":"
     "{\"NumberOfDecreasesToday\":0,\"ReadCapacityUnits\":5,\"WriteCapacityUnits\":6},"
     "\"LocalSecondaryIndexes\":[{\"IndexName\":\"L\",\"IndexArn\":\"arn\"},{\"IndexName\":\"M\"}],"
     "\"StreamSpecification\":{\"StreamEnabled\":true,\"StreamViewType\":\"KEYS_ONLY\"},"
     "\"SSEDescription\":{\"Status\":\"ENABLED\",\"SSEType\":\"KMS\",\"KMSMasterKeyArn\":\"k\"}}}",
     "{\"TableName\":\"dev-T\"," MADE ",\"LocalSecondaryIndexes\":[{\"IndexName\":\"L\"},"
     "{\"IndexName\":\"M\"}],\"ProvisionedThroughput\":{\"ReadCapacityUnits\":5,"
     "\"WriteCapacityUnits\":6},\"SSESpecification\":{\"Enabled\":true,"
     "\"SSEType\":\"KMS\",\"KMSMasterKeyId\":\"k\"},\"StreamSpecification\":{"
     "\"StreamEnabled\":true,\"StreamViewType\":\"KEYS_ONLY\"}}\n"},
};

START_TEST(makes_a_request_of_a_table_file)
{
    struct fixture_table table;

    ck_assert_ptr_null(
        fixtures_table_make(arena, span_of(tables[_i].text), SPAN_LIT("dev-T"), &table));
    ck_assert_span_eq(table.create_table, tables[_i].create);
    ck_assert_span_eq(table.full_name, "dev-T");
    ck_assert_uint_eq(table.after_count, 0);
}
END_TEST

START_TEST(time_to_live_is_a_request_of_its_own)
{
    struct fixture_table table;

    ck_assert_ptr_null(fixtures_table_make(
        arena,
        SPAN_LIT("{\"TableName\":\"T\",\"TimeToLiveSpecification\":{\"AttributeName\":\"ttl\","
                 "\"Enabled\":true}}"),
        SPAN_LIT("T"), &table));
    ck_assert_span_eq(table.create_table, "{\"TableName\":\"T\"}");
    ck_assert_uint_eq(table.after_count, 1);
    ck_assert_str_eq(table.after[0].operation, "UpdateTimeToLive");
    ck_assert_span_eq(table.after[0].body,
                      "{\"TableName\":\"T\",\"TimeToLiveSpecification\":{\"AttributeName\":\"ttl\","
                      "\"Enabled\":true}}");
}
END_TEST

/* --- folders ---------------------------------------------------------------------------------- */

static struct offline_server server;
static char folder[64];

#define MARK  "\xEF\xBB\xBF"
#define TABLE "{\"TableName\":\"Tab\"," KEYS ",\"BillingMode\":\"PAY_PER_REQUEST\"}"

static const char *file_path(const char *name)
{
    return arena_printf(arena, "%s/%s", folder, name);
}

static void write_bytes(const char *name, struct span bytes)
{
    FILE *f = fopen(file_path(name), "w");

    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes.at, 1, bytes.len, f), bytes.len);
    ck_assert_int_eq(fclose(f), 0);
}

static void write_file(const char *name, const char *text)
{
    write_bytes(name, span_of(text));
}

static void start(void)
{
    unit_make_folder(folder);
    ck_assert_int_eq(mkdir(file_path("tables"), 0700), 0);
    ck_assert_int_eq(mkdir(file_path("items"), 0700), 0);
    offline_server_open(&server, arena, &(struct offline_options){.seed = 1});
}

static void stop(void)
{
    static const char *const files[] = {
        "tables/Tab.json", "items/Tab.jsonl", "items/Tab.json",  "items/U.jsonl",
        "tables/.notes",   "tables/Una.json", "items/Una.jsonl", "items/Tab.jsonl.gz",
        "items/Tab.txt",   "tables/Tab.jsn",  "fixture.json",    "t.db",
        "t.db-wal",        "t.db-shm"};

    offline_server_close(&server);
    for (size_t i = 0; i < COUNT(files); i++)
        unlink(file_path(files[i]));
    rmdir(file_path("tables"));
    rmdir(file_path("items"));
    rmdir(folder);
}

static const char *load_names(struct offline_server *to, const char **names, size_t count,
                              const char *prefix)
{
    return moving_fixtures_load(
        arena, to->dispatcher, &to->settings,
        &(struct moving_fixtures){.names = {names, count}, .table_prefix = prefix});
}

static const char *load(const char *prefix)
{
    const char *name = folder;

    return load_names(&server, &name, 1, prefix);
}

static int64_t item_count(const char *name)
{
    const struct table *t = store_table(server.store, span_of(name));

    return t ? store_stats(server.store, t->space).entries : -1;
}

START_TEST(loads_tables_and_items_under_a_prefix)
{
    struct buf items = buf_in(arena);

    start();
    write_file("tables/Tab.json", TABLE);
    write_file("tables/.notes", "left alone");
    for (int i = 0; i < 60; i++)
        buf_printf(&items, "{\"pk\":{\"S\":\"%d\"}}\n", i);
    buf_add_text(&items, "{\"Item\":{\"pk\":{\"S\":\"59\"},\"n\":{\"N\":\"1\"}}}"); /* again */
    write_file("items/Tab.jsonl", buf_text(&items));
    ck_assert_ptr_null(load("a-"));
    ck_assert_ptr_null(load("b-"));
    ck_assert_int_eq(item_count("a-Tab"), 60);
    ck_assert_int_eq(item_count("b-Tab"), 60);
    ck_assert_int_eq(item_count("Tab"), -1);
    stop();
}
END_TEST

START_TEST(a_table_that_is_there_is_left_alone)
{
    start();
    write_file("tables/Tab.json", TABLE);
    ck_assert_ptr_null(load(""));
    ck_assert_int_eq(item_count("Tab"), 0);
    write_file("items/Tab.jsonl", "{\"pk\":{\"S\":\"1\"}}");
    ck_assert_ptr_null(load(""));
    ck_assert_int_eq(item_count("Tab"), 0);
    stop();
}
END_TEST

static const struct {
    const char *table, *items, *other_items, *problem; /* after the folder and a slash */
} broken[] = {
    {"{\n\"TableName\" \"Tab\"}", NULL, NULL,
     "tables/Tab.json: line 2, column 13: this is not a JSON object"},
    {"{\"TableName\":\"U\"}", NULL, NULL,
     "tables/Tab.json: TableName is \"U\", not the file's name"},
    {"{\"TableName\":\"Tab\",\"Colour\":\"red\"}", NULL, NULL,
     "tables/Tab.json: CreateTable has no member Colour"},
    {"{\"TableName\":\"Tab\"," KEYS "}", NULL, NULL,
     "tables/Tab.json: CreateTable of Tab: ValidationException: One or more parameter values were "
     "invalid: "
     "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
     "PROVISIONED"},
    {TABLE, "{\"pk\":{\"S\":\"1\"}}\n{\n", NULL,
     "items/Tab.jsonl: line 2, column 1: a } is missing"},
    {TABLE, "{\"pk\":{\"S\":\"1\"}}\n{\"pk\":{\"S\":\"2\"}\n{\"pk\":{\"S\":\"3\"}}\n", NULL,
     "items/Tab.jsonl: line 2, column 1: a } is missing"},
    {TABLE, "{\"pk\":{\"S\":\"1\"}}\n{\"pk\":{\"S\":\"2\"},}\n", NULL,
     "items/Tab.jsonl: line 2: a name in quotes is missing"},
    {TABLE, "{\"pk\":{\"S\":\"1\"}}\n\n{\"pk\":{\"N\":\"1\"}}\n", NULL,
     "items/Tab.jsonl: line 3: ValidationException: One or more parameter values were invalid: "
     "Type "
     "mismatch for key pk expected: S actual: N"},
    {TABLE, "{\"pk\":{\"S\":\"1\"}}\n\n{\"pk\":\n{\"S\":\"2\"},}", NULL,
     "items/Tab.jsonl: line 3: a name in quotes is missing"},
    {TABLE, "{\"pk\":{\"S\":\"1\nx\"}}\n", NULL,
     "items/Tab.jsonl: line 1, column 1: a \" is missing: it would end the string that begins in "
     "column 12"},
    {TABLE, "[1]\n", NULL, "items/Tab.jsonl: line 1, column 2: a JSON object must begin with {"},
    {TABLE, "[{\"pk\":{\"S\":\"1\"}}\n", NULL,
     "items/Tab.jsonl: line 2, column 1: the text ends within a list"},
    {TABLE, "1\n", NULL, "items/Tab.jsonl: line 1, column 1: a JSON object must begin with {"},
    {TABLE, NULL, "", "items/U.jsonl: there is no tables/U.json"},
    {"{}", NULL, NULL, "tables/Tab.json: it has no TableName"},
    {"pk,n\n1,2\n", NULL, NULL, "tables/Tab.json: line 1, column 1: this is not a JSON object"},
};

START_TEST(what_is_broken_is_named)
{
    start();
    write_file("tables/Tab.json", broken[_i].table);
    if (broken[_i].items)
        write_file("items/Tab.jsonl", broken[_i].items);
    if (broken[_i].other_items)
        write_file("items/U.jsonl", broken[_i].other_items);
    ck_assert_str_eq(load(""), arena_printf(arena, "%s/%s", folder, broken[_i].problem));
    stop();
}
END_TEST

/* Names of files that are not read, or not both. */
static const struct {
    const char *file, *other, *problem; /* after the folder and a slash */
} misspelt[] = {
    {"items/Tab.txt", NULL,
     "items/Tab.txt: names of files that are read here end in .jsonl, .json, .jsonl.gz or "
     ".json.gz"},
    {"tables/Tab.jsn", NULL,
     "tables/Tab.jsn: names of files that are read here end in .json or .json.gz"},
    {"items/U.jsonl", NULL, "items/U.jsonl: there is no tables/U.json"},
};

START_TEST(a_file_that_is_not_read_is_named)
{
    start();
    write_file("tables/Tab.json", TABLE);
    write_file(misspelt[_i].file, "");
    ck_assert_str_eq(load(""), arena_printf(arena, "%s/%s", folder, misspelt[_i].problem));
    stop();
}
END_TEST

START_TEST(byte_order_marks_are_left_out)
{
    start();
    write_file("tables/Tab.json", MARK TABLE);
    write_file("items/Tab.jsonl", MARK "{\"pk\":{\"S\":\"1\"}}");
    ck_assert_ptr_null(load(""));
    ck_assert_int_eq(item_count("Tab"), 1);
    stop();
}
END_TEST

START_TEST(a_pipe_is_not_waited_for)
{
    start();
    write_file("tables/Tab.json", TABLE);
    ck_assert_int_eq(mkfifo(file_path("items/Tab.jsonl"), 0600), 0);
    ck_assert_str_eq(
        load(""), arena_printf(arena, "%s/items/Tab.jsonl: this is not an ordinary file", folder));
    stop();
}
END_TEST

START_TEST(two_files_for_one_table_are_named)
{
    const char *problem;

    start();
    write_file("tables/Tab.json", TABLE);
    write_file("items/Tab.json", "");
    write_file("items/Tab.jsonl", "");
    problem = load("");
    ck_assert_ptr_nonnull(problem);
    ck_assert_ptr_nonnull(strstr(problem, "items/Tab.json "));
    ck_assert_ptr_nonnull(strstr(problem, "items/Tab.jsonl"));
    stop();
}
END_TEST

START_TEST(an_answer_in_a_json_file_is_read)
{
    start();
    write_file("tables/Tab.json", TABLE);
    write_file("items/Tab.json", "{\n  \"Items\": [\n    {\"pk\": {\"S\": \"1\"}},\n    {\"pk\": "
                                 "{\"S\": \"2\"}}\n  ],\n  \"Count\": 2\n}\n");
    ck_assert_ptr_null(load(""));
    ck_assert_int_eq(item_count("Tab"), 2);
    stop();
}
END_TEST

/* --- packed files ----------------------------------------------------------------------------- */

/* Adds text as a member of a gzip file. */
static void pack(struct buf *out, struct span text)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
    size_t most = libdeflate_gzip_compress_bound(c, text.len);
    char *bytes = arena_alloc(arena, most);

    buf_add_span(out,
                 (struct span){bytes, libdeflate_gzip_compress(c, text.at, text.len, bytes, most)});
    libdeflate_free_compressor(c);
}

START_TEST(packed_files_are_read)
{
    struct buf items = buf_in(arena), packed = buf_in(arena);

    for (int i = 0; i < 3000; i++)
        buf_printf(&items, "{\"pk\":{\"S\":\"%d\"}}\n", i);
    pack(&packed, buf_span(&items));
    pack(&packed, SPAN_LIT("{\"pk\":{\"S\":\"last\"}}"));
    start();
    write_file("tables/Tab.json", TABLE);
    write_bytes("items/Tab.jsonl.gz", buf_span(&packed));
    ck_assert_ptr_null(load(""));
    ck_assert_int_eq(item_count("Tab"), 3001);
    stop();
}
END_TEST

START_TEST(a_broken_packed_file_is_named)
{
    static const char *const problems[] = {"it ends too early",
                                           "this is not in gzip form, or damaged"};
    struct buf packed = buf_in(arena);

    pack(&packed, SPAN_LIT("{\"pk\":{\"S\":\"1\"}}"));
    memset(packed.at + packed.len - 4, 0xFF, 4); /* an unpacked length that is not true */
    start();
    write_file("tables/Tab.json", TABLE);
    for (size_t cut = 0; cut < 2; cut++) {
        write_bytes("items/Tab.jsonl.gz",
                    (struct span){packed.at, cut ? packed.len : packed.len / 2});
        ck_assert_str_eq(load(""),
                         arena_printf(arena, "%s/items/Tab.jsonl.gz: %s", folder, problems[cut]));
        ck_assert_int_eq(item_count("Tab"), -1);
    }
    stop();
}
END_TEST

/* A fixture is loaded whole or not at all, whichever of its files is broken. */
START_TEST(what_is_broken_leaves_no_table)
{
    start();
    write_file("tables/Tab.json", TABLE);
    write_file("tables/Una.json",
               "{\"TableName\":\"Una\"," KEYS ",\"BillingMode\":\"PAY_PER_REQUEST\","
               "\"DeletionProtectionEnabled\":true}");
    write_file("items/Tab.jsonl", "{\"pk\":{\"S\":\"1\"}}");
    write_file("items/Una.jsonl", "{\"pk\":{\"N\":\"1\"}}");
    ck_assert_ptr_nonnull(load(""));
    ck_assert_int_eq(item_count("Tab"), -1);
    ck_assert_int_eq(item_count("Una"), -1);
    write_file("items/Una.jsonl", "{\"pk\":{\"S\":\"1\"}}");
    ck_assert_pstr_eq(load(""), NULL);
    ck_assert_int_eq(item_count("Tab"), 1);
    ck_assert_int_eq(item_count("Una"), 1);
    stop();
}
END_TEST

/* Neither are tables of another start dropped. */
START_TEST(what_is_broken_keeps_the_tables_of_before)
{
    start();
    write_file("tables/Tab.json", TABLE);
    write_file("items/Tab.jsonl", "{\"pk\":{\"S\":\"1\"}}");
    ck_assert_ptr_null(load(""));
    write_file("items/Tab.jsonl", "{\"pk\":{\"S\":\"2\"}}");
    write_file("tables/Una.json", "{\"TableName\":\"Una\"}");
    ck_assert_ptr_nonnull(load(""));
    ck_assert_int_eq(item_count("Tab"), 1);
    ck_assert_int_eq(item_count("Una"), -1);
    stop();
}
END_TEST

/* Items go in by batches; one that is refused ends the loading, whichever batch it is in. */
START_TEST(a_broken_item_before_many_others_is_named)
{
    struct buf lines = buf_in(arena);

    start();
    write_file("tables/Tab.json", TABLE);
    buf_add_text(&lines, "{\"pk\":{\"N\":\"0\"}}\n");
    for (int i = 1; i < 60; i++)
        buf_printf(&lines, "{\"pk\":{\"S\":\"%d\"}}\n", i);
    write_file("items/Tab.jsonl", buf_text(&lines));
    ck_assert_str_eq(load(""),
                     arena_printf(arena,
                                  "%s/items/Tab.jsonl: line 1: ValidationException: One or more "
                                  "parameter values were invalid: Type mismatch for key pk "
                                  "expected: S actual: N",
                                  folder));
    stop();
}
END_TEST

/* The next start would leave a table alone that has a part of its items. */
START_TEST(a_crash_behind_many_items_leaves_no_table_in_a_file)
{
    struct offline_options options = {.seed = 1};
    struct offline_server in_file;
    const char *name = folder;
    struct buf lines = buf_in(arena);
    char text[390000];
    int status;
    pid_t child;

    start();
    options.store.path = file_path("t.db");
    write_file("tables/Tab.json", TABLE);
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < 45; i++)
        buf_printf(&lines, "{\"pk\":{\"S\":\"%d\"},\"t\":{\"S\":\"%s\"}}\n", i, text);
    write_file("items/Tab.jsonl", buf_text(&lines));
    child = fork();
    if (child == 0) {
        offline_server_open(&in_file, arena, &options);
        _exit(load_names(&in_file, &name, 1, "") != NULL);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    offline_server_open(&in_file, arena, &options);
    ck_assert_ptr_null(store_table(in_file.store, SPAN_LIT("Tab")));
    offline_server_close(&in_file);
    stop();
}
END_TEST

START_TEST(two_fixtures_cannot_have_one_table)
{
    const char *names[] = {folder, folder};

    start();
    write_file("tables/Tab.json", TABLE);
    ck_assert_str_eq(
        load_names(&server, names, COUNT(names), "a-"),
        arena_printf(arena, "%s/tables/Tab.json: table a-Tab is in %s, too", folder, folder));
    stop();
}
END_TEST

START_TEST(a_fixture_that_is_nowhere_is_named)
{
    const char *name = "no-such";

    start();
    ck_assert_str_eq(load_names(&server, &name, 1, ""),
                     "there is no fixture no-such: no folder of that path or name contains "
                     "tables/, and it is not a file");
    stop();
}
END_TEST

/* --- the moment ------------------------------------------------------------------------------- */

static const struct {
    const char *file, *problem; /* without the path; NULL: none */
} moments[] = {
    {"{\"taken\":\"2026-09-30T23:40:00Z\"}", NULL},
    {"{\"taken\":\"2026-09-30T23:40:00Z\",\"frozen\":true}", "unknown member frozen"},
    {"{\"taken\":\"2026-09-30T23:40:00Z\",\"taken\":\"2026-09-30T23:40:00Z\"}",
     "taken is given twice"},
    {"{\"taken\":\"now\"}", "taken is not a time such as 2026-01-01T00:00:00Z"},
    {"{\"taken\":1}", "taken is not a time such as 2026-01-01T00:00:00Z"},
    {"{}", "taken is not a time such as 2026-01-01T00:00:00Z"},
    {"[]", "this is not a JSON object"},
    {"", "this is not a JSON object"},
};

START_TEST(a_fixture_says_when_it_was_taken)
{
    const char *name = folder, *problem;
    struct fixtures_moment moment;

    start();
    write_file("tables/Tab.json", TABLE);
    ck_assert_ptr_null(fixtures_moment_read(arena, &name, 1, "a-", &moment));
    ck_assert_ptr_null(moment.fixture);
    write_file("fixture.json", moments[_i].file);
    problem = fixtures_moment_read(arena, &name, 1, "a-", &moment);
    if (moments[_i].problem) {
        ck_assert_str_eq(problem,
                         arena_printf(arena, "%s/fixture.json: %s", folder, moments[_i].problem));
    } else {
        ck_assert_ptr_null(problem);
        ck_assert_int_eq(moment.taken_ms, INT64_C(1790811600000));
        ck_assert_uint_eq(moment.table_count, 1);
        ck_assert(span_is(moment.tables[0], "a-Tab"));
    }
    stop();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, makes_a_request_of_a_table_file, 0, COUNT(tables));
    tcase_add_test(tc, time_to_live_is_a_request_of_its_own);
    tcase_add_test(tc, loads_tables_and_items_under_a_prefix);
    tcase_add_test(tc, a_table_that_is_there_is_left_alone);
    tcase_add_loop_test(tc, what_is_broken_is_named, 0, COUNT(broken));
    tcase_add_loop_test(tc, a_file_that_is_not_read_is_named, 0, COUNT(misspelt));
    tcase_add_test(tc, byte_order_marks_are_left_out);
    tcase_add_test(tc, a_pipe_is_not_waited_for);
    tcase_add_test(tc, two_files_for_one_table_are_named);
    tcase_add_test(tc, an_answer_in_a_json_file_is_read);
    tcase_add_test(tc, packed_files_are_read);
    tcase_add_test(tc, a_broken_packed_file_is_named);
    tcase_add_test(tc, what_is_broken_leaves_no_table);
    tcase_add_test(tc, what_is_broken_keeps_the_tables_of_before);
    tcase_add_test(tc, a_broken_item_before_many_others_is_named);
    tcase_add_test(tc, a_crash_behind_many_items_leaves_no_table_in_a_file);
    tcase_add_test(tc, two_fixtures_cannot_have_one_table);
    tcase_add_test(tc, a_fixture_that_is_nowhere_is_named);
    tcase_add_loop_test(tc, a_fixture_says_when_it_was_taken, 0, COUNT(moments));
}

UNIT_TESTS(fixtures, add_tests)
