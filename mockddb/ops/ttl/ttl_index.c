#include "ops/ttl/ttl_index.h"

#include "base/damaged.h"
#include "model/item_codec.h"
#include "ops/follower.h"
#include "ops/table/table_backfill.h"
#include "ops/table/table_state.h"

#define SECOND_LEN 8

/* A slice of the backfill ends at either limit. */
#define SLICE_ITEMS 250
#define SLICE_BYTES ((size_t)512 * 1024)

/* Numbers with more digits are usually milliseconds. As seconds they are too far in the future to
 * matter. */
#define MOST_DIGITS 12

/* --- entries ---------------------------------------------------------------------------------- */

/* Reads the whole seconds of an item's time to live; false if the item never expires. */
static bool second_of(const struct table *t, const struct item *it, uint64_t *second)
{
    const struct attr *value = it ? item_find(it, t->ttl_attribute) : NULL;
    struct num n;

    if (!value || value->type != ATTR_N)
        return false;
    n = num_of(value->bytes);
    if (n.negative || n.exponent < 1 || n.exponent > MOST_DIGITS)
        return false;
    *second = 0;
    for (int i = 0; i < n.exponent; i++)
        *second = *second * 10 + (i < n.digits ? n.digit[i] : 0);
    return true;
}

static void add_entry_key(struct buf *out, const struct table *t, uint64_t second,
                          struct span item_key)
{
    key_of_space(out, t->ttl_space);
    buf_add_big_endian(out, second, SECOND_LEN);
    buf_add_span(out, span_from(item_key, KEY_SPACE_LEN));
}

static struct span entry_key(struct call *c, const struct table *t, uint64_t second,
                             struct span item_key)
{
    struct buf key = buf_in(c->arena);

    add_entry_key(&key, t, second, item_key);
    return buf_span(&key);
}

/* Whether the backfill has passed the item. */
static bool is_passed(const struct table *t, struct span item_key)
{
    return t->ttl_backfilled || span_compare(item_key, t->ttl_position) <= 0;
}

int64_t ttl_index_lag_ms(const struct settings *s)
{
    if (!s->ttl_sweep_ms || s->read_only)
        return 0;
    return s->ttl_sweep_ms > LIMIT_SECOND_MS ? s->ttl_sweep_ms : LIMIT_SECOND_MS;
}

static int64_t due_ms(const struct call *c, uint64_t second)
{
    return (int64_t)second * LIMIT_SECOND_MS + ttl_index_lag_ms(c->settings);
}

static void wake_expiry(struct call *c, uint64_t second)
{
    if (c->settings->ttl_sweep_ms)
        op_wake(c, WAKE_EXPIRE, due_ms(c, second));
}

/* In a shared store, each write keeps the entry of its item, and looks whether it is there as long
 * as the backfill is not complete. */
static bool is_unknown(const struct call *c, const struct table *t)
{
    return !t->ttl_backfilled && store_is_shared(c->store);
}

static const struct error *put_entry(struct call *c, const struct table *t, uint64_t second,
                                     const struct store_row *owner)
{
    struct store_row entry = {.key = entry_key(c, t, second, owner->key)};
    const struct error *e;

    wake_expiry(c, second);
    if (is_unknown(c, t) && (e = unit_get(c->unit, entry.key, &entry)))
        return e;
    return unit_link(c->unit, &entry, owner, 0);
}

/* --- upkeep ----------------------------------------------------------------------------------- */

static bool has_order(const struct table *t)
{
    return t->ttl_space != 0;
}

static const struct error *follow_time(struct call *c, struct item_write *w)
{
    const struct table *t = w->table;
    const struct store_row *owner = w->row;
    uint64_t was = 0, is = 0;
    bool had = second_of(t, w->before.item, &was), has = second_of(t, w->after.item, &is);
    struct store_row entry = {.found = true};
    const struct error *e;

    if (!is_passed(t, owner->key) && !is_unknown(c, t))
        return NULL; /* the backfill will add the entry */
    if (had && has && was == is && !unit_body_moved(w->old, owner))
        return NULL;
    if (had) {
        entry.key = entry_key(c, t, was, owner->key);
        if (is_unknown(c, t) && (e = unit_get(c->unit, entry.key, &entry)))
            return e;
        if (entry.found && (e = unit_unlink(c->unit, &entry)))
            return e;
    }
    return has ? put_entry(c, t, is, owner) : NULL;
}

const struct follower ttl_index_follower = {has_order, follow_time};

bool ttl_index_covers(struct buf *out, const struct table *t, const struct item *it,
                      struct span item_key)
{
    uint64_t second;

    if (!t->ttl_space || !is_passed(t, item_key) || !second_of(t, it, &second))
        return false;
    add_entry_key(out, t, second, item_key);
    return true;
}

bool ttl_index_needs_backfill(const struct table *t)
{
    return t->ttl_attribute.len && !t->ttl_backfilled && !t->restore.filling &&
           t->status != STATUS_DELETING;
}

/* An empty table needs no backfill, unless other processes may be writing to it. */
static const struct error *give_space(struct call *c, struct table *draft)
{
    bool empty, known;
    const struct error *e;

    draft->ttl_position = (struct span){NULL, 0};
    if ((e = unit_is_empty(c->unit, draft->space, &empty)) ||
        (e = unit_new_space(c->unit, 0, &draft->ttl_space)) ||
        (e = unit_knows_space(c->unit, draft->ttl_space, &known)))
        return e;
    draft->ttl_backfilled = empty && known;
    return NULL;
}

const struct error *ttl_index_enable(struct call *c, struct table *draft, struct span attribute)
{
    draft->ttl_attribute = arena_span(draft->arena, attribute);
    return give_space(c, draft);
}

const struct error *ttl_index_disable(struct call *c, struct table *draft)
{
    uint32_t space = draft->ttl_space;

    draft->ttl_attribute = draft->ttl_position = (struct span){NULL, 0};
    draft->ttl_space = 0;
    draft->ttl_backfilled = false;
    return space ? op_wake_drop_space(c, space) : NULL;
}

bool ttl_index_expires(const struct table *t)
{
    return t->ttl_space && t->status != STATUS_CREATING && t->status != STATUS_DELETING;
}

/* --- backfill --------------------------------------------------------------------------------- */

struct ttl_slice {
    struct backfill_place places[SLICE_ITEMS];
    uint64_t seconds[SLICE_ITEMS];
    size_t count;
    struct buf last; /* key of the last item read */
    bool end;        /* no items are left */
};

static const struct error *read_items(struct call *c, const struct table *t, struct cursor *cursor,
                                      struct ttl_slice *slice)
{
    size_t items = 0, bytes = 0;

    while (items < SLICE_ITEMS && bytes < SLICE_BYTES) {
        struct store_row row;
        struct item it;
        uint64_t second;
        const struct error *e = cursor_next(cursor, &row);

        if (e)
            return e;
        slice->end = !row.found;
        if (!row.found)
            return NULL;
        items++;
        bytes += row.body.len;
        slice->last.len = 0;
        buf_add_span(&slice->last, row.key);
        it = item_decode_only(c->arena, row.body, &t->ttl_attribute, 1);
        if (!second_of(t, &it, &second))
            continue;
        row.key = arena_span(c->arena, row.key);
        slice->places[slice->count] = (struct backfill_place){
            .entry.key = entry_key(c, t, second, row.key), .owner = row};
        slice->seconds[slice->count++] = second;
    }
    return NULL;
}

static const struct error *read_slice(struct call *c, const struct table *t,
                                      struct ttl_slice *slice)
{
    struct cursor *cursor = cursor_open(c->unit,
                                        cursor_range_behind(c->arena, t->space, t->ttl_position));
    const struct error *e;

    slice->last = buf_in(c->arena);
    e = read_items(c, t, cursor, slice);
    cursor_close(cursor);
    return e;
}

const struct error *ttl_index_backfill(struct call *c, struct span name)
{
    const struct table *old = op_region_table(c, name);
    const struct error *e;
    struct table *t;
    struct ttl_slice *slice;

    if (!old || !ttl_index_needs_backfill(old))
        return NULL;
    t = schema_copy(c->arena, old);
    slice = arena_alloc(c->arena, sizeof *slice);
    if (!t->ttl_space)
        return (e = give_space(c, t)) ? e : table_state_keep(c, t);
    if ((e = read_slice(c, t, slice)) ||
        (e = table_backfill_look_up(c, slice->places, slice->count)))
        return e;
    for (size_t i = 0; i < slice->count; i++) {
        wake_expiry(c, slice->seconds[i]);
        if (!slice->places[i].is_kept &&
            (e = unit_link(c->unit, &slice->places[i].entry, &slice->places[i].owner, 0)))
            return e;
    }
    t->ttl_backfilled = slice->end;
    t->ttl_position = slice->end ? (struct span){NULL, 0}
                                 : arena_span(t->arena, buf_span(&slice->last));
    return table_state_keep(c, t);
}

/* --- reading ---------------------------------------------------------------------------------- */

struct store_range ttl_index_range(struct call *c, const struct table *t)
{
    int64_t now = clock_now_ms(c->clock) / LIMIT_SECOND_MS, oldest = now - LIMIT_TTL_AGE_SECONDS;
    struct store_range range = cursor_range(c->arena, t->ttl_space);
    struct buf low = buf_in(c->arena);

    key_of_space(&low, t->ttl_space);
    buf_add_big_endian(&low, oldest > 0 ? (uint64_t)oldest : 0, SECOND_LEN);
    range.low = buf_span(&low);
    range.keys_only = true;
    return range;
}

int64_t ttl_index_due_ms(const struct call *c, struct span entry)
{
    return due_ms(c, damaged_big_endian(entry, KEY_SPACE_LEN, SECOND_LEN));
}

struct span ttl_index_item_key(struct call *c, const struct table *t, struct span entry)
{
    struct buf key = buf_in(c->arena);

    key_of_space(&key, t->space);
    buf_add_span(&key, damaged_from(entry, KEY_SPACE_LEN + SECOND_LEN));
    return buf_span(&key);
}
