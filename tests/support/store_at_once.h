/* store_at_once.h: copies of stores in one step. */
#pragma once

#include "store/store.h"

/* Copies a store in memory, or into a file that does not exist yet. Returns the new store, or NULL
 * with *problem set. */
struct store *store_at_once_copy(struct arena *a, struct store *from,
                                 const struct store_options *options, const char **problem);
/* Copies a store into the file in the options; replaces one that is not open. */
const char *store_at_once_save(struct arena *a, struct store *from,
                               const struct store_options *options);
