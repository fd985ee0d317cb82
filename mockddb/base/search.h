/* search.h: substring search in linear time, whatever the bytes are. */
#pragma once

#include "base/span.h"

/* Whether `part` occurs in `in`; the empty part always does. Time grows with the sum of the
 * lengths, also for hostile input; nothing is allocated. *looked grows by the number of bytes that
 * were compared one by one, at about 2 ns each; bytes skipped in words are not counted. */
bool search_contains(struct span in, struct span part, size_t *looked);
