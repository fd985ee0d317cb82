/* "wrong_crc": the checksum in the reply's header does not match its body. */
#include "faults/fault_kind.h"

static const void *read_crc(struct fault_reading *r, const wire_node *rule)
{
    return fault_read_true(r, rule, "wrong_crc") ? rule : NULL;
}

static void apply_crc(const void *state, struct fault_hit *hit)
{
    (void)state;
    hit->disturbance->wrong_crc = true;
}

const struct fault_kind fault_crc = {.member = "wrong_crc", .read = read_crc, .apply = apply_crc};
