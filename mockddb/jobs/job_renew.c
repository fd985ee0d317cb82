#include "jobs/job.h"

/* No call marks it: it only follows the clock. */
static const struct error *renew_store(struct call *c, struct job_walk *w, bool *more)
{
    int64_t ms = store_renew(c->store);

    *more = false;
    if (ms)
        job_walk_due(w, clock_now_ms(c->clock) + ms);
    return NULL;
}

const struct job job_renew = {
    .name = "renew", .wake = WAKE_RENEW, .is_own = true, .step = renew_store};
