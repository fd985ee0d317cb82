/* "wrong_crc": the checksum in the reply's header is not that of its body. */
#include "faults/fault_kind.h"

static const void *read(struct fault_reading *r, const wire_node *rule)
{
    bool *wrong = arena_alloc(r->arena, sizeof *wrong);

    return fault_read_bool(r, rule, "wrong_crc", wrong) ? wrong : NULL;
}

static void apply(const void *state, struct fault_hit *hit)
{
    const bool *wrong = state;

    hit->disturbance->wrong_crc = *wrong;
}

const struct fault_kind fault_crc = {.member = "wrong_crc", .read = read, .apply = apply};
