#include "ops/item/legacy.h"

#include "ops/op_fault.h"

#include <stdlib.h>

#define T(type)   (1u << ATTR_##type)
#define SCALARS   (T(S) | T(N) | T(B))
#define ANY_TYPE  (~0u)
#define ANY_COUNT SIZE_MAX

/* The meaning of a comparison operator, and its arguments. */
struct legacy_comparison {
    enum expr_op op;
    size_t min, max; /* number of arguments */
    unsigned types;  /* of the arguments, a bit each */
};

/* An entry of Expected, of a filter or of KeyConditions: its comparison operator and values. */
struct legacy_entry {
    struct span name;
    enum comparison comparison;
    struct attr *values;
    size_t count;
};

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

static const struct legacy_comparison *comparison_of(const struct legacy_entry *entry)
{
    return &comparisons[entry->comparison];
}

/* The operator of a ComparisonOperator, whose name the shape has checked. */
static enum comparison read_comparison(const wire_node *name)
{
    return (enum comparison)names_find(names_comparisons, wire_text(name), COMPARISON_EQ);
}

static const struct error *read_value(struct call *c, const wire_node *node, enum wire_layer layer,
                                      struct attr *out)
{
    const struct error *e = wire_read_attr(c->arena, node, layer, out);

    if (!e && wire_is_deeper(node, LIMIT_NESTING))
        e = wire_nesting_error(c->arena);
    return e;
}

static const struct error *read_list(struct call *c, const wire_node *list, enum wire_layer layer,
                                     struct legacy_entry *out)
{
    const struct error *e = op_fault_check_entries(c->arena, "AttributeValueList",
                                                   wire_count(list));

    if (e)
        return e;
    out->values = arena_array(c->arena, wire_count(list), sizeof *out->values);
    out->count = 0;
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        if ((e = read_value(c, n, layer, &out->values[out->count++])))
            return e;
    }
    return NULL;
}

static const struct error *older_fault(struct arena *a, enum error_cause cause,
                                       const struct legacy_entry *entry, const struct error *e)
{
    return error_because(a, e,
                         ERROR_WHY(cause, .operand = entry->name,
                                   .beside = span_of(names_comparisons[entry->comparison]),
                                   .count = entry->count,
                                   .found = entry->count ? (int)entry->values[0].type : -1));
}

/* Checks the number, types and order of the values. */
static const struct error *check_entry(struct arena *a, const struct legacy_entry *entry)
{
    const struct legacy_comparison *comparison = comparison_of(entry);

    if (entry->count < comparison->min || entry->count > comparison->max)
        return older_fault(
            a, CAUSE_OLDER_COUNT, entry,
            error_parameter(a, "Invalid number of argument(s) for the %s ComparisonOperator",
                            names_comparisons[entry->comparison]));
    for (size_t i = 1; i < entry->count; i++)
        if (entry->values[i].type != entry->values[0].type)
            return older_fault(
                a, CAUSE_OLDER_MIXED, entry,
                error_parameter(a,
                                "AttributeValues inside AttributeValueList must be of same type"));
    for (size_t i = 0; i < entry->count; i++) {
        enum attr_type type = entry->values[i].type;

        if (!(comparison->types & 1u << type))
            return older_fault(
                a, CAUSE_OLDER_TYPE, entry,
                error_parameter(a, "ComparisonOperator %s is not valid for %s AttributeValue type",
                                names_comparisons[entry->comparison], attr_type_code(type)));
    }
    if (comparison->op != EXPR_BETWEEN || entry->values[0].type > ATTR_B ||
        attr_compare(&entry->values[0], &entry->values[1]) <= 0)
        return NULL;
    return older_fault(a, CAUSE_OLDER_ORDER, entry,
                       error_validation(a, "The BETWEEN condition was provided a range where the "
                                           "lower bound is greater than the upper bound"));
}

/* Reads and checks an entry of a filter or of KeyConditions. */
static const struct error *read_entry(struct call *c, const wire_node *node, enum wire_layer layer,
                                      struct legacy_entry *out)
{
    const struct error *e;

    out->name = wire_name(node);
    out->comparison = read_comparison(wire_get(node, "ComparisonOperator"));
    e = read_list(c, wire_get(node, "AttributeValueList"), layer, out);
    return e ? e : check_entry(c->arena, out);
}

typedef const struct error *entry_reader(struct call *c, const wire_node *node,
                                         enum wire_layer layer, struct legacy_entry *out);

/* Reads each entry of the map `parameter` with `read`, and joins them by ConditionalOperator. */
static const struct error *join_entries(struct call *c, const char *parameter, entry_reader *read,
                                        enum wire_layer layer, struct expr_cond **out)
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
        struct legacy_entry entry = {.comparison = COMPARISON_EQ};    /* the default */
        struct path_step *step = arena_alloc(c->arena, sizeof *step); /* the condition keeps it */

        if ((e = read(c, n, layer, &entry)))
            return error_about(c->arena, e, entry.name);
        step->name = entry.name;
        conds[count++] = expr_compare_path(c->arena, &(struct path){step, 1},
                                           comparison_of(&entry)->op, entry.values, entry.count);
    }
    *out = expr_join(c->arena, any, conds, count);
    return NULL;
}

/* --- Expected --------------------------------------------------------------------------------- */

static const struct error *check_operator_use(struct arena *a, const wire_node *node,
                                              const struct legacy_entry *entry)
{
    bool has_value = wire_get(node, "Value") || wire_get(node, "AttributeValueList");

    if (wire_get(node, "Exists"))
        return older_fault(
            a, CAUSE_OLDER_EXISTS, entry,
            error_parameter(
                a, "Exists and ComparisonOperator cannot be used together for Attribute: %.*s",
                SPAN_ARG(entry->name)));
    if (comparison_of(entry)->min && !has_value)
        return older_fault(a, CAUSE_OLDER_NOTHING, entry,
                           error_parameter(a,
                                           "Value or AttributeValueList must be used with "
                                           "ComparisonOperator: %s for Attribute: %.*s",
                                           names_comparisons[entry->comparison],
                                           SPAN_ARG(entry->name)));
    return NULL;
}

/* An entry without an operator has Value, which must be equal, or Exists false. */
static const struct error *read_exists(struct arena *a, const wire_node *node,
                                       struct legacy_entry *out)
{
    const wire_node *exists = wire_get(node, "Exists");
    bool absent = exists && !wire_bool(exists, true);

    if (wire_get(node, "AttributeValueList"))
        return older_fault(
            a, CAUSE_OLDER_VALUES, out,
            error_parameter(
                a,
                "AttributeValueList can only be used with a ComparisonOperator for Attribute: %.*s",
                SPAN_ARG(out->name)));
    if (!absent && !out->count)
        return older_fault(
            a, CAUSE_OLDER_NOTHING, out,
            error_parameter(a, "Value must be provided when Exists is %s for Attribute: %.*s",
                            exists ? "true" : "null", SPAN_ARG(out->name)));
    if (absent && out->count)
        return older_fault(
            a, CAUSE_OLDER_EXISTS, out,
            error_parameter(a, "Value cannot be used when Exists is false for Attribute: %.*s",
                            SPAN_ARG(out->name)));
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
        return older_fault(
            c->arena, CAUSE_OLDER_VALUES, out,
            error_parameter(
                c->arena,
                "Value and AttributeValueList cannot be used together for Attribute: %.*s",
                SPAN_ARG(out->name)));
    if (chosen) {
        out->comparison = read_comparison(chosen);
        if ((e = check_operator_use(c->arena, node, out)))
            return e;
    }
    if ((e = read_list(c, list, layer, out)))
        return e;
    if (value) {
        out->values = arena_alloc(c->arena, sizeof *out->values);
        out->count = 1;
        if ((e = read_value(c, value, layer, out->values)))
            return e;
    }
    if (!chosen)
        return read_exists(c->arena, node, out);
    return check_entry(c->arena, out);
}

const struct error *legacy_expected_read(struct call *c, struct expr_cond **out)
{
    return join_entries(c, "Expected", read_expected, WIRE_LAYER_CURRENT, out);
}

/* --- QueryFilter, ScanFilter, KeyConditions --------------------------------------------------- */

const struct error *legacy_filter_read(struct call *c, const char *parameter, enum wire_layer layer,
                                       struct expr_cond **out)
{
    return join_entries(c, parameter, read_entry, layer, out);
}

const struct error *legacy_filter_check_operator(struct call *c, const char *conditions)
{
    const wire_node *joined = wire_get(c->body, conditions);

    if (!wire_get(c->body, "ConditionalOperator"))
        return NULL;
    if (!joined)
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_OLDER_JOINED, .beside = SPAN_LIT("ConditionalOperator")),
            "ConditionalOperator cannot be used without Filter or Expected");
    if (wire_count(joined) < 2)
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_OLDER_JOINED, .beside = SPAN_LIT("ConditionalOperator")),
            "ConditionalOperator can only be used when Filter or Expected has two or more "
            "elements");
    return NULL;
}

const struct error *legacy_filter_read_keys(struct call *c, enum wire_layer layer,
                                            struct expr_key *out)
{
    const wire_node *map = wire_get(c->body, "KeyConditions");
    const struct error *e = op_fault_check_entries(c->arena, "KeyConditions", wire_count(map));

    if (e)
        return e;
    *out = (struct expr_key){arena_array(c->arena, wire_count(map), sizeof *out->at), 0};
    for (const wire_node *n = wire_first(map); n; n = wire_next(n)) {
        struct expr_key_clause *clause = &out->at[out->len++];
        struct legacy_entry entry = {.comparison = COMPARISON_EQ}; /* the default */

        if ((e = read_entry(c, n, layer, &entry)))
            return e;
        clause->attribute = entry.name;
        clause->op = comparison_of(&entry)->op;
        if (entry.count > 0)
            clause->low = entry.values[0];
        if (entry.count > 1)
            clause->high = entry.values[1];
    }
    return NULL;
}

/* --- AttributesToGet -------------------------------------------------------------------------- */

/* A name with its position, to find duplicates by sorting. */
struct listed_name {
    struct span name;
    size_t at;
};

static int by_name(const void *a, const void *b)
{
    const struct listed_name *left = a, *right = b;
    int order = span_compare(left->name, right->name);

    return order ? order : (left->at > right->at) - (left->at < right->at);
}

const struct error *legacy_attributes_read(struct call *c, const wire_node *parameters,
                                           struct expr_projection *out)
{
    const wire_node *list = wire_get(parameters, "AttributesToGet");
    struct path_step *steps = arena_array(c->arena, wire_count(list), sizeof *steps);
    struct path *paths = arena_array(c->arena, wire_count(list), sizeof *paths);
    size_t len = 0;
    const struct listed_name *repeat = NULL;
    struct listed_name *sorted;

    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        steps[len].name = wire_text(n);
        paths[len] = (struct path){&steps[len], 1};
        len++;
    }
    *out = expr_projection_of(c->arena, paths, len);
    sorted = arena_array(c->arena, out->len, sizeof *sorted);
    for (size_t i = 0; i < out->len; i++)
        sorted[i] = (struct listed_name){out->paths[i].at[0].name, i};
    qsort(sorted, out->len, sizeof *sorted, by_name);
    for (size_t i = 1; i < out->len; i++)
        if (span_equal(sorted[i - 1].name, sorted[i].name) &&
            (!repeat || sorted[i].at < repeat->at))
            repeat = &sorted[i];
    if (!repeat) /* the first name that repeats an earlier one */
        return NULL;
    return error_parameter(c->arena, "Duplicate value in attribute name: %.*s",
                           SPAN_ARG(repeat->name));
}

/* --- AttributeUpdates ------------------------------------------------------------------------- */

/* The actions, with the types of their values. */
static const struct action {
    enum expr_action action;
    unsigned types;
    const char *description;
} actions[] = {
    [ACTION_ADD] = {EXPR_ADD, T(N) | T(SS) | T(NS) | T(BS) | T(L), "ADD action"},
    [ACTION_PUT] = {EXPR_SET, ANY_TYPE, "PUT action"},
    [ACTION_DELETE] = {EXPR_DELETE, T(SS) | T(NS) | T(BS), "DELETE action with value"},
};

static const struct error *read_update(struct call *c, const wire_node *node,
                                       struct expr_update *update)
{
    struct span name = wire_text(wire_get(node, "Action"));
    const struct action *action = &actions[names_find(names_update_actions, name, ACTION_PUT)];
    const wire_node *value = wire_get(node, "Value");
    struct path_step *step = arena_alloc(c->arena, sizeof *step);
    struct path path = {step, 1};
    const struct error *e;
    struct attr *operand;

    step->name = wire_name(node);
    if ((e = wire_check_name(c->arena, step->name)))
        return e;
    if (!value) {
        if (action->action != EXPR_DELETE)
            return error_caused(
                c->arena, ERROR_VALIDATION,
                ERROR_WHY(CAUSE_OLDER_NOTHING, .operand = step->name,
                          .beside = name.len ? name : SPAN_LIT("PUT")),
                ERROR_PARAMETER
                "Only DELETE action is allowed when no attribute value is specified");
        expr_update_add(c->arena, update, EXPR_REMOVE, &path, NULL);
        return NULL;
    }
    operand = arena_alloc(c->arena, sizeof *operand);
    if ((e = read_value(c, value, WIRE_LAYER_CURRENT, operand)))
        return error_about(c->arena, e, step->name);
    if (!(action->types & 1u << operand->type))
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_OLDER_TYPE, .operand = step->name, .beside = name,
                                      .found = (int)operand->type),
                            ERROR_PARAMETER "%s is not supported for the type %s",
                            action->description, attr_type_code(operand->type));
    expr_update_add(c->arena, update, action->action, &path, operand);
    return NULL;
}

const struct error *legacy_update_read(struct call *c, struct expr_update **out)
{
    const wire_node *map = wire_get(c->body, "AttributeUpdates");
    struct expr_update *update;
    const struct error *e = op_fault_check_entries(c->arena, "AttributeUpdates", wire_count(map));

    *out = NULL;
    if (e || !map)
        return e;
    update = expr_update_new(c->arena, "Type mismatch for attribute to update");
    for (const wire_node *n = wire_first(map); n; n = wire_next(n))
        if ((e = read_update(c, n, update)))
            return e;
    *out = update;
    return NULL;
}
