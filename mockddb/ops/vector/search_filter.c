#include "ops/vector/search_filter.h"

#include "model/key.h"

/* --- labels ----------------------------------------------------------------------------------- */

/* For each attribute a byte for its presence, then the value in its form in keys. Equal values,
 * also of numbers, have equal bytes, and no value is a prefix of another. */
void search_filter_label(struct buf *out, const struct index *ix, const struct item *it)
{
    for (size_t i = 0; i < ix->vector.part_count; i++) {
        const struct attr *value = item_find(it, ix->vector.parts[i].name);

        if (ix->vector.parts[i].hash)
            continue;
        buf_add_char(out, value ? 1 : 0);
        if (value)
            key_add_part(out, value);
    }
}

struct span search_filter_operand(struct arena *a, enum expr_op op, const struct attr *value)
{
    struct buf bytes = buf_in(a);

    if (op == EXPR_BEGINS_WITH)
        key_add_prefix(&bytes, value);
    else
        key_add_part(&bytes, value);
    return buf_span(&bytes);
}

/* Cuts the first value off a label; .at is NULL if the item does not have the attribute. */
static struct span next_value(struct span *label)
{
    const char *start = label->at + 1, *at = start;

    if (!label->at[0]) {
        *label = span_from(*label, 1);
        return (struct span){NULL, 0};
    }
    while (!(at[0] == 0 && at[1] == 0)) /* within a value FF follows each 00 */
        at = at[0] == 0 ? at + 2 : at + 1;
    at += 2;
    *label = span_from(*label, (size_t)(at - label->at));
    return (struct span){start, (size_t)(at - start)};
}

/* --- conditions ------------------------------------------------------------------------------- */

/* For an absent attribute only attribute_not_exists is true. */
static bool test_holds(const struct search_test *t, struct span value)
{
    if (!value.at || t->op == EXPR_NOT_EXISTS)
        return !value.at && t->op == EXPR_NOT_EXISTS;
    switch (t->op) {
    case EXPR_EXISTS:
        return true;
    case EXPR_BEGINS_WITH:
        return span_starts_with(value, t->operands[0]);
    case EXPR_BETWEEN:
        return span_compare(value, t->operands[0]) >= 0 && span_compare(value, t->operands[1]) <= 0;
    case EXPR_IN:
        return span_is_among(value, t->operands, t->operand_count);
    default:
        return expr_op_holds(t->op, span_compare(value, t->operands[0]));
    }
}

static bool test_passes(const struct search_test *t, const struct span *values)
{
    if (t->join == EXPR_SEARCH_TEST)
        return test_holds(t, values[t->part]);
    if (t->join == EXPR_SEARCH_NOT)
        return !test_passes(t->at, values);
    for (size_t i = 0; i < t->len; i++)
        if (test_passes(&t->at[i], values) != (t->join == EXPR_SEARCH_ALL))
            return t->join == EXPR_SEARCH_ANY;
    return t->join == EXPR_SEARCH_ALL;
}

bool search_filter_passes(const struct search_filter *f, struct span key, struct span label)
{
    struct span values[LIMIT_INLINE_FILTERS];

    if (!span_starts_with(key, f->partition))
        return false;
    for (size_t i = 0; i < f->part_count; i++)
        values[i] = next_value(&label);
    return test_passes(&f->condition, values);
}
