/* distance.h: the edit distance of two texts, in bytes. */
#pragma once

#include "base/span.h"

/* Longer texts are not compared, which bounds the steps of one comparison. */
#define DISTANCE_LONGEST ((size_t)160)

/* How many bytes must be inserted, deleted or replaced to turn one text into the other; limit + 1
 * if more than `limit`, or if a text is too long. */
size_t distance_between(struct span a, struct span b, size_t limit);
