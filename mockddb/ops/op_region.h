/* op_region.h: the region that a call works in. Tables of other regions are not there for it.
 *
 * It is the one that the request is signed for, where the server tells regions apart, and the
 * default one else. What works between requests, or in several regions, sets call.region. */
#ifndef OPS_OP_REGION_H
#define OPS_OP_REGION_H

#include "ops/op.h"

/* Its name, as ARNs have it. */
static inline struct span op_region(const struct call *c)
{
    return c->region.len ? c->region : c->settings->region;
}

/* How call.region names a region: "" for the default one. */
static inline struct span op_region_key(const struct call *c, struct span region)
{
    return span_equal(region, c->settings->region) ? (struct span){"", 0} : region;
}

/* The region's table of that name, or NULL: store_table. */
static inline const struct table *op_region_table(const struct call *c, struct span name)
{
    return store_table(c->store, schema_id(c->arena, c->region, name));
}

/* The region's first table whose name is after `name` in byte order, or NULL. */
static inline const struct table *op_region_table_after(const struct call *c, struct span name)
{
    const struct table *t = store_table_after(c->store, schema_id(c->arena, c->region, name));

    return t && span_equal(t->region, c->region) ? t : NULL;
}

#endif
