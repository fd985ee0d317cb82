/* distance.h: how many bytes two texts are apart. */
#ifndef BASE_DISTANCE_H
#define BASE_DISTANCE_H

#include "base/span.h"

/* Texts are compared up to this length, which bounds the steps of one comparison. */
#define DISTANCE_LONGEST ((size_t)160)

/* How many bytes have to be put, taken or changed to make one the other; limit + 1 for more than
 * `limit`, and for texts that are too long. */
size_t distance_between(struct span a, struct span b, size_t limit);

#endif
