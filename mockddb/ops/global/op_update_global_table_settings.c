#include "model/names.h"
#include "ops/global/global_legacy.h"
#include "ops/global/global_scaling.h"

static const struct wire_shape billing_mode = {.type = WIRE_STRING, .values = names_billing_modes};
static const struct wire_shape table_class = {.type = WIRE_STRING, .values = names_table_classes};
static const struct wire_shape units = {.type = WIRE_LONG, WIRE_AT_LEAST(1)};

static const struct wire_member index_members[] = {
    {"IndexName", &wire_index_name, WIRE_REQUIRED},
    {"ProvisionedWriteCapacityUnits", &units, 0},
    {"ProvisionedWriteCapacityAutoScalingSettingsUpdate", &global_scaling_settings, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape index_shape = {
    .type = WIRE_STRUCT,
    .name = "GlobalTableGlobalSecondaryIndexSettingsUpdate",
    .members = index_members};
static const struct wire_shape indexes = {
    .type = WIRE_LIST, .element = &index_shape, WIRE_BOUNDS(1, 20)};

static const struct wire_member replica_index_members[] = {
    {"IndexName", &wire_index_name, WIRE_REQUIRED},
    {"ProvisionedReadCapacityUnits", &units, 0},
    {"ProvisionedReadCapacityAutoScalingSettingsUpdate", &global_scaling_settings, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape replica_index = {.type = WIRE_STRUCT,
                                                .name = "ReplicaGlobalSecondaryIndexSettingsUpdate",
                                                .members = replica_index_members};
static const struct wire_shape replica_indexes = {
    .type = WIRE_LIST, .element = &replica_index, WIRE_BOUNDS(1, 20)};

static const struct wire_member replica_members[] = {
    {"RegionName", &wire_string, WIRE_REQUIRED},
    {"ReplicaProvisionedReadCapacityUnits", &units, 0},
    {"ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate", &global_scaling_settings, 0},
    {"ReplicaGlobalSecondaryIndexSettingsUpdate", &replica_indexes, 0},
    {"ReplicaTableClass", &table_class, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape replica = {
    .type = WIRE_STRUCT, .name = "ReplicaSettingsUpdate", .members = replica_members};
static const struct wire_shape replicas = {
    .type = WIRE_LIST, .element = &replica, WIRE_BOUNDS(1, 50)};

static const struct wire_member update_global_table_settings_members[] = {
    {"GlobalTableName", &wire_index_name, WIRE_REQUIRED}, /* same bounds */
    {"GlobalTableBillingMode", &billing_mode, 0},
    {"GlobalTableProvisionedWriteCapacityUnits", &units, 0},
    {"GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate", &global_scaling_settings, 0},
    {"GlobalTableGlobalSecondaryIndexSettingsUpdate", &indexes, 0},
    {"ReplicaSettingsUpdate", &replicas, 0},
    {NULL, NULL, 0},
};

static const struct error *update_global_table_settings(struct call *c)
{
    return global_legacy_not_found(c, "");
}

const struct op op_update_global_table_settings = {
    .name = "UpdateGlobalTableSettings",
    .access = OP_WRITES,
    .members = update_global_table_settings_members,
    .run = update_global_table_settings,
};
