#include "ops/backup/restore_spec.h"

#include "model/names.h"
#include "ops/table/table_check.h"

#define INVALID "Invalid Request: "

/* --- the source's specification --------------------------------------------------------------- */

static void add_keys(struct key_list *keys, const struct key_part *parts, size_t count, bool hash)
{
    for (size_t i = 0; i < count; i++)
        keys->at[keys->len++] = (struct key_spec){parts[i].name, hash};
}

static struct key_list keys_of(struct arena *a, const struct key_schema *schema)
{
    struct key_list keys = {
        .at = arena_array(a, schema->hash_count + schema->range_count, sizeof *keys.at)};

    add_keys(&keys, schema->hash, schema->hash_count, true);
    add_keys(&keys, schema->range, schema->range_count, false);
    return keys;
}

static struct units_spec units_of(int64_t read, int64_t write)
{
    return (struct units_spec){.given = read || write,
                               .has_read = read != 0,
                               .has_write = write != 0,
                               .read = read,
                               .write = write};
}

static struct key_list parts_of(struct arena *a, const struct vector_schema *v)
{
    struct key_list parts = {.at = arena_array(a, v->part_count, sizeof *parts.at)};

    for (; parts.len < v->part_count; parts.len++)
        parts.at[parts.len] = (struct key_spec){v->parts[parts.len].name, v->parts[parts.len].hash};
    return parts;
}

static struct index_spec index_of(struct arena *a, const struct index *ix)
{
    const struct vector_schema *v = &ix->vector;
    struct index_spec spec = {
        .name = ix->name,
        .kind = schema_kind(ix),
        .keys = v->dimensions ? parts_of(a, v) : keys_of(a, &ix->keys),
        .projection = {.type = span_of(names_projections[ix->projection]),
                       .include_given = ix->include_count > 0,
                       .include = ix->include,
                       .include_count = ix->include_count},
        .throughput = units_of(ix->throughput.read, ix->throughput.write),
        .on_demand = units_of(ix->on_demand.read, ix->on_demand.write),
    };

    if (v->dimensions)
        spec.vector = (struct vector_spec){v->attribute, v->dimensions,
                                           span_of(names_distances[v->distance])};
    return spec;
}

static struct index_list indexes_of(struct arena *a, const struct table *t, enum index_kind kind)
{
    struct index_list list = {.at = arena_array(a, t->index_count, sizeof *list.at)};

    for (size_t i = 0; i < t->index_count; i++)
        if (schema_kind(&t->indexes[i]) == kind && t->indexes[i].status != STATUS_DELETING)
            list.at[list.len++] = index_of(a, &t->indexes[i]);
    return list;
}

/* Without definitions; definitions_of adds them once the indexes are known. */
static struct table_spec spec_of(struct arena *a, const struct table *t)
{
    return (struct table_spec){
        .keys = keys_of(a, &t->keys),
        .billing_mode = span_of(names_billing_modes[t->on_demand]),
        .throughput = units_of(t->throughput.read, t->throughput.write),
        .on_demand = units_of(t->on_demand_limits.read, t->on_demand_limits.write),
        .locals = indexes_of(a, t, KIND_LOCAL),
        .globals = indexes_of(a, t, KIND_GLOBAL),
        .vectors = indexes_of(a, t, KIND_VECTOR),
        .sse = {.enabled = t->sse, .key = t->kms_key_arn},
        .source = t,
        .source_use = SCHEMA_RESTORE,
    };
}

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
        return error_validation(
            c->arena,
            INVALID "Cannot override ProvisionedThroughput if BillingMode is overridden to "
                    "PAY_PER_REQUEST%s",
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
        return error_validation(
            c->arena,
            INVALID "Cannot override %s for OnDemandThroughput unless BillingModeOverride is "
                    "PAY_PER_REQUEST%s",
            limits->has_read ? "MaxReadRequestUnits" : "MaxWriteRequestUnits",
            index_tail(c, index));
    if (read_good && (!limits->has_write || limits->write >= 1))
        return NULL;
    return error_validation(
        c->arena, INVALID "Requested %s for OnDemandThroughput is outside of valid range%s",
        read_good ? "MaxWriteRequestUnits" : "MaxReadRequestUnits", index_tail(c, index));
}

static const struct error *override_billing(struct call *c, const struct table_spec *override,
                                            struct table_spec *spec)
{
    const struct error *e;
    bool on_demand;

    if (override->billing_mode.len)
        spec->billing_mode = override->billing_mode;
    on_demand = table_spec_on_demand(spec);
    if (on_demand && (e = check_no_units(c, override, &override->throughput, SPAN_LIT(""))))
        return e;
    if (!on_demand && override->billing_mode.len && !override->throughput.given)
        return error_validation(
            c->arena, INVALID "Must override ProvisionedThroughput if BillingMode is overridden to "
                              "PROVISIONED");
    if ((e = check_limits(c, on_demand, &override->on_demand, SPAN_LIT(""))))
        return e;
    if (override->throughput.given)
        spec->throughput = override->throughput;
    if (override->on_demand.given)
        spec->on_demand = override->on_demand;
    return NULL;
}

/* --- indexes ---------------------------------------------------------------------------------- */

static bool same_keys(const struct key_list *one, const struct key_list *two)
{
    if (one->len != two->len)
        return false;
    for (size_t i = 0; i < one->len; i++)
        if (one->at[i].hash != two->at[i].hash || !span_equal(one->at[i].name, two->at[i].name))
            return false;
    return true;
}

/* Ignores the order of the attributes. */
static bool same_projection(const struct projection_spec *one, const struct projection_spec *two)
{
    if (!span_equal(one->type, two->type) || one->include_count != two->include_count)
        return false;
    for (size_t i = 0; i < one->include_count; i++)
        if (!span_is_among(one->include[i], two->include, two->include_count))
            return false;
    return true;
}

static bool same_index(const struct index_spec *one, const struct index_spec *two)
{
    return span_equal(one->name, two->name) && same_keys(&one->keys, &two->keys) &&
           span_equal(one->vector.attribute, two->vector.attribute) &&
           one->vector.dimensions == two->vector.dimensions &&
           span_equal(one->vector.distance, two->vector.distance) &&
           same_projection(&one->projection, &two->projection);
}

static const struct index_spec *find_same(const struct index_list *list,
                                          const struct index_spec *ix)
{
    for (size_t i = 0; i < list->len; i++)
        if (same_index(&list->at[i], ix))
            return &list->at[i];
    return NULL;
}

static bool is_named_before(const struct index_list *list, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (span_equal(list->at[k].name, list->at[i].name))
            return true;
    return false;
}

static const struct error *check_index_units(struct call *c, const struct table_spec *override,
                                             const struct table_spec *spec,
                                             const struct index_spec *ix)
{
    bool on_demand = table_spec_on_demand(spec);
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

/* Replaces *list by the indexes that the request lists. The source must have each of them. */
static const struct error *override_indexes(struct call *c, const struct table_spec *override,
                                            const struct table_spec *spec,
                                            const struct index_list *wanted,
                                            struct index_list *list)
{
    const struct error *e;

    for (size_t i = 0; i < wanted->len; i++) {
        const struct index_spec *ix = &wanted->at[i], *source = find_same(list, ix);

        if (is_named_before(wanted, i))
            return error_parameter(c->arena, "Duplicate index name: %.*s", SPAN_ARG(ix->name));
        if (!source)
            return error_validation(
                c->arena,
                INVALID "Index %.*s does not match a secondary index that existed in the source "
                        "table and cannot be created during the restore operation",
                SPAN_ARG(ix->name));
        if (ix->kind == KIND_GLOBAL && (e = check_index_units(c, override, spec, ix)))
            return e;
        if (ix->kind == KIND_GLOBAL && !ix->on_demand.given)
            wanted->at[i].on_demand = source->on_demand;
    }
    if (wanted->given)
        *list = *wanted;
    return NULL;
}

/* Drops units that do not fit the billing mode. */
static void drop_other_units(struct units_spec *throughput, struct units_spec *limits,
                             bool on_demand)
{
    *(on_demand ? throughput : limits) = (struct units_spec){.given = false};
}

static const struct error *settle_units(struct call *c, struct table_spec *spec)
{
    bool on_demand = table_spec_on_demand(spec);

    if (!on_demand && spec->vectors.len)
        return error_validation(c->arena, INVALID
                                "Vector indexes are only supported for PAY_PER_REQUEST tables");
    drop_other_units(&spec->throughput, &spec->on_demand, on_demand);
    for (size_t i = 0; i < spec->globals.len; i++) {
        struct index_spec *ix = &spec->globals.at[i];

        drop_other_units(&ix->throughput, &ix->on_demand, on_demand);
        if (!on_demand && !ix->throughput.given)
            return error_validation(c->arena,
                                    INVALID "Must specify provisioned throughput for index %.*s",
                                    SPAN_ARG(ix->name));
    }
    return NULL;
}

/* --- definitions ------------------------------------------------------------------------------ */

static bool has_key(const struct key_list *keys, struct span name)
{
    for (size_t i = 0; i < keys->len; i++)
        if (span_equal(keys->at[i].name, name))
            return true;
    return false;
}

static bool has_index_key(const struct index_list *list, struct span name)
{
    for (size_t i = 0; i < list->len; i++)
        if (has_key(&list->at[i].keys, name))
            return true;
    return false;
}

static struct definition_list definitions_of(struct arena *a, const struct table *t,
                                             const struct table_spec *spec)
{
    struct definition_list defs = {.given = true,
                                   .at = arena_array(a, t->definition_count, sizeof *defs.at)};

    for (size_t i = 0; i < t->definition_count; i++)
        if (has_key(&spec->keys, t->definitions[i].name) ||
            has_index_key(&spec->locals, t->definitions[i].name) ||
            has_index_key(&spec->globals, t->definitions[i].name) ||
            has_index_key(&spec->vectors, t->definitions[i].name))
            defs.at[defs.len++] = t->definitions[i];
    return defs;
}

/* --- the specification ------------------------------------------------------------------------ */

static const struct error *check_capacities(struct call *c, const struct table_spec *spec)
{
    const struct units_spec none = {.given = false};
    const struct error *e;

    if ((e = table_check_capacity(c, &spec->throughput, SPAN_LIT(""))) ||
        (e = table_check_maxima(c, &spec->on_demand, &none, SPAN_LIT(""))))
        return e;
    for (size_t i = 0; i < spec->globals.len; i++) {
        const struct index_spec *ix = &spec->globals.at[i];

        if ((e = table_check_capacity(c, &ix->throughput, ix->name)) ||
            (e = table_check_maxima(c, &ix->on_demand, &none, ix->name)))
            return e;
    }
    return NULL;
}

struct table_spec restore_spec_of(struct arena *a, const struct table *source)
{
    struct table_spec spec = spec_of(a, source);

    spec.definitions = definitions_of(a, source, &spec);
    return spec;
}

const struct error *restore_spec_read(struct call *c, const struct table *source,
                                      struct table_spec *out)
{
    struct table_spec override = table_spec_read_overrides(c->arena, c->body);
    struct table_spec spec = spec_of(c->arena, source);
    const struct error *e;

    if ((e = override_billing(c, &override, &spec)) ||
        (e = override_indexes(c, &override, &spec, &override.locals, &spec.locals)) ||
        (e = override_indexes(c, &override, &spec, &override.globals, &spec.globals)) ||
        (e = override_indexes(c, &override, &spec, &override.vectors, &spec.vectors)) ||
        (e = settle_units(c, &spec)) || (e = check_capacities(c, &spec)) ||
        (e = table_check_sse(c, &override)))
        return e;
    if (override.sse.given)
        spec.sse = override.sse;
    spec.members = override.members;
    spec.definitions = definitions_of(c->arena, source, &spec);
    *out = spec;
    return NULL;
}
