/* A file of each older format opens, is brought up to date, and has everything that was in it. The
 * files are in tests/data: a table `Orders` with a local and a global index, a stream, a tag and a
 * time to live, eight orders of which one was updated and two were deleted, one of them by a
 * transaction with the token `first`; from format-2.db on two orders have a time to live, in 2033;
 * what is left of a table that was deleted, up to format-2.db; and in format-3.db a backup. */
#include "dispatch/dispatch.h"
#include "support/database.h"
#include "support/store_check.h"
#include "unit.h"

#include <stdio.h>
#include <unistd.h>

static char folder[UNIT_FOLDER_SIZE];
static char path[64];
static struct clock *server_clock;
static struct store *store;
static struct dispatch_memory *memory;
static struct dispatcher *server;
static const struct settings settings = {SPAN_LIT_INIT("us-east-1"), SPAN_LIT_INIT("000000000000"),
                                         .ttl_sweep_ms = 1000};

/* One for each format before the newest. */
static const struct {
    const char *path;
    const char *count; /* of orders without a time to live */
    bool has_backup;
} files[] = {
    {TEST_DATA_DIR "/data/format-1.db", "\"ItemCount\":6", false},
    {TEST_DATA_DIR "/data/format-2.db", "\"ItemCount\":4", false},
    {TEST_DATA_DIR "/data/format-3.db", "\"ItemCount\":4", true},
};

static void open_server(void)
{
    const char *problem = NULL;

    database_watch();
    store = store_open(arena, &(struct store_options){.path = path}, &problem);
    ck_assert_msg(store != NULL, "%s", problem);
    memory = dispatch_memory_new();
    server = dispatch_new(&(struct dispatch_parts){
        .store = store, .clock = server_clock, .settings = &settings, .memory = memory});
}

static void close_server(void)
{
    dispatch_free(server);
    dispatch_memory_free(memory);
    store_free(store);
}

/* Sends a request; the answer must hold a text. */
static void answers(const char *target, const char *body, const char *text)
{
    struct request request = {.target = span_of(target), .body = span_of(body)};
    struct reply reply;
    const char *answer;

    dispatch(server, &request, &reply);
    answer = arena_text(arena, reply.body);
    ck_assert_msg(strstr(answer, text) != NULL, "%s %s: %s", target, body, answer);
}

static void is_up_to_date(void)
{
    const char *problem = store_check(store, arena);
    sqlite3_stmt *row;

    ck_assert_msg(!problem, "%s", problem);
    ck_assert_int_eq(sqlite3_prepare_v2(database_newest(), "PRAGMA user_version", -1, &row, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(row), SQLITE_ROW);
    ck_assert_int_eq(sqlite3_column_int(row, 0), COUNT(files) + 1);
    sqlite3_finalize(row);
}

#define DYNAMODB          "DynamoDB_20120810."
#define STREAMS           "DynamoDBStreams_20120810."
#define ORDER(c, n, more) "{\"customer\":{\"S\":\"c" c "\"},\"number\":{\"N\":\"" n "\"}" more "}"

static void has_everything(void)
{
    answers(DYNAMODB "DescribeTable", "{\"TableName\":\"Orders\"}", "\"ItemCount\":6");
    answers(DYNAMODB "ListTables", "{}", "{\"TableNames\":[\"Orders\"]}");
    answers(DYNAMODB "ListTagsOfResource",
            "{\"ResourceArn\":\"arn:aws:dynamodb:us-east-1:000000000000:table/Orders\"}",
            "\"Value\":\"shop\"");
    answers(DYNAMODB "DescribeTimeToLive", "{\"TableName\":\"Orders\"}", "\"until\"");
    answers(DYNAMODB "GetItem", "{\"TableName\":\"Orders\",\"Key\":" ORDER("1", "1", "") "}",
            "\"note\":{\"S\":\"caf\xc3\xa9\\n\"}");
    answers(
        DYNAMODB "Query",
        "{\"TableName\":\"Orders\",\"IndexName\":\"by-status\",\"Select\":\"COUNT\","
        "\"KeyConditionExpression\":\"#s = :s\",\"ExpressionAttributeNames\":{\"#s\":\"status\"},"
        "\"ExpressionAttributeValues\":{\":s\":{\"S\":\"paid\"}}}",
        "\"Count\":4");
    answers(STREAMS "ListStreams", "{\"TableName\":\"Orders\"}", "\"StreamArn\"");
}

#define BACKUP                                                              \
    "\"BackupArn\":\"arn:aws:dynamodb:us-east-1:000000000000:table/Orders/" \
    "backup/01795911549359-af375504\"}"

/* A backup has items of its own there, which a restored table then has in common with it. */
static void has_backup(void)
{
    answers(DYNAMODB "RestoreTableFromBackup", "{\"TargetTableName\":\"Again\"," BACKUP,
            "\"CREATING\"");
    answers(DYNAMODB "GetItem", "{\"TableName\":\"Again\",\"Key\":" ORDER("1", "1", "") "}",
            "\"note\":{\"S\":\"caf\xc3\xa9\\n\"}");
    is_up_to_date();
    answers(DYNAMODB "DeleteBackup", "{" BACKUP, "\"DELETED\"");
    answers(DYNAMODB "DescribeTable", "{\"TableName\":\"Again\"}", "\"ItemCount\":6");
    answers(DYNAMODB "DeleteTable", "{\"TableName\":\"Again\"}", "\"DELETING\"");
}

#define TIME_TO_LIVE_MS 1999999999000

static void do_what_is_due(void)
{
    while (dispatch_idle(server))
        ;
}

/* Also what had a time to live before there was an order of expiry. */
static void expires(const char *count)
{
    do_what_is_due();
    answers(DYNAMODB "DescribeTable", "{\"TableName\":\"Orders\"}", "\"ItemCount\":6");
    clock_advance(server_clock, TIME_TO_LIVE_MS + 1000 - clock_now_ms(server_clock));
    do_what_is_due();
    answers(DYNAMODB "DescribeTable", "{\"TableName\":\"Orders\"}", count);
    is_up_to_date();
}

START_TEST(an_older_file_opens_and_has_everything)
{
    unit_make_folder(folder);
    (void)snprintf(path, sizeof path, "%s/data.db", folder);
    unit_copy_file(files[_i].path, path);
    server_clock = clock_new_system();
    for (int opening = 0; opening < 2; opening++) {
        open_server();
        is_up_to_date();
        has_everything();
        close_server();
    }
    open_server();
    if (files[_i].has_backup)
        has_backup();
    expires(files[_i].count);
    answers(
        DYNAMODB "PutItem",
        "{\"TableName\":\"Orders\",\"Item\":" ORDER("1", "9", ",\"status\":{\"S\":\"open\"}") "}",
        "{}");
    answers(DYNAMODB "DeleteTable", "{\"TableName\":\"Orders\"}", "\"DELETING\"");
    do_what_is_due();
    answers(DYNAMODB "ListTables", "{}", "{\"TableNames\":[]}");
    is_up_to_date();
    close_server();
    clock_free(server_clock);
    unlink(path);
    rmdir(folder);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, an_older_file_opens_and_has_everything, 0, COUNT(files));
}

UNIT_TESTS(format, add_tests)
