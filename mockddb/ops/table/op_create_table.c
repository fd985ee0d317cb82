#include "ops/table/op_create_table.h"

#include "ops/policy/policy_document.h"
#include "ops/table/table_build.h"
#include "ops/table/table_check.h"
#include "ops/table/table_describe.h"
#include "ops/table/table_member.h"
#include "ops/table/table_name.h"
#include "ops/table/table_shapes.h"
#include "ops/table/table_state.h"
#include "ops/table/table_vector.h"

/* --- the rules, in the service's order ----------------------------------------------------------
 */

static const struct error *check_billing(struct call *c, const struct table_spec *spec)
{
    bool on_demand = table_spec_on_demand(spec);
    const struct error *e;

    if ((e = table_check_units_allowed(c->arena, &spec->throughput, on_demand)))
        return e;
    if (!on_demand && !spec->throughput.given && spec->indexes.counts[KIND_VECTOR])
        return table_vector_check_billing(c->arena, false);
    if (!on_demand && !spec->throughput.given)
        return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_UNITS_MISSING),
                            ERROR_PARAMETER "ReadCapacityUnits and WriteCapacityUnits must both be "
                                            "specified when BillingMode is PROVISIONED");
    if ((e = table_check_units_bounds(c->arena, &spec->throughput, SPAN_LIT(""))))
        return e;
    for (size_t i = 0; i < spec->indexes.len; i++)
        if ((e = table_check_units_bounds(c->arena, &spec->indexes.at[i].throughput,
                                          spec->indexes.at[i].name)))
            return e;
    return NULL;
}

static const struct error *check_table_keys(struct call *c, const struct table_spec *spec)
{
    return table_check_pair_keys(c->arena, &spec->keys, &spec->definitions);
}

static const struct error *check_lists(struct call *c, const struct table_spec *spec)
{
    for (size_t kind = 0; kind < KIND_COUNT; kind++)
        if (spec->indexes.given[kind] && !spec->indexes.counts[kind])
            return error_caused(
                c->arena, ERROR_VALIDATION,
                ERROR_WHY(CAUSE_EMPTY_TEXT, .operand = span_of(names_index_lists[kind])),
                ERROR_PARAMETER "List of %s is empty", names_index_lists[kind]);
    return NULL;
}

static const struct error *check_local(struct call *c, const struct table_spec *spec,
                                       const struct index_spec *ix)
{
    const struct error *e = table_check_pair_keys(c->arena, &ix->keys, &spec->definitions);

    if (e)
        return e;
    if (spec->keys.len < 2)
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_MEMBER_NEEDS, .operand = SPAN_LIT("a local index"),
                      .beside = SPAN_LIT("a RANGE attribute in the table's KeySchema")),
            ERROR_PARAMETER "Table KeySchema does not have a range key, which is "
                            "required when specifying a LocalSecondaryIndex");
    if (ix->keys.len < 2)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_MEMBER_NEEDS, .operand = ix->name,
                                      .beside = SPAN_LIT("a RANGE attribute in its KeySchema")),
                            ERROR_PARAMETER
                            "Index KeySchema does not have a range key for index: %.*s",
                            SPAN_ARG(ix->name));
    if (!span_equal(ix->keys.at[0].name, spec->keys.at[0].name))
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_LOCAL_KEY, .operand = ix->name, .beside = spec->keys.at[0].name),
            ERROR_PARAMETER "Index KeySchema does not have the same leading hash key as table "
                            "KeySchema for index: %.*s. index hash key: %.*s, table hash key: %.*s",
            SPAN_ARG(ix->name), SPAN_ARG(ix->keys.at[0].name), SPAN_ARG(spec->keys.at[0].name));
    return NULL;
}

static const struct error *check_index_keys(struct call *c, const struct table_spec *spec)
{
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < spec->indexes.len; i++) {
        const struct index_spec *ix = &spec->indexes.at[i];

        if (ix->kind == KIND_LOCAL)
            e = check_local(c, spec, ix);
        else if (ix->kind == KIND_GLOBAL)
            e = table_check_global_keys(c->arena, &ix->keys, &spec->definitions);
        else
            e = table_vector_check_schema(c->arena, ix, &spec->definitions);
    }
    return e;
}

static const struct error *check_definitions(struct call *c, const struct table_spec *spec)
{
    const struct definition_list *defs = &spec->definitions;

    for (size_t i = 0; i < defs->len; i++)
        if (table_spec_find_definition(defs, defs->at[i].name) < i)
            return error_caused(c->arena, ERROR_VALIDATION,
                                ERROR_WHY(CAUSE_NAMED_TWICE, .operand = defs->at[i].name),
                                "Attribute Name is duplicated: %.*s", SPAN_ARG(defs->at[i].name));
    return table_check_definitions_used(c->arena, spec);
}

static const struct error *check_index_throughput(struct call *c, const struct table_spec *spec,
                                                  const struct index_spec *ix)
{
    bool on_demand = table_spec_on_demand(spec);

    if (on_demand != ix->throughput.given)
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION,
                        table_check_units_why(c->arena, on_demand, ix->name),
                        ERROR_PARAMETER "ProvisionedThroughput %s specified for index: %.*s%s",
                        on_demand ? "should not be" : "is not", SPAN_ARG(ix->name),
                        on_demand ? " when BillingMode is PAY_PER_REQUEST" : "");
}

/* A name may occur only once in all lists. */
static const struct error *check_indexes(struct call *c, const struct table_spec *spec)
{
    static const struct {
        const char *problem;
        size_t most;
    } counts[] = {
        [KIND_LOCAL] = {"Number of LocalSecondaryIndexes exceeds per-table", LIMIT_LOCALS},
        [KIND_GLOBAL] = {"GlobalSecondaryIndex count exceeds the per-table", LIMIT_GLOBALS},
        [KIND_VECTOR] = {"VectorIndex count exceeds the per-table", LIMIT_VECTORS},
    };
    const struct index_list *list = &spec->indexes;

    for (size_t i = 0; i < list->len; i++) {
        const struct index_spec *ix = &list->at[i];
        bool last = i + 1 == list->len || list->at[i + 1].kind != ix->kind;
        const struct error *e = table_check_projection(c->arena, &ix->projection);

        if (e || (ix->kind == KIND_GLOBAL && (e = check_index_throughput(c, spec, ix))))
            return e;
        for (size_t k = 0; k < i; k++)
            if (span_equal(list->at[k].name, ix->name))
                return error_caused(
                    c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_NAMED_TWICE, .operand = ix->name),
                    ERROR_PARAMETER "Duplicate index name: %.*s", SPAN_ARG(ix->name));
        if (last && list->counts[ix->kind] > counts[ix->kind].most)
            return error_caused(
                c->arena, ERROR_VALIDATION,
                ERROR_WHY(CAUSE_MEMBER_MANY, .operand = span_of(names_index_lists[ix->kind]),
                          .count = list->counts[ix->kind],
                          .beside = span_of(arena_printf(c->arena, "%zu", counts[ix->kind].most))),
                ERROR_PARAMETER "%s limit of %zu", counts[ix->kind].problem, counts[ix->kind].most);
    }
    return NULL;
}

static const struct error *check_included(struct call *c, const struct table_spec *spec)
{
    size_t count = 0;

    for (size_t i = 0; i < spec->indexes.len; i++)
        count += table_vector_count_included(&spec->indexes.at[i]);
    return table_check_include_total(c->arena, count);
}

static const struct error *check_vectors(struct call *c, const struct table_spec *spec)
{
    const struct index_spec *all = spec->indexes.at;
    const struct error *e = NULL;

    if (spec->indexes.counts[KIND_VECTOR])
        e = table_vector_check_billing(c->arena, table_spec_on_demand(spec));
    for (size_t i = 0; !e && i < spec->indexes.len; i++) {
        if (all[i].kind != KIND_VECTOR)
            continue;
        e = table_vector_check_dimensions(c->arena, &all[i].vector);
        for (size_t k = 0; !e && k < i; k++)
            if (all[k].kind == KIND_VECTOR)
                e = table_vector_check_same(c->arena, &all[i].vector, all[k].vector.attribute,
                                            all[k].vector.dimensions);
    }
    return e;
}

static const struct error *check_stream(struct call *c, const struct table_spec *spec)
{
    if (spec->stream.enabled == (spec->stream.view.len != 0))
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION, table_check_stream_why(spec->stream.enabled),
                        ERROR_PARAMETER
                        "Table is being created with a stream %s, UpdateViewType %s",
                        spec->stream.enabled ? "enabled" : "disabled",
                        spec->stream.enabled ? "is required" : "should not be specified");
}

static const struct error *check_on_demand_units(struct call *c, const struct table_spec *spec,
                                                 const struct units_spec *units, struct span index)
{
    if (!table_spec_on_demand(spec) && (units->has_read || units->has_write))
        return error_caused(
            c->arena, ERROR_VALIDATION, table_check_on_demand_why(c->arena, units, index),
            ERROR_PARAMETER "%s for OnDemandThroughput%s%.*s cannot be specified when table "
                            "BillingMode is PROVISIONED.",
            units->has_read ? "MaxReadRequestUnits" : "MaxWriteRequestUnits",
            index.len ? " for index: " : "", SPAN_ARG(index));
    return table_check_on_demand_range(c->arena, units, index, false);
}

static const struct error *check_on_demand(struct call *c, const struct table_spec *spec)
{
    const struct error *e = check_on_demand_units(c, spec, &spec->on_demand, SPAN_LIT(""));

    for (size_t i = 0; !e && i < spec->indexes.len; i++)
        e = check_on_demand_units(c, spec, &spec->indexes.at[i].on_demand,
                                  spec->indexes.at[i].name);
    return e;
}

static const struct error *check_warm_units(struct call *c, const struct table_spec *spec,
                                            const struct units_spec *warm,
                                            const struct units_spec *throughput, struct span index)
{
    bool on_demand = table_spec_on_demand(spec);
    struct unit_pair initial = {throughput->read, throughput->write};

    if (on_demand)
        initial = (struct unit_pair){WARM_READ_INITIAL, WARM_WRITE_INITIAL};
    return table_check_warm_floor(c->arena, warm, on_demand ? WARM_ON_DEMAND : WARM_PROVISIONED,
                                  initial, index);
}

static const struct error *check_warm(struct call *c, const struct table_spec *spec)
{
    const struct error *e = check_warm_units(c, spec, &spec->warm, &spec->throughput, SPAN_LIT(""));

    for (size_t i = 0; !e && i < spec->indexes.len; i++)
        e = check_warm_units(c, spec, &spec->indexes.at[i].warm, &spec->indexes.at[i].throughput,
                             spec->indexes.at[i].name);
    return e;
}

static const struct error *check_table_tags(struct call *c, const struct table_spec *spec)
{
    const struct error *e = table_check_tags(c->arena, &spec->tags);

    return e ? e : table_check_tag_set(c->arena, spec->tags.at, spec->tags.len);
}

static const struct error *check_policy(struct call *c, const struct table_spec *spec)
{
    const struct error *e;
    struct span name;

    if (!spec->resource_policy.at)
        return NULL;
    if ((e = table_name_read(c, wire_text(wire_get(c->body, "TableName")), &name)))
        return e;
    return policy_document_check(c, spec->resource_policy,
                                 table_arn(c, name, "", (struct span){NULL, 0}), true);
}

static const struct error *check_capacities(struct call *c, const struct table_spec *spec)
{
    const struct error *e = table_check_capacity(c, &spec->throughput, SPAN_LIT(""));

    for (size_t i = 0; !e && i < spec->indexes.len; i++)
        e = table_check_capacity(c, &spec->indexes.at[i].throughput, spec->indexes.at[i].name);
    if (e || (e = table_check_maxima(c, &spec->on_demand, &spec->warm, SPAN_LIT(""))))
        return e;
    for (size_t i = 0; !e && i < spec->indexes.len; i++)
        e = table_check_maxima(c, &spec->indexes.at[i].on_demand, &spec->indexes.at[i].warm,
                               spec->indexes.at[i].name);
    return e;
}

static const struct error *check_mode(struct call *c, const struct table_spec *spec)
{
    if (spec->global.mode != REPLICATION_OVERRIDES)
        return NULL;
    return error_validation(c->arena,
                            "Value 'ENABLED_WITH_OVERRIDES' at "
                            "'GlobalTableSettingsReplicationMode' failed to satisfy constraint: "
                            "Only ENABLED and DISABLED settings replication are supported for a "
                            "Regional Table.");
}

static const struct error *(*const rules[])(struct call *, const struct table_spec *) = {
    table_check_lists, check_billing,      check_table_keys, check_lists,   check_index_keys,
    check_definitions, check_indexes,      check_included,   check_vectors, check_stream,
    table_check_sse,   table_member_check, check_on_demand,  check_warm,    check_table_tags,
    check_policy,      check_mode,         check_capacities,
};

/* GlobalTableSourceArn asks for a replica of another account's table in another region. This server
 * has one account, so the source table is never found. */
static const struct error *check_source(struct call *c, const struct table_spec *spec)
{
    const wire_node *source = wire_get(c->body, "GlobalTableSourceArn");
    struct arn arn;

    if (!source)
        return NULL;
    if (!table_arn_parse(wire_text(source), &arn) || !arn.table.len || arn.rest.len)
        return error_parameter(c->arena, "GlobalTableSourceArn is not a valid ARN");
    for (const wire_node *n = wire_first(c->body); n; n = wire_next(n))
        if (!span_is(wire_name(n), "TableName") && !span_is(wire_name(n), "GlobalTableSourceArn") &&
            !span_is(wire_name(n), "GlobalTableSettingsReplicationMode"))
            return error_parameter(c->arena, "%.*s cannot be specified with GlobalTableSourceArn",
                                   SPAN_ARG(wire_name(n)));
    if (spec->global.mode != REPLICATION_ENABLED)
        return error_parameter(c->arena, "GlobalTableSettingsReplicationMode must be ENABLED when "
                                         "GlobalTableSourceArn is specified");
    if (span_equal(arn.account, c->settings->account) || span_equal(arn.region, op_region(c)))
        return error_parameter(c->arena, "GlobalTableSourceArn must be of a table in another "
                                         "account and another region");
    return error_new(c->arena, ERROR_ACCESS_DENIED,
                     "User: arn:aws:iam::%.*s:root is not authorized to perform: "
                     "dynamodb:AssociateTableReplica on resource: %.*s",
                     SPAN_ARG(c->settings->account), SPAN_ARG(wire_text(source)));
}

const struct error *op_create_table_check(struct call *c, const struct table_spec *spec)
{
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < COUNT(rules); i++)
        e = rules[i](c, spec);
    return e;
}

const struct error *op_create_table_check_name(struct call *c, struct span name)
{
    const struct table *t;
    const struct error *e = table_state_look_up(c, name, &t);

    if (e || !t)
        return e;
    if (t->restore.source_arn.len)
        return table_state_being_used(c, name);
    if (t->status == STATUS_CREATING)
        return table_state_being_created(c, name);
    return error_caused(
        c->arena, ERROR_RESOURCE_IN_USE,
        ERROR_WHY(t->status == STATUS_DELETING ? CAUSE_TABLE_BUSY : CAUSE_TABLE_EXISTS,
                  .operand = name, .beside = SPAN_LIT("deleted")),
        "Table already exists: %.*s", SPAN_ARG(name));
}

/* A name within an ARN has the length limits of a plain name; the shape checks only plain names. */
static const struct error *check_length(struct call *c, struct span name)
{
    if (name.len >= LIMIT_NAME_MIN)
        return NULL;
    return error_bare(c->arena, error_validation(c->arena,
                                                 "1 validation error detected: Value '%.*s' at "
                                                 "'tableName' failed to satisfy constraint: Member "
                                                 "must have length greater than or equal to %d",
                                                 SPAN_ARG(name), LIMIT_NAME_MIN));
}

static const struct error *create_table(struct call *c)
{
    struct table_spec spec = table_spec_read(c->arena, c->body, SCHEMA_CREATE);
    struct table *t;
    struct span name;
    const struct error *e = table_name_read(c, wire_text(wire_get(c->body, "TableName")), &name);

    if (e || (e = check_length(c, name)) || (e = check_source(c, &spec)) ||
        (e = op_create_table_check(c, &spec)) || (e = op_create_table_check_name(c, name)) ||
        (e = table_build(c, name, &spec, &t)))
        return e;
    wire_key(&c->reply, "TableDescription");
    e = table_describe(c, t, TABLE_CREATED);
    return e ? e : table_state_keep(c, t);
}

const struct op op_create_table = {
    .name = "CreateTable",
    .access = OP_WRITES,
    .once = true,
    .members = WIRE_MEMBERS(
        {"AttributeDefinitions", &table_shapes_definitions, WIRE_REQUIRED},
        {"TableName", &wire_table_name, 0}, /* a missing one is reported by the precheck */
        {"BillingMode", &table_shapes_billing_mode, 0},
        {"TableThroughputMode", &table_shapes_billing_mode, 0},
        {"ProvisionedThroughput", &table_shapes_throughput, 0},
        {"KeySchema", &table_shapes_key_schema, WIRE_REQUIRED},
        {"GlobalSecondaryIndexes", &table_shapes_globals, 0},
        {"LocalSecondaryIndexes", &table_shapes_locals, 0},
        {"StreamSpecification", &table_shapes_stream, 0},
        {"SSESpecification", &table_shapes_sse, 0}, {"Tags", &table_shapes_tags, 0},
        {"OnDemandThroughput", &table_shapes_on_demand, 0},
        {"WarmThroughput", &table_shapes_warm, 0}, {"ResourcePolicy", &wire_string, 0},
        {"GlobalTableSourceArn", WIRE_SHAPE(WIRE_STRING, WIRE_BOUNDS(1, LIMIT_ARN)), 0},
        {"GlobalTableSettingsReplicationMode", &table_shapes_replication_mode, 0},
        {"VectorIndexes", &table_shapes_vectors, 0}),
    .table_use = SCHEMA_CREATE,
    .precheck = table_name_required,
    .run = create_table,
};
