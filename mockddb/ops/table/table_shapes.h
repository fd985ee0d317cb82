/* table_shapes.h: the wire shapes that CreateTable, UpdateTable and similar operations share.
 *
 * Several errors are listed in the order of the shape's members. Source:
 * docs/behaviour/tables.md, "Definitions". */
#pragma once

#include "wire/wire_shape.h"

extern const struct wire_shape table_shapes_definitions; /* AttributeDefinitions */
extern const struct wire_shape table_shapes_key_schema;  /* of a table: 1..2 elements */
extern const struct wire_shape table_shapes_throughput;  /* ProvisionedThroughput */
extern const struct wire_shape table_shapes_on_demand;   /* OnDemandThroughput */
extern const struct wire_shape table_shapes_warm;        /* WarmThroughput */
extern const struct wire_shape table_shapes_billing_mode;
extern const struct wire_shape table_shapes_locals;         /* LocalSecondaryIndexes */
extern const struct wire_shape table_shapes_globals;        /* GlobalSecondaryIndexes */
extern const struct wire_shape table_shapes_index_changes;  /* GlobalSecondaryIndexUpdates */
extern const struct wire_shape table_shapes_vectors;        /* VectorIndexes */
extern const struct wire_shape table_shapes_vector_changes; /* VectorIndexUpdates */
extern const struct wire_shape table_shapes_stream;         /* StreamSpecification */
extern const struct wire_shape table_shapes_sse;            /* SSESpecification */
extern const struct wire_shape table_shapes_tags;
/* GlobalTableSettingsReplicationMode */
extern const struct wire_shape table_shapes_replication_mode;
extern const struct wire_shape table_shapes_attribute_name; /* 1..255 */
