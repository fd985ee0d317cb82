#include <assert.h>

#include "base/log.h"
#include "store/sqlite/store_core.h"

static uint32_t space_of_key(struct span key)
{
    const unsigned char *at = (const unsigned char *)key.at;

    assert(key.len >= 4);
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Runs a bound statement that must change one row. */
static const struct error *change_one(struct store *s, struct arena *a, sqlite3_stmt *statement,
                                      const char *doing)
{
    if (sql_finish(statement) != SQLITE_OK)
        return store_failed(s, a, doing);
    if (sqlite3_changes(s->db.handle) == 1)
        return NULL;
    log_error("%s: it is not there", doing);
    return error_new(a, ERROR_INTERNAL, "Internal server error");
}

static void count_entry(struct store *s, struct span key, int64_t entries, int64_t bytes)
{
    if (entries || bytes)
        spaces_change(&s->spaces, spaces_get(&s->spaces, space_of_key(key)), entries, bytes);
}

/* --- single entries -------------------------------------------------------------------------- */

const struct error *store_get(struct store *s, struct arena *a, struct span key,
                              struct store_row *row, bool *found)
{
    sqlite3_stmt *statement = sql_statement(&s->db, SQL_ENTRY_GET);
    int result;

    if (!statement)
        return store_failed(s, a, "cannot read an item");
    sql_bind_span(statement, 1, key);
    result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        row->key = key;
        row->id = sqlite3_column_int64(statement, 0);
        row->size = (size_t)sqlite3_column_int64(statement, 1);
        row->body = arena_span(a, sql_column_span(statement, 2));
    } else if (result != SQLITE_DONE) {
        sqlite3_reset(statement);
        return store_failed(s, a, "cannot read an item");
    }
    sqlite3_reset(statement);
    *found = result == SQLITE_ROW;
    return NULL;
}

/* SQL_ENTRY_INSERT or SQL_ENTRY_UPDATE. */
static const struct error *write_entry(struct store *s, struct arena *a, enum sql which,
                                       struct span key, int64_t id, size_t size)
{
    const char *doing = which == SQL_ENTRY_INSERT ? "cannot add an entry"
                                                  : "cannot change an entry";
    sqlite3_stmt *statement = sql_statement(&s->db, which);

    if (!statement)
        return store_failed(s, a, doing);
    sql_bind_span(statement, 1, key);
    sqlite3_bind_int64(statement, 2, id);
    sqlite3_bind_int64(statement, 3, (int64_t)size);
    return change_one(s, a, statement, doing);
}

static const struct error *put_body(struct store *s, struct arena *a, enum sql which, int64_t id,
                                    struct span body)
{
    sqlite3_stmt *statement = sql_statement(&s->db, which);

    if (!statement)
        return store_failed(s, a, "cannot write an item");
    sqlite3_bind_int64(statement, 1, id);
    sql_bind_span(statement, 2, body);
    return change_one(s, a, statement, "cannot write an item");
}

/* Finds out where a space's ids go on. */
static const struct error *find_next_id(struct store *s, struct arena *a, struct space *space)
{
    sqlite3_stmt *statement = sql_statement(&s->db, SQL_ITEM_LAST);
    int64_t first = store_first_id(space->number);

    if (!statement)
        return store_failed(s, a, "cannot number an item");
    sqlite3_bind_int64(statement, 1, first);
    sqlite3_bind_int64(statement, 2, store_first_id(space->number + 1));
    if (sqlite3_step(statement) != SQLITE_ROW) {
        sqlite3_reset(statement);
        return store_failed(s, a, "cannot number an item");
    }
    space->next_id = first;
    if (sqlite3_column_type(statement, 0) != SQLITE_NULL)
        space->next_id = sqlite3_column_int64(statement, 0) + 1;
    sqlite3_reset(statement);
    return NULL;
}

static const struct error *new_id(struct store *s, struct arena *a, uint32_t number, int64_t *id)
{
    struct space *space = spaces_get(&s->spaces, number);
    const struct error *e;

    if (!space->next_id && (e = find_next_id(s, a, space)))
        return e;
    *id = space->next_id++;
    return NULL;
}

const struct error *store_put(struct store *s, struct arena *a, struct span key, int64_t id,
                              size_t size, size_t old_size, struct span body, int64_t *id_out)
{
    const struct error *e;
    bool is_new = id == 0;

    assert(s->in_unit && !s->cursor.statement);
    if (is_new && (e = new_id(s, a, space_of_key(key), &id)))
        return e;
    if ((e = put_body(s, a, is_new ? SQL_ITEM_INSERT : SQL_ITEM_UPDATE, id, body)))
        return e;
    if (is_new)
        e = write_entry(s, a, SQL_ENTRY_INSERT, key, id, size);
    else if (size != old_size)
        e = write_entry(s, a, SQL_ENTRY_UPDATE, key, id, size);
    if (e)
        return e;
    count_entry(s, key, is_new, (int64_t)size - (is_new ? 0 : (int64_t)old_size));
    if (id_out)
        *id_out = id;
    return NULL;
}

const struct error *store_entry_put(struct store *s, struct arena *a, struct span key, int64_t id,
                                    size_t size, int64_t old_size)
{
    bool is_new = old_size < 0;
    const struct error *e;

    assert(s->in_unit && !s->cursor.statement);
    e = write_entry(s, a, is_new ? SQL_ENTRY_INSERT : SQL_ENTRY_UPDATE, key, id, size);
    if (e)
        return e;
    count_entry(s, key, is_new, (int64_t)size - (is_new ? 0 : old_size));
    return NULL;
}

const struct error *store_entry_delete(struct store *s, struct arena *a, struct span key,
                                       size_t size)
{
    sqlite3_stmt *statement = sql_statement(&s->db, SQL_ENTRY_DELETE);
    const struct error *e;

    assert(s->in_unit && !s->cursor.statement);
    if (!statement)
        return store_failed(s, a, "cannot delete an entry");
    sql_bind_span(statement, 1, key);
    if ((e = change_one(s, a, statement, "cannot delete an entry")))
        return e;
    count_entry(s, key, -1, -(int64_t)size);
    return NULL;
}

const struct error *store_delete(struct store *s, struct arena *a, struct span key, int64_t id,
                                 size_t size)
{
    sqlite3_stmt *statement = sql_statement(&s->db, SQL_ITEM_DELETE);
    const struct error *e;

    if (!statement)
        return store_failed(s, a, "cannot delete an item");
    sqlite3_bind_int64(statement, 1, id);
    if ((e = change_one(s, a, statement, "cannot delete an item")))
        return e;
    return store_entry_delete(s, a, key, size);
}

/* --- ranges of entries ----------------------------------------------------------------------- */

static const struct error *run_range(struct store *s, struct arena *a, enum sql which,
                                     struct span low, struct span high)
{
    sqlite3_stmt *statement = sql_statement(&s->db, which);

    if (statement) {
        sql_bind_span(statement, 1, low);
        sql_bind_span(statement, 2, high);
        if (sql_finish(statement) == SQLITE_OK)
            return NULL;
    }
    return store_failed(s, a, "cannot delete a range");
}

static const struct error *sum_range(struct store *s, struct arena *a, struct span low,
                                     struct span high, struct space_stats *sum)
{
    sqlite3_stmt *statement = sql_statement(&s->db, SQL_RANGE_SUM);
    int result;

    if (!statement)
        return store_failed(s, a, "cannot measure a range");
    sql_bind_span(statement, 1, low);
    sql_bind_span(statement, 2, high);
    result = sqlite3_step(statement);
    sum->entries = sqlite3_column_int64(statement, 0);
    sum->bytes = sqlite3_column_int64(statement, 1);
    sqlite3_reset(statement);
    return result == SQLITE_ROW ? NULL : store_failed(s, a, "cannot measure a range");
}

const struct error *store_delete_range(struct store *s, struct arena *a, struct span low,
                                       struct span high)
{
    struct space_stats sum = {0};
    const struct error *e;

    assert(s->in_unit && !s->cursor.statement);
    if ((e = sum_range(s, a, low, high, &sum)) || !sum.entries)
        return e;
    if ((e = run_range(s, a, SQL_RANGE_DROP_ITEMS, low, high)) ||
        (e = run_range(s, a, SQL_ENTRY_DROP, low, high)))
        return e;
    count_entry(s, low, -sum.entries, -sum.bytes);
    return NULL;
}

struct space_stats store_stats(const struct store *s, uint32_t space)
{
    const struct space *known = spaces_find(&s->spaces, space);

    return known ? known->now : (struct space_stats){0, 0};
}
