#include "ops/vector/search_load.h"

#include "model/item_codec.h"
#include "model/vector.h"
#include "ops/vector/search_filter.h"
#include "store/cursor.h"

/* A slice ends after this cost, in floats: at most 20 ms. Each row has a fixed cost, and the bytes
 * of its item count as well. */
#define SLICE_FLOATS ((size_t)256 * 1024)
#define ROW_FLOATS   64
#define ITEM_BYTES   32 /* bytes of an item that cost as much as a float */

struct loading {
    struct call *c;
    const struct index *ix;
    struct vector_set *set;
    size_t padded;
    struct span *names; /* of the vector and the filters */
    size_t name_count;
    float *floats;
    size_t done; /* cost of the slice so far */
};

static struct loading loading_of(struct call *c, const struct index *ix)
{
    struct loading l = {.c = c, .ix = ix};

    l.padded = vector_padded((size_t)ix->vector.dimensions);
    l.floats = arena_array(c->arena, l.padded, sizeof *l.floats);
    l.names = arena_array(c->arena, ix->vector.part_count + 1, sizeof *l.names);
    l.names[l.name_count++] = ix->vector.attribute;
    for (size_t i = 0; i < ix->vector.part_count; i++)
        l.names[l.name_count++] = ix->vector.parts[i].name;
    return l;
}

/* Adds a row to the set and releases the memory of its item. */
static void put_row(struct loading *l, const struct store_row *row)
{
    struct arena *a = l->c->arena;
    struct arena_mark before = arena_mark(a);
    struct item it = item_decode_only(a, row->body, l->names, l->name_count);
    const struct attr *value = item_find(&it, l->ix->vector.attribute);
    struct buf label = buf_in(a);

    l->done += l->padded + ROW_FLOATS + row->body.len / ITEM_BYTES;
    if (value && vector_read(value, (size_t)l->ix->vector.dimensions, l->floats)) {
        search_filter_label(&label, l->ix, &it);
        vectors_put(l->set, &(struct vector_row){.at = l->floats,
                                                 .norm = vector_norm(l->floats, l->padded),
                                                 .key = row->key,
                                                 .label = buf_span(&label)});
    }
    arena_release(a, before);
}

/* --- all entries ------------------------------------------------------------------------------ */

static const struct error *read_rows(struct loading *l, struct cursor *cursor)
{
    const struct error *e;
    struct store_row row;

    while (!(e = cursor_next(cursor, &row)) && row.found) {
        put_row(l, &row);
        if (l->done < SLICE_FLOATS)
            continue;
        vectors_set_position(l->set, row.key);
        return NULL;
    }
    if (!e)
        vectors_set_filled(l->set);
    return e;
}

static const struct error *fill_set(struct loading *l)
{
    struct cursor *cursor = cursor_open(
        l->c->unit, cursor_range_behind(l->c->arena, l->ix->space, vectors_position(l->set)));
    const struct error *e = read_rows(l, cursor);

    cursor_close(cursor);
    return e;
}

/* --- later changes ---------------------------------------------------------------------------- */

static const struct error *read_noted(struct loading *l)
{
    const struct error *e;
    struct store_row row;
    struct span key;

    while (l->done < SLICE_FLOATS && vectors_last_note(l->set, &key)) {
        struct arena_mark before = arena_mark(l->c->arena);

        if ((e = unit_get(l->c->unit, key, &row)))
            return e;
        if (row.found)
            put_row(l, &row);
        else
            vectors_remove(l->set, key);
        l->done += ROW_FLOATS;
        vectors_drop_note(l->set);
        arena_release(l->c->arena, before);
    }
    return NULL;
}

const struct error *search_load(struct call *c, const struct index *ix, struct vector_set **out,
                                bool *more)
{
    struct vectors *all = store_vectors(c->store);
    struct loading l = loading_of(c, ix);
    const struct error *e;
    struct span key;

    l.set = vectors_find(all, ix->space);
    if (!l.set)
        l.set = vectors_begin(all, ix->space, l.padded, clock_hash_key(c->clock));
    *out = l.set;
    *more = false;
    if (vectors_is_searched(l.set, clock_ticks_us(c->clock)))
        return NULL;
    if ((!vectors_is_filled(l.set) && (e = fill_set(&l))) ||
        (vectors_is_filled(l.set) && (e = read_noted(&l))))
        return e;
    *more = !vectors_is_filled(l.set) || vectors_last_note(l.set, &key);
    return NULL;
}
