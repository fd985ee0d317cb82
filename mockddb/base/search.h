/* search.h: substring search that stays linear whatever the bytes are. */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include "base/span.h"

/* Whether `part` occurs in `in`; the empty part always does. Time grows with the sum of the
 * lengths, also for hostile input; nothing is allocated. *looked grows by how many bytes were
 * looked at one by one, at some 2 ns each: what is passed over in words is not counted. */
bool search_contains(struct span in, struct span part, size_t *looked);

#endif
