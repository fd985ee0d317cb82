/* pace.h: work in steps after each of which a request may end well: the items of a page, the keys
 * of a batch, the actions of a transaction.
 *
 * Before each step the pace says whether the budget has room for one that is as dear as the dearest
 * so far, and for what comes after the last one. The first step always has. */
#ifndef OPS_PACE_H
#define OPS_PACE_H

#include "base/arena.h"

struct pace {
    const struct arena *arena;
    int64_t steps_before; /* the step at hand */
    size_t bytes_before;
    int64_t most_steps; /* of a step so far */
    size_t most_bytes;
    bool begun;
};

static inline struct pace pace_of(const struct arena *a)
{
    return (struct pace){.arena = a};
}

/* Begins a step, after the one before; false where there is no room for it. */
bool pace_begins(struct pace *p);

#endif
