/* throttle.h: what a world's tables have left to give, and who is refused for lack of it.
 *
 * The accounts of a call (ops/capacity.h) are charged to the pools of the tables and global indexes
 * that they are of: as a whole once the operation has run, its unit of work still open, or member
 * by member where the operation does so. What cannot be met is refused with one of the service's
 * errors; whoever is refused has changed nothing, has taken no units, and its accounts are as they
 * were before. */
#ifndef OPS_THROTTLE_H
#define OPS_THROTTLE_H

#include "ops/capacity.h"

struct throttle;

struct throttle *throttle_new(void);
void throttle_free(struct throttle *t); /* t may be NULL */

struct throttle_rules {
    bool on;
    bool empty;                /* pools begin with nothing, not full */
    const struct span *tables; /* which are throttled; count 0: all */
    size_t table_count;
};

/* From this moment on it goes by these rules, which are copied, and pools begin anew. */
void throttle_set(struct throttle *t, const struct throttle_rules *rules, int64_t now_ms);
/* The clock was set back: pools that have not begun yet have been there since now. */
void throttle_go_back(struct throttle *t, int64_t now_ms);
const struct throttle_rules *throttle_rules(const struct throttle *t);

/* --- of a call, whose throttle is not NULL but where that is said ----------------------------- */

/* A call begins, and has run: what it has not been charged for yet is charged to it, unless the
 * server is to blame for `e`. The error that it ends with; one that is refused gets back what its
 * members took. */
void throttle_begin(struct throttle *t);
MUST_CHECK const struct error *throttle_settle(struct call *c, const struct error *e);

/* Charges what was added to the call's accounts since they were charged last. NULL, also where the
 * call is not throttled, or the refusal. */
MUST_CHECK const struct error *throttle_charge(struct call *c);

#endif
