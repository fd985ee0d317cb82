/* task_run.h: runs exports, imports and bulk puts, one after the other. */
#pragma once

#include "ops/op.h"

/* The current task and its state between slices. It is lost with the process; tasks then continue
 * from their rows. */
struct task_run;
struct task_run *task_run_new(void);
void task_run_free(struct task_run *r); /* r may be NULL */

/* Does one slice, in its own units. *more says to call it again at once; otherwise *due_ms is when
 * (INT64_MAX: when a task begins). After an error free the run. */
MUST_CHECK const struct error *task_run_step(struct call *c, struct task_run *r, bool *more,
                                             int64_t *due_ms);
