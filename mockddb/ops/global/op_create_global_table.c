#include "ops/global/global_legacy.h"

static const struct wire_member region_members[] = {
    {"RegionName", &wire_string, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape replica = {
    .type = WIRE_STRUCT, .name = "Replica", .members = region_members};
static const struct wire_shape replicas = {.type = WIRE_LIST, .element = &replica};

static const struct wire_member create_global_table_members[] = {
    {"GlobalTableName", &wire_index_name, WIRE_REQUIRED}, /* same bounds */
    {"ReplicationGroup", &replicas, WIRE_REQUIRED},
    {NULL, NULL, 0},
};

const struct op op_create_global_table = {
    .name = "CreateGlobalTable",
    .access = OP_WRITES,
    .members = create_global_table_members,
    .run = global_legacy_closed,
};
