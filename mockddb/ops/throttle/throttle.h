/* throttle.h: the throughput that a world's tables have left, and the refusal of calls without it.
 *
 * The accounts of a call (ops/capacity.h) are charged to the pools of their tables and global
 * indexes: all at once after the operation has run, with its unit of work still open, or member by
 * member if the operation does this. A charge that a pool cannot meet is refused with one of the
 * service's errors. A refused call changes nothing, takes no units, and its accounts are reset. */
#pragma once

#include "ops/capacity.h"

struct throttle;

struct throttle *throttle_new(void);
void throttle_free(struct throttle *t); /* t may be NULL */

struct throttle_rules {
    bool on;
    bool empty;                /* pools begin with nothing, not full */
    const struct span *tables; /* the throttled tables; count 0: all */
    size_t table_count;
};

/* Sets new rules, which are copied, and drops all pools. */
void throttle_set(struct throttle *t, const struct throttle_rules *rules, int64_t now_ms);
/* The clock was set back: pools made later start at now_ms at the latest. */
void throttle_go_back(struct throttle *t, int64_t now_ms);
const struct throttle_rules *throttle_rules(const struct throttle *t);

/* --- calls; the call's throttle is not NULL unless stated ------------------------------------- */

/* Begin and end of a call. throttle_settle charges the uncharged rest, unless `e` is an internal
 * error, and returns the call's final error. A refused call gets back the units that its members
 * took. */
void throttle_begin(struct throttle *t);
/* The call was left by a jump: gives back the units that it took. t may be NULL. */
void throttle_give_back(struct throttle *t, int64_t now_ms);
MUST_CHECK const struct error *throttle_settle(struct call *c, const struct error *e);

/* Charges the additions to the call's accounts since the last charge. Returns NULL, or the refusal.
 * The call's throttle may be NULL. */
MUST_CHECK const struct error *throttle_charge(struct call *c);
