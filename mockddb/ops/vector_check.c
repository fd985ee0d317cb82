#include "ops/vector_check.h"

#include "model/vector.h"
#include "ops/key_check.h"

#define NOT_VALID "One or more parameter values were invalid. "

/* --- the vector ------------------------------------------------------------------------------- */

/* Prints a number like Java's BigDecimal: 1.3E+40. */
static struct span format_scientific(struct arena *a, struct span canonical)
{
    struct num n = num_of(canonical);
    struct buf text = buf_in(a);

    if (n.negative)
        buf_add_char(&text, '-');
    for (int i = 0; i < n.digits; i++) {
        if (i == 1)
            buf_add_char(&text, '.');
        buf_add_char(&text, (char)('0' + n.digit[i]));
    }
    buf_printf(&text, "E+%d", n.exponent - 1);
    return buf_span(&text);
}

/* The cause of what is wrong with an index's vector. */
static struct error_why why_of(const struct index *ix)
{
    return ERROR_WHY(CAUSE_VECTOR, .operand = ix->vector.attribute, .beside = ix->name,
                     .count = (size_t)ix->vector.dimensions);
}

static const struct error *check_element(struct arena *a, const struct index *ix, size_t i,
                                         const struct attr *element)
{
    float unused;

    if (element->type != ATTR_N)
        return error_bare(a, error_caused(a, ERROR_VALIDATION, why_of(ix),
                                          NOT_VALID
                                          "Invalid type for parameter %.*s[%zu], Expected: 32-bit "
                                          "floating point number, Actual: %s. IndexName: %.*s",
                                          SPAN_ARG(ix->vector.attribute), i,
                                          attr_type_code(element->type), SPAN_ARG(ix->name)));
    if (vector_float(element->bytes, &unused))
        return NULL;
    return error_bare(
        a, error_caused(a, ERROR_VALIDATION, why_of(ix),
                        NOT_VALID "Invalid value for parameter %.*s[%zu], Value: %.*s is outside "
                                  "valid range [-3.4028235E38, 3.4028235E38]. IndexName: %.*s",
                        SPAN_ARG(ix->vector.attribute), i,
                        SPAN_ARG(format_scientific(a, element->bytes)), SPAN_ARG(ix->name)));
}

static const struct error *check_vector(struct arena *a, const struct index *ix,
                                        const struct attr *value)
{
    const struct error *e = NULL;

    if (value->type != ATTR_L)
        return error_bare(a, error_caused(a, ERROR_VALIDATION, why_of(ix),
                                          NOT_VALID
                                          "Invalid type for parameter %.*s, Expected: 32-bit "
                                          "floating point number list IndexName: %.*s",
                                          SPAN_ARG(ix->vector.attribute), SPAN_ARG(ix->name)));
    if (value->list.len != (size_t)ix->vector.dimensions)
        return error_bare(
            a, error_caused(
                   a, ERROR_VALIDATION, why_of(ix),
                   NOT_VALID
                   "Invalid size for parameter %.*s, Expected: %lld, Actual: %zu IndexName: %.*s",
                   SPAN_ARG(ix->vector.attribute), (long long)ix->vector.dimensions,
                   value->list.len, SPAN_ARG(ix->name)));
    arena_charge(a, value->list.len);
    for (size_t i = 0; !e && i < value->list.len; i++)
        e = check_element(a, ix, i, &value->list.at[i]);
    return e;
}

/* --- the SearchSchema ------------------------------------------------------------------------- */

static bool is_empty_hash(const struct search_part *part, const struct attr *value)
{
    return part->hash && value->type != ATTR_N && value->type <= ATTR_B && !value->bytes.len;
}

static const struct error *check_part(struct arena *a, const struct index *ix,
                                      const struct search_part *part, const struct attr *value,
                                      bool by_expression)
{
    if (value->type != part->type)
        return error_bare(
            a, error_validation(
                   a,
                   NOT_VALID
                   "Attribute '%.*s' type mismatch. Expected: %s, Actual: %s. IndexName: %.*s",
                   SPAN_ARG(part->name), attr_type_code(part->type), attr_type_code(value->type),
                   SPAN_ARG(ix->name)));
    if (!is_empty_hash(part, value)) {
        size_t size = attr_size(value);

        if (part->hash && size > LIMIT_HASH_BYTES)
            return error_bare(
                a, error_parameter(
                       a, "Aggregate size for HASH key attributes exceeds the maximum of %d bytes",
                       LIMIT_HASH_BYTES));
        if (part->hash || size <= LIMIT_INLINE_FILTER_BYTES)
            return NULL;
        return error_bare(
            a, error_parameter(
                   a, "Size limit exceeded for SearchSchema attribute '%.*s': maximum %zu bytes",
                   SPAN_ARG(part->name), LIMIT_INLINE_FILTER_BYTES));
    }
    return by_expression ? key_check_empty_update(a, value)
                         : key_check_empty_entry(a, ix, part->name, value);
}

/* --- items ------------------------------------------------------------------------------------ */

/* The attribute's value if it is present and was changed, else NULL. */
static const struct attr *changed_value(const struct item *old, const struct item *it,
                                        struct span name)
{
    const struct attr *value = item_find(it, name), *before = item_find(old, name);

    return value && before && attr_equal(before, value) ? NULL : value;
}

const struct error *vector_check_updated(struct arena *a, const struct index *ix,
                                         bool by_expression, const struct item *old,
                                         const struct item *it)
{
    const struct attr *value = changed_value(old, it, ix->vector.attribute);
    const struct error *e = value ? check_vector(a, ix, value) : NULL;

    for (size_t i = 0; !e && i < ix->vector.part_count; i++) {
        const struct search_part *part = &ix->vector.parts[i];

        if ((value = changed_value(old, it, part->name)))
            e = check_part(a, ix, part, value, by_expression);
    }
    return e;
}

const struct error *vector_check_item(struct arena *a, const struct index *ix,
                                      const struct item *it)
{
    return vector_check_updated(a, ix, false, NULL, it);
}

const struct error *vector_check_empty(struct arena *a, const struct index *ix,
                                       const struct item *it)
{
    const struct search_part *hash = schema_search_hash(ix);
    const struct attr *value = hash ? item_find(it, hash->name) : NULL;

    if (!value || !is_empty_hash(hash, value))
        return NULL;
    return key_check_empty_entry(a, ix, hash->name, value);
}
