/* "cut": the connection ends after this many bytes of the reply's body. */
#include "faults/fault_kind.h"

static const void *read_cut(struct fault_reading *r, const wire_node *rule)
{
    int64_t *bytes = arena_alloc(r->arena, sizeof *bytes);

    return fault_read_count(r, rule, "cut", 0, INT32_MAX, bytes) ? bytes : NULL;
}

static void apply_cut(const void *state, struct fault_hit *hit)
{
    const int64_t *bytes = state;

    hit->disturbance->cut = true;
    hit->disturbance->cut_bytes = (size_t)*bytes;
}

const struct fault_kind fault_cut = {.member = "cut", .read = read_cut, .apply = apply_cut};
