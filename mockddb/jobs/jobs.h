/* jobs.h: the work that goes on between requests: transitions that are due, backfills, old
 * stream records and tokens, what deleted tables held, and the sweep that deletes expired items.
 *
 * Its state belongs to one dispatcher. Nothing here has to survive: after a restart transitions
 * and backfills go on from the catalog, deletions from the store, and the sweep starts anew. */
#ifndef JOBS_JOBS_H
#define JOBS_JOBS_H

#include "ops/op.h"

struct jobs *jobs_new(const struct clock *clock, const struct settings *settings);
void jobs_free(struct jobs *j); /* j may be NULL */

/* Says that a table has something to wait for. */
void jobs_wake(struct jobs *j);

/* One slice of the work; true when there is more to do at once. Opens and ends units of its own;
 * the call has no operation. */
bool jobs_step(struct jobs *j, struct call *c);

#endif
