/* vector_check.h: checks a written item against a vector index.
 *
 * All errors are bare. An item without the vector or the HASH passes: it is not indexed.
 * Source: docs/behaviour/vectors.md, "Writes". */
#pragma once

#include "model/error.h"
#include "model/schema.h"

/* Checks an item to put: its vector, then the attributes of the SearchSchema. */
MUST_CHECK const struct error *vector_check_item(struct arena *a, const struct index *ix,
                                                 const struct item *it);

/* Only checks that the HASH is not empty. */
MUST_CHECK const struct error *vector_check_empty(struct arena *a, const struct index *ix,
                                                  const struct item *it);

/* Checks the attributes that an update has changed from `old` (NULL: no item); `by_expression`: by
 * an update expression. */
MUST_CHECK const struct error *vector_check_updated(struct arena *a, const struct index *ix,
                                                    bool by_expression, const struct item *old,
                                                    const struct item *it);
