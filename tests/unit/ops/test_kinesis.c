/* Records for Kinesis in files of a folder: what is in a line, which file it goes to, and what
 * happens to older lines when the tables begin anew. */
#include "base/file.h"
#include "model/key.h"
#include "ops/kinesis/kinesis_files.h"
#include "support/offline_server.h"
#include "unit.h"

#include <unistd.h>

#define ARN_OF(stream) "arn:aws:kinesis:us-east-1:000000000000:stream/" stream

static struct offline_server server;
static char folder[UNIT_FOLDER_SIZE];

static void send(const char *operation, const char *body)
{
    struct span answer;
    int status = offline_server_send(&server, span_of(operation), span_of(body), &answer);

    ck_assert_msg(status == 200, "%s: %.*s", operation, SPAN_ARG(answer));
}

static void put(const char *table, const char *attributes)
{
    send("PutItem", arena_printf(arena, "{\"TableName\":\"%s\",\"Item\":{\"pk\":{\"S\":\"a\"}%s}}",
                                 table, attributes));
}

static void run_jobs(void)
{
    while (dispatch_idle(server.dispatcher))
        ;
    ck_assert(dispatch_flush(server.dispatcher));
}

static void open_server(struct kinesis_files *files)
{
    offline_server_open(&server, arena,
                        &(struct offline_options){.settings = {.kinesis_files = files}});
    for (int i = 0; i < 2; i++) {
        const char *table = i ? "Two" : "One";

        send("CreateTable", offline_server_table_of(arena, table, ""));
        send("EnableKinesisStreamingDestination",
             arena_printf(arena, "{\"TableName\":\"%s\",\"StreamArn\":\"%s\"}", table,
                          i ? ARN_OF("second") : ARN_OF("first")));
    }
    run_jobs();
}

static const char *path_of(const char *stream)
{
    return arena_printf(arena, "%s/%s.jsonl", folder, stream);
}

static const char *lines_of(const char *stream)
{
    struct span text;

    ck_assert(file_read(arena, path_of(stream), &text));
    return arena_text(arena, text);
}

static int count_lines(const char *stream)
{
    int count = 0;

    for (const char *at = lines_of(stream); (at = strchr(at, '\n')); at++)
        count++;
    return count;
}

static void remove_files(void)
{
    unlink(path_of("first"));
    unlink(path_of("second"));
    ck_assert_int_eq(rmdir(folder), 0);
}

START_TEST(a_line_is_the_change_of_an_item)
{
    struct kinesis_files *files;
    const char *line;

    unit_make_folder(folder);
    files = kinesis_files_new(folder, (struct span){"", 0});
    open_server(files);
    put("One", "");
    put("One", ",\"n\":{\"N\":\"1\"}");
    run_jobs();
    ck_assert_int_eq(count_lines("first"), 2);
    line = strchr(lines_of("first"), '\n') + 1;
    ck_assert_ptr_nonnull(strstr(line,
                                 ",\"eventName\":\"MODIFY\",\"userIdentity\":null,\"recordFormat\":"
                                 "\"application/json\",\"tableName\":\"One\",\"dynamodb\":{"
                                 "\"ApproximateCreationDateTime\":1700000000000,"
                                 "\"Keys\":{\"pk\":{\"S\":\"a\"}},"
                                 "\"NewImage\":{\"pk\":{\"S\":\"a\"},\"n\":{\"N\":\"1\"}},"
                                 "\"OldImage\":{\"pk\":{\"S\":\"a\"}},\"SizeBytes\":12},"
                                 "\"eventSource\":\"aws:dynamodb\"}\n"));
    offline_server_close(&server);
    kinesis_files_free(files);
    remove_files();
}
END_TEST

/* After a snapshot is restored or the tables are deleted, the first record of each stream begins
 * its file anew, and later ones are added. Also where another process wrote the file. */
START_TEST(files_begin_anew_once)
{
    struct kinesis_files *files;

    unit_make_folder(folder);
    files = kinesis_files_new(folder, (struct span){"", 0});
    ck_assert(file_append_lines(path_of("second"), SPAN_LIT("older\n")));
    open_server(files);
    put("One", "");
    put("Two", "");
    run_jobs();
    ck_assert_int_eq(count_lines("first"), 1);
    ck_assert_int_eq(count_lines("second"), 2);
    kinesis_files_begin_anew(files);
    ck_assert_str_eq(lines_of("first"), "");
    ck_assert_str_eq(lines_of("second"), "");
    for (int i = 1; i <= 3; i++) {
        put("One", arena_printf(arena, ",\"n\":{\"N\":\"%d\"}", i));
        run_jobs();
        ck_assert_int_eq(count_lines("first"), i);
    }
    ck_assert_int_eq(count_lines("second"), 0);
    offline_server_close(&server);
    kinesis_files_free(files);
    remove_files();
}
END_TEST

START_TEST(a_file_from_before_the_tables_began_anew_is_emptied)
{
    struct kinesis_files *files;

    unit_make_folder(folder);
    files = kinesis_files_new(folder, (struct span){"", 0});
    ck_assert(file_append_lines(path_of("first"), SPAN_LIT("older\n")));
    kinesis_files_begin_anew(files);
    open_server(files);
    put("One", "");
    run_jobs();
    ck_assert_int_eq(count_lines("first"), 1);
    ck_assert_ptr_null(strstr(lines_of("first"), "older"));
    offline_server_close(&server);
    kinesis_files_free(files);
    remove_files();
}
END_TEST

/* Without a folder or a worker that takes records, none are kept. */
START_TEST(no_record_waits_where_nobody_takes_it)
{
    open_server(NULL);
    put("One", "");
    ck_assert_int_eq(store_stats(server.store, KEY_SPACE_OUTBOX).entries, 0);
    offline_server_close(&server);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_line_is_the_change_of_an_item);
    tcase_add_test(tc, files_begin_anew_once);
    tcase_add_test(tc, a_file_from_before_the_tables_began_anew_is_emptied);
    tcase_add_test(tc, no_record_waits_where_nobody_takes_it);
}

UNIT_TESTS(kinesis, add_tests)
