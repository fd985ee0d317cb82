/* The processes that write a schema: each one's row, and which of them does the jobs. */
#include "store/pg/pg_store.h"

#include "base/log.h"
#include "store/pg/pg_schema.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_SLOTS 1024 /* versions have ten bits for the slot */
#define RENEW_MS   1000
#define OWN_LESS_MS                                                              \
    1000 /* the jobs' lease is given up this long before it ends in the database \
          */

/* "host, process 123": of this process. */
static void name_host(char *out, size_t size)
{
    char host[200] = "";

    (void)gethostname(host, sizeof host - 1);
    (void)snprintf(out, size, "%s, process %ld", host, (long)getpid());
}

/* Whether a row's process is one of this machine that has ended. */
static bool has_ended(const char *name)
{
    static const char mark[] = ", process ";
    char own[300];
    const char *here = strstr(name, mark);
    size_t len = here ? (size_t)(here - name) : 0;
    long pid;

    name_host(own, sizeof own);
    if (!here || strncmp(own, name, len + strlen(mark)) != 0)
        return false;
    pid = strtol(here + strlen(mark), NULL, 10);
    return pid > 0 && (pid == getpid() || (kill((pid_t)pid, 0) && errno == ESRCH));
}

/* Whether the nth row can be taken: it was given up, not renewed in time, or its process has ended.
 */
static bool is_free(const struct pg_store *p, struct arena *a, const struct pg_result *rows, int n)
{
    struct span host = pg_connection_bytes(&p->db, rows, n, 3);

    return !pg_connection_number(&p->db, rows, n, 2) || pg_connection_number(&p->db, rows, n, 4) ||
           has_ended(arena_printf(a, "%.*s", SPAN_ARG(host)));
}

/* Finds a free row, or adds one. `epoch` < 0: another process has just added it. */
static const char *find_row(struct pg_store *p, struct arena *a, int64_t *slot, int64_t *epoch)
{
    struct pg_values v = {.which = PG_PROCESS_ADD};
    struct pg_result *rows;
    const char *problem;
    int count;

    if ((problem = pg_schema_ask(a, &p->db, &(struct pg_values){.which = PG_PROCESS_ALL}, &rows)))
        return problem;
    *slot = 0;
    *epoch = -1;
    count = p->db.pq->tuples(rows);
    for (int i = 0; i < count && *epoch < 0; i++) {
        if (is_free(p, a, rows, i))
            *epoch = pg_connection_number(&p->db, rows, i, 1);
        *slot = pg_connection_number(&p->db, rows, i, 0) + (*epoch < 0);
    }
    p->db.pq->clear(rows);
    if (*epoch >= 0)
        return NULL;
    if (*slot >= MOST_SLOTS)
        return arena_printf(a, "%d servers use the schema %s, no more can", MOST_SLOTS,
                            p->url.schema);
    pg_values_int4(&v, *slot);
    return pg_schema_ask(a, &p->db, &v, NULL);
}

/* A transaction of that row's earlier epoch that has not ended yet fails, or is waited for. */
static const char *take_row(struct pg_store *p, struct arena *a, int64_t slot, int64_t epoch,
                            bool *taken)
{
    struct pg_values v = {.which = PG_PROCESS_TAKE}, given_up = {.which = PG_LEASE_LEAVE};
    struct pg_result *row;
    const char *problem;
    char host[300];

    name_host(host, sizeof host);
    pg_values_int4(&v, slot);
    pg_values_int8(&v, epoch);
    pg_values_bytes(&v, span_of(host));
    /* A unit for which it matters that there was no such process is not kept then. */
    pg_connection_send(&p->db, &(struct pg_values){.which = PG_CONTROL_RAISE});
    if ((problem = pg_schema_ask(a, &p->db, &v, &row)))
        return problem;
    *taken = p->db.pq->tuples(row) == 1;
    if (*taken) {
        p->slot = slot;
        p->epoch = pg_connection_number(&p->db, row, 0, 0);
        p->unit = pg_connection_number(&p->db, row, 0, 1);
        pg_store_note_version(p, p->unit);
    }
    p->db.pq->clear(row);
    if (!*taken)
        return NULL;
    pg_values_int4(&given_up, slot);
    pg_values_int8(&given_up, epoch);
    return pg_schema_ask(a, &p->db, &given_up, NULL);
}

const char *pg_process_take(struct pg_store *p, struct arena *a)
{
    int64_t slot = p->slot, epoch = p->epoch;
    const char *problem = NULL;
    bool taken = false;

    p->owns_until_ms = 0;
    while (!problem && !taken) {
        if ((p->is_ended || !p->epoch) && (problem = find_row(p, a, &slot, &epoch)))
            break;
        if (epoch >= 0)
            problem = take_row(p, a, slot, epoch, &taken);
        p->is_ended = p->is_ended || !taken;
    }
    if (!problem)
        p->is_ended = false;
    return problem;
}

static void add_row(struct pg_values *v, const struct pg_store *p)
{
    pg_values_int4(v, p->slot);
    pg_values_int8(v, p->epoch);
}

void pg_process_leave(struct pg_store *p)
{
    struct pg_values lease = {.which = PG_LEASE_LEAVE}, row = {.which = PG_PROCESS_LEAVE};

    if (!p->epoch || p->is_ended || !p->db.handle)
        return;
    add_row(&lease, p);
    add_row(&row, p);
    pg_connection_send(&p->db, &lease);
    pg_connection_send(&p->db, &row);
    (void)pg_connection_finish(&p->db, clock_monotonic_ms() + PG_CALL_MS, NULL);
}

enum pg_outcome pg_process_look(struct pg_store *p, int64_t deadline_ms)
{
    struct pg_values v = {.which = PG_PROCESS_GET};
    struct pg_result *row = NULL;
    enum pg_outcome outcome;
    int64_t unit = 0;

    pg_values_int4(&v, p->slot);
    pg_connection_send(&p->db, &v);
    if ((outcome = pg_connection_finish(&p->db, deadline_ms, &row)) != PG_DONE)
        return outcome;
    p->is_ended = p->db.pq->tuples(row) != 1 || pg_connection_number(&p->db, row, 0, 0) != p->epoch;
    if (!p->is_ended)
        unit = pg_connection_number(&p->db, row, 0, 1);
    p->db.pq->clear(row);
    if (p->is_ended)
        log_error("this server was stopped for too long, and begins anew in the schema %s",
                  p->url.schema);
    return !p->is_ended && unit == p->unit ? PG_DONE : PG_MISSED;
}

/* Ends the rows of processes that have not renewed theirs, and takes the jobs over or keeps them.
 */
static void renew_jobs(struct pg_store *p)
{
    struct pg_values fence = {.which = PG_PROCESS_FENCE}, lease = {.which = PG_LEASE_TAKE};
    int64_t began_ms = clock_monotonic_ms();
    struct pg_result *rows = NULL;

    pg_values_int4(&fence, p->slot);
    add_row(&lease, p);
    pg_connection_send(&p->db, &fence);
    pg_connection_send(&p->db, &lease);
    if (pg_connection_finish(&p->db, began_ms + PG_CALL_MS, &rows) != PG_DONE)
        return;
    p->owns_until_ms = p->db.pq->tuples(rows) ? began_ms + PG_LEASE_MS - OWN_LESS_MS : 0;
    p->db.pq->clear(rows);
}

int64_t pg_process_renew(struct store *s)
{
    struct pg_store *p = pg_store_of(s);
    struct pg_values v = {.which = PG_PROCESS_RENEW};
    struct pg_result *rows = NULL;
    bool is_there;

    if (!p->epoch || !pg_store_connect(p, clock_monotonic_ms() + PG_CALL_MS))
        return RENEW_MS;
    add_row(&v, p);
    pg_values_int8(&v, p->control);
    pg_connection_send(&p->db, &v);
    if (pg_connection_finish(&p->db, clock_monotonic_ms() + PG_CALL_MS, &rows) != PG_DONE)
        return RENEW_MS;
    is_there = p->db.pq->tuples(rows) == 1;
    s->is_outdated = !is_there || pg_connection_number(&p->db, rows, 0, 0) != p->control;
    p->is_ended = !is_there;
    p->db.pq->clear(rows);
    if (s->is_outdated)
        return 1; /* they are loaded before the next call, and that they were seen is said then */
    if (p->wants_jobs)
        renew_jobs(p);
    return RENEW_MS;
}

bool pg_process_owns(struct store *s)
{
    return clock_monotonic_ms() < pg_store_of(s)->owns_until_ms;
}
