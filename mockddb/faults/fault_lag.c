/* "index_lag": Query and Scan do not see entries of global indexes before they have this age. */
#include "faults/fault_kind.h"

static const void *read_lag(struct fault_reading *r, const wire_node *rule)
{
    int64_t *ms = arena_alloc(r->arena, sizeof *ms);

    return fault_read_delay(r, rule, "index_lag", ms) ? ms : NULL;
}

static void apply_lag(const void *state, struct fault_hit *hit)
{
    const int64_t *ms = state;

    hit->disturbance->index_lag_ms = *ms;
}

/* It occurs in reads of an index. */
static bool reads_index(const struct op_subjects *subjects)
{
    for (size_t i = 0; i < subjects->len; i++)
        if (subjects->at[i].index.len)
            return true;
    return false;
}

const struct fault_kind fault_lag = {.member = "index_lag",
                                     .forms = OP_PAGES,
                                     .happens = reads_index,
                                     .looks_back = true,
                                     .read = read_lag,
                                     .apply = apply_lag};
