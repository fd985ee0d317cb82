#include "ops/global/global_request.h"

/* --- shapes ----------------------------------------------------------------------------------- */

const struct wire_shape global_request_consistency = {.type = WIRE_STRING,
                                                      .values = names_consistencies};

static const struct wire_shape provisioned = WIRE_STRUCT_OF(
    "ProvisionedThroughputOverride", {"ReadCapacityUnits", &wire_positive, 0});
static const struct wire_shape on_demand = WIRE_STRUCT_OF(
    "OnDemandThroughputOverride", {"MaxReadRequestUnits", &wire_any_long, 0});
static const struct wire_shape replica_index = WIRE_STRUCT_OF(
    "ReplicaGlobalSecondaryIndex", {"IndexName", &wire_index_name, WIRE_REQUIRED},
    {"ProvisionedThroughputOverride", &provisioned, 0},
    {"OnDemandThroughputOverride", &on_demand, 0});

static const struct wire_member settings_members[] = {
    {"RegionName", &wire_string, WIRE_REQUIRED},
    {"KMSMasterKeyId", &wire_string, 0},
    {"ProvisionedThroughputOverride", &provisioned, 0},
    {"OnDemandThroughputOverride", &on_demand, 0},
    {"GlobalSecondaryIndexes", WIRE_SHAPE(WIRE_LIST, .element = &replica_index, WIRE_AT_LEAST(1)),
     0},
    {"TableClassOverride", WIRE_SHAPE(WIRE_STRING, .values = names_table_classes), 0},
    {NULL, NULL, 0},
};
static const struct wire_member region_members[] = {
    {"RegionName", &wire_string, WIRE_REQUIRED},
    {NULL, NULL, 0},
};
static const struct wire_shape disassociate_action = WIRE_STRUCT_OF(
    "DisassociateReplicationGroupMemberAction", {"RegionName", &wire_string, WIRE_REQUIRED},
    {"DisassociationMode", WIRE_SHAPE(WIRE_STRING, .values = NAMES("WAIT_FOR_REPLICATION")),
     WIRE_REQUIRED});
static const struct wire_shape replica = WIRE_STRUCT_OF(
    "ReplicationGroupUpdate",
    {"Create", WIRE_STRUCT("CreateReplicationGroupMemberAction", settings_members), 0},
    {"Update", WIRE_STRUCT("UpdateReplicationGroupMemberAction", settings_members), 0},
    {"Delete", WIRE_STRUCT("DeleteReplicationGroupMemberAction", region_members), 0},
    {"Disassociate", &disassociate_action, 0});
const struct wire_shape global_request_replicas = {
    .type = WIRE_LIST, .element = &replica, WIRE_AT_LEAST(1)};

static const struct wire_shape witness = WIRE_STRUCT_OF(
    "GlobalTableWitnessGroupUpdate",
    {"Create", WIRE_STRUCT("CreateGlobalTableWitnessGroupMemberAction", region_members), 0},
    {"Delete", WIRE_STRUCT("DeleteGlobalTableWitnessGroupMemberAction", region_members), 0});
const struct wire_shape global_request_witnesses = {
    .type = WIRE_LIST, .element = &witness, WIRE_BOUNDS(1, 1)};

/* --- actions ---------------------------------------------------------------------------------- */

size_t global_request_count(const struct global_spec *spec, enum replica_action action)
{
    size_t count = 0;

    for (size_t i = 0; i < spec->count; i++)
        count += spec->changes[i].action == action;
    return count;
}

static const struct error *same_region_error(struct call *c)
{
    return error_validation(c->arena, "Cannot target multiple regions with the same action");
}

/* --- strong consistency ----------------------------------------------------------------------- */

/* The regions that support strong consistency. */
static const char *const strong_regions[] = {
    "us-east-1", "us-east-2",    "us-west-2",      "eu-west-1",      "eu-west-2",
    "eu-west-3", "eu-central-1", "ap-northeast-1", "ap-northeast-2", "ap-northeast-3",
};

static void list_region(struct buf *out, struct span region)
{
    for (size_t i = 0; i < COUNT(strong_regions); i++)
        if (span_is(region, strong_regions[i]))
            return;
    buf_printf(out, "%s%.*s", out->len ? ", " : "", SPAN_ARG(region));
}

static const struct error *check_witness_region(struct call *c, const struct global_spec *spec)
{
    bool taken = span_equal(spec->witness, op_region(c));

    for (size_t i = 0; i < spec->count; i++)
        taken = taken || span_equal(spec->witness, spec->changes[i].region);
    if (!spec->witness_given || !taken)
        return NULL;
    return error_validation(c->arena, "Cannot add a witness in the same region as an existing "
                                      "replica when creating a global table with "
                                      "MultiRegionConsistency set to STRONG.");
}

/* A strongly consistent table has two more regions: two replicas, or a replica and a witness. */
static const struct error *check_strong(struct call *c, const struct global_spec *spec)
{
    const struct error *e;
    struct buf others = buf_in(c->arena);

    if (spec->count + spec->witness_given != LIMIT_STRONG_REGIONS - 1)
        return error_validation(c->arena, "Unsupported replica count for global tables with "
                                          "MultiRegionConsistency set to STRONG.");
    if ((e = check_witness_region(c, spec)))
        return e;
    list_region(&others, op_region(c));
    for (size_t i = 0; i < spec->count; i++)
        list_region(&others, spec->changes[i].region);
    if (spec->witness_given)
        list_region(&others, spec->witness);
    if (!others.len)
        return NULL;
    return error_validation(c->arena,
                            "Unsupported Region(s) specified for global tables with "
                            "MultiRegionConsistency set to STRONG: [%.*s].",
                            SPAN_ARG(buf_span(&others)));
}

const struct error *global_request_check(struct call *c, const struct global_spec *spec)
{
    for (size_t i = 0; i < spec->count; i++) {
        const struct replica_change *change = &spec->changes[i];

        if (!change->actions)
            return error_validation(c->arena, "There are no actions specified in the Replica "
                                              "Update Action of the request.");
        if (change->actions > 1 || change->action != spec->changes[0].action)
            return error_validation(c->arena, "Update table operation with more than one type of "
                                              "replica actions not allowed.");
        for (size_t k = 0; k < i; k++)
            if (span_equal(spec->changes[k].region, change->region))
                return same_region_error(c);
    }
    /* Only a new strongly consistent table takes several creations. Several deletions pass here,
     * since only the table tells whether it is strongly consistent. */
    if (spec->count >= 2) {
        if (spec->changes[0].action == REPLICA_CREATE && !spec->strong)
            return global_request_too_many(c);
        if (spec->changes[0].action == REPLICA_UPDATE ||
            spec->changes[0].action == REPLICA_DISASSOCIATE)
            return same_region_error(c);
    }
    if (spec->witness_given && !spec->witness_actions)
        return error_validation(c->arena, "There are no actions specified in the Witness Update "
                                          "Action of the request.");
    if (spec->witness_given && spec->witness_action == REPLICA_CREATE && !spec->strong)
        return error_validation(c->arena, "MultiRegionConsistency must be set as STRONG when "
                                          "GlobalTableWitnessUpdates parameter is present.");
    if (spec->consistency_given && spec->count &&
        global_request_count(spec, REPLICA_CREATE) < spec->count)
        return error_validation(c->arena, "Only Replica Create actions are supported when "
                                          "MultiRegionConsistency parameter is provided.");
    return spec->strong && spec->count ? check_strong(c, spec) : NULL;
}

const struct error *global_request_too_many(struct call *c)
{
    return error_validation(c->arena, "Update table operation with more than one create or delete "
                                      "replica actions not allowed");
}
