#include "store/sqlite/sql.h"

#include <unistd.h>

#include "base/buf.h"
#include "store/sqlite/sql_memory.h"

#define STRINGIFY(x) #x
#define NUMBER(x)    STRINGIFY(x)

/* Layout (docs/architecture.md): bodies in a rowid table, so that a kilobyte of payload does not
 * spill to overflow pages and new ones are appended; every ordered set of keys in one table
 * without rowid. The CROSS JOIN makes the order of the loops certain: entries, then bodies. */
#define MARK_FORMAT   "PRAGMA user_version = " NUMBER(SQL_FORMAT)
#define DOOMED_TABLE  "CREATE TABLE doomed(number INTEGER PRIMARY KEY)"
#define SPARED_COLUMN "spared INTEGER NOT NULL DEFAULT 0"
#define SHARED_TABLE  "CREATE TABLE shared(id INTEGER PRIMARY KEY, others INTEGER NOT NULL)"
#define SHARING_TABLE "CREATE TABLE sharing(space INTEGER PRIMARY KEY, below INTEGER NOT NULL)"

static const char *const schema_sql[] = {
    "CREATE TABLE catalog(name BLOB PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID",
    DOOMED_TABLE,
    "CREATE TABLE entry(key BLOB PRIMARY KEY, id INTEGER NOT NULL, size INTEGER NOT NULL)"
    " WITHOUT ROWID",
    "CREATE TABLE item(id INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    SHARED_TABLE,
    SHARING_TABLE,
    "CREATE TABLE space(number INTEGER PRIMARY KEY, entries INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL, " SPARED_COLUMN ")",
};

/* The step from format n to n + 1 is at index n - 1. */
static const char *const upgrade_sql[SQL_FORMAT - 1] = {
    DOOMED_TABLE, /* 1: a space's entries were deleted at once */
    /* 2: tables had no order of expiry, which is added between requests, and no vectors */
    "ALTER TABLE space ADD COLUMN " SPARED_COLUMN,
    SHARED_TABLE ";" SHARING_TABLE, /* 3: each body had one owner */
};

#define RANGE \
    " FROM entry AS e CROSS JOIN item AS i ON i.id = e.id WHERE e.key >= ?1 AND e.key < ?2"
#define KEYS " FROM entry WHERE key >= ?1 AND key < ?2"

static const char *const statement_sql[SQL_STATEMENT_COUNT] = {
    [SQL_BEGIN] = "BEGIN IMMEDIATE",
    [SQL_COMMIT] = "COMMIT",
    [SQL_ROLLBACK] = "ROLLBACK",
    [SQL_UNIT_BEGIN] = "SAVEPOINT unit",
    [SQL_UNIT_KEEP] = "RELEASE unit",
    [SQL_UNIT_UNDO] = "ROLLBACK TO unit",
    [SQL_ENTRY_GET] = "SELECT e.id, e.size, i.body FROM entry AS e"
                      " CROSS JOIN item AS i ON i.id = e.id WHERE e.key = ?1",
    [SQL_ENTRY_INSERT] = "INSERT INTO entry(key, id, size) VALUES(?1, ?2, ?3)",
    [SQL_ENTRY_UPDATE] = "UPDATE entry SET id = ?2, size = ?3 WHERE key = ?1",
    [SQL_ENTRY_DELETE] = "DELETE FROM entry WHERE key = ?1",
    [SQL_ENTRY_DROP] = "DELETE" KEYS,
    [SQL_ENTRY_SKIP] = "SELECT key" KEYS " ORDER BY key LIMIT 1 OFFSET ?3",
    [SQL_ITEM_INSERT] = "INSERT INTO item(id, body) VALUES(?1, ?2)",
    [SQL_ITEM_UPDATE] = "UPDATE item SET body = ?2 WHERE id = ?1",
    [SQL_ITEM_DELETE] = "DELETE FROM item WHERE id = ?1",
    [SQL_ITEM_DROP] = "DELETE FROM item WHERE id >= ?1 AND id < ?2",
    [SQL_ITEM_EXISTS] = "SELECT 1 FROM item WHERE id = ?1",
    [SQL_ITEM_LAST] = "SELECT max(id) FROM item WHERE id >= ?1 AND id < ?2",
    [SQL_ITEM_BODIES] = "SELECT id, body FROM item WHERE id >= ?1 AND id < ?2 ORDER BY id",
    [SQL_ITEM_SIZES] = "SELECT id, length(body) FROM item WHERE id >= ?1 AND id < ?2 ORDER BY id",
    [SQL_SHARED_GET] = "SELECT others FROM shared WHERE id = ?1",
    [SQL_SHARED_PUT] = "INSERT INTO shared(id, others) VALUES(?1, ?2)",
    [SQL_SHARED_MORE] = "INSERT INTO shared(id, others) VALUES(?1, 1)"
                        " ON CONFLICT(id) DO UPDATE SET others = others + 1",
    [SQL_SHARED_LESS] = "UPDATE shared SET others = others - 1 WHERE id = ?1",
    [SQL_SHARED_DELETE] = "DELETE FROM shared WHERE id = ?1",
    [SQL_SHARING_PUT] = "INSERT OR REPLACE INTO sharing(space, below) VALUES(?1, ?2)",
    [SQL_SHARING_GET] = "SELECT below FROM sharing WHERE space = ?1",
    [SQL_SHARING_DELETE] = "DELETE FROM sharing WHERE space = ?1",
    [SQL_SHARING_ALL] = "SELECT space, below FROM sharing ORDER BY space",
    [SQL_RANGE_SUM] = "SELECT count(*), total(size)" KEYS,
    [SQL_RANGE_SIZES] = "SELECT e.key, length(i.body)" RANGE " ORDER BY e.key",
    [SQL_RANGE_DROP_ITEMS] = "DELETE FROM item WHERE id IN (SELECT id" KEYS ")"
                             " AND id NOT IN (SELECT id FROM shared)",
    [SQL_RANGE_LESS] = "UPDATE shared SET others = others - 1 WHERE id IN (SELECT id" KEYS ")",
    [SQL_RANGE_UNSHARE] = "DELETE FROM shared WHERE others = 0 AND id IN (SELECT id" KEYS ")",
    [SQL_RANGE_FORWARD] = "SELECT e.key, e.id, e.size, i.body" RANGE " ORDER BY e.key",
    [SQL_RANGE_BACKWARD] = "SELECT e.key, e.id, e.size, i.body" RANGE " ORDER BY e.key DESC",
    [SQL_KEYS_FORWARD] = "SELECT key, id, size" KEYS " ORDER BY key",
    [SQL_KEYS_BACKWARD] = "SELECT key, id, size" KEYS " ORDER BY key DESC",
    [SQL_TABLE_PUT] = "INSERT OR REPLACE INTO catalog(name, body) VALUES(?1, ?2)",
    [SQL_TABLE_DELETE] = "DELETE FROM catalog WHERE name = ?1",
    [SQL_TABLE_ALL] = "SELECT body FROM catalog ORDER BY name",
    [SQL_TABLE_GET] = "SELECT body FROM catalog WHERE name = ?1",
    [SQL_TABLE_AFTER] = "SELECT body FROM catalog WHERE name > ?1 ORDER BY name LIMIT 1",
    [SQL_SPACE_PUT] = "INSERT OR REPLACE INTO space(number, entries, bytes, spared)"
                      " VALUES(?1, ?2, ?3, ?4)",
    [SQL_SPACE_DELETE] = "DELETE FROM space WHERE number = ?1",
    [SQL_SPACE_ALL] = "SELECT number, entries, bytes, spared FROM space ORDER BY number",
    [SQL_DOOMED_PUT] = "INSERT INTO doomed(number) VALUES(?1)",
    [SQL_DOOMED_DELETE] = "DELETE FROM doomed WHERE number = ?1",
    [SQL_DOOMED_AFTER] = "SELECT min(number) FROM doomed WHERE number > ?1",
    [SQL_META_PUT] = "INSERT OR REPLACE INTO meta(name, value) VALUES(?1, ?2)",
    [SQL_META_ALL] = "SELECT name, value FROM meta ORDER BY name",
    [SQL_SCHEMA_ALL] = "SELECT sql FROM sqlite_schema ORDER BY name",
    [SQL_CATALOG_ALL] = "SELECT name, body FROM catalog ORDER BY name",
    [SQL_DOOMED_ALL] = "SELECT number FROM doomed ORDER BY number",
    [SQL_SHARED_ALL] = "SELECT id, others FROM shared ORDER BY id",
    [SQL_ITEM_ALL] = "SELECT id, CASE WHEN length(body) < 262144 THEN body END, length(body)"
                     " FROM item ORDER BY id",
    [SQL_ENTRY_ALL] = "SELECT key, id, size FROM entry ORDER BY key",
    [SQL_HEADER] = "SELECT application_id, user_version"
                   " FROM pragma_application_id, pragma_user_version",
    [SQL_PAGES] = "SELECT page_count, freelist_count FROM pragma_page_count, pragma_freelist_count",
};

/* A commit writes whole pages: of 8 KB it takes less time than of 16 KB, and an item less room than
 * in pages of 4 KB. secure_delete is Debian's default and zeroes what is freed. */
#define OUR_PAGES "PRAGMA page_size = " NUMBER(SQL_PAGE_BYTES) "; PRAGMA secure_delete = OFF"

static const char *const setup_sql[SQL_SETUP_COUNT] = {
    [SQL_SETUP_MEMORY] = OUR_PAGES,
    [SQL_SETUP_FILE] = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY;" OUR_PAGES ";"
                       "PRAGMA cache_size = -524288; PRAGMA cell_size_check = ON;"
                       "PRAGMA trusted_schema = OFF",
    [SQL_SETUP_COPY] = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                       "PRAGMA cache_size = -2048",
    [SQL_SETUP_PAGES] = "PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF;"
                        "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -1024",
    [SQL_SETUP_WAL] = "PRAGMA journal_mode = WAL",
    [SQL_SETUP_SYNC_OFF] = "PRAGMA synchronous = OFF",
    [SQL_SETUP_SYNC_NORMAL] = "PRAGMA synchronous = NORMAL",
    [SQL_SETUP_SYNC_FULL] = "PRAGMA synchronous = FULL;"
                            "PRAGMA fullfsync = ON", /* Darwin's disks keep back what is synced */
    [SQL_SETUP_TABLES] = "PRAGMA application_id = " NUMBER(SQL_APPLICATION_ID) ";" MARK_FORMAT,
    [SQL_SETUP_COMPACT] = "VACUUM",
};

static int execute(struct sql_db *db, const char *text)
{
    return sqlite3_exec(db->handle, text, NULL, NULL, NULL);
}

void sql_start(void)
{
    static bool done;

    if (done)
        return;
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sql_memory_install();
    done = true;
}

int sql_open(struct sql_db *db, const char *path)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
                      SQLITE_OPEN_EXRESCODE;

    return sqlite3_open_v2(path ? path : ":memory:", &db->handle, flags, NULL);
}

/* SQLite reads a log only with locks or, without locks (unix-none), with an index in memory.
 * Without a log it can open a file for reading only if the file is declared immutable. */
int sql_open_for_reading(struct sql_db *db, struct arena *a, const char *path)
{
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX |
                      SQLITE_OPEN_EXRESCODE;
    bool has_log = access(arena_printf(a, "%s-wal", path), F_OK) == 0;
    struct buf uri = buf_in(a);

    buf_add_text(&uri, "file:");
    for (const char *c = path; *c; c++) {
        if (strchr("%?#", *c))
            buf_printf(&uri, "%%%02X", (unsigned)*c);
        else
            buf_add_char(&uri, *c);
    }
    buf_add_text(&uri, has_log ? "?vfs=unix-none" : "?immutable=1");
    return sqlite3_open_v2(buf_text(&uri), &db->handle, flags, NULL);
}

void sql_close(struct sql_db *db)
{
    for (size_t i = 0; i < COUNT(db->statements); i++)
        sqlite3_finalize(db->statements[i]);
    sqlite3_close(db->handle);
    sql_log_close(&db->log);
    sql_room_close(&db->room);
    *db = (struct sql_db){0};
}

int sql_setup(struct sql_db *db, enum sql_setup text)
{
    int result = execute(db, setup_sql[text]);

    if (text == SQL_SETUP_TABLES)
        for (size_t i = 0; i < COUNT(schema_sql) && result == SQLITE_OK; i++)
            result = execute(db, schema_sql[i]);
    return result;
}

int sql_take_pages(struct sql_db *db, char *pages, size_t len, size_t room)
{
    return sqlite3_deserialize(db->handle, "main", (unsigned char *)pages, (sqlite3_int64)len,
                               (sqlite3_int64)room, 0);
}

int sql_upgrade(struct sql_db *db, int64_t format)
{
    int result = SQLITE_OK;

    for (; format < SQL_FORMAT && result == SQLITE_OK; format++)
        result = execute(db, upgrade_sql[format - 1]);
    return result == SQLITE_OK ? execute(db, MARK_FORMAT) : result;
}

sqlite3_stmt *sql_prepare(struct sql_db *db, enum sql which)
{
    sqlite3_stmt *statement = NULL;

    sqlite3_prepare_v3(db->handle, statement_sql[which], -1, SQLITE_PREPARE_PERSISTENT, &statement,
                       NULL);
    return statement;
}

sqlite3_stmt *sql_statement(struct sql_db *db, enum sql which)
{
    sqlite3_stmt **statement = &db->statements[which];

    if (!*statement)
        *statement = sql_prepare(db, which);
    return *statement;
}

void sql_reset_all(struct sql_db *db)
{
    for (size_t i = 0; i < COUNT(db->statements); i++)
        if (db->statements[i] && sqlite3_stmt_busy(db->statements[i]))
            sqlite3_reset(db->statements[i]);
}

int sql_finish(sqlite3_stmt *statement)
{
    sqlite3_step(statement);
    return sqlite3_reset(statement);
}

int sql_run(struct sql_db *db, enum sql which)
{
    sqlite3_stmt *statement = sql_statement(db, which);

    return statement ? sql_finish(statement) : sqlite3_extended_errcode(db->handle);
}

int sql_check_tables(struct sql_db *db, size_t *count, bool *same)
{
    sqlite3_stmt *statement = sql_statement(db, SQL_SCHEMA_ALL);

    *count = 0;
    *same = true;
    if (!statement)
        return sqlite3_extended_errcode(db->handle);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        struct span text = sql_column_span(statement, 0);

        *same = *same && *count < COUNT(schema_sql) && span_is(text, schema_sql[*count]);
        (*count)++;
    }
    *same = *same && *count == COUNT(schema_sql);
    return sqlite3_reset(statement);
}
