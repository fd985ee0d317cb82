/* Files of snapshots that lie: whole as files, and at odds with themselves. */
#include "model/key.h"
#include "ops/kinesis/kinesis_sink.h"
#include "support/store_at_once.h"
#include "unit_lies.h"
#include "worlds/snapshot_file.h"
#include "worlds/snapshot_load.h"

/* The first table's space is the first of all, and is given up when the snapshot is taken. */
static const char *const requests[][2] = {
    {"CreateTable",
     "{\"TableName\":\"Gone\",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":["
     "{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}],"
     "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}]}"},
    {"PutItem", "{\"TableName\":\"Gone\",\"Item\":{\"pk\":{\"S\":\"a\"}}}"},
    {"DeleteTable", "{\"TableName\":\"Gone\"}"},
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

static void open_server(void)
{
    struct span answer;

    offline_server_open(&server, arena, &(struct offline_options){.seed = 1});
    for (size_t i = 0; i < COUNT(requests); i++)
        ck_assert_int_eq(
            offline_server_send(&server, span_of(requests[i][0]), span_of(requests[i][1]), &answer),
            200);
}

#define OF_THE_BACKUP_SPACE DAMAGED "something is in a space that was not given out"
#define OF_THE_FILE         "this snapshot is damaged"
/* Conditions on entries of the table, and of its index; another body for an item. */
#define OF_ITEMS   "hex(substr(key, 1, 4)) = printf('%08X', :items)"
#define OF_INDEX   "hex(substr(key, 1, 4)) = printf('%08X', :index)"
#define OF_TTL     "hex(substr(key, 1, 4)) = printf('%08X', :ttl)"
#define OF_STREAM  "hex(substr(key, 1, 4)) = printf('%08X', :stream)"
#define OF_LOG     "hex(substr(key, 1, 4)) = printf('%08X', :log)"
#define OF_LATEST  "hex(substr(key, 1, 4)) = printf('%08X', :latest)"
#define OF_COPY    "hex(substr(key, 1, 4)) = printf('%08X', :copy)"
#define OF_CLOSED  "hex(substr(key, 1, 4)) = printf('%08X', :closed)"
#define OF_OUTBOX  "hex(substr(key, 1, 4)) = '00000005'"
#define OF_BACKUPS "hex(substr(key, 1, 4)) = '00000003'"
#define OF_TOKENS  "hex(substr(key, 1, 4)) = '00000001'"
#define OF_SCALING "hex(substr(key, 1, 4)) = '0000000A'"
#define OF_ACTIONS "hex(substr(key, 1, 4)) = '0000000B'"
/* Positions in a space that is another's. */
#define CATALOG(from, to) "UPDATE catalog SET body = CAST(replace(body, " from ", " to ") AS BLOB)"
#define CONTINUES         DAMAGED "where a restore or the filling of an index continues"
#define A_RECORD          DAMAGED "a record of the stream of table Tab"

#define BECOMES(body)                    \
    "UPDATE item SET body = CAST('" body \
    "' AS BLOB) WHERE CAST(body AS TEXT) = '{\"pk\":{\"S\":\"a\"},\"g\":{\"S\":\"x\"}}'"

static const struct lie lies[] = {
    {"UPDATE space SET entries = entries", NULL},
    {BECOMES("{\"pk\":{\"S\":\"z\"},\"g\":{\"S\":\"x\"}}"),
     DAMAGED "the place of an item of table Tab"},
    {BECOMES("{\"g\":{\"S\":\"x\"}}"), DAMAGED "an item of table Tab"},
    {BECOMES("{\"pk\":{\"N\":\"1\"}}"), DAMAGED "an item of table Tab"},
    {"UPDATE item SET body = CAST(replace(CAST(body AS TEXT), '\"x\"', CAST(x'22ff22' AS TEXT)) AS "
     "BLOB) WHERE " BODIES(OF_ITEMS),
     DAMAGED "an item of table Tab"},
    {"UPDATE catalog SET body = CAST(replace(CAST(body AS TEXT), '\"ttl\"', CAST(x'22ff22' AS "
     "TEXT)) AS BLOB)",
     OF_THE_FILE},
    {BECOMES("{\"pk\":{\"S\":\"a\"},\"g\":{\"S\":\"y\"}}"),
     DAMAGED "index byG, whose entries do not match the items, of table Tab"},
    {"UPDATE entry SET size = 7 WHERE " OF_ITEMS, DAMAGED "the size of an item of table Tab"},
    {"UPDATE entry SET size = 7 WHERE " OF_INDEX,
     DAMAGED "index byG, whose entries do not match the items, of table Tab"},
    {"DELETE FROM entry WHERE " OF_INDEX,
     DAMAGED "index byG, whose entries do not match the items, of table Tab"},
    {"UPDATE entry SET id = (SELECT max(id) FROM entry WHERE " OF_INDEX ") WHERE " OF_INDEX,
     DAMAGED "index byG, whose entries do not match the items, of table Tab"},
    {"UPDATE space SET entries = 9 WHERE number = :items", NULL},
    {"UPDATE space SET bytes = 9 WHERE number = :index", NULL},
    {"UPDATE space SET entries = 9 WHERE number = :stream", NULL},
    {"UPDATE space SET entries = 9 WHERE number = :ttl", NULL},
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
    {"DELETE FROM sharing; DELETE FROM shared", OF_THE_FILE},
    {"INSERT INTO sharing(space, below) VALUES(:index, 1 << 38)", OF_THE_FILE},
    {"INSERT INTO sharing(space, below) VALUES(:ttl, 1 << 38)", OF_THE_FILE},
    {"UPDATE sharing SET below = zeroblob(100000)", OF_THE_FILE},
    {"UPDATE sharing SET below = 1.5", OF_THE_FILE},
    {"UPDATE shared SET others = 'one'", OF_THE_FILE},
    {"UPDATE entry SET size = zeroblob(1)", OF_THE_FILE},
    {"UPDATE entry SET id = 'one' WHERE " OF_INDEX, OF_THE_FILE},
    {"UPDATE entry SET key = CAST(key AS TEXT) WHERE " OF_ITEMS, OF_THE_FILE},
    {"UPDATE entry SET key = x'000000' WHERE key = (SELECT min(key) FROM entry)", OF_THE_FILE},
    {"UPDATE entry SET key = CAST(x'00000000' || key AS BLOB) WHERE key = (SELECT min(key) FROM "
     "entry)",
     OF_THE_FILE},
    {"UPDATE entry SET key = CAST(key || zeroblob(200000) AS BLOB) WHERE " OF_INDEX, OF_THE_FILE},
    {"UPDATE item SET body = CAST(body AS TEXT)", OF_THE_FILE},
    {"UPDATE space SET entries = 'many'", OF_THE_FILE},
    {"UPDATE space SET spared = 5 WHERE number = :items",
     DAMAGED "the size of the items of table Tab"},
    {"UPDATE space SET spared = 5 WHERE number = :index",
     DAMAGED "index byG, whose entries do not match the items, of table Tab"},
    {"DELETE FROM space", NULL},
    {"INSERT INTO space(number, entries, bytes) VALUES(1000, 7, 7)", NULL},
    {"UPDATE entry SET id = (SELECT max(id) FROM entry WHERE " OF_INDEX ") WHERE " OF_ITEMS,
     OF_THE_FILE},
    {"UPDATE entry SET id = 1 << 38 WHERE " OF_INDEX, OF_THE_FILE},
    {"INSERT INTO item(id, body) VALUES((:items + 1 << 38) - 1, x'7b7d')", OF_THE_FILE},
    {"INSERT INTO item(id, body) VALUES((:items << 38) + 100, x'7b7d')", OF_THE_FILE},
    {"INSERT INTO item(id, body) VALUES(-1, x'7b7d')", OF_THE_FILE},
    {"DELETE FROM item WHERE id >> 38 = :stream", OF_THE_FILE},
    {"DELETE FROM entry WHERE " OF_TTL,
     DAMAGED "the order of the times to live, which does not match the items, of table Tab"},
    {"UPDATE entry SET id = (SELECT min(id) FROM entry WHERE " OF_INDEX
     " AND id NOT IN (SELECT id FROM entry WHERE " OF_TTL ")) WHERE " OF_TTL,
     DAMAGED "the order of the times to live, which does not match the items, of table Tab"},
    {"INSERT INTO doomed(number) VALUES(:items)", OF_THE_FILE},
    {"INSERT INTO doomed(number) VALUES(:index)", OF_THE_FILE},
    {"INSERT INTO doomed(number) VALUES(3)", OF_THE_FILE},
    {"INSERT INTO doomed(number) VALUES(0x7fffffffffff)", OF_THE_FILE},
    {"INSERT INTO doomed(number) VALUES(1000)", NULL},
    {"UPDATE catalog SET name = x'5461'", OF_THE_FILE},
    {"INSERT INTO catalog(name, body) SELECT x'ff' || name, body FROM catalog", OF_THE_FILE},
    {"UPDATE meta SET value = 16 WHERE name = 'next_space'", NULL},
    {"UPDATE meta SET value = 1 << 25 WHERE name = 'next_space'", OF_THE_FILE},
    {"UPDATE meta SET value = 'x' WHERE name = 'next_space'", OF_THE_FILE},
    {"DELETE FROM meta WHERE name = 'next_space'", NULL},
    {"INSERT INTO meta(name, value) VALUES('next', 1)", OF_THE_FILE},
    {"INSERT INTO doomed(number) SELECT max(space) FROM sharing", OF_THE_BACKUP_SPACE},
    {"UPDATE item SET body = CAST(replace(body, '\"space\":{\"N\":\"' || (SELECT max(space) FROM"
     " sharing) || '\"', '\"space\":{\"N\":\"' || :items || '\"') AS BLOB)",
     DAMAGED "two tables, indexes, streams or backups share their entries"},
    {"UPDATE item SET body = CAST(replace(body, '\"space\":{\"N\":\"' || (SELECT max(space) FROM"
     " sharing) || '\"', '\"space\":{\"N\":\"1000\"') AS BLOB)",
     OF_THE_BACKUP_SPACE},
    {"UPDATE item SET body = x'7b7d' WHERE CAST(body AS TEXT) LIKE '%whole%'",
     DAMAGED "a backup's description"},
    {"UPDATE catalog SET body = CAST(replace(body, '\"stream_enabled\":{\"BOOL\":true}',"
     " '\"stream_enabled\":{\"BOOL\":false}') AS BLOB)",
     DAMAGED "a stream is open that no table has"},
    {CATALOG("'T22:13:20.000'", "'T22:13:20.001'"), DAMAGED "a stream is open that no table has"},
    {"UPDATE item SET body = x'7b7d' WHERE CAST(body AS TEXT) LIKE '%shards%'",
     DAMAGED "a stream's description"},
    {"UPDATE entry SET key = CAST(substr(key, 1, 11) || x'ff' || substr(key, 13) AS BLOB)"
     " WHERE hex(substr(key, 1, 4)) = '00000003'",
     DAMAGED "a backup's description"},
    {"DELETE FROM meta", DAMAGED "a stream's description"},
    {"UPDATE meta SET value = 1 WHERE name = 'next_number'",
     DAMAGED "the stream, which has a number that was not given out yet, of table Tab"},
    {REPLACE_IN(OF_STREAM, "'{\"pk\":{\"S\":\"a\"}}'", "'{\"pk\":{\"N\":\"1\"}}'"), A_RECORD},
    {REPLACE_IN(OF_STREAM, "'\"Keys\"'", "'\"Kays\"'"), A_RECORD},
    {REPLACE_IN(OF_STREAM, "'SequenceNumber\":\"1'", "'SequenceNumber\":\"2'"), A_RECORD},
    {REPLACE_IN(OF_STREAM, "'\"dynamodb\":'", "'\"dynamodb\":{},\"other\":'"), A_RECORD},
    {REPLACE_IN(OF_STREAM, "'{\"eventID\"'", "'{}],\"Records\":[{\"eventID\"'"), A_RECORD},
    {"UPDATE item SET body = substr(body, 1, length(body) - 1) WHERE " BODIES(OF_STREAM), A_RECORD},
    {"UPDATE item SET body = x'00' WHERE " BODIES(OF_STREAM), A_RECORD},
    {"UPDATE entry SET key = CAST(substr(key, 1, 4) || x'ff' || substr(key, 6) AS BLOB)"
     " WHERE " OF_STREAM,
     A_RECORD},
    {"UPDATE entry SET key = CAST(key || x'00' AS BLOB) WHERE " OF_STREAM, A_RECORD},
    {CATALOG("'\"backfilled\":{\"BOOL\":true}'",
             "'\"backfill_position\":{\"B\":\"AAAABQAAAAA=\"},\"backfilled\":{\"BOOL\":false}'"),
     CONTINUES},
    {CATALOG("'\"ttl_backfilled\":{\"BOOL\":true}'",
             "'\"ttl_position\":{\"B\":\"AAAABQAAAAA=\"},\"ttl_backfilled\":{\"BOOL\":false}'"),
     CONTINUES},
    {CATALOG("'{\"name\":{\"S\":\"Tab\"}'",
             "'{\"name\":{\"S\":\"Tab\"},\"restore\":{\"M\":{\"log_space\":{\"N\":\"20\"},"
             "\"log_position\":{\"B\":\"AAAABQAAAAA=\"}}}'"),
     CONTINUES},
};

/* What was let in has all that was saved, and a new table has nothing of it. */
static void works(struct store *loaded)
{
    store_free(server.store);
    server.store = loaded;
    dispatch_set_store(server.dispatcher, loaded);
    send("DescribeTable", "{\"TableName\":\"Tab\"}", "\"ItemCount\":2");
    send("CreateTable",
         "{\"TableName\":\"New\",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":["
         "{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}],"
         "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}]}",
         "New");
    send("Scan", "{\"TableName\":\"New\"}", "\"Count\":0");
    send("PutItem", "{\"TableName\":\"New\",\"Item\":{\"pk\":{\"S\":\"own\"}}}", "{}");
    send("PutItem", "{\"TableName\":\"Tab\",\"Item\":{\"pk\":{\"S\":\"d\"}}}", "{}");
    send("Scan", "{\"TableName\":\"New\"}", "\"Count\":1");
    send("DeleteTable", "{\"TableName\":\"New\"}", "New");
    while (dispatch_idle(server.dispatcher))
        continue;
    send("Scan", "{\"TableName\":\"Tab\"}", "\"Count\":3");
    send("Scan", "{\"TableName\":\"Tab\",\"IndexName\":\"byG\"}", "\"Count\":2");
    send("DescribeTable", "{\"TableName\":\"Tab\"}", "\"ItemCount\":3");
}

START_TEST(a_file_that_lies_is_refused)
{
    struct store *loaded;

    open_server();
    if ((loaded = load_lie(&lies[_i])))
        works(loaded);
    offline_server_close(&server);
}
END_TEST

/* --- what is under way ------------------------------------------------------------------------ */

#define PEER "eu-west-1"
#define OLD                                                                                  \
    "{\"TableName\":\"Old\",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":["  \
    "{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}],\"KeySchema\":[{\"AttributeName\":" \
    "\"pk\",\"KeyType\":\"HASH\"}],\"StreamSpecification\":{\"StreamEnabled\":true,"         \
    "\"StreamViewType\":\"NEW_IMAGE\"}}"
#define TABLE                                                                                \
    "{\"TableName\":\"Tab\",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":["  \
    "{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}],\"KeySchema\":[{\"AttributeName\":" \
    "\"pk\",\"KeyType\":\"HASH\"}]}"
#define ITEMS  700 /* more than a copy takes at once */
#define LAG_MS 1000

static void sink_record(struct kinesis_sink *self, const struct kinesis_record *record)
{
    (void)self, (void)record;
}

#define SCALED                                                        \
    "\"ServiceNamespace\":\"dynamodb\",\"ResourceId\":\"table/Tab\"," \
    "\"ScalableDimension\":\"dynamodb:table:WriteCapacityUnits\""

static char busy_folder[UNIT_FOLDER_SIZE];
static const char *busy_path;

/* A table with a replica, to which writes are on their way, with a backup that is half copied and a
 * record for Kinesis; and a stream that was closed. In a file: in memory, copies are whole at once.
 */
static void open_busy_server(void)
{
    static struct kinesis_sink sink = {.put = sink_record};

    unit_make_folder(busy_folder);
    busy_path = arena_printf(arena, "%s/busy.db", busy_folder);
    offline_server_open(
        &server, arena,
        &(struct offline_options){
            .seed = 1,
            .store = {.path = busy_path},
            .settings = {.regional = true, .replica_lag_ms = LAG_MS, .kinesis_sink = &sink}});
    send("CreateTable", OLD, "Old");
    send("PutItem", "{\"TableName\":\"Old\",\"Item\":{\"pk\":{\"S\":\"a\"}}}", "{}");
    closed_stream = store_table(server.store, SPAN_LIT("Old"))->stream_space;
    send("UpdateTable", "{\"TableName\":\"Old\",\"StreamSpecification\":{\"StreamEnabled\":false}}",
         "Old");
    send("CreateTable", TABLE, "Tab");
    send("UpdateTable",
         "{\"TableName\":\"Tab\",\"ReplicaUpdates\":[{\"Create\":{\"RegionName\":\"" PEER "\"}}]}",
         "Tab");
    settle();
    for (int i = 0; i < ITEMS; i++)
        send("PutItem",
             arena_printf(arena, "{\"TableName\":\"Tab\",\"Item\":{\"pk\":{\"S\":\"n%d\"}}}", i),
             "{}");
    send("EnableKinesisStreamingDestination",
         "{\"TableName\":\"Tab\",\"StreamArn\":\"arn:aws:kinesis:us-east-1:000000000000:stream/"
         "orders\"}",
         "orders");
    send("AnyScaleFrontendService.RegisterScalableTarget",
         "{" SCALED ",\"MinCapacity\":1,\"MaxCapacity\":9}", "ScalableTargetARN");
    send("AnyScaleFrontendService.RegisterScalableTarget",
         "{\"ServiceNamespace\":\"dynamodb\",\"ResourceId\":\"table/Tab\","
         "\"ScalableDimension\":\"dynamodb:table:ReadCapacityUnits\",\"MinCapacity\":1,"
         "\"MaxCapacity\":9}",
         "ScalableTargetARN");
    send("AnyScaleFrontendService.PutScheduledAction",
         "{" SCALED ",\"ScheduledActionName\":\"night\",\"Schedule\":\"rate(1 day)\","
         "\"ScalableTargetAction\":{\"MinCapacity\":1}}",
         "{}");
    settle();
    send("CreateBackup", "{\"TableName\":\"Tab\",\"BackupName\":\"half\"}", "CREATING");
    send("TransactWriteItems",
         "{\"ClientRequestToken\":\"t\",\"TransactItems\":[{\"Delete\":{\"TableName\":\"Old\","
         "\"Key\":{\"pk\":{\"S\":\"none\"}}}}]}",
         "{}");
    send("PutItem",
         "{\"TableName\":\"Tab\",\"Item\":{\"pk\":{\"S\":\"n1\"},\"new\":{\"S\":\"x\"}}}", "{}");
    ck_assert(space_copy_next(server.store, 0));
    ck_assert_int_eq(store_stats(server.store, KEY_SPACE_OUTBOX).entries, 1);
}

#define OF_THE_LAST_ITEM "entry WHERE " OF_ITEMS " ORDER BY key DESC LIMIT 1"
#define SHARED_LOG       DAMAGED "two tables, indexes, streams or backups share their entries"
#define A_WRITE          DAMAGED "a write on its way to replicas of table Tab"
#define A_LATEST         DAMAGED "the latest write for replicas of table Tab"
#define FOR_NOBODY       DAMAGED "a table is copied, and nothing waits for the copy"
#define FOR_KINESIS      DAMAGED "a record for Kinesis"
#define A_TOKEN          DAMAGED "the token of a transaction"
#define SCALES           DAMAGED "a target, policy or scheduled action of auto scaling"

static const struct lie busy_lies[] = {
    {"UPDATE space SET entries = entries", NULL},
    {"UPDATE sharing SET below = 1 WHERE space = :items", OF_THE_FILE},
    {"UPDATE sharing SET below = 1 WHERE space = :copy", OF_THE_FILE},
    {"UPDATE catalog SET body = CAST(replace(body, '\"pk\"', '\"pq\"') AS BLOB)"
     " WHERE CAST(name AS TEXT) LIKE '" PEER "%'",
     SHARED_LOG},
    {"UPDATE catalog SET body = CAST(replace(body, '" PEER "', 'eu-west-2') AS BLOB)"
     " WHERE CAST(name AS TEXT) = 'Tab'",
     SHARED_LOG},
    {"UPDATE catalog SET body = CAST(replace(body, :latest, :log) AS BLOB)"
     " WHERE CAST(name AS TEXT) = 'Tab'",
     SHARED_LOG},
    {"UPDATE catalog SET body = CAST(replace(body, :latest, :log) AS BLOB)", SHARED_LOG},
    {REPLACE_IN(OF_LOG, "'{\"S\":\"n1\"}'", "'{\"S\":\"zz\"}'"), A_WRITE},
    {REPLACE_IN(OF_LOG, "'\"new\"'", "'new'"), A_WRITE},
    {"UPDATE item SET body = substr(body, 1, 8) WHERE " BODIES(OF_LOG), A_WRITE},
    {"UPDATE entry SET key = substr(key, 1, 12) WHERE key = (SELECT min(key) FROM entry "
     "WHERE " OF_LOG ")",
     A_WRITE},
    {"DELETE FROM item WHERE " BODIES(OF_LATEST) "; DELETE FROM entry WHERE " OF_LATEST, A_WRITE},
    {"UPDATE item SET body = x'0000000000000001' WHERE " BODIES(OF_LATEST), A_WRITE},
    {"UPDATE item SET body = x'7fffffffffffffff' WHERE " BODIES(OF_LATEST), A_LATEST},
    {"UPDATE item SET body = CAST(body || x'00' AS BLOB) WHERE " BODIES(OF_LATEST), A_LATEST},
    {"UPDATE item SET body = CAST(x'00' || body AS BLOB) WHERE " BODIES(OF_LATEST), A_LATEST},
    {"DELETE FROM item WHERE " BODIES(OF_LOG) "; DELETE FROM entry WHERE " OF_LOG, A_LATEST},
    {REPLACE_IN(OF_OUTBOX, "char(10) || 'orders'", "char(10) || '../orders'"), FOR_KINESIS},
    {REPLACE_IN(OF_OUTBOX, "'us-east-1' || char(10)", "char(10)"), FOR_KINESIS},
    {REPLACE_IN(OF_OUTBOX, "'\"eventID\"'", "char(10) || '\"eventID\"'"), FOR_KINESIS},
    {"UPDATE item SET body = substr(body, 1, length(body) - 1) WHERE " BODIES(OF_OUTBOX),
     FOR_KINESIS},
    {"UPDATE item SET body = x'00' WHERE " BODIES(OF_OUTBOX), FOR_KINESIS},
    {"UPDATE item SET body = substr(body, 1, length(body) - 1) WHERE " BODIES(OF_TOKENS), A_TOKEN},
    {"UPDATE item SET body = CAST(x'ffffffffffffff7f' || substr(body, 9) AS BLOB) "
     "WHERE " BODIES(OF_TOKENS),
     A_TOKEN},
    {"UPDATE item SET body = substr(body, 1, length(body) - 1) WHERE " BODIES(OF_SCALING), SCALES},
    {"UPDATE item SET body = CAST('[]' AS BLOB) WHERE " BODIES(OF_ACTIONS), SCALES},
    {"UPDATE entry SET key = CAST(replace(key, 'WriteCapacity', 'Other') AS BLOB) "
     "WHERE " OF_SCALING,
     SCALES},
    {REPLACE_IN(OF_CLOSED, "'\"NewImage\":{\"pk\":{\"S\":\"a\"}'",
                "'\"NewImage\":{\"pk\":{\"S\":\"b\"}'"),
     DAMAGED "a record of the stream of table Old"},
    {"DELETE FROM item WHERE " BODIES(OF_BACKUPS) "; DELETE FROM entry WHERE " OF_BACKUPS,
     FOR_NOBODY},
    {"INSERT OR REPLACE INTO shared(id, others) SELECT id, 1 FROM " OF_THE_LAST_ITEM ";"
     "INSERT INTO entry(key, id, size) SELECT CAST((SELECT substr(min(key), 1, 4) FROM entry "
     "WHERE " OF_COPY ") || substr(key, 5) AS BLOB), id, size FROM " OF_THE_LAST_ITEM,
     DAMAGED "an unfinished copy, which has items that it has yet to copy, of table Tab"},
};

/* What was under way comes to its end, and everything is where it belongs. */
static void comes_to_its_end(struct store *loaded)
{
    store_free(server.store);
    server.store = loaded;
    dispatch_set_store(server.dispatcher, loaded);
    clock_advance(server.clock, LAG_MS);
    settle();
    ck_assert(!space_copy_next(server.store, 0));
    ck_assert_int_eq(store_stats(server.store, KEY_SPACE_OUTBOX).entries, 0);
    ck_assert_int_eq(store_stats(server.store, table()->global.latest_space).entries, 0);
    send("ListBackups", "{}", "AVAILABLE");
    server.region = SPAN_LIT(PEER);
    send("DescribeTable", "{\"TableName\":\"Tab\"}", "\"ItemCount\":700");
    send("GetItem", "{\"TableName\":\"Tab\",\"Key\":{\"pk\":{\"S\":\"n1\"}}}", "\"new\"");
}

START_TEST(a_file_that_lies_of_what_is_under_way_is_refused)
{
    struct store *loaded;

    open_busy_server();
    if ((loaded = load_lie(&busy_lies[_i])))
        comes_to_its_end(loaded);
    offline_server_close(&server);
    store_remove(arena, busy_path);
    ck_assert_int_eq(rmdir(busy_folder), 0);
    server.region = SPAN_LIT("");
}
END_TEST

/* Files of older releases are brought up to date; what was given up before is not taken along. */
START_TEST(a_file_of_an_older_format_is_loaded)
{
    const char *path, *plain, *old = arena_printf(arena, TEST_DATA_DIR "/data/format-%d.db", _i);
    struct snapshot loaded;

    open_server();
    write_snapshot(&path, &plain);
    write_sealed(path, read_all(old), read_all(path));
    ck_assert_ptr_null(snapshot_whole_load(arena, path, &loaded));
    store_free(server.store);
    server.store = loaded.state.store;
    dispatch_set_store(server.dispatcher, loaded.state.store);
    send("ListTables", "{}", "[\"Orders\"]");
    send("Scan", "{\"TableName\":\"Orders\"}", "\"Count\":6");
    send("ListStreams", "{}", "Orders");
    offline_server_close(&server);
    remove_snapshot(path, plain);
}
END_TEST

/* The last bytes of a file, each with another value in one place. */
static const struct {
    size_t at; /* SNAPSHOT_TAIL_LEN: the file's own end */
    unsigned char byte;
    const char *problem;
} tails[] = {
    {SNAPSHOT_TAIL_LEN, 0, NULL},
    {0, 1, OF_THE_FILE},     /* the length of the store */
    {15, 0x80, OF_THE_FILE}, /* taken before 1970 */
    {23, 0x80, OF_THE_FILE}, /* its time, likewise */
    {23, 0x7f, OF_THE_FILE}, /* beyond the last moment */
    {31, 0xc0, OF_THE_FILE}, /* a rate below zero */
    {36, 2, "this snapshot was written by a newer mockddb"},
    {SNAPSHOT_TAIL_LEN - 1, 'x', "this is not a snapshot of mockddb, or its end is missing"},
};

START_TEST(the_end_of_a_file_is_checked)
{
    unsigned char tail[SNAPSHOT_TAIL_LEN + 1];
    const char *path, *plain, *problem;
    struct snapshot_tail read;
    struct span whole;

    open_server();
    write_snapshot(&path, &plain);
    whole = read_all(path);
    memcpy(tail, span_end(whole) - SNAPSHOT_TAIL_LEN, SNAPSHOT_TAIL_LEN);
    tail[tails[_i].at] = tails[_i].byte;
    problem = snapshot_file_read(tail, whole.len - SNAPSHOT_TAIL_LEN, &read);
    ck_assert_pstr_eq(problem, tails[_i].problem);
    if (!problem)
        ck_assert_int_eq(read.taken_ms, OFFLINE_NOW_MS);
    remove_snapshot(path, plain);
    offline_server_close(&server);
}
END_TEST

/* A snapshot keeps its world's time: the time and rate that were set, or that none were set. */
static const struct clock_time times[] = {{.moved = false},
                                          {.moved = true, .now_ms = 1234567890123, .rate = 0},
                                          {.moved = true, .now_ms = OFFLINE_NOW_MS, .rate = 2.5}};

START_TEST(a_file_has_the_time)
{
    const struct clock_time *kept = &times[_i];
    struct snapshot loaded;
    const char *path;

    open_server();
    unit_make_folder(folder);
    path = arena_printf(arena, "%s/snapshot", folder);
    ck_assert_ptr_null(snapshot_whole_write(
        arena, path, SPAN_LIT("time"),
        &(const struct world_state){.store = server.store, .time = *kept}, OFFLINE_NOW_MS));
    ck_assert_ptr_null(snapshot_whole_load(arena, path, &loaded));
    ck_assert(loaded.state.time.moved == kept->moved);
    ck_assert_int_eq(loaded.state.time.now_ms, kept->now_ms);
    ck_assert_double_eq(loaded.state.time.rate, kept->rate);
    store_free(loaded.state.store);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
    offline_server_close(&server);
}
END_TEST

/* Writes a snapshot's file and loads it; returns the number of steps. */
static int steps_of_loading(struct snapshot *loaded)
{
    const char *path, *plain;
    struct snapshot_load *load;
    int steps = 1;

    write_snapshot(&path, &plain);
    load = snapshot_load_begin(path);
    while (!snapshot_load_step(load))
        steps++;
    ck_assert_ptr_null(snapshot_load_take(load, arena, loaded));
    snapshot_load_free(load);
    store_free(loaded->state.store);
    remove_snapshot(path, plain);
    return steps;
}

/* Each step takes some rows of the file, so that others are served between two of them. */
START_TEST(a_file_is_loaded_in_slices)
{
    const int items = 2000, rows_of_slice = 100;
    struct snapshot loaded;

    open_server();
    for (int i = 0; i < items; i++)
        send("PutItem",
             arena_printf(arena, "{\"TableName\":\"Tab\",\"Item\":{\"pk\":{\"S\":\"n%d\"}}}", i),
             "{}");
    ck_assert_int_gt(steps_of_loading(&loaded),
                     4 * items / rows_of_slice); /* bodies, entries, items; records alike */
    ck_assert_int_eq(loaded.taken_ms, OFFLINE_NOW_MS);
    ck_assert_int_eq(loaded.content.tables, 1);
    ck_assert_int_eq(loaded.content.items, items + 2);
    offline_server_close(&server);
}
END_TEST

/* Items of more than 256 KB are read in parts. */
START_TEST(a_long_item_is_loaded)
{
    struct buf value = buf_in(arena);
    struct store *loaded;

    open_server();
    while (value.len < 300001)
        buf_printf(&value, "%zu,", value.len);
    send("PutItem",
         arena_printf(
             arena,
             "{\"TableName\":\"Tab\",\"Item\":{\"pk\":{\"S\":\"long\"},\"v\":{\"S\":\"%s\"}}}",
             buf_text(&value)),
         "{}");
    loaded = load_lie(&(const struct lie){"UPDATE space SET entries = entries", NULL});
    store_free(server.store);
    server.store = loaded;
    dispatch_set_store(server.dispatcher, loaded);
    send("GetItem", "{\"TableName\":\"Tab\",\"Key\":{\"pk\":{\"S\":\"long\"}}}",
         arena_printf(arena, "{\"S\":\"%s\"}", buf_text(&value)));
    offline_server_close(&server);
}
END_TEST

START_TEST(a_file_that_is_too_short_is_refused)
{
    struct snapshot loaded;
    const char *path, *plain, *problem;
    struct span whole;

    open_server();
    write_snapshot(&path, &plain);
    whole = read_all(path);
    write_sealed(path, (struct span){whole.at, (size_t)_i}, whole);
    problem = snapshot_whole_load(arena, path, &loaded);
    ck_assert_msg(problem && strstr(problem, OF_THE_FILE), "%s", problem);
    remove_snapshot(path, plain);
    offline_server_close(&server);
}
END_TEST

START_TEST(a_world_without_items_is_loaded)
{
    struct snapshot loaded;

    offline_server_open(&server, arena, &(struct offline_options){.seed = 1});
    (void)steps_of_loading(&loaded);
    ck_assert_int_eq(loaded.content.tables, 0);
    offline_server_close(&server);
}
END_TEST

START_TEST(a_table_that_is_being_deleted_is_loaded)
{
    struct snapshot loaded;

    open_server();
    server.settings.transition_ms = LIMIT_SECOND_MS;
    send("DeleteTable", "{\"TableName\":\"Tab\"}", "DELETING");
    (void)steps_of_loading(&loaded);
    ck_assert_int_eq(loaded.content.items, 2);
    offline_server_close(&server);
}
END_TEST

START_TEST(rows_that_belong_to_no_table_are_checked_in_slices)
{
    const int tokens = 2000, rows_of_slice = 20;
    struct snapshot loaded;
    int before;

    open_server();
    before = steps_of_loading(&loaded);
    for (int i = 0; i < tokens; i++)
        send("TransactWriteItems",
             arena_printf(arena,
                          "{\"ClientRequestToken\":\"t%d\",\"TransactItems\":[{"
                          "\"ConditionCheck\":{\"TableName\":\"Tab\",\"Key\":{\"pk\":{"
                          "\"S\":\"a\"}},\"ConditionExpression\":\"attribute_exists(pk)\"}}]}",
                          i),
             "{}");
    ck_assert_int_ge(steps_of_loading(&loaded) - before, tokens / rows_of_slice);
    offline_server_close(&server);
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
    const char *problem = NULL;
    sqlite3 *db;

    open_server();
    unit_make_folder(folder);
    options.path = arena_printf(arena, "%s/store", folder);
    ck_assert_ptr_null(store_at_once_save(arena, server.store, &options));
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
    tcase_add_loop_test(tc, a_file_that_lies_of_what_is_under_way_is_refused, 0, COUNT(busy_lies));
    tcase_add_loop_test(tc, a_file_of_an_older_format_is_loaded, 1, 4);
    tcase_add_loop_test(tc, the_end_of_a_file_is_checked, 0, COUNT(tails));
    tcase_add_loop_test(tc, a_file_has_the_time, 0, COUNT(times));
    tcase_add_test(tc, a_file_is_loaded_in_slices);
    tcase_add_test(tc, a_long_item_is_loaded);
    tcase_add_loop_test(tc, a_file_that_is_too_short_is_refused, 0, 30);
    tcase_add_test(tc, a_world_without_items_is_loaded);
    tcase_add_test(tc, a_table_that_is_being_deleted_is_loaded);
    tcase_add_test(tc, rows_that_belong_to_no_table_are_checked_in_slices);
    tcase_add_loop_test(tc, a_file_that_is_at_odds_with_ids_is_not_opened, 0, 4);
}

UNIT_TESTS(snapshot_check, add_tests)
