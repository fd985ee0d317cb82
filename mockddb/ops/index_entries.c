#include "ops/index_entries.h"

#include "model/key.h"
#include "model/vector.h"
#include "ops/past.h"
#include "store/vectors.h"

/* An index's entry of an image; its row is found if there is an entry. `part` is the projection.
 * With projection ALL it is empty, since an equal item is never written. */
struct index_entry {
    struct store_row row;
    struct item part;
    const struct attr *vector; /* NULL unless it is a vector index */
};

struct index_entries {
    bool covered; /* otherwise the write does not concern the index */
    struct index_entry before, after;
};

static bool is_partial(const struct index *ix)
{
    return (ix->status == STATUS_CREATING || ix->status == STATUS_DELETING) && !ix->backfilled;
}

bool index_entries_cover(const struct index *ix, struct span key)
{
    return !is_partial(ix) || span_compare(key, ix->backfill_position) <= 0;
}

/* Whether a write keeps the entry. In a shared store the backfill may have moved on since the write
 * began, so each write keeps it, and what the index has is read. */
static bool is_kept(const struct call *c, const struct index *ix, struct span key)
{
    return index_entries_cover(ix, key) || store_is_shared(c->store);
}

/* Finds out which of a write's entries an index has that is not complete. */
static const struct error *look_up_entries(struct call *c, struct index_entry *before,
                                           struct index_entry *after)
{
    struct store_row row;
    const struct error *e;

    if (before->row.found) {
        if ((e = unit_get(c->unit, before->row.key, &row)))
            return e;
        before->row.found = row.found;
        before->row.size = row.size;
    }
    if (before->row.found || !after->row.found)
        return NULL;
    if ((e = unit_get(c->unit, after->row.key, &row)) || !row.found)
        return e;
    before->row = (struct store_row){.key = after->row.key, .found = true, .size = row.size};
    return NULL;
}

static struct index_entry entry_of(struct call *c, const struct table *t, const struct index *ix,
                                   const struct item_image *image)
{
    struct buf key = buf_in(c->arena);
    struct index_entry e = {.row = {.found = false}};

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

/* Returns the entries of the write, a pair for each index of its table. */
static struct index_entries *entries_of_write(struct call *c, struct item_write *w)
{
    const struct table *t = w->table;

    if (w->entries || !t->index_count)
        return w->entries;
    w->entries = arena_array(c->arena, t->index_count, sizeof *w->entries);
    for (size_t i = 0; i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];

        w->entries[i] = (struct index_entries){.covered = is_kept(c, ix, w->old->key)};
        if (!w->entries[i].covered)
            continue;
        w->entries[i].before = entry_of(c, t, ix, &w->before);
        w->entries[i].after = entry_of(c, t, ix, &w->after);
    }
    return w->entries;
}

/* Charges write units, or bytes for a vector index. */
static void charge_one(struct capacity *used, const struct index *ix, struct span key, size_t size)
{
    capacity_add_index(used, ix, capacity_at(key),
                       schema_kind(ix) == KIND_VECTOR ? capacity_vector_bytes(size)
                                                      : capacity_write_units(size));
}

static bool entry_differs(const struct index *ix, const struct index_entry *before,
                          const struct index_entry *after)
{
    if (schema_kind(ix) == KIND_VECTOR)
        return !item_equal(&before->part, &after->part) ||
               !attr_equal(before->vector, after->vector);
    return ix->projection == PROJECT_ALL || !item_equal(&before->part, &after->part);
}

/* Whether the entry's key is unchanged. */
static bool entry_stays(const struct index_entry *before, const struct index_entry *after)
{
    return before->row.found && after->row.found && span_equal(before->row.key, after->row.key);
}

static void charge_change(struct capacity *used, const struct index *ix,
                          const struct index_entry *before, const struct index_entry *after)
{
    size_t size = after->row.size, larger = before->row.size > size ? before->row.size : size;

    if (entry_stays(before, after)) {
        if (entry_differs(ix, before, after))
            charge_one(used, ix, after->row.key, schema_kind(ix) == KIND_VECTOR ? size : larger);
        return;
    }
    if (before->row.found)
        charge_one(used, ix, before->row.key, before->row.size);
    if (after->row.found)
        charge_one(used, ix, after->row.key, size);
}

/* Adds, removes or moves an entry. */
static const struct error *move_entry(struct call *c, const struct index *ix,
                                      struct index_entry *before, const struct index_entry *after,
                                      const struct store_row *owner)
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

static int64_t spared_by(const struct index *ix, const struct index_entry *e)
{
    return e->row.found ? vector_spared(ix, e->vector) : 0;
}

void index_entries_charge(struct call *c, struct item_write *w, struct capacity *used)
{
    const struct index_entries *entries = entries_of_write(c, w);

    for (size_t i = 0; i < w->table->index_count; i++)
        if (entries[i].covered)
            charge_change(used, &w->table->indexes[i], &entries[i].before, &entries[i].after);
}

int64_t index_entries_local_growth(struct call *c, struct item_write *w)
{
    const struct index_entries *entries = entries_of_write(c, w);
    int64_t growth = 0;

    for (size_t i = 0; i < w->table->index_count; i++)
        if (schema_kind(&w->table->indexes[i]) == KIND_LOCAL)
            growth += (int64_t)entries[i].after.row.size - (int64_t)entries[i].before.row.size;
    return growth;
}

static bool has_indexes(const struct table *t)
{
    return t->index_count != 0;
}

static const struct error *follow_indexes(struct call *c, struct item_write *w)
{
    struct index_entries *entries = entries_of_write(c, w);
    const struct error *e = NULL;

    if (w->used)
        index_entries_charge(c, w, w->used);
    for (size_t i = 0; !e && i < w->table->index_count; i++) {
        const struct index *ix = &w->table->indexes[i];
        struct index_entry *before = &entries[i].before, *after = &entries[i].after;

        if (!entries[i].covered)
            continue;
        if (schema_kind(ix) == KIND_VECTOR) {
            unit_spare(c->unit, ix->space, spared_by(ix, after) - spared_by(ix, before));
            if (before->row.found)
                vectors_note(store_vectors(c->store), ix->space, before->row.key);
            if (after->row.found && !entry_stays(before, after))
                vectors_note(store_vectors(c->store), ix->space, after->row.key);
        }
        if (is_partial(ix) && store_is_shared(c->store) && (e = look_up_entries(c, before, after)))
            return e;
        if (!entry_stays(before, after))
            e = move_entry(c, ix, before, after, w->row);
        else if (before->row.size != after->row.size || unit_body_moved(w->old, w->row))
            e = unit_link(c->unit, &before->row, w->row, after->row.size);
    }
    return e;
}

const struct follower index_entries_follower = {has_indexes, follow_indexes};
