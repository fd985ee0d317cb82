/* job_walk.h: where a job is on its way through what it looks at, over its steps, and what it has
 * seen there that will fall due. */
#ifndef JOBS_JOB_WALK_H
#define JOBS_JOB_WALK_H

#include "ops/op_wake.h"

#define JOB_NEVER INT64_MAX

struct job_walk {
    char *at; /* malloc'ed: the key or name of what was looked at last; len 0: at the beginning */
    size_t len, cap;
    uint32_t part;            /* how much of that is done, where it has parts */
    int64_t due_ms;           /* the first moment at which something seen on the way falls due */
    void *kept;               /* the job's own, NULL at first; lost where it begins anew: … */
    void (*drop)(void *kept); /* … this frees it */
};

struct job_walk job_walk_new(void);
void job_walk_free(struct job_walk *w);

struct span job_walk_place(const struct job_walk *w);
void job_walk_to(struct job_walk *w, struct span place);
/* Back to the beginning; what was seen stays. */
void job_walk_restart(struct job_walk *w);

void job_walk_due(struct job_walk *w, int64_t at_ms);

/* What was done about a table: nothing; a look into the store; a slice, after which the step ends
 * and the walk goes on behind it, or with the same table. */
enum job_visit { JOB_PASSED, JOB_LOOKED, JOB_WORKED, JOB_STAYS };

/* A step of a walk over all tables of all regions in the store's order. The call works in the
 * region of the table that is visited. The visitor may replace or remove the table. */
MUST_CHECK const struct error *
job_walk_tables(struct call *c, struct job_walk *w,
                const struct error *(*visit)(struct call *c, struct job_walk *w,
                                             const struct table *t, enum job_visit *done),
                bool *more);

#endif
