#include <assert.h>

#include "base/log.h"
#include "store/sqlite/sql_store.h"

const struct error *store_change_one(struct store *s, struct arena *a, sqlite3_stmt *statement,
                                     const char *doing)
{
    if (sql_finish(statement) != SQLITE_OK)
        return store_failed(s, a, doing);
    if (sqlite3_changes(sql_store_db(s)->handle) == 1)
        return NULL;
    log_error("%s: it is not there", doing);
    return error_internal(a);
}

/* --- single entries -------------------------------------------------------------------------- */

const struct error *store_sql_get(struct unit *u, struct span key, struct store_row *row)
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(u->store), SQL_ENTRY_GET);
    int result;

    if (!statement)
        return store_failed(u->store, u->arena, "cannot read an item");
    arena_charge(u->arena, STORE_STATEMENT_STEPS);
    sql_bind_span(statement, 1, key);
    result = sqlite3_step(statement);
    *row = (struct store_row){.key = key, .found = result == SQLITE_ROW};
    if (row->found) {
        row->handle = sqlite3_column_int64(statement, 0);
        row->size = (size_t)sqlite3_column_int64(statement, 1);
        row->body = arena_span(u->arena, sql_column_span(statement, 2));
    }
    sqlite3_reset(statement);
    if (row->found || result == SQLITE_DONE)
        return NULL;
    return store_failed(u->store, u->arena, "cannot read an item");
}

/* Adds or changes the entry, and counts it. */
static const struct error *write_entry(struct unit *u, struct store_row *entry, int64_t id,
                                       size_t size)
{
    const char *doing = entry->found ? "cannot change an entry" : "cannot add an entry";
    struct store *s = u->store;
    sqlite3_stmt *statement = sql_statement(sql_store_db(s),
                                            entry->found ? SQL_ENTRY_UPDATE : SQL_ENTRY_INSERT);
    const struct error *e;

    if (!statement)
        return store_failed(s, u->arena, doing);
    arena_charge(u->arena, STORE_STATEMENT_STEPS);
    sql_bind_span(statement, 1, entry->key);
    sqlite3_bind_int64(statement, 2, id);
    sqlite3_bind_int64(statement, 3, (int64_t)size);
    if ((e = store_change_one(s, u->arena, statement, doing)))
        return e;
    store_count_entry(u, entry->key, !entry->found,
                      (int64_t)size - (entry->found ? (int64_t)entry->size : 0));
    entry->found = true;
    entry->handle = id;
    entry->size = size;
    return NULL;
}

const struct error *store_sql_put(struct unit *u, struct store_row *row, size_t size,
                                  struct span body)
{
    uint32_t space = store_space_of(row->key);
    int64_t id = row->handle;
    const struct error *e;

    if (u->store->copies && (e = store_before_change(u, row)))
        return e;
    if ((e = row->found ? store_change_body(u, space, &id, body)
                        : store_add_body(u, space, &id, body)))
        return e;
    row->body = body;
    return row->found && row->size == size && row->handle == id ? NULL
                                                                : write_entry(u, row, id, size);
}

const struct error *store_share_row(struct unit *u, struct span key, const struct store_row *row)
{
    struct store_row copy = {.key = key};
    const struct error *e = store_share_body(u, row->handle);

    return e ? e : write_entry(u, &copy, row->handle, row->size);
}

/* A body's id is in the range of its first owner's space, whose number is lower than the others'.
 */
const struct error *store_sql_share(struct unit *u, struct span key, const struct store_row *row)
{
    uint32_t first = (uint32_t)(row->handle >> STORE_ID_BITS), space = store_space_of(key);
    const struct error *e = NULL;
    int64_t end_id;

    if (!store_is_sharing(u->store, space))
        e = store_begin_sharing(u, space, store_first_id(space));
    if (!e && !(e = store_find_end_id(u, first, &end_id)) &&
        spaces_find(&u->store->spaces, first)->shared_below <= row->handle)
        e = store_begin_sharing(u, first, end_id);
    return e ? e : store_share_row(u, key, row);
}

int64_t store_sql_owner(const struct store_row *row)
{
    return row->handle;
}

const struct error *store_sql_link(struct unit *u, struct store_row *entry,
                                   const struct store_row *owner, size_t size)
{
    return write_entry(u, entry, owner->handle, size);
}

const struct error *store_sql_unlink(struct unit *u, struct store_row *entry)
{
    struct store *s = u->store;
    sqlite3_stmt *statement = sql_statement(sql_store_db(s), SQL_ENTRY_DELETE);
    const struct error *e;

    if (!statement)
        return store_failed(s, u->arena, "cannot delete an entry");
    arena_charge(u->arena, STORE_STATEMENT_STEPS);
    sql_bind_span(statement, 1, entry->key);
    if ((e = store_change_one(s, u->arena, statement, "cannot delete an entry")))
        return e;
    store_count_entry(u, entry->key, -1, -(int64_t)entry->size);
    entry->found = false;
    return NULL;
}

const struct error *store_sql_delete(struct unit *u, struct store_row *row)
{
    const struct error *e;

    if ((u->store->copies && (e = store_before_change(u, row))) ||
        (e = store_let_go_of_body(u, store_space_of(row->key), row->handle)))
        return e;
    return store_sql_unlink(u, row);
}

/* --- ranges of entries ----------------------------------------------------------------------- */

static const struct error *sum_range(struct store *s, struct arena *a, struct span low,
                                     struct span high, struct space_stats *sum)
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(s), SQL_RANGE_SUM);
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

const struct error *store_sql_delete_range(struct unit *u, struct span low, struct span high)
{
    struct store *s = u->store;
    struct space_stats sum = {0};
    const struct error *e;

    if ((e = sum_range(s, u->arena, low, high, &sum)) || !sum.entries ||
        (e = store_before_range(u, low, high)) ||
        (e = store_drop_range(u, low, high, store_is_sharing(s, store_space_of(low)))))
        return e;
    store_count_entry(u, low, -sum.entries, -sum.bytes);
    return NULL;
}
