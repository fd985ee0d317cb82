#include "expr/expr_search.h"

#include "expr/expr_ast.h"
#include "expr/expr_bind.h"
#include "expr/expr_check.h"
#include "expr/expr_fault.h"
#include "expr/expr_parse.h"

static const char parameter[] = "SearchConditionExpression";

struct expr_search_tree {
    struct node *root;
};

const struct error *expr_read_search(struct arena *a, struct span text, struct expr_vars *vars,
                                     struct expr_search_tree **out)
{
    struct binder binder = expr_binder(a, parameter, vars);
    struct node *root = NULL;
    const struct error *e;

    if ((e = expr_parse_condition(a, parameter, text, &root)) ||
        (e = expr_check_condition(a, parameter, root)) || (e = expr_bind_condition(&binder, root)))
        return e;
    *out = arena_alloc(a, sizeof **out);
    (*out)->root = root;
    return NULL;
}

static const struct error *invalid(struct arena *a, const char *what)
{
    return expr_fault(a, parameter, "Invalid %s used in SearchConditionExpression", what);
}

static const struct error *reduce_clause(struct arena *a, const struct node *n,
                                         struct expr_search *out)
{
    const struct node *one, *two;

    if (n->kind >= NODE_NE && n->kind <= NODE_GE)
        return invalid(a, "comparator");
    if (n->kind != NODE_EQ)
        return invalid(a, "operator");
    one = n->operands.at[0];
    two = n->operands.at[1];
    if (one->kind == NODE_VALUE && two->kind == NODE_PATH)
        out->at[out->len++] = (struct expr_search_clause){&two->path, one->value};
    else if (one->kind == NODE_PATH && two->kind == NODE_VALUE)
        out->at[out->len++] = (struct expr_search_clause){&one->path, two->value};
    else
        return invalid(a, "operator");
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

static const struct error *reduce(struct arena *a, const struct node *n, struct expr_search *out)
{
    const struct error *e = NULL;

    if (n->kind != NODE_AND)
        return reduce_clause(a, n, out);
    for (size_t i = 0; !e && i < n->operands.len; i++)
        e = reduce(a, n->operands.at[i], out);
    return e;
}

const struct error *expr_reduce_search(struct arena *a, const struct expr_search_tree *tree,
                                       struct expr_search *out)
{
    struct expr_search search = {.len = 0};
    const struct error *e;

    search.at = arena_array(a, count_clauses(tree->root), sizeof *search.at);
    if ((e = reduce(a, tree->root, &search)))
        return e;
    *out = search;
    return NULL;
}
