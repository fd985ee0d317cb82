#include "jobs/jobs.h"

#include "jobs/job_expiry.h"
#include "ops/op_unit.h"
#include "ops/stream/stream.h"
#include "ops/table/table_backfill.h"
#include "ops/table/table_state.h"
#include "ops/transaction/transact.h"

#include <stdlib.h>

static const struct error *backfill(struct call *c, void *name)
{
    return table_backfill(c, *(const struct span *)name);
}

static const struct error *backfill_one(struct jobs *j, struct call *c, bool *more)
{
    const struct table *t = store_table_after(c->store, (struct span){NULL, 0});
    struct span name;

    (void)j;
    while (t && !table_needs_backfill(t))
        t = store_table_after(c->store, t->name);
    *more = t != NULL;
    if (!t)
        return NULL;
    name = arena_span(c->arena, t->name);
    return op_in_unit(c, UNIT_WRITES, backfill, &name);
}

static const struct error *reap(struct call *c, void *more)
{
    return unit_reap(c->unit, more);
}

/* What deleted tables, indexes and streams held. */
static const struct error *reap_one(struct jobs *j, struct call *c, bool *more)
{
    (void)j;
    *more = store_has_doomed(c->store);
    return *more ? op_in_unit(c, UNIT_WRITES, reap, more) : NULL;
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

struct turn {
    struct jobs *jobs;
    size_t job;
    bool more;
};

static const struct error *take_turn(struct call *c, void *data)
{
    struct turn *turn = data;

    return jobs[turn->job].run(turn->jobs, c, &turn->more);
}

/* Every job looks for work in a unit that reads, and does it in one that writes. After an error,
 * which the store has logged, it waits for its next turn. */
static bool run_job(struct jobs *j, struct call *c, size_t job)
{
    struct turn turn = {.jobs = j, .job = job};
    int64_t now = clock_now_ms(c->clock), *next = &j->next_ms[job];

    if (now < *next && *next - now <= jobs[job].every_ms) /* else the clock was put back */
        return false;
    if (op_in_unit(c, UNIT_READS, take_turn, &turn))
        turn.more = false;
    *next = turn.more ? 0 : now + jobs[job].every_ms;
    return turn.more;
}

bool jobs_step(struct jobs *j, struct call *c)
{
    for (size_t i = 0; i < COUNT(jobs); i++)
        if (run_job(j, c, i))
            return true;
    return sweep_step(c, j->sweep);
}
