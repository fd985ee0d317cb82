#include "jobs/jobs.h"

#include "jobs/job_expiry.h"
#include "ops/stream/stream.h"
#include "ops/table/table_backfill.h"
#include "ops/table/table_state.h"
#include "ops/transaction/transact.h"

#include <stdlib.h>

static const struct error *backfill_one(struct jobs *j, struct call *c, bool *more)
{
    const struct table *t = store_table_after(c->store, (struct span){NULL, 0});
    const struct error *e, *end;

    (void)j;
    while (t && !table_needs_backfill(t))
        t = store_table_after(c->store, t->name);
    *more = t != NULL;
    if (!t)
        return NULL;
    if ((e = store_begin(c->store, c->arena)))
        return e;
    e = table_backfill(c, arena_span(c->arena, t->name));
    end = store_end(c->store, c->arena, !e);
    return e ? e : end;
}

/* What deleted tables, indexes and streams held. */
static const struct error *reap_one(struct jobs *j, struct call *c, bool *more)
{
    const struct error *e, *end;

    (void)j;
    *more = store_has_doomed(c->store);
    if (!*more)
        return NULL;
    if ((e = store_begin(c->store, c->arena)))
        return e;
    e = store_reap(c->store, c->arena, more);
    end = store_end(c->store, c->arena, !e);
    return e ? e : end;
}

static const struct error *settle_one(struct jobs *j, struct call *c, bool *more)
{
    (void)j;
    return table_settle_one(c, more);
}

static const struct error *trim_streams(struct jobs *j, struct call *c, bool *more)
{
    (void)j;
    return stream_trim(c, more);
}

static const struct error *forget_tokens(struct jobs *j, struct call *c, bool *more);

/* Work that looks for something to do, how often at least, and whether a change of a table calls
 * for it. A slice that leaves more to do is followed by the next at once. */
static const struct {
    const struct error *(*run)(struct jobs *j, struct call *c, bool *more);
    int64_t every_ms;
    bool wakes;
} jobs[] = {
    {.run = settle_one, .every_ms = 100, .wakes = true},
    {.run = backfill_one, .every_ms = 100, .wakes = true},
    {.run = reap_one, .every_ms = 100},
    {.run = trim_streams, .every_ms = 10000},
    {.run = forget_tokens, .every_ms = 60000},
};

struct jobs {
    int64_t next_ms[COUNT(jobs)];
    struct sweep *sweep;
    struct transact_walk tokens;
};

static const struct error *forget_tokens(struct jobs *j, struct call *c, bool *more)
{
    return transact_forget_tokens(c, &j->tokens, more);
}

struct jobs *jobs_new(const struct clock *clock, const struct settings *settings)
{
    struct jobs *j = calloc(1, sizeof *j);

    if (!j)
        out_of_memory();
    j->sweep = sweep_new(clock_now_ms(clock) + settings->ttl_sweep_ms);
    return j;
}

void jobs_free(struct jobs *j)
{
    if (!j)
        return;
    sweep_free(j->sweep);
    free(j);
}

void jobs_wake(struct jobs *j)
{
    for (size_t i = 0; i < COUNT(jobs); i++)
        if (jobs[i].wakes)
            j->next_ms[i] = 0;
}

/* After an error, which the store has logged, a job waits for its next turn. */
static bool run_job(struct jobs *j, struct call *c, size_t job)
{
    int64_t now = clock_now_ms(c->clock), *next = &j->next_ms[job];
    bool more = false;

    if (now < *next && *next - now <= jobs[job].every_ms) /* else the clock was put back */
        return false;
    if (jobs[job].run(j, c, &more))
        more = false;
    *next = more ? 0 : now + jobs[job].every_ms;
    return more;
}

bool jobs_step(struct jobs *j, struct call *c)
{
    for (size_t i = 0; i < COUNT(jobs); i++)
        if (run_job(j, c, i))
            return true;
    return sweep_step(c, j->sweep);
}
