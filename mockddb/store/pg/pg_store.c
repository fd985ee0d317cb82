/* Opening a store in PostgreSQL, its connection while it is open, and the process that has it. */
#include "store/pg/pg_store.h"

#include "base/log.h"
#include "store/pg/pg_schema.h"
#include "store/store_database.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define TRY_MS   50  /* between two attempts to connect, in one call */
#define TRIED_MS 250 /* while the database is down: between two attempts of all calls */
#define RENEW_MS 1000
#define WATCH_MS 200 /* between two looks at the row of a process that may be gone */

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
    int64_t now_ms = pg_connection_now_ms();

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
        now_ms = pg_connection_now_ms();
    } while (!p->is_down && now_ms < deadline_ms);
    if (!p->is_down)
        log_error("the database does not answer: %s", p->db.message);
    p->is_down = true;
    p->tried_ms = now_ms;
    return false;
}

bool pg_store_connect(struct pg_store *p, int64_t deadline_ms)
{
    return !p->is_taken && !p->store.is_outdated && (p->db.handle || connect_anew(p, deadline_ms));
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

const struct error *pg_store_read(struct pg_store *p, struct arena *a, const struct pg_values *v)
{
    int64_t deadline_ms = pg_connection_now_ms() + PG_CALL_MS;
    enum pg_outcome outcome = PG_LOST;

    pg_store_forget_rows(p);
    while ((outcome == PG_LOST || outcome == PG_AGAIN) && pg_connection_now_ms() < deadline_ms &&
           pg_store_connect(p, deadline_ms)) {
        pg_connection_send(&p->db, v);
        outcome = pg_connection_finish(&p->db, deadline_ms, &p->rows);
    }
    return outcome == PG_DONE ? NULL : pg_store_failed(p, a, "cannot read from the database");
}

/* --- the process that has the schema ---------------------------------------------------------- */

struct holder {
    int64_t epoch, unit, until;
    char host[300];
};

static const char *read_holder(struct pg_store *p, struct arena *a, struct holder *out)
{
    struct pg_values v = {.which = PG_PROCESS_GET};
    struct pg_result *row;
    const char *problem;

    pg_values_int4(&v, PG_SLOT);
    if ((problem = pg_schema_ask(a, &p->db, &v, &row)))
        return problem;
    *out = (struct holder){.epoch = -1};
    if (p->db.pq->tuples(row)) {
        struct span host = pg_connection_bytes(&p->db, row, 0, 3);

        out->epoch = pg_connection_number(&p->db, row, 0, 0);
        out->unit = pg_connection_number(&p->db, row, 0, 1);
        out->until = pg_connection_number(&p->db, row, 0, 2);
        (void)snprintf(out->host, sizeof out->host, "%.*s", SPAN_ARG(host));
    }
    p->db.pq->clear(row);
    return NULL;
}

/* "host, process 123": of this process. */
static void name_host(char *out, size_t size)
{
    char host[200] = "";

    (void)gethostname(host, sizeof host - 1);
    (void)snprintf(out, size, "%s, process %ld", host, (long)getpid());
}

/* Whether the holder is a process of this machine that has ended. */
static bool has_ended(const struct holder *h)
{
    static const char mark[] = ", process ";
    char own[300];
    const char *here = strstr(h->host, mark);
    size_t len = here ? (size_t)(here - h->host) : 0;
    long pid;

    name_host(own, sizeof own);
    if (!here || strncmp(own, h->host, len + strlen(mark)) != 0)
        return false;
    pid = strtol(here + strlen(mark), NULL, 10);
    return pid > 0 && (pid == getpid() || (kill((pid_t)pid, 0) && errno == ESRCH));
}

/* Waits until the row is free: given up, of a process that has ended, or unchanged for as long as
 * a lease. No clock but our own is used. */
static const char *wait_for_holder(struct pg_store *p, struct arena *a, struct holder *h)
{
    int64_t until_ms = pg_connection_now_ms() + PG_LEASE_MS;
    struct holder first;
    const char *problem;

    if ((problem = read_holder(p, a, h)))
        return problem;
    for (first = *h; h->epoch >= 0 && h->until && !has_ended(h);) {
        if (pg_connection_now_ms() >= until_ms)
            return NULL;
        pause_ms(WATCH_MS);
        if ((problem = read_holder(p, a, h)))
            return problem;
        if (h->epoch != first.epoch || h->unit != first.unit ||
            (h->until && h->until != first.until))
            return arena_printf(
                a,
                "the schema %s is used by another mockddb (%s): end that one first, "
                "or name another schema with ?schema=NAME",
                p->url.schema, h->host);
    }
    return NULL;
}

static int64_t lease_end_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + PG_LEASE_MS;
}

/* Takes the row from an earlier epoch. A transaction of that epoch that has not ended yet fails, or
 * is waited for. */
static const char *take_row(struct pg_store *p, struct arena *a, int64_t epoch)
{
    struct pg_values v = {.which = PG_PROCESS_TAKE};
    struct pg_result *row;
    const char *problem;
    char host[300];

    name_host(host, sizeof host);
    pg_values_int4(&v, PG_SLOT);
    pg_values_int8(&v, epoch);
    pg_values_int8(&v, lease_end_ms());
    pg_values_bytes(&v, span_of(host));
    if ((problem = pg_schema_ask(a, &p->db, &v, &row)))
        return problem;
    if (p->db.pq->tuples(row) == 1) {
        p->epoch = pg_connection_number(&p->db, row, 0, 0);
        p->version = p->unit = pg_connection_number(&p->db, row, 0, 1);
    } else {
        p->is_taken = true;
        problem = "another mockddb has just taken the schema";
    }
    p->db.pq->clear(row);
    return problem;
}

static const char *take_schema(struct pg_store *p, struct arena *a)
{
    struct pg_values v = {.which = PG_PROCESS_ADD};
    struct holder h;
    const char *problem;

    pg_values_int4(&v, PG_SLOT);
    if ((problem = pg_schema_ask(a, &p->db, &v, NULL)) || (problem = wait_for_holder(p, a, &h)))
        return problem;
    return take_row(p, a, h.epoch);
}

void pg_store_leave(struct pg_store *p)
{
    struct pg_values v = {.which = PG_PROCESS_LEAVE};

    if (!p->epoch || p->is_taken || !p->db.handle)
        return;
    pg_values_int4(&v, PG_SLOT);
    pg_values_int8(&v, p->epoch);
    pg_connection_send(&p->db, &v);
    (void)pg_connection_finish(&p->db, pg_connection_now_ms() + PG_CALL_MS, NULL);
}

int64_t pg_store_renew(struct store *s)
{
    struct pg_store *p = pg_store_of(s);
    struct pg_values v = {.which = PG_PROCESS_RENEW};

    if (pg_store_connect(p, pg_connection_now_ms() + PG_CALL_MS)) {
        pg_values_int4(&v, PG_SLOT);
        pg_values_int8(&v, p->epoch);
        pg_values_int8(&v, lease_end_ms());
        pg_connection_send(&p->db, &v);
        if (pg_connection_finish(&p->db, pg_connection_now_ms() + PG_CALL_MS, NULL) == PG_MISSED) {
            log_error("another mockddb has taken the schema %s: this one answers no request any "
                      "more",
                      p->url.schema);
            p->is_taken = true;
        }
    }
    return RENEW_MS;
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

/* --- what is in memory ------------------------------------------------------------------------ */

static const char *load_tables(struct pg_store *p, struct arena *a)
{
    struct pg_connection *c = &p->db;
    const char *problem = NULL;
    struct pg_result *rows;

    while (p->store.catalog.count)
        catalog_remove(
            NULL, &p->store.catalog,
            schema_id(a, p->store.catalog.tables[0]->region, p->store.catalog.tables[0]->name));
    if ((problem = pg_schema_ask(a, c, &(struct pg_values){.which = PG_TABLE_ALL}, &rows)))
        return problem;
    for (int i = 0; !problem && i < c->pq->tuples(rows); i++) {
        struct table *t = schema_decode(NULL, pg_connection_bytes(c, rows, i, 1));

        if (t)
            catalog_put(NULL, &p->store.catalog, t);
        else
            problem = arena_printf(a, "the schema %s is damaged: the description of table %.*s",
                                   p->url.schema, SPAN_ARG(pg_connection_bytes(c, rows, i, 0)));
    }
    c->pq->clear(rows);
    catalog_keep(&p->store.catalog);
    return problem;
}

static const char *load_counts(struct pg_store *p, struct arena *a)
{
    struct pg_connection *c = &p->db;
    struct pg_result *rows;
    const char *problem;

    spaces_free(&p->store.spaces);
    if ((problem = pg_schema_ask(a, c, &(struct pg_values){.which = PG_TALLY_ALL}, &rows)))
        return problem;
    for (int i = 0; i < c->pq->tuples(rows); i++) {
        struct space *space = spaces_get(NULL, &p->store.spaces,
                                         (uint32_t)pg_connection_number(c, rows, i, 0));

        space->now = (struct space_stats){.entries = pg_connection_number(c, rows, i, 1),
                                          .bytes = pg_connection_number(c, rows, i, 2),
                                          .spared = pg_connection_number(c, rows, i, 3)};
        space->kept = space->flushed = space->now;
    }
    c->pq->clear(rows);
    return NULL;
}

static const char *load_spaces(struct pg_store *p, struct arena *a)
{
    struct pg_connection *c = &p->db;
    struct pg_result *rows;
    const char *problem;

    free(p->parts);
    p->parts_count = 2 * (size_t)p->store.next_space;
    p->parts = process_zeroed(p->parts_count);
    if ((problem = pg_schema_ask(a, c, &(struct pg_values){.which = PG_SPACE_ALL}, &rows)))
        return problem;
    for (int i = 0; i < c->pq->tuples(rows); i++) {
        int64_t number = pg_connection_number(c, rows, i, 0);

        if (number >= KEY_FIRST_SPACE && number < p->store.next_space)
            p->parts[number] = (uint8_t)pg_connection_number(c, rows, i, 1);
    }
    c->pq->clear(rows);
    return NULL;
}

/* Loads tables and counts, in place of those in memory. */
static const char *load(struct pg_store *p, struct arena *a)
{
    struct pg_schema_meta meta;
    const char *problem;

    if ((problem = pg_schema_read(a, &p->db, &meta)))
        return problem;
    if (meta.next_space > (int64_t)STORE_LAST_SPACE + 1 || meta.number < 0)
        return arena_printf(a, "the schema %s is damaged: its numbers", p->url.schema);
    p->store.next_space = meta.next_space < KEY_FIRST_SPACE ? KEY_FIRST_SPACE
                                                            : (uint32_t)meta.next_space;
    p->number_reserved = (uint64_t)meta.number;
    if (p->store.number < p->number_reserved)
        p->store.number = p->number_reserved;
    p->store.may_have_doomed = true;
    if ((problem = load_tables(p, a)) || (problem = load_counts(p, a)))
        return problem;
    return load_spaces(p, a);
}

/* After a unit of which it is not known whether it was done: takes the row of `process` anew, so
 * that it cannot be done any more, and loads what it may have changed. */
void pg_store_refresh(struct store *s)
{
    struct pg_store *p = pg_store_of(s);
    struct arena *a = arena_new();
    const char *problem = NULL;

    if (!p->is_taken && (p->db.handle || connect_anew(p, pg_connection_now_ms() + PG_CALL_MS))) {
        if (!(problem = take_row(p, a, p->epoch)) && !(problem = load(p, a)))
            s->is_outdated = false;
        else
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
    if ((problem = pg_schema_read(a, &p->db, &meta)) || (problem = take_schema(p, a)))
        return problem;
    return load(p, a);
}

struct store *store_database_open(struct arena *a, const struct store_options *options,
                                  const char **problem)
{
    struct pg_store *p = process_zeroed(sizeof *p);

    p->store.engine = &pg_engine;
    p->store.in_database = true;
    p->arena = arena_new();
    p->work = arena_new();
    if (!(*problem = open_database(p, a, options)))
        return &p->store;
    *problem = arena_printf(a, "--store: %s", *problem);
    store_free(&p->store);
    return NULL;
}
