#include "ops/op_stored.h"

#include "model/item_codec.h"
#include "ops/disturbance.h"
#include "ops/op_write.h"
#include "ops/past.h"

void op_stored_reply_old(struct call *c, const struct change *ch)
{
    if (!ch->old.found || op_write_return_values(c) != RETURN_ALL_OLD)
        return;
    wire_put_member_raw(&c->reply, "Attributes", ch->old.body);
}

static bool get_stale(const struct call *c, struct span key, struct store_row *row)
{
    const struct disturbance *d = c->disturbance;
    int64_t moment_ms;

    if (!d || !d->stale || !c->past)
        return false;
    moment_ms = d->stale_ms ? clock_now_ms(c->clock) - d->stale_ms : PAST_PREVIOUS;
    return past_image(c->past, key, moment_ms, row);
}

const struct error *op_stored_get(struct call *c, struct span key, bool consistent,
                                  struct store_row *row)
{
    if (!consistent && get_stale(c, key, row))
        return NULL;
    return unit_get(c->unit, key, row);
}

void op_stored_put_item(struct call *c, const struct item *it)
{
    size_t before = c->reply.out->len;

    wire_put_item(&c->reply, it);
    arena_charge(c->arena, (c->reply.out->len - before) / ITEM_ENCODED_AT_STEP);
}

static void put_text(struct call *c, struct span name, const struct attr *text)
{
    wire_key_span(&c->reply, name);
    wire_put_raw(&c->reply, text->bytes);
}

void op_stored_put_texts(struct call *c, const struct item *texts)
{
    wire_open(&c->reply, '{');
    for (size_t i = 0; i < texts->len; i++)
        put_text(c, texts->at[i].name, &texts->at[i].value);
    wire_close(&c->reply, '}');
}

static bool are_names(const struct expr_projection *p)
{
    for (size_t i = 0; i < p->len; i++)
        if (p->paths[i].len > 1)
            return false;
    return true;
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
    if (are_names(p)) {
        struct item texts = item_find_texts(c->arena, body, names, p->len);

        /* whole attributes, in stored form */
        wire_open(&c->reply, '{');
        for (size_t i = 0; i < p->len; i++) {
            const struct attr *text = item_find(&texts, names[i]);

            if (text)
                put_text(c, names[i], text);
        }
        wire_close(&c->reply, '}');
        return;
    }
    it = item_decode_only(c->arena, body, names, p->len);
    part = expr_project(c->arena, p, &it);
    op_stored_put_item(c, &part);
}
