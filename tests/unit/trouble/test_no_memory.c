/* Where SQLite gets no memory, a request is done or the process ends with one line; the file then
 * has everything that was acknowledged and nothing that is half done. Every request is repeated in
 * a process of its own with its first, second, third … block refused. */
#include "support/fault_memory.h"
#include "support/offline_server.h"
#include "support/store_check.h"
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define ITEMS 12

static char folder[UNIT_FOLDER_SIZE];
static char path[64], base_path[64], log_path[64];
static struct offline_server server;

static void open_server(void)
{
    struct offline_options options = {.seed = 1, .store = {.path = path, .sync = STORE_SYNC_OFF}};

    offline_server_open(&server, arena, &options);
}

static int send(const char *operation, const char *body, struct span *answer)
{
    return offline_server_send(&server, span_of(operation), span_of(body), answer);
}

static void must_send(const char *operation, const char *body)
{
    struct span answer;

    ck_assert_msg(send(operation, body, &answer) == 200, "%s: %.*s", operation, SPAN_ARG(answer));
}

/* --- the file that every round begins with ---------------------------------------------------- */

#define ATTRIBUTE(name) "{\"AttributeName\":\"" name "\",\"AttributeType\":\"S\"}"
#define KEY(name)       "{\"AttributeName\":\"" name "\",\"KeyType\":\"HASH\"}"
#define TABLE(name)                                                                \
    "{\"TableName\":\"" name "\",\"BillingMode\":\"PAY_PER_REQUEST\","             \
    "\"AttributeDefinitions\":[" ATTRIBUTE("pk") "," ATTRIBUTE(                    \
        "a") "],"                                                                  \
             "\"KeySchema\":[" KEY(                                                \
                 "pk") "],\"GlobalSecondaryIndexes\":[{\"IndexName\":\"by-a\","    \
                       "\"KeySchema\":[" KEY(                                      \
                           "a") "],\"Projection\":{\"ProjectionType\":\"ALL\"}}]," \
                                "\"StreamSpecification\":{\"StreamEnabled\":true," \
                                "\"StreamViewType\":\"NEW_IMAGE\"}}"
#define ITEM(pk) "{\"pk\":{\"S\":\"" pk "\"},\"a\":{\"S\":\"x\"}}"
#define OF(pk)   "\"TableName\":\"Items\",\"Key\":{\"pk\":{\"S\":\"" pk "\"}}"

static void make_base(void)
{
    open_server();
    must_send("CreateTable", TABLE("Items"));
    for (int i = 0; i < ITEMS; i++)
        must_send("PutItem",
                  arena_printf(arena,
                               "{\"TableName\":\"Items\",\"Item\":{\"pk\":{\"S\":\"%d\"},"
                               "\"a\":{\"S\":\"%d\"},\"pad\":{\"S\":\"%01000d\"}}}",
                               i, i % 3, i));
    ck_assert(dispatch_flush(server.dispatcher));
    offline_server_close(&server);
    ck_assert_int_eq(rename(path, base_path), 0);
}

static void make_folder(void)
{
    unit_make_folder(folder);
    (void)snprintf(path, sizeof path, "%s/data.db", folder);
    (void)snprintf(base_path, sizeof base_path, "%s/base.db", folder);
    (void)snprintf(log_path, sizeof log_path, "%s/log", folder);
    make_base();
    fault_memory_install();
}

static void remove_folder(void)
{
    unlink(path);
    unlink(base_path);
    unlink(log_path);
    rmdir(folder);
}

/* --- rounds ----------------------------------------------------------------------------------- */

static const struct {
    const char *operation, *body;
    bool opening; /* blocks are refused from there on */
} requests[] = {
    {"ListTables", "{}", true},
    {"PutItem", "{\"TableName\":\"Items\",\"Item\":" ITEM("new") "}", false},
    {"UpdateItem", "{" OF("1") ",\"UpdateExpression\":\"SET a = pk\"}", false},
    {"DeleteItem", "{" OF("2") "}", false},
    {"TransactWriteItems",
     "{\"TransactItems\":[{\"Put\":{\"TableName\":\"Items\",\"Item\":" ITEM(
         "new") "}},"
                "{\"Delete\":{" OF("3") "}}]}",
     false},
    {"BatchWriteItem",
     "{\"RequestItems\":{\"Items\":[{\"PutRequest\":{\"Item\":" ITEM("new") "}}]}}", false},
    {"Query",
     "{\"TableName\":\"Items\",\"IndexName\":\"by-a\",\"KeyConditionExpression\":\"a = :a\","
     "\"ExpressionAttributeValues\":{\":a\":{\"S\":\"1\"}}}",
     false},
    {"CreateTable", TABLE("More"), false},
    {"UpdateTable",
     "{\"TableName\":\"Items\",\"GlobalSecondaryIndexUpdates\":"
     "[{\"Delete\":{\"IndexName\":\"by-a\"}}]}",
     false},
    {"DeleteTable", "{\"TableName\":\"Items\"}", false},
};

enum { DONE = 10, NOTHING_FAILED, WRONG };

/* In a process of its own: the round's exit status, if the process gets that far. */
static int child(size_t which, unsigned nth, bool lasting)
{
    int log = open(log_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    struct span answer;
    unsigned refused;
    int status;

    if (log < 0 || dup2(log, STDERR_FILENO) < 0)
        return WRONG;
    if (!requests[which].opening)
        open_server();
    fault_memory_arm(nth, lasting);
    if (requests[which].opening)
        open_server();
    status = send(requests[which].operation, requests[which].body, &answer);
    while (dispatch_idle(server.dispatcher) &&
           (!dispatch_needs_flush(server.dispatcher) || dispatch_flush(server.dispatcher)))
        continue;
    if (dispatch_needs_flush(server.dispatcher))
        (void)dispatch_flush(server.dispatcher);
    refused = fault_memory_lift();
    offline_server_close(&server);
    if (status != 200 && !strstr(arena_text(arena, answer), "#InternalServerError\""))
        return WRONG;
    return refused ? DONE : NOTHING_FAILED;
}

/* Whether the process ended as it should: what it logged is one line, and that one. */
static void check_end(void)
{
    static const char line[] = "mockddb: out of memory\n";
    char text[256] = "";
    FILE *log = fopen(log_path, "r");

    ck_assert_ptr_nonnull(log);
    (void)fread(text, 1, sizeof text - 1, log);
    ck_assert_int_eq(fclose(log), 0);
    ck_assert_str_eq(text, line);
}

static void check_file(size_t which)
{
    const struct table *t;
    const char *problem;

    open_server();
    problem = store_check(server.store, arena);
    ck_assert_msg(!problem, "%s", problem);
    t = store_table(server.store, SPAN_LIT("Items"));
    ck_assert(t || strcmp(requests[which].operation, "DeleteTable") == 0);
    if (t)
        ck_assert_int_ge(store_stats(server.store, t->space).entries, ITEMS - 1);
    offline_server_close(&server);
}

/* False when there was nothing left to refuse. */
static bool one_round(size_t which, unsigned nth, bool lasting)
{
    int status;
    pid_t pid;

    unit_copy_file(base_path, path);
    pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0)
        _exit(child(which, nth, lasting));
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) != WRONG, "block %u: status %d", nth,
                  status);
    if (WEXITSTATUS(status) == EXIT_FAILURE)
        check_end();
    check_file(which);
    arena_reset(arena);
    return WEXITSTATUS(status) != NOTHING_FAILED;
}

START_TEST(without_memory_a_request_is_done_or_the_process_ends)
{
    make_folder();
    for (int lasting = 0; lasting < 2; lasting++)
        for (unsigned nth = 1; one_round((size_t)_i, nth, lasting); nth += 1 + nth / 5)
            continue;
    remove_folder();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, without_memory_a_request_is_done_or_the_process_ends, 0,
                        COUNT(requests));
}

UNIT_TESTS(no_memory, add_tests)
