#include "ops/item/legacy.h"

#include "model/limits.h"
#include "ops/op_common.h"

#include <stdlib.h>

#define T(type)   (1u << ATTR_##type)
#define SCALARS   (T(S) | T(N) | T(B))
#define ANY_TYPE  (~0u)
#define ANY_COUNT SIZE_MAX

/* What a comparison operator means and takes. */
static const struct comparison {
    const char *name;
    enum expr_op op;
    size_t min, max; /* arguments */
    unsigned types;  /* of the arguments, a bit each */
} comparisons[] = {
    {"EQ", EXPR_EQ, 1, 1, ANY_TYPE},
    {"NE", EXPR_NE, 1, 1, ANY_TYPE},
    {"LT", EXPR_LT, 1, 1, SCALARS},
    {"LE", EXPR_LE, 1, 1, SCALARS},
    {"GT", EXPR_GT, 1, 1, SCALARS},
    {"GE", EXPR_GE, 1, 1, SCALARS},
    {"BETWEEN", EXPR_BETWEEN, 2, 2, SCALARS},
    {"IN", EXPR_IN, 1, ANY_COUNT, SCALARS},
    {"BEGINS_WITH", EXPR_BEGINS_WITH, 1, 1, T(S) | T(B)},
    {"CONTAINS", EXPR_CONTAINS, 1, 1, SCALARS | T(BOOL) | T(NULL)},
    {"NOT_CONTAINS", EXPR_NOT_CONTAINS, 1, 1, SCALARS | T(BOOL) | T(NULL)},
    {"NULL", EXPR_NOT_EXISTS, 0, 0, ANY_TYPE},
    {"NOT_NULL", EXPR_EXISTS, 0, 0, ANY_TYPE},
};

/* One entry of Expected, of a filter or of KeyConditions. */
struct entry {
    struct span name;
    const struct comparison *comparison;
    struct attr *values;
    size_t count;
};

/* The member checks have seen to it that the name is one of these. */
static const struct comparison *find_comparison(struct span name)
{
    size_t i = 0;

    while (i + 1 < COUNT(comparisons) && !span_is(name, comparisons[i].name))
        i++;
    return &comparisons[i];
}

static const struct error *check_entries(struct call *c, const char *parameter,
                                         const wire_node *node)
{
    return op_check_entries(c->arena, parameter, wire_count(node));
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
                                     struct entry *out)
{
    const struct error *e = check_entries(c, "AttributeValueList", list);

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

/* --- checks of an entry's arguments ----------------------------------------------------------- */

static const struct error *check_count(struct arena *a, const struct entry *entry)
{
    const struct comparison *comparison = entry->comparison;

    if (entry->count >= comparison->min && entry->count <= comparison->max)
        return NULL;
    return error_parameter(a, "Invalid number of argument(s) for the %s ComparisonOperator",
                           comparison->name);
}

static const struct error *check_same_type(struct arena *a, const struct entry *entry)
{
    for (size_t i = 1; i < entry->count; i++)
        if (entry->values[i].type != entry->values[0].type)
            return error_parameter(
                a, "AttributeValues inside AttributeValueList must be of same type");
    return NULL;
}

static const struct error *check_types(struct arena *a, const struct entry *entry)
{
    for (size_t i = 0; i < entry->count; i++) {
        enum attr_type type = entry->values[i].type;

        if (!(entry->comparison->types & 1u << type))
            return error_parameter(a,
                                   "ComparisonOperator %s is not valid for %s AttributeValue type",
                                   entry->comparison->name, attr_type_code(type));
    }
    return NULL;
}

static const struct error *check_bounds(struct arena *a, const struct entry *entry)
{
    if (entry->comparison->op != EXPR_BETWEEN || entry->values[0].type > ATTR_B ||
        attr_compare(&entry->values[0], &entry->values[1]) <= 0)
        return NULL;
    return error_validation(a,
                            "The BETWEEN condition was provided a range where the lower bound is "
                            "greater than the upper bound");
}

static const struct error *check_arguments(struct arena *a, const struct entry *entry)
{
    const struct error *e;

    if ((e = check_count(a, entry)) || (e = check_same_type(a, entry)) ||
        (e = check_types(a, entry)))
        return e;
    return check_bounds(a, entry);
}

/* --- filters and key conditions --------------------------------------------------------------- */

static const struct error *read_condition(struct call *c, const wire_node *node,
                                          enum wire_layer layer, struct entry *out)
{
    const struct error *e;

    out->name = wire_name(node);
    out->comparison = find_comparison(wire_text(wire_get(node, "ComparisonOperator")));
    e = read_list(c, wire_get(node, "AttributeValueList"), layer, out);
    return e ? e : check_arguments(c->arena, out);
}

static struct expr_cond *condition_of(struct arena *a, const struct entry *entry)
{
    struct path_step *step = arena_alloc(a, sizeof *step); /* the condition keeps it */
    struct path path = {step, 1};

    step->name = entry->name;
    return expr_compare_path(a, &path, entry->comparison->op, entry->values, entry->count);
}

/* How entries of a map are read. */
typedef const struct error *(*entry_reader)(struct call *c, const wire_node *node,
                                            enum wire_layer layer, struct entry *out);

static const struct error *read_joined(struct call *c, const char *parameter, entry_reader read,
                                       enum wire_layer layer, struct expr_cond **out)
{
    const wire_node *map = wire_get(c->body, parameter);
    bool any = span_is(wire_text(wire_get(c->body, "ConditionalOperator")), "OR");
    struct expr_cond **conds = arena_array(c->arena, wire_count(map), sizeof(struct expr_cond *));
    const struct error *e = check_entries(c, parameter, map);
    size_t count = 0;

    if (e)
        return e;
    for (const wire_node *n = wire_first(map); n; n = wire_next(n)) {
        struct entry entry = {.comparison = &comparisons[0]}; /* equality, unless said otherwise */

        if ((e = read(c, n, layer, &entry)))
            return e;
        conds[count++] = condition_of(c->arena, &entry);
    }
    *out = expr_join(c->arena, any, conds, count);
    return NULL;
}

const struct error *legacy_read_filter(struct call *c, const char *parameter, enum wire_layer layer,
                                       struct expr_cond **out)
{
    return read_joined(c, parameter, read_condition, layer, out);
}

const struct error *legacy_check_operator(struct call *c, const char *conditions)
{
    const wire_node *joined = wire_get(c->body, conditions);

    if (!wire_get(c->body, "ConditionalOperator"))
        return NULL;
    if (!joined)
        return error_validation(c->arena,
                                "ConditionalOperator cannot be used without Filter or Expected");
    if (wire_count(joined) < 2)
        return error_validation(c->arena, "ConditionalOperator can only be used when Filter or "
                                          "Expected has two or more elements");
    return NULL;
}

const struct error *legacy_read_key_conditions(struct call *c, enum wire_layer layer,
                                               struct expr_key *out)
{
    const wire_node *map = wire_get(c->body, "KeyConditions");
    const struct error *e = check_entries(c, "KeyConditions", map);

    if (e)
        return e;
    *out = (struct expr_key){arena_array(c->arena, wire_count(map), sizeof *out->at), 0};
    for (const wire_node *n = wire_first(map); n; n = wire_next(n)) {
        struct expr_key_clause *clause = &out->at[out->len++];
        struct entry entry = {.comparison = &comparisons[0]}; /* equality, unless said otherwise */

        if ((e = read_condition(c, n, layer, &entry)))
            return e;
        clause->attribute = entry.name;
        clause->op = entry.comparison->op;
        if (entry.count > 0)
            clause->low = entry.values[0];
        if (entry.count > 1)
            clause->high = entry.values[1];
    }
    return NULL;
}

/* --- Expected --------------------------------------------------------------------------------- */

static const struct error *check_operator_use(struct arena *a, const wire_node *node,
                                              const struct entry *entry)
{
    bool has_value = wire_get(node, "Value") || wire_get(node, "AttributeValueList");

    if (wire_get(node, "Exists"))
        return error_parameter(a,
                               "Exists and ComparisonOperator cannot be used together for "
                               "Attribute: %.*s",
                               SPAN_ARG(entry->name));
    if (entry->comparison->min && !has_value)
        return error_parameter(a,
                               "Value or AttributeValueList must be used with "
                               "ComparisonOperator: %s for Attribute: %.*s",
                               entry->comparison->name, SPAN_ARG(entry->name));
    return NULL;
}

/* Without an operator: Value must be equal, or Exists false. */
static const struct error *read_exists(struct arena *a, const wire_node *node, struct entry *out)
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
        out->comparison = find_comparison(SPAN_LIT("NULL"));
    return NULL;
}

static const struct error *read_expected(struct call *c, const wire_node *node,
                                         enum wire_layer layer, struct entry *out)
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
        out->comparison = find_comparison(wire_text(chosen));
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
    return check_arguments(c->arena, out);
}

const struct error *legacy_read_expected(struct call *c, struct expr_cond **out)
{
    return read_joined(c, "Expected", read_expected, WIRE_LAYER_CURRENT, out);
}

/* --- AttributeUpdates ------------------------------------------------------------------------- */

/* What an action does, and the types of value it takes. */
static const struct update_action {
    const char *name;
    enum expr_action action;
    unsigned types;
    const char *description;
} update_actions[] = {
    {"PUT", EXPR_SET, ANY_TYPE, "PUT action"},
    {"ADD", EXPR_ADD, T(N) | T(SS) | T(NS) | T(BS) | T(L), "ADD action"},
    {"DELETE", EXPR_DELETE, T(SS) | T(NS) | T(BS), "DELETE action with value"},
};

static const struct update_action *find_action(const wire_node *node)
{
    struct span name = wire_text(wire_get(node, "Action"));

    for (size_t i = 0; i < COUNT(update_actions); i++)
        if (span_is(name, update_actions[i].name))
            return &update_actions[i];
    return &update_actions[0];
}

static const struct error *check_action_type(struct arena *a, const struct update_action *action,
                                             enum attr_type type)
{
    if (action->types & 1u << type)
        return NULL;
    return error_parameter(a, "%s is not supported for the type %s", action->description,
                           attr_type_code(type));
}

static const struct error *read_update(struct call *c, const wire_node *node,
                                       struct expr_update *update)
{
    const struct update_action *action = find_action(node);
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
            return error_parameter(
                c->arena, "Only DELETE action is allowed when no attribute value is specified");
        expr_update_add(c->arena, update, EXPR_REMOVE, &path, NULL);
        return NULL;
    }
    operand = arena_alloc(c->arena, sizeof *operand);
    if ((e = read_value(c, value, WIRE_LAYER_CURRENT, operand)) ||
        (e = check_action_type(c->arena, action, operand->type)))
        return e;
    expr_update_add(c->arena, update, action->action, &path, operand);
    return NULL;
}

const struct error *legacy_read_updates(struct call *c, struct expr_update **out)
{
    const wire_node *map = wire_get(c->body, "AttributeUpdates");
    struct expr_update *update;
    const struct error *e = check_entries(c, "AttributeUpdates", map);

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

/* --- AttributesToGet -------------------------------------------------------------------------- */

/* A name of the list, to find equal ones by sorting. */
struct listed {
    struct span name;
    size_t at;
};

static int by_name(const void *a, const void *b)
{
    const struct listed *left = a, *right = b;
    int order = span_compare(left->name, right->name);

    return order ? order : (left->at > right->at) - (left->at < right->at);
}

/* The first name in the list that stands in it before. */
static const struct error *check_repeats(struct arena *a, const struct expr_projection *list)
{
    struct listed *sorted = arena_array(a, list->len, sizeof *sorted);
    const struct listed *repeat = NULL;

    for (size_t i = 0; i < list->len; i++)
        sorted[i] = (struct listed){list->paths[i].at[0].name, i};
    qsort(sorted, list->len, sizeof *sorted, by_name);
    for (size_t i = 1; i < list->len; i++)
        if (span_equal(sorted[i - 1].name, sorted[i].name) &&
            (!repeat || sorted[i].at < repeat->at))
            repeat = &sorted[i];
    if (!repeat)
        return NULL;
    return error_parameter(a, "Duplicate value in attribute name: %.*s", SPAN_ARG(repeat->name));
}

const struct error *legacy_read_attributes(struct call *c, const wire_node *parameters,
                                           struct expr_projection *out)
{
    const wire_node *list = wire_get(parameters, "AttributesToGet");
    struct path_step *steps = arena_array(c->arena, wire_count(list), sizeof *steps);
    struct path *paths = arena_array(c->arena, wire_count(list), sizeof *paths);
    size_t len = 0;

    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        steps[len].name = wire_text(n);
        paths[len] = (struct path){&steps[len], 1};
        len++;
    }
    *out = expr_projection_of(c->arena, paths, len);
    return check_repeats(c->arena, out);
}
