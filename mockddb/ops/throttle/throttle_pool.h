/* throttle_pool.h: the units that a table or global index has left.
 *
 * Source: developer guide, "Burst and adaptive capacity", "On-demand capacity mode", "Partitions";
 * docs/throttling.md. */
#ifndef OPS_THROTTLE_POOL_H
#define OPS_THROTTLE_POOL_H

#include "base/allowance.h"
#include "ops/capacity.h"
#include "ops/throttle/throttle_error.h"

/* The peak of units per second, which on-demand capacity follows. */
struct throttle_peak {
    double known;    /* before the current span of time */
    double newest;   /* in the current span */
    int64_t span_ms; /* start of the current span */
    double units;    /* in the current second */
    int64_t second;  /* the current second, since 1970 */
};

/* The units of reads or of writes. */
struct throttle_flow {
    bool begun;
    struct allowance units;
    struct throttle_peak peak;
};

struct throttle_pool {
    uint32_t space;               /* of the table or index; model/schema.h */
    struct throttle_flow flow[2]; /* reading, writing */
    struct allowance *partitions; /* in the order of hashes; each has a rate of 1 per second */
    uint32_t partition_count;
    struct throttle_pool *next; /* for throttle.c */
};

/* The state in which a pool begins. */
struct throttle_start {
    bool empty;
    int64_t since_ms;
};

struct throttle_pool *throttle_pool_new(uint32_t space);
void throttle_pool_free(struct throttle_pool *p); /* p may be NULL */

/* A demand of units from a table or one of its global indexes. */
struct throttle_demand {
    const struct table *table;
    const struct index *index; /* NULL: the table itself */
    bool writes;
    bool may_owe; /* for pages, whose size is known late: refused only if the pool is in debt */
    double units;
    struct capacity_place place;
};

/* Updates the pool to the current time and the table's settings. */
void throttle_pool_refresh(struct throttle_pool *p, const struct throttle_demand *d,
                           const struct throttle_start *start, int64_t now_ms);

/* Lists why the demand cannot be met: at most THROTTLE_CAUSES_AT_ONCE causes. Returns their number;
 * 0 if the demand can be met. */
#define THROTTLE_CAUSES_AT_ONCE 2
size_t throttle_pool_check(const struct throttle_pool *p, const struct throttle_demand *d,
                           enum throttle_cause *causes);

/* Takes units, or returns them if negative. */
void throttle_pool_take(struct throttle_pool *p, const struct throttle_demand *d, double units,
                        int64_t now_ms);

#endif
