#include "jobs/job.h"

#include "ops/global/replication.h"

struct replicate_step {
    const struct table *table;
    bool more;
    int64_t due_ms;
};

static const struct error *take_step(struct call *c, void *data)
{
    struct replicate_step *step = data;

    return replication_step(c, step->table, &step->more, &step->due_ms);
}

/* The replicas share a log: the first one visited does the work of all. */
static const struct error *replicate_table(struct call *c, struct job_walk *w,
                                           const struct table *t, enum job_visit *done)
{
    struct replicate_step step = {.table = t};
    const struct error *e;
    bool empty;

    if (!t->global.log_space)
        return NULL;
    if ((e = unit_is_empty(c->unit, t->global.log_space, &empty)) || empty)
        return e;
    if ((e = op_unit_run(c, UNIT_WRITES, take_step, &step)))
        return e;
    *done = step.more ? JOB_STAYS : JOB_WORKED;
    if (step.due_ms)
        job_walk_due(w, step.due_ms);
    return NULL;
}

const struct job job_replicate = {
    .name = "replicate", .wake = WAKE_REPLICATE, .grows = true, .visit = replicate_table};
