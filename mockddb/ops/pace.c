#include "ops/pace.h"

/* What it takes to end a request in the middle of its work: 5 ms and what stands in its answer. */
#define STEPS_TO_END ((int64_t)500000)
#define BYTES_TO_END ((size_t)4 * 1024 * 1024)

static void take_note(struct pace *p, int64_t steps, size_t bytes)
{
    if (p->begun && p->steps_before - steps > p->most_steps)
        p->most_steps = p->steps_before - steps;
    if (p->begun && p->bytes_before > bytes && p->bytes_before - bytes > p->most_bytes)
        p->most_bytes = p->bytes_before - bytes;
    p->steps_before = steps;
    p->bytes_before = bytes;
}

bool pace_begins(struct pace *p)
{
    int64_t steps = arena_steps_left(p->arena);
    size_t bytes = arena_bytes_left(p->arena);

    take_note(p, steps, bytes);
    if (!p->begun) {
        p->begun = true;
        return true;
    }
    return steps - p->most_steps >= STEPS_TO_END && bytes >= p->most_bytes + BYTES_TO_END;
}
