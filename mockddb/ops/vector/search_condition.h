/* search_condition.h: a search's condition against the SearchSchema of its index.
 *
 * Source: docs/behaviour/vectors.md, "Conditions". */
#ifndef OPS_SEARCH_CONDITION_H
#define OPS_SEARCH_CONDITION_H

#include "expr/expr_search.h"
#include "ops/vector/search_filter.h"

/* asked is NULL where the request has no condition. */
MUST_CHECK const struct error *search_condition_check(struct arena *a, const struct index *ix,
                                                      const struct expr_search *asked,
                                                      struct search_filter *out);

#endif
