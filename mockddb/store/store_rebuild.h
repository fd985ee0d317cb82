/* store_rebuild.h: a store in memory from the bytes of a store's file that anybody may have
 * written.
 *
 * The file's pages are not taken over: each row is read once, looked at, and written into a new
 * store, so that nothing of how the file was put together matters, and the work is done in slices.
 * What follows from the rows is not read but derived: how many entries a space has and how long
 * they are, and that no number of a space is given twice. The relations between rows are in the
 * table of store_rebuild.c. */
#ifndef STORE_STORE_REBUILD_H
#define STORE_STORE_REBUILD_H

#include "store/store.h"

struct store_rebuild;

/* Begins with the first `len` bytes of the file, which has to keep them; the descriptor may be
 * closed afterwards. *problem is NULL or one sentence in the arena, and lives as long as that. */
struct store_rebuild *store_rebuild_begin(struct arena *a, int fd, size_t len,
                                          const char **problem);

/* A slice of less than a millisecond, besides rows that are long; *more says whether to come again.
 * NULL, or one sentence. */
MUST_CHECK const char *store_rebuild_step(struct store_rebuild *r, bool *more);

/* The store, once there is no more to do: the caller's. */
struct store *store_rebuild_take(struct store_rebuild *r);

void store_rebuild_free(struct store_rebuild *r); /* r may be NULL */

#endif
