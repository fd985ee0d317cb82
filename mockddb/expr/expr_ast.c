#include "expr/expr_ast.h"

#include <stdlib.h>

#define T(type) (1U << (ATTR_##type))

#define ORDERED  (T(S) | T(N) | T(B))
#define MEASURED (T(S) | T(B) | T(SS) | T(NS) | T(BS) | T(L) | T(M))

/* Operators that compare an attribute with values. */
#define COMPARES(one, other) \
    .is_condition = true, .compares = true, .op = EXPR_##one, .flipped = EXPR_##other

static const struct operator_rule rules[NODE_KIND_COUNT] = {
    [NODE_AND] = {.name = "AND", .is_condition = true},
    [NODE_OR] = {.name = "OR", .is_condition = true},
    [NODE_NOT] = {.name = "NOT", .is_condition = true},
    [NODE_EQ] = {.name = "=", COMPARES(EQ, EQ), .distinct = true},
    [NODE_NE] = {.name = "<>", COMPARES(NE, NE), .distinct = true},
    [NODE_LT] = {.name = "<", COMPARES(LT, GT), .distinct = true, .types = ORDERED},
    [NODE_LE] = {.name = "<=", COMPARES(LE, GE), .distinct = true, .types = ORDERED},
    [NODE_GT] = {.name = ">", COMPARES(GT, LT), .distinct = true, .types = ORDERED},
    [NODE_GE] = {.name = ">=", COMPARES(GE, LE), .distinct = true, .types = ORDERED},
    [NODE_BETWEEN] = {.name = "BETWEEN",
                      COMPARES(BETWEEN, BETWEEN),
                      .distinct = true,
                      .types = ORDERED},
    [NODE_IN] = {.name = "IN", COMPARES(IN, IN), .distinct = true},
    [NODE_BEGINS_WITH] = {.name = "begins_with",
                          COMPARES(BEGINS_WITH, BEGINS_WITH),
                          .form = CONDITION_FUNCTION,
                          .distinct = true,
                          .operand_count = 2,
                          .types = T(S) | T(B)},
    [NODE_CONTAINS] = {.name = "contains",
                       COMPARES(CONTAINS, CONTAINS),
                       .form = CONDITION_FUNCTION,
                       .distinct = true,
                       .operand_count = 2},
    [NODE_ATTRIBUTE_EXISTS] = {.name = "attribute_exists",
                               COMPARES(EXISTS, EXISTS),
                               .form = CONDITION_FUNCTION,
                               .path_first = true,
                               .operand_count = 1},
    [NODE_ATTRIBUTE_NOT_EXISTS] = {.name = "attribute_not_exists",
                                   COMPARES(NOT_EXISTS, NOT_EXISTS),
                                   .form = CONDITION_FUNCTION,
                                   .path_first = true,
                                   .operand_count = 1},
    [NODE_ATTRIBUTE_TYPE] = {.name = "attribute_type",
                             .form = CONDITION_FUNCTION,
                             .is_condition = true,
                             .distinct = true,
                             .operand_count = 2},
    [NODE_SIZE] = {.name = "size",
                   .form = CONDITION_FUNCTION,
                   .operand_count = 1,
                   .types = MEASURED},
    [NODE_IF_NOT_EXISTS] = {.name = "if_not_exists",
                            .form = UPDATE_FUNCTION,
                            .path_first = true,
                            .operand_count = 2,
                            .charge = 39},
    [NODE_LIST_APPEND] = {.name = "list_append",
                          .form = UPDATE_FUNCTION,
                          .operand_count = 2,
                          .types = T(L),
                          .charge = 37},
    [NODE_PLUS] = {.name = "+", .types = T(N), .charge = 34},
    [NODE_MINUS] = {.name = "-", .types = T(N), .charge = 37},
};

const struct operator_rule *expr_rule(enum node_kind kind)
{
    return &rules[kind];
}

enum node_kind expr_function_kind(struct span name)
{
    for (unsigned kind = 0; kind < NODE_KIND_COUNT; kind++)
        if (rules[kind].form != OPERATOR && span_is(name, rules[kind].name))
            return (enum node_kind)kind;
    return NODE_UNKNOWN;
}

struct node *expr_node(struct arena *a, enum node_kind kind, struct node *const *operands,
                       size_t count)
{
    struct node *n = arena_alloc(a, sizeof *n);

    n->kind = kind;
    n->operands.at = arena_array(a, count, sizeof(struct node *));
    n->operands.len = count;
    memcpy(n->operands.at, operands, count * sizeof(struct node *));
    return n;
}

struct node *expr_node_of_path(struct arena *a, struct path path)
{
    struct node *n = arena_alloc(a, sizeof *n);

    n->kind = NODE_PATH;
    n->path = path;
    return n;
}

struct node *expr_node_of_value(struct arena *a, const struct attr *value)
{
    struct node *n = arena_alloc(a, sizeof *n);

    n->kind = NODE_VALUE;
    n->value = value;
    return n;
}

void expr_node_joined(struct node *n, enum node_kind kind, struct buf *out)
{
    if (n->kind != kind) {
        buf_add(out, &n, sizeof(struct node *));
        return;
    }
    for (size_t i = 0; i < n->operands.len; i++)
        expr_node_joined(n->operands.at[i], kind, out);
}

void expr_node_paths(const struct node *n, struct buf *out)
{
    if (n->kind == NODE_PATH) {
        const struct path *path = &n->path;

        buf_add(out, &path, sizeof(const struct path *));
    } else if (n->kind != NODE_VALUE) {
        for (size_t i = 0; i < n->operands.len; i++)
            expr_node_paths(n->operands.at[i], out);
    }
}

#define FEW_VALUES 8 /* are compared one after another */

static int by_value(const void *a, const void *b)
{
    const struct attr *one = *(const struct attr *const *)a;
    const struct attr *two = *(const struct attr *const *)b;

    return attr_compare_scalars(one, two);
}

void expr_order_values(struct arena *a, struct node *in)
{
    if (in->operands.len <= FEW_VALUES)
        return;
    in->values = arena_array(a, in->operands.len, sizeof(const struct attr *));
    for (size_t i = 1; i < in->operands.len; i++) {
        const struct node *n = in->operands.at[i];

        if (n->kind == NODE_VALUE && n->value->type <= ATTR_B)
            in->values[in->value_count++] = n->value;
    }
    qsort(in->values, in->value_count, sizeof(const struct attr *), by_value);
}

/* --- building and examining trees ----------------------------------------------------------- */

void expr_path_names(struct arena *a, const struct path *const *paths, size_t path_count,
                     struct span **names, size_t *count)
{
    struct span *found = arena_array(a, path_count, sizeof *found);
    size_t n = 0;

    for (size_t i = 0; i < path_count; i++) {
        struct span name = paths[i]->at[0].name;
        size_t before = 0;

        while (before < n && !span_equal(found[before], name))
            before++;
        if (before == n)
            found[n++] = name;
    }
    *names = found;
    *count = n;
}

/* The nodes that a condition evaluates for any item, with the steps of paths; sorted values of an
 * IN are searched. */
static size_t count_nodes(const struct node *n)
{
    size_t count = 1;

    if (n->kind == NODE_PATH)
        return 2 * n->path.len;
    if (n->kind == NODE_IN && n->values)
        return count + count_nodes(n->operands.at[0]);
    if (n->kind == NODE_VALUE)
        return count;
    for (size_t i = 0; i < n->operands.len; i++)
        count += count_nodes(n->operands.at[i]);
    return count;
}

struct expr_cond *expr_cond_of(struct arena *a, struct node *root)
{
    struct expr_cond *cond = arena_alloc(a, sizeof *cond);

    cond->root = root;
    cond->nodes = count_nodes(root);
    cond->arena = a;
    return cond;
}
