/* op_transition.h: how long states last that end by themselves: settings.transition_ms, and for
 * added indexes settings.index_transition_ms. */
#ifndef OPS_OP_TRANSITION_H
#define OPS_OP_TRANSITION_H

#include "ops/op.h"

/* When a transition that begins now ends. */
static inline int64_t op_transition_end(const struct call *c)
{
    return clock_now_ms(c->clock) + c->settings->transition_ms;
}

/* The same of each state of an index that UpdateTable adds, and of its table meanwhile. */
static inline int64_t op_transition_index_end(const struct call *c)
{
    const struct settings *s = c->settings;

    return clock_now_ms(c->clock) +
           (s->index_transition_ms > s->transition_ms ? s->index_transition_ms : s->transition_ms);
}

#endif
