#include "ops/pace.h"

/* The reserve to end a request early: 5 ms, and memory for its answer. */
#define STEPS_TO_END ((int64_t)500000)
#define BYTES_TO_END ((size_t)4 * 1024 * 1024)

bool pace_begins(struct pace *p)
{
    const bool first = !p->begun;

    if (!first) {
        const int64_t steps = p->before.steps - p->left->steps;

        if (steps > p->most.steps)
            p->most.steps = steps;
        if (p->before.bytes > p->left->bytes && p->before.bytes - p->left->bytes > p->most.bytes)
            p->most.bytes = p->before.bytes - p->left->bytes;
    }
    p->before = *p->left;
    p->begun = true;
    return first || (p->before.steps - p->most.steps >= STEPS_TO_END &&
                     p->before.bytes >= p->most.bytes + BYTES_TO_END);
}
