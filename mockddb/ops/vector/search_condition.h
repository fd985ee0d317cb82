/* search_condition.h: checks a search's condition against the SearchSchema of its index.
 *
 * Source: docs/behaviour/vectors.md, "Conditions". */
#pragma once

#include "ops/vector/search_filter.h"

/* Checks and compiles the condition; asked is NULL if the request has none. */
MUST_CHECK const struct error *search_condition_check(struct arena *a, const struct index *ix,
                                                      const struct expr_search *asked,
                                                      struct search_filter *out);
