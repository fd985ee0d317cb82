/* search_load.h: the packed vectors of an index (store/vectors.h), made and kept up to date.
 *
 * The first search reads them from the items, later ones what was written meanwhile. */
#ifndef OPS_SEARCH_LOAD_H
#define OPS_SEARCH_LOAD_H

#include "ops/op.h"
#include "store/vectors.h"

/* Does a slice of what there is to do: *more says that it was not all. */
MUST_CHECK const struct error *search_load(struct call *c, const struct index *ix,
                                           struct vector_set **out, bool *more);

#endif
