/* store_rebuild.h: makes a store in memory from the untrusted bytes of a store's file.
 *
 * The file's pages are not used: each row is read once, checked, and written into a new store, so
 * that the file's structure does not matter, and the work is done in slices. Facts that follow from
 * the rows are derived: the number and size of a space's entries, and that no number of a space is
 * given twice. Tables are not kept in memory: the new store reads them when they are asked for,
 * until its first writing unit. store_rebuild.c has a table of the relations between rows. */
#pragma once

#include "store/store.h"

struct store_rebuild;

/* Begins with the first `len` bytes of the file, which must not shrink; the descriptor may be
 * closed afterwards. *problem is NULL or a sentence in the arena, and lives as long as that. */
struct store_rebuild *store_rebuild_begin(struct arena *a, int fd, size_t len,
                                          const char **problem);

/* Does a slice of less than a millisecond, apart from long rows; *more says whether to call again.
 * Returns NULL, or a sentence. */
MUST_CHECK const char *store_rebuild_step(struct store_rebuild *r, bool *more);

/* Returns the store after the last step; the caller owns it. */
struct store *store_rebuild_take(struct store_rebuild *r);

void store_rebuild_free(struct store_rebuild *r); /* r may be NULL */
