/* "page_limit": pages of Query and Scan end after this many items, even if more would fit. */
#include "faults/fault_kind.h"

static const void *read_page(struct fault_reading *r, const wire_node *rule)
{
    int64_t *limit = arena_alloc(r->arena, sizeof *limit);

    return fault_read_count(r, rule, "page_limit", 1, INT32_MAX, limit) ? limit : NULL;
}

static void apply_page(const void *state, struct fault_hit *hit)
{
    const int64_t *limit = state;

    hit->disturbance->page_limit = *limit;
}

const struct fault_kind fault_page = {
    .member = "page_limit", .forms = OP_PAGES, .read = read_page, .apply = apply_page};
