#include "jobs/job_expiry.h"

#include "model/item_codec.h"
#include "model/key.h"
#include "ops/change.h"
#include "ops/op_unit.h"
#include "ops/table/table_state.h"
#include "store/cursor.h"

#include <stdlib.h>

/* A slice ends after so many items read, or so many found expired. */
#define SLICE_ITEMS   500
#define SLICE_EXPIRED 100

#define SECONDS_PER_YEAR ((int64_t)365 * 24 * 3600)
#define YEARS_LOOKED_AT  5

/* Bytes that outlive a request. */
struct kept {
    char *at;
    size_t len, cap;
};

struct sweep {
    bool under_way;
    int64_t next_ms;      /* when the next sweep begins */
    struct kept table;    /* name of the table at hand, or of the last that is done */
    struct kept position; /* key of the last item read in it; empty: the next table's turn */
};

struct sweep *sweep_new(int64_t first_ms)
{
    struct sweep *s = calloc(1, sizeof *s);

    if (!s)
        out_of_memory();
    s->next_ms = first_ms;
    return s;
}

void sweep_free(struct sweep *s)
{
    if (!s)
        return;
    free(s->table.at);
    free(s->position.at);
    free(s);
}

static void keep(struct kept *k, struct span bytes)
{
    if (k->cap < bytes.len) {
        char *at = realloc(k->at, bytes.len);

        if (!at)
            out_of_memory();
        k->at = at;
        k->cap = bytes.len;
    }
    if (bytes.len)
        memcpy(k->at, bytes.at, bytes.len);
    k->len = bytes.len;
}

static struct span kept_span(const struct kept *k)
{
    return (struct span){k->at, k->len};
}

/* --- expiry ----------------------------------------------------------------------------------- */

/* Expired are: floor ≤ value < now. */
struct bounds {
    struct num floor, now;
};

static struct num num_of_integer(struct arena *a, int64_t value)
{
    return num_of(span_of(arena_printf(a, "%lld", (long long)value)));
}

static struct bounds bounds_now(struct call *c)
{
    int64_t now = clock_now_ms(c->clock) / 1000;

    return (struct bounds){num_of_integer(c->arena, now - YEARS_LOOKED_AT * SECONDS_PER_YEAR),
                           num_of_integer(c->arena, now)};
}

static bool is_expired(const struct item *it, struct span attribute, const struct bounds *bounds)
{
    const struct attr *value = item_find(it, attribute);
    struct num n;

    if (!value || value->type != ATTR_N)
        return false;
    n = num_of(value->bytes);
    return num_compare(&n, &bounds->now) < 0 && num_compare(&n, &bounds->floor) >= 0;
}

/* --- one slice -------------------------------------------------------------------------------- */

struct slice {
    struct item expired[SLICE_EXPIRED];
    size_t count;
    struct buf last; /* key of the last item read */
    bool end;
};

static const struct error *read_items(struct call *c, const struct table *t, struct cursor *cursor,
                                      struct slice *slice)
{
    struct bounds bounds = bounds_now(c);

    for (size_t i = 0; i < SLICE_ITEMS && slice->count < SLICE_EXPIRED; i++) {
        struct store_row row;
        const struct error *e = cursor_next(cursor, &row);
        struct item it;

        if (e)
            return e;
        slice->end = !row.found;
        if (!row.found)
            break;
        slice->last.len = 0;
        buf_add_span(&slice->last, row.key);
        it = item_decode_only(c->arena, row.body, &t->ttl_attribute, 1);
        if (!is_expired(&it, t->ttl_attribute, &bounds))
            continue;
        it = item_decode(c->arena, arena_span(c->arena, row.body));
        slice->expired[slice->count++] = schema_key_of(c->arena, t, &it);
    }
    return NULL;
}

static const struct error *read_slice(struct call *c, const struct table *t, struct span position,
                                      struct slice *slice)
{
    struct buf low = buf_in(c->arena), high = buf_in(c->arena);
    struct store_range range;
    struct cursor *cursor;
    const struct error *e;

    key_of_space(&low, t->space);
    key_of_space(&high, t->space + 1);
    if (span_starts_with(position, buf_span(&low))) { /* not of a table that was replaced */
        low.len = 0;
        buf_add_span(&low, position);
        buf_add_char(&low, '\0');
    }
    range = (struct store_range){.low = buf_span(&low), .high = buf_span(&high)};
    if ((e = cursor_open(c->unit, &range, &cursor)))
        return e;
    e = read_items(c, t, cursor, slice);
    cursor_close(cursor);
    return e;
}

/* A table and a slice of it. */
struct work {
    struct sweep *sweep;
    const struct table *table;
    struct slice *slice;
};

static const struct error *delete_expired(struct call *c, void *data)
{
    const struct work *w = data;

    for (size_t i = 0; i < w->slice->count; i++) {
        const struct error *e;
        struct change change;

        if ((e = change_begin(c, w->table, &w->slice->expired[i], &change)))
            return e;
        change.expired = true;
        if ((e = change_delete(c, &change, NULL)))
            return e;
    }
    return NULL;
}

static const struct error *sweep_table(struct call *c, void *data)
{
    struct work *w = data;
    struct slice *slice = w->slice = arena_alloc(c->arena, sizeof *slice);
    struct kept *position = &w->sweep->position;
    const struct error *e;

    slice->last = buf_in(c->arena);
    if ((e = read_slice(c, w->table, kept_span(position), slice)) ||
        (slice->count && (e = op_in_unit(c, UNIT_WRITES, delete_expired, w))))
        return e;
    keep(position, slice->end ? (struct span){NULL, 0} : buf_span(&slice->last));
    return NULL;
}

/* --- which table ------------------------------------------------------------------------------ */

static bool has_ttl(const struct table *t)
{
    return t->ttl_attribute.len && t->status != STATUS_CREATING && t->status != STATUS_DELETING;
}

/* The table at hand, or the next that has a TTL attribute; NULL when all are done. */
static const struct table *table_at_hand(struct call *c, struct sweep *s)
{
    struct span name = kept_span(&s->table);
    const struct table *t = s->position.len ? store_table(c->store, name) : NULL;

    if (t && has_ttl(t))
        return t;
    s->position.len = 0;
    t = store_table_after(c->store, name);
    while (t && !has_ttl(t))
        t = store_table_after(c->store, t->name);
    if (t)
        keep(&s->table, t->name);
    return t;
}

static bool is_time(struct call *c, struct sweep *s)
{
    int64_t now = clock_now_ms(c->clock), interval = c->settings->ttl_sweep_ms;

    if (!s->under_way) /* and where the clock was put back */
        s->under_way = now >= s->next_ms || s->next_ms - now > interval;
    return s->under_way && interval;
}

bool sweep_step(struct call *c, struct sweep *s)
{
    struct work w = {.sweep = s};

    if (!is_time(c, s))
        return false;
    w.table = table_at_hand(c, s);
    if (w.table && !op_in_unit(c, UNIT_READS, sweep_table, &w)) /* else the store has said why */
        return true;
    s->under_way = false;
    s->table.len = s->position.len = 0;
    s->next_ms = clock_now_ms(c->clock) + c->settings->ttl_sweep_ms;
    return false;
}
