/* cursor.h: reads a range of entries one by one, forwards or backwards.
 *
 * Any number of cursors may be open. The end of a unit closes its own. An entry that is written
 * into a range while a cursor reads it may be returned or not; an entry that exists from start to
 * end is returned once. */
#ifndef STORE_CURSOR_H
#define STORE_CURSOR_H

#include "store/unit.h"

struct store_range {
    struct span low;  /* the first key in the range */
    struct span high; /* the first key after it */
    bool backwards;   /* from high to low */
    bool keys_only;   /* rows come without body */
};

struct cursor;

/* The bounds are copied into the unit's arena. */
MUST_CHECK const struct error *cursor_open(struct unit *u, const struct store_range *range,
                                           struct cursor **out);
/* The next row; row->found is false at the end. Its bytes are borrowed until the next call for the
 * cursor, or the next change. */
MUST_CHECK const struct error *cursor_next(struct cursor *c, struct store_row *row);
void cursor_close(struct cursor *c); /* c may be NULL */

#endif
