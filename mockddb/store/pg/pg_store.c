/* Opening a store in PostgreSQL, its connection while it is open, and the tables in memory. */
#include "store/pg/pg_store.h"

#include "base/log.h"
#include "store/pg/pg_schema.h"
#include "store/store_database.h"

#include <stdlib.h>
#include <time.h>

#define TRY_MS   50  /* between two attempts to connect, in one call */
#define TRIED_MS 250 /* while the database is down: between two attempts of all calls */

static void pause_ms(long ms)
{
    struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    (void)nanosleep(&pause, NULL);
}

/* --- the connection --------------------------------------------------------------------------- */

/* A call waits for the database once. After that it is down, and calls fail at once until an
 * attempt to connect succeeds. */
static bool connect_anew(struct pg_store *p, int64_t deadline_ms)
{
    int64_t now_ms = clock_monotonic_ms();

    if (p->is_down && now_ms - p->tried_ms < TRIED_MS)
        return false;
    do {
        if (pg_connection_open(&p->db, p->is_down ? now_ms + TRIED_MS : deadline_ms)) {
            if (p->is_down)
                log_error("the database answers again");
            p->is_down = false;
            return true;
        }
        if (!p->is_down)
            pause_ms(TRY_MS);
        now_ms = clock_monotonic_ms();
    } while (!p->is_down && now_ms < deadline_ms);
    if (!p->is_down)
        log_error("the database does not answer: %s", p->db.message);
    p->is_down = true;
    p->tried_ms = now_ms;
    return false;
}

bool pg_store_connect(struct pg_store *p, int64_t deadline_ms)
{
    return !p->is_ended && !p->is_unsure && (p->db.handle || connect_anew(p, deadline_ms));
}

const struct error *pg_store_failed(struct pg_store *p, struct arena *a, const char *doing)
{
    if (!p->is_down)
        log_error("%s: %s%s%s%s", doing, p->db.message, *p->db.sqlstate ? " (SQLSTATE " : "",
                  p->db.sqlstate, *p->db.sqlstate ? ")" : "");
    return error_internal(a);
}

void pg_store_forget_rows(struct pg_store *p)
{
    if (p->rows)
        p->db.pq->clear(p->rows);
    p->rows = NULL;
}

/* The first statement of a call that reads also asks whether the tables in memory are right. */
static enum pg_outcome read_once(struct pg_store *p, const struct pg_values *v, int64_t deadline_ms)
{
    struct pg_values control = {.which = PG_CONTROL_IS};

    if (!p->store.is_current && !(v && v->which == PG_GET)) { /* which brings it along */
        pg_values_int8(&control, p->control);
        pg_connection_send(&p->db, &control);
    }
    if (v)
        pg_connection_send(&p->db, v);
    return pg_connection_finish(&p->db, deadline_ms, v ? &p->rows : NULL);
}

/* Tables were changed by another process: the call in `a` begins again, if it can. */
static void note_change(struct pg_store *p, struct arena *a)
{
    p->store.is_outdated = true;
    p->store.is_current = true; /* who cannot begin again, reads with the tables that there are */
    arena_run_again(a);
}

static bool has_changed(const struct pg_store *p, const struct pg_values *v,
                        enum pg_outcome outcome)
{
    if (v && v->which == PG_GET)
        return outcome == PG_DONE && pg_connection_number(&p->db, p->rows, 0, 0) != p->control;
    return outcome == PG_MISSED;
}

void pg_store_unlock(struct pg_store *p)
{
    if (!p->has_lock)
        return;
    p->has_lock = false;
    if (!p->db.handle)
        return;
    pg_connection_send(&p->db, &(struct pg_values){.which = PG_ROLLBACK});
    (void)pg_connection_finish(&p->db, clock_monotonic_ms() + PG_CALL_MS, NULL);
}

const struct error *pg_store_read(struct pg_store *p, struct arena *a, const struct pg_values *v)
{
    int64_t deadline_ms = clock_monotonic_ms() + PG_CALL_MS;
    enum pg_outcome outcome = PG_LOST;

    pg_store_forget_rows(p);
    while ((outcome == PG_LOST || outcome == PG_AGAIN) && clock_monotonic_ms() < deadline_ms &&
           pg_store_connect(p, deadline_ms)) {
        outcome = read_once(p, v, deadline_ms);
        if (outcome !=
            PG_DONE) /* the transaction has failed as a whole; the lock only saves tries */
            pg_store_unlock(p);
        if (!p->store.is_current && has_changed(p, v, outcome)) {
            pg_store_forget_rows(p);
            note_change(p, a);
            outcome = PG_AGAIN;
        }
    }
    p->store.is_current = p->store.is_current || outcome == PG_DONE;
    return outcome == PG_DONE ? NULL : pg_store_failed(p, a, "cannot read from the database");
}

const struct error *pg_store_confirm(struct store *s, struct arena *a)
{
    return pg_store_read(pg_store_of(s), a, NULL);
}

bool pg_store_answers(struct store *s)
{
    struct pg_store *p = pg_store_of(s);
    struct arena *a = arena_new();
    bool answers = !pg_store_read(p, a, &(struct pg_values){.which = PG_VERSION});

    pg_store_forget_rows(p);
    arena_free(a);
    return answers;
}

/* --- versions --------------------------------------------------------------------------------- */

#define EPOCH_2024_S 1704067200 /* versions count from 2024 … */
#define VERSION_BITS 10         /* … in microseconds; below them is the process's slot */

/* Versions never come back and grow: they follow the clock, and each other where it does not. */
int64_t pg_store_next_version(struct pg_store *p)
{
    int64_t next = (p->version >> VERSION_BITS) + 1, us;
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    us = ((int64_t)now.tv_sec - EPOCH_2024_S) * 1000000 + now.tv_nsec / 1000;
    p->version = (us > next ? us : next) << VERSION_BITS | p->slot;
    return p->version;
}

void pg_store_note_version(struct pg_store *p, int64_t version)
{
    if (p->version < version)
        p->version = version;
}

/* --- what is in memory ------------------------------------------------------------------------ */

static const char *load_meta(struct pg_store *p, struct arena *a, struct pg_schema_meta *meta)
{
    const char *problem = pg_schema_read(a, &p->db, meta);

    if (problem)
        return problem;
    if (meta->next_space > (int64_t)STORE_LAST_SPACE + 1 || meta->control <= 0)
        return arena_printf(a, "the schema %s is damaged: its numbers", p->url.schema);
    if (meta->next_space < KEY_FIRST_SPACE)
        meta->next_space = KEY_FIRST_SPACE;
    pg_store_note_version(p, meta->control);
    return NULL;
}

static const char *take_table(struct pg_store *p, struct arena *a, const struct pg_result *rows,
                              int row)
{
    struct span id = pg_connection_bytes(&p->db, rows, row, 0);
    struct span body = pg_connection_bytes(&p->db, rows, row, 2);
    struct table *t;

    if (!body.len) {
        catalog_remove(NULL, &p->store.catalog, id);
        return NULL;
    }
    if (!(t = schema_decode(NULL, body)))
        return arena_printf(a, "the schema %s is damaged: the description of table %.*s",
                            p->url.schema, SPAN_ARG(id));
    catalog_put(NULL, &p->store.catalog, t, (uint64_t)pg_connection_number(&p->db, rows, row, 1));
    return NULL;
}

static const char *load_tables(struct pg_store *p, struct arena *a)
{
    struct pg_values v = {.which = PG_TABLE_SINCE};
    const char *problem = NULL;
    struct pg_result *rows;

    pg_values_int8(&v, p->control);
    if ((problem = pg_schema_ask(a, &p->db, &v, &rows)))
        return problem;
    for (int i = 0; !problem && i < p->db.pq->tuples(rows); i++)
        problem = take_table(p, a, rows, i);
    p->db.pq->clear(rows);
    catalog_keep(&p->store.catalog);
    return problem;
}

/* After the tables, whose spaces must be known. */
static const char *load_spaces(struct pg_store *p, struct arena *a)
{
    struct pg_values v = {.which = PG_SPACE_SINCE};
    struct pg_result *rows;
    const char *problem;
    int count;

    pg_values_int4(&v, p->known_spaces);
    if ((problem = pg_schema_ask(a, &p->db, &v, &rows)))
        return problem;
    count = p->db.pq->tuples(rows);
    for (int i = 0; i < count; i++)
        pg_store_note_space(p, NULL, (uint32_t)pg_connection_number(&p->db, rows, i, 0),
                            (unsigned)pg_connection_number(&p->db, rows, i, 1));
    p->db.pq->clear(rows);
    return NULL;
}

void pg_store_note_space(struct pg_store *p, struct arena *a, uint32_t number, unsigned parts)
{
    const size_t known = p->parts_count;

    p->parts = arena_kept_room(a, p->parts, (size_t)number + 1, &p->parts_count, 1);
    memset(p->parts + known, 0, p->parts_count - known);
    p->parts[number] = (uint8_t)parts;
}

/* Loads what has changed in tables and spaces. `control` is read first, so what changes meanwhile
 * is loaded again. */
static const char *load(struct pg_store *p, struct arena *a)
{
    struct pg_schema_meta meta;
    const char *problem;

    if ((problem = load_meta(p, a, &meta)) || (problem = load_tables(p, a)) ||
        (problem = load_spaces(p, a)) || (problem = pg_copy_load(p, a)))
        return problem;
    p->control = meta.control;
    p->store.next_space = p->known_spaces = (uint32_t)meta.next_space;
    p->store.may_have_doomed = true;
    return NULL;
}

/* After a unit of which it is not known whether it was done: takes the row of `process` anew, so
 * that it cannot be done any more. */
void pg_store_refresh(struct store *s)
{
    struct pg_store *p = pg_store_of(s);
    struct arena *a = arena_new();
    const char *problem = NULL;

    if (p->db.handle || connect_anew(p, clock_monotonic_ms() + PG_CALL_MS)) {
        if (p->is_unsure || p->is_ended)
            problem = pg_process_take(p, a);
        if (!problem)
            p->is_unsure = false;
        if (!problem && !(problem = load(p, a)))
            s->is_outdated = false;
        if (problem)
            log_error("%s", problem);
        p->kept++;
    }
    arena_free(a);
}

/* --- opening ---------------------------------------------------------------------------------- */

static const char *open_database(struct pg_store *p, struct arena *a,
                                 const struct store_options *options)
{
    const struct pg_library *pq;
    struct pg_schema_meta meta;
    const char *problem;

    if ((problem = pg_url_read(p->arena, options->url, &p->url)))
        return problem;
    if (!(pq = pg_library_load(a, &problem)) ||
        (problem = pg_schema_connect(a, pq, &p->url, options->sync == STORE_SYNC_OFF ? "off" : "on",
                                     &p->db)))
        return problem;
    if ((problem = pg_schema_read(a, &p->db, &meta)) ||
        (!options->read_only && (problem = pg_process_take(p, a))) || (problem = load(p, a)))
        return problem;
    (void)pg_process_renew(&p->store);
    return NULL;
}

struct store *store_database_open(struct arena *a, const struct store_options *options,
                                  const char **problem)
{
    struct pg_store *p = process_zeroed(sizeof *p);

    p->store.engine = &pg_engine;
    p->store.in_database = true;
    p->wants_jobs = !options->no_jobs;
    p->arena = arena_new();
    p->work = arena_new();
    if (!(*problem = open_database(p, a, options)))
        return &p->store;
    *problem = arena_printf(a, "--store: %s", *problem);
    store_free(&p->store);
    return NULL;
}
