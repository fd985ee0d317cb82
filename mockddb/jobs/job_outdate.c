#include "jobs/job.h"

#include "ops/backup/recovery_log.h"

static const struct error *outdate_table(struct call *c, struct job_walk *w, const struct table *t,
                                         enum job_visit *done)
{
    const struct error *e;
    int64_t due_ms;
    bool more, empty;

    if (!t->recovery.space)
        return NULL;
    if ((e = unit_is_empty(c->unit, t->recovery.space, &empty)) || empty)
        return e;
    if ((e = recovery_log_trim(c, t, &more, &due_ms)))
        return e;
    *done = more ? JOB_STAYS : JOB_LOOKED;
    job_walk_due(w, due_ms);
    return NULL;
}

const struct job job_outdate = {.name = "outdate", .wake = WAKE_OUTDATE, .visit = outdate_table};
