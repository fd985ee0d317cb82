#include "base/log.h"
#include "store/sqlite/sql_store.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void store_leave_log(struct store *s)
{
    if (s->in_file)
        sqlite3_db_config(sql_store_db(s)->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

/* Counts the database's pages, including those of the open transaction, and its free pages. */
static int count_pages(struct store *s, int64_t *all, int64_t *unused)
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(s), SQL_PAGES);

    *all = *unused = 0;
    if (!statement || sqlite3_step(statement) != SQLITE_ROW)
        return sqlite3_errcode(sql_store_db(s)->handle);
    *all = sqlite3_column_int64(statement, 0);
    *unused = sqlite3_column_int64(statement, 1);
    return sqlite3_reset(statement);
}

size_t store_sql_memory(const struct store *s)
{
    int used = 0, peak;

    (void)sqlite3_db_status(sql_store_db(s)->handle, SQLITE_DBSTATUS_CACHE_USED, &used, &peak, 0);
    return (unsigned)used; /* from 2 GB on it wraps around */
}

/* Restores memory to the last flush, after the database was rolled back. */
static void rewind_group(struct store *s)
{
    spaces_undo_unit(&s->spaces);
    spaces_undo_group(&s->spaces);
    store_rewind_copies(s);
    catalog_undo(&s->catalog, 0);
    if (s->group_units) /* a search may have read undone entries */
        vectors_outdate(&s->vectors);
    s->in_group = false;
    s->group_units = 0;
    sql_store_of(s)->number_reserved = 0; /* the group's reservation may not be saved */
    s->may_have_doomed = true;
}

/* After a disk error or a full disk, SQLite rolls back everything, not only the unit. */
static void notice_lost_group(struct store *s)
{
    if (!s->in_group || !sqlite3_get_autocommit(sql_store_db(s)->handle))
        return;
    s->group_lost = s->group_units > 0;
    rewind_group(s);
}

/* Why the last write into the log failed, which the connection does not say of a commit. */
static int log_errno(const struct store *s)
{
    sqlite3_file *log = NULL;
    int cause = 0;

    (void)sqlite3_file_control(sql_store_db(s)->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (log && log->pMethods && log->pMethods->xFileControl) /* a store in memory has none */
        (void)log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &cause);
    return cause;
}

static bool is_disk_full(const struct store *s)
{
    int code = sqlite3_errcode(sql_store_db(s)->handle) & 0xff, cause = log_errno(s);

    return code == SQLITE_FULL || (code == SQLITE_IOERR && (cause == EFBIG || cause == EDQUOT));
}

static void note_full(struct store *s, bool is_full)
{
    if (!is_full && sql_store_of(s)->refuses)
        log_error("the disk has room again");
    s->is_full = is_full;
    sql_store_of(s)->refuses = sql_store_of(s)->refuses && is_full;
}

const struct error *store_failed(struct store *s, struct arena *a, const char *doing)
{
    process_need((sqlite3_errcode(sql_store_db(s)->handle) & 0xff) != SQLITE_NOMEM);
    log_error("%s: %s", doing, sqlite3_errmsg(sql_store_db(s)->handle));
    note_full(s, is_disk_full(s));
    notice_lost_group(s);
    return store_failure(s, a);
}

const struct error *store_failure(const struct store *s, struct arena *a)
{
    return s->is_full ? error_disk_full(a) : error_internal(a);
}

const struct error *store_run(struct store *s, struct arena *a, enum sql which, const char *doing)
{
    return sql_run(sql_store_db(s), which) == SQLITE_OK ? NULL : store_failed(s, a, doing);
}

void store_undo_group(struct store *s)
{
    sql_store_of(s)->undone++;
    if (!sqlite3_get_autocommit(sql_store_db(s)->handle) &&
        sql_run(sql_store_db(s), SQL_ROLLBACK) != SQLITE_OK)
        log_error("cannot roll back: %s", sqlite3_errmsg(sql_store_db(s)->handle));
    rewind_group(s);
}

void store_settle(struct store *s)
{
    s->in_group = false;
    s->group_units = 0;
    spaces_flushed(&s->spaces);
    store_flush_copies(s);
    catalog_keep(&s->catalog);
}

bool store_is_for_reading(const struct store *s)
{
    return s->in_file && sql_store_of(s)->reading_lock >= 0;
}

static const struct error *save_space(struct store *s, struct arena *a, const struct space *space)
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(s),
                                            space->dropped ? SQL_SPACE_DELETE : SQL_SPACE_PUT);

    if (statement) {
        sqlite3_bind_int64(statement, 1, space->number);
        if (!space->dropped) {
            sqlite3_bind_int64(statement, 2, space->kept.entries);
            sqlite3_bind_int64(statement, 3, space->kept.bytes);
            sqlite3_bind_int64(statement, 4, space->kept.spared);
        }
        if (sql_finish(statement) == SQLITE_OK)
            return NULL;
    }
    return store_failed(s, a, "cannot save counts");
}

int store_save_meta(struct store *s, const char *name, int64_t value)
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(s), SQL_META_PUT);

    if (!statement)
        return sqlite3_errcode(sql_store_db(s)->handle);
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, value);
    return sql_finish(statement);
}

/* Numbers are reserved in strides, so that few flushes have to save one. */
static const struct error *reserve_numbers(struct store *s, struct arena *a)
{
    const uint64_t stride = 4096;

    if (s->number <= sql_store_of(s)->number_reserved)
        return NULL;
    if (store_save_meta(s, STORE_META_NUMBER, (int64_t)(s->number + stride)) != SQLITE_OK)
        return store_failed(s, a, "cannot reserve numbers");
    sql_store_of(s)->number_reserved = s->number + stride;
    return NULL;
}

/* How much more than the reserve a full disk must have before items are written again: otherwise
 * the answer could change with every request. */
#define ROOM_AGAIN_BYTES ((int64_t)512 << 10)

/* Allocates blocks for all pages and the reserves, and notes whether that succeeded. *lacks is set
 * if there are not even blocks for the pages. */
static int reserve_room(struct store *s, bool *lacks)
{
    struct sql_room *room = &sql_store_db(s)->room;
    int64_t all, unused, bytes, reserve = SQL_ROOM_BYTES + (s->is_full ? ROOM_AGAIN_BYTES : 0);
    int result = count_pages(s, &all, &unused);
    bool whole;

    *lacks = false;
    if (result != SQLITE_OK)
        return result;
    bytes = all * SQL_PAGE_BYTES;
    whole = sql_room_reach(room, bytes + reserve) ||
            bytes - unused * SQL_PAGE_BYTES + reserve <= room->bytes;
    note_full(s, !whole || !sql_log_has_reserve(&sql_store_db(s)->log));
    *lacks = !sql_room_reach(room, bytes);
    return SQLITE_OK;
}

bool store_has_room(struct store *s)
{
    bool lacks;

    if (!s->is_full || (reserve_room(s, &lacks) == SQLITE_OK && !s->is_full))
        return true;
    if (!sql_store_of(s)->refuses)
        log_error("the disk is full: items can be deleted, but not written, until it has room");
    sql_store_of(s)->refuses = true;
    return false;
}

static const struct error *commit_group(struct store *s, struct arena *a)
{
    const struct error *e;
    bool lacks;

    for (const struct space *space = s->spaces.group; space; space = space->group_next)
        if ((e = save_space(s, a, space)))
            return e;
    if ((e = reserve_numbers(s, a)))
        return e;
    if (reserve_room(s, &lacks) != SQLITE_OK)
        return store_failed(s, a, "cannot count pages");
    if (lacks) /* only data that can later be copied from the log is committed */
        return store_failure(s, a);
    return store_run(s, a, SQL_COMMIT, "cannot commit");
}

const struct error *store_flush(struct store *s, struct arena *a)
{
    const struct error *e;

    assert(!s->unit_count);
    if (s->group_lost) {
        s->group_lost = false;
        return store_failure(s, a);
    }
    if (!s->in_group)
        return NULL;
    if ((e = commit_group(s, a))) {
        store_undo_group(s);
        s->group_lost = false; /* the failure is reported by this flush */
        return e;
    }
    store_settle(s);
    return NULL;
}

/* Reads a table that is not in the catalog, for as long as store.h says. */
const struct table *store_sql_read_table(struct store *s, struct span id, bool after)
{
    sqlite3_stmt *row = sql_statement(sql_store_db(s), after ? SQL_TABLE_AFTER : SQL_TABLE_GET);
    struct table *t = NULL;

    if (!row)
        return NULL;
    sql_bind_span(row, 1, id);
    if (sqlite3_step(row) == SQLITE_ROW && (t = schema_decode(NULL, sql_column_span(row, 0))))
        catalog_lend(&s->catalog, t);
    sqlite3_reset(row);
    return t;
}

bool store_sql_is_doomed(struct store *s, uint32_t space)
{
    sqlite3_stmt *doomed = sql_statement(sql_store_db(s), SQL_DOOMED_AFTER);
    bool is_doomed;

    if (!doomed)
        return true;
    sqlite3_bind_int64(doomed, 1, (int64_t)space - 1);
    is_doomed = sqlite3_step(doomed) != SQLITE_ROW || sqlite3_column_int64(doomed, 0) == space;
    sqlite3_reset(doomed);
    return is_doomed;
}

void store_sql_free(struct store *s)
{
    store_free_cursors(s);
    sql_close(sql_store_db(s));
    if (sql_store_of(s)->reading_lock >= 0)
        close(sql_store_of(s)->reading_lock);
    store_free_copies(s);
    free(s);
}
