#include "ops/backup/restore_spec.h"

#include "ops/table/table_build.h"
#include "ops/table/table_check.h"
#include "ops/table/table_member.h"

#define INVALID "Invalid Request: "

/* --- checks of overrides ---------------------------------------------------------------------- */

static const char *index_tail(struct call *c, struct span index)
{
    return index.len ? arena_printf(c->arena, " for index %.*s", SPAN_ARG(index)) : "";
}

/* Refuses provisioned units for an on-demand table or its indexes. */
static const struct error *check_no_units(struct call *c, const struct table_spec *override,
                                          const struct units_spec *units, struct span index)
{
    if (!units->given)
        return NULL;
    if (override->billing_mode.len)
        return error_validation(c->arena,
                                INVALID "Cannot override ProvisionedThroughput if BillingMode is "
                                        "overridden to PAY_PER_REQUEST%s",
                                index_tail(c, index));
    return error_validation(
        c->arena,
        INVALID "Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED%s",
        index_tail(c, index));
}

static const struct error *check_limits(struct call *c, bool on_demand,
                                        const struct units_spec *limits, struct span index)
{
    bool read_good = !limits->has_read || limits->read >= 1;

    if (!on_demand && (limits->has_read || limits->has_write))
        return error_validation(c->arena,
                                INVALID "Cannot override %s for OnDemandThroughput unless "
                                        "BillingModeOverride is PAY_PER_REQUEST%s",
                                limits->has_read ? "MaxReadRequestUnits" : "MaxWriteRequestUnits",
                                index_tail(c, index));
    if (read_good && (!limits->has_write || limits->write >= 1))
        return NULL;
    return error_validation(
        c->arena, INVALID "Requested %s for OnDemandThroughput is outside of valid range%s",
        read_good ? "MaxWriteRequestUnits" : "MaxReadRequestUnits", index_tail(c, index));
}

/* --- indexes ---------------------------------------------------------------------------------- */

static struct key_spec key_at(const struct index *ix, size_t i)
{
    const struct key_part *part = schema_key_part(&ix->keys, i);

    if (ix->vector.dimensions)
        return (struct key_spec){ix->vector.parts[i].name, ix->vector.parts[i].hash};
    return (struct key_spec){part ? part->name : (struct span){NULL, 0}, i < ix->keys.hash_count};
}

static bool has_keys(const struct index *ix, const struct key_list *keys)
{
    if (keys->len != schema_key_count(&ix->keys) + ix->vector.part_count)
        return false;
    for (size_t i = 0; i < keys->len; i++)
        if (keys->at[i].hash != key_at(ix, i).hash ||
            !span_equal(keys->at[i].name, key_at(ix, i).name))
            return false;
    return true;
}

/* Ignores the order of the attributes. */
static bool has_projection(const struct index *ix, const struct projection_spec *p)
{
    if (!span_is(p->type, names_projections[ix->projection]) ||
        p->include_count != ix->include_count)
        return false;
    for (size_t i = 0; i < p->include_count; i++)
        if (!span_is_among(p->include[i], ix->include, ix->include_count))
            return false;
    return true;
}

static const struct index *find_same(const struct table *t, const struct index_spec *asked)
{
    const struct index *ix = schema_find_index(t, asked->name);

    if (ix && schema_kind(ix) == asked->kind && has_keys(ix, &asked->keys) &&
        span_equal(asked->vector.attribute, ix->vector.attribute) &&
        asked->vector.dimensions == ix->vector.dimensions &&
        (!ix->vector.dimensions ||
         span_is(asked->vector.distance, names_distances[ix->vector.distance])) &&
        has_projection(ix, &asked->projection))
        return ix;
    return NULL;
}

static bool is_named_before(const struct index_list *list, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (list->at[k].kind == list->at[i].kind && span_equal(list->at[k].name, list->at[i].name))
            return true;
    return false;
}

static const struct error *check_index_units(struct call *c, const struct table_spec *override,
                                             bool on_demand, const struct index_spec *ix)
{
    const struct error *e;

    if (on_demand && (e = check_no_units(c, override, &ix->throughput, ix->name)))
        return e;
    if (!on_demand && !ix->throughput.given)
        return error_validation(c->arena,
                                INVALID "Must specify provisioned throughput for index %.*s",
                                SPAN_ARG(ix->name));
    if (ix->warm.given)
        return error_validation(c->arena, INVALID "Cannot override WarmThroughput for index %.*s",
                                SPAN_ARG(ix->name));
    return check_limits(c, on_demand, &ix->on_demand, ix->name);
}

/* Sets units that the request overrides and drops those that do not fit the billing mode. */
static void override_units(struct throughput *throughput, struct unit_pair *limits, bool on_demand,
                           const struct units_spec *units, const struct units_spec *most)
{
    if (units->given)
        *throughput = (struct throughput){.read = units->read, .write = units->write};
    if (most->given)
        *limits = (struct unit_pair){most->read, most->write};
    if (on_demand)
        *throughput = (struct throughput){.read = 0};
    else
        *limits = (struct unit_pair){0, 0};
}

/* Adds the indexes of a kind to `kept`: those that the request lists, or else all. */
static const struct error *override_indexes(struct call *c, const struct table_spec *override,
                                            enum index_kind kind, const struct table *t,
                                            struct index *kept, size_t *count)
{
    const struct index_list *asked = &override->indexes;
    const struct error *e;

    for (size_t i = 0; !asked->given[kind] && i < t->index_count; i++)
        if (schema_kind(&t->indexes[i]) == kind)
            kept[(*count)++] = t->indexes[i];
    for (size_t i = 0; i < asked->len; i++) {
        const struct index_spec *ix = &asked->at[i];
        const struct index *source = find_same(t, ix);

        if (ix->kind != kind)
            continue;
        if (is_named_before(asked, i))
            return error_parameter(c->arena, "Duplicate index name: %.*s", SPAN_ARG(ix->name));
        if (!source)
            return error_caused(
                c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_RESTORE_INDEX, .operand = ix->name),
                INVALID "Index %.*s does not match a secondary index that existed in the source "
                        "table and cannot be created during the restore operation",
                SPAN_ARG(ix->name));
        if (kind == KIND_GLOBAL && (e = check_index_units(c, override, t->on_demand, ix)))
            return e;
        kept[*count] = *source;
        override_units(&kept[*count].throughput, &kept[*count].on_demand, t->on_demand,
                       &ix->throughput, &ix->on_demand);
        ++*count;
    }
    return NULL;
}

static const struct error *override_all_indexes(struct call *c, const struct table_spec *override,
                                                struct table *t)
{
    struct index *kept = arena_array(t->arena, t->index_count, sizeof *kept);
    const struct error *e = NULL;
    size_t count = 0;

    for (size_t kind = 0; !e && kind < KIND_COUNT; kind++)
        e = override_indexes(c, override, (enum index_kind)kind, t, kept, &count);
    t->indexes = kept;
    t->index_count = count;
    return e;
}

/* --- units ------------------------------------------------------------------------------------ */

static const struct error *check_maxima(struct call *c, const struct throughput *throughput,
                                        struct unit_pair limits, struct span index)
{
    const struct units_spec units = {.read = throughput->read, .write = throughput->write};
    const struct units_spec most = {.read = limits.read, .write = limits.write}, none = {0};
    const struct error *e = table_check_capacity(c, &units, index);

    return e ? e : table_check_maxima(c, &most, &none, index);
}

static const struct error *check_all_maxima(struct call *c, const struct table *t)
{
    const struct error *e = check_maxima(c, &t->throughput, t->on_demand_limits, SPAN_LIT(""));

    for (size_t i = 0; !e && i < t->index_count; i++)
        e = check_maxima(c, &t->indexes[i].throughput, t->indexes[i].on_demand, t->indexes[i].name);
    return e;
}

/* --- the table -------------------------------------------------------------------------------- */

const struct error *restore_spec_read(struct call *c, const struct table *source,
                                      struct table **out)
{
    struct table_spec override = table_spec_read_overrides(c->arena, c->body);
    struct table *t = table_build_like(c, source, SCHEMA_RESTORE);
    const struct error *e;
    static const struct units_spec none = {.given = false};

    if (override.billing_mode.len)
        t->on_demand = table_spec_on_demand(&override);
    if (t->on_demand && (e = check_no_units(c, &override, &override.throughput, SPAN_LIT(""))))
        return e;
    if (!t->on_demand && override.billing_mode.len && !override.throughput.given)
        return error_validation(
            c->arena, INVALID
            "Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED");
    if ((e = check_limits(c, t->on_demand, &override.on_demand, SPAN_LIT(""))) ||
        (e = override_all_indexes(c, &override, t)))
        return e;
    if (!t->on_demand && schema_count_kind(t, KIND_VECTOR))
        return error_validation(c->arena, INVALID
                                "Vector indexes are only supported for PAY_PER_REQUEST tables");
    override_units(&t->throughput, &t->on_demand_limits, t->on_demand, &override.throughput,
                   &override.on_demand);
    for (size_t i = 0; i < t->index_count; i++) {
        struct index *ix = &t->indexes[i];

        override_units(&ix->throughput, &ix->on_demand, t->on_demand, &none, &none);
        if (!t->on_demand && schema_kind(ix) == KIND_GLOBAL && !ix->throughput.read)
            return error_validation(c->arena,
                                    INVALID "Must specify provisioned throughput for index %.*s",
                                    SPAN_ARG(ix->name));
    }
    if ((e = check_all_maxima(c, t)) || (e = table_check_sse(c, &override)))
        return e;
    if (override.sse.given)
        table_build_encrypt(c, t, &override.sse);
    table_member_set(t, &override.members);
    *out = t;
    return NULL;
}
