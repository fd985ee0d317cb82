/* Bodies, and who owns them.
 *
 * A body has one owner, an entry of a table's own space, until that space is copied
 * (store/space_copy.h): then the copy's entry owns it, too. `shared` counts the further owners of
 * such a body. The body does not change while it has several: an owner that changes gets a body of
 * its own. So a copy takes room for its keys, and for later changes.
 *
 * `sharing` lists the spaces whose bodies may have other owners, or have ids of another space,
 * until they are gone. `below` is above the ids of all bodies that were ever shared, so that later
 * bodies need no lookup. */
#include "store/sqlite/sql_store.h"

/* --- ids -------------------------------------------------------------------------------------- */

/* Finds the next id of a space. */
static const struct error *find_next_id(struct store *s, struct arena *a, struct space *space)
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(s), SQL_ITEM_LAST);
    int64_t first = store_first_id(space->number);

    if (!statement)
        return store_failed(s, a, "cannot number an item");
    sqlite3_bind_int64(statement, 1, first);
    sqlite3_bind_int64(statement, 2, store_first_id(space->number + 1));
    if (sqlite3_step(statement) != SQLITE_ROW) {
        sqlite3_reset(statement);
        return store_failed(s, a, "cannot number an item");
    }
    space->next_id = first > space->shared_below ? first : space->shared_below;
    if (sqlite3_column_int64(statement, 0) >= space->next_id) /* NULL gives 0 */
        space->next_id = sqlite3_column_int64(statement, 0) + 1;
    sqlite3_reset(statement);
    return NULL;
}

/* Finds the space, and its next id. */
static const struct error *find_space(struct unit *u, uint32_t number, struct space **space)
{
    *space = spaces_get(u->arena, &u->store->spaces, number);
    return (*space)->next_id ? NULL : find_next_id(u->store, u->arena, *space);
}

const struct error *store_find_end_id(struct unit *u, uint32_t space, int64_t *id)
{
    struct space *known;
    const struct error *e = find_space(u, space, &known);

    *id = known->next_id;
    return e;
}

/* --- one owner -------------------------------------------------------------------------------- */

static const struct error *put_body(struct unit *u, enum sql which, int64_t id, struct span body)
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(u->store), which);

    if (!statement)
        return store_failed(u->store, u->arena, "cannot write an item");
    arena_charge(u->arena, STORE_STATEMENT_STEPS + body.len / STORE_BODY_BYTES_AT_STEP);
    sqlite3_bind_int64(statement, 1, id);
    sql_bind_span(statement, 2, body);
    return store_change_one(u->store, u->arena, statement, "cannot write an item");
}

const struct error *store_add_body(struct unit *u, uint32_t space, int64_t *id, struct span body)
{
    struct space *known;
    const struct error *e = find_space(u, space, &known);

    if (e)
        return e;
    *id = known->next_id++;
    return put_body(u, SQL_ITEM_INSERT, *id, body);
}

/* Runs a statement for one id that must change its row. */
static const struct error *change_by_id(struct unit *u, enum sql which, int64_t id,
                                        const char *doing)
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(u->store), which);

    if (!statement)
        return store_failed(u->store, u->arena, doing);
    arena_charge(u->arena, STORE_STATEMENT_STEPS);
    sqlite3_bind_int64(statement, 1, id);
    return store_change_one(u->store, u->arena, statement, doing);
}

/* --- several ---------------------------------------------------------------------------------- */

#define SHARING "cannot share an item"

bool store_is_sharing(const struct store *s, uint32_t space)
{
    const struct space *known = spaces_find(&s->spaces, space);

    return known && known->shared_below;
}

/* Counts the further owners of a body. */
static const struct error *count_others(struct unit *u, uint32_t space, int64_t id, int64_t *others)
{
    const struct space *known = spaces_find(&u->store->spaces, space);
    sqlite3_stmt *statement;
    int result;

    *others = 0;
    if (!known || id >= known->shared_below)
        return NULL;
    if (!(statement = sql_statement(sql_store_db(u->store), SQL_SHARED_GET)))
        return store_failed(u->store, u->arena, SHARING);
    arena_charge(u->arena, STORE_STATEMENT_STEPS);
    sqlite3_bind_int64(statement, 1, id);
    result = sqlite3_step(statement);
    if (result == SQLITE_ROW)
        *others = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return result == SQLITE_ROW || result == SQLITE_DONE
               ? NULL
               : store_failed(u->store, u->arena, SHARING);
}

static const struct error *leave_to_others(struct unit *u, int64_t id, int64_t others)
{
    return change_by_id(u, others > 1 ? SQL_SHARED_LESS : SQL_SHARED_DELETE, id, SHARING);
}

const struct error *store_change_body(struct unit *u, uint32_t space, int64_t *id, struct span body)
{
    const struct error *e;
    int64_t others;

    if ((e = count_others(u, space, *id, &others)))
        return e;
    if (!others)
        return put_body(u, SQL_ITEM_UPDATE, *id, body);
    e = leave_to_others(u, *id, others);
    return e ? e : store_add_body(u, space, id, body);
}

const struct error *store_let_go_of_body(struct unit *u, uint32_t space, int64_t id)
{
    const struct error *e;
    int64_t others;

    if ((e = count_others(u, space, id, &others)))
        return e;
    return others ? leave_to_others(u, id, others)
                  : change_by_id(u, SQL_ITEM_DELETE, id, "cannot delete an item");
}

const struct error *store_share_body(struct unit *u, int64_t id)
{
    return change_by_id(u, SQL_SHARED_MORE, id, SHARING);
}

const struct error *store_begin_sharing(struct unit *u, uint32_t space, int64_t below)
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(u->store), SQL_SHARING_PUT);

    if (!statement)
        return store_failed(u->store, u->arena, SHARING);
    spaces_get(u->arena, &u->store->spaces, space)->shared_below = below;
    sqlite3_bind_int64(statement, 1, space);
    sqlite3_bind_int64(statement, 2, below);
    return store_change_one(u->store, u->arena, statement, SHARING);
}

/* --- ranges of entries ------------------------------------------------------------------------ */

static const struct error *run_range(struct unit *u, enum sql which, struct span low,
                                     struct span high)
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(u->store), which);

    if (statement) {
        sql_bind_span(statement, 1, low);
        sql_bind_span(statement, 2, high);
        if (sql_finish(statement) == SQLITE_OK)
            return NULL;
    }
    return store_failed(u->store, u->arena, "cannot delete a range");
}

const struct error *store_drop_range(struct unit *u, struct span low, struct span high,
                                     bool sharing)
{
    const struct error *e;

    if ((e = run_range(u, SQL_RANGE_DROP_ITEMS, low, high)) ||
        (sharing && ((e = run_range(u, SQL_RANGE_LESS, low, high)) ||
                     (e = run_range(u, SQL_RANGE_UNSHARE, low, high)))))
        return e;
    return run_range(u, SQL_ENTRY_DROP, low, high);
}
