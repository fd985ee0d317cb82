/* damaged.h: reading what is written by us but may be shorter than that: a file may be damaged, or
 * somebody else's. */
#ifndef BASE_DAMAGED_H
#define BASE_DAMAGED_H

#include "base/span.h"

/* The number that so many bytes at a place are, big-endian; 0 where they are not all there. */
static inline uint64_t damaged_big_endian(struct span s, size_t at, size_t len)
{
    return s.len < at + len ? 0 : span_big_endian((struct span){s.at + at, len});
}

/* What stands from a place on; empty where nothing does. */
static inline struct span damaged_from(struct span s, size_t from)
{
    return s.len <= from ? (struct span){"", 0} : span_from(s, from);
}

#endif
