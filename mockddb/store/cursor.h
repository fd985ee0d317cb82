/* cursor.h: reads a range of entries one by one, forwards or backwards.
 *
 * Any number of cursors may be open. The end of a unit closes its own. An entry that is written
 * into a range while a cursor reads it may be returned or not; an entry that exists from start to
 * end is returned once. */
#pragma once

#include "model/key.h"
#include "store/unit.h"

struct store_range {
    struct span low;  /* the first key in the range */
    struct span high; /* the first key after it */
    bool backwards;   /* from high to low */
    bool keys_only;   /* rows come without body */
    int64_t expected; /* rows that will probably be read, for engines that fetch many; 0: unknown */
};

/* The first key that can follow a key, in the arena. */
static inline struct span cursor_key_behind(struct arena *a, struct span key)
{
    struct buf behind = buf_in(a);

    buf_add_span(&behind, key);
    buf_add_char(&behind, '\0');
    return buf_span(&behind);
}

/* The entries of a space: all of them, or those behind a key (len 0: all). Bounds are in the arena.
 */
static inline struct store_range cursor_range(struct arena *a, uint32_t space)
{
    struct buf low = buf_in(a), high = buf_in(a);

    key_of_space(&low, space);
    key_of_space(&high, space + 1);
    return (struct store_range){.low = buf_span(&low), .high = buf_span(&high)};
}

static inline struct store_range cursor_range_behind(struct arena *a, uint32_t space,
                                                     struct span key)
{
    struct store_range range = cursor_range(a, space);

    if (key.len)
        range.low = cursor_key_behind(a, key);
    return range;
}

struct cursor;

/* The bounds are copied into the unit's arena. If the store fails, cursor_next says so. */
struct cursor *cursor_open(struct unit *u, struct store_range range);
/* The next row; row->found is false at the end. Its bytes are borrowed until the next call for the
 * cursor, or the next change. */
MUST_CHECK const struct error *cursor_next(struct cursor *c, struct store_row *row);
void cursor_close(struct cursor *c); /* c may be NULL */
