/* "stale": eventually consistent GetItem and BatchGetItem return items as they were before their
 * newest change (true), or this long ago ("2s"). */
#include "faults/fault_kind.h"
#include "wire/wire_node.h"

static const void *read_stale(struct fault_reading *r, const wire_node *rule)
{
    int64_t *ms = arena_alloc(r->arena, sizeof *ms);
    const wire_node *node = wire_get(rule, "stale");

    if (wire_is_boolean(node) && wire_bool(node, false))
        return ms;
    return fault_read_delay(r, rule, "stale", ms) ? ms : NULL;
}

static void apply_stale(const void *state, struct fault_hit *hit)
{
    const int64_t *ms = state;

    hit->disturbance->stale = true;
    hit->disturbance->stale_ms = *ms;
}

/* It occurs if a part of the request reads without ConsistentRead. */
static bool reads_stale(const struct op_subjects *subjects)
{
    for (size_t i = 0; i < subjects->len; i++)
        if (!wire_bool(wire_get(subjects->at[i].entry, "ConsistentRead"), false))
            return true;
    return false;
}

const struct fault_kind fault_stale = {.member = "stale",
                                       .forms = OP_GET | OP_BATCH_GET,
                                       .happens = reads_stale,
                                       .looks_back = true,
                                       .read = read_stale,
                                       .apply = apply_stale};
