/* op_transition.h: how long states last that end by themselves: settings.transition_ms. */
#ifndef OPS_OP_TRANSITION_H
#define OPS_OP_TRANSITION_H

#include "ops/op.h"

/* When a transition that begins now ends. */
static inline int64_t op_transition_end(const struct call *c)
{
    return clock_now_ms(c->clock) + c->settings->transition_ms;
}

#endif
