#include "ops/global/global_legacy.h"

static const struct wire_member region_members[] = {
    {"RegionName", &wire_string, WIRE_REQUIRED},
    {NULL, NULL, 0},
};
static const struct wire_shape create_action = {
    .type = WIRE_STRUCT, .name = "CreateReplicaAction", .members = region_members};
static const struct wire_shape delete_action = {
    .type = WIRE_STRUCT, .name = "DeleteReplicaAction", .members = region_members};
static const struct wire_member update_members[] = {
    {"Create", &create_action, 0},
    {"Delete", &delete_action, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape update = {
    .type = WIRE_STRUCT, .name = "ReplicaUpdate", .members = update_members};
static const struct wire_shape updates = {.type = WIRE_LIST, .element = &update};

static const struct wire_member update_global_table_members[] = {
    {"GlobalTableName", &wire_index_name, WIRE_REQUIRED}, /* same bounds */
    {"ReplicaUpdates", &updates, WIRE_REQUIRED},
    {NULL, NULL, 0},
};

static const struct error *update_global_table(struct call *c)
{
    if (!wire_count(wire_get(c->body, "ReplicaUpdates")))
        return error_validation(c->arena, "One or more parameter values were invalid");
    return global_legacy_closed(c);
}

const struct op op_update_global_table = {
    .name = "UpdateGlobalTable",
    .access = OP_WRITES,
    .members = update_global_table_members,
    .run = update_global_table,
};
