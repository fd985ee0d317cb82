#include "ops/op_wake.h"

const struct error *op_wake_drop_space(struct call *c, uint32_t space)
{
    op_wake(c, WAKE_REAP, clock_now_ms(c->clock));
    return unit_drop_space(c->unit, space);
}
