/* search_load.h: loads the packed vectors of an index (store/vectors.h) and keeps them up to date.
 *
 * The first search reads all items; later searches read the items that have changed since. */
#pragma once

#include "ops/op.h"
#include "store/vectors.h"

/* Does a slice of the work; *more says that there is more. */
MUST_CHECK const struct error *search_load(struct call *c, const struct index *ix,
                                           struct vector_set **out, bool *more);
