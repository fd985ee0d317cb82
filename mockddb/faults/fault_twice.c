/* "stream_twice": what GetRecords returns comes once more with the next iterator. */
#include "faults/fault_kind.h"

static const void *read(struct fault_reading *r, const wire_node *rule)
{
    bool *twice = arena_alloc(r->arena, sizeof *twice);

    return fault_read_bool(r, rule, "stream_twice", twice) ? twice : NULL;
}

static void apply(const void *state, struct fault_hit *hit)
{
    const bool *twice = state;

    hit->disturbance->stream_twice = *twice;
}

static const char *const operations[] = {"GetRecords", NULL};

const struct fault_kind fault_twice = {
    .member = "stream_twice", .operations = operations, .read = read, .apply = apply};
