#include "ops/table/table_vector.h"

#include "model/names.h"

const struct error *table_vector_check_billing(struct arena *a, bool on_demand)
{
    if (on_demand)
        return NULL;
    return error_parameter(a, "Vector indexes are only supported for PAY_PER_REQUEST tables");
}

/* --- SearchSchema ----------------------------------------------------------------------------- */

static const struct error *check_count(struct arena *a, const struct key_list *parts, bool hash,
                                       size_t most)
{
    size_t count = 0;

    for (size_t i = 0; i < parts->len; i++)
        count += parts->at[i].hash == hash;
    if (count <= most)
        return NULL;
    return error_parameter(a,
                           "Value '%zu' at 'SearchSchema' failed to satisfy constraint: Member "
                           "must have %s count less than or equal to %zu",
                           count, names_search_kinds[!hash], most);
}

const struct error *table_vector_check_schema(struct arena *a, const struct index_spec *ix,
                                              const struct definition_list *defs)
{
    const struct error *e;

    if (table_spec_find_definition(defs, ix->vector.attribute) < defs->len)
        return error_parameter(a,
                               "Conflicting attribute definition for '%.*s'. An attribute cannot "
                               "be defined in AttributeDefinitions when used as a "
                               "VectorAttribute.",
                               SPAN_ARG(ix->vector.attribute));
    if ((e = check_count(a, &ix->keys, true, LIMIT_SEARCH_HASHES)) ||
        (e = check_count(a, &ix->keys, false, LIMIT_INLINE_FILTERS)))
        return e;
    for (size_t i = 0; i < ix->keys.len; i++)
        for (size_t j = 0; j < i; j++)
            if (span_equal(ix->keys.at[i].name, ix->keys.at[j].name))
                return error_parameter(a, "SearchSchema contains a duplicate AttributeName");
    for (size_t i = 0; i < ix->keys.len; i++)
        if (table_spec_find_definition(defs, ix->keys.at[i].name) == defs->len)
            return error_parameter(a, "One element in SearchSchema is not defined in attribute "
                                      "definitions");
    return NULL;
}

/* --- the vector ------------------------------------------------------------------------------- */

const struct error *table_vector_check_dimensions(struct arena *a, const struct vector_spec *v)
{
    if (v->dimensions >= 1 && v->dimensions <= LIMIT_DIMENSIONS)
        return NULL;
    return error_parameter(a, "Number of dimensions must be between 1 and %d inclusive.",
                           LIMIT_DIMENSIONS);
}

const struct error *table_vector_check_same(struct arena *a, const struct vector_spec *v,
                                            struct span attribute, int64_t dimensions)
{
    if (!span_equal(v->attribute, attribute) || v->dimensions == dimensions)
        return NULL;
    return error_parameter(a,
                           "Conflicting attribute definition for '%.*s'. All VectorIndexes on the "
                           "same vector attribute must use the same dimensions.",
                           SPAN_ARG(attribute));
}

/* --- NonKeyAttributes ------------------------------------------------------------------------- */

/* With INCLUDE the vector and each INLINE_FILTER count as one attribute each. */
static size_t count_included(size_t included, bool is_vector, size_t filters)
{
    return is_vector && included ? included + filters + 1 : included;
}

size_t table_vector_count_included(const struct index_spec *ix)
{
    size_t filters = 0;

    for (size_t i = 0; i < ix->keys.len; i++)
        filters += !ix->keys.at[i].hash;
    return count_included(ix->projection.include_count, ix->kind == KIND_VECTOR, filters);
}

size_t table_vector_count_built(const struct index *ix)
{
    size_t filters = 0;

    for (size_t i = 0; i < ix->vector.part_count; i++)
        filters += !ix->vector.parts[i].hash;
    return count_included(ix->include_count, schema_kind(ix) == KIND_VECTOR, filters);
}
