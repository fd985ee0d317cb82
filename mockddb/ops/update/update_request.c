#include "ops/update/update.h"

#include "ops/global/global_request.h"
#include "ops/table/table_check.h"
#include "ops/table/table_member.h"
#include "ops/table/table_vector.h"

static bool has_units(const struct units_spec *units)
{
    return units->has_read || units->has_write;
}

static unsigned index_aspects(const struct index_change_list *changes)
{
    unsigned aspects = changes->len ? UPDATE_INDEXES : 0;

    for (size_t i = 0; i < changes->len; i++) {
        if (changes->at[i].action == INDEX_CREATE)
            aspects |= UPDATE_INDEX_CREATE;
        if (changes->at[i].action == INDEX_DELETE)
            aspects |= UPDATE_INDEX_DELETE;
    }
    return aspects;
}

unsigned update_request_aspects(const struct table_spec *spec)
{
    const struct {
        bool wanted;
        unsigned aspect;
    } aspects[] = {
        {spec->throughput.given, UPDATE_THROUGHPUT},
        {spec->billing_mode.len != 0, UPDATE_BILLING},
        {spec->stream.given, UPDATE_STREAM},
        {spec->sse.given, UPDATE_SSE},
        {table_member_given(&spec->members, TABLE_MEMBER(table_class)), UPDATE_CLASS},
        {spec->members.len != 0, UPDATE_MEMBERS},
        {has_units(&spec->on_demand), UPDATE_ON_DEMAND},
        {has_units(&spec->warm), UPDATE_WARM},
        {spec->global.count != 0, UPDATE_REPLICAS},
        {spec->global.witness_given, UPDATE_WITNESS},
        {spec->global.consistency_given, UPDATE_CONSISTENCY},
        {spec->global.mode != REPLICATION_UNSAID, UPDATE_REPLICATION},
        {spec->global.protection_given, UPDATE_DISASSOCIATION},
    };
    unsigned wanted = index_aspects(&spec->index_changes) | index_aspects(&spec->vector_changes);

    for (size_t i = 0; i < COUNT(aspects); i++)
        if (aspects[i].wanted)
            wanted |= aspects[i].aspect;
    return wanted;
}

/* The list leaves out members that the request has but that ask for nothing. */
static const struct error *nothing_wanted(struct call *c, const struct table_spec *spec)
{
    return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_NOTHING_ASKED),
                        "At least one of ProvisionedThroughput, BillingMode, "
                        "UpdateStreamEnabled, %sSSESpecification, ReplicaUpdates, "
                        "MultiAccountReplicaReady, ReplicaTransitRoleArn, "
                        "%sDeletionProtectionEnabled%s%s or TableClass is required",
                        spec->index_changes.given ? "" : "GlobalSecondaryIndexUpdates, ",
                        spec->global.consistency_given ? "" : "MultiRegionConsistency, ",
                        spec->on_demand.given ? "" : ", OnDemandThroughput",
                        spec->warm.given ? "" : ", WarmThroughput");
}

/* --- the entries of GlobalSecondaryIndexUpdates ----------------------------------------------- */

/* Each entry of a list must have one action. */
static const struct error *check_actions(struct call *c, const struct index_change_list *changes,
                                         const char *kind, const char *actions, const char *object,
                                         const char *words)
{
    struct span list = span_of(arena_printf(c->arena, "%ss", object));

    if (changes->given && !changes->len)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_EMPTY_TEXT, .operand = list),
                            ERROR_PARAMETER "List of %ss is empty", object);
    for (size_t i = 0; i < changes->len; i++) {
        size_t count = changes->at[i].actions;

        if (count == 1)
            continue;
        return error_because(
            c->arena,
            count ? error_parameter(c->arena, "Only one %s action is allowed per %s object", kind,
                                    object)
                  : error_parameter(c->arena, "One of %s must not be null", actions),
            ERROR_WHY(CAUSE_ENTRY_ACTIONS, .operand = list, .count = count,
                      .beside = span_of(words)));
    }
    return NULL;
}

static const struct error *check_change(struct call *c, const struct table_spec *spec,
                                        const struct index_change *change)
{
    const struct index_spec *ix = &change->index;
    const struct error *e;

    if ((e = table_check_units_bounds(c->arena, &ix->throughput, ix->name)))
        return e;
    if (change->action == INDEX_UPDATE && ix->warm.given && !has_units(&ix->warm))
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_MEMBER_NEEDS, .operand = SPAN_LIT("WarmThroughput"),
                      .beside = SPAN_LIT("ReadUnitsPerSecond or WriteUnitsPerSecond")),
            ERROR_PARAMETER "WarmThroughput must have at least one of ReadUnitsPerSecond or "
                            "WriteUnitsPerSecond specified for index: %.*s",
            SPAN_ARG(ix->name));
    if (change->action != INDEX_CREATE)
        return NULL;
    if (!spec->definitions.given)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_KEY_UNDEFINED, .operand = ix->keys.at[0].name),
                            ERROR_PARAMETER "AttributeDefinitions is not specified for index: %.*s",
                            SPAN_ARG(ix->name));
    if ((e = table_check_global_keys(c->arena, &ix->keys, &spec->definitions)))
        return e;
    return table_check_projection(c->arena, &ix->projection);
}

static const struct error *check_changes(struct call *c, const struct table_spec *spec)
{
    const struct index_change_list *changes = &spec->index_changes;
    const struct error *e = check_actions(
        c, changes, "global secondary index",
        "GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
        "GlobalSecondaryIndexUpdate.Delete",
        "GlobalSecondaryIndexUpdate", "Create, Update and Delete");

    if (e)
        return e;
    for (size_t i = 0; i < changes->len; i++)
        for (size_t j = 0; j < i; j++)
            if (span_equal(changes->at[i].index.name, changes->at[j].index.name))
                return error_caused(
                    c->arena, ERROR_VALIDATION,
                    ERROR_WHY(CAUSE_NAMED_TWICE, .operand = changes->at[i].index.name),
                    ERROR_PARAMETER "Only one global secondary index update per index is allowed "
                                    "simultaneously. Index: %.*s",
                    SPAN_ARG(changes->at[i].index.name));
    for (size_t i = 0; !e && i < changes->len; i++)
        e = check_change(c, spec, &changes->at[i]);
    return e;
}

/* --- the entries of VectorIndexUpdates -------------------------------------------------------- */

static const struct error *check_vector_change(struct call *c, const struct table_spec *spec,
                                               const struct index_change *change)
{
    const struct index_spec *ix = &change->index;
    const struct error *e;

    if (change->action != INDEX_CREATE)
        return NULL;
    if ((e = table_vector_check_schema(c->arena, ix, &spec->definitions)) ||
        (e = table_check_projection(c->arena, &ix->projection)))
        return e;
    return table_vector_check_dimensions(c->arena, &ix->vector);
}

static const struct error *check_vectors(struct call *c, const struct table_spec *spec)
{
    const struct index_change_list *changes = &spec->vector_changes;
    const struct error *e = check_actions(c, changes, "vector index",
                                          "VectorIndexUpdate.Create, VectorIndexUpdate.Delete",
                                          "VectorIndexUpdate", "Create and Delete");

    for (size_t i = 0; !e && i < changes->len; i++)
        e = check_vector_change(c, spec, &changes->at[i]);
    return e;
}

/* --- members by themselves -------------------------------------------------------------------- */

static const struct error *check_billing(struct call *c, const struct table_spec *spec)
{
    bool on_demand = table_spec_on_demand(spec);
    const struct error *e;

    if (spec->billing_mode.len && !on_demand && !spec->throughput.given)
        return error_caused(
            c->arena, ERROR_VALIDATION,
            table_check_units_why(c->arena, false, SPAN_LIT("BillingMode PROVISIONED")),
            ERROR_PARAMETER "ProvisionedThroughput must be specified when BillingMode "
                            "is PROVISIONED");
    if ((e = table_check_units_allowed(c->arena, &spec->throughput, on_demand)))
        return e;
    return table_check_units_bounds(c->arena, &spec->throughput, (struct span){NULL, 0});
}

static const struct error *check_stream(struct call *c, const struct table_spec *spec)
{
    if (spec->stream.enabled == (spec->stream.view.len != 0))
        return NULL;
    return error_because(
        c->arena,
        spec->stream.enabled
            ? error_parameter(c->arena, "If stream is being enabled then UpdateViewType is "
                                        "required")
            : error_parameter(c->arena, "If stream is being disabled, then UpdateViewType must "
                                        "not be specified"),
        table_check_stream_why(spec->stream.enabled));
}

/* --- members together ------------------------------------------------------------------------- */

#define OTHERS  "other changes"
#define INDEXES "the indexes of GlobalSecondaryIndexUpdates"

/* Aspects that exclude each other, in the order of the checks; what they are called. */
static const struct {
    unsigned has, with;
    const char *text, *one, *other;
} clashes[] = {
    {UPDATE_SSE, UPDATE_ALL,
     "Server-Side Encryption modification must be the only operation in the request",
     "SSESpecification", OTHERS},
    /* "TableClass modification must be …" */
    {UPDATE_CLASS | UPDATE_MEMBERS, UPDATE_ALL, NULL, NULL, OTHERS},
    {UPDATE_ON_DEMAND, UPDATE_ALL & ~(unsigned)UPDATE_BILLING,
     "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
     "OnDemandThroughput", OTHERS " than BillingMode"},
    {UPDATE_WARM, UPDATE_INDEX_CREATE,
     "Create global secondary index cannot be specified when updating WarmThroughput",
     "WarmThroughput", INDEXES},
    {UPDATE_WARM, UPDATE_ALL, "WarmThroughput must be the only operation in the request",
     "WarmThroughput", OTHERS},
    {UPDATE_STREAM, UPDATE_THROUGHPUT, "You cannot modify stream status while updating table IOPS",
     "StreamSpecification", "ProvisionedThroughput"},
    {UPDATE_INDEX_CREATE | UPDATE_INDEX_DELETE, UPDATE_THROUGHPUT,
     "You cannot create or delete index while updating table IOPS", INDEXES,
     "ProvisionedThroughput"},
    {UPDATE_INDEX_CREATE | UPDATE_INDEX_DELETE, UPDATE_STREAM,
     "You cannot create or delete index while changing stream status", INDEXES,
     "StreamSpecification"},
    {UPDATE_WITNESS | UPDATE_CONSISTENCY, UPDATE_ALL & ~(unsigned)UPDATE_REPLICAS,
     "Requests that modify replicas or witnesses must not also modify other fields",
     "replicas or witnesses", OTHERS},
    {UPDATE_REPLICAS, UPDATE_ALL & ~(unsigned)(UPDATE_WITNESS | UPDATE_CONSISTENCY),
     "Replica modification must be the only operation in the request", "ReplicaUpdates", OTHERS},
    {UPDATE_DISASSOCIATION, UPDATE_ALL,
     "DisassociationProtection modification must be the only operation in the request",
     "the protection against disassociation", OTHERS},
};

static const struct error *check_clashes(struct call *c, const struct table_spec *spec)
{
    unsigned wanted = update_request_aspects(spec);

    for (size_t i = 0; i < COUNT(clashes); i++) {
        bool clash = (wanted & clashes[i].has) && (wanted & clashes[i].with & ~clashes[i].has);

        if (clashes[i].text ? !clash : !clash && spec->members.len <= 1)
            continue;
        return error_because(
            c->arena,
            clashes[i].text ? error_parameter(c->arena, "%s", clashes[i].text)
                            : table_member_not_alone(c, &spec->members.at[0]),
            ERROR_WHY(
                CAUSE_CHANGES_APART,
                .operand = span_of(clashes[i].one ? clashes[i].one : spec->members.at[0].row->wire),
                .beside = span_of(clashes[i].other)));
    }
    return NULL;
}

static const struct error *check_global(struct call *c, const struct table_spec *spec)
{
    return global_request_check(c, &spec->global);
}

static const struct error *(*const rules[])(struct call *, const struct table_spec *) = {
    table_check_lists, check_changes,      check_vectors, check_billing, check_stream,
    table_check_sse,   table_member_check, check_clashes, check_global,
};

/* A witness or a consistency mode alone does not count as a change. */
static bool wants_anything(const struct table_spec *spec)
{
    return update_request_aspects(spec) & ~(unsigned)(UPDATE_WITNESS | UPDATE_CONSISTENCY);
}

const struct error *update_request_check(struct call *c, const struct table_spec *spec)
{
    const struct error *e = wants_anything(spec) ? NULL : nothing_wanted(c, spec);

    for (size_t i = 0; !e && i < COUNT(rules); i++)
        e = rules[i](c, spec);
    return e;
}
