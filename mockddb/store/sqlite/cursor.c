#include "store/sqlite/sql_store.h"

#include <stdlib.h>

/* Has its own statement, so that several can be open. */
struct sql_cursor {
    struct cursor cursor;
    sqlite3_stmt *statement;
    enum cursor_way way;
    bool ended;              /* another step would start again */
    struct sql_cursor *idle; /* the next one in the list of idle ones */
};

static const enum sql statements[CURSOR_WAYS] = {
    [CURSOR_FORWARD] = SQL_RANGE_FORWARD,
    [CURSOR_BACKWARD] = SQL_RANGE_BACKWARD,
    [KEYS_FORWARD] = SQL_KEYS_FORWARD,
    [KEYS_BACKWARD] = SQL_KEYS_BACKWARD,
};

/* Returns an idle cursor, or a new one; its statement is NULL if it cannot be prepared. */
static struct sql_cursor *take_cursor(struct unit *u, enum cursor_way way)
{
    struct sql_cursor **idle = &sql_store_of(u->store)->cursors[way], *c = *idle;

    if (c)
        *idle = c->idle;
    else if (!(c = calloc(1, sizeof *c)))
        arena_out_of_memory(u->arena);
    if (!c->statement)
        c->statement = sql_prepare(sql_store_db(u->store), statements[way]);
    c->way = way;
    return c;
}

struct cursor *store_sql_open_cursor(struct unit *u, struct store_range range)
{
    struct span low = arena_span(u->arena, range.low), high = arena_span(u->arena, range.high);
    struct sql_cursor *c = take_cursor(u, (range.keys_only ? KEYS_FORWARD : CURSOR_FORWARD) +
                                              range.backwards);

    if (c->statement) {
        sql_bind_span(c->statement, 1, low);
        sql_bind_span(c->statement, 2, high);
    }
    c->ended = false;
    return &c->cursor;
}

#define STEPS_OF_ROW 30 /* SQLite's work for the next row */

const struct error *store_sql_next(struct cursor *cursor, struct store_row *row)
{
    struct sql_cursor *c = (struct sql_cursor *)cursor;
    struct unit *u = cursor->unit;
    int result;

    arena_charge(u->arena, STEPS_OF_ROW);
    result = c->ended ? SQLITE_DONE : sqlite3_step(c->statement); /* of NULL: SQLITE_MISUSE */
    row->found = result == SQLITE_ROW;
    if (!row->found) {
        c->ended = true;
        if (result == SQLITE_DONE)
            return NULL;
        sqlite3_reset(c->statement);
        return store_failed(u->store, u->arena, "cannot read a range");
    }
    row->key = sql_column_span(c->statement, 0);
    row->handle = sqlite3_column_int64(c->statement, 1);
    row->size = (size_t)sqlite3_column_int64(c->statement, 2);
    row->body = c->way < KEYS_FORWARD ? sql_column_span(c->statement, 3) : (struct span){"", 0};
    return NULL;
}

void store_sql_close_cursor(struct cursor *cursor)
{
    struct sql_cursor *c = (struct sql_cursor *)cursor;
    struct sql_cursor **idle = &sql_store_of(cursor->unit->store)->cursors[c->way];

    sqlite3_reset(c->statement);
    cursor->unit = NULL;
    c->idle = *idle;
    *idle = c;
}

void store_free_cursors(struct store *s)
{
    for (size_t way = 0; way < CURSOR_WAYS; way++)
        while (sql_store_of(s)->cursors[way]) {
            struct sql_cursor *c = sql_store_of(s)->cursors[way];

            sql_store_of(s)->cursors[way] = c->idle;
            sqlite3_finalize(c->statement);
            free(c);
        }
}
