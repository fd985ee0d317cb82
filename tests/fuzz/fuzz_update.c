/* fuzz_update.c: updates. The input is the expression. */
#include "fuzz_expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct expr_vars vars = fuzz_vars(a);
    struct expr_update *u;
    const struct path *const *paths;
    const struct path *targets;
    size_t count;

    if (!fuzz_refused(expr_read_update(a, fuzz_input(a, data, size), &vars, &u))) {
        for (size_t i = 0; i < COUNT(fuzz_items); i++)
            fuzz_apply(a, u, fuzz_items[i]);
        expr_update_paths(a, u, &paths, &count);
        expr_update_targets(a, u, &targets, &count);
        for (size_t i = 0; i < count; i++)
            expr_update_is_computed(u, i);
        expr_update_charge(u);
    }
    arena_free(a);
    return 0;
}
