/* jobs.h: runs the work that is done between requests, in the order in which it falls due.
 *
 * The state belongs to one dispatcher and is lost with it: after a restart each job looks for its
 * work again. */
#pragma once

#include "jobs/job.h"

struct jobs;

struct jobs *jobs_new(void);
void jobs_free(struct jobs *j); /* j may be NULL */

/* Takes over the marks of a finished call. */
void jobs_wake(struct jobs *j, const struct call *c);

/* Work since the last flush is lost: all jobs start again, a moment later. */
void jobs_restart(struct jobs *j, const struct clock *clock);

/* When the next step is due by the clock; JOB_NEVER: no job waits for anything. */
int64_t jobs_due_ms(const struct jobs *j);

/* Runs one step of the job that is due first, if any; returns true if another is due at once. Opens
 * and ends its own units; the call has no operation. */
bool jobs_step(struct jobs *j, struct call *c);
