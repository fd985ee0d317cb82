/* sql.h: the SQL of the store, and how its statements are run.
 *
 * All SQL is in sql.c. A statement is prepared on first use and kept until sql_close. Bound values
 * must stay valid until the statement is reset. Results are SQLite's: SQLITE_OK is success,
 * sqlite3_errmsg has the error. */
#pragma once

#include <sqlite3.h>
#include <stdint.h>

#include "base/arena.h"
#include "store/sqlite/sql_log.h"

/* In the file's header: identifies our files, and the version of the layout. */
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
    SQL_ITEM_BODIES,
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
    SQL_TABLE_GET,
    SQL_TABLE_AFTER,
    SQL_SPACE_PUT,
    SQL_SPACE_DELETE,
    SQL_SPACE_ALL,
    SQL_DOOMED_PUT,
    SQL_DOOMED_DELETE,
    SQL_DOOMED_AFTER,
    SQL_META_PUT,
    SQL_META_ALL,
    SQL_SCHEMA_ALL,
    SQL_CATALOG_ALL, /* the following read whole tables, in key order */
    SQL_DOOMED_ALL,
    SQL_SHARED_ALL,
    SQL_ITEM_ALL,
    SQL_ENTRY_ALL,
    SQL_HEADER,
    SQL_PAGES, /* the number of pages, including those of the open transaction, and of free pages */
    SQL_STATEMENT_COUNT
};

/* Statements that are run once, when a database is opened. */
enum sql_setup {
    SQL_SETUP_MEMORY,      /* a new database in memory */
    SQL_SETUP_FILE,        /* a file, before it is read */
    SQL_SETUP_COPY,        /* a file that receives another's pages, and is then closed */
    SQL_SETUP_PAGES,       /* untrusted pages, before they are read */
    SQL_SETUP_WAL,         /* a file that is known to be ours, or empty */
    SQL_SETUP_SYNC_OFF,    /* in the order of enum store_sync */
    SQL_SETUP_SYNC_NORMAL, /* in the order of enum store_sync */
    SQL_SETUP_SYNC_FULL,   /* in the order of enum store_sync */
    SQL_SETUP_TABLES,      /* creates the tables of SQL_FORMAT */
    SQL_SETUP_COMPACT,
    SQL_SETUP_COUNT
};

struct sql_db {
    sqlite3 *handle;
    struct sql_log log;   /* of a file, and … */
    struct sql_room room; /* … its reserved blocks */
    sqlite3_stmt *statements[SQL_STATEMENT_COUNT];
};

/* Called before anything else, or not at all: one thread, our memory, no statistics. */
void sql_start(void);

MUST_CHECK int sql_open(struct sql_db *db, const char *path); /* path NULL: in memory */

/* Opens a file that cannot be written, or in such a folder, including the commits in the log of a
 * crashed process. Creates no file beside it. The caller makes sure that no process writes the
 * file. */
MUST_CHECK int sql_open_for_reading(struct sql_db *db, struct arena *a, const char *path);
void sql_close(struct sql_db *db);

MUST_CHECK int sql_setup(struct sql_db *db, enum sql_setup text);

/* Makes the caller's bytes of a file the content of an open database, which may grow up to `room`
 * bytes. */
MUST_CHECK int sql_take_pages(struct sql_db *db, char *pages, size_t len, size_t room);

/* Upgrades a database of an older format, 1 or greater, to SQL_FORMAT, step by step. */
MUST_CHECK int sql_upgrade(struct sql_db *db, int64_t format);

/* Returns the statement, ready for binding and stepping; NULL if it cannot be prepared. */
MUST_CHECK sqlite3_stmt *sql_statement(struct sql_db *db, enum sql which);
/* Returns another statement with the same SQL; the caller finalizes it. */
MUST_CHECK sqlite3_stmt *sql_prepare(struct sql_db *db, enum sql which);

/* Resets unfinished statements, except those of sql_prepare. */
void sql_reset_all(struct sql_db *db);

/* Runs a bound statement that returns no rows, and resets it. */
MUST_CHECK int sql_finish(sqlite3_stmt *statement);
/* Like sql_finish, for a statement without values. */
MUST_CHECK int sql_run(struct sql_db *db, enum sql which);

/* Whether the tables are exactly those of SQL_SETUP_TABLES; *count is their number. */
MUST_CHECK int sql_check_tables(struct sql_db *db, size_t *count, bool *same);

static inline void sql_bind_span(sqlite3_stmt *statement, int at, struct span bytes)
{
    sqlite3_bind_blob(statement, at, bytes.len ? bytes.at : "", (int)bytes.len, SQLITE_STATIC);
}

/* Reads the column through its value: each access by column number would enter and leave the
 * database. Only for programs with one thread. */
static inline struct span sql_column_span(sqlite3_stmt *statement, int column)
{
    sqlite3_value *value = sqlite3_column_value(statement, column);
    const char *at = sqlite3_value_blob(value);

    return (struct span){at, (size_t)sqlite3_value_bytes(value)};
}
