/* fuzz_search.c: conditions of searches. The input is the expression. */
#include "fuzz_expr.h"
#include "ops/vector/search_condition.h"

static struct search_part parts[] = {
    {.name = SPAN_LIT_INIT("a"), .type = ATTR_S},
    {.name = SPAN_LIT_INIT("b"), .type = ATTR_N},
    {.name = SPAN_LIT_INIT("c"), .type = ATTR_B},
};
static const struct index fuzz_index = {.vector = {.parts = parts, .part_count = COUNT(parts)}};

/* Of an item that has all attributes, rows say what a filter says. */
static void check_row(struct arena *a, struct span text, const struct search_filter *filter)
{
    struct expr_vars vars = fuzz_vars(a);
    struct item it = fuzz_item(a, fuzz_scalars);
    struct buf label = buf_in(a);
    struct expr_cond *cond;

    must(!expr_read_condition(a, "FilterExpression", text, &vars, &cond),
         "what a search takes a filter takes");
    search_filter_label(&label, &fuzz_index, &it);
    must(search_filter_passes(filter, SPAN_LIT(""), buf_span(&label)) == expr_matches(cond, &it),
         "a row passes where a filter passes");
}

static void check_form(struct arena *a, struct span text, enum expr_search_form form)
{
    struct expr_vars vars = fuzz_vars(a);
    struct node *tree;
    struct expr_search search;
    struct search_filter filter;

    if (fuzz_refused(expr_read_search(a, text, &vars, &tree)) ||
        fuzz_refused(expr_reduce_search(a, tree, form, &search)))
        return;
    if (form == EXPR_SEARCH_EQUALITY)
        must(!expr_reduce_search(a, tree, EXPR_SEARCH_EXTENDED, &search),
             "the extended form takes what the other takes");
    if (!fuzz_refused(search_condition_check(a, &fuzz_index, &search, &filter)))
        check_row(a, text, &filter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct span text = fuzz_input(a, data, size);

    check_form(a, text, EXPR_SEARCH_EQUALITY);
    check_form(a, text, EXPR_SEARCH_EXTENDED);
    arena_free(a);
    return 0;
}
