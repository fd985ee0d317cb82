#include "ops/change.h"

#include "model/item_codec.h"
#include "model/key.h"
#include "model/vector.h"
#include "ops/backup/recovery_log.h"
#include "ops/collection.h"
#include "ops/global/replication.h"
#include "ops/kinesis/kinesis_record.h"
#include "ops/past.h"
#include "ops/stream/stream.h"
#include "ops/throttle/throttle.h"
#include "ops/ttl/ttl_index.h"
#include "store/vectors.h"

/* What an index holds of an image; its row is found where there is an entry. An index of keys that
 * holds all of it has no part: what leaves the whole item as it was never comes so far. */
struct entry {
    struct store_row row;
    struct item part;
    const struct attr *vector; /* beside the part; NULL for an index of keys */
};

/* Whether an index before the nth is on the same vector and has it. */
static bool is_charged_before(const struct table *t, size_t n, const struct item *it)
{
    for (size_t i = 0; i < n; i++)
        if (schema_kind(&t->indexes[i]) == KIND_VECTOR &&
            span_equal(t->indexes[i].vector.attribute, t->indexes[n].vector.attribute) &&
            vector_is_indexed(&t->indexes[i], it))
            return true;
    return false;
}

/* What a write of the item is charged for: a vector that is indexed counts its floats, once, in
 * place of the list of numbers that it is. */
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

/* What a new index has not reached yet, its backfill will put there, or its deletion has spared
 * it. */
bool change_covers(const struct index *ix, struct span key)
{
    bool partial = ix->status == STATUS_CREATING || ix->status == STATUS_DELETING;

    return !partial || ix->backfilled || span_compare(key, ix->backfill_position) <= 0;
}

static struct entry entry_of(struct call *c, const struct table *t, const struct index *ix,
                             const struct stream_image *image)
{
    struct buf key = buf_in(c->arena);
    struct entry e = {.row = {.found = false}};

    if (!image->item || !key_of_entry(&key, t, ix, image->item))
        return e;
    e.row = (struct store_row){.key = buf_span(&key), .found = true, .size = image->size};
    if (ix->projection == PROJECT_ALL && schema_kind(ix) != KIND_VECTOR)
        return e;
    e.part = schema_project(c->arena, t, ix, image->item);
    e.row.size = schema_entry_size(ix, &e.part);
    e.vector = item_find(image->item, ix->vector.attribute);
    return e;
}

/* Write units, or bytes of a vector index. */
static void charge_entry(struct capacity *used, const struct index *ix, struct span key,
                         size_t size)
{
    capacity_add_index(used, ix, capacity_at(key),
                       schema_kind(ix) == KIND_VECTOR ? capacity_vector_bytes(size)
                                                      : capacity_write_units(size));
}

static bool entry_differs(const struct index *ix, const struct entry *before,
                          const struct entry *after)
{
    if (schema_kind(ix) == KIND_VECTOR)
        return !item_equal(&before->part, &after->part) ||
               !attr_equal(before->vector, after->vector);
    return ix->projection == PROJECT_ALL || !item_equal(&before->part, &after->part);
}

/* Whether the entry stays where it is. */
static bool entry_stays(const struct entry *before, const struct entry *after)
{
    return before->row.found && after->row.found && span_equal(before->row.key, after->row.key);
}

static void charge_change(struct capacity *used, const struct index *ix, const struct entry *before,
                          const struct entry *after)
{
    size_t size = after->row.size, larger = before->row.size > size ? before->row.size : size;

    if (entry_stays(before, after)) {
        if (entry_differs(ix, before, after))
            charge_entry(used, ix, after->row.key, schema_kind(ix) == KIND_VECTOR ? size : larger);
        return;
    }
    if (before->row.found)
        charge_entry(used, ix, before->row.key, before->row.size);
    if (after->row.found)
        charge_entry(used, ix, after->row.key, size);
}

/* Only its size can have changed, and where the item is. */
static const struct error *keep_entry(struct call *c, const struct change *ch, struct entry *before,
                                      const struct entry *after, const struct store_row *owner)
{
    size_t size = after->row.size;

    return before->row.size == size && !unit_body_moved(&ch->old, owner)
               ? NULL
               : unit_link(c->unit, &before->row, owner, size);
}

/* An entry comes, goes or moves. */
static const struct error *move_entry(struct call *c, const struct index *ix, struct entry *before,
                                      const struct entry *after, const struct store_row *owner)
{
    struct store_row place = {.key = after->row.key};
    const struct error *e;

    if (before->row.found && (e = unit_unlink(c->unit, &before->row)))
        return e;
    if (!after->row.found)
        return NULL;
    if (c->past && ix->global)
        past_note_entry(c->past, place.key, clock_now_ms(c->clock));
    return unit_link(c->unit, &place, owner, after->row.size);
}

static int64_t spared_by(const struct index *ix, const struct entry *e)
{
    return e->row.found ? vector_spared(ix, e->vector) : 0;
}

static void follow_vectors(struct call *c, const struct index *ix, const struct entry *old,
                           const struct entry *new)
{
    if (schema_kind(ix) != KIND_VECTOR)
        return;
    unit_spare(c->unit, ix->space, spared_by(ix, new) - spared_by(ix, old));
    if (old->row.found)
        vectors_note(store_vectors(c->store), ix->space, old->row.key);
    if (new->row.found && !entry_stays(old, new))
        vectors_note(store_vectors(c->store), ix->space, new->row.key);
}

/* Where collections are limited: whether there is room for what the item and its entries in local
 * indexes grow by. */
static const struct error *check_room(struct call *c, const struct change *ch,
                                      const struct stream_image *before,
                                      const struct stream_image *after)
{
    const struct table *t = ch->table;
    int64_t growth = (int64_t)after->size - (int64_t)before->size;

    for (size_t i = 0; i < t->index_count && schema_kind(&t->indexes[i]) == KIND_LOCAL; i++) {
        struct entry old = entry_of(c, t, &t->indexes[i], before);
        struct entry new = entry_of(c, t, &t->indexes[i], after);

        growth += (int64_t) new.row.size - (int64_t)old.row.size;
    }
    return collection_check(c, t, after->item, growth);
}

/* Where units are limited, the write is charged before anything is done: as much as follow_indexes
 * would. */
static const struct error *pay(struct call *c, const struct change *ch,
                               const struct stream_image *before, const struct stream_image *after,
                               struct capacity *used)
{
    const struct table *t = ch->table;

    for (size_t i = 0; used && i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];
        struct entry old, new;

        if (!change_covers(ix, ch->old.key))
            continue;
        old = entry_of(c, t, ix, before);
        new = entry_of(c, t, ix, after);
        charge_change(used, ix, &old, &new);
    }
    return throttle_charge(c);
}

static const struct error *follow_indexes(struct call *c, const struct change *ch,
                                          const struct stream_image *before,
                                          const struct stream_image *after,
                                          const struct store_row *owner, struct capacity *used)
{
    const struct table *t = ch->table;

    for (size_t i = 0; i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];
        const struct error *e;
        struct entry old, new;

        if (!change_covers(ix, ch->old.key))
            continue;
        old = entry_of(c, t, ix, before);
        new = entry_of(c, t, ix, after);
        follow_vectors(c, ix, &old, &new);
        if (used && !c->throttle)
            charge_change(used, ix, &old, &new);
        if (entry_stays(&old, &new))
            e = keep_entry(c, ch, &old, &new, owner);
        else
            e = move_entry(c, ix, &old, &new, owner);
        if (e)
            return e;
    }
    return NULL;
}

/* Everything that follows from a change of a stored item, whoever made it; `owner` is its row. */
static const struct error *follow(struct call *c, const struct change *ch,
                                  const struct stream_image *before,
                                  const struct stream_image *after, const struct store_row *owner,
                                  struct capacity *used)
{
    const struct table *t = ch->table;
    const struct error *e;

    if ((e = follow_indexes(c, ch, before, after, owner, used)) ||
        (t->ttl_space &&
         (e = ttl_index_follow(c, t, before->item, after->item, &ch->old, owner))) ||
        (t->recovery.space && (e = recovery_log_append(c, t, &ch->old))) ||
        (t->destination_count &&
         (e = kinesis_record_append(c, t, before->item, after->item, ch->expired))) ||
        (t->global.log_space && !ch->replicated && !ch->expired &&
         (e = replication_note(c, t, ch->old.key, after->item ? ch->body : (struct span){"", 0}))))
        return e;
    return stream_append(c, t, ch->old.key, before, after, ch->expired);
}

/* Whether anything follows from a change but the item itself. */
static bool has_followers(const struct table *t)
{
    return t->index_count || t->ttl_space || t->recovery.space || t->stream_enabled ||
           t->destination_count || t->global.log_space;
}

static struct stream_image old_image(struct call *c, struct change *ch)
{
    if (!ch->old.found)
        return (struct stream_image){.item = NULL};
    return (struct stream_image){change_old(c, ch), ch->old.body, ch->old.size};
}

static bool leaves_as_it_was(struct call *c, struct change *ch, const struct item *it, size_t size)
{
    if (!ch->old.found || ch->old.size != size)
        return false;
    return span_equal(ch->old.body, ch->body) || item_equal(change_old(c, ch), it);
}

static void note(const struct call *c, const struct change *ch)
{
    if (c->past)
        past_note_item(c->past, &ch->old, clock_now_ms(c->clock));
}

const struct error *change_put(struct call *c, struct change *ch, const struct item *it,
                               struct capacity *used)
{
    struct stream_image after = {.item = it, .size = item_size(it)}, before;
    size_t charge = charged_size(ch->table, it, after.size);
    size_t larger = ch->old_charge > charge ? ch->old_charge : charge;
    struct buf body = buf_in(c->arena);
    struct store_row row = ch->old;
    const struct error *e;

    buf_reserve(&body, ch->old.body.len > after.size ? ch->old.body.len : after.size);
    item_encode(&body, it);
    arena_charge(c->arena, body.len / ITEM_ENCODED_AT_STEP);
    after.body = ch->body = buf_span(&body);
    if (used)
        capacity_add_table(used, capacity_at(ch->old.key), capacity_write_units(larger));
    if (leaves_as_it_was(c, ch, it, after.size))
        return throttle_charge(c);
    if (!store_has_room(c->store))
        return error_disk_full(c->arena);
    if (collection_is_limited(c, ch->table)) {
        before = old_image(c, ch);
        if ((e = check_room(c, ch, &before, &after)))
            return e;
    }
    if (c->throttle) {
        before = old_image(c, ch);
        if ((e = pay(c, ch, &before, &after, used)))
            return e;
    }
    note(c, ch);
    if ((e = unit_put(c->unit, &row, after.size, ch->body)) || !has_followers(ch->table))
        return e;
    before = old_image(c, ch);
    return follow(c, ch, &before, &after, &row, used);
}

void change_keep(const struct change *ch, struct capacity *used)
{
    if (used)
        capacity_add_table(used, capacity_at(ch->old.key), capacity_write_units(ch->old_charge));
}

const struct error *change_delete(struct call *c, struct change *ch, struct capacity *used)
{
    struct stream_image before, after = {.item = NULL};
    struct store_row row;
    const struct error *e;

    change_keep(ch, used);
    if (!ch->old.found)
        return throttle_charge(c);
    before = old_image(c, ch);
    if (c->throttle && (e = pay(c, ch, &before, &after, used)))
        return e;
    note(c, ch);
    row = ch->old;
    if ((e = follow(c, ch, &before, &after, &row, used)))
        return e;
    return unit_delete(c->unit, &row);
}
