/* moving_scan.h: a table that is read: what makes it again, and its items, page by page. */
#ifndef MOVING_MOVING_SCAN_H
#define MOVING_MOVING_SCAN_H

#include "base/cycle.h"
#include "moving/moving_door.h"
#include "moving/moving_names.h"
#include "moving/moving_pace.h"

struct moving_scan {
    struct moving_door *door;
    struct span table;
    const wire_node *described, *ttl; /* as the server has it */
    struct span schema;               /* client_schema.h; moving_scan_schema sets it … */
    struct span lacks;                /* … and what a table that is made of it has not */
    struct span keys[2];              /* the attributes of its key */
    size_t key_count;
    uint64_t bytes, items;    /* as counted last */
    struct moving_pace *pace; /* NULL: as fast as can be */
    /* Where the next page begins, as JSON: empty at the beginning. Whoever goes on with what an
     * earlier run left sets it. */
    struct buf start;
    struct cycle starts;
    bool done;
};

/* Asks for the table; everything is the arena's. NULL, or why it cannot be read: where it is not
 * there, what is. */
MUST_CHECK const char *moving_scan_begin(struct arena *a, struct moving_door *door,
                                         struct span table, struct moving_scan *out);

/* Asks for the rest that makes the table again. NULL, or why that is not known. */
MUST_CHECK const char *moving_scan_schema(struct arena *a, struct moving_scan *s);

/* The next page: a list of items, in the arena; NULL behind the last. Returns NULL, or what is
 * wrong. */
MUST_CHECK const char *moving_scan_next(struct moving_scan *s, struct arena *a,
                                        const wire_node **items);

/* From the beginning again. */
void moving_scan_again(struct moving_scan *s);

/* The names of all tables of a door are added to *out. */
MUST_CHECK const char *moving_scan_tables(struct arena *a, struct moving_door *door,
                                          struct moving_names *out);

#endif
