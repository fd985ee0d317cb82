#include "ops/transfer/export_state.h"

#include "base/ascii.h"
#include "ops/backup/recovery_log.h"

#include <stdio.h>

/* A slice of the log ends at either limit. */
#define SLICE_CHANGES 150
#define SLICE_BYTES   ((size_t)512 * 1024)

/* --- the log ---------------------------------------------------------------------------------- */

const struct error *export_state_begin(struct call *c, const struct table *t, bool latest,
                                       struct task *task)
{
    const struct error *e = unit_new_space(c->unit, 0, &task->space);

    if (e)
        return e;
    task->table_space = t->space;
    task->log_space = t->recovery.space;
    task->log_end = recovery_log_end(c, t->recovery.space);
    if (latest)
        task->log_position = task->log_end;
    return recovery_log_hold(c, task->log_space, task->space);
}

const struct error *export_state_end(struct call *c, const struct task *task)
{
    const struct error *e = recovery_log_release(c, task->log_space, task->space);

    return e ? e : op_wake_drop_space(c, task->space);
}

/* An item that was changed in the window: the time of its last change, and the item before and
 * after the window. The latter may not be known yet. Stored as a line followed by both items. */
struct window_image {
    bool there, known;
    struct span item;
};

struct window_entry {
    int64_t changed_ms;
    struct window_image old, new;
};

static struct span encode_entry(struct call *c, const struct window_entry *w)
{
    struct buf out = buf_in(c->arena);

    buf_printf(&out, "%lld %d %d %d %zu\n", (long long)w->changed_ms, w->old.there, w->new.there,
               w->new.known, w->old.item.len);
    buf_add_span(&out, w->old.item);
    buf_add_span(&out, w->new.item);
    return buf_span(&out);
}

static int64_t take_number(struct span *text)
{
    int64_t number = 0;

    while (text->len && ascii_is_digit(text->at[0])) {
        number = number < INT64_MAX / 100 ? number * 10 + (text->at[0] - '0') : number;
        *text = span_from(*text, 1);
    }
    *text = span_from(*text, text->len > 0);
    return number;
}

static struct window_entry decode_entry(struct span text)
{
    struct window_entry w = {.changed_ms = take_number(&text)};
    size_t old_len;

    w.old.there = take_number(&text);
    w.old.known = true;
    w.new.there = take_number(&text);
    w.new.known = take_number(&text);
    old_len = (size_t)take_number(&text);
    if (old_len > text.len) /* the file is damaged */
        old_len = text.len;
    w.old.item = (struct span){text.at, old_len};
    w.new.item = span_from(text, old_len);
    return w;
}

static struct window_image image_before(const struct recovery_change *change)
{
    return (struct window_image){
        .there = change->had_item,
        .known = true,
        .item = change->had_item ? change->item : (struct span){"", 0},
    };
}

size_t export_state_kept(const struct task *task, const struct store_row *row, struct span items[2])
{
    size_t count = 0;
    struct window_entry w;

    if (!task->from_ms) {
        items[0] = row->body;
        return !span_is(row->body, "-");
    }
    w = decode_entry(row->body);
    if (w.old.there)
        items[count++] = w.old.item;
    if (w.new.there)
        items[count++] = w.new.item;
    return count;
}

static struct span key_in(struct call *c, uint32_t space, struct span rest)
{
    struct buf key = buf_in(c->arena);

    key_of_space(&key, space);
    buf_add_span(&key, rest);
    return buf_span(&key);
}

static const struct error *find_entry(struct call *c, const struct task *task, struct span item_key,
                                      struct store_row *row)
{
    return unit_get(c->unit, key_in(c, task->space, item_key), row);
}

/* Records a change in the window of an incremental export. */
static const struct error *note_change(struct call *c, const struct task *task,
                                       const struct recovery_change *change)
{
    struct window_entry w = {.old = image_before(change)};
    struct store_row row;
    const struct error *e = find_entry(c, task, change->item_key, &row);

    if (e)
        return e;
    if (row.found)
        w = decode_entry(row.body);
    w.changed_ms = change->ms;
    return unit_put(c->unit, &row, row.found ? row.size : change->size, encode_entry(c, &w));
}

/* Records a change after the moment: the first one has the item of the moment. */
static const struct error *note_after(struct call *c, const struct task *task,
                                      const struct recovery_change *change)
{
    struct store_row row;
    struct window_entry w;
    const struct error *e = find_entry(c, task, change->item_key, &row);

    if (e)
        return e;
    if (!task->from_ms)
        return row.found ? NULL : unit_put(c->unit, &row, change->size, change->item);
    if (!row.found)
        return NULL;
    w = decode_entry(row.body);
    if (w.new.known)
        return NULL;
    w.new = image_before(change);
    return unit_put(c->unit, &row, row.size + change->size, encode_entry(c, &w));
}

static bool is_after(const struct task *task, const struct store_row *row, int64_t ms)
{
    if (span_compare(row->key, task->log_end) >= 0)
        return true;
    return task->from_ms ? ms >= task->moment_ms : ms > task->moment_ms;
}

static const struct error *note_row(struct call *c, const struct task *task,
                                    const struct store_row *row)
{
    struct recovery_change change = recovery_log_read(row);

    if (is_after(task, row, change.ms))
        return note_after(c, task, &change);
    return task->from_ms && change.ms >= task->from_ms ? note_change(c, task, &change) : NULL;
}

static const struct error *follow_slice(struct call *c, struct task *task, struct cursor *cursor,
                                        bool *more)
{
    size_t bytes = 0;

    for (int count = 0; count < SLICE_CHANGES && bytes < SLICE_BYTES; count++) {
        struct store_row row;
        const struct error *e = cursor_next(cursor, &row);

        *more = !e && row.found;
        if (!*more)
            return e;
        row.key = arena_span(c->arena, row.key);
        row.body = arena_span(c->arena, row.body);
        if ((e = note_row(c, task, &row)))
            return e;
        task->log_position = row.key;
        bytes += row.body.len;
    }
    return NULL;
}

const struct error *export_state_follow(struct call *c, struct task *task, bool *more)
{
    struct cursor *cursor = cursor_open(
        c->unit, cursor_range_behind(c->arena, task->log_space, task->log_position));
    const struct error *e;

    *more = false;
    e = follow_slice(c, task, cursor, more);
    cursor_close(cursor);
    return e;
}

/* --- reading items ---------------------------------------------------------------------------- */

/* One of two ranges with the same order: current items, and items that have changed since. */
struct export_side {
    struct cursor *cursor; /* NULL: this side is not read */
    struct store_row row;
    struct span key; /* of the row, without its space; len 0: at the end */
};

struct export_entries {
    struct call *call;
    const struct task *task;
    struct export_side table, changed;
};

static const struct error *step_side(struct export_side *s)
{
    const struct error *e = cursor_next(s->cursor, &s->row);

    s->key = !e && s->row.found ? span_from(s->row.key, KEY_SPACE_LEN) : (struct span){NULL, 0};
    return e;
}

/* Moves the range to another space; it starts behind position. */
static struct store_range in_space(struct call *c, uint32_t space, const struct store_range *range,
                                   struct span position)
{
    struct store_range own = cursor_range(c->arena, space);

    if (position.len)
        own.low = cursor_key_behind(c->arena, key_in(c, space, position));
    else if (range->low.len > KEY_SPACE_LEN)
        own.low = key_in(c, space, span_from(range->low, KEY_SPACE_LEN));
    if (range->high.len > KEY_SPACE_LEN)
        own.high = key_in(c, space, span_from(range->high, KEY_SPACE_LEN));
    return own;
}

static const struct error *open_side(struct call *c, uint32_t space,
                                     const struct store_range *range, struct span position,
                                     struct export_side *s)
{
    s->cursor = cursor_open(c->unit, in_space(c, space, range, position));
    return step_side(s);
}

const struct error *export_state_open(struct call *c, const struct task *task,
                                      const struct store_range *range, struct span position,
                                      struct export_entries **out)
{
    struct export_entries *all = arena_alloc(c->arena, sizeof *all);
    const struct error *e = NULL;

    all->call = c;
    all->task = task;
    *out = all;
    if (!task->from_ms)
        e = open_side(c, task->table_space, range, position, &all->table);
    return e ? e : open_side(c, task->space, range, position, &all->changed);
}

void export_state_close(struct export_entries *all)
{
    cursor_close(all->table.cursor);
    cursor_close(all->changed.cursor);
}

/* The side's current row as an entry. Key and item are copied, since the side moves on. */
static struct export_entry entry_of(struct export_entries *all, const struct export_side *s)
{
    bool had_item = !span_is(s->row.body, "-");

    return (struct export_entry){
        .key = arena_span(all->call->arena, s->key),
        .item = had_item ? arena_span(all->call->arena, s->row.body) : (struct span){"", 0},
        .size = had_item ? s->row.size : 0,
    };
}

/* Merges both sides by key. If a key is in both, the item from `changed` counts. */
static const struct error *next_item(struct export_entries *all, struct export_entry *out,
                                     bool *found)
{
    struct export_side *now = &all->table, *was = &all->changed;
    const struct error *e = NULL;
    int order;

    *found = now->key.len || was->key.len;
    if (!*found)
        return NULL;
    order = !was->key.len ? -1 : !now->key.len ? 1 : span_compare(now->key, was->key);
    *out = entry_of(all, order < 0 ? now : was);
    if (order <= 0)
        e = step_side(now);
    return e || order < 0 ? e : step_side(was);
}

/* An item that has not changed after the window has its current value. */
static const struct error *complete_entry(struct export_entries *all, struct span key,
                                          struct window_entry *w, size_t *size)
{
    struct call *c = all->call;
    struct store_row row;
    const struct error *e;

    if (w->new.known)
        return NULL;
    if ((e = unit_get(c->unit, key_in(c, all->task->table_space, key), &row)))
        return e;
    w->new = (struct window_image){.there = row.found, .known = true, .item = row.body};
    *size += row.found ? row.size : 0;
    return NULL;
}

static const struct error *next_change(struct export_entries *all, struct export_entry *out,
                                       bool *found)
{
    struct window_entry w;
    const struct error *e;

    *found = all->changed.key.len != 0;
    if (!*found)
        return NULL;
    *out = entry_of(all, &all->changed);
    w = decode_entry(out->item);
    if ((e = complete_entry(all, out->key, &w, &out->size)))
        return e;
    out->changed_ms = w.changed_ms;
    out->item = w.new.there ? w.new.item : (struct span){"", 0};
    out->old_item = w.old.there ? w.old.item : (struct span){"", 0};
    return step_side(&all->changed);
}

const struct error *export_state_next(struct export_entries *all, struct export_entry *out,
                                      bool *found)
{
    return all->task->from_ms ? next_change(all, out, found) : next_item(all, out, found);
}
