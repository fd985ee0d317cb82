#include "expr/expr_key.h"

#include "expr/expr_ast.h"
#include "expr/expr_fault.h"
#include "expr/expr_tree.h"

static const char parameter[] = "KeyConditionExpression";

const struct error *expr_read_key_condition(struct arena *a, struct span text,
                                            struct expr_vars *vars, struct node **out)
{
    return expr_tree_read(a, parameter, text, vars, out);
}

/* --- reducing ------------------------------------------------------------------------------ */

static bool has_key_first(enum node_kind kind)
{
    return kind == NODE_BETWEEN || kind == NODE_BEGINS_WITH;
}

/* The path among the operands, or NULL. */
static const struct path *key_of(const struct node *n)
{
    for (size_t i = 0; i < n->operands.len; i++)
        if (n->operands.at[i]->kind == NODE_PATH)
            return &n->operands.at[i]->path;
    return NULL;
}

/* Its text, from the first operand to the last. */
static struct span clause_text(const struct node *n)
{
    const char *from = n->operands.at[0]->text.at;
    struct span last = n->operands.at[n->operands.len - 1]->text;

    return (struct span){from, (size_t)(span_end(last) - from)};
}

/* The clause does not compare one whole attribute with a value. */
static const struct error *operand_fault(struct arena *a, const struct node *n, const char *message)
{
    return expr_fault(a, parameter, ERROR_WHY(CAUSE_KEY_OPERAND, .place = clause_text(n)), "%s",
                      message);
}

/* Operands may not contain operations or a second path. */
static const struct error *check_operands(struct arena *a, const struct node *n)
{
    size_t paths = 0;

    for (size_t i = 0; i < n->operands.len; i++) {
        enum node_kind kind = n->operands.at[i]->kind;

        if (kind != NODE_PATH && kind != NODE_VALUE)
            return operand_fault(a, n, "KeyConditionExpressions cannot contain nested operations");
        paths += kind == NODE_PATH;
    }
    if (has_key_first(n->kind) && n->operands.at[0]->kind == NODE_VALUE)
        return expr_fault(
            a, parameter,
            ERROR_WHY(n->kind == NODE_BEGINS_WITH && n->operands.at[1]->kind == NODE_PATH
                          ? CAUSE_KEY_SECOND
                          : CAUSE_UNKNOWN,
                      .place = n->operands.at[0]->text, .operand = n->operands.at[1]->text,
                      .beside = span_of(expr_rule(n->kind)->name)),
            "Invalid condition in KeyConditionExpression: %s operator must have the "
            "key attribute as its first operand",
            expr_rule(n->kind)->name);
    if (paths > 1)
        return operand_fault(a, n,
                             "Invalid condition in KeyConditionExpression: Multiple attribute "
                             "names used in one condition");
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

    if ((n->kind < NODE_EQ || n->kind > NODE_GE || n->kind == NODE_NE) && !has_key_first(n->kind))
        return expr_fault(a, parameter,
                          ERROR_WHY(n->kind == NODE_OR   ? CAUSE_KEY_OR
                                    : n->kind == NODE_IN ? CAUSE_KEY_IN
                                                         : CAUSE_KEY_OPERATOR,
                                    .place = n->text),
                          "Invalid operator used in KeyConditionExpression: %s",
                          expr_rule(n->kind)->name);
    if ((e = check_operands(a, n)))
        return e;
    if (!path)
        return operand_fault(
            a, n, "Invalid condition in KeyConditionExpression: No key attribute specified");
    if (path->len > 1)
        return operand_fault(a, n,
                             "KeyConditionExpressions cannot have conditions on nested attributes");
    for (size_t i = 0; i < key->len; i++)
        if (span_equal(key->at[i].attribute, path->at[0].name))
            return expr_fault(
                a, parameter,
                ERROR_WHY(CAUSE_KEY_TWICE, .place = clause_text(n), .operand = path->at[0].name),
                "KeyConditionExpressions must only contain one condition per key");
    flipped = operand[0]->kind == NODE_VALUE;
    clause = &key->at[key->len++];
    clause->attribute = path->at[0].name;
    clause->op = flipped ? expr_rule(n->kind)->flipped : expr_rule(n->kind)->op;
    clause->low = *operand[flipped ? 0 : 1]->value;
    if (n->kind == NODE_BETWEEN)
        clause->high = *operand[2]->value;
    return NULL;
}

const struct error *expr_reduce_key_condition(struct arena *a, struct node *tree,
                                              struct expr_key *out)
{
    struct expr_key key = {.len = 0};
    struct buf clauses = buf_in(a);
    struct node *const *clause;
    const struct error *e;
    size_t count;

    expr_node_joined(tree, NODE_AND, &clauses);
    clause = (struct node *const *)(const void *)clauses.at;
    count = clauses.len / sizeof(struct node *);
    key.at = arena_array(a, count, sizeof *key.at);
    for (size_t i = 0; i < count; i++)
        if ((e = reduce_clause(a, clause[i], &key)))
            return e;
    *out = key;
    return NULL;
}
