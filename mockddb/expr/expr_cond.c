#include "expr/expr_cond.h"

#include "base/search.h"
#include "base/utf8.h"
#include "expr/expr_ast.h"
#include "expr/expr_tree.h"
#include "model/attr_set.h"

#include <stdlib.h>

const struct error *expr_read_condition(struct arena *a, const char *parameter, struct span text,
                                        struct expr_vars *vars, struct expr_cond **out)
{
    struct node *root = NULL;
    const struct error *e = expr_tree_read(a, parameter, text, vars, &root);

    if (!e)
        *out = expr_cond_of(a, root);
    return e;
}

/* --- evaluation ---------------------------------------------------------------------------- */

/* The item that is evaluated, and the arena that is charged. */
struct view {
    const struct item *it;
    struct arena *arena;
};

static size_t larger_of(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The steps that reading a whole value takes (base/arena.h). */
static size_t steps_of(const struct attr *value)
{
    if (value->type <= ATTR_B)
        return value->bytes.len / 64;
    if (value->type == ATTR_BOOL || value->type == ATTR_NULL)
        return 0;
    if (value->type != ATTR_L)
        return attr_size(value) / 4;
    return larger_of(attr_size(value) / 2, value->list.len); /* "" in a list is one byte */
}

/* A comparison of two values ends at the end of the smaller one. */
static void charge_both(const struct view *v, const struct attr *a, const struct attr *b)
{
    size_t left, right;

    if (a->type != b->type)
        return;
    if (!(left = steps_of(a)) || !(right = steps_of(b)))
        return;
    arena_charge(v->arena, left < right ? left : right);
}

/* Memory for the result of size(). */
struct scratch {
    struct attr number;
    char digits[24];
};

/* The result of size(); false if it has none. */
bool expr_measure(const struct attr *value, size_t *out)
{
    switch (value->type) {
    case ATTR_S:
        *out = utf8_utf16_length(value->bytes);
        return true;
    case ATTR_B:
        *out = value->bytes.len;
        return true;
    case ATTR_SS:
    case ATTR_NS:
    case ATTR_BS:
    case ATTR_L:
        *out = value->list.len;
        return true;
    case ATTR_M:
        *out = value->map.len;
        return true;
    default:
        return false;
    }
}

/* The operand's value on the item, or NULL if it has none. */
static const struct attr *operand_value(const struct node *n, const struct view *v,
                                        struct scratch *s)
{
    const struct attr *measured;
    size_t size, first = sizeof s->digits;

    if (n->kind == NODE_PATH)
        return path_find(v->it, &n->path);
    if (n->kind == NODE_VALUE)
        return n->value;
    measured = operand_value(n->operands.at[0], v, s);
    if (!measured || !expr_measure(measured, &size))
        return NULL;
    if (measured->type == ATTR_S)
        arena_charge(v->arena, measured->bytes.len / 16);
    do
        s->digits[--first] = (char)('0' + size % 10);
    while (size /= 10);
    s->number.type = ATTR_N;
    s->number.bytes = (struct span){&s->digits[first], sizeof s->digits - first};
    return &s->number;
}

static bool in_order(enum node_kind kind, const struct attr *a, const struct attr *b)
{
    int order;

    if (a->type != b->type || a->type > ATTR_B)
        return false;
    order = attr_compare(a, b);
    switch (kind) {
    case NODE_LT:
        return order < 0;
    case NODE_LE:
        return order <= 0;
    case NODE_GT:
        return order > 0;
    default:
        return order >= 0;
    }
}

static bool compare_operands(const struct node *n, const struct view *v)
{
    struct scratch left, right;
    const struct attr *a = operand_value(n->operands.at[0], v, &left);
    const struct attr *b = operand_value(n->operands.at[1], v, &right);

    if (!a || !b)
        return n->kind == NODE_NE;
    charge_both(v, a, b);
    if (n->kind == NODE_NE)
        return !attr_equal(a, b);
    return n->kind == NODE_EQ ? attr_equal(a, b) : in_order(n->kind, a, b);
}

static bool is_between(const struct node *n, const struct view *v)
{
    struct scratch s[3];
    const struct attr *value = operand_value(n->operands.at[0], v, &s[0]);
    const struct attr *low = operand_value(n->operands.at[1], v, &s[1]);
    const struct attr *high = operand_value(n->operands.at[2], v, &s[2]);

    if (!value || !low || !high)
        return false;
    charge_both(v, value, low);
    charge_both(v, value, high);
    return in_order(NODE_GE, value, low) && in_order(NODE_LE, value, high);
}

#define STEPS_OF_SEARCH 7 /* comparisons of a binary search among LIMIT_IN values */

static int by_value(const void *wanted, const void *value)
{
    return attr_compare_scalars(wanted, *(const struct attr *const *)value);
}

/* If the values are sorted, only the ones left out of the sorted array are compared one by one. */
static bool is_among(const struct node *n, const struct view *v)
{
    struct scratch left, right;
    const struct attr *value = operand_value(n->operands.at[0], v, &left);
    size_t first = 1;

    if (!value)
        return false;
    if (n->values && value->type <= ATTR_B) {
        arena_charge(v->arena, STEPS_OF_SEARCH * (1 + steps_of(value)));
        if (bsearch(value, n->values, n->value_count, sizeof(const struct attr *), by_value))
            return true;
        if (n->value_count == n->operands.len - 1)
            first = n->operands.len;
    }
    for (size_t i = first; i < n->operands.len; i++) {
        const struct attr *other = operand_value(n->operands.at[i], v, &right);

        if (!other)
            continue;
        charge_both(v, value, other);
        if (attr_equal(value, other))
            return true;
    }
    return false;
}

/* The steps of searching for the part in the value; a search in a text charges its own. */
static size_t steps_of_search(const struct attr *value, const struct attr *part)
{
    if (value->type <= ATTR_B)
        return steps_of(value);
    if (value->type == ATTR_L && (part->type <= ATTR_B || part->type == ATTR_BOOL))
        return value->list.len / 2;
    return value->type == ATTR_L ? value->list.len / 2 + steps_of(value) : STEPS_OF_SEARCH;
}

/* Evaluates a function of two operands, both of which must have a value. */
static bool function_holds(const struct node *n, const struct view *v)
{
    struct scratch left, right;
    const struct attr *a = operand_value(n->operands.at[0], v, &left);
    const struct attr *b = operand_value(n->operands.at[1], v, &right);
    size_t looked = 0;
    bool found;

    if (!a || !b)
        return false;
    if (n->kind == NODE_BEGINS_WITH) {
        charge_both(v, a, b);
        return a->type == b->type && (a->type == ATTR_S || a->type == ATTR_B) &&
               span_starts_with(a->bytes, b->bytes);
    }
    if (n->kind != NODE_CONTAINS) {
        enum attr_type type;

        return attr_type_of_code(b->bytes, &type) && a->type == type;
    }
    arena_charge(v->arena, steps_of_search(a, b));
    if (a->type == ATTR_L) {
        for (size_t i = 0; i < a->list.len; i++)
            if (attr_equal(&a->list.at[i], b))
                return true;
        return false;
    }
    if (attr_is_set(a->type))
        return b->type == attr_element_type(a->type) && attr_set_contains(a, b);
    found = a->type == b->type && (a->type == ATTR_S || a->type == ATTR_B) &&
            search_contains(a->bytes, b->bytes, &looked);
    arena_charge(v->arena, looked / 4);
    return found;
}

static bool node_holds(const struct node *n, const struct view *v)
{
    switch (n->kind) {
    case NODE_AND:
        for (size_t i = 0; i < n->operands.len; i++)
            if (!node_holds(n->operands.at[i], v))
                return false;
        return true;
    case NODE_OR:
        for (size_t i = 0; i < n->operands.len; i++)
            if (node_holds(n->operands.at[i], v))
                return true;
        return false;
    case NODE_NOT:
        return !node_holds(n->operands.at[0], v);
    case NODE_BETWEEN:
        return is_between(n, v);
    case NODE_IN:
        return is_among(n, v);
    case NODE_ATTRIBUTE_EXISTS:
        return path_find(v->it, &n->operands.at[0]->path) != NULL;
    case NODE_ATTRIBUTE_NOT_EXISTS:
        return path_find(v->it, &n->operands.at[0]->path) == NULL;
    case NODE_BEGINS_WITH:
    case NODE_CONTAINS:
    case NODE_ATTRIBUTE_TYPE:
        return function_holds(n, v);
    default:
        return compare_operands(n, v);
    }
}

bool expr_matches(const struct expr_cond *cond, const struct item *it)
{
    struct view v = {.it = it};

    if (!cond)
        return true;
    v.arena = cond->arena;
    arena_charge(v.arena, cond->nodes);
    return node_holds(cond->root, &v);
}

/* --- what a condition reads ---------------------------------------------------------------- */

void expr_condition_paths(struct arena *a, const struct expr_cond *cond,
                          const struct path *const **paths, size_t *count)
{
    struct buf list = buf_in(a);

    if (cond)
        expr_node_paths(cond->root, &list);
    *paths = (const struct path *const *)(const void *)list.at;
    *count = list.len / sizeof(const struct path *);
}

void expr_condition_names(struct arena *a, const struct expr_cond *cond, struct span **names,
                          size_t *count)
{
    const struct path *const *paths;
    size_t path_count;

    expr_condition_paths(a, cond, &paths, &path_count);
    expr_path_names(a, paths, path_count, names, count);
}

static bool is_index_key(const struct table *t, struct span name)
{
    for (size_t i = 0; i < t->index_count; i++)
        if (schema_is_key(&t->indexes[i].keys, name))
            return true;
    return false;
}

const struct error *expr_check_key_paths(struct arena *a, const struct table *t,
                                         const struct path *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct span name = paths[i]->at[0].name;
        bool is_table_key;

        if (paths[i]->len == 1)
            continue;
        is_table_key = schema_is_key(&t->keys, name);
        if (is_table_key || is_index_key(t, name))
            return error_bare(a, error_caused(a, ERROR_VALIDATION,
                                              ERROR_WHY(CAUSE_KEY_PATH, .operand = name),
                                              "Key attributes must be scalars; list random access "
                                              "'[]' and map lookup '.' are not allowed: %s: %.*s",
                                              is_table_key ? "Key" : "IndexKey", SPAN_ARG(name)));
    }
    return NULL;
}

/* --- conditions without text --------------------------------------------------------------- */

static const enum node_kind kind_of_op[] = {
    [EXPR_EQ] = NODE_EQ,
    [EXPR_NE] = NODE_NE,
    [EXPR_LT] = NODE_LT,
    [EXPR_LE] = NODE_LE,
    [EXPR_GT] = NODE_GT,
    [EXPR_GE] = NODE_GE,
    [EXPR_BETWEEN] = NODE_BETWEEN,
    [EXPR_IN] = NODE_IN,
    [EXPR_BEGINS_WITH] = NODE_BEGINS_WITH,
    [EXPR_CONTAINS] = NODE_CONTAINS,
    [EXPR_NOT_CONTAINS] = NODE_CONTAINS,
    [EXPR_EXISTS] = NODE_ATTRIBUTE_EXISTS,
    [EXPR_NOT_EXISTS] = NODE_ATTRIBUTE_NOT_EXISTS,
};

/* The attribute exists, and `contains` does not hold. */
static struct node *not_contains(struct arena *a, struct node *contains)
{
    struct node *both[2];

    both[0] = expr_node(a, NODE_ATTRIBUTE_EXISTS, contains->operands.at, 1);
    both[1] = expr_node(a, NODE_NOT, &contains, 1);
    return expr_node(a, NODE_AND, both, COUNT(both));
}

struct expr_cond *expr_compare_path(struct arena *a, const struct path *path, enum expr_op op,
                                    const struct attr *values, size_t count)
{
    struct node **operands = arena_array(a, count + 1, sizeof(struct node *)), *root;

    operands[0] = expr_node_of_path(a, *path);
    for (size_t i = 0; i < count; i++)
        operands[i + 1] = expr_node_of_value(a, &values[i]);
    root = expr_node(a, kind_of_op[op], operands, count + 1);
    if (op == EXPR_IN)
        expr_order_values(a, root);
    return expr_cond_of(a, op == EXPR_NOT_CONTAINS ? not_contains(a, root) : root);
}

struct expr_cond *expr_join(struct arena *a, bool any, struct expr_cond *const *conds, size_t count)
{
    struct node **operands;

    if (count == 0)
        return NULL;
    operands = arena_array(a, count, sizeof(struct node *));
    for (size_t i = 0; i < count; i++)
        operands[i] = conds[i]->root;
    return expr_cond_of(a, count == 1 ? operands[0]
                                      : expr_node(a, any ? NODE_OR : NODE_AND, operands, count));
}
