#include "jobs/job.h"

#include "ops/transfer/task_run.h"

static void drop_run(void *run)
{
    task_run_free(run);
}

static const struct error *run_transfers(struct call *c, struct job_walk *w, bool *more)
{
    const struct error *e;
    int64_t due_ms;

    if (!w->kept)
        w->kept = task_run_new();
    w->drop = drop_run;
    if ((e = task_run_step(c, w->kept, more, &due_ms)))
        return e;
    job_walk_due(w, due_ms);
    return NULL;
}

const struct job job_transfer = {
    .name = "transfer", .wake = WAKE_TRANSFER, .grows = true, .step = run_transfers};
