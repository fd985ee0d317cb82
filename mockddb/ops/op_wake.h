/* op_wake.h: what a call leaves to be done between requests. */
#ifndef OPS_OP_WAKE_H
#define OPS_OP_WAKE_H

#include "ops/op.h"

/* Marks the call: from that moment on (milliseconds since 1970) there is work of that kind. Of
 * several moments the first counts. */
static inline void op_wake(struct call *c, enum wake what, int64_t at_ms)
{
    int64_t *mark = &c->wakes_ms[what];

    if (!*mark || at_ms < *mark)
        *mark = at_ms;
}

/* Gives up a space of the store; what it holds is cleared away between requests. */
MUST_CHECK const struct error *op_wake_drop_space(struct call *c, uint32_t space);

#endif
