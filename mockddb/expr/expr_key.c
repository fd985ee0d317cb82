#include "expr/expr_key.h"

#include "expr/expr_ast.h"
#include "expr/expr_bind.h"
#include "expr/expr_check.h"
#include "expr/expr_fault.h"
#include "expr/expr_parse.h"

static const char parameter[] = "KeyConditionExpression";

struct expr_key_tree {
    struct node *root;
};

const struct error *expr_read_key_condition(struct arena *a, struct span text,
                                            struct expr_vars *vars, struct expr_key_tree **out)
{
    struct binder binder = expr_binder(a, parameter, vars);
    struct expr_key_tree *tree;
    struct node *root = NULL;
    const struct error *e;

    if ((e = expr_parse_condition(a, parameter, text, &root)) ||
        (e = expr_check_condition(a, parameter, root)) || (e = expr_bind_condition(&binder, root)))
        return e;
    tree = arena_alloc(a, sizeof *tree);
    tree->root = root;
    *out = tree;
    return NULL;
}

/* --- reducing ------------------------------------------------------------------------------ */

/* Operators that may stand in a key condition; `flipped` when the value comes first. */
static const struct {
    enum expr_op op, flipped;
    bool allowed, key_first;
} forms[NODE_KIND_COUNT] = {
    [NODE_EQ] = {EXPR_EQ, EXPR_EQ, true, false},
    [NODE_LT] = {EXPR_LT, EXPR_GT, true, false},
    [NODE_LE] = {EXPR_LE, EXPR_GE, true, false},
    [NODE_GT] = {EXPR_GT, EXPR_LT, true, false},
    [NODE_GE] = {EXPR_GE, EXPR_LE, true, false},
    [NODE_BETWEEN] = {EXPR_BETWEEN, EXPR_BETWEEN, true, true},
    [NODE_BEGINS_WITH] = {EXPR_BEGINS_WITH, EXPR_BEGINS_WITH, true, true},
};

/* The path among the operands, or NULL. */
static const struct path *key_of(const struct node *n)
{
    for (size_t i = 0; i < n->operands.len; i++)
        if (n->operands.at[i]->kind == NODE_PATH)
            return &n->operands.at[i]->path;
    return NULL;
}

/* No operations in operands, and no second path. */
static const struct error *check_operands(struct arena *a, const struct node *n)
{
    size_t paths = 0;

    for (size_t i = 0; i < n->operands.len; i++) {
        enum node_kind kind = n->operands.at[i]->kind;

        if (kind != NODE_PATH && kind != NODE_VALUE)
            return expr_fault(a, parameter,
                              "KeyConditionExpressions cannot contain nested operations");
        paths += kind == NODE_PATH;
    }
    if (forms[n->kind].key_first && n->operands.at[0]->kind == NODE_VALUE)
        return expr_fault(a, parameter,
                          "Invalid condition in KeyConditionExpression: %s operator must have "
                          "the key attribute as its first operand",
                          expr_rule(n->kind)->name);
    if (paths > 1)
        return expr_fault(a, parameter,
                          "Invalid condition in KeyConditionExpression: Multiple attribute "
                          "names used in one condition");
    return NULL;
}

static const struct error *check_once(struct arena *a, const struct expr_key *key,
                                      struct span attribute)
{
    for (size_t i = 0; i < key->len; i++)
        if (span_equal(key->at[i].attribute, attribute))
            return expr_fault(a, parameter,
                              "KeyConditionExpressions must only contain one condition per key");
    return NULL;
}

static const struct error *reduce_clause(struct arena *a, const struct node *n,
                                         struct expr_key *key)
{
    struct node *const *operand = n->operands.at;
    const struct path *path = key_of(n);
    struct expr_key_clause *clause;
    const struct error *e;
    bool flipped;

    if (!forms[n->kind].allowed)
        return expr_fault(a, parameter, "Invalid operator used in KeyConditionExpression: %s",
                          expr_rule(n->kind)->name);
    if ((e = check_operands(a, n)))
        return e;
    if (!path)
        return expr_fault(
            a, parameter,
            "Invalid condition in KeyConditionExpression: No key attribute specified");
    if (path->len > 1)
        return expr_fault(a, parameter,
                          "KeyConditionExpressions cannot have conditions on nested attributes");
    if ((e = check_once(a, key, path->at[0].name)))
        return e;
    flipped = operand[0]->kind == NODE_VALUE;
    clause = &key->at[key->len++];
    clause->attribute = path->at[0].name;
    clause->op = flipped ? forms[n->kind].flipped : forms[n->kind].op;
    clause->low = *operand[flipped ? 0 : 1]->value;
    if (n->kind == NODE_BETWEEN)
        clause->high = *operand[2]->value;
    return NULL;
}

static size_t count_clauses(const struct node *n)
{
    size_t count = 0;

    if (n->kind != NODE_AND)
        return 1;
    for (size_t i = 0; i < n->operands.len; i++)
        count += count_clauses(n->operands.at[i]);
    return count;
}

static const struct error *reduce(struct arena *a, const struct node *n, struct expr_key *key)
{
    const struct error *e;

    if (n->kind != NODE_AND)
        return reduce_clause(a, n, key);
    for (size_t i = 0; i < n->operands.len; i++)
        if ((e = reduce(a, n->operands.at[i], key)))
            return e;
    return NULL;
}

const struct error *expr_reduce_key_condition(struct arena *a, const struct expr_key_tree *tree,
                                              struct expr_key *out)
{
    struct expr_key key = {.len = 0};
    const struct error *e;

    key.at = arena_array(a, count_clauses(tree->root), sizeof *key.at);
    if ((e = reduce(a, tree->root, &key)))
        return e;
    *out = key;
    return NULL;
}
