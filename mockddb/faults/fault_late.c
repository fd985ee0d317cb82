/* "stream_late": GetRecords does not return records before they have this age. */
#include "faults/fault_kind.h"

static const void *read_late(struct fault_reading *r, const wire_node *rule)
{
    int64_t *ms = arena_alloc(r->arena, sizeof *ms);

    return fault_read_delay(r, rule, "stream_late", ms) ? ms : NULL;
}

static void apply_late(const void *state, struct fault_hit *hit)
{
    const int64_t *ms = state;

    hit->disturbance->stream_late_ms = *ms;
}

const struct fault_kind fault_late = {
    .member = "stream_late", .forms = OP_RECORDS, .read = read_late, .apply = apply_late};
