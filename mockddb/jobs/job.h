/* job.h: one kind of work that is done between requests. Each is a file job_NAME.c with its step
 * and its row, and a line in jobs.c.
 *
 * A job runs when something falls due by the clock; until then it costs nothing. Due work is found
 * by scanning (from the beginning after each start, so no state here has to survive) and announced
 * by the marks of calls (ops/op.h). In a store that several processes share, one of them runs the
 * jobs (store_owns), which look for work each second, since calls of the others cannot mark them.
 */
#pragma once

#include "jobs/job_walk.h"

struct job {
    const char *name;
    enum wake wake; /* the mark on a call that says when there is work for the job */
    bool grows;     /* it adds to what is stored: it waits while the store is full */
    bool is_own;    /* it is for this process, and runs in each of them */
    /* One step, which takes at most 5 ms whatever is stored: it looks for work in the call's unit,
     * which only reads, and does the work in a unit of its own. *more says that the next step is
     * due at once; otherwise the job has looked at everything, and has called job_walk_due for each
     * moment at which there will be work. A step that meets a conflict (store/unit.h) is left at
     * that point and called again, so a job moves its place and its own state only after its unit
     * was kept. After an error, which the store has logged, the job starts again from the beginning
     * a second later. */
    const struct error *(*step)(struct call *c, struct job_walk *w, bool *more);
    job_visitor *visit; /* in place of step: its steps walk over all tables */
};

extern const struct job job_settle;    /* status transitions of tables and indexes */
extern const struct job job_backfill;  /* backfills of new indexes and of times to live */
extern const struct job job_reap;      /* contents of deleted tables, indexes and streams */
extern const struct job job_trim;      /* old stream records, and streams closed long ago */
extern const struct job job_forget;    /* expired tokens of transactions */
extern const struct job job_expiry;    /* expired items */
extern const struct job job_copy;      /* copies of items into a backup, or into a new table */
extern const struct job job_lapse;     /* expired backups */
extern const struct job job_restore;   /* tables being restored, after the copy */
extern const struct job job_outdate;   /* changes that recovery no longer needs */
extern const struct job job_deliver;   /* records to be sent to Kinesis streams */
extern const struct job job_transfer;  /* exports, imports and bulk puts */
extern const struct job job_replicate; /* writes to be sent to other regions' replicas */
extern const struct job job_renew;     /* the right to write in a database (store_renew) */
extern const struct job job_meter;     /* metrics for the other processes of the store */
