#include "jobs/job.h"

#include "ops/table/table_backfill.h"
#include "ops/table/table_state.h"
#include "ops/ttl/ttl_index.h"

#define LOOK_AGAIN_MS 100

static const struct error *fill_slice(struct call *c, void *data)
{
    const struct span *name = data;
    const struct error *e = table_backfill(c, *name);

    return e ? e : ttl_index_backfill(c, *name);
}

static const struct error *backfill_table(struct call *c, struct job_walk *w, const struct table *t,
                                          enum job_visit *done)
{
    const struct index *ix = table_state_unfilled(t);
    const struct error *e;
    struct span name;
    bool known;

    if (!ix && !ttl_index_needs_backfill(t))
        return NULL;
    /* From then on all writes keep the entries. */
    if ((e = unit_knows_space(c->unit, ix ? ix->space : t->ttl_space, &known)))
        return e;
    if (!known) {
        job_walk_due(w, clock_now_ms(c->clock) + LOOK_AGAIN_MS);
        return NULL;
    }
    *done = JOB_STAYS;
    name = arena_span(c->arena, t->name);
    return op_unit_run(c, UNIT_WRITES, fill_slice, &name);
}

const struct job job_backfill = {
    .name = "backfill", .wake = WAKE_BACKFILL, .grows = true, .visit = backfill_table};
