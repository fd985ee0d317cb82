#include "ops/pace.h"

/* The reserve for the answer of a request that ends early. */
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
    return first || (p->before.steps - p->most.steps >= PACE_STEPS_TO_END &&
                     p->before.bytes >= p->most.bytes + BYTES_TO_END);
}
