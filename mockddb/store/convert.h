/* convert.h: copies a store into one of another engine, in slices: a snapshot of a file into
 * memory, or a store in memory into a file.
 *
 * The source must not change meanwhile. Spaces keep their numbers, and entries that refer to one
 * body do so in the copy. A copy of a space that is in progress is completed. */
#pragma once

#include "store/store.h"

struct convert;

/* Begins to copy into an empty store. */
struct convert *convert_new(struct store *from, struct store *to);

/* Does a slice of about a millisecond; *more says whether to call again. An error is the store's.
 */
MUST_CHECK const struct error *convert_step(struct convert *c, struct arena *a, bool *more);

void convert_free(struct convert *c); /* c may be NULL */
