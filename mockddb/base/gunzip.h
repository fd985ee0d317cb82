/* gunzip.h: unpacks gzip data and zlib data, which HTTP calls deflate, as a whole. */
#pragma once

#include "base/arena.h"

enum gunzip_form { GUNZIP_GZIP, GUNZIP_ZLIB };

enum gunzip_result { GUNZIP_WHOLE, GUNZIP_BROKEN, GUNZIP_TOO_LONG };

/* Unpacks all members into the arena, at most `most` bytes. Memory grows with the actual output,
 * whatever length the data states. */
MUST_CHECK enum gunzip_result gunzip_within(struct arena *a, enum gunzip_form form,
                                            struct span packed, size_t most, struct span *out);
