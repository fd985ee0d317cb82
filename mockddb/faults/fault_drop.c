/* "drop": the connection ends without a reply, "before" the operation has run or "after" it. */
#include "faults/fault_kind.h"

static const char *const moments[] = {"before", "after", NULL};

static const void *read_drop(struct fault_reading *r, const wire_node *rule)
{
    int *moment = arena_alloc(r->arena, sizeof *moment);

    return fault_kind_read_word(r, rule, "drop", moments, moment) ? moment : NULL;
}

static void apply_drop(const void *state, struct fault_hit *hit)
{
    const int *moment = state;

    hit->disturbance->dropped = true;
    if (*moment == 0)
        hit->error = error_internal(hit->call->arena);
}

const struct fault_kind fault_drop = {.member = "drop", .read = read_drop, .apply = apply_drop};
