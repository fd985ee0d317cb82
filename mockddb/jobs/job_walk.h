/* job_walk.h: a job's position in the set that it walks through, over its steps, and the earliest
 * moment at which something that it has seen falls due. */
#pragma once

#include "ops/op.h"

#define JOB_NEVER INT64_MAX

struct job_walk {
    char *at; /* malloc'ed: the key or name of what was visited last; len 0: at the beginning */
    size_t len, cap;
    uint32_t part;            /* how much of that is done, if it has parts */
    int64_t due_ms;           /* the first moment at which something seen so far falls due */
    void *kept;               /* the job's own state, NULL at first; lost on a restart: … */
    void (*drop)(void *kept); /* … this frees it */
};

struct job_walk job_walk_new(void);
void job_walk_free(struct job_walk *w);

struct span job_walk_place(const struct job_walk *w);
void job_walk_to(struct job_walk *w, struct span place);
/* Goes back to the beginning; due_ms stays. */
void job_walk_restart(struct job_walk *w);

void job_walk_due(struct job_walk *w, int64_t at_ms);

/* What was done for a table: nothing; a search of the store; a slice of work, after which the step
 * ends and the walk continues behind the table, or with the same table. */
enum job_visit { JOB_PASSED, JOB_LOOKED, JOB_WORKED, JOB_STAYS };

/* The call works in the table's region. The visitor may replace or remove the table. */
typedef const struct error *job_visitor(struct call *c, struct job_walk *w, const struct table *t,
                                        enum job_visit *done);

/* One step of a walk over all tables of all regions in the store's order. */
MUST_CHECK const struct error *job_walk_tables(struct call *c, struct job_walk *w,
                                               job_visitor *visit, bool *more);
