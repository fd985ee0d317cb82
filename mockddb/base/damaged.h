/* damaged.h: reads fields of data in our own format that may be truncated: a file may be damaged,
 * or not ours. */
#pragma once

#include "base/span.h"

/* The big-endian number of `len` bytes at `at`; 0 if s is too short. */
static inline uint64_t damaged_big_endian(struct span s, size_t at, size_t len)
{
    return s.len < at + len ? 0 : span_big_endian((struct span){s.at + at, len});
}

/* The bytes from `from` on; empty if s is too short. */
static inline struct span damaged_from(struct span s, size_t from)
{
    return s.len <= from ? (struct span){"", 0} : span_from(s, from);
}
