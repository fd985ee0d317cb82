#include "ops/item/legacy_expected.h"

#include "ops/item/legacy_entry.h"

static const struct error *check_operator_use(struct arena *a, const wire_node *node,
                                              const struct legacy_entry *entry)
{
    bool has_value = wire_get(node, "Value") || wire_get(node, "AttributeValueList");

    if (wire_get(node, "Exists"))
        return error_parameter(a,
                               "Exists and ComparisonOperator cannot be used together for "
                               "Attribute: %.*s",
                               SPAN_ARG(entry->name));
    if (legacy_entry_takes(entry)->min && !has_value)
        return error_parameter(a,
                               "Value or AttributeValueList must be used with "
                               "ComparisonOperator: %s for Attribute: %.*s",
                               names_comparisons[entry->comparison], SPAN_ARG(entry->name));
    return NULL;
}

/* An entry without an operator has Value, which must be equal, or Exists false. */
static const struct error *read_exists(struct arena *a, const wire_node *node,
                                       struct legacy_entry *out)
{
    const wire_node *exists = wire_get(node, "Exists");
    bool absent = exists && !wire_bool(exists, true);

    if (wire_get(node, "AttributeValueList"))
        return error_parameter(a,
                               "AttributeValueList can only be used with a ComparisonOperator "
                               "for Attribute: %.*s",
                               SPAN_ARG(out->name));
    if (!absent && !out->count)
        return error_parameter(a, "Value must be provided when Exists is %s for Attribute: %.*s",
                               exists ? "true" : "null", SPAN_ARG(out->name));
    if (absent && out->count)
        return error_parameter(a, "Value cannot be used when Exists is false for Attribute: %.*s",
                               SPAN_ARG(out->name));
    if (absent)
        out->comparison = COMPARISON_NULL;
    return NULL;
}

static const struct error *read_expected(struct call *c, const wire_node *node,
                                         enum wire_layer layer, struct legacy_entry *out)
{
    const wire_node *chosen = wire_get(node, "ComparisonOperator");
    const wire_node *value = wire_get(node, "Value"), *list = wire_get(node, "AttributeValueList");
    const struct error *e;

    out->name = wire_name(node);
    if (value && list)
        return error_parameter(c->arena,
                               "Value and AttributeValueList cannot be used together for "
                               "Attribute: %.*s",
                               SPAN_ARG(out->name));
    if (chosen) {
        out->comparison = legacy_entry_comparison(chosen);
        if ((e = check_operator_use(c->arena, node, out)))
            return e;
    }
    if ((e = legacy_entry_list(c, list, layer, out)))
        return e;
    if (value) {
        out->values = arena_alloc(c->arena, sizeof *out->values);
        out->count = 1;
        if ((e = legacy_entry_value(c, value, layer, out->values)))
            return e;
    }
    if (!chosen)
        return read_exists(c->arena, node, out);
    return legacy_entry_check(c->arena, out);
}

const struct error *legacy_expected_read(struct call *c, struct expr_cond **out)
{
    return legacy_entry_join(c, "Expected", read_expected, WIRE_LAYER_CURRENT, out);
}
