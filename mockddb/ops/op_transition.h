/* op_transition.h: how long transitional states last: settings.transition_ms, and for indexes that
 * UpdateTable adds settings.index_transition_ms. */
#ifndef OPS_OP_TRANSITION_H
#define OPS_OP_TRANSITION_H

#include "ops/op.h"

/* When a transition that begins now ends. */
static inline int64_t op_transition_end(const struct call *c)
{
    return clock_now_ms(c->clock) + c->settings->transition_ms;
}

/* Like op_transition_end, for the states of an index that UpdateTable adds, and of its table. */
static inline int64_t op_transition_index_end(const struct call *c)
{
    const struct settings *s = c->settings;

    return clock_now_ms(c->clock) +
           (s->index_transition_ms > s->transition_ms ? s->index_transition_ms : s->transition_ms);
}

/* Makes the draft UPDATING; its change takes effect when the transition ends. */
static inline void op_transition_begin(const struct call *c, struct table *draft,
                                       enum table_change change)
{
    draft->status = STATUS_UPDATING;
    draft->change = change;
    draft->transition_until_ms = op_transition_end(c);
}

#endif
