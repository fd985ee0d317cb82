#include "ops/table/table_backfill.h"

#include "model/item_codec.h"
#include "model/vector.h"
#include "ops/table/table_state.h"
#include "store/cursor.h"

/* A slice ends at either limit. */
#define SLICE_ITEMS 250
#define SLICE_BYTES ((size_t)512 * 1024)

struct backfill_entry {
    struct store_row row, owner;
    size_t size;
    int64_t spared; /* bytes that a vector does not count */
};

struct backfill_slice {
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
    struct backfill_entry *e = &slice->entries[slice->count];

    if (!key_of_entry(&key, t, ix, &it))
        return;
    part = schema_project(c->arena, t, ix, &it);
    *e = (struct backfill_entry){
        .row = {.key = buf_span(&key)},
        .owner = *row,
        .size = ix->projection == PROJECT_ALL && schema_kind(ix) != KIND_VECTOR
                    ? row->size
                    : schema_entry_size(ix, &part),
    };
    unit_hold_owner(c->unit, &e->owner);
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
    for (size_t i = 0; i < slice->count; i++) {
        struct backfill_entry *new = &slice->entries[i];

        if ((e = unit_link(c->unit, &new->row, &new->owner, new->size)))
            return e;
        unit_spare(c->unit, ix->space, new->spared);
    }
    t = schema_copy(c->arena, old);
    next = &t->indexes[ix - old->indexes];
    next->backfilled = slice->end;
    if (slice->last.len)
        next->backfill_position = arena_span(t->arena, slice->last);
    return table_state_keep(c, t);
}
