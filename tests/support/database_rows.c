#include "support/database_rows.h"

#include "store/pg/pg_schema.h"

#define ANSWER_MS 60000

static struct arena *texts; /* NULL: not connected */
static struct pg_url where;
static struct pg_connection connection;

static const char *connect_to(const char *url)
{
    const struct pg_library *pq;
    const char *problem;

    texts = arena_new();
    if ((problem = pg_url_read(texts, url, &where)))
        return problem;
    return (pq = pg_library_load(texts, &problem))
               ? pg_schema_connect(texts, pq, &where, "off", &connection)
               : problem;
}

const char *database_rows_delete(const char *url)
{
    const char *problem;

    if (!texts && (problem = connect_to(url)))
        return problem;
    for (size_t i = 0; i < pg_sql_table_count; i++)
        pg_connection_send_text(&connection,
                                arena_printf(texts, "DELETE FROM %s%s", pg_sql_tables[i],
                                             strcmp(pg_sql_tables[i], "meta") == 0
                                                 ? " WHERE name <> '" PG_META_FORMAT "'"
                                                 : ""));
    for (const char *const *text = pg_sql_rows; *text; text++)
        pg_connection_send_text(&connection, *text);
    return pg_connection_finish(&connection, clock_monotonic_ms() + ANSWER_MS, NULL) == PG_DONE
               ? NULL
               : connection.message;
}

void database_rows_end(void)
{
    if (!texts)
        return;
    pg_connection_close(&connection);
    arena_free(texts);
    texts = NULL;
}
