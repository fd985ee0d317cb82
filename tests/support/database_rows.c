#include "support/database_rows.h"

#include "store/pg/pg_schema.h"

#define ANSWER_MS    60000
#define UNTIL_VACUUM 100 /* deletions, after which rows that are gone cost more than vacuuming */

static struct arena *texts; /* NULL: not connected */
static struct pg_url where;
static struct pg_connection connection, of_stores;

/* --- a connection that is used by one store after another --------------------------------------
 */

static struct pg_library own; /* libpq's functions */
static struct pg_conn *kept;

static struct pg_conn *connect_start(const char *const *names, const char *const *values,
                                     int expand)
{
    struct pg_conn *c = kept;

    kept = NULL;
    return c ? c : own.connect_start(names, values, expand);
}

static int connect_poll(struct pg_conn *c)
{
    return own.status(c) == PG_CONNECTION_OK ? PG_POLLING_OK : own.connect_poll(c);
}

/* Forgets what the store has prepared; false: the connection is not as it was. */
static bool clean_up(struct pg_conn *c)
{
    bool done = own.status(c) == PG_CONNECTION_OK &&
                own.send_params(c, "DEALLOCATE ALL", 0, NULL, NULL, NULL, NULL, 1) == 1 &&
                own.pipeline_sync(c) == 1;
    struct pg_result *r;
    int status = 0, missing = 0;

    while (done && status != PG_PIPELINE_SYNC && missing < 2) {
        r = own.get_result(c); /* waits */
        missing = r ? 0 : missing + 1;
        status = r ? own.result_status(r) : 0;
        done = !r || status == PG_COMMAND_OK || status == PG_PIPELINE_SYNC;
        own.clear(r);
    }
    return done && status == PG_PIPELINE_SYNC;
}

static void finish(struct pg_conn *c)
{
    if (kept || !clean_up(c))
        own.finish(c);
    else
        kept = c;
}

/* A connection costs the database more than most cases do. */
static void keep_connection(const struct pg_library *library)
{
    struct pg_library *used = (struct pg_library *)(uintptr_t)library;

    own = *library;
    used->connect_start = connect_start;
    used->connect_poll = connect_poll;
    used->finish = finish;
}

/* --- rows --------------------------------------------------------------------------------------
 */

static const char *connect_to(const char *url)
{
    const struct pg_library *pq;
    const char *problem;

    texts = arena_new();
    if ((problem = pg_url_read(texts, url, &where)))
        return problem;
    if (!(pq = pg_library_load(texts, &problem)))
        return problem;
    keep_connection(pq);
    if ((problem = pg_schema_connect(texts, pq, &where, "off", &connection)) ||
        (problem = pg_schema_connect(texts, pq, &where, "off", &of_stores)))
        return problem;
    pg_connection_close(&of_stores);
    return NULL;
}

static const char *send_all(void)
{
    return pg_connection_finish(&connection, clock_monotonic_ms() + ANSWER_MS, NULL) == PG_DONE
               ? NULL
               : connection.message;
}

const char *database_rows_delete(const char *url)
{
    static unsigned times;
    const char *problem;

    if (!texts && (problem = connect_to(url)))
        return problem;
    if (++times % UNTIL_VACUUM == 0) {
        pg_connection_send_text(&connection, "VACUUM");
        if ((problem = send_all()))
            return problem;
    }
    for (size_t i = 0; i < pg_sql_table_count; i++)
        pg_connection_send_text(&connection,
                                arena_printf(texts, "DELETE FROM %s%s", pg_sql_tables[i],
                                             strcmp(pg_sql_tables[i], "meta") == 0
                                                 ? " WHERE name <> '" PG_META_FORMAT "'"
                                                 : ""));
    for (const char *const *text = pg_sql_rows; *text; text++)
        pg_connection_send_text(&connection, *text);
    return send_all();
}

void database_rows_end(void)
{
    if (!texts)
        return;
    pg_connection_close(&connection);
    if (kept)
        own.finish(kept);
    kept = NULL;
    arena_free(texts);
    texts = NULL;
}
