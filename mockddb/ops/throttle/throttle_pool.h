/* throttle_pool.h: the units that one table or global index can give, and has left.
 *
 * Source: developer guide, "Burst and adaptive capacity", "On-demand capacity mode", "Partitions";
 * docs/throttling.md. */
#ifndef OPS_THROTTLE_POOL_H
#define OPS_THROTTLE_POOL_H

#include "base/allowance.h"
#include "ops/capacity.h"
#include "ops/throttle/throttle_error.h"

/* The most units of a second so far: capacity on demand follows. */
struct throttle_peak {
    double known;    /* from before the span of time that runs */
    double newest;   /* in it */
    int64_t span_ms; /* its beginning */
    double units;    /* of the second that runs … */
    int64_t second;  /* … which is this one since 1970 */
};

/* Of reading or of writing. */
struct throttle_flow {
    bool begun;
    struct allowance units;
    struct throttle_peak peak;
};

struct throttle_pool {
    uint32_t space;               /* of the table or index; model/schema.h */
    struct throttle_flow flow[2]; /* reading, writing */
    struct allowance *partitions; /* in the order of hashes; each gives 1 in a second */
    uint32_t partition_count;
    struct throttle_pool *next; /* throttle.c's */
};

/* How full the pool was when it came to be. */
struct throttle_start {
    bool empty;
    int64_t since_ms;
};

struct throttle_pool *throttle_pool_new(uint32_t space);
void throttle_pool_free(struct throttle_pool *p); /* p may be NULL */

/* What is asked of a table, or of one of its global indexes. */
struct throttle_demand {
    const struct table *table;
    const struct index *index; /* NULL: the table itself */
    bool writes;
    bool may_owe; /* a page, which is as large as it is: only whoever owes is refused */
    double units;
    struct capacity_place place;
};

/* Brings the pool up to the moment and to the settings of its table. */
void throttle_pool_refresh(struct throttle_pool *p, const struct throttle_demand *d,
                           const struct throttle_start *start, int64_t now_ms);

/* Why the demand cannot be met, of THROTTLE_CAUSES_AT_ONCE at most; none: it can. */
#define THROTTLE_CAUSES_AT_ONCE 2
size_t throttle_pool_check(const struct throttle_pool *p, const struct throttle_demand *d,
                           enum throttle_cause *causes);

/* Takes the units; negative ones: gives them back. */
void throttle_pool_take(struct throttle_pool *p, const struct throttle_demand *d, double units,
                        int64_t now_ms);

#endif
