/* task_run.h: exports, imports and bulk puts at work, one after the other. */
#ifndef OPS_TASK_RUN_H
#define OPS_TASK_RUN_H

#include "ops/op.h"

/* Which one is at work, and what it holds from slice to slice. Lost with the process: each then
 * goes on from what is kept of it. */
struct task_run;
struct task_run *task_run_new(void);
void task_run_free(struct task_run *r); /* r may be NULL */

/* One slice, in units of its own; *more says whether to come again at once, *due_ms when else
 * (INT64_MAX: when a task is begun). After an error the run is of no more use. */
MUST_CHECK const struct error *task_run_step(struct call *c, struct task_run *r, bool *more,
                                             int64_t *due_ms);

#endif
