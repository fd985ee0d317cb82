/* pace.h: work in steps after each of which a request may end well: the items of a page, the keys
 * of a batch, the actions of a transaction. It is good for the request alone.
 *
 * Before each step the pace says whether the budget has room for one that is as dear as the dearest
 * so far, and for what comes after the last one. The first step always has. */
#ifndef OPS_PACE_H
#define OPS_PACE_H

#include "base/arena.h"

struct pace {
    const struct arena_budget *left;
    struct arena_budget before; /* the step at hand */
    struct arena_budget most;   /* of a step so far */
    bool begun;
};

static inline struct pace pace_of(const struct arena *a)
{
    return (struct pace){.left = arena_left(a)};
}

/* Begins a step, after the one before; false where there is no room for it. */
bool pace_begins(struct pace *p);

#endif
