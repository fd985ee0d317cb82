/* jobs.h: the work that goes on between requests, in the order in which it falls due.
 *
 * Its state belongs to one dispatcher and is lost with it: after a restart each job looks for what
 * there is to do. */
#ifndef JOBS_JOBS_H
#define JOBS_JOBS_H

#include "jobs/job.h"

struct jobs;

struct jobs *jobs_new(void);
void jobs_free(struct jobs *j); /* j may be NULL */

/* Takes over the marks of a call that has ended. */
void jobs_wake(struct jobs *j, const struct call *c);

/* What was done since the last flush is lost: all is looked at again, a moment later. */
void jobs_restart(struct jobs *j, const struct clock *clock);

/* When the next step is due, as the clock counts; JOB_NEVER: no job has anything to wait for. */
int64_t jobs_due_ms(const struct jobs *j);

/* One step of the job that is due first, if one is; true when another is due at once. Opens and
 * ends units of its own; the call has no operation. */
bool jobs_step(struct jobs *j, struct call *c);

#endif
