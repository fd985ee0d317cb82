#include "ops/op.h"
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

const struct error *op_wake_drop_space(struct call *c, uint32_t space)
{
    op_wake(c, WAKE_REAP, clock_now_ms(c->clock));
    return unit_drop_space(c->unit, space);
}

const struct error *op_access_check_write(struct call *c, const char *action)
{
    if (!c->settings->read_only)
        return NULL;
    return error_new(c->arena, ERROR_ACCESS_DENIED,
                     "User: arn:aws:iam::%.*s:root is not authorized to perform: dynamodb:%s with "
                     "an explicit deny: the server was started with --read-only",
                     SPAN_ARG(c->settings->account), action);
}
