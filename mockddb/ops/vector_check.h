/* vector_check.h: whether an item that is written fits a vector index.
 *
 * All errors are bare. An item without the vector, or without the HASH, fits: it is not indexed.
 * Source: docs/behaviour/vectors.md, "Writes". */
#ifndef OPS_VECTOR_CHECK_H
#define OPS_VECTOR_CHECK_H

#include "model/error.h"
#include "model/schema.h"

/* An item that is put: its vector, then the attributes of the SearchSchema. */
MUST_CHECK const struct error *vector_check_item(struct arena *a, const struct index *ix,
                                                 const struct item *it);

/* Only: the HASH is not empty. */
MUST_CHECK const struct error *vector_check_empty(struct arena *a, const struct index *ix,
                                                  const struct item *it);

/* What an update made otherwise than in `old` (NULL: no item); `by_expression` where it was written
 * as one. */
MUST_CHECK const struct error *vector_check_updated(struct arena *a, const struct index *ix,
                                                    bool by_expression, const struct item *old,
                                                    const struct item *it);

#endif
