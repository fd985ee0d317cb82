#include "ops/vector/search_condition.h"

#include "model/key.h"

#define PARAMETER "SearchConditionExpression"

/* --- against the schema ----------------------------------------------------------------------- */

static const struct error *check_names(struct arena *a, const struct index *ix,
                                       const struct expr_search *asked)
{
    for (size_t i = 0; i < asked->len; i++) {
        struct span name = asked->at[i].path->at[0].name;

        if (!schema_search_part(ix, name))
            return error_validation(a,
                                    PARAMETER " must not contain any attributes that is not in "
                                              "SearchSchema. Invalid attribute: %.*s",
                                    SPAN_ARG(name));
        if (asked->at[i].path->len > 1)
            return error_validation(a, "Invalid " PARAMETER ": " PARAMETER
                                       " cannot have conditions on nested attributes");
    }
    for (size_t i = 0; i < asked->len; i++)
        for (size_t k = 0; k < i; k++)
            if (span_equal(asked->at[i].path->at[0].name, asked->at[k].path->at[0].name))
                return error_validation(a, "Invalid " PARAMETER ": " PARAMETER
                                           " must only contain one condition per attribute");
    return NULL;
}

static const struct attr *find_value(const struct expr_search *asked, struct span name)
{
    for (size_t i = 0; asked && i < asked->len; i++)
        if (span_equal(asked->at[i].path->at[0].name, name))
            return asked->at[i].value;
    return NULL;
}

static const struct error *check_hash(struct arena *a, const struct index *ix,
                                      const struct expr_search *asked)
{
    const struct search_part *hash = schema_search_hash(ix);

    if (!hash || find_value(asked, hash->name))
        return NULL;
    if (!asked)
        return error_validation(a, PARAMETER " must be provided when SearchSchema has a HASH key");
    return error_validation(a, "Invalid " PARAMETER ": " PARAMETER
                               " must have all HASH attributes in configured SearchSchema");
}

static const struct error *check_value(struct arena *a, const struct search_part *part,
                                       const struct attr *value)
{
    if (value->type != part->type)
        return error_validation(a,
                                "Type of '%.*s' attribute in " PARAMETER
                                " (%s) does not match type in search schema (%s)",
                                SPAN_ARG(part->name), attr_type_code(value->type),
                                attr_type_code(part->type));
    if (!part->hash || value->bytes.len)
        return NULL;
    return error_validation(a,
                            "One or more parameter values are not valid. The AttributeValue for a "
                            "key attribute cannot contain an empty %s value. Key: %.*s",
                            value->type == ATTR_B ? "binary" : "string", SPAN_ARG(part->name));
}

/* --- as bytes --------------------------------------------------------------------------------- */

/* A value as a label has it: presence, then the value as in keys; equal ones, numbers too, are the
 * same bytes, and none begins another. */
static void add_label(struct buf *out, const struct attr *value)
{
    buf_add_char(out, value ? 1 : 0);
    if (value)
        key_add_part(out, value);
}

void search_condition_label(struct buf *out, const struct index *ix, const struct item *it)
{
    for (size_t i = 0; i < ix->vector.part_count; i++)
        if (!ix->vector.parts[i].hash)
            add_label(out, item_find(it, ix->vector.parts[i].name));
}

static struct span label_of(struct arena *a, const struct attr *value)
{
    struct buf label = buf_in(a);

    add_label(&label, value);
    return buf_span(&label);
}

static struct span partition_of(struct arena *a, const struct index *ix, const struct attr *value)
{
    struct buf key = buf_in(a);

    key_of_partition(&key, ix->space, &value, 1);
    return buf_span(&key);
}

const struct error *search_condition_check(struct arena *a, const struct index *ix,
                                           const struct expr_search *asked,
                                           struct search_filter *out)
{
    struct search_filter f = {.parts = arena_array(a, ix->vector.part_count, sizeof *f.parts)};
    const struct error *e;
    size_t filter = 0;

    if ((asked && (e = check_names(a, ix, asked))) || (e = check_hash(a, ix, asked)))
        return e;
    for (size_t i = 0; i < ix->vector.part_count; i++) {
        const struct search_part *part = &ix->vector.parts[i];
        const struct attr *value = find_value(asked, part->name);

        filter += !part->hash;
        if (!value)
            continue;
        if ((e = check_value(a, part, value)))
            return e;
        if (part->hash) {
            f.partition = partition_of(a, ix, value);
            continue;
        }
        f.parts[filter - 1] = label_of(a, value);
        f.part_count = filter;
    }
    *out = f;
    return NULL;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* What comes after the first value of a label. */
static struct span rest_of(struct span label)
{
    const char *at = label.at + 1, *end = label.at + label.len;

    if (!label.at[0])
        return span_from(label, 1);
    while (!(at[0] == 0 && at[1] == 0)) /* in a value a 00 is followed by FF */
        at = at[0] == 0 ? at + 2 : at + 1;
    return (struct span){at + 2, (size_t)(end - at) - 2};
}

bool search_condition_holds(const struct search_filter *f, struct span key, struct span label)
{
    if (!span_starts_with(key, f->partition))
        return false;
    for (size_t i = 0; i < f->part_count; i++) {
        if (f->parts[i].at && !span_starts_with(label, f->parts[i]))
            return false;
        label = rest_of(label);
    }
    return true;
}
