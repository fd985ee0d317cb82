/* gunzip.h: bytes in gzip form, such as files, or in zlib's, which HTTP calls deflate. */
#ifndef BASE_GUNZIP_H
#define BASE_GUNZIP_H

#include "base/arena.h"

#define GUNZIP_MOST ((size_t)1 << 30) /* bytes that come out at most */

/* Unpacks all members of a gzip file into the arena; NULL, or what is wrong with it. Memory grows
 * with what comes out, whatever the file says of its length. */
const char *gunzip(struct arena *a, struct span packed, struct span *out);

enum gunzip_form { GUNZIP_GZIP, GUNZIP_ZLIB };

enum gunzip_result { GUNZIP_WHOLE, GUNZIP_BROKEN, GUNZIP_TOO_LONG };

/* The same, where `most` bytes may come out, in either form. */
MUST_CHECK enum gunzip_result gunzip_within(struct arena *a, enum gunzip_form form,
                                            struct span packed, size_t most, struct span *out);

#endif
