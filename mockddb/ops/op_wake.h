/* op_wake.h: work that a call leaves to the jobs between requests. */
#ifndef OPS_OP_WAKE_H
#define OPS_OP_WAKE_H

#include "ops/op.h"

/* Reports work of a kind that is due at at_ms, in milliseconds since 1970. The earliest time
 * counts. */
static inline void op_wake(struct call *c, enum wake what, int64_t at_ms)
{
    int64_t *mark = &c->wakes_ms[what];

    if (!*mark || at_ms < *mark)
        *mark = at_ms;
}

/* Drops a space of the store; its entries are removed between requests. */
MUST_CHECK const struct error *op_wake_drop_space(struct call *c, uint32_t space);

#endif
