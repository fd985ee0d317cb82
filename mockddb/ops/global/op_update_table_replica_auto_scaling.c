#include "ops/global/global_group.h"
#include "ops/global/global_scaling.h"
#include "ops/global/scaling_describe.h"
#include "ops/op_region.h"
#include "ops/table/table_name.h"
#include "ops/table/table_replicas.h"
#include "ops/table/table_state.h"

#define WRITES  "ProvisionedWriteCapacityAutoScalingUpdate"
#define READS   "ReplicaProvisionedReadCapacityAutoScalingUpdate"
#define INDEXES "ReplicaGlobalSecondaryIndexUpdates"

static const struct span none = {"", 0};

static const struct wire_shape index_shape = WIRE_STRUCT_OF("GlobalSecondaryIndexAutoScalingUpdate",
                                                            {"IndexName", &wire_index_name, 0},
                                                            {WRITES, &global_scaling_settings, 0});
static const struct wire_shape indexes_shape = {
    .type = WIRE_LIST, .element = &index_shape, WIRE_AT_LEAST(1)};

static const struct wire_shape replica_index = WIRE_STRUCT_OF(
    "ReplicaGlobalSecondaryIndexAutoScalingUpdate", {"IndexName", &wire_index_name, 0},
    {"ProvisionedReadCapacityAutoScalingUpdate", &global_scaling_settings, 0});
static const struct wire_shape replica_indexes = {.type = WIRE_LIST, .element = &replica_index};

static const struct wire_shape replica_shape = WIRE_STRUCT_OF(
    "ReplicaAutoScalingUpdate", {"RegionName", &wire_string, WIRE_REQUIRED},
    {INDEXES, &replica_indexes, 0}, {READS, &global_scaling_settings, 0});
static const struct wire_shape replicas_shape = {
    .type = WIRE_LIST, .element = &replica_shape, WIRE_AT_LEAST(1)};

static const struct wire_member update_scaling_members[] = {
    {"GlobalSecondaryIndexUpdates", &indexes_shape, 0},
    {"TableName", &wire_table_name, 0},
    {WRITES, &global_scaling_settings, 0},
    {"ReplicaUpdates", &replicas_shape, 0},
    {NULL, NULL, 0},
};

/* On-demand tables have no units to scale. */
static const struct error *check_mode(struct call *c, const struct table *t)
{
    static const char *const members[] = {WRITES, "GlobalSecondaryIndexUpdates", "ReplicaUpdates"};
    struct buf regions = buf_in(c->arena);
    size_t i = 0;

    while (i < COUNT(members) && !wire_get(c->body, members[i]))
        i++;
    if (!t->on_demand || i == COUNT(members))
        return NULL;
    buf_printf(&regions, "'%.*s'", SPAN_ARG(op_region(c)));
    for (size_t k = 0; k < t->global.replica_count; k++)
        buf_printf(&regions, ", '%.*s'", SPAN_ARG(t->global.replicas[k].region));
    return error_validation(c->arena,
                            "Failed to update global table with name \u2018%.*s\u2018. Replicas "
                            "%.*s BillingMode is PayPerRequest. You must convert table's "
                            "BillingMode to PROVISIONED to set parameters: '%s'.",
                            SPAN_ARG(t->name), SPAN_ARG(buf_span(&regions)), members[i]);
}

static const struct error *update_indexes(struct call *c, struct table *t, struct span region,
                                          const wire_node *list, const char *settings)
{
    const struct error *e = NULL;

    for (const wire_node *n = wire_first(list); n && !e; n = wire_next(n)) {
        struct span name = wire_text(wire_get(n, "IndexName"));
        const struct index *ix = schema_find_index(t, name);

        if (!ix || schema_kind(ix) != KIND_GLOBAL)
            return error_new(c->arena, ERROR_RESOURCE_NOT_FOUND,
                             "Requested resource not found: Index %.*s for table %.*s",
                             SPAN_ARG(name), SPAN_ARG(t->name));
        e = global_scaling_update(c, t, region, name, wire_get(n, settings));
    }
    return e;
}

static const struct error *update_replica(struct call *c, struct table *t, const wire_node *node)
{
    struct span region = wire_text(wire_get(node, "RegionName"));
    const struct error *e;

    if (!span_equal(region, op_region(c)) && !table_replicas_find(t, region))
        return error_validation(c->arena,
                                "Update global table operation failed because one or more replicas "
                                "were not part of the global table. Please retry the request "
                                "without these replicas: [%.*s].",
                                SPAN_ARG(region));
    if ((e = global_scaling_update(c, t, region, none, wire_get(node, READS))))
        return e;
    return update_indexes(c, t, region, wire_get(node, INDEXES),
                          "ProvisionedReadCapacityAutoScalingUpdate");
}

static const struct error *update_settings(struct call *c, struct table *t, void *unused)
{
    const struct error *e;

    (void)unused;
    if ((e = global_scaling_update(c, t, none, none, wire_get(c->body, WRITES))) ||
        (e = update_indexes(c, t, none, wire_get(c->body, "GlobalSecondaryIndexUpdates"), WRITES)))
        return e;
    for (const wire_node *n = wire_first(wire_get(c->body, "ReplicaUpdates")); n; n = wire_next(n))
        if ((e = update_replica(c, t, n)))
            return e;
    return NULL;
}

static const struct error *update_scaling(struct call *c)
{
    const struct table *old;
    const struct error *e;
    struct table *t;

    if ((e = scaling_describe_find(c, &old)) || (e = check_mode(c, old)))
        return e;
    t = schema_copy(c->arena, old);
    if ((e = update_settings(c, t, NULL)))
        return e;
    scaling_describe(c, t);
    if ((e = global_group_each(c, t, update_settings, NULL)))
        return e;
    return table_state_keep(c, t);
}

const struct op op_update_table_replica_auto_scaling = {
    .name = "UpdateTableReplicaAutoScaling",
    .access = OP_WRITES,
    .members = update_scaling_members,
    .precheck = table_name_required,
    .run = update_scaling,
};
