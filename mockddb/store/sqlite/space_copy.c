#include "store/sqlite/sql_store.h"

#include <stdlib.h>

#define SLICE_ENTRIES 300 /* takes about a millisecond */

/* The progress of a copy, in its own memory. */
struct space_progress {
    bool under_way;
    char *position;  /* all keys up to here are copied */
    size_t len, cap; /* len 0: none */
};

/* Like the counts of spaces, the progress has three generations: now, after the last kept unit,
 * after the last flush. In the store a copy is an entry of KEY_SPACE_COPIES. */
struct space_copy {
    struct space_copy *next; /* of the store's list, ordered by `to` */
    uint32_t from, to;
    int64_t end_id; /* entries whose bodies have this id, or a later one, were added after the
                       beginning */
    struct space_progress now, kept, flushed;
};

/* --- progress --------------------------------------------------------------------------------- */

static void move_to(struct space_progress *p, struct span key)
{
    if (p->cap < key.len) {
        p->position = process_realloc(p->position, key.len);
        p->cap = key.len;
    }
    if (key.len)
        memcpy(p->position, key.at, key.len);
    p->len = key.len;
}

static struct span position_of(const struct space_progress *p)
{
    return (struct span){p->position, p->len};
}

static void set_progress(struct space_progress *to, const struct space_progress *from)
{
    move_to(to, position_of(from));
    to->under_way = from->under_way;
}

static void free_copy(struct space_copy *c)
{
    free(c->now.position);
    free(c->kept.position);
    free(c->flushed.position);
    free(c);
}

/* Frees copies that have ended in every generation. */
static void forget_ended(struct store *s)
{
    for (struct space_copy **at = &s->copies; *at;) {
        struct space_copy *c = *at;

        if (c->now.under_way || c->kept.under_way || c->flushed.under_way) {
            at = &c->next;
            continue;
        }
        *at = c->next;
        free_copy(c);
    }
}

void store_keep_copies(struct store *s)
{
    for (struct space_copy *c = s->copies; c; c = c->next)
        set_progress(&c->kept, &c->now);
}

void store_undo_copies(struct store *s)
{
    for (struct space_copy *c = s->copies; c; c = c->next)
        set_progress(&c->now, &c->kept);
    forget_ended(s);
}

void store_flush_copies(struct store *s)
{
    for (struct space_copy *c = s->copies; c; c = c->next)
        set_progress(&c->flushed, &c->kept);
    forget_ended(s);
}

void store_rewind_copies(struct store *s)
{
    for (struct space_copy *c = s->copies; c; c = c->next) {
        set_progress(&c->kept, &c->flushed);
        set_progress(&c->now, &c->flushed);
    }
    forget_ended(s);
}

void store_free_copies(struct store *s)
{
    while (s->copies) {
        struct space_copy *c = s->copies;

        s->copies = c->next;
        free_copy(c);
    }
}

/* --- the list --------------------------------------------------------------------------------- */

static struct space_copy *find_copy(const struct store *s, uint32_t to)
{
    for (struct space_copy *c = s->copies; c; c = c->next)
        if (c->to == to && c->now.under_way)
            return c;
    return NULL;
}

static struct space_copy *add_copy(struct store *s, uint32_t from, uint32_t to, int64_t end_id)
{
    struct space_copy **at = &s->copies, *c = process_zeroed(sizeof *c);

    while (*at && (*at)->to < to)
        at = &(*at)->next;
    *c = (struct space_copy){.next = *at, .from = from, .to = to, .end_id = end_id};
    c->now.under_way = true;
    *at = c;
    return c;
}

uint32_t store_sql_next_copy(const struct store *s, uint32_t after)
{
    for (const struct space_copy *c = s->copies; c; c = c->next)
        if (c->to > after && c->now.under_way)
            return c->to;
    return 0;
}

bool space_copy_find(const struct store *s, uint32_t to, struct space_copy_state *out)
{
    const struct space_copy *c = find_copy(s, to);

    if (c)
        *out = (struct space_copy_state){c->from, c->end_id, position_of(&c->now)};
    return c != NULL;
}

bool store_is_copied(const struct store *s, uint32_t from)
{
    for (const struct space_copy *c = s->copies; c; c = c->next)
        if (c->from == from && c->now.under_way)
            return true;
    return false;
}

/* --- what is kept of it -----------------------------------------------------------------------
 *
 *   key = KEY_SPACE_COPIES | to (4 bytes)    body = from (4) | end_id (8) | position */

#define BODY_LEN 12

static const struct error *find_entry(struct unit *u, uint32_t to, struct store_row *row)
{
    struct buf key = buf_in(u->arena);

    key_of_space(&key, KEY_SPACE_COPIES);
    buf_add_big_endian(&key, to, 4);
    return unit_get(u, buf_span(&key), row);
}

static const struct error *save_copy(struct unit *u, const struct space_copy *c)
{
    struct buf body = buf_in(u->arena);
    struct store_row row;
    const struct error *e = find_entry(u, c->to, &row);

    if (e)
        return e;
    buf_add_big_endian(&body, c->from, 4);
    buf_add_big_endian(&body, (uint64_t)c->end_id, 8);
    buf_add_span(&body, position_of(&c->now));
    return unit_put(u, &row, body.len, buf_span(&body));
}

/* It is done, or given up; spaces that waited for it may be deleted. */
static const struct error *end_copy(struct unit *u, struct space_copy *c)
{
    struct store_row row;
    const struct error *e = find_entry(u, c->to, &row);

    if (e)
        return e;
    c->now.under_way = false;
    u->store->may_have_doomed = true;
    return row.found ? unit_delete(u, &row) : NULL;
}

const struct error *store_load_copies(struct store *s, struct arena *a)
{
    struct cursor *cursor;
    struct store_row row;
    const struct error *e;
    struct unit *u;

    if (!store_stats(s, KEY_SPACE_COPIES).entries)
        return NULL;
    if ((e = unit_begin(s, a, UNIT_READS, &u)))
        return e;
    cursor = cursor_open(u, cursor_range(a, KEY_SPACE_COPIES));
    while (!(e = cursor_next(cursor, &row)) && row.found) {
        struct space_copy *c;

        if (row.key.len != (size_t)2 * KEY_SPACE_LEN || row.body.len < BODY_LEN)
            continue; /* another space's */
        c = add_copy(s, (uint32_t)span_big_endian((struct span){row.body.at, 4}),
                     (uint32_t)span_big_endian(span_from(row.key, KEY_SPACE_LEN)),
                     (int64_t)span_big_endian((struct span){row.body.at + 4, 8}));
        move_to(&c->now, span_from(row.body, BODY_LEN));
    }
    unit_undo(u);
    store_keep_copies(s);
    store_flush_copies(s);
    return e;
}

/* --- beginning and ending --------------------------------------------------------------------- */

const struct error *store_sql_begin_copy(struct unit *u, uint32_t from, uint32_t *to)
{
    const struct error *e;
    int64_t end_id;

    if ((e = store_find_end_id(u, from, &end_id)) || (e = unit_new_space(u, 0, to)) ||
        (e = store_begin_sharing(u, from, end_id)) || (e = store_begin_sharing(u, *to, end_id)))
        return e;
    return save_copy(u, add_copy(u->store, from, *to, end_id));
}

const struct error *store_give_up_copy(struct unit *u, uint32_t to)
{
    struct space_copy *c = find_copy(u->store, to);

    return c ? end_copy(u, c) : NULL;
}

/* --- what has to be known of changes ---------------------------------------------------------- */

/* Copies an entry that existed at the beginning. An entry that was copied ahead of its slice has
 * changed since: its body is another one, or it was deleted. */
static const struct error *copy_row(struct unit *u, const struct space_copy *c,
                                    const struct store_row *row)
{
    struct buf key = buf_in(u->arena);

    if (row->handle >= c->end_id)
        return NULL;
    key_of_space(&key, c->to);
    buf_add_span(&key, span_from(row->key, KEY_SPACE_LEN));
    return store_share_row(u, buf_span(&key), row);
}

const struct error *store_before_change(struct unit *u, const struct store_row *row)
{
    const struct error *e;

    for (const struct space_copy *c = u->store->copies; c; c = c->next) {
        if (!row->found || c->from != store_space_of(row->key) || !c->now.under_way ||
            span_compare(row->key, position_of(&c->now)) <= 0)
            continue;
        if ((e = copy_row(u, c, row)))
            return e;
    }
    return NULL;
}

const struct error *store_before_range(struct unit *u, struct span low, struct span high)
{
    struct store_range range = {.low = low, .high = high, .keys_only = true};
    struct cursor *cursor;
    struct store_row row;
    const struct error *e;

    if (!store_is_copied(u->store, store_space_of(low)))
        return NULL;
    cursor = cursor_open(u, range);
    while (!(e = cursor_next(cursor, &row)) && row.found)
        if ((e = store_before_change(u, &row)))
            break;
    cursor_close(cursor);
    return e;
}

/* --- slices ----------------------------------------------------------------------------------- */

static const struct error *copy_slice(struct space_copy *c, struct unit *u, struct cursor *cursor,
                                      bool *more)
{
    *more = true;
    for (int count = 0; count < SLICE_ENTRIES; count++) {
        struct store_row row;
        const struct error *e = cursor_next(cursor, &row);

        *more = !e && row.found;
        if (!*more || (e = copy_row(u, c, &row)))
            return e;
        move_to(&c->now, row.key);
    }
    return NULL;
}

const struct error *store_sql_step_copy(struct unit *u, uint32_t to, bool *more)
{
    struct space_copy *c = find_copy(u->store, to);
    struct store_range range;
    struct cursor *cursor;
    const struct error *e;

    if (!c)
        return NULL;
    range = cursor_range_behind(u->arena, c->from, position_of(&c->now));
    range.keys_only = true;
    cursor = cursor_open(u, range);
    e = copy_slice(c, u, cursor, more);
    cursor_close(cursor);
    if (e)
        return e;
    return *more ? save_copy(u, c) : end_copy(u, c);
}
