/* sql.h: the SQL of the store, and how its statements are run.
 *
 * Every text stands in sql.c. A statement is prepared when it is first used and kept until
 * sql_close. What is bound must stay where it is until the statement is reset. Results are
 * SQLite's: SQLITE_OK is success, sqlite3_errmsg says more. */
#ifndef STORE_SQLITE_SQL_H
#define STORE_SQLITE_SQL_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/attributes.h"
#include "base/span.h"
#include "store/sqlite/sql_log.h"

/* In the file's header: what distinguishes our files, and which layout this is. */
#define SQL_APPLICATION_ID 0x6d6f636b
#define SQL_FORMAT         4

enum sql {
    SQL_BEGIN,
    SQL_COMMIT,
    SQL_ROLLBACK,
    SQL_UNIT_BEGIN,
    SQL_UNIT_KEEP,
    SQL_UNIT_UNDO,
    SQL_ENTRY_GET,
    SQL_ENTRY_INSERT,
    SQL_ENTRY_UPDATE,
    SQL_ENTRY_DELETE,
    SQL_ENTRY_DROP,
    SQL_ENTRY_SKIP,
    SQL_ITEM_INSERT,
    SQL_ITEM_UPDATE,
    SQL_ITEM_DELETE,
    SQL_ITEM_DROP,
    SQL_ITEM_EXISTS,
    SQL_ITEM_LAST,
    SQL_ITEM_SIZES,
    SQL_SHARED_GET,
    SQL_SHARED_PUT,
    SQL_SHARED_MORE,
    SQL_SHARED_LESS,
    SQL_SHARED_DELETE,
    SQL_SHARING_PUT,
    SQL_SHARING_GET,
    SQL_SHARING_DELETE,
    SQL_SHARING_ALL,
    SQL_RANGE_SUM,
    SQL_RANGE_SIZES,
    SQL_RANGE_DROP_ITEMS,
    SQL_RANGE_LESS,
    SQL_RANGE_UNSHARE,
    SQL_RANGE_FORWARD,
    SQL_RANGE_BACKWARD,
    SQL_KEYS_FORWARD,
    SQL_KEYS_BACKWARD,
    SQL_TABLE_PUT,
    SQL_TABLE_DELETE,
    SQL_TABLE_ALL,
    SQL_SPACE_PUT,
    SQL_SPACE_DELETE,
    SQL_SPACE_ALL,
    SQL_DOOMED_PUT,
    SQL_DOOMED_DELETE,
    SQL_DOOMED_AFTER,
    SQL_META_PUT,
    SQL_META_ALL,
    SQL_SCHEMA_ALL,
    SQL_CATALOG_ALL, /* from here on: whole tables, in the order of their keys */
    SQL_DOOMED_ALL,
    SQL_SHARED_ALL,
    SQL_ITEM_ALL,
    SQL_ENTRY_ALL,
    SQL_HEADER,
    SQL_SHRINK, /* moves the last pages into free ones, and cuts the database */
    SQL_PAGES,  /* how many the database has, with those of the open transaction, and how many are
                   free */
    SQL_STATEMENT_COUNT
};

/* Texts that are run once, while a database is opened. */
enum sql_setup {
    SQL_SETUP_MEMORY,      /* a new database in memory */
    SQL_SETUP_SHRINKS,     /* one that is no copy: SQL_SHRINK works on it and on its copies */
    SQL_SETUP_FILE,        /* a file, before it is read */
    SQL_SETUP_COPY,        /* a file that is filled by pages of another, and closed then */
    SQL_SETUP_PAGES,       /* pages that anybody may have written, before they are read */
    SQL_SETUP_WAL,         /* a file that is known to be ours or empty */
    SQL_SETUP_SYNC_OFF,    /* in the order of enum store_sync */
    SQL_SETUP_SYNC_NORMAL, /* in the order of enum store_sync */
    SQL_SETUP_SYNC_FULL,   /* in the order of enum store_sync */
    SQL_SETUP_TABLES,      /* makes the tables of SQL_FORMAT */
    SQL_SETUP_COMPACT,
    SQL_SETUP_COUNT
};

struct sql_db {
    sqlite3 *handle;
    struct sql_log log;   /* of a file, and … */
    struct sql_room room; /* … the file's own room */
    sqlite3_stmt *statements[SQL_STATEMENT_COUNT];
};

/* Once for the process, before anything else: one thread, our memory, no statistics. */
void sql_start(void);

MUST_CHECK int sql_open(struct sql_db *db, const char *path); /* path NULL: in memory */

/* Opens a file that cannot be written, or whose folder cannot, with the commits in its log, if a
 * crash left one. Nothing beside it is made. The caller sees to it that no process writes it. */
MUST_CHECK int sql_open_for_reading(struct sql_db *db, struct arena *a, const char *path);
void sql_close(struct sql_db *db);

MUST_CHECK int sql_setup(struct sql_db *db, enum sql_setup text);

/* Makes the bytes of a file, which are the caller's, what an opened database consists of; it may
 * grow up to `room` bytes. */
MUST_CHECK int sql_take_pages(struct sql_db *db, char *pages, size_t len, size_t room);

/* Takes a database of an older format, 1 or greater, to SQL_FORMAT, step by step. */
MUST_CHECK int sql_upgrade(struct sql_db *db, int64_t format);

/* The statement, ready to be bound and stepped; NULL when it cannot be prepared. */
MUST_CHECK sqlite3_stmt *sql_statement(struct sql_db *db, enum sql which);
/* A further one of the same text, for the caller to finalize. */
MUST_CHECK sqlite3_stmt *sql_prepare(struct sql_db *db, enum sql which);

/* Resets what was left in the middle, further ones apart. */
void sql_reset_all(struct sql_db *db);

/* Runs a bound statement that gives no rows, and resets it. */
MUST_CHECK int sql_finish(sqlite3_stmt *statement);
/* The same for one that takes no values. */
MUST_CHECK int sql_run(struct sql_db *db, enum sql which);

/* Whether the tables are exactly those of SQL_SETUP_TABLES; *count is how many there are. */
MUST_CHECK int sql_check_tables(struct sql_db *db, size_t *count, bool *same);

static inline void sql_bind_span(sqlite3_stmt *statement, int at, struct span bytes)
{
    sqlite3_bind_blob(statement, at, bytes.len ? bytes.at : "", (int)bytes.len, SQLITE_STATIC);
}

/* Through the value: each look at a column by its number enters and leaves the database anew. That
 * is for programs of one thread only. */
static inline struct span sql_column_span(sqlite3_stmt *statement, int column)
{
    sqlite3_value *value = sqlite3_column_value(statement, column);
    const char *at = sqlite3_value_blob(value);

    return (struct span){at, (size_t)sqlite3_value_bytes(value)};
}

#endif
