#include "ops/global/global_rules.h"

#include "ops/global/global_group.h"
#include "ops/global/global_request.h"
#include "ops/global/global_scaling.h"
#include "ops/op_fault.h"
#include "ops/table/table_build.h"
#include "ops/table/table_check.h"
#include "ops/table/table_replicas.h"
#include "ops/table/table_state.h"
#include "ops/transfer/task.h"

/* --- regions ---------------------------------------------------------------------------------- */

static const struct error *check_known(struct call *c, struct span region)
{
    struct buf all;

    if (names_find(names_regions, region, -1) >= 0)
        return NULL;
    all = buf_in(c->arena);
    for (size_t i = 0; names_regions[i]; i++)
        buf_printf(&all, "%s%s", i ? ", " : "", names_regions[i]);
    return error_validation(c->arena,
                            "Region %.*s is not supported. The latest version of global tables are "
                            "only supported in the following regions: [%.*s]",
                            SPAN_ARG(region), SPAN_ARG(buf_span(&all)));
}

/* The error names the first unknown region. */
static const struct error *check_regions(struct call *c, const struct global_spec *spec)
{
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < spec->count; i++) {
        const struct replica_change *change = &spec->changes[i];
        bool own = span_equal(change->region, op_region(c));

        if (change->action == REPLICA_DISASSOCIATE) {
            if (!own)
                return error_parameter(c->arena,
                                       "A replica is disassociated by a request to its own region");
            continue;
        }
        if (own)
            return error_validation(c->arena,
                                    "Cannot add or delete the local region through ReplicaUpdates. "
                                    "Use CreateTable and DeleteTable as required.");
        if (change->action == REPLICA_CREATE)
            e = check_known(c, change->region);
    }
    return e;
}

static const struct error *not_part(struct call *c, const char *what, struct span regions)
{
    return error_validation(
        c->arena,
        "Update global table operation failed because one or more %s were not part of the global "
        "table. Please retry the request without these %s: [%.*s].",
        what, what, SPAN_ARG(regions));
}

static const struct error *check_parts(struct call *c, const struct table *t,
                                       const struct global_spec *spec)
{
    struct buf others = buf_in(c->arena);
    size_t count = 0; /* a region's name may be empty */

    for (size_t i = 0; i < spec->count; i++) {
        const struct replica_change *change = &spec->changes[i];

        if (change->action != REPLICA_CREATE && change->action != REPLICA_DISASSOCIATE &&
            !table_replicas_find(t, change->region))
            buf_printf(&others, "%s%.*s", count++ ? ", " : "", SPAN_ARG(change->region));
    }
    if (count)
        return not_part(c, "replicas", buf_span(&others));
    if (spec->witness_action == REPLICA_DELETE &&
        (!spec->witness.len || !span_equal(spec->witness, t->global.witness)))
        return not_part(c, "witnesses", spec->witness);
    return NULL;
}

/* --- overrides -------------------------------------------------------------------------------- */

static struct units_spec override_of(const wire_node *settings, const char *member,
                                     const char *units)
{
    const wire_node *node = wire_get(wire_get(settings, member), units);

    return (struct units_spec){
        .given = node != NULL, .has_read = node != NULL, .read = wire_integer(node, 0)};
}

/* Checks overrides of the table or an index: units must fit the table's billing mode. */
static const struct error *check_units(struct call *c, const struct table *t,
                                       const wire_node *settings, struct span index)
{
    struct units_spec provisioned = override_of(settings, "ProvisionedThroughputOverride",
                                                "ReadCapacityUnits");
    struct units_spec limits = override_of(settings, "OnDemandThroughputOverride",
                                           "MaxReadRequestUnits");

    if (provisioned.given && t->on_demand)
        return table_check_units_allowed(c->arena, &provisioned, true);
    if (limits.given && !t->on_demand)
        return error_parameter(c->arena,
                               "MaxReadRequestUnits for OnDemandThroughput%s%.*s cannot be "
                               "specified when the table BillingMode is PROVISIONED",
                               index.len ? " for index : " : "", SPAN_ARG(index));
    return table_check_on_demand_range(c->arena, &limits, index, false);
}

static const struct error *check_overrides(struct call *c, const struct table *t,
                                           const struct replica_change *change)
{
    const wire_node *indexes = wire_get(change->settings, "GlobalSecondaryIndexes");
    const struct error *e = check_units(c, t, change->settings, (struct span){"", 0});

    for (const wire_node *n = wire_first(indexes); n && !e; n = wire_next(n)) {
        struct span name = wire_text(wire_get(n, "IndexName"));
        const struct index *ix = schema_find_index(t, name);

        if (!ix || schema_kind(ix) != KIND_GLOBAL)
            return op_fault_no_index(c->arena, t, name);
        e = check_units(c, t, n, name);
    }
    return e;
}

/* --- creating --------------------------------------------------------------------------------- */

static bool is_custom_key(struct span key)
{
    return key.len && !span_is(key, "alias/aws/dynamodb") && !table_build_is_service_key(key);
}

/* Either all replicas have customer managed keys or none has. */
static const struct error *check_keys(struct call *c, const struct table *t,
                                      const struct replica_change *change)
{
    struct span key = wire_text(wire_get(change->settings, "KMSMasterKeyId"));
    bool custom = t->sse && is_custom_key(t->kms_key_arn);

    if (custom && !key.len)
        return error_parameter(c->arena, "KMSMasterKeyId must be specified for each replica.");
    if (custom == is_custom_key(key))
        return NULL;
    return error_validation(
        c->arena, "All replica keys must either be Customer Managed CMK or AWS Managed CMK.");
}

/* Finds the table of this name in another region. table_state_look_up makes sure that a deleted
 * replica leaves the list and its region at the same time. */
static const struct error *find_there(struct call *c, const struct table *t, struct span region,
                                      const struct table **there)
{
    struct span here = c->region;
    const struct error *e;

    *there = NULL;
    if (!c->settings->regional)
        return NULL;
    c->region = op_region_key(c, region);
    e = table_state_look_up(c, t->name, there);
    c->region = here;
    return e;
}

static const struct error *check_free(struct call *c, const struct table *t, struct span region)
{
    const struct table *there;
    const struct error *e = find_there(c, t, region, &there);

    if (e || (!there && !table_replicas_find(t, region)))
        return e;
    return error_validation(
        c->arena,
        "Failed to create a the new replica of table with name: \u2018%.*s\u2019 because one or "
        "more replicas already existed as tables.",
        SPAN_ARG(t->name));
}

static const struct error *check_becomes_strong(struct call *c, const struct table *t)
{
    bool empty;
    const struct error *e = unit_is_empty(c->unit, t->space, &empty);

    if (e)
        return e;
    if (!empty)
        return error_validation(c->arena, "A table must be empty to become a global table with "
                                          "MultiRegionConsistency set to STRONG.");
    if (schema_count_kind(t, KIND_LOCAL))
        return error_not_when_strong(c->arena, "Local secondary indexes are");
    return t->ttl_attribute.len ? error_not_when_strong(c->arena, "Time to Live is") : NULL;
}

static const struct error *check_bulk_puts(struct call *c, const struct table *t)
{
    const struct error *e;
    bool busy;

    if ((e = task_puts_into(c, t, &busy)) || !busy)
        return e;
    return table_state_in_use(c, "Table is being used by a bulk operation: %.*s",
                              SPAN_ARG(t->name));
}

static const struct error *check_creation(struct call *c, const struct table *t,
                                          const struct global_spec *spec)
{
    const struct error *e;
    bool covered;

    if (spec->consistency_given && table_replicas_any(t))
        return error_validation(
            c->arena, "MultiRegionConsistency parameter is unsupported on existing global table");
    if (t->global.strong)
        return error_validation(
            c->arena, "Cannot add replicas to a global table with strong MultiRegionConsistency");
    if (spec->strong && (e = check_becomes_strong(c, t)))
        return e;
    if ((e = global_scaling_covers(c, t, NULL, &covered)))
        return e;
    if (!covered)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_REPLICA_UNITS, .operand = t->name),
                            "Table write capacity should either be Pay-Per-Request or AutoScaled.");
    for (size_t i = 0; i < t->index_count; i++) {
        if (schema_kind(&t->indexes[i]) != KIND_GLOBAL)
            continue;
        if ((e = global_scaling_covers(c, t, &t->indexes[i], &covered)))
            return e;
        if (!covered)
            return error_caused(
                c->arena, ERROR_VALIDATION,
                ERROR_WHY(CAUSE_REPLICA_UNITS, .operand = t->indexes[i].name),
                "GSI write capacity should either be Pay-Per-Request or AutoScaled.");
    }
    if ((e = check_bulk_puts(c, t)))
        return e;
    for (size_t i = 0; i < spec->count; i++)
        if ((e = check_free(c, t, spec->changes[i].region)) ||
            (e = check_keys(c, t, &spec->changes[i])) ||
            (e = check_overrides(c, t, &spec->changes[i])))
            return e;
    return NULL;
}

/* --- deleting --------------------------------------------------------------------------------- */

static const struct error *check_deletion(struct call *c, const struct table *t,
                                          const struct global_spec *spec)
{
    const struct error *e;

    if (t->global.strong) {
        if (global_request_count(spec, REPLICA_DELETE) < t->global.replica_count)
            return error_validation(
                c->arena, "Deletion of only one table replica is not supported for global "
                          "tables with MultiRegionConsistency set to STRONG.");
        if (t->global.witness.len && !spec->witness_given)
            return error_validation(
                c->arena, "Update table delete operation does not include all witnesses.");
        return NULL;
    }
    if (spec->count > 1)
        return global_request_too_many(c);
    for (size_t i = 0; i < spec->count; i++) {
        struct span region = spec->changes[i].region;
        const struct table *other = global_group_table(c, t, region);

        if (other && other->deletion_protection)
            return error_validation(
                c->arena,
                "Cannot delete table %.*s in region %.*s because it has deletion protection "
                "enabled. Disable deletion protection first.",
                SPAN_ARG(t->name), SPAN_ARG(region));
        if (other && (e = global_group_check_leave(c, other)))
            return e;
    }
    return NULL;
}

/* --- settings --------------------------------------------------------------------------------- */

static const struct error *check_mode(struct call *c, const struct table *t,
                                      const struct global_spec *spec)
{
    bool overrides = spec->mode == REPLICATION_OVERRIDES;

    if (spec->mode == REPLICATION_UNSAID || overrides == table_replicas_any(t))
        return NULL;
    if (overrides)
        return error_validation(
            c->arena, "Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' "
                      "failed to satisfy constraint: Only ENABLED and DISABLED settings "
                      "replication are supported for a Regional Table.");
    return error_validation(
        c->arena,
        "Value '%s' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: Only "
        "ENABLED_WITH_OVERRIDES settings replication is supported for a Global Table.",
        names_replication_modes[spec->mode]);
}

static const struct error *check_disassociation(struct call *c, const struct table *t,
                                                const struct global_spec *spec)
{
    bool leaves = global_request_count(spec, REPLICA_DISASSOCIATE) > 0;

    if (!leaves && !spec->protection_given)
        return NULL;
    if (!table_replicas_any(t))
        return error_parameter(c->arena, "The table is not a replica of a global table");
    if (t->global.strong)
        return error_parameter(c->arena, "Disassociation is not supported for global tables with "
                                         "MultiRegionConsistency set to STRONG.");
    if (!leaves || t->global.unprotected)
        return NULL;
    return error_parameter(c->arena,
                           "Replica cannot be disassociated as it is currently protected against "
                           "disassociation. Disable disassociation protection first.");
}

const struct error *global_rules_check(struct call *c, const struct table *t,
                                       const struct table_spec *spec)
{
    const struct global_spec *g = &spec->global;
    const struct error *e;

    if ((e = check_mode(c, t, g)) || (e = check_disassociation(c, t, g)))
        return e;
    if (!g->count) {
        /* Checks of requests without replica actions: the stream, and a change in progress. */
        if (spec->stream.given && !spec->stream.enabled && table_replicas_any(t) &&
            !t->global.strong)
            return error_parameter(c->arena,
                                   "Disabling Stream is not allowed for a Global Table replica.");
        if (t->change == CHANGE_REPLICA)
            return table_state_in_use(c, "Table is being updated: %.*s", SPAN_ARG(t->name));
        return NULL;
    }
    if ((e = check_regions(c, g)) || (e = check_parts(c, t, g)))
        return e;
    for (size_t i = 0; i < t->global.replica_count; i++)
        if (table_state_of_replica(c, t, &t->global.replicas[i]) == STATUS_CREATING)
            return error_validation(
                c->arena,
                "Create/Update/Delete of replica is not allowed while the replica is being added "
                "to table with name: \u2018%.*s\u2019 in region: \u2018%.*s\u2019.",
                SPAN_ARG(t->name), SPAN_ARG(t->global.replicas[i].region));
    if (t->sse_until_ms)
        return error_validation(
            c->arena,
            "Operation cannot be performed while replica server-side encryption status is in "
            "UPDATING state. Please retry the request after the status is updated to ENABLED.");
    if (t->status == STATUS_UPDATING || table_replicas_due_ms(t))
        return table_state_in_use(c, "Table is being updated: %.*s", SPAN_ARG(t->name));
    if (g->changes[0].action == REPLICA_CREATE)
        return check_creation(c, t, g);
    if (g->changes[0].action == REPLICA_DELETE)
        return check_deletion(c, t, g);
    return g->changes[0].action == REPLICA_UPDATE ? check_overrides(c, t, &g->changes[0]) : NULL;
}
