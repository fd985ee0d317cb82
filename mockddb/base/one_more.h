/* one_more.h: arrays in an arena that grow by one element at a time. */
#pragma once

#include "base/arena.h"

/* Returns the array of `count` elements of `size` bytes with room for one more, which is not
 * zeroed. The array doubles when the count is a power of two, so that the cost of adding is
 * constant; no other code may grow it. */
static inline void *one_more(struct arena *a, void *array, size_t count, size_t size)
{
    if (count & (count - 1))
        return array;
    return arena_grow(a, array, count * size, (count ? 2 * count : 1) * size);
}

/* Like one_more, for an array of exactly `count` elements that other code has made. Each call may
 * copy the array. */
static inline void *one_more_exactly(struct arena *a, void *array, size_t count, size_t size)
{
    return arena_grow(a, array, count * size, (count + 1) * size);
}
