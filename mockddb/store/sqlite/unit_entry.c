#include <assert.h>

#include "base/log.h"
#include "store/sqlite/store_core.h"

uint32_t store_space_of(struct span key)
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

static void count_entry(struct unit *u, struct span key, int64_t entries, int64_t bytes)
{
    struct spaces *all = &u->store->spaces;

    if (entries || bytes)
        spaces_change(all, spaces_get(u->arena, all, store_space_of(key)),
                      (struct space_stats){.entries = entries, .bytes = bytes});
}

void unit_spare(struct unit *u, uint32_t space, int64_t bytes)
{
    struct spaces *all = &u->store->spaces;

    assert(u->writes);
    if (bytes)
        spaces_change(all, spaces_get(u->arena, all, space), (struct space_stats){.spared = bytes});
}

/* SQLite's work on a row, besides the bytes of its body. */
#define STEPS_OF_STATEMENT 100
#define BODY_BYTES_AT_STEP 32

/* --- single entries -------------------------------------------------------------------------- */

const struct error *unit_get(struct unit *u, struct span key, struct store_row *row)
{
    sqlite3_stmt *statement = sql_statement(&u->store->db, SQL_ENTRY_GET);
    int result;

    if (!statement)
        return store_failed(u->store, u->arena, "cannot read an item");
    arena_charge(u->arena, STEPS_OF_STATEMENT);
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

/* Adds or changes the entry itself and counts it. */
static const struct error *write_entry(struct unit *u, struct store_row *entry, int64_t id,
                                       size_t size)
{
    const char *doing = entry->found ? "cannot change an entry" : "cannot add an entry";
    struct store *s = u->store;
    sqlite3_stmt *statement = sql_statement(&s->db,
                                            entry->found ? SQL_ENTRY_UPDATE : SQL_ENTRY_INSERT);
    const struct error *e;

    if (!statement)
        return store_failed(s, u->arena, doing);
    arena_charge(u->arena, STEPS_OF_STATEMENT);
    sql_bind_span(statement, 1, entry->key);
    sqlite3_bind_int64(statement, 2, id);
    sqlite3_bind_int64(statement, 3, (int64_t)size);
    if ((e = change_one(s, u->arena, statement, doing)))
        return e;
    count_entry(u, entry->key, !entry->found,
                (int64_t)size - (entry->found ? (int64_t)entry->size : 0));
    entry->found = true;
    entry->handle = id;
    entry->size = size;
    return NULL;
}

static const struct error *put_body(struct store *s, struct arena *a, enum sql which, int64_t id,
                                    struct span body)
{
    sqlite3_stmt *statement = sql_statement(&s->db, which);

    if (!statement)
        return store_failed(s, a, "cannot write an item");
    arena_charge(a, STEPS_OF_STATEMENT + body.len / BODY_BYTES_AT_STEP);
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
    struct space *space = spaces_get(a, &s->spaces, number);
    const struct error *e;

    if (!space->next_id && (e = find_next_id(s, a, space)))
        return e;
    *id = space->next_id++;
    return NULL;
}

const struct error *store_find_end_id(struct unit *u, uint32_t space, int64_t *id)
{
    struct space *known = spaces_get(u->arena, &u->store->spaces, space);
    const struct error *e = NULL;

    if (!known->next_id)
        e = find_next_id(u->store, u->arena, known);
    *id = known->next_id;
    return e;
}

const struct error *unit_put(struct unit *u, struct store_row *row, size_t size, struct span body)
{
    struct store *s = u->store;
    int64_t id = row->handle;
    const struct error *e;

    assert(u->writes);
    if (s->copies && (e = store_before_change(u, row)))
        return e;
    if (!row->found && (e = new_id(s, u->arena, store_space_of(row->key), &id)))
        return e;
    if ((e = put_body(s, u->arena, row->found ? SQL_ITEM_UPDATE : SQL_ITEM_INSERT, id, body)))
        return e;
    row->body = body;
    return row->found && row->size == size ? NULL : write_entry(u, row, id, size);
}

const struct error *unit_link(struct unit *u, struct store_row *entry,
                              const struct store_row *owner, size_t size)
{
    assert(u->writes && owner->found);
    return write_entry(u, entry, owner->handle, size);
}

const struct error *unit_unlink(struct unit *u, struct store_row *entry)
{
    struct store *s = u->store;
    sqlite3_stmt *statement = sql_statement(&s->db, SQL_ENTRY_DELETE);
    const struct error *e;

    assert(u->writes && entry->found);
    if (!statement)
        return store_failed(s, u->arena, "cannot delete an entry");
    arena_charge(u->arena, STEPS_OF_STATEMENT);
    sql_bind_span(statement, 1, entry->key);
    if ((e = change_one(s, u->arena, statement, "cannot delete an entry")))
        return e;
    count_entry(u, entry->key, -1, -(int64_t)entry->size);
    entry->found = false;
    return NULL;
}

const struct error *unit_delete(struct unit *u, struct store_row *row)
{
    struct store *s = u->store;
    sqlite3_stmt *statement = sql_statement(&s->db, SQL_ITEM_DELETE);
    const struct error *e;

    assert(u->writes && row->found);
    if (s->copies && (e = store_before_change(u, row)))
        return e;
    if (!statement)
        return store_failed(s, u->arena, "cannot delete an item");
    sqlite3_bind_int64(statement, 1, row->handle);
    if ((e = change_one(s, u->arena, statement, "cannot delete an item")))
        return e;
    return unit_unlink(u, row);
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

const struct error *unit_delete_range(struct unit *u, struct span low, struct span high)
{
    struct store *s = u->store;
    struct space_stats sum = {0};
    const struct error *e;

    assert(u->writes);
    if ((e = sum_range(s, u->arena, low, high, &sum)) || !sum.entries ||
        (e = store_before_range(u, low, high)))
        return e;
    if ((e = run_range(s, u->arena, SQL_RANGE_DROP_ITEMS, low, high)) ||
        (e = run_range(s, u->arena, SQL_ENTRY_DROP, low, high)))
        return e;
    count_entry(u, low, -sum.entries, -sum.bytes);
    return NULL;
}
