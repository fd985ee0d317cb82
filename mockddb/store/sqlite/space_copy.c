#include "store/space_copy.h"

#include "base/log.h"
#include "model/key.h"
#include "store/sqlite/store_core.h"

#include <assert.h>
#include <stdlib.h>

/* A slice ends after so many entries, or so many bytes of them: about a millisecond. */
#define SLICE_ENTRIES 150
#define SLICE_BYTES   ((size_t)1024 * 1024)

struct space_copy {
    struct store *store;
    struct space_copy *next; /* of the store's */
    uint32_t from, to;
    int64_t
        end_id; /* entries whose bodies have this id, or a later one, came after the beginning */
    char *position;  /* all keys up to it are done */
    size_t len, cap; /* of position; len 0: none is */
    bool in_unit;    /* began, or went on, in the unit that is open */
    bool failed;
};

const struct error *space_copy_begin(struct unit *u, uint32_t from, uint32_t *to,
                                     struct space_copy **out)
{
    struct space_copy *c;
    const struct error *e;
    int64_t end_id;

    assert(u->writes);
    if ((e = store_find_end_id(u, from, &end_id)) || (e = unit_new_space(u, to)))
        return e;
    if (!(c = calloc(1, sizeof *c)))
        process_out_of_memory();
    *c = (struct space_copy){.store = u->store, .from = from, .to = *to, .end_id = end_id};
    c->in_unit = true;
    c->next = u->store->copies;
    u->store->copies = c;
    *out = c;
    return NULL;
}

void space_copy_end(struct space_copy *c)
{
    struct space_copy **at;

    if (!c)
        return;
    for (at = &c->store->copies; *at != c; at = &(*at)->next)
        ;
    *at = c->next;
    free(c->position);
    free(c);
}

/* --- what has to be known of changes ---------------------------------------------------------- */

static struct span position_of(const struct space_copy *c)
{
    return (struct span){c->position, c->len};
}

/* Copies an entry that was there at the beginning, unless that was done. */
static const struct error *copy_row(struct unit *u, const struct space_copy *c,
                                    const struct store_row *row)
{
    struct buf key = buf_in(u->arena);
    struct store_row copy;
    const struct error *e;

    if (row->handle >= c->end_id)
        return NULL;
    key_of_space(&key, c->to);
    buf_add_span(&key, span_from(row->key, KEY_SPACE_LEN));
    if ((e = unit_get(u, buf_span(&key), &copy)) || copy.found)
        return e;
    return unit_put(u, &copy, row->size, arena_span(u->arena, row->body));
}

const struct error *store_before_change(struct unit *u, const struct store_row *row)
{
    const struct error *e;

    for (const struct space_copy *c = u->store->copies; c; c = c->next) {
        struct store_row before;

        if (!row->found || c->from != store_space_of(row->key) || c->failed ||
            span_compare(row->key, position_of(c)) <= 0)
            continue;
        if ((e = unit_get(u, row->key, &before)) || (e = copy_row(u, c, &before)))
            return e;
    }
    return NULL;
}

void store_fail_copies(const struct store *s, uint32_t from)
{
    for (struct space_copy *c = s->copies; c; c = c->next)
        c->failed = c->failed || c->from == from;
}

void store_end_copies(const struct store *s, bool keep, bool all)
{
    for (struct space_copy *c = s->copies; c; c = c->next) {
        c->failed = c->failed || (!keep && (all || c->in_unit));
        c->in_unit = false;
    }
}

/* --- slices ----------------------------------------------------------------------------------- */

static void move_to(struct space_copy *c, struct span key)
{
    if (c->cap < key.len) {
        char *at = realloc(c->position, key.len);

        if (!at)
            process_out_of_memory();
        c->position = at;
        c->cap = key.len;
    }
    memcpy(c->position, key.at, key.len);
    c->len = key.len;
}

static struct store_range what_is_left(const struct space_copy *c, struct arena *a)
{
    struct buf low = buf_in(a), high = buf_in(a);

    if (c->len) {
        buf_add_span(&low, position_of(c));
        buf_add_char(&low, '\0'); /* right behind it */
    } else {
        key_of_space(&low, c->from);
    }
    key_of_space(&high, c->from + 1);
    return (struct store_range){.low = buf_span(&low), .high = buf_span(&high)};
}

static const struct error *copy_slice(struct space_copy *c, struct unit *u, struct cursor *cursor,
                                      bool *more)
{
    size_t bytes = 0;

    for (int count = 0; count < SLICE_ENTRIES && bytes < SLICE_BYTES; count++) {
        struct store_row row;
        const struct error *e = cursor_next(cursor, &row);

        *more = !e && row.found;
        if (!*more || (e = copy_row(u, c, &row)))
            return e;
        bytes += row.body.len;
        move_to(c, row.key);
    }
    return NULL;
}

const struct error *space_copy_step(struct space_copy *c, struct unit *u, bool *more)
{
    struct store_range range = what_is_left(c, u->arena);
    struct cursor *cursor;
    const struct error *e;

    assert(u->writes);
    *more = false;
    if (c->failed) {
        log_error("a copy of a space cannot go on: the space was given up, or a slice was undone");
        return error_new(u->arena, ERROR_INTERNAL, "Internal server error");
    }
    c->in_unit = true;
    if ((e = cursor_open(u, &range, &cursor)))
        return e;
    e = copy_slice(c, u, cursor, more);
    cursor_close(cursor);
    return e;
}
