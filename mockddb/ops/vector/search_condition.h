/* search_condition.h: a search's condition against the SearchSchema of its index, and rows against
 * the condition.
 *
 * Source: docs/behaviour/vectors.md, "Conditions". */
#ifndef OPS_SEARCH_CONDITION_H
#define OPS_SEARCH_CONDITION_H

#include "expr/expr_search.h"
#include "model/schema.h"

/* What rows must have, as bytes. */
struct search_filter {
    struct span partition; /* what keys of entries begin with; "": anything */
    struct span *parts;    /* for each INLINE_FILTER what its label must be; .at NULL: anything */
    size_t part_count;     /* up to the last that must be something */
};

/* asked is NULL where the request has no condition. */
MUST_CHECK const struct error *search_condition_check(struct arena *a, const struct index *ix,
                                                      const struct expr_search *asked,
                                                      struct search_filter *out);

/* A row's label: the values of the INLINE_FILTER attributes. */
void search_condition_label(struct buf *out, const struct index *ix, const struct item *it);

bool search_condition_holds(const struct search_filter *f, struct span key, struct span label);

#endif
