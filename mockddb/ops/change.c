#include "ops/change.h"

#include "model/item_codec.h"
#include "model/key.h"
#include "model/vector.h"
#include "ops/collection.h"
#include "ops/index_entries.h"
#include "ops/past.h"
#include "ops/throttle/throttle.h"

/* Whether an earlier index has the same vector and the item in it. */
static bool is_charged_before(const struct table *t, size_t n, const struct item *it)
{
    for (size_t i = 0; i < n; i++)
        if (schema_kind(&t->indexes[i]) == KIND_VECTOR &&
            span_equal(t->indexes[i].vector.attribute, t->indexes[n].vector.attribute) &&
            vector_is_indexed(&t->indexes[i], it))
            return true;
    return false;
}

/* The size that a write of the item is charged for. An indexed vector counts once, as its floats
 * and not as a list of numbers. */
static size_t charged_size(const struct table *t, const struct item *it, size_t size)
{
    for (size_t i = 0; i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];

        if (schema_kind(ix) == KIND_VECTOR && vector_is_indexed(ix, it) &&
            !is_charged_before(t, i, it))
            size -= (size_t)vector_spared(ix, item_find(it, ix->vector.attribute));
    }
    return size;
}

const struct error *change_begin(struct call *c, const struct table *t, const struct item *key,
                                 struct change *out)
{
    struct buf position = buf_in(c->arena);

    key_of_item(&position, t, key);
    return change_begin_at(c, t, buf_span(&position), out);
}

const struct error *change_begin_at(struct call *c, const struct table *t, struct span key,
                                    struct change *out)
{
    const struct error *e;

    *out = (struct change){.table = t};
    if ((e = unit_get(c->unit, key, &out->old)))
        return e;
    out->old_charge = out->old.size;
    if (out->old.found && schema_count_kind(t, KIND_VECTOR))
        out->old_charge = charged_size(t, change_old(c, out), out->old.size);
    return NULL;
}

const struct item *change_old(struct call *c, struct change *ch)
{
    struct item *image;

    if (!ch->old.found || ch->image)
        return ch->image;
    image = arena_alloc(c->arena, sizeof *image);
    *image = item_decode(c->arena, ch->old.body);
    ch->image = image;
    return image;
}

/* The write that stores `after`, or deletes the item if `after` has none. */
static struct item_write write_of(struct call *c, struct change *ch, struct item_image after)
{
    struct item_write w = {.table = ch->table,
                           .old = &ch->old,
                           .after = after,
                           .expired = ch->expired,
                           .replicated = ch->replicated};

    if (ch->old.found)
        w.before = (struct item_image){change_old(c, ch), ch->old.body, ch->old.size};
    return w;
}

/* With limited collections, checks that the write fits the item's collection. */
static const struct error *check_room(struct call *c, struct item_write *w)
{
    int64_t growth = (int64_t)w->after.size - (int64_t)w->before.size;

    return collection_check(c, w->table, w->after.item, growth + index_entries_local_growth(c, w));
}

/* With throttling, charges the write before it is done. */
static const struct error *pay_write(struct call *c, struct item_write *w, struct capacity *used)
{
    if (used)
        index_entries_charge(c, w, used);
    return throttle_charge(c);
}

const struct error *change_put(struct call *c, struct change *ch, const struct item *it,
                               struct capacity *used)
{
    struct item_image after = {.item = it, .size = item_size(it)};
    size_t charge = charged_size(ch->table, it, after.size);
    size_t larger = ch->old_charge > charge ? ch->old_charge : charge;
    bool limited = collection_is_limited(c, ch->table);
    struct buf body = buf_in(c->arena);
    struct store_row row = ch->old;
    struct item_write w = {.table = ch->table};
    const struct error *e;

    buf_reserve(&body, ch->old.body.len > after.size ? ch->old.body.len : after.size);
    item_encode(&body, it);
    arena_charge(c->arena, body.len / ITEM_ENCODED_AT_STEP);
    after.body = ch->body = buf_span(&body);
    if (used)
        capacity_add_table(used, capacity_at(ch->old.key), capacity_write_units(larger));
    if (ch->old.found && ch->old.size == after.size &&
        (span_equal(ch->old.body, ch->body) || item_equal(change_old(c, ch), it)))
        return throttle_charge(c);
    if (!store_has_room(c->store))
        return error_disk_full(c->arena);
    if (limited || c->throttle || follower_any(ch->table))
        w = write_of(c, ch, after);
    if ((limited && (e = check_room(c, &w))) || (c->throttle && (e = pay_write(c, &w, used))))
        return e;
    if (c->past)
        past_note_item(c->past, &ch->old, clock_now_ms(c->clock));
    unit_guard_table(c->unit, ch->table);
    if ((e = unit_put(c->unit, &row, after.size, ch->body)) || !follower_any(ch->table))
        return e;
    w.row = &row;
    w.used = c->throttle ? NULL : used;
    return follower_run(c, &w);
}

void change_keep(const struct change *ch, struct capacity *used)
{
    if (used)
        capacity_add_table(used, capacity_at(ch->old.key), capacity_write_units(ch->old_charge));
}

const struct error *change_delete(struct call *c, struct change *ch, struct capacity *used)
{
    struct store_row row = ch->old;
    struct item_write w;
    const struct error *e;

    change_keep(ch, used);
    if (!ch->old.found)
        return throttle_charge(c);
    w = write_of(c, ch, (struct item_image){.item = NULL});
    if (c->throttle && (e = pay_write(c, &w, used)))
        return e;
    if (c->past)
        past_note_item(c->past, &ch->old, clock_now_ms(c->clock));
    w.row = &row;
    w.used = c->throttle ? NULL : used;
    unit_guard_table(c->unit, ch->table);
    if ((e = follower_run(c, &w)))
        return e;
    return unit_delete(c->unit, &row);
}
