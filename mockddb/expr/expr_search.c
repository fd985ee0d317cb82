#include "expr/expr_search.h"

#include "expr/expr_ast.h"
#include "expr/expr_fault.h"
#include "expr/expr_tree.h"

static const char parameter[] = "SearchConditionExpression";

const struct error *expr_read_search(struct arena *a, struct span text, struct expr_vars *vars,
                                     struct node **out)
{
    return expr_tree_read(a, parameter, text, vars, out);
}

static const struct error *invalid_part(struct arena *a, const char *what, struct span place)
{
    return expr_fault(a, parameter, ERROR_WHY(CAUSE_SEARCH_OPERATOR, .place = place),
                      "Invalid %s used in SearchConditionExpression", what);
}

const struct error *expr_search_misused(struct arena *a, const struct expr_search_test *test)
{
    return invalid_part(a, test->op >= EXPR_NE && test->op <= EXPR_GE ? "comparator" : "operator",
                        test->text);
}

/* --- tests ------------------------------------------------------------------------------------ */

static const struct error *reduce_test(struct arena *a, const struct node *n,
                                       struct expr_search *out)
{
    struct expr_search_test test = {.text = n->text, .op = expr_rule(n->kind)->op};
    const struct node *attribute;
    const struct node *first;

    if (!expr_rule(n->kind)->compares || expr_rule(n->kind)->op == EXPR_CONTAINS)
        return invalid_part(a, "operator", n->text);
    if (out->form == EXPR_SEARCH_EQUALITY && test.op != EXPR_EQ)
        return expr_search_misused(a, &test);
    first = n->operands.at[0];
    /* The attribute of an equality may be on either side. */
    attribute = n->kind == NODE_EQ && first->kind == NODE_VALUE ? n->operands.at[1] : first;
    if (attribute->kind != NODE_PATH)
        return invalid_part(a, "operator", n->text);
    test.path = &attribute->path;
    test.values = arena_array(a, n->operands.len, sizeof *test.values);
    for (size_t i = 0; i < n->operands.len; i++) {
        const struct node *operand = n->operands.at[i];

        if (operand == attribute)
            continue;
        if (operand->kind != NODE_VALUE)
            return invalid_part(a, "operator", n->text);
        test.values[test.value_count++] = operand->value;
    }
    out->tests[out->test_count++] = test;
    return NULL;
}

/* --- joins ------------------------------------------------------------------------------------ */

static bool is_join(const struct node *n)
{
    return n->kind == NODE_AND || n->kind == NODE_OR || n->kind == NODE_NOT;
}

static size_t count_tests(const struct node *n)
{
    size_t count = 0;

    if (!is_join(n))
        return 1;
    for (size_t i = 0; i < n->operands.len; i++)
        count += count_tests(n->operands.at[i]);
    return count;
}

static const struct error *reduce_node(struct arena *a, const struct node *n,
                                       struct expr_search *out, struct expr_search_node *node)
{
    const struct error *e = NULL;

    if (!is_join(n)) {
        *node = (struct expr_search_node){.join = EXPR_SEARCH_TEST, .test = out->test_count};
        return reduce_test(a, n, out);
    }
    if (out->form == EXPR_SEARCH_EQUALITY && n->kind != NODE_AND)
        return invalid_part(a, "operator", n->text);
    node->join = n->kind == NODE_NOT  ? EXPR_SEARCH_NOT
                 : n->kind == NODE_OR ? EXPR_SEARCH_ANY
                                      : EXPR_SEARCH_ALL;
    node->at = arena_array(a, n->operands.len, sizeof *node->at);
    for (; !e && node->len < n->operands.len; node->len++)
        e = reduce_node(a, n->operands.at[node->len], out, &node->at[node->len]);
    return e;
}

const struct error *expr_reduce_search(struct arena *a, const struct node *tree,
                                       enum expr_search_form form, struct expr_search *out)
{
    struct expr_search search = {.form = form};
    const struct error *e;

    search.tests = arena_array(a, count_tests(tree), sizeof *search.tests);
    if ((e = reduce_node(a, tree, &search, &search.root)))
        return e;
    *out = search;
    return NULL;
}
