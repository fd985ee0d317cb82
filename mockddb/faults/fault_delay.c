/* "delay": the reply is sent later; "jitter": with a random extra delay up to this long. */
#include "faults/fault_kind.h"

struct delay {
    int64_t ms, jitter_ms;
};

static const void *read_delay(struct fault_reading *r, const wire_node *rule)
{
    struct delay *d = arena_alloc(r->arena, sizeof *d);

    return fault_read_delay(r, rule, "delay", &d->ms) &&
                   fault_read_delay(r, rule, "jitter", &d->jitter_ms)
               ? d
               : NULL;
}

static void apply_delay(const void *state, struct fault_hit *hit)
{
    const struct delay *d = state;

    hit->disturbance->delay_ms = d->ms + (int64_t)(hit->random * (double)(d->jitter_ms + 1));
}

static const char *const and_those[] = {"jitter", NULL};

const struct fault_kind fault_delay = {
    .member = "delay", .and_those = and_those, .read = read_delay, .apply = apply_delay};
