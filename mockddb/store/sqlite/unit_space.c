#include <assert.h>

#include "base/log.h"
#include "store/sqlite/sql_store.h"

/* A slice takes a millisecond or two. Without slices, a table of 100 000 items of 1 KB delayed all
 * requests for 0.2 s in memory and 0.4 s in a file; 250 items of 400 KB, 30 ms. */
#define SLICE_ENTRIES 1000
#define SLICE_BODIES  250
#define SLICE_BYTES   ((int64_t)4 * 1024 * 1024) /* of bodies */

const struct error *store_sql_number_space(struct unit *u, unsigned parts)
{
    struct store *s = u->store;

    (void)parts;
    return store_save_meta(s, STORE_META_SPACE, (int64_t)s->next_space + 1) == SQLITE_OK
               ? NULL
               : store_failed(s, u->arena, "cannot number a space");
}

/* --- giving up -------------------------------------------------------------------------------- */

static sqlite3_stmt *bind_space(struct store *s, enum sql which, uint32_t space)
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(s), which);

    if (statement)
        sqlite3_bind_int64(statement, 1, space);
    return statement;
}

static const struct error *finish_statement(struct store *s, struct arena *a,
                                            sqlite3_stmt *statement)
{
    return statement && sql_finish(statement) == SQLITE_OK
               ? NULL
               : store_failed(s, a, "cannot drop a space");
}

const struct error *store_sql_drop_space(struct unit *u, uint32_t space)
{
    struct store *s = u->store;
    struct space *known = spaces_get(u->arena, &s->spaces, space);
    int64_t entries = known->now.entries;
    const struct error *e;

    spaces_drop(&s->spaces, known);
    if ((e = store_give_up_copy(u, space)))
        return e;
    if (!entries)
        return known->shared_below
                   ? finish_statement(s, u->arena, bind_space(s, SQL_SHARING_DELETE, space))
                   : NULL;
    if ((e = finish_statement(s, u->arena, bind_space(s, SQL_DOOMED_PUT, space))))
        return e;
    s->may_have_doomed = true;
    return NULL;
}

/* --- slices ----------------------------------------------------------------------------------- */

/* Steps a bound statement that returns at most one row; the caller resets it. */
static const struct error *step_row(struct store *s, struct arena *a, sqlite3_stmt *statement,
                                    bool *found)
{
    int result = statement ? sqlite3_step(statement) : SQLITE_ERROR;

    *found = result == SQLITE_ROW;
    if (*found || result == SQLITE_DONE)
        return NULL;
    sqlite3_reset(statement);
    return store_failed(s, a, "cannot drop a space");
}

/* Whether a given-up space has bodies that others also own. */
static const struct error *read_sharing(struct store *s, struct arena *a, uint32_t space,
                                        bool *sharing)
{
    sqlite3_stmt *statement = bind_space(s, SQL_SHARING_GET, space);
    const struct error *e = step_row(s, a, statement, sharing);

    if (!e)
        sqlite3_reset(statement);
    return e;
}

/* Finds the first given-up space that no copy needs; *space is 0 if none is left. */
static const struct error *find_doomed(struct store *s, struct arena *a, uint32_t *space)
{
    *space = 0;
    do {
        sqlite3_stmt *statement = bind_space(s, SQL_DOOMED_AFTER, *space);
        const struct error *e;
        bool found;

        if ((e = step_row(s, a, statement, &found)))
            return e;
        *space = (uint32_t)sqlite3_column_int64(statement, 0); /* NULL gives 0 */
        sqlite3_reset(statement);
    } while (*space && store_is_copied(s, *space));
    return NULL;
}

static struct span space_key(struct arena *a, uint32_t space)
{
    struct buf key = buf_in(a);

    key_of_space(&key, space);
    return buf_span(&key);
}

/* Deletes the first entries; *all is set if no more are left. */
static const struct error *reap_entries(struct store *s, struct arena *a, uint32_t space, bool *all)
{
    sqlite3_stmt *skip = sql_statement(sql_store_db(s), SQL_ENTRY_SKIP), *drop;
    struct span low = space_key(a, space), high = space_key(a, space + 1);
    const struct error *e;
    bool found;

    if (skip) {
        sql_bind_span(skip, 1, low);
        sql_bind_span(skip, 2, high);
        sqlite3_bind_int64(skip, 3, SLICE_ENTRIES);
    }
    if ((e = step_row(s, a, skip, &found)))
        return e;
    if (found)
        high = arena_span(a, sql_column_span(skip, 0));
    sqlite3_reset(skip);
    *all = !found;
    if ((drop = sql_statement(sql_store_db(s), SQL_ENTRY_DROP))) {
        sql_bind_span(drop, 1, low);
        sql_bind_span(drop, 2, high);
    }
    return finish_statement(s, a, drop);
}

/* Steps through bodies, read as an id and a length, to the first one after a slice; the caller
 * resets the statement. *all is set if the slice takes them all. */
static const struct error *pass_slice(struct store *s, struct arena *a, sqlite3_stmt *sizes,
                                      bool *all)
{
    const struct error *e;
    int64_t bytes = 0;
    bool found;

    for (int count = 0; !(e = step_row(s, a, sizes, &found)) && found; count++) {
        if (count == SLICE_BODIES || bytes >= SLICE_BYTES)
            break;
        bytes += sqlite3_column_int64(sizes, 1);
    }
    *all = !found;
    return e;
}

/* Like reap_entries, with bodies. */
static const struct error *reap_bodies(struct store *s, struct arena *a, uint32_t space, bool *all)
{
    sqlite3_stmt *sizes = sql_statement(sql_store_db(s), SQL_ITEM_SIZES), *drop;
    int64_t low = store_first_id(space), high = store_first_id(space + 1);
    const struct error *e;

    if (sizes) {
        sqlite3_bind_int64(sizes, 1, low);
        sqlite3_bind_int64(sizes, 2, high);
    }
    if ((e = pass_slice(s, a, sizes, all)))
        return e;
    if (!*all)
        high = sqlite3_column_int64(sizes, 0);
    sqlite3_reset(sizes);
    if ((drop = sql_statement(sql_store_db(s), SQL_ITEM_DROP))) {
        sqlite3_bind_int64(drop, 1, low);
        sqlite3_bind_int64(drop, 2, high);
    }
    return finish_statement(s, a, drop);
}

/* Like reap_entries, for a space that shares bodies; deletes bodies without other owners. */
static const struct error *reap_shared(struct unit *u, uint32_t space, bool *all)
{
    struct span low = space_key(u->arena, space), high = space_key(u->arena, space + 1);
    struct store *s = u->store;
    sqlite3_stmt *sizes = sql_statement(sql_store_db(s), SQL_RANGE_SIZES);
    const struct error *e;

    if (sizes) {
        sql_bind_span(sizes, 1, low);
        sql_bind_span(sizes, 2, high);
    }
    if ((e = pass_slice(s, u->arena, sizes, all)))
        return e;
    if (!*all)
        high = arena_span(u->arena, sql_column_span(sizes, 0));
    sqlite3_reset(sizes);
    return store_drop_range(u, low, high, true);
}

static const struct error *reap_own(struct store *s, struct arena *a, uint32_t space, bool *all)
{
    const struct error *e = reap_entries(s, a, space, all);

    return e || !*all ? e : reap_bodies(s, a, space, all);
}

/* Deletes the records of a space without entries and bodies. */
static const struct error *forget_space(struct store *s, struct arena *a, uint32_t space)
{
    const struct error *e = finish_statement(s, a, bind_space(s, SQL_SHARING_DELETE, space));

    return e ? e : finish_statement(s, a, bind_space(s, SQL_DOOMED_DELETE, space));
}

const struct error *store_sql_reap(struct unit *u, bool *more)
{
    struct store *s = u->store;
    struct arena *a = u->arena;
    const struct error *e;
    uint32_t space;
    bool sharing, all;

    if ((e = find_doomed(s, a, &space)))
        return e;
    *more = s->may_have_doomed = space != 0;
    if (!space || (e = read_sharing(s, a, space, &sharing)))
        return e;
    e = sharing ? reap_shared(u, space, &all) : reap_own(s, a, space, &all);
    return e || !all ? e : forget_space(s, a, space);
}
