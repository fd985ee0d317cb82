/* search.h: substring search that stays linear whatever the bytes are. */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include "base/span.h"

/* Whether `part` occurs in `in`; the empty part always does. Time grows with the sum of the
 * lengths, also for hostile input; nothing is allocated. */
bool search_contains(struct span in, struct span part);

#endif
