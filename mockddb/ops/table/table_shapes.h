/* table_shapes.h: the wire shapes that CreateTable, UpdateTable and their kin share.
 *
 * Member order within a shape is the order in which several errors are listed. Source:
 * docs/behaviour/tables.md, "Members". */
#ifndef OPS_TABLE_SHAPES_H
#define OPS_TABLE_SHAPES_H

#include "wire/wire_shape.h"

extern const struct wire_shape shape_definitions; /* AttributeDefinitions */
extern const struct wire_shape shape_key_schema;  /* of a table: 1..2 elements */
extern const struct wire_shape shape_throughput;  /* ProvisionedThroughput */
extern const struct wire_shape shape_on_demand;   /* OnDemandThroughput */
extern const struct wire_shape shape_warm;        /* WarmThroughput */
extern const struct wire_shape shape_billing_mode;
extern const struct wire_shape shape_locals;        /* LocalSecondaryIndexes */
extern const struct wire_shape shape_globals;       /* GlobalSecondaryIndexes */
extern const struct wire_shape shape_index_changes; /* GlobalSecondaryIndexUpdates */
extern const struct wire_shape shape_stream;        /* StreamSpecification */
extern const struct wire_shape shape_sse;           /* SSESpecification */
extern const struct wire_shape shape_tags;
extern const struct wire_shape shape_replication_mode; /* GlobalTableSettingsReplicationMode */
extern const struct wire_shape shape_attribute_name;   /* 1..255 */

#endif
