/* op_region.h: the region of a call. The call does not see tables of other regions.
 *
 * If the server separates regions, it is the region that the request is signed for; otherwise it is
 * the default region. Jobs, and work in several regions, set call.region. */
#ifndef OPS_OP_REGION_H
#define OPS_OP_REGION_H

#include "ops/op.h"

/* The region's name, for ARNs. */
static inline struct span op_region(const struct call *c)
{
    return c->region.len ? c->region : c->settings->region;
}

/* The form of a region's name in call.region: "" is the default region. */
static inline struct span op_region_key(const struct call *c, struct span region)
{
    return span_equal(region, c->settings->region) ? (struct span){"", 0} : region;
}

/* Returns the region's table called name, or NULL. */
static inline const struct table *op_region_table(const struct call *c, struct span name)
{
    return store_table(c->store, schema_id(c->arena, c->region, name));
}

/* Returns the region's first table behind `name` in byte order, or NULL. */
static inline const struct table *op_region_table_after(const struct call *c, struct span name)
{
    const struct table *t = store_table_after(c->store, schema_id(c->arena, c->region, name));

    return t && span_equal(t->region, c->region) ? t : NULL;
}

#endif
