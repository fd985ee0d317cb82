/* op_global_table.c: global tables of version 2017.11.29. The service has closed this version, so
 * no such tables exist and none can be created. */
#include "ops/global/global_scaling.h"

static const struct error *refuse_closed(struct call *c)
{
    return error_parameter(c->arena, "DynamoDB global tables version 2017.11.29 is not supported. "
                                     "We recommend using DynamoDB global tables version "
                                     "2019.11.21, instead of version 2017.11.29 (Legacy).");
}

/* "Global table with name: 'T' does not exist.", with `lead` in front. */
static const struct error *refuse_unknown(struct call *c, const char *lead)
{
    return error_caused(c->arena, ERROR_GLOBAL_TABLE_NOT_FOUND, ERROR_WHY(CAUSE_GLOBAL_OLD),
                        "%sGlobal table with name: '%.*s' does not exist.", lead,
                        SPAN_ARG(wire_text(wire_get(c->body, "GlobalTableName"))));
}

static const struct wire_shape replica = WIRE_STRUCT_OF("Replica", {"RegionName", &wire_string, 0});

const struct op op_create_global_table = {
    .name = "CreateGlobalTable",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"GlobalTableName", &wire_index_name, WIRE_REQUIRED}, /* same bounds */
        {"ReplicationGroup", WIRE_SHAPE(WIRE_LIST, .element = &replica), WIRE_REQUIRED}),
    .run = refuse_closed,
};

static const struct wire_member named_members[] = {
    {"GlobalTableName", &wire_index_name, WIRE_REQUIRED}, /* same bounds */
    {NULL, NULL, 0},
};

static const struct error *describe_global_table(struct call *c)
{
    return refuse_unknown(c, "Global table not found: ");
}

static const struct error *refuse_settings(struct call *c)
{
    return refuse_unknown(c, "");
}

const struct op op_describe_global_table = {
    .name = "DescribeGlobalTable",
    .members = named_members,
    .run = describe_global_table,
};

const struct op op_describe_global_table_settings = {
    .name = "DescribeGlobalTableSettings",
    .members = named_members,
    .run = refuse_settings,
};

/* The list is always empty, but the service refuses an unknown region. */
static const struct error *list_global_tables(struct call *c)
{
    struct span region = wire_text(wire_get(c->body, "RegionName"));

    if (region.at && names_find(names_regions, region, -1) < 0)
        return error_internal(c->arena);
    wire_open_member(&c->reply, "GlobalTables", '[');
    wire_close(&c->reply, ']');
    return NULL;
}

const struct op op_list_global_tables = {
    .name = "ListGlobalTables",
    .members = WIRE_MEMBERS(
        {"ExclusiveStartGlobalTableName", &wire_index_name, 0}, /* same bounds */
        {"Limit", WIRE_SHAPE(WIRE_INTEGER, WIRE_AT_LEAST(1)), 0}, {"RegionName", &wire_string, 0}),
    .run = list_global_tables,
};

static const struct wire_member region_update_members[] = {
    {"RegionName", &wire_string, WIRE_REQUIRED},
    {NULL, NULL, 0},
};
static const struct wire_shape update = WIRE_STRUCT_OF(
    "ReplicaUpdate", {"Create", WIRE_STRUCT("CreateReplicaAction", region_update_members), 0},
    {"Delete", WIRE_STRUCT("DeleteReplicaAction", region_update_members), 0});

static const struct error *update_global_table(struct call *c)
{
    if (!wire_count(wire_get(c->body, "ReplicaUpdates")))
        return error_validation(c->arena, "One or more parameter values were invalid");
    return refuse_closed(c);
}

const struct op op_update_global_table = {
    .name = "UpdateGlobalTable",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"GlobalTableName", &wire_index_name, WIRE_REQUIRED}, /* same bounds */
        {"ReplicaUpdates", WIRE_SHAPE(WIRE_LIST, .element = &update), WIRE_REQUIRED}),
    .run = update_global_table,
};

static const struct wire_shape index_shape = WIRE_STRUCT_OF(
    "GlobalTableGlobalSecondaryIndexSettingsUpdate", {"IndexName", &wire_index_name, WIRE_REQUIRED},
    {"ProvisionedWriteCapacityUnits", &wire_positive, 0},
    {"ProvisionedWriteCapacityAutoScalingSettingsUpdate", &global_scaling_settings, 0});

static const struct wire_shape replica_index = WIRE_STRUCT_OF(
    "ReplicaGlobalSecondaryIndexSettingsUpdate", {"IndexName", &wire_index_name, WIRE_REQUIRED},
    {"ProvisionedReadCapacityUnits", &wire_positive, 0},
    {"ProvisionedReadCapacityAutoScalingSettingsUpdate", &global_scaling_settings, 0});

static const struct wire_shape replica_settings = WIRE_STRUCT_OF(
    "ReplicaSettingsUpdate", {"RegionName", &wire_string, WIRE_REQUIRED},
    {"ReplicaProvisionedReadCapacityUnits", &wire_positive, 0},
    {"ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate", &global_scaling_settings, 0},
    {"ReplicaGlobalSecondaryIndexSettingsUpdate",
     WIRE_SHAPE(WIRE_LIST, .element = &replica_index, WIRE_BOUNDS(1, 20)), 0},
    {"ReplicaTableClass", WIRE_SHAPE(WIRE_STRING, .values = names_table_classes), 0});

const struct op op_update_global_table_settings = {
    .name = "UpdateGlobalTableSettings",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"GlobalTableName", &wire_index_name, WIRE_REQUIRED}, /* same bounds */
        {"GlobalTableBillingMode", WIRE_SHAPE(WIRE_STRING, .values = names_billing_modes), 0},
        {"GlobalTableProvisionedWriteCapacityUnits", &wire_positive, 0},
        {"GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate", &global_scaling_settings,
         0},
        {"GlobalTableGlobalSecondaryIndexSettingsUpdate",
         WIRE_SHAPE(WIRE_LIST, .element = &index_shape, WIRE_BOUNDS(1, 20)), 0},
        {"ReplicaSettingsUpdate",
         WIRE_SHAPE(WIRE_LIST, .element = &replica_settings, WIRE_BOUNDS(1, 50)), 0}),
    .run = refuse_settings,
};
