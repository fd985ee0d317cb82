/* fuzz_condition.c: conditions and filters. The input is the expression. */
#include "fuzz_expr.h"

/* The names that a condition says it reads are all that it looks at. */
static void check_names(struct arena *a, const struct expr_cond *cond, const char *text)
{
    struct item whole = fuzz_item(a, text), part;
    struct span *names;
    size_t count;

    expr_condition_names(a, cond, &names, &count);
    part = item_decode_only(a, fuzz_json(a, text), names, count);
    must(expr_matches(cond, &whole) == expr_matches(cond, &part),
         "a condition needs only the attributes that it names");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct expr_vars vars = fuzz_vars(a);
    const struct path *const *paths;
    struct expr_cond *cond;
    size_t count;

    if (!fuzz_refused(
            expr_read_condition(a, "FilterExpression", fuzz_input(a, data, size), &vars, &cond))) {
        for (size_t i = 0; i < COUNT(fuzz_items); i++)
            check_names(a, cond, fuzz_items[i]);
        expr_matches(cond, NULL);
        expr_condition_paths(a, cond, &paths, &count);
        fuzz_refused(expr_check_unused(a, &vars));
    }
    arena_free(a);
    return 0;
}
