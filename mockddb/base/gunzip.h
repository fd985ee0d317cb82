/* gunzip.h: files in gzip form. */
#ifndef BASE_GUNZIP_H
#define BASE_GUNZIP_H

#include "base/arena.h"

#define GUNZIP_MOST ((size_t)1 << 30) /* bytes that come out at most */

/* Unpacks all members of a gzip file into the arena; NULL, or what is wrong with it. Memory grows
 * with what comes out, whatever the file says of its length. */
const char *gunzip(struct arena *a, struct span packed, struct span *out);

#endif
