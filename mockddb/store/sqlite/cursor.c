#include "store/sqlite/store_core.h"

#include <stdlib.h>

/* Has its own statement, so that several can be open. */
struct cursor {
    sqlite3_stmt *statement;
    enum cursor_way way;
    bool open;
    bool ended;          /* another step would start again */
    struct unit *unit;   /* that opened it */
    struct cursor *next; /* in the list of the unit's open cursors, or of idle ones */
};

static const enum sql statements[CURSOR_WAYS] = {
    [CURSOR_FORWARD] = SQL_RANGE_FORWARD,
    [CURSOR_BACKWARD] = SQL_RANGE_BACKWARD,
    [KEYS_FORWARD] = SQL_KEYS_FORWARD,
    [KEYS_BACKWARD] = SQL_KEYS_BACKWARD,
};

/* Returns an idle cursor, or a new one; its statement is NULL if it cannot be prepared. */
static struct cursor *take_cursor(struct unit *u, enum cursor_way way)
{
    struct cursor *c = u->store->cursors[way];

    if (c)
        u->store->cursors[way] = c->next;
    else if (!(c = calloc(1, sizeof *c)))
        arena_out_of_memory(u->arena);
    if (!c->statement)
        c->statement = sql_prepare(&u->store->db, statements[way]);
    c->way = way;
    return c;
}

struct cursor *cursor_open(struct unit *u, struct store_range range)
{
    struct span low = arena_span(u->arena, range.low), high = arena_span(u->arena, range.high);
    struct cursor *c = take_cursor(u, (range.keys_only ? KEYS_FORWARD : CURSOR_FORWARD) +
                                          range.backwards);

    if (c->statement) {
        sql_bind_span(c->statement, 1, low);
        sql_bind_span(c->statement, 2, high);
    }
    c->open = true;
    c->ended = false;
    c->unit = u;
    c->next = u->cursors;
    u->cursors = c;
    return c;
}

#define STEPS_OF_ROW 30 /* SQLite's work for the next row */

const struct error *cursor_next(struct cursor *c, struct store_row *row)
{
    int result;

    arena_charge(c->unit->arena, STEPS_OF_ROW);
    result = c->ended ? SQLITE_DONE : sqlite3_step(c->statement); /* of NULL: SQLITE_MISUSE */
    row->found = result == SQLITE_ROW;
    if (!row->found) {
        c->ended = true;
        if (result == SQLITE_DONE)
            return NULL;
        sqlite3_reset(c->statement);
        return store_failed(c->unit->store, c->unit->arena, "cannot read a range");
    }
    row->key = sql_column_span(c->statement, 0);
    row->handle = sqlite3_column_int64(c->statement, 1);
    row->size = (size_t)sqlite3_column_int64(c->statement, 2);
    row->body = c->way < KEYS_FORWARD ? sql_column_span(c->statement, 3) : (struct span){"", 0};
    return NULL;
}

void cursor_close(struct cursor *c)
{
    struct cursor **at, **idle;

    if (!c || !c->open)
        return;
    for (at = &c->unit->cursors; *at != c; at = &(*at)->next)
        ;
    *at = c->next;
    sqlite3_reset(c->statement);
    c->open = false;
    idle = &c->unit->store->cursors[c->way];
    c->next = *idle;
    *idle = c;
}

void store_free_cursors(struct store *s)
{
    for (size_t way = 0; way < CURSOR_WAYS; way++)
        while (s->cursors[way]) {
            struct cursor *c = s->cursors[way];

            s->cursors[way] = c->next;
            sqlite3_finalize(c->statement);
            free(c);
        }
}
