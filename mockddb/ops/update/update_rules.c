#include "ops/update/update.h"

#include "ops/op_fault.h"
#include "ops/table/table_build.h"
#include "ops/table/table_check.h"
#include "ops/table/table_member.h"
#include "ops/table/table_state.h"
#include "ops/table/table_vector.h"

static const struct span no_index = {NULL, 0};

/* --- names ------------------------------------------------------------------------------------ */

static const struct error *check_status(struct call *c, const struct table *t,
                                        const struct table_spec *spec)
{
    if (t->status == STATUS_CREATING)
        return table_state_being_created(c, t->name);
    if (t->status != STATUS_DELETING)
        return NULL;
    if (table_member_given(&spec->members, TABLE_MEMBER(deletion_protection)))
        return error_new(
            c->arena, ERROR_RESOURCE_IN_USE,
            "Table needs to be in ACTIVE status to modify deletion protection setting.");
    return table_state_being_deleted(c, t->name);
}

static const struct error *already_there(struct call *c, struct span name)
{
    return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_TABLE_EXISTS, .operand = name),
                        "Attempting to create an index which already exists");
}

static const struct error *check_name(struct call *c, const struct table *t,
                                      const struct index_change *change)
{
    const struct index *ix = schema_find_index(t, change->index.name);

    if (change->action == INDEX_CREATE)
        return ix ? already_there(c, ix->name) : NULL;
    if (!ix || schema_kind(ix) == KIND_VECTOR)
        return op_fault_no_index(c->arena, t, change->index.name);
    if (ix->global)
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION,
                        ERROR_WHY(CAUSE_LOCAL_CHANGED, .operand = ix->name),
                        "Cannot %s an index that is not a GlobalSecondaryIndex: %.*s",
                        change->action == INDEX_DELETE ? "delete" : "update", SPAN_ARG(ix->name));
}

static const struct error *check_vector_name(struct call *c, const struct table *t,
                                             const struct index_change *change)
{
    const struct index *ix = schema_find_index(t, change->index.name);
    bool is_vector = ix && schema_kind(ix) == KIND_VECTOR;

    if (change->action == INDEX_CREATE && is_vector && ix->status == STATUS_CREATING)
        return table_state_in_use(c, "Index is being created.  Table: %.*s Index: %.*s",
                                  SPAN_ARG(t->name), SPAN_ARG(ix->name));
    if (change->action == INDEX_CREATE)
        return ix ? already_there(c, ix->name) : NULL;
    if (is_vector)
        return NULL;
    return error_caused(c->arena, ERROR_RESOURCE_NOT_FOUND,
                        ERROR_WHY(CAUSE_NO_INDEX, .operand = change->index.name, .beside = t->name),
                        "Requested resource not found: Index absent for table %.*s",
                        SPAN_ARG(t->name));
}

static size_t count_created(const struct index_change_list *changes)
{
    size_t created = 0;

    for (size_t i = 0; i < changes->len; i++)
        created += changes->at[i].action == INDEX_CREATE;
    return created;
}

static const struct error *check_index_count(struct call *c, const struct table *t,
                                             const struct index_change_list *changes,
                                             enum index_kind kind)
{
    size_t most = kind == KIND_VECTOR ? LIMIT_VECTORS : LIMIT_GLOBALS;
    size_t count = schema_count_kind(t, kind) + count_created(changes);
    const char *word = kind == KIND_VECTOR ? "vector" : "global";

    if (count <= most)
        return NULL;
    return error_caused(
        c->arena, ERROR_LIMIT_EXCEEDED,
        ERROR_WHY(CAUSE_MEMBER_HIGH,
                  .operand = span_of(arena_printf(c->arena, "the number of %s indexes", word)),
                  .place = span_of(arena_printf(c->arena, "%zu", count)),
                  .beside = span_of(arena_printf(c->arena, "%zu", most))),
        "Subscriber limit exceeded: Number of %s secondary indexes exceeds per-table limit of %zu",
        word, most);
}

const struct error *update_rules_check_names(struct call *c, const struct table *t,
                                             const struct table_spec *spec)
{
    const struct index_change_list *changes = &spec->index_changes;
    const struct error *e;
    size_t count = spec->vector_changes.len; /* of indexes to create or delete */

    if ((e = check_status(c, t, spec)))
        return e;
    for (size_t i = 0; i < spec->index_changes.len; i++)
        count += spec->index_changes.at[i].action != INDEX_UPDATE;
    if (count > 1) /* even if the indexes do not exist */
        return update_busy_one_index(c);
    for (size_t i = 0; !e && i < changes->len; i++)
        e = check_name(c, t, &changes->at[i]);
    for (size_t i = 0; !e && i < spec->vector_changes.len; i++)
        e = check_vector_name(c, t, &spec->vector_changes.at[i]);
    if (e || (e = check_index_count(c, t, changes, KIND_GLOBAL)))
        return e;
    return check_index_count(c, t, &spec->vector_changes, KIND_VECTOR);
}

/* --- provisioned throughput ------------------------------------------------------------------- */

/* Whether the table is on demand after the request. */
static bool on_demand_after(const struct table *t, const struct table_spec *spec)
{
    return spec->billing_mode.len ? table_spec_on_demand(spec) : t->on_demand;
}

/* New units for a table or index that has units already. */
static const struct error *check_units(struct call *c, const struct units_spec *units,
                                       const struct throughput *now, bool had_units,
                                       struct span index)
{
    const struct error *e;

    if (!units->given)
        return NULL;
    if (had_units && units->read == now->read && units->write == now->write) {
        const char *owner = index.len ? arena_printf(c->arena, "index %.*s", SPAN_ARG(index))
                                      : "the table";

        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_UNCHANGED, .operand = span_of(arena_printf(
                                           c->arena, "ProvisionedThroughput of %s", owner))),
            "The provisioned throughput for the %s%.*s will not change. The requested value equals "
            "the current value. Current ReadCapacityUnits provisioned for %s: %lld. Requested "
            "ReadCapacityUnits: %lld. Current WriteCapacityUnits provisioned for %s: %lld. "
            "Requested WriteCapacityUnits: %lld. Refer to the Amazon DynamoDB Developer Guide for "
            "current limits and how to request higher limits.",
            index.len ? "index " : "table", SPAN_ARG(index), owner, (long long)now->read,
            (long long)now->read, owner, (long long)now->write, (long long)now->write);
    }
    if ((e = table_check_capacity(c, units, index)))
        return e;
    return had_units ? update_limits_check_decrease(c, now, units) : NULL;
}

static const struct error *check_table_units(struct call *c, const struct table *t,
                                             const struct table_spec *spec)
{
    const struct error *e = table_check_units_allowed(c->arena, &spec->throughput,
                                                      on_demand_after(t, spec));

    if (e)
        return e;
    return check_units(c, &spec->throughput, &t->throughput, !t->on_demand, no_index);
}

static bool gives_units(const struct index_change_list *changes, struct span name)
{
    for (size_t i = 0; i < changes->len; i++)
        if (span_equal(changes->at[i].index.name, name))
            return changes->at[i].action == INDEX_DELETE || changes->at[i].index.throughput.given;
    return false;
}

/* A switch to PROVISIONED must give units for all GSIs. */
static const struct error *check_switch(struct call *c, const struct table *t,
                                        const struct table_spec *spec)
{
    struct buf missing = buf_in(c->arena);

    if (!t->on_demand || on_demand_after(t, spec))
        return NULL;
    for (size_t i = 0; i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];

        if (schema_kind(ix) != KIND_GLOBAL || gives_units(&spec->index_changes, ix->name))
            continue;
        buf_add_text(&missing, missing.len ? ", " : "");
        buf_add_span(&missing, ix->name);
    }
    if (!missing.len)
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION,
                        table_check_units_why(c->arena, false, buf_span(&missing)),
                        ERROR_PARAMETER "ProvisionedThroughput must be specified for index: %.*s",
                        SPAN_ARG(buf_span(&missing)));
}

/* --- on-demand and warm throughput ------------------------------------------------------------ */

static const struct error *check_on_demand(struct call *c, const struct units_spec *units,
                                           bool on_demand, struct span index)
{
    if (!on_demand && (units->has_read || units->has_write))
        return error_caused(c->arena, ERROR_VALIDATION,
                            table_check_on_demand_why(c->arena, units, index),
                            ERROR_PARAMETER "%s for OnDemandThroughput%s%.*s cannot be specified "
                                            "when the table BillingMode is PROVISIONED",
                            units->has_read ? "MaxReadRequestUnits" : "MaxWriteRequestUnits",
                            index.len ? " for index : " : "", SPAN_ARG(index));
    return table_check_on_demand_range(c->arena, units, index, true);
}

static const struct error *check_table_limits(struct call *c, const struct table *t,
                                              const struct table_spec *spec)
{
    const struct error *e = check_on_demand(c, &spec->on_demand, on_demand_after(t, spec),
                                            no_index);

    return e ? e : table_check_warm_floor(c->arena, &spec->warm, WARM_NOW, t->warm, no_index);
}

/* --- definitions ------------------------------------------------------------------------------ */

static const char *schema_text(struct arena *a, const struct key_schema *keys)
{
    struct buf out = buf_in(a);
    const struct key_part *part;

    buf_add_text(&out, "Schema:[");
    for (size_t i = 0; (part = schema_key_part(keys, i)); i++)
        buf_printf(&out, "%sSchemaElement: key{%.*s:%s:%s}", i ? ", " : "", SPAN_ARG(part->name),
                   attr_type_code(part->type),
                   names_key_kinds[i < keys->hash_count ? KEY_HASH : KEY_RANGE]);
    buf_add_char(&out, ']');
    return buf_text(&out);
}

static const char *vector_text(struct arena *a, struct span attribute, int64_t dimensions)
{
    return arena_printf(a, "VectorIndexSchema:[VectorAttribute: key{%.*s:L:%lld}]",
                        SPAN_ARG(attribute), (long long)dimensions);
}

static const struct error *redefined_error(struct call *c, const char *now, const char *asked)
{
    return error_parameter(
        c->arena,
        "Attributes cannot be redefined. Please check that your attribute has the same type as "
        "previously defined. Existing schema: %s New schema: %s",
        now, asked);
}

static const struct error *check_redefined(struct call *c, const struct key_schema *now,
                                           const struct key_schema *asked)
{
    const struct key_part *one, *two;

    for (size_t i = 0; (one = schema_key_part(now, i)); i++)
        for (size_t k = 0; (two = schema_key_part(asked, k)); k++)
            if (span_equal(one->name, two->name) && one->type != two->type)
                return redefined_error(c, schema_text(c->arena, now), schema_text(c->arena, asked));
    return NULL;
}

/* Refuses a new index whose key is the vector of an existing index. */
static const struct error *check_vector_redefined(struct call *c, const struct vector_schema *now,
                                                  const struct key_schema *asked)
{
    if (!now->dimensions || !schema_is_key(asked, now->attribute))
        return NULL;
    return redefined_error(c, vector_text(c->arena, now->attribute, now->dimensions),
                           schema_text(c->arena, asked));
}

/* Refuses a new vector index whose vector is a key. */
static const struct error *check_key_redefined(struct call *c, const struct key_schema *now,
                                               const struct vector_spec *asked)
{
    if (!schema_is_key(now, asked->attribute))
        return NULL;
    return redefined_error(c, schema_text(c->arena, now),
                           vector_text(c->arena, asked->attribute, asked->dimensions));
}

/* The attribute of the new key that another key has with another type. */
static struct error_why redefined_why(const struct table *t, const struct key_schema *asked)
{
    struct definition_list now = {.at = t->definitions, .len = t->definition_count};
    const struct key_part *part;

    for (size_t i = 0; (part = schema_key_part(asked, i)); i++) {
        size_t known = table_spec_find_definition(&now, part->name);

        if (known < now.len && now.at[known].type != part->type)
            return ERROR_WHY(CAUSE_REDEFINED, .operand = part->name,
                             .wanted = (int)now.at[known].type, .found = (int)part->type);
    }
    return ERROR_WHY(CAUSE_UNKNOWN);
}

/* A new index cannot change the type of an attribute that is already a key. */
static const struct error *check_redefinitions(struct call *c, const struct table *t,
                                               const struct table_spec *spec,
                                               const struct index_spec *ix)
{
    struct key_schema asked = table_build_keys(c->arena, &ix->keys, &spec->definitions);
    const struct error *e = check_redefined(c, &t->keys, &asked);

    for (size_t i = 0; !e && i < t->index_count; i++)
        if (!(e = check_redefined(c, &t->indexes[i].keys, &asked)))
            e = check_vector_redefined(c, &t->indexes[i].vector, &asked);
    return error_because(c->arena, e, redefined_why(t, &asked));
}

/* A SearchSchema cannot change the type of a defined attribute. */
static const struct error *check_search_types(struct call *c, const struct table *t,
                                              const struct table_spec *spec,
                                              const struct key_list *parts)
{
    struct definition_list now = {.at = t->definitions, .len = t->definition_count};

    for (size_t i = 0; i < parts->len; i++) {
        struct span name = parts->at[i].name;
        size_t known = table_spec_find_definition(&now, name);
        size_t asked = table_spec_find_definition(&spec->definitions, name);

        if (known < now.len && now.at[known].type != spec->definitions.at[asked].type)
            return error_caused(
                c->arena, ERROR_VALIDATION,
                ERROR_WHY(CAUSE_REDEFINED, .operand = name, .wanted = (int)now.at[known].type,
                          .found = (int)spec->definitions.at[asked].type),
                ERROR_PARAMETER
                "Attributes cannot be redefined. Please check that your attribute has the same "
                "type as previously defined. Existing schema: Schema:[SchemaElement: key{%.*s:%s}] "
                "New schema: VectorIndexSchema:[SearchSchemaElement: key{%.*s:%s:%s}]",
                SPAN_ARG(name), attr_type_code(now.at[known].type), SPAN_ARG(name),
                attr_type_code(spec->definitions.at[asked].type),
                names_search_kinds[!parts->at[i].hash]);
    }
    return NULL;
}

/* --- indexes ---------------------------------------------------------------------------------- */

static const struct error *check_created(struct call *c, const struct table *t,
                                         const struct table_spec *spec, const struct index_spec *ix)
{
    bool on_demand = on_demand_after(t, spec);
    struct unit_pair initial = {WARM_READ_INITIAL, WARM_WRITE_INITIAL};
    const struct error *e = check_redefinitions(c, t, spec, ix);

    if (e)
        return e;
    if (on_demand == ix->throughput.given)
        return error_caused(
            c->arena, ERROR_VALIDATION, table_check_units_why(c->arena, on_demand, ix->name),
            ERROR_PARAMETER "%s WriteCapacityUnits %s be specified for index: %.*s%s",
            on_demand ? "Neither ReadCapacityUnits nor" : "Both ReadCapacityUnits and",
            on_demand ? "can" : "must", SPAN_ARG(ix->name),
            on_demand ? " when BillingMode is PAY_PER_REQUEST" : "");
    if ((e = table_check_capacity(c, &ix->throughput, ix->name)) ||
        (e = check_on_demand(c, &ix->on_demand, on_demand, ix->name)))
        return e;
    if (!on_demand)
        initial = (struct unit_pair){ix->throughput.read, ix->throughput.write};
    return table_check_warm_floor(c->arena, &ix->warm,
                                  on_demand ? WARM_ON_DEMAND : WARM_PROVISIONED, initial, ix->name);
}

static const struct error *check_updated(struct call *c, const struct table *t,
                                         const struct table_spec *spec, const struct index_spec *ix)
{
    const struct index *now = schema_find_index(t, ix->name);
    bool on_demand = on_demand_after(t, spec);
    bool limits = ix->on_demand.has_read || ix->on_demand.has_write || ix->warm.given;
    const struct error *e;

    if (on_demand ? ix->throughput.given || !limits : !ix->throughput.given && !limits)
        return error_caused(
            c->arena, ERROR_VALIDATION,
            on_demand && ix->throughput.given ? table_check_units_why(c->arena, true, ix->name)
                                              : ERROR_WHY(CAUSE_NOTHING_ASKED),
            ERROR_PARAMETER "The only Updates for index: %.*s when TableThroughputMode is %s can "
                            "be to %s, WarmThroughput",
            SPAN_ARG(ix->name), names_billing_modes[on_demand],
            on_demand ? "OnDemandThroughput" : "ProvisionedThroughput");
    if ((e = check_units(c, &ix->throughput, &now->throughput, !t->on_demand, ix->name)) ||
        (e = check_on_demand(c, &ix->on_demand, on_demand, ix->name)))
        return e;
    return table_check_warm_floor(c->arena, &ix->warm, WARM_NOW, now->warm, ix->name);
}

static const struct error *check_indexes(struct call *c, const struct table *t,
                                         const struct table_spec *spec)
{
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < spec->index_changes.len; i++) {
        const struct index_change *change = &spec->index_changes.at[i];

        if (change->action == INDEX_CREATE)
            e = check_created(c, t, spec, &change->index);
        else if (change->action == INDEX_UPDATE)
            e = check_updated(c, t, spec, &change->index);
    }
    return e;
}

static const struct error *check_new_vector(struct call *c, const struct table *t,
                                            const struct table_spec *spec,
                                            const struct index_spec *new)
{
    const struct vector_spec *v = &new->vector;
    const struct error *e = table_vector_check_billing(c->arena, on_demand_after(t, spec));

    if (e || (e = check_key_redefined(c, &t->keys, v)) ||
        (e = check_search_types(c, t, spec, &new->keys)))
        return e;
    for (size_t i = 0; !e && i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];

        if (!(e = check_key_redefined(c, &ix->keys, v)) && schema_kind(ix) == KIND_VECTOR)
            e = table_vector_check_same(c->arena, v, ix->vector.attribute, ix->vector.dimensions);
    }
    return e;
}

static const struct error *check_vectors(struct call *c, const struct table *t,
                                         const struct table_spec *spec)
{
    const struct index_change_list *changes = &spec->vector_changes;
    const struct error *e = NULL;

    if (t->on_demand && !on_demand_after(t, spec) && schema_count_kind(t, KIND_VECTOR))
        return error_parameter(c->arena,
                               "Tables with vector indexes must be in PAY_PER_REQUEST mode");
    for (size_t i = 0; !e && i < changes->len; i++)
        if (changes->at[i].action == INDEX_CREATE)
            e = check_new_vector(c, t, spec, &changes->at[i].index);
    return e;
}

static size_t count_included(const struct index_change_list *changes)
{
    size_t count = 0;

    for (size_t i = 0; i < changes->len; i++)
        count += table_vector_count_included(&changes->at[i].index);
    return count;
}

static const struct error *check_included(struct call *c, const struct table *t,
                                          const struct table_spec *spec)
{
    size_t count = count_included(&spec->index_changes) + count_included(&spec->vector_changes);

    for (size_t i = 0; i < t->index_count; i++)
        count += table_vector_count_built(&t->indexes[i]);
    return table_check_include_total(c->arena, count);
}

/* --- the rest --------------------------------------------------------------------------------- */

static const struct error *check_stream(struct call *c, const struct table *t,
                                        const struct table_spec *spec)
{
    struct span view = span_of(names_views[t->stream_view]);

    if (!spec->stream.given || spec->stream.enabled != t->stream_enabled)
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION,
                        spec->stream.enabled && !span_equal(spec->stream.view, view)
                            ? ERROR_WHY(CAUSE_STREAM_VIEW, .operand = view)
                            : ERROR_WHY(CAUSE_UNCHANGED, .operand = SPAN_LIT("StreamEnabled")),
                        "Table %s: TableName: %.*s",
                        t->stream_enabled ? "already has an enabled stream"
                                          : "has no stream to disable",
                        SPAN_ARG(t->name));
}

static const struct error *check_encryption(struct call *c, const struct table *t,
                                            const struct table_spec *spec)
{
    const struct error *e;

    if (!spec->sse.given)
        return NULL;
    if (!spec->sse.enabled && !t->sse)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_UNCHANGED, .operand = SPAN_LIT("SSESpecification")),
                            ERROR_PARAMETER "Table is already encrypted by default");
    if ((e = update_limits_check_encryption(c, t)))
        return e;
    /* Only the key's full ARN counts as the same key; an alias or id counts as a change. */
    if (spec->sse.enabled && t->sse && span_equal(spec->sse.key, t->kms_key_arn))
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_UNCHANGED, .operand = SPAN_LIT("SSESpecification")),
                            ERROR_PARAMETER
                            "Table is already encrypted with given KMSMasterKeyId. Use "
                            "KMSMasterKeyId parameter if you want to change Master Key");
    return NULL;
}

static const struct error *check_all_maxima(struct call *c, const struct table *t,
                                            const struct table_spec *spec)
{
    const struct error *e = table_check_maxima(c, &spec->on_demand, &spec->warm, no_index);

    (void)t;
    for (size_t i = 0; !e && i < spec->index_changes.len; i++) {
        const struct index_spec *ix = &spec->index_changes.at[i].index;

        e = table_check_maxima(c, &ix->on_demand, &ix->warm, ix->name);
    }
    return e;
}

static const struct error *(*const rules[])(struct call *, const struct table *,
                                            const struct table_spec *) = {
    check_table_units, check_switch,     check_indexes,
    check_vectors,     check_included,   check_table_limits,
    check_stream,      check_encryption, table_member_check_change,
    check_all_maxima,
};

const struct error *update_rules_check(struct call *c, const struct table *t,
                                       const struct table_spec *spec)
{
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < COUNT(rules); i++)
        e = rules[i](c, t, spec);
    return e;
}
