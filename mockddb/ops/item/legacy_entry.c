#include "ops/item/legacy_entry.h"

#include "model/limits.h"
#include "ops/op_fault.h"

#define T(type)   (1u << ATTR_##type)
#define SCALARS   (T(S) | T(N) | T(B))
#define ANY_TYPE  (~0u)
#define ANY_COUNT SIZE_MAX

static const struct legacy_comparison comparisons[] = {
    [COMPARISON_IN] = {EXPR_IN, 1, ANY_COUNT, SCALARS},
    [COMPARISON_NULL] = {EXPR_NOT_EXISTS, 0, 0, ANY_TYPE},
    [COMPARISON_BETWEEN] = {EXPR_BETWEEN, 2, 2, SCALARS},
    [COMPARISON_LT] = {EXPR_LT, 1, 1, SCALARS},
    [COMPARISON_NOT_CONTAINS] = {EXPR_NOT_CONTAINS, 1, 1, SCALARS | T(BOOL) | T(NULL)},
    [COMPARISON_EQ] = {EXPR_EQ, 1, 1, ANY_TYPE},
    [COMPARISON_GT] = {EXPR_GT, 1, 1, SCALARS},
    [COMPARISON_NOT_NULL] = {EXPR_EXISTS, 0, 0, ANY_TYPE},
    [COMPARISON_NE] = {EXPR_NE, 1, 1, ANY_TYPE},
    [COMPARISON_LE] = {EXPR_LE, 1, 1, SCALARS},
    [COMPARISON_BEGINS_WITH] = {EXPR_BEGINS_WITH, 1, 1, T(S) | T(B)},
    [COMPARISON_GE] = {EXPR_GE, 1, 1, SCALARS},
    [COMPARISON_CONTAINS] = {EXPR_CONTAINS, 1, 1, SCALARS | T(BOOL) | T(NULL)},
};

const struct legacy_comparison *legacy_entry_takes(const struct legacy_entry *entry)
{
    return &comparisons[entry->comparison];
}

enum comparison legacy_entry_comparison(const wire_node *name)
{
    return (enum comparison)names_find(names_comparisons, wire_text(name), COMPARISON_EQ);
}

const struct error *legacy_entry_value(struct call *c, const wire_node *node, enum wire_layer layer,
                                       struct attr *out)
{
    const struct error *e = wire_read_attr(c->arena, node, layer, out);

    if (!e && wire_is_deeper(node, LIMIT_NESTING))
        e = wire_nesting_error(c->arena);
    return e;
}

const struct error *legacy_entry_list(struct call *c, const wire_node *list, enum wire_layer layer,
                                      struct legacy_entry *out)
{
    const struct error *e = op_fault_check_entries(c->arena, "AttributeValueList",
                                                   wire_count(list));

    if (e)
        return e;
    out->values = arena_array(c->arena, wire_count(list), sizeof *out->values);
    out->count = 0;
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        if ((e = legacy_entry_value(c, n, layer, &out->values[out->count++])))
            return e;
    }
    return NULL;
}

/* --- checks of the values --------------------------------------------------------------------- */

static const struct error *check_count(struct arena *a, const struct legacy_entry *entry)
{
    const struct legacy_comparison *comparison = legacy_entry_takes(entry);

    if (entry->count >= comparison->min && entry->count <= comparison->max)
        return NULL;
    return error_parameter(a, "Invalid number of argument(s) for the %s ComparisonOperator",
                           names_comparisons[entry->comparison]);
}

static const struct error *check_same_type(struct arena *a, const struct legacy_entry *entry)
{
    for (size_t i = 1; i < entry->count; i++)
        if (entry->values[i].type != entry->values[0].type)
            return error_parameter(
                a, "AttributeValues inside AttributeValueList must be of same type");
    return NULL;
}

static const struct error *check_types(struct arena *a, const struct legacy_entry *entry)
{
    for (size_t i = 0; i < entry->count; i++) {
        enum attr_type type = entry->values[i].type;

        if (!(legacy_entry_takes(entry)->types & 1u << type))
            return error_parameter(a,
                                   "ComparisonOperator %s is not valid for %s AttributeValue type",
                                   names_comparisons[entry->comparison], attr_type_code(type));
    }
    return NULL;
}

static const struct error *check_bounds(struct arena *a, const struct legacy_entry *entry)
{
    if (legacy_entry_takes(entry)->op != EXPR_BETWEEN || entry->values[0].type > ATTR_B ||
        attr_compare(&entry->values[0], &entry->values[1]) <= 0)
        return NULL;
    return error_validation(a,
                            "The BETWEEN condition was provided a range where the lower bound is "
                            "greater than the upper bound");
}

const struct error *legacy_entry_check(struct arena *a, const struct legacy_entry *entry)
{
    const struct error *e;

    if ((e = check_count(a, entry)) || (e = check_same_type(a, entry)) ||
        (e = check_types(a, entry)))
        return e;
    return check_bounds(a, entry);
}

/* --- entries ---------------------------------------------------------------------------------- */

const struct error *legacy_entry_read(struct call *c, const wire_node *node, enum wire_layer layer,
                                      struct legacy_entry *out)
{
    const struct error *e;

    out->name = wire_name(node);
    out->comparison = legacy_entry_comparison(wire_get(node, "ComparisonOperator"));
    e = legacy_entry_list(c, wire_get(node, "AttributeValueList"), layer, out);
    return e ? e : legacy_entry_check(c->arena, out);
}

static struct expr_cond *condition_of(struct arena *a, const struct legacy_entry *entry)
{
    struct path_step *step = arena_alloc(a, sizeof *step); /* the condition keeps it */
    struct path path = {step, 1};

    step->name = entry->name;
    return expr_compare_path(a, &path, legacy_entry_takes(entry)->op, entry->values, entry->count);
}

const struct error *legacy_entry_join(struct call *c, const char *parameter,
                                      legacy_entry_reader *read, enum wire_layer layer,
                                      struct expr_cond **out)
{
    const wire_node *map = wire_get(c->body, parameter);
    bool any = names_find(names_logical_operators,
                          wire_text(wire_get(c->body, "ConditionalOperator")),
                          LOGICAL_AND) == LOGICAL_OR;
    struct expr_cond **conds = arena_array(c->arena, wire_count(map), sizeof(struct expr_cond *));
    const struct error *e = op_fault_check_entries(c->arena, parameter, wire_count(map));
    size_t count = 0;

    if (e)
        return e;
    for (const wire_node *n = wire_first(map); n; n = wire_next(n)) {
        struct legacy_entry entry = {.comparison = COMPARISON_EQ}; /* the default */

        if ((e = read(c, n, layer, &entry)))
            return e;
        conds[count++] = condition_of(c->arena, &entry);
    }
    *out = expr_join(c->arena, any, conds, count);
    return NULL;
}
