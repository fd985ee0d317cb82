#include "jobs/job_walk.h"

#include <stdlib.h>

/* A step passes at most this many tables, or searches the store for a tenth of that number: well
 * below a millisecond. */
#define STEP_PASSED 1000
#define LOOK_COSTS  10

struct job_walk job_walk_new(void)
{
    return (struct job_walk){.due_ms = JOB_NEVER};
}

static void drop_kept(struct job_walk *w)
{
    if (w->kept)
        w->drop(w->kept);
    w->kept = NULL;
}

void job_walk_free(struct job_walk *w)
{
    drop_kept(w);
    free(w->at);
}

struct span job_walk_place(const struct job_walk *w)
{
    return (struct span){w->at, w->len};
}

void job_walk_to(struct job_walk *w, struct span place)
{
    if (w->cap < place.len) {
        w->at = process_realloc(w->at, place.len);
        w->cap = place.len;
    }
    if (place.len)
        memcpy(w->at, place.at, place.len);
    w->len = place.len;
    w->part = 0;
}

void job_walk_restart(struct job_walk *w)
{
    drop_kept(w);
    job_walk_to(w, (struct span){NULL, 0});
}

void job_walk_due(struct job_walk *w, int64_t at_ms)
{
    if (at_ms < w->due_ms)
        w->due_ms = at_ms;
}

const struct error *job_walk_tables(struct call *c, struct job_walk *w, job_visitor *visit,
                                    bool *more)
{
    *more = true;
    for (int cost = 0; cost < STEP_PASSED;) {
        const struct table *t = store_table_after(c->store, job_walk_place(w));
        enum job_visit done = JOB_PASSED;
        const struct error *e;
        struct span id;

        if (!t) {
            job_walk_restart(w);
            *more = false;
            return NULL;
        }
        c->region = arena_span(c->arena, t->region);
        id = schema_id(c->arena, c->region, arena_span(c->arena, t->name));
        if ((e = visit(c, w, t, &done)) || done == JOB_STAYS)
            return e;
        job_walk_to(w, id);
        if (done == JOB_WORKED)
            return NULL;
        cost += done == JOB_LOOKED ? LOOK_COSTS : 1;
    }
    return NULL;
}
