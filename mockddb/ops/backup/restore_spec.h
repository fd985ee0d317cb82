/* restore_spec.h: the definition of a restored table, from its source and the request's overrides.
 *
 * A restored table has the keys, indexes, billing mode and encryption of its source. It has no
 * stream, time to live, tags, protection, policy, table class or recovery. Source:
 * docs/behaviour/backups.md. */
#pragma once

#include "ops/op.h"
#include "ops/table/table_shapes.h"
#include "ops/table/table_spec.h"

/* The members that override the source, for an operation's table of members. */
#define RESTORE_SPEC_OVERRIDES                                          \
    {"BillingModeOverride", &table_shapes_billing_mode, 0},             \
        {"GlobalSecondaryIndexOverride", &table_shapes_globals, 0},     \
        {"LocalSecondaryIndexOverride", &table_shapes_locals, 0},       \
        {"ProvisionedThroughputOverride", &table_shapes_throughput, 0}, \
        {"OnDemandThroughputOverride", &table_shapes_on_demand, 0},     \
        {"SSESpecificationOverride", &table_shapes_sse, 0},             \
    {                                                                   \
        "VectorIndexOverride", &table_shapes_vectors, 0                 \
    }

/* Makes the table that the request makes from its source, for table_build_begin. */
MUST_CHECK const struct error *restore_spec_read(struct call *c, const struct table *source,
                                                 struct table **out);
