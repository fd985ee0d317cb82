#include "ops/background.h"

#include "ops/stream/stream.h"
#include "ops/table/sweep.h"
#include "ops/table/table_backfill.h"
#include "ops/table/table_state.h"
#include "ops/transaction/transact.h"

#include <stdlib.h>

static const struct error *backfill_one(struct call *c, bool *more)
{
    const struct table *t = store_table_after(c->store, (struct span){NULL, 0});
    const struct error *e, *end;

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
static const struct error *reap_one(struct call *c, bool *more)
{
    const struct error *e, *end;

    *more = store_has_doomed(c->store);
    if (!*more)
        return NULL;
    if ((e = store_begin(c->store, c->arena)))
        return e;
    e = store_reap(c->store, c->arena, more);
    end = store_end(c->store, c->arena, !e);
    return e ? e : end;
}

static const struct error *forget_tokens(struct call *c, bool *more);

/* Work that looks for something to do, how often at least, and whether a change of a table calls
 * for it. A slice that leaves more to do is followed by the next at once. */
static const struct {
    const struct error *(*run)(struct call *c, bool *more);
    int64_t every_ms;
    bool wakes;
} jobs[] = {
    {.run = table_settle_one, .every_ms = 100, .wakes = true},
    {.run = backfill_one, .every_ms = 100, .wakes = true},
    {.run = reap_one, .every_ms = 100},
    {.run = stream_trim, .every_ms = 10000},
    {.run = forget_tokens, .every_ms = 60000},
};

struct background {
    int64_t next_ms[COUNT(jobs)];
    struct sweep *sweep;
    struct transact_walk tokens;
};

static const struct error *forget_tokens(struct call *c, bool *more)
{
    return transact_forget_tokens(c, &c->background->tokens, more);
}

struct background *background_new(const struct clock *clock, const struct settings *settings)
{
    struct background *b = calloc(1, sizeof *b);

    if (!b)
        out_of_memory();
    b->sweep = sweep_new(clock_now_ms(clock) + settings->ttl_sweep_ms);
    return b;
}

void background_free(struct background *b)
{
    if (!b)
        return;
    sweep_free(b->sweep);
    free(b);
}

void background_wake(struct background *b)
{
    for (size_t i = 0; i < COUNT(jobs); i++)
        if (jobs[i].wakes)
            b->next_ms[i] = 0;
}

/* After an error, which the store has logged, a job waits for its next turn. */
static bool run_job(struct call *c, size_t job)
{
    int64_t now = clock_now_ms(c->clock), *next = &c->background->next_ms[job];
    bool more = false;

    if (now < *next && *next - now <= jobs[job].every_ms) /* else the clock was put back */
        return false;
    if (jobs[job].run(c, &more))
        more = false;
    *next = more ? 0 : now + jobs[job].every_ms;
    return more;
}

bool background_step(struct call *c)
{
    for (size_t i = 0; i < COUNT(jobs); i++)
        if (run_job(c, i))
            return true;
    return sweep_step(c, c->background->sweep);
}
