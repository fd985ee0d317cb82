#include "ops/global/global_apply.h"
#include "ops/global/global_group.h"
#include "ops/global/global_request.h"
#include "ops/global/global_rules.h"
#include "ops/global/global_settings.h"
#include "ops/table/table_backfill.h"
#include "ops/table/table_describe.h"
#include "ops/table/table_name.h"
#include "ops/table/table_replicas.h"
#include "ops/table/table_shapes.h"
#include "ops/table/table_state.h"
#include "ops/update/update.h"

static const struct error *check_request(struct call *c, const struct table_spec *spec,
                                         const struct table **out)
{
    const struct error *e;

    if ((e = update_request_check(c, spec)) || (e = table_state_find(c, out)) ||
        (e = update_rules_check_names(c, *out, spec)) || (e = global_rules_check(c, *out, spec)) ||
        (e = update_busy_check(c, *out, spec)))
        return e;
    return update_rules_check(c, *out, spec);
}

/* An UpdateTable request to the replica of one region, for the replicas of the other regions. */
struct replica_update {
    const struct table_spec *spec;
    const struct table *asked; /* the updated table, as it was before */
    struct span region;        /* of the updated table */
    const struct replica *own; /* its settings of its own, or NULL */
};

/* Changes a replica of another region: only settings that all replicas share. */
static const struct error *update_replica(struct call *c, struct table *draft, void *data)
{
    const struct replica_update *f = data;
    struct table_spec spec = *f->spec;
    const struct error *e;
    bool idle;

    spec.stream.given = false;
    global_settings_share(c->arena, draft, f->own, table_replicas_find(f->asked, op_region(c)),
                          &spec);
    if ((e = update_apply(c, draft, &spec, &idle)))
        return e;
    global_settings_note(draft, f->region, f->spec);
    return NULL;
}

static const struct error *update_table(struct call *c)
{
    struct table_spec spec = table_spec_read(c->arena, c->body, SCHEMA_UPDATE);
    struct replica_update following = {.spec = &spec, .region = op_region(c)};
    const struct table *old;
    const struct error *e = check_request(c, &spec, &old);
    struct span name;
    const struct index *ix;
    struct table *t;
    bool idle, known;
    enum status status;

    if (e)
        return e;
    following.asked = old;
    following.own = global_settings_own(c, old);
    t = schema_copy(c->arena, old);
    name = arena_span(c->arena, t->name);
    if ((e = update_apply(c, t, &spec, &idle)))
        return e;
    global_settings_note(t, following.region, &spec);
    if ((e = global_apply(c, t, &spec.global)))
        return e;
    status = t->status;
    if (idle)
        t->status = STATUS_UPDATING;
    wire_key(&c->reply, "TableDescription");
    e = table_describe(c, t, TABLE_UPDATED);
    t->status = status;
    if (e || (e = global_group_each(c, old, update_replica, &following)) ||
        (e = table_state_keep(c, t)))
        return e;
    /* Where other processes write, the job does it when all of them keep the new index's entries.
     */
    if (!(ix = table_state_unfilled(t)) || (e = unit_knows_space(c->unit, ix->space, &known)))
        return e;
    return known ? table_backfill(c, name) : NULL;
}

const struct op op_update_table = {
    .name = "UpdateTable",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"TableName", &wire_table_name, 0}, {"ProvisionedThroughput", &table_shapes_throughput, 0},
        {"BillingMode", &table_shapes_billing_mode, 0},
        {"TableThroughputMode", &table_shapes_billing_mode, 0},
        {"GlobalSecondaryIndexUpdates", &table_shapes_index_changes, 0},
        {"AttributeDefinitions", &table_shapes_definitions, 0},
        {"StreamSpecification", &table_shapes_stream, 0},
        {"SSESpecification", &table_shapes_sse, 0}, {"ReplicaUpdates", &global_request_replicas, 0},
        {"OnDemandThroughput", &table_shapes_on_demand, 0},
        {"WarmThroughput", &table_shapes_warm, 0},
        {"MultiRegionConsistency", &global_request_consistency, 0},
        {"GlobalTableWitnessUpdates", &global_request_witnesses, 0},
        {"GlobalTableSettingsReplicationMode", &table_shapes_replication_mode, 0},
        {"DisassociationProtectionEnabled", &wire_boolean, 0},
        {"VectorIndexUpdates", &table_shapes_vector_changes, 0}),
    .table_use = SCHEMA_UPDATE,
    .precheck = table_name_required,
    .run = update_table,
};
