#include "ops/backup/recovery_log.h"

#include "base/damaged.h"
#include "ops/follower.h"

#define NUMBER_LEN 8
#define TIME_LEN   8
#define HEAD_LEN   (KEY_SPACE_LEN + NUMBER_LEN + TIME_LEN)

/* A slice ends at either limit. */
#define SLICE_CHANGES 150
#define SLICE_BYTES   LIMIT_MB

/* Outdated changes are removed at most this often, so that several go together. */
#define TRIM_WAIT_MS (10 * LIMIT_SECOND_MS)

/* --- entries ---------------------------------------------------------------------------------- */

static struct span entry_key(struct call *c, uint32_t space, uint64_t number, int64_t ms,
                             struct span item_key)
{
    struct buf key = buf_in(c->arena);

    key_of_space(&key, space);
    buf_add_big_endian(&key, number, NUMBER_LEN);
    buf_add_big_endian(&key, (uint64_t)ms, TIME_LEN);
    if (item_key.len)
        buf_add_span(&key, span_from(item_key, KEY_SPACE_LEN));
    return buf_span(&key);
}

static int64_t time_of(const struct store_row *row)
{
    return (int64_t)damaged_big_endian(row->key, KEY_SPACE_LEN + NUMBER_LEN, TIME_LEN);
}

static bool had_item(const struct store_row *row)
{
    return !span_is(row->body, "-");
}

/* When a change made at changed_ms is no longer needed. Requests may give moments in whole seconds,
 * which start up to a second before the earliest moment. */
static int64_t outdated_ms(const struct table *t, int64_t changed_ms)
{
    return changed_ms + t->recovery.days * LIMIT_DAY_MS + LIMIT_SECOND_MS;
}

static bool has_recovery(const struct table *t)
{
    return t->recovery.space != 0;
}

static const struct error *append_change(struct call *c, struct item_write *w)
{
    const struct table *t = w->table;
    const struct store_row *before = w->old;
    int64_t now = clock_now_ms(c->clock);
    struct store_row row = {
        .key = entry_key(c, t->recovery.space, store_next_number(c->store), now, before->key)};
    struct span body = before->found ? before->body : SPAN_LIT("-");

    op_wake(c, WAKE_OUTDATE, outdated_ms(t, now));
    return unit_put(c->unit, &row, before->found ? before->size : 0, body);
}

const struct follower recovery_log_follower = {has_recovery, append_change};

struct span recovery_log_end(struct call *c, uint32_t space)
{
    return entry_key(c, space, store_next_number(c->store), 0, (struct span){NULL, 0});
}

struct span recovery_log_undo_from(struct call *c, uint32_t space)
{
    return store_is_shared(c->store) ? entry_key(c, space, UINT64_MAX, 0, (struct span){NULL, 0})
                                     : recovery_log_end(c, space);
}

/* --- tables and holders that need a log ------------------------------------------------------- */

static bool is_of_table(const struct call *c, uint32_t space, bool restoring,
                        const struct table *except)
{
    for (const struct table *t = NULL; (t = store_table_next(c->arena, c->store, t));)
        if (space == (restoring ? t->restore.log_space : t->recovery.space) &&
            !(except && t->space == except->space))
            return true;
    return false;
}

static struct span hold_key(struct call *c, uint32_t space, uint64_t holder)
{
    struct buf key = buf_in(c->arena);

    key_of_space(&key, KEY_SPACE_LOG_HOLDS);
    buf_add_big_endian(&key, space, KEY_SPACE_LEN);
    buf_add_big_endian(&key, holder, NUMBER_LEN);
    return buf_span(&key);
}

static const struct error *find_hold(struct call *c, uint32_t space, bool *held)
{
    struct store_range range = {
        .low = hold_key(c, space, 0), .high = hold_key(c, space, UINT64_MAX), .keys_only = true};
    struct store_row row = {.found = false};
    struct cursor *cursor;
    const struct error *e;

    cursor = cursor_open(c->unit, range);
    e = cursor_next(cursor, &row);
    *held = row.found;
    cursor_close(cursor);
    return e;
}

const struct error *recovery_log_hold(struct call *c, uint32_t space, uint32_t holder)
{
    struct store_row row = {.key = hold_key(c, space, holder)};

    return unit_put(c->unit, &row, 0, SPAN_LIT("-"));
}

bool recovery_log_is_held(struct call *c, uint32_t space, uint32_t holder)
{
    struct store_row row;

    return !unit_get(c->unit, hold_key(c, space, holder), &row) && row.found;
}

/* Drops a log that its table has given up, unless a restore or a holder still reads it. */
static const struct error *drop_unless_read(struct call *c, uint32_t space,
                                            const struct table *except)
{
    const struct error *e;
    bool held;

    if (is_of_table(c, space, true, except))
        return NULL;
    if ((e = find_hold(c, space, &held)) || held)
        return e;
    return op_wake_drop_space(c, space);
}

const struct error *recovery_log_release(struct call *c, uint32_t space, uint32_t holder)
{
    struct store_row row;
    const struct error *e = unit_get(c->unit, hold_key(c, space, holder), &row);

    if (e || !row.found || (e = unit_delete(c->unit, &row)))
        return e;
    return is_of_table(c, space, false, NULL) ? NULL : drop_unless_read(c, space, NULL);
}

const struct error *recovery_log_drop(struct call *c, uint32_t space)
{
    return drop_unless_read(c, space, NULL);
}

/* --- reading ---------------------------------------------------------------------------------- */

struct recovery_change recovery_log_read(const struct store_row *row)
{
    return (struct recovery_change){
        .ms = time_of(row),
        .item_key = damaged_from(row->key, HEAD_LEN),
        .had_item = had_item(row),
        .size = row->size,
        .item = row->body,
    };
}

/* --- undoing ---------------------------------------------------------------------------------- */

/* Restores the item in the new table to its state before the change. */
static const struct error *undo_change(struct call *c, const struct table *draft,
                                       const struct store_row *change)
{
    struct buf key = buf_in(c->arena);
    struct store_row row;
    const struct error *e;

    if (change->key.len <= HEAD_LEN)
        return NULL; /* no item's key: the file is damaged */
    key_of_space(&key, draft->space);
    buf_add_span(&key, span_from(change->key, HEAD_LEN));
    if ((e = unit_get(c->unit, buf_span(&key), &row)))
        return e;
    if (had_item(change))
        return unit_put(c->unit, &row, change->size, change->body);
    return row.found ? unit_delete(c->unit, &row) : NULL;
}

static const struct error *undo_slice(struct call *c, struct table *draft, struct cursor *cursor,
                                      bool *more)
{
    size_t bytes = 0;

    *more = true;
    for (int count = 0; count < SLICE_CHANGES && bytes < SLICE_BYTES; count++) {
        struct store_row row;
        const struct error *e = cursor_next(cursor, &row);

        *more = !e && row.found && time_of(&row) > draft->restore.moment_ms;
        if (!*more)
            return e;
        row.key = arena_span(c->arena, row.key);
        row.body = arena_span(c->arena, row.body);
        if ((e = undo_change(c, draft, &row)))
            return e;
        bytes += row.body.len;
        draft->restore.log_position = arena_span(draft->arena, row.key);
    }
    return NULL;
}

const struct error *recovery_log_undo(struct call *c, struct table *draft, bool *more)
{
    uint32_t space = draft->restore.log_space;
    struct store_range range = cursor_range(c->arena, space);
    struct cursor *cursor;
    const struct error *e;

    range.high = draft->restore.log_position;
    range.backwards = true;
    cursor = cursor_open(c->unit, range);
    e = undo_slice(c, draft, cursor, more);
    cursor_close(cursor);
    if (e || *more)
        return e;
    draft->restore.log_space = 0;
    return is_of_table(c, space, false, NULL) ? NULL : drop_unless_read(c, space, draft);
}

/* --- trimming --------------------------------------------------------------------------------- */

/* Finds the end of the outdated changes, up to a slice; *end is empty without any. */
static const struct error *find_outdated(struct call *c, const struct table *t,
                                         struct cursor *cursor, struct span *end, bool *more,
                                         int64_t *due_ms)
{
    int64_t now = clock_now_ms(c->clock);
    struct store_row row = {.found = false};
    const struct error *e = NULL;
    struct span last = {NULL, 0};

    *due_ms = INT64_MAX;
    *more = true;
    for (int count = 0; *more && count < SLICE_CHANGES; count++) {
        if ((e = cursor_next(cursor, &row)))
            return e;
        *more = row.found && outdated_ms(t, time_of(&row)) <= now;
        if (*more)
            last = arena_span(c->arena, row.key);
    }
    if (!*more && row.found) {
        *due_ms = outdated_ms(t, time_of(&row));
        if (*due_ms < now + TRIM_WAIT_MS)
            *due_ms = now + TRIM_WAIT_MS;
    }
    *end = last.len ? cursor_key_behind(c->arena, last) : last;
    return NULL;
}

static const struct error *delete_range(struct call *c, void *data)
{
    const struct store_range *range = data;

    return unit_delete_range(c->unit, range->low, range->high);
}

const struct error *recovery_log_trim(struct call *c, const struct table *t, bool *more,
                                      int64_t *due_ms)
{
    uint32_t space = t->recovery.space;
    struct store_range range = cursor_range(c->arena, space);
    struct cursor *cursor;
    const struct error *e;
    struct span end;
    bool held;

    range.keys_only = true;
    cursor = cursor_open(c->unit, range);
    e = find_outdated(c, t, cursor, &end, more, due_ms);
    cursor_close(cursor);
    if (e || !end.len || (e = find_hold(c, space, &held)))
        return e;
    if (held || is_of_table(c, space, true, NULL)) { /* a restore may need the oldest */
        *more = false;
        *due_ms = clock_now_ms(c->clock) + TRIM_WAIT_MS;
        return NULL;
    }
    range.high = end;
    return op_unit_run(c, UNIT_WRITES, delete_range, &range);
}
