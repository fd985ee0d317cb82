/* pace.h: decides when a request with many steps must end early: the items of a page, the keys of a
 * batch, the actions of a transaction. Use it for one request only.
 *
 * Before each step it checks that the budget allows another step as costly as the most costly one
 * so far, and the end of the request. The first step is always allowed. */
#pragma once

#include "base/arena.h"

/* The reserve to end a request early: 5 ms. */
#define PACE_STEPS_TO_END ((int64_t)500000)

struct pace {
    const struct arena_budget *left;
    struct arena_budget before; /* the budget before the current step */
    struct arena_budget most;   /* the cost of the most costly step so far */
    bool begun;
};

static inline struct pace pace_of(const struct arena *a)
{
    return (struct pace){.left = arena_left(a)};
}

/* Ends the step before and begins the next; false if the budget does not allow it. */
bool pace_begins(struct pace *p);
