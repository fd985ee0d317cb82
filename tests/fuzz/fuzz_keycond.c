/* fuzz_keycond.c: key conditions. The input is the expression. */
#include "fuzz_expr.h"

static void check_clause(const struct expr_key_clause *clause)
{
    must(clause->attribute.len > 0, "a clause has an attribute");
    must(clause->op == EXPR_EQ || (clause->op >= EXPR_LT && clause->op <= EXPR_BETWEEN) ||
             clause->op == EXPR_BEGINS_WITH,
         "a clause has an operator that keys know");
    if (clause->op == EXPR_BETWEEN)
        must(attr_compare(&clause->low, &clause->high) <= 0, "bounds are in order");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct expr_vars vars = fuzz_vars(a);
    struct node *tree;
    struct expr_key key;

    if (!fuzz_refused(expr_read_key_condition(a, fuzz_input(a, data, size), &vars, &tree)) &&
        !fuzz_refused(expr_reduce_key_condition(a, tree, &key)))
        for (size_t i = 0; i < key.len; i++)
            check_clause(&key.at[i]);
    arena_free(a);
    return 0;
}
