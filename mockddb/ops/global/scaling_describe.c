#include "ops/global/scaling_describe.h"

#include "model/names.h"
#include "ops/global/global_scaling.h"
#include "ops/op_region.h"
#include "ops/table/table_replicas.h"
#include "ops/table/table_state.h"

static const struct span none = {"", 0};

const struct error *scaling_describe_find(struct call *c, const struct table **out)
{
    const struct error *e = table_state_find(c, out);

    if (e || table_replicas_any(*out))
        return e;
    return error_new(c->arena, ERROR_RESOURCE_NOT_FOUND,
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

void scaling_describe(struct call *c, const struct table *t)
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
