#include "ops/op_unit.h"

#include "ops/past.h"

const struct error *op_unit_run(struct call *c, enum unit_kind kind, op_work *work, void *data)
{
    struct past_mark before = past_mark(c->past);
    struct unit *outer = c->unit, *u;
    const struct error *e = unit_begin(c->store, c->arena, kind, &u);

    if (e)
        return e;
    c->unit = u;
    e = work(c, data);
    c->unit = outer;
    if (e)
        unit_undo(u);
    else
        e = unit_keep(u);
    if (e)
        past_undo(c->past, before);
    return e;
}
