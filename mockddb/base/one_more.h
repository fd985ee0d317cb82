/* one_more.h: arrays in an arena to which elements are added one by one. */
#ifndef BASE_ONE_MORE_H
#define BASE_ONE_MORE_H

#include "base/arena.h"

/* The array of `count` elements of `size` bytes with room for one more, which is not zeroed. It is
 * made twice as long where the count is a power of two, so that adding costs the same however many
 * there are: nothing else may make it longer. */
static inline void *one_more(struct arena *a, void *array, size_t count, size_t size)
{
    if (count & (count - 1))
        return array;
    return arena_grow(a, array, count * size, (count ? 2 * count : 1) * size);
}

#endif
