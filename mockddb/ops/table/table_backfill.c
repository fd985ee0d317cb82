#include "ops/table/table_backfill.h"

#include "model/item_codec.h"
#include "model/vector.h"
#include "ops/op_wanted.h"
#include "ops/table/table_state.h"
#include "store/cursor.h"

/* A slice ends at either limit. */
#define SLICE_ITEMS 250
#define SLICE_BYTES ((size_t)512 * 1024)

struct backfill_entry {
    size_t size;
    int64_t spared; /* bytes that a vector does not count */
};

struct backfill_slice {
    struct backfill_place places[SLICE_ITEMS];
    struct backfill_entry entries[SLICE_ITEMS];
    size_t count, items, bytes;
    struct span last; /* key of the last item read */
    bool end;         /* no items are left */
};

static void add_entry(struct call *c, const struct table *t, const struct index *ix,
                      const struct store_row *row, struct backfill_slice *slice)
{
    struct item it = item_decode(c->arena, row->body), part;
    struct buf key = buf_in(c->arena);
    struct backfill_place *place = &slice->places[slice->count];
    struct backfill_entry *e = &slice->entries[slice->count];

    if (!key_of_entry(&key, t, ix, &it))
        return;
    part = schema_project(c->arena, t, ix, &it);
    *e = (struct backfill_entry){
        .size = ix->projection == PROJECT_ALL && schema_kind(ix) != KIND_VECTOR
                    ? row->size
                    : schema_entry_size(ix, &part),
    };
    *place = (struct backfill_place){.entry.key = buf_span(&key), .owner = *row};
    place->owner.key = arena_span(c->arena, row->key);
    if (schema_kind(ix) == KIND_VECTOR)
        e->spared = vector_spared(ix, item_find(&it, ix->vector.attribute));
    slice->count++;
}

static const struct error *read_items(struct call *c, const struct table *t, const struct index *ix,
                                      struct cursor *cursor, struct backfill_slice *slice)
{
    struct buf last = buf_in(c->arena);

    while (slice->items < SLICE_ITEMS && slice->bytes < SLICE_BYTES) {
        struct store_row row;
        const struct error *e = cursor_next(cursor, &row);

        if (e)
            return e;
        slice->end = !row.found;
        if (!row.found)
            break;
        add_entry(c, t, ix, &row, slice);
        slice->items++;
        slice->bytes += row.body.len;
        last.len = 0;
        buf_add_span(&last, row.key);
    }
    slice->last = buf_span(&last);
    return NULL;
}

const struct error *table_backfill_look_up(struct call *c, struct backfill_place *places,
                                           size_t count)
{
    struct op_wanted wanted = op_wanted_new(c, 2 * count);
    struct store_row now, entry;
    const struct error *e;

    if (!store_is_shared(c->store))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        op_wanted_add_key(&wanted, places[i].entry.key);
        op_wanted_add_key(&wanted, places[i].owner.key);
    }
    if ((e = op_wanted_read(c, &wanted)))
        return e;
    for (size_t i = 0; i < count; i++) {
        if ((e = unit_get(c->unit, places[i].owner.key, &now)) ||
            (e = unit_get(c->unit, places[i].entry.key, &entry)))
            return e;
        places[i].is_kept = entry.found || !now.found || now.handle != places[i].owner.handle;
    }
    return NULL;
}

const struct error *table_backfill(struct call *c, struct span name)
{
    const struct table *old = op_region_table(c, name);
    const struct index *ix = old ? table_state_unfilled(old) : NULL;
    struct backfill_slice *slice;
    struct table *t;
    struct index *next;
    const struct error *e;
    struct cursor *cursor;

    if (!ix)
        return NULL;
    slice = arena_alloc(c->arena, sizeof *slice);
    cursor = cursor_open(c->unit, cursor_range_behind(c->arena, old->space, ix->backfill_position));
    e = read_items(c, old, ix, cursor, slice);
    cursor_close(cursor);
    if (e)
        return e;
    if ((e = table_backfill_look_up(c, slice->places, slice->count)))
        return e;
    for (size_t i = 0; i < slice->count; i++) {
        struct backfill_place *place = &slice->places[i];

        if (place->is_kept)
            continue;
        if ((e = unit_link(c->unit, &place->entry, &place->owner, slice->entries[i].size)))
            return e;
        unit_spare(c->unit, ix->space, slice->entries[i].spared);
    }
    t = schema_copy(c->arena, old);
    next = &t->indexes[ix - old->indexes];
    next->backfilled = slice->end;
    if (slice->last.len)
        next->backfill_position = arena_span(t->arena, slice->last);
    return table_state_keep(c, t);
}
