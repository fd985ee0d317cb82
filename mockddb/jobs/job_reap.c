#include "jobs/job.h"

static const struct error *reap_slice(struct call *c, void *more)
{
    return unit_reap(c->unit, more);
}

static const struct error *reap_spaces(struct call *c, struct job_walk *w, bool *more)
{
    (void)w;
    *more = store_has_doomed(c->store);
    return *more ? op_unit_run(c, UNIT_WRITES, reap_slice, more) : NULL;
}

const struct job job_reap = {.name = "reap", .wake = WAKE_REAP, .step = reap_spaces};
