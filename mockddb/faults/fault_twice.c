/* "stream_twice": the next iterator returns the same records of GetRecords again. */
#include "faults/fault_kind.h"

static const void *read_twice(struct fault_reading *r, const wire_node *rule)
{
    return fault_read_true(r, rule, "stream_twice") ? rule : NULL;
}

static void apply_twice(const void *state, struct fault_hit *hit)
{
    (void)state;
    hit->disturbance->stream_twice = true;
}

const struct fault_kind fault_twice = {
    .member = "stream_twice", .forms = OP_RECORDS, .read = read_twice, .apply = apply_twice};
