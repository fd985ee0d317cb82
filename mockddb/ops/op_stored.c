#include "ops/op_stored.h"

#include "model/item_codec.h"
#include "model/names.h"
#include "ops/op_write.h"

void op_stored_reply_old(struct call *c, const struct change *ch)
{
    if (!ch->old.found || op_write_return_values(c) != RETURN_ALL_OLD)
        return;
    wire_key(&c->reply, "Attributes");
    wire_put_raw(&c->reply, ch->old.body);
}

void op_stored_put(struct call *c, struct span body, const struct expr_projection *p)
{
    struct span *names;
    struct item it, part;

    if (!p->len) {
        wire_put_raw(&c->reply, body);
        return;
    }
    names = arena_array(c->arena, p->len, sizeof *names);
    for (size_t i = 0; i < p->len; i++)
        names[i] = p->paths[i].at[0].name;
    it = item_decode_only(c->arena, body, names, p->len);
    part = expr_project(c->arena, p, &it);
    wire_put_item(&c->reply, &part);
}
