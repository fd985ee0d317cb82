#include "store/pg/pg_schema.h"

#include "base/clock.h"
#include "base/digest.h"
#include "model/schema.h"
#include "store/store_database.h"

#define CONNECT_MS 5000 /* at the start, or for a command */
#define ANSWER_MS  60000

static const char *describe_failure(struct arena *a, const struct pg_connection *c,
                                    const char *doing)
{
    static const struct {
        const char *sqlstate, *todo;
    } rows[] = {
        {"42501", ": the role lacks a right; GRANT USAGE ON SCHEMA, and SELECT, INSERT, UPDATE, "
                  "DELETE ON ALL TABLES IN SCHEMA, are needed (mockddb store needs CREATE)"},
        {"53300", ": max_connections of the database is reached"},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(c->sqlstate, rows[i].sqlstate) == 0)
            return arena_printf(a, "%s: %s%s", doing, c->message, rows[i].todo);
    return arena_printf(a, "%s: %s%s%s%s", doing, c->message, *c->sqlstate ? " (SQLSTATE " : "",
                        c->sqlstate, *c->sqlstate ? ")" : "");
}

const char *pg_schema_connect(struct arena *a, const struct pg_library *pq,
                              const struct pg_url *url, const char *commit, struct pg_connection *c)
{
    const char *todo = "";

    *c = (struct pg_connection){.pq = pq, .url = url, .commit = commit};
    if (pg_connection_open(c, clock_monotonic_ms() + CONNECT_MS))
        return NULL;
    if (strstr(c->message, "password") || strstr(c->message, "authentication"))
        todo = "; a password is taken from PGPASSWORD, or from the file that PGPASSFILE names";
    return arena_printf(a, "the database cannot be used: %s%s", c->message, todo);
}

const char *pg_schema_ask(struct arena *a, struct pg_connection *c, const struct pg_values *v,
                          struct pg_result **rows)
{
    pg_connection_send(c, v);
    if (pg_connection_finish(c, clock_monotonic_ms() + ANSWER_MS, rows) == PG_DONE)
        return NULL;
    return describe_failure(a, c, "the database refuses a statement");
}

/* Whether the schema has our tables, of whatever format; otherwise *others is a list of what it
 * has. */
static const char *list_tables(struct arena *a, struct pg_connection *c, bool *is_ours,
                               const char **others)
{
    static const char *const in_each_format[] = {"catalog", "entry", "meta", "process"};
    struct pg_values v = {.which = PG_SCHEMA_TABLES};
    struct buf list = buf_in(a);
    struct pg_result *rows;
    const char *problem;
    size_t ours = 0;

    pg_values_bytes(&v, span_of(c->url->schema));
    if ((problem = pg_schema_ask(a, c, &v, &rows)))
        return problem;
    for (int i = 0; i < c->pq->tuples(rows); i++) {
        struct span name = pg_connection_bytes(c, rows, i, 0);

        for (size_t j = 0; j < COUNT(in_each_format); j++)
            ours += span_is(name, in_each_format[j]);
        buf_add_text(&list, list.len ? ", " : "");
        buf_add_span(&list, name);
    }
    c->pq->clear(rows);
    *is_ours = ours == COUNT(in_each_format);
    *others = buf_text(&list);
    return NULL;
}

static void take_meta(const struct pg_connection *c, const struct pg_result *rows,
                      struct pg_schema_meta *out)
{
    const struct {
        const char *name;
        int64_t *value;
    } known[] = {{PG_META_FORMAT, &out->format},
                 {PG_META_SPACE, &out->next_space},
                 {PG_META_CONTROL, &out->control}};

    *out = (struct pg_schema_meta){0};
    for (int i = 0; i < c->pq->tuples(rows); i++)
        for (size_t j = 0; j < COUNT(known); j++)
            if (span_is(pg_connection_bytes(c, rows, i, 0), known[j].name))
                *known[j].value = pg_connection_number(c, rows, i, 1);
}

static const char *check_format(struct arena *a, const struct pg_connection *c, int64_t format)
{
    const char *schema = c->url->schema;

    if (format > PG_FORMAT)
        return arena_printf(a,
                            "the schema %s is of format %lld, and this mockddb knows formats up to "
                            "%d: use a newer mockddb",
                            schema, (long long)format, PG_FORMAT);
    if (!format)
        return arena_printf(a,
                            "the schema %s was not made whole: DROP SCHEMA %s CASCADE, and mockddb "
                            "store init URL makes it anew",
                            schema, schema);
    if (format < PG_FORMAT)
        return arena_printf(a,
                            "the schema %s is of format %lld, and this mockddb uses format %d: "
                            "mockddb store upgrade URL ends the server that uses it, and adds the "
                            "tables lease and shard and two columns; items stay as they are",
                            schema, (long long)format, PG_FORMAT);
    return NULL;
}

/* Reads meta of a schema that is ours, of whatever format. */
static const char *read_meta(struct arena *a, struct pg_connection *c, struct pg_schema_meta *out)
{
    struct pg_result *rows;
    const char *problem, *others;
    bool is_ours;

    *out = (struct pg_schema_meta){0};
    if ((problem = list_tables(a, c, &is_ours, &others)))
        return problem;
    if (!is_ours)
        return *others ? arena_printf(a,
                                      "the schema %s is not mockddb's, it has %s: name another one "
                                      "with ?schema=NAME",
                                      c->url->schema, others)
                       : arena_printf(a,
                                      "there is no schema %s of mockddb in this database, or the "
                                      "role may not see it: mockddb store init URL makes it",
                                      c->url->schema);
    if ((problem = pg_schema_ask(a, c, &(struct pg_values){.which = PG_META_ALL}, &rows)))
        return problem;
    take_meta(c, rows, out);
    c->pq->clear(rows);
    return NULL;
}

const char *pg_schema_read(struct arena *a, struct pg_connection *c, struct pg_schema_meta *out)
{
    const char *problem = read_meta(a, c, out);

    return problem ? problem : check_format(a, c, out->format);
}

/* --- mockddb store init ----------------------------------------------------------------------- */

static void send_meta(struct pg_connection *c, const char *name, int64_t value)
{
    struct pg_values v = {.which = PG_META_PUT};

    pg_values_bytes(&v, span_of(name));
    pg_values_int8(&v, value);
    pg_connection_send(c, &v);
}

/* A unit is statements without BEGIN and one Sync. An engine that keeps those before a failure
 * would leave half of a unit. */
static const char *check_atomicity(struct arena *a, struct pg_connection *c)
{
    struct pg_values gone = {.which = PG_META_REMOVE};
    enum pg_outcome outcome;
    struct pg_result *rows;
    const char *problem;
    bool kept = false;

    send_meta(c, "probe", 1);
    pg_connection_send(c, &(struct pg_values){.which = PG_FAIL});
    outcome = pg_connection_finish(c, clock_monotonic_ms() + ANSWER_MS, NULL);
    if (outcome != PG_MISSED)
        return describe_failure(a, c, "the database does not fail where it has to");
    if ((problem = pg_schema_ask(a, c, &(struct pg_values){.which = PG_META_ALL}, &rows)))
        return problem;
    for (int i = 0; i < c->pq->tuples(rows); i++)
        kept = kept || span_is(pg_connection_bytes(c, rows, i, 0), "probe");
    c->pq->clear(rows);
    if (!kept)
        return NULL;
    pg_values_bytes(&gone, SPAN_LIT("probe"));
    if ((problem = pg_schema_ask(a, c, &gone, NULL)))
        return problem;
    return "the database keeps statements that came before a failed one, so no unit would be whole";
}

static const char *make_schema(struct arena *a, struct pg_connection *c, struct buf *said)
{
    const char *problem;

    pg_connection_send_text(c,
                            arena_printf(a, "CREATE SCHEMA IF NOT EXISTS \"%s\"", c->url->schema));
    for (const char *const *text = pg_sql_schema; *text; text++)
        pg_connection_send_text(c, *text);
    for (const char *const *text = pg_sql_rows; *text; text++)
        pg_connection_send_text(c, *text);
    if (pg_connection_finish(c, clock_monotonic_ms() + ANSWER_MS, NULL) != PG_DONE)
        return describe_failure(a, c, "the schema cannot be made");
    pg_connection_send_text(c, pg_sql_compression);
    if (pg_connection_finish(c, clock_monotonic_ms() + ANSWER_MS, NULL) != PG_DONE)
        buf_add_text(said, "bodies are stored without lz4, which this database lacks\n");
    if ((problem = check_atomicity(a, c)))
        return problem;
    send_meta(c, PG_META_FORMAT, PG_FORMAT);
    if (pg_connection_finish(c, clock_monotonic_ms() + ANSWER_MS, NULL) != PG_DONE)
        return describe_failure(a, c, "the schema cannot be made");
    buf_printf(said, "made schema %s, format %d, with the tables", c->url->schema, PG_FORMAT);
    for (size_t i = 0; i < pg_sql_table_count; i++)
        buf_printf(said, "%s %s", i ? "," : "", pg_sql_tables[i]);
    buf_add_char(said, '\n');
    return NULL;
}

/* --- mockddb store upgrade -------------------------------------------------------------------- */

static const char *upgrade_schema(struct arena *a, struct pg_connection *c, struct buf *said)
{
    struct pg_schema_meta meta;
    const char *problem = read_meta(a, c, &meta);

    if (problem || !meta.format || meta.format > PG_FORMAT)
        return problem ? problem : check_format(a, c, meta.format);
    if (meta.format == PG_FORMAT) {
        buf_printf(said, "schema %s is of format %d already; nothing was changed\n", c->url->schema,
                   PG_FORMAT);
        return NULL;
    }
    for (const char *const *text = pg_sql_upgrade; *text; text++)
        pg_connection_send_text(c, *text);
    if (pg_connection_finish(c, clock_monotonic_ms() + ANSWER_MS, NULL) != PG_DONE)
        return describe_failure(a, c, "the schema cannot be changed, and is as it was");
    buf_printf(said, "schema %s was of format %lld, and is of format %d now\n", c->url->schema,
               (long long)meta.format, PG_FORMAT);
    return NULL;
}

/* --- commands --------------------------------------------------------------------------------- */

typedef const char *schema_work(struct arena *a, struct pg_connection *c, struct buf *said);

static const char *run_command(struct arena *a, const char *text, schema_work *work,
                               struct buf *said)
{
    struct pg_connection c = {.handle = NULL};
    const struct pg_library *pq;
    const char *problem;
    struct pg_url url;

    if (!(problem = pg_url_read(a, text, &url)) && (pq = pg_library_load(a, &problem)) &&
        !(problem = pg_schema_connect(a, pq, &url, "on", &c)))
        problem = work(a, &c, said);
    pg_connection_close(&c);
    return problem;
}

static const char *make_or_check(struct arena *a, struct pg_connection *c, struct buf *said)
{
    struct pg_schema_meta meta;
    const char *problem, *others;
    bool is_ours;

    if ((problem = list_tables(a, c, &is_ours, &others)))
        return problem;
    if (!is_ours && !*others)
        return make_schema(a, c, said);
    if (!(problem = pg_schema_read(a, c, &meta)))
        buf_printf(said, "schema %s of format %lld is there already; nothing was changed\n",
                   c->url->schema, (long long)meta.format);
    return problem;
}

const char *store_database_upgrade(struct arena *a, const char *url, struct buf *said)
{
    return run_command(a, url, upgrade_schema, said);
}

const char *store_database_init(struct arena *a, const char *url, struct buf *said)
{
    return run_command(a, url, make_or_check, said);
}

/* The processes whose rows are not given up. */
static const char *show_processes(struct arena *a, struct pg_connection *c, struct buf *said)
{
    struct pg_result *rows;
    const char *problem;
    int shown = 0;

    if ((problem = pg_schema_ask(a, c, &(struct pg_values){.which = PG_PROCESS_ALL}, &rows)))
        return problem;
    for (int i = 0; i < c->pq->tuples(rows); i++) {
        if (!pg_connection_number(c, rows, i, 2))
            continue;
        buf_printf(said, "process: %.*s%s, until %s%s\n",
                   SPAN_ARG(pg_connection_bytes(c, rows, i, 3)),
                   pg_connection_number(c, rows, i, 5) ? ", does the jobs" : "",
                   clock_iso_time(a, pg_connection_number(c, rows, i, 2)),
                   pg_connection_number(c, rows, i, 4) ? ": over" : "");
        shown++;
    }
    c->pq->clear(rows);
    if (!shown)
        buf_add_text(said, "process: none\n");
    return NULL;
}

static const char *show_sizes(struct arena *a, struct pg_connection *c, struct buf *said)
{
    struct pg_values since = {.which = PG_TABLE_SINCE};
    int64_t tables = 0, spaces, entries = 0, bytes = 0;
    struct pg_result *rows;
    const char *problem;

    pg_values_int8(&since, 0);
    if ((problem = pg_schema_ask(a, c, &since, &rows)))
        return problem;
    for (int i = 0; i < c->pq->tuples(rows); i++)
        tables += pg_connection_bytes(c, rows, i, 2).len > 0;
    c->pq->clear(rows);
    buf_printf(said, "tables: %lld\n", (long long)tables);
    if ((problem = pg_schema_ask(a, c, &(struct pg_values){.which = PG_TALLY_ALL}, &rows)))
        return problem;
    spaces = c->pq->tuples(rows);
    for (int i = 0; i < spaces; i++) {
        entries += pg_connection_number(c, rows, i, 1);
        bytes += pg_connection_number(c, rows, i, 2);
    }
    c->pq->clear(rows);
    buf_printf(said, "entries, those of indexes and streams included: %lld of %lld bytes\n",
               (long long)entries, (long long)bytes);
    return NULL;
}

static const char *show_status(struct arena *a, struct pg_connection *c, struct buf *said)
{
    struct pg_schema_meta meta;
    const char *problem = pg_schema_read(a, c, &meta);

    if (problem)
        return problem;
    buf_printf(said, "schema: %s, format %lld\n", c->url->schema, (long long)meta.format);
    return (problem = show_sizes(a, c, said)) ? problem : show_processes(a, c, said);
}

const char *store_database_status(struct arena *a, const char *url, struct buf *said)
{
    return run_command(a, url, show_status, said);
}

/* --- views ------------------------------------------------------------------------------------ */

#define LONGEST_NAME 63 /* bytes of a name in PostgreSQL */

/* A name in the database: table_NAME, in other regions table_REGION_NAME. One that is too long is
 * cut, with the beginning of its SHA-256 at its end. */
static const char *view_name(struct arena *a, const struct table *t)
{
    struct buf name = buf_in(a);
    unsigned char digest[SHA256_LEN];

    buf_add_text(&name, "table_");
    buf_add_span(&name, t->region);
    buf_add_text(&name, t->region.len ? "_" : "");
    buf_add_span(&name, t->name);
    if (name.len > LONGEST_NAME) {
        digest_sha256(buf_span(&name), digest);
        name.len = LONGEST_NAME - 9;
        buf_add_char(&name, '_');
        buf_add_hex(&name, digest, 4);
    }
    return buf_text(&name);
}

static const char *make_views(struct arena *a, struct pg_connection *c, struct buf *said)
{
    struct pg_values since = {.which = PG_TABLE_SINCE};
    struct pg_schema_meta meta;
    struct pg_result *rows;
    const char *problem = pg_schema_read(a, c, &meta);

    pg_values_int8(&since, 0);
    if (problem || (problem = pg_schema_ask(a, c, &since, &rows)))
        return problem;
    for (int i = 0; i < c->pq->tuples(rows); i++) {
        struct table *t = schema_decode(NULL, pg_connection_bytes(c, rows, i, 2));
        const char *name = t ? view_name(a, t) : NULL;

        if (!t)
            continue;
        pg_connection_send_text(c, arena_printf(a, PG_SQL_VIEW, name, (unsigned)t->space));
        buf_printf(said, "view %s\n", name);
        schema_free(t);
    }
    c->pq->clear(rows);
    if (pg_connection_finish(c, clock_monotonic_ms() + ANSWER_MS, NULL) != PG_DONE)
        return describe_failure(a, c, "the views cannot be made");
    return NULL;
}

const char *store_database_views(struct arena *a, const char *url, struct buf *said)
{
    return run_command(a, url, make_views, said);
}
