#include "jobs/job.h"

#include "ops/table/table_state.h"

/* Ends due transitions, and notes when the next one is due. */
static const struct error *settle_table(struct call *c, struct job_walk *w, const struct table *t,
                                        enum job_visit *done)
{
    const struct error *e;
    const struct table *now = t;

    if (!t->due_ms)
        return NULL;
    if (t->due_ms <= clock_now_ms(c->clock)) {
        struct span name = arena_span(c->arena, t->name);

        *done = JOB_WORKED;
        if ((e = table_state_settle(c, t)) || (e = table_state_look_up(c, name, &now)))
            return e;
    }
    if (now && now->due_ms)
        job_walk_due(w, now->due_ms);
    return NULL;
}

const struct job job_settle = {.name = "settle", .wake = WAKE_SETTLE, .visit = settle_table};
