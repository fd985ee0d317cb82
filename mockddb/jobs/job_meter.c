#include "jobs/job.h"

#include "ops/metrics/metrics_stored.h"

#define APART_MS    LIMIT_SECOND_MS /* metrics of other processes are as old as that */
#define PROCESS_LEN 8

/* The walk's place is what the rows of this process are named by. */
static const struct error *store_metrics(struct call *c, struct job_walk *w, bool *more)
{
    const struct error *e;

    *more = false;
    if (!c->metrics || !store_is_shared(c->store))
        return NULL;
    if (!job_walk_place(w).len) {
        char process[PROCESS_LEN];

        clock_random(c->clock, process, sizeof process);
        job_walk_to(w, (struct span){process, sizeof process});
    }
    job_walk_due(w, clock_now_ms(c->clock) + APART_MS);
    e = metrics_stored_put(c, job_walk_place(w));
    return e || !store_owns(c->store) ? e : metrics_stored_trim(c, more);
}

const struct job job_meter = {
    .name = "meter", .wake = WAKE_METER, .is_own = true, .step = store_metrics};
