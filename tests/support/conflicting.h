/* conflicting.h: conflicts with other processes, which a store of one process never meets.
 *
 * The store says that the first try of each unit that writes met a conflict, when the unit is to be
 * kept; or each n-th read of a call's first try. Whatever runs must then be as without that. After
 * a conflict all tables are other ones, of the same content, as if other processes had replaced
 * them. Records of streams get their numbers when their unit is kept. A unit that writes items and
 * does not guard their table ends the process. */
#pragma once

#include "store/store.h"

struct conflicting {
    bool writes;         /* the first try of each unit that changes something */
    unsigned reads;      /* the n-th read of a first try, and each n-th after it; 0: none */
    bool always;         /* not only first tries */
    bool is_shared;      /* jobs are another process's, until conflicting_own */
    void (*other)(void); /* what the other process does in a conflict of a unit, or NULL */
    bool is_named;       /* conflicts name the item that the unit put or deleted last */
};

/* From now on, until conflicting_end, which returns the number of conflicts. The store must not be
 * copied meanwhile. */
void conflicting_begin(struct store *s, const struct conflicting *plan);
void conflicting_own(struct store *s, bool is_owner);
unsigned conflicting_end(struct store *s);
