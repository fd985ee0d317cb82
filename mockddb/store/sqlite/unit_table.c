#include "store/sqlite/sql_store.h"

const struct error *store_sql_put_table(struct unit *u, const struct table *t, uint64_t *version)
{
    struct store *s = u->store;
    sqlite3_stmt *statement = sql_statement(sql_store_db(s), SQL_TABLE_PUT);

    (void)version;
    if (statement) {
        sql_bind_span(statement, 1, schema_id(u->arena, t->region, t->name));
        sql_bind_span(statement, 2, schema_encode(u->arena, t));
        if (sql_finish(statement) == SQLITE_OK)
            return NULL;
    }
    return store_failed(s, u->arena, "cannot save a table's description");
}

const struct error *store_sql_remove_table(struct unit *u, struct span id)
{
    struct store *s = u->store;
    sqlite3_stmt *statement = sql_statement(sql_store_db(s), SQL_TABLE_DELETE);

    if (statement) {
        sql_bind_span(statement, 1, id);
        if (sql_finish(statement) == SQLITE_OK)
            return NULL;
    }
    return store_failed(s, u->arena, "cannot remove a table's description");
}
