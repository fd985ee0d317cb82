#include "jobs/job.h"

#include "ops/backup/restore.h"

static const struct error *advance_restore(struct call *c, void *name)
{
    return restore_advance(c, *(const struct span *)name);
}

/* Finishes a restore whose items are copied: job_copy is done with them before. */
static const struct error *restore_table(struct call *c, struct job_walk *w, const struct table *t,
                                         enum job_visit *done)
{
    struct span name;

    (void)w;
    if (!restore_waits(c, t))
        return NULL;
    *done = JOB_STAYS;
    name = arena_span(c->arena, t->name);
    return op_unit_run(c, UNIT_WRITES, advance_restore, &name);
}

const struct job job_restore = {
    .name = "restore", .wake = WAKE_RESTORE, .grows = true, .visit = restore_table};
