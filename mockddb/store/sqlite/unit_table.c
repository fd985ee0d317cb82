#include <assert.h>

#include "store/sqlite/store_core.h"

const struct error *unit_put_table(struct unit *u, struct table *t)
{
    struct store *s = u->store;
    sqlite3_stmt *statement = sql_statement(&s->db, SQL_TABLE_PUT);

    assert(u->writes);
    if (statement) {
        sql_bind_span(statement, 1, schema_id(u->arena, t->region, t->name));
        sql_bind_span(statement, 2, schema_encode(u->arena, t));
        if (sql_finish(statement) == SQLITE_OK) {
            catalog_put(u->arena, &s->catalog, t);
            arena_disown(t->arena);
            return NULL;
        }
    }
    return store_failed(s, u->arena, "cannot save a table's description");
}

const struct error *unit_remove_table(struct unit *u, struct span id)
{
    struct store *s = u->store;
    sqlite3_stmt *statement = sql_statement(&s->db, SQL_TABLE_DELETE);

    assert(u->writes);
    if (statement) {
        sql_bind_span(statement, 1, id);
        if (sql_finish(statement) == SQLITE_OK) {
            catalog_remove(u->arena, &s->catalog, id);
            return NULL;
        }
    }
    return store_failed(s, u->arena, "cannot remove a table's description");
}
