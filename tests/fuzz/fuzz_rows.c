/* fuzz_rows.c: snapshots whose rows are not what this program writes: whatever stands in keys,
 * bodies and counts, a server reads no further than they go. The input changes the rows of a good
 * one: five bytes a change, which column, which row of it (16 bits), how, and where. A change is
 * other bytes or another number, a value of another type, or that the row is gone or there twice. A
 * byte ahead of all changes: they are made to a snapshot with exports, imports and bulk puts, and
 * the row has 8 bits, where has 16. */
#include "fuzz_server.h"

#include "base/digest.h"
#include "base/file.h"
#include "model/names.h"
#include "ops/kinesis/kinesis_sink.h"
#include "ops/transfer/buckets.h"
#include "store/space_copy.h"
#include "support/file_tree.h"
#include "support/offline_server.h"
#include "support/snapshot_whole.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define TAIL_LEN   88
#define SUM_AT     40
#define FORMATS_AT 18 /* in SQLite's header: 2 is for a write-ahead log, 1 for none */
#define ONE_CHANGE 5
/* How a row is changed, besides what numbers and bytes make of it. */
#define ANOTHER_TYPE 253
#define ROW_GONE     254
#define ROW_MORE     255
#define TABLE                                                                                  \
    "{'TableName':'Tab','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':["              \
    "{'AttributeName':'pk','AttributeType':'S'},{'AttributeName':'sk','AttributeType':'N'},"   \
    "{'AttributeName':'n','AttributeType':'N'}],'KeySchema':[{'AttributeName':'pk','KeyType':" \
    "'HASH'},{'AttributeName':'sk','KeyType':'RANGE'}],'LocalSecondaryIndexes':[{'IndexName':" \
    "'local','KeySchema':[{'AttributeName':'pk','KeyType':'HASH'},{'AttributeName':'n',"       \
    "'KeyType':'RANGE'}],'Projection':{'ProjectionType':'ALL'}}],'GlobalSecondaryIndexes':[{"  \
    "'IndexName':'global','KeySchema':[{'AttributeName':'n','KeyType':'HASH'}],'Projection':{" \
    "'ProjectionType':'KEYS_ONLY'}}],'VectorIndexes':[{'IndexName':'near','VectorAttribute':{" \
    "'AttributeName':'v'},'Projection':{'ProjectionType':'ALL'},'Dimensions':2,"               \
    "'DistanceFunction':'COSINE'}],'StreamSpecification':{'StreamEnabled':true,"               \
    "'StreamViewType':'NEW_AND_OLD_IMAGES'},'Tags':[{'Key':'k','Value':'v'}]}"
#define SIMPLE_TABLE(name)                                                              \
    "{'TableName':'" name "','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':[{" \
    "'AttributeName':'pk','AttributeType':'S'}],'KeySchema':[{'AttributeName':'pk',"    \
    "'KeyType':'HASH'}]}"
#define MANY   320 /* items, more than a copy takes at once */
#define LAG_MS 1000
#define KEY    "'Key':{'pk':{'S':'a'},'sk':{'N':'1'}}"
#define ITEM                                                                                 \
    "{'TableName':'Tab','Item':{'pk':{'S':'a'},'sk':{'N':'1'},'n':{'N':'-2.5'},'ttl':{'N':"  \
    "'1700000500'},'v':{'L':[{'N':'1'},{'N':'2'}]},'m':{'M':{'s':{'SS':['x','y']},'b':{'B':" \
    "'AAE='}}}}}"
#define RECOVERY "'PointInTimeRecoverySpecification':{'PointInTimeRecoveryEnabled':true}}"
#define STREAM   "arn:aws:kinesis:us-east-1:000000000000:stream/orders"

struct step {
    const char *operation, *body;
};

static const struct step making[] = {
    {"CreateTable", TABLE},
    {"UpdateContinuousBackups", "{'TableName':'Tab'," RECOVERY},
    {"UpdateTimeToLive", "{'TableName':'Tab','TimeToLiveSpecification':{'Enabled':true,"
                         "'AttributeName':'ttl'}}"},
    {"EnableKinesisStreamingDestination", "{'TableName':'Tab','StreamArn':'" STREAM "'}"},
    {"PutItem", ITEM},
    {"UpdateItem", "{'TableName':'Tab'," KEY ",'UpdateExpression':'SET n = n + :o',"
                   "'ExpressionAttributeValues':{':o':{'N':'1'}}}"},
    {"CreateBackup", "{'TableName':'Tab','BackupName':'kept'}"},
    {"PutItem", "{'TableName':'Tab','Item':{'pk':{'S':'b'},'sk':{'N':'2'},'n':{'N':'7'}}}"},
    {"TransactWriteItems", "{'ClientRequestToken':'once','TransactItems':[{'Delete':{"
                           "'TableName':'Tab','Key':{'pk':{'S':'b'},'sk':{'N':'2'}}}}]}"},
    {"UpdateTable", "{'TableName':'Tab','ReplicaUpdates':[{'Create':{'RegionName':'eu-west-1'}}]}"},
    {"CreateTable", SIMPLE_TABLE("Many")},
};

/* What is under way then: a copy, records for Kinesis, writes for a replica. */
static const struct step leaving[] = {
    {"CreateBackup", "{'TableName':'Many','BackupName':'half'}"},
    {"PutItem", "{'TableName':'Many','Item':{'pk':{'S':'1'},'new':{'N':'1'}}}"},
    {"UpdateItem", "{'TableName':'Tab'," KEY ",'UpdateExpression':'SET n = n + :o',"
                   "'ExpressionAttributeValues':{':o':{'N':'1'}}}"},
};

#define TAB_ARN    "arn:aws:dynamodb:us-east-1:000000000000:table/Tab"
#define OBJECTS    2
#define STEPS_MOST 3000
#define RECORDS    200 /* of an object: more than a slice of an import or a bulk put */

/* Each is left after its first steps. */
static const struct step transferring[] = {
    {"StartBulkPutItems",
     "{'TableName':'Tab','InputS3Configuration':{'S3Bucket':'bucket','InputFormat':"
     "'DYNAMODB_JSON'},'OutputS3Configuration':{'S3Bucket':'bucket','OutputType':['ERROR']}}"},
    {"ImportTable", "{'ClientToken':'t','S3BucketSource':{'S3Bucket':'bucket'},'InputFormat':"
                    "'DYNAMODB_JSON','TableCreationParameters':" SIMPLE_TABLE("Into") "}"},
    {"ExportTableToPointInTime", "{'TableArn':'" TAB_ARN "','S3Bucket':'bucket'}"},
    {"ExportTableToPointInTime",
     "{'TableArn':'" TAB_ARN "','S3Bucket':'bucket','ExportType':'INCREMENTAL_EXPORT',"
     "'IncrementalExportSpecification':{'ExportFromTime':1700000100}}"},
};

static const int transfer_steps[COUNT(transferring)] = {3, 3, 1, 0};

static const struct {
    const char *list, *describe, *member;
} transfers[] = {
    {"ListExports", "DescribeExport", "ExportArn"},
    {"ListImports", "DescribeImport", "ImportArn"},
    {"ListBulkOperations", "DescribeBulkOperation", "BulkOperationArn"},
};

static const struct step using[] = {
    {"ListTables", "{}"},
    {"PutItem", "{'TableName':'Many','Item':{'pk':{'S':'2'},'new':{'N':'1'}}}"},
    {"DeleteItem", "{'TableName':'Many','Key':{'pk':{'S':'319'}}}"},
    {"DescribeTable", "{'TableName':'Tab'}"},
    {"DescribeContinuousBackups", "{'TableName':'Tab'}"},
    {"ListBackups", "{}"},
    {"ListStreams", "{}"},
    {"ListTagsOfResource", "{'ResourceArn':'arn:aws:dynamodb:us-east-1:000000000000:table/Tab'}"},
    {"Scan", "{'TableName':'Tab','ReturnConsumedCapacity':'INDEXES'}"},
    {"Scan", "{'TableName':'Tab','IndexName':'global'}"},
    {"Query", "{'TableName':'Tab','IndexName':'local','KeyConditionExpression':'pk = :p',"
              "'ExpressionAttributeValues':{':p':{'S':'a'}}}"},
    {"SearchVectors", "{'TableName':'Tab','IndexName':'near','SearchVector':[{'N':'1'},{"
                      "'N':'1'}],'TopK':3}"},
    {"UpdateItem", "{'TableName':'Tab'," KEY ",'UpdateExpression':'SET n = n + :o REMOVE m',"
                   "'ExpressionAttributeValues':{':o':{'N':'1'}}}"},
    {"TransactWriteItems", "{'ClientRequestToken':'once','TransactItems':[{'Delete':{"
                           "'TableName':'Tab','Key':{'pk':{'S':'b'},'sk':{'N':'2'}}}}]}"},
    {"RestoreTableToPointInTime", "{'SourceTableName':'Tab','TargetTableName':'Then',"
                                  "'UseLatestRestorableTime':true}"},
    {"PutItem", ITEM},
    {"DeleteItem", "{'TableName':'Tab'," KEY "}"},
};

static const struct step making_new = {"CreateTable", SIMPLE_TABLE("New")};
static const struct step scanning_new = {"Scan", "{'TableName':'New'}"};

static int send(struct offline_server *s, const struct step *r, struct span *answer)
{
    int status = offline_server_send(s, span_of(r->operation), fuzz_json(s->arena, r->body),
                                     answer);

    must(status != 500, "what was let in can be worked with");
    must(!answer->len || fuzz_is_json(s->arena, *answer), "an answer is JSON");
    return status;
}

/* Works on between requests, also behind what is due later. */
static void settle(struct offline_server *s, int64_t ms)
{
    clock_advance(s->clock, ms);
    for (int i = 0; i < 50 && dispatch_idle(s->dispatcher); i++)
        continue;
}

/* Names of a record become parts of a path, and its JSON a line of a file. */
static void take_record(struct kinesis_sink *self, const struct kinesis_record *record)
{
    (void)self;
    must(names_match_pattern(record->stream), "a Kinesis stream has a name");
    must(!span_find(record->json, '\n'), "a record is one line");
}

/* --- the buckets ------------------------------------------------------------------------------ */

static char objects[] = "/tmp/mockddb-fuzz-s3.XXXXXX";
static struct buckets *buckets;

static void remove_buckets(void)
{
    buckets_free(buckets);
    (void)file_tree_remove(objects);
}

/* All items of an object are the same, but for the first, which the tables refuse. */
static void make_buckets(struct arena *a)
{
    must(mkdtemp(objects) && mkdir(arena_printf(a, "%s/bucket", objects), 0700) == 0,
         "a folder can be made");
    for (int i = 0; i < OBJECTS; i++) {
        FILE *f = fopen(arena_printf(a, "%s/bucket/in%d.json", objects, i), "w");

        must(f != NULL, "an object can be made");
        for (int n = 0; n < RECORDS; n++)
            (void)fprintf(f, "{\"Item\":{\"%s\":{\"S\":\"a\"},\"sk\":{\"N\":\"1\"}}}\n",
                          n ? "pk" : "no");
        must(fclose(f) == 0, "an object is written");
    }
    buckets = buckets_new(objects);
    must(atexit(remove_buckets) == 0, "they are removed");
}

/* path NULL: in memory. */
static void open_server(struct offline_server *s, struct arena *a, const char *path)
{
    static struct kinesis_sink sink = {.put = take_record};

    offline_server_open(s, a,
                        &(struct offline_options){.seed = 1,
                                                  .store = {.path = path},
                                                  .settings = {.regional = true,
                                                               .replica_lag_ms = LAG_MS,
                                                               .kinesis_sink = &sink,
                                                               .buckets = buckets}});
}

/* --- the good one ----------------------------------------------------------------------------- */

static void make_tables(struct offline_server *s)
{
    struct span answer;

    for (size_t i = 0; i < COUNT(making); i++) {
        must(send(s, &making[i], &answer) == 200, making[i].operation);
        settle(s, 10);
    }
    for (int i = 0; i < MANY; i++) {
        struct step r = {
            "PutItem", arena_printf(s->arena, "{'TableName':'Many','Item':{'pk':{'S':'%d'}}}", i)};

        must(send(s, &r, &answer) == 200, "an item is put");
    }
    for (size_t i = 0; i < COUNT(leaving); i++)
        must(send(s, &leaving[i], &answer) == 200, leaving[i].operation);
    must(space_copy_next(s->store, 0), "a copy is under way");
}

/* A table that exports, imports and bulk puts read and write. */
static void make_transfers(struct offline_server *s)
{
    const struct step item = {"PutItem", ITEM};
    struct span answer;

    for (size_t i = 0; i < 2; i++) /* the table, with recovery */
        must(send(s, &making[i], &answer) == 200, making[i].operation);
    settle(s, 10);
    must(send(s, &item, &answer) == 200, "an item is put");
    settle(s, (int64_t)3600 * 1000);
    for (size_t i = 0; i < COUNT(transferring); i++) {
        must(send(s, &transferring[i], &answer) == 200, transferring[i].operation);
        for (int n = 0; n < transfer_steps[i]; n++)
            (void)dispatch_idle(s->dispatcher);
    }
    must(send(s, &item, &answer) == 200, "an item is put");
}

/* A snapshot's bytes, the same at each call. */
static struct span make_good(struct arena *a, void (*make)(struct offline_server *s))
{
    char path[] = "/tmp/mockddb-fuzz.XXXXXX";
    struct world_state state;
    struct offline_server s;
    struct span bytes;
    int fd = mkstemp(path);
    const char *file = arena_printf(a, "%s.db", path);

    must(fd >= 0, "a file can be made");
    (void)close(fd);
    open_server(&s, a, file); /* in memory, copies are whole at once */
    make(&s);
    state = (struct world_state){.store = s.store, .time = clock_time_of(s.clock)};
    must(!snapshot_whole_write(a, path, SPAN_LIT("s"), &state, OFFLINE_NOW_MS),
         "a snapshot is written");
    must(file_read(a, path, &bytes) && bytes.len > TAIL_LEN, "it can be read");
    offline_server_close(&s);
    store_remove(a, file);
    (void)unlink(path);
    return bytes;
}

/* --- its rows --------------------------------------------------------------------------------- */

/* Columns, and what their rows are told apart by. */
static const struct {
    const char *table, *column, *key;
} cells[] = {
    {"entry", "key", "key"},       {"item", "body", "id"},         {"catalog", "body", "name"},
    {"entry", "id", "key"},        {"entry", "size", "key"},       {"space", "entries", "number"},
    {"space", "bytes", "number"},  {"space", "spared", "number"},  {"meta", "value", "name"},
    {"shared", "others", "id"},    {"sharing", "below", "space"},  {"item", "id", "id"},
    {"space", "number", "number"}, {"catalog", "name", "name"},    {"sharing", "space", "space"},
    {"shared", "id", "id"},        {"doomed", "number", "number"}, {"meta", "name", "name"},
};

static sqlite3_stmt *prepare(sqlite3 *db, const char *text)
{
    sqlite3_stmt *statement = NULL;

    must(sqlite3_prepare_v2(db, text, -1, &statement, NULL) == SQLITE_OK, text);
    return statement;
}

/* Rows that a good file lacks, so that there is something to change. */
static const char *const more_rows[] = {
    "INSERT OR IGNORE INTO doomed(number) SELECT min(space) + 1 FROM sharing",
    "INSERT OR IGNORE INTO sharing(space, below) SELECT number, number << 38 | 9 FROM space",
    "INSERT OR IGNORE INTO entry(key, id, size)"
    " SELECT CAST(key || x'00' AS BLOB), id, size FROM entry",
    "INSERT OR IGNORE INTO item(id, body) SELECT id + 1000, body FROM item",
    /* of a copy that is under way, what is still to come */
    "INSERT OR IGNORE INTO entry(key, id, size) SELECT CAST((SELECT substr(key, 5, 4) FROM entry"
    " WHERE hex(substr(key, 1, 4)) = '00000004') || substr(key, 5) AS BLOB), id, size FROM entry"
    " WHERE substr(key, 1, 4) = (SELECT substr(i.body, 1, 4) FROM entry AS e JOIN item AS i"
    " ON i.id = e.id WHERE hex(substr(e.key, 1, 4)) = '00000004') ORDER BY key DESC LIMIT 1;"
    "INSERT OR REPLACE INTO shared(id, others) SELECT id, count(*) - 1 FROM entry WHERE"
    " substr(key, 1, 4) IN (SELECT substr(key, 5, 4) FROM entry WHERE hex(substr(key, 1, 4)) ="
    " '00000004' UNION SELECT substr(i.body, 1, 4) FROM entry AS e JOIN item AS i ON i.id = e.id"
    " WHERE hex(substr(e.key, 1, 4)) = '00000004') GROUP BY id HAVING count(*) > 1",
};

/* A byte set, taken away or put in, the end cut off, another number, or another type. */
static void bind_changed(sqlite3_stmt *update, sqlite3_stmt *row, unsigned how, unsigned at)
{
    int len = sqlite3_column_bytes(row, 0);
    char *copy = calloc(1, (size_t)len + 1);
    bool is_blob = sqlite3_column_type(row, 0) == SQLITE_BLOB;

    must(copy != NULL, "there is memory");
    if (how == ANOTHER_TYPE) {
        if (is_blob)
            sqlite3_bind_int64(update, 1, at);
        else
            sqlite3_bind_zeroblob(update, 1, (int)at * 100);
    } else if (!is_blob) {
        sqlite3_bind_int64(update, 1,
                           how & 1 ? (int64_t)((uint64_t)at << (how / 4))
                                   : (int64_t)((uint64_t)sqlite3_column_int64(row, 0) + at - 128));
    } else {
        if (len)
            memcpy(copy, sqlite3_column_blob(row, 0), (size_t)len);
        if (how < 128 && len)
            copy[at % (unsigned)len] = (char)(how * 2 + 1);
        else if (how < 192)
            len = len ? (int)(at % (unsigned)len) : 0;
        else
            len++;
        sqlite3_bind_blob(update, 1, copy, len, SQLITE_TRANSIENT);
    }
    free(copy);
}

static void change(sqlite3 *db, struct arena *a, const uint8_t *data, bool far)
{
    unsigned which = data[1] | (far ? 0u : (unsigned)data[2] << 8);
    unsigned at = data[4] | (far ? (unsigned)data[2] << 8 : 0u);
    size_t cell = data[0] % (sizeof cells / sizeof *cells);
    const char *table = cells[cell].table, *column = cells[cell].column, *key = cells[cell].key;
    sqlite3_stmt *count = prepare(db, arena_printf(a, "SELECT count(*) FROM %s", table));
    sqlite3_stmt *row = prepare(
        db, arena_printf(a, "SELECT %s, %s FROM %s ORDER BY %s LIMIT 1 OFFSET ?", column, key,
                         table, key));
    sqlite3_stmt *update = prepare(
        db, arena_printf(a, "UPDATE OR IGNORE %s SET %s = ?1 WHERE %s = ?2", table, column, key));
    sqlite3_stmt *gone = prepare(db, arena_printf(a, "DELETE FROM %s WHERE %s = ?1", table, key));
    int64_t rows = sqlite3_step(count) == SQLITE_ROW ? sqlite3_column_int64(count, 0) : 0;

    if (rows) {
        sqlite3_bind_int64(row, 1, which % rows);
        must(sqlite3_step(row) == SQLITE_ROW, "there is that row");
        bind_changed(update, row, data[3], at);
        sqlite3_bind_value(update, 2, sqlite3_column_value(row, 1));
        sqlite3_bind_value(gone, 1, sqlite3_column_value(row, 1));
        (void)sqlite3_step(data[3] == ROW_GONE ? gone : update); /* a column may refuse it */
    }
    if (data[3] == ROW_MORE)
        must(sqlite3_exec(db, more_rows[data[4] % COUNT(more_rows)], NULL, NULL, NULL) == SQLITE_OK,
             "a row can be added");
    sqlite3_finalize(count);
    sqlite3_finalize(row);
    sqlite3_finalize(update);
    sqlite3_finalize(gone);
}

/* The snapshot with other rows. */
static struct span changed(struct arena *a, struct span good, const uint8_t *data, size_t size,
                           bool far)
{
    sqlite3_int64 len = (sqlite3_int64)(good.len - TAIL_LEN), room = len * 2 + (1 << 20);
    unsigned char *pages = sqlite3_malloc64((sqlite3_uint64)room), *all;
    sqlite3 *db = NULL;

    must(pages && sqlite3_open(":memory:", &db) == SQLITE_OK, "SQLite opens");
    memcpy(pages, good.at, (size_t)len);
    pages[FORMATS_AT] = pages[FORMATS_AT + 1] = 1;
    must(sqlite3_deserialize(db, "main", pages, len, room,
                             SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) ==
             SQLITE_OK,
         "a snapshot is SQLite's");
    for (size_t i = 0; i + ONE_CHANGE <= size; i += ONE_CHANGE)
        change(db, a, data + i, far);
    pages = sqlite3_serialize(db, "main", &len, 0);
    must(pages != NULL, "it can be read again");
    all = arena_alloc_raw(a, (size_t)len + TAIL_LEN);
    memcpy(all, pages, (size_t)len);
    memcpy(all + len, good.at + good.len - TAIL_LEN, TAIL_LEN);
    for (size_t i = 0; i < 8; i++)
        all[(size_t)len + i] = (unsigned char)((uint64_t)len >> (8 * i));
    digest_sha256((struct span){(char *)all, (size_t)len + SUM_AT}, all + len + SUM_AT);
    sqlite3_free(pages);
    sqlite3_close(db);
    return (struct span){(char *)all, (size_t)len + TAIL_LEN};
}

/* --- using it --------------------------------------------------------------------------------- */

/* The string behind the first member of that name; empty where there is none. */
static const char *string_of(struct arena *a, struct span answer, const char *member)
{
    const char *text = arena_text(a, answer);
    const char *at = strstr(text, arena_printf(a, "\"%s\":\"", member));

    if (!at)
        return "";
    at += strlen(member) + 4;
    return arena_text(a, (struct span){at, strcspn(at, "\"")});
}

static void read_stream(struct offline_server *s)
{
    struct step r = {"ListStreams", "{}"};
    const char *stream, *shard;
    struct span answer;

    (void)send(s, &r, &answer);
    stream = string_of(s->arena, answer, "StreamArn");
    r = (struct step){"DescribeStream", arena_printf(s->arena, "{'StreamArn':'%s'}", stream)};
    (void)send(s, &r, &answer);
    shard = string_of(s->arena, answer, "ShardId");
    r = (struct step){"GetShardIterator",
                      arena_printf(s->arena,
                                   "{'StreamArn':'%s','ShardId':'%s','ShardIteratorType':"
                                   "'TRIM_HORIZON'}",
                                   stream, shard)};
    (void)send(s, &r, &answer);
    r = (struct step){"GetRecords", arena_printf(s->arena, "{'ShardIterator':'%s'}",
                                                 string_of(s->arena, answer, "ShardIterator"))};
    (void)send(s, &r, &answer);
}

static void restore_backup(struct offline_server *s)
{
    struct step r = {"ListBackups", "{}"};
    const char *backup;
    struct span answer;

    (void)send(s, &r, &answer);
    backup = string_of(s->arena, answer, "BackupArn");
    r = (struct step){
        "RestoreTableFromBackup",
        arena_printf(s->arena, "{'BackupArn':'%s','TargetTableName':'Back'}", backup)};
    (void)send(s, &r, &answer);
    settle(s, 1000);
    r = (struct step){"DeleteBackup", arena_printf(s->arena, "{'BackupArn':'%s'}", backup)};
    (void)send(s, &r, &answer);
}

/* The newest of each kind is described. */
static void describe_transfers(struct offline_server *s)
{
    struct span answer;

    for (size_t i = 0; i < COUNT(transfers); i++) {
        struct step r = {transfers[i].list, "{}"};

        (void)send(s, &r, &answer);
        r = (struct step){transfers[i].describe,
                          arena_printf(s->arena, "{'%s':'%s'}", transfers[i].member,
                                       string_of(s->arena, answer, transfers[i].member))};
        (void)send(s, &r, &answer);
    }
}

/* What was let in can be worked with, whatever it is. */
static void use(struct offline_server *s, struct store *store)
{
    struct span answer;

    store_free(s->store);
    s->store = store;
    dispatch_set_store(s->dispatcher, store);
    settle(s, 100);
    must(send(s, &making_new, &answer) == 200, "a table can be made");
    (void)send(s, &scanning_new, &answer);
    must(strstr(arena_text(s->arena, answer), "\"Count\":0"), "a new table is empty");
    describe_transfers(s);
    read_stream(s);
    restore_backup(s);
    for (size_t i = 0; i < sizeof using / sizeof *using; i++)
        (void)send(s, &using[i], &answer);
    settle(s, (int64_t)3600 * 1000); /* times to live are over */
    settle(s, (int64_t)48 * 3600 * 1000);
    must(!space_copy_next(s->store, 0), "a copy comes to its end");
    describe_transfers(s);
    (void)send(s, &(struct step){"DeleteTable", "{'TableName':'Tab'}"}, &answer);
    settle(s, 1000);
    for (int i = 0; dispatch_idle(s->dispatcher); i++)
        must(i < STEPS_MOST, "work comes to its end");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *lasting;
    static struct span good[2]; /* the same for each input; the second one has transfers */
    char path[] = "/tmp/mockddb-fuzz.XXXXXX";
    struct arena *a = arena_new();
    struct snapshot loaded;
    struct offline_server s;
    struct span file;
    bool transfers_too = size % ONE_CHANGE == 1;
    int fd;

    if (size % ONE_CHANGE > 1) {
        arena_free(a);
        return 0; /* part of a change is none */
    }
    fd = mkstemp(path);
    must(fd >= 0, "a file can be made");
    if (!lasting) {
        lasting = arena_new();
        make_buckets(lasting);
        good[0] = make_good(lasting, make_tables);
        good[1] = make_good(lasting, make_transfers);
    }
    file = changed(a, good[transfers_too], data + transfers_too, size - transfers_too,
                   transfers_too);
    must(file_write(fd, file) && close(fd) == 0, "a file is written");
    open_server(&s, a, NULL);
    if (!snapshot_whole_load(a, path, &loaded))
        use(&s, loaded.state.store);
    offline_server_close(&s);
    (void)unlink(path);
    arena_free(a);
    return 0;
}
