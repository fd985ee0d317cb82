/* fuzz_projection.c: projections. The input is the expression. */
#include "fuzz_expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct expr_vars vars = fuzz_vars(a);
    struct expr_projection p;

    if (!fuzz_refused(expr_read_projection(a, fuzz_input(a, data, size), &vars, &p))) {
        for (size_t i = 0; i < COUNT(fuzz_items); i++) {
            struct item whole = fuzz_item(a, fuzz_items[i]);
            struct item part = expr_project(a, &p, &whole);

            must(item_size(&part) <= item_size(&whole), "a part is not larger than the whole");
            fuzz_check_item(a, &part);
        }
        expr_project(a, &p, NULL);
    }
    arena_free(a);
    return 0;
}
