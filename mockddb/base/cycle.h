/* cycle.h: notices that a sequence repeats itself, as the page tokens of a broken server do.
 *
 * Brent's method: one earlier member is kept and compared with the members after it; from time to
 * time a later one replaces it, after twice as many members as before. So every cycle is found, at
 * most a few rounds late, in constant memory. */
#pragma once

#include "base/attributes.h"
#include "base/span.h"

struct cycle { /* all zero at first */
    uint64_t kept;
    size_t since, limit; /* members since the kept one; when it is replaced */
};

/* Takes the next member. True: it was seen before, so the sequence repeats. */
MUST_CHECK bool cycle_closes(struct cycle *c, struct span member);
