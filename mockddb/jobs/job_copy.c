#include "jobs/job.h"

#include "store/space_copy.h"

#define LOOK_AGAIN_MS 100

struct copy_work {
    uint32_t to;
    bool more;
};

/* After a copy, a table may wait for it, and its source may be removed if it was given up. */
static const struct error *copy_slice(struct call *c, void *data)
{
    struct copy_work *slice = data;
    const struct error *e = space_copy_step(c->unit, slice->to, &slice->more);

    if (e || slice->more)
        return e;
    op_wake(c, WAKE_RESTORE, clock_now_ms(c->clock));
    op_wake(c, WAKE_REAP, clock_now_ms(c->clock));
    return NULL;
}

/* Makes the copies one after the other, in the order in which they were requested. */
static const struct error *run_copies(struct call *c, struct job_walk *w, bool *more)
{
    struct copy_work slice = {.to = space_copy_next(c->store, 0)};
    const struct error *e;
    bool known;

    *more = false;
    if (!slice.to || (e = unit_knows_space(c->unit, slice.to, &known)))
        return slice.to ? e : NULL;
    if (!known) { /* other processes may still keep units that do not know of the copy */
        job_walk_due(w, clock_now_ms(c->clock) + LOOK_AGAIN_MS);
        return NULL;
    }
    *more = true;
    return op_unit_run(c, UNIT_WRITES, copy_slice, &slice);
}

const struct job job_copy = {.name = "copy", .wake = WAKE_COPY, .grows = true, .step = run_copies};
