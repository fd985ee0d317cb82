/* job_expiry.h: deletes the items whose time to live is over.
 *
 * Every settings->ttl_sweep_ms all tables that have a TTL attribute are gone through once, a slice
 * at a time, in key order; the first time one interval after start. An item is expired when the
 * attribute is a number of seconds since 1970 that lies in the past by less than five years.
 * Source: docs/behaviour/tables.md, "Time to live". */
#ifndef JOBS_JOB_EXPIRY_H
#define JOBS_JOB_EXPIRY_H

#include "ops/op.h"

struct sweep;

struct sweep *sweep_new(int64_t first_ms); /* when the first sweep begins */
void sweep_free(struct sweep *s);          /* s may be NULL */

/* One slice, if a sweep is under way or due; true when there is more to do at once. Opens and ends
 * a unit of its own. */
bool sweep_step(struct call *c, struct sweep *s);

#endif
