#include "ops/op_unit.h"

const struct error *op_unit_run(struct call *c, enum unit_kind kind, op_work *work, void *data)
{
    struct unit *outer = c->unit, *u;
    const struct error *e = unit_begin(c->store, c->arena, kind, &u);

    if (e)
        return e;
    c->unit = u;
    e = work(c, data);
    c->unit = outer;
    if (!e)
        return unit_keep(u);
    unit_undo(u);
    return e;
}
