/* op_replica_scaling.c: the auto scaling of a global table's replicas. */
#include "ops/global/global_group.h"
#include "ops/global/global_scaling.h"
#include "ops/op_fault.h"
#include "ops/table/table_name.h"
#include "ops/table/table_replicas.h"
#include "ops/table/table_state.h"

static const struct span none = {"", 0};

/* Finds the table that TableName names, which must be a global table. */
static const struct error *find_table(struct call *c, const struct table **out)
{
    const struct error *e = table_state_find(c, out);

    if (e || table_replicas_any(*out))
        return e;
    return error_caused(c->arena, ERROR_RESOURCE_NOT_FOUND,
                        ERROR_WHY(CAUSE_NO_REPLICAS, .operand = (*out)->name),
                        "Global table with name: %.*s does not exist.", SPAN_ARG((*out)->name));
}

static void put_index(struct wire_writer *w, const struct table *t, struct span region,
                      const struct index *ix)
{
    wire_open(w, '{');
    wire_put_member_text(w, "IndexName", ix->name);
    wire_put_member_word(w, "IndexStatus", names_statuses[ix->status]);
    global_scaling_describe(w, "ProvisionedReadCapacityAutoScalingSettings",
                            global_scaling_find(t, region, ix->name));
    global_scaling_describe(w, "ProvisionedWriteCapacityAutoScalingSettings",
                            global_scaling_find(t, none, ix->name));
    wire_close(w, '}');
}

static void put_replica(struct wire_writer *w, const struct table *t, struct span region,
                        enum status status)
{
    wire_open(w, '{');
    wire_put_member_text(w, "RegionName", region);
    wire_open_member(w, "GlobalSecondaryIndexes", '[');
    for (size_t i = 0; i < t->index_count; i++)
        if (schema_kind(&t->indexes[i]) == KIND_GLOBAL)
            put_index(w, t, region, &t->indexes[i]);
    wire_close(w, ']');
    global_scaling_describe(w, "ReplicaProvisionedReadCapacityAutoScalingSettings",
                            global_scaling_find(t, region, none));
    global_scaling_describe(w, "ReplicaProvisionedWriteCapacityAutoScalingSettings",
                            global_scaling_find(t, none, none));
    wire_put_member_word(w, "ReplicaStatus", names_statuses[status]);
    wire_close(w, '}');
}

static void put_description(struct call *c, const struct table *t)
{
    struct wire_writer *w = &c->reply;

    wire_open_member(w, "TableAutoScalingDescription", '{');
    wire_put_member_text(w, "TableName", t->name);
    wire_put_member_word(w, "TableStatus", names_statuses[t->status]);
    wire_open_member(w, "Replicas", '[');
    put_replica(w, t, op_region(c), t->status);
    for (size_t i = 0; i < t->global.replica_count; i++)
        put_replica(w, t, t->global.replicas[i].region,
                    table_state_of_replica(c, t, &t->global.replicas[i]));
    wire_close(w, ']');
    wire_close(w, '}');
}

static const struct error *describe_scaling(struct call *c)
{
    const struct table *t;
    const struct error *e = find_table(c, &t);

    if (!e)
        put_description(c, t);
    return e;
}

const struct op op_describe_table_replica_auto_scaling = {
    .name = "DescribeTableReplicaAutoScaling",
    .members = WIRE_MEMBERS({"TableName", &wire_table_name, 0}),
    .precheck = table_name_required,
    .run = describe_scaling,
};

#define WRITES  "ProvisionedWriteCapacityAutoScalingUpdate"
#define READS   "ReplicaProvisionedReadCapacityAutoScalingUpdate"
#define INDEXES "ReplicaGlobalSecondaryIndexUpdates"

static const struct wire_shape index_shape = WIRE_STRUCT_OF("GlobalSecondaryIndexAutoScalingUpdate",
                                                            {"IndexName", &wire_index_name, 0},
                                                            {WRITES, &global_scaling_settings, 0});

static const struct wire_shape replica_index = WIRE_STRUCT_OF(
    "ReplicaGlobalSecondaryIndexAutoScalingUpdate", {"IndexName", &wire_index_name, 0},
    {"ProvisionedReadCapacityAutoScalingUpdate", &global_scaling_settings, 0});

static const struct wire_shape replica_shape = WIRE_STRUCT_OF(
    "ReplicaAutoScalingUpdate", {"RegionName", &wire_string, WIRE_REQUIRED},
    {INDEXES, WIRE_SHAPE(WIRE_LIST, .element = &replica_index), 0},
    {READS, &global_scaling_settings, 0});

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
            return op_fault_no_index(c->arena, t, name);
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

    if ((e = find_table(c, &old)) || (e = check_mode(c, old)))
        return e;
    t = schema_copy(c->arena, old);
    if ((e = update_settings(c, t, NULL)))
        return e;
    put_description(c, t);
    if ((e = global_group_each(c, t, update_settings, NULL)))
        return e;
    return table_state_keep(c, t);
}

const struct op op_update_table_replica_auto_scaling = {
    .name = "UpdateTableReplicaAutoScaling",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"GlobalSecondaryIndexUpdates",
         WIRE_SHAPE(WIRE_LIST, .element = &index_shape, WIRE_AT_LEAST(1)), 0},
        {"TableName", &wire_table_name, 0}, {WRITES, &global_scaling_settings, 0},
        {"ReplicaUpdates", WIRE_SHAPE(WIRE_LIST, .element = &replica_shape, WIRE_AT_LEAST(1)), 0}),
    .precheck = table_name_required,
    .run = update_scaling,
};
