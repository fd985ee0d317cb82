#include "ops/op_wanted.h"

#include "model/key.h"

struct op_wanted op_wanted_new(const struct call *c, size_t most)
{
    struct op_wanted w = {.keys = NULL};

    if (store_is_shared(c->store))
        w.keys = arena_array(c->arena, most, sizeof *w.keys);
    return w;
}

void op_wanted_add_key(struct op_wanted *w, struct span key)
{
    if (w->keys)
        w->keys[w->count++] = key;
}

void op_wanted_add(struct call *c, struct op_wanted *w, const struct table *t,
                   const struct item *it)
{
    struct buf key = buf_in(c->arena);

    if (!w->keys)
        return;
    key_of_item(&key, t, it);
    op_wanted_add_key(w, buf_span(&key));
}

const struct error *op_wanted_read(struct call *c, const struct op_wanted *w)
{
    return w->count ? unit_want(c->unit, w->keys, w->count) : NULL;
}
