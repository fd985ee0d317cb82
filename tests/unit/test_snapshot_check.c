/* Files of snapshots that lie: whole as files, and at odds with themselves. */
#include "support/offline_server.h"
#include "unit.h"
#include "worlds/snapshot_file.h"

#include <sqlite3.h>
#include <unistd.h>

static const char *const requests[][2] = {
    {"CreateTable",
     "{\"TableName\":\"Tab\",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":["
     "{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},"
     "{\"AttributeName\":\"g\",\"AttributeType\":\"S\"}],"
     "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}],"
     "\"GlobalSecondaryIndexes\":[{\"IndexName\":\"byG\","
     "\"KeySchema\":[{\"AttributeName\":\"g\",\"KeyType\":\"HASH\"}],"
     "\"Projection\":{\"ProjectionType\":\"KEYS_ONLY\"}}],"
     "\"StreamSpecification\":{\"StreamEnabled\":true,\"StreamViewType\":\"KEYS_ONLY\"}}"},
    {"UpdateTimeToLive", "{\"TableName\":\"Tab\",\"TimeToLiveSpecification\":"
                         "{\"AttributeName\":\"ttl\",\"Enabled\":true}}"},
    {"PutItem", "{\"TableName\":\"Tab\",\"Item\":{\"pk\":{\"S\":\"a\"},\"g\":{\"S\":\"x\"}}}"},
    {"PutItem", "{\"TableName\":\"Tab\",\"Item\":{\"pk\":{\"S\":\"b\"},\"g\":{\"S\":\"x\"},"
                "\"ttl\":{\"N\":\"1800000000\"}}}"},
    {"PutItem", "{\"TableName\":\"Tab\",\"Item\":{\"pk\":{\"S\":\"c\"}}}"},
    {"DeleteItem", "{\"TableName\":\"Tab\",\"Key\":{\"pk\":{\"S\":\"c\"}}}"},
    {"CreateBackup", "{\"TableName\":\"Tab\",\"BackupName\":\"whole\"}"},
};

static struct offline_server server;

static void open_server(void)
{
    struct span answer;

    offline_server_open(&server, arena, &(struct offline_options){.seed = 1});
    for (size_t i = 0; i < COUNT(requests); i++)
        ck_assert_int_eq(
            offline_server_send(&server, span_of(requests[i][0]), span_of(requests[i][1]), &answer),
            200);
}

static const struct table *table(void)
{
    return store_table_after(server.store, (struct span){"", 0});
}

#define DAMAGED     "this snapshot is damaged: "
#define OF_THE_FILE "lie.store is damaged"
/* Conditions on entries of the table, and of its index; another body for an item. */
#define OF_ITEMS "hex(substr(key, 1, 4)) = printf('%08X', :items)"
#define OF_INDEX "hex(substr(key, 1, 4)) = printf('%08X', :index)"

#define BECOMES(body)                    \
    "UPDATE item SET body = CAST('" body \
    "' AS BLOB) WHERE CAST(body AS TEXT) = '{\"pk\":{\"S\":\"a\"},\"g\":{\"S\":\"x\"}}'"

static const struct {
    const char *sql, *problem;
} lies[] = {
    {"UPDATE space SET entries = entries", NULL},
    {BECOMES("{\"pk\":{\"S\":\"z\"},\"g\":{\"S\":\"x\"}}"),
     DAMAGED "the place of an item of table Tab"},
    {BECOMES("{\"g\":{\"S\":\"x\"}}"), DAMAGED "an item of table Tab"},
    {BECOMES("{\"pk\":{\"N\":\"1\"}}"), DAMAGED "an item of table Tab"},
    {BECOMES("{\"pk\":{\"S\":\"a\"},\"g\":{\"S\":\"y\"}}"),
     DAMAGED "index byG, which does not hold what the items say, of table Tab"},
    {"UPDATE entry SET size = 7 WHERE " OF_ITEMS, DAMAGED "the size of an item of table Tab"},
    {"UPDATE entry SET size = 7 WHERE " OF_INDEX,
     DAMAGED "the number or size of the entries in index byG of table Tab"},
    {"DELETE FROM entry WHERE " OF_INDEX,
     DAMAGED "the number or size of the entries in index byG of table Tab"},
    {"UPDATE entry SET id = (SELECT max(id) FROM entry WHERE " OF_INDEX ") WHERE " OF_INDEX,
     DAMAGED "index byG, which does not hold what the items say, of table Tab"},
    {"UPDATE space SET entries = 9 WHERE number = :items",
     DAMAGED "the number or size of the entries in the items of table Tab"},
    {"UPDATE space SET bytes = 9 WHERE number = :index",
     DAMAGED "the number or size of the entries in index byG of table Tab"},
    {"UPDATE space SET entries = 9 WHERE number = :stream",
     DAMAGED "the number or size of the entries in the stream of table Tab"},
    {"UPDATE space SET entries = 9 WHERE number = :ttl",
     DAMAGED "the number or size of the entries in the times to live of table Tab"},
    {"UPDATE entry SET size = -1 WHERE " OF_INDEX, OF_THE_FILE},
    {"UPDATE entry SET size = 0x7fffffffffffffff WHERE " OF_ITEMS, OF_THE_FILE},
    {"UPDATE space SET entries = -1 WHERE number = :stream", OF_THE_FILE},
    {"UPDATE space SET bytes = 0x7fffffffffffffff WHERE number = :stream", OF_THE_FILE},
    {"UPDATE space SET spared = 0x7fffffffffffffff WHERE number = :ttl", OF_THE_FILE},
    {"DELETE FROM shared", OF_THE_FILE},
    {"UPDATE shared SET others = 2", OF_THE_FILE},
    {"UPDATE shared SET others = -1", OF_THE_FILE},
    {"INSERT INTO shared(id, others) VALUES(1, 1)", OF_THE_FILE},
    {"DELETE FROM sharing", OF_THE_FILE},
    {"DELETE FROM sharing WHERE space = :items", OF_THE_FILE},
    {"UPDATE sharing SET below = 1", OF_THE_FILE},
    {"UPDATE sharing SET below = below + 1", NULL},
};

static void execute(sqlite3 *db, const char *sql)
{
    const struct table *t = table();
    const struct {
        const char *name;
        uint32_t space;
    } names[] = {{":items", t->space},
                 {":index", t->indexes[0].space},
                 {":stream", t->stream_space},
                 {":ttl", t->ttl_space}};
    sqlite3_stmt *statement;

    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    for (size_t i = 0; i < COUNT(names); i++) {
        int at = sqlite3_bind_parameter_index(statement, names[i].name);

        if (at)
            ck_assert_int_eq(sqlite3_bind_int64(statement, at, names[i].space), SQLITE_OK);
    }
    ck_assert_int_eq(sqlite3_step(statement), SQLITE_DONE);
    sqlite3_finalize(statement);
}

/* Writes the store's file as it is with the lie, and loads it. */
START_TEST(a_file_that_lies_is_refused)
{
    char folder[UNIT_FOLDER_SIZE];
    struct world_state loaded = {.store = NULL};
    const char *path, *plain, *problem;
    struct store_options options = {.path = NULL};
    struct store *lying;
    int64_t taken_ms;
    sqlite3 *db;

    open_server();
    unit_make_folder(folder);
    path = arena_printf(arena, "%s/lie", folder);
    plain = arena_printf(arena, "%s/store", folder);
    options.path = plain;
    ck_assert_ptr_null(store_save(arena, server.store, &options));
    ck_assert_int_eq(sqlite3_open(plain, &db), SQLITE_OK);
    execute(db, lies[_i].sql);
    sqlite3_close(db);
    lying = store_open(arena, &options, &problem);
    ck_assert_ptr_nonnull(lying);
    ck_assert_ptr_null(
        snapshot_file_write(arena, path, &(struct world_state){.store = lying}, OFFLINE_NOW_MS));
    store_free(lying);
    problem = snapshot_file_load(arena, path, &loaded, &taken_ms);
    if (lies[_i].problem) {
        ck_assert_msg(problem && strstr(problem, lies[_i].problem), "%s", problem);
        ck_assert_ptr_null(loaded.store);
    } else {
        ck_assert_ptr_null(problem);
        store_free(loaded.store);
    }
    offline_server_close(&server);
    ck_assert_int_eq(unlink(path), 0);
    store_remove(arena, plain);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* What says of ids what cannot be is found by whoever opens the file. */
START_TEST(a_file_that_is_at_odds_with_ids_is_not_opened)
{
    static const char *const sql[] = {
        "UPDATE sharing SET below = -1",
        "UPDATE sharing SET below = 0x7fffffffffffffff WHERE space = :items",
        "INSERT INTO sharing(space, below) VALUES(0, 1)",
        "UPDATE meta SET value = 0x7fffffffffffffff WHERE name = 'next_number'",
    };
    struct store_options options = {.path = NULL};
    char folder[UNIT_FOLDER_SIZE];
    const char *problem = NULL;
    sqlite3 *db;

    open_server();
    unit_make_folder(folder);
    options.path = arena_printf(arena, "%s/store", folder);
    ck_assert_ptr_null(store_save(arena, server.store, &options));
    ck_assert_int_eq(sqlite3_open(options.path, &db), SQLITE_OK);
    execute(db, sql[_i]);
    sqlite3_close(db);
    ck_assert_ptr_null(store_open(arena, &options, &problem));
    ck_assert_str_eq(problem, arena_printf(arena, "%s is damaged", options.path));
    offline_server_close(&server);
    store_remove(arena, options.path);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_file_that_lies_is_refused, 0, COUNT(lies));
    tcase_add_loop_test(tc, a_file_that_is_at_odds_with_ids_is_not_opened, 0, 4);
}

int main(void)
{
    return unit_run("snapshot_check", add_tests);
}
