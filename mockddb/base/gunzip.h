/* gunzip.h: unpacks gzip data, such as files, and zlib data, which HTTP calls deflate. */
#pragma once

#include "base/arena.h"

#define GUNZIP_MOST ((size_t)1 << 30) /* the most bytes that gunzip unpacks */

/* Unpacks all members of a gzip file into the arena. Returns NULL, or a text that says what is
 * wrong. Memory grows with the actual output, whatever length the file states. */
const char *gunzip(struct arena *a, struct span packed, struct span *out);

enum gunzip_form { GUNZIP_GZIP, GUNZIP_ZLIB };

enum gunzip_result { GUNZIP_WHOLE, GUNZIP_BROKEN, GUNZIP_TOO_LONG };

/* Like gunzip, in either form, with at most `most` bytes of output. */
MUST_CHECK enum gunzip_result gunzip_within(struct arena *a, enum gunzip_form form,
                                            struct span packed, size_t most, struct span *out);
