/* restore_spec.h: what a restored table is to be like: its source, and what the request overrides.
 *
 * A restored table has its source's keys, indexes, billing and encryption; it has neither stream,
 * time to live, tags, protection, policy, class nor recovery. Source: docs/behaviour/backups.md. */
#ifndef OPS_RESTORE_SPEC_H
#define OPS_RESTORE_SPEC_H

#include "ops/op.h"
#include "ops/table/table_shapes.h"
#include "ops/table/table_spec.h"

/* What a request may override, for an operation's table. */
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

/* The table that the request makes of its source, as CreateTable would be asked for it. */
MUST_CHECK const struct error *restore_spec_read(struct call *c, const struct table *source,
                                                 struct table_spec *out);

/* The table as it would be asked for. */
struct table_spec restore_spec_of(struct arena *a, const struct table *source);

#endif
