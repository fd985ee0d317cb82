#include "ops/global/replication.h"

#include "model/item_codec.h"
#include "ops/change.h"
#include "ops/follower.h"
#include "ops/global/global_group.h"
#include "ops/key_check.h"
#include "store/cursor.h"

#define NUMBER_LEN 8
#define TIME_LEN   8
#define HEAD_LEN   (KEY_SPACE_LEN + NUMBER_LEN)

/* A step ends at either limit. */
#define STEP_ENTRIES 50
#define STEP_BYTES   ((size_t)256 * 1024)

struct replication_entry {
    uint64_t number;
    int64_t at_ms;
    struct span key;    /* of the entry */
    struct span tail;   /* of the item's key */
    struct span region; /* where it was written */
    struct span body;   /* len 0: it was deleted */
};

/* --- entries ---------------------------------------------------------------------------------- */

static struct span region_of(const struct call *c, const struct table *t)
{
    return t->region.len ? t->region : c->settings->region;
}

static struct span log_key(struct call *c, const struct table *t, uint64_t number, struct span tail)
{
    struct buf key = buf_in(c->arena);

    key_of_space(&key, t->global.log_space);
    buf_add_big_endian(&key, number, NUMBER_LEN);
    buf_add_span(&key, tail);
    return buf_span(&key);
}

static struct span latest_key(struct call *c, const struct table *t, struct span region,
                              struct span tail)
{
    struct buf key = buf_in(c->arena);

    key_of_space(&key, t->global.latest_space);
    buf_add_char(&key, (char)region.len);
    buf_add_span(&key, region);
    buf_add_span(&key, tail);
    return buf_span(&key);
}

/* The row may come from a foreign snapshot. An invalid entry gets the number 0. */
static struct replication_entry read_entry(struct call *c, const struct store_row *row)
{
    struct span key = arena_span(c->arena, row->key), body = arena_span(c->arena, row->body);
    struct replication_entry e = {.key = key};

    if (key.len < HEAD_LEN + KEY_PREFIX_LEN - KEY_SPACE_LEN || body.len <= TIME_LEN ||
        body.len <= TIME_LEN + (size_t)(unsigned char)body.at[TIME_LEN])
        return e;
    e.number = span_big_endian((struct span){key.at + KEY_SPACE_LEN, NUMBER_LEN});
    e.tail = span_from(key, HEAD_LEN);
    e.at_ms = (int64_t)span_big_endian((struct span){body.at, TIME_LEN});
    e.region = (struct span){body.at + TIME_LEN + 1, (unsigned char)body.at[TIME_LEN]};
    e.body = span_from(body, TIME_LEN + 1 + e.region.len);
    return e;
}

/* Inserts or replaces a row. */
static const struct error *put_row(struct call *c, struct span key, struct span body)
{
    struct store_row row;
    const struct error *e = unit_get(c->unit, key, &row);

    return e ? e : unit_put(c->unit, &row, body.len, body);
}

static const struct error *remove_row(struct call *c, struct span key)
{
    struct store_row row;
    const struct error *e = unit_get(c->unit, key, &row);

    return e || !row.found ? e : unit_delete(c->unit, &row);
}

/* Finds the number of the region's last entry for the item; 0: the log has no such entry. */
static const struct error *find_latest(struct call *c, const struct table *t, struct span region,
                                       struct span tail, uint64_t *number)
{
    struct store_row row;
    const struct error *e = unit_get(c->unit, latest_key(c, t, region, tail), &row);

    if (!e)
        *number = row.found ? span_big_endian(row.body) : 0;
    return e;
}

static const struct error *append_entry(struct call *c, const struct table *t, struct span tail,
                                        struct span body)
{
    uint64_t number = store_next_number(c->store);
    int64_t now = clock_now_ms(c->clock);
    struct span region = region_of(c, t);
    struct buf text = buf_in(c->arena), last = buf_in(c->arena);
    const struct error *e;

    buf_add_big_endian(&text, (uint64_t)now, TIME_LEN);
    buf_add_char(&text, (char)region.len);
    buf_add_span(&text, region);
    buf_add_span(&text, body);
    buf_add_big_endian(&last, number, NUMBER_LEN);
    op_wake(c, WAKE_REPLICATE, now + c->settings->replica_lag_ms);
    if ((e = put_row(c, log_key(c, t, number, tail), buf_span(&text))))
        return e;
    return put_row(c, latest_key(c, t, region, tail), buf_span(&last));
}

/* --- checking foreign entries ----------------------------------------------------------------- */

/* Whether body is an item of the table; `tail` must be its key without the space. */
static bool is_item(struct call *c, const struct table *t, struct span tail, struct span body)
{
    struct buf key = buf_in(c->arena);
    struct item it;

    if (!item_decode_checked(c->arena, body, &it) || key_check_item(c->arena, t, &it))
        return false;
    key_of_item(&key, t, &it);
    return span_equal(span_from(buf_span(&key), KEY_SPACE_LEN), tail);
}

bool replication_entry_is_sound(struct call *c, const struct table *t, const struct store_row *row)
{
    struct replication_entry e = read_entry(c, row);
    uint64_t latest;

    return e.number && e.at_ms >= 0 && (!e.body.len || is_item(c, t, e.tail, e.body)) &&
           !find_latest(c, t, e.region, e.tail, &latest) && latest >= e.number;
}

bool replication_latest_is_sound(struct call *c, const struct table *t, const struct store_row *row)
{
    struct span key = span_from(row->key, KEY_SPACE_LEN), region;
    struct store_row logged;

    if (row->body.len != NUMBER_LEN || !key.len || key.len <= (size_t)(unsigned char)key.at[0])
        return false;
    region = (struct span){key.at + 1, (unsigned char)key.at[0]};
    if (unit_get(c->unit, log_key(c, t, span_big_endian(row->body), span_from(key, 1 + region.len)),
                 &logged) ||
        !logged.found)
        return false;
    return span_equal(read_entry(c, &logged).region, region);
}

/* --- arriving --------------------------------------------------------------------------------- */

/* The table of a region of the group, or NULL. */
static const struct table *member_table(struct call *c, const struct table *t, struct span region)
{
    const struct table *there;

    if (!span_equal(region, region_of(c, t)))
        return global_group_table(c, t, region);
    there = store_table(c->store, schema_id(c->arena, t->region, t->name));
    return there && there->global.log_space == t->global.log_space ? there : NULL;
}

/* The group's i-th region, the table's own first; false after the last. */
static bool region_at(const struct call *c, const struct table *t, size_t i, struct span *out)
{
    if (i > t->global.replica_count)
        return false;
    *out = i ? t->global.replicas[i - 1].region : region_of(c, t);
    return true;
}

static const struct error *write_item(struct call *c, const struct table *there, struct span tail,
                                      struct span body)
{
    struct buf key = buf_in(c->arena);
    const struct error *e;
    struct change change;
    struct item it;

    key_of_space(&key, there->space);
    buf_add_span(&key, tail);
    if ((e = change_begin_at(c, there, buf_span(&key), &change)))
        return e;
    change.replicated = true;
    if (!body.len)
        return change_delete(c, &change, NULL);
    return item_decode_checked(c->arena, body, &it) ? change_put(c, &change, &it, NULL) : NULL;
}

static const struct error *write_replica(struct call *c, const struct table *there,
                                         struct span tail, struct span body)
{
    struct span here = c->region;
    const struct error *e;

    c->region = arena_span(c->arena, there->region);
    e = write_item(c, there, tail, body);
    c->region = here;
    return e;
}

/* Writes an item to all regions except `from`, where it was written. */
static const struct error *write_others(struct call *c, const struct table *t, struct span from,
                                        struct span tail, struct span body, uint64_t number)
{
    struct span region;

    for (size_t i = 0; region_at(c, t, i, &region); i++) {
        const struct table *there = member_table(c, t, region);
        const struct error *e;
        uint64_t latest = 0;

        if (span_equal(region, from) || !there || there->status == STATUS_DELETING)
            continue;
        if (number && (e = find_latest(c, t, region, tail, &latest)))
            return e;
        if (latest <= number && (e = write_replica(c, there, tail, body)))
            return e;
    }
    return NULL;
}

static bool has_log(const struct table *t)
{
    return t->global.log_space != 0;
}

/* Only what clients write goes to other regions. */
static const struct error *follow_write(struct call *c, struct item_write *w)
{
    const struct table *t = w->table;
    struct span tail = span_from(w->old->key, KEY_SPACE_LEN);
    struct span body = w->after.item ? w->after.body : (struct span){"", 0};

    if (w->replicated || w->expired)
        return NULL;
    if (t->global.strong)
        return write_others(c, t, region_of(c, t), tail, body, 0);
    return append_entry(c, t, tail, body);
}

const struct follower replication_follower = {has_log, follow_write};

/* --- steps ------------------------------------------------------------------------------------ */

struct replication_batch {
    struct replication_entry at[STEP_ENTRIES];
    size_t count, bytes;
    int64_t next_ms; /* when the next entry is due; 0: no more entries */
};

/* Reads the oldest entries written until until_ms. */
static const struct error *read_batch(struct call *c, const struct table *t, int64_t until_ms,
                                      struct replication_batch *b)
{
    struct cursor *cursor = cursor_open(c->unit, cursor_range(c->arena, t->global.log_space));
    const struct error *e;
    struct store_row row;

    while (!(e = cursor_next(cursor, &row)) && row.found) {
        struct replication_entry entry = read_entry(c, &row);

        if (entry.at_ms > until_ms || b->count == STEP_ENTRIES || b->bytes >= STEP_BYTES) {
            b->next_ms = entry.at_ms + c->settings->replica_lag_ms;
            break;
        }
        b->at[b->count++] = entry;
        b->bytes += row.body.len;
    }
    cursor_close(cursor);
    return e;
}

static const struct error *deliver_entry(struct call *c, const struct table *t,
                                         const struct replication_entry *entry)
{
    const struct error *e;
    uint64_t latest;

    if (!entry->number)
        return remove_row(c, entry->key);
    if ((e = write_others(c, t, entry->region, entry->tail, entry->body, entry->number)) ||
        (e = remove_row(c, entry->key)) ||
        (e = find_latest(c, t, entry->region, entry->tail, &latest)) || latest != entry->number)
        return e;
    return remove_row(c, latest_key(c, t, entry->region, entry->tail));
}

static const struct error *take_until(struct call *c, const struct table *t, int64_t until_ms,
                                      struct replication_batch *b)
{
    const struct error *e = read_batch(c, t, until_ms, b);

    for (size_t i = 0; !e && i < b->count; i++)
        e = deliver_entry(c, t, &b->at[i]);
    return e;
}

const struct error *replication_step(struct call *c, const struct table *t, bool *more,
                                     int64_t *due_ms)
{
    struct replication_batch *b = arena_alloc(c->arena, sizeof *b);
    int64_t now = clock_now_ms(c->clock);
    const struct error *e;
    struct span region;

    *more = false;
    *due_ms = 0;
    for (size_t i = 0; region_at(c, t, i, &region); i++) {
        const struct table *there = member_table(c, t, region);

        if (there && there->status == STATUS_CREATING)
            return NULL;
    }
    e = take_until(c, t, now - c->settings->replica_lag_ms, b);
    *more = b->next_ms && b->next_ms <= now;
    *due_ms = b->next_ms;
    return e;
}

const struct error *replication_finish(struct call *c, const struct table *t)
{
    const struct error *e = NULL;

    for (bool more = true; more && !e;) {
        struct replication_batch *b = arena_alloc(c->arena, sizeof *b);

        e = take_until(c, t, INT64_MAX, b);
        more = b->count > 0;
    }
    return e;
}
