/* cycle.h: notices that a sequence goes round in a circle, as the page tokens of a broken server
 * do.
 *
 * Brent's method: one earlier member is kept and compared with those behind it; from time to time a
 * later one takes its place, after twice as many members as before. So every circle is found, at
 * most a few rounds late, in constant memory. */
#ifndef BASE_CYCLE_H
#define BASE_CYCLE_H

#include "base/attributes.h"
#include "base/span.h"

struct cycle { /* all zero at the beginning */
    uint64_t kept;
    size_t since, limit; /* members behind the kept one; when it is replaced */
};

/* Takes the next member. True: it has been there before, so nothing new will come. */
MUST_CHECK bool cycle_closes(struct cycle *c, struct span member);

#endif
