#include "ops/op_tries.h"

#define MOST_TRIES 10
#define MOST_US    (2 * INT64_C(1000000))

struct op_tries op_tries_begin(const struct call *c)
{
    return (struct op_tries){.before = past_mark(c->past)};
}

void op_tries_undo(const struct op_tries *t, struct call *c)
{
    store_abandon(c->store);
    past_undo(c->past, t->before);
    c->unit = NULL;
    c->accounts = NULL;
}

bool op_tries_next(struct op_tries *t, const struct call *c)
{
    int64_t now_us = clock_ticks_us(c->clock);

    if (!t->count)
        t->until_us = now_us + MOST_US;
    store_set_tries(c->store, ++t->count);
    return t->count <= MOST_TRIES && now_us <= t->until_us;
}

void op_tries_end(const struct op_tries *t, const struct call *c)
{
    if (t->count)
        store_set_tries(c->store, 0);
}
