/* job.h: one kind of work that goes on between requests: a file job_NAME.c with its step and its
 * row, and a line in jobs.c.
 *
 * A job runs when something falls due, as the clock says; until then it costs nothing. What falls
 * due is found by looking (from the beginning after each start, so nothing here has to survive) and
 * said by the marks of calls (ops/op_wake.h). */
#ifndef JOBS_JOB_H
#define JOBS_JOB_H

#include "jobs/job_walk.h"

struct job {
    const char *name;
    enum wake wake; /* the mark on a call that says when there is work for it */
    bool grows;     /* it adds to what is stored: waits while the store has no room */
    /* One step, which takes 5 ms at most whatever is stored: it looks for work in the unit that the
     * call has, which reads, and does it in one of its own. *more says that the next one is due at
     * once; else all was looked at, and job_walk_due was called for each moment at which there will
     * be something to do. After an error, which the store has logged, the job begins anew a second
     * later. */
    const struct error *(*step)(struct call *c, struct job_walk *w, bool *more);
};

extern const struct job job_settle;    /* states of tables and indexes that end */
extern const struct job job_backfill;  /* new indexes, and times to live, of tables with items */
extern const struct job job_reap;      /* what deleted tables, indexes and streams held */
extern const struct job job_trim;      /* old stream records, and streams closed long ago */
extern const struct job job_forget;    /* old tokens of transactions */
extern const struct job job_expiry;    /* items whose time to live is over */
extern const struct job job_copy;      /* items on their way into a backup, or into a new table */
extern const struct job job_lapse;     /* backups whose time is over */
extern const struct job job_restore;   /* tables that are being restored, behind the copy */
extern const struct job job_outdate;   /* changes that no recovery needs any more */
extern const struct job job_deliver;   /* records on their way to Kinesis streams */
extern const struct job job_transfer;  /* exports, imports and bulk puts */
extern const struct job job_replicate; /* writes on their way to other regions' replicas */

#endif
