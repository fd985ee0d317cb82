#include "store/store.h"

#include "base/log.h"
#include "store/sqlite/store_core.h"

#include <assert.h>
#include <stdlib.h>

void store_free(struct store *s)
{
    struct arena *a;

    if (!s)
        return;
    a = arena_new();
    store_cursor_close(&s->cursor);
    if ((s->in_unit && store_end(s, a, false)) || store_flush(s, a))
        log_error("the last changes could not be saved");
    arena_free(a);
    sql_close(&s->db);
    catalog_free(&s->catalog);
    spaces_free(&s->spaces);
    free(s);
}

/* Brings memory back to the last flush, after the database went there. */
static void rewind_group(struct store *s)
{
    spaces_undo_unit(&s->spaces);
    spaces_undo_group(&s->spaces);
    catalog_undo(&s->catalog, 0);
    s->in_group = false;
    s->group_units = 0;
    s->number_reserved = 0; /* what the group reserved may not be saved */
    s->may_have_doomed = true;
}

/* A full disk or a failing one makes SQLite roll back everything, not only the unit. */
static void notice_lost_group(struct store *s)
{
    if (!s->in_group || !sqlite3_get_autocommit(s->db.handle))
        return;
    s->group_lost = s->group_units > 0;
    rewind_group(s);
}

const struct error *store_failed(struct store *s, struct arena *a, const char *doing)
{
    if ((sqlite3_errcode(s->db.handle) & 0xff) == SQLITE_NOMEM)
        out_of_memory();
    log_error("%s: %s", doing, sqlite3_errmsg(s->db.handle));
    notice_lost_group(s);
    return error_new(a, ERROR_INTERNAL, "Internal server error");
}

static const struct error *run(struct store *s, struct arena *a, enum sql which, const char *doing)
{
    return sql_run(&s->db, which) == SQLITE_OK ? NULL : store_failed(s, a, doing);
}

const struct error *store_begin(struct store *s, struct arena *a)
{
    const struct error *e;

    assert(!s->in_unit && !s->cursor.statement);
    if (s->group_lost)
        return error_new(a, ERROR_INTERNAL, "Internal server error");
    if (!s->in_group) {
        if ((e = run(s, a, SQL_BEGIN, "cannot begin a transaction")))
            return e;
        s->in_group = true;
    }
    if (s->in_file && (e = run(s, a, SQL_UNIT_BEGIN, "cannot begin a unit")))
        return e;
    s->in_unit = true;
    s->unit_changes = s->catalog.change_count;
    return NULL;
}

static void undo_all(struct store *s)
{
    if (!sqlite3_get_autocommit(s->db.handle) && sql_run(&s->db, SQL_ROLLBACK) != SQLITE_OK)
        log_error("cannot roll back: %s", sqlite3_errmsg(s->db.handle));
    rewind_group(s);
}

/* Undoes the unit; where that fails, or it is the only one, the whole group. */
static void undo_unit(struct store *s)
{
    if (!s->in_group) /* SQLite was quicker */
        return;
    if (s->group_units == 0) {
        undo_all(s);
    } else if (sql_run(&s->db, SQL_UNIT_UNDO) != SQLITE_OK ||
               sql_run(&s->db, SQL_UNIT_KEEP) != SQLITE_OK) {
        log_error("cannot undo a unit: %s", sqlite3_errmsg(s->db.handle));
        s->group_lost = true;
        undo_all(s);
    } else {
        spaces_undo_unit(&s->spaces);
        catalog_undo(&s->catalog, s->unit_changes);
    }
}

/* Memory follows the database: what was kept is lasting. */
static void settle(struct store *s)
{
    s->in_group = false;
    s->group_units = 0;
    spaces_flushed(&s->spaces);
    catalog_keep(&s->catalog);
}

static const struct error *keep_unit(struct store *s, struct arena *a)
{
    const struct error *e;

    if (!s->in_group)
        return error_new(a, ERROR_INTERNAL, "Internal server error");
    if ((e = run(s, a, s->in_file ? SQL_UNIT_KEEP : SQL_COMMIT, "cannot keep a unit"))) {
        undo_unit(s);
        return e;
    }
    spaces_keep_unit(&s->spaces);
    if (s->in_file)
        s->group_units++;
    else
        settle(s);
    return NULL;
}

const struct error *store_end(struct store *s, struct arena *a, bool keep)
{
    assert(s->in_unit && !s->cursor.statement);
    s->in_unit = false;
    if (keep)
        return keep_unit(s, a);
    undo_unit(s);
    return NULL;
}

void store_abandon(struct store *s)
{
    store_cursor_close(&s->cursor);
    sql_reset_all(&s->db);
    if (!s->in_unit)
        return;
    s->in_unit = false;
    undo_unit(s);
}

bool store_needs_flush(const struct store *s)
{
    return s->group_units > 0 || s->group_lost;
}

static const struct error *save_space(struct store *s, struct arena *a, const struct space *space)
{
    bool gone = space->dropped && !space->kept.entries;
    sqlite3_stmt *statement = sql_statement(&s->db, gone ? SQL_SPACE_DELETE : SQL_SPACE_PUT);

    if (statement) {
        sqlite3_bind_int64(statement, 1, space->number);
        if (!gone) {
            sqlite3_bind_int64(statement, 2, space->kept.entries);
            sqlite3_bind_int64(statement, 3, space->kept.bytes);
        }
        if (sql_finish(statement) == SQLITE_OK)
            return NULL;
    }
    return store_failed(s, a, "cannot save figures");
}

int store_save_meta(struct store *s, const char *name, int64_t value)
{
    sqlite3_stmt *statement = sql_statement(&s->db, SQL_META_PUT);

    if (!statement)
        return sqlite3_errcode(s->db.handle);
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, value);
    return sql_finish(statement);
}

/* Numbers are reserved in strides, so that few flushes have to save one. */
static const struct error *reserve_numbers(struct store *s, struct arena *a)
{
    const uint64_t stride = 4096;

    if (s->number <= s->number_reserved)
        return NULL;
    if (store_save_meta(s, STORE_META_NUMBER, (int64_t)(s->number + stride)) != SQLITE_OK)
        return store_failed(s, a, "cannot reserve numbers");
    s->number_reserved = s->number + stride;
    return NULL;
}

static const struct error *commit_group(struct store *s, struct arena *a)
{
    const struct error *e;

    for (const struct space *space = s->spaces.group; space; space = space->group_next)
        if ((e = save_space(s, a, space)))
            return e;
    if ((e = reserve_numbers(s, a)))
        return e;
    return run(s, a, SQL_COMMIT, "cannot commit");
}

const struct error *store_flush(struct store *s, struct arena *a)
{
    const struct error *e;

    assert(!s->in_unit && !s->cursor.statement);
    if (s->group_lost) {
        s->group_lost = false;
        return error_new(a, ERROR_INTERNAL, "Internal server error");
    }
    if (!s->in_group)
        return NULL;
    if ((e = commit_group(s, a))) {
        undo_all(s);
        s->group_lost = false; /* this is how it is told */
        return e;
    }
    settle(s);
    return NULL;
}

/* --- catalog --------------------------------------------------------------------------------- */

const struct table *store_table(const struct store *s, struct span name)
{
    return catalog_find(&s->catalog, name);
}

const struct table *store_table_after(const struct store *s, struct span name)
{
    const struct catalog *c = &s->catalog;
    size_t at = catalog_position(c, name);

    if (at < c->count && span_equal(c->tables[at]->name, name))
        at++;
    return at < c->count ? c->tables[at] : NULL;
}

size_t store_table_count(const struct store *s)
{
    return s->catalog.count;
}

const struct error *store_new_space(struct store *s, struct arena *a, uint32_t *space)
{
    assert(s->in_unit);
    if (s->next_space > STORE_LAST_SPACE) {
        log_error("all %u space numbers were used; start with a new file", STORE_LAST_SPACE);
        return error_new(a, ERROR_INTERNAL, "Internal server error");
    }
    if (store_save_meta(s, STORE_META_SPACE, (int64_t)s->next_space + 1) != SQLITE_OK)
        return store_failed(s, a, "cannot number a space");
    *space = s->next_space++;
    return NULL;
}

uint64_t store_next_number(struct store *s)
{
    return ++s->number;
}

uint64_t store_last_number(const struct store *s)
{
    return s->number;
}

const struct error *store_table_put(struct store *s, struct arena *a, struct table *t)
{
    sqlite3_stmt *statement = sql_statement(&s->db, SQL_TABLE_PUT);

    assert(s->in_unit);
    if (statement) {
        sql_bind_span(statement, 1, t->name);
        sql_bind_span(statement, 2, schema_encode(a, t));
        if (sql_finish(statement) == SQLITE_OK) {
            arena_disown(t->arena);
            catalog_put(&s->catalog, t);
            return NULL;
        }
    }
    return store_failed(s, a, "cannot save a table's description");
}

const struct error *store_table_remove(struct store *s, struct arena *a, struct span name)
{
    sqlite3_stmt *statement = sql_statement(&s->db, SQL_TABLE_DELETE);

    assert(s->in_unit);
    if (statement) {
        sql_bind_span(statement, 1, name);
        if (sql_finish(statement) == SQLITE_OK) {
            catalog_remove(&s->catalog, name);
            return NULL;
        }
    }
    return store_failed(s, a, "cannot remove a table's description");
}
