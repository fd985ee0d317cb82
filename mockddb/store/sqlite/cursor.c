#include <assert.h>

#include "store/sqlite/store_core.h"

const struct error *store_cursor_open(struct store *s, struct arena *a,
                                      const struct store_range *range, struct store_cursor **out)
{
    static const enum sql statements[2][2] = {{SQL_RANGE_FORWARD, SQL_RANGE_BACKWARD},
                                              {SQL_KEYS_FORWARD, SQL_KEYS_BACKWARD}};
    sqlite3_stmt *statement;

    assert(!s->cursor.statement);
    statement = sql_statement(&s->db, statements[range->keys_only][range->backwards]);
    if (!statement)
        return store_failed(s, a, "cannot read a range");
    sql_bind_span(statement, 1, arena_span(a, range->low));
    sql_bind_span(statement, 2, arena_span(a, range->high));
    s->cursor = (struct store_cursor){
        .store = s, .arena = a, .statement = statement, .keys_only = range->keys_only};
    *out = &s->cursor;
    return NULL;
}

const struct error *store_cursor_next(struct store_cursor *c, struct store_row *row, bool *found)
{
    int result = c->statement ? sqlite3_step(c->statement) : SQLITE_DONE;

    *found = result == SQLITE_ROW;
    if (!*found) {
        store_cursor_close(c); /* another step would begin anew */
        return result == SQLITE_DONE ? NULL
                                     : store_failed(c->store, c->arena, "cannot read a range");
    }
    row->key = sql_column_span(c->statement, 0);
    row->id = sqlite3_column_int64(c->statement, 1);
    row->size = (size_t)sqlite3_column_int64(c->statement, 2);
    row->body = c->keys_only ? (struct span){"", 0} : sql_column_span(c->statement, 3);
    return NULL;
}

void store_cursor_close(struct store_cursor *c)
{
    if (!c || !c->statement)
        return;
    sqlite3_reset(c->statement);
    c->statement = NULL;
}
